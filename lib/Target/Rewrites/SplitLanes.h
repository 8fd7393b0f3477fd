//===- SplitLanes.h - Vectors of registers as scalars ----------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_TARGET_SPLITLANES_H
#define FSM_TARGET_SPLITLANES_H

#include "llvm/IR/PassManager.h"

namespace fsm {

/// Makes scalars of vectors that are computed lane by lane, moved to places that are known, or
/// handed on by loops. What else has vectors takes them from scalars, or is taken apart: LLVM's
/// Scalarizer knows all instructions, but writes each vector that it has split out again for the
/// users that it has not come to, and deletes that when it has: half of its time in a kernel of
/// thousands of ops.
struct SplitLanesPass : llvm::PassInfoMixin<SplitLanesPass> {
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &);
};

} // namespace fsm

#endif // FSM_TARGET_SPLITLANES_H
