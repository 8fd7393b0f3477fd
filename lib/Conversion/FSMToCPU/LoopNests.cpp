//===- LoopNests.cpp - The loops that walk blocks ------------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LoopNests.h"

#include "../Registers/MathFormulas.h"

#include "fsm/Analysis/RowMask.h"
#include "fsm/IR/Origins.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>

using namespace mlir;
using namespace fsm;
using namespace fsm::host;

//===----------------------------------------------------------------------===//
// Steps of reductions
//===----------------------------------------------------------------------===//

Value host::neutralOf(OpBuilder &builder, AlongAxis op, int64_t lanes, Step step) {
  Type element = accumulatorType(elementTypeOf(op->getOperand(0).getType()), /*isKnown=*/true);
  bool ignoresNan = step == Step::Exact && !op.getPropagateNan();
  return registers::neutralElement(builder, op->getLoc(), *op.knownKind(), !ignoresNan,
                                   registerType(element, lanes));
}

/// Whether quick and exact steps differ for this reduction.
static bool hasQuickStep(AlongAxis op) {
  bool ordersFloats = op.knownKind() == ReduceKind::Max || op.knownKind() == ReduceKind::Min;
  return ordersFloats && !op.getPropagateNan() &&
         isa<FloatType>(elementTypeOf(op->getOperand(0).getType()));
}

/// An i1: the quick result has to be computed again exactly. Quick steps start from an infinity, so
/// a result that is one may stand for NaN; a zero may have the wrong sign.
static Value needsExact(OpBuilder &builder, AlongAxis op, Value quick) {
  Formula f(builder, op->getLoc(), quick.getType());
  double start = op.knownKind() == ReduceKind::Max ? -INFINITY : INFINITY;
  return f.either(f.equal(quick, f.number(0.0)), f.equal(quick, f.number(start)));
}

static Value combine(OpBuilder &builder, AlongAxis op, Value left, Value right, Step step) {
  if (step == Step::Quick && hasQuickStep(op)) {
    // The instruction that hosts have: the right operand when the two do not compare.
    Formula f(builder, op->getLoc(), left.getType());
    bool isMax = op.knownKind() == ReduceKind::Max;
    auto order = isMax ? arith::CmpFPredicate::OGT : arith::CmpFPredicate::OLT;
    return f.select(f.compare(order, left, right), left, right);
  }
  return registers::combineElements(builder, hostBackend(), op->getLoc(), *op.knownKind(),
                                    op.getPropagateNan(), left, right);
}

SmallVector<Value> host::halved(OpBuilder &builder, Location loc, SmallVector<Value> vectors,
                                CombineStep combine) {
  for (int64_t lanes = lanesOf(vectors.front().getType()); lanes > 1; lanes /= 2) {
    auto part = [&](int64_t begin) {
      auto numbers = llvm::to_vector(llvm::seq(begin, begin + lanes / 2));
      return llvm::map_to_vector(vectors, [&](Value all) -> Value {
        return vector::ShuffleOp::create(builder, loc, all, all, numbers);
      });
    };
    SmallVector<Value> low = part(0), high = part(lanes / 2);
    vectors = combine(low, high);
  }
  return llvm::map_to_vector(vectors, [&](Value all) -> Value {
    return vector::ExtractOp::create(builder, loc, all, int64_t(0));
  });
}

