//===- ShapeOps.cpp - Making and reshaping blocks ------------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/IR/FSMDialect.h"
#include "fsm/IR/Origins.h"

#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace fsm;

/// A constant whose elements are all equal, with the block type `type`.
static OpFoldResult foldSplat(Attribute operand, RankedTensorType type) {
  if (auto splat = dyn_cast_or_null<SplatElementsAttr>(operand))
    return DenseElementsAttr::get(type, splat.getSplatValue<Attribute>());
  return {};
}

/// `op(splat(x))` is a splat of x of the result's type.
template <typename ShapeOp>
static LogicalResult forwardSplat(ShapeOp op, PatternRewriter &rewriter) {
  auto splat = op.getSource().template getDefiningOp<SplatOp>();
  if (!splat)
    return rewriter.notifyMatchFailure(op, "the source is no splat");
  rewriter.replaceOpWithNewOp<SplatOp>(op, op.getType(), splat.getScalar());
  return success();
}

static Origin sourceOf(Operation *op) {
  return {isa<JoinOp>(op) ? "the left block" : "the source", op->getOperand(0)};
}

static LogicalResult verifySameElements(Operation *op, RankedTensorType source,
                                        RankedTensorType result) {
  if (source.getElementType() != result.getElementType())
    return failWithOrigins(op->emitOpError()
                               << "expected source and result to have the same element type, got "
                               << source.getElementType() << " and " << result.getElementType(),
                           sourceOf(op));
  return success();
}

//===----------------------------------------------------------------------===//
// RangeOp, SplatOp
//===----------------------------------------------------------------------===//

LogicalResult RangeOp::verify() {
  int64_t start = static_cast<int32_t>(getStart()), end = static_cast<int32_t>(getEnd());
  if (end <= start)
    return emitOpError() << "expected the end to be greater than the start, got " << start
                         << " and " << end;
  RankedTensorType type = getType();
  if (type.getRank() != 1 || type.getDimSize(0) != end - start)
    return emitOpError() << "expected a result of type "
                         << RankedTensorType::get({end - start}, type.getElementType()) << " for "
                         << start << " to " << end << ", got " << type;
  return success();
}

OpFoldResult SplatOp::fold(FoldAdaptor adaptor) {
  if (Attribute scalar = adaptor.getScalar())
    if (isa<IntegerAttr, FloatAttr>(scalar))
      return DenseElementsAttr::get(getType(), scalar);
  return {};
}

//===----------------------------------------------------------------------===//
// ExpandDimsOp
//===----------------------------------------------------------------------===//

LogicalResult ExpandDimsOp::verify() {
  RankedTensorType source = getSource().getType(), result = getType();
  int64_t axis = static_cast<int32_t>(getAxis());
  if (axis < 0 || axis > source.getRank())
    return failWithOrigins(emitOpError() << "expected an axis between 0 and " << source.getRank()
                                         << ", got " << axis,
                           {{"the source", getSource()}});
  SmallVector<int64_t> shape(source.getShape());
  shape.insert(shape.begin() + axis, 1);
  if (result.getShape() != ArrayRef<int64_t>(shape))
    return failWithOrigins(emitOpError() << "expected a result of type "
                                         << RankedTensorType::get(shape, source.getElementType())
                                         << " for source " << source << " and axis " << axis
                                         << ", got " << result,
                           {{"the source", getSource()}});
  return verifySameElements(*this, source, result);
}

OpFoldResult ExpandDimsOp::fold(FoldAdaptor adaptor) {
  return foldSplat(adaptor.getSource(), getType());
}

void ExpandDimsOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *) {
  patterns.add(forwardSplat<ExpandDimsOp>);
}

//===----------------------------------------------------------------------===//
// BroadcastOp
//===----------------------------------------------------------------------===//

/// Which dimension of the result each one of the source is; failure after an error.
static FailureOr<SmallVector<int32_t>> resultDims(BroadcastOp op) {
  int64_t rank = op.getSource().getType().getRank(), all = op.getType().getRank();
  if (std::optional<ArrayRef<int32_t>> dims = op.getDims()) {
    bool isAscending = llvm::is_sorted(*dims, std::less_equal<>());
    if (isAscending && static_cast<int64_t>(dims->size()) == rank &&
        (dims->empty() || (dims->front() >= 0 && dims->back() < all)))
      return llvm::to_vector(*dims);
    return failWithOrigins(op.emitOpError()
                               << "expected 'dims' to list " << rank << " of the dimensions 0 to "
                               << all - 1 << " of the result, ascending, got [" << *dims << "]",
                           {{"the source", op.getSource()}});
  }
  if (rank == all)
    return llvm::to_vector(llvm::seq<int32_t>(0, static_cast<int32_t>(rank)));
  return failWithOrigins(op.emitOpError() << "expected source and result of equal rank, got "
                                          << op.getSource().getType() << " and " << op.getType()
                                          << "; say with 'dims' which dimensions the source's are",
                         {{"the source", op.getSource()}});
}

