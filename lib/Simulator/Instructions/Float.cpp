//===- Float.cpp - Arithmetic on f32, f64, f16 and bf16 ----------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Packed types run lane by half: the same operation on both halves.

#include "../Program/Decode.h"
#include "Lanes.h"

#include <cfenv>
#include <cmath>

using namespace fsm;
using namespace fsm::sim;

namespace {

using Op = FloatOp::Op;

constexpr std::pair<const char *, Op> kOps[] = {
    {"add", Op::Add}, {"sub", Op::Sub},     {"mul", Op::Mul},          {"div", Op::Div},
    {"fma", Op::Fma}, {"mad", Op::Fma},     {"min", Op::Min},          {"max", Op::Max},
    {"abs", Op::Abs}, {"neg", Op::Neg},     {"ex2", Op::Ex2},          {"lg2", Op::Lg2},
    {"rcp", Op::Rcp}, {"rsqrt", Op::Rsqrt}, {"sqrt", Op::Sqrt},        {"sin", Op::Sin},
    {"cos", Op::Cos}, {"tanh", Op::Tanh},   {"copysign", Op::CopySign}};

/// The smaller or larger one; a number rather than a NaN, -0 below +0.
template <typename T>
T extreme(T a, T b, bool isMin, bool propagatesNaN) {
  if (std::isnan(a) || std::isnan(b))
    return propagatesNaN || (std::isnan(a) && std::isnan(b)) ? T(NAN) : std::isnan(a) ? b : a;
  if (a == b)
    return std::signbit(a) == isMin ? a : b;
  return (a < b) == isMin ? a : b;
}

/// One operation in the host's arithmetic of type T.
template <typename T>
T compute(Op op, T a, T b, T c, bool propagatesNaN) {
  switch (op) {
  case Op::Add:
    return a + b;
  case Op::Sub:
    return a - b;
  case Op::Mul:
    return a * b;
  case Op::Div:
    return a / b;
  case Op::Fma:
    return std::fma(a, b, c);
  case Op::Min:
  case Op::Max:
    return extreme(a, b, op == Op::Min, propagatesNaN);
  case Op::Ex2:
    return static_cast<T>(std::exp2(double(a)));
  case Op::Lg2:
    return static_cast<T>(std::log2(double(a)));
  case Op::Rcp:
    return T(1) / a;
  case Op::Rsqrt:
    return static_cast<T>(1 / std::sqrt(static_cast<long double>(a)));
  case Op::Sqrt:
    return std::sqrt(a);
  case Op::Sin:
    return static_cast<T>(std::sin(double(a)));
  case Op::Cos:
    return static_cast<T>(std::cos(double(a)));
  default:
    return static_cast<T>(std::tanh(double(a)));
  }
}

/// The same, rounded as the mode says; the volatiles keep it between the calls.
template <typename T>
__attribute__((noinline)) T computeRounded(Op op, T a, T b, T c, uint8_t rounding) {
  static constexpr int modes[] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD};
  volatile T x = a, y = b, z = c;
  std::fesetround(modes[rounding]);
  volatile T result = compute<T>(op, x, y, z, false);
  std::fesetround(FE_TONEAREST);
  return result;
}

template <typename T>
T computeNative(const FloatOp &decoded, T a, T b, T c) {
  const FloatMode &mode = decoded.mode;
  T result = mode.rounding ? computeRounded(decoded.op, a, b, c, mode.rounding)
                           : compute(decoded.op, a, b, c, decoded.propagatesNaN);
  if (mode.saturate)
    result = result > 0 ? std::min(result, T(1)) : T(0);
  return result;
}

/// One value of the instruction's type; f16 and bf16 are computed wider and
/// rounded once.
uint64_t computeBits(const FloatOp &decoded, Type type, uint64_t a, uint64_t b, uint64_t c) {
  const Op op = decoded.op;
  const uint64_t sign = uint64_t(1) << (type == Type::F64 ? 63 : type == Type::F32 ? 31 : 15);
  if (decoded.mode.flush) {
    a = flushSubnormal(a, type);
    b = flushSubnormal(b, type);
    c = flushSubnormal(c, type);
  }
  uint64_t result;
  if (op == Op::Abs || op == Op::Neg) {
    result = op == Op::Abs ? a & ~sign : a ^ sign;
  } else if (op == Op::CopySign) {
    result = (b & ~sign) | (a & sign);
  } else if (type == Type::F32) {
    float value = computeNative(decoded, floatOfBits(a), floatOfBits(b), floatOfBits(c));
    result = std::isnan(value) ? 0x7fffffff : bitsOfFloat(value);
  } else if (type == Type::F64) {
    result =
        bitsOfDouble(computeNative(decoded, doubleOfBits(a), doubleOfBits(b), doubleOfBits(c)));
  } else {
    long double value = computeNative<long double>(
        decoded, decodeFloatBits(a, type), decodeFloatBits(b, type), decodeFloatBits(c, type));
    result = encodeFloat(value, type);
  }
  if (decoded.isRelu && ((result & sign) || result == 0))
    result = 0;
  return decoded.mode.flush ? flushSubnormal(result, type) : result;
}