static Value totalOf(OpBuilder &builder, AlongAxis op, Value vector, Step step) {
  auto combineHalves = [&](ValueRange low, ValueRange high) -> SmallVector<Value> {
    return {combine(builder, op, low[0], high[0], step)};
  };
  return host::halved(builder, op->getLoc(), {vector}, combineHalves).front();
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

/// Runs `row` once per combination of the outer coordinates.
void LoopNests::forEachRow(ArrayRef<int64_t> extents, const Row &row) {
  OpBuilder::InsertionGuard guard(builder);
  SmallVector<Value> index;
  for (int64_t extent : extents) {
    if (extent == 1) {
      index.push_back(blocks.i64(0));
      continue;
    }
    auto loop = scf::ForOp::create(builder, builder.getUnknownLoc(), blocks.i64(0),
                                   blocks.i64(extent), blocks.i64(1));
    builder.setInsertionPointToStart(loop.getBody());
    index.push_back(loop.getInductionVar());
  }
  row(index);
}

/// Whole chunks from `from` to `to`, `unroll` of them in each iteration; partial
/// results are carried, `unroll` sets of them. `like` has the outer coordinates of
/// each chunk and what is known of it.
LoopNests::Results LoopNests::chunkLoop(const Chunk &like, Value from, Value to, int64_t unroll,
                                        ValueRange initial, const Body &body) {
  Location loc = builder.getUnknownLoc();
  auto loop = scf::ForOp::create(builder, loc, from, to, blocks.i64(unroll * lanes), initial);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  SmallVector<Value> next;
  size_t results = initial.size() / unroll;
  for (int64_t slot = 0; slot < unroll; ++slot) {
    Chunk chunk = like;
    chunk.index.push_back(
        arith::AddIOp::create(builder, loc, loop.getInductionVar(), blocks.i64(slot * lanes)));
    llvm::append_range(next, body(chunk, loop.getRegionIterArgs().slice(slot * results, results)));
  }
  if (!next.empty())
    scf::YieldOp::create(builder, loc, next);
  return loop.getResults();
}

int64_t LoopNests::chunksAtOnce(const RowPlan &plan) const {
  int64_t most = std::clamp<int64_t>(plan.extent / lanes, 1, plan.unroll);
  return static_cast<int64_t>(llvm::bit_floor(static_cast<uint64_t>(most)));
}

/// Walks one row: several whole chunks at a time below the bound, with partial
/// results of their own; then one at a time; then the partial chunk. `initial` has
/// the partial results of one chunk; `unroll` times as many come back.
LoopNests::Results LoopNests::forEachChunk(ArrayRef<Value> outer, const RowPlan &plan,
                                           ValueRange initial, const Body &body) {
  int64_t full = plan.extent / lanes * lanes, unroll = chunksAtOnce(plan);
  SmallVector<Value> partial;
  for (int64_t i = 0; i < (plan.isBegun ? 1 : unroll); ++i)
    llvm::append_range(partial, initial);
  size_t results = partial.size() / unroll;
  int64_t step = unroll * lanes;
  Value position = blocks.i64(plan.isBegun ? step : 0);
  if (full >= step) {
    Value end = blocks.i64(full / step * step);
    if (plan.bound) {
      Location loc = builder.getUnknownLoc();
      Value inside = arith::MaxSIOp::create(builder, loc, plan.bound, position);
      inside = arith::MinSIOp::create(builder, loc, inside, end);
      Value odd = arith::AndIOp::create(builder, loc, inside, blocks.i64(step - 1));
      end = arith::SubIOp::create(builder, loc, inside, odd);
    }
    Chunk whole{SmallVector<Value>(outer), lanes, lanes, plan.fullMask};
    partial = chunkLoop(whole, position, end, unroll, partial, body);
    position = end;
  }
  auto first = MutableArrayRef<Value>(partial).take_front(results);
  if (full != 0 && (plan.bound || full % step != 0)) {
    Chunk masked{SmallVector<Value>(outer), lanes, lanes};
    Results rest = plan.endsWithMask
                       ? untilNothingChanges(plan, masked, position, full, ValueRange(first), body)
                       : chunkLoop(masked, position, blocks.i64(full), 1, ValueRange(first), body);
    llvm::copy(rest, first.begin());
  }
  if (full == plan.extent)
    return partial;
  Chunk last{SmallVector<Value>(outer), lanes, plan.extent - full, Value()};
  last.index.push_back(blocks.i64(full));
  llvm::copy(body(last, ValueRange(first)), first.begin());
  return partial;
}

/// Whether any bit of any result differs.
static Value differ(OpBuilder &builder, ValueRange before, ValueRange after) {
  Location loc = builder.getUnknownLoc();
  Value any;
  for (auto [old, now] : llvm::zip_equal(before, after)) {
    unsigned width = elementTypeOf(old.getType()).getIntOrFloatBitWidth();
    Type bits = withElement(old.getType(), builder.getIntegerType(width));
    auto asBits = [&](Value value) {
      return bits == value.getType() ? value : arith::BitcastOp::create(builder, loc, bits, value);
    };
    Value lanes =
        arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne, asBits(old), asBits(now));
    Value one = vector::ReductionOp::create(builder, loc, vector::CombiningKind::OR, lanes);
    any = any ? arith::OrIOp::create(builder, loc, any, one).getResult() : one;
  }
  return any;
}

