//===- Combine.cpp - Moves uniform arithmetic to scalars -----------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Transforms/Passes.h"

#include "fsm/Analysis/AffineOffsets.h"
#include "fsm/Analysis/KnownMasks.h"
#include "fsm/Analysis/ScalarRanges.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "llvm/ADT/DynamicAPInt.h"

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

/// Indices that a loop moves by one number are those in front of it and a number that it carries,
/// so that they are made in whatever layout they are wanted, as the ranges they come from.
struct CarriedIndices : OpRewritePattern<scf::ForOp> {
  using OpRewritePattern::OpRewritePattern;

  /// What an iteration adds, or null.
  static Value stepOf(scf::ForOp loop, unsigned number) {
    Value carried = loop.getRegionIterArg(number);
    auto next = loop.getYieldedValues()[number].getDefiningOp<arith::AddIOp>();
    if (!isa<RankedTensorType>(carried.getType()) || !next || !isIndex(loop.getInitArgs()[number]))
      return {};
    Value left = next.getLhs(), right = next.getRhs();
    Value step = left == carried ? right : right == carried ? left : Value();
    return step && isUniform(step) ? step : Value();
  }

  static Value sum(PatternRewriter &rewriter, Value indices, Value moved) {
    Value moves = SplatOp::create(rewriter, moved.getLoc(), indices.getType(), moved);
    return arith::AddIOp::create(rewriter, moved.getLoc(), indices, moves);
  }

