//===- Dots.cpp - Products of matrices ----------------------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Importer.h"

using namespace mlir;
using namespace fsm;

//===----------------------------------------------------------------------===//
// tt.dot
//===----------------------------------------------------------------------===//

/// How f32 operands may be rounded.
static DotPrecision precisionOf(triton::DotPrecision precision) {
  switch (precision) {
  case triton::DotPrecision::TF32:
    return DotPrecision::TF32;
  case triton::DotPrecision::TF32x3:
    return DotPrecision::TF32x3;
  case triton::DotPrecision::IEEE:
    return DotPrecision::IEEE;
  case triton::DotPrecision::BF16x3:
    return DotPrecision::BF16x3;
  case triton::DotPrecision::BF16x6:
    return DotPrecision::BF16x6;
  }
  return DotPrecision::IEEE;
}

/// The product plus `acc`, whose type it gets. Sums of bf16 are in f32 and rounded once, as are those
/// of f16 of other factors. Triton clamps sums of i8, and lets those of f8 be less exact as far as
/// `imprecise` products, of which 0 are none.
static Value dot(Importer &importer, Value left, Value right, Value acc,
                 triton::DotPrecision precision, int64_t imprecise) {
  Type element = getElementTypeOrSelf(acc.getType()), factor = getElementTypeOrSelf(left.getType());
  bool isHalf = element.isBF16() || (element.isF16() && !factor.isF16());
  if (isHalf)
    acc = arith::ExtFOp::create(
        importer, cast<RankedTensorType>(acc.getType()).clone(importer.getF32Type()), acc);
  DotPrecisionAttr asked;
  if (factor.isF32())
    asked = DotPrecisionAttr::get(importer.getContext(), precisionOf(precision));
  IntegerAttr accumulate;
  if (isa<Float8E4M3FNType, Float8E5M2Type>(factor) && imprecise > 0)
    accumulate = importer.getI64IntegerAttr(imprecise);
  Value sum = DotOp::create(importer, acc.getType(), left, right, acc, asked, accumulate,
                            /*saturate=*/factor.isInteger(8));
  if (isHalf)
    sum = arith::TruncFOp::create(importer, cast<RankedTensorType>(acc.getType()).clone(element),
                                  sum);
  return sum;
}

static LogicalResult importDot(Importer &importer, triton::DotOp op) {
  importer.set(op, dot(importer, importer.get(op.getA()), importer.get(op.getB()),
                       importer.get(op.getC()), op.getInputPrecision(),
                       op.getMaxNumImpreciseAcc()));
  return success();
}

//===----------------------------------------------------------------------===//
// tt.dot_scaled
//===----------------------------------------------------------------------===//

namespace {
/// One factor: a block with K along `axis`, what its bits are, and a scale for each 32 of them.
struct ScaledFactor {
  Value block;
  triton::ScaledElement element;
  Value scale;
  unsigned axis;
  /// The dimension along which an i8 holds two numbers of four bits.
  unsigned packedAxis;
};

/// Writes factors as blocks of bf16, or of f16.
class FactorWriter {
public:
  FactorWriter(Importer &importer, Operation *op, FloatType computed)
      : b(importer), op(op), computed(computed) {}

  FailureOr<Value> write(const ScaledFactor &factor, bool mayIgnoreNaN);

private:
  FailureOr<Value> unscaled(const ScaledFactor &factor);
  Value unpacked(Value bytes, unsigned axis);
  Value fromFourBits(Value bits);
  FailureOr<Value> spread(Value scales, const ScaledFactor &factor, ArrayRef<int64_t> shape);

  Value number(int64_t value, Value like) { return b.integer(value, like.getType()); }
  RankedTensorType typeLike(Value block, Type element) {
    return cast<RankedTensorType>(block.getType()).clone(element);
  }
  unsigned mantissa() { return computed.getFPMantissaWidth() - 1; }

  Importer &b;
  Operation *op;
  FloatType computed;
};
} // namespace

