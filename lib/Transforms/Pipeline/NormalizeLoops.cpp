//===- NormalizeLoops.cpp - Loops whose counters have room ---------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Transforms/Passes.h"

#include "Loads/WalkingLoops.h"

#include "fsm/Analysis/Loops.h"
#include "fsm/Analysis/ScalarRanges.h"

#include "mlir/IR/Matchers.h"

namespace fsm {
#define GEN_PASS_DEF_NORMALIZELOOPSPASS
#include "fsm/Transforms/Passes.h.inc"
} // namespace fsm

using namespace mlir;
using namespace fsm;

namespace {
class LoopNormalizer {
public:
  explicit LoopNormalizer(scf::ForOp loop)
      : loop(loop), builder(loop), loc(loop.getLoc()), type(loop.getStep().getType()),
        isUnsigned(loop.getUnsignedCmp()) {}

  /// Whether the loop had to be given another counter.
  bool run();

private:
  Value number(int64_t value);
  Value isLess(Value left, Value right);
  void makeStepPositive();
  bool endsAtBound();
  bool hasRoom();
  void widen();
  void countIterations();
  void replaceCounter(llvm::function_ref<Value()> make);

  scf::ForOp loop;
  OpBuilder builder;
  Location loc;
  Type type;
  bool isUnsigned;
};
} // namespace

Value LoopNormalizer::number(int64_t value) {
  return arith::ConstantOp::create(builder, loc, builder.getIntegerAttr(type, value));
}

Value LoopNormalizer::isLess(Value left, Value right) {
  auto less = isUnsigned ? arith::CmpIPredicate::ult : arith::CmpIPredicate::slt;
  return builder.createOrFold<arith::CmpIOp>(loc, less, left, right);
}

/// A loop that is not to run ends where it begins.
void LoopNormalizer::makeStepPositive() {
  Value runs = isLess(number(0), loop.getStep());
  loop.setUpperBound(
      builder.createOrFold<arith::SelectOp>(loc, runs, loop.getUpperBound(), loop.getLowerBound()));
  loop.setStep(builder.createOrFold<arith::SelectOp>(loc, runs, loop.getStep(), number(1)));
}

/// Whether a number has no more than 32 bits, or no more than some steps of such; compared without
/// a sign, one below 0 has more.
static bool isNarrow(Value number, bool isUnsigned) {
  constexpr unsigned bitsOfSteps = 48;
  if (!isUnsigned) {
    const ConstantIntRanges range = rangeOf(number);
    if (range.smin().getSignificantBits() <= bitsOfSteps &&
        range.smax().getSignificantBits() <= bitsOfSteps)
      return true;
  }
  APInt value;
  if (matchPattern(number, m_ConstantInt(&value)))
    return isUnsigned ? value.isIntN(32) : value.isSignedIntN(32);
  Operation *op = number.getDefiningOp();
  bool isExtended = isUnsigned ? isa_and_present<arith::ExtUIOp>(op)
                               : isa_and_present<arith::ExtSIOp, arith::ExtUIOp>(op);
  return isExtended && op->getOperand(0).getType().getIntOrFloatBitWidth() <= 32;
}

/// Whether the last sum is the bound itself. A pipeline looks some steps past it.
bool LoopNormalizer::endsAtBound() {
  auto stages = loop->getAttrOfType<IntegerAttr>(kNumStagesAttr);
  return matchPattern(loop.getStep(), m_One()) && (stages ? stages.getInt() == 1 : !mayWalk(loop));
}

bool LoopNormalizer::hasRoom() {
  return type.isInteger(64) && isNarrow(loop.getLowerBound(), isUnsigned) &&
         isNarrow(loop.getUpperBound(), isUnsigned) && isNarrow(loop.getStep(), isUnsigned);
}

void LoopNormalizer::replaceCounter(llvm::function_ref<Value()> make) {
  Value counter = loop.getInductionVar();
  if (counter.use_empty())
    return;
  SmallVector<OpOperand *> uses =
      llvm::map_to_vector(counter.getUses(), [](OpOperand &use) { return &use; });
  builder.setInsertionPointToStart(loop.getBody());
  Value number = make();
  for (OpOperand *use : uses)
    use->set(number);
}

/// In twice the bits no sum of a number below the bound and some steps wraps.
void LoopNormalizer::widen() {
  Type wide = builder.getIntegerType(2 * type.getIntOrFloatBitWidth());
  auto extended = [&](Value bound) {
    return isUnsigned ? builder.createOrFold<arith::ExtUIOp>(bound.getLoc(), wide, bound)
                      : builder.createOrFold<arith::ExtSIOp>(bound.getLoc(), wide, bound);
  };
  loop.setLowerBound(extended(loop.getLowerBound()));
  loop.setUpperBound(extended(loop.getUpperBound()));
  loop.setStep(extended(loop.getStep()));
  Value counter = loop.getInductionVar();
  counter.setType(wide);
  auto exact = isUnsigned ? arith::IntegerOverflowFlags::nuw : arith::IntegerOverflowFlags::nsw;
  replaceCounter([&] { return arith::TruncIOp::create(builder, loc, type, counter, exact); });
}

/// From 0 to how often the loop runs. Nobody waits for the end of one that runs more than 2^62
/// times.
void LoopNormalizer::countIterations() {
  Value lower = loop.getLowerBound(), step = loop.getStep();
  auto exact = arith::IntegerOverflowFlags::none;
  if (isUnsigned || startsNonNegative(loop))
    exact = isUnsigned ? arith::IntegerOverflowFlags::nuw : arith::IntegerOverflowFlags::nsw;
  Value distance = builder.createOrFold<arith::SubIOp>(loc, loop.getUpperBound(), lower);
  Value last = builder.createOrFold<arith::SubIOp>(loc, distance, number(1));
  Value steps = builder.createOrFold<arith::DivUIOp>(loc, last, step);
  Value bounded = builder.createOrFold<arith::MinUIOp>(loc, steps, number(int64_t(1) << 62));
  Value count = builder.createOrFold<arith::AddIOp>(loc, bounded, number(1));
  loop.setUpperBound(builder.createOrFold<arith::SelectOp>(loc, isLess(lower, loop.getUpperBound()),
                                                           count, number(0)));
  loop.setLowerBound(number(0));
  loop.setStep(number(1));
  replaceCounter([&] {
    Value way = arith::MulIOp::create(builder, loc, loop.getInductionVar(), step, exact);
    return builder.createOrFold<arith::AddIOp>(loc, lower, way, exact);
  });
}

bool LoopNormalizer::run() {
  if (endsAtBound())
    return false;
  bool isRoomy = hasRoom();
  if (!isPositive(loop.getStep()))
    makeStepPositive();
  if (!isRoomy)
    type.isInteger(64) ? countIterations() : widen();
  loop.setUnsignedCmp(false);
  return !isRoomy;
}

namespace {
struct NormalizeLoops : fsm::impl::NormalizeLoopsPassBase<NormalizeLoops> {
  void runOnOperation() override {
    getOperation().walk([&](scf::ForOp loop) { normalized += LoopNormalizer(loop).run(); });
  }
};
} // namespace
