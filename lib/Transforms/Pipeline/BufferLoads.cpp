//===- BufferLoads.cpp - Early loads as copies into rings ----------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Transforms/Passes.h"

#include "EarlyLoads.h"

#include "fsm/Analysis/PipelinePlan.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/PatternMatch.h"

#include <map>

namespace fsm {
#define GEN_PASS_DEF_BUFFERLOADSPASS
#include "fsm/Transforms/Passes.h.inc"
} // namespace fsm

using namespace mlir;
using namespace fsm;

namespace {
/// The loads of one stage that become copies.
struct StageCopies {
  SmallVector<LoadOp> loads;
  unsigned slots = 1;
  /// Where the next copy goes, and where the next block is taken; null for a single slot.
  Value copySlot, readSlot;
};

class Buffering {
public:
  explicit Buffering(scf::ForOp loop) : loop(loop), plan(PipelinePlan::writtenIn(loop)) {}

  /// Returns the number of loads.
  unsigned run();

private:
  void carrySlots();
  Value nextSlot(OpBuilder &builder, Value slot, unsigned slots, unsigned stage);
  void replace(StageCopies &copies, unsigned stage);
  Operation *mark(Operation *op, unsigned stage);
  Value slotOrZero(Value slot);
  arith::SelectOp choiceOf(LoadOp load);

  scf::ForOp loop;
  PipelinePlan plan;
  std::map<unsigned, StageCopies> stages;
  /// Blocks are taken in front of this: behind all that is early.
  Operation *end = nullptr;
};
} // namespace

Operation *Buffering::mark(Operation *op, unsigned stage) {
  if (stage != plan.lastStage())
    op->setAttr(kStageAttr, Builder(op->getContext()).getI32IntegerAttr(stage));
  return op;
}

/// One slot on, and from the last one to the first.
Value Buffering::nextSlot(OpBuilder &builder, Value slot, unsigned slots, unsigned stage) {
  Location loc = loop.getLoc();
  auto constant = [&](int64_t number) {
    auto op = arith::ConstantOp::create(builder, loc, builder.getI32IntegerAttr(number));
    mark(op, stage);
    return op.getResult();
  };
  Value zero = constant(0), one = constant(1), end = constant(slots);
  auto next = arith::AddIOp::create(builder, loc, slot, one);
  auto isEnd = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, next.getResult(), end);
  auto wrapped = arith::SelectOp::create(builder, loc, isEnd, zero, next);
  for (Operation *op : {next.getOperation(), isEnd.getOperation(), wrapped.getOperation()})
    mark(op, stage);
  return wrapped;
}

/// Each stage counts its slots, and the last stage those that it takes.
void Buffering::carrySlots() {
  SmallVector<Value> inits;
  IRRewriter rewriter(loop);
  Location loc = loop.getLoc();
  Value zero = arith::ConstantOp::create(rewriter, loc, rewriter.getI32IntegerAttr(0));
  for (auto &[stage, copies] : stages)
    if (copies.slots > 1)
      inits.append(2, zero);
  if (inits.empty())
    return;
  auto next = [&](OpBuilder &builder, Location, ArrayRef<BlockArgument> arguments) {
    SmallVector<Value> yields;
    for (auto &[stage, copies] : stages) {
      if (copies.slots == 1)
        continue;
      copies.copySlot = arguments[yields.size()];
      yields.push_back(nextSlot(builder, copies.copySlot, copies.slots, stage));
      copies.readSlot = arguments[yields.size()];
      yields.push_back(nextSlot(builder, copies.readSlot, copies.slots, plan.lastStage()));
    }
    return yields;
  };
  NamedAttrList attributes(loop->getDiscardableAttrDictionary());
  loop = cast<scf::ForOp>(*loop.replaceWithAdditionalYields(
      rewriter, inits, /*replaceInitOperandUsesInLoop=*/false, next));
  loop->setDiscardableAttrs(attributes);
}

/// A ring of one slot has no counters.
Value Buffering::slotOrZero(Value slot) {
  if (slot)
    return slot;
  OpBuilder builder(loop);
  return arith::ConstantOp::create(builder, loop.getLoc(), builder.getI32IntegerAttr(0));
}

