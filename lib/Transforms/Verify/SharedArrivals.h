//===- SharedArrivals.h - Checks what arrives at mbarriers ------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_TRANSFORMS_VERIFY_SHAREDARRIVALS_H
#define FSM_TRANSFORMS_VERIFY_SHAREDARRIVALS_H

#include "fsm/IR/FSMDialect.h"

namespace fsm {

/// An mbarrier at which stores arrive has one phase, or one in each round of a loop: all that it counts comes
/// once, in one block of ops, and a wait for it follows there.
llvm::LogicalResult checkArrivals(KernelOp kernel);

/// What groups of warps have stored for another one it reads when all have met behind that.
llvm::LogicalResult checkParts(KernelOp kernel);

/// Copies of tensors bring as many bytes as stand in front of them, and products of the hardware
/// alone read these: a thread's own reads would need a fence in front of the next copy.
llvm::LogicalResult checkTensorCopies(KernelOp kernel);

} // namespace fsm

#endif // FSM_TRANSFORMS_VERIFY_SHAREDARRIVALS_H
