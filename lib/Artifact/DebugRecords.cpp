//===- DebugRecords.cpp - What programs say of themselves ----------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Artifact/DebugRecords.h"

#include "fsm/Artifact/Printable.h"
#include "fsm/Support/BitCast.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <cstring>

using namespace fsm;

//===----------------------------------------------------------------------===//
// Floats
//===----------------------------------------------------------------------===//

/// Sign, exponent with the usual bias, fraction.
namespace {
struct FloatFormat {
  int exponentBits;
  int fractionBits;
  /// Only the highest code is no number, and nothing is infinite.
  bool isFinite;
};
} // namespace

static FloatFormat formatOf(ScalarType type) {
  switch (type) {
  case ScalarType::F16:
    return {5, 10, false};
  case ScalarType::BF16:
    return {8, 7, false};
  case ScalarType::F8E4M3FN:
    return {4, 3, true};
  default:
    return {5, 2, false};
  }
}

/// The value of an element of at most 16 bits.
static float valueOfNarrow(uint64_t bits, FloatFormat format) {
  uint64_t fraction = bits & ((uint64_t(1) << format.fractionBits) - 1);
  int highest = (1 << format.exponentBits) - 1;
  int exponent = static_cast<int>(bits >> format.fractionBits) & highest;
  bool isNegative = bits >> (format.exponentBits + format.fractionBits) & 1;
  float magnitude;
  if (exponent == highest && !format.isFinite)
    magnitude = fraction ? std::nanf("") : HUGE_VALF;
  else if (exponent == highest && fraction == (uint64_t(1) << format.fractionBits) - 1)
    magnitude = std::nanf("");
  else
    magnitude = std::ldexp(
        static_cast<float>(exponent ? fraction | uint64_t(1) << format.fractionBits : fraction),
        std::max(exponent, 1) - highest / 2 - format.fractionBits);
  return isNegative ? -magnitude : magnitude;
}

/// Places the point among the digits of `d.ddde+XX`: numbers from 0.0001 to below
/// 10^16 are written without an exponent.
static std::string placePoint(const std::string &scientific) {
  size_t mark = scientific.find('e');
  int exponent = std::atoi(scientific.c_str() + mark + 1);
  if (exponent < -4 || exponent >= 16)
    return scientific;
  std::string sign, digits;
  for (char c : scientific.substr(0, mark))
    (c == '-' ? sign : digits) += c == '.' ? "" : std::string(1, c);
  auto count = static_cast<int>(digits.size());
  if (exponent < 0)
    return sign + "0." + std::string(static_cast<size_t>(-exponent - 1), '0') + digits;
  if (count <= exponent + 1)
    return sign + digits + std::string(static_cast<size_t>(exponent + 1 - count), '0') + ".0";
  auto whole = static_cast<size_t>(exponent + 1);
  return sign + digits.substr(0, whole) + "." + digits.substr(whole);
}

template <typename Float>
static std::string floatText(Float value) {
  if (std::isnan(value))
    return "nan";
  if (std::isinf(value))
    return value < 0 ? "-inf" : "inf";
  char text[64];
  auto [end, fault] =
      std::to_chars(text, text + sizeof(text), value, std::chars_format::scientific);
  return placePoint(std::string(text, end));
}

//===----------------------------------------------------------------------===//
// Lines
//===----------------------------------------------------------------------===//

static unsigned widthOf(const DebugValue &value) {
  if (value.isPointer)
    return 64;
  return value.type == ScalarType::I1 ? 1
                                      : static_cast<unsigned>(8 * scalarTypeInfo(value.type).bytes);
}

static std::string hexText(uint64_t bits, unsigned width) {
  static const char digits[] = "0123456789abcdef";
  std::string text;
  for (unsigned shift = 0; shift < width; shift += 4)
    text.insert(text.begin(), digits[bits >> shift & 15]);
  return "0x" + text;
}

std::string fsm::elementText(const DebugValue &value, uint64_t bits, bool isHex) {
  unsigned width = widthOf(value);
  if (width < 64)
    bits &= (uint64_t(1) << width) - 1;
  if (value.isPointer)
    return hexText(bits, width);
  if (value.type == ScalarType::F64)
    return floatText(bitCast<double>(bits));
  if (value.type == ScalarType::F32)
    return floatText(bitCast<float>(static_cast<uint32_t>(bits)));
  if (scalarTypeInfo(value.type).isFloat)
    return floatText(valueOfNarrow(bits, formatOf(value.type)));
  if (isHex)
    return hexText(bits, width);
  uint64_t sign = uint64_t(1) << (width - 1);
  return std::to_string(width == 1 ? static_cast<int64_t>(bits)
                                   : static_cast<int64_t>((bits ^ sign) - sign));
}

std::string fsm::coordinatesText(const std::vector<int64_t> &shape, uint64_t element) {
  std::string text;
  for (size_t dim = shape.size(); dim-- > 0;) {
    auto extent = static_cast<uint64_t>(shape[dim]);
    text = std::to_string(element % extent) + (text.empty() ? "" : ", ") + text;
    element /= extent;
  }
  return text.empty() ? text : "[" + text + "]";
}

/// Text of a kernel as part of a line: what could end the line or steer a terminal is
/// written as \xNN.
static std::string oneLine(const std::string &text) { return printable(text, std::string::npos); }

static std::string placeAndProgram(const DebugOp &op, const std::array<int32_t, 3> &program) {
  return (op.place.empty() ? "" : oneLine(op.place) + ": ") + "program (" +
         std::to_string(program[0]) + ", " + std::to_string(program[1]) + ", " +
         std::to_string(program[2]) + "): ";
}

std::string fsm::printedLine(const DebugOp &op, const DebugRecord &record) {
  std::string line = placeAndProgram(op, record.program) + oneLine(op.text);
  if (record.value >= op.values.size())
    return line;
  const DebugValue &value = op.values[record.value];
  if (op.values.size() > 1)
    line += " #" + std::to_string(record.value);
  std::string where = coordinatesText(value.shape, record.element);
  return line + (where.empty() ? "" : " " + where) + " = " +
         elementText(value, record.bits, op.isHex);
}

std::string fsm::failureText(const DebugOp &op, const std::array<int32_t, 3> &program,
                             uint64_t element) {
  std::string where =
      op.values.empty() ? std::string() : coordinatesText(op.values[0].shape, element);
  return placeAndProgram(op, program) + "assertion failed" + (where.empty() ? "" : " at " + where) +
         ": " + oneLine(op.text);
}
