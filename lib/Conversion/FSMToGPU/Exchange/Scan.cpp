//===- Scan.cpp - Scans over threads -------------------------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Combine.h"

#include "Reduce.h"
#include "SharedAccess.h"
#include "fsm/Machine/GpuTarget.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace fsm;
using namespace fsm::gpu;

namespace {
/// One scan: a thread goes along its own registers; then its lane, its warp ask for the
/// combination of what comes before them. "Before" and "last" are meant in its direction: a reverse
/// scan comes to the highest lanes and warps first. Its padding comes before all elements and is
/// not valid; that of a forward scan comes behind them and reaches none.
class Scan : TupleThreads {
public:
  Scan(DeviceProgram &program, Operation *op, uint64_t scratch, CombineStep step)
      : TupleThreads(program, op, planCombine(op), scratch, step),
        isReverse(combinesBackwards(op)) {}

  SmallVector<Value> run(ValueRange sources) {
    std::vector<Tuple> tuples = registerTuples(sources, /*marksPadding=*/isReverse);
    std::vector<std::vector<uint64_t>> lines = registerLines();
    for (std::vector<uint64_t> &line : lines) {
      if (isReverse)
        std::reverse(line.begin(), line.end());
      for (size_t i = 1; i < line.size(); ++i)
        tuples[line[i]] = append(tuples[line[i - 1]], tuples[line[i]]);
    }
    for (const auto &[line, tuple] : combineThreads(lines, tuples)) {
      Tuple before = withNeutral(tuple);
      for (uint64_t reg : line)
        tuples[reg] = append(before, tuples[reg]);
    }
    SmallVector<Tuple> ordered;
    for (uint64_t reg : plan.operand.liveRegisters())
      ordered.push_back(tuples[reg]);
    return results(ordered);
  }

private:
  using Lines = std::vector<std::vector<uint64_t>>;

  /// Where there is something before, there is the tuple itself.
  Tuple append(const Tuple &before, const Tuple &tuple) {
    Tuple result = combine(before, {tuple.values, Value()});
    result.valid = tuple.valid;
    return result;
  }

  /// The same where it is there, else what changes nothing, if that is known: one choice
  /// instead of one for each register.
  Tuple withNeutral(const Tuple &tuple) {
    auto scan = dyn_cast<ScanOp>(op);
    if (!scan || !tuple.valid)
      return tuple;
    Value neutral =
        neutralElement(builder, loc, scan.getKind(), scan.getPropagateNan(), plan.types.front());
    return {choose(tuple.valid, {tuple.values, Value()}, {{neutral}, Value()}).values, Value()};
  }

  /// For each line, what comes before the thread's registers; nothing when a line has
  /// but one thread.
  std::vector<std::pair<std::vector<uint64_t>, Tuple>> combineThreads(const Lines &lines,
                                                                      ArrayRef<Tuple> tuples) {
    if (!plan.axisLanes && !plan.axisWarps)
      return {};
    SmallVector<Tuple> totals;
    for (const std::vector<uint64_t> &line : lines)
      totals.push_back(combineLanes(tuples[line.back()]));
    if (plan.axisWarps) {
      Value isWriter = both(isLastLane(), program.isFirst(loc, plan.operand.freeBits(Dim::Lane),
                                                          plan.operand.freeBits(Dim::Warp)));
      for (auto [line, total] : llvm::zip_equal(lines, totals))
        storeSlot(line.front(), total, isWriter);
      program.barrier(loc);
    }
    std::vector<std::pair<std::vector<uint64_t>, Tuple>> before;
    for (auto [line, total] : llvm::zip_equal(lines, totals)) {
      if (!plan.axisLanes)
        before.push_back({line, warpsBefore(line.front())});
      else if (!plan.axisWarps)
        before.push_back({line, laneBefore(total)});
      else
        before.push_back({line, combine(warpsBefore(line.front()), laneBefore(total))});
    }
    return before;
  }

  Value number(uint64_t value) { return program.i32(loc, static_cast<int64_t>(value)); }

