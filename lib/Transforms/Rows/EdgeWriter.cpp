//===- EdgeWriter.cpp - Rows as vectors and edges ------------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// A block of n elements of a row that begins anywhere is split where memory has whole vectors, V
// elements in 16 bytes. With h, how many elements lie in front of the first of these, a body has
// the vectors, and edges have what lies in front of them, and behind:
//
//   memory   |. . . . . 0 1 2|3 4 5 6 7 8 9 10|11 12 13 14 15 16 17 18|19 20 . . .|      V = 8, h =
//   3 body      3 4 ... 18             places 0 .. 15 of all whole vectors that a row can have
//   edges     0 1 2 . . . . . 19 20 . . . . . .     places 0 .. 2 V - 1
//
// What works element by element is done to both, and a reduction combines what it makes of each.
// Elements that a mask leaves out, behind the first n of the block's, are elements all the same:
// whole vectors of them are in the body behind those of memory, others in 2 V more places of the
// edges. Places are left over; they count as nothing where elements are combined.

#include "EdgePlan.h"
#include "Partials.h"

#include "../Expand/BlockWriter.h"

#include "fsm/Analysis/MemoryOrder.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace fsm;

//===----------------------------------------------------------------------===//
// Writing the parts
//===----------------------------------------------------------------------===//

namespace {
/// Places of the body, as many as all threads have in a vector each, or the edges: which have an
/// element of memory, which have one at all, and which.
struct Part {
  int64_t extent = 0, begin = 0;
  /// The places themselves; null for the edges.
  Value places;
  /// Of `exists`: null where all have one.
  Value live, exists, index;
  IRMapping values;
};

class EdgeWriter {
public:
  EdgeWriter(EdgePlan &plan, int64_t threads) : plan(plan), builder(plan.first), threads(threads) {}

  void write();

private:
  void writeScalars();
  Part bodyFrom(int64_t begin, int64_t extent);
  Part edges();
  llvm::SmallDenseSet<Operation *> neededForLoads(ArrayRef<Operation *> run);
  void writeRun(ArrayRef<Operation *> run);
  void writeOp(Operation *op, Part &part);
  void accumulate(ReduceOp op, Part &part, Value &sum);
  void writeReduce(ReduceOp op, Value body, Value edges);
  void writeAccess(GlobalAccess op, Part &part);
  void writeVectors(GlobalAccess op, Part &part);
  Operation *clone(Operation *op, Part &part);
  Operation *cloneAt(GlobalAccess op, Part &part, Value pointer, Value offsets, Value mask);
  void assume(Value pointer);
  Value isWhole(Value address);
  Value addressOf(Value pointer) {
    return PtrToIntOp::create(builder, builder.getI64Type(), pointer);
  }
  Value i32(int64_t number) { return builder.number(builder.getI32Type(), number); }
  /// None of these numbers wraps.
  Value add(Value left, Value right) {
    return arith::AddIOp::create(builder, left, right, kNoWrap);
  }
  Value less(Value left, Value right) {
    return arith::SubIOp::create(builder, left, right, kNoWrap);
  }
  /// So much of a number as whole vectors have.
  Value wholeOf(Value number) { return arith::AndIOp::create(builder, number, i32(-plan.vector)); }
  Value isBelow(Value block, Value scalar) {
    return compare(arith::CmpIPredicate::slt, block, scalar);
  }
  Value compare(arith::CmpIPredicate order, Value block, Value scalar) {
    return arith::CmpIOp::create(builder, order, block,
                                 builder.splat(scalar, shapeOf(block.getType())));
  }
  Value choose(Value mask, Value yes, Value no) {
    return arith::SelectOp::create(builder, mask, yes, no);
  }

  EdgePlan &plan;
  BlockWriter builder;
  int64_t threads;
  /// The edges are the last.
  SmallVector<Part> parts;
  llvm::DenseMap<Operation *, int32_t> numbers;
  /// Elements of a row up to the first whole vector of memory, and those that are there of them.
  Value toVector, head;
  /// Elements of the row in whole vectors, and behind these.
  Value inVectors, tail;
  /// Elements that the mask leaves out, in whole vectors and beside; null without a mask.
  Value deadVectors, dead;
};
} // namespace

