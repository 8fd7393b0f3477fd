//===- Combine.cpp - Moves uniform arithmetic to scalars -----------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Transforms/Passes.h"

#include "fsm/Analysis/AffineOffsets.h"
#include "fsm/Analysis/KnownMasks.h"
#include "fsm/Analysis/TensorTile.h"

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

} // namespace

/// Whether indices compare in the same way with one number everywhere, as where a whole row is inside of its tensor.
static std::optional<bool> knownOfIndices(arith::CmpIOp op) {
  using arith::CmpIPredicate;
  DenseIntElementsAttr bounds;
  if (!matchPattern(op.getRhs(), m_Constant(&bounds)) || !bounds.isSplat())
    return std::nullopt;
  AffineOffsets forms(Wrapping::Heeded, AffineOffsets::kFewValues);
  const AffineForm &form = forms.of(op.getLhs());
  if (form.exactness != Exactness::Number || form.isConstant())
    return std::nullopt;
  int64_t least = form.constant - bounds.getSplatValue<APInt>().getSExtValue(), most = least;
  bool isAnyMore = false;
  for (const AffineTerm &term : form.terms) {
    // Where a part of a tensor begins adds to all indices, as its rows in a loop.
    if (term.symbol && !term.isBlock() && term.factor > 0 && isNonNegative(term.symbol)) {
      isAnyMore = true;
      continue;
    }
    if (term.symbol)
      return std::nullopt;
    int64_t last = term.factor * (cast<RankedTensorType>(op.getType()).getDimSize(term.dim) - 1);
    (last < 0 ? least : most) += last;
  }
  bool isLess = op.getPredicate() == CmpIPredicate::slt;
  if ((!isLess && op.getPredicate() != CmpIPredicate::sge) || (least < 0 && (isAnyMore || most >= 0)))
    return std::nullopt;
  return isLess == (least < 0);
}

/// Whether a load keeps a mask that is known to hold: one of weights, which all programs read, in a
/// kernel whose rows fill their block. The assembler moves a load without a condition behind what
/// the threads wait for, and they wait once more.
static bool staysForLoad(OpOperand &use) {
  auto load = dyn_cast<LoadOp>(use.getOwner());
  auto mask = use.get().getDefiningOp<arith::CmpIOp>();
  if (!load || !mask || load.getMask() != use.get() || !isa<BlockArgument>(load.getPointer()) ||
      load->getParentOp() != load->getParentOfType<KernelOp>())
    return false;
  // Of the blocks that a row is walked in, masks cost more than waiting does.
  std::optional<MaskEnd> end =
      AffineOffsets(Wrapping::Heeded, AffineOffsets::kFewValues).endOf(mask);
  IntegerAttr least = end ? promisedOf(end->bound, kAtLeastAttr) : IntegerAttr();
  return least && !end->base && end->start == 0 &&
         cast<RankedTensorType>(mask.getType()).getDimSize(end->dim) == least.getInt();
}

namespace {
/// A mask that numbers, or the end of a row as far as it is known, make the same for all elements is a constant.
struct KnownMask : OpRewritePattern<arith::CmpIOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::CmpIOp op, PatternRewriter &rewriter) const override {
    auto type = dyn_cast<RankedTensorType>(op.getType());
    std::optional<bool> known = type ? knownOfIndices(op) : std::nullopt;
    bool isOfRow = type && !known;
    if (isOfRow)
      known = knownMask(op);
    auto isReplaced = [&](OpOperand &use) { return !isOfRow || !staysForLoad(use); };
    if (!known || llvm::none_of(op->getUses(), isReplaced))
      return rewriter.notifyMatchFailure(op, "its elements may differ, or loads keep it");
    Value constant = arith::ConstantOp::create(rewriter, op.getLoc(), DenseElementsAttr::get(type, *known));
    rewriter.replaceUsesWithIf(op, constant, isReplaced);
    return success();
  }
};

struct Combine : fsm::impl::CombinePassBase<Combine> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<ScalarizeUniform>(&getContext(), numScalarized);
    patterns.add<TransposeIndices, KnownMask>(&getContext());
    patterns.add<CompareUnscaled>(&getContext(), numUnscaled);
    for (RegisteredOperationName name : getContext().getRegisteredOperations())
      if (isa<FSMDialect>(name.getDialect()))
        name.getCanonicalizationPatterns(patterns, &getContext());
    // Of a chain that takes more rounds than are made, the rest stays as it is.
    (void)applyPatternsGreedily(getOperation(), std::move(patterns));
  }
};
} // namespace
