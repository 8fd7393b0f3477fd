//===- Integer.cpp - Integer arithmetic ----------------------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Program/Decode.h"
#include "Lanes.h"

#include <algorithm>
#include <limits>
#include <map>

using namespace fsm;
using namespace fsm::sim;

namespace {

using Op = IntegerOp::Op;
using Part = IntegerProduct::Part;

template <typename T>
T clamp(__int128 value) {
  __int128 least = std::numeric_limits<T>::min(), most = std::numeric_limits<T>::max();
  return static_cast<T>(std::clamp(value, least, most));
}

template <typename T>
T quotient(T a, T b, bool isRemainder) {
  // The hardware's results where C++ has none.
  if (b == 0)
    return isRemainder ? a : static_cast<T>(-1);
  if (std::is_signed_v<T> && b == static_cast<T>(-1))
    return isRemainder ? T(0) : static_cast<T>(0 - static_cast<std::make_unsigned_t<T>>(a));
  return static_cast<T>(isRemainder ? a % b : a / b);
}

template <typename T>
T product(T a, T b, Part part) {
  // Twice the bits, extended by the operands' sign, and unsigned, so that nothing overflows:
  // a product's low bits are the same for both.
  using Wide = unsigned __int128;
  Wide whole =
      static_cast<Wide>(static_cast<std::conditional_t<std::is_signed_v<T>, __int128, Wide>>(a)) *
      static_cast<Wide>(static_cast<std::conditional_t<std::is_signed_v<T>, __int128, Wide>>(b));
  return static_cast<T>(part == Part::High ? whole >> (8 * sizeof(T)) : whole);
}

template <typename T>
T compute(Op op, T a, T b, bool saturates) {
  using U = std::make_unsigned_t<T>;
  switch (op) {
  case Op::Add:
    return saturates ? clamp<T>(static_cast<__int128>(a) + b) : static_cast<T>(U(a) + U(b));
  case Op::Sub:
    return saturates ? clamp<T>(static_cast<__int128>(a) - b) : static_cast<T>(U(a) - U(b));
  case Op::Div:
    return quotient(a, b, false);
  case Op::Rem:
    return quotient(a, b, true);
  case Op::Min:
    return std::min(a, b);
  default:
    return std::max(a, b);
  }
}

void executeBinary(Warp &warp, const Instruction &instruction, uint32_t lanes) {
  withInteger(instruction.type, [&](auto tag) {
    using T = decltype(tag);
    const Op op = instruction.as<IntegerOp>().op;
    const bool saturates = instruction.as<IntegerOp>().saturate;
    if (instruction.as<IntegerOp>().isRelu)
      return map2(warp, instruction, lanes, [&](uint64_t a, uint64_t b) {
        T value = compute(op, static_cast<T>(a), static_cast<T>(b), saturates);
        return value < 0 ? 0 : toBits(value);
      });
    if (op == Op::Add && !saturates)
      return map2(warp, instruction, lanes,
                  [](uint64_t a, uint64_t b) { return toBits(static_cast<T>(a + b)); });
    map2(warp, instruction, lanes, [&](uint64_t a, uint64_t b) {
      return toBits(compute(op, static_cast<T>(a), static_cast<T>(b), saturates));
    });
  });
}

/// Two integers of 16 bits in one register.
void executePacked(Warp &warp, const Instruction &instruction, uint32_t lanes) {
  const IntegerOp &decoded = instruction.as<IntegerOp>();
  withInteger(elementOf(instruction.type), [&](auto tag) {
    using T = decltype(tag);
    map2(warp, instruction, lanes, [&](uint64_t a, uint64_t b) {
      auto half = [&](unsigned shift) {
        T value = compute(decoded.op, static_cast<T>(a >> shift), static_cast<T>(b >> shift),
                          decoded.saturate);
        return (decoded.isRelu && value < 0 ? 0 : toBits(value)) << shift;
      };
      return half(0) | half(16);
    });
  });
}

/// dp4a and dp2a: four bytes of `b` by four bytes, or by two of the 16-bit
/// halves, of `a`; the sum and `c`.
void executeDot(Warp &warp, const Instruction &instruction, uint32_t lanes) {
  const ByteDot &decoded = instruction.as<ByteDot>();
  const bool isByBytes = decoded.isByBytes;
  auto part = [](uint64_t value, unsigned index, unsigned bits, bool isSignedType) {
    uint64_t one = value >> (index * bits) & ((uint64_t(1) << bits) - 1);
    return isSignedType && one >> (bits - 1) ? static_cast<int64_t>(one) - (int64_t(1) << bits)
                                             : static_cast<int64_t>(one);
  };
  map3(warp, instruction, lanes, [&](uint64_t a, uint64_t b, uint64_t c) {
    int64_t sum = static_cast<int64_t>(c);
    for (unsigned index = 0; index < (isByBytes ? 4 : 2); ++index)
      sum += part(a, index, isByBytes ? 8 : 16, isSigned(instruction.type)) *
             part(b, index + (decoded.takesUpperHalf ? 2 : 0), 8, isSigned(decoded.from));
    return static_cast<uint64_t>(sum) & 0xffffffff;
  });
}

/// mul24 and mad24: the product of the low 24 bits.
void executeShortProduct(Warp &warp, const Instruction &instruction, uint32_t lanes) {
  const std::vector<Operand> &operands = instruction.operands;
  const bool adds = operands.size() > 3;
  const bool isHigh = instruction.as<IntegerProduct>().part == Part::High;
  auto extend = [&](uint64_t value) {
    int64_t low = static_cast<int64_t>(value & 0xffffff);
    return isSigned(instruction.type) && low >> 23 ? low - (int64_t(1) << 24) : low;
  };
  Values c = adds ? warp.read(operands[3], 2) : Values{};
  Undefined noC = adds ? warp.undefinedOf(operands[3]) : Undefined();
  Values a = warp.read(operands[1], 0), b = warp.read(operands[2], 1);
  Undefined none = warp.undefinedOf(operands[1]) | warp.undefinedOf(operands[2]) | noC;
  uint64_t *d = warp.row(operands[0]);
  forLanes(lanes, [&](unsigned lane) {
    int64_t product = extend(a[lane]) * extend(b[lane]);
    uint64_t kept = static_cast<uint64_t>(isHigh ? product >> 16 : product);
    d[lane] = (kept + (adds ? c[lane] : 0)) & 0xffffffff;
  });
  warp.define(operands[0], lanes, Undefined(none.any()));
}

void executeMul(Warp &warp, const Instruction &instruction, uint32_t lanes) {
  withInteger(instruction.type, [&](auto tag) {
    using T = decltype(tag);
    const Part part = instruction.as<IntegerProduct>().part;
    map2(warp, instruction, lanes, [&](uint64_t a, uint64_t b) {
      if (part == Part::Wide) {
        uint64_t wide =
            static_cast<uint64_t>(static_cast<T>(a)) * static_cast<uint64_t>(static_cast<T>(b));
        return sizeof(T) == 2 ? wide & 0xffffffff : wide;
      }
      return toBits(product(static_cast<T>(a), static_cast<T>(b), part));
    });
  });
}

void executeMad(Warp &warp, const Instruction &instruction, uint32_t lanes) {
  withInteger(instruction.type, [&](auto tag) {
    using T = decltype(tag);
    const Part part = instruction.as<IntegerProduct>().part;
    const bool saturates = instruction.as<IntegerProduct>().saturate;
    map3(warp, instruction, lanes, [&](uint64_t a, uint64_t b, uint64_t c) {
      if (part == Part::Wide) {
        uint64_t wide =
            static_cast<uint64_t>(static_cast<T>(a)) * static_cast<uint64_t>(static_cast<T>(b)) + c;
        return sizeof(T) == 2 ? wide & 0xffffffff : wide;
      }
      T high = product(static_cast<T>(a), static_cast<T>(b), part);
      return toBits(compute(Op::Add, high, static_cast<T>(c), saturates));
    });
  });
}

void executeUnary(Warp &warp, const Instruction &instruction, uint32_t lanes) {
  withInteger(instruction.type, [&](auto tag) {
    using T = decltype(tag);
    bool isAbs = instruction.as<IntegerOp>().op == Op::Abs;
    map1(warp, instruction, lanes, [&](uint64_t a) {
      bool keeps = isAbs && static_cast<T>(a) >= 0;
      return toBits(static_cast<T>(keeps ? a : 0 - a));
    });
  });
}

void executeSad(Warp &warp, const Instruction &instruction, uint32_t lanes) {
  withInteger(instruction.type, [&](auto tag) {
    using T = decltype(tag);
    map3(warp, instruction, lanes, [&](uint64_t a, uint64_t b, uint64_t c) {
      T x = static_cast<T>(a), y = static_cast<T>(b);
      return toBits(static_cast<T>(c + (x < y ? b - a : a - b)));
    });
  });
}

void decodeProduct(Decoder &decoder, bool isMad) {
  Instruction &instruction = decoder.instruction;
  const Part part = decoder.need<Part>("a part of the product", {"lo", "hi", "wide"});
  instruction.decoded = IntegerProduct{part, decoder.take("sat")};
  decoder.expectOperands(isMad ? 4 : 3, isMad ? 4 : 3);
  decoder.immediates(instruction.type, 1, 3);
  bool isWide = part == Part::Wide;
  if (isMad)
    decoder.immediates(isWide && bitsOf(instruction.type) == 32 ? Type::B64
                       : isWide                                 ? Type::B32
                                                                : instruction.type,
                       3);
  instruction.execute = isMad ? executeMad : executeMul;
}

} // namespace