uint64_t computeLane(const Instruction &instruction, uint64_t a, uint64_t b, uint64_t c) {
  Type type = instruction.type, element = elementOf(type);
  const FloatOp &decoded = instruction.as<FloatOp>();
  if (type == element)
    return computeBits(decoded, type, a, b, c);
  return computeBits(decoded, element, a & 0xffff, b & 0xffff, c & 0xffff) |
         computeBits(decoded, element, a >> 16, b >> 16, c >> 16) << 16;
}

void execute(Warp &warp, const Instruction &instruction, uint32_t lanes) {
  const std::vector<Operand> &operands = instruction.operands;
  Undefined none;
  for (size_t index = 1; index < operands.size(); ++index)
    none = none | warp.undefinedOf(operands[index]);
  Values a = warp.read(operands[1], 0);
  Values b = operands.size() > 2 ? warp.read(operands[2], 1) : a;
  Values c = operands.size() > 3 ? warp.read(operands[3], 2) : a;
  uint64_t *d = warp.row(operands[0]);
  forLanes(lanes,
           [&](unsigned lane) { d[lane] = computeLane(instruction, a[lane], b[lane], c[lane]); });
  // The halves of a packed value have nothing to do with each other.
  bool isPacked = elementOf(instruction.type) != instruction.type;
  Undefined result(none.any());
  if (isPacked) {
    result.fill(0, 2, none.anyOf(0, 2));
    result.fill(2, Undefined::kBytes, none.anyOf(2, 4));
  }
  warp.define(operands[0], lanes, result);
}

void executeTestp(Warp &warp, const Instruction &instruction, uint32_t lanes) {
  using Property = FloatTest::Property;
  const Property property = instruction.as<FloatTest>().property;
  map1(warp, instruction, lanes, [&](uint64_t a) -> uint64_t {
    double value = decodeFloatBits(a, instruction.type);
    bool isSubnormal = value != 0 && flushSubnormal(a, instruction.type) != a;
    switch (property) {
    case Property::Finite:
      return std::isfinite(value);
    case Property::Infinite:
      return std::isinf(value);
    case Property::Number:
      return !std::isnan(value);
    case Property::NotANumber:
      return std::isnan(value);
    case Property::Normal:
      return std::isfinite(value) && value != 0 && !isSubnormal;
    default:
      return isSubnormal;
    }
  });
}

} // namespace

bool sim::decodeFloat(Decoder &decoder) {
  Instruction &instruction = decoder.instruction;
  if (instruction.opcode == "testp") {
    instruction.decoded = FloatTest{decoder.need<FloatTest::Property>(
        "a property", {"finite", "infinite", "number", "notanumber", "normal", "subnormal"})};
    instruction.type = decoder.needType();
    decoder.expectOperands(2, 2);
    instruction.execute = executeTestp;
    return true;
  }
  const Op *op = nullptr;
  for (const auto &[name, value] : kOps)
    op = instruction.opcode == name ? &value : op;
  if (!op)
    return false;
  FloatOp decoded;
  decoded.op = *op;
  decoded.mode = decoder.takeFloatMode();
  decoder.ignore({"approx", "full"});
  decoded.propagatesNaN = decoder.take("NaN");
  decoded.isRelu = decoder.take("relu");
  instruction.decoded = decoded;
  instruction.type = decoder.needType();
  bool isUnary = *op >= Op::Abs && *op != Op::CopySign;
  size_t operands = *op == Op::Fma ? 4 : isUnary ? 2 : 3;
  decoder.expectOperands(operands, operands);
  decoder.immediates(instruction.type);
  instruction.execute = execute;
  return true;
}
