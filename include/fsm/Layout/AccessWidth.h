//===- AccessWidth.h - How wide a global access may be ---------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_LAYOUT_ACCESSWIDTH_H
#define FSM_LAYOUT_ACCESSWIDTH_H

#include "fsm/Layout/LinearLayout.h"

namespace fsm {

/// What is known of the addresses of a block access along one dimension, in
/// elements: positions [k * c, (k + 1) * c) have consecutive addresses, the first
/// of which is a multiple of `alignmentBytes`.
struct AccessFacts {
  /// The dimension along which the addresses are consecutive.
  unsigned dim = 0;
  /// c, a power of two.
  uint64_t contiguity = 1;
  uint64_t alignmentBytes = 1;
};

/// A thread's access: `vector` elements in one instruction.
struct AccessWidth {
  unsigned vector = 1;
  unsigned bytes = 1;
  /// The registers, relative to the first, that the vector's elements are in.
  std::vector<uint64_t> registers = {0};
  /// The true extent is no multiple of the vector: the last one of a row is cut.
  bool isCut = false;
};

/// The widest access of at most `maxBytes` that the layout and the facts allow.
///
/// A vector of 2^k elements needs registers that differ by 1, 2, ... 2^(k-1) along
/// the dimension and in nothing else; they need not be neighbours. For
///
///   register [(0, 1), (8, 0), (0, 2)], contiguity 16 along dim1, 16 bytes
///
/// and four-byte elements that is 4 elements in registers 0, 1, 4, 5; with a
/// contiguity of 2 it is 2 elements, and along dim0 it is 1.
AccessWidth widestAccess(const LinearLayout &layout, const AccessFacts &facts,
                         unsigned elementBytes, unsigned maxBytes = 16);

} // namespace fsm

#endif // FSM_LAYOUT_ACCESSWIDTH_H
