//===- RoleOps.cpp - Warps that only load ---------------------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MBarriers.h"

#include "fsm/IR/FSMDialect.h"

using namespace mlir;
using namespace fsm;

void LoadRoleOp::build(OpBuilder &builder, OperationState &state, unsigned registers,
                       unsigned others) {
  auto number = [&](unsigned value) {
    return builder.getI32IntegerAttr(static_cast<int32_t>(value));
  };
  if (registers)
    state.getOrAddProperties<Properties>().registers = number(registers);
  if (others)
    state.getOrAddProperties<Properties>().others = number(others);
  state.addRegion()->emplaceBlock();
}

LoadRoleOp LoadRoleOp::of(KernelOp kernel) {
  auto roles = kernel.getBody().front().getOps<LoadRoleOp>();
  return roles.empty() ? LoadRoleOp() : *roles.begin();
}

unsigned fsm::programsOfCluster(Operation *op) {
  Operation *kernel = isa<KernelOp>(op) ? op : op->getParentOfType<KernelOp>();
  return kernel ? static_cast<unsigned>(integerAttrOr(kernel, kClusterAttr, 1)) : 1;
}

LogicalResult LoadRoleOp::verify() {
  if (getRegisters().has_value() != getOthers().has_value())
    return emitOpError("expected both 'registers' and 'others', or neither");
  for (std::optional<uint32_t> number : {getRegisters(), getOthers()})
    if (number && *number % 8 != 0)
      return emitOpError() << "expected registers by eights, got " << *number;
  if (LoadRoleOp first = of(cast<KernelOp>((*this)->getParentOp())); first != *this)
    return emitOpError("expected one load role in a kernel, got another one");
  return success();
}

LogicalResult MBarrierArriveOp::verify() {
  if (failed(verifyMBarriers(*this, getMbarriers().getType())))
    return failure();
  if (!getTogether() || programsOfCluster(getOperation()) > 1)
    return success();
  return emitOpError("expected 'together' in a kernel with 'fsm.cluster', got it in another one");
}
