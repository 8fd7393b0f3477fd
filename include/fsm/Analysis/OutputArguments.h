//===- OutputArguments.h - What a kernel writes and never reads -*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_ANALYSIS_OUTPUTARGUMENTS_H
#define FSM_ANALYSIS_OUTPUTARGUMENTS_H

#include "fsm/IR/FSMDialect.h"

#include "llvm/ADT/DenseSet.h"

namespace fsm {

/// The pointer arguments of a kernel through which it writes and never reads: what stands there
/// before changes nothing. Those that control flow chooses from, whose address becomes a number, or
/// that atomics update, are none. Buffers are taken not to overlap.
llvm::SmallDenseSet<mlir::Value> outputArguments(KernelOp kernel);

} // namespace fsm

#endif // FSM_ANALYSIS_OUTPUTARGUMENTS_H
