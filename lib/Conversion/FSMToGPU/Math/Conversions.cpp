//===- Conversions.cpp - floats to integers, and f8, on a GPU thread -----===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `cvt` of PTX from f32 gives the nearest integer that the type has, and 0 of NaN, as language.md
// asks, for each width but 64 bits; LLVM's fptosi promises neither, so the instruction is called
// by its name. Bytes are packed from saturated words, of which ptxas makes one instruction for two
// floats (docs/decisions/0237-instructions-that-saturate.md).
//
//===----------------------------------------------------------------------===//

#include "Functions.h"

#include "../Program/ThreadBlock.h"
#include "../Program/ThreadLowering.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include <cmath>

using namespace mlir;
using namespace fsm;
using fsm::registers::Formula;

//===----------------------------------------------------------------------===//
// Floats to integers
//===----------------------------------------------------------------------===//

/// Of floats that no one instruction converts as the language asks. What the conversion gives
/// beyond the bounds is never chosen.
static Value byComparisons(OpBuilder &builder, Location loc, Value value, Type result,
                           bool isSigned) {
  Formula f(builder, loc, value.getType());
  unsigned width = getElementTypeOrSelf(result).getIntOrFloatBitWidth();
  APInt least = isSigned ? APInt::getSignedMinValue(width) : APInt(width, 0);
  APInt most = isSigned ? APInt::getSignedMaxValue(width) : APInt::getMaxValue(width);
  auto integer = [&](const APInt &number) {
    return registers::constantInt(builder, loc, result, number.getSExtValue());
  };
  Value whole = isSigned ? arith::FPToSIOp::create(builder, loc, result, value).getResult()
                         : arith::FPToUIOp::create(builder, loc, result, value).getResult();
  Value low = f.less(value, f.number(isSigned ? -std::ldexp(1.0, width - 1) : 0.0));
  Value fits = f.less(value, f.number(std::ldexp(1.0, isSigned ? width - 1 : width)));
  Value bounded = f.select(fits, f.select(low, integer(least), whole), integer(most));
  return f.select(f.isNan(value), integer(APInt(width, 0)), bounded);
}

static Value assembly(ImplicitLocOpBuilder &builder, Type result, ValueRange operands,
                      StringRef text, StringRef constraints) {
  return LLVM::InlineAsmOp::create(builder, result, operands, text, constraints,
                                   /*has_side_effects=*/false, /*is_align_stack=*/false,
                                   LLVM::TailCallKind::None, LLVM::AsmDialectAttr(), ArrayAttr())
      .getRes();
}

/// A word of four f32.
static Value packedBytes(ImplicitLocOpBuilder &builder, ArrayRef<Value> four, bool isSigned) {
  StringRef type = isSigned ? "s8" : "u8";
  std::string text = "{ .reg .b32 a, b, c, d; cvt.rzi.s32.f32 a, $1; cvt.rzi.s32.f32 b, $2; "
                     "cvt.rzi.s32.f32 c, $3; cvt.rzi.s32.f32 d, $4; ";
  text += ("cvt.pack.sat." + type + ".s32.b32 c, d, c, 0; cvt.pack.sat." + type +
           ".s32.b32 $0, b, a, c; }")
              .str();
  return assembly(builder, builder.getI32Type(), four, text, "=r,f,f,f,f");
}

/// As many bytes as there are f32, four at a time.
static Value toBytes(ImplicitLocOpBuilder &builder, ArrayRef<Value> floats, bool isSigned) {
  auto count = static_cast<int64_t>(floats.size());
  Value zero = arith::ConstantOp::create(builder, builder.getF32FloatAttr(0));
  SmallVector<Value> padded(floats), words;
  padded.resize(llvm::alignTo(floats.size(), 4), zero);
  for (size_t i = 0; i < padded.size(); i += 4)
    words.push_back(packedBytes(builder, ArrayRef(padded).slice(i, 4), isSigned));
  auto numWords = static_cast<int64_t>(words.size());
  Value all = vector::FromElementsOp::create(
      builder, VectorType::get({numWords}, builder.getI32Type()), words);
  Value bytes =
      vector::BitCastOp::create(builder, VectorType::get({4 * numWords}, builder.getI8Type()), all);
  if (count == 4 * numWords)
    return bytes;
  return vector::ExtractStridedSliceOp::create(builder, bytes, ArrayRef<int64_t>{0},
                                               ArrayRef<int64_t>{count}, ArrayRef<int64_t>{1});
}

