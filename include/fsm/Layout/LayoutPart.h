//===- LayoutPart.h - What holds a part of a block -------------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_LAYOUT_LAYOUTPART_H
#define FSM_LAYOUT_LAYOUTPART_H

#include "fsm/Layout/NamedLayouts.h"

#include <optional>

namespace fsm {

/// The registers of a thread that hold a part of a block.
struct LayoutPart {
  /// Of the part alone, whose coordinates begin at 0.
  LinearLayout layout;
  /// For each register of that, which of the block's it is.
  std::vector<uint64_t> registers;
};

/// The part of these extents that begins at `first`, where each thread has as much of it, in registers
/// alone: in a dimension of which it is less than the whole, a power of two from a multiple of that on, and
/// none but a register's bit moves that far.
///
///   8 x 64 over registers [(0, 1), (0, 32)] and lanes [(0, 2), (0, 4), (0, 8), (0, 16), (1, 0)] ...:
///   8 x 32 from (0, 32) on is registers 2 and 3, which have the layout without (0, 32).
std::optional<LayoutPart> partOf(const LinearLayout &threads, const Extents &extents,
                                 const Extents &first);

} // namespace fsm

#endif // FSM_LAYOUT_LAYOUTPART_H
