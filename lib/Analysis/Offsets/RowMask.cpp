//===- RowMask.cpp - Where the rows of a host's loop end -----------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Analysis/RowMask.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace fsm;

Value fsm::walkedBlock(Operation *root) {
  auto walks = dyn_cast<HostRoot>(root);
  return walks ? walks.walkedBlock() : root->getResult(0);
}

/// The roots, and the ops that make the blocks which their loop computes.
static llvm::SetVector<Operation *> opsOfLoop(ArrayRef<Operation *> roots) {
  llvm::SetVector<Operation *> work(roots.begin(), roots.end());
  for (size_t next = 0; next < work.size(); ++next)
    for (Value operand : work[next]->getOperands()) {
      Operation *definition = operand.getDefiningOp();
      if (definition && isa<RankedTensorType>(operand.getType()) &&
          !definition->hasAttr(kHostBufferAttr))
        work.insert(definition);
    }
  return work;
}

static llvm::SetVector<Value> masksOf(const llvm::SetVector<Operation *> &ops) {
  llvm::SetVector<Value> masks;
  for (Operation *op : ops)
    if (auto access = dyn_cast<GlobalAccess>(op); access && access.getMask())
      masks.insert(access.getMask());
  return masks;
}

Value fsm::rowMask(ArrayRef<Operation *> roots) {
  llvm::SetVector<Value> masks = masksOf(opsOfLoop(roots));
  // Behind a reshape that renames elements a mask has other rows.
  bool isOne = masks.size() == 1 && isa<RankedTensorType>(masks.front().getType()) &&
               shapeOf(masks.front().getType()) == shapeOf(walkedBlock(roots.front()).getType());
  return isOne ? masks.front() : Value();
}

bool fsm::mayBeginAnywhere(Operation *root) {
  llvm::SetVector<Operation *> ops = opsOfLoop(root);
  auto hasRows = [](Operation *op) {
    auto shape = dyn_cast<LayoutTransfer>(op);
    return !shape || shape.sourceDims();
  };
  return llvm::all_of(ops, hasRows) && (root->hasAttr(kHostEndsAttr) || masksOf(ops).empty());
}

/// Whether the elements of a row are alike where the mask is false, for each of the values that a
/// loop computes.
static bool areAlike(SmallVector<Value> values, Value mask, Attribute loop) {
  llvm::SetVector<Value> work(values.begin(), values.end());
  for (size_t next = 0; next < work.size(); ++next) {
    Value value = work[next];
    if (!value || value == mask || !isa<RankedTensorType>(value.getType()))
      continue;
    Operation *op = value.getDefiningOp();
    // What another loop has kept may be missing there.
    if (!op || (op->hasAttr(kHostBufferAttr) && op->getAttr(kHostLoopAttr) != loop))
      return false;
    auto load = dyn_cast<LoadOp>(op);
    auto select = dyn_cast<arith::SelectOp>(op);
    auto shape = dyn_cast<LayoutTransfer>(op);
    SplatElementsAttr all;
    if (load && load.getMask() == mask && !load.getIsVolatile()) {
      work.insert(load.getOther());
    } else if (select && select.getCondition() == mask) {
      work.insert(select.getFalseValue());
    } else if (shape) {
      std::optional<SmallVector<int64_t>> dims = shape.sourceDims();
      if (!dims || dims->back() >= 0)
        return false;
    } else if (!matchPattern(value, m_Constant(&all))) {
      if (!isElementwise(op))
        return false;
      work.insert_range(op->getOperands());
    }
  }
  return true;
}

/// Whether an op takes no notice of an operand where the mask is false.
static bool isMaskedOff(OpOperand &use, Value mask) {
  Operation *user = use.getOwner();
  auto access = dyn_cast<GlobalAccess>(user);
  auto select = dyn_cast<arith::SelectOp>(user);
  if (select)
    return select.getCondition() == mask && use.getOperandNumber() == 1;
  // A load has other elements there, which may be the same block.
  return access && access.getMask() == mask &&
         (use.get() == access.getOffsets() || use.get() == access.getValue()) &&
         llvm::count(user->getOperands(), use.get()) == 1;
}

/// Whether what a loop keeps is read by nobody else where the mask is false.
static bool isReadInside(Operation *kept, Value mask, Attribute loop) {
  llvm::SetVector<Operation *> work;
  work.insert(kept);
  for (size_t next = 0; next < work.size(); ++next) {
    for (OpOperand &use : work[next]->getUses()) {
      Operation *user = use.getOwner();
      Attribute other = user->getAttr(kHostLoopAttr);
      if (user->getBlock() != kept->getBlock() || use.get() == mask)
        return false;
      if (isMaskedOff(use, mask) || other == loop)
        continue;
      if (other || !isElementwise(user))
        return false;
      work.insert(user);
    }
  }
  return true;
}

bool fsm::endsWithMask(ArrayRef<Operation *> roots) {
  // A terminator passes blocks on, to the last element.
  bool areRows = llvm::all_of(
      roots, [](Operation *root) { return isa<HostRoot>(root) || root->getNumResults() == 1; });
  Value mask = areRows ? rowMask(roots) : Value();
  if (!mask)
    return false;
  Attribute loop = roots.front()->getAttr(kHostLoopAttr);
  SmallVector<Value> reduced;
  for (Operation *root : roots) {
    auto along = dyn_cast<AlongAxis>(root);
    auto access = dyn_cast<GlobalAccess>(root);
    bool isStored = access && access.onlyWrites();
    if (along && along.takesAnyOrder() && cast<HostRoot>(root).sharesLoop())
      reduced.push_back(root->getOperand(0));
    else if (isStored ? access.getMask() != mask
                      : isa<HostRoot>(root) || !isReadInside(root, mask, loop))
      return false;
  }
  return areAlike(reduced, mask, loop);
}
