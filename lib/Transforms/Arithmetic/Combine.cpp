//===- Combine.cpp - Moves uniform arithmetic to scalars -----------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Transforms/Passes.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace fsm {
#define GEN_PASS_DEF_COMBINEPASS
#include "fsm/Transforms/Passes.h.inc"
} // namespace fsm

using namespace mlir;
using namespace fsm;

/// The scalar that a value is, or that every element of a block isUniform; of a constant it is made
/// anew.
static Value uniformScalar(Value value, PatternRewriter &rewriter) {
  SplatElementsAttr constant;
  if (auto splat = value.getDefiningOp<SplatOp>())
    return splat.getScalar();
  if (!isa<RankedTensorType>(value.getType()) || !matchPattern(value, m_Constant(&constant)))
    return value;
  return arith::ConstantOp::create(rewriter, value.getLoc(),
                                   cast<TypedAttr>(constant.getSplatValue<Attribute>()));
}

static bool isUniform(Value value) {
  SplatElementsAttr constant;
  return !isa<RankedTensorType>(value.getType()) || value.getDefiningOp<SplatOp>() ||
         matchPattern(value, m_Constant(&constant));
}

namespace {
/// `op(splat(a), splat(b))` becomes `splat(op(a, b))`.
struct ScalarizeUniform : RewritePattern {
  ScalarizeUniform(MLIRContext *context, Pass::Statistic &count)
      : RewritePattern(MatchAnyOpTypeTag(), /*benefit=*/1, context), count(count) {}

  LogicalResult matchAndRewrite(Operation *op, PatternRewriter &rewriter) const override {
    auto type = op->getNumResults() == 1 ? dyn_cast<RankedTensorType>(op->getResult(0).getType())
                                         : RankedTensorType();
    if (!type || !OpTrait::hasElementwiseMappableTraits(op) || op->getNumOperands() == 0)
      return rewriter.notifyMatchFailure(op, "no element-wise op on blocks");
    if (!llvm::all_of(op->getOperands(), isUniform))
      return rewriter.notifyMatchFailure(op, "an operand varies");
    auto scalars = llvm::map_to_vector(
        op->getOperands(), [&](Value operand) { return uniformScalar(operand, rewriter); });
    OperationState state(op->getLoc(), op->getName(), scalars, {type.getElementType()},
                         op->getAttrs());
    Operation *scalar = rewriter.create(state);
    rewriter.replaceOpWithNewOp<SplatOp>(op, type, scalar->getResult(0));
    ++count;
    return success();
  }

private:
  Pass::Statistic &count;
};

/// Whether a block is a short formula of ranges and of numbers that are equal throughout.
static bool isIndex(Value block, unsigned depth = 0) {
  constexpr unsigned kMaxDepth = 16;
  Operation *op = block.getDefiningOp();
  if (!isa<RankedTensorType>(block.getType()) || isUniform(block))
    return true;
  if (!op || depth == kMaxDepth)
    return false;
  auto formula = dyn_cast<Rematerializable>(op);
  // Behind a reshape there are no dimensions to transpose.
  auto shape = dyn_cast<LayoutTransfer>(op);
  return formula && (!shape || shape.sourceDims()) &&
         formula.isCheap([depth](Value operand) { return isIndex(operand, depth + 1); });
}

/// `transpose(i + j)` becomes `transpose(i) + transpose(j)` where the two are index
/// arithmetic, down to the ranges, of which no element moves.
struct TransposeIndices : OpRewritePattern<TransposeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(TransposeOp op, PatternRewriter &rewriter) const override {
    Operation *sum = op.getSource().getDefiningOp();
    if (!sum || !isa_and_present<arith::ArithDialect>(sum->getDialect()) ||
        isa<arith::ConstantOp>(sum) || op.getType().getEncoding() || !isIndex(op.getSource()))
      return rewriter.notifyMatchFailure(op, "the source is no index arithmetic");
    SmallVector<Value> operands;
    for (Value operand : sum->getOperands()) {
      auto type = dyn_cast<RankedTensorType>(operand.getType());
      operands.push_back(type ? TransposeOp::create(rewriter, op.getLoc(),
                                                    type.clone(op.getType().getShape()), operand,
                                                    op.getOrder())
                                    .getResult()
                              : operand);
    }
    OperationState state(sum->getLoc(), sum->getName(), operands, {op.getType()}, sum->getAttrs());
    rewriter.replaceOp(op, rewriter.create(state));
    return success();
  }
};

/// The exponent of a power of two that every element of a block is, from 2^-100 up to 1.
static std::optional<int> downscaleOf(Value block) {
  constexpr int kLeastExponent = -100;
  SplatElementsAttr constant;
  if (!matchPattern(block, m_Constant(&constant)) || !constant.getElementType().isF32())
    return std::nullopt;
  APFloat number = constant.getSplatValue<APFloat>();
  int exponent = number.getExactLog2();
  if (exponent == INT_MIN || exponent > 0 || exponent < kLeastExponent)
    return std::nullopt;
  return exponent;
}

