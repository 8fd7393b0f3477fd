//===- ExpandLoops.cpp - Loops whose iterations overlap ------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Transforms/Passes.h"

#include "Loads/EarlyLoads.h"

#include "fsm/Analysis/PipelinePlan.h"

#include "mlir/Dialect/SCF/Transforms/Transforms.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace fsm {
#define GEN_PASS_DEF_EXPANDLOOPSPASS
#include "fsm/Transforms/Passes.h.inc"
} // namespace fsm

using namespace mlir;
using namespace fsm;

//===----------------------------------------------------------------------===//
// Iterations that are none
//===----------------------------------------------------------------------===//

/// The op for an iteration of which `exists` says whether there is one. PipelinePlan has
/// checked that each op here is one of these.
static Operation *predicated(RewriterBase &rewriter, Operation *op, Value exists) {
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(op);
  Location loc = op->getLoc();
  auto copy = dyn_cast<SlotCopy>(op);
  auto expect = dyn_cast<MBarrierExpectOp>(op);
  if (copy || expect) {
    MutableOperandRange condition =
        copy ? copy.getConditionMutable() : MutableOperandRange(expect.getConditionMutable());
    if (!condition.empty())
      exists = arith::AndIOp::create(rewriter, loc, condition[0].get(), exists);
    condition.assign(exists);
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

/// What something has folded in the body no stage computes: a constant that an earlier one uses
/// stands in front of the loop.
static void moveConstantsOut(scf::ForOp loop, const PipelinePlan &plan) {
  for (Operation &op : llvm::make_early_inc_range(loop.getBody()->without_terminator())) {
    auto isEarlier = [&](Operation *user) {
      Operation *inBody = loop.getBody()->findAncestorOpInBlock(*user);
      return plan.stageOf(inBody) < plan.stageOf(&op);
    };
    if (op.hasTrait<OpTrait::ConstantLike>() && llvm::any_of(op.getUsers(), isEarlier))
      op.moveBefore(loop);
  }
}

namespace {
struct ExpandLoops : fsm::impl::ExpandLoopsPassBase<ExpandLoops> {
  void runOnOperation() override {
    SmallVector<scf::ForOp> loops = pipelinedLoops(getOperation());
    if (loops.empty())
      return markAllAnalysesPreserved();
    for (scf::ForOp loop : loops)
      if (failed(expand(loop)))
        return signalPassFailure();
  }

  LogicalResult expand(scf::ForOp loop) {
    PipelinePlan plan = PipelinePlan::writtenIn(loop);
    moveConstantsOut(loop, plan);
    if (failed(plan.verify()))
      return failure();
    for (CopyWaitOp wait : loop.getBody()->getOps<CopyWaitOp>())
      wait.setPending(plan.pendingAt(wait));
    scf::PipeliningOption options;
    options.getScheduleFn = [&](scf::ForOp, std::vector<std::pair<Operation *, unsigned>> &order) {
      order = plan.order();
    };
    options.peelEpilogue = false;
    options.supportDynamicLoops = true;
    options.predicateFn = predicated;
    options.annotateFn = [](Operation *op, scf::PipeliningOption::PipelinerPart part, unsigned) {
      op->removeAttr(kStageAttr);
      if (isa<LoadOp>(op) && part == scf::PipeliningOption::PipelinerPart::Prologue)
        op->setAttr(kPrologueAttr, UnitAttr::get(op->getContext()));
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
