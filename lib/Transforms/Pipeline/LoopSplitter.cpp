//===- LoopSplitter.cpp - Writes loops that several share -----------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LoopSplitter.h"

#include "fsm/IR/PlanAttributes.h"

#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace fsm;

Value LoopSplitter::number(Type type, int64_t value) {
  return arith::ConstantOp::create(builder, builder.getIntegerAttr(type, value));
}

/// The number of who runs it in another width.
Value LoopSplitter::partIn(Type type) {
  unsigned bits = type.getIntOrFloatBitWidth();
  if (bits == 32)
    return part;
  return bits > 32 ? arith::ExtSIOp::create(builder, type, part).getResult()
                   : arith::TruncIOp::create(builder, type, part).getResult();
}

/// A step so many times, of a scalar or a block.
Value LoopSplitter::times(Value step, Value count, arith::IntegerOverflowFlags flags) {
  if (auto block = dyn_cast<RankedTensorType>(step.getType()))
    count = builder.createOrFold<SplatOp>(block, count);
  return builder.createOrFold<arith::MulIOp>(step, count, flags);
}

/// In 64 bits no number below the bound wraps when it is some steps further.
void LoopSplitter::widenCounter() {
  Type type = loop.getStep().getType(), wide = builder.getI64Type();
  auto extended = [&](Value bound) { return builder.createOrFold<arith::ExtSIOp>(wide, bound); };
  loop.setLowerBound(extended(loop.getLowerBound()));
  loop.setUpperBound(extended(loop.getUpperBound()));
  loop.setStep(extended(loop.getStep()));
  Value counter = loop.getInductionVar();
  counter.setType(wide);
  OpBuilder inside = OpBuilder::atBlockBegin(loop.getBody());
  auto narrow = arith::TruncIOp::create(inside, loop.getLoc(), type, counter,
                                        arith::IntegerOverflowFlags::nsw);
  counter.replaceAllUsesExcept(narrow.getResult(), narrow);
}

/// That each of these fits is part of the plan.
void LoopSplitter::splitBounds() {
  if (plan.sharers == Sharers::WarpGroups)
    widenCounter();
  constexpr auto exact = arith::IntegerOverflowFlags::nsw;
  Type type = loop.getStep().getType();
  Value way = times(loop.getStep(), partIn(type), exact);
  loop.setLowerBound(builder.createOrFold<arith::AddIOp>(loop.getLowerBound(), way, exact));
  loop.setStep(times(loop.getStep(), number(type, sharers), exact));
}

/// Zeros, which change no sum: of floats those below 0, unless all may begin with the zeros that
/// the loop did.
Value LoopSplitter::startOf(Value init) {
  auto type = cast<RankedTensorType>(init.getType());
  Type element = type.getElementType();
  auto zero = isa<FloatType>(element) ? TypedAttr(builder.getFloatAttr(element, -0.0))
                                      : TypedAttr(builder.getIntegerAttr(element, 0));
  if (matchPattern(init, m_AnyZeroFloat()) || matchPattern(init, m_Zero()))
    return init;
  Value zeros = arith::ConstantOp::create(builder, DenseElementsAttr::get(type, zero));
  Value isFirst = arith::CmpIOp::create(builder, arith::CmpIPredicate::eq, part,
                                        number(builder.getI32Type(), 0));
  Value areFirst = SplatOp::create(builder, type.clone(builder.getI1Type()), isFirst);
  return arith::SelectOp::create(builder, areFirst, init, zeros).getResult();
}

/// Whether so many times a step that is known fit its type; a sum that did not overflow then does
/// not, either.
static bool fits(Value step, unsigned count) {
  APInt value;
  return matchPattern(step, m_ConstantInt(&value)) &&
         value.getSignificantBits() + llvm::Log2_32(count) <= std::min(value.getBitWidth(), 31u);
}

/// What an iteration makes of the counter besides stays the next number of the old loop.
void LoopSplitter::splitCounter(unsigned number, Value added) {
  Operation *add = loop.getYieldedValues()[number].getDefiningOp();
  // Pointers count in 64 bits.
  if (isa<OffsetOp>(add) && !added.getType().isInteger(64) && !fits(added, sharers))
    added = arith::ExtSIOp::create(builder, builder.getI64Type(), added);
  Type element = elementTypeOf(added.getType());
  auto none = arith::IntegerOverflowFlags::none, flags = none;
  if (auto sum = dyn_cast<arith::AddIOp>(add); sum && fits(added, sharers))
    flags = sum.getOverflowFlags();
  auto moved = [&](OpBuilder &at, Value from, Value by) -> Value {
    if (isa<OffsetOp>(add))
      return OffsetOp::create(at, add->getLoc(), from, by);
    return arith::AddIOp::create(at, add->getLoc(), from, by, flags);
  };
  Value way = times(added, partIn(element), none);
  Value step = times(added, this->number(element, int64_t(sharers)), none);
  loop.getInitArgsMutable()[number].assign(moved(builder, loop.getInitArgs()[number], way));
  OpBuilder inside(add);
  loop.getBody()->getTerminator()->setOperand(number,
                                              moved(inside, loop.getRegionIterArg(number), step));
  if (isOpTriviallyDead(add))
    add->erase();
}

void LoopSplitter::sumUp() {
  builder.setInsertionPointAfter(loop);
  for (unsigned number : ArrayRef(plan.sums)) {
    Value own = loop.getResult(number);
    auto all = SumPartsOp::create(builder, own);
    own.replaceAllUsesExcept(all, all);
  }
  EndPartsOp::create(builder);
}

void LoopSplitter::split() {
  part = PartIdOp::create(builder, builder.getI32Type());
  splitBounds();
  for (auto [number, added] : plan.counters)
    splitCounter(number, added);
  for (unsigned number : plan.sums)
    loop.getInitArgsMutable()[number].assign(startOf(loop.getInitArgs()[number]));
  sumUp();
  Operation *kernel = loop->getParentOp();
  kernel->setAttr(kPartsAttr, builder.getI32IntegerAttr(static_cast<int32_t>(sharers)));
  if (plan.sharers == Sharers::WarpGroups)
    kernel->setAttr(kPartsInCtaAttr, builder.getUnitAttr());
}

int64_t fsm::bytesOfSums(scf::ForOp loop, const SplitPlan &plan) {
  int64_t bytes = 0;
  for (unsigned number : plan.sums) {
    auto sums = cast<RankedTensorType>(loop.getResult(number).getType());
    bytes += sums.getNumElements() * bytesOf(sums.getElementType());
  }
  return bytes;
}
