//===- PieceWriter.cpp - Loops over pieces of blocks ---------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// A loop over 10 numbers in pieces of 4 that adds them up:
//
//   sums = x[0 .. 3]                    the first piece, since there is a reduction
//   for i in 1 .. 1: sums += x[4 i ..]  whole pieces
//   total = reduce(sums) + reduce(x[8 .. 9])

#include "PiecePlan.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

using namespace mlir;
using namespace fsm;

//===----------------------------------------------------------------------===//
// Combinations of blocks
//===----------------------------------------------------------------------===//

/// What combines integers, in the order of ReduceKind.
static constexpr arith::AtomicRMWKind kOfIntegers[] = {
    arith::AtomicRMWKind::addi, arith::AtomicRMWKind::muli, arith::AtomicRMWKind::maxs,
    arith::AtomicRMWKind::mins, arith::AtomicRMWKind::maxu, arith::AtomicRMWKind::minu,
    arith::AtomicRMWKind::andi, arith::AtomicRMWKind::ori,  arith::AtomicRMWKind::xori};
static_assert(std::size(kOfIntegers) == getMaxEnumValForReduceKind() + 1);

static Value combine(ImplicitLocOpBuilder &builder, ReduceKind kind, bool propagateNan, Value left,
                     Value right) {
  if (!isa<FloatType>(elementTypeOf(left.getType())))
    return arith::getReductionOp(kOfIntegers[static_cast<size_t>(kind)], builder, builder.getLoc(),
                                 left, right);
  if (kind == ReduceKind::Sum)
    return arith::AddFOp::create(builder, left, right);
  if (kind == ReduceKind::Prod)
    return arith::MulFOp::create(builder, left, right);
  if (kind == ReduceKind::Max)
    return propagateNan ? arith::MaximumFOp::create(builder, left, right).getResult()
                        : arith::MaxNumFOp::create(builder, left, right).getResult();
  return propagateNan ? arith::MinimumFOp::create(builder, left, right).getResult()
                      : arith::MinNumFOp::create(builder, left, right).getResult();
}

/// What a region of scalars makes of blocks, element by element.
static SmallVector<Value> combine(ImplicitLocOpBuilder &builder, Block &body, ValueRange left,
                                  ValueRange right) {
  IRMapping mapping;
  SmallVector<Value> both(left);
  llvm::append_range(both, right);
  for (auto [argument, value] : llvm::zip_equal(body.getArguments(), both))
    mapping.map(argument, value);
  Type shape = left.front().getType();
  for (Operation &op : body.without_terminator()) {
    Operation *copy = builder.clone(op, mapping);
    for (Value result : copy->getResults())
      result.setType(withElementType(shape, result.getType()));
    auto constant = dyn_cast<arith::ConstantOp>(copy);
    auto block = dyn_cast<RankedTensorType>(shape);
    if (constant && block)
      constant.setValueAttr(DenseElementsAttr::get(cast<RankedTensorType>(constant.getType()),
                                                   cast<arith::ConstantOp>(op).getValue()));
  }
  return llvm::map_to_vector(body.getTerminator()->getOperands(),
                             [&](Value value) { return mapping.lookupOrDefault(value); });
}

static SmallVector<Value> combine(ImplicitLocOpBuilder &builder, AlongAxis op, ValueRange left,
                                  ValueRange right) {
  if (std::optional<ReduceKind> kind = op.knownKind())
    return {combine(builder, *kind, op.getPropagateNan(), left[0], right[0])};
  return combine(builder, op->getRegion(0).front(), left, right);
}

/// Half formats that a kind combines are rounded once.
static SmallVector<Value> widened(ImplicitLocOpBuilder &builder, AlongAxis op, ValueRange values) {
  SmallVector<Value> wide(values);
  for (Value &value : wide) {
    Type element = elementTypeOf(value.getType());
    Type to = accumulatorType(element, op.knownKind().has_value());
    if (element != to)
      value = arith::ExtFOp::create(builder, withElementType(value.getType(), to), value);
  }
  return wide;
}

