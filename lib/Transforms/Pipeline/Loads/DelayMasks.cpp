//===- DelayMasks.cpp - Masks where they are needed ----------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Transforms/Passes.h"

#include "fsm/Analysis/MemoryOrder.h"
#include "fsm/Analysis/ResourceEstimate.h"

#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace fsm {
#define GEN_PASS_DEF_DELAYMASKSPASS
#include "fsm/Transforms/Passes.h.inc"
} // namespace fsm

using namespace mlir;
using namespace fsm;

/// So many elements of a mask a thread keeps in registers of one bit, of which the GPU has seven.
static constexpr uint64_t kMostKept = 6;

/// Whether all elements of a block are one number, which a thread has once.
static bool isShared(Value block) {
  SplatElementsAttr constant;
  return block.getDefiningOp<SplatOp>() || matchPattern(block, m_Constant(&constant));
}

/// Whether an op makes a mask of more elements than a thread keeps, of one block besides what all elements share.
static bool isLargeMask(Operation &op) {
  if (!isa<arith::CmpIOp, arith::CmpFOp, arith::AndIOp, arith::OrIOp, arith::XOrIOp>(op))
    return false;
  auto type = dyn_cast<RankedTensorType>(op.getResult(0).getType());
  return type && type.getElementType().isInteger(1) && linearLayoutOf(type).liveRegisters().size() > kMostKept &&
         llvm::count_if(op.getOperands(), [](Value operand) { return !isShared(operand); }) <= 1;
}

/// Whether a scalar costs nothing to hold: it is an argument of the kernel, or the number of the program.
static bool isAtHand(Value value) {
  return kernelArgument(value) ||
         isa_and_present<ProgramIdOp, NumProgramsOp, ProgramStepOp>(value.getDefiningOp()) ||
         matchPattern(value, m_Constant());
}

/// The ops of a kernel that compute scalars of such alone.
static DenseSet<Operation *> scalarsAtHand(KernelOp kernel) {
  DenseSet<Operation *> found;
  kernel.walk<WalkOrder::PreOrder>([&](Operation *op) {
    bool areScalars = op->getNumResults() > 0 && op->getNumOperands() > 0 && op->getNumRegions() == 0 &&
                      llvm::none_of(op->getResultTypes(), llvm::IsaPred<RankedTensorType>);
    if (areScalars && isMemoryEffectFree(op) && llvm::all_of(op->getOperands(), [&](Value operand) {
          return isAtHand(operand) || found.contains(operand.getDefiningOp());
        }))
      found.insert(op);
  });
  return found;
}

/// Whether a loop that ptxas may write out, whose iterations take all registers that there are, stands between two ops of
/// a block.
static bool hasLoopBetween(Operation &first, Operation *last) {
  for (Operation *op = first.getNextNode(); op && op != last; op = op->getNextNode())
    if (op->hasAttr(kMayUnrollAttr))
      return true;
  return false;
}

/// The first op of a block that uses a result of it, or has a use in a region; null where none does.
static Operation *firstUser(Operation &op) {
  Operation *first = nullptr;
  for (Operation *user : op.getUsers()) {
    Operation *here = op.getBlock()->findAncestorOpInBlock(*user);
    if (!first || here->isBeforeInBlock(first))
      first = here;
  }
  return first;
}

namespace {
struct DelayMasks : fsm::impl::DelayMasksPassBase<DelayMasks> {
  void runOnOperation() override {
    DenseSet<Operation *> scalars = scalarsAtHand(getOperation());
    getOperation().walk([&](Block *block) {
      // From the end, so that what is made of a mask has moved before the mask does.
      for (Operation &op : llvm::make_early_inc_range(llvm::reverse(*block))) {
        bool isMask = isLargeMask(op);
        Operation *user = isMask || scalars.contains(&op) ? firstUser(op) : nullptr;
        if (!user || user == op.getNextNode() || (!isMask && !hasLoopBetween(op, user)))
          continue;
        op.moveBefore(user);
        ++delayed;
      }
    });
  }
};
} // namespace