/// How many of the block's elements are there, between none and all, of i32.
static Value countOf(BlockWriter &builder, const EdgePlan &plan) {
  Type wide = builder.getI64Type();
  auto widened = [&](Value value) {
    return value.getType() == wide ? value
                                   : arith::ExtSIOp::create(builder, wide, value).getResult();
  };
  Value left = widened(plan.end->bound);
  if (plan.end->base)
    left = arith::SubIOp::create(builder, left, widened(plan.end->base));
  if (plan.end->start)
    left = arith::SubIOp::create(builder, left, builder.number(wide, plan.end->start));
  left = arith::MaxSIOp::create(builder, left, builder.number(wide, 0));
  left = arith::MinSIOp::create(builder, left, builder.number(wide, plan.extent));
  return arith::TruncIOp::create(builder, builder.getI32Type(), left);
}

void EdgeWriter::writeScalars() {
  int64_t bytes = kVectorBytes / plan.vector;
  Value low =
      arith::TruncIOp::create(builder, builder.getI32Type(), addressOf(plan.first.getPointer()));
  Value negative = arith::SubIOp::create(builder, i32(0), low);
  Value missing = arith::ShRUIOp::create(builder, negative, i32(llvm::Log2_64(bytes)));
  toVector = arith::AndIOp::create(builder, missing, i32(plan.vector - 1));
  Value all = i32(plan.extent), count = plan.end ? countOf(builder, plan) : all;
  head = arith::MinSIOp::create(builder, toVector, count);
  Value behind = less(count, head);
  inVectors = wholeOf(behind);
  tail = less(behind, inVectors);
  if (!plan.end)
    return;
  Value left = less(all, count);
  deadVectors = wholeOf(left);
  dead = less(left, deadVectors);
}

/// Places of vectors: of memory, then of what the mask leaves out.
Part EdgeWriter::bodyFrom(int64_t begin, int64_t extent) {
  Part body;
  body.extent = extent;
  body.begin = begin;
  body.places = builder.coordinates({extent}, 0);
  body.live = isBelow(body.places, less(inVectors, i32(begin)));
  Value shift = builder.splat(add(head, i32(begin)), {extent}), end = less(inVectors, i32(begin));
  if (plan.end) {
    shift = choose(body.live, shift, builder.splat(add(add(head, tail), i32(begin)), {extent}));
    end = add(end, deadVectors);
  }
  // At most so many are in the edges.
  int64_t beside = (plan.end ? 3 : 2) * (plan.vector - 1);
  if (begin + extent > plan.extent - beside)
    body.exists = isBelow(body.places, end);
  body.index = add(body.places, shift);
  return body;
}

/// V places each of what is in front of the vectors of memory, behind them, and left out by the
/// mask.
Part EdgeWriter::edges() {
  Part edges;
  int64_t vector = plan.vector;
  edges.extent = vector * (plan.end ? 4 : 2);
  Value places = builder.coordinates({edges.extent}, 0);
  auto from = [&](int64_t place) { return compare(arith::CmpIPredicate::sge, places, i32(place)); };
  auto within = [&](int64_t place, Value count) {
    Value isBehind = from(place), isInFront = isBelow(places, add(count, i32(place)));
    return arith::AndIOp::create(builder, isBehind, isInFront).getResult();
  };
  Value isTail = within(vector, tail);
  edges.live = arith::OrIOp::create(builder, isBelow(places, head), isTail);
  Value behind = builder.splat(less(add(head, inVectors), i32(vector)), {edges.extent});
  edges.index = choose(from(vector), add(places, behind), places);
  edges.exists = edges.live;
  if (!plan.end)
    return edges;
  edges.exists = arith::OrIOp::create(builder, edges.live, within(2 * vector, dead));
  Value last = less(i32(plan.extent - 2 * vector), dead);
  edges.index =
      choose(from(2 * vector), add(places, builder.splat(last, {edges.extent})), edges.index);
  return edges;
}

/// The same op of a part.
Operation *EdgeWriter::clone(Operation *op, Part &part) {
  Operation *copy = builder.clone(*op, part.values);
  for (Value result : copy->getResults())
    if (plan.isSplit(result.getType()))
      result.setType(RankedTensorType::get({part.extent}, elementTypeOf(result.getType())));
  if (auto constant = dyn_cast<arith::ConstantOp>(copy)) {
    auto splat = cast<SplatElementsAttr>(constant.getValue());
    constant.setValueAttr(splat.resizeSplat(cast<RankedTensorType>(constant.getType())));
  }
  return copy;
}