/// Masked chunks to the end of the mask; then, all being alike there, until one changes no result.
LoopNests::Results LoopNests::untilNothingChanges(const RowPlan &plan, const Chunk &like,
                                                  Value from, int64_t to, ValueRange initial,
                                                  const Body &body) {
  Location loc = builder.getUnknownLoc();
  Value last = arith::MinSIOp::create(builder, loc, plan.end, blocks.i64(to));
  if (initial.empty())
    return chunkLoop(like, from, last, 1, initial, body);
  SmallVector<Value> carried = {from, constantInt(builder, loc, builder.getI1Type(), 1)};
  llvm::append_range(carried, initial);
  auto goesOn = [&](OpBuilder &b, Location, ValueRange state) {
    Value isThere =
        arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, state[0], blocks.i64(to));
    scf::ConditionOp::create(b, loc, arith::AndIOp::create(b, loc, isThere, state[1]), state);
  };
  auto step = [&](OpBuilder &b, Location, ValueRange state) {
    Chunk chunk = like;
    chunk.index.push_back(state[0]);
    Results after = body(chunk, state.drop_front(2));
    Value isInside = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, state[0], last);
    SmallVector<Value> next = {
        arith::AddIOp::create(b, loc, state[0], blocks.i64(lanes)),
        arith::OrIOp::create(b, loc, isInside, differ(b, state.drop_front(2), after))};
    llvm::append_range(next, after);
    scf::YieldOp::create(b, loc, next);
  };
  auto loop =
      scf::WhileOp::create(builder, loc, TypeRange(ValueRange(carried)), carried, goesOn, step);
  return Results(loop.getResults().drop_front(2));
}

/// Walks one row so that whole chunks begin where the store's lines do: what is in front of the
/// first line and behind the last is written in part. Nothing is reduced.
void LoopNests::forEachLine(ArrayRef<Value> outer, const RowPlan &plan, const Body &body) {
  Location loc = builder.getUnknownLoc();
  auto part = [&](Chunk chunk, Value count) -> Results {
    auto type = VectorType::get({lanes}, builder.getI64Type());
    SmallVector<int64_t> steps = llvm::to_vector(llvm::seq<int64_t>(0, lanes));
    Value iota =
        arith::ConstantOp::create(builder, loc, DenseElementsAttr::get(type, ArrayRef(steps)));
    chunk.inside = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt, iota,
                                         splat(builder, loc, count, lanes));
    return body(chunk, {});
  };
  Value extent = blocks.i64(plan.extent);
  Value bound = arith::MinSIOp::create(builder, loc, plan.bound, extent);
  Value last = arith::MinSIOp::create(builder, loc, plan.end, extent);
  Value position = arith::MinSIOp::create(builder, loc, plan.firstLine, bound);
  Chunk head{SmallVector<Value>(outer), lanes, lanes, plan.fullMask};
  head.index.push_back(blocks.i64(0));
  part(head, position);
  Chunk whole{SmallVector<Value>(outer), lanes, lanes, plan.fullMask};
  whole.beginsLine = true;
  for (int64_t unroll : {chunksAtOnce(plan), int64_t(1)}) {
    Value left = arith::SubIOp::create(builder, loc, bound, position);
    Value odd = arith::AndIOp::create(builder, loc, left, blocks.i64(unroll * lanes - 1));
    Value end = arith::SubIOp::create(builder, loc, bound, odd);
    chunkLoop(whole, position, end, unroll, {}, body);
    position = end;
  }
  Chunk masked{SmallVector<Value>(outer), lanes, lanes};
  chunkLoop(masked, position, last, 1, {}, [&](const Chunk &chunk, ValueRange) {
    return part(chunk, arith::SubIOp::create(builder, loc, last, chunk.index.back()));
  });
}

