//===- AxisInfoArith.cpp - Axis info of element-wise ops -----------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The rules are stated in AxisInfo.h. Each function here is one of them, for one
// dimension of the operands `x` and `y`.
//
//===----------------------------------------------------------------------===//

#include "AxisInfoRules.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace fsm;
using namespace fsm::axis;

namespace {
/// A binary op on integers.
struct Binary {
  Operation *op;
  const AxisInfo &left, &right;
  /// Of the operands' elements.
  unsigned width;

  /// Whether a result may leave the numbers of its width, where that can be seen:
  /// in 64 bits consecutive numbers are modulo 2^64.
  bool mayWrap() const { return width < 64 && !keepsSign(); }
  bool keepsSign() const {
    auto flags = dyn_cast<arith::ArithIntegerOverflowFlagsInterface>(op);
    return flags && flags.hasNoSignedWrap();
  }
  std::optional<APInt> rightConstant() const {
    return right.constant ? std::optional(bitsOf(*right.constant, width)) : std::nullopt;
  }
};
} // namespace

static int64_t equalGroup(AxisGroups x, AxisGroups y) { return std::min(x.constancy, y.constancy); }

/// A group in which x runs from a multiple of the group and y is one multiple of it.
static int64_t runningGroup(AxisGroups x, AxisGroups y) {
  return std::min({x.aligned(), y.constancy, y.start(1)});
}

/// A result that is consecutive in groups of `group`, whose first elements are
/// made of the operands' by an op that keeps common divisors.
static AxisGroups consecutive(AxisGroups x, AxisGroups y, int64_t group) {
  return {group, std::min(x.start(group), y.start(group)), equalGroup(x, y)};
}

/// Cuts the groups that may run over the end of the numbers of `width` bits.
static AxisGroups withoutWrap(AxisGroups axis, unsigned width) {
  int64_t half = width < 32 ? int64_t(1) << (width - 1) : AxisInfo::kMaxDivisor;
  int64_t group = std::min(axis.aligned(), half);
  return {group, axis.start(group), axis.constancy};
}

//===----------------------------------------------------------------------===//
// One dimension
//===----------------------------------------------------------------------===//

static AxisGroups ofSum(const Binary &sum, AxisGroups x, AxisGroups y) {
  int64_t group =
      std::max(std::min(x.contiguity, y.constancy), std::min(x.constancy, y.contiguity));
  AxisGroups result = consecutive(x, y, group);
  return sum.mayWrap() ? withoutWrap(result, sum.width) : result;
}

static AxisGroups ofDifference(const Binary &difference, AxisGroups x, AxisGroups y) {
  AxisGroups result = consecutive(x, y, std::min(x.contiguity, y.constancy));
  if (difference.mayWrap())
    result = withoutWrap(result, difference.width);
  int64_t parallel = std::min(x.contiguity, y.contiguity);
  if (parallel <= result.constancy)
    return result;
  return {1, std::min(x.start(parallel), y.start(parallel)), parallel};
}

static AxisGroups ofProduct(AxisGroups x, AxisGroups y) {
  return {1, std::min(x.start(1) * y.start(1), AxisInfo::kMaxDivisor), equalGroup(x, y)};
}

/// `divisor` is the number divided by, where it is known to be a power of two.
static AxisGroups ofQuotient(AxisGroups x, AxisGroups y, bool roundsDown, int64_t divisor) {
  int64_t group = roundsDown ? runningGroup(x, y) : 1;
  int64_t left = divisor ? std::max<int64_t>(1, x.start(group) / divisor) : 1;
  // Where not all of x is a multiple, rounding up or toward zero gives any number.
  if (!roundsDown && x.start(1) < divisor)
    left = 1;
  return {1, left, std::max(equalGroup(x, y), group)};
}

static AxisGroups ofRemainder(AxisGroups x, AxisGroups y, bool runs) {
  return consecutive(x, y, runs ? runningGroup(x, y) : 1);
}