/// `number(i) * 2^-k < limit` becomes `number(i) < limit * 2^k`, for any comparison, where the limit is
/// one number: products by 2^k are scalar. Both sides are exact: what was an integer is 0 or at least
/// 1, so that the product by 2^-k is normal; the limit can only overflow, from more than any integer.
struct CompareUnscaled : OpRewritePattern<arith::CmpFOp> {
  CompareUnscaled(MLIRContext *context, Pass::Statistic &count)
      : OpRewritePattern(context), count(count) {}

  LogicalResult matchAndRewrite(arith::CmpFOp op, PatternRewriter &rewriter) const override {
    for (unsigned side : {0, 1}) {
      auto scaled = op->getOperand(side).getDefiningOp<arith::MulFOp>();
      Value limit = op->getOperand(1 - side);
      if (!scaled || !scaled->hasOneUse() || !isUniform(limit))
        continue;
      for (unsigned factor : {0, 1}) {
        Value number = scaled->getOperand(factor);
        std::optional<int> exponent = downscaleOf(scaled->getOperand(1 - factor));
        if (!exponent || !isa_and_present<arith::UIToFPOp, arith::SIToFPOp>(number.getDefiningOp()))
          continue;
        auto type = cast<RankedTensorType>(number.getType());
        auto back = DenseElementsAttr::get(
            type, scalbn(APFloat(1.0f), -*exponent, APFloat::rmNearestTiesToEven));
        Value power = arith::ConstantOp::create(rewriter, op.getLoc(), back);
        Value more = arith::MulFOp::create(rewriter, op.getLoc(), limit, power);
        rewriter.modifyOpInPlace(op, [&] {
          op->setOperand(side, number);
          op->setOperand(1 - side, more);
        });
        ++count;
        return success();
      }
    }
    return rewriter.notifyMatchFailure(op, "no integers by a power of two against one number");
  }

private:
  Pass::Statistic &count;
};

/// What a comparison of an integer with a limit asks: whether it is below the limit, or not.
struct LimitTest {
  /// Whether the limit itself is not below it.
  bool isStrict = true;
  bool isNegated = false;
  /// Of a limit that is NaN.
  bool isTrueOfNan = false;
};

static std::optional<LimitTest> limitTest(arith::CmpFPredicate predicate) {
  switch (predicate) {
  case arith::CmpFPredicate::OLT:
    return LimitTest{true, false, false};
  case arith::CmpFPredicate::ULT:
    return LimitTest{true, false, true};
  case arith::CmpFPredicate::OLE:
    return LimitTest{false, false, false};
  case arith::CmpFPredicate::ULE:
    return LimitTest{false, false, true};
  case arith::CmpFPredicate::OGE:
    return LimitTest{true, true, false};
  case arith::CmpFPredicate::UGE:
    return LimitTest{true, true, true};
  case arith::CmpFPredicate::OGT:
    return LimitTest{false, true, false};
  case arith::CmpFPredicate::UGT:
    return LimitTest{false, true, true};
  default:
    return std::nullopt;
  }
}

/// The predicate for operands that have changed places.
static arith::CmpFPredicate swapped(arith::CmpFPredicate predicate) {
  using enum arith::CmpFPredicate;
  static constexpr std::pair<arith::CmpFPredicate, arith::CmpFPredicate> pairs[] = {
      {OLT, OGT}, {OLE, OGE}, {ULT, UGT}, {ULE, UGE}};
  for (auto [less, more] : pairs)
    if (predicate == less || predicate == more)
      return predicate == less ? more : less;
  return predicate;
}

/// `uitofp(word >> k) < limit` becomes `word <= bound` where the limit is one number: the conversion is exact, so
/// what is below the limit is below the next integer, `count`, and a word is below `count` after the shift if it is
/// at most `count * 2^k - 1` before. That no word is, is a number of its own. Two ops less for each element.
struct CompareWords : OpRewritePattern<arith::CmpFOp> {
  CompareWords(MLIRContext *context, Pass::Statistic &count)
      : OpRewritePattern(context), count(count) {}