/// The row of a loop's roots. The bound the plan has marked serves when it is the
/// mask of every masked access.
LoopNests::RowPlan LoopNests::planRow(ArrayRef<Operation *> roots, ArrayRef<Value> outer) {
  RowPlan plan;
  ArrayRef<int64_t> walked = shapeOf(walkedBlock(roots.front()).getType());
  plan.extent = walked.back();
  if (auto unroll = roots.front()->getAttrOfType<IntegerAttr>(kHostUnrollAttr))
    plan.unroll = llvm::PowerOf2Ceil(unroll.getInt());
  Value mask = rowMask(roots);
  bool beginsAtLine = roots.front()->hasAttr(kHostFromLineAttr);
  if (!mask && !beginsAtLine)
    return plan;
  // What the loop itself keeps is not there yet, where a row begins.
  HostBlocks::WithoutBuffers computing(blocks, roots);
  blocks.startScope();
  SmallVector<Value> first(outer);
  first.push_back(blocks.i64(0));
  if (mask) {
    HostBlocks::RowBound bound = blocks.rowBound(mask, first);
    plan.bound = bound.all;
    plan.end = bound.end;
    if (plan.bound)
      plan.fullMask = mask;
    plan.endsWithMask = plan.bound && roots.front()->hasAttr(kHostEndsAttr);
    beginsAtLine &= plan.endsWithMask;
  } else {
    plan.bound = plan.end = blocks.i64(plan.extent);
  }
  if (beginsAtLine)
    plan.firstLine = blocks.elementsToLine(cast<GlobalAccess>(roots.front()), first, lanes);
  return plan;
}

LogicalResult LoopNests::touchPages(StoreOp store) {
  auto isKnown = [this](Value value) { return !value || blocks.isComputable(value); };
  if (!isKnown(store.getPointer()) || !isKnown(store.getOffsets()) || !isKnown(store.getMask()))
    return missingInPlan(store, "addresses that are known where pages are touched");
  auto access = cast<GlobalAccess>(store.getOperation());
  ArrayRef<int64_t> shape = shapeOf(access.getAccessedType());
  int64_t apart = kHostPageBytes / elementBytes(elementTypeOf(access.getAccessedType()));
  forEachRow(shape.drop_back(), [&](ArrayRef<Value> outer) {
    Value last = blocks.i64(shape.back() - 1);
    // Its own mask alone: those of loads may follow from what is not there yet.
    blocks.startScope();
    SmallVector<Value> first(outer);
    first.push_back(blocks.i64(0));
    Value bound = store.getMask() ? blocks.rowBound(store.getMask(), first).all : Value();
    if (bound) {
      last = arith::SubIOp::create(builder, store.getLoc(), bound, blocks.i64(1));
      last = arith::MaxSIOp::create(builder, store.getLoc(), last, blocks.i64(0));
    }
    for (int64_t place = 0; place < shape.back() - 1 + apart; place += apart) {
      Chunk element{SmallVector<Value>(outer)};
      element.index.push_back(
          place == 0 ? blocks.i64(0)
                     : arith::MinSIOp::create(builder, store.getLoc(), last, blocks.i64(place))
                           .getResult());
      blocks.fetchLine(access, element);
    }
  });
  return blocks.status();
}

static constexpr llvm::StringLiteral kOtherRoot = "another root of the loop is here";

/// Fails where a root that has a loop of its own is one of several.
static LogicalResult checkAlone(HostRoot root, ArrayRef<Operation *> roots) {
  if (roots.size() == 1 || (root.sharesLoop() && !root->hasAttr(kHostFromLineAttr)))
    return success();
  InFlightDiagnostic error = root->emitError() << "expected a loop of its own for ";
  auto along = dyn_cast<AlongAxis>(root.getOperation());
  if (along && along.takesAnyOrder())
    error << "a reduction along an outer dimension";
  else
    error << "'" << root->getName() << "'";
  return failBeside(std::move(error), root == roots.front() ? roots.back() : roots.front(),
                    kOtherRoot);
}

