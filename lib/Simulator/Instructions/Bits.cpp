//===- Bits.cpp - Logic, shifts and bit fields ------------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Program/Decode.h"
#include "Lanes.h"

#include <algorithm>

using namespace fsm;
using namespace fsm::sim;

namespace {

using Op = BitsOp::Op;

constexpr std::pair<const char *, Op> kOps[] = {
    {"and", Op::And},   {"or", Op::Or},     {"xor", Op::Xor}, {"not", Op::Not},
    {"cnot", Op::Cnot}, {"shl", Op::Shl},   {"shr", Op::Shr}, {"popc", Op::Popc},
    {"clz", Op::Clz},   {"brev", Op::Brev}, {"bfe", Op::Bfe}, {"bfi", Op::Bfi},
    {"prmt", Op::Prmt}, {"lop3", Op::Lop3}, {"shf", Op::Shf}, {"bfind", Op::Bfind}};

uint64_t maskOf(Type type) {
  unsigned bits = bitsOf(type);
  return bits >= 64 ? ~uint64_t(0) : (uint64_t(1) << bits) - 1;
}

int64_t signExtend(uint64_t value, unsigned bits) {
  return static_cast<int64_t>(value << (64 - bits)) >> (64 - bits);
}

uint64_t shift(Op op, Type type, uint64_t a, uint64_t b) {
  unsigned bits = bitsOf(type);
  uint64_t count = std::min<uint64_t>(b & 0xffffffff, bits);
  if (op == Op::Shl)
    return count == bits ? 0 : a << count & maskOf(type);
  if (isSigned(type))
    return static_cast<uint64_t>(signExtend(a, bits) >> std::min<uint64_t>(count, bits - 1)) &
           maskOf(type);
  return count == bits ? 0 : a >> count;
}

uint64_t combine(Op op, Type type, uint64_t a, uint64_t b) {
  switch (op) {
  case Op::And:
    return a & b;
  case Op::Or:
    return a | b;
  case Op::Xor:
    return a ^ b;
  default:
    return shift(op, type, a, b);
  }
}

bool isNumber(const Operand &operand) { return operand.kind == Operand::Kind::Integer; }

/// Bytes without a value stay apart from the others where a number says what
/// becomes of each, and in logic.
void executeBinary(Warp &warp, const Instruction &instruction, uint32_t lanes) {
  const std::vector<Operand> &operands = instruction.operands;
  const Op op = instruction.as<BitsOp>().op;
  const Type type = instruction.type;
  const bool isLogic = op == Op::And || op == Op::Or || op == Op::Xor;
  const Undefined noA = warp.undefinedOf(operands[1]), noB = warp.undefinedOf(operands[2]);
  map2(warp, instruction, lanes, [&](uint64_t a, uint64_t b) { return combine(op, type, a, b); });
  if (isNumber(operands[2]))
    warp.define(operands[0], lanes,
                spread(noA, [&](uint64_t a) { return combine(op, type, a, operands[2].bits); }));
  else if (isLogic)
    warp.define(operands[0], lanes, noA | noB);
}

uint64_t reverse(uint64_t value, unsigned bits) {
  uint64_t result = 0;
  for (unsigned bit = 0; bit < bits; ++bit)
    result |= (value >> bit & 1) << (bits - 1 - bit);
  return result;
}

void executeUnary(Warp &warp, const Instruction &instruction, uint32_t lanes) {
  const Type type = instruction.type;
  const unsigned bits = bitsOf(type);
  const BitsOp &decoded = instruction.as<BitsOp>();
  map1(warp, instruction, lanes, [&](uint64_t a) -> uint64_t {
    switch (decoded.op) {
    case Op::Not:
      return ~a & maskOf(type);
    case Op::Cnot:
      return a == 0;
    case Op::Popc:
      return static_cast<uint64_t>(__builtin_popcountll(a));
    case Op::Clz:
      return a ? static_cast<uint64_t>(__builtin_clzll(a)) - (64 - bits) : bits;
    case Op::Brev:
      return reverse(a, bits);
    default: { // bfind
      uint64_t value = isSigned(type) && a >> (bits - 1) ? ~a & maskOf(type) : a;
      if (!value)
        return 0xffffffff;
      uint64_t position = 63 - static_cast<uint64_t>(__builtin_clzll(value));
      return decoded.isDistance ? bits - 1 - position : position;
    }
    }
  });
}

uint64_t extract(Type type, uint64_t a, uint64_t start, uint64_t length) {
  unsigned bits = bitsOf(type);
  start &= 0xff;
  length &= 0xff;
  if (length == 0)
    return 0;
  uint64_t last = std::min<uint64_t>(start + length - 1, bits - 1);
  bool sign = isSigned(type) && (a >> last & 1);
  uint64_t result = 0;
  for (uint64_t bit = 0; bit < bits; ++bit) {
    bool isIn = bit < length && start + bit < bits;
    result |= uint64_t(isIn ? a >> (start + bit) & 1 : sign) << bit;
  }
  return result;
}

uint64_t permute(uint64_t a, uint64_t b, uint64_t selector) {
  uint64_t bytes = (a & 0xffffffff) | b << 32, result = 0;
  for (unsigned index = 0; index < 4; ++index) {
    uint64_t choice = selector >> (4 * index) & 15;
    uint64_t byte = bytes >> (8 * (choice & 7)) & 0xff;
    if (choice & 8)
      byte = byte & 0x80 ? 0xff : 0;
    result |= byte << (8 * index);
  }
  return result;
}

/// The selectors that prmt's modes stand for, from the PTX manual's table.
uint64_t selectorOf(uint8_t mode, uint64_t c) {
  static constexpr uint16_t selectors[6][4] = {
      {0x3210, 0x4321, 0x5432, 0x6543}, {0x5670, 0x6701, 0x7012, 0x0123},
      {0x0000, 0x1111, 0x2222, 0x3333}, {0x3210, 0x3211, 0x3222, 0x3333},
      {0x0000, 0x1110, 0x2210, 0x3210}, {0x1010, 0x3232, 0x1010, 0x3232}};
  return mode ? selectors[mode - 1][c & 3] : c;
}

uint64_t funnel(bool isLeft, bool clamps, uint64_t a, uint64_t b, uint64_t c) {
  uint64_t count = clamps ? std::min<uint64_t>(c & 0xffffffff, 32) : c & 31;
  uint64_t both = b << 32 | (a & 0xffffffff);
  if (isLeft)
    return count == 32 ? a & 0xffffffff : (both << count) >> 32;
  return both >> count & 0xffffffff;
}

void executeTernary(Warp &warp, const Instruction &instruction, uint32_t lanes) {
  const std::vector<Operand> &operands = instruction.operands;
  const Op op = instruction.as<BitsOp>().op;
  const BitsOp &decoded = instruction.as<BitsOp>();
  auto compute = [&](uint64_t a, uint64_t b, uint64_t c) {
    switch (op) {
    case Op::Bfe:
      return extract(instruction.type, a, b, c);
    case Op::Shf:
      return funnel(decoded.isLeft, decoded.clamps, a, b, c);
    default:
      return permute(a, b, selectorOf(decoded.mode, c));
    }
  };
  const Undefined noA = warp.undefinedOf(operands[1]), noB = warp.undefinedOf(operands[2]);
  map3(warp, instruction, lanes, compute);
  const uint64_t b = operands[2].bits, c = operands[3].bits;
  if (!isNumber(operands[3]) || (op == Op::Bfe && !isNumber(operands[2])))
    return;
  Undefined none =
      spread(noA, [&](uint64_t a) { return compute(a, op == Op::Bfe ? b : uint64_t(0), c); });
  if (op != Op::Bfe)
    none = none | spread(noB, [&](uint64_t other) { return compute(0, other, c); });
  warp.define(operands[0], lanes, none);
}

uint64_t insert(Type type, uint64_t a, uint64_t b, uint64_t start, uint64_t length) {
  start &= 0xff;
  length &= 0xff;
  for (uint64_t bit = start; bit < start + length && bit < bitsOf(type); ++bit)
    b = (b & ~(uint64_t(1) << bit)) | (a >> (bit - start) & 1) << bit;
  return b;
}

uint64_t look(Type type, uint64_t a, uint64_t b, uint64_t c, uint64_t table) {
  uint64_t result = 0;
  for (unsigned bit = 0; bit < bitsOf(type); ++bit) {
    uint64_t row = (a >> bit & 1) << 2 | (b >> bit & 1) << 1 | (c >> bit & 1);
    result |= (table >> row & 1) << bit;
  }
  return result;
}

/// bfi and lop3: four sources.
void executeQuaternary(Warp &warp, const Instruction &instruction, uint32_t lanes) {
  const std::vector<Operand> &operands = instruction.operands;
  Values a = warp.read(operands[1], 0), b = warp.read(operands[2], 1),
         c = warp.read(operands[3], 2), e = warp.read(operands[4], 3);
  const Undefined noA = warp.undefinedOf(operands[1]), noB = warp.undefinedOf(operands[2]),
                  noC = warp.undefinedOf(operands[3]);
  uint64_t *d = warp.row(operands[0]);
  const Type type = instruction.type;
  const bool isInsert = instruction.as<BitsOp>().op == Op::Bfi;
  forLanes(lanes, [&](unsigned lane) {
    d[lane] = isInsert ? insert(type, a[lane], b[lane], c[lane], e[lane])
                       : look(type, a[lane], b[lane], c[lane], e[lane]);
  });
  Undefined none = noA | noB | noC;
  if (isInsert && isNumber(operands[3]) && isNumber(operands[4]))
    none = spread(noA, [&](uint64_t bits) { return insert(type, bits, 0, c[0], e[0]); }) |
           spread(noB, [&](uint64_t bits) { return insert(type, 0, bits, c[0], e[0]); });
  else if (isInsert)
    none = Undefined((none | warp.undefinedOf(operands[4])).any());
  warp.define(operands[0], lanes, none);
}

} // namespace

