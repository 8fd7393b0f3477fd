//===- Loops.cpp - The loops around an op, and their steps ---------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Analysis/Loops.h"

#include "fsm/IR/FSMDialect.h"

#include "mlir/IR/Matchers.h"

#include <algorithm>

using namespace mlir;
using namespace fsm;

SmallVector<Operation *> fsm::loopsAround(Operation *op) {
  SmallVector<Operation *> loops;
  for (Operation *parent = op->getParentOp(); parent && !isa<KernelOp>(parent);
       parent = parent->getParentOp())
    if (isa<scf::ForOp, scf::WhileOp>(parent))
      loops.push_back(parent);
  std::reverse(loops.begin(), loops.end());
  return loops;
}

static bool isPositive(const APInt &step, scf::ForOp loop) {
  return loop.getUnsignedCmp() ? !step.isZero() : step.isStrictlyPositive();
}

/// Whether the number is 1 where it would not be positive, as `fsm-expand-loops` writes steps.
static bool isPositiveChoice(Value number, bool isUnsigned) {
  auto choice = number.getDefiningOp<arith::SelectOp>();
  auto compare = choice ? choice.getCondition().getDefiningOp<arith::CmpIOp>() : nullptr;
  if (!compare || !matchPattern(choice.getFalseValue(), m_One()) ||
      !matchPattern(compare.getLhs(), m_Zero()) || compare.getRhs() != choice.getTrueValue())
    return false;
  return compare.getPredicate() ==
         (isUnsigned ? arith::CmpIPredicate::ult : arith::CmpIPredicate::slt);
}

bool fsm::hasPositiveStep(scf::ForOp loop) {
  Value step = loop.getStep();
  APInt number;
  if (auto wide = step.getDefiningOp<arith::ExtSIOp>(); wide && !loop.getUnsignedCmp())
    step = wide.getIn();
  if (matchPattern(step, m_ConstantInt(&number)))
    return isPositive(number, loop);
  auto extended = step.getDefiningOp<arith::ExtUIOp>();
  if (isPositiveChoice(extended ? extended.getIn() : step, extended || loop.getUnsignedCmp()))
    return true;
  return step.getDefiningOp<NumProgramsOp>() != nullptr;
}

bool fsm::hasNonPositiveStep(scf::ForOp loop) {
  APInt number;
  return matchPattern(loop.getStep(), m_ConstantInt(&number)) && !isPositive(number, loop);
}