  LogicalResult matchAndRewrite(arith::CmpFOp op, PatternRewriter &rewriter) const override {
    for (unsigned side : {0, 1}) {
      auto number = op->getOperand(side).getDefiningOp<arith::UIToFPOp>();
      auto predicate = side ? swapped(op.getPredicate()) : op.getPredicate();
      std::optional<LimitTest> test = limitTest(predicate);
      if (!number || !number->hasOneUse() || !test || !isUniform(op->getOperand(1 - side)))
        continue;
      auto shift = number.getIn().getDefiningOp<arith::ShRUIOp>();
      std::optional<unsigned> left = shift ? bitsLeft(shift, number) : std::nullopt;
      if (!left)
        continue;
      rewriter.replaceOp(op, compare(rewriter, op, shift.getLhs(), op->getOperand(1 - side), *left, *test));
      ++count;
      return success();
    }
    return rewriter.notifyMatchFailure(op, "no upper bits of integers against one number");
  }

private:
  /// How many bits a shift leaves, where all such integers are numbers of the type.
  static std::optional<unsigned> bitsLeft(arith::ShRUIOp shift, arith::UIToFPOp number) {
    DenseElementsAttr by;
    auto type = dyn_cast<RankedTensorType>(number.getType());
    if (!type || !matchPattern(shift.getRhs(), m_Constant(&by)) || !by.isSplat())
      return std::nullopt;
    unsigned bits = by.getElementType().getIntOrFloatBitWidth();
    auto amount = by.getSplatValue<APInt>();
    const llvm::fltSemantics &semantics = cast<FloatType>(type.getElementType()).getFloatSemantics();
    if (amount.isZero() || amount.uge(bits) || type.getElementTypeBitWidth() < 32)
      return std::nullopt;
    unsigned left = bits - static_cast<unsigned>(amount.getZExtValue());
    return left > APFloat::semanticsPrecision(semantics) ? std::nullopt : std::optional(left);
  }

  /// How many integers of so many bits are below the limit, as a scalar of `type`.
  static Value countBelow(ImplicitLocOpBuilder &b, Value limit, unsigned left, LimitTest test, Type type) {
    auto number = [&](int64_t value) -> Value {
      auto floats = cast<FloatType>(limit.getType());
      APFloat exact(static_cast<double>(value));
      bool lost = false;
      exact.convert(floats.getFloatSemantics(), APFloat::rmNearestTiesToEven, &lost);
      return arith::ConstantOp::create(b, FloatAttr::get(floats, exact));
    };
    int64_t before = test.isStrict ? 0 : -1;
    Value least = number(before), most = number((int64_t(1) << left) + before);
    // What is no number is taken for the second of them.
    bool nanIsMost = test.isTrueOfNan != test.isNegated;
    Value bounded = limit;
    for (bool upper : {nanIsMost, !nanIsMost})
      bounded = upper ? arith::MinNumFOp::create(b, bounded, most).getResult()
                      : arith::MaxNumFOp::create(b, bounded, least).getResult();
    Value whole = test.isStrict ? math::CeilOp::create(b, bounded).getResult()
                                : math::FloorOp::create(b, bounded).getResult();
    Value below = arith::FPToSIOp::create(b, type, whole);
    return test.isStrict ? below
                         : arith::AddIOp::create(b, below, arith::ConstantOp::create(b, b.getIntegerAttr(type, 1)));
  }

  static Value compare(PatternRewriter &rewriter, arith::CmpFOp op, Value words, Value limit, unsigned left,
                       LimitTest test) {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    auto type = cast<RankedTensorType>(words.getType());
    auto word = cast<IntegerType>(type.getElementType());
    auto integer = [&](int64_t value) -> Value { return arith::ConstantOp::create(b, b.getIntegerAttr(word, value)); };
    Value below = countBelow(b, uniformScalar(limit, rewriter), left, test, word);
    // Of all integers 2^bits would be above every word; it wraps to 0, and the bound to the last word.
    Value bound = arith::SubIOp::create(
        b, arith::ShLIOp::create(b, below, integer(word.getWidth() - left)), integer(1));
    Value bounds = SplatOp::create(b, type, bound);
    using enum arith::CmpIPredicate;
    Value isAny = arith::CmpIOp::create(b, test.isNegated ? eq : ne, below, integer(0));
    Value any = SplatOp::create(b, op.getType(), isAny);
    Value isIn = arith::CmpIOp::create(b, test.isNegated ? ugt : ule, words, bounds);
    return test.isNegated ? arith::OrIOp::create(b, isIn, any).getResult()
                          : arith::AndIOp::create(b, isIn, any).getResult();
  }

  Pass::Statistic &count;
};

struct Combine : fsm::impl::CombinePassBase<Combine> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<ScalarizeUniform>(&getContext(), numScalarized);
    patterns.add<TransposeIndices>(&getContext());
    patterns.add<CompareUnscaled>(&getContext(), numUnscaled);
    patterns.add<CompareWords>(&getContext(), numWords);
    for (RegisteredOperationName name : getContext().getRegisteredOperations())
      if (isa<FSMDialect>(name.getDialect()))
        name.getCanonicalizationPatterns(patterns, &getContext());
    // Of a chain that takes more rounds than are made, the rest stays as it is.
    (void)applyPatternsGreedily(getOperation(), std::move(patterns));
  }
};
} // namespace