/// e2m1: a sign, two bits of exponent with a bias of 1, one of mantissa; below 1 there is 0.5 only.
Value FactorWriter::fromFourBits(Value bits) {
  // The exponent's bias, and 0.5, in the bits of the computed type.
  int64_t bias = computed.isF16() ? 15 : 127, half = (bias - 1) << mantissa();
  Value sign = arith::AndIOp::create(b, bits, number(8, bits));
  sign = arith::ShLIOp::create(b, sign, number(12, bits));
  Value rest = arith::AndIOp::create(b, bits, number(7, bits));
  Value moved = arith::ShLIOp::create(b, rest, number(mantissa() - 1, bits));
  Value normal = arith::AddIOp::create(b, moved, number(half, bits));
  Value small = arith::MulIOp::create(b, rest, number(half, bits));
  Value isSmall = arith::CmpIOp::create(b, arith::CmpIPredicate::ult, rest, number(2, bits));
  Value whole = arith::OrIOp::create(b, arith::SelectOp::create(b, isSmall, small, normal), sign);
  return arith::BitcastOp::create(b, typeLike(bits, computed), whole);
}

/// The low four bits of a byte are the number in front.
Value FactorWriter::unpacked(Value bytes, unsigned axis) {
  Value words = arith::ExtUIOp::create(b, typeLike(bytes, b.getI16Type()), bytes);
  Value low = fromFourBits(arith::AndIOp::create(b, words, number(15, words)));
  Value high = fromFourBits(arith::ShRUIOp::create(b, words, number(4, words)));
  auto type = cast<RankedTensorType>(bytes.getType());
  int64_t rank = type.getRank();
  SmallVector<int64_t> pairs(type.getShape()), shape(type.getShape());
  pairs.push_back(2);
  shape[axis] *= 2;
  Value joined = JoinOp::create(b, type.clone(pairs).clone(computed), low, high);
  if (axis + 1 != rank) {
    auto order = llvm::to_vector(llvm::seq<int32_t>(0, rank));
    order.insert(order.begin() + axis + 1, rank);
    joined = b.transposed(joined, order);
  }
  return b.reshaped(joined, shape);
}

FailureOr<Value> FactorWriter::unscaled(const ScaledFactor &factor) {
  using Element = triton::ScaledElement;
  Value block = factor.block;
  Type type = getElementTypeOrSelf(block.getType()), f8;
  switch (factor.element) {
  case Element::BF16:
  case Element::F16:
    if (isa<FloatType>(type))
      return b.converted(type == computed ? block : b.converted(block, b.getF32Type()), computed);
    break;
  case Element::E2M1:
    if (type.isInteger(8))
      return unpacked(block, factor.packedAxis);
    break;
  case Element::E4M3:
    f8 = Float8E4M3FNType::get(b.getContext());
    break;
  case Element::E5M2:
    f8 = Float8E5M2Type::get(b.getContext());
    break;
  default:
    break;
  }
  if (f8 && type.isInteger(8))
    block = arith::BitcastOp::create(b, typeLike(block, f8), block);
  if (f8 && getElementTypeOrSelf(block.getType()) == f8)
    return b.converted(block, computed);
  return LogicalResult(refuse(op) << "factors of " << type << " as "
                                  << triton::stringifyScaledElement(factor.element)
                                  << " are unknown");
}

/// A block of scales, [.., rows, K / 32], in the shape of its factor.
FailureOr<Value> FactorWriter::spread(Value scales, const ScaledFactor &factor,
                                      ArrayRef<int64_t> shape) {
  auto type = cast<RankedTensorType>(scales.getType());
  SmallVector<int64_t> extents(type.getShape());
  int64_t rank = type.getRank(), length = shape[factor.axis];
  if (rank != static_cast<int64_t>(shape.size()) || length % extents.back() != 0)
    return LogicalResult(refuse(op) << "expected scales along an extent of " << length << ", got "
                                    << factor.scale.getType());
  SmallVector<int64_t> groups(extents);
  groups.push_back(1);
  Value expanded = ExpandDimsOp::create(b, type.clone(groups), scales, rank);
  groups.back() = length / extents.back();
  Value repeated = BroadcastOp::create(b, type.clone(groups), expanded);
  extents.back() = length;
  Value flat = b.reshaped(repeated, extents);
  if (factor.axis + 1 == rank)
    return flat;
  auto order = llvm::to_vector(llvm::seq<int32_t>(0, rank));
  std::swap(order[rank - 1], order[rank - 2]);
  return b.transposed(flat, order);
}

