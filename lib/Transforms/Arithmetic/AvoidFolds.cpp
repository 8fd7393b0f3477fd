//===- AvoidFolds.cpp - What upstream would fold wrongly -----------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Transforms/Passes.h"

#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Builders.h"

namespace fsm {
#define GEN_PASS_DEF_AVOIDFOLDSPASS
#include "fsm/Transforms/Passes.h.inc"
} // namespace fsm

using namespace mlir;
using namespace fsm;

/// Upstream folds the angle of two zeros to NaN as soon as both are constants. IEEE 754 has a
/// number for it: that of the same zero above 1 or -1, which is what takes its place, before
/// anything can be folded.
static void moveOffOrigin(math::Atan2Op op) {
  OpBuilder builder(op);
  Location loc = op.getLoc();
  Value y = op.getLhs(), x = op.getRhs();
  auto number = [&](int64_t value) {
    llvm::APFloat real(cast<FloatType>(elementTypeOf(x.getType())).getFloatSemantics(), value);
    return createScalarOrSplatConstant(builder, loc, x.getType(), real);
  };
  Value zero = number(0), one = number(1);
  Value isOnAxis = arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OEQ, y, zero);
  Value isZero = arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OEQ, x, zero);
  Value isOrigin = arith::AndIOp::create(builder, loc, isOnAxis, isZero);
  Value side = math::CopySignOp::create(builder, loc, one, x);
  op.getRhsMutable().assign(arith::SelectOp::create(builder, loc, isOrigin, side, x));
}

namespace {
struct AvoidFolds : fsm::impl::AvoidFoldsPassBase<AvoidFolds> {
  void runOnOperation() override {
    getOperation().walk([&](math::Atan2Op op) {
      moveOffOrigin(op);
      ++avoided;
    });
  }
};
} // namespace
