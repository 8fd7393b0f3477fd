//===- ExpandLoops.cpp - Loops whose iterations overlap ------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Transforms/Passes.h"

#include "fsm/Analysis/Loops.h"
#include "fsm/Analysis/PipelinePlan.h"

#include "mlir/Dialect/SCF/Transforms/Transforms.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace fsm {
#define GEN_PASS_DEF_EXPANDLOOPSPASS
#include "fsm/Transforms/Passes.h.inc"
} // namespace fsm

using namespace mlir;
using namespace fsm;

//===----------------------------------------------------------------------===//
// Numbers that do not wrap
//===----------------------------------------------------------------------===//

static Value wide(OpBuilder &builder, Value bound, bool isUnsigned) {
  APInt number;
  Type type = builder.getI64Type();
  if (matchPattern(bound, m_ConstantInt(&number)))
    return arith::ConstantOp::create(
        builder, bound.getLoc(),
        builder.getI64IntegerAttr(isUnsigned ? number.getZExtValue() : number.getSExtValue()));
  if (isUnsigned)
    return arith::ExtUIOp::create(builder, bound.getLoc(), type, bound);
  return arith::ExtSIOp::create(builder, bound.getLoc(), type, bound);
}

/// The number of iterations of a loop over i64 with a positive step. More than 2^62 of them end
/// no sooner than so many.
static Value iterationsOf(OpBuilder &builder, scf::ForOp loop, Value upper) {
  Location loc = loop.getLoc();
  auto number = [&](int64_t value) -> Value {
    return arith::ConstantOp::create(builder, loc, builder.getI64IntegerAttr(value));
  };
  auto less = loop.getUnsignedCmp() ? arith::CmpIPredicate::ult : arith::CmpIPredicate::slt;
  Value lower = loop.getLowerBound(), most = number(int64_t(1) << 62);
  Value runs = arith::CmpIOp::create(builder, loc, less, lower, upper);
  Value distance = arith::SubIOp::create(builder, loc, upper, lower);
  Value last = arith::SubIOp::create(builder, loc, distance, number(1));
  Value steps = arith::DivUIOp::create(builder, loc, last, loop.getStep());
  Value bounded = arith::MinUIOp::create(builder, loc, steps, most);
  Value count = arith::AddIOp::create(builder, loc, bounded, number(1));
  return arith::SelectOp::create(builder, loc, runs, count, number(0));
}

/// The pipeline counts some iterations past the end, which must not wrap: the loop gets a
/// counter of 64 bits, and one over i64 counts its iterations. Each op that uses the counter
/// narrows it for itself, in its own stage.
static void widenCounter(scf::ForOp loop) {
  OpBuilder builder(loop);
  Location loc = loop.getLoc();
  bool isUnsigned = loop.getUnsignedCmp();
  Value lower = loop.getLowerBound(), upper = loop.getUpperBound(), step = loop.getStep();
  Type type = step.getType();
  if (!hasPositiveStep(loop)) {
    Value zero = arith::ConstantOp::create(builder, loc, builder.getIntegerAttr(type, 0));
    Value one = arith::ConstantOp::create(builder, loc, builder.getIntegerAttr(type, 1));
    auto less = isUnsigned ? arith::CmpIPredicate::ult : arith::CmpIPredicate::slt;
    Value runs = arith::CmpIOp::create(builder, loc, less, zero, step);
    upper = arith::SelectOp::create(builder, loc, runs, upper, lower);
    step = arith::SelectOp::create(builder, loc, runs, step, one);
    loop.setStep(step);
  }
  bool isCounted = type.isInteger(64);
  Value counter = loop.getInductionVar();
  SmallVector<OpOperand *> uses;
  for (OpOperand &use : counter.getUses())
    uses.push_back(&use);
  if (isCounted) {
    loop.setUpperBound(iterationsOf(builder, loop, upper));
    loop.setLowerBound(arith::ConstantOp::create(builder, loc, builder.getI64IntegerAttr(0)));
    loop.setStep(arith::ConstantOp::create(builder, loc, builder.getI64IntegerAttr(1)));
  } else {
    loop.setLowerBound(wide(builder, lower, isUnsigned));
    loop.setUpperBound(wide(builder, upper, isUnsigned));
    loop.setStep(wide(builder, step, isUnsigned));
    counter.setType(builder.getI64Type());
  }
  loop.setUnsignedCmp(false);
  for (OpOperand *use : uses) {
    Operation *user = loop.getBody()->findAncestorOpInBlock(*use->getOwner());
    builder.setInsertionPoint(user);
    Operation *narrowed, *product = nullptr;
    if (isCounted) {
      product = arith::MulIOp::create(builder, loc, counter, step);
      narrowed = arith::AddIOp::create(builder, loc, lower, product->getResult(0));
    } else {
      narrowed = arith::TruncIOp::create(builder, loc, type, counter);
    }
    use->set(narrowed->getResult(0));
    for (Operation *op : {product, narrowed})
      if (Attribute stage = user->getAttr(kStageAttr); op && stage)
        op->setAttr(kStageAttr, stage);
  }
}

