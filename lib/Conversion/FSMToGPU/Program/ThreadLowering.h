//===- ThreadLowering.h - A kernel's ops as one thread's ones --*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_CONVERSION_FSMTOGPU_PROGRAM_THREADLOWERING_H
#define FSM_CONVERSION_FSMTOGPU_PROGRAM_THREADLOWERING_H

#include "DeviceProgram.h"

#include "fsm/Analysis/AffineOffsets.h"
#include "fsm/Machine/GpuTarget.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/StringMap.h"

namespace fsm::gpu {

class ThreadLowering;

/// Lowers one op: asks what its operands have become, sets its results. Failure is after an
/// error at the op.
using Handler = LogicalResult (*)(ThreadLowering &, Operation *);

/// What lowers each op, by the op's name.
using HandlerTable = llvm::StringMap<Handler>;

/// Enters what lowers the ops of a class.
template <typename Op, LogicalResult (*lower)(ThreadLowering &, Op)>
void addHandler(HandlerTable &table) {
  table[Op::getOperationName()] = [](ThreadLowering &thread, Operation *op) {
    return lower(thread, cast<Op>(op));
  };
}

// One per family of ops; each is at the end of the file of that name.
void addAccessHandlers(HandlerTable &table);
void addAtomicHandlers(HandlerTable &table);
void addCombineHandlers(HandlerTable &table);
void addConstantHandlers(HandlerTable &table);
void addControlFlowHandlers(HandlerTable &table);
void addConvertLayoutHandlers(HandlerTable &table);
void addDebugHandlers(HandlerTable &table);
void addDotHandlers(HandlerTable &table);
void addProgramHandlers(HandlerTable &table);
void addRenameHandlers(HandlerTable &table);
void addRoleHandlers(HandlerTable &table);
void addCopyHandlers(HandlerTable &table);
void addScanHandlers(HandlerTable &table);
void addSharedBlockHandlers(HandlerTable &table);

/// What lowers the ops that no table has: they take elements of blocks one by one, or are
/// refused.
LogicalResult lowerElementwise(ThreadLowering &thread, Operation *op);

/// The code of one thread, to which the ops of a kernel are added in order. Scalars are
/// computed by all threads alike; a block is a vector of the elements that the thread holds.
class ThreadLowering {
public:
  /// `debugBuffer` is where prints and asserts write; null in a kernel without any.
  ThreadLowering(DeviceProgram &program, mlir::gpu::GPUModuleOp module, Value debugBuffer,
                 const GpuFeatures &features);

  /// All ops of a block but those with the attribute of this name, of which it has been said what
  /// they have become.
  LogicalResult lowerBody(Block &body, StringRef known = {});

  /// What a value of the kernel has become; null for null.
  Value lookup(Value value) { return value ? values.lookup(value) : Value(); }
  SmallVector<Value> lookup(ValueRange range);
  /// The same, computed once more at the builder's place as far as it comes from arithmetic of blocks;
  /// null for null.
  Value computedAgain(Value value);
  /// Says what values have become.
  void set(ValueRange from, ValueRange to) { values.map(from, to); }
  /// The same of an op's one result; fails for null, which is after an error at the op.
  LogicalResult setResult(Operation *op, Value result);

  /// Of a program on several ctas: these know of one another in front of this op; null for none.
  void setFirstMeeting(Operation *op);

  DeviceProgram &program;
  /// At the place of the op that is lowered, as the program's.
  ImplicitLocOpBuilder &builder;
  mlir::gpu::GPUModuleOp module;
  Value debugBuffer;
  /// Instructions that code may have.
  const GpuFeatures features;
  /// Of the kernel that is lowered.
  AffineOffsets forms;

private:
  LogicalResult checkLayout(Operation *op, Type type);
  LogicalResult lowerOp(Operation *op);

  HandlerTable table;
  Operation *firstMeeting = nullptr;
  IRMapping values;
  DenseSet<Type> checked;
};

} // namespace fsm::gpu

#endif // FSM_CONVERSION_FSMTOGPU_PROGRAM_THREADLOWERING_H
