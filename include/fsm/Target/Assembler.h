//===- Assembler.h - What NVIDIA's assembler makes of PTX -------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_TARGET_ASSEMBLER_H
#define FSM_TARGET_ASSEMBLER_H

#include "fsm/Support/Result.h"

#include <string>

namespace fsm {

/// The cubin that ptxas makes of PTX for a GPU such as sm_90a. ptxas is of a CUDA toolkit that
/// CUDA_HOME, CUDA_PATH, CUDA_ROOT or PATH lead to; an error says that there is none, or what it
/// refuses.
Result<std::string> assemblePTX(const std::string &ptx, const std::string &target);

/// The instructions of a cubin as nvdisasm, or else cuobjdump, of such a toolkit prints them.
Result<std::string> disassembleCubin(const std::string &cubin);

} // namespace fsm

#endif // FSM_TARGET_ASSEMBLER_H