LogicalResult LoopNests::emit(ArrayRef<Operation *> roots) {
  for (Operation *root : roots)
    if (isa<HostRoot>(root) && failed(checkAlone(cast<HostRoot>(root), roots)))
      return failure();
  auto first = dyn_cast<AlongAxis>(roots.front());
  if (auto atomic = dyn_cast<AtomicAccess>(roots.front()))
    emitAtomic(atomic);
  else if (auto dot = dyn_cast<DotOp>(roots.front())) {
    if (failed(emitDot(builder, blocks, dot, lanes)))
      return failure();
  } else if (first && !cast<HostRoot>(roots.front()).sharesLoop())
    emitCombine(first);
  else
    return emitRows(roots);
  return blocks.status();
}

LogicalResult LoopNests::emitRows(ArrayRef<Operation *> roots) {
  ArrayRef<int64_t> shape;
  for (Operation *root : roots) {
    ArrayRef<int64_t> walked = shapeOf(walkedBlock(root).getType());
    if (walked.empty() || (!shape.empty() && shape != walked))
      return failBeside(root->emitError("expected the roots of one loop to have one shape"),
                        roots.front(), kOtherRoot);
    shape = walked;
  }
  if (roots.front()->hasAttr(kHostAcrossRowsAttr))
    return emitAcrossRows(roots, shape);
  forEachRow(shape.drop_back(), [&](ArrayRef<Value> outer) { emitRow(roots, outer); });
  return blocks.status();
}

/// Rows shorter than a vector: each vector has several of them, in row-major order.
LogicalResult LoopNests::emitAcrossRows(ArrayRef<Operation *> roots, ArrayRef<int64_t> shape) {
  bool areWhole = llvm::all_of(shape, [](int64_t extent) { return llvm::isPowerOf2_64(extent); });
  if (!areWhole || llvm::any_of(roots, [](Operation *root) { return isa<AlongAxis>(root); }))
    return roots.front()->emitError("expected extents that are powers of two, and no reduction, "
                                    "where vectors go on in the next row");
  // A vector has `inner` elements for each coordinate along `dim`.
  size_t dim = shape.size() - 1;
  int64_t inner = 1;
  while (dim > 0 && inner * shape[dim] < lanes)
    inner *= shape[dim--];
  int64_t active = std::min(lanes, inner * shape[dim]);
  SmallVector<int64_t> numbers(static_cast<size_t>(lanes), 0);
  for (int64_t lane = 0; lane < active; ++lane)
    numbers[static_cast<size_t>(lane)] = lane;
  Chunk like{{}, lanes, active};
  like.steps = delinearSteps(shape, numbers);
  forEachRow(shape.take_front(dim), [&](ArrayRef<Value> outer) {
    auto chunkAt = [&](Value position) {
      Chunk chunk = like;
      llvm::append_range(chunk.index, outer);
      chunk.index.push_back(position);
      chunk.index.append(shape.size() - dim - 1, blocks.i64(0));
      emitChunk(roots, chunk, {}, Step::Exact);
    };
    if (active == inner * shape[dim])
      return chunkAt(blocks.i64(0));
    auto loop = scf::ForOp::create(builder, builder.getUnknownLoc(), blocks.i64(0),
                                   blocks.i64(shape[dim]), blocks.i64(lanes / inner));
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    chunkAt(loop.getInductionVar());
  });
  return blocks.status();
}

/// One row of all roots, with vectors of partial results for the reductions.
void LoopNests::emitRow(ArrayRef<Operation *> roots, ArrayRef<Value> outer) {
  // A quick reduction may have to be repeated, so nothing it reads may change.
  bool stores = llvm::any_of(roots, [](Operation *root) { return isa<GlobalAccess>(root); });
  Step step = stores ? Step::Exact : Step::Quick;
  SmallVector<AlongAxis> reductions;
  SmallVector<Value> initial;
  for (Operation *root : roots) {
    auto reduce = dyn_cast<AlongAxis>(root);
    if (!reduce)
      continue;
    reductions.push_back(reduce);
    initial.push_back(neutralOf(builder, reduce, lanes, step));
  }
  auto body = [&](const Chunk &chunk, ValueRange partial) {
    return emitChunk(roots, chunk, partial, step);
  };
  RowPlan plan = planRow(roots, outer);
  if (plan.firstLine)
    return forEachLine(outer, plan, body);
  Results partial = forEachChunk(outer, plan, initial, body);
  for (auto [i, reduce] : llvm::enumerate(reductions)) {
    Value total = partial[i];
    for (size_t slot = i + reductions.size(); slot < partial.size(); slot += reductions.size())
      total = combine(builder, reduce, partial[slot], total, step);
    Value result = totalOf(builder, reduce, total, step);
    if (step == Step::Quick && hasQuickStep(reduce))
      result = exactly(reduce, result, outer);
    finish(reduce, result, Chunk{SmallVector<Value>(outer)});
  }
}

