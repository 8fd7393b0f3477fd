//===- Compare.cpp - Comparisons and selections -----------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Program/Decode.h"
#include "Lanes.h"

#include <cmath>

using namespace fsm;
using namespace fsm::sim;

namespace {

using Relation = Comparison::Relation;
using Combine = Comparison::Combine;

template <typename T>
bool ordered(Relation comparison, T a, T b) {
  switch (comparison) {
  case Relation::Eq:
  case Relation::Equ:
    return a == b;
  case Relation::Ne:
  case Relation::Neu:
    return a != b;
  case Relation::Lt:
  case Relation::Lo:
  case Relation::Ltu:
    return a < b;
  case Relation::Le:
  case Relation::Ls:
  case Relation::Leu:
    return a <= b;
  case Relation::Gt:
  case Relation::Hi:
  case Relation::Gtu:
    return a > b;
  default:
    return a >= b;
  }
}

bool compareFloats(Relation comparison, double a, double b) {
  bool isNaN = std::isnan(a) || std::isnan(b);
  if (comparison == Relation::Num || comparison == Relation::Nan)
    return isNaN == (comparison == Relation::Nan);
  if (isNaN)
    return comparison >= Relation::Equ;
  return ordered(comparison, a, b);
}

bool compare(const Comparison &decoded, Type type, uint64_t a, uint64_t b) {
  if (isFloat(type)) {
    if (decoded.flush) {
      a = flushSubnormal(a, type);
      b = flushSubnormal(b, type);
    }
    return compareFloats(decoded.relation, decodeFloatBits(a, type), decodeFloatBits(b, type));
  }
  bool result = false;
  withInteger(type, [&](auto tag) {
    using T = decltype(tag);
    result = ordered(decoded.relation, static_cast<T>(a), static_cast<T>(b));
  });
  return result;
}

bool combined(Combine how, bool a, bool b) {
  return how == Combine::And   ? a && b
         : how == Combine::Or  ? a || b
         : how == Combine::Xor ? a != b
                               : a;
}

/// setp p|q, a, b, c: p = (a op b) bool c, q = !(a op b) bool c. The packed
/// types compare the lower halves into p and the upper ones into q.
void executeSetp(Warp &warp, const Instruction &instruction, uint32_t lanes) {
  const std::vector<Operand> &operands = instruction.operands;
  bool isPair = operands[0].kind == Operand::Kind::Pair;
  const Operand &first = isPair ? operands[0].elements[0] : operands[0];
  const Operand &second = isPair ? operands[0].elements[1] : operands[0];
  Undefined none = warp.undefinedOf(operands[1]) | warp.undefinedOf(operands[2]);
  Values a = warp.read(operands[1], 0), b = warp.read(operands[2], 1), c = a;
  if (operands.size() > 3) {
    c = warp.read(operands[3], 2);
    none = none | warp.undefinedOf(operands[3]);
  }
  bool isPacked = instruction.type == Type::F16x2 || instruction.type == Type::BF16x2;
  Type type = elementOf(instruction.type);
  const Comparison &decoded = instruction.as<Comparison>();
  uint64_t p[kLanes], q[kLanes];
  forLanes(lanes, [&](unsigned lane) {
    uint64_t mask = isPacked ? 0xffff : ~uint64_t(0);
    bool low = compare(decoded, type, a[lane] & mask, b[lane] & mask);
    bool high = isPacked ? compare(decoded, type, a[lane] >> 16, b[lane] >> 16) : !low;
    p[lane] = combined(decoded.combine, low, c[lane] & 1);
    q[lane] = combined(decoded.combine, high, c[lane] & 1);
  });
  Undefined either(none.any());
  for (const Operand *result : {&second, &first}) {
    if (result->kind != Operand::Kind::Register)
      continue;
    uint64_t *d = warp.row(*result);
    forLanes(lanes, [&](unsigned lane) { d[lane] = result == &first ? p[lane] : q[lane]; });
    warp.define(*result, lanes, either);
  }
}

/// set.op[.bool].dtype.stype d, a, b[, c]
void executeSet(Warp &warp, const Instruction &instruction, uint32_t lanes) {
  const Comparison &decoded = instruction.as<Comparison>();
  const Type type = decoded.from;
  map2(warp, instruction, lanes, [&](uint64_t a, uint64_t b) -> uint64_t {
    auto result = [&](bool holds) -> uint64_t {
      switch (instruction.type) {
      case Type::F32:
        return holds ? 0x3f800000 : 0;
      case Type::F16:
      case Type::F16x2:
        return holds ? 0x3c00 : 0;
      case Type::BF16:
      case Type::BF16x2:
        return holds ? 0x3f80 : 0;
      default:
        return holds ? 0xffffffffu >> (bitsOf(instruction.type) == 16 ? 16 : 0) : 0;
      }
    };
    if (type != Type::F16x2 && type != Type::BF16x2)
      return result(compare(decoded, type, a, b));
    Type element = elementOf(type);
    return (result(compare(decoded, element, a & 0xffff, b & 0xffff)) & 0xffff) |
           result(compare(decoded, element, a >> 16, b >> 16)) << 16;
  });
}

/// selp d, a, b, p: only the chosen operand must have a value.
void executeSelp(Warp &warp, const Instruction &instruction, uint32_t lanes) {
  const std::vector<Operand> &operands = instruction.operands;
  Values a = warp.read(operands[1], 0), b = warp.read(operands[2], 1),
         p = warp.read(operands[3], 2);
  const Undefined noA = warp.undefinedOf(operands[1]), noB = warp.undefinedOf(operands[2]);
  const uint32_t noP = warp.undefinedOf(operands[3]).any();
  const bool bySign = instruction.as<Selection>().isBySign;
  const Type type = instruction.as<Selection>().from;
  uint64_t *d = warp.row(operands[0]);
  uint32_t chosen = 0;
  forLanes(lanes, [&](unsigned lane) {
    bool isFirst = !bySign             ? p[lane] != 0
                   : type == Type::F32 ? floatOfBits(p[lane]) >= 0
                                       : static_cast<int32_t>(p[lane]) >= 0;
    chosen |= uint32_t(isFirst) << lane;
    d[lane] = isFirst ? a[lane] : b[lane];
  });
  warp.define(operands[0], lanes, (noA & chosen) | (noB & ~chosen) | Undefined(noP));
}

} // namespace

