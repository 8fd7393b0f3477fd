//===- Compare.cpp - Are two arrays equal enough ------------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Tools/Arguments/Compare.h"
#include "fsm/Tools/Arguments/Float.h"
#include "fsm/Tools/Arguments/Number.h"
#include "fsm/Tools/Quote.h"

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>

using namespace fsm;

static Error checkError(std::string_view spec, const std::string &expected, std::string_view got) {
  return badInput("--check=" + printable(spec) + ": expected " + expected + ", got " +
                  (got.empty() ? "nothing" : quoted(got)));
}

/// Takes `,key=value` off the end of `path`, when it is there.
static bool takeTolerance(std::string_view &path, std::string_view &key, std::string_view &value) {
  size_t comma = path.rfind(',');
  if (comma == std::string_view::npos)
    return false;
  std::string_view last = path.substr(comma + 1);
  size_t equals = last.find('=');
  if (equals == std::string_view::npos || last.find('/') != std::string_view::npos)
    return false;
  key = last.substr(0, equals);
  value = last.substr(equals + 1);
  path = path.substr(0, comma);
  return true;
}

Result<CheckSpec> fsm::parseCheckSpec(std::string_view text) {
  CheckSpec spec;
  size_t colon = text.find(':');
  if (colon == 0 || colon == std::string_view::npos || colon + 1 == text.size())
    return checkError(text, "I:FILE.npy[,rtol=R][,atol=A], I being a position or a name", text);
  spec.argument = std::string(text.substr(0, colon));
  std::string_view path = text.substr(colon + 1), key, value;
  while (takeTolerance(path, key, value)) {
    if (key != "rtol" && key != "atol")
      return checkError(text, "rtol=R or atol=A after the file", key);
    std::optional<double> number = parseTolerance(value);
    if (!number)
      return checkError(text, "a finite number of 0 or more after " + std::string(key) + "=",
                        value);
    std::optional<double> &tolerance =
        key == "rtol" ? spec.tolerance.relative : spec.tolerance.absolute;
    if (tolerance)
      return checkError(text, std::string(key) + "= once", "two of them");
    tolerance = number;
  }
  if (path.empty())
    return checkError(text, "a file after ':'", "");
  spec.path = std::string(path);
  return spec;
}

static ScalarType scalarTypeOf(NpyType type) {
  switch (type) {
  case NpyType::Bool:
    return ScalarType::I1;
  case NpyType::I1:
  case NpyType::U1:
    return ScalarType::I8;
  case NpyType::I2:
  case NpyType::U2:
    return ScalarType::I16;
  case NpyType::I4:
  case NpyType::U4:
    return ScalarType::I32;
  case NpyType::I8:
  case NpyType::U8:
    return ScalarType::I64;
  case NpyType::F2:
    return ScalarType::F16;
  case NpyType::F4:
    return ScalarType::F32;
  case NpyType::F8:
    return ScalarType::F64;
  }
  return ScalarType::F64;
}

Result<ArrayView> fsm::viewReference(const NpyArray &reference, ScalarType type,
                                     const std::string &path) {
  const NpyTypeInfo &file = npyTypeInfo(reference.type);
  const ScalarTypeInfo &output = scalarTypeInfo(type);
  ArrayView view;
  view.type = scalarTypeOf(reference.type);
  view.isUnsigned = file.kind == 'u';
  view.fortranOrder = reference.fortranOrder;
  view.shape = reference.shape;
  view.data = reference.data.data();
  bool hasNumpyType = type != ScalarType::BF16 && output.bytes != 1;
  bool areBits = output.isFloat && !hasNumpyType && file.kind == 'u' && file.bytes == output.bytes;
  if (areBits)
    view.type = type;
  else if (output.isFloat != (file.kind == 'f')) {
    std::string expected = !output.isFloat ? "integers"
                           : hasNumpyType
                               ? "floats"
                               : "floats, or of uint" + std::to_string(8 * output.bytes) + " bits,";
    return badInput(printable(path) + ": expected a file of " + expected + " to compare with " +
                    std::string(output.name) + ", got " + std::string(file.name));
  }
  return view;
}

std::string Comparison::text() const {
  char errors[96];
  if (largestAtZero == 0)
    std::snprintf(errors, sizeof(errors), "largest absolute error %.3g, relative %.3g",
                  largestAbsolute, largestRelative);
  else if (largestRelative == 0)
    std::snprintf(errors, sizeof(errors), "largest absolute error %.3g, where 0 is expected",
                  largestAtZero);
  else
    std::snprintf(errors, sizeof(errors),
                  "largest absolute error %.3g, relative %.3g, and %.3g where 0 is expected",
                  largestAbsolute, largestRelative, largestAtZero);
  std::string count = std::to_string(elements) + (elements == 1 ? " element" : " elements");
  if (mismatches == 0)
    return count + (elements == 1 ? " agrees " : " agree ") + rule + "; " + errors;
  return std::to_string(mismatches) + " of " + count + " differ, expected to agree " + rule +
         "; first at " + shapeText(firstIndex) + ": expected " + firstExpected + ", got " +
         firstActual + "; " + errors;
}

