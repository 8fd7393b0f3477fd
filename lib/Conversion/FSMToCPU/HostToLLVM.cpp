//===- HostToLLVM.cpp - Host functions to the llvm dialect ---------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Registers/MathFormulas.h"
#include "../ToLLVM.h"

#include "fsm/Conversion/Passes.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"

namespace fsm {
#define GEN_PASS_DEF_CONVERTHOSTTOLLVMPASS
#include "fsm/Conversion/Passes.h.inc"
} // namespace fsm

using namespace mlir;
using namespace fsm;

/// i16 for bf16, in blocks as well.
static Type inIntegers(Type type) {
  bool isHalf = getElementTypeOrSelf(type).isBF16();
  return isHalf ? registers::withElement(type, IntegerType::get(type.getContext(), 16)) : type;
}

static TypedAttr inIntegers(TypedAttr value) {
  Type type = inIntegers(value.getType());
  if (auto number = dyn_cast<FloatAttr>(value))
    return IntegerAttr::get(type, number.getValue().bitcastToAPInt());
  return cast<DenseElementsAttr>(value).bitcast(getElementTypeOrSelf(type));
}

/// The f32 of bf16 bits: its upper half.
static Value widened(OpBuilder &builder, Location loc, Value bits, Type result) {
  registers::Formula f(builder, loc, registers::withElement(result, builder.getF32Type()));
  Value wide = arith::ExtUIOp::create(builder, loc, f.bitsType(), bits);
  Value value = f.fromBits(f.shiftLeft(wide, 16));
  return f.type == result ? value : arith::ExtFOp::create(builder, loc, result, value).getResult();
}

/// Holds bf16 in integers. LLVM would move it by way of f32, which on some hosts flushes
/// denormals and on others calls a library that is not there. What computes on it has
/// widened it before, and narrowed the result in integers.
static void holdBF16InIntegers(Operation *root) {
  SmallVector<Operation *> conversions;
  root->walk([&](Operation *op) {
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (BlockArgument argument : block.getArguments())
          argument.setType(inIntegers(argument.getType()));
    if (auto constant = dyn_cast<arith::ConstantOp>(op))
      if (inIntegers(constant.getType()) != constant.getType())
        constant.setValueAttr(inIntegers(constant.getValue()));
    for (OpResult result : op->getResults())
      result.setType(inIntegers(result.getType()));
    if (isa<arith::ExtFOp, arith::BitcastOp>(op))
      conversions.push_back(op);
  });
  for (Operation *op : conversions) {
    Type from = op->getOperand(0).getType(), to = op->getResult(0).getType();
    Value value = op->getOperand(0);
    OpBuilder builder(op);
    if (isa<arith::ExtFOp>(op) && getElementTypeOrSelf(from).isInteger(16))
      value = widened(builder, op->getLoc(), value, to);
    else if (from != to || isa<arith::ExtFOp>(op))
      continue;
    op->getResult(0).replaceAllUsesWith(value);
    op->erase();
  }
}

namespace {
struct ConvertHostToLLVM : fsm::impl::ConvertHostToLLVMPassBase<ConvertHostToLLVM> {
  void runOnOperation() override {
    holdBF16InIntegers(getOperation());
    LLVMConversionTarget target(getContext());
    if (failed(convertToLLVM(getOperation(), LoopForm::Rotated,
                             DialectConversionFoldingMode::BeforePatterns, target,
                             [](auto &, auto &) {})))
      signalPassFailure();
  }
};
} // namespace
