//===- Convert.cpp - cvt -----------------------------------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Program/Decode.h"
#include "Lanes.h"

#include <algorithm>
#include <cmath>
#include <limits>

using namespace fsm;
using namespace fsm::sim;

namespace {

/// A signed result fills the register, whatever its width.
template <typename T> uint64_t fillRegister(const Conversion &decoded, T value) {
  const uint64_t result = std::is_signed_v<T> ? static_cast<uint64_t>(static_cast<int64_t>(value)) : toBits(value);
  const unsigned width = decoded.registerBits;
  return width && width < 64 ? result & ((uint64_t(1) << width) - 1) : result;
}

/// Float to integer: out of range becomes the nearest one, NaN becomes 0 (for
/// 64-bit results of f32 and f64, the hardware's 0x8000000000000000).
uint64_t floatToInteger(const Instruction &instruction, uint64_t bits) {
  const Conversion &decoded = instruction.as<Conversion>();
  if (decoded.mode.flush)
    bits = flushSubnormal(bits, decoded.from);
  long double value = decodeFloatBits(bits, decoded.from);
  if (std::isnan(value))
    return bitsOf(instruction.type) == 64 ? uint64_t(1) << 63 : 0;
  value = roundTo(value, static_cast<Rounding>(decoded.mode.rounding));
  uint64_t result = 0;
  withInteger(instruction.type, [&](auto tag) {
    using T = decltype(tag);
    long double least = static_cast<long double>(std::numeric_limits<T>::min());
    long double most = static_cast<long double>(std::numeric_limits<T>::max());
    result = fillRegister(decoded, static_cast<T>(std::clamp(value, least, most)));
  });
  return result;
}

uint64_t finishFloat(const Conversion &decoded, long double value, Type type) {
  if (decoded.mode.saturate)
    value = value > 0 ? std::min(value, 1.0L) : 0.0L; // NaN becomes 0 as well.
  if (decoded.isFinite && !std::isnan(value))         // .satfinite
    value = std::clamp(value, -largest(type), largest(type));
  uint64_t bits = encodeFloat(value, type, static_cast<Rounding>(decoded.mode.rounding));
  if (decoded.isRelu && (std::signbit(value) && !std::isnan(value)))
    bits = 0; // .relu
  return decoded.mode.flush && type == Type::F32 ? flushSubnormal(bits, type) : bits;
}

uint64_t integerToFloat(const Instruction &instruction, uint64_t bits) {
  const Conversion &decoded = instruction.as<Conversion>();
  uint64_t result = 0;
  withInteger(decoded.from, [&](auto tag) {
    result = finishFloat(decoded, static_cast<long double>(static_cast<decltype(tag)>(bits)),
                         instruction.type);
  });
  return result;
}

uint64_t floatToFloat(const Instruction &instruction, uint64_t bits) {
  const Conversion &decoded = instruction.as<Conversion>();
  if (decoded.mode.flush)
    bits = decoded.from == Type::F32 ? flushSubnormal(bits, Type::F32) : bits;
  long double value = decodeFloatBits(bits, decoded.from);
  if (decoded.isWhole) // A whole number: .rni and its like.
    value = std::copysign(roundTo(value, static_cast<Rounding>(decoded.mode.rounding)), value);
  return finishFloat(decoded, value, instruction.type);
}

uint64_t integerToInteger(const Instruction &instruction, uint64_t bits) {
  const Conversion &decoded = instruction.as<Conversion>();
  uint64_t result = 0;
  withInteger(decoded.from, [&](auto source) {
    __int128 value = static_cast<decltype(source)>(bits);
    withInteger(instruction.type, [&](auto tag) {
      using T = decltype(tag);
      if (decoded.mode.saturate)
        value = std::clamp<__int128>(value, std::numeric_limits<T>::min(),
                                     std::numeric_limits<T>::max());
      result = fillRegister(decoded, static_cast<T>(value));
    });
  });
  return result;
}

void execute(Warp &warp, const Instruction &instruction, uint32_t lanes) {
  const Conversion &decoded = instruction.as<Conversion>();
  bool from = isFloat(decoded.from), to = isFloat(instruction.type);
  const Undefined none = warp.undefinedOf(instruction.operands[1]);
  map1(warp, instruction, lanes, [&](uint64_t a) {
    return from ? to ? floatToFloat(instruction, a) : floatToInteger(instruction, a)
           : to ? integerToFloat(instruction, a)
                : integerToInteger(instruction, a);
  });
  // What is cut off needs no value.
  if (!from && !to && !decoded.mode.saturate)
    warp.define(instruction.operands[0], lanes,
                spread(none, [&](uint64_t a) { return integerToInteger(instruction, a); }));
}

/// cvt.rn.f16x2.f32 d, a, b: a becomes the upper half, b the lower one.
void executePacked(Warp &warp, const Instruction &instruction, uint32_t lanes) {
  const std::vector<Operand> &operands = instruction.operands;
  const Conversion &decoded = instruction.as<Conversion>();
  Type half = elementOf(instruction.type);
  Undefined high = warp.undefinedOf(operands[1]), low = warp.undefinedOf(operands[2]);
  map2(warp, instruction, lanes, [&](uint64_t a, uint64_t b) {
    return finishFloat(decoded, floatOfBits(a), half) << bitsOf(half) |
           finishFloat(decoded, floatOfBits(b), half);
  });
  const unsigned size = bitsOf(half) / 8;
  Undefined none;
  none.fill(0, size, low.any());
  none.fill(size, 2 * size, high.any());
  warp.define(operands[0], lanes, none);
}

/// cvt.rn.f16x2.e4m3x2 d, a and back: each half of its own.
void executeHalves(Warp &warp, const Instruction &instruction, uint32_t lanes) {
  const std::vector<Operand> &operands = instruction.operands;
  Undefined none = warp.undefinedOf(operands[1]);
  const Conversion &decoded = instruction.as<Conversion>();
  Type from = elementOf(decoded.from), to = elementOf(instruction.type);
  auto convert = [&](uint64_t bits) {
    bits &= (uint64_t(1) << bitsOf(from)) - 1;
    return finishFloat(decoded, decodeFloatBits(bits, from), to);
  };
  map1(warp, instruction, lanes,
       [&](uint64_t a) { return convert(a) | convert(a >> bitsOf(from)) << bitsOf(to); });
  const unsigned size = bitsOf(from) / 8, resultSize = bitsOf(to) / 8;
  Undefined result;
  result.fill(0, resultSize, none.anyOf(0, size));
  result.fill(resultSize, 2 * resultSize, none.anyOf(size, 2 * size));
  warp.define(operands[0], lanes, result);
}

/// cvt.rna.tf32.f32 and its like: 10 bits of the fraction are left, and the others are 0.
void executeTf32(Warp &warp, const Instruction &instruction, uint32_t lanes) {
  const Conversion &decoded = instruction.as<Conversion>();
  map1(warp, instruction, lanes, [&](uint64_t a) -> uint64_t {
    constexpr uint32_t kSign = 0x80000000, kInfinity = 0x7f800000, kLost = 0x1fff, kLargest = 0x7f7fe000;
    uint32_t magnitude = static_cast<uint32_t>(a) & ~kSign, sign = static_cast<uint32_t>(a) & kSign;
    if (magnitude > kInfinity)
      return 0x7fffffff;
    if (decoded.isRelu && sign)
      return 0;
    // To the nearest: of two as near the even one, or (.rna) the one further from 0.
    if (!decoded.isCut)
      magnitude += decoded.isAway ? 0x1000 : 0xfff + (magnitude >> 13 & 1);
    magnitude &= ~kLost;
    return sign | (decoded.isFinite ? std::min(magnitude, kLargest) : magnitude);
  });
}

/// Whether it converts to tf32, which registers hold as bits of an f32.
bool decodeTf32(Decoder &decoder, Conversion &decoded) {
  if (!decoder.has("tf32"))
    return false;
  Instruction &instruction = decoder.instruction;
  const auto mode = decoder.needOneOf("how it is rounded", {"rna", "rn", "rz"});
  decoded.isAway = mode == 0, decoded.isCut = mode == 2;
  decoded.isRelu = mode != 0 && decoder.take("relu");
  decoded.isFinite = decoder.take("satfinite");
  decoder.take("tf32");
  decoded.from = decoder.needType();
  if (decoded.from != Type::F32)
    decoder.unsupported("this form");
  decoder.expectOperands(2, 2);
  decoder.immediates(Type::F32);
  instruction.type = Type::B32;
  instruction.decoded = decoded;
  instruction.execute = executeTf32;
  return true;
}

/// cvt.pack.sat.s8.s32.b32 d, a, b, c: the nearest bytes to a and b below two bytes of c, that of b
/// the lowest.
void executeBytes(Warp &warp, const Instruction &instruction, uint32_t lanes) {
  auto byte = [&](uint64_t bits) {
    const int64_t value = static_cast<int32_t>(bits);
    return instruction.type == Type::S8
               ? toBits(static_cast<int8_t>(std::clamp<int64_t>(value, -128, 127)))
               : toBits(static_cast<uint8_t>(std::clamp<int64_t>(value, 0, 255)));
  };
  map3(warp, instruction, lanes, [&](uint64_t a, uint64_t b, uint64_t c) {
    return (c << 16 | byte(a) << 8 | byte(b)) & 0xffffffff;
  });
}

/// Whether it packs bytes.
bool decodeBytes(Decoder &decoder) {
  if (!decoder.take("pack"))
    return false;
  Instruction &instruction = decoder.instruction;
  decoder.needOneOf("how it is rounded", {"sat"});
  instruction.type = decoder.needType();
  const Type from = decoder.needType();
  if ((instruction.type != Type::S8 && instruction.type != Type::U8) || from != Type::S32 ||
      decoder.needType() != Type::B32)
    decoder.unsupported("this form");
  decoder.expectOperands(4, 4);
  decoder.immediates(Type::S32);
  instruction.execute = executeBytes;
  return true;
}

} // namespace