namespace {
/// An integer of up to 64 bits and either sign.
struct WideInteger {
  bool negative;
  uint64_t low;

  bool operator==(const WideInteger &other) const {
    return negative == other.negative && low == other.low;
  }
  double toDouble() const {
    return negative ? -static_cast<double>(-low) : static_cast<double>(low);
  }
};

/// Compares one element after the other.
class ElementComparer {
public:
  ElementComparer(const ArrayView &actual, const ArrayView &expected, const Tolerance &tolerance);

  /// Compares the elements at these positions in memory.
  void compare(uint64_t actualAt, uint64_t expectedAt, const std::vector<uint64_t> &index);
  Comparison result;

private:
  void decideRule(const Tolerance &tolerance);
  bool matchFloats(uint64_t actualBits, uint64_t expectedBits);
  bool matchIntegers(uint64_t actualBits, uint64_t expectedBits);
  void note(double absolute, double expected);
  bool isWithin(double actual, double expected) const;

  const ArrayView &actual;
  const ArrayView &expected;
  /// One neighbour apart is near enough.
  bool byUlp = false;
  double relative = 0;
  double absolute = 0;
};
} // namespace

static uint64_t loadBits(const ArrayView &view, uint64_t at) {
  size_t bytes = scalarTypeInfo(view.type).bytes;
  uint64_t bits = 0;
  std::memcpy(&bits, view.data + at * bytes, bytes);
  if constexpr (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__)
    bits >>= 64 - 8 * bytes;
  return bits;
}

/// An integer read as signed or as unsigned. A bool is its byte: 2 is not true.
static WideInteger widenInteger(uint64_t bits, ScalarType type, bool isUnsigned) {
  if (isUnsigned || type == ScalarType::I1)
    return {false, bits};
  unsigned unused = 64 - static_cast<unsigned>(scalarTypeInfo(type).bytes) * 8;
  auto value = static_cast<int64_t>(bits << unused) >> unused;
  return {value < 0, static_cast<uint64_t>(value)};
}

static std::string valueText(uint64_t bits, ScalarType type, bool isUnsigned) {
  char text[48];
  if (scalarTypeInfo(type).isFloat) {
    int digits = type == ScalarType::F64 ? 17 : type == ScalarType::F32 ? 9 : 6;
    std::snprintf(text, sizeof(text), "%.*g", digits, widenFloat(bits, type));
    return text;
  }
  WideInteger value = widenInteger(bits, type, isUnsigned);
  return value.negative ? std::to_string(static_cast<int64_t>(value.low))
                        : std::to_string(value.low);
}

ElementComparer::ElementComparer(const ArrayView &actual, const ArrayView &expected,
                                 const Tolerance &tolerance)
    : actual(actual), expected(expected) {
  decideRule(tolerance);
}

void ElementComparer::decideRule(const Tolerance &tolerance) {
  std::string type(scalarTypeInfo(actual.type).name);
  bool isGiven = tolerance.relative || tolerance.absolute;
  if (!scalarTypeInfo(actual.type).isFloat && !isGiven) {
    result.rule = "exactly";
    return;
  }
  if (actual.type == ScalarType::F32) {
    relative = 1e-5;
    absolute = FLT_MIN;
  } else if (actual.type == ScalarType::F64) {
    relative = 1e-12;
    absolute = DBL_MIN;
  } else if (!isGiven) {
    byUlp = true;
    result.rule = "within 1 ulp of " + type;
    return;
  }
  relative = tolerance.relative.value_or(relative);
  absolute = tolerance.absolute.value_or(absolute);
  char rule[64];
  std::snprintf(rule, sizeof(rule), "within rtol %.3g, atol %.3g", relative, absolute);
  result.rule = rule;
}

void ElementComparer::note(double error, double expectedValue) {
  result.largestAbsolute = std::max(result.largestAbsolute, error);
  if (expectedValue != 0)
    result.largestRelative = std::max(result.largestRelative, error / std::fabs(expectedValue));
  else
    result.largestAtZero = std::max(result.largestAtZero, error);
}

