//===- Lanes.h - Instructions that do the same in every lane ----*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_LIB_SIMULATOR_INSTRUCTIONS_LANES_H
#define FSM_LIB_SIMULATOR_INSTRUCTIONS_LANES_H

#include "../Threads/Block.h"
#include "NumberFormats.h"

namespace fsm::sim {

/// d = f(a, ...) in each lane; a result is without a value where an operand is.
template <typename F>
void map1(Warp &warp, const Instruction &instruction, uint32_t lanes, F f) {
  const auto &operands = instruction.operands;
  Values a = warp.read(operands[1], 0);
  uint64_t *d = warp.row(operands[0]);
  forLanes(lanes, [&](unsigned lane) { d[lane] = f(a[lane]); });
  uint32_t none = warp.undefinedOf(operands[1]).any();
  warp.define(operands[0], lanes, Undefined(none));
}

template <typename F>
void map2(Warp &warp, const Instruction &instruction, uint32_t lanes, F f) {
  const auto &operands = instruction.operands;
  Values a = warp.read(operands[1], 0), b = warp.read(operands[2], 1);
  uint64_t *d = warp.row(operands[0]);
  forLanes(lanes, [&](unsigned lane) { d[lane] = f(a[lane], b[lane]); });
  uint32_t none = (warp.undefinedOf(operands[1]) | warp.undefinedOf(operands[2])).any();
  warp.define(operands[0], lanes, Undefined(none));
}

template <typename F>
void map3(Warp &warp, const Instruction &instruction, uint32_t lanes, F f) {
  const auto &operands = instruction.operands;
  Values a = warp.read(operands[1], 0), b = warp.read(operands[2], 1),
         c = warp.read(operands[3], 2);
  uint64_t *d = warp.row(operands[0]);
  forLanes(lanes, [&](unsigned lane) { d[lane] = f(a[lane], b[lane], c[lane]); });
  uint32_t none = (warp.undefinedOf(operands[1]) | warp.undefinedOf(operands[2]) |
                   warp.undefinedOf(operands[3]))
                      .any();
  warp.define(operands[0], lanes, Undefined(none));
}

/// Calls `f` with a value of the C++ type that an integer type stands for.
template <typename F>
void withInteger(Type type, F f) {
  switch (type) {
  case Type::U8:
  case Type::B8:
    return f(uint8_t());
  case Type::S8:
    return f(int8_t());
  case Type::U16:
  case Type::B16:
    return f(uint16_t());
  case Type::S16:
    return f(int16_t());
  case Type::U32:
  case Type::B32:
    return f(uint32_t());
  case Type::S32:
    return f(int32_t());
  case Type::S64:
    return f(int64_t());
  default:
    return f(uint64_t());
  }
}

/// The register that holds an integer: zero-extended.
template <typename T>
uint64_t toBits(T value) {
  return static_cast<uint64_t>(static_cast<std::make_unsigned_t<T>>(value));
}

} // namespace fsm::sim

#endif // FSM_LIB_SIMULATOR_INSTRUCTIONS_LANES_H
