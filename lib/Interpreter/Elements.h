//===- Elements.h - What a value of the kernel holds -----------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_INTERPRETER_ELEMENTS_H
#define FSM_INTERPRETER_ELEMENTS_H

#include "fsm/Artifact/ScalarType.h"
#include "fsm/IR/FSMDialect.h"

#include <cstring>
#include <memory>
#include <vector>

namespace fsm::interpreter {

/// What one SSA value holds: one element for a scalar or a pointer, all of
/// them in row-major order for a block.
struct Elements {
  mlir::Type type;
  /// The raw bits of each element, zero-extended; a pointer's address.
  std::vector<uint64_t> bits;
  /// For a pointer: the argument whose buffer it came from, -1 for none.
  int origin = -1;

  /// Element `index`, where a scalar stands for as many equal elements as
  /// needed.
  uint64_t at(size_t index) const { return bits[bits.size() == 1 ? 0 : index]; }
};

/// Values are shared, never changed once an op has computed them.
using ElementsRef = std::shared_ptr<const Elements>;

/// How many elements a value of `type` has.
size_t countOf(mlir::Type type);

/// The row of kScalarTypes for an element type of the language; pointers count
/// as i64.
ScalarType scalarTypeOf(mlir::Type element);

/// Bits of one element.
unsigned widthOf(mlir::Type element);

/// All ones in the low `width` bits.
inline uint64_t maskOf(unsigned width) {
  return width >= 64 ? ~uint64_t(0) : (uint64_t(1) << width) - 1;
}

/// The low `width` bits of `bits` as a signed number.
inline int64_t signExtend(uint64_t bits, unsigned width) {
  uint64_t sign = uint64_t(1) << (width - 1);
  return static_cast<int64_t>(((bits & maskOf(width)) ^ sign) - sign);
}

/// The value of an f16, bf16, f32 or f64 element; always exact.
double widen(uint64_t bits, ScalarType type);

/// The bits of `value` rounded once, to nearest even, to f16, bf16, f32 or f64.
uint64_t narrow(double value, ScalarType type);

inline float floatOf(uint64_t bits) {
  uint32_t low = static_cast<uint32_t>(bits);
  float value;
  std::memcpy(&value, &low, sizeof(value));
  return value;
}

inline double doubleOf(uint64_t bits) {
  double value;
  std::memcpy(&value, &bits, sizeof(value));
  return value;
}

inline uint64_t bitsOf(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  return bits;
}

inline uint64_t bitsOf(double value) {
  uint64_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  return bits;
}

} // namespace fsm::interpreter

#endif // FSM_INTERPRETER_ELEMENTS_H