/// The low zeros and the low ones of a number, as sizes of groups.
static int64_t zerosOf(const std::optional<APInt> &number, AxisGroups y) {
  return number ? int64_t(1) << std::min(number->countr_zero(), 30u) : y.start(1);
}
static int64_t onesOf(const std::optional<APInt> &number) {
  return number ? int64_t(1) << std::min(number->countr_one(), 30u) : 1;
}

static AxisGroups ofAnd(const Binary &op, AxisGroups x, AxisGroups y) {
  int64_t base = std::min(x.aligned(), y.constancy);
  std::optional<APInt> mask = op.rightConstant();
  int64_t running = std::min(base, onesOf(mask));
  if (running > 1)
    return withoutWrap({running, x.start(running), equalGroup(x, y)}, op.width);
  int64_t equal = std::min(base, zerosOf(mask, y));
  // Of truths.
  int64_t ending = op.width == 1 ? std::min(x.endingGroup(), y.endingGroup()) : 1;
  return {1, std::max(x.start(equal), y.start(1)), std::max(equal, equalGroup(x, y)), ending};
}

static AxisGroups ofOr(const Binary &op, AxisGroups x, AxisGroups y) {
  int64_t base = std::min(x.aligned(), y.constancy);
  std::optional<APInt> mask = op.rightConstant();
  int64_t running = std::min(base, zerosOf(mask, y));
  if (running > 1)
    return withoutWrap(consecutive(x, y, running), op.width);
  int64_t equal = std::min(base, onesOf(mask));
  return {1, std::min(x.start(1), y.start(1)), std::max(equal, equalGroup(x, y))};
}

static AxisGroups ofXor(const Binary &op, AxisGroups x, AxisGroups y) {
  return withoutWrap(consecutive(x, y, runningGroup(x, y)), op.width);
}

/// Two groups that start at multiples of their size are in order as wholes or
/// start at the same number.
static AxisGroups ofExtremum(AxisGroups x, AxisGroups y) {
  return consecutive(x, y, std::min(x.aligned(), y.aligned()));
}

static AxisGroups ofComparison(arith::CmpIPredicate predicate, AxisGroups x, AxisGroups y) {
  using Predicate = arith::CmpIPredicate;
  int64_t group = std::max(equalGroup(x, y), std::min(x.aligned(), y.aligned()));
  if (predicate == Predicate::eq || predicate == Predicate::ne)
    return {1, 1, group};
  // No element of an aligned group passes a bound that is the same for all, and below which the
  // group begins.
  bool isRightTheBound = llvm::is_contained(
      {Predicate::slt, Predicate::ult, Predicate::sge, Predicate::uge}, predicate);
  bool isBelow = llvm::is_contained(
      {Predicate::slt, Predicate::ult, Predicate::sle, Predicate::ule}, predicate);
  // What runs towards a bound from below passes it once.
  const AxisGroups &running = isBelow ? x : y, &bound = isBelow ? y : x;
  return {1, 1, std::max(group, isRightTheBound ? runningGroup(x, y) : runningGroup(y, x)),
          std::min(running.aligned(), bound.constancy)};
}

//===----------------------------------------------------------------------===//
// Binary ops
//===----------------------------------------------------------------------===//

/// The power of two divided by, or 0.
static int64_t divisorOf(const Binary &op, bool isSigned) {
  std::optional<APInt> number = op.rightConstant();
  if (!number || !number->isPowerOf2() || (isSigned && number->isNegative()))
    return 0;
  return number->countr_zero() <= 30 ? int64_t(1) << number->countr_zero() : 0;
}

