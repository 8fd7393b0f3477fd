//===- Arithmetic.cpp - Element by element -------------------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Builder/Functions.h"

#include "Operands.h"

using namespace fsm;

/// What to write for floats, for integers and for i1; empty where it does not go.
struct Spelling {
  const char *floats, *integers, *truths;
};

static bool isTruth(const ValueType &type) {
  return type.isInteger() && type.element == ScalarType::I1;
}

/// f8 is loaded, stored and converted, never computed on.
static bool isStored(ScalarType type) {
  return type == ScalarType::F8E4M3FN || type == ScalarType::F8E5M2;
}

static std::string spell(Operands &operands, const ValueType &type, const char *what,
                         Spelling spelling) {
  std::string op = isStored(type.element) ? ""
                   : type.isFloat()       ? spelling.floats
                   : isTruth(type)        ? spelling.truths
                                          : spelling.integers;
  if (op.empty())
    operands.fail(std::string("'") + what + "' is not for " + textOf(type));
  return op;
}

static Value arithmetic(const char *what, Spelling spelling,
                        std::initializer_list<const Operand *> given) {
  Operands operands(given);
  Values values = operands.alike({given.begin(), given.end()});
  if (values.empty())
    return {};
  std::string op = spell(operands, values.front().type(), what, spelling);
  if (op.empty())
    return {};
  // `arith.addi %1, %2 overflow<nsw> : i32`
  size_t behind = op.find(' ');
  const ValueType &type = values.front().type();
  return operands.kernel().add(operands.at(), type,
                               op.substr(0, behind) + " " + KernelText::namesOf(values) +
                                   (behind == std::string::npos ? "" : op.substr(behind)) + " : " +
                                   textOf(type));
}

static Value compare(const char *what, Spelling spelling, const Operand &left,
                     const Operand &right) {
  Operands operands({&left, &right});
  Values values = operands.alike({&left, &right});
  if (values.empty())
    return {};
  const ValueType &type = values.front().type();
  std::string op = spell(operands, type, what, spelling);
  if (op.empty())
    return {};
  return operands.kernel().add(operands.at(), ValueType{ScalarType::I1, 0, type.shape},
                               op + ", " + KernelText::namesOf(values) + " : " + textOf(type));
}

//===----------------------------------------------------------------------===//
// Operators
//===----------------------------------------------------------------------===//

/// A pointer that is moved by a scalar integer; nothing where there is no pointer.
static bool isPointer(const Operand &operand) {
  return operand.kind == Operand::Kind::Value && operand.value.type().isPointer();
}

static Value movePointer(const Operand &pointer, const Operand &by) {
  Operands operands({&pointer, &by});
  if (!operands.isUsable())
    return {};
  bool isLong = by.kind == Operand::Kind::Value && by.value.type().element == ScalarType::I64;
  Value offset = operands.scalar(by, isLong ? ScalarType::I64 : ScalarType::I32,
                                 "a scalar to move a pointer by",
                                 "; a load and a store take offsets of their own");
  if (!operands.isUsable())
    return {};
  const ValueType &type = pointer.value.type();
  return operands.kernel().add(operands.at(), type,
                               "fsm.offset " + KernelText::namesOf({pointer.value, offset}) +
                                   " : " + textOf(type) + ", " + textOf(offset.type()));
}

Value fsm::operator+(const Operand &left, const Operand &right) {
  if (isPointer(left) || isPointer(right))
    return isPointer(left) ? movePointer(left, right) : movePointer(right, left);
  return arithmetic("+", {"arith.addf", "arith.addi overflow<nsw>", ""}, {&left, &right});
}

Value fsm::operator-(const Operand &left, const Operand &right) {
  return arithmetic("-", {"arith.subf", "arith.subi overflow<nsw>", ""}, {&left, &right});
}

Value fsm::operator*(const Operand &left, const Operand &right) {
  return arithmetic("*", {"arith.mulf", "arith.muli overflow<nsw>", ""}, {&left, &right});
}

Value fsm::operator/(const Operand &left, const Operand &right) {
  return arithmetic("/", {"arith.divf", "arith.divsi", ""}, {&left, &right});
}

Value fsm::operator%(const Operand &left, const Operand &right) {
  return arithmetic("%", {"arith.remf", "arith.remsi", ""}, {&left, &right});
}

Value fsm::operator-(const Operand &value) {
  Operand zero(0, value.at.file, value.at.line);
  if (value.kind == Operand::Kind::Value && value.value.type().isInteger())
    return arithmetic("-", {"", "arith.subi overflow<nsw>", ""}, {&zero, &value});
  return arithmetic("-", {"arith.negf", "", ""}, {&value});
}

Value fsm::operator<(const Operand &left, const Operand &right) {
  return compare("<", {"arith.cmpf olt", "arith.cmpi slt", ""}, left, right);
}

