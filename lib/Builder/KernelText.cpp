//===- KernelText.cpp - The text of a kernel that is being built ---------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelText.h"

#include "FloatBits.h"

#include <algorithm>
#include <iomanip>
#include <set>
#include <sstream>

using namespace fsm;

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

std::string fsm::textOf(const ValueType &type) {
  std::string text(scalarTypeInfo(type.element).name);
  for (unsigned depth = 0; depth < type.pointerDepth; ++depth)
    text = "!fsm.ptr<" + text + ">";
  if (!type.isBlock())
    return text;
  std::string block = "tensor<";
  for (int64_t extent : type.shape)
    block += std::to_string(extent) + "x";
  return block + text + ">";
}

std::string fsm::typesOf(const Values &values) {
  std::string text;
  for (const Value &value : values)
    text += (text.empty() ? "" : ", ") + textOf(value.type());
  return text;
}

std::string KernelText::nameOf(const Value &value) {
  // Arguments come first. Their names cannot be numbers, which all other values are.
  const std::vector<Argument> &arguments = value.kernel->arguments;
  return "%" + (value.number <= arguments.size() ? arguments[value.number - 1].name
                                                 : std::to_string(value.number));
}

std::string KernelText::namesOf(const Values &values) {
  std::string text;
  for (const Value &value : values)
    text += (text.empty() ? "" : ", ") + nameOf(value);
  return text;
}

std::string fsm::quoted(std::string_view text) {
  std::string result = "\"";
  for (char c : text) {
    static const char digits[] = "0123456789ABCDEF";
    auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\' || byte < 0x20 || byte >= 0x7f)
      (result += '\\', result += digits[byte >> 4], result += digits[byte & 15]);
    else
      result += c;
  }
  return result + "\"";
}

/// The caller's line, behind an op. What is known of it is the line, not the column.
static std::string locationText(CallSite at) {
  return " loc(" + quoted(at.file) + ":" + std::to_string(at.line) + ":1)";
}

//===----------------------------------------------------------------------===//
// Mistakes
//===----------------------------------------------------------------------===//

void KernelText::fail(CallSite at, const std::string &sentence) {
  // Nobody has said where an operand is that there is not.
  if (at.line == 0)
    at = kernelAt;
  if (mistake.empty())
    mistake = std::string(at.file) + ":" + std::to_string(at.line) + ":1: error: " + sentence;
}

