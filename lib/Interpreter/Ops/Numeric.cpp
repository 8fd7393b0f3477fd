//===- Numeric.cpp - Conversion as named, exact roots, random words ------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FloatArith.h"

#include "llvm/Support/MathExtras.h"

#include <array>

using namespace mlir;
using namespace fsm;
using namespace fsm::interpreter;

//===----------------------------------------------------------------------===//
// Conversion
//===----------------------------------------------------------------------===//

namespace {
/// What the bits of a float type say.
struct Format {
  unsigned width;
  /// Bits of the significand, the hidden one included.
  int precision;
  /// The exponent of the smallest normal number.
  int leastExponent;
  /// The bits of the largest finite number.
  uint64_t largest;
  /// Whether the bits after those are infinity.
  bool hasInfinity;

  /// The exponent of the last bit of the denormals.
  int leastUnit() const { return leastExponent - precision + 1; }
};

/// significand * 2^exponent, or what is no number.
struct Number {
  enum Kind { Finite, Infinite, NotANumber } kind;
  bool isNegative;
  uint64_t significand;
  int exponent;
};
} // namespace

static Format formatOf(ScalarType type) {
  switch (type) {
  case ScalarType::F8E4M3FN: // Its largest exponent has numbers, all but one of them.
    return {8, 4, -6, 0x7E, false};
  case ScalarType::F8E5M2:
    return {8, 3, -14, 0x7B, true};
  case ScalarType::F16:
    return {16, 11, -14, 0x7BFF, true};
  case ScalarType::BF16:
    return {16, 8, -126, 0x7F7F, true};
  case ScalarType::F32:
    return {32, 24, -126, 0x7F7FFFFF, true};
  default:
    return {64, 53, -1022, 0x7FEFFFFFFFFFFFFF, true};
  }
}

static Number decode(uint64_t bits, const Format &format) {
  bool isNegative = bits >> (format.width - 1) & 1;
  uint64_t magnitude = bits & maskOf(format.width - 1);
  if (magnitude > format.largest) {
    bool isInfinite = format.hasInfinity && magnitude == format.largest + 1;
    return {isInfinite ? Number::Infinite : Number::NotANumber, isNegative, 0, 0};
  }
  int fractionBits = format.precision - 1;
  uint64_t fraction = magnitude & maskOf(static_cast<unsigned>(fractionBits));
  int field = static_cast<int>(magnitude >> fractionBits);
  if (field == 0)
    return {Number::Finite, isNegative, fraction, format.leastUnit()};
  return {Number::Finite, isNegative, fraction | uint64_t(1) << fractionBits,
          format.leastUnit() + field - 1};
}

/// How many units of 2^shift a significand is; `shift` is positive.
static uint64_t roundedUnits(uint64_t significand, int shift, Rounding rounding) {
  if (shift >= 64) // A significand has 53 bits: less than half a unit.
    return 0;
  uint64_t units = significand >> shift;
  uint64_t rest = significand - (units << shift), half = uint64_t(1) << (shift - 1);
  bool goesUp = rest > half || (rest == half && units % 2 == 1);
  return units + (rounding == Rounding::NearestEven && goesUp ? 1 : 0);
}

/// The bits of a finite number without its sign, as though there were exponents of
/// any size: beyond `largest` they only compare.
static uint64_t encodeMagnitude(const Number &number, const Format &format, Rounding rounding) {
  if (number.significand == 0)
    return 0;
  int top = number.exponent + static_cast<int>(llvm::Log2_64(number.significand));
  int unit = std::max(top - format.precision + 1, format.leastUnit());
  int shift = unit - number.exponent;
  uint64_t units =
      shift > 0 ? roundedUnits(number.significand, shift, rounding) : number.significand << -shift;
  // The hidden bit counts 1 in the field of the exponent, and so does a carry.
  auto field = static_cast<uint64_t>(unit - format.leastUnit());
  return units + (field << (format.precision - 1));
}

