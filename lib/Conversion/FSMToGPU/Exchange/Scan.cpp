//===- Scan.cpp - Scans over threads -------------------------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Combine.h"

#include "../../Registers/MathFormulas.h"

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
  Scan(ThreadLowering &thread, AlongAxis op)
      : TupleThreads(thread, op), isReverse(op.getReverse()),
        axisLanes(bitsAlong(plan.operand, Dim::Lane, plan.axis)),
        f(builder, op->getLoc(), builder.getI32Type()) {}

  LogicalResult run() {
    std::vector<Tuple> tuples = registerTuples();
    Lines lines = linesOf(plan.operand);
    for (auto &[number, line] : lines) {
      if (isReverse)
        std::reverse(line.begin(), line.end());
      for (size_t i = 1; i < line.size(); ++i)
        tuples[line[i]] = append(tuples[line[i - 1]], tuples[line[i]]);
    }
    for (auto [line, tuple] : llvm::zip(lines, combineThreads(lines, tuples))) {
      Tuple before = withNeutral(tuple);
      for (uint64_t reg : line.second)
        tuples[reg] = append(before, tuples[reg]);
    }
    return setResults(llvm::map_to_vector(plan.operand.liveRegisters(),
                                          [&](uint64_t reg) { return tuples[reg]; }));
  }

private:
  /// Where there is something before, there is the tuple itself.
  Tuple append(const Tuple &before, const Tuple &tuple) {
    Tuple result = combine(before, {tuple.values, Value()});
    result.valid = tuple.valid;
    return result;
  }

  /// The same where it is there, else what changes nothing, if that is known: one choice
  /// instead of one for each register.
  Tuple withNeutral(const Tuple &tuple) {
    Value nothing = tuple.valid ? neutral() : Value();
    if (!nothing)
      return tuple;
    return {choose(tuple.valid, {tuple.values, Value()}, {{nothing}, Value()}).values, Value()};
  }

  /// For each line, what comes before the thread's registers; nothing when a line has
  /// but one thread.
  SmallVector<Tuple> combineThreads(const Lines &lines, ArrayRef<Tuple> tuples) {
    SmallVector<Tuple> totals, before;
    if (!axisLanes && !plan.axisWarps)
      return before;
    for (const auto &[number, line] : lines)
      totals.push_back(combineLanes(tuples[line.back()]));
    if (plan.axisWarps) {
      auto last = llvm::map_to_vector(totals, [&](const Tuple &total) { return lastOf(total); });
      for (SmallVector<Tuple> &slots : exchanged(lines, last))
        before.push_back(warpsBefore(std::move(slots)));
    }
    if (!axisLanes)
      return before;
    before.resize(totals.size());
    for (auto [sum, total] : llvm::zip_equal(before, totals)) {
      Tuple lanes = laneBefore(total);
      sum = plan.axisWarps ? combine(sum, lanes) : lanes;
    }
    return before;
  }

  /// The lane's total combined with those of all lanes before it. Lanes are joined in groups
  /// of 2, 4, ...: those of a group's second half take what the last lane of the first has.
  Tuple combineLanes(Tuple total) {
    uint64_t joined = 0;
    for (uint64_t lanes = axisLanes; lanes; lanes &= lanes - 1) {
      uint64_t bit = lanes & -lanes; // The lowest of them.
      uint64_t set = isReverse ? bit : joined;
      Value kept = f.both(program.lane(), ~(bit | joined) & (kLanes - 1));
      Value from = f.either(kept, f.integer(set));
      Tuple other = moved(total, [&](Value value) { return program.shuffleFrom(value, from); });
      Value isHigh = bitIsSet(program.lane(), bit);
      Tuple appended = append(other, total);
      total = isReverse ? choose(isHigh, total, appended) : choose(isHigh, appended, total);
      joined |= bit;
    }
    return total;
  }

  /// What the last lane along the axis has in `total`.
  Tuple lastOf(const Tuple &total) {
    if (!axisLanes)
      return total;
    Value from = f.both(program.lane(), (kLanes - 1) & ~axisLanes);
    if (!isReverse)
      from = f.either(from, f.integer(axisLanes));
    return moved(total, [&](Value value) { return program.shuffleFrom(value, from); });
  }

  /// What the lane before this one has in `total`; not valid in the first.
  Tuple laneBefore(const Tuple &total) {
    uint64_t along = axisLanes, across = (kLanes - 1) & ~along;
    // Counts in the bits along the axis alone: a borrow, or a carry, runs through the
    // others.
    Value own = f.both(program.lane(), along), kept = f.both(program.lane(), across);
    Value stepped = isReverse ? f.add(f.either(own, f.integer(across)), f.integer(1))
                              : f.sub(own, f.integer(1));
    Value from = f.either(kept, f.both(stepped, along));
    Tuple before = moved(total, [&](Value value) { return program.shuffleFrom(value, from); });
    Value isThere = f.compare(arith::CmpIPredicate::ne, own, f.integer(isReverse ? along : 0));
    before.valid = both(builder, before.valid, isThere);
    return before;
  }

  /// What the warps before this one have, of what all have; not valid in the first.
  Tuple warpsBefore(SmallVector<Tuple> slots) {
    if (isReverse)
      std::reverse(slots.begin(), slots.end());
    SmallVector<uint64_t> none(plan.operand.from().bitsOf(Dim::Lane), 0), steps;
    unsigned bits = plan.operand.overOneCta().from().bitsOf(Dim::Warp);
    for (unsigned bit = 0, taken = 0; bit < bits; ++bit)
      steps.push_back(plan.axisWarps >> bit & 1 ? uint64_t(1) << taken++ : 0);
    Value own = program.linear(none, steps);
    auto isBefore = isReverse ? arith::CmpIPredicate::ult : arith::CmpIPredicate::ugt;
    Tuple sum;
    for (auto [step, slot] : llvm::enumerate(ArrayRef(slots).drop_back())) {
      size_t warp = isReverse ? slots.size() - 1 - step : step;
      Value isThere = f.compare(isBefore, own, f.integer(warp));
      if (step == 0) {
        sum = {slot.values, both(builder, slot.valid, isThere)};
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
  uint64_t axisLanes;
  Formula f;
};
} // namespace

template <typename Op>
static LogicalResult lower(ThreadLowering &thread, Op op) {
  return failed(checkStaged(op)) ? failure() : Scan(thread, op).run();
}

void fsm::gpu::addScanHandlers(HandlerTable &table) {
  addHandler<ScanOp, lower>(table);
  addHandler<ScanWithOp, lower>(table);
}