/// An f32 by the instruction for its type of 8, 16 or 32 bits.
static Value byInstruction(ImplicitLocOpBuilder &builder, Value value, Type type, bool isSigned) {
  unsigned width = type.getIntOrFloatBitWidth();
  if (width == 32)
    return LLVM::CallIntrinsicOp::create(
               builder, type,
               builder.getStringAttr(isSigned ? "llvm.nvvm.f2i.rz" : "llvm.nvvm.f2ui.rz"), value)
        .getResult(0);
  std::string text =
      ("cvt.rzi." + Twine(isSigned ? "s" : "u") + Twine(width) + ".f32 $0, $1;").str();
  Value half = assembly(builder, builder.getI16Type(), value, text, "=h,f");
  return width == 16 ? half : arith::TruncIOp::create(builder, type, half).getResult();
}

Value fsm::gpu::toIntegers(OpBuilder &builder, Location loc, Value value, Type result,
                           bool isSigned) {
  Type element = getElementTypeOrSelf(result);
  unsigned width = element.getIntOrFloatBitWidth();
  Formula f(builder, loc, value.getType());
  // 0 and -1 or 0 and 1 are all there is; LLVM 22 converts to an i1 for NVPTX the wrong way round.
  if (width == 1) {
    arith::CmpFPredicate isOne = isSigned ? arith::CmpFPredicate::OLE : arith::CmpFPredicate::OGE;
    return f.compare(isOne, value, f.number(isSigned ? -1.0 : 1.0));
  }
  if (!getElementTypeOrSelf(value.getType()).isF32() || width > 32)
    return byComparisons(builder, loc, value, result, isSigned);
  ImplicitLocOpBuilder here(loc, builder);
  if (!isa<VectorType>(result))
    return byInstruction(here, value, element, isSigned);
  SmallVector<Value> elements(vector::ToElementsOp::create(here, value).getResults());
  if (width == 8 && elements.size() > 1)
    return toBytes(here, elements, isSigned);
  for (Value &one : elements)
    one = byInstruction(here, one, element, isSigned);
  return vector::FromElementsOp::create(here, cast<VectorType>(result), elements);
}

//===----------------------------------------------------------------------===//
// f8
//===----------------------------------------------------------------------===//

/// A conversion to f8 by nearest even, of two floats at a time: the instruction saturates, and
/// makes one NaN of all, as `fsm.convert` does. Null for others.
static Value pairsToF8(fsm::gpu::ThreadLowering &thread, ConvertOp op, Value source) {
  Type from = getElementTypeOrSelf(source.getType()), to = elementTypeOf(op.getType());
  if (!thread.features.fp8Convert || op.getRounding() != Rounding::NearestEven || from.isF64() ||
      !isa<FloatType>(from) || from.getIntOrFloatBitWidth() < 16 ||
      !isa<Float8E4M3FNType, Float8E5M2Type>(to))
    return {};
  ImplicitLocOpBuilder &builder = thread.builder;
  Value widened = registers::widen(builder, op.getLoc(), source);
  SmallVector<Value> wide{widened};
  if (isa<VectorType>(widened.getType()))
    wide = thread.program.elementsOf(widened);
  auto pair = VectorType::get({2}, builder.getI8Type());
  // Two bytes stay together, and behind the last there is one that nobody asks for.
  SmallVector<Value> halves;
  for (size_t i = 0; i < wide.size(); i += 2) {
    bool hasTwo = i + 1 < wide.size();
    // The second operand becomes the first byte.
    auto both = NVVM::ConvertF32x2ToF8x2Op::create(
        builder, pair, wide[hasTwo ? i + 1 : i], wide[i], NVVM::FPRoundingMode::RN,
        NVVM::SaturationMode::SATFINITE, /*relu=*/false, to);
    halves.push_back(LLVM::BitcastOp::create(builder, builder.getI16Type(), both));
  }
  auto count = static_cast<int64_t>(wide.size());
  auto all = VectorType::get({count + count % 2}, builder.getI8Type());
  Value bytes = vector::BitCastOp::create(builder, all, thread.program.vectorOf(halves));
  if (!isa<VectorType>(source.getType()))
    return vector::ExtractOp::create(builder, bytes, int64_t(0));
  if (count % 2)
    bytes = vector::ExtractStridedSliceOp::create(builder, bytes, ArrayRef<int64_t>{0},
                                                  ArrayRef<int64_t>{count}, ArrayRef<int64_t>{1});
  return bytes;
}