//===----------------------------------------------------------------------===//
// Iterations that are none
//===----------------------------------------------------------------------===//

static Value both(OpBuilder &builder, Location loc, Value left, Value right) {
  return left ? arith::AndIOp::create(builder, loc, left, right).getResult() : right;
}

/// The op for an iteration of which `exists` says whether there is one. PipelinePlan has
/// checked that each op here is one of these.
static Operation *predicated(RewriterBase &rewriter, Operation *op, Value exists) {
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(op);
  Location loc = op->getLoc();
  if (auto copy = dyn_cast<CopyAsyncOp>(op)) {
    Value condition = both(rewriter, loc, copy.getCondition(), exists);
    copy.getConditionMutable().assign(condition);
    return op;
  }
  auto load = dyn_cast<LoadOp>(op);
  if (!load)
    return op;
  if (Value mask = load.getMask()) {
    // A choice, because what is none may have no mask either: its numbers may have overflowed.
    Value none = arith::ConstantOp::create(rewriter, loc, rewriter.getZeroAttr(mask.getType()));
    exists = arith::SelectOp::create(rewriter, loc, exists, mask, none);
  }
  load.getMaskMutable().assign(exists);
  return op;
}

/// Upstream adds steps times zero; what is decided behind this looks at counters themselves.
static void foldCounters(scf::ForOp loop) {
  SmallVector<Operation *> ops;
  loop->getParentOfType<KernelOp>().walk([&](Operation *op) {
    bool isScalar = op->getNumResults() == 1 && op->getResult(0).getType().isInteger();
    if (isScalar && isa<arith::ArithDialect>(op->getDialect()))
      ops.push_back(op);
  });
  (void)applyOpPatternsGreedily(ops, FrozenRewritePatternSet());
}

namespace {
struct ExpandLoops : fsm::impl::ExpandLoopsPassBase<ExpandLoops> {
  void runOnOperation() override {
    // Inner loops first.
    SmallVector<scf::ForOp> loops;
    getOperation().walk([&](scf::ForOp loop) {
      if (PipelinePlan::writtenIn(loop).stages() > 1)
        loops.push_back(loop);
    });
    for (scf::ForOp loop : loops)
      if (failed(expand(loop)))
        return signalPassFailure();
  }

  LogicalResult expand(scf::ForOp loop) {
    PipelinePlan plan = PipelinePlan::writtenIn(loop);
    if (failed(plan.verify()))
      return failure();
    for (CopyWaitOp wait : loop.getBody()->getOps<CopyWaitOp>())
      wait.setPending(plan.pendingAt(wait));
    widenCounter(loop);
    scf::PipeliningOption options;
    options.getScheduleFn = [&](scf::ForOp, std::vector<std::pair<Operation *, unsigned>> &order) {
      order = plan.order();
    };
    options.peelEpilogue = false;
    options.supportDynamicLoops = true;
    options.predicateFn = predicated;
    options.annotateFn = [](Operation *op, scf::PipeliningOption::PipelinerPart, unsigned) {
      op->removeAttr(kStageAttr);
    };
    IRRewriter rewriter(loop);
    Location loc = loop.getLoc();
    FailureOr<scf::ForOp> expanded = scf::pipelineForLoop(rewriter, loop, options);
    if (failed(expanded))
      return emitError(loc, "the loop could not be expanded into its stages");
    foldCounters(*expanded);
    ++pipelined;
    return success();
  }
};
} // namespace
