//===- Launch.h - What a launch is given -----------------------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_ARTIFACT_LAUNCH_H
#define FSM_ARTIFACT_LAUNCH_H

#include <cstddef>
#include <cstdint>

namespace fsm {

/// How many programs a launch runs in each dimension; 0 runs none.
struct Grid {
  int32_t x = 1;
  int32_t y = 1;
  int32_t z = 1;
};

/// The value of one kernel argument.
struct Argument {
  /// The bytes of a buffer whose size the caller does not know. The interpreter, and a GPU to which
  /// it would have to be copied, refuse it.
  static constexpr size_t kUnknownSize = SIZE_MAX;

  /// A pointer to `bytes` bytes the kernel may touch. The interpreter reports
  /// every access outside them.
  static Argument buffer(void *data, size_t bytes);
  /// The same for memory that is on the device already, by its address there.
  static Argument deviceBuffer(uint64_t address, size_t bytes);
  /// A scalar; it is converted to the argument's type.
  static Argument integer(int64_t value);
  static Argument real(double value);

  enum class Kind { Buffer, Integer, Real };
  Kind kind = Kind::Integer;
  void *data = nullptr;
  size_t bytes = 0;
  /// `data` is an address of the device's memory.
  bool onDevice = false;
  int64_t integerValue = 0;
  double realValue = 0;
};

inline Argument Argument::buffer(void *data, size_t bytes) {
  Argument argument;
  argument.kind = Kind::Buffer;
  argument.data = data;
  argument.bytes = bytes;
  return argument;
}

inline Argument Argument::deviceBuffer(uint64_t address, size_t bytes) {
  Argument argument = buffer(reinterpret_cast<void *>(address), bytes);
  argument.onDevice = true;
  return argument;
}

inline Argument Argument::integer(int64_t value) {
  Argument argument;
  argument.kind = Kind::Integer;
  argument.integerValue = value;
  return argument;
}

inline Argument Argument::real(double value) {
  Argument argument;
  argument.kind = Kind::Real;
  argument.realValue = value;
  return argument;
}

} // namespace fsm

#endif // FSM_ARTIFACT_LAUNCH_H
