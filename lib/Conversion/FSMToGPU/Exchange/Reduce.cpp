//===- Reduce.cpp - Reductions over threads ------------------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Reduce.h"

#include "../../Registers/Values.h"
#include "../Math/Elementwise.h"
#include "../Program/ThreadBlock.h"
#include "../Program/ThreadLowering.h"
#include "../Program/ThreadValues.h"
#include "SharedAccess.h"
#include "fsm/Analysis/ScratchSize.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include <cmath>

using namespace mlir;
using namespace fsm;
using namespace fsm::gpu;

namespace {

/// One reduction, step by step: to a scalar that has the same bits in all threads of the
/// program, or the vector of the result's live registers.
///
/// A thread combines its own registers as a balanced tree, a warp by butterflies over
/// the bits of the lane that move along the axis, a program by one slot of scratch
/// memory for each warp and one barrier. Bits that move nothing are replicas, which are
/// not combined. The order is that of the layout, so the same each time.
class Reduction {
public:
  Reduction(DeviceProgram &program, ReduceOp op, uint64_t scratch)
      : program(program), builder(program.builder), op(op), loc(op.getLoc()), plan(planReduce(op)),
        scratch(scratch), axis(op.getAxis()) {}

  Value run(Value source) {
    SmallVector<Value> results = combineRegisters(masked(registers::widen(builder, loc, source)));
    for (Value &result : results)
      if (result)
        result = butterflies(result, plan.axisLanes);
    if (plan.axisWarps)
      results = plan.partial ? combineWarps(results) : SmallVector<Value>{combineWarps(results[0])};
    if (!plan.partial)
      return narrowed(results[0]);
    llvm::erase(results, Value());
    return narrowed(vectorOf(program, loc, results));
  }

private:
  Value combine(Value left, Value right);
  Value tree(SmallVector<Value> values);
  SmallVector<Value> masked(Value source);
  SmallVector<Value> combineRegisters(ArrayRef<Value> elements);
  Value butterflies(Value value, uint64_t lanes);
  Value combineWarps(Value value);
  SmallVector<Value> combineWarps(ArrayRef<Value> values);
  uint64_t withoutAxis(uint64_t position) const;
  std::vector<uint64_t> slotBytes(uint64_t stride) const;

  Value narrowed(Value value) {
    Type element = elementTypeOf(op.getType());
    Type type = registers::withElement(value.getType(), element);
    return type == value.getType() ? value
                                   : arith::TruncFOp::create(builder, loc, type, value).getResult();
  }

  DeviceProgram &program;
  OpBuilder &builder;
  ReduceOp op;
  Location loc;
  ReducePlan plan;
  uint64_t scratch;
  unsigned axis;
};

} // namespace

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

Value fsm::gpu::neutralElement(OpBuilder &builder, Location loc, ReduceKind kind, bool propagateNan,
                               Type type) {
  bool isFloat = isa<FloatType>(type);
  auto real = [&](double value) { return registers::constantReal(builder, loc, type, value); };
  auto integer = [&](int64_t value) { return registers::constantInt(builder, loc, type, value); };
  unsigned width = type.getIntOrFloatBitWidth();
  switch (kind) {
  case ReduceKind::Sum:
    return isFloat ? real(-0.0) : integer(0);
  case ReduceKind::Prod:
    return isFloat ? real(1.0) : integer(1);
  case ReduceKind::Max:
    if (isFloat)
      return real(propagateNan ? -INFINITY : NAN);
    return integer(APInt::getSignedMinValue(width).getSExtValue());
  case ReduceKind::Min:
    if (isFloat)
      return real(propagateNan ? INFINITY : NAN);
    return integer(APInt::getSignedMaxValue(width).getSExtValue());
  case ReduceKind::UMax:
  case ReduceKind::Or:
  case ReduceKind::Xor:
    return integer(0);
  case ReduceKind::UMin:
  case ReduceKind::And:
    return integer(-1);
  }
  return {};
}

