//===- LinearLayout.cpp - Which thread holds which element ---------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Layout/LinearLayout.h"

#include <algorithm>
#include <cassert>

using namespace fsm;

LinearLayout::LinearLayout(BitSpace from, BitSpace to, std::vector<uint64_t> bases)
    : source(std::move(from)), target(std::move(to)), images(std::move(bases)) {
  assert(!check(source, target, images));
}

std::optional<std::string> LinearLayout::check(const BitSpace &from, const BitSpace &to,
                                               const std::vector<uint64_t> &bases) {
  if (bases.size() != from.bits())
    return "expected " + std::to_string(from.bits()) + " bases, one for each bit, got " +
           std::to_string(bases.size());
  for (const BitSpace *space : {&from, &to})
    for (const Axis &axis : space->axes())
      if (bitsFor(axis.extent) != axis.bits)
        return "expected " + std::to_string(bitsFor(axis.extent)) + " bits for " +
               dimName(axis.dim) + " of " + std::to_string(axis.extent) + ", got " +
               std::to_string(axis.bits);
  for (uint64_t base : bases)
    if (base >> to.bits())
      return "basis " + std::to_string(base) + " is outside the block";
  return std::nullopt;
}

LinearLayout LinearLayout::identity(BitSpace from, BitSpace to) {
  std::vector<uint64_t> bases;
  for (unsigned i = 0; i < from.bits(); ++i)
    bases.push_back(uint64_t(1) << i);
  return LinearLayout(std::move(from), std::move(to), std::move(bases));
}

std::vector<uint64_t> LinearLayout::basesOf(Dim dim) const {
  auto first = images.begin() + source.shiftOf(dim);
  return std::vector<uint64_t>(first, first + source.bitsOf(dim));
}

std::vector<uint64_t> LinearLayout::basesOf(const std::vector<Dim> &dims) const {
  std::vector<uint64_t> result;
  for (Dim dim : dims)
    for (uint64_t base : basesOf(dim))
      result.push_back(base);
  return result;
}

uint64_t LinearLayout::apply(uint64_t place) const {
  uint64_t result = 0;
  for (; place; place &= place - 1)
    result ^= images[__builtin_ctzll(place)];
  return result;
}

uint64_t LinearLayout::apply(uint64_t reg, uint64_t lane, uint64_t warp, uint64_t cta) const {
  return apply(source.place(Dim::Register, reg) | source.place(Dim::Lane, lane) |
               source.place(Dim::Warp, warp) | source.place(Dim::Cta, cta));
}

uint64_t LinearLayout::freeBits() const {
  Subspace space;
  uint64_t result = 0;
  for (unsigned i = 0; i < images.size(); ++i)
    result |= uint64_t(!space.insert(images[i])) << i;
  return result;
}

LinearLayout LinearLayout::compose(const LinearLayout &inner) const {
  assert(source.covers(inner.target));
  std::vector<uint64_t> bases;
  for (uint64_t base : inner.images)
    bases.push_back(apply(base));
  return LinearLayout(inner.source, target, std::move(bases));
}

LinearLayout LinearLayout::inverse() const {
  assert(isInvertible());
  return pseudoInverse();
}

LinearLayout LinearLayout::pseudoInverse() const {
  return LinearLayout(target, source, matrix().pseudoInverse().columnVectors());
}

/// The axes of `low` with those of `high` on top.
static BitSpace stack(const BitSpace &low, const BitSpace &high) {
  std::vector<Axis> axes = low.axes();
  for (const Axis &axis : high.axes()) {
    if (!low.has(axis.dim)) {
      axes.push_back(axis);
      continue;
    }
    auto mine =
        std::find_if(axes.begin(), axes.end(), [&](const Axis &a) { return a.dim == axis.dim; });
    assert((axis.bits == 0 || mine->extent == uint64_t(1) << mine->bits) &&
           "only a whole pattern is repeated");
    mine->bits += axis.bits;
    mine->extent *= axis.extent;
  }
  return BitSpace(std::move(axes));
}

LinearLayout LinearLayout::operator*(const LinearLayout &outer) const {
  BitSpace from = stack(source, outer.source), to = stack(target, outer.target);
  auto widen = [&](const LinearLayout &layout, uint64_t image, bool isOuter) {
    uint64_t result = 0;
    for (const Axis &axis : layout.target.axes())
      result |= to.place(axis.dim, layout.target.get(image, axis.dim)
                                       << (isOuter ? target.bitsOf(axis.dim) : 0));
    return result;
  };
  std::vector<uint64_t> bases;
  for (const Axis &axis : from.axes()) {
    for (uint64_t base : basesOf(axis.dim))
      bases.push_back(widen(*this, base, false));
    for (uint64_t base : outer.basesOf(axis.dim))
      bases.push_back(widen(outer, base, true));
  }
  return LinearLayout(std::move(from), std::move(to), std::move(bases));
}

