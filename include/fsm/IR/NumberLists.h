//===- NumberLists.h - Lists of numbers and operands -----------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_IR_NUMBERLISTS_H
#define FSM_IR_NUMBERLISTS_H

#include "mlir/IR/ValueRange.h"

namespace fsm {

/// An element of a list such as `[%row, 0]`: the operand, or a number where that is null.
struct ListedNumber {
  int64_t number;
  mlir::Value operand;
};

/// A list, of whose numbers those that stand for operands are dynamic extents.
llvm::SmallVector<ListedNumber> numbersOf(llvm::ArrayRef<int64_t> numbers,
                                          mlir::ValueRange operands);

} // namespace fsm

#endif // FSM_IR_NUMBERLISTS_H
