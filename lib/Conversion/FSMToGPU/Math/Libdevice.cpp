//===- Libdevice.cpp - Functions of CUDA's library -----------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Libdevice.h"

#include "../../Registers/Values.h"

#include "fsm/IR/DeviceLibrary.h"
#include "fsm/IR/FSMDialect.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace fsm;

/// What follows `__nv_` in the name of the function of f64; empty for none.
static StringRef nameOf(Operation *op) {
  using Name = StringRef;
  return llvm::TypeSwitch<Operation *, StringRef>(op)
      .Case([](math::AcosOp) { return Name("acos"); })
      .Case([](math::AcoshOp) { return Name("acosh"); })
      .Case([](math::AsinOp) { return Name("asin"); })
      .Case([](math::AsinhOp) { return Name("asinh"); })
      .Case([](math::AtanOp) { return Name("atan"); })
      .Case([](math::Atan2Op) { return Name("atan2"); })
      .Case([](math::AtanhOp) { return Name("atanh"); })
      .Case([](math::CbrtOp) { return Name("cbrt"); })
      .Case([](math::CosOp) { return Name("cos"); })
      .Case([](math::CoshOp) { return Name("cosh"); })
      .Case([](math::ErfOp) { return Name("erf"); })
      .Case([](math::ErfcOp) { return Name("erfc"); })
      .Case([](math::ExpOp) { return Name("exp"); })
      .Case([](math::Exp2Op) { return Name("exp2"); })
      .Case([](math::ExpM1Op) { return Name("expm1"); })
      .Case([](math::LogOp) { return Name("log"); })
      .Case([](math::Log10Op) { return Name("log10"); })
      .Case([](math::Log1pOp) { return Name("log1p"); })
      .Case([](math::Log2Op) { return Name("log2"); })
      .Case([](math::PowFOp) { return Name("pow"); })
      .Case([](math::RsqrtOp) { return Name("rsqrt"); })
      .Case([](math::SinOp) { return Name("sin"); })
      .Case([](math::SinhOp) { return Name("sinh"); })
      .Case([](math::TanOp) { return Name("tan"); })
      .Case([](math::TanhOp) { return Name("tanh"); })
      .Default([](Operation *) { return Name(); });
}

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
  StringRef stem = nameOf(op);
  if (stem.empty())
    return {};
  Location loc = op->getLoc();
  Type type = operands[0].getType();
  Type element = getElementTypeOrSelf(type);
  std::string name = (kLibdevicePrefix + stem + (element.isF32() ? "f" : "")).str();
  LLVM::LLVMFuncOp callee = declare(builder, kernel.getLoc(), name, element, operands.size());
  auto call = [&](ValueRange scalars) {
    return LLVM::CallOp::create(builder, loc, callee, scalars).getResult();
  };
  int64_t lanes = registers::lanesOf(type);
  if (!lanes)
    return call(operands);
  SmallVector<Value> results;
  for (int64_t lane = 0; lane < lanes; ++lane) {
    SmallVector<Value> scalars;
    for (Value operand : operands)
      scalars.push_back(vector::ExtractOp::create(builder, loc, operand, lane));
    results.push_back(call(scalars));
  }
  return vector::FromElementsOp::create(builder, loc, cast<VectorType>(type), results);
}