/// The quick result, or the exact one where the quick one may be wrong.
Value LoopNests::exactly(AlongAxis op, Value quick, ArrayRef<Value> outer) {
  Location loc = op->getLoc();
  auto choice = scf::IfOp::create(builder, loc, TypeRange{quick.getType()},
                                  needsExact(builder, op, quick), /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(choice.elseBlock());
  scf::YieldOp::create(builder, loc, quick);
  builder.setInsertionPointToStart(choice.thenBlock());
  Value initial = neutralOf(builder, op, lanes, Step::Exact);
  auto body = [&](const Chunk &chunk, ValueRange partial) {
    return emitChunk({op.getOperation()}, chunk, partial, Step::Exact);
  };
  RowPlan plan;
  plan.extent = shapeOf(op->getOperand(0).getType()).back();
  Results partial = forEachChunk(outer, plan, initial, body);
  scf::YieldOp::create(builder, loc, totalOf(builder, op, partial.front(), Step::Exact));
  return choice.getResult(0);
}

LoopNests::Results LoopNests::emitChunk(ArrayRef<Operation *> roots, const Chunk &chunk,
                                        ValueRange partial, Step step) {
  blocks.startScope();
  SmallVector<Value> next;
  for (Operation *root : roots) {
    if (auto store = dyn_cast<GlobalAccess>(root); store && store.writes()) {
      blocks.store(store, chunk);
    } else if (auto reduce = dyn_cast<AlongAxis>(root)) {
      Value elements = widen(builder, root->getLoc(), blocks.at(root->getOperand(0), chunk));
      Value previous = partial[next.size()];
      Value sum = combine(builder, reduce, elements, previous, step);
      if (chunk.isPartial())
        sum = arith::SelectOp::create(builder, root->getLoc(),
                                      firstLanes(builder, root->getLoc(), chunk), sum, previous);
      next.push_back(sum);
    } else {
      for (Value block : root->getResults()) {
        if (Value buffer = blocks.bufferOf(block))
          blocks.writeBuffer(buffer, shapeOf(block.getType()), chunk,
                             blocks.computeAt(block, chunk), elementTypeOf(block.getType()));
        else
          blocks.missing(root, "a buffer for a value that is kept");
      }
    }
  }
  return next;
}

void LoopNests::finish(AlongAxis op, ValueRange values, const Chunk &place) {
  for (auto [result, value] : llvm::zip_equal(op->getResults(), values)) {
    Value kept = value;
    if (op.knownKind())
      kept = narrow(builder, op->getLoc(), value, elementTypeOf(result.getType()));
    if (place.index.empty())
      scalars.map(result, kept);
    else
      blocks.write(result, place, kept);
  }
}

void LoopNests::copy(ArrayRef<std::pair<Value, Value>> blocksToBuffers) {
  SmallVector<std::pair<Value, Value>> left(blocksToBuffers);
  while (!left.empty()) {
    ArrayRef<int64_t> shape = shapeOf(left.front().first.getType());
    SmallVector<std::pair<Value, Value>> same;
    llvm::erase_if(left, [&](std::pair<Value, Value> pair) {
      bool now = shapeOf(pair.first.getType()) == shape;
      if (now)
        same.push_back(pair);
      return now;
    });
    auto body = [&](const Chunk &chunk, ValueRange) -> Results {
      blocks.startScope();
      SmallVector<Value> elements;
      for (auto [block, buffer] : same)
        elements.push_back(blocks.at(block, chunk));
      for (auto [pair, value] : llvm::zip(same, elements))
        blocks.writeBuffer(pair.second, shape, chunk, value, elementTypeOf(pair.first.getType()));
      return {};
    };
    forEachRow(shape.drop_back(), [&](ArrayRef<Value> outer) {
      forEachChunk(outer, RowPlan{shape.back(), 2}, {}, body);
    });
  }
}