Value fsm::operator<=(const Operand &left, const Operand &right) {
  return compare("<=", {"arith.cmpf ole", "arith.cmpi sle", ""}, left, right);
}

Value fsm::operator>(const Operand &left, const Operand &right) {
  return compare(">", {"arith.cmpf ogt", "arith.cmpi sgt", ""}, left, right);
}

Value fsm::operator>=(const Operand &left, const Operand &right) {
  return compare(">=", {"arith.cmpf oge", "arith.cmpi sge", ""}, left, right);
}

Value fsm::operator==(const Operand &left, const Operand &right) {
  return compare("==", {"arith.cmpf oeq", "arith.cmpi eq", "arith.cmpi eq"}, left, right);
}

Value fsm::operator!=(const Operand &left, const Operand &right) {
  return compare("!=", {"arith.cmpf une", "arith.cmpi ne", "arith.cmpi ne"}, left, right);
}

Value fsm::operator&(const Operand &left, const Operand &right) {
  return arithmetic("&", {"", "arith.andi", "arith.andi"}, {&left, &right});
}

Value fsm::operator|(const Operand &left, const Operand &right) {
  return arithmetic("|", {"", "arith.ori", "arith.ori"}, {&left, &right});
}

Value fsm::operator^(const Operand &left, const Operand &right) {
  return arithmetic("^", {"", "arith.xori", "arith.xori"}, {&left, &right});
}

Value fsm::operator<<(const Operand &left, const Operand &right) {
  return arithmetic("<<", {"", "arith.shli", ""}, {&left, &right});
}

Value fsm::operator>>(const Operand &left, const Operand &right) {
  return arithmetic(">>", {"", "arith.shrsi", ""}, {&left, &right});
}

Value fsm::operator~(const Operand &value) {
  Operand ones(-1, value.at.file, value.at.line);
  return arithmetic("~", {"", "arith.xori", ""}, {&value, &ones});
}

Value fsm::operator!(const Operand &value) {
  Operand one(1, value.at.file, value.at.line);
  return arithmetic("!", {"", "", "arith.xori"}, {&value, &one});
}

Value fsm::wrapping::add(const Operand &left, const Operand &right) {
  return arithmetic("wrapping::add", {"", "arith.addi", ""}, {&left, &right});
}

Value fsm::wrapping::subtract(const Operand &left, const Operand &right) {
  return arithmetic("wrapping::subtract", {"", "arith.subi", ""}, {&left, &right});
}

Value fsm::wrapping::multiply(const Operand &left, const Operand &right) {
  return arithmetic("wrapping::multiply", {"", "arith.muli", ""}, {&left, &right});
}

Value fsm::natural::divide(const Operand &left, const Operand &right) {
  return arithmetic("natural::divide", {"", "arith.divui", ""}, {&left, &right});
}

Value fsm::natural::remainder(const Operand &left, const Operand &right) {
  return arithmetic("natural::remainder", {"", "arith.remui", ""}, {&left, &right});
}

Value fsm::natural::shiftRight(const Operand &left, const Operand &right) {
  return arithmetic("natural::shiftRight", {"", "arith.shrui", ""}, {&left, &right});
}