LogicalResult BroadcastOp::verify() {
  RankedTensorType source = getSource().getType(), result = getType();
  FailureOr<SmallVector<int32_t>> dims = resultDims(*this);
  if (failed(dims))
    return failure();
  for (auto [dim, into] : llvm::enumerate(*dims))
    if (source.getDimSize(dim) != 1 && source.getDimSize(dim) != result.getDimSize(into))
      return failWithOrigins(emitOpError()
                                 << "expected extent " << dim
                                 << " of the source to be 1 or as in the result, "
                                 << result.getDimSize(into) << ", got " << source.getDimSize(dim),
                             {{"the source", getSource()}});
  return verifySameElements(*this, source, result);
}

OpFoldResult BroadcastOp::fold(FoldAdaptor adaptor) {
  if (getSource().getType() == getType())
    return getSource();
  return foldSplat(adaptor.getSource(), getType());
}

void BroadcastOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *) {
  patterns.add(forwardSplat<BroadcastOp>);
  patterns.add(+[](BroadcastOp op, PatternRewriter &rewriter) {
    auto inner = op.getSource().getDefiningOp<BroadcastOp>();
    if (!inner || inner.getDims() || op.getDims())
      return rewriter.notifyMatchFailure(op, "the source is no broadcast of its rank");
    rewriter.replaceOpWithNewOp<BroadcastOp>(op, op.getType(), inner.getSource());
    return success();
  });
}

//===----------------------------------------------------------------------===//
// ReshapeOp
//===----------------------------------------------------------------------===//

LogicalResult ReshapeOp::verify() {
  RankedTensorType source = getSource().getType(), result = getType();
  auto elements = [](RankedTensorType type) {
    llvm::APInt count(64, 1);
    bool overflow = false;
    for (int64_t extent : type.getShape())
      if (!overflow)
        count = count.smul_ov(llvm::APInt(64, extent), overflow);
    return overflow ? int64_t(-1) : count.getSExtValue();
  };
  if (elements(source) != elements(result) || elements(source) < 0)
    return failWithOrigins(
        emitOpError() << "expected source and result with the same number of elements, got "
                      << source << " and " << result,
        {{"the source", getSource()}});
  return verifySameElements(*this, source, result);
}

OpFoldResult ReshapeOp::fold(FoldAdaptor adaptor) {
  if (getSource().getType() == getType())
    return getSource();
  return foldSplat(adaptor.getSource(), getType());
}

void ReshapeOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *) {
  patterns.add(forwardSplat<ReshapeOp>);
  patterns.add(+[](ReshapeOp op, PatternRewriter &rewriter) {
    Operation *inner = op.getSource().getDefiningOp();
    if (!isa_and_present<ReshapeOp, ExpandDimsOp>(inner))
      return rewriter.notifyMatchFailure(op, "the source is no reshape");
    rewriter.replaceOpWithNewOp<ReshapeOp>(op, op.getType(), inner->getOperand(0));
    return success();
  });
}

//===----------------------------------------------------------------------===//
// TransposeOp
//===----------------------------------------------------------------------===//

LogicalResult TransposeOp::verify() {
  RankedTensorType source = getSource().getType(), result = getType();
  ArrayRef<int32_t> order = getOrder();
  SmallVector<int32_t> sorted(order);
  llvm::sort(sorted);
  if (static_cast<int64_t>(order.size()) != source.getRank() ||
      !llvm::equal(sorted, llvm::seq<int32_t>(0, static_cast<int32_t>(source.getRank()))))
    return failWithOrigins(emitOpError() << "expected 'order' to list the dimensions 0 to "
                                         << source.getRank() - 1 << " of " << source
                                         << ", each once, got [" << order << "]",
                           {{"the source", getSource()}});
  SmallVector<int64_t> shape;
  for (int32_t dim : order)
    shape.push_back(source.getDimSize(dim));
  if (result.getShape() != ArrayRef<int64_t>(shape))
    return failWithOrigins(emitOpError() << "expected a result of type "
                                         << RankedTensorType::get(shape, source.getElementType())
                                         << " for source " << source << " and order [" << order
                                         << "], got " << result,
                           {{"the source", getSource()}});
  return verifySameElements(*this, source, result);
}

OpFoldResult TransposeOp::fold(FoldAdaptor adaptor) {
  if (llvm::is_sorted(getOrder()) && getSource().getType() == getType())
    return getSource();
  return foldSplat(adaptor.getSource(), getType());
}

