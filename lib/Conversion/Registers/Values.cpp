//===- Values.cpp - Scalars and vectors of a thread -----------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Values.h"

#include "fsm/IR/FSMDialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace fsm;

static bool isF8(Type type) { return isa<Float8E4M3FNType, Float8E5M2Type>(type); }

Type registers::registerType(Type element, int64_t lanes, unsigned addressSpace) {
  if (isF8(element))
    element = IntegerType::get(element.getContext(), 8);
  if (isa<PointerType>(element))
    element = LLVM::LLVMPointerType::get(element.getContext(), addressSpace);
  return lanes ? VectorType::get({lanes}, element) : element;
}

Type registers::memoryType(Type element, unsigned addressSpace) {
  if (element.isInteger(1))
    return IntegerType::get(element.getContext(), 8);
  return registerType(element, 0, addressSpace);
}

Value registers::toMemory(OpBuilder &builder, Location loc, Value value) {
  if (!getElementTypeOrSelf(value).isInteger(1))
    return value;
  return arith::ExtUIOp::create(builder, loc, withElement(value.getType(), builder.getI8Type()),
                                value);
}

/// Any byte but 0 is true.
Value registers::fromMemory(OpBuilder &builder, Location loc, Value value, Type element) {
  if (!element.isInteger(1))
    return value;
  Value zero = constantInt(builder, loc, value.getType(), 0);
  return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne, value, zero);
}

Value registers::advance(OpBuilder &builder, Location loc, Value pointer, LLVM::GEPArg offset,
                         Type memory) {
  Type type = pointer.getType();
  auto index = dyn_cast<Value>(offset);
  if (auto lanes = index ? dyn_cast<VectorType>(index.getType()) : VectorType())
    type = lanes.clone(type);
  return LLVM::GEPOp::create(builder, loc, type, memory ? memory : builder.getI8Type(), pointer,
                             offset);
}

int64_t registers::elementBytes(Type element) {
  if (isa<PointerType, LLVM::LLVMPointerType>(element))
    return 8;
  return std::max(1u, element.getIntOrFloatBitWidth() / 8);
}

Type registers::withElement(Type type, Type element) {
  if (auto vector = dyn_cast<VectorType>(type))
    return VectorType::get(vector.getShape(), element);
  return element;
}

int64_t registers::lanesOf(Type type) {
  auto vector = dyn_cast<VectorType>(type);
  return vector ? vector.getNumElements() : 0;
}

static Value constant(OpBuilder &builder, Location loc, Type type, Attribute element) {
  if (auto vector = dyn_cast<VectorType>(type))
    return arith::ConstantOp::create(builder, loc, DenseElementsAttr::get(vector, element));
  return arith::ConstantOp::create(builder, loc, cast<TypedAttr>(element));
}

Value registers::constantInt(OpBuilder &builder, Location loc, Type type, int64_t value) {
  Type element = getElementTypeOrSelf(type);
  APInt bits = APInt(64, value, /*isSigned=*/true).trunc(element.getIntOrFloatBitWidth());
  return constant(builder, loc, type, builder.getIntegerAttr(element, bits));
}

Value registers::constantReal(OpBuilder &builder, Location loc, Type type, double value) {
  return constant(builder, loc, type, builder.getFloatAttr(getElementTypeOrSelf(type), value));
}

TypedAttr registers::registerNumber(Attribute element) {
  if (auto real = dyn_cast<FloatAttr>(element); real && isF8(real.getType()))
    return IntegerAttr::get(registerType(real.getType(), 0), real.getValue().bitcastToAPInt());
  return cast<TypedAttr>(element);
}

Value registers::constantOf(OpBuilder &builder, Location loc, Attribute element, int64_t lanes) {
  TypedAttr number = registerNumber(element);
  return constant(builder, loc, registerType(number.getType(), lanes), number);
}

LLVM::GlobalOp registers::tableOf(OpBuilder &builder, Location loc, Operation *module,
                                  DenseElementsAttr numbers, int64_t more, unsigned addressSpace) {
  unsigned width = memoryType(numbers.getElementType()).getIntOrFloatBitWidth();
  SmallVector<APInt> bits;
  for (Attribute number : numbers.getValues<Attribute>())
    if (auto real = dyn_cast<FloatAttr>(number))
      bits.push_back(real.getValue().bitcastToAPInt());
    else
      bits.push_back(cast<IntegerAttr>(number).getValue().zext(width));
  bits.append(more, bits.front());
  Type element = builder.getIntegerType(width);
  auto count = static_cast<int64_t>(bits.size());
  Block &body = module->getRegion(0).front();
  std::string name = "fsm_table_" + std::to_string(body.getOperations().size());
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(&body);
  return LLVM::GlobalOp::create(
      builder, loc, LLVM::LLVMArrayType::get(element, count), /*isConstant=*/true,
      LLVM::Linkage::Internal, name,
      DenseElementsAttr::get(RankedTensorType::get({count}, element), bits), /*alignment=*/0,
      addressSpace);
}

Value registers::zero(OpBuilder &builder, Location loc, Type type) {
  if (isa<LLVM::LLVMPointerType>(type))
    return LLVM::ZeroOp::create(builder, loc, type);
  if (isa<FloatType>(getElementTypeOrSelf(type)))
    return constantReal(builder, loc, type, 0.0);
  return constantInt(builder, loc, type, 0);
}

Value registers::splat(OpBuilder &builder, Location loc, Value scalar, int64_t lanes) {
  if (!lanes)
    return scalar;
  return vector::BroadcastOp::create(builder, loc, VectorType::get({lanes}, scalar.getType()),
                                     scalar);
}

Value registers::perLane(OpBuilder &builder, Location loc, ValueRange operands,
                         function_ref<Value(ValueRange)> make) {
  Value result = operands[0];
  int64_t lanes = lanesOf(result.getType());
  if (!lanes)
    return make(operands);
  for (int64_t lane = 0; lane < lanes; ++lane) {
    auto scalars = llvm::map_to_vector(operands, [&](Value operand) -> Value {
      return vector::ExtractOp::create(builder, loc, operand, lane);
    });
    Value one = make(scalars);
    if (!one)
      return {};
    result = vector::InsertOp::create(builder, loc, one, result, lane);
  }
  return result;
}

Value registers::widen(OpBuilder &builder, Location loc, Value value) {
  Type element = getElementTypeOrSelf(value.getType());
  if (!isa<Float16Type, BFloat16Type>(element))
    return value;
  return arith::ExtFOp::create(builder, loc, withElement(value.getType(), builder.getF32Type()),
                               value);
}
