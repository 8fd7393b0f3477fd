//===- TupleOrder.cpp - Tuples that hold their positions -----------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Analysis/TupleOrder.h"

using namespace mlir;
using namespace fsm;

/// Whether each number of a block is greater than the one before it along an axis, as signed ones.
static bool increases(Value block, uint32_t axis, AffineOffsets &forms) {
  auto type = cast<RankedTensorType>(block.getType());
  if (!type.getElementType().isInteger())
    return false;
  const AffineForm &form = forms.of(block);
  bool isWhole = !form.inGroups || static_cast<int64_t>(axis) + 1 != type.getRank();
  return isWhole && axis < form.steps.size() && form.steps[axis].value_or(0) > 0;
}

/// Whether a value of a region is one of two others, whatever is chosen.
static bool isOneOf(Value value, Value left, Value right) {
  if (value == left || value == right)
    return true;
  auto choice = value.getDefiningOp<arith::SelectOp>();
  return choice && isOneOf(choice.getTrueValue(), left, right) &&
         isOneOf(choice.getFalseValue(), left, right);
}

/// What a comparison of signed numbers says where the left one is less.
static std::optional<bool> whereLess(arith::CmpIPredicate order) {
  switch (order) {
  case arith::CmpIPredicate::slt:
  case arith::CmpIPredicate::sle:
  case arith::CmpIPredicate::ne:
    return true;
  case arith::CmpIPredicate::sgt:
  case arith::CmpIPredicate::sge:
  case arith::CmpIPredicate::eq:
    return false;
  default:
    return std::nullopt;
  }
}

/// What a comparison of two numbers, in any order, says where one of them is less; nothing where it
/// compares others.
static std::optional<bool> whereLess(arith::CmpIOp compare, Value less, Value more) {
  std::optional<bool> holds = whereLess(compare.getPredicate());
  if (compare.getLhs() == less && compare.getRhs() == more)
    return holds;
  if (!holds || compare.getLhs() != more || compare.getRhs() != less)
    return std::nullopt;
  bool asksEqual = compare.getPredicate() == arith::CmpIPredicate::eq ||
                   compare.getPredicate() == arith::CmpIPredicate::ne;
  return *holds == asksEqual;
}

SmallVector<OrderedCompare> fsm::orderedCompares(ReduceWithOp reduction, AffineOffsets &forms) {
  SmallVector<OrderedCompare> compares;
  Block &body = reduction.getCombiner().front();
  for (auto [index, block] : llvm::enumerate(reduction.getSources())) {
    auto place = static_cast<unsigned>(index);
    Value left = body.getArgument(place);
    Value right = body.getArgument(place + reduction.getSources().size());
    if (!isOneOf(body.getTerminator()->getOperand(place), left, right) ||
        !increases(block, reduction.getAxis(), forms))
      continue;
    for (auto compare : body.getOps<arith::CmpIOp>())
      if (std::optional<bool> holds = whereLess(compare, left, right))
        compares.push_back({compare, *holds});
  }
  return compares;
}
