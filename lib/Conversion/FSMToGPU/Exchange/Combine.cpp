//===- Combine.cpp - Tuples combined over threads ------------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Combine.h"

#include "../Math/Functions.h"
#include "../Program/ThreadBlock.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include <map>

using namespace mlir;
using namespace fsm;
using namespace fsm::gpu;

//===----------------------------------------------------------------------===//
// Tuples
//===----------------------------------------------------------------------===//

Value TupleThreads::bitIsSet(Value number, uint64_t bit) {
  Formula f(builder, op->getLoc(), number.getType());
  return f.compare(arith::CmpIPredicate::ne, f.both(number, bit), f.integer(0));
}

Value TupleThreads::isValid(const Tuple &tuple) {
  return tuple.valid ? tuple.valid : program.constantInt(builder.getI1Type(), 1);
}

Tuple TupleThreads::choose(Value condition, const Tuple &yes, const Tuple &no) {
  Tuple chosen;
  auto select = [&](Value left, Value right) -> Value {
    if (left == right)
      return left;
    return arith::SelectOp::create(builder, condition, left, right);
  };
  for (auto [left, right] : llvm::zip_equal(yes.values, no.values))
    chosen.values.push_back(select(left, right));
  if (yes.valid || no.valid) {
    chosen.valid = select(isValid(yes), isValid(no));
  }
  return chosen;
}

SmallVector<Value> TupleThreads::yielded(Block &body, ValueRange arguments, bool isInOrder) {
  thread.set(body.getArguments(), arguments);
  for (Operation &inner : body)
    if (auto holds = inner.getAttrOfType<IntegerAttr>(kInOrderAttr); holds && isInOrder)
      thread.set(inner.getResults(), program.constantInt(builder.getI1Type(), holds.getInt()));
  if (succeeded(status))
    status = thread.lowerBody(body, isInOrder ? StringRef(kInOrderAttr) : StringRef());
  return succeeded(status) ? thread.lookup(body.getTerminator()->getOperands())
                           : SmallVector<Value>(arguments);
}

SmallVector<Value> TupleThreads::step(ValueRange left, ValueRange right, bool isInOrder) {
  if (std::optional<ReduceKind> kind = op.knownKind())
    return {combineElements(builder, threadBackend(), op->getLoc(), *kind, op.getPropagateNan(),
                            left[0], right[0])};
  SmallVector<Value> both(left);
  llvm::append_range(both, right);
  SmallVector<Value> combined = yielded(op->getRegion(0).front(), both, isInOrder);
  combined.truncate(left.size());
  return combined;
}

Value TupleThreads::neutral() {
  std::optional<ReduceKind> kind = op.knownKind();
  return kind ? neutralElement(builder, op->getLoc(), *kind, op.getPropagateNan(),
                               plan.types.front())
              : Value();
}

Tuple TupleThreads::combine(const Tuple &left, const Tuple &right, bool isInOrder) {
  Tuple result{step(left.values, right.values, isInOrder), Value()};
  if (right.valid)
    result = choose(right.valid, result, {left.values, Value()});
  if (left.valid)
    result = choose(left.valid, result, {right.values, Value()});
  // A tuple that is always valid makes the result always valid.
  if (left.valid && right.valid)
    result.valid = arith::OrIOp::create(builder, left.valid, right.valid);
  return result;
}

Tuple TupleThreads::moved(const Tuple &tuple, function_ref<Value(Value)> move) {
  Tuple result;
  for (Value value : tuple.values)
    result.values.push_back(move(value));
  if (tuple.valid)
    result.valid = move(tuple.valid);
  return result;
}

//===----------------------------------------------------------------------===//
// Registers
//===----------------------------------------------------------------------===//

std::vector<Tuple> TupleThreads::registerTuples() {
  std::vector<uint64_t> live = plan.operand.liveRegisters();
  std::vector<Tuple> tuples(uint64_t(1) << plan.operand.from().bitsOf(Dim::Register));
  for (Value source : thread.lookup(op->getOperands())) {
    Value vector = op.knownKind() ? widen(builder, op->getLoc(), source) : source;
    for (auto [reg, value] : llvm::zip_equal(live, program.elementsOf(vector)))
      tuples[reg].values.push_back(value);
  }
  // A scan from the beginning reaches its padding last.
  if (op.isScan() && !op.getReverse())
    return tuples;
  ThreadBlock block(program, cast<RankedTensorType>(op->getOperand(0).getType()));
  for (uint64_t reg : live) {
    Value isInside = block.isInside(plan.axis, reg);
    if (!isInside)
      continue;
    if (plan.isPadded)
      tuples[reg].valid = isInside;
    else
      tuples[reg] = choose(isInside, tuples[reg], {{neutral()}, Value()});
  }
  return tuples;
}

