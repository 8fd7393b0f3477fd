//===- Libdevice.h - CUDA's library of functions ---------------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_TARGET_LIBDEVICE_H
#define FSM_TARGET_LIBDEVICE_H

#include "fsm/Support/Result.h"

#include <string>

namespace llvm {
class Module;
} // namespace llvm

namespace fsm {

/// The path of libdevice.10.bc in the CUDA toolkit that CUDA_HOME, CUDA_PATH or CUDA_ROOT name,
/// or that ptxas or nvcc of PATH belong to; an error says where it was looked for.
Result<std::string> findLibdevice();

/// Gives the functions that a module calls of libdevice, an LLVM bitcode file, their bodies, and
/// inlines them. The error says what is wrong with the file or which function it lacks.
Result<void> linkLibdevice(llvm::Module &module, const std::string &path);

} // namespace fsm

#endif // FSM_TARGET_LIBDEVICE_H
