//===- FloatFunctions.cpp - Parts, remainders and lengths of floats -------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Libdevice.h"

#include "mlir/IR/Matchers.h"

#include <limits>

using namespace mlir;
using namespace fsm;

//===----------------------------------------------------------------------===//
// Bits of floats
//===----------------------------------------------------------------------===//

namespace {
/// A format of floats.
struct Format {
  explicit Format(const Term &x) : isDouble(x.bits() == 64) {}

  bool isDouble;
  int fraction() const { return isDouble ? 52 : 23; }
  int bias() const { return isDouble ? 1023 : 127; }
  double leastNormal() const {
    return isDouble ? std::numeric_limits<double>::min() : std::numeric_limits<float>::min();
  }
};
} // namespace

static Term number(const Term &truth) { return apply("arith.extui", {truth}, truth.integers(32)); }

static Term writeIsNan(ArrayRef<Term> x) { return number(x[0] != x[0]); }
static Term writeIsInfinite(ArrayRef<Term> x) { return number(abs(x[0]) == infinity); }
static Term writeIsFinite(ArrayRef<Term> x) { return number(abs(x[0]) < infinity); }

static Term writeSignBit(ArrayRef<Term> x) {
  return toInteger(asInteger(x[0]) >> int64_t(x[0].bits() - 1), 32);
}

Term fsm::nextAfter(const Term &x, const Term &y) {
  Term bits = asInteger(x), isOutwards = (y > x) == (x > 0);
  Term moved = asFloat(select(isOutwards, bits + 1, bits - 1));
  Term least = asFloat(bits.like(1));
  Term result = select(x == 0, copysign(least, y), moved);
  result = select(x == y, y, result);
  return select((x != x) | (y != y), x + y, result);
}

/// e of |x| = 1.f * 2^e, where x is no zero, infinity or NaN.
static Term exponent(const Term &x) {
  Format format(x);
  int steps = format.fraction() + 1;
  Term size = abs(x), isSmall = size < format.leastNormal();
  Term normal = select(isSmall, size * (format.isDouble ? 0x1p53 : 0x1p24), size);
  Term field = toInteger(asInteger(normal) >> format.fraction(), 32);
  return field - select(isSmall, field.like(format.bias() + steps), format.bias());
}

static Term writeExponent(ArrayRef<Term> operands) {
  const Term &x = operands[0];
  Term result = select(abs(x) < infinity, toFloat(exponent(x), x.bits()), x * x);
  return select(x == 0, -infinity, result);
}

static Term writeWholeExponent(ArrayRef<Term> operands) {
  constexpr int64_t least = std::numeric_limits<int32_t>::min();
  const Term &x = operands[0];
  Term size = abs(x), result = exponent(x);
  result = select(size == infinity, ~least, result);
  return select((x == 0) | (x != x), least, result);
}

/// x 2^n, rounded once.
static Term writeScaled(ArrayRef<Term> operands) {
  const Term &x = operands[0], &n = operands[1];
  // Steps that leave normal numbers normal.
  auto least = [](const Term &a, const Term &b) { return apply("arith.minsi", {a, b}); };
  auto most = [](const Term &a, const Term &b) { return apply("arith.maxsi", {a, b}); };
  Term value = toFloat(x, 64), left = n;
  for (int step = 0; step < 2; ++step) {
    Term isBig = left > 1023, isSmall = left < -1022;
    value = value * select(isBig, 0x1p1023, select(isSmall, value.like(0x1p-969), 1.0));
    left = left - select(isBig, left.like(1023), select(isSmall, left.like(-969), 0));
  }
  left = most(least(left, 1023), -1022);
  Term power = asFloat((toInteger(left, 64) + 1023) << 52);
  return toFloat(value * power, x.bits());
}

//===----------------------------------------------------------------------===//
// Remainders, lengths
//===----------------------------------------------------------------------===//

/// x - n y, where n is the integer nearest to x / y, of two the even one. Exact.
static Term writeRemainder(ArrayRef<Term> operands) {
  const Term &x = operands[0];
  Term y = abs(operands[1]), isTiny = y < 4 * Format(x).leastNormal();
  Term rest = abs(apply("arith.remf", {x, y + y}));
  auto isBeyond = [&](bool orHalf) {
    Term twice = rest + rest, half = y * 0.5;
    return orHalf ? select(isTiny, twice >= y, rest >= half)
                  : select(isTiny, twice > y, rest > half);
  };
  Term isAbove = isBeyond(false);
  rest = select(isAbove, rest - y, rest);
  rest = select(isAbove & isBeyond(true), rest - y, rest);
  rest = select(asInteger(x) < 0, -rest, rest);
  Term isNone = (abs(x) == infinity) | (y == 0) | (x != x) | (y != y);
  return select(isNone, std::numeric_limits<double>::quiet_NaN(), rest);
}

