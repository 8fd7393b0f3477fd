//===- Combine.cpp - Tuples combined over threads ------------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Combine.h"

#include "../../Registers/Values.h"
#include "../Program/ThreadBlock.h"
#include "../Program/ThreadValues.h"
#include "SharedAccess.h"
#include "fsm/Analysis/ScratchSize.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include <map>

using namespace mlir;
using namespace fsm;
using namespace fsm::gpu;

//===----------------------------------------------------------------------===//
// Tuples
//===----------------------------------------------------------------------===//

Value TupleThreads::both(Value left, Value right) {
  if (!left || !right)
    return left ? left : right;
  return arith::AndIOp::create(builder, loc, left, right);
}

Value TupleThreads::bitIsSet(Value number, uint64_t bit) {
  Value set =
      arith::AndIOp::create(builder, loc, number, program.i32(loc, static_cast<int64_t>(bit)));
  return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne, set, program.i32(loc, 0));
}

Tuple TupleThreads::choose(Value condition, const Tuple &yes, const Tuple &no) {
  Tuple chosen;
  auto select = [&](Value left, Value right) -> Value {
    if (left == right)
      return left;
    return arith::SelectOp::create(builder, loc, condition, left, right);
  };
  for (auto [left, right] : llvm::zip_equal(yes.values, no.values))
    chosen.values.push_back(select(left, right));
  if (yes.valid || no.valid) {
    auto flag = [&](Value valid) {
      return valid ? valid : program.constantInt(loc, builder.getI1Type(), 1);
    };
    chosen.valid = select(flag(yes.valid), flag(no.valid));
  }
  return chosen;
}

Tuple TupleThreads::combine(const Tuple &left, const Tuple &right) {
  Tuple result{step(left.values, right.values), Value()};
  if (right.valid)
    result = choose(right.valid, result, {left.values, Value()});
  if (left.valid)
    result = choose(left.valid, result, {right.values, Value()});
  // A tuple that is always valid makes the result always valid.
  if (left.valid && right.valid)
    result.valid = arith::OrIOp::create(builder, loc, left.valid, right.valid);
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

std::vector<Tuple> TupleThreads::registerTuples(ValueRange sources, bool marksPadding) {
  std::vector<uint64_t> live = plan.operand.liveRegisters();
  std::vector<Tuple> tuples(uint64_t(1) << plan.operand.from().bitsOf(Dim::Register));
  for (Value source : sources) {
    Value vector = isa<ScanOp>(op) ? registers::widen(builder, loc, source) : source;
    for (auto [reg, value] : llvm::zip_equal(live, elementsOf(program, loc, vector)))
      tuples[reg].values.push_back(value);
  }
  if (!marksPadding || !plan.isPadded)
    return tuples;
  ThreadBlock block(program, loc, cast<RankedTensorType>(op->getOperand(0).getType()));
  const BitSpace &positions = plan.operand.to();
  Dim axis = blockDim(plan.axis);
  uint64_t extent = positions.extentOf(axis), threadBits = 0;
  for (uint64_t base : plan.operand.basesOf({Dim::Lane, Dim::Warp}))
    threadBits |= positions.get(base, axis);
  for (uint64_t reg : live) {
    uint64_t own = positions.get(plan.operand.apply(reg, 0, 0), axis);
    if ((own | threadBits) >= extent)
      tuples[reg].valid = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult,
                                                block.coordinate(plan.axis, reg),
                                                program.i32(loc, static_cast<int64_t>(extent)));
  }
  return tuples;
}

std::vector<std::vector<uint64_t>> TupleThreads::registerLines() const {
  std::map<uint64_t, std::map<uint64_t, uint64_t>> lines;
  for (uint64_t reg : plan.operand.liveRegisters()) {
    uint64_t position = plan.operand.apply(reg, 0, 0);
    lines[plan.lineOf(position)][plan.operand.to().get(position, blockDim(plan.axis))] = reg;
  }
  std::vector<std::vector<uint64_t>> list;
  for (const auto &[number, line] : lines) {
    list.emplace_back();
    for (const auto &[coordinate, reg] : line)
      list.back().push_back(reg);
  }
  return list;
}

