//===- RenameRegisters.cpp - Shapes that move no element -----------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ThreadLowering.h"

#include "../Memory/Access.h"

#include "fsm/Analysis/ScratchSize.h"
#include "fsm/IR/Origins.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace fsm;
using namespace fsm::gpu;

//===----------------------------------------------------------------------===//
// Shape ops
//===----------------------------------------------------------------------===//

/// The packed position of the source's element that a shape op puts at `position`.
static uint64_t sourcePosition(Operation *op, const BitSpace &source, const BitSpace &result,
                               uint64_t position) {
  // Source and result number their elements alike.
  if (isa<ReshapeOp>(op))
    return position;
  uint64_t packed = 0;
  if (auto transpose = dyn_cast<TransposeOp>(op)) {
    for (auto [dim, from] : llvm::enumerate(transpose.getOrder()))
      packed |= source.place(blockDim(static_cast<unsigned>(from)),
                             result.get(position, blockDim(static_cast<unsigned>(dim))));
    return packed;
  }
  auto expand = dyn_cast<ExpandDimsOp>(op);
  for (unsigned dim = 0, from = 0; dim < result.axes().size(); ++dim) {
    if (expand && dim == expand.getAxis())
      continue;
    if (source.extentOf(blockDim(from)) > 1)
      packed |= source.place(blockDim(from), result.get(position, blockDim(dim)));
    ++from;
  }
  return packed;
}

/// For each live register of `to`, the place in the vector of `from`'s live registers of the
/// element at the position that `mapped` gives. Nothing when another thread has it: `ofThread`
/// is `mapped` for what a lane or a warp adds.
static std::optional<SmallVector<int64_t>> registersAt(const LinearLayout &from,
                                                       const LinearLayout &to,
                                                       function_ref<uint64_t(uint64_t)> mapped,
                                                       function_ref<uint64_t(uint64_t)> ofThread) {
  for (Dim holder : {Dim::Lane, Dim::Warp, Dim::Cta}) {
    std::vector<uint64_t> moved = to.basesOf(holder);
    llvm::transform(moved, moved.begin(), ofThread);
    if (moved != from.basesOf(holder))
      return std::nullopt;
  }
  llvm::DenseMap<uint64_t, int64_t> held;
  for (auto [index, reg] : llvm::enumerate(from.liveRegisters()))
    held[from.apply(reg, 0, 0)] = static_cast<int64_t>(index);
  SmallVector<int64_t> sources;
  for (uint64_t reg : to.liveRegisters()) {
    auto found = held.find(mapped(to.apply(reg, 0, 0)));
    if (found == held.end())
      return std::nullopt;
    sources.push_back(found->second);
  }
  return sources;
}

static LinearLayout layoutOfBlock(Value block) {
  return linearLayoutOf(cast<RankedTensorType>(block.getType()));
}

/// For each element of the thread's vector of a shape op's result, the element of its source's that
/// it is. Nothing when the layouts do not belong together.
static std::optional<SmallVector<int64_t>> sourceRegisters(Operation *op) {
  if (auto reshape = dyn_cast<ReshapeOp>(op); reshape && !alignedLayouts(reshape))
    return std::nullopt;
  LinearLayout from = layoutOfBlock(op->getOperand(0)), to = layoutOfBlock(op->getResult(0));
  auto mapped = [&](uint64_t position) { return sourcePosition(op, from.to(), to.to(), position); };
  return registersAt(from, to, mapped, mapped);
}

static void reportMove(Operation *op) {
  (void)failWithOperands(
      op->emitError() << "expected layouts of source and result between which no element moves",
      op);
}

/// `block` as the result of such an op has it: other registers of the same thread. Null,
/// with an error at the op, when the layouts do not belong together.
static Value renameRegisters(DeviceProgram &program, Operation *op, Value block) {
  std::optional<SmallVector<int64_t>> sources = sourceRegisters(op);
  if (!sources) {
    reportMove(op);
    return {};
  }
  int64_t held = cast<VectorType>(block.getType()).getNumElements();
  if (llvm::equal(*sources, llvm::seq<int64_t>(0, held)))
    return block;
  return vector::ShuffleOp::create(program.builder, block, block, *sources);
}

//===----------------------------------------------------------------------===//
// Pairs
//===----------------------------------------------------------------------===//

// The last dimension of a block of pairs is the lowest bit of a packed position. A thread has
// both elements of each pair it has one of.

static LogicalResult lower(ThreadLowering &thread, JoinOp op) {
  LinearLayout part = layoutOfBlock(op.getLeft()), pairs = layoutOfBlock(op.getResult());
  auto mapped = [](uint64_t position) { return position >> 1; };
  // A lane or a warp that tells the two apart is no part's.
  auto ofThread = [](uint64_t base) { return base & 1 ? ~uint64_t(0) : base >> 1; };
  std::optional<SmallVector<int64_t>> sources = registersAt(part, pairs, mapped, ofThread);
  if (!sources) {
    reportMove(op);
    return failure();
  }
  Value left = thread.lookup(op.getLeft()), right = thread.lookup(op.getRight());
  int64_t held = cast<VectorType>(left.getType()).getNumElements();
  for (auto [source, reg] : llvm::zip_equal(*sources, pairs.liveRegisters()))
    if (pairs.apply(reg, 0, 0) & 1)
      source += held;
  return thread.setResult(op, vector::ShuffleOp::create(thread.builder, left, right, *sources));
}

static LogicalResult lower(ThreadLowering &thread, SplitOp op) {
  LinearLayout pairs = layoutOfBlock(op.getSource()), parts = layoutOfBlock(op.getLeft());
  Value source = thread.lookup(op.getSource());
  for (auto [which, result] : llvm::enumerate(op.getResults())) {
    auto mapped = [which = which](uint64_t position) { return position << 1 | which; };
    auto ofThread = [](uint64_t base) { return base << 1; };
    std::optional<SmallVector<int64_t>> sources = registersAt(pairs, parts, mapped, ofThread);
    if (!sources) {
      reportMove(op);
      return failure();
    }
    Value part = vector::ShuffleOp::create(thread.builder, source, source, *sources);
    thread.set(result, part);
  }
  return success();
}

static LogicalResult lower(ThreadLowering &thread, RenewOp op) {
  Value source = thread.lookup(op.getSource());
  return thread.setResult(op, op.getHidden() ? hidden(thread.program, source) : unseen(thread.program, source));
}

template <typename ShapeOp>
static LogicalResult lowerShape(ThreadLowering &thread, ShapeOp op) {
  return thread.setResult(op,
                          renameRegisters(thread.program, op, thread.lookup(op->getOperand(0))));
}

void fsm::gpu::addRenameHandlers(HandlerTable &table) {
  addHandler<ExpandDimsOp, lowerShape<ExpandDimsOp>>(table);
  addHandler<BroadcastOp, lowerShape<BroadcastOp>>(table);
  addHandler<TransposeOp, lowerShape<TransposeOp>>(table);
  addHandler<ReshapeOp, lowerShape<ReshapeOp>>(table);
  addHandler<JoinOp, lower>(table);
  addHandler<RenewOp, lower>(table);
  addHandler<SplitOp, lower>(table);
}
