//===- BlockWriter.h - Writes ops on blocks --------------------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_TRANSFORMS_EXPAND_BLOCKWRITER_H
#define FSM_TRANSFORMS_EXPAND_BLOCKWRITER_H

#include "fsm/IR/FSMDialect.h"
#include "fsm/IR/NumberLists.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace fsm {

/// Of sums and products that the language says do not wrap.
inline constexpr auto kNoWrap = mlir::arith::IntegerOverflowFlags::nsw;

/// Whether it is this number, and known to be.
inline bool isNumber(const ListedNumber &given, int64_t number) {
  return !given.operand && given.number == number;
}

/// Writes ops in front of one that they replace.
class BlockWriter : public mlir::ImplicitLocOpBuilder {
public:
  explicit BlockWriter(mlir::Operation *op) : ImplicitLocOpBuilder(op->getLoc(), op) {}

  /// A number as a scalar, or in each element of a block.
  mlir::Value number(mlir::Type type, int64_t value);
  mlir::Value i32(const ListedNumber &number);
  mlir::Value splat(mlir::Value scalar, llvm::ArrayRef<int64_t> shape);
  /// A block of i32 whose dimensions are `dims` of the shape, repeated along all others.
  mlir::Value spread(mlir::Value block, llvm::ArrayRef<int32_t> dims,
                     llvm::ArrayRef<int64_t> shape);
  /// The numbers from `first` on along a dimension, repeated along all others.
  mlir::Value coordinates(llvm::ArrayRef<int64_t> shape, unsigned dim, int64_t first = 0);
  mlir::Value reshape(mlir::Value block, llvm::ArrayRef<int64_t> shape);
  mlir::Value transpose(mlir::Value block, llvm::ArrayRef<int32_t> order);
  /// `extent` elements along a dimension; those beyond the source's are its first or last.
  mlir::Value window(mlir::Value block, unsigned dim, int64_t first, int64_t extent);
};

/// What an op is written as: the values of its results.
llvm::SmallVector<mlir::Value> expand(BlockWriter &writer, SortOp op);
llvm::SmallVector<mlir::Value> expand(BlockWriter &writer, TopKOp op);
llvm::SmallVector<mlir::Value> expand(BlockWriter &writer, HistogramOp op);
/// The tensor is that of an `fsm.descriptor`.
llvm::SmallVector<mlir::Value> expand(BlockWriter &writer, LoadTileOp op);
llvm::SmallVector<mlir::Value> expand(BlockWriter &writer, StoreTileOp op);

} // namespace fsm

#endif // FSM_TRANSFORMS_EXPAND_BLOCKWRITER_H
