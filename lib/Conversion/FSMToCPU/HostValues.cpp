//===- HostValues.cpp - Scalars and vectors on the host ------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HostValues.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace fsm;

static bool isF8(Type type) { return isa<Float8E4M3FNType, Float8E5M2Type>(type); }

Type host::registerType(Type element, int64_t lanes) {
  if (isF8(element))
    element = IntegerType::get(element.getContext(), 8);
  if (isa<PointerType>(element))
    element = LLVM::LLVMPointerType::get(element.getContext());
  return lanes ? VectorType::get({lanes}, element) : element;
}

Type host::memoryType(Type element) {
  if (element.isInteger(1))
    return IntegerType::get(element.getContext(), 8);
  return registerType(element, 0);
}

int64_t host::elementBytes(Type element) {
  if (isa<PointerType, LLVM::LLVMPointerType>(element))
    return 8;
  return std::max(1u, element.getIntOrFloatBitWidth() / 8);
}

Type host::withElement(Type type, Type element) {
  if (auto vector = dyn_cast<VectorType>(type))
    return VectorType::get(vector.getShape(), element);
  return element;
}

int64_t host::lanesOf(Type type) {
  auto vector = dyn_cast<VectorType>(type);
  return vector ? vector.getNumElements() : 0;
}

static Value constant(OpBuilder &builder, Location loc, Type type, Attribute element) {
  if (auto vector = dyn_cast<VectorType>(type))
    return arith::ConstantOp::create(builder, loc, DenseElementsAttr::get(vector, element));
  return arith::ConstantOp::create(builder, loc, cast<TypedAttr>(element));
}

Value host::constantInt(OpBuilder &builder, Location loc, Type type, int64_t value) {
  Type element = getElementTypeOrSelf(type);
  APInt bits = APInt(64, value, /*isSigned=*/true).trunc(element.getIntOrFloatBitWidth());
  return constant(builder, loc, type, builder.getIntegerAttr(element, bits));
}

Value host::constantReal(OpBuilder &builder, Location loc, Type type, double value) {
  return constant(builder, loc, type, builder.getFloatAttr(getElementTypeOrSelf(type), value));
}

Value host::constantOf(OpBuilder &builder, Location loc, Attribute element, int64_t lanes) {
  if (auto real = dyn_cast<FloatAttr>(element); real && isF8(real.getType()))
    element = builder.getIntegerAttr(builder.getI8Type(), real.getValue().bitcastToAPInt());
  Type type = registerType(cast<TypedAttr>(element).getType(), lanes);
  return constant(builder, loc, type, element);
}

Value host::zero(OpBuilder &builder, Location loc, Type type) {
  if (isa<LLVM::LLVMPointerType>(type))
    return LLVM::ZeroOp::create(builder, loc, type);
  if (isa<FloatType>(getElementTypeOrSelf(type)))
    return constantReal(builder, loc, type, 0.0);
  return constantInt(builder, loc, type, 0);
}

Value host::splat(OpBuilder &builder, Location loc, Value scalar, int64_t lanes) {
  if (!lanes)
    return scalar;
  return vector::BroadcastOp::create(builder, loc, VectorType::get({lanes}, scalar.getType()),
                                     scalar);
}

Value host::widen(OpBuilder &builder, Location loc, Value value) {
  Type element = getElementTypeOrSelf(value.getType());
  if (!isa<Float16Type, BFloat16Type>(element))
    return value;
  return arith::ExtFOp::create(builder, loc, withElement(value.getType(), builder.getF32Type()),
                               value);
}

/// f64 to f32 such that rounding the result again to fewer bits gives what one
/// rounding would: an inexact result gets an odd last bit (round to odd).
static Value narrowToOdd(OpBuilder &builder, Location loc, Value value) {
  Type f32 = host::withElement(value.getType(), builder.getF32Type());
  Type i32 = host::withElement(value.getType(), builder.getI32Type());
  Value near = arith::TruncFOp::create(builder, loc, f32, value);
  Value back = arith::ExtFOp::create(builder, loc, value.getType(), near);
  Value bits = arith::BitcastOp::create(builder, loc, i32, near);
  auto isFurther = [&](arith::CmpFPredicate predicate, Value sign) -> Value {
    Value beyond = arith::CmpFOp::create(builder, loc, predicate, back, value);
    return arith::AndIOp::create(builder, loc, beyond, sign);
  };
  Value zero = host::constantReal(builder, loc, value.getType(), 0.0);
  Value positive = arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OGT, value, zero);
  Value negative = arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OLT, value, zero);
  Value away = arith::OrIOp::create(builder, loc, isFurther(arith::CmpFPredicate::OGT, positive),
                                    isFurther(arith::CmpFPredicate::OLT, negative));
  Value one = host::constantInt(builder, loc, i32, 1);
  Value smaller = arith::SubIOp::create(builder, loc, bits, one);
  Value truncated = arith::SelectOp::create(builder, loc, away, smaller, bits);
  Value odd = arith::OrIOp::create(builder, loc, truncated, one);
  Value inexact = arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::ONE, back, value);
  Value result = arith::SelectOp::create(builder, loc, inexact, odd, bits);
  return arith::BitcastOp::create(builder, loc, f32, result);
}

/// f32 to bf16 in integers: the host's own instruction flushes denormals.
static Value narrowToBF16(OpBuilder &builder, Location loc, Value value) {
  Type i32 = host::withElement(value.getType(), builder.getI32Type());
  Type i16 = host::withElement(value.getType(), builder.getIntegerType(16));
  auto number = [&](int64_t n) { return host::constantInt(builder, loc, i32, n); };
  Value bits = arith::BitcastOp::create(builder, loc, i32, value);
  Value high = arith::ShRUIOp::create(builder, loc, bits, number(16));
  Value last = arith::AndIOp::create(builder, loc, high, number(1));
  Value bias = arith::AddIOp::create(builder, loc, last, number(0x7fff));
  Value sum = arith::AddIOp::create(builder, loc, bits, bias);
  Value rounded = arith::ShRUIOp::create(builder, loc, sum, number(16));
  Value quiet = arith::OrIOp::create(builder, loc, high, number(0x40));
  Value isNan = arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::UNO, value, value);
  Value result = arith::SelectOp::create(builder, loc, isNan, quiet, rounded);
  Value half = arith::TruncIOp::create(builder, loc, i16, result);
  return arith::BitcastOp::create(builder, loc,
                                  host::withElement(value.getType(), builder.getBF16Type()), half);
}

Value host::narrow(OpBuilder &builder, Location loc, Value value, Type element) {
  Type from = getElementTypeOrSelf(value.getType());
  if (from == element)
    return value;
  if (from.isF64() && !element.isF32())
    value = narrowToOdd(builder, loc, value);
  if (element.isBF16())
    return narrowToBF16(builder, loc, value);
  return arith::TruncFOp::create(builder, loc, withElement(value.getType(), element), value);
}
