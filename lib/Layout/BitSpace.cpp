//===- BitSpace.cpp - Named coordinates packed into one word -------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Layout/BitSpace.h"

#include <algorithm>
#include <cassert>

using namespace fsm;

std::string fsm::dimName(Dim dim) {
  static const char *const names[] = {"register", "lane", "warp", "cta", "offset"};
  unsigned index = static_cast<unsigned>(dim), first = static_cast<unsigned>(Dim::Block0);
  return index < first ? names[index] : "dim" + std::to_string(index - first);
}

unsigned fsm::bitsFor(uint64_t extent) {
  return extent <= 1 ? 0 : 64 - static_cast<unsigned>(__builtin_clzll(extent - 1));
}

BitSpace::BitSpace(std::vector<Axis> axes) : list(std::move(axes)) {
  for (const Axis &axis : list)
    total += axis.bits;
  assert(total < 64 && "a position does not fit one word");
}

static Axis whole(Dim dim, unsigned bits) { return {dim, bits, uint64_t(1) << bits}; }

BitSpace BitSpace::threads(unsigned registerBits, unsigned laneBits, unsigned warpBits,
                           unsigned ctaBits) {
  return BitSpace({whole(Dim::Register, registerBits), whole(Dim::Lane, laneBits),
                   whole(Dim::Warp, warpBits), whole(Dim::Cta, ctaBits)});
}

BitSpace BitSpace::block(const std::vector<uint64_t> &extents) {
  assert(extents.size() <= kMaxBlockRank);
  std::vector<Axis> axes;
  for (unsigned i = static_cast<unsigned>(extents.size()); i-- > 0;)
    axes.push_back({blockDim(i), bitsFor(extents[i]), extents[i]});
  return BitSpace(std::move(axes));
}

BitSpace BitSpace::offsets(unsigned bits) { return BitSpace({whole(Dim::Offset, bits)}); }

const Axis *BitSpace::find(Dim dim) const {
  auto found = std::find_if(list.begin(), list.end(), [&](const Axis &a) { return a.dim == dim; });
  return found == list.end() ? nullptr : &*found;
}

unsigned BitSpace::bitsOf(Dim dim) const {
  const Axis *axis = find(dim);
  return axis ? axis->bits : 0;
}

uint64_t BitSpace::extentOf(Dim dim) const {
  const Axis *axis = find(dim);
  return axis ? axis->extent : 1;
}

unsigned BitSpace::shiftOf(Dim dim) const {
  unsigned shift = 0;
  for (const Axis &axis : list) {
    if (axis.dim == dim)
      break;
    shift += axis.bits;
  }
  return shift;
}

uint64_t BitSpace::maskOf(Dim dim) const {
  return ((uint64_t(1) << bitsOf(dim)) - 1) << shiftOf(dim);
}

uint64_t BitSpace::get(uint64_t packed, Dim dim) const {
  return (packed & maskOf(dim)) >> shiftOf(dim);
}

uint64_t BitSpace::place(Dim dim, uint64_t value) const {
  assert(value >> bitsOf(dim) == 0 && "a coordinate outside its axis");
  return value << shiftOf(dim);
}

bool BitSpace::contains(uint64_t packed) const {
  for (const Axis &axis : list) {
    if ((packed & ((uint64_t(1) << axis.bits) - 1)) >= axis.extent)
      return false;
    packed >>= axis.bits;
  }
  return packed == 0;
}

bool BitSpace::covers(const BitSpace &other) const {
  return std::equal(
      list.begin(), list.end(), other.list.begin(), other.list.end(),
      [](const Axis &a, const Axis &b) { return a.dim == b.dim && a.bits == b.bits; });
}

std::string BitSpace::format(uint64_t packed) const {
  std::vector<std::string> pieces;
  for (const Axis &axis : list)
    pieces.push_back(std::to_string(get(packed, axis.dim)));
  if (isBlock())
    std::reverse(pieces.begin(), pieces.end());
  std::string text = "(";
  for (size_t i = 0; i < pieces.size(); ++i)
    text += (i ? ", " : "") + pieces[i];
  return text + ")";
}
