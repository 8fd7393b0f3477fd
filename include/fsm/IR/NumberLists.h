//===- NumberLists.h - Lists of numbers and operands -----------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_IR_NUMBERLISTS_H
#define FSM_IR_NUMBERLISTS_H

#include "mlir/IR/Operation.h"

namespace fsm {

/// An element of a list such as `[%row, 0]`: the operand, or a number where that is null.
struct ListedNumber {
  int64_t number;
  mlir::Value operand;
};

/// A list, of whose numbers those that stand for operands are dynamic extents.
llvm::SmallVector<ListedNumber> numbersOf(llvm::ArrayRef<int64_t> numbers,
                                          mlir::ValueRange operands);

/// Whether a list has so many entries, as many operands as it says, and numbers that fit an i32. An
/// error of the op names them as `what`, and what they are for as `whose`.
llvm::LogicalResult verifyNumbers(mlir::Operation *op, llvm::StringRef what, size_t count,
                                  mlir::Type whose, llvm::ArrayRef<int64_t> numbers,
                                  mlir::ValueRange operands);

} // namespace fsm

#endif // FSM_IR_NUMBERLISTS_H
