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
//    the ops that compute it, in that layout. Each is made once, behind the original:
//    copies first, in the order of the originals, so that no chain is too long.
// 5. What was computed on demand has no users left and goes.

#include "fsm/Transforms/Passes.h"

#include "../TargetOption.h"
#include "LayoutPlan.h"

#include "fsm/Analysis/Hazards.h"
#include "fsm/Analysis/ScratchSize.h"
#include "fsm/Machine/GpuTarget.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace fsm {
#define GEN_PASS_DEF_ASSIGNLAYOUTSPASS
#include "fsm/Transforms/Passes.h.inc"
} // namespace fsm

using namespace mlir;
using namespace fsm;

/// Instructions behind one test: half of what a thread has of a block on a cluster.
static constexpr int64_t kTestedTogether = 16;
/// What so many loads bring leaves no registers for the masks of a store.
static constexpr size_t kManyLoads = 3;

namespace {
/// Writes a plan into the IR.
class LayoutAssignment {
public:
  LayoutAssignment(KernelOp kernel, const LayoutPlan &plan, bool remarks)
      : kernel(kernel), plan(plan), builder(kernel.getContext()), remarks(remarks) {}

  void run();
  unsigned conversions() const { return numConversions; }
  unsigned copies() const { return numCopies; }

private:
  void markAccess(Operation *access);
  bool isNarrowAndMany(Operation *access) const;
  void markTests(ArrayRef<Operation *> accesses);
  void setTypes(Operation *op);
  void setType(Value value);
  void copy(Operation *op);
  Value inLayout(Value block, LayoutAttr layout, Operation *user);
  Value converted(Value block, LayoutAttr layout, Operation *user);

  KernelOp kernel;
  const LayoutPlan &plan;
  OpBuilder builder;
  bool remarks;
  llvm::DenseMap<std::pair<Value, LayoutAttr>, Value> made;
  unsigned numConversions = 0, numCopies = 0;
};
} // namespace

static RankedTensorType blockType(Value value) {
  return dyn_cast<RankedTensorType>(value.getType());
}

void LayoutAssignment::setType(Value value) {
  if (RankedTensorType type = blockType(value); type && !plan.isOnDemand(value))
    value.setType(type.cloneWithEncoding(plan.homeOf(value)));
}

void LayoutAssignment::setTypes(Operation *op) {
  for (Value result : op->getResults())
    setType(result);
  for (Region &region : op->getRegions())
    for (Block &block : region)
      for (BlockArgument argument : block.getArguments())
        setType(argument);
}

/// Says which op wants a conversion, and what it costs.
static void remarkOn(ConvertLayoutOp conversion, Operation *user) {
  RankedTensorType type = conversion.getType();
  ConversionPlan plan = planBetween(linearLayoutOf(conversion.getSource().getType()),
                                    linearLayoutOf(type), type.getElementType());
  InFlightDiagnostic remark = emitRemark(conversion.getLoc())
                              << "moves to the layout in which '" << user->getName()
                              << "' takes it; " << plan.format();
  remark.attachNote(user->getLoc()) << "taken here";
}

Value LayoutAssignment::converted(Value block, LayoutAttr layout, Operation *user) {
  builder.setInsertionPointAfterValue(block);
  ++numConversions;
  auto type = blockType(block).cloneWithEncoding(layout);
  auto conversion = ConvertLayoutOp::create(builder, block.getLoc(), type, block);
  if (remarks)
    remarkOn(conversion, user);
  return conversion;
}

/// Copies an op that is computed on demand for each layout in which its result is taken.
void LayoutAssignment::copy(Operation *op) {
  Value result = op->getResult(0);
  RankedTensorType type = blockType(result);
  for (LayoutAttr layout : plan.demandsOn(result)) {
    IRMapping mapping;
    for (Value operand : op->getOperands()) {
      if (!blockType(operand))
        continue;
      std::optional<LinearLayout> source = operandLayout(op, layout.toLinear(type.getShape()));
      mapping.map(operand, inLayout(operand, LayoutAttr::get(op->getContext(), *source), op));
    }
    builder.setInsertionPointAfter(op);
    Operation *copy = builder.clone(*op, mapping);
    RankedTensorType copyType = type.cloneWithEncoding(layout);
    copy->getResult(0).setType(copyType);
    if (auto constant = dyn_cast<arith::ConstantOp>(copy))
      constant.setValueAttr(cast<DenseElementsAttr>(constant.getValue()).reshape(copyType));
    made[{result, layout}] = copy->getResult(0);
    ++numCopies;
  }
}

Value LayoutAssignment::inLayout(Value block, LayoutAttr layout, Operation *user) {
  if (!plan.isOnDemand(block) && plan.homeOf(block) == layout)
    return block;
  Value &value = made[{block, layout}];
  if (!value)
    value = converted(block, layout, user);
  return value;
}

void LayoutAssignment::markAccess(Operation *access) {
  access->setAttr(kAccessWidthAttr, builder.getI32IntegerAttr(plan.widthOf(access)));
  access->setAttr(kAccessDimAttr, builder.getI32IntegerAttr(plan.dimOf(access)));
  if (plan.endsWithin(access))
    access->setAttr(kMaskEndsAttr, builder.getUnitAttr());
}