Lines TupleThreads::linesOf(const LinearLayout &layout) const {
  Lines lines;
  auto positionOf = [&](uint64_t reg) { return layout.apply(reg, 0, 0); };
  for (uint64_t reg : layout.liveRegisters())
    lines[lineOf(layout.to(), plan.axis, positionOf(reg))].push_back(reg);
  for (auto &[number, line] : lines)
    llvm::sort(line, [&](uint64_t left, uint64_t right) {
      Dim axis = blockDim(plan.axis);
      return layout.to().get(positionOf(left), axis) < layout.to().get(positionOf(right), axis);
    });
  return lines;
}

//===----------------------------------------------------------------------===//
// Warps
//===----------------------------------------------------------------------===//

SmallVector<SmallVector<Tuple>> TupleThreads::exchanged(const Lines &lines,
                                                        ArrayRef<Tuple> totals) {
  WarpParts parts = warpParts(op, plan);
  std::map<uint64_t, const Tuple *> byLine;
  for (auto [line, total] : llvm::zip_equal(lines, totals))
    byLine[line.first] = &total;
  SmallVector<Value> own;
  for (unsigned index = 0; index < plan.types.size() + plan.isPadded; ++index) {
    SmallVector<Value> elements;
    for (uint64_t reg : parts.own.liveRegisters()) {
      uint64_t line = lineOf(parts.own.to(), plan.axis, parts.own.apply(reg, 0, 0));
      const Tuple &total = *byLine.at(line);
      elements.push_back(index < plan.types.size() ? total.values[index] : isValid(total));
    }
    own.push_back(program.vectorOf(elements));
  }
  std::vector<Tuple> all(uint64_t(1) << parts.all.from().bitsOf(Dim::Register));
  for (auto [index, block] : llvm::enumerate(yielded(op.getExchange().front().front(), own)))
    for (auto [reg, value] : llvm::zip(parts.all.liveRegisters(), program.elementsOf(block))) {
      if (index < plan.types.size())
        all[reg].values.push_back(value);
      else
        all[reg].valid = value;
    }
  Lines slots = linesOf(parts.all);
  return llvm::map_to_vector(lines, [&](const auto &line) {
    return llvm::map_to_vector(slots.lookup(line.first), [&](uint64_t reg) { return all[reg]; });
  });
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

LogicalResult TupleThreads::setResults(ArrayRef<Tuple> tuples) {
  if (failed(status))
    return failure();
  for (auto [index, result] : llvm::enumerate(op->getResults())) {
    Type element = registerElement(elementTypeOf(result.getType()));
    auto scalars = llvm::map_to_vector(
        tuples, [index = index](const Tuple &tuple) { return tuple.values[index]; });
    Value value =
        isa<RankedTensorType>(result.getType()) ? program.vectorOf(scalars) : scalars.front();
    if (Type rounded = withElement(value.getType(), element); rounded != value.getType())
      value = arith::TruncFOp::create(builder, rounded, value);
    thread.set(result, value);
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

/// Up to so many steps all lanes choose which tuple comes first.
static constexpr int kMostStepsChosen = 2;

namespace {
/// A thread combines its own registers as a balanced tree, a warp by butterflies over the bits of
/// the lane that move along the axis; then what all warps have is combined in the same way. Bits
/// that move nothing are replicas, which are not combined. The order is that of the layout, so the
/// same each time.
class ReductionLowering : TupleThreads {
public:
  using TupleThreads::TupleThreads;

  LogicalResult run() {
    Lines lines = linesOf(plan.operand);
    SmallVector<SmallVector<Tuple>> held;
    if (canHalve(lines.front().second)) {
      held.push_back(halved());
    } else {
      std::vector<Tuple> tuples = registerTuples();
      for (const auto &[number, line] : lines)
        held.push_back(llvm::map_to_vector(line, [&](uint64_t reg) { return tuples[reg]; }));
    }
    // Of a warp the first lane stores for others; for several ctas several lanes do.
    SmallVector<Tuple> totals =
        combined(held, plan.operand, !plan.axisWarps || program.numCtas() > 1,
                 /*isInOrder=*/true);
    if (plan.axisWarps)
      totals = combined(exchanged(lines, totals), warpParts(op, plan).all, /*isForAll=*/true,
                        /*isInOrder=*/false);
    if (!plan.combined)
      return setResults(totals);
    SmallVector<Tuple> ordered;
    for (uint64_t reg : plan.combined->liveRegisters()) {
      auto line = lines.find(plan.combined->apply(reg, 0, 0));
      ordered.push_back(totals[line - lines.begin()]);
    }
    return setResults(ordered);
  }

private:
  /// Whether all registers are elements of one line, in their order, of which no two share a word.
  bool canHalve(ArrayRef<uint64_t> line) {
    auto block = cast<RankedTensorType>(op->getOperand(0).getType());
    return op.knownKind() && llvm::isPowerOf2_64(block.getDimSize(plan.axis)) &&
           plan.types.front().getIntOrFloatBitWidth() >= 32 &&
           line == ArrayRef(plan.operand.liveRegisters());
  }

  /// The numbers of 16 bits that a thread's elements are, or were widened from, of which one
  /// instruction compares two pairs: the largest of them widened is the largest of what was
  /// widened. Null for others.
  Value comparedInPairs(Value vector) {
    bool isExtreme = llvm::is_contained({ReduceKind::Max, ReduceKind::Min}, *op.knownKind());
    if (!isExtreme || !thread.features.maxNaN)
      return {};
    if (auto widened = vector.getDefiningOp<arith::ExtFOp>())
      vector = widened.getIn();
    Type element = getElementTypeOrSelf(vector.getType());
    bool areSeveral = registers::lanesOf(vector.getType()) > 2;
    return areSeveral && (element.isF16() || element.isBF16()) ? vector : Value();
  }

  /// The largest or smallest two of such: one of those in the lower halves of words, and one of the
  /// upper ones.
  Value extremePair(Value vector) {
    Type element = getElementTypeOrSelf(vector.getType());
    auto pair = VectorType::get({2}, element);
    SmallVector<Value> scalars = program.elementsOf(vector), words;
    for (size_t i = 0; i < scalars.size(); i += 2) {
      Value halves =
          vector::FromElementsOp::create(builder, pair, ValueRange{scalars[i], scalars[i + 1]});
      words.push_back(LLVM::BitcastOp::create(builder, builder.getI32Type(), halves));
    }
    for (; words.size() > 1; words.resize(words.size() / 2))
      for (size_t i = 0; i < words.size() / 2; ++i)
        words[i] = extremeOfPairs(words[2 * i], words[2 * i + 1], element.isF16());
    return LLVM::BitcastOp::create(builder, pair, words.front());
  }

  /// Each half of the result is the larger or smaller one of two halves.
  Value extremeOfPairs(Value left, Value right, bool isHalf) {
    std::string text = op.knownKind() == ReduceKind::Max ? "max" : "min";
    text += op.getPropagateNan() ? ".NaN" : "";
    text += isHalf ? ".f16x2 $0, $1, $2;" : ".bf16x2 $0, $1, $2;";
    return LLVM::InlineAsmOp::create(builder, builder.getI32Type(), ValueRange{left, right}, text,
                                     "=r,r,r",
                                     /*has_side_effects=*/false, /*is_align_stack=*/false,
                                     LLVM::TailCallKind::None, LLVM::AsmDialectAttr(), ArrayAttr())
        .getRes();
  }

  /// The last two of the tree below: a level is one op of vectors, not one for each two registers.
  SmallVector<Tuple> halved() {
    Value vector = thread.lookup(op->getOperand(0));
    if (Value narrow = comparedInPairs(vector))
      vector = extremePair(narrow);
    vector = registers::widen(builder, op->getLoc(), vector);
    while (registers::lanesOf(vector.getType()) > 2) {
      SmallVector<int64_t> neighbours[2];
      for (int64_t lane = 0; lane < registers::lanesOf(vector.getType()); ++lane)
        neighbours[lane % 2].push_back(lane);
      Value sides[2];
      for (auto [side, lanes] : llvm::zip(sides, neighbours))
        side = vector::ShuffleOp::create(builder, vector, vector, lanes);
      vector = step(sides[0], sides[1]).front();
    }
    return llvm::map_to_vector(program.elementsOf(vector),
                               [](Value element) { return Tuple{{element}, Value()}; });
  }

  /// For each line what the lanes that hold it, in a layout, have together: all of these lanes, or
  /// the first of them. A thread's own elements are in order, what warps have combined is not.
  SmallVector<Tuple> combined(ArrayRef<SmallVector<Tuple>> held, const LinearLayout &layout,
                              bool isForAll, bool isInOrder) {
    auto totals =
        llvm::map_to_vector(held, [&](ArrayRef<Tuple> line) { return tree(line, isInOrder); });
    for (Tuple &total : totals)
      total = butterflies(total, bitsAlong(layout, Dim::Lane, plan.axis), isForAll);
    return totals;
  }

  /// Neighbours, then pairs of neighbours.
  Tuple tree(ArrayRef<Tuple> line, bool isInOrder) {
    SmallVector<Tuple> tuples(line);
    while (tuples.size() > 1) {
      SmallVector<Tuple> half;
      for (size_t i = 0; i + 1 < tuples.size(); i += 2)
        half.push_back(combine(tuples[i], tuples[i + 1], isInOrder));
      if (tuples.size() % 2)
        half.push_back(tuples.back());
      tuples = std::move(half);
    }
    return tuples.front();
  }

  /// Both lanes of a pair get the same bits: operations of a known kind are commutative, and else
  /// the lower lane comes first in both. Where that takes many choices, it does in the first lane alone, which the
  /// others ask in the end, if they need the result.
  Tuple butterflies(Tuple tuple, uint64_t lanes, bool isForAll) {
    bool isForFirst = !op.knownKind() && (!isForAll || llvm::popcount(lanes) > kMostStepsChosen);
    for (uint64_t left = lanes; left; left &= left - 1) {
      uint64_t bit = left & -left; // The lowest of them.
      Tuple other = moved(tuple, [&](Value value) {
        return program.shuffleXor(value, static_cast<unsigned>(bit));
      });
      if (op.knownKind() || isForFirst) {
        tuple = combine(tuple, other);
        continue;
      }
      Value isHigh = bitIsSet(program.lane(), bit);
      tuple = combine(choose(isHigh, other, tuple), choose(isHigh, tuple, other));
    }
    if (!isForFirst || !isForAll)
      return tuple;
    Value kept = program.i32(static_cast<int64_t>((kWarpThreads - 1) & ~lanes));
    Value first = arith::AndIOp::create(builder, op->getLoc(), program.lane(), kept);
    return moved(tuple, [&](Value value) { return program.shuffleFrom(value, first); });
  }
};
} // namespace

LogicalResult fsm::gpu::checkStaged(AlongAxis op) {
  CombinePlan plan = planCombine(op);
  auto areIn = [](TypeRange types, const std::optional<LinearLayout> &layout) {
    return llvm::all_of(types, [&](Type type) {
      auto block = dyn_cast<RankedTensorType>(type);
      return !block || (layout && layoutOf(block) && linearLayoutOf(block) == *layout);
    });
  };
  if (!areIn(op->getOperandTypes(), plan.operand) || !areIn(op->getResultTypes(), plan.combined))
    return op->emitOpError(
        "expected operands and results in the layouts that 'fsm-stage-exchanges' brings them to");
  if (!plan.axisWarps)
    return success();
  if (op.getExchange().empty())
    return op->emitOpError(
        "expected 'fsm-stage-exchanges' to say how warps exchange what each has combined");
  WarpParts parts = warpParts(op, plan);
  Block &exchange = op.getExchange().front().front();
  bool fits = exchange.getNumArguments() == plan.types.size() + plan.isPadded &&
              shapeOf(exchange.getArgument(0).getType()) == ArrayRef(parts.shape);
  if (fits && areIn(exchange.getArgumentTypes(), parts.own) &&
      areIn(exchange.getTerminator()->getOperandTypes(), parts.all))
    return success();
  return op->emitOpError(
      "expected the region 'exchange' that 'fsm-stage-exchanges' writes for these layouts");
}

template <typename Op>
static LogicalResult lower(ThreadLowering &thread, Op op) {
  return failed(checkStaged(op)) ? failure() : ReductionLowering(thread, op).run();
}

void fsm::gpu::addCombineHandlers(HandlerTable &table) {
  addHandler<ReduceOp, lower>(table);
  addHandler<ReduceWithOp, lower>(table);
}