bool ElementComparer::isWithin(double actualValue, double expectedValue) const {
  return actualValue == expectedValue ||
         std::fabs(actualValue - expectedValue) <= absolute + relative * std::fabs(expectedValue);
}

bool ElementComparer::matchFloats(uint64_t actualBits, uint64_t expectedBits) {
  double got = widenFloat(actualBits, actual.type);
  double want = widenFloat(expectedBits, expected.type);
  uint64_t roundedBits =
      actual.type == expected.type ? expectedBits : narrowFloat(want, actual.type);
  double rounded = widenFloat(roundedBits, actual.type);
  if (std::isnan(got) || std::isnan(rounded))
    return std::isnan(got) && std::isnan(rounded);
  if (std::isinf(got) || std::isinf(rounded))
    return got == rounded;
  // Saturation may have moved a finite or infinite answer far away.
  double reference = byUlp || std::isinf(want) ? rounded : want;
  note(std::fabs(got - reference), reference);
  if (!byUlp)
    return isWithin(got, reference);
  int64_t distance = floatOrdinal(actualBits, actual.type) - floatOrdinal(roundedBits, actual.type);
  return std::abs(distance) <= 1;
}

bool ElementComparer::matchIntegers(uint64_t actualBits, uint64_t expectedBits) {
  WideInteger want = widenInteger(expectedBits, expected.type, expected.isUnsigned);
  WideInteger asSigned = widenInteger(actualBits, actual.type, false);
  WideInteger asUnsigned = widenInteger(actualBits, actual.type, true);
  // The language's integers have no sign: either reading may be the one meant.
  bool sameBits = actual.type == expected.type && actualBits == expectedBits;
  if (sameBits || want == asSigned || want == asUnsigned)
    return true;
  WideInteger got = expected.isUnsigned ? asUnsigned : asSigned;
  double error =
      got.negative == want.negative
          ? static_cast<double>(got.low > want.low ? got.low - want.low : want.low - got.low)
          : std::fabs(got.toDouble() - want.toDouble());
  note(error, want.toDouble());
  return error <= absolute + relative * std::fabs(want.toDouble());
}

void ElementComparer::compare(uint64_t actualAt, uint64_t expectedAt,
                              const std::vector<uint64_t> &index) {
  uint64_t actualBits = loadBits(actual, actualAt);
  uint64_t expectedBits = loadBits(expected, expectedAt);
  ++result.elements;
  bool matches = scalarTypeInfo(actual.type).isFloat ? matchFloats(actualBits, expectedBits)
                                                     : matchIntegers(actualBits, expectedBits);
  if (matches || result.mismatches++)
    return;
  result.firstIndex = index;
  result.firstActual = valueText(actualBits, actual.type, expected.isUnsigned);
  result.firstExpected = valueText(expectedBits, expected.type, expected.isUnsigned);
}

/// How far apart neighbours along each dimension are in memory, in elements.
static std::vector<uint64_t> stridesOf(const ArrayView &view) {
  size_t rank = view.shape.size();
  std::vector<uint64_t> strides(rank, 1);
  uint64_t stride = 1;
  for (size_t i = 0; i < rank; ++i) {
    size_t dimension = view.fortranOrder ? i : rank - 1 - i;
    strides[dimension] = stride;
    stride *= view.shape[dimension];
  }
  return strides;
}

Result<Comparison> fsm::compareArrays(const ArrayView &actual, const ArrayView &expected,
                                      const Tolerance &tolerance) {
  if (actual.shape != expected.shape)
    return badInput("expected the shape " + shapeText(expected.shape) + ", got " +
                    shapeText(actual.shape));
  ElementComparer comparer(actual, expected, tolerance);
  uint64_t bytes = 0;
  if (!arrayBytes(actual.shape, 1, bytes) || bytes == 0)
    return std::move(comparer.result);
  std::vector<uint64_t> actualStrides = stridesOf(actual), expectedStrides = stridesOf(expected);
  std::vector<uint64_t> index(actual.shape.size(), 0);
  uint64_t actualAt = 0, expectedAt = 0;
  for (;;) {
    comparer.compare(actualAt, expectedAt, index);
    // The next index in row-major order.
    size_t dimension = index.size();
    while (dimension > 0) {
      --dimension;
      actualAt += actualStrides[dimension];
      expectedAt += expectedStrides[dimension];
      if (++index[dimension] < actual.shape[dimension])
        break;
      actualAt -= index[dimension] * actualStrides[dimension];
      expectedAt -= index[dimension] * expectedStrides[dimension];
      index[dimension] = 0;
      if (dimension == 0)
        return std::move(comparer.result);
    }
    if (index.empty())
      return std::move(comparer.result);
  }
}
