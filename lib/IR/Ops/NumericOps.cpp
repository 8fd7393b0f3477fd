//===- NumericOps.cpp - Exact and random numbers -------------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/IR/FSMDialect.h"
#include "fsm/IR/Origins.h"

using namespace mlir;
using namespace fsm;

Type DivRNOp::narrowDividend() {
  auto wide = getLeft().getDefiningOp<arith::ExtFOp>();
  if (!wide || !elementTypeOf(wide.getType()).isF32() || !getRight().getDefiningOp<SplatOp>())
    return {};
  Type narrow = elementTypeOf(wide.getIn().getType());
  return narrow.isF16() || narrow.isBF16() ? narrow : Type();
}

LogicalResult ConvertOp::verify() {
  Type source = getSource().getType(), result = getType();
  if (elementTypeOf(source) == elementTypeOf(result))
    return failWithOrigins(emitOpError()
                               << "expected source and result of different element types, got "
                               << source << " and " << result,
                           {{"the source", getSource()}});
  return success();
}
