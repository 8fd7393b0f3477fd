//===- BlockViews.cpp - What is known of other blocks --------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BlockViews.h"

#include <algorithm>

using namespace fsm;
using namespace fsm::sim;

const View *BlockViews::of(uint64_t block) const {
  const uint64_t first = block / kBlocks * kBlocks;
  auto part = std::lower_bound(parts.begin(), parts.end(), first, isBefore);
  return part != parts.end() && (*part)->first == first ? (*part)->views[block % kBlocks].get()
                                                        : nullptr;
}

/// The one of both that has all of the other, or a new one.
static std::shared_ptr<const View> joined(const std::shared_ptr<const View> &a,
                                          const std::shared_ptr<const View> &b) {
  if (a == b || !b)
    return a;
  if (!a)
    return b;
  auto both = std::make_shared<View>(*a);
  join(*both, *b);
  return *both == *a ? a : *both == *b ? b : both;
}

std::shared_ptr<const BlockViews::Part> BlockViews::joined(const Part &a, const Part &b) {
  auto both = std::make_shared<Part>(a);
  for (uint64_t index = 0; index < kBlocks; ++index)
    both->views[index] = ::joined(a.views[index], b.views[index]);
  return both;
}

void BlockViews::add(uint64_t block, std::shared_ptr<const View> view) {
  auto one = std::make_shared<Part>();
  one->first = block / kBlocks * kBlocks;
  one->views[block % kBlocks] = std::move(view);
  BlockViews other;
  other.parts.push_back(std::move(one));
  join(*this, other);
}

void sim::join(BlockViews &into, const BlockViews &from) {
  if (from.parts.empty() || into.parts == from.parts)
    return;
  BlockViews::Parts both;
  both.reserve(std::max(into.parts.size(), from.parts.size()) + 1);
  auto a = into.parts.begin();
  auto b = from.parts.begin();
  while (a != into.parts.end() || b != from.parts.end()) {
    if (b == from.parts.end() || (a != into.parts.end() && (*a)->first < (*b)->first)) {
      both.push_back(std::move(*a++));
    } else if (a == into.parts.end() || (*b)->first < (*a)->first) {
      both.push_back(*b++);
    } else {
      both.push_back(*a == *b ? *a : BlockViews::joined(**a, **b));
      ++a, ++b;
    }
  }
  into.parts = std::move(both);
}
