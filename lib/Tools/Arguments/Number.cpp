//===- Number.cpp - Numbers as the command line spells them -------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Tools/Arguments/Number.h"
#include "fsm/Tools/Arguments/Float.h"
#include "fsm/Tools/Quote.h"

#include <cmath>
#include <cstdlib>

using namespace fsm;

static bool isDigit(char c) { return c >= '0' && c <= '9'; }

static int hexDigit(char c) {
  if (isDigit(c))
    return c - '0';
  if (c >= 'a' && c <= 'f')
    return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/// Digits, maybe a point among them, maybe an exponent. strtod alone would also
/// take leading blanks, "infinity" and "nan(...)".
static bool isReal(std::string_view text, bool isHex) {
  size_t at = 0;
  bool hasDigits = false, hasPoint = false;
  for (; at < text.size(); ++at) {
    if (isHex ? hexDigit(text[at]) >= 0 : isDigit(text[at]))
      hasDigits = true;
    else if (text[at] == '.' && !hasPoint)
      hasPoint = true;
    else
      break;
  }
  if (!hasDigits)
    return false;
  if (at == text.size())
    return true;
  char exponent = isHex ? 'p' : 'e';
  if ((text[at++] | 0x20) != exponent)
    return false;
  if (at < text.size() && (text[at] == '-' || text[at] == '+'))
    ++at;
  if (at == text.size())
    return false;
  for (; at < text.size(); ++at)
    if (!isDigit(text[at]))
      return false;
  return true;
}

std::optional<Number> fsm::parseNumber(std::string_view text) {
  Number number;
  number.text = std::string(text);
  if (!text.empty() && (text[0] == '-' || text[0] == '+')) {
    number.negative = text[0] == '-';
    text.remove_prefix(1);
  }
  if (text == "inf" || text == "nan")
    return number;
  bool isHex = text.size() > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
  if (isHex)
    text.remove_prefix(2);
  if (!isReal(text, isHex))
    return std::nullopt;
  uint64_t base = isHex ? 16 : 10;
  for (char c : text) {
    int digit = hexDigit(c);
    if (digit < 0 || digit >= static_cast<int>(base))
      return number;
    uint64_t next = 0;
    if (__builtin_mul_overflow(number.magnitude, base, &next) ||
        __builtin_add_overflow(next, static_cast<uint64_t>(digit), &number.magnitude))
      number.needsMoreBits = true;
  }
  number.isInteger = true;
  return number;
}

std::optional<uint64_t> fsm::parseUnsigned(std::string_view text, uint64_t max) {
  if (text.empty())
    return std::nullopt;
  uint64_t value = 0;
  for (char c : text) {
    if (!isDigit(c) || __builtin_mul_overflow(value, uint64_t(10), &value) ||
        __builtin_add_overflow(value, static_cast<uint64_t>(c - '0'), &value))
      return std::nullopt;
  }
  return value <= max ? std::optional<uint64_t>(value) : std::nullopt;
}

std::optional<double> fsm::parseTolerance(std::string_view text) {
  std::optional<Number> number = parseNumber(text);
  if (!number || number->negative)
    return std::nullopt;
  double value = std::strtod(number->text.c_str(), nullptr);
  return std::isfinite(value) ? std::optional<double>(value) : std::nullopt;
}

static Result<uint64_t> integerBits(const Number &number, ScalarType type) {
  std::string_view name = scalarTypeInfo(type).name;
  if (!number.isInteger)
    return badInput("expected an integer for " + std::string(name) + ", got " +
                    quoted(number.text));
  bool isBool = type == ScalarType::I1;
  unsigned bits = isBool ? 1 : static_cast<unsigned>(scalarTypeInfo(type).bytes * 8);
  uint64_t largest = bits == 64 ? UINT64_MAX : (uint64_t(1) << bits) - 1;
  uint64_t smallest = isBool ? 0 : uint64_t(1) << (bits - 1);
  if (number.needsMoreBits || number.magnitude > (number.negative ? smallest : largest))
    return badInput("expected an integer from " +
                    (isBool ? std::string("0") : "-" + std::to_string(smallest)) + " to " +
                    std::to_string(largest) + " for " + std::string(name) + ", got " +
                    quoted(number.text));
  return (number.negative ? -number.magnitude : number.magnitude) & largest;
}

Result<uint64_t> fsm::numberBits(const Number &number, ScalarType type) {
  if (!scalarTypeInfo(type).isFloat)
    return integerBits(number, type);
  // strtof rounds the decimal to f32 once; through double it would be twice.
  double value = type == ScalarType::F32 ? std::strtof(number.text.c_str(), nullptr)
                                         : std::strtod(number.text.c_str(), nullptr);
  uint64_t bits = narrowFloat(value, type);
  bool saysInfinity = number.text.size() >= 3 && number.text[number.text.size() - 1] == 'f' &&
                      number.text[number.text.size() - 2] == 'n';
  if (!saysInfinity && std::isinf(widenFloat(bits, type)))
    return badInput("expected a number within the range of " +
                    std::string(scalarTypeInfo(type).name) + " (or inf), got " +
                    quoted(number.text));
  return bits;
}
