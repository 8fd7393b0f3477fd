//===- PieceDims.cpp - Along which dimension each block is walked --------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// 1. Each dimension of each block gets a number.
// 2. Those that an op makes one are joined.
// 3. Of what is longer than a piece, all is walked but what a block has beside another, along which
// a
//    reduction, a scan or a gather needs less of other pieces, in this order.

#include "PieceDims.h"

#include "mlir/IR/IRMapping.h"

#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace fsm;

static unsigned rankOf(Value value) {
  return static_cast<unsigned>(shapeOf(value.getType()).size());
}

PieceDims::PieceDims(KernelOp kernel, int64_t piece) : length(piece) {
  unsigned count = 0;
  auto see = [&](Value value) {
    if (rankOf(value) == 0)
      return;
    blocks.push_back(value);
    first[value] = count;
    count += rankOf(value);
  };
  kernel.getBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
    llvm::for_each(op->getResults(), see);
    for (Region &region : op->getRegions())
      for (Block &block : region)
        llvm::for_each(block.getArguments(), see);
  });
  groups.grow(count);
  kernel.getBody().walk<WalkOrder::PreOrder>([&](Operation *op) { join(op); });
  kernel.getBody().walk<WalkOrder::PreOrder>([&](Operation *op) { noteNeed(op); });
  for (Value block : blocks)
    for (auto [dim, extent] : llvm::enumerate(shapeOf(block.getType())))
      if (extent > piece)
        walked.insert(groupOf(block, dim));
  choose();
}

void PieceDims::noteNeed(Operation *op) {
  auto note = [&](Value block, unsigned dim, Need need) {
    Need &most = needs[groupOf(block, dim)];
    most = std::max(most, need);
  };
  if (auto along = dyn_cast<AlongAxis>(op))
    note(op->getOperand(0), along.getAxis(), along.isScan() ? Order : Sums);
  if (auto gather = dyn_cast<GatherOp>(op))
    note(gather.getSource(), gather.getAxis(), All);
  if (auto histogram = dyn_cast<HistogramOp>(op))
    for (unsigned dim = 0; dim < rankOf(histogram.getSource()); ++dim)
      note(histogram.getSource(), dim, All);
  // What a reshape cuts or joins.
  if (auto reshape = dyn_cast<ReshapeOp>(op))
    for (auto [one, other] : {std::pair<Value, Value>(reshape.getSource(), reshape.getResult()),
                              std::pair<Value, Value>(reshape.getResult(), reshape.getSource())})
      for (unsigned dim = 0; dim < rankOf(one); ++dim)
        if (!hasDim(other, groupOf(one, dim)))
          note(one, dim, All);
}

bool PieceDims::hasDim(Value block, unsigned group) const {
  for (unsigned dim = 0; dim < rankOf(block); ++dim)
    if (groupOf(block, dim) == group)
      return true;
  return false;
}

void PieceDims::choose() {
  for (Value block : blocks) {
    SmallVector<unsigned> dims = dimsOf(block);
    if (dims.size() < 2)
      continue;
    auto need = [&](unsigned dim) { return needs.lookup(groupOf(block, dim)); };
    unsigned least = *llvm::min_element(
        dims, [&](unsigned left, unsigned right) { return need(left) < need(right); });
    unsigned kept = groupOf(block, least);
    for (unsigned dim : dims)
      if (unsigned group = groupOf(block, dim); group != kept)
        walked.erase(group);
  }
}

void PieceDims::joinDims(Value left, unsigned leftDim, Value right, unsigned rightDim) {
  if (shapeOf(left.getType())[leftDim] == shapeOf(right.getType())[rightDim])
    groups.join(first.lookup(left) + leftDim, first.lookup(right) + rightDim);
}

/// Of blocks of one shape.
void PieceDims::joinSame(Value left, Value right) {
  if (shapeOf(left.getType()) != shapeOf(right.getType()))
    return;
  for (unsigned dim = 0, rank = rankOf(left); dim < rank; ++dim)
    joinDims(left, dim, right, dim);
}

/// Dimensions of a reduction's source, and of what is left of it.
void PieceDims::joinReduced(AlongAxis reduction) {
  Value source = reduction->getOperand(0);
  for (Value other : reduction->getOperands())
    joinSame(source, other);
  for (Value result : reduction->getResults())
    for (unsigned dim = 0, rank = rankOf(result); dim < rank; ++dim)
      joinDims(source, dim + (dim >= reduction.getAxis()), result, dim);
}

/// Along the axis an element may come from anywhere.
void PieceDims::joinGathered(GatherOp gather) {
  joinSame(gather.getIndices(), gather.getResult());
  for (unsigned dim = 0, rank = rankOf(gather.getResult()); dim < rank; ++dim)
    if (dim != gather.getAxis())
      joinDims(gather.getSource(), dim, gather.getResult(), dim);
}

/// Dimensions of as many elements, with as many in front of them.
void PieceDims::joinReshaped(ReshapeOp reshape) {
  ArrayRef<int64_t> from = reshape.getSource().getType().getShape();
  ArrayRef<int64_t> to = reshape.getType().getShape();
  int64_t before = 1;
  for (unsigned dim = 0; dim < from.size(); before *= from[dim++]) {
    int64_t ahead = 1;
    for (unsigned other = 0; other < to.size(); ahead *= to[other++])
      if (ahead == before && from[dim] > 1)
        joinDims(reshape.getSource(), dim, reshape.getResult(), other);
  }
}

