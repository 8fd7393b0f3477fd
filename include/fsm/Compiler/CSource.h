//===- CSource.h - Compiled kernels as C ------------------------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_COMPILER_CSOURCE_H
#define FSM_COMPILER_CSOURCE_H

#include "fsm/Artifact/CompiledKernel.h"
#include "fsm/Support/Result.h"

#include <string>
#include <vector>

namespace fsm {

/// What is to be written as C: one kernel, compiled for some targets.
struct CSource {
  /// At least one. Of several for one target, those come first whose facts say more.
  std::vector<CompiledKernel> codes;
  /// The function of the code for the CPU, which an object that is linked has, and the set of
  /// instructions that it needs.
  std::string hostSymbol, hostInstructions;
};

/// A header for C11 and C++: it declares `fsm_NAME_launch`, which takes the kernel's arguments by
/// their types, and the FsmCompiledKernel `fsm_NAME` of fsm-c/fsm-runtime.h, and defines both where
/// FSM_NAME_IMPLEMENTATION is defined. An error names what cannot be said in C.
Result<std::string> cHeaderText(const CSource &source);

/// The same as a file of its own, in which it is defined.
Result<std::string> cFileText(const CSource &source);

} // namespace fsm

#endif // FSM_COMPILER_CSOURCE_H
