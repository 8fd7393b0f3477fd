//===- Rematerialization.cpp - What upstream ops cost to compute again ---===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Rematerialization.h"

#include "fsm/IR/FSMDialect.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/UB/IR/UBOps.h"

using namespace mlir;
using namespace fsm;

static unsigned costOf(Operation *op) {
  if (isa<arith::ConstantOp>(op))
    return 0;
  if (isa<arith::RemFOp, arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp,
          arith::CeilDivSIOp, arith::CeilDivUIOp, arith::FloorDivSIOp>(op))
    return kHeavyElement;
  if (isa<math::AbsFOp, math::AbsIOp, math::CeilOp, math::FloorOp, math::TruncOp, math::RoundEvenOp,
          math::CopySignOp, math::FmaOp>(op))
    return 1;
  if (isa_and_present<math::MathDialect>(op->getDialect()))
    return kHeavyElement;
  return isa<arith::DivFOp>(op) ? 4 : 1;
}

namespace {
/// A block that is made of nothing is cheap; so are integers, which are indices and conditions,
/// where those are that they are made of.
template <typename Op>
struct UpstreamModel : Rematerializable::ExternalModel<UpstreamModel<Op>, Op> {
  bool isCheap(Operation *op, function_ref<bool(Value)> isCheapOperand) const {
    return op->getNumOperands() == 0 || (elementTypeOf(op->getResult(0).getType()).isInteger() &&
                                         areCheap(op->getOperands(), isCheapOperand));
  }
  unsigned elementCost(Operation *op) const { return costOf(op); }
};
} // namespace

template <typename... Ops>
static void attach(MLIRContext &context) {
  (Ops::template attachInterface<UpstreamModel<Ops>>(context), ...);
}

void fsm::attachRematerialization(MLIRContext &context) {
  attach<
#define GET_OP_LIST
#include "mlir/Dialect/Arith/IR/ArithOps.cpp.inc"
      >(context);
  attach<
#define GET_OP_LIST
#include "mlir/Dialect/Math/IR/MathOps.cpp.inc"
      >(context);
  attach<ub::PoisonOp>(context);
}