/// f8 as f16 or f32, which lose nothing of it. One NaN is all that either has of it, as the
/// instruction makes it of f16.
static Value pairsFromF8(fsm::gpu::ThreadLowering &thread, ConvertOp op, Value source) {
  Type from = elementTypeOf(op.getSource().getType()), to = elementTypeOf(op.getType());
  bool hasInfinity = isa<Float8E5M2Type>(from);
  if (!thread.features.fp8Convert || (!hasInfinity && !isa<Float8E4M3FNType>(from)) ||
      (!to.isF16() && !to.isF32()) || (hasInfinity && op.getSaturate()))
    return {};
  ImplicitLocOpBuilder &builder = thread.builder;
  int64_t count = registers::lanesOf(source.getType()),
          even = std::max<int64_t>(count + count % 2, 2);
  auto bytes = VectorType::get({even}, builder.getI8Type());
  if (source.getType() != bytes) {
    Value none = arith::ConstantOp::create(builder, builder.getZeroAttr(bytes));
    source = count == 0 ? vector::InsertOp::create(builder, source, none, int64_t(0)).getResult()
                        : vector::InsertStridedSliceOp::create(
                              builder, source, none, ArrayRef<int64_t>{0}, ArrayRef<int64_t>{1});
  }
  Value pairs =
      vector::BitCastOp::create(builder, VectorType::get({even / 2}, builder.getI16Type()), source);
  SmallVector<Value> words;
  for (Value pair : thread.program.elementsOf(pairs)) {
    StringRef name = hasInfinity ? "llvm.nvvm.e5m2x2.to.f16x2.rn" : "llvm.nvvm.e4m3x2.to.f16x2.rn";
    Value both = LLVM::CallIntrinsicOp::create(builder, VectorType::get({2}, builder.getF16Type()),
                                               builder.getStringAttr(name), pair)
                     .getResult(0);
    words.push_back(LLVM::BitcastOp::create(builder, builder.getI32Type(), both));
  }
  Value halves = vector::BitCastOp::create(builder, VectorType::get({even}, builder.getF16Type()),
                                           thread.program.vectorOf(words));
  if (count == 0)
    halves = vector::ExtractOp::create(builder, halves, int64_t(0));
  else if (count != even)
    halves = vector::ExtractStridedSliceOp::create(builder, halves, ArrayRef<int64_t>{0},
                                                   ArrayRef<int64_t>{count}, ArrayRef<int64_t>{1});
  if (to.isF16())
    return halves;
  Value wide = registers::widen(builder, op.getLoc(), halves);
  Formula f(builder, op.getLoc(), wide.getType());
  return f.select(f.isNan(wide), f.fromBits(f.integer(0x7fffffff)), wide);
}

Value fsm::gpu::pairsOfF8(ThreadLowering &thread, ConvertOp op, Value source) {
  Value result = pairsToF8(thread, op, source);
  return result ? result : pairsFromF8(thread, op, source);
}
