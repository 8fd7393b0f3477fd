//===- NumberFormats.h - f16, bf16 and bits ---------------------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_LIB_SIMULATOR_INSTRUCTIONS_NUMBERFORMATS_H
#define FSM_LIB_SIMULATOR_INSTRUCTIONS_NUMBERFORMATS_H

#include "../Text/Ptx.h"

#include <cstring>

namespace fsm::sim {

/// In the order in which the decoder numbers .rn, .rz, .rm and .rp.
enum class Rounding : uint8_t { Nearest, Zero, Down, Up };

inline uint64_t bitsOfFloat(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, 4);
  return bits;
}
inline float floatOfBits(uint64_t bits) {
  uint32_t low = static_cast<uint32_t>(bits);
  float value;
  std::memcpy(&value, &low, 4);
  return value;
}
inline uint64_t bitsOfDouble(double value) {
  uint64_t bits;
  std::memcpy(&bits, &value, 8);
  return bits;
}
inline double doubleOfBits(uint64_t bits) {
  double value;
  std::memcpy(&value, &bits, 8);
  return value;
}

/// The value of a register that holds a float of the type; exact.
double decodeFloatBits(uint64_t bits, Type type);

/// The whole number next to a value.
long double roundTo(long double value, Rounding rounding);

/// The float of the type next to the value, once rounded; NaN becomes PTX's
/// canonical NaN. An overflow is infinity or, as the mode asks, the largest
/// finite number.
uint64_t encodeFloat(long double value, Type type, Rounding rounding = Rounding::Nearest);

/// The largest finite number of the type.
long double largest(Type type);

/// A subnormal float of the type as a zero of its sign.
uint64_t flushSubnormal(uint64_t bits, Type type);

} // namespace fsm::sim

#endif // FSM_LIB_SIMULATOR_INSTRUCTIONS_NUMBERFORMATS_H
