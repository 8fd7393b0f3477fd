//===- Combine.h - Tuples combined over threads ----------------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_CONVERSION_FSMTOGPU_EXCHANGE_COMBINE_H
#define FSM_CONVERSION_FSMTOGPU_EXCHANGE_COMBINE_H

#include "../Program/ThreadLowering.h"

#include "fsm/Analysis/CombinePlan.h"

#include "llvm/ADT/MapVector.h"

namespace fsm::gpu {

/// One element of each operand.
struct Tuple {
  SmallVector<Value> values;
  /// An i1: whether there are elements; null for always.
  Value valid;
};

/// The registers of each of a thread's lines, by the coordinate along the axis; a line is what
/// lineOf() says of its elements.
using Lines = llvm::MapVector<uint64_t, SmallVector<uint64_t>>;

/// The tuples of one reduction or scan, in the threads that hold them. Elements that are combined
/// by a kind are tuples of one.
class TupleThreads {
public:
  TupleThreads(ThreadLowering &thread, AlongAxis op)
      : thread(thread), program(thread.program), builder(thread.builder), op(op),
        plan(planCombine(op)) {}

protected:
  /// The thread's tuples by register, in the plan's layout; dead registers have none. Those beyond
  /// the extent of the axis change nothing.
  std::vector<Tuple> registerTuples();
  Lines linesOf(const LinearLayout &layout) const;

  /// `left` comes before `right`. What is not valid changes nothing. In order, all elements of
  /// `left` come before all of `right`.
  Tuple combine(const Tuple &left, const Tuple &right, bool isInOrder = false);
  Tuple choose(Value condition, const Tuple &yes, const Tuple &no);
  Tuple moved(const Tuple &tuple, function_ref<Value(Value)> move);
  /// What changes nothing, where a kind says how elements are combined.
  Value neutral();

  /// What the warps have of each of the thread's lines, in the order along the axis, or in lanes,
  /// of which each has its own: what the thread's warp has of them goes through the op's exchange.
  SmallVector<SmallVector<Tuple>> exchanged(const Lines &lines, ArrayRef<Tuple> totals);

  /// Sets the op's results: tuples by live register of `plan.combined`, or one for scalars. Fails
  /// after an error in the op's regions.
  LogicalResult setResults(ArrayRef<Tuple> tuples);

  SmallVector<Value> step(ValueRange left, ValueRange right, bool isInOrder = false);
  Value isValid(const Tuple &tuple);
  Value bitIsSet(Value number, uint64_t bit);

  ThreadLowering &thread;
  DeviceProgram &program;
  ImplicitLocOpBuilder &builder;
  AlongAxis op;
  CombinePlan plan;

private:
  /// What a block of the op's regions yields of these values.
  SmallVector<Value> yielded(Block &body, ValueRange arguments, bool isInOrder = false);

  LogicalResult status = success();
};

/// Whether the blocks of a reduction or a scan are in the layouts that `fsm-stage-exchanges` brings
/// them to, and its warps exchange what they have; if not, an error at the op.
LogicalResult checkStaged(AlongAxis op);

} // namespace fsm::gpu

#endif // FSM_CONVERSION_FSMTOGPU_EXCHANGE_COMBINE_H
