//===- LayoutBuilder.h - Lays bits along a block's dimensions --*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_LIB_LAYOUT_LAYOUTBUILDER_H
#define FSM_LIB_LAYOUT_LAYOUTBUILDER_H

#include "fsm/Layout/LinearLayout.h"

#include <map>

namespace fsm {

/// Gives away the bits of a block's dimensions, the lowest first, to the bits of
/// threads or of an offset.
class LayoutBuilder {
public:
  explicit LayoutBuilder(const std::vector<uint64_t> &extents);

  /// Sets the highest `count` bits of dimension `dim` aside for the ctas.
  void reserveForCtas(unsigned dim, unsigned count);
  /// Gives `count` bits to the ctas: the highest of the dimensions, that which comes last in `order`
  /// first, up to `most` of them. Of the others each moves nothing.
  void reserveAcross(const std::vector<unsigned> &order, unsigned count, unsigned most);
  /// The next `count` bits of `holder` move along dimension `dim`. When the
  /// dimension is used up they are replicas; registers are not spent on those.
  void take(Dim holder, unsigned dim, unsigned count);
  /// As take(), along as many dimensions of `order` as `count` bits need.
  void takeAcross(Dim holder, const std::vector<unsigned> &order, unsigned count);
  /// Everything not given away yet goes to `holder`.
  void takeRest(Dim holder, const std::vector<unsigned> &order);
  /// The next bit of `holder` has this image, and the bits of it are given away.
  void place(Dim holder, const std::vector<uint64_t> &coordinates);

  LinearLayout threads() const;
  LinearLayout offsets() const;

private:
  unsigned available(unsigned dim) const;

  BitSpace block;
  std::vector<unsigned> used, reserved;
  std::map<Dim, std::vector<uint64_t>> images;
};

} // namespace fsm

#endif // FSM_LIB_LAYOUT_LAYOUTBUILDER_H
