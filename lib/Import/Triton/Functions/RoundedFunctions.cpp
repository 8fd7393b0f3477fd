//===- RoundedFunctions.cpp - Functions whose names say how they round ----===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Libdevice.h"

#include "llvm/ADT/StringSwitch.h"

#include <limits>

using namespace mlir;
using namespace fsm;

//===----------------------------------------------------------------------===//
// Rounding to f32
//===----------------------------------------------------------------------===//

/// `sum` plus `rest`, which is less than half of a last place of it, or of the sign of what there
/// is besides, as f32: to the nearest (n), down (d), up (u) or towards zero (z).
static Term rounded(const Term &sum, const Term &rest, char mode) {
  Term nearest = toFloat(sum, 32);
  if (mode == 'n')
    return nearest;
  Term excess = toFloat(nearest, 64) - sum;
  Term isAbove = (excess > 0) | ((excess == 0) & (rest < 0));
  Term isBelow = (excess < 0) | ((excess == 0) & (rest > 0));
  Term down = select(isAbove, nextAfter(nearest, nearest.like(-infinity)), nearest);
  Term up = select(isBelow, nextAfter(nearest, nearest.like(infinity)), nearest);
  return mode == 'd' ? down : mode == 'u' ? up : select(asInteger(sum) < 0, up, down);
}

/// Zeros of two signs give a negative one only where sums are rounded down.
static Term roundedSum(const Term &x, const Term &y, char mode) {
  Term sum = x + y, part = sum - x, rest = (x - (sum - part)) + (y - part);
  if (mode == 'd')
    sum = select((sum == 0) & ((asInteger(x) | asInteger(y)) < 0), -0.0, sum);
  return rounded(sum, rest, mode);
}

static Term roundedQuotient(const Term &x, const Term &y, char mode) {
  Term quotient = x / y, rest = fma(-quotient, y, x);
  return rounded(quotient, select(y < 0, -rest, rest), mode);
}

static std::optional<Term> compute(StringRef name, ArrayRef<Term> operands, char mode) {
  // Sums, products and remainders of f32 are exact in f64, or their rests are.
  SmallVector<Term, 3> x;
  for (const Term &operand : operands)
    x.push_back(toFloat(operand, 64));
  if (name == "add")
    return roundedSum(x[0], x[1], mode);
  if (name == "sub")
    return roundedSum(x[0], -x[1], mode);
  if (name == "mul")
    return rounded(x[0] * x[1], x[0].like(0), mode);
  if (name == "maf")
    return roundedSum(x[0] * x[1], x[2], mode);
  if (name == "div")
    return roundedQuotient(x[0], x[1], mode);
  if (name == "rcp")
    return roundedQuotient(x[0].like(1), x[0], mode);
  if (name == "sqrt") {
    Term root = sqrt(x[0]);
    return rounded(root, fma(-root, root, x[0]), mode);
  }
  return {};
}

/// To the nearest, of either type.
static std::optional<Term> computeNearest(StringRef name, ArrayRef<Term> x) {
  if (name == "add")
    return x[0] + x[1];
  if (name == "sub")
    return x[0] - x[1];
  if (name == "mul")
    return x[0] * x[1];
  if (name == "ma" || name == "maf")
    return fma(x[0], x[1], x[2]);
  if (name == "rcp")
    return 1 / x[0];
  if (name == "div")
    return x[0] / x[1];
  if (name == "sqrt")
    return sqrt(x[0]);
  return {};
}

//===----------------------------------------------------------------------===//
// Conversions
//===----------------------------------------------------------------------===//

namespace {
/// A type as names of conversions have it.
struct NamedType {
  unsigned bits;
  bool isFloat;
  bool isSigned = true;

  static std::optional<NamedType> parse(StringRef name) {
    return llvm::StringSwitch<std::optional<NamedType>>(name)
        .Case("float", NamedType{32, true})
        .Case("double", NamedType{64, true})
        .Case("int", NamedType{32, false})
        .Case("uint", NamedType{32, false, false})
        .Case("ll", NamedType{64, false})
        .Case("ull", NamedType{64, false, false})
        .Default(std::nullopt);
  }
  bool isOf(const Term &x) const { return x.isFloat() == isFloat && x.bits() == bits; }
};
} // namespace

static Term roundedToWhole(const Term &x, char mode) {
  switch (mode) {
  case 'n':
    return rint(x);
  case 'd':
    return floor(x);
  case 'u':
    return apply("math.ceil", {x});
  default:
    return x;
  }
}

static std::optional<Term> convert(const Term &x, NamedType from, NamedType to, char mode) {
  if (!to.isFloat)
    return toInteger(roundedToWhole(x, mode), to.bits, to.isSigned);
  if (from.isFloat)
    return rounded(x, x.like(0), mode);
  auto exactly = [&](unsigned bits) {
    return from.isSigned ? toFloat(x, bits) : apply("arith.uitofp", {x}, x.floats(bits));
  };
  if (mode == 'n')
    return exactly(to.bits);
  // Integers of 32 bits are exact in f64.
  if (from.bits != 32)
    return std::nullopt;
  Term exact = exactly(64);
  return to.bits == 64 ? exact : rounded(exact, exact.like(0), mode);
}

std::optional<Term> fsm::roundedFunction(StringRef name, ArrayRef<Term> x) {
  auto [base, rounding] = name.rsplit("_r");
  if (base.empty() || rounding.size() != 1 || !StringRef("nduz").contains(rounding[0]))
    return std::nullopt;
  char mode = rounding[0];
  auto [fromName, toName] = base.split('2');
  std::optional<NamedType> from = NamedType::parse(fromName), to = NamedType::parse(toName);
  if (from && to)
    return x.size() == 1 && from->isOf(x[0]) ? convert(x[0], *from, *to, mode) : std::nullopt;
  bool isDouble = base.starts_with("d") || base == "fma";
  size_t arity = llvm::StringSwitch<size_t>(base.drop_front(1))
                     .Cases({"ma", "maf"}, 3)
                     .Cases({"rcp", "sqrt"}, 1)
                     .Default(2);
  auto isOperand = [&](const Term &term) {
    return NamedType{isDouble ? 64u : 32u, true}.isOf(term);
  };
  if (x.size() != arity || !llvm::all_of(x, isOperand))
    return std::nullopt;
  if (mode == 'n')
    return computeNearest(base.drop_front(1), x);
  return isDouble ? std::nullopt : compute(base.drop_front(1), x, mode);
}