void PieceDims::join(Operation *op) {
  if (auto along = dyn_cast<AlongAxis>(op); along && !along.isScan())
    return joinReduced(along);
  if (auto gather = dyn_cast<GatherOp>(op))
    return joinGathered(gather);
  if (auto reshape = dyn_cast<ReshapeOp>(op))
    return joinReshaped(reshape);
  // What is joined or split are elements of a last dimension of two.
  if (isa<JoinOp, SplitOp>(op)) {
    for (Value one : op->getOperands())
      for (Value other : op->getResults())
        for (unsigned dim = 0, rank = std::min(rankOf(one), rankOf(other)); dim < rank; ++dim)
          joinDims(one, dim, other, dim);
    return;
  }
  auto transfer = dyn_cast<LayoutTransfer>(op);
  std::optional<SmallVector<int64_t>> dims;
  if (transfer && (dims = transfer.sourceDims())) {
    for (auto [dim, from] : llvm::enumerate(*dims))
      if (from >= 0)
        joinDims(op->getOperand(0), from, op->getResult(0), dim);
    return;
  }
  // Loops and branches hand on no block that is walked.
  if (op->getNumRegions() != 0 && !isa<AlongAxis>(op))
    return;
  SmallVector<Value> values(op->getOperands());
  llvm::append_range(values, op->getResults());
  llvm::erase_if(values, [](Value value) { return rankOf(value) == 0; });
  for (Value value : values)
    joinSame(values.front(), value);
}

/// All dimensions along which a block would be walked.
SmallVector<unsigned> PieceDims::dimsOf(Value value) const {
  SmallVector<unsigned> dims;
  if (first.contains(value))
    for (unsigned dim = 0, rank = rankOf(value); dim < rank; ++dim)
      if (walked.contains(groupOf(value, dim)))
        dims.push_back(dim);
  return dims;
}

std::optional<unsigned> PieceDims::of(Value value) const {
  SmallVector<unsigned> dims = dimsOf(value);
  return dims.empty() ? std::nullopt : std::optional(dims.front());
}

bool PieceDims::isAcross(Operation *op) const {
  auto along = dyn_cast<AlongAxis>(op);
  return along && of(op->getOperand(0)) == along.getAxis();
}

SmallVector<int64_t> PieceDims::pieceShape(Value value) const {
  SmallVector<int64_t> shape(shapeOf(value.getType()));
  for (unsigned dim : dimsOf(value))
    shape[dim] = std::min(shape[dim], length);
  return shape;
}

int64_t PieceDims::largest() const {
  int64_t most = 1;
  for (Value block : blocks)
    most = std::max(most, llvm::product_of(pieceShape(block)));
  return most;
}

//===----------------------------------------------------------------------===//
// Numbers of their own
//===----------------------------------------------------------------------===//

static bool isOneNumber(Operation *op) {
  auto constant = dyn_cast<arith::ConstantOp>(op);
  return isa<SplatOp>(op) || (constant && isa<SplatElementsAttr>(constant.getValue()));
}

/// Collects what a block is made of, if that is nothing but counted numbers, in an order in which
/// it can be made.
static bool collectNumbers(Value block, llvm::SetVector<Operation *> &made) {
  Operation *op = block.getDefiningOp();
  if (rankOf(block) == 0 || (op && made.contains(op)))
    return true;
  if (!op || !(isa<RangeOp, ExpandDimsOp, BroadcastOp, TransposeOp, ReshapeOp>(op) ||
               isOneNumber(op) || (isElementwise(op) && isPure(op))))
    return false;
  if (!isOneNumber(op))
    for (Value operand : op->getOperands())
      if (!collectNumbers(operand, made))
        return false;
  made.insert(op);
  return true;
}

void fsm::separateNumbers(KernelOp kernel) {
  SmallVector<Operation *> raising;
  kernel.getBody().walk([&](Operation *op) {
    if (isa<ExpandDimsOp>(op) ||
        (isa<ReshapeOp>(op) && rankOf(op->getOperand(0)) < rankOf(op->getResult(0))))
      raising.push_back(op);
  });
  for (Operation *op : raising) {
    llvm::SetVector<Operation *> made;
    if (rankOf(op->getOperand(0)) == 0 || !collectNumbers(op->getOperand(0), made))
      continue;
    OpBuilder builder(op);
    IRMapping copies;
    for (Operation *number : made)
      builder.clone(*number, copies);
    op->setOperand(0, copies.lookup(op->getOperand(0)));
  }
  SmallVector<OpOperand *> uses;
  kernel.getBody().walk([&](Operation *op) {
    if (op->getNumResults() == 1 && rankOf(op->getResult(0)) != 0 && isOneNumber(op) &&
        !op->use_empty())
      for (OpOperand &use : llvm::drop_begin(op->getResult(0).getUses()))
        uses.push_back(&use);
  });
  for (OpOperand *use : uses) {
    OpBuilder builder(use->get().getDefiningOp());
    use->set(builder.clone(*use->get().getDefiningOp())->getResult(0));
  }
}