bool sim::decodeCompare(Decoder &decoder) {
  Instruction &instruction = decoder.instruction;
  const std::string &opcode = instruction.opcode;
  if (opcode == "selp" || opcode == "slct") {
    instruction.type = decoder.needType();
    decoder.ignore({"ftz"});
    const bool isBySign = opcode == "slct";
    instruction.decoded = Selection{isBySign, isBySign ? decoder.needType() : Type::None};
    decoder.expectOperands(4, 4);
    decoder.immediates(instruction.type, 1, 3);
    instruction.execute = executeSelp;
    return true;
  }
  if (opcode != "setp" && opcode != "set")
    return false;
  Comparison decoded;
  decoded.relation = decoder.need<Relation>(
      "a comparison", {"eq", "ne", "lt", "le", "gt", "ge", "lo", "ls", "hi", "hs", "equ", "neu",
                       "ltu", "leu", "gtu", "geu", "num", "nan"});
  int combine = decoder.takeOneOf({"and", "or", "xor"});
  decoded.combine = combine < 0 ? Combine::Nothing : static_cast<Combine>(combine);
  decoded.flush = decoder.take("ftz");
  instruction.type = decoder.needType();
  bool isSet = opcode == "set";
  if (isSet)
    decoded.from = decoder.needType();
  instruction.decoded = decoded;
  if (isSet && combine >= 0)
    decoder.unsupported("a boolean operator");
  decoder.expectOperands(combine < 0 ? 3 : 4, combine < 0 ? 3 : 4);
  decoder.immediates(isSet ? decoded.from : instruction.type, 1, 3);
  instruction.execute = isSet ? executeSet : executeSetp;
  return true;
}
