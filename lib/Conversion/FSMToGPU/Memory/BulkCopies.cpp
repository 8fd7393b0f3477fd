//===- BulkCopies.cpp - Copies by one thread, and their mbarriers --------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BulkCopies.h"

#include "SlotLoad.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace fsm;
using namespace fsm::gpu;

static void fenceAsync(OpBuilder &builder, Location loc) {
  MLIRContext *context = builder.getContext();
  NVVM::FenceProxyOp::create(builder, loc,
                             NVVM::ProxyKindAttr::get(context, NVVM::ProxyKind::async_shared),
                             NVVM::SharedSpaceAttr::get(context, NVVM::SharedSpace::shared_cta));
}

void fsm::gpu::continueIf(OpBuilder &builder, Location loc, Value condition) {
  if (condition)
    builder.setInsertionPointToStart(
        scf::IfOp::create(builder, loc, condition, /*withElseRegion=*/false).thenBlock());
}

static LogicalResult lower(ThreadLowering &thread, MBarrierInitOp op) {
  DeviceProgram &program = thread.program;
  OpBuilder &builder = program.builder;
  Location loc = op.getLoc();
  OpBuilder::InsertionGuard guard(builder);
  continueIf(builder, loc, program.isFirstThread(loc));
  for (int64_t slot = 0; slot < op.getMbarriers().getType().getShape().front(); ++slot) {
    Value mbarrier = slotAddress(program, loc, op.getMbarriers(), program.i32(loc, slot));
    if (!mbarrier)
      return failure();
    NVVM::MBarrierInitOp::create(builder, loc, mbarrier, program.i32(loc, 1),
                                 /*predicate=*/Value());
  }
  // Copies come to the mbarriers by another way than stores.
  fenceAsync(builder, loc);
  return success();
}

LogicalResult fsm::gpu::lowerBulkCopy(ThreadLowering &thread, CopyAsyncOp op,
                                      const AccessOperands &operands) {
  DeviceProgram &program = thread.program;
  OpBuilder &builder = program.builder;
  Location loc = op.getLoc();
  Value slot = thread.lookup(op.getSlot()), count = thread.lookup(op.getCount());
  continueIf(builder, loc, program.isFirstThread(loc));
  RankedTensorType type = op.getOffsets().getType();
  Type element = op.getPointer().getType().getPointeeType();
  unsigned elementBytes = bytesOf(element);
  Value bytes = program.i32(loc, type.getNumElements() * elementBytes);
  if (count)
    bytes = arith::MulIOp::create(builder, loc, count, program.i32(loc, elementBytes));
  if (op.getFence())
    fenceAsync(builder, loc);
  Value mbarrier = slotAddress(program, loc, op.getMbarriers(), slot);
  if (!mbarrier)
    return failure();
  NVVM::MBarrierArriveExpectTxOp::create(builder, loc, /*res=*/Type(), mbarrier, bytes,
                                         NVVM::MemScopeKind::CTA, /*relaxed=*/false,
                                         /*predicate=*/Value());
  // PTX has no copies of nothing.
  if (count)
    continueIf(
        builder, loc,
        arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne, bytes, program.i32(loc, 0)));
  // The first thread has the block's first element, in its first register.
  ElementAddresses addresses(program, loc, operands, memoryElement(element));
  Value begin = slotAddress(program, loc, op.getShared(), slot);
  if (!begin)
    return failure();
  NVVM::CpAsyncBulkGlobalToSharedClusterOp::create(builder, loc, begin, addresses.of(0), mbarrier,
                                                   bytes, /*multicastMask=*/Value(),
                                                   /*l2CacheHint=*/Value());
  return success();
}

static LogicalResult lower(ThreadLowering &thread, MBarrierWaitOp op) {
  DeviceProgram &program = thread.program;
  Value slot = thread.lookup(op.getSlot()), phase = thread.lookup(op.getPhase());
  OpBuilder &builder = program.builder;
  Location loc = op.getLoc();
  Value mbarrier = slotAddress(program, loc, op.getMbarriers(), slot);
  if (!mbarrier)
    return failure();
  auto loop = scf::WhileOp::create(
      builder, loc, TypeRange(), ValueRange(),
      [&](OpBuilder &inside, Location, ValueRange) {
        Value isFull = NVVM::MBarrierTryWaitOp::create(inside, loc, inside.getI1Type(), mbarrier,
                                                       phase, /*ticks=*/Value(),
                                                       NVVM::MemScopeKind::CTA, /*relaxed=*/false);
        Value yes = arith::ConstantOp::create(inside, loc, inside.getBoolAttr(true));
        Value again = arith::XOrIOp::create(inside, loc, isFull, yes);
        scf::ConditionOp::create(inside, loc, again, ValueRange());
      },
      [&](OpBuilder &inside, Location, ValueRange) { scf::YieldOp::create(inside, loc); });
  builder.setInsertionPointAfter(loop);
  reconverge(builder, loc);
  return success();
}

void fsm::gpu::addMBarrierHandlers(HandlerTable &table) {
  addHandler<MBarrierInitOp, lower>(table);
  addHandler<MBarrierWaitOp, lower>(table);
}
