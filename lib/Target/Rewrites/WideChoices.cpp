//===- WideChoices.cpp - Choices in front of roundings --------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WideChoices.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

/// The rounding of an f32 that only a choice uses; null for others.
static FPTruncInst *roundingOf(Value *choice) {
  auto *rounding = dyn_cast<FPTruncInst>(choice);
  return rounding && rounding->hasOneUse() && rounding->getSrcTy()->isFloatTy() ? rounding
                                                                                : nullptr;
}

/// A number that is no NaN as a constant of another type that has it.
static Constant *widened(Value *number, Type *type) {
  auto *narrow = dyn_cast<ConstantFP>(number);
  if (!narrow || narrow->isNaN())
    return nullptr;
  APFloat value = narrow->getValueAPF();
  bool losesInfo = false;
  value.convert(type->getFltSemantics(), APFloat::rmNearestTiesToEven, &losesInfo);
  return ConstantFP::get(type, value);
}

static bool chooseBeforeRounding(SelectInst &choice) {
  if (!choice.getType()->is16bitFPTy())
    return false;
  for (bool isFirst : {true, false}) {
    FPTruncInst *rounding = roundingOf(isFirst ? choice.getTrueValue() : choice.getFalseValue());
    Value *other = isFirst ? choice.getFalseValue() : choice.getTrueValue();
    Constant *wide = rounding ? widened(other, rounding->getSrcTy()) : nullptr;
    if (!wide)
      continue;
    IRBuilder<> builder(&choice);
    Value *from = rounding->getOperand(0);
    Value *chosen =
        builder.CreateSelect(choice.getCondition(), isFirst ? from : wide, isFirst ? wide : from);
    choice.replaceAllUsesWith(builder.CreateFPTrunc(chosen, choice.getType()));
    return true;
  }
  return false;
}

void fsm::chooseBeforeRounding(Function &function) {
  for (Instruction &instruction : make_early_inc_range(instructions(function))) {
    auto *choice = dyn_cast<SelectInst>(&instruction);
    if (choice && ::chooseBeforeRounding(*choice))
      choice->eraseFromParent();
  }
}
