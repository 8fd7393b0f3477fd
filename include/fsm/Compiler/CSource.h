//===- CSource.h - Compiled kernels as C ------------------------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_COMPILER_CSOURCE_H
#define FSM_COMPILER_CSOURCE_H

#include "fsm/Artifact/CompiledKernel.h"
#include "fsm/Compiler/CompileOptions.h"
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

/// The options for code that C has words for: libfsm-runtime makes no tensor maps, and there is no
/// place for a batch, and none for programs that go on to others.
CompileOptions optionsForC(CompileOptions options);

/// Refuses a kernel that prints or asserts, for nobody waits for it.
Result<void> checkSilent(const CompiledKernel &kernel);

/// FsmCompiledCode::facts and ::hiddenArguments. Nothing, where no fact says anything.
std::string factsText(const std::vector<ArgumentFact> &facts);
std::string hiddenArgumentsText(const std::vector<HiddenArgument> &arguments);

/// A header for C11 and C++: it declares `fsm_NAME_launch`, which takes the kernel's arguments by
/// their types, and the FsmCompiledKernel `fsm_NAME` of fsm-c/fsm-runtime.h, and defines both where
/// FSM_NAME_IMPLEMENTATION is defined. An error names what cannot be said in C.
Result<std::string> cHeaderText(const CSource &source);

/// The same as a file of its own, in which it is defined.
Result<std::string> cFileText(const CSource &source);

} // namespace fsm

#endif // FSM_COMPILER_CSOURCE_H
