//===- SplitProducts.cpp - Products as products of parts -----------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// A number x of f32 is the sum of parts: the first is x cut to the bits of tf32, or rounded to bf16,
// the next the same of what that leaves, and so on. Of two parts
//
//   a b ~ a0 b0 + (a0 b1 + a1 b0)
//
// and of three also a1 b1, a0 b2 and a2 b0; what is left out is smaller than what is lost of each
// part. The sum in brackets is formed by itself: where a factor is infinite, what its first part
// leaves has no value, and neither has the sum, which is zero then, for a0 b0 has all that counts.

#include "fsm/Transforms/Passes.h"

#include "../TargetOption.h"

#include "fsm/Analysis/MmaPlan.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

#include <limits>

namespace fsm {
#define GEN_PASS_DEF_SPLITPRODUCTSPASS
#include "fsm/Transforms/Passes.h.inc"
} // namespace fsm

using namespace mlir;
using namespace fsm;

namespace {

/// How a product is split.
struct Split {
  unsigned parts;
  bool isBF16;
};

/// Writes the parts of blocks of f32 and the products of these.
class PartWriter {
public:
  PartWriter(DotOp dot, Split split)
      : builder(dot.getLoc(), dot), dot(dot), split(split) {}

  Value write();

private:
  SmallVector<Value> partsOf(Value block);
  Value firstPart(Value block);
  Value product(Value left, Value right, Value sum);

  Value constant(Value like, Attribute element) {
    auto type = cast<RankedTensorType>(like.getType());
    return arith::ConstantOp::create(builder, DenseElementsAttr::get(type, element));
  }
  Value cut(Value block, int64_t mask);

  ImplicitLocOpBuilder builder;
  DotOp dot;
  Split split;
};

} // namespace

static std::optional<Split> splitOf(DotOp dot) {
  switch (dot.getPrecision().value_or(DotPrecision::IEEE)) {
  case DotPrecision::TF32x3:
    return Split{2, false};
  case DotPrecision::BF16x3:
    return Split{2, true};
  case DotPrecision::BF16x6:
    return Split{3, true};
  case DotPrecision::IEEE:
  case DotPrecision::TF32:
    return std::nullopt;
  }
  return std::nullopt;
}

/// The numbers of which some bits are zeros.
Value PartWriter::cut(Value block, int64_t mask) {
  auto type = cast<RankedTensorType>(block.getType());
  Type word = builder.getI32Type();
  Value bits = arith::BitcastOp::create(builder, type.clone(word), block);
  bits = arith::AndIOp::create(
      builder, bits, constant(bits, builder.getIntegerAttr(word, static_cast<int32_t>(mask))));
  return arith::BitcastOp::create(builder, type, bits);
}

/// What of each number tensor cores take, as f32.
Value PartWriter::firstPart(Value block) {
  constexpr int64_t kTF32Mask = 0xFFFFE000, kBF16Mask = 0xFFFF0000;
  if (!split.isBF16) {
    // A NaN may have no bits but those that are cut.
    Value isNaN = arith::CmpFOp::create(builder, arith::CmpFPredicate::UNO, block, block);
    return arith::SelectOp::create(builder, isNaN, block, cut(block, kTF32Mask));
  }
  auto type = cast<RankedTensorType>(block.getType());
  Value rounded =
      arith::TruncFOp::create(builder, type.clone(builder.getBF16Type()), block);
  rounded = arith::ExtFOp::create(builder, type, rounded);
  // The largest numbers are not to become infinite.
  Value infinity = constant(
      block, builder.getF32FloatAttr(std::numeric_limits<float>::infinity()));
  Value isInfinite = arith::CmpFOp::create(builder, arith::CmpFPredicate::OEQ,
                                           math::AbsFOp::create(builder, rounded), infinity);
  return arith::SelectOp::create(builder, isInfinite, cut(block, kBF16Mask), rounded);
}

SmallVector<Value> PartWriter::partsOf(Value block) {
  SmallVector<Value> parts;
  auto type = cast<RankedTensorType>(block.getType());
  for (unsigned i = 0; i < split.parts; ++i) {
    bool isLast = i + 1 == split.parts;
    // Instructions themselves cut or round what is last.
    Value part = isLast ? block : firstPart(block);
    if (!isLast)
      block = arith::SubFOp::create(builder, block, part);
    if (split.isBF16)
      part = arith::TruncFOp::create(builder, type.clone(builder.getBF16Type()), part);
    parts.push_back(part);
  }
  return parts;
}

Value PartWriter::product(Value left, Value right, Value sum) {
  DotPrecisionAttr precision;
  if (!split.isBF16)
    precision = DotPrecisionAttr::get(builder.getContext(), DotPrecision::TF32);
  return DotOp::create(builder, sum.getType(), left, right, sum, precision,
                       /*accumulate=*/IntegerAttr(), /*saturate=*/false);
}

Value PartWriter::write() {
  SmallVector<Value> left = partsOf(dot.getLeft()), right = partsOf(dot.getRight());
  Value zero = constant(dot.getAcc(), builder.getF32FloatAttr(0)), small = zero;
  // The smallest first.
  for (unsigned order = split.parts - 1; order > 0; --order)
    for (unsigned i = 0; i <= order; ++i)
      small = product(left[i], right[order - i], small);
  Value hasValue = arith::CmpFOp::create(builder, arith::CmpFPredicate::ORD, small, small);
  small = arith::SelectOp::create(builder, hasValue, small, zero);
  return product(left[0], right[0], arith::AddFOp::create(builder, small, dot.getAcc()));
}

/// Sums in f32, which are rounded once.
static Value withWideSums(DotOp dot) {
  ImplicitLocOpBuilder builder(dot.getLoc(), dot);
  RankedTensorType type = dot.getType();
  auto wide = type.clone(builder.getF32Type());
  Value sum = DotOp::create(builder, wide, dot.getLeft(), dot.getRight(),
                            arith::ExtFOp::create(builder, wide, dot.getAcc()),
                            /*precision=*/DotPrecisionAttr(), /*accumulate=*/IntegerAttr(),
                            /*saturate=*/false);
  return arith::TruncFOp::create(builder, type, sum);
}

namespace {
struct SplitProducts : fsm::impl::SplitProductsPassBase<SplitProducts> {
  using SplitProductsPassBase::SplitProductsPassBase;

  void runOnOperation() override {
    const GpuTarget *gpu = targetOrError(getOperation(), target);
    if (!gpu)
      return signalPassFailure();
    SmallVector<DotOp> dots;
    getOperation().walk([&](DotOp dot) { dots.push_back(dot); });
    if (dots.empty())
      return markAllAnalysesPreserved();
    for (DotOp dot : dots)
      if (Value sum = splitted(dot, *gpu)) {
        dot.replaceAllUsesWith(sum);
        dot.erase();
        ++split;
      }
  }

private:
  /// The result of several products, or null where one will do.
  Value splitted(DotOp dot, const GpuTarget &gpu) {
    unsigned warps = getOperation().getNumWarps().value_or(0);
    if (dot.getType().getElementType().isF16())
      return findMma(dot, gpu, warps) ? Value() : withWideSums(dot);
    std::optional<Split> split = splitOf(dot);
    if (!split)
      return Value();
    ProductTypes types(dot);
    types.precision = DotPrecision::TF32;
    if (split->isBF16) {
      Type part = BFloat16Type::get(&getContext());
      types.left = types.left.clone(part);
      types.right = types.right.clone(part);
    }
    return findMma(types, gpu, warps) ? PartWriter(dot, *split).write() : Value();
  }
};
} // namespace
