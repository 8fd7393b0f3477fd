//===- RoundedAgain.cpp - Numbers that are only rounded again -------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Analysis/RoundedAgain.h"

using namespace mlir;
using namespace fsm;

bool fsm::isOnlyRoundedTo(Value value, Type narrow) {
  return llvm::all_of(value.getUsers(), [&](Operation *user) {
    if (auto choice = dyn_cast<arith::SelectOp>(user))
      return isOnlyRoundedTo(choice.getResult(), narrow);
    auto rounded = dyn_cast<arith::TruncFOp>(user);
    return rounded && elementTypeOf(rounded.getType()) == narrow && !rounded.getRoundingmode();
  });
}
