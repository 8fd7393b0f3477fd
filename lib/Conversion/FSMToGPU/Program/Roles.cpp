//===- Roles.cpp - Warps that only load -----------------------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Exchange/SharedBlock.h"
#include "../Memory/Access.h"
#include "ThreadLowering.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace fsm;
using namespace fsm::gpu;

/// All warps of a group of four execute it.
static void setRegisters(ImplicitLocOpBuilder &builder, std::optional<uint32_t> registers,
                         NVVM::SetMaxRegisterAction action) {
  if (registers)
    NVVM::SetMaxRegisterOp::create(builder, *registers, action);
}

/// What stands behind the op goes to the other side of a branch.
static LogicalResult lower(ThreadLowering &thread, LoadRoleOp op) {
  DeviceProgram &program = thread.program;
  ImplicitLocOpBuilder &builder = program.builder;
  auto [isOfLoadRole, isLoader] = program.part();
  auto choice = scf::IfOp::create(builder, isOfLoadRole, /*withElseRegion=*/true);
  LogicalResult result = success();
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(choice.thenBlock());
    setRegisters(builder, op.getRegisters(), NVVM::SetMaxRegisterAction::decrease);
    program.emitIf(isLoader, [&] {
      program.emitAlone([&] { result = thread.lowerBody(op.getBody().front()); });
    });
    // Each thread that says that its cta has begun waits for the others.
    if (program.hasParts()) {
      reconverge(builder, op.getLoc());
      program.awaitCluster();
    }
  }
  builder.setInsertionPointToStart(choice.elseBlock());
  setRegisters(builder, op.getOthers(), NVVM::SetMaxRegisterAction::increase);
  return result;
}

/// No branch stands between the begin of a product and the wait for it: ptxas would let each wait for
/// the one before.
static LogicalResult lower(ThreadLowering &thread, MBarrierArriveOp op) {
  DeviceProgram &program = thread.program;
  ImplicitLocOpBuilder &builder = program.builder;
  Value address = LLVM::PtrToIntOp::create(
      builder, builder.getI32Type(),
      slotAddress(program, op.getMbarriers(), thread.lookup(op.getSlot())));
  Value isFirstLane =
      arith::CmpIOp::create(builder, arith::CmpIPredicate::eq, program.lane(), program.i32(0));
  Value arrives = both(builder, isFirstLane, thread.lookup(op.getCondition()));
  inlinePtx(builder, /*result=*/{}, {address, arrives}, "@$1 mbarrier.arrive.shared.b64 _, [$0];",
            "r,b,~{memory}");
  return success();
}

void fsm::gpu::addRoleHandlers(HandlerTable &table) {
  addHandler<LoadRoleOp, lower>(table);
  addHandler<MBarrierArriveOp, lower>(table);
}
