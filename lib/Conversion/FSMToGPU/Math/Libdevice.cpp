//===- Libdevice.cpp - Functions of CUDA's library -----------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Functions.h"

#include "fsm/IR/DeviceLibrary.h"
#include "fsm/IR/FSMDialect.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/FunctionCallUtils.h"

using namespace mlir;
using namespace fsm;

Value fsm::gpu::libdeviceFunction(OpBuilder &builder, Operation *op, ValueRange operands) {
  auto kernel = op->getParentOfType<KernelOp>();
  if (!kernel || !kernel->hasAttr(kLibdeviceAttr))
    return {};
  StringRef stem = registers::libraryName(op);
  if (stem.empty())
    return {};
  Location loc = op->getLoc();
  Type type = operands[0].getType();
  Type element = getElementTypeOrSelf(type);
  std::string name = (kLibdevicePrefix + stem + (element.isF32() ? "f" : "")).str();
  auto device =
      builder.getInsertionBlock()->getParentOp()->getParentOfType<mlir::gpu::GPUModuleOp>();
  auto callee = LLVM::lookupOrCreateFn(builder, device, name,
                                       SmallVector<Type>(operands.size(), element), element);
  return registers::perLane(builder, loc, operands, [&](ValueRange scalars) {
    return LLVM::CallOp::create(builder, loc, *callee, scalars).getResult();
  });
}