Value fsm::natural::less(const Operand &left, const Operand &right) {
  return compare("natural::less", {"", "arith.cmpi ult", ""}, left, right);
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

Value fsm::maximum(const Operand &left, const Operand &right) {
  return arithmetic("maximum", {"arith.maxnumf", "arith.maxsi", ""}, {&left, &right});
}

Value fsm::minimum(const Operand &left, const Operand &right) {
  return arithmetic("minimum", {"arith.minnumf", "arith.minsi", ""}, {&left, &right});
}

Value fsm::select(const Operand &condition, const Operand &first, const Operand &second) {
  Operands operands({&condition, &first, &second});
  Values values = operands.alike({&first, &second});
  if (values.empty())
    return {};
  const Shape &given = condition.value.shape();
  std::optional<Shape> shape = commonShape(given, values.front().shape());
  if (!shape)
    return operands.fail("expected a condition that can be repeated to " +
                         shapeText(values.front().shape()) + ", got " + shapeText(given));
  // One condition may choose whole blocks.
  Value truth = operands.as(condition, ScalarType::I1, given.empty() ? given : *shape);
  for (Value &value : values)
    value = operands.broadcast(value, *shape);
  if (!operands.isUsable())
    return {};
  std::string types = truth.type().isBlock() ? textOf(truth.type()) + ", " : "";
  const ValueType &type = values.front().type();
  return operands.kernel().add(operands.at(), type,
                               "arith.select " + KernelText::nameOf(truth) + ", " +
                                   KernelText::namesOf(values) + " : " + types + textOf(type));
}

#define FSM_FUNCTION(name, floats, integers)                                                       \
  Value fsm::name(const Operand &value) {                                                          \
    return arithmetic(#name, {floats, integers, ""}, {&value});                                    \
  }
FSM_FUNCTION(abs, "math.absf", "math.absi")
FSM_FUNCTION(ceil, "math.ceil", "")
FSM_FUNCTION(cos, "math.cos", "")
FSM_FUNCTION(erf, "math.erf", "")
FSM_FUNCTION(exp, "math.exp", "")
FSM_FUNCTION(exp2, "math.exp2", "")
FSM_FUNCTION(expm1, "math.expm1", "")
FSM_FUNCTION(floor, "math.floor", "")
FSM_FUNCTION(log, "math.log", "")
FSM_FUNCTION(log1p, "math.log1p", "")
FSM_FUNCTION(log2, "math.log2", "")
FSM_FUNCTION(round, "math.roundeven", "")
FSM_FUNCTION(rsqrt, "math.rsqrt", "")
FSM_FUNCTION(sin, "math.sin", "")
FSM_FUNCTION(sqrt, "math.sqrt", "")
FSM_FUNCTION(tanh, "math.tanh", "")
#undef FSM_FUNCTION

Value fsm::pow(const Operand &base, const Operand &exponent) {
  return arithmetic("pow", {"math.powf", "", ""}, {&base, &exponent});
}

Value fsm::fma(const Operand &x, const Operand &y, const Operand &z) {
  return arithmetic("fma", {"math.fma", "", ""}, {&x, &y, &z});
}

//===----------------------------------------------------------------------===//
// Conversions
//===----------------------------------------------------------------------===//

/// The op that converts one element type to another, or nothing where it takes a comparison.
static std::string conversion(const ValueType &from, ScalarType to, bool isNatural) {
  const ScalarTypeInfo &given = scalarTypeInfo(from.element), &wanted = scalarTypeInfo(to);
  bool isUnsigned = isNatural || from.element == ScalarType::I1;
  if (given.isFloat && wanted.isFloat) {
    if (isStored(from.element) || isStored(to) || given.bytes == wanted.bytes)
      return "fsm.convert";
    return given.bytes < wanted.bytes ? "arith.extf" : "arith.truncf";
  }
  if (given.isFloat)
    return isNatural ? "arith.fptoui" : "arith.fptosi";
  if (wanted.isFloat)
    return isUnsigned ? "arith.uitofp" : "arith.sitofp";
  // An i1 takes a byte in memory, as an i8 does.
  bool isLonger = given.bytes < wanted.bytes || from.element == ScalarType::I1;
  return isLonger ? (isUnsigned ? "arith.extui" : "arith.extsi") : "arith.trunci";
}

static Value convertTo(const Operand &operand, ScalarType type, bool isNatural) {
  Operands operands({&operand});
  if (!operands.isUsable())
    return {};
  const ValueType &from = operand.value.type();
  ValueType to{type, 0, from.shape};
  if (from.isPointer() || (isStored(from.element) && !to.isFloat()) ||
      (isStored(type) && !from.isFloat()))
    return operands.fail("expected a conversion that there is, got one of " + textOf(from) +
                         " to " + textOf(to));
  if (from == to)
    return operand.value;
  if (type == ScalarType::I1)
    return operand != Operand(0, operand.at.file, operand.at.line);
  std::string op = conversion(from, type, isNatural);
  bool isOurs = op == "fsm.convert";
  return operands.kernel().add(operands.at(), to,
                               op + " " + KernelText::nameOf(operand.value) +
                                   (isOurs ? " rounding = nearest_even" : "") + " : " +
                                   textOf(from) + (isOurs ? " -> " : " to ") + textOf(to));
}

Value fsm::convert(const Operand &value, ScalarType type) { return convertTo(value, type, false); }

Value fsm::natural::convert(const Operand &value, ScalarType type) {
  return convertTo(value, type, true);
}

Value fsm::bitcast(const Operand &operand, ScalarType type) {
  Operands operands({&operand});
  if (!operands.isUsable())
    return {};
  const ValueType &from = operand.value.type();
  ValueType to{type, 0, from.shape};
  bool isOfOneBit = (from.element == ScalarType::I1) != (type == ScalarType::I1);
  if (from.isPointer() || isOfOneBit ||
      scalarTypeInfo(from.element).bytes != scalarTypeInfo(type).bytes)
    return operands.fail("expected as many bits, got " + textOf(from) + " and " + textOf(to));
  if (from == to)
    return operand.value;
  return operands.kernel().add(operands.at(), to,
                               "arith.bitcast " + KernelText::nameOf(operand.value) + " : " +
                                   textOf(from) + " to " + textOf(to));
}
