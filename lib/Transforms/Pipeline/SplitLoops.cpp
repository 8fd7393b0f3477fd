//===- SplitLoops.cpp - Loops that ctas share -----------------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Of n ctas, of which each runs the kernel, the one with number r begins at the loop's iteration r and goes
// on n iterations at a time. What the loop carries begins accordingly:
//   a sum       in the first cta where it did, in the others at zero
//   a counter   r steps later, and goes n steps at a time
// Behind the loop the sums of all are added up in the first cta, where the others end.

#include "fsm/Transforms/Passes.h"

#include "../TargetOption.h"

#include "fsm/Analysis/ResourceEstimate.h"
#include "fsm/Analysis/SplitPlan.h"

#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace fsm {
#define GEN_PASS_DEF_SPLITLOOPSPASS
#include "fsm/Transforms/Passes.h.inc"
} // namespace fsm

using namespace mlir;
using namespace fsm;

/// What the first cta's memory has room for beside the slots of a loop.
static constexpr int64_t kMostExchanged = 64 << 10;

namespace {
/// Lets ctas share a loop.
class LoopSplitter {
public:
  LoopSplitter(scf::ForOp loop, const SplitPlan &plan, unsigned ctas)
      : loop(loop), plan(plan), ctas(ctas), builder(loop.getLoc(), loop) {}

  void split();

private:
  Value number(Type type, int64_t value);
  Value partIn(Type type);
  Value times(Value step, Value count, arith::IntegerOverflowFlags flags);
  Value startOf(Value init);
  void splitBounds();
  void splitCounter(unsigned number, Value added);
  void sumUp();

  scf::ForOp loop;
  const SplitPlan &plan;
  unsigned ctas;
  ImplicitLocOpBuilder builder;
  Value part;
};
} // namespace

Value LoopSplitter::number(Type type, int64_t value) {
  return arith::ConstantOp::create(builder, builder.getIntegerAttr(type, value));
}

/// The cta's number in another width.
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

/// That each of these fits is part of the plan.
void LoopSplitter::splitBounds() {
  constexpr auto exact = arith::IntegerOverflowFlags::nsw;
  Type type = loop.getStep().getType();
  Value way = times(loop.getStep(), partIn(type), exact);
  loop.setLowerBound(builder.createOrFold<arith::AddIOp>(loop.getLowerBound(), way, exact));
  loop.setStep(times(loop.getStep(), number(type, ctas), exact));
}

/// Zeros, which change no sum: of floats those below 0, unless all ctas may begin with the zeros that the
/// loop did.
Value LoopSplitter::startOf(Value init) {
  auto type = cast<RankedTensorType>(init.getType());
  Type element = type.getElementType();
  auto zero = isa<FloatType>(element)
                  ? TypedAttr(builder.getFloatAttr(element, -0.0))
                  : TypedAttr(builder.getIntegerAttr(element, 0));
  if (matchPattern(init, m_AnyZeroFloat()) || matchPattern(init, m_Zero()))
    return init;
  Value zeros = arith::ConstantOp::create(builder, DenseElementsAttr::get(type, zero));
  Value isFirst = arith::CmpIOp::create(builder, arith::CmpIPredicate::eq, part,
                                        number(builder.getI32Type(), 0));
  Value areFirst = SplatOp::create(builder, type.clone(builder.getI1Type()), isFirst);
  return arith::SelectOp::create(builder, areFirst, init, zeros).getResult();
}

/// Whether so many times a step that is known fit its type; a sum that did not overflow then does not, either.
static bool fits(Value step, unsigned count) {
  APInt value;
  return matchPattern(step, m_ConstantInt(&value)) &&
         value.getSignificantBits() + llvm::Log2_32(count) <= std::min(value.getBitWidth(), 31u);
}

/// What an iteration makes of the counter besides stays the next number of the old loop.
void LoopSplitter::splitCounter(unsigned number, Value added) {
  Operation *add = loop.getYieldedValues()[number].getDefiningOp();
  // Pointers count in 64 bits.
  if (isa<OffsetOp>(add) && !added.getType().isInteger(64) && !fits(added, ctas))
    added = arith::ExtSIOp::create(builder, builder.getI64Type(), added);
  Type element = elementTypeOf(added.getType());
  auto none = arith::IntegerOverflowFlags::none, flags = none;
  if (auto sum = dyn_cast<arith::AddIOp>(add); sum && fits(added, ctas))
    flags = sum.getOverflowFlags();
  auto moved = [&](OpBuilder &at, Value from, Value by) -> Value {
    if (isa<OffsetOp>(add))
      return OffsetOp::create(at, add->getLoc(), from, by);
    return arith::AddIOp::create(at, add->getLoc(), from, by, flags);
  };
  Value way = times(added, partIn(element), none);
  Value step = times(added, this->number(element, int64_t(ctas)), none);
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
  loop->getParentOp()->setAttr(kPartsAttr, builder.getI32IntegerAttr(static_cast<int32_t>(ctas)));
}

namespace {
struct SplitLoops : fsm::impl::SplitLoopsPassBase<SplitLoops> {
  using SplitLoopsPassBase::SplitLoopsPassBase;

  void runOnOperation() override {
    KernelOp kernel = getOperation();
    const GpuTarget *gpu = targetOrError(kernel, target);
    if (!gpu)
      return signalPassFailure();
    scf::ForOp loop = loopToSplit(kernel);
    if (!loop || kernel->hasAttr(kPartsAttr))
      return markAllAnalysesPreserved();
    SplitPlan plan(loop);
    unsigned ctas = ctasFor(kernel, loop, plan);
    if (ctas == 1)
      return markAllAnalysesPreserved();
    Location loc = loop.getLoc();
    std::optional<std::string> why = plan.obstacle;
    if (!why)
      why = obstacleInMemory(loop);
    if (!gpu->features.clusters)
      why = (StringRef(gpu->name) + " has no clusters").str();
    bool isAsked = loop->hasAttr(kSplitAttr);
    if (!why) {
      LoopSplitter(loop, plan, ctas).split();
      ++split;
    }
    if (remarks && why)
      emitRemark(loc) << "one cta runs all of this loop: " << *why;
    else if (remarks)
      emitRemark(loc) << ctas << " ctas share this loop: "
                      << (isAsked ? "'fsm.split' says so" : "the launch leaves room for them");
  }

  /// As many as the author says; or as a launch has multiprocessors or room on them for, the loop iterations, and
  /// the first cta memory.
  static unsigned ctasFor(KernelOp kernel, scf::ForOp loop, const SplitPlan &plan) {
    if (int64_t asked = integerAttrOr(loop, kSplitAttr, 0))
      return static_cast<unsigned>(asked);
    int64_t ctas = integerAttrOr(kernel, kSpreadAttr, 1), bytes = 0;
    for (unsigned number : plan.sums) {
      auto sums = cast<RankedTensorType>(loop.getResult(number).getType());
      bytes += sums.getNumElements() * bytesOf(sums.getElementType());
    }
    while (ctas > 1 && ((ctas - 1) * bytes > kMostExchanged ||
                        (plan.trips && *plan.trips < ctas * kLeastTripsOfPart)))
      ctas /= 2;
    return static_cast<unsigned>(ctas);
  }
};
} // namespace
