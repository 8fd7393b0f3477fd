//===- ExactSum.h - Sums that are rounded once ------------------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_LIB_SIMULATOR_INSTRUCTIONS_EXACTSUM_H
#define FSM_LIB_SIMULATOR_INSTRUCTIONS_EXACTSUM_H

#include <array>
#include <cstddef>
#include <cstdint>

namespace fsm::sim {

/// Adds up to 64 numbers that are f32, or products of two, without an error: integers times
/// 2^-320, the positive ones apart from the others.
class ExactSum {
public:
  /// A finite number with no bit below 2^-320, of a magnitude below 2^264.
  void add(double number);
  /// The sum, cut toward zero to 64 bits.
  long double cut() const;

private:
  static constexpr size_t kWords = 10;
  using Words = std::array<uint64_t, kWords>;

  Words positive = {}, negative = {};
};

/// A finite number as an f32, cut toward zero; beyond the largest f32 it is infinite.
float cutTowardZero(double number);

/// The sum of finite numbers as an f32, cut toward zero; one beyond the largest f32 is infinite.
float sumTowardZero(const double *numbers, size_t count);

} // namespace fsm::sim

#endif // FSM_LIB_SIMULATOR_INSTRUCTIONS_EXACTSUM_H