bool sim::decodeConvert(Decoder &decoder) {
  Instruction &instruction = decoder.instruction;
  if (instruction.opcode != "cvt")
    return false;
  int whole = decoder.takeOneOf({"rni", "rzi", "rmi", "rpi"});
  Conversion decoded;
  if (decodeTf32(decoder, decoded) || decodeBytes(decoder))
    return true;
  decoded.mode = decoder.takeFloatMode();
  decoded.isRelu = decoder.take("relu");
  decoded.isFinite = decoder.take("satfinite");
  instruction.type = decoder.needType();
  decoded.from = decoder.needType();
  decoded.isWhole = whole >= 0;
  if (decoded.isWhole)
    decoded.mode.rounding = static_cast<uint8_t>(whole);
  bool isPacked = elementOf(instruction.type) != instruction.type;
  bool isByHalves = isPacked && elementOf(decoded.from) != decoded.from;
  bool isEight = isFloat(instruction.type) && bitsOf(elementOf(instruction.type)) == 8;
  if ((isPacked && !isByHalves && decoded.from != Type::F32) ||
      (!isPacked && elementOf(decoded.from) != decoded.from) ||
      (isPacked && !isFloat(instruction.type)) || (isEight && !isPacked))
    decoder.unsupported("this form");
  if (isEight && !decoded.isFinite)
    fail(instruction.position, "a conversion to 8-bit floats needs '.satfinite'");
  size_t operands = isPacked && !isByHalves ? 3 : 2;
  decoder.expectOperands(operands, operands);
  decoder.immediates(decoded.from);
  const Operand &target = instruction.operands[0];
  if (target.kind == Operand::Kind::Register)
    decoded.registerBits = decoder.function.registerBits[target.index];
  instruction.decoded = decoded;
  instruction.execute = isByHalves ? executeHalves : isPacked ? executePacked : execute;
  return true;
}
