//===- KernelCost.h - What launches of a kernel cost ------------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_COMPILER_KERNELCOST_H
#define FSM_COMPILER_KERNELCOST_H

#include "fsm/Compiler/Compiler.h"
#include "fsm/Compiler/ParsedSource.h"
#include "fsm/Machine/LaunchTime.h"

namespace fsm {

/// A kernel whose plan for a GPU is made, and no code.
struct KernelCost {
  KernelSignature signature;
  ProgramCost program;
  /// What a launch of few programs may have another plan for.
  std::optional<SpreadUse> spreadUse;
  /// Whether launches may have another one whose programs load for one another.
  bool maybeClusters = false;
  /// Whether launches of many programs may have another one in which some go on to others.
  bool maybeLoops = false;
};

/// Plans a kernel for the GPU that the options name. For all but GPUs there is no model.
Result<KernelCost> costOf(const Source &source, const CompileOptions &options);

} // namespace fsm

#endif // FSM_COMPILER_KERNELCOST_H