/// Scales are exponents of two with a bias of 127; 255 is NaN.
FailureOr<Value> FactorWriter::write(const ScaledFactor &factor, bool mayIgnoreNaN) {
  FailureOr<Value> block = unscaled(factor);
  if (failed(block) || !factor.scale)
    return block;
  if (!getElementTypeOrSelf(factor.scale.getType()).isInteger(8))
    return LogicalResult(refuse(op) << "expected scales of i8, got " << factor.scale.getType());
  ArrayRef<int64_t> shape = cast<RankedTensorType>(block->getType()).getShape();
  Value exponents = arith::ExtUIOp::create(b, typeLike(factor.scale, b.getI16Type()), factor.scale);
  Value bits = arith::ShLIOp::create(b, exponents, number(7, exponents));
  Value scales = arith::BitcastOp::create(b, typeLike(bits, b.getBF16Type()), bits);
  if (!computed.isBF16())
    scales = b.converted(b.converted(scales, b.getF32Type()), computed);
  FailureOr<Value> factors = spread(scales, factor, shape);
  if (failed(factors))
    return failure();
  Value scaled = arith::MulFOp::create(b, *block, *factors);
  if (mayIgnoreNaN)
    return scaled;
  Value none =
      arith::CmpIOp::create(b, arith::CmpIPredicate::eq, exponents, number(255, exponents));
  none = arith::ExtUIOp::create(b, typeLike(none, b.getI16Type()), none);
  FailureOr<Value> marks = spread(none, factor, shape);
  if (failed(marks))
    return failure();
  Value isNaN = arith::CmpIOp::create(b, arith::CmpIPredicate::ne, *marks, number(0, *marks));
  auto nan = DenseElementsAttr::get(cast<RankedTensorType>(scaled.getType()),
                                    APFloat::getNaN(computed.getFloatSemantics()));
  return arith::SelectOp::create(b, isNaN, arith::ConstantOp::create(b, nan), scaled).getResult();
}

/// As Triton does where there are no instructions for it: both factors in bf16, or f16 if one is.
static LogicalResult importDotScaled(Importer &importer, triton::DotScaledOp op) {
  using Element = triton::ScaledElement;
  bool isF16 = op.getAElemType() == Element::F16 || op.getBElemType() == Element::F16;
  FloatType computed = isF16 ? FloatType(importer.getF16Type()) : importer.getBF16Type();
  int64_t rank = cast<RankedTensorType>(op.getType()).getRank();
  if (rank < 2 || cast<RankedTensorType>(op.getA().getType()).getRank() != rank ||
      cast<RankedTensorType>(op.getB().getType()).getRank() != rank)
    return refuse(op) << "expected factors of the rank of the sum, got " << op.getA().getType()
                      << " and " << op.getB().getType();
  unsigned last = rank - 1, rows = rank - 2;
  auto scale = [&](Value source) { return source ? importer.get(source) : Value(); };
  ScaledFactor left{importer.get(op.getA()), op.getAElemType(), scale(op.getAScale()), last,
                    op.getLhsKPack() ? last : rows};
  ScaledFactor right{importer.get(op.getB()), op.getBElemType(), scale(op.getBScale()), rows,
                     op.getRhsKPack() ? rows : last};
  FactorWriter writer(importer, op, computed);
  FailureOr<Value> a = writer.write(left, op.getFastMath());
  FailureOr<Value> b = failed(a) ? a : writer.write(right, op.getFastMath());
  if (failed(b))
    return failure();
  importer.set(op, dot(importer, *a, *b, importer.get(op.getC()), triton::DotPrecision::IEEE,
                   /*imprecise=*/0));
  return success();
}

void fsm::addDotRewrites(RewriteTable &table) {
  table.on(importDot);
  table.on(importDotScaled);
}