static Term writePositiveDifference(ArrayRef<Term> x) {
  return select(x[0] <= x[1], 0, x[0] - x[1]);
}

/// Of a vector. Its parts are scaled by a power of two, so that squares of the largest are about 1.
static Term length(ArrayRef<Term> parts) {
  Term most = abs(parts[0]);
  for (const Term &part : parts.drop_front())
    most = apply("arith.maximumf", {most, abs(part)});
  Term isScaled = (most > 0) & (most < infinity);
  Term size = exponent(select(isScaled, most, 1.0));
  size = apply("arith.maxsi", {apply("arith.minsi", {size, 1022}), -1022});
  Term by = asFloat(toInteger(1023 - size, 64) << 52), sum = most.like(0);
  for (const Term &part : parts)
    sum = fma(part * by, part * by, sum);
  Term result = select(isScaled, sqrt(sum) / by, most);
  for (const Term &part : parts)
    result = select(abs(part) == infinity, infinity, result);
  return result;
}

static Term writeLength(ArrayRef<Term> x) { return length(x); }
static Term writeInverseLength(ArrayRef<Term> x) { return 1 / length(x); }

//===----------------------------------------------------------------------===//
// Others
//===----------------------------------------------------------------------===//

static Term writeNextAfter(ArrayRef<Term> x) { return nextAfter(x[0], x[1]); }
static Term writeInverseCubeRoot(ArrayRef<Term> x) { return 1 / apply("math.cbrt", {x[0]}); }
static Term writeInverseSquareRoot(ArrayRef<Term> x) { return 1 / sqrt(x[0]); }
/// The products of squares that libdevice makes.
static Term productOfSquares(const Term &x, int64_t power) {
  std::optional<Term> product;
  Term square = x;
  for (int64_t left = std::abs(power); left; left >>= 1) {
    if (left & 1)
      product = product ? *product * square : square;
    if (left > 1)
      square = square * square;
  }
  Term result = product.value_or(x.like(1));
  if (power >= 0)
    return result;
  return 1 / result;
}

/// By a small number that is known a few products, else in f64, in which any i32 is exact: whether
/// it is odd counts.
static Term writeWholePower(ArrayRef<Term> x) {
  constexpr unsigned most = 16;
  APInt known;
  if (matchPattern(x[1].get(), m_ConstantInt(&known)) && known.abs().ule(most))
    return productOfSquares(x[0], known.getSExtValue());
  Term power = apply("math.powf", {toFloat(x[0], 64), toFloat(x[1], 64)});
  return toFloat(power, x[0].bits());
}
static Term writeRounded(ArrayRef<Term> x) { return rint(x[0]); }
static Term writeRoundedToInteger(ArrayRef<Term> x) { return toInteger(rint(x[0]), 64); }
static Term writeAwayToInteger(ArrayRef<Term> x) {
  return toInteger(apply("math.round", {x[0]}), 64);
}
/// Between 0, which is also what NaN becomes, and 1.
static Term writeSaturated(ArrayRef<Term> x) {
  return apply("arith.minnumf", {apply("arith.maxnumf", {x[0], 0}), 1});
}

ArrayRef<LibraryFunction> fsm::floatFunctions() {
  static const LibraryFunction functions[] = {
      {"fdim", "xxx", writePositiveDifference},
      {"finitef", "if", writeIsFinite},
      {"frsqrt_rn", "ff", writeInverseSquareRoot, true},
      {"hypot", "xxx", writeLength, true},
      {"ilogb", "ix", writeWholeExponent},
      {"isfinited", "id", writeIsFinite},
      {"isinfd", "id", writeIsInfinite},
      {"isinff", "if", writeIsInfinite},
      {"isnand", "id", writeIsNan},
      {"isnanf", "if", writeIsNan},
      {"ldexp", "xxi", writeScaled},
      {"llrint", "lx", writeRoundedToInteger},
      {"llround", "lx", writeAwayToInteger},
      {"logb", "xx", writeExponent},
      {"nearbyint", "xx", writeRounded},
      {"nextafter", "xxx", writeNextAfter},
      {"norm3d", "xxxx", writeLength, true},
      {"norm4d", "xxxxx", writeLength, true},
      {"powi", "xxi", writeWholePower},
      {"rcbrt", "xx", writeInverseCubeRoot, true},
      {"remainder", "xxx", writeRemainder},
      {"rhypot", "xxx", writeInverseLength, true},
      {"rnorm3d", "xxxx", writeInverseLength, true},
      {"rnorm4d", "xxxxx", writeInverseLength, true},
      {"saturatef", "ff", writeSaturated},
      {"scalbn", "xxi", writeScaled},
      {"signbitd", "id", writeSignBit},
      {"signbitf", "if", writeSignBit},
  };
  return functions;
}
