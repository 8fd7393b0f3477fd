//===- Shapes.cpp - Shapes of blocks, of pointers as well ---------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Importer.h"

using namespace mlir;
using namespace fsm;

/// A block in another shape: its elements, or the offsets of a block of pointers.
template <typename Op>
static LogicalResult reshape(Importer &importer, Op op,
                             llvm::function_ref<Value(Value source, RankedTensorType to)> make) {
  auto type = cast<RankedTensorType>(op.getResult().getType());
  auto shaped = [&](Value source) {
    return make(source, type.clone(getElementTypeOrSelf(source.getType())));
  };
  if (!isPointerBlock(type)) {
    importer.set(op.getResult(), shaped(importer.get(op.getSrc())));
    return success();
  }
  PointerBlock block = importer.pointers(op.getSrc());
  block.type = type;
  if (block.offsets)
    block.offsets = shaped(block.offsets);
  importer.setPointers(op.getResult(), block);
  return success();
}

static LogicalResult importExpandDims(Importer &importer, triton::ExpandDimsOp op) {
  return reshape(importer, op, [&](Value source, RankedTensorType to) -> Value {
    return ExpandDimsOp::create(importer, to, source, op.getAxis());
  });
}

static LogicalResult importBroadcast(Importer &importer, triton::BroadcastOp op) {
  return reshape(importer, op, [&](Value source, RankedTensorType to) -> Value {
    return BroadcastOp::create(importer, to, source);
  });
}

static LogicalResult importReshape(Importer &importer, triton::ReshapeOp op) {
  // That elements may be reordered is a permission.
  return reshape(importer, op, [&](Value source, RankedTensorType to) -> Value {
    return ReshapeOp::create(importer, to, source);
  });
}

/// What Triton's pass that takes descriptors apart leaves of a load of fewer dimensions than its
/// descriptor has: those that are dropped have an extent of 1.
static LogicalResult importCast(Importer &importer, UnrealizedConversionCastOp op) {
  auto extents = [](Type type) {
    SmallVector<int64_t> shape;
    if (auto block = dyn_cast<RankedTensorType>(type))
      llvm::copy_if(block.getShape(), std::back_inserter(shape), [](int64_t n) { return n != 1; });
    return shape;
  };
  bool isOne = op->getNumOperands() == 1 && op->getNumResults() == 1;
  Type from = isOne ? op->getOperand(0).getType() : Type(),
       to = isOne ? op->getResult(0).getType() : Type();
  if (!isOne || !triton::isBlock(from) || !triton::isBlock(to) || isPointerBlock(from) ||
      getElementTypeOrSelf(from) != getElementTypeOrSelf(to) || extents(from) != extents(to))
    return refuse(op) << "expected a block that loses dimensions of extent 1";
  importer.set(op->getResult(0), importer.reshaped(importer.get(op->getOperand(0)),
                                                   cast<RankedTensorType>(to).getShape()));
  return success();
}

static LogicalResult importTrans(Importer &importer, triton::TransOp op) {
  return reshape(importer, op, [&](Value source, RankedTensorType to) -> Value {
    return TransposeOp::create(importer, to, source, op.getOrderAttr());
  });
}

static LogicalResult importSplat(Importer &importer, triton::SplatOp op) {
  auto type = cast<RankedTensorType>(op.getType());
  if (isPointerBlock(op.getSrc().getType()))
    return refuse(op) << "expected a scalar, got " << op.getSrc().getType();
  Value scalar = importer.get(op.getSrc());
  if (isPointerBlock(type))
    importer.setPointers(op, {type, scalar, {}, {}});
  else
    importer.set(op, SplatOp::create(importer, type, scalar));
  return success();
}

static LogicalResult importRange(Importer &importer, triton::MakeRangeOp op) {
  importer.set(op, RangeOp::create(importer, op.getType(), op.getStartAttr(), op.getEndAttr()));
  return success();
}

static LogicalResult importUnsplat(Importer &importer, triton::UnsplatOp op) {
  auto type = cast<RankedTensorType>(op.getSrc().getType());
  Value source = importer.get(op.getSrc());
  Type element = getElementTypeOrSelf(source.getType());
  SmallVector<int64_t> first(type.getRank(), 0);
  Value scalar = ExtractOp::create(importer, element, source, ValueRange(),
                                   importer.getDenseI64ArrayAttr(first));
  if (isPointerBlock(type))
    scalar = IntToPtrOp::create(importer, importer.typeOf(op.getType()), scalar);
  importer.set(op, scalar);
  return success();
}

/// The result of an op on what its operands are, addresses where they are pointers.
static void setResult(Importer &importer, Value source, Value imported) {
  if (isPointerBlock(source.getType()))
    importer.setAddresses(source, imported);
  else
    importer.set(source, imported);
}

static LogicalResult importJoin(Importer &importer, triton::JoinOp op) {
  Value left = importer.get(op.getLhs()), right = importer.get(op.getRhs());
  setResult(importer, op, JoinOp::create(importer, importer.typeOf(op.getType()), left, right));
  return success();
}

static LogicalResult importCat(Importer &importer, triton::CatOp op) {
  Value left = importer.get(op.getLhs()), right = importer.get(op.getRhs());
  setResult(importer, op,
            CatOp::create(importer, importer.typeOf(op.getType()), ValueRange{left, right},
                          /*axis=*/0));
  return success();
}

static LogicalResult importSplit(Importer &importer, triton::SplitOp op) {
  Type type = importer.typeOf(op.getOutLHS().getType());
  auto split = SplitOp::create(importer, type, type, importer.get(op.getSrc()));
  setResult(importer, op.getOutLHS(), split.getLeft());
  setResult(importer, op.getOutRHS(), split.getRight());
  return success();
}

static LogicalResult importGather(Importer &importer, triton::GatherOp op) {
  Value source = importer.get(op.getSrc()),
        indices = importer.extended(importer.get(op.getIndices()), 32);
  setResult(
      importer, op,
      GatherOp::create(importer, importer.typeOf(op.getType()), source, indices, op.getAxis()));
  return success();
}

/// Elements that the mask leaves out are counted nowhere: they are more than any bin's number.
static LogicalResult importHistogram(Importer &importer, triton::HistogramOp op) {
  Value source = importer.get(op.getSrc());
  if (op.getMask()) {
    Value none = importer.integer(-1, source.getType());
    source = arith::SelectOp::create(importer, importer.get(op.getMask()), source, none);
  }
  importer.set(op, HistogramOp::create(importer, op.getType(), source));
  return success();
}

void fsm::addShapeRewrites(RewriteTable &table) {
  table.on(importExpandDims);
  table.on(importBroadcast);
  table.on(importReshape);
  table.on(importCast);
  table.on(importTrans);
  table.on(importSplat);
  table.on(importRange);
  table.on(importUnsplat);
  table.on(importJoin);
  table.on(importCat);
  table.on(importSplit);
  table.on(importGather);
  table.on(importHistogram);
}
