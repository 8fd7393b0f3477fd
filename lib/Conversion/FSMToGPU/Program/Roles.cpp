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

/// The program at whose mbarriers a lane arrives: its own, or another one of the cluster.
static Value rankOfLane(DeviceProgram &program, Value together) {
  ImplicitLocOpBuilder &builder = program.builder;
  Value another = arith::AndIOp::create(builder, program.lane(),
                                        program.i32(int64_t(program.clusterPrograms()) - 1));
  Value own = program.rankInCluster();
  return arith::SelectOp::create(builder, together, another, own);
}

/// No branch stands between the begin of a product and the wait for it: ptxas would let each wait for
/// the one before.
static LogicalResult lower(ThreadLowering &thread, MBarrierArriveOp op) {
  DeviceProgram &program = thread.program;
  ImplicitLocOpBuilder &builder = program.builder;
  Value mbarrier = slotAddress(program, op.getMbarriers(), thread.lookup(op.getSlot()));
  // Of a cluster as many lanes arrive, each at another program's.
  bool isInCluster = program.clusterPrograms() > 1;
  if (isInCluster)
    mbarrier = program.inCta(mbarrier, rankOfLane(program, thread.lookup(op.getTogether())));
  Value address = LLVM::PtrToIntOp::create(builder, builder.getI32Type(), mbarrier);
  Value isOneOfThem = arith::CmpIOp::create(builder, arith::CmpIPredicate::ult, program.lane(),
                                            program.i32(program.clusterPrograms()));
  Value arrives = both(builder, isOneOfThem, thread.lookup(op.getCondition()));
  inlinePtx(builder, /*result=*/{}, {address, arrives},
            isInCluster ? "@$1 mbarrier.arrive.shared::cluster.b64 _, [$0];"
                        : "@$1 mbarrier.arrive.shared.b64 _, [$0];",
            "r,b,~{memory}");
  return success();
}

/// A relaxed arrival tells of mbarriers that stand in front of a fence, of which one thread has made all.
static LogicalResult lower(ThreadLowering &thread, ClusterArriveOp) {
  DeviceProgram &program = thread.program;
  program.emitIf(program.isFirstThread(), [&] { NVVM::FenceMbarrierInitOp::create(program.builder); });
  program.beginCluster();
  return success();
}

static LogicalResult lower(ThreadLowering &thread, ClusterWaitOp) {
  thread.program.awaitCluster();
  return success();
}

void fsm::gpu::addRoleHandlers(HandlerTable &table) {
  addHandler<ClusterArriveOp, lower>(table);
  addHandler<ClusterWaitOp, lower>(table);
  addHandler<LoadRoleOp, lower>(table);
  addHandler<MBarrierArriveOp, lower>(table);
}