/// The choice between a load and other elements by its mask, if reads may wait for that mask:
/// each of their accesses has one condition, but elements by themselves have one each.
arith::SelectOp Buffering::choiceOf(LoadOp load) {
  if (!load->hasOneUse())
    return {};
  auto choice = dyn_cast<arith::SelectOp>(*load->user_begin());
  if (!choice || !choice->hasAttr(kBufferAttr) || choice.getTrueValue() != load)
    return {};
  for (Operation *op : sliceOf(loop, {choice.getCondition(), choice.getFalseValue()}).ops)
    if (isa<LoadOp>(op) || !canRunEarly(op))
      return {};
  return choice;
}

void Buffering::replace(StageCopies &copies, unsigned stage) {
  SmallVector<Value> rings;
  for (LoadOp load : copies.loads) {
    Location loc = load.getLoc();
    OpBuilder builder(loop);
    auto type =
        RingType::get(load.getContext(), copies.slots, cast<RankedTensorType>(load.getType()));
    rings.push_back(RingOp::create(builder, loc, type));
    builder.setInsertionPoint(load);
    Value slot = slotOrZero(copies.copySlot);
    auto copy = CopyAsyncOp::create(builder, loc, load.getPointer(), load.getOffsets(),
                                    load.getMask(), rings.back(), slot, /*condition=*/Value());
    for (StringRef name : {kAccessWidthAttr, kAccessDimAttr})
      if (Attribute value = load->getAttr(name))
        copy->setAttr(name, value);
    mark(copy, stage);
    if (load == copies.loads.back())
      mark(CopyCommitOp::create(builder, loc), stage);
  }
  OpBuilder builder(end);
  CopyWaitOp::create(builder, copies.loads.front().getLoc(), 0);
  for (auto [load, ring] : llvm::zip(copies.loads, rings)) {
    arith::SelectOp choice = choiceOf(load);
    builder.setInsertionPoint(choice ? choice : end);
    Value slot = slotOrZero(copies.readSlot);
    Value mask = choice ? choice.getCondition() : Value();
    Value other = choice ? choice.getFalseValue() : Value();
    auto read = RingReadOp::create(builder, load.getLoc(), load.getType(), ring, slot, mask, other);
    for (StringRef name : {kAccessWidthAttr, kAccessDimAttr})
      if (Attribute value = load->getAttr(name))
        read->setAttr(name, value);
    load.getResult().replaceAllUsesWith(read);
    if (choice) {
      choice.replaceAllUsesWith(read.getResult());
      choice.erase();
    }
    load.erase();
  }
}

unsigned Buffering::run() {
  unsigned count = 0;
  for (LoadOp load : loop.getBody()->getOps<LoadOp>()) {
    auto buffer = load->getAttrOfType<StringAttr>(kBufferAttr);
    unsigned stage = plan.stageOf(load);
    if (!buffer || !buffer.getValue().starts_with("async") || stage == plan.lastStage() ||
        !isa<RankedTensorType>(load.getType()))
      continue;
    stages[stage].loads.push_back(load);
    stages[stage].slots = plan.lastStage() - stage;
    ++count;
  }
  if (count == 0)
    return 0;
  carrySlots();
  plan = PipelinePlan::writtenIn(loop);
  for (Operation &op : loop.getBody()->without_terminator())
    if (isa<LoadOp>(op) && plan.stageOf(&op) < plan.lastStage())
      end = op.getNextNode();
  for (auto &[stage, copies] : stages)
    replace(copies, stage);
  return count;
}

namespace {
struct BufferLoads : fsm::impl::BufferLoadsPassBase<BufferLoads> {
  void runOnOperation() override {
    SmallVector<scf::ForOp> loops;
    getOperation().walk([&](scf::ForOp loop) {
      if (PipelinePlan::writtenIn(loop).stages() > 1)
        loops.push_back(loop);
    });
    for (scf::ForOp loop : loops)
      copies += Buffering(loop).run();
  }
};
} // namespace
