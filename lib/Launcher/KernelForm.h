//===- KernelForm.h - Compiled kernels as C holds them ----------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_LIB_LAUNCHER_KERNELFORM_H
#define FSM_LIB_LAUNCHER_KERNELFORM_H

#include "fsm-c/fsm-runtime.h"

#include "fsm/Artifact/CompiledKernel.h"
#include "fsm/Support/Result.h"

namespace fsm {

/// The code for one target, but for the code itself: that is where C has it.
struct CodeForm {
  const FsmCompiledCode *code = nullptr;
  std::vector<ArgumentFact> facts;
  std::vector<HiddenArgument> hiddenArguments;
  /// It waits for the launches before it.
  bool overlapsLaunches = false;
};

/// A kernel that C holds, read and checked.
struct KernelForm {
  KernelSignature signature;
  std::vector<ArgumentFact> promises;
  std::vector<CodeForm> codes;
};

/// Reads a kernel. An error names what is not as fsm-runtime.h says.
Result<KernelForm> readKernel(const FsmCompiledKernel *kernel);

/// The targets of a kernel, each once: `sm_90a, cpu`.
std::string targetsText(const KernelForm &kernel);

} // namespace fsm

#endif // FSM_LIB_LAUNCHER_KERNELFORM_H
