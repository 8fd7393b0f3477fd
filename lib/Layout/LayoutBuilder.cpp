//===- LayoutBuilder.cpp - Lays bits along a block's dimensions ----------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LayoutBuilder.h"

#include <algorithm>
#include <cassert>

using namespace fsm;

LayoutBuilder::LayoutBuilder(const std::vector<uint64_t> &extents)
    : block(BitSpace::block(extents)), used(extents.size(), 0), reserved(extents.size(), 0) {}

unsigned LayoutBuilder::available(unsigned dim) const {
  return block.bitsOf(blockDim(dim)) - reserved[dim] - used[dim];
}

void LayoutBuilder::reserveForCtas(unsigned dim, unsigned count) {
  unsigned own = std::min(count, available(dim));
  reserved[dim] += own;
  unsigned lowest = block.bitsOf(blockDim(dim)) - reserved[dim];
  for (unsigned i = 0; i < count; ++i)
    images[Dim::Cta].push_back(i < own ? block.place(blockDim(dim), uint64_t(1) << (lowest + i))
                                       : 0);
}

void LayoutBuilder::reserveAcross(const std::vector<unsigned> &order, unsigned count,
                                  unsigned most) {
  unsigned left = std::min(count, most);
  // The lowest bits of a cta's number move along the fastest dimension that ctas are spread over.
  std::vector<std::pair<unsigned, unsigned>> parts;
  for (auto dim = order.rbegin(); dim != order.rend(); ++dim) {
    parts.push_back({*dim, std::min(left, available(*dim))});
    left -= parts.back().second;
    count -= parts.back().second;
  }
  for (auto part = parts.rbegin(); part != parts.rend(); ++part)
    reserveForCtas(part->first, part->second);
  images[Dim::Cta].resize(images[Dim::Cta].size() + count, 0);
}

void LayoutBuilder::take(Dim holder, unsigned dim, unsigned count) {
  unsigned own = std::min(count, available(dim));
  for (unsigned i = 0; i < own; ++i)
    images[holder].push_back(block.place(blockDim(dim), uint64_t(1) << (used[dim] + i)));
  used[dim] += own;
  if (holder != Dim::Register)
    images[holder].resize(images[holder].size() + count - own, 0);
}

void LayoutBuilder::takeAcross(Dim holder, const std::vector<unsigned> &order, unsigned count) {
  for (unsigned dim : order) {
    unsigned own = std::min(count, available(dim));
    take(holder, dim, own);
    count -= own;
  }
  if (holder != Dim::Register)
    images[holder].resize(images[holder].size() + count, 0);
}

void LayoutBuilder::takeRest(Dim holder, const std::vector<unsigned> &order) {
  for (unsigned dim : order)
    take(holder, dim, available(dim));
}

void LayoutBuilder::place(Dim holder, const std::vector<uint64_t> &coordinates) {
  uint64_t image = 0;
  for (unsigned dim = 0; dim < coordinates.size(); ++dim) {
    image |= block.place(blockDim(dim), coordinates[dim]);
    used[dim] = std::max(used[dim], bitsFor(coordinates[dim] + 1));
  }
  images[holder].push_back(image);
}

static std::vector<uint64_t> listOf(const std::map<Dim, std::vector<uint64_t>> &images, Dim dim) {
  auto found = images.find(dim);
  return found == images.end() ? std::vector<uint64_t>() : found->second;
}

LinearLayout LayoutBuilder::threads() const {
  std::vector<uint64_t> bases;
  std::vector<unsigned> bits;
  for (Dim dim : {Dim::Register, Dim::Lane, Dim::Warp, Dim::Cta}) {
    std::vector<uint64_t> own = listOf(images, dim);
    bits.push_back(static_cast<unsigned>(own.size()));
    bases.insert(bases.end(), own.begin(), own.end());
  }
  return LinearLayout(BitSpace::threads(bits[0], bits[1], bits[2], bits[3]), block,
                      std::move(bases));
}

LinearLayout LayoutBuilder::offsets() const {
  std::vector<uint64_t> bases = listOf(images, Dim::Offset);
  return LinearLayout(BitSpace::offsets(static_cast<unsigned>(bases.size())), block, bases);
}