//===----------------------------------------------------------------------===//
// Warps
//===----------------------------------------------------------------------===//

std::vector<uint64_t> TupleThreads::slotSteps() const {
  std::vector<uint64_t> steps(plan.operand.from().bitsOf(Dim::Warp));
  uint64_t next = 1;
  for (auto [bit, step] : llvm::enumerate(steps))
    if (plan.axisWarps >> bit & 1) {
      step = next;
      next <<= 1;
    }
  return steps;
}

/// The address, in the slots that begin at `area`, of slot `slot` of the thread's line, or
/// of its warp's own.
Value TupleThreads::slotAddress(uint64_t area, uint64_t reg, unsigned bytes, uint64_t slot,
                                bool isOwn) {
  uint64_t lineBytes = plan.warpsAlongAxis() * bytes;
  auto lines = [&](Dim holder) {
    std::vector<uint64_t> bases = plan.operand.basesOf(holder);
    for (uint64_t &base : bases)
      base = plan.lineOf(base) * lineBytes;
    return bases;
  };
  std::vector<uint64_t> warps = lines(Dim::Warp);
  if (isOwn)
    for (auto [base, step] : llvm::zip_equal(warps, slotSteps()))
      base |= step * bytes;
  SharedPlaces places(program, loc, scratch + area, lines(Dim::Lane), warps);
  return places.at(plan.lineOf(plan.operand.apply(reg, 0, 0)) * lineBytes + slot * bytes);
}

void TupleThreads::storeSlot(uint64_t reg, const Tuple &tuple, Value isWriter) {
  SmallVector<std::pair<Value, Value>> stores;
  for (auto [index, value] : llvm::enumerate(tuple.values))
    stores.push_back(
        {toBytes(program, loc, value),
         slotAddress(plan.slotOffsets[index], reg, bytesOf(plan.types[index]), 0, true)});
  if (plan.isPadded) {
    Value valid = tuple.valid ? tuple.valid : program.constantInt(loc, builder.getI1Type(), 1);
    stores.push_back(
        {toBytes(program, loc, valid), slotAddress(plan.validOffset, reg, 1, 0, true)});
  }
  emitIf(program, loc, isWriter, [&]() {
    for (auto [value, address] : stores)
      storeShared(program, loc, value, address);
  });
}

