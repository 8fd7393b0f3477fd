//===- MemoryOrder.h - Which accesses may touch the same bytes -*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_ANALYSIS_MEMORYORDER_H
#define FSM_ANALYSIS_MEMORYORDER_H

#include "fsm/IR/FSMDialect.h"

namespace fsm {

/// The kernel's argument that a value is, or null.
mlir::BlockArgument kernelArgument(mlir::Value value);

/// The kernel argument a pointer was moved from, by no more than so many ops, or null.
mlir::BlockArgument rootArgument(mlir::Value pointer, size_t mostOffsets = SIZE_MAX);

/// The kernel's pointers behind which nothing is written while it runs, by nobody: what is loaded
/// from them may be loaded at any time.
llvm::SmallDenseSet<mlir::Value> constantArguments(KernelOp kernel);

/// Whether an op loads or stores and is ordered with nothing but what touches the same bytes: it is
/// no atomic, no copy, and not volatile.
bool isPlainAccess(mlir::Operation *op);

/// Whether an op loads a scalar that is the same whenever it is loaded.
bool readsConstant(mlir::Operation *op);

/// Whether a load of a kernel waits for another one: where it begins, or what its mask leaves out, follows from what that read.
bool hasChainedLoads(KernelOp kernel);

/// Whether two accesses to global memory may touch the same bytes. They
/// do not when they start from different kernel arguments of which one is
/// `fsm.noalias`, nor where they are parts of one access; nothing else is known of pointers.
bool mayAlias(mlir::Operation *left, mlir::Operation *right);
/// The same of two pointers to which accesses are.
bool mayAlias(mlir::Value left, mlir::Value right);

/// Whether two accesses to global memory start from different kernel arguments.
bool haveOtherArguments(mlir::Operation *left, mlir::Operation *right);

/// Whether two accesses touch the same address for the same element.
bool sameAddress(mlir::Operation *left, mlir::Operation *right);

/// Whether `op`, or an op nested in it, may write bytes that `access` touches, or is an
/// atomic that orders `access`: then other programs may have written them.
bool mayWrite(mlir::Operation *op, mlir::Operation *access);
/// Whether an op, or one in it, may write to global memory at all, or let others' writes be seen.
bool mayWrite(mlir::Operation *op);

} // namespace fsm

#endif // FSM_ANALYSIS_MEMORYORDER_H
