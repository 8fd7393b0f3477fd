//===- SlotCounter.cpp - Which slot a loop has come to -------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Analysis/SlotCounter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace fsm;

Value fsm::nextSlot(ImplicitLocOpBuilder &builder, Value slot, unsigned slots) {
  auto number = [&](unsigned value) {
    return arith::ConstantOp::create(builder,
                                     builder.getI32IntegerAttr(static_cast<int32_t>(value)));
  };
  Value zero = number(0), one = number(1), last = number(slots);
  Value next = arith::AddIOp::create(builder, slot, one);
  Value isEnd = arith::CmpIOp::create(builder, arith::CmpIPredicate::eq, next, last);
  return arith::SelectOp::create(builder, isEnd, zero, next);
}

static std::optional<int64_t> constantOf(Value value) {
  APInt number;
  return matchPattern(value, m_ConstantInt(&number)) ? std::optional(number.getSExtValue())
                                                     : std::nullopt;
}

std::optional<SlotCounter> fsm::slotCounterOf(Value slot) {
  auto argument = dyn_cast<BlockArgument>(slot);
  auto loop = argument ? dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp()) : scf::ForOp();
  if (!loop || argument == loop.getInductionVar())
    return std::nullopt;
  std::optional<int64_t> first = constantOf(loop.getTiedLoopInit(argument)->get());
  auto choice = loop.getTiedLoopYieldedValue(argument)->get().getDefiningOp<arith::SelectOp>();
  auto isEnd = choice ? choice.getCondition().getDefiningOp<arith::CmpIOp>() : arith::CmpIOp();
  auto next = choice ? choice.getFalseValue().getDefiningOp<arith::AddIOp>() : arith::AddIOp();
  if (!first || !isEnd || !next || isEnd.getPredicate() != arith::CmpIPredicate::eq ||
      isEnd.getLhs() != next || next.getLhs() != slot || constantOf(next.getRhs()) != 1 ||
      constantOf(choice.getTrueValue()) != 0)
    return std::nullopt;
  std::optional<int64_t> slots = constantOf(isEnd.getRhs());
  if (!slots || *slots < 1 || *first < 0 || *first >= *slots)
    return std::nullopt;
  return SlotCounter{loop, *first, *slots};
}

bool fsm::areApart(Value slot, Value other, unsigned later) {
  if (!slot || !other)
    return false;
  std::optional<SlotCounter> one = slotCounterOf(slot), two = slotCounterOf(other);
  return one && two && one->loop == two->loop && one->slots == two->slots &&
         one->first != (two->first + later) % two->slots;
}
