//===- Arithmetic.cpp - What works element by element -------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Importer.h"

using namespace mlir;
using namespace fsm;

static bool isF8(Type type) {
  return isa<Float8E4M3FNType, Float8E5M2Type>(getElementTypeOrSelf(type));
}

//===----------------------------------------------------------------------===//
// Ops that change their meaning or their spelling
//===----------------------------------------------------------------------===//

/// Conversions to and from f8, which `arith` does not make in the language.
template <typename Op>
static LogicalResult importFloatCast(Importer &importer, Op op) {
  if (isF8(op.getType()) || isF8(op.getIn().getType()))
    importer.set(op,
                 importer.converted(importer.get(op.getIn()), getElementTypeOrSelf(op.getType())));
  else
    importer.clone(op);
  return success();
}

static LogicalResult importFpToFp(Importer &importer, triton::FpToFpOp op) {
  Rounding rounding = op.getRounding() == triton::Rounding::TowardZero ? Rounding::TowardZero
                                                                       : Rounding::NearestEven;
  importer.set(op, ConvertOp::create(importer, op.getType(), importer.get(op.getSrc()), rounding,
                                     /*saturate=*/false));
  return success();
}

/// The sign is a bit; f8 has no arithmetic.
static LogicalResult importAbs(Importer &importer, math::AbsFOp op) {
  if (!isF8(op.getType())) {
    importer.clone(op);
    return success();
  }
  Type bytes = importer.getI8Type();
  if (auto block = dyn_cast<RankedTensorType>(op.getType()))
    bytes = block.clone(bytes);
  Value bits = arith::BitcastOp::create(importer, bytes, importer.get(op.getOperand()));
  bits = arith::AndIOp::create(importer, bits, importer.integer(0x7F, bytes));
  importer.set(op, arith::BitcastOp::create(importer, op.getType(), bits));
  return success();
}

static LogicalResult importClamp(Importer &importer, triton::ClampFOp op) {
  Value x = importer.get(op.getX()), min = importer.get(op.getMin()),
        max = importer.get(op.getMax());
  if (op.getPropagateNan() == triton::PropagateNaN::All) {
    x = arith::MaximumFOp::create(importer, x, min);
    importer.set(op, arith::MinimumFOp::create(importer, x, max));
  } else {
    x = arith::MaxNumFOp::create(importer, x, min);
    importer.set(op, arith::MinNumFOp::create(importer, x, max));
  }
  return success();
}

static LogicalResult importSqrt(Importer &importer, triton::PreciseSqrtOp op) {
  importer.set(op, SqrtRNOp::create(importer, importer.get(op.getX())));
  return success();
}

static LogicalResult importDiv(Importer &importer, triton::PreciseDivFOp op) {
  importer.set(op, DivRNOp::create(importer, importer.get(op.getX()), importer.get(op.getY())));
  return success();
}

static LogicalResult importMulHi(Importer &importer, triton::MulhiUIOp op) {
  importer.set(op, UMulHiOp::create(importer, importer.get(op.getX()), importer.get(op.getY())));
  return success();
}

/// Products that may become part of a sum, and the sums.
template <typename Op>
static LogicalResult importContracted(Importer &importer, Op op) {
  auto cloned = cast<Op>(importer.clone(op));
  if (importer.options.fpFusion)
    cloned.setFastmath(cloned.getFastmath() | arith::FastMathFlags::contract);
  return success();
}

//===----------------------------------------------------------------------===//
// Choices
//===----------------------------------------------------------------------===//

/// One of two blocks of pointers with the same base.
static PointerBlock choose(Importer &importer, Value condition, PointerBlock left,
                           PointerBlock right, const PointerForm &form) {
  Type i64 = importer.getI64Type();
  PointerBlock result{left.type, importer.get(form.base), {}, {}};
  auto select = [&](Value whenTrue, Value whenFalse) -> Value {
    return arith::SelectOp::create(importer, condition, whenTrue, whenFalse);
  };
  if (!isa<RankedTensorType>(condition.getType()) && (left.moved || right.moved)) {
    auto moved = [&](Value value) {
      return value ? importer.extended(value, 64) : importer.integer(0, i64);
    };
    result.moved = select(moved(left.moved), moved(right.moved));
    left.moved = right.moved = {};
  }
  if (form.width != PointerForm::None) {
    unsigned bits = form.width == PointerForm::I64 ? 64 : 32;
    result.offsets = select(importer.wholeOffsets(left, bits), importer.wholeOffsets(right, bits));
  }
  return result;
}

static LogicalResult importSelect(Importer &importer, arith::SelectOp op) {
  if (!isPointerBlock(op.getType())) {
    importer.clone(op);
    return success();
  }
  Value condition = importer.get(op.getCondition());
  PointerForm form = importer.formOf(op);
  if (form.kind == PointerForm::Based) {
    importer.setPointers(op, choose(importer, condition, importer.pointers(op.getTrueValue()),
                                    importer.pointers(op.getFalseValue()), form));
    return success();
  }
  Value left = importer.addressesOf(op.getTrueValue()),
        right = importer.addressesOf(op.getFalseValue());
  importer.setAddresses(op, arith::SelectOp::create(importer, condition, left, right));
  return success();
}

/// Nothing is known of it, so a block of pointers may be any.
static LogicalResult importPoison(Importer &importer, ub::PoisonOp op) {
  if (!isPointerBlock(op.getType()))
    importer.clone(op);
  return success();
}

void fsm::addArithmeticRewrites(RewriteTable &table) {
  table.on(importFloatCast<arith::ExtFOp>);
  table.on(importFloatCast<arith::TruncFOp>);
  table.on(importFpToFp);
  table.on(importAbs);
  table.on(importClamp);
  table.on(importSqrt);
  table.on(importDiv);
  table.on(importMulHi);
  table.on(importContracted<arith::AddFOp>);
  table.on(importContracted<arith::SubFOp>);
  table.on(importContracted<arith::MulFOp>);
  table.on(importSelect);
  table.on(importPoison);
}
