//===- LayoutPicture.h - Layouts to look at --------------------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_LAYOUT_LAYOUTPICTURE_H
#define FSM_LAYOUT_LAYOUTPICTURE_H

#include "fsm/Layout/LinearLayout.h"

#include <string>

namespace fsm {

/// Who holds each element inside the true extents, as a table; a block of more
/// than two dimensions is one table for each index of the others. A place is
/// written lane:register, with the warp and the cta before it where there are
/// several, or as an offset. `+3` after it counts further places with the same
/// element, `-` stands for an element that nobody holds.
///
///   lane:register
///           0   1   2   3
///       0 0:0 0:1 1:0 1:1
///       1 2:0 2:1 3:0 3:1
std::string drawAsText(const LinearLayout &layout);

/// The same as an SVG document: one rectangle per element, coloured by lane (of a
/// shared layout, by the bank if an element has four bytes).
std::string drawAsSvg(const LinearLayout &layout);

} // namespace fsm

#endif // FSM_LAYOUT_LAYOUTPICTURE_H
