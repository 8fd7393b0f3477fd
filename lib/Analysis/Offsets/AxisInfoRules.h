//===- AxisInfoRules.h - Rules of axis info, one per kind of op -*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_LIB_ANALYSIS_AXISINFORULES_H
#define FSM_LIB_ANALYSIS_AXISINFORULES_H

#include "fsm/Analysis/AxisInfo.h"

#include "llvm/Support/MathExtras.h"

namespace fsm::axis {

/// The largest power of two, kMaxDivisor at most, that divides `number`.
inline int64_t powerOfTwoIn(int64_t number) {
  if (number % AxisInfo::kMaxDivisor == 0)
    return AxisInfo::kMaxDivisor;
  return number & -number;
}

/// The largest group a dimension can have: its extent, rounded up.
inline int64_t wholeGroup(int64_t extent) { return llvm::PowerOf2Ceil(extent); }

/// The extents of a block; {1} for a scalar.
inline llvm::SmallVector<int64_t, 4> axisExtents(mlir::Type type) {
  llvm::ArrayRef<int64_t> shape = shapeOf(type);
  return shape.empty() ? llvm::SmallVector<int64_t, 4>{1} : llvm::SmallVector<int64_t, 4>(shape);
}

/// The width of an integer type or of its elements; 0 of any other type.
inline unsigned widthOf(mlir::Type type) {
  auto integer = llvm::dyn_cast<mlir::IntegerType>(elementTypeOf(type));
  return integer ? integer.getWidth() : 0;
}

/// AxisInfo::constant of a number.
inline int64_t numberOf(const llvm::APInt &value) {
  return value.getBitWidth() == 1 ? value.getZExtValue() : value.getSExtValue();
}

/// `number` as an integer of the width.
inline llvm::APInt bitsOf(int64_t number, unsigned width) {
  return llvm::APInt(width, number, /*isSigned=*/true, /*implicitTrunc=*/true);
}

/// What holds when both `left` and `right` do.
AxisInfo meet(const AxisInfo &left, const AxisInfo &right);

/// What the `fsm.assume` ops of a kernel promise of its scalars. A promise counts
/// only in the block that defines the number: it holds wherever that is computed.
llvm::DenseMap<mlir::Value, AxisInfo> assumptionsOf(KernelOp kernel);

/// The rules of an op family; nothing for an op of another family.
std::optional<AxisInfo> inferArithmetic(mlir::Operation *op,
                                        llvm::ArrayRef<const AxisInfo *> operands);
std::optional<AxisInfo> inferShape(mlir::Operation *op, llvm::ArrayRef<const AxisInfo *> operands,
                                   unsigned result);

/// The number two constants make, where the op is known and the language gives
/// the result a value.
std::optional<llvm::APInt> evaluate(mlir::Operation *op, const llvm::APInt &left,
                                    const llvm::APInt &right);

} // namespace fsm::axis

#endif // FSM_LIB_ANALYSIS_AXISINFORULES_H
