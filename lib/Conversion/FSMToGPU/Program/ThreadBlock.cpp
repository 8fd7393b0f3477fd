//===- ThreadBlock.cpp - A thread's share of a block ---------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ThreadBlock.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace fsm;
using namespace fsm::gpu;

ThreadBlock::ThreadBlock(DeviceProgram &program, Location loc, RankedTensorType type)
    : program(program), loc(loc), type(type), linear(linearLayoutOf(type)),
      live(linear.liveRegisters()), threadParts(type.getRank()) {
  for (auto [index, reg] : llvm::enumerate(live))
    positions[reg] = static_cast<int64_t>(index);
}

static SmallVector<uint64_t> alongDim(const LinearLayout &layout, Dim holder, unsigned dim) {
  SmallVector<uint64_t> bases;
  for (uint64_t base : layout.basesOf(holder))
    bases.push_back(layout.to().get(base, blockDim(dim)));
  return bases;
}

Value ThreadBlock::threadPart(unsigned dim) {
  if (!threadParts[dim])
    threadParts[dim] =
        program.linear(loc, alongDim(linear, Dim::Lane, dim), alongDim(linear, Dim::Warp, dim));
  return threadParts[dim];
}

uint64_t ThreadBlock::registerPart(unsigned dim, uint64_t reg) const {
  return linear.to().get(linear.apply(reg, 0, 0), blockDim(dim));
}

uint64_t ThreadBlock::threadBits(unsigned dim) const {
  uint64_t bits = 0;
  for (Dim holder : {Dim::Lane, Dim::Warp})
    for (uint64_t base : alongDim(linear, holder, dim))
      bits |= base;
  return bits;
}

/// Exclusive or; a sum that cannot wrap where no bit meets another, for a sum is what
/// address arithmetic can take apart.
Value ThreadBlock::combine(Value thread, Value constant, bool isDisjoint) {
  OpBuilder &builder = program.builder;
  if (!isDisjoint)
    return arith::XOrIOp::create(builder, loc, thread, constant);
  auto flags = arith::IntegerOverflowFlags::nsw | arith::IntegerOverflowFlags::nuw;
  return arith::AddIOp::create(builder, loc, thread, constant, flags);
}

Value ThreadBlock::coordinate(unsigned dim, uint64_t reg) {
  uint64_t part = registerPart(dim, reg);
  if (!part)
    return threadPart(dim);
  Value constant = program.i32(loc, static_cast<int64_t>(part));
  return combine(threadPart(dim), constant, (part & threadBits(dim)) == 0);
}

std::optional<SmallVector<int64_t>> ThreadBlock::disjointParts(unsigned dim) const {
  SmallVector<int64_t> parts;
  uint64_t bits = threadBits(dim);
  for (uint64_t reg : live) {
    uint64_t part = registerPart(dim, reg);
    if (part & bits)
      return std::nullopt;
    parts.push_back(static_cast<int64_t>(part));
  }
  return parts;
}

Value ThreadBlock::coordinates(unsigned dim) {
  SmallVector<int32_t> parts;
  for (uint64_t reg : live)
    parts.push_back(static_cast<int32_t>(registerPart(dim, reg)));
  OpBuilder &builder = program.builder;
  auto vector = VectorType::get({static_cast<int64_t>(live.size())}, builder.getI32Type());
  Value constant =
      arith::ConstantOp::create(builder, loc, DenseElementsAttr::get(vector, ArrayRef(parts)));
  Value thread = vector::BroadcastOp::create(builder, loc, vector, threadPart(dim));
  return combine(thread, constant, disjointParts(dim).has_value());
}

Value ThreadBlock::rowMajor(uint64_t reg) {
  OpBuilder &builder = program.builder;
  Value number;
  for (unsigned dim = 0; dim < type.getRank(); ++dim) {
    Value at = coordinate(dim, reg);
    if (number) {
      Value extent = program.i32(loc, type.getDimSize(dim));
      at = arith::AddIOp::create(builder, loc, arith::MulIOp::create(builder, loc, number, extent),
                                 at);
    }
    number = at;
  }
  return number;
}

