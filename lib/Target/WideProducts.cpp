//===- WideProducts.cpp - Both halves of a product in one place ----------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WideProducts.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"

using namespace llvm;

static bool haveSameFactors(const Instruction &one, const Instruction &other) {
  const Value *left = one.getOperand(0), *right = one.getOperand(1);
  return (left == other.getOperand(0) && right == other.getOperand(1)) ||
         (left == other.getOperand(1) && right == other.getOperand(0));
}

/// The lower half of what a call gives the upper half of, in its block; or null.
static Instruction *lowerHalf(IntrinsicInst &upper) {
  Value *factor = upper.getArgOperand(isa<Constant>(upper.getArgOperand(0)) ? 1 : 0);
  if (isa<Constant>(factor))
    return nullptr;
  for (User *user : factor->users()) {
    auto product = dyn_cast<Instruction>(user);
    if (product && product->getOpcode() == Instruction::Mul &&
        product->getParent() == upper.getParent() && haveSameFactors(*product, upper))
      return product;
  }
  return nullptr;
}

unsigned fsm::joinHalvesOfProducts(Function &function) {
  SmallVector<std::pair<IntrinsicInst *, Instruction *>> pairs;
  for (Instruction &instruction : instructions(function)) {
    auto upper = dyn_cast<IntrinsicInst>(&instruction);
    if (upper && upper->getIntrinsicID() == Intrinsic::nvvm_mulhi_ui)
      if (Instruction *lower = lowerHalf(*upper))
        pairs.emplace_back(upper, lower);
  }
  // The later of the two comes up to the other: what both need is there, and neither has an effect.
  for (auto [upper, lower] : pairs) {
    if (upper->comesBefore(lower))
      lower->moveAfter(upper);
    else
      upper->moveAfter(lower);
  }
  return pairs.size();
}
