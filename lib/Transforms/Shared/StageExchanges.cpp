//===- StageExchanges.cpp - Elements that go through shared memory --------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Transforms/Passes.h"

#include "fsm/Analysis/Atomics.h"
#include "fsm/Analysis/CombinePlan.h"
#include "fsm/Analysis/ScratchSize.h"
#include "fsm/Layout/NamedLayouts.h"

#include "mlir/IR/Builders.h"

namespace fsm {
#define GEN_PASS_DEF_STAGEEXCHANGESPASS
#include "fsm/Transforms/Passes.h.inc"
} // namespace fsm

using namespace mlir;
using namespace fsm;

/// Brings what a reduction or a scan works on to the layouts in which it does, and from there to
/// its results'.
static void convertAround(Operation *op, const ReductionLayouts &layouts) {
  OpBuilder builder(op);
  Location loc = op->getLoc();
  for (OpOperand &operand : op->getOpOperands()) {
    auto type = cast<RankedTensorType>(operand.get().getType());
    RankedTensorType wanted = withLayout(type, layouts.operand);
    if (type != wanted)
      operand.set(ConvertLayoutOp::create(builder, loc, wanted, operand.get()));
  }
  builder.setInsertionPointAfter(op);
  for (Value result : op->getResults()) {
    auto type = dyn_cast<RankedTensorType>(result.getType());
    RankedTensorType given = type ? withLayout(type, *layouts.result) : type;
    if (type == given)
      continue;
    result.setType(given);
    auto moved = ConvertLayoutOp::create(builder, loc, type, result);
    result.replaceAllUsesExcept(moved, moved);
  }
}

/// A store, a barrier and a load, which bring a value to the threads of the type `result`.
static Value exchange(OpBuilder &builder, Location loc, Value value, Type result, SharedType type,
                      ThreadScope scope) {
  Value shared = SharedAllocOp::create(builder, loc, type);
  SharedStoreOp::create(builder, loc, value, DenseI64ArrayAttr(), shared);
  SharedBarrierOp::create(builder, loc, scope);
  return SharedLoadOp::create(builder, loc, result, shared);
}

/// The same instead of an op that does it.
static void exchange(Operation *op, SharedType type, ThreadScope scope) {
  OpBuilder builder(op);
  Type result = op->getResult(0).getType();
  Value moved = exchange(builder, op->getLoc(), op->getOperand(0), result, type, scope);
  op->replaceAllUsesWith(ValueRange(moved));
  op->erase();
}

/// Hands what the threads have found that perform an op on to the others.
static void handOn(Operation *op) {
  Value result = op->getResult(0);
  auto block = dyn_cast<RankedTensorType>(result.getType());
  SmallVector<int64_t> shape = block ? llvm::to_vector(block.getShape()) : SmallVector<int64_t>{1};
  LayoutAttr layout;
  if (block && BitSpace::block(extentsOf(block)).bits() > 0) {
    auto inwards = llvm::to_vector(llvm::reverse(llvm::seq<unsigned>(0, block.getRank())));
    layout = LayoutAttr::get(op->getContext(),
                             sharedLayout(extentsOf(block), {inwards.begin(), inwards.end()}));
  }
  OpBuilder builder(op->getContext());
  builder.setInsertionPointAfter(op);
  auto type = SharedType::get(op->getContext(), shape, elementTypeOf(result.getType()), layout);
  Value handed =
      exchange(builder, op->getLoc(), result, result.getType(), type, ThreadScope::Program);
  result.replaceUsesWithIf(handed,
                           [](OpOperand &use) { return !isa<SharedStoreOp>(use.getOwner()); });
}

/// A reshape that is a linear map moves its elements first, to where the result has them.
/// Another one exchanges them row by row.
static void stage(ReshapeOp op) {
  auto layouts = alignedLayouts(op);
  if (!layouts) {
    auto type = SharedType::get(op.getContext(), {op.getType().getNumElements()},
                                op.getType().getElementType(), LayoutAttr());
    return exchange(op, type, ThreadScope::Program);
  }
  RankedTensorType source = op.getSource().getType();
  LinearLayout wanted(layouts->second.from(), linearLayoutOf(source).to(), layouts->second.bases());
  if (wanted == linearLayoutOf(source))
    return;
  OpBuilder builder(op);
  Value moved =
      ConvertLayoutOp::create(builder, op.getLoc(), withLayout(source, wanted), op.getSource());
  op.getSourceMutable().assign(moved);
}

/// Whether it was staged.
static bool stage(ConvertLayoutOp op) {
  RankedTensorType type = op.getType();
  ConversionPlan plan = planBetween(linearLayoutOf(op.getSource().getType()), linearLayoutOf(type),
                                    type.getElementType());
  if (plan.kind != ConversionKind::SharedMemory)
    return false;
  auto layout = LayoutAttr::get(op.getContext(), plan.shared->layout);
  exchange(op, SharedType::get(op.getContext(), type.getShape(), type.getElementType(), layout),
           plan.shared->withinWarps ? ThreadScope::Warp : ThreadScope::Program);
  return true;
}

namespace {
struct StageExchanges : fsm::impl::StageExchangesPassBase<StageExchanges> {
  void runOnOperation() override {
    // An op with a fault, which the lowering reports, stays as it is.
    SmallVector<Operation *> handingOn;
    getOperation().walk([&](Operation *op) {
      bool isReduction = isa<ReduceOp>(op) || isCombine(op);
      if ((!isReduction && !isMadeOnce(op)) || !layoutFault(op).empty())
        return;
      if (isReduction)
        convertAround(op, *reductionLayouts(op));
      else if (handingOnOf(op) == HandingOn::Shared)
        handingOn.push_back(op);
    });
    for (Operation *op : handingOn)
      handOn(op);
    exchanges += handingOn.size();
    auto collect = [&](auto op) {
      SmallVector<decltype(op)> ops;
      getOperation().walk([&](decltype(op) found) {
        if (layoutFault(found).empty())
          ops.push_back(found);
      });
      return ops;
    };
    for (ReshapeOp reshape : collect(ReshapeOp())) {
      exchanges += !alignedLayouts(reshape);
      stage(reshape);
    }
    for (ConvertLayoutOp convert : collect(ConvertLayoutOp()))
      exchanges += stage(convert);
  }
};
} // namespace