/// NaN becomes the one whose bits but the sign are all set, on every device.
static uint64_t encode(const Number &number, const Format &format, Rounding rounding,
                       bool saturates) {
  if (number.kind == Number::NotANumber)
    return maskOf(format.width - 1);
  uint64_t magnitude;
  if (number.kind == Number::Infinite)
    magnitude = saturates ? format.largest : format.largest + 1;
  else
    magnitude = encodeMagnitude(number, format, rounding);
  if (number.kind == Number::Finite && magnitude > format.largest)
    magnitude = saturates || rounding == Rounding::TowardZero ? format.largest : format.largest + 1;
  return magnitude | static_cast<uint64_t>(number.isNegative) << (format.width - 1);
}

static LogicalResult convert(ProgramRunner &runner, Operation *op) {
  auto conversion = cast<ConvertOp>(op);
  const Elements &source = runner.get(conversion.getSource());
  Format from = formatOf(scalarTypeOf(elementTypeOf(source.type)));
  Format to = formatOf(scalarTypeOf(elementTypeOf(conversion.getResult().getType())));
  bool saturates = conversion.getSaturate() || to.width == 8;
  std::vector<uint64_t> result(source.bits.size());
  for (size_t i = 0; i < result.size(); ++i)
    result[i] = encode(decode(source.bits[i], from), to, conversion.getRounding(), saturates);
  runner.set(conversion.getResult(), std::move(result));
  return success();
}

//===----------------------------------------------------------------------===//
// Division and square root
//===----------------------------------------------------------------------===//

namespace {
// The host's own are correctly rounded in float and double. f16 and bf16 get a second
// rounding from double, which changes nothing: a quotient or root of numbers of 11 bits
// that is no tie between two of them is further from one than double's rounding moves it.
struct Quotient {
  template <typename Float>
  static Float of(Float a, Float b) {
    return a / b;
  }
};

struct Root {
  template <typename Float>
  static Float of(Float a) {
    return std::sqrt(a);
  }
};
} // namespace

//===----------------------------------------------------------------------===//
// Random words
//===----------------------------------------------------------------------===//

/// Philox-4x32-10 as J. Salmon et al. published it: see the op's description.
static std::array<uint32_t, 4> philox(std::array<uint32_t, 4> counter,
                                      std::array<uint32_t, 2> key) {
  for (int round = 0; round < 10; ++round) {
    uint64_t left = uint64_t(0xD2511F53) * counter[0];
    uint64_t right = uint64_t(0xCD9E8D57) * counter[2];
    counter = {
        static_cast<uint32_t>(right >> 32) ^ counter[1] ^ key[0], static_cast<uint32_t>(right),
        static_cast<uint32_t>(left >> 32) ^ counter[3] ^ key[1], static_cast<uint32_t>(left)};
    key[0] += 0x9E3779B9;
    key[1] += 0xBB67AE85;
  }
  return counter;
}

static LogicalResult randomWords(ProgramRunner &runner, Operation *op) {
  std::vector<ElementsRef> operands = runner.share(op->getOperands());
  std::array<std::vector<uint64_t>, 4> results;
  for (size_t i = 0; i < operands[0]->bits.size(); ++i) {
    auto word = [&](size_t operand) { return static_cast<uint32_t>(operands[operand]->bits[i]); };
    std::array<uint32_t, 4> words =
        philox({word(0), word(1), word(2), word(3)}, {word(4), word(5)});
    for (size_t k = 0; k < words.size(); ++k)
      results[k].push_back(words[k]);
  }
  for (unsigned k = 0; k < results.size(); ++k)
    runner.set(op->getResult(k), std::move(results[k]));
  return success();
}

void interpreter::addNumericHandlers(HandlerTable &table) {
  table["fsm.convert"] = convert;
  table["fsm.div_rn"] = floatBinary<Quotient>;
  table["fsm.philox"] = randomWords;
  table["fsm.sqrt_rn"] = floatUnary<Root>;
}