  LogicalResult matchAndRewrite(scf::ForOp loop, PatternRewriter &rewriter) const override {
    unsigned number = 0, count = loop.getNumRegionIterArgs();
    while (number < count && !stepOf(loop, number))
      ++number;
    if (number == count)
      return rewriter.notifyMatchFailure(loop, "carries no indices that move by one number");
    Value first = loop.getInitArgs()[number], carried = loop.getRegionIterArg(number);
    Value result = loop.getResult(number);
    Type element = elementTypeOf(first.getType());
    Value zero = arith::ConstantOp::create(rewriter, loop.getLoc(), rewriter.getZeroAttr(element));
    Operation *yield = loop.getBody()->getTerminator();
    rewriter.setInsertionPoint(yield);
    Value step = uniformScalar(stepOf(loop, number), rewriter);
    rewriter.modifyOpInPlace(loop, [&] {
      loop.getInitArgsMutable()[number].set(zero);
      carried.setType(element);
      result.setType(element);
    });
    Value next = arith::AddIOp::create(rewriter, loop.getLoc(), carried, step);
    rewriter.modifyOpInPlace(yield, [&] { yield->setOperand(number, next); });
    auto replace = [&](Value value, Operation *but) {
      Value all = sum(rewriter, first, value);
      llvm::SmallPtrSet<Operation *, 2> own = {but,
                                               all.getDefiningOp()->getOperand(1).getDefiningOp()};
      rewriter.replaceUsesWithIf(value, all,
                                 [&](OpOperand &use) { return !own.contains(use.getOwner()); });
    };
    rewriter.setInsertionPointToStart(loop.getBody());
    replace(carried, next.getDefiningOp());
    rewriter.setInsertionPointAfter(loop);
    replace(result, nullptr);
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

/// An order of integers and a limit: of those below a bound, which is the limit rounded up or the
/// integer behind it, or of all others.
struct IntegerOrder {
  bool isBelow, isBehindLimit, isTrueOfNan;

  /// Null for what is no order. The limit is the right operand, or the left one.
  static std::optional<IntegerOrder> of(arith::CmpFPredicate predicate, bool isLimitLeft) {
    using Is = arith::CmpFPredicate;
    if (predicate == Is::AlwaysFalse || predicate == Is::AlwaysTrue || predicate == Is::ORD ||
        predicate == Is::UNO || predicate == Is::OEQ || predicate == Is::UEQ || predicate == Is::ONE ||
        predicate == Is::UNE)
      return std::nullopt;
    bool isTrueOfNan = predicate == Is::ULT || predicate == Is::ULE || predicate == Is::UGT || predicate == Is::UGE;
    bool isLess = predicate == Is::OLT || predicate == Is::ULT || predicate == Is::OLE || predicate == Is::ULE;
    bool isOrEqual = predicate == Is::OLE || predicate == Is::ULE || predicate == Is::OGE || predicate == Is::UGE;
    bool isBelow = isLess != isLimitLeft;
    return IntegerOrder{isBelow, isBelow == isOrEqual, isTrueOfNan};
  }
};

/// The least integer that is not below a limit, of those up to 2^bits.
static Value boundOf(PatternRewriter &rewriter, Location loc, Value limit, IntegerOrder order, unsigned bits) {
  auto number = [&](float value) {
    return arith::ConstantOp::create(rewriter, loc, rewriter.getF32FloatAttr(value));
  };
  Value bound = order.isBehindLimit
                    ? arith::AddFOp::create(rewriter, loc, math::FloorOp::create(rewriter, loc, limit), number(1)).getResult()
                    : math::CeilOp::create(rewriter, loc, limit).getResult();
  // The conversion makes 0 of NaN, as of all that is less.
  if (order.isTrueOfNan == order.isBelow)
    bound = arith::MinNumFOp::create(rewriter, loc, bound, number(static_cast<float>(1u << bits)));
  Value whole = arith::FPToUIOp::create(rewriter, loc, rewriter.getI32Type(), bound);
  Value most = arith::ConstantOp::create(rewriter, loc, rewriter.getI32IntegerAttr(1 << bits));
  return arith::MinUIOp::create(rewriter, loc, whole, most);
}

/// `number(word >> k) < limit` becomes `word <= last`, for any order, where so few upper bits are left that
/// f32 has them all and the limit is one number: what an element converts, it compares. Where no word is
/// below, the last one is that before 0, and all are the other way round.
struct CompareWords : OpRewritePattern<arith::CmpFOp> {
  CompareWords(MLIRContext *context, Pass::Statistic &count) : OpRewritePattern(context), count(count) {}

  LogicalResult matchAndRewrite(arith::CmpFOp op, PatternRewriter &rewriter) const override {
    for (unsigned side : {0, 1}) {
      std::optional<IntegerOrder> order = IntegerOrder::of(op.getPredicate(), /*isLimitLeft=*/side == 1);
      std::optional<UpperBits> upper = upperBitsOf(op->getOperand(side));
      Value limit = op->getOperand(1 - side);
      if (!order || !upper || !isUniform(limit))
        continue;
      compare(op, *upper, uniformScalar(limit, rewriter), *order, rewriter);
      ++count;
      return success();
    }
    return rewriter.notifyMatchFailure(op, "no upper bits of words against one number");
  }

private:
  /// A block of words, and by how many bits they are shifted before they are numbers.
  struct UpperBits {
    Value words;
    unsigned shift;
  };

  static std::optional<UpperBits> upperBitsOf(Value numbers) {
    constexpr unsigned kWord = 32, kExact = 24;
    Operation *convert = numbers.getDefiningOp();
    if (!isa_and_present<arith::UIToFPOp, arith::SIToFPOp>(convert) || !elementTypeOf(numbers.getType()).isF32())
      return std::nullopt;
    auto shift = convert->getOperand(0).getDefiningOp<arith::ShRUIOp>();
    SplatElementsAttr by;
    if (!shift || !elementTypeOf(shift.getType()).isInteger(kWord) || !matchPattern(shift.getRhs(), m_Constant(&by)))
      return std::nullopt;
    uint64_t bits = by.getSplatValue<APInt>().getZExtValue();
    if (bits < kWord - kExact || bits >= kWord)
      return std::nullopt;
    return UpperBits{shift.getLhs(), static_cast<unsigned>(bits)};
  }

  static void compare(arith::CmpFOp op, UpperBits upper, Value limit, IntegerOrder order, PatternRewriter &rewriter) {
    Location loc = op.getLoc();
    auto integer = [&](int32_t value) {
      return arith::ConstantOp::create(rewriter, loc, rewriter.getI32IntegerAttr(value));
    };
    Value bound = boundOf(rewriter, loc, limit, order, 32 - upper.shift);
    Value last = arith::SubIOp::create(
        rewriter, loc, arith::ShLIOp::create(rewriter, loc, bound, integer(static_cast<int32_t>(upper.shift))), integer(1));
    Value isNone = arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::eq, bound, integer(0));
    Value lasts = SplatOp::create(rewriter, loc, upper.words.getType(), last);
    Value areNone = SplatOp::create(rewriter, loc, op.getType(), isNone);
    auto predicate = order.isBelow ? arith::CmpIPredicate::ule : arith::CmpIPredicate::ugt;
    Value are = arith::CmpIOp::create(rewriter, loc, predicate, upper.words, lasts);
    rewriter.replaceOpWithNewOp<arith::XOrIOp>(op, are, areNone);
  }

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
  DynamicAPInt least(form.constant - bounds.getSplatValue<APInt>().getSExtValue()), most = least;
  auto add = [&](DynamicAPInt first, DynamicAPInt last) {
    least += std::min(first, last);
    most += std::max(first, last);
  };
  for (const AffineTerm &term : form.terms) {
    DynamicAPInt factor(term.factor);
    if (term.isBlock())
      return std::nullopt;
    if (term.symbol) {
      // Where a part of a tensor begins adds to all indices, as its rows in a loop.
      ConstantIntRanges range = rangeOf(term.symbol);
      add(factor * DynamicAPInt(range.smin()), factor * DynamicAPInt(range.smax()));
    } else {
      add(DynamicAPInt(0),
          factor * DynamicAPInt(cast<RankedTensorType>(op.getType()).getDimSize(term.dim) - 1));
    }
  }
  bool isLess = op.getPredicate() == CmpIPredicate::slt;
  if ((!isLess && op.getPredicate() != CmpIPredicate::sge) || (least < 0 && most >= 0))
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
    patterns.add<TransposeIndices, CarriedIndices, KnownMask>(&getContext());
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