bool sim::decodeBits(Decoder &decoder) {
  Instruction &instruction = decoder.instruction;
  const Op *found = nullptr;
  for (const auto &[name, value] : kOps)
    found = instruction.opcode == name ? &value : found;
  if (!found)
    return false;
  Op op = *found;
  BitsOp decoded;
  decoded.op = op;
  if (op == Op::Shf) {
    decoded.isLeft = decoder.needOneOf("a direction", {"l", "r"}) == 0;
    decoded.clamps = decoder.needOneOf("a mode", {"clamp", "wrap"}) == 0;
  } else if (op == Op::Prmt) {
    decoded.mode =
        static_cast<uint8_t>(decoder.takeOneOf({"f4e", "b4e", "rc8", "ecl", "ecr", "rc16"}) + 1);
  } else if (op == Op::Bfind) {
    decoded.isDistance = decoder.take("shiftamt");
  }
  instruction.decoded = decoded;
  instruction.type = decoder.needType();
  bool isUnary = op == Op::Not || op == Op::Cnot || op == Op::Popc || op == Op::Clz ||
                 op == Op::Brev || op == Op::Bfind;
  bool isTernary = op == Op::Bfe || op == Op::Prmt || op == Op::Shf;
  bool isQuaternary = op == Op::Bfi || op == Op::Lop3;
  size_t operands = isUnary ? 2 : isTernary ? 4 : isQuaternary ? 5 : 3;
  decoder.expectOperands(operands, operands);
  bool isShift = op == Op::Shl || op == Op::Shr;
  decoder.immediates(instruction.type, 1, isShift || op == Op::Bfe ? 2 : operands);
  if (isShift || op == Op::Bfe)
    decoder.immediates(Type::B32, 2);
  instruction.execute = isUnary        ? executeUnary
                        : isTernary    ? executeTernary
                        : isQuaternary ? executeQuaternary
                                       : executeBinary;
  return true;
}