Value fsm::gpu::combineElements(OpBuilder &builder, Location loc, ReduceKind kind,
                                bool propagateNan, Value left, Value right) {
  bool isFloat = isa<FloatType>(left.getType());
  bool isMax = kind == ReduceKind::Max;
  switch (kind) {
  case ReduceKind::Sum:
    if (isFloat)
      return arith::AddFOp::create(builder, loc, left, right);
    return arith::AddIOp::create(builder, loc, left, right);
  case ReduceKind::Prod:
    if (isFloat)
      return arith::MulFOp::create(builder, loc, left, right);
    return arith::MulIOp::create(builder, loc, left, right);
  case ReduceKind::Max:
  case ReduceKind::Min:
    if (isFloat)
      return extremum(builder, loc, left, right, isMax, propagateNan);
    if (isMax)
      return arith::MaxSIOp::create(builder, loc, left, right);
    return arith::MinSIOp::create(builder, loc, left, right);
  case ReduceKind::UMax:
    return arith::MaxUIOp::create(builder, loc, left, right);
  case ReduceKind::UMin:
    return arith::MinUIOp::create(builder, loc, left, right);
  case ReduceKind::And:
    return arith::AndIOp::create(builder, loc, left, right);
  case ReduceKind::Or:
    return arith::OrIOp::create(builder, loc, left, right);
  case ReduceKind::Xor:
    return arith::XOrIOp::create(builder, loc, left, right);
  }
  return {};
}

Value Reduction::combine(Value left, Value right) {
  return combineElements(builder, loc, op.getKind(), op.getPropagateNan(), left, right);
}

/// The values combined in pairs of neighbours, then pairs of pairs; null for none.
Value Reduction::tree(SmallVector<Value> values) {
  while (values.size() > 1) {
    SmallVector<Value> half;
    for (size_t i = 0; i + 1 < values.size(); i += 2)
      half.push_back(combine(values[i], values[i + 1]));
    if (values.size() % 2)
      half.push_back(values.back());
    values = std::move(half);
  }
  return values.empty() ? Value() : values[0];
}

//===----------------------------------------------------------------------===//
// Threads
//===----------------------------------------------------------------------===//

/// The thread's elements, the neutral one in place of what lies outside the true extent
/// of the axis. Other dimensions need no care: nobody observes those results.
SmallVector<Value> Reduction::masked(Value source) {
  SmallVector<Value> elements = elementsOf(program, loc, source);
  ThreadBlock block(program, loc, op.getSource().getType());
  const BitSpace &positions = plan.operand.to();
  uint64_t extent = positions.extentOf(blockDim(axis)), threadBits = 0;
  for (uint64_t base : plan.operand.basesOf({Dim::Lane, Dim::Warp}))
    threadBits |= positions.get(base, blockDim(axis));
  Value neutral;
  for (auto [reg, element] : llvm::zip_equal(block.registers(), elements)) {
    uint64_t own = positions.get(plan.operand.apply(reg, 0, 0), blockDim(axis));
    if ((own | threadBits) < extent)
      continue;
    Value isInside =
        arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, block.coordinate(axis, reg),
                              program.i32(loc, static_cast<int64_t>(extent)));
    if (!neutral)
      neutral = neutralElement(builder, loc, op.getKind(), op.getPropagateNan(), plan.accumulator);
    element = arith::SelectOp::create(builder, loc, isInside, element, neutral);
  }
  return elements;
}

/// The packed position in the result of the elements at a position of the operand.
uint64_t Reduction::withoutAxis(uint64_t position) const {
  const BitSpace &from = plan.operand.to(), &to = plan.partial->to();
  uint64_t packed = 0;
  for (unsigned dim = 0, kept = 0; dim < from.axes().size(); ++dim)
    if (dim != axis)
      packed |= to.place(blockDim(kept++), from.get(position, blockDim(dim)));
  return packed;
}

/// For each register of the result what the thread has of it; null where it is not live.
SmallVector<Value> Reduction::combineRegisters(ArrayRef<Value> elements) {
  if (!plan.partial)
    return {tree(llvm::to_vector(elements))};
  const LinearLayout &partial = *plan.partial;
  BitMatrix toPosition =
      BitMatrix::fromColumns(partial.basesOf(Dim::Register), partial.to().bits());
  std::vector<SmallVector<Value>> held(uint64_t(1) << toPosition.columnCount());
  for (auto [reg, element] : llvm::zip_equal(plan.operand.liveRegisters(), elements)) {
    uint64_t position = withoutAxis(plan.operand.apply(reg, 0, 0));
    held[*toPosition.solve(position)].push_back(element);
  }
  SmallVector<Value> results(held.size());
  for (uint64_t reg : partial.liveRegisters())
    results[reg] = tree(held[reg]);
  return results;
}

/// Both lanes of a pair compute the same bits: every operation is commutative.
Value Reduction::butterflies(Value value, uint64_t lanes) {
  for (; lanes; lanes &= lanes - 1) {
    auto mask = static_cast<unsigned>(lanes & -lanes);
    value = combine(value, program.shuffleXor(loc, value, mask));
  }
  return value;
}

