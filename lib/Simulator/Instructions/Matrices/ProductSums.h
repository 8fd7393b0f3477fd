//===- ProductSums.h - Sums as tensor cores make them -----------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// How mma.sync and wgmma add is not in the manual. As docs/simulator.md has it: f16, bf16 and tf32
// products are exact, and they and the old sum are added as if exactly and cut toward zero once. Of
// f8, all that is added is first cut to 13 bits behind the point of the largest.

#ifndef FSM_LIB_SIMULATOR_INSTRUCTIONS_PRODUCTSUMS_H
#define FSM_LIB_SIMULATOR_INSTRUCTIONS_PRODUCTSUMS_H

#include "../../Text/Families.h"

#include <cstdint>

namespace fsm::sim {

/// Products that an instruction adds to a sum, at most.
inline constexpr unsigned kMostTerms = 32;

/// The bits of an element as a number: a double, or an int64_t of an integer. Of f32, tf32 is meant.
template <typename Number>
Number numberOf(uint64_t bits, Type type);

/// The exponents of the highest and the lowest digit of some numbers, zeros apart; what is known of
/// a row once need not be asked for each of its products.
struct Digits {
  int highest = -100000, lowest = 100000;
  bool areFinite = true;
};
Digits digitsOf(const double *numbers, unsigned count);

/// The bits of the sum of `product.k` products and the old sum, whose bits are `old`.
uint64_t addProducts(const double *left, const double *right, uint64_t old,
                     const MatrixProduct &product);
uint64_t addProducts(const int64_t *left, const int64_t *right, uint64_t old,
                     const MatrixProduct &product);
/// The same where the digits of both factors are known.
uint64_t addProducts(const double *left, const Digits &leftDigits, const double *right,
                     const Digits &rightDigits, uint64_t old, const MatrixProduct &product);

} // namespace fsm::sim

#endif // FSM_LIB_SIMULATOR_INSTRUCTIONS_PRODUCTSUMS_H