/// Whether it takes so many instructions of less than a word that their masks are too many for a
/// thread's predicates.
bool LayoutAssignment::isNarrowAndMany(Operation *access) const {
  RankedTensorType type = accessedBlock(access);
  int64_t width = plan.widthOf(access), bytes = bytesOf(type.getElementType());
  int64_t threads = int64_t(kWarpThreads) * warpsOf(kernel);
  bool isMasked = cast<GlobalAccess>(access).getMask() ||
                  !llvm::all_of(type.getShape(), [](int64_t n) { return llvm::isPowerOf2_64(n); });
  return isMasked && !plan.endsWithin(access) && width * bytes < kWordBytes &&
         type.getNumElements() >= kTestedTogether * width * threads;
}

/// On a cluster all of its ctas wait for the slowest loads.
void LayoutAssignment::markTests(ArrayRef<Operation *> accesses) {
  if (kernel.getNumCtas().value_or(1) == 1)
    return;
  SmallVector<Operation *> loads, stores;
  for (Operation *access : accesses)
    if (isNarrowAndMany(access))
      (isa<LoadOp>(access) ? loads : stores).push_back(access);
  if (loads.size() >= kManyLoads)
    loads.append(stores);
  for (Operation *access : loads)
    access->setAttr(kTestedTogetherAttr, builder.getI32IntegerAttr(kTestedTogether));
}

void LayoutAssignment::run() {
  SmallVector<Operation *> ops, obsolete;
  kernel.getBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
    bool isObsolete = op->getNumResults() == 1 && plan.isOnDemand(op->getResult(0));
    (isObsolete ? obsolete : ops).push_back(op);
  });
  SmallVector<Operation *> accesses;
  llvm::copy_if(ops, std::back_inserter(accesses),
                [](Operation *op) { return accessedBlock(op) && !isa<AtomicAccess>(op); });
  llvm::for_each(accesses, [&](Operation *access) { markAccess(access); });
  markTests(accesses);
  for (Operation *op : ops)
    if (isa<AtomicAccess>(op) && accessedBlock(op) && plan.widthOf(op) > 1)
      markAccess(op);
  // Demands are read off the plan before any operand changes.
  SmallVector<std::pair<OpOperand *, LayoutAttr>> demands;
  for (Operation *op : ops)
    for (OpOperand &operand : op->getOpOperands())
      if (blockType(operand.get()))
        demands.push_back({&operand, plan.demandOf(operand)});
  for (Operation *op : ops)
    setTypes(op);
  for (Operation *op : obsolete)
    copy(op);
  for (auto [operand, layout] : demands)
    operand->set(inLayout(operand->get(), layout, operand->getOwner()));
  for (Operation *op : llvm::reverse(obsolete))
    op->erase();
}

/// A kernel that has layouts gets new ones: nothing is left to convert.
static void dropLayouts(KernelOp kernel) {
  SmallVector<ConvertLayoutOp> conversions;
  kernel.walk([&](ConvertLayoutOp op) { conversions.push_back(op); });
  for (ConvertLayoutOp op : conversions) {
    op.getResult().replaceAllUsesWith(op.getSource());
    op.erase();
  }
}

/// Says of an access that it is slow, and what would make it faster.
static LogicalResult reportMissed(GlobalAccess access, const MissedExchange &missed, const GpuTarget &gpu, bool strict) {
  InFlightDiagnostic report = strict ? access->emitError() : access->emitWarning();
  report << (access.onlyReads() ? "loads this block to where it is used" : "stores this block from where it was computed")
         << ", at about " << llvm::divideCeil(missed.cost, missed.exchanged) << " times the cost of vectors: to exchange it takes "
         << missed.bytes << " bytes of shared memory a cta, of which " << gpu.name << " has " << gpu.maxSharedBytesPerCta
         << ": use a smaller block";
  return failure(strict);
}

namespace {
struct AssignLayouts : fsm::impl::AssignLayoutsPassBase<AssignLayouts> {
  using AssignLayoutsPassBase::AssignLayoutsPassBase;

  /// Earlier passes take apart what has no layouts of its own.
  static WalkResult checkOp(Operation *op) {
    StringRef pass = isa<func::CallOp>(op)      ? "inline"
                     : isa<PhiloxOp>(op)        ? "fsm-expand-random"
                     : op->hasTrait<Expanded>() ? "fsm-expand-blocks"
                                                : "";
    if (pass.empty())
      return WalkResult::advance();
    return op->emitError() << "expected no '" << op->getName() << "' when blocks get layouts; '"
                           << pass << "' takes it apart";
  }

  void runOnOperation() override {
    KernelOp kernel = getOperation();
    std::optional<uint32_t> numWarps = kernel.getNumWarps();
    if (!numWarps) {
      kernel.emitError("expected 'num_warps' on the kernel; 'fsm-choose-warps' writes it");
      return signalPassFailure();
    }
    if (kernel.walk(checkOp).wasInterrupted())
      return signalPassFailure();
    dropLayouts(kernel);
    const GpuTarget *gpu = targetOrError(kernel, target);
    if (!gpu)
      return signalPassFailure();
    LayoutPlan plan(kernel, {kWarpThreads, *numWarps, kernel.getNumCtas().value_or(1)},
                    {gpu->features.bulkCopy && tensorMaps, gpu->features.vectorAtomics,
                     gpu->maxSharedBytesPerCta});
    plan.decide();
    auto missed = kernel.getBody().walk([&](GlobalAccess access) {
      std::optional<MissedExchange> exchange = plan.missedExchange(access);
      return WalkResult(exchange ? reportMissed(access, *exchange, *gpu, strict) : success());
    });
    if (missed.wasInterrupted())
      return signalPassFailure();
    LayoutAssignment assignment(kernel, plan, remarks);
    assignment.run();
    conversions += assignment.conversions();
    copies += assignment.copies();
  }
};
} // namespace
