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

Value fsm::nextPhase(ImplicitLocOpBuilder &builder, Value phase, Value slot, unsigned slots) {
  auto number = [&](unsigned value) {
    return arith::ConstantOp::create(builder,
                                     builder.getI32IntegerAttr(static_cast<int32_t>(value)));
  };
  Value change = number(1);
  if (slots > 1) {
    Value last = number(slots - 1), zero = number(0);
    Value isLast = arith::CmpIOp::create(builder, arith::CmpIPredicate::eq, slot, last);
    change = arith::SelectOp::create(builder, isLast, change, zero);
  }
  return arith::XOrIOp::create(builder, phase, change);
}

bool fsm::isNextPhase(Value next, Value phase, Value slot, unsigned slots) {
  auto turned = next.getDefiningOp<arith::XOrIOp>();
  if (!turned || turned.getLhs() != phase)
    return false;
  if (slots == 1)
    return matchPattern(turned.getRhs(), m_One());
  auto change = turned.getRhs().getDefiningOp<arith::SelectOp>();
  auto isLast = change ? change.getCondition().getDefiningOp<arith::CmpIOp>() : arith::CmpIOp();
  APInt last;
  return isLast && isLast.getPredicate() == arith::CmpIPredicate::eq && isLast.getLhs() == slot &&
         matchPattern(isLast.getRhs(), m_ConstantInt(&last)) && last == slots - 1 &&
         matchPattern(change.getTrueValue(), m_One()) &&
         matchPattern(change.getFalseValue(), m_Zero());
}

static std::optional<int64_t> constantOf(Value value) {
  APInt number;
  return matchPattern(value, m_ConstantInt(&number)) ? std::optional(number.getSExtValue())
                                                     : std::nullopt;
}

namespace {
/// A number that nextSlot makes of another one: which one, and the number of slots.
struct NextSlot {
  Value before;
  int64_t slots;
};
} // namespace

static std::optional<NextSlot> nextSlotOf(Value value) {
  auto choice = value.getDefiningOp<arith::SelectOp>();
  auto isEnd = choice ? choice.getCondition().getDefiningOp<arith::CmpIOp>() : arith::CmpIOp();
  auto next = choice ? choice.getFalseValue().getDefiningOp<arith::AddIOp>() : arith::AddIOp();
  if (!isEnd || !next || isEnd.getPredicate() != arith::CmpIPredicate::eq ||
      isEnd.getLhs() != next || constantOf(next.getRhs()) != 1 ||
      constantOf(choice.getTrueValue()) != 0)
    return std::nullopt;
  std::optional<int64_t> slots = constantOf(isEnd.getRhs());
  return slots && *slots >= 1 ? std::optional(NextSlot{next.getLhs(), *slots}) : std::nullopt;
}

/// The loop that carries a value; null for the counter of one and for what no loop carries.
static scf::ForOp loopThatCarries(BlockArgument argument) {
  auto loop = argument ? dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp()) : scf::ForOp();
  return loop && argument != loop.getInductionVar() ? loop : scf::ForOp();
}

/// Whether a number is one of so many slots: constants are, and what nextSlot and loops make of
/// these.
static bool isSlot(Value value, int64_t slots) {
  llvm::DenseSet<Value> seen;
  SmallVector<Value> todo = {value};
  while (!todo.empty()) {
    Value one = todo.pop_back_val();
    if (!seen.insert(one).second)
      continue;
    if (std::optional<int64_t> number = constantOf(one)) {
      if (*number < 0 || *number >= slots)
        return false;
      continue;
    }
    if (auto result = dyn_cast<OpResult>(one))
      if (auto loop = dyn_cast<scf::ForOp>(result.getOwner()))
        one = loop.getTiedLoopRegionIterArg(result);
    auto argument = dyn_cast<BlockArgument>(one);
    if (scf::ForOp loop = loopThatCarries(argument)) {
      todo.push_back(loop.getTiedLoopInit(argument)->get());
      todo.push_back(loop.getTiedLoopYieldedValue(argument)->get());
      continue;
    }
    std::optional<NextSlot> next = nextSlotOf(one);
    if (!next || next->slots != slots)
      return false;
    todo.push_back(next->before);
  }
  return true;
}

std::optional<SlotCounter> fsm::slotCounterOf(Value slot) {
  auto argument = dyn_cast<BlockArgument>(slot);
  scf::ForOp loop = loopThatCarries(argument);
  auto next = loop ? nextSlotOf(loop.getTiedLoopYieldedValue(argument)->get()) : std::nullopt;
  Value first = loop ? loop.getTiedLoopInit(argument)->get() : Value();
  if (!next || next->before != slot || !isSlot(first, next->slots))
    return std::nullopt;
  SlotCounter counter{loop, first, 0, next->slots};
  while (auto before = nextSlotOf(counter.from)) {
    counter.from = before->before;
    ++counter.first;
  }
  if (std::optional<int64_t> number = constantOf(counter.from)) {
    counter.from = {};
    counter.first += *number;
  }
  return counter;
}

bool fsm::areApart(Value slot, Value other, unsigned later) {
  if (!slot || !other)
    return false;
  std::optional<SlotCounter> one = slotCounterOf(slot), two = slotCounterOf(other);
  return one && two && one->loop == two->loop && one->slots == two->slots &&
         one->from == two->from && (one->first - two->first - int64_t(later)) % one->slots != 0;
}

bool fsm::isBehindLast(Value slot, Value counted) {
  std::optional<SlotCounter> counter = counted ? slotCounterOf(counted) : std::nullopt;
  if (!counter || !slot)
    return false;
  // The loop's result is one further than the last one.
  int64_t further = 1;
  while (auto before = nextSlotOf(slot)) {
    if (before->slots != counter->slots)
      return false;
    slot = before->before;
    ++further;
  }
  return slot == counter->loop.getTiedLoopResult(cast<BlockArgument>(counted)) &&
         further % counter->slots != 0;
}