//===----------------------------------------------------------------------===//
// Warps
//===----------------------------------------------------------------------===//

/// For each bit of the warp, the bytes by which it moves among the slots of one result:
/// those along the axis are numbered in their order.
std::vector<uint64_t> Reduction::slotBytes(uint64_t stride) const {
  std::vector<uint64_t> bytes(plan.operand.from().bitsOf(Dim::Warp));
  for (auto [bit, base] : llvm::enumerate(bytes))
    if (plan.axisWarps >> bit & 1) {
      base = stride;
      stride <<= 1;
    }
  return bytes;
}

/// One result: lane i fetches what warp i (modulo their number) has, and butterflies
/// combine them.
Value Reduction::combineWarps(Value value) {
  uint64_t bytes = bytesOf(plan.accumulator), warps = plan.warpsAlongAxis();
  uint64_t allLanes = (uint64_t(1) << plan.operand.from().bitsOf(Dim::Lane)) - 1;
  uint64_t allWarps = (uint64_t(1) << plan.operand.from().bitsOf(Dim::Warp)) - 1;
  SharedPlaces slots(program, loc, scratch, {}, slotBytes(bytes));
  Value stored = toBytes(program, loc, value);
  emitIf(program, loc, program.isFirst(loc, allLanes, allWarps & ~plan.axisWarps),
         [&]() { storeShared(program, loc, stored, slots.at(0)); });
  program.barrier(loc);
  std::vector<uint64_t> lanes;
  for (uint64_t step = 1; step < warps; step <<= 1)
    lanes.push_back(step * bytes);
  SharedPlaces fetched(program, loc, scratch, lanes, {});
  Value partial = loadShared(program, loc, stored.getType(), 1, fetched.at(0))[0];
  return butterflies(fromBytes(program, loc, partial, plan.accumulator), warps - 1);
}

/// A block of results: what the warps have of one result is neighbouring, so that one
/// access fetches several. Only one of several replicas writes; all threads read.
SmallVector<Value> Reduction::combineWarps(ArrayRef<Value> values) {
  const LinearLayout &partial = *plan.partial;
  uint64_t bytes = bytesOf(plan.accumulator), warps = plan.warpsAlongAxis();
  auto scaled = [&](Dim dim) {
    std::vector<uint64_t> bases = partial.basesOf(dim);
    for (uint64_t &base : bases)
      base *= warps * bytes;
    return bases;
  };
  std::vector<uint64_t> own = scaled(Dim::Warp);
  for (auto [base, slot] : llvm::zip_equal(own, slotBytes(bytes)))
    base |= slot;
  SharedPlaces written(program, loc, scratch, scaled(Dim::Lane), own);
  SharedPlaces read(program, loc, scratch, scaled(Dim::Lane), scaled(Dim::Warp));
  auto registerBytes = [&](uint64_t reg) { return partial.apply(reg, 0, 0) * warps * bytes; };

  Value isFirst = program.isFirst(loc, partial.freeBits(Dim::Lane),
                                  partial.freeBits(Dim::Warp) & ~plan.axisWarps);
  SmallVector<Value> stored(values.size());
  for (uint64_t reg : partial.liveRegisters())
    stored[reg] = toBytes(program, loc, values[reg]);
  emitIf(program, loc, isFirst, [&]() {
    for (uint64_t reg : partial.liveRegisters())
      storeShared(program, loc, stored[reg], written.at(registerBytes(reg)));
  });
  program.barrier(loc);
  SmallVector<Value> results(values.size());
  uint64_t together = std::min(warps, 16 / bytes);
  for (uint64_t reg : partial.liveRegisters()) {
    SmallVector<Value> all;
    for (uint64_t first = 0; first < warps; first += together) {
      Value address = read.at(registerBytes(reg) + first * bytes);
      for (Value one : loadShared(program, loc, memoryElement(plan.accumulator), together, address))
        all.push_back(fromBytes(program, loc, one, plan.accumulator));
    }
    results[reg] = tree(std::move(all));
  }
  return results;
}

static LogicalResult lower(ThreadLowering &thread, ReduceOp op) {
  std::optional<uint64_t> scratch = scratchOffset(op);
  if (!scratch)
    return failure();
  return thread.setResult(
      op, Reduction(thread.program, op, *scratch).run(thread.lookup(op.getSource())));
}

void fsm::gpu::addReduceHandlers(HandlerTable &table) { addHandler<ReduceOp, lower>(table); }