static bool decodeDot(Decoder &decoder) {
  Instruction &instruction = decoder.instruction;
  if (instruction.opcode != "dp4a" && instruction.opcode != "dp2a")
    return false;
  ByteDot decoded;
  decoded.isByBytes = instruction.opcode == "dp4a";
  if (!decoded.isByBytes)
    decoded.takesUpperHalf = decoder.needOneOf("a half of the bytes", {"lo", "hi"}) == 1;
  instruction.type = decoder.needType();
  decoded.from = decoder.needType();
  instruction.decoded = decoded;
  decoder.expectOperands(4, 4);
  decoder.immediates(Type::B32);
  instruction.execute = executeDot;
  return true;
}

static bool decodeShortProduct(Decoder &decoder) {
  Instruction &instruction = decoder.instruction;
  bool isMad = instruction.opcode == "mad24";
  if (!isMad && instruction.opcode != "mul24")
    return false;
  instruction.decoded =
      IntegerProduct{decoder.need<Part>("a part of the product", {"lo", "hi"}), false};
  instruction.type = decoder.needType();
  decoder.expectOperands(isMad ? 4 : 3, isMad ? 4 : 3);
  decoder.immediates(Type::B32);
  instruction.execute = executeShortProduct;
  return true;
}

bool sim::decodeInteger(Decoder &decoder) {
  if (decodeDot(decoder) || decodeShortProduct(decoder))
    return true;
  static const std::map<std::string, Op> ops = {
      {"add", Op::Add}, {"sub", Op::Sub}, {"mul", Op::Mul}, {"div", Op::Div},
      {"rem", Op::Rem}, {"min", Op::Min}, {"max", Op::Max}, {"abs", Op::Abs},
      {"neg", Op::Neg}, {"mad", Op::Mad}, {"sad", Op::Sad}};
  Instruction &instruction = decoder.instruction;
  auto found = ops.find(instruction.opcode);
  if (found == ops.end() || instruction.modifiers.empty() ||
      isFloat(typeNamed(instruction.modifiers.back())))
    return false;
  Op op = found->second;
  instruction.type = decoder.needType();
  if (op == Op::Mul || op == Op::Mad) {
    decodeProduct(decoder, op == Op::Mad);
    return true;
  }
  const bool saturates = decoder.take("sat");
  const bool isRelu = (op == Op::Min || op == Op::Max) && decoder.take("relu");
  instruction.decoded = IntegerOp{op, saturates, isRelu};
  bool isPacked = elementOf(instruction.type) != instruction.type;
  if (isPacked && op != Op::Add && op != Op::Min && op != Op::Max)
    decoder.unsupported("this type");
  bool isUnary = op == Op::Abs || op == Op::Neg;
  size_t operands = isUnary ? 2 : op == Op::Sad ? 4 : 3;
  decoder.expectOperands(operands, operands);
  decoder.immediates(instruction.type);
  instruction.execute = isPacked        ? executePacked
                        : isUnary       ? executeUnary
                        : op == Op::Sad ? executeSad
                                        : executeBinary;
  return true;
}
