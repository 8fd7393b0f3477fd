//===- AssignLayouts.cpp - Gives every block a layout --------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// 1. LayoutPlan decides. Nothing has changed yet.
// 2. Accesses are marked with the elements they move at once.
// 3. Blocks that have a home get it as their type's encoding.
// 4. Each block operand is replaced by the same elements in the layout its user takes:
//    the block itself, a conversion of it, or, when it is computed on demand, a copy of
//    the ops that compute it, in that layout. Each is made once, behind the original.
// 5. What was computed on demand has no users left and goes.

#include "fsm/Transforms/Passes.h"

#include "LayoutPlan.h"
#include "ShapeLayouts.h"

#include "fsm/Machine/GpuTarget.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace fsm {
#define GEN_PASS_DEF_ASSIGNLAYOUTSPASS
#include "fsm/Transforms/Passes.h.inc"
} // namespace fsm

using namespace mlir;
using namespace fsm;

namespace {
/// Writes a plan into the IR.
class Assignment {
public:
  Assignment(KernelOp kernel, const LayoutPlan &plan)
      : kernel(kernel), plan(plan), builder(kernel.getContext()) {}

  void run();
  unsigned conversions() const { return numConversions; }
  unsigned copies() const { return numCopies; }

private:
  void setTypes(Operation *op);
  void setType(Value value);
  Value inLayout(Value block, LayoutAttr layout);
  Value converted(Value block, LayoutAttr layout);
  Value computed(Value block, LayoutAttr layout);

  KernelOp kernel;
  const LayoutPlan &plan;
  OpBuilder builder;
  llvm::DenseMap<std::pair<Value, LayoutAttr>, Value> made;
  unsigned numConversions = 0, numCopies = 0;
};
} // namespace

static RankedTensorType blockType(Value value) { return dyn_cast<RankedTensorType>(value.getType()); }

void Assignment::setType(Value value) {
  if (RankedTensorType type = blockType(value); type && !plan.isOnDemand(value))
    value.setType(type.cloneWithEncoding(plan.homeOf(value)));
}

void Assignment::setTypes(Operation *op) {
  for (Value result : op->getResults())
    setType(result);
  for (Region &region : op->getRegions())
    for (Block &block : region)
      for (BlockArgument argument : block.getArguments())
        setType(argument);
}

Value Assignment::converted(Value block, LayoutAttr layout) {
  builder.setInsertionPointAfterValue(block);
  ++numConversions;
  auto type = blockType(block).cloneWithEncoding(layout);
  return ConvertLayoutOp::create(builder, block.getLoc(), type, block);
}

/// A copy of the op that gives `block`, whose result and operands have the layouts.
Value Assignment::computed(Value block, LayoutAttr layout) {
  Operation *op = block.getDefiningOp();
  RankedTensorType type = blockType(block).cloneWithEncoding(layout);
  IRMapping mapping;
  if (op->getNumOperands()) {
    LinearLayout linear = layout.toLinear(type.getShape());
    std::optional<LinearLayout> source = operandLayout(op, linear);
    for (Value operand : op->getOperands())
      if (blockType(operand))
        mapping.map(operand, inLayout(operand, LayoutAttr::get(op->getContext(), *source)));
  }
  builder.setInsertionPointAfter(op);
  Operation *copy = builder.clone(*op, mapping);
  copy->getResult(0).setType(type);
  if (auto constant = dyn_cast<arith::ConstantOp>(copy))
    constant.setValueAttr(cast<DenseElementsAttr>(constant.getValue()).reshape(type));
  ++numCopies;
  return copy->getResult(0);
}

Value Assignment::inLayout(Value block, LayoutAttr layout) {
  if (!plan.isOnDemand(block) && plan.homeOf(block) == layout)
    return block;
  if (Value known = made.lookup({block, layout}))
    return known;
  Value value = plan.isOnDemand(block) ? computed(block, layout) : converted(block, layout);
  made[{block, layout}] = value;
  return value;
}

void Assignment::run() {
  SmallVector<Operation *> ops, obsolete;
  kernel.getBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
    bool isObsolete = op->getNumResults() == 1 && plan.isOnDemand(op->getResult(0));
    (isObsolete ? obsolete : ops).push_back(op);
  });
  for (Operation *op : ops) {
    if (isa<LoadOp, StoreOp>(op) && accessedBlock(op) && op->getNumOperands() > 1) {
      bool hasOffsets = isa<LoadOp>(op) ? bool(cast<LoadOp>(op).getOffsets())
                                        : bool(cast<StoreOp>(op).getOffsets());
      if (hasOffsets)
        op->setAttr(kAccessWidthAttr, builder.getI32IntegerAttr(plan.widthOf(op)));
    }
  }
  // Demands are read off the plan before any operand changes.
  SmallVector<std::pair<OpOperand *, LayoutAttr>> demands;
  for (Operation *op : ops)
    for (OpOperand &operand : op->getOpOperands())
      if (blockType(operand.get()))
        demands.push_back({&operand, plan.demandOf(operand)});
  for (Operation *op : ops)
    setTypes(op);
  for (auto [operand, layout] : demands)
    operand->set(inLayout(operand->get(), layout));
  for (Operation *op : llvm::reverse(obsolete))
    op->erase();
}

namespace {
struct AssignLayouts : fsm::impl::AssignLayoutsPassBase<AssignLayouts> {
  void runOnOperation() override {
    KernelOp kernel = getOperation();
    std::optional<uint32_t> numWarps = kernel.getNumWarps();
    if (!numWarps) {
      kernel.emitError("expected 'num_warps' on the kernel; 'fsm-choose-warps' writes it");
      return signalPassFailure();
    }
    LayoutPlan plan(kernel, {kWarpThreads, *numWarps});
    plan.decide();
    Assignment assignment(kernel, plan);
    assignment.run();
    conversions += assignment.conversions();
    copies += assignment.copies();
  }
};
} // namespace