static AxisGroups ofDivision(const Binary &op, AxisGroups x, AxisGroups y) {
  bool isPositive = op.right.isNonNegative;
  return llvm::TypeSwitch<Operation *, AxisGroups>(op.op)
      .Case([&](arith::DivUIOp) { return ofQuotient(x, y, true, divisorOf(op, false)); })
      .Case([&](arith::CeilDivUIOp) { return ofQuotient(x, y, false, divisorOf(op, false)); })
      .Case([&](arith::FloorDivSIOp) { return ofQuotient(x, y, isPositive, divisorOf(op, true)); })
      .Case([&](arith::CeilDivSIOp) { return ofQuotient(x, y, false, divisorOf(op, true)); })
      .Case([&](arith::DivSIOp) {
        // By a negative number it is the same with the other sign.
        return ofQuotient(x, y, op.left.isNonNegative, divisorOf(op, true));
      })
      .Case([&](arith::RemUIOp) { return ofRemainder(x, y, true); })
      .Case([&](arith::RemSIOp) { return ofRemainder(x, y, op.left.isNonNegative); })
      .Default([](Operation *) { return AxisGroups(); });
}

/// A shift by a known amount is a product or a quotient by a power of two.
static AxisGroups ofShift(const Binary &op, AxisGroups x, AxisGroups y) {
  std::optional<APInt> amount = op.rightConstant();
  bool isKnown = amount && amount->ult(op.width);
  if (isa<arith::ShLIOp>(op.op)) {
    unsigned bits = isKnown ? std::min<uint64_t>(amount->getZExtValue(), 30) : 0;
    return {1, std::min(x.start(1) << bits, AxisInfo::kMaxDivisor), equalGroup(x, y)};
  }
  if (!isKnown || amount->ugt(30))
    return {1, 1, equalGroup(x, y)};
  int64_t divisor = int64_t(1) << amount->getZExtValue();
  return ofQuotient(x, AxisGroups{1, divisor, y.constancy}, true, divisor);
}

static std::optional<AxisGroups> ofBinary(const Binary &op, AxisGroups x, AxisGroups y) {
  return llvm::TypeSwitch<Operation *, std::optional<AxisGroups>>(op.op)
      .Case([&](arith::AddIOp) { return ofSum(op, x, y); })
      .Case([&](arith::SubIOp) { return ofDifference(op, x, y); })
      .Case([&](arith::MulIOp) { return ofProduct(x, y); })
      .Case<arith::DivUIOp, arith::DivSIOp, arith::CeilDivUIOp, arith::CeilDivSIOp,
            arith::FloorDivSIOp, arith::RemUIOp, arith::RemSIOp>(
          [&](Operation *) { return ofDivision(op, x, y); })
      .Case<arith::ShLIOp, arith::ShRUIOp, arith::ShRSIOp>(
          [&](Operation *) { return ofShift(op, x, y); })
      .Case([&](arith::AndIOp) { return ofAnd(op, x, y); })
      .Case([&](arith::OrIOp) { return ofOr(op, x, y); })
      .Case([&](arith::XOrIOp) { return ofXor(op, x, y); })
      .Case<arith::MaxSIOp, arith::MinSIOp, arith::MaxUIOp, arith::MinUIOp>(
          [&](Operation *) { return ofExtremum(x, y); })
      .Case([&](arith::CmpIOp compare) { return ofComparison(compare.getPredicate(), x, y); })
      .Default([](Operation *) { return std::nullopt; });
}

/// Whether no result is negative.
static bool isNonNegative(const Binary &op) {
  bool x = op.left.isNonNegative, y = op.right.isNonNegative;
  std::optional<APInt> number = op.rightConstant();
  return llvm::TypeSwitch<Operation *, bool>(op.op)
      .Case<arith::AddIOp, arith::MulIOp>([&](Operation *) { return x && y && op.keepsSign(); })
      .Case([&](arith::ShLIOp) { return x && op.keepsSign(); })
      .Case<arith::DivSIOp, arith::FloorDivSIOp, arith::CeilDivSIOp>(
          [&](Operation *) { return x && y; })
      .Case<arith::DivUIOp, arith::CeilDivUIOp>([&](Operation *) { return x; })
      .Case([&](arith::RemSIOp) { return x; })
      .Case<arith::RemUIOp, arith::AndIOp, arith::MaxSIOp, arith::MinUIOp>(
          [&](Operation *) { return x || y; })
      .Case<arith::OrIOp, arith::XOrIOp, arith::MinSIOp, arith::MaxUIOp>(
          [&](Operation *) { return x && y; })
      .Case([&](arith::ShRSIOp) { return x; })
      .Case([&](arith::ShRUIOp) { return x || (number && !number->isZero()); })
      .Default([](Operation *) { return false; });
}

