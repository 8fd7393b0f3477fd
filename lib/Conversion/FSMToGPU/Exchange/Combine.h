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

namespace fsm::gpu {

/// Emits what two tuples of scalars combine to.
using CombineStep =
    llvm::function_ref<llvm::SmallVector<mlir::Value>(mlir::ValueRange, mlir::ValueRange)>;

/// What an op on tuples gives, a scalar or a vector of live registers for each result, of the
/// operands' vectors. Empty after an error at the op.
using TupleLowering =
    llvm::function_ref<llvm::SmallVector<mlir::Value>(mlir::ValueRange, CombineStep)>;

/// Lowers an op on tuples: its region is written out for each two of them that it combines.
mlir::LogicalResult lowerTuples(ThreadLowering &thread, mlir::Operation *op, TupleLowering run);

/// One element of each operand.
struct Tuple {
  llvm::SmallVector<mlir::Value> values;
  /// An i1: whether there are elements; null for always.
  mlir::Value valid;
};

/// The tuples of one op, in the threads that hold them.
class TupleThreads {
public:
  TupleThreads(DeviceProgram &program, mlir::Operation *op, CombinePlan plan, uint64_t scratch,
               CombineStep step)
      : program(program), builder(program.builder), op(op), loc(op->getLoc()),
        plan(std::move(plan)), scratch(scratch), step(step) {}

protected:
  /// The thread's tuples by register, in the plan's layout; dead registers have none. With
  /// `marksPadding`, those beyond the extent of the axis are not valid.
  std::vector<Tuple> registerTuples(mlir::ValueRange sources, bool marksPadding);
  /// The registers of each of the thread's lines, by the coordinate along the axis.
  std::vector<std::vector<uint64_t>> registerLines() const;

  /// `left` comes before `right`. What is not valid changes nothing.
  Tuple combine(const Tuple &left, const Tuple &right);
  Tuple choose(mlir::Value condition, const Tuple &yes, const Tuple &no);
  Tuple moved(const Tuple &tuple, llvm::function_ref<mlir::Value(mlir::Value)> move);

  /// The warps' slots for the thread's line of register `reg`: one thread of each warp,
  /// the one for which `isWriter` (an i1, or null) holds, writes the warp's tuple; behind a
  /// barrier, all threads read those of all warps, in the order along the axis.
  void storeSlot(uint64_t reg, const Tuple &tuple, mlir::Value isWriter);
  llvm::SmallVector<Tuple> loadSlots(uint64_t reg);
  /// What each bit of the warp adds to the number of its slot.
  std::vector<uint64_t> slotSteps() const;

  /// Results: tuples by live register of `plan.combined`, or one for scalars.
  llvm::SmallVector<mlir::Value> results(llvm::ArrayRef<Tuple> tuples);

  mlir::Value bitIsSet(mlir::Value number, uint64_t bit);
  mlir::Value both(mlir::Value left, mlir::Value right);

  DeviceProgram &program;
  mlir::OpBuilder &builder;
  mlir::Operation *op;
  mlir::Location loc;
  CombinePlan plan;
  uint64_t scratch;
  CombineStep step;

private:
  mlir::Value slotAddress(uint64_t area, uint64_t reg, unsigned bytes, uint64_t slot, bool isOwn);
};

} // namespace fsm::gpu

#endif // FSM_CONVERSION_FSMTOGPU_EXCHANGE_COMBINE_H
