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
//
// One that stores the sum of each number and all before it:
//
//   out[0 .. 3] = scan(x[0 .. 3]), sum = reduce(x[0 .. 3])
//   for i in 1 .. 1: out[4 i ..] = sum + scan(x[4 i ..]), sum += reduce(x[4 i ..])
//   out[8 .. 9] = sum + scan(x[8 .. 9])
//
// In reverse the short piece is the first, and the others follow from the last on. Where a reverse
// scan is needed in a loop that goes forward, another loop in front of it has noted what each piece
// combines to:
//
//   sums = (reduce(x[0 .. 3]), reduce(x[4 .. 7]), reduce(x[8 .. 9])), ahead = reverse scan(sums)
//   for i in 0 .. 1: out[4 i ..] = ahead[i + 1] + reverse scan(x[4 i ..])
//   out[8 .. 9] = reverse scan(x[8 .. 9])

#include "Partials.h"
#include "PiecePlan.h"

#include "../Expand/BlockWriter.h"

#include "fsm/Analysis/TupleOrder.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

using namespace mlir;
using namespace fsm;

//===----------------------------------------------------------------------===//
// Combinations of blocks
//===----------------------------------------------------------------------===//

/// What a region of scalars makes of blocks, element by element, where the order says what some
/// comparisons do.
static SmallVector<Value> combine(ImplicitLocOpBuilder &builder, Block &body, ValueRange left,
                                  ValueRange right, ArrayRef<OrderedCompare> ordered) {
  IRMapping mapping;
  SmallVector<Value> both(left);
  llvm::append_range(both, right);
  for (auto [argument, value] : llvm::zip_equal(body.getArguments(), both))
    mapping.map(argument, value);
  Type shape = left.front().getType();
  for (OrderedCompare known : ordered) {
    Type truth = withElementType(shape, builder.getI1Type());
    TypedAttr holds = builder.getBoolAttr(known.holds);
    if (auto block = dyn_cast<RankedTensorType>(truth))
      holds = DenseElementsAttr::get(block, known.holds);
    mapping.map(known.compare.getResult(), arith::ConstantOp::create(builder, holds));
  }
  for (Operation &op : body.without_terminator()) {
    if (op.getNumResults() == 1 && mapping.contains(op.getResult(0)))
      continue;
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
                                  ValueRange right, ArrayRef<OrderedCompare> ordered = {}) {
  if (std::optional<ReduceKind> kind = op.knownKind())
    return {combine(builder, *kind, op.getPropagateNan(), left[0], right[0])};
  return combine(builder, op->getRegion(0).front(), left, right, ordered);
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

namespace {
/// What the reductions of a loop have, or its scans, in their order, one list for each.
using Partials = SmallVector<SmallVector<Value>>;

/// What a scan makes, in its direction, of the combinations of all pieces, by the block of ops that
/// has the loop.
using Ahead = llvm::DenseMap<std::pair<Block *, Operation *>, SmallVector<Value>>;

/// Writes one loop in front of its place.
class LoopWriter {
public:
  LoopWriter(const PieceLoop &loop, const PieceDims &dims, Ahead &ahead)
      : loop(loop), dims(dims), piece(dims.piece()), isReverse(loop.isReverse.value_or(false)), builder(loop.place()),
        ahead(ahead) {
    builder.setLoc(loop.roots.back()->getLoc());
    for (Operation *root : loop.roots)
      if (auto along = dyn_cast<AlongAxis>(root); along && !loop.ahead)
        reductions.push_back(along);
    findOrder();
  }

  void write();

private:
  void findOrder();
  Type pieceOf(Value block, int64_t extent) const;
  Partials writePiece(Value first, int64_t extent);
  Partials writeLoop(int64_t begin, int64_t end, const Partials &partials);
  void writeOp(Operation *op, Value first, int64_t extent, IRMapping &pieces, Partials &partials);
  SmallVector<Value> writeScan(AlongAxis scan, ValueRange wide);
  SmallVector<Value> before(AlongAxis scan, ArrayRef<int64_t> shape);
  SmallVector<Value> alone(AlongAxis scan, ValueRange wide);
  SmallVector<Value> spread(AlongAxis scan, ValueRange values, ArrayRef<int64_t> shape);
  SmallVector<Value> totals(AlongAxis scan, ValueRange wide, ValueRange results);
  SmallVector<Value> lastOf(AlongAxis scan, ValueRange results);
  void note(AlongAxis scan, ValueRange wide);
  Partials combined(const Partials &left, const Partials &right);
  Partials reduced(const Partials &partials);
  Value i32(int64_t number) {
    auto value = builder.getI32IntegerAttr(static_cast<int32_t>(number));
    return arith::ConstantOp::create(builder, value);
  }

  const PieceLoop &loop;
  const PieceDims &dims;
  int64_t piece;
  bool isReverse;
  BlockWriter builder;
  SmallVector<AlongAxis> reductions;
  /// Of each reduction the comparisons that earlier pieces on the left decide.
  SmallVector<SmallVector<OrderedCompare>> orders;
  Ahead &ahead;
  /// Of each scan what all pieces that it has been at combine to; of none before the first piece.
  /// Of the root of a loop that others need, what each piece combines to.
  llvm::MapVector<Operation *, SmallVector<Value>> carries;
  /// Which piece is written; none behind the last of the loop.
  Value number;
};
} // namespace

/// Backwards, earlier pieces come on the right.
void LoopWriter::findOrder() {
  AffineOffsets forms;
  for (AlongAxis reduction : reductions) {
    auto tuples = dyn_cast<ReduceWithOp>(reduction.getOperation());
    bool isForward = tuples && !isReverse;
    orders.push_back(isForward ? orderedCompares(tuples, forms) : SmallVector<OrderedCompare>());
  }
}

Type LoopWriter::pieceOf(Value block, int64_t extent) const {
  std::optional<unsigned> dim = dims.of(block);
  if (!dim)
    return block.getType();
  SmallVector<int64_t> shape(shapeOf(block.getType()));
  shape[*dim] = extent;
  return RankedTensorType::get(shape, elementTypeOf(block.getType()));
}

void LoopWriter::writeOp(Operation *op, Value first, int64_t extent, IRMapping &pieces,
                         Partials &partials) {
  builder.setLoc(op->getLoc());
  if (auto range = dyn_cast<RangeOp>(op)) {
    int64_t start = range.getStart();
    auto type = cast<RankedTensorType>(pieceOf(range.getResult(), extent));
    Value own = RangeOp::create(builder, type, static_cast<uint32_t>(start),
                                static_cast<uint32_t>(start + extent));
    Value moved = SplatOp::create(builder, type, first);
    pieces.map(range.getResult(), arith::AddIOp::create(builder, moved, own, kNoWrap));
    return;
  }
  // What it says of a block need not hold of a piece.
  if (auto hint = dyn_cast<HintOp>(op))
    return pieces.map(hint.getResult(), pieces.lookup(hint.getValue()));
  if (dims.isAcross(op)) {
    auto along = cast<AlongAxis>(op);
    auto operands =
        llvm::map_to_vector(op->getOperands(), [&](Value value) { return pieces.lookup(value); });
    SmallVector<Value> wide = widened(builder, along, operands);
    if (!llvm::is_contained(loop.roots, op))
      return pieces.map(op->getResults(), writeScan(along, wide));
    return loop.ahead ? note(along, wide) : partials.push_back(wide);
  }
  Operation *copy = builder.clone(*op, pieces);
  for (auto [result, original] : llvm::zip_equal(copy->getResults(), op->getResults()))
    result.setType(pieceOf(original, extent));
  if (auto constant = dyn_cast<arith::ConstantOp>(copy)) {
    auto splat = cast<SplatElementsAttr>(constant.getValue());
    constant.setValueAttr(splat.resizeSplat(cast<RankedTensorType>(constant.getType())));
  }
}

/// A reduction or scan of other blocks: what was one block for several operands need not be one now.
static Operation *cloneOf(OpBuilder &builder, Operation *op, ValueRange blocks) {
  Operation *copy = builder.clone(*op);
  copy->setOperands(blocks);
  return copy;
}

/// The scan of a piece as if there was no other.
SmallVector<Value> LoopWriter::alone(AlongAxis scan, ValueRange wide) {
  Operation *own = cloneOf(builder, scan, wide);
  for (auto [result, block] : llvm::zip_equal(own->getResults(), wide))
    result.setType(block.getType());
  return llvm::to_vector_of<Value>(own->getResults());
}

/// Values without the dimension of a scan, repeated along it.
SmallVector<Value> LoopWriter::spread(AlongAxis scan, ValueRange values, ArrayRef<int64_t> shape) {
  SmallVector<int32_t> others;
  for (int32_t dim = 0; dim < static_cast<int32_t>(shape.size()); ++dim)
    if (dim != static_cast<int32_t>(scan.getAxis()))
      others.push_back(dim);
  return llvm::map_to_vector(values, [&](Value value) {
    return others.empty() ? builder.splat(value, shape) : builder.spread(value, others, shape);
  });
}

/// What all that comes before the piece combines to, in each place of it; nothing where nothing
/// does.
SmallVector<Value> LoopWriter::before(AlongAxis scan, ArrayRef<int64_t> shape) {
  if (scan.getReverse() == isReverse)
    return spread(scan, carries.lookup(scan), shape);
  SmallVector<Value> values;
  if (!number)
    return values;
  Value next = arith::AddIOp::create(builder, number, i32(1));
  SmallVector<int64_t> one(shape);
  one[scan.getAxis()] = 1;
  Value index = builder.splat(next, one);
  for (Value block : ahead.at({loop.place()->getBlock(), scan})) {
    auto type = RankedTensorType::get(one, elementTypeOf(block.getType()));
    Value found = GatherOp::create(builder, type, block, index, scan.getAxis());
    values.push_back(BroadcastOp::create(builder, type.clone(shape), found));
  }
  return values;
}

/// A scan of a piece, behind what comes before.
SmallVector<Value> LoopWriter::writeScan(AlongAxis scan, ValueRange wide) {
  SmallVector<Value> results = alone(scan, wide);
  SmallVector<Value> earlier = before(scan, shapeOf(wide.front().getType()));
  if (!earlier.empty())
    results = combine(builder, scan, earlier, results);
  if (scan.getReverse() == isReverse) {
    SmallVector<Value> sums = totals(scan, wide, results), &carry = carries[scan];
    // The kinds' next piece waits for no scan.
    if (!carry.empty() && scan.knownKind().has_value())
      sums = combine(builder, scan, carry, sums);
    carry = sums;
  }
  return narrowed(builder, scan, results);
}

/// What a piece combines to, of which a scan with a region has these results.
SmallVector<Value> LoopWriter::totals(AlongAxis scan, ValueRange wide, ValueRange results) {
  std::optional<ReduceKind> kind = scan.knownKind();
  if (!kind)
    return lastOf(scan, results);
  Type block = wide.front().getType(), one = elementTypeOf(block);
  SmallVector<int64_t> rest(shapeOf(block));
  rest.erase(rest.begin() + scan.getAxis());
  return {ReduceOp::create(builder, rest.empty() ? one : RankedTensorType::get(rest, one), *kind,
                           wide.front(), scan.getAxis(), scan.getPropagateNan(),
                           /*exchangeCount=*/0)};
}

/// Notes what the piece combines to beside what the others do.
void LoopWriter::note(AlongAxis scan, ValueRange wide) {
  SmallVector<int64_t> shape(shapeOf(wide.front().getType()));
  SmallVector<Value> sums =
      totals(scan, wide, scan.knownKind() ? SmallVector<Value>() : alone(scan, wide));
  int64_t pieces = llvm::divideCeil(loop.extent, piece);
  shape[scan.getAxis()] = pieces;
  SmallVector<Value> blocks = spread(scan, sums, shape), &noted = carries[scan];
  if (!noted.empty()) {
    Value own = builder.splat(number ? number : i32(pieces - 1), shape);
    Value isOwn = arith::CmpIOp::create(builder, arith::CmpIPredicate::eq,
                                        builder.coordinates(shape, scan.getAxis()), own);
    for (auto [block, old] : llvm::zip_equal(blocks, noted))
      block = arith::SelectOp::create(builder, isOwn, block, old);
  }
  noted = blocks;
}

/// What the last place of a scan has, in its direction. Its region need not commute, as that of a
/// reduction: one that takes the tuple of the greatest index does.
SmallVector<Value> LoopWriter::lastOf(AlongAxis scan, ValueRange results) {
  SmallVector<int64_t> shape(shapeOf(results.front().getType())), rest = shape;
  rest.erase(rest.begin() + scan.getAxis());
  SmallVector<Value> sources(results);
  sources.push_back(builder.coordinates(shape, scan.getAxis()));
  SmallVector<Type> elements, types;
  for (Value source : sources) {
    elements.push_back(elementTypeOf(source.getType()));
    types.push_back(rest.empty() ? elements.back() : RankedTensorType::get(rest, elements.back()));
  }
  auto pick = ReduceWithOp::create(builder, types, sources, scan.getAxis(), /*exchangeCount=*/0);
  OpBuilder::InsertionGuard guard(builder);
  Block &body = pick.getCombiner().emplaceBlock();
  for (Type type : llvm::concat<Type>(elements, elements))
    body.addArgument(type, scan->getLoc());
  builder.setInsertionPointToStart(&body);
  auto left = body.getArguments().take_front(elements.size());
  auto right = body.getArguments().drop_front(elements.size());
  auto order = scan.getReverse() ? arith::CmpIPredicate::slt : arith::CmpIPredicate::sgt;
  Value isLeft = arith::CmpIOp::create(builder, order, left.back(), right.back());
  SmallVector<Value> picked;
  for (auto [one, other] : llvm::zip_equal(left, right))
    picked.push_back(arith::SelectOp::create(builder, isLeft, one, other));
  YieldOp::create(builder, picked);
  return llvm::to_vector_of<Value>(pick.getResults().drop_back());
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
  for (auto [reduction, order, one, other] : llvm::zip_equal(reductions, orders, left, right))
    both.push_back(combine(builder, reduction, one, other, order));
  return both;
}

/// The reductions of what there is of each, in the type in which it is combined.
Partials LoopWriter::reduced(const Partials &partials) {
  Partials results;
  for (auto [reduction, blocks] : llvm::zip_equal(reductions, partials)) {
    Operation *copy = cloneOf(builder, reduction, blocks);
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

/// The pieces from `begin` to `end` on the way, which are added to what there is.
Partials LoopWriter::writeLoop(int64_t begin, int64_t end, const Partials &partials) {
  Partials before = llvm::map_to_vector(carries, [](auto &carry) { return carry.second; });
  SmallVector<Value> carried = listOf(partials), more = listOf(before);
  size_t sums = carried.size();
  carried.append(more);
  auto walk = scf::ForOp::create(builder, i32(begin), i32(end), i32(1), carried);
  auto carry = [&](ValueRange values) {
    for (auto [entry, list] : llvm::zip_equal(carries, listsOf(values, before)))
      entry.second = list;
  };
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(walk.getBody());
    carry(walk.getRegionIterArgs().drop_front(sums));
    number = walk.getInductionVar();
    if (isReverse)
      number = arith::SubIOp::create(builder, i32(end - 1), number, kNoWrap);
    Partials next = writePiece(arith::MulIOp::create(builder, number, i32(piece), kNoWrap), piece);
    SmallVector<Value> yielded =
        listOf(combined(listsOf(walk.getRegionIterArgs(), partials), next));
    for (auto &[scan, values] : carries)
      yielded.append(values);
    // Of a loop that carries nothing the yield is there already.
    if (!yielded.empty())
      scf::YieldOp::create(builder, yielded);
  }
  carry(walk.getResults().drop_front(sums));
  return listsOf(walk.getResults(), partials);
}

void LoopWriter::write() {
  // Where a scan goes the other way, the last piece, which has none ahead, is none of the loop's.
  int64_t whole = (loop.extent - loop.isOpposed) / piece, rest = loop.extent - whole * piece;
  int64_t begin = 0;
  bool hasRest = rest > 0;
  Partials partials, last;
  auto writeRest = [&]() {
    number = Value();
    last = reduced(writePiece(i32(whole * piece), rest));
  };
  if (hasRest && isReverse)
    writeRest();
  if (!reductions.empty() || (loop.isReverse && carries.empty())) {
    number = i32(isReverse ? whole - 1 : 0);
    partials = writePiece(i32(isReverse ? (whole - 1) * piece : 0), piece);
    begin = int64_t(1);
  }
  if (whole > begin)
    partials = writeLoop(begin, whole, partials);
  Partials results = reduced(partials);
  if (hasRest && !isReverse)
    writeRest();
  if (hasRest)
    results = combined(results, last);
  for (auto [reduction, values] : llvm::zip_equal(reductions, results))
    reduction->replaceAllUsesWith(narrowed(builder, reduction, values));
  if (loop.ahead) {
    Operation *scan = loop.roots.front();
    ahead[{loop.place()->getBlock(), scan}] = alone(cast<AlongAxis>(scan), carries[scan]);
  }
}

void fsm::writePieces(KernelOp kernel, const PiecePlan &plan) {
  Ahead ahead;
  for (const PieceLoop &loop : plan.loops()) {
    LoopWriter(loop, plan.dims(), ahead).write();
    Operation *last = loop.roots.back();
    for (Operation *op : loop.behind) {
      op->moveAfter(last);
      last = op;
    }
  }
  for (const PieceLoop &loop : plan.loops())
    for (Operation *root : loop.roots)
      if (!loop.ahead)
        root->erase();
  // What computed long blocks has users no more, the last of them first.
  SmallVector<Operation *> ops;
  kernel.getBody().walk<WalkOrder::PreOrder>([&](Operation *op) { ops.push_back(op); });
  auto isLong = [&](Value value) { return plan.dims().isLong(value); };
  for (Operation *op : llvm::reverse(ops))
    if (op->use_empty() && llvm::any_of(op->getResults(), isLong))
      op->erase();
}
