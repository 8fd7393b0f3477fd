//===- WideProducts.h - Both halves of a product in one place --*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_TARGET_WIDEPRODUCTS_H
#define FSM_TARGET_WIDEPRODUCTS_H

#include "llvm/IR/Function.h"

namespace fsm {

/// Puts the lower half of a product of 32 bits behind the upper half of the same numbers, where
/// both are in one block: of neighbours ptxas makes one instruction, which costs as much as either
/// half. Returns how many pairs there are.
unsigned joinHalvesOfProducts(llvm::Function &function);

} // namespace fsm

#endif // FSM_TARGET_WIDEPRODUCTS_H
