//===- OutlineParts.h - Functions too long for LLVM -*- C++ -*-============//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_TARGET_OUTLINEPARTS_H
#define FSM_TARGET_OUTLINEPARTS_H

namespace llvm {
class Function;
}

namespace fsm {

/// Makes a function of more than 256 basic blocks call functions of about 128 each, in the order
/// in which they were. Parts of LLVM, loop strength reduction and the dominator tree first, look
/// from each loop back to the function's begin: their time grows with the square of a function,
/// and so only with its length. A function is cut where all ways through it come together; one
/// that is a single large loop stays whole. Returns whether anything was cut.
bool outlineParts(llvm::Function &function);

/// Computes addresses at a constant distance from an argument in front of their users, where these
/// stand in a block of more than 1,024 instructions. CodeGenPrepare does the same for each block,
/// but numbers all of its instructions anew for each address.
void sinkAddresses(llvm::Function &function);

} // namespace fsm

#endif // FSM_TARGET_OUTLINEPARTS_H