/// Whether `y`, on the right, makes the op give its left operand.
static bool isNeutral(Operation *op, const APInt &y) {
  // The only number of i1 but 0 is both 1 and -1.
  if (y.getBitWidth() == 1 && !isa<arith::AndIOp, arith::OrIOp, arith::XOrIOp>(op))
    return false;
  if (isa<arith::MulIOp, arith::DivUIOp, arith::DivSIOp, arith::FloorDivSIOp, arith::CeilDivSIOp,
          arith::CeilDivUIOp>(op))
    return y.isOne();
  if (isa<arith::AndIOp>(op))
    return y.isAllOnes();
  return isa<arith::AddIOp, arith::SubIOp, arith::OrIOp, arith::XOrIOp, arith::ShLIOp,
             arith::ShRUIOp, arith::ShRSIOp>(op) &&
         y.isZero();
}

std::optional<APInt> axis::evaluate(Operation *op, const APInt &x, const APInt &y) {
  using Result = std::optional<APInt>;
  bool isDivisor = !y.isZero();
  bool isSignedDivisor = isDivisor && !(x.isMinSignedValue() && y.isAllOnes());
  bool isAmount = y.ult(x.getBitWidth());
  auto when = [](bool known, auto compute) { return known ? Result(compute()) : Result(); };
  return llvm::TypeSwitch<Operation *, Result>(op)
      .Case([&](arith::AddIOp) { return x + y; })
      .Case([&](arith::SubIOp) { return x - y; })
      .Case([&](arith::MulIOp) { return x * y; })
      .Case([&](arith::AndIOp) { return x & y; })
      .Case([&](arith::OrIOp) { return x | y; })
      .Case([&](arith::XOrIOp) { return x ^ y; })
      .Case([&](arith::DivUIOp) { return when(isDivisor, [&] { return x.udiv(y); }); })
      .Case([&](arith::RemUIOp) { return when(isDivisor, [&] { return x.urem(y); }); })
      .Case([&](arith::DivSIOp) { return when(isSignedDivisor, [&] { return x.sdiv(y); }); })
      .Case([&](arith::RemSIOp) { return when(isSignedDivisor, [&] { return x.srem(y); }); })
      .Case([&](arith::ShLIOp) { return when(isAmount, [&] { return x.shl(y); }); })
      .Case([&](arith::ShRUIOp) { return when(isAmount, [&] { return x.lshr(y); }); })
      .Case([&](arith::ShRSIOp) { return when(isAmount, [&] { return x.ashr(y); }); })
      .Case([&](arith::MaxSIOp) { return x.sgt(y) ? x : y; })
      .Case([&](arith::MinSIOp) { return x.slt(y) ? x : y; })
      .Case([&](arith::MaxUIOp) { return x.ugt(y) ? x : y; })
      .Case([&](arith::MinUIOp) { return x.ult(y) ? x : y; })
      .Case([&](arith::CmpIOp compare) {
        return APInt(1, arith::applyCmpPredicate(compare.getPredicate(), x, y));
      })
      .Default([](Operation *) { return Result(); });
}

static std::optional<AxisInfo> inferBinary(Operation *op, const AxisInfo &left,
                                           const AxisInfo &right) {
  Type type = op->getResult(0).getType();
  unsigned width = widthOf(op->getOperand(0).getType());
  Binary binary{op, left, right, width};
  if (std::optional<APInt> y = binary.rightConstant()) {
    if (isNeutral(op, *y))
      return left;
    if (left.constant)
      if (std::optional<APInt> number = evaluate(op, bitsOf(*left.constant, width), *y))
        return AxisInfo::ofConstant(type, numberOf(*number));
  }
  AxisInfo result;
  for (auto [x, y] : llvm::zip_equal(left.dims, right.dims)) {
    std::optional<AxisGroups> axis = ofBinary(binary, x, y);
    if (!axis)
      return std::nullopt;
    result.dims.push_back(*axis);
  }
  result.isNonNegative = isNonNegative(binary);
  return result;
}