static SmallVector<Value> narrowed(ImplicitLocOpBuilder &builder, Operation *op,
                                   ValueRange values) {
  SmallVector<Value> narrow(values);
  for (auto [value, result] : llvm::zip_equal(narrow, op->getResults()))
    if (value.getType() != result.getType())
      value = arith::TruncFOp::create(builder, result.getType(), value);
  return narrow;
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

namespace {
/// What the reductions of a loop have, in their order, one list for each.
using Partials = SmallVector<SmallVector<Value>>;

/// Writes one loop behind its last root.
class LoopWriter {
public:
  LoopWriter(const PieceLoop &loop, int64_t piece)
      : loop(loop), piece(piece), builder(loop.roots.back()->getLoc(), loop.roots.back()) {
    for (Operation *root : loop.roots)
      if (auto along = dyn_cast<AlongAxis>(root))
        reductions.push_back(along);
  }

  void write();

private:
  Type pieceOf(Type type, int64_t extent) const;
  Partials writePiece(Value first, int64_t extent);
  Partials writeLoop(int64_t begin, int64_t end, const Partials &partials);
  void writeOp(Operation *op, Value first, int64_t extent, IRMapping &pieces, Partials &partials);
  Partials combined(const Partials &left, const Partials &right);
  Partials reduced(const Partials &partials);
  Value i32(int64_t number) {
    auto value = builder.getI32IntegerAttr(static_cast<int32_t>(number));
    return arith::ConstantOp::create(builder, value);
  }

  const PieceLoop &loop;
  int64_t piece;
  ImplicitLocOpBuilder builder;
  SmallVector<AlongAxis> reductions;
};
} // namespace

Type LoopWriter::pieceOf(Type type, int64_t extent) const {
  std::optional<unsigned> dim = longDim(type, piece);
  if (!dim)
    return type;
  SmallVector<int64_t> shape(shapeOf(type));
  shape[*dim] = extent;
  return RankedTensorType::get(shape, elementTypeOf(type));
}

void LoopWriter::writeOp(Operation *op, Value first, int64_t extent, IRMapping &pieces,
                         Partials &partials) {
  builder.setLoc(op->getLoc());
  if (auto range = dyn_cast<RangeOp>(op)) {
    int64_t start = range.getStart();
    auto type = cast<RankedTensorType>(pieceOf(range.getType(), extent));
    Value own = RangeOp::create(builder, type, static_cast<uint32_t>(start),
                                static_cast<uint32_t>(start + extent));
    Value moved = SplatOp::create(builder, type, first);
    pieces.map(range.getResult(), arith::AddIOp::create(builder, moved, own));
    return;
  }
  // What it says of a block need not hold of a piece.
  if (auto hint = dyn_cast<HintOp>(op))
    return pieces.map(hint.getResult(), pieces.lookup(hint.getValue()));
  if (auto along = dyn_cast<AlongAxis>(op); along && llvm::is_contained(loop.roots, op)) {
    auto operands = llvm::map_to_vector(op->getOperands(),
                                        [&](Value value) { return pieces.lookup(value); });
    partials.push_back(widened(builder, along, operands));
    return;
  }
  Operation *copy = builder.clone(*op, pieces);
  for (auto [result, original] : llvm::zip_equal(copy->getResults(), op->getResults()))
    result.setType(pieceOf(original.getType(), extent));
  if (auto constant = dyn_cast<arith::ConstantOp>(copy)) {
    auto splat = cast<SplatElementsAttr>(constant.getValue());
    constant.setValueAttr(splat.resizeSplat(cast<RankedTensorType>(constant.getType())));
  }
}

/// The roots' work on the elements from `first` on.
Partials LoopWriter::writePiece(Value first, int64_t extent) {
  IRMapping pieces;
  Partials partials;
  for (Operation *op : loop.ops)
    writeOp(op, first, extent, pieces, partials);
  builder.setLoc(loop.roots.back()->getLoc());
  return partials;
}

Partials LoopWriter::combined(const Partials &left, const Partials &right) {
  Partials both;
  for (auto [reduction, one, other] : llvm::zip_equal(reductions, left, right))
    both.push_back(combine(builder, reduction, one, other));
  return both;
}

/// The reductions of what there is of each, in the type in which it is combined.
Partials LoopWriter::reduced(const Partials &partials) {
  Partials results;
  for (auto [reduction, blocks] : llvm::zip_equal(reductions, partials)) {
    IRMapping mapping;
    mapping.map(reduction->getOperands(), blocks);
    Operation *copy = builder.clone(*reduction, mapping);
    for (auto [result, block] : llvm::zip_equal(copy->getResults(), blocks))
      result.setType(withElementType(result.getType(), elementTypeOf(block.getType())));
    results.push_back(llvm::to_vector_of<Value>(copy->getResults()));
  }
  return results;
}

/// Cuts a list into as many values for each reduction as `like` has.
static Partials listsOf(ValueRange values, const Partials &like) {
  Partials lists;
  for (const SmallVector<Value> &blocks : like) {
    lists.push_back(llvm::to_vector_of<Value>(values.take_front(blocks.size())));
    values = values.drop_front(blocks.size());
  }
  return lists;
}

static SmallVector<Value> listOf(const Partials &lists) {
  SmallVector<Value> values;
  for (const SmallVector<Value> &blocks : lists)
    values.append(blocks);
  return values;
}

/// The pieces from `begin` to `end`, which are added to what there is.
Partials LoopWriter::writeLoop(int64_t begin, int64_t end, const Partials &partials) {
  SmallVector<Value> carried = listOf(partials);
  auto walk = scf::ForOp::create(builder, i32(begin), i32(end), i32(1), carried);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(walk.getBody());
  Value first = arith::MulIOp::create(builder, walk.getInductionVar(), i32(piece));
  Partials next = writePiece(first, piece);
  Partials sums = combined(listsOf(walk.getRegionIterArgs(), partials), next);
  // Of a loop that carries nothing the yield is there already.
  if (!carried.empty())
    scf::YieldOp::create(builder, listOf(sums));
  return listsOf(walk.getResults(), partials);
}

void LoopWriter::write() {
  int64_t whole = loop.extent / piece, rest = loop.extent % piece, begin = 0;
  Partials partials;
  if (!reductions.empty()) {
    partials = writePiece(i32(0), piece);
    begin = int64_t(1);
  }
  if (whole > begin)
    partials = writeLoop(begin, whole, partials);
  Partials results = reduced(partials);
  if (rest > 0) {
    Partials last = reduced(writePiece(i32(whole * piece), rest));
    results = combined(results, last);
  }
  for (auto [reduction, values] : llvm::zip_equal(reductions, results))
    reduction->replaceAllUsesWith(narrowed(builder, reduction, values));
}

void fsm::writePieces(KernelOp kernel, const PiecePlan &plan, int64_t piece) {
  for (const PieceLoop &loop : plan.loops()) {
    LoopWriter(loop, piece).write();
    Operation *last = loop.roots.back();
    for (Operation *op : loop.behind) {
      op->moveAfter(last);
      last = op;
    }
  }
  for (const PieceLoop &loop : plan.loops())
    for (Operation *root : loop.roots)
      root->erase();
  // What computed long blocks has users no more, the last of them first.
  SmallVector<Operation *> ops;
  kernel.getBody().walk<WalkOrder::PreOrder>([&](Operation *op) { ops.push_back(op); });
  auto isLong = [&](Value value) { return longDim(value.getType(), piece).has_value(); };
  for (Operation *op : llvm::reverse(ops))
    if (op->use_empty() && llvm::any_of(op->getResults(), isLong))
      op->erase();
}
