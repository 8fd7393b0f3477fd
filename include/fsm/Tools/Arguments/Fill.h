//===- Fill.h - Made-up array contents --------------------------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every element follows from the seed and its row-major index alone (through
// the counter-based generator Philox-4x32-10), so arrays are equal on every
// machine, up to the last bit of the C library's log, sin and cos for `randn`.
//
//===----------------------------------------------------------------------===//

#ifndef FSM_TOOLS_ARGUMENTS_FILL_H
#define FSM_TOOLS_ARGUMENTS_FILL_H

#include "fsm/Support/Result.h"
#include "fsm/Tools/Arguments/AlignedBuffer.h"
#include "fsm/Tools/Arguments/Number.h"

#include <array>

namespace fsm {

/// What the elements of an array are.
struct Fill {
  enum class Pattern {
    Zeros,
    Randn,   ///< Normal with mean 0 and variance 1, rounded once from double.
    Uniform, ///< Floats: [0, 1), exact. Integers: every value equally likely.
    Arange,  ///< 0, 1, 2, ... in row-major order; integers wrap.
    Full,    ///< `value` everywhere.
  };
  Pattern pattern = Pattern::Zeros;
  uint64_t seed = 0;
  Number value;
};

/// Fills `data`, which holds elements of `type`. A pattern that the type
/// cannot have is an error.
Result<void> fillElements(const Fill &fill, ScalarType type, AlignedBuffer &data);

/// Philox-4x32-10 (Salmon et al., SC 2011): four random words for a counter.
std::array<uint32_t, 4> philox(std::array<uint32_t, 4> counter, std::array<uint32_t, 2> key);

} // namespace fsm

#endif // FSM_TOOLS_ARGUMENTS_FILL_H