Value ThreadBlock::isInside(uint64_t reg) {
  OpBuilder &builder = program.builder;
  Value inside;
  for (unsigned dim = 0; dim < type.getRank(); ++dim) {
    uint64_t most = registerPart(dim, reg) | threadBits(dim);
    if (most < static_cast<uint64_t>(type.getDimSize(dim)))
      continue;
    Value extent = program.i32(loc, type.getDimSize(dim));
    Value below = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult,
                                        coordinate(dim, reg), extent);
    inside = inside ? arith::AndIOp::create(builder, loc, inside, below).getResult() : below;
  }
  return inside;
}

//===----------------------------------------------------------------------===//
// Shape ops
//===----------------------------------------------------------------------===//

/// The packed position of the source's element that a shape op puts at `position`.
static uint64_t sourcePosition(Operation *op, const BitSpace &source, const BitSpace &result,
                               uint64_t position) {
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
  for (Dim holder : {Dim::Lane, Dim::Warp}) {
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

std::optional<SmallVector<int64_t>> fsm::gpu::sourceRegisters(Operation *op) {
  LinearLayout from = layoutOfBlock(op->getOperand(0)), to = layoutOfBlock(op->getResult(0));
  auto mapped = [&](uint64_t position) { return sourcePosition(op, from.to(), to.to(), position); };
  return registersAt(from, to, mapped, mapped);
}

static void reportMove(Operation *op) {
  op->emitError() << "expected layouts of source and result between which no element moves";
}

Value fsm::gpu::renameRegisters(DeviceProgram &program, Operation *op, Value block) {
  std::optional<SmallVector<int64_t>> sources = sourceRegisters(op);
  if (!sources) {
    reportMove(op);
    return {};
  }
  int64_t held = cast<VectorType>(block.getType()).getNumElements();
  if (llvm::equal(*sources, llvm::seq<int64_t>(0, held)))
    return block;
  return vector::ShuffleOp::create(program.builder, op->getLoc(), block, block, *sources);
}

//===----------------------------------------------------------------------===//
// Pairs
//===----------------------------------------------------------------------===//

// The last dimension of a block of pairs is the lowest bit of a packed position.

Value fsm::gpu::joinRegisters(DeviceProgram &program, JoinOp op, Value left, Value right) {
  LinearLayout part = layoutOfBlock(op.getLeft()), pairs = layoutOfBlock(op.getResult());
  auto mapped = [](uint64_t position) { return position >> 1; };
  // A lane or a warp that tells the two apart is no part's.
  auto ofThread = [](uint64_t base) { return base & 1 ? ~uint64_t(0) : base >> 1; };
  std::optional<SmallVector<int64_t>> sources = registersAt(part, pairs, mapped, ofThread);
  if (!sources) {
    reportMove(op);
    return {};
  }
  int64_t held = cast<VectorType>(left.getType()).getNumElements();
  for (auto [source, reg] : llvm::zip_equal(*sources, pairs.liveRegisters()))
    if (pairs.apply(reg, 0, 0) & 1)
      source += held;
  return vector::ShuffleOp::create(program.builder, op.getLoc(), left, right, *sources);
}

LogicalResult fsm::gpu::splitRegisters(DeviceProgram &program, SplitOp op, IRMapping &values) {
  LinearLayout pairs = layoutOfBlock(op.getSource()), part = layoutOfBlock(op.getLeft());
  Value source = values.lookup(op.getSource());
  for (auto [which, result] : llvm::enumerate(op.getResults())) {
    auto mapped = [which = which](uint64_t position) { return position << 1 | which; };
    auto ofThread = [](uint64_t base) { return base << 1; };
    std::optional<SmallVector<int64_t>> sources = registersAt(pairs, part, mapped, ofThread);
    if (!sources) {
      reportMove(op);
      return failure();
    }
    values.map(result,
               vector::ShuffleOp::create(program.builder, op.getLoc(), source, source, *sources));
  }
  return success();
}
