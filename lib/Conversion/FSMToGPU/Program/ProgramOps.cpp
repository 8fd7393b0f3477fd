//===- ProgramOps.cpp - Which program and which thread this is -----------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ThreadBlock.h"
#include "ThreadLowering.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace fsm;
using namespace fsm::gpu;

static LogicalResult lower(ThreadLowering &thread, ProgramIdOp op) {
  return thread.setResult(op, thread.program.programId(op.getAxis()));
}

static LogicalResult lower(ThreadLowering &thread, NumProgramsOp op) {
  return thread.setResult(op, thread.program.programCount(op.getAxis()));
}

static LogicalResult lower(ThreadLowering &thread, ProgramStepOp op) {
  return thread.setResult(op, thread.program.startedPrograms());
}

static LogicalResult lower(ThreadLowering &thread, PartIdOp op) {
  return thread.setResult(op, thread.program.partId());
}

static LogicalResult lower(ThreadLowering &thread, LaunchDependentsOp) {
  NVVM::GriddepcontrolOp::create(thread.builder, NVVM::GridDepActionKind::launch_dependents);
  return success();
}

static LogicalResult lower(ThreadLowering &thread, WaitPrerequisitesOp) {
  NVVM::GriddepcontrolOp::create(thread.builder, NVVM::GridDepActionKind::wait);
  return success();
}

/// What stands behind the op goes into a branch.
static LogicalResult lower(ThreadLowering &thread, EndPartsOp) {
  ImplicitLocOpBuilder &builder = thread.builder;
  auto choice =
      scf::IfOp::create(builder, thread.program.isFirstPart(), /*withElseRegion=*/false);
  builder.setInsertionPointToStart(choice.thenBlock());
  return success();
}

static LogicalResult lower(ThreadLowering &, SumPartsOp op) {
  return op.emitOpError("expected 'fsm-stage-exchanges' to bring it to the first cta");
}

static LogicalResult lower(ThreadLowering &thread, BarrierOp op) {
  thread.program.barrier();
  return success();
}

static LogicalResult lower(ThreadLowering &, AssumeOp) { return success(); }

static LogicalResult lower(ThreadLowering &thread, ub::PoisonOp op) {
  return thread.setResult(op,
                          zero(thread.builder, op.getLoc(), threadType(op.getResult().getType())));
}

static LogicalResult lower(ThreadLowering &thread, RangeOp op) {
  Value at = ThreadBlock(thread.program, op.getType()).coordinates(0);
  if (op.getStart() == 0)
    return thread.setResult(op, at);
  // Positions outside the true extent may lie beyond the last i32.
  int64_t first = static_cast<int32_t>(op.getStart());
  uint64_t places = llvm::PowerOf2Ceil(static_cast<uint64_t>(op.getType().getDimSize(0)));
  auto flags = llvm::isInt<32>(first + static_cast<int64_t>(places) - 1)
                   ? arith::IntegerOverflowFlags::nsw
                   : arith::IntegerOverflowFlags::none;
  Value start = thread.program.constantInt(at.getType(), first);
  return thread.setResult(op, arith::AddIOp::create(thread.builder, at, start, flags));
}

static LogicalResult lower(ThreadLowering &thread, SplatOp op) {
  return thread.setResult(op, vector::BroadcastOp::create(thread.builder, threadType(op.getType()),
                                                          thread.lookup(op.getScalar())));
}

void fsm::gpu::addProgramHandlers(HandlerTable &table) {
  addHandler<ProgramIdOp, lower>(table);
  addHandler<NumProgramsOp, lower>(table);
  addHandler<ProgramStepOp, lower>(table);
  addHandler<PartIdOp, lower>(table);
  addHandler<LaunchDependentsOp, lower>(table);
  addHandler<WaitPrerequisitesOp, lower>(table);
  addHandler<EndPartsOp, lower>(table);
  addHandler<SumPartsOp, lower>(table);
  addHandler<BarrierOp, lower>(table);
  addHandler<AssumeOp, lower>(table);
  addHandler<ub::PoisonOp, lower>(table);
  addHandler<RangeOp, lower>(table);
  addHandler<SplatOp, lower>(table);
}
