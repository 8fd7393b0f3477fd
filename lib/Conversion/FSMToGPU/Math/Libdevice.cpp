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
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace fsm;

/// The declaration in the module of the device; it changes nothing in memory.
static LLVM::LLVMFuncOp declare(OpBuilder &builder, Location loc, StringRef name, Type element,
                                size_t operands) {
  auto device =
      builder.getInsertionBlock()->getParentOp()->getParentOfType<mlir::gpu::GPUModuleOp>();
  if (auto declared = device.lookupSymbol<LLVM::LLVMFuncOp>(name))
    return declared;
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(device.getBody());
  SmallVector<Type> types(operands, element);
  return LLVM::LLVMFuncOp::create(builder, loc, name, LLVM::LLVMFunctionType::get(element, types));
}

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
  LLVM::LLVMFuncOp callee = declare(builder, kernel.getLoc(), name, element, operands.size());
  return registers::perLane(builder, loc, operands, [&](ValueRange scalars) {
    return LLVM::CallOp::create(builder, loc, callee, scalars).getResult();
  });
}