/// What is repeated is transposed before that: there are fewer elements then.
static LogicalResult transposeBeforeBroadcast(TransposeOp op, PatternRewriter &rewriter) {
  auto broadcast = op.getSource().getDefiningOp<BroadcastOp>();
  if (!broadcast || broadcast.getDims() || op.getType().getEncoding())
    return rewriter.notifyMatchFailure(op, "the source is no broadcast of its rank");
  RankedTensorType source = broadcast.getSource().getType();
  SmallVector<int64_t> shape;
  for (int32_t dim : op.getOrder())
    shape.push_back(source.getDimSize(dim));
  Value moved = TransposeOp::create(rewriter, op.getLoc(), source.clone(shape),
                                    broadcast.getSource(), op.getOrder());
  rewriter.replaceOpWithNewOp<BroadcastOp>(op, op.getType(), moved);
  return success();
}

/// A new dimension is inserted where the transpose would take it.
static LogicalResult transposeBeforeExpand(TransposeOp op, PatternRewriter &rewriter) {
  auto expand = op.getSource().getDefiningOp<ExpandDimsOp>();
  if (!expand || op.getType().getEncoding())
    return rewriter.notifyMatchFailure(op, "the source has no new dimension, or a layout");
  auto axis = static_cast<int32_t>(expand.getAxis());
  RankedTensorType source = expand.getSource().getType();
  SmallVector<int32_t> order;
  SmallVector<int64_t> shape;
  int32_t place = 0;
  for (auto [i, dim] : llvm::enumerate(op.getOrder())) {
    if (dim == axis) {
      place = static_cast<int32_t>(i);
      continue;
    }
    order.push_back(dim < axis ? dim : dim - 1);
    shape.push_back(source.getDimSize(order.back()));
  }
  Value moved =
      TransposeOp::create(rewriter, op.getLoc(), source.clone(shape), expand.getSource(), order);
  rewriter.replaceOpWithNewOp<ExpandDimsOp>(op, op.getType(), moved, place);
  return success();
}

void TransposeOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *) {
  patterns.add(forwardSplat<TransposeOp>);
  patterns.add(transposeBeforeBroadcast);
  patterns.add(transposeBeforeExpand);
  patterns.add(+[](TransposeOp op, PatternRewriter &rewriter) {
    auto inner = op.getSource().getDefiningOp<TransposeOp>();
    if (!inner)
      return rewriter.notifyMatchFailure(op, "the source is no transpose");
    SmallVector<int32_t> order;
    for (int32_t dim : op.getOrder())
      order.push_back(inner.getOrder()[dim]);
    rewriter.replaceOpWithNewOp<TransposeOp>(op, op.getType(), inner.getSource(), order);
    return success();
  });
}

//===----------------------------------------------------------------------===//
// JoinOp, SplitOp
//===----------------------------------------------------------------------===//

/// Whether `pairs` is `part` with one more dimension, the last, of extent 2.
static LogicalResult verifyPairs(Operation *op, RankedTensorType part, RankedTensorType pairs) {
  SmallVector<int64_t> shape(part.getShape());
  shape.push_back(2);
  if (pairs.getShape() != ArrayRef<int64_t>(shape))
    return failWithOrigins(op->emitOpError()
                               << "expected " << RankedTensorType::get(shape, part.getElementType())
                               << " to belong to two of " << part << ", got " << pairs,
                           sourceOf(op));
  return verifySameElements(op, part, pairs);
}

LogicalResult JoinOp::verify() { return verifyPairs(*this, getLeft().getType(), getType()); }

LogicalResult SplitOp::verify() {
  return verifyPairs(*this, getLeft().getType(), getSource().getType());
}

OpFoldResult JoinOp::fold(FoldAdaptor adaptor) {
  auto split = getLeft().getDefiningOp<SplitOp>();
  if (split && getLeft() == split.getLeft() && getRight() == split.getRight() &&
      split.getSource().getType() == getType())
    return split.getSource();
  if (adaptor.getLeft() && adaptor.getLeft() == adaptor.getRight())
    return foldSplat(adaptor.getLeft(), getType());
  return {};
}

LogicalResult SplitOp::fold(FoldAdaptor adaptor, SmallVectorImpl<OpFoldResult> &results) {
  if (auto join = getSource().getDefiningOp<JoinOp>();
      join && join.getLeft().getType() == getLeft().getType()) {
    results.assign({join.getLeft(), join.getRight()});
    return success();
  }
  OpFoldResult part = foldSplat(adaptor.getSource(), getLeft().getType());
  if (!part)
    return failure();
  results.assign({part, part});
  return success();
}