//===----------------------------------------------------------------------===//
// Conversions and select
//===----------------------------------------------------------------------===//

static AxisInfo ofConversion(Operation *op, const AxisInfo &source) {
  Type type = op->getResult(0).getType();
  unsigned from = widthOf(op->getOperand(0).getType()), to = widthOf(type);
  if (source.constant) {
    APInt bits = bitsOf(*source.constant, from);
    bits = isa<arith::ExtUIOp>(op) ? bits.zext(to) : bits.sextOrTrunc(to);
    return AxisInfo::ofConstant(type, numberOf(bits));
  }
  auto truncation = dyn_cast<arith::TruncIOp>(op);
  bool keepsNumber = isa<arith::ExtSIOp>(op) || (isa<arith::ExtUIOp>(op) && source.isNonNegative) ||
                     (truncation && truncation.hasNoSignedWrap());
  AxisInfo result;
  for (const AxisGroups &axis : source.dims)
    result.dims.push_back(keepsNumber ? axis : withoutWrap(axis, std::min(from, to)));
  result.isNonNegative = isa<arith::ExtUIOp>(op) || (keepsNumber && source.isNonNegative);
  return result;
}

static AxisInfo ofSelect(arith::SelectOp select, const AxisInfo &condition, const AxisInfo &yes,
                         const AxisInfo &no) {
  if (condition.constant)
    return *condition.constant ? yes : no;
  AxisInfo result = AxisInfo::join(yes, no);
  if (result.constant || !isa<RankedTensorType>(select.getCondition().getType()))
    return result;
  for (auto [axis, one] : llvm::zip_equal(result.dims, condition.dims)) {
    int64_t group = std::min(axis.contiguity, one.constancy);
    axis = {group, axis.start(group), std::min(axis.constancy, one.constancy)};
  }
  return result;
}

/// Equal operands give equal results.
static std::optional<AxisInfo> ofEqualOperands(Operation *op, ArrayRef<const AxisInfo *> operands) {
  Type type = op->getResult(0).getType();
  if (!OpTrait::hasElementwiseMappableTraits(op) || operands.empty())
    return std::nullopt;
  AxisInfo result = AxisInfo::pessimistic(type);
  for (unsigned dim = 0; dim < result.rank(); ++dim) {
    int64_t group = wholeGroup(axisExtents(type)[dim]);
    for (const AxisInfo *operand : operands)
      if (operand->rank() == result.rank())
        group = std::min(group, operand->dims[dim].constancy);
    result.dims[dim].constancy = group;
  }
  return result;
}

std::optional<AxisInfo> axis::inferArithmetic(Operation *op, ArrayRef<const AxisInfo *> operands) {
  if (!isa_and_present<arith::ArithDialect, math::MathDialect>(op->getDialect()))
    return std::nullopt;
  if (auto select = dyn_cast<arith::SelectOp>(op))
    return ofSelect(select, *operands[0], *operands[1], *operands[2]);
  if (isa<arith::ExtSIOp, arith::ExtUIOp, arith::TruncIOp>(op))
    return ofConversion(op, *operands[0]);
  if (operands.size() == 2 && widthOf(op->getOperand(0).getType()) != 0) {
    std::optional<AxisInfo> result = inferBinary(op, *operands[0], *operands[1]);
    if (!result)
      return ofEqualOperands(op, operands);
    // The rules look for the constant, or else the equal operand, on the right.
    if (op->hasTrait<OpTrait::IsCommutative>())
      return meet(*result, *inferBinary(op, *operands[1], *operands[0]));
    return result;
  }
  return ofEqualOperands(op, operands);
}
