//===- ProductRegisters.h - Constants in registers of products -*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_TARGET_PRODUCTREGISTERS_H
#define FSM_TARGET_PRODUCTREGISTERS_H

namespace llvm {
class Function;
} // namespace llvm

namespace fsm {

/// The registers of a product of warp groups must have been written in front of the fence that its
/// group begins with. LLVM's back end puts a constant into a register right in front of the
/// instruction that takes it; this does so in front of the fence.
void putConstantsBeforeFences(llvm::Function &function);

} // namespace fsm

#endif // FSM_TARGET_PRODUCTREGISTERS_H
