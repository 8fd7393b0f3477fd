//===- DivideOnce.cpp - Quotients by what a loop does not change ----------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// With r = floor((2^32 - 1) / d), the upper word of n r is n / d or one less: for n below 2^32,
// n / d - n r / 2^32 < n (d + 1) / (d 2^32), which is less than 1 for d > 1, and n / 2^32 for d = 1
// but for one part. What is left over says which it is (T. Granlund, P. L. Montgomery, "Division by
// invariant integers using multiplication", 1994).
//
//===----------------------------------------------------------------------===//

#include "fsm/Transforms/Passes.h"

#include "fsm/Analysis/Loops.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

namespace fsm {
#define GEN_PASS_DEF_DIVIDEONCEPASS
#include "fsm/Transforms/Passes.h.inc"
} // namespace fsm

using namespace mlir;
using namespace fsm;

namespace {
/// Arithmetic of words.
struct Words {
  Words(OpBuilder &builder, Location loc) : builder(builder), loc(loc) {}

  Value number(int64_t value) {
    return arith::ConstantOp::create(builder, loc,
                                     builder.getI32IntegerAttr(static_cast<int32_t>(value)));
  }
  Value sub(Value left, Value right) { return arith::SubIOp::create(builder, loc, left, right); }
  Value isNegative(Value word) {
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt, word, number(0));
  }
  Value negatedIf(Value condition, Value word) {
    return arith::SelectOp::create(builder, loc, condition, sub(number(0), word), word);
  }
  /// As an unsigned number, that of the smallest one too.
  Value magnitude(Value word) { return negatedIf(isNegative(word), word); }
  /// Of the product of unsigned words.
  Value upperWord(Value left, Value right) {
    Type wide = builder.getI64Type();
    Value product =
        arith::MulIOp::create(builder, loc, arith::ExtUIOp::create(builder, loc, wide, left),
                              arith::ExtUIOp::create(builder, loc, wide, right));
    Value width = arith::ConstantOp::create(builder, loc, builder.getI64IntegerAttr(32));
    Value upper = arith::ShRUIOp::create(builder, loc, product, width);
    return arith::TruncIOp::create(builder, loc, builder.getI32Type(), upper);
  }

  OpBuilder &builder;
  Location loc;
};

/// A divisor's magnitude, or 1 instead of 0, by which any quotient is unspecified, and its
/// reciprocal.
struct Divisor {
  Value magnitude, reciprocal;
};

struct DivideOnce : fsm::impl::DivideOncePassBase<DivideOnce> {
  void runOnOperation() override {
    SmallVector<std::pair<Operation *, Operation *>> found;
    getOperation().walk([&](Operation *op) {
      if (Operation *loop = loopOf(op))
        found.push_back({op, loop});
    });
    for (auto [op, loop] : found)
      replace(op, loop);
    replaced += found.size();
  }

private:
  static bool isSigned(Operation *op) { return isa<arith::DivSIOp, arith::RemSIOp>(op); }
  static bool isRemainder(Operation *op) { return isa<arith::RemSIOp, arith::RemUIOp>(op); }

  /// The outermost loop that changes the dividend and not the divisor; null where there is none, or
  /// where the code generator knows the divisor.
  static Operation *loopOf(Operation *op) {
    if (!isa<arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp>(op) ||
        !op->getResult(0).getType().isInteger(32) || matchPattern(op->getOperand(1), m_Constant()))
      return nullptr;
    auto changes = [](Operation *loop, Value value) {
      return loop->isAncestor(value.getParentBlock()->getParentOp());
    };
    SmallVector<Operation *> loops = loopsAround(op);
    auto found = llvm::find_if(loops, [&](Operation *loop) {
      return !changes(loop, op->getOperand(1)) && changes(loop, op->getOperand(0));
    });
    return found == loops.end() ? nullptr : *found;
  }

  Divisor divisorOf(Operation *op, Operation *loop) {
    Value divisor = op->getOperand(1);
    Divisor &known = divisors[isSigned(op)][{divisor, loop}];
    if (known.reciprocal)
      return known;
    OpBuilder builder(loop);
    Words words(builder, op->getLoc());
    Value magnitude = isSigned(op) ? words.magnitude(divisor) : divisor;
    known.magnitude = arith::MaxUIOp::create(builder, words.loc, magnitude, words.number(1));
    known.reciprocal =
        arith::DivUIOp::create(builder, words.loc, words.number(-1), known.magnitude);
    return known;
  }

  void replace(Operation *op, Operation *loop) {
    Divisor divisor = divisorOf(op, loop);
    OpBuilder builder(op);
    Words words(builder, op->getLoc());
    Location loc = words.loc;
    Value dividend = op->getOperand(0);
    Value magnitude = isSigned(op) ? words.magnitude(dividend) : dividend;
    Value low = words.upperWord(magnitude, divisor.reciprocal);
    Value product = arith::MulIOp::create(builder, loc, low, divisor.magnitude);
    Value rest = words.sub(magnitude, product);
    Value isMore =
        arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::uge, rest, divisor.magnitude);
    Value less = isRemainder(op)
                     ? words.sub(rest, divisor.magnitude)
                     : arith::AddIOp::create(builder, loc, low, words.number(1)).getResult();
    Value result =
        arith::SelectOp::create(builder, loc, isMore, less, isRemainder(op) ? rest : low);
    if (isSigned(op)) {
      Value signs =
          isRemainder(op)
              ? dividend
              : arith::XOrIOp::create(builder, loc, dividend, op->getOperand(1)).getResult();
      result = words.negatedIf(words.isNegative(signs), result);
    }
    op->getResult(0).replaceAllUsesWith(result);
    op->erase();
  }

  /// By divisor and loop; of unsigned quotients, of signed ones.
  llvm::DenseMap<std::pair<Value, Operation *>, Divisor> divisors[2];
};
} // namespace
