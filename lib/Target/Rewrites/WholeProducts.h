//===- WholeProducts.h - Both halves of a product ---------------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_LIB_TARGET_WHOLEPRODUCTS_H
#define FSM_LIB_TARGET_WHOLEPRODUCTS_H

#include "llvm/IR/Function.h"

namespace fsm {

/// Where a block has the lower and the upper word of the product of two words, both are of one
/// `mul.wide.u32`. ptxas finds that by itself where the two stand side by side, and makes two
/// multiplications where those of another lane are between them
/// (docs/decisions/0175-both-halves-of-a-product.md). Behind LLVM's passes: it would write an upper
/// word as `mul.hi` again.
void multiplyOnce(llvm::Function &function);

} // namespace fsm

#endif // FSM_LIB_TARGET_WHOLEPRODUCTS_H