Operation *EdgeWriter::cloneAt(GlobalAccess op, Part &part, Value pointer, Value offsets,
                               Value mask) {
  Operation *copy = clone(op, part);
  auto [number, isNew] = numbers.try_emplace(op, static_cast<int32_t>(numbers.size()));
  copy->setAttr(kRowPartAttr, builder.getI32IntegerAttr(number->second));
  auto move = [&](auto access) {
    access.getPointerMutable().assign(pointer);
    access.getOffsetsMutable().assign(offsets);
    if (mask)
      access.getMaskMutable().assign(mask);
  };
  if (auto load = dyn_cast<LoadOp>(copy))
    move(load);
  else
    move(cast<StoreOp>(copy));
  return copy;
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

/// Combines a part with those before it, place by place.
void EdgeWriter::accumulate(ReduceOp op, Part &part, Value &sum) {
  Value source = widened(builder, op, part.values.lookup(op.getSource())).front();
  if (part.exists)
    source = choose(part.exists, source,
                    builder.splat(neutral(builder, op.getKind(), op.getPropagateNan(),
                                           elementTypeOf(source.getType())),
                                   {part.extent}));
  sum = sum ? combine(builder, op.getKind(), op.getPropagateNan(), sum, source) : source;
}

void EdgeWriter::writeReduce(ReduceOp op, Value body, Value edges) {
  SmallVector<Value> made;
  for (Value block : {body, edges})
    made.push_back(ReduceOp::create(builder, elementTypeOf(block.getType()), op.getKind(), block,
                                    op.getAxis(), op.getPropagateNan(), /*exchangeCount=*/0));
  Value both = combine(builder, op.getKind(), op.getPropagateNan(), made[0], made[1]);
  op.getResult().replaceAllUsesWith(narrowed(builder, op, both).front());
}

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

Value EdgeWriter::isWhole(Value address) {
  Type wide = builder.getI64Type();
  Value rest = arith::AndIOp::create(builder, address, builder.number(wide, kVectorBytes - 1));
  return arith::CmpIOp::create(builder, arith::CmpIPredicate::eq, rest, builder.number(wide, 0));
}

/// Says that a pointer is at a whole vector.
void EdgeWriter::assume(Value pointer) { AssumeOp::create(builder, isWhole(addressOf(pointer))); }

/// The vectors of memory; where rows of another array may lie otherwise, by a test.
void EdgeWriter::writeVectors(GlobalAccess op, Part &part) {
  Value pointer = op.getPointer();
  int64_t bytes = kVectorBytes / plan.vector;
  auto write = [&](bool isWhole) {
    Value moved = OffsetOp::create(builder, pointer, toVector);
    if (isWhole)
      assume(moved);
    if (part.begin)
      moved = OffsetOp::create(builder, moved, i32(part.begin));
    Operation *copy = cloneAt(op, part, moved, part.places, part.live);
    if (!isWhole)
      copy->setAttr(kFollowsAttr, builder.getUnitAttr());
    // In front of the first whole vector are elements of the array, if it is not at one.
    if (isa<LoadOp>(copy) && bytes == 2 && plan.isAligned(pointer))
      copy->setAttr(kAnyStartAttr, builder.getUnitAttr());
    return copy;
  };
  auto keep = [&](ValueRange results) {
    if (!results.empty())
      part.values.map(op->getResult(0), results.front());
  };
  if (pointer == plan.first.getPointer() || plan.isAligned(pointer))
    return keep(write(pointer == plan.first.getPointer())->getResults());
  Type wide = builder.getI64Type();
  Value more = arith::MulIOp::create(builder, arith::ExtUIOp::create(builder, wide, toVector),
                                     builder.number(wide, bytes));
  Value lieAlike = isWhole(arith::AddIOp::create(builder, addressOf(pointer), more));
  SmallVector<Type> types;
  for (Type type : op->getResultTypes())
    types.push_back(RankedTensorType::get({part.extent}, elementTypeOf(type)));
  auto choice =
      scf::IfOp::create(builder, types, lieAlike, /*addThenBlock=*/true, /*addElseBlock=*/true);
  OpBuilder::InsertionGuard guard(builder);
  for (bool first : {true, false}) {
    builder.setInsertionPointToStart(first ? choice.thenBlock() : choice.elseBlock());
    scf::YieldOp::create(builder, write(first)->getResults());
  }
  keep(choice.getResults());
}

void EdgeWriter::writeAccess(GlobalAccess op, Part &part) {
  bool isAlong = plan.isAlongRow(op);
  if (isAlong && part.places)
    return writeVectors(op, part);
  Value mask = isAlong ? part.live : part.exists, own = isAlong ? Value() : op.getMask();
  if (own) {
    own = part.values.lookupOrDefault(own);
    if (!isa<RankedTensorType>(own.getType()))
      own = builder.splat(own, {part.extent});
    mask = mask ? arith::AndIOp::create(builder, mask, own).getResult() : own;
  }
  Operation *copy = cloneAt(op, part, op.getPointer(), part.values.lookup(op.getOffsets()), mask);
  copy->setAttr(kFollowsAttr, builder.getUnitAttr());
  for (auto [result, original] : llvm::zip_equal(copy->getResults(), op->getResults()))
    part.values.map(original, result);
}

void EdgeWriter::writeOp(Operation *op, Part &part) {
  builder.setLoc(op->getLoc());
  if (auto access = dyn_cast<GlobalAccess>(op))
    return writeAccess(access, part);
  if (auto range = dyn_cast<RangeOp>(op)) {
    Value first = builder.splat(i32(range.getStart()), {part.extent});
    part.values.map(range.getResult(), range.getStart() ? add(part.index, first) : part.index);
  } else if (isa<arith::CmpIOp>(op) && plan.isEnd(op->getResult(0))) {
    part.values.map(op->getResult(0), part.live);
  } else if (auto hint = dyn_cast<HintOp>(op)) {
    // What it says of a block need not hold of a part.
    part.values.map(hint.getResult(), part.values.lookup(hint.getValue()));
  } else {
    clone(op, part);
  }
}

//===----------------------------------------------------------------------===//
// The order
//===----------------------------------------------------------------------===//

/// Whether parts may take turns: none stores what another one loads, or stores, behind it.
static bool mayTakeTurns(ArrayRef<Operation *> run) {
  auto accesses = llvm::make_filter_range(run, llvm::IsaPred<GlobalAccess>);
  for (Operation *store : accesses)
    for (Operation *other : accesses)
      if (cast<GlobalAccess>(store).writes() && other != store && mayAlias(store, other))
        return false;
  return true;
}

/// What threads wait with is loaded before anything else is done, and with it what these loads
/// need.
llvm::SmallDenseSet<Operation *> EdgeWriter::neededForLoads(ArrayRef<Operation *> run) {
  llvm::SmallDenseSet<Operation *> early;
  for (Operation *op : llvm::reverse(run)) {
    auto load = dyn_cast<LoadOp>(op);
    bool isNeeded =
        llvm::any_of(op->getUsers(), [&](Operation *user) { return early.contains(user); });
    if (isNeeded || (load && plan.holds(load)))
      early.insert(op);
  }
  return early;
}

/// Ops up to a reduction, or a store to what is not split. Part by part, so that each has its
/// registers for itself.
void EdgeWriter::writeRun(ArrayRef<Operation *> run) {
  Operation *last = run.back();
  auto reduce = dyn_cast<ReduceOp>(last);
  if (reduce)
    run = run.drop_back();
  builder.setInsertionPoint(last);
  Value body, edges;
  llvm::SmallDenseSet<Operation *> early = neededForLoads(run);
  if (!mayTakeTurns(run))
    early.insert(run.begin(), run.end());
  for (Operation *op : run)
    if (early.contains(op))
      for (Part &part : parts)
        writeOp(op, part);
  for (Part &part : parts) {
    for (Operation *op : run)
      if (!early.contains(op))
        writeOp(op, part);
    if (reduce)
      accumulate(reduce, part, part.places ? body : edges);
  }
  if (reduce)
    writeReduce(reduce, body, edges);
}

void EdgeWriter::write() {
  writeScalars();
  int64_t whole = plan.extent - plan.extent % plan.vector, extent = threads * plan.vector;
  for (int64_t begin = 0; begin < whole; begin += extent)
    parts.push_back(bodyFrom(begin, extent));
  parts.push_back(edges());
  SmallVector<Operation *> run;
  auto finish = [&] {
    if (!run.empty())
      writeRun(run);
    run.clear();
  };
  for (auto [op, next] : llvm::zip(plan.ops, llvm::drop_begin(plan.ops))) {
    run.push_back(op);
    bool isApart = isa<ReduceOp>(op);
    for (Operation *between = op->getNextNode(); between != next; between = between->getNextNode())
      isApart |= !isMemoryEffectFree(between) && !isa<AssumeOp>(between);
    // In front of the first access the split is not known.
    if (isApart && plan.first->getBlock() == op->getBlock() && !op->isBeforeInBlock(plan.first))
      finish();
  }
  run.push_back(plan.ops.back());
  finish();
  for (Operation *op : llvm::reverse(plan.ops))
    op->erase();
}

void fsm::writeEdges(EdgePlan &plan, int64_t threads) { EdgeWriter(plan, threads).write(); }