SmallVector<Tuple> TupleThreads::loadSlots(uint64_t reg) {
  auto load = [&](uint64_t area, Type element, unsigned warp) {
    Value address = slotAddress(area, reg, bytesOf(element), warp, false);
    Value loaded = loadShared(program, loc, memoryElement(element), 1, address)[0];
    return fromBytes(program, loc, loaded, element);
  };
  SmallVector<Tuple> tuples;
  for (unsigned warp = 0; warp < plan.warpsAlongAxis(); ++warp) {
    tuples.emplace_back();
    for (auto [area, type] : llvm::zip_equal(plan.slotOffsets, plan.types))
      tuples.back().values.push_back(load(area, registerElement(type), warp));
    if (plan.isPadded)
      tuples.back().valid = load(plan.validOffset, builder.getI1Type(), warp);
  }
  return tuples;
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

SmallVector<Value> TupleThreads::results(ArrayRef<Tuple> tuples) {
  SmallVector<Value> values;
  for (auto [index, result] : llvm::enumerate(op->getResults())) {
    Type element = elementTypeOf(result.getType()), held = registerElement(element);
    SmallVector<Value> scalars;
    for (const Tuple &tuple : tuples)
      scalars.push_back(tuple.values[index]);
    auto type = dyn_cast<RankedTensorType>(result.getType());
    Value value = type ? vectorOf(program, loc, scalars) : scalars.front();
    if (Type rounded = registers::withElement(value.getType(), held); rounded != value.getType())
      value = arith::TruncFOp::create(builder, loc, rounded, value);
    values.push_back(value);
  }
  return values;
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

namespace {
/// Combines as `fsm.reduce` does: a thread's registers as a tree, lanes by butterflies,
/// warps by slots of scratch memory behind one barrier. The lower of two lanes always
/// comes first, so that all have the same bits even where the two orders round
/// differently.
class TupleReduction : TupleThreads {
public:
  using TupleThreads::TupleThreads;

  SmallVector<Value> run(ValueRange sources) {
    std::vector<Tuple> tuples = registerTuples(sources, /*marksPadding=*/true);
    std::vector<std::vector<uint64_t>> lines = registerLines();
    SmallVector<Tuple> totals;
    for (const std::vector<uint64_t> &line : lines) {
      SmallVector<Tuple> held;
      for (uint64_t reg : line)
        held.push_back(tuples[reg]);
      totals.push_back(butterflies(tree(std::move(held))));
    }
    if (plan.axisWarps)
      combineWarps(lines, totals);
    if (!plan.combined)
      return results(totals);
    std::map<uint64_t, const Tuple *> byLine;
    for (auto [line, total] : llvm::zip_equal(lines, totals))
      byLine[plan.lineOf(plan.operand.apply(line.front(), 0, 0))] = &total;
    SmallVector<Tuple> ordered;
    for (uint64_t reg : plan.combined->liveRegisters())
      ordered.push_back(*byLine.at(plan.combined->apply(reg, 0, 0)));
    return results(ordered);
  }

private:
  /// Neighbours, then pairs of neighbours.
  Tuple tree(SmallVector<Tuple> tuples) {
    while (tuples.size() > 1) {
      SmallVector<Tuple> half;
      for (size_t i = 0; i + 1 < tuples.size(); i += 2)
        half.push_back(combine(tuples[i], tuples[i + 1]));
      if (tuples.size() % 2)
        half.push_back(tuples.back());
      tuples = std::move(half);
    }
    return tuples.front();
  }

  Tuple butterflies(Tuple tuple) {
    for (uint64_t lanes = plan.axisLanes; lanes; lanes &= lanes - 1) {
      uint64_t bit = lanes & -lanes;
      Tuple other = moved(tuple, [&](Value value) {
        return program.shuffleXor(loc, value, static_cast<unsigned>(bit));
      });
      Value isHigh = bitIsSet(program.lane(), bit);
      tuple = combine(choose(isHigh, other, tuple), choose(isHigh, tuple, other));
    }
    return tuple;
  }

  void combineWarps(const std::vector<std::vector<uint64_t>> &lines,
                    MutableArrayRef<Tuple> totals) {
    Value isWriter = program.isFirst(loc, plan.operand.freeBits(Dim::Lane) | plan.axisLanes,
                                     plan.operand.freeBits(Dim::Warp));
    for (auto [line, total] : llvm::zip_equal(lines, totals))
      storeSlot(line.front(), total, isWriter);
    program.barrier(loc);
    for (auto [line, total] : llvm::zip_equal(lines, totals))
      total = tree(loadSlots(line.front()));
  }
};
} // namespace

LogicalResult fsm::gpu::lowerTuples(ThreadLowering &thread, Operation *op, TupleLowering run) {
  LogicalResult status = success();
  auto step = [&](ValueRange left, ValueRange right) -> SmallVector<Value> {
    Block &body = op->getRegion(0).front();
    thread.set(body.getArguments().take_front(left.size()), left);
    thread.set(body.getArguments().drop_front(left.size()), right);
    if (succeeded(status))
      status = thread.lowerBody(body);
    return succeeded(status) ? thread.lookup(body.getTerminator()->getOperands())
                             : SmallVector<Value>(left);
  };
  SmallVector<Value> results = run(thread.lookup(op->getOperands()), step);
  if (failed(status) || results.empty())
    return failure();
  thread.set(op->getResults(), results);
  return success();
}

static LogicalResult lower(ThreadLowering &thread, ReduceWithOp op) {
  std::optional<uint64_t> scratch = scratchOffset(op);
  if (!scratch)
    return failure();
  return lowerTuples(thread, op, [&](ValueRange sources, CombineStep step) {
    return TupleReduction(thread.program, op, planCombine(op), *scratch, step).run(sources);
  });
}

void fsm::gpu::addCombineHandlers(HandlerTable &table) { addHandler<ReduceWithOp, lower>(table); }
