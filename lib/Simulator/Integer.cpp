//===- Integer.cpp - Integer arithmetic ----------------------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Decode.h"
#include "Lanes.h"

#include <algorithm>
#include <limits>
#include <map>

using namespace fsm;
using namespace fsm::sim;

namespace {

enum class Op : uint8_t { Add, Sub, Mul, Div, Rem, Min, Max, Abs, Neg, Mad, Sad };
enum Part : uint8_t { Low, High, Wide };

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
  // The low half is the same however the operands are extended.
  __int128 whole = static_cast<__int128>(a) * static_cast<__int128>(b);
  if (std::is_same_v<T, uint64_t> && part == High)
    return static_cast<T>((static_cast<unsigned __int128>(a) * b) >> 64);
  return static_cast<T>(part == High ? whole >> (8 * sizeof(T)) : whole);
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
    Op op = static_cast<Op>(instruction.operation);
    bool saturates = instruction.saturate;
    if (op == Op::Add && !saturates)
      return map2(warp, instruction, lanes,
                  [](uint64_t a, uint64_t b) { return toBits(static_cast<T>(a + b)); });
    map2(warp, instruction, lanes, [&](uint64_t a, uint64_t b) {
      return toBits(compute(op, static_cast<T>(a), static_cast<T>(b), saturates));
    });
  });
}

void executeMul(Warp &warp, const Instruction &instruction, uint32_t lanes) {
  withInteger(instruction.type, [&](auto tag) {
    using T = decltype(tag);
    Part part = static_cast<Part>(instruction.combine);
    map2(warp, instruction, lanes, [&](uint64_t a, uint64_t b) {
      if (part == Wide) {
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
    Part part = static_cast<Part>(instruction.combine);
    bool saturates = instruction.saturate;
    map3(warp, instruction, lanes, [&](uint64_t a, uint64_t b, uint64_t c) {
      if (part == Wide) {
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
    bool isAbs = static_cast<Op>(instruction.operation) == Op::Abs;
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
  instruction.combine = decoder.needOneOf("a part of the product", {"lo", "hi", "wide"});
  instruction.saturate = decoder.take("sat");
  decoder.expectOperands(isMad ? 4 : 3, isMad ? 4 : 3);
  decoder.immediates(instruction.type, 1, 3);
  bool isWide = instruction.combine == Wide;
  if (isMad)
    decoder.immediates(isWide && bitsOf(instruction.type) == 32 ? Type::B64
                       : isWide                                 ? Type::B32
                                                                : instruction.type,
                       3);
  instruction.execute = isMad ? executeMad : executeMul;
}

} // namespace

bool sim::decodeInteger(Decoder &decoder) {
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
  instruction.operation = static_cast<uint8_t>(op);
  instruction.type = decoder.needType();
  if (op == Op::Mul || op == Op::Mad) {
    decodeProduct(decoder, op == Op::Mad);
    return true;
  }
  instruction.saturate = decoder.take("sat");
  bool isUnary = op == Op::Abs || op == Op::Neg;
  size_t operands = isUnary ? 2 : op == Op::Sad ? 4 : 3;
  decoder.expectOperands(operands, operands);
  decoder.immediates(instruction.type);
  instruction.execute = isUnary ? executeUnary : op == Op::Sad ? executeSad : executeBinary;
  return true;
}