  /// The lane's total combined with those of all lanes before it. Lanes are joined in groups
  /// of 2, 4, ...: those of a group's second half take what the last lane of the first has.
  Tuple combineLanes(Tuple total) {
    uint64_t joined = 0;
    for (uint64_t lanes = plan.axisLanes; lanes; lanes &= lanes - 1) {
      uint64_t bit = lanes & -lanes, set = isReverse ? bit : joined;
      Value kept = arith::AndIOp::create(builder, loc, program.lane(),
                                         number(~(bit | joined) & (kLanes - 1)));
      Value from = arith::OrIOp::create(builder, loc, kept, number(set));
      Tuple other =
          moved(total, [&](Value value) { return program.shuffleFrom(loc, value, from); });
      Value isHigh = bitIsSet(program.lane(), bit);
      Tuple appended = append(other, total);
      total = isReverse ? choose(isHigh, total, appended) : choose(isHigh, appended, total);
      joined |= bit;
    }
    return total;
  }

  /// Whether the thread's lane is the last of its warp along the axis; null for one lane.
  Value isLastLane() {
    if (!plan.axisLanes)
      return {};
    Value own = arith::AndIOp::create(builder, loc, program.lane(), number(plan.axisLanes));
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, own,
                                 number(isReverse ? 0 : plan.axisLanes));
  }

  /// What the lane before this one has in `total`; not valid in the first.
  Tuple laneBefore(const Tuple &total) {
    uint64_t along = plan.axisLanes, across = (kLanes - 1) & ~along;
    // Counts in the bits along the axis alone: a borrow, or a carry, runs through the
    // others.
    Value own = arith::AndIOp::create(builder, loc, program.lane(), number(along));
    Value kept = arith::AndIOp::create(builder, loc, program.lane(), number(across));
    Value stepped;
    if (isReverse) {
      Value filled = arith::OrIOp::create(builder, loc, own, number(across));
      stepped = arith::AddIOp::create(builder, loc, filled, number(1));
    } else {
      stepped = arith::SubIOp::create(builder, loc, own, number(1));
    }
    Value from = arith::OrIOp::create(builder, loc, kept,
                                      arith::AndIOp::create(builder, loc, stepped, number(along)));
    Tuple before = moved(total, [&](Value value) { return program.shuffleFrom(loc, value, from); });
    Value isThere = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne, own,
                                          number(isReverse ? along : 0));
    before.valid = both(before.valid, isThere);
    return before;
  }

  /// What the warps before this one have; not valid in the first.
  Tuple warpsBefore(uint64_t reg) {
    SmallVector<Tuple> slots = loadSlots(reg);
    if (isReverse)
      std::reverse(slots.begin(), slots.end());
    SmallVector<uint64_t> none(plan.operand.from().bitsOf(Dim::Lane), 0);
    Value own = program.linear(loc, none, slotSteps());
    auto isBefore = isReverse ? arith::CmpIPredicate::ult : arith::CmpIPredicate::ugt;
    Tuple sum;
    for (auto [step, slot] : llvm::enumerate(ArrayRef(slots).drop_back())) {
      size_t warp = isReverse ? slots.size() - 1 - step : step;
      Value isThere = arith::CmpIOp::create(builder, loc, isBefore, own, number(warp));
      if (step == 0) {
        sum = {slot.values, both(slot.valid, isThere)};
        continue;
      }
      // Where this one is before the thread's, all that came in front of it are.
      Tuple next = combine({sum.values, slot.valid ? sum.valid : Value()}, slot);
      next.valid = next.valid ? next.valid : sum.valid;
      sum = choose(isThere, next, sum);
    }
    return sum;
  }

  static constexpr uint64_t kLanes = kWarpThreads;
  bool isReverse;
};
} // namespace

static LogicalResult lower(ThreadLowering &thread, ScanWithOp op) {
  std::optional<uint64_t> scratch = scratchOffset(op);
  if (!scratch)
    return failure();
  return lowerTuples(thread, op, [&](ValueRange sources, CombineStep step) {
    return Scan(thread.program, op, *scratch, step).run(sources);
  });
}

/// A tuple of one, whose step is known.
static LogicalResult lower(ThreadLowering &thread, ScanOp op) {
  std::optional<uint64_t> scratch = scratchOffset(op);
  if (!scratch)
    return failure();
  auto step = [&](ValueRange left, ValueRange right) -> SmallVector<Value> {
    return {combineElements(thread.builder, op.getLoc(), op.getKind(), op.getPropagateNan(),
                            left.front(), right.front())};
  };
  return lowerTuples(thread, op, [&](ValueRange sources, CombineStep) {
    return Scan(thread.program, op, *scratch, step).run(sources);
  });
}

void fsm::gpu::addScanHandlers(HandlerTable &table) {
  addHandler<ScanOp, lower>(table);
  addHandler<ScanWithOp, lower>(table);
}