LinearLayout LinearLayout::canonical() const {
  std::vector<uint64_t> registers;
  Subspace space;
  for (uint64_t base : basesOf(Dim::Register))
    if (space.insert(base))
      registers.push_back(base);
  std::vector<Axis> axes = source.axes();
  std::vector<uint64_t> bases;
  for (Axis &axis : axes) {
    std::vector<uint64_t> own = axis.dim == Dim::Register ? registers : basesOf(axis.dim);
    axis.bits = static_cast<unsigned>(own.size());
    axis.extent = uint64_t(1) << axis.bits;
    bases.insert(bases.end(), own.begin(), own.end());
  }
  return LinearLayout(BitSpace(std::move(axes)), target, std::move(bases));
}

bool LinearLayout::isCanonical() const {
  std::vector<uint64_t> registers = basesOf(Dim::Register);
  return Subspace(registers).dimension() == registers.size();
}

namespace {

/// Decides whether a coset of the threads' span has a member inside the block.
class LiveQuery {
public:
  LiveQuery(const BitSpace &block, const std::vector<uint64_t> &threadBases)
      : block(block), threads(threadBases) {
    // When each reduced vector moves in one dimension only, the smallest member
    // of a coset is smallest in every dimension at once.
    for (uint64_t vector : threads.basis()) {
      unsigned touched = 0;
      for (const Axis &axis : block.axes())
        touched += (vector & block.maskOf(axis.dim)) != 0;
      isSeparable &= touched == 1;
    }
  }

  bool isLive(uint64_t image) const {
    image = threads.reduce(image);
    if (block.contains(image))
      return true;
    if (isSeparable)
      return false;
    // Walk the coset, changing one vector at a time.
    const std::vector<uint64_t> &basis = threads.basis();
    for (uint64_t step = 1; step < uint64_t(1) << basis.size(); ++step) {
      image ^= basis[__builtin_ctzll(step)];
      if (block.contains(image))
        return true;
    }
    return false;
  }

private:
  const BitSpace &block;
  Subspace threads;
  bool isSeparable = true;
};

} // namespace

std::vector<uint64_t> LinearLayout::liveRegisters() const {
  LiveQuery query(target, basesOf({Dim::Lane, Dim::Warp, Dim::Cta}));
  std::vector<uint64_t> result;
  for (uint64_t r = 0; r < uint64_t(1) << source.bitsOf(Dim::Register); ++r)
    if (query.isLive(apply(r << source.shiftOf(Dim::Register))))
      result.push_back(r);
  return result;
}

uint64_t LinearLayout::lastLivePlace() const {
  uint64_t last = 0;
  for (unsigned bit = source.bits(); bit-- > 0;) {
    LiveQuery query(target, {images.begin(), images.begin() + bit});
    if (uint64_t more = last | uint64_t(1) << bit; query.isLive(apply(more)))
      last = more;
  }
  return last;
}

LinearLayout LinearLayout::withoutDim(Dim dim) const {
  std::vector<Axis> axes;
  uint64_t below = (uint64_t(1) << target.shiftOf(dim)) - 1;
  for (const Axis &axis : target.axes()) {
    if (axis.dim == dim)
      continue;
    // The dimensions behind the one taken away move up.
    Dim renamed = dim >= Dim::Block0 && axis.dim > dim
                      ? static_cast<Dim>(static_cast<unsigned>(axis.dim) - 1)
                      : axis.dim;
    axes.push_back({renamed, axis.bits, axis.extent});
  }
  std::vector<uint64_t> bases;
  for (uint64_t base : images)
    bases.push_back((base & below) | (base & ~below & ~target.maskOf(dim)) >> target.bitsOf(dim));
  return LinearLayout(source, BitSpace(std::move(axes)), std::move(bases)).canonical();
}

LinearLayout LinearLayout::overOneCta() const {
  // The bits of the cta stand behind those of the warp.
  BitSpace threads = BitSpace::threads(source.bitsOf(Dim::Register), source.bitsOf(Dim::Lane),
                                       source.bitsOf(Dim::Warp) + source.bitsOf(Dim::Cta));
  return LinearLayout(threads, target, images);
}

std::string LinearLayout::format() const {
  std::string text;
  for (const Axis &axis : source.axes()) {
    std::string list;
    for (uint64_t base : basesOf(axis.dim))
      list += (list.empty() ? "" : ", ") + target.format(base);
    text += (text.empty() ? "" : ", ") + dimName(axis.dim) + " [" + list + "]";
  }
  std::string extents;
  for (unsigned i = static_cast<unsigned>(target.axes().size()); i-- > 0;)
    extents += (extents.empty() ? "" : " x ") + std::to_string(target.axes()[i].extent);
  return text + " -> " + extents;
}
