//===- Bytes.cpp - integers of a byte as floats of 16 bits ---------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The hardware converts an integer in four times as long as it adds, one at a time, and what it
// converts has to be taken out of its word. Here bytes become the lowest bits of a float that is
// large enough for them to count ones, two in a permutation, and the large number is subtracted:
// all of it is exact.
//
//===----------------------------------------------------------------------===//

#include "Functions.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace fsm;

namespace {
/// Vectors of words whose bytes are numbers, and of their floats.
class ByteFloats {
public:
  ByteFloats(ImplicitLocOpBuilder &builder, FloatType type, int64_t numWords)
      : builder(builder), words(VectorType::get({numWords}, builder.getI32Type())),
        pairs(VectorType::get({2 * numWords}, builder.getI32Type())),
        floats(VectorType::get({4 * numWords}, type)) {}

  Value exclusiveOr(Value bytes, uint32_t bits) {
    return arith::XOrIOp::create(builder, bytes, splat(words, bits));
  }

  /// Two bytes of each word of `bytes` at a time, each below `upper`.
  Value below(Value bytes, uint32_t upper) {
    SmallVector<Value> halves;
    for (Value word : vector::ToElementsOp::create(builder, bytes).getResults())
      for (uint32_t selector : {0x4140u, 0x4342u})
        halves.push_back(LLVM::CallIntrinsicOp::create(
                             builder, builder.getI32Type(), builder.getStringAttr("llvm.nvvm.prmt"),
                             ValueRange{word, number(upper * 0x01010101u), number(selector)})
                             .getResult(0));
    return vector::FromElementsOp::create(builder, pairs, halves);
  }

  /// The bits of `mask` of each half word as a float.
  Value masked(Value halves, uint32_t mask) {
    return asFloats(arith::AndIOp::create(builder, halves, splat(pairs, mask * 0x00010001u)));
  }

  Value asFloats(Value halves) { return vector::BitCastOp::create(builder, floats, halves); }

  Value floatOf(double value) {
    FloatAttr attr = builder.getFloatAttr(floats.getElementType(), value);
    return arith::ConstantOp::create(builder, DenseElementsAttr::get(floats, attr.getValue()));
  }

  ImplicitLocOpBuilder &builder;
  VectorType words, pairs, floats;

private:
  Value number(uint32_t value) {
    return arith::ConstantOp::create(builder,
                                     builder.getI32IntegerAttr(static_cast<int32_t>(value)));
  }

  Value splat(VectorType type, uint32_t value) {
    return arith::ConstantOp::create(builder, DenseElementsAttr::get(type, APInt(32, value)));
  }
};
} // namespace

/// 1024 counts ones in its lowest bits, and a signed byte with its sign turned is 128 more.
static Value toF16(ByteFloats &numbers, Value bytes, bool isSigned) {
  Value shifted = isSigned ? numbers.exclusiveOr(bytes, 0x80808080u) : bytes;
  Value large = numbers.asFloats(numbers.below(shifted, 0x64));
  return arith::SubFOp::create(numbers.builder, large, numbers.floatOf(isSigned ? 1152 : 1024));
}

/// 128 counts ones in its seven lowest bits; with the eighth, the sign, it is 256. The product by
/// -1 is there for GPUs that multiply and add bf16 but do not subtract it.
static Value toBF16(ByteFloats &numbers, Value bytes, bool isSigned) {
  Value shifted = isSigned ? bytes : numbers.exclusiveOr(bytes, 0x80808080u);
  Value large = numbers.below(shifted, 0x43);
  Value low = numbers.masked(large, 0xFF7F), sign = numbers.masked(large, 0xFF80);
  Value value = math::FmaOp::create(numbers.builder, sign, numbers.floatOf(-1), low);
  return isSigned
             ? value
             : math::FmaOp::create(numbers.builder, value, numbers.floatOf(1), numbers.floatOf(128))
                   .getResult();
}

Value fsm::gpu::bytesToFloats(OpBuilder &builder, Location loc, Value bytes, FloatType type,
                              bool isSigned) {
  ImplicitLocOpBuilder here(loc, builder);
  int64_t count = registers::lanesOf(bytes.getType());
  ByteFloats numbers(here, type, llvm::divideCeil(count, 4));
  auto all = VectorType::get({4 * numbers.words.getNumElements()}, builder.getI8Type());
  if (all != bytes.getType()) {
    Value none = arith::ConstantOp::create(here, builder.getZeroAttr(all));
    bytes = vector::InsertStridedSliceOp::create(here, bytes, none, ArrayRef<int64_t>{0},
                                                 ArrayRef<int64_t>{1});
  }
  Value words = vector::BitCastOp::create(here, numbers.words, bytes);
  Value floats = type.isF16() ? toF16(numbers, words, isSigned) : toBF16(numbers, words, isSigned);
  if (numbers.floats.getNumElements() == count)
    return floats;
  return vector::ExtractStridedSliceOp::create(here, floats, ArrayRef<int64_t>{0},
                                               ArrayRef<int64_t>{count}, ArrayRef<int64_t>{1});
}