bool KernelText::isUsable(CallSite at, const Value &value) {
  if (hasFailed())
    return false;
  if (value.isNone())
    fail(at, "expected a value, got none");
  else if (value.kernel.get() != this)
    fail(at, "expected a value of kernel '" + kernelName + "', got one of kernel '" +
                 value.kernel->kernelName + "'");
  else if (std::find(regions.begin(), regions.end(), value.region) == regions.end())
    fail(at,
         "expected a value from here or from around, got one of the body of a loop or a branch; "
         "let the body give it");
  return !hasFailed();
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

Value KernelText::newValue(const ValueType &type) {
  Value value;
  value.kernel = shared_from_this();
  value.number = ++lastNumber;
  value.region = regions.back();
  value.valueType = type;
  return value;
}

Value KernelText::addArgument(CallSite at, ValueType type, std::string name,
                              ArgumentPromises promises) {
  if (!body.empty())
    fail(at, "expected argument '" + name + "' in front of what is computed");
  if (hasFailed())
    return {};
  arguments.push_back({newValue(type), std::move(name), promises, at});
  return arguments.back().value;
}

void KernelText::addLine(CallSite at, const std::string &op) {
  if (!hasFailed())
    body += indent() + op + locationText(at) + "\n";
}

Values KernelText::add(CallSite at, const std::vector<ValueType> &results, const std::string &op) {
  // MLIR would not read such a type.
  for (const ValueType &type : results)
    if (std::any_of(type.shape.begin(), type.shape.end(),
                    [](int64_t extent) { return extent < 1; }))
      fail(at, "expected a block whose extents are at least 1, got " + textOf(type));
  if (hasFailed())
    return Values(results.size());
  Values values;
  for (const ValueType &type : results)
    values.push_back(newValue(type));
  addLine(at, namesOf(values) + (values.empty() ? "" : " = ") + op);
  return values;
}

Value KernelText::add(CallSite at, const ValueType &result, const std::string &op) {
  return add(at, std::vector<ValueType>{result}, op).front();
}

void KernelText::beginRegion() { regions.push_back(++lastRegion); }

Values KernelText::open(const std::vector<ValueType> &results, const std::string &op) {
  Values values;
  for (const ValueType &type : results)
    values.push_back(newValue(type));
  body += indent() + namesOf(values) + (values.empty() ? "" : " = ") + op;
  beginRegion();
  return values;
}

Values KernelText::giveFrom(size_t mark, const std::vector<ValueType> &results,
                            const std::string &op) {
  if (hasFailed())
    return Values(results.size());
  Values values;
  for (const ValueType &type : results)
    values.push_back(newValue(type));
  // `open` has indented it.
  body.insert(mark + indent().size(), namesOf(values) + (values.empty() ? "" : " = ") + op);
  return values;
}

void KernelText::between(const std::string &text) {
  regions.pop_back();
  body += indent() + text;
  beginRegion();
}

void KernelText::close(CallSite at, const std::string &text) {
  regions.pop_back();
  body += indent() + text + locationText(at) + "\n";
}

Value KernelText::regionArgument(const ValueType &type) { return newValue(type); }

void KernelText::addLabel(const std::vector<const Values *> &arguments) {
  std::string list;
  for (const Values *values : arguments)
    for (const Value &value : *values)
      list += (list.empty() ? "" : ", ") + nameOf(value) + ": " + textOf(value.type());
  body += indent() + "^bb0(" + list + "):\n";
}

void KernelText::yield(CallSite at, const std::string &op, const Values &values,
                       const std::vector<ValueType> &types) {
  std::string wanted, given;
  for (const ValueType &type : types)
    wanted += (wanted.empty() ? "" : ", ") + textOf(type);
  for (const Value &value : values) {
    if (!isUsable(at, value))
      return;
    given += (given.empty() ? "" : ", ") + textOf(value.type());
  }
  if (wanted != given)
    return fail(at, "expected a body that gives " + (wanted.empty() ? "nothing" : wanted) +
                        ", got " + (given.empty() ? "nothing" : given));
  addLine(at, op + (values.empty() ? "" : " " + namesOf(values) + " : " + given));
}

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

std::string KernelText::numberText(CallSite at, ScalarType type, const Operand &number) {
  const ScalarTypeInfo &info = scalarTypeInfo(type);
  bool isReal = number.kind == Operand::Kind::Real;
  if (info.isFloat) {
    std::ostringstream digits;
    digits << "0x" << std::uppercase << std::hex << std::setfill('0')
           << std::setw(static_cast<int>(2 * info.bytes)) << floatBits(number.real, type);
    return digits.str();
  }
  if (isReal) {
    fail(at, "expected a whole number for " + std::string(info.name) + ", got " +
                 std::to_string(number.real));
    return "";
  }
  if (type == ScalarType::I1 && (number.integer == 0 || number.integer == 1))
    return number.integer ? "true" : "false";
  // Those without a sign may be written, too: they are the same bits.
  auto bits = static_cast<unsigned>(8 * info.bytes);
  bool isWide = number.real >= 0x1p63;
  bool fits = bits == 64 || (!isWide && number.integer >= -(int64_t(1) << (bits - 1)) &&
                             number.integer < (int64_t(1) << bits));
  if (type == ScalarType::I1 || !fits)
    fail(at, "expected a number that fits " + std::string(info.name) + ", got " +
                 (isWide ? std::to_string(static_cast<uint64_t>(number.integer))
                         : std::to_string(number.integer)));
  return std::to_string(number.integer);
}

//===----------------------------------------------------------------------===//
// The whole
//===----------------------------------------------------------------------===//

/// Whether MLIR reads it as a name behind `@` or `%`.
static bool isName(std::string_view name) {
  auto isLetter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  };
  return !name.empty() && isLetter(name.front()) &&
         std::all_of(name.begin(), name.end(),
                     [&](char c) { return isLetter(c) || (c >= '0' && c <= '9'); });
}

static std::string promisesText(const ValueType &type, const ArgumentPromises &promises) {
  std::string text;
  if (promises.divisible > 1)
    text = std::string(type.isPointer() ? "fsm.align" : "fsm.divisible") + " = " +
           std::to_string(promises.divisible) + " : i32";
  if (promises.isReadOnly)
    text += (text.empty() ? "" : ", ") + std::string("fsm.readonly");
  return text.empty() ? "" : " {" + text + "}";
}

Result<std::string> KernelText::finish(unsigned numWarps) const {
  if (hasFailed())
    return badInput(mistake);
  auto wrong = [](CallSite at, const std::string &sentence) {
    return badInput(std::string(at.file) + ":" + std::to_string(at.line) +
                    ":1: error: " + sentence);
  };
  if (!isName(kernelName))
    return wrong(kernelAt, "expected a name of letters, digits and '_', got '" + kernelName + "'");
  std::string list;
  std::set<std::string> names;
  for (const Argument &argument : arguments) {
    if (!isName(argument.name) || !names.insert(argument.name).second)
      return wrong(argument.at, "expected a name of letters, digits and '_' that no other argument "
                                "has, got '" +
                                    argument.name + "'");
    const ValueType &type = argument.value.type();
    list += (list.empty() ? "%" : ", %") + argument.name + ": " + textOf(type) +
            promisesText(type, argument.promises) + locationText(argument.at);
  }
  std::string text = "fsm.kernel @" + kernelName + "(" + list + ")";
  if (numWarps)
    text += " attributes {num_warps = " + std::to_string(numWarps) + " : i32}";
  return text + " {\n" + body + "  fsm.return" + locationText(kernelAt) + "\n}" +
         locationText(kernelAt) + "\n";
}
