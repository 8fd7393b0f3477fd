//===- NamedLayouts.cpp - The layouts one speaks of by name --------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Layout/NamedLayouts.h"
#include "LayoutBuilder.h"

#include <algorithm>
#include <cassert>
#include <numeric>

using namespace fsm;

/// The last dimension first.
static std::vector<unsigned> rowMajorOrder(size_t rank) {
  std::vector<unsigned> order(rank);
  std::iota(order.rbegin(), order.rend(), 0u);
  return order;
}

LinearLayout fsm::blockedLayout(const Extents &extents, const BlockedShape &shape) {
  LayoutBuilder builder(extents);
  for (unsigned dim : shape.order)
    if (!shape.ctasPerCluster.empty())
      builder.reserveForCtas(dim, bitsFor(shape.ctasPerCluster[dim]));
  for (unsigned dim : shape.order)
    builder.take(Dim::Register, dim, bitsFor(shape.sizePerThread[dim]));
  for (unsigned dim : shape.order)
    builder.take(Dim::Lane, dim, bitsFor(shape.lanesPerWarp[dim]));
  for (unsigned dim : shape.order)
    builder.take(Dim::Warp, dim, bitsFor(shape.warpsPerCta[dim]));
  builder.takeRest(Dim::Register, shape.order);
  return builder.threads();
}

LinearLayout fsm::orderedLayout(const Extents &extents, const std::vector<unsigned> &order,
                                unsigned vector, ThreadCounts threads, bool sharesLines) {
  LayoutBuilder builder(extents);
  unsigned bits = BitSpace::block(extents).bits();
  unsigned ofCta = bitsFor(vector) + bitsFor(threads.lanes) + bitsFor(threads.warps);
  // What a line lacks of its power of two, all ctas lack.
  bool lacksPlaces = extents.size() == 1 && (extents.front() & (extents.front() - 1)) != 0;
  if (!sharesLines && !lacksPlaces)
    builder.reserveAcross(order, bitsFor(threads.ctas), bits - std::min(bits, ofCta));
  if (!order.empty())
    builder.take(Dim::Register, order.front(), bitsFor(vector));
  builder.takeAcross(Dim::Lane, order, bitsFor(threads.lanes));
  builder.takeAcross(Dim::Warp, order, bitsFor(threads.warps));
  if (sharesLines || lacksPlaces)
    builder.takeAcross(Dim::Cta, order, bitsFor(threads.ctas));
  builder.takeRest(Dim::Register, order);
  return builder.threads();
}

std::vector<unsigned> fsm::orderFrom(unsigned first, size_t rank) {
  std::vector<unsigned> order = rowMajorOrder(rank);
  order.erase(order.end() - 1 - first);
  order.insert(order.begin(), first);
  return order;
}

LinearLayout fsm::rowMajorLayout(const Extents &extents, unsigned vector, ThreadCounts threads) {
  return orderedLayout(extents, rowMajorOrder(extents.size()), vector, threads);
}

LinearLayout fsm::slicedLayout(const LinearLayout &layout, unsigned dim) {
  return layout.withoutDim(blockDim(dim));
}

LinearLayout fsm::replicatedLayout(const Extents &extents, ThreadCounts threads) {
  LayoutBuilder builder(extents);
  builder.takeRest(Dim::Register, rowMajorOrder(extents.size()));
  builder.takeAcross(Dim::Lane, {}, bitsFor(threads.lanes));
  builder.takeAcross(Dim::Warp, {}, bitsFor(threads.warps));
  builder.takeAcross(Dim::Cta, {}, bitsFor(threads.ctas));
  return builder.threads();
}

LinearLayout fsm::sharedLayout(const Extents &extents, const std::vector<unsigned> &order) {
  LayoutBuilder builder(extents);
  builder.takeRest(Dim::Offset, order);
  return builder.offsets();
}

LinearLayout fsm::xorSharedLayout(const Extents &extents, const std::vector<unsigned> &order,
                                  BitSwizzle swizzle) {
  LinearLayout plain = sharedLayout(extents, order);
  uint64_t moved = ((uint64_t(1) << swizzle.bits) - 1) << swizzle.base;
  std::vector<uint64_t> bases;
  for (unsigned i = 0; i < plain.from().bits(); ++i) {
    uint64_t offset = uint64_t(1) << i;
    bases.push_back(plain.apply(offset ^ (offset >> swizzle.shift & moved)));
  }
  return LinearLayout(plain.from(), plain.to(), std::move(bases));
}

using Images = std::vector<std::pair<unsigned, unsigned>>;

/// With rows and columns the other way around.
static Images swapped(Images images) {
  for (auto &[row, column] : images)
    std::swap(row, column);
  return images;
}

Fragment fsm::mmaLeft(unsigned rows, unsigned inner, unsigned perWord) {
  Fragment fragment = {"left factor", rows, inner, {}, {}, {}};
  for (unsigned column = 1; column < perWord; column *= 2)
    fragment.registers.push_back({0, column});
  for (unsigned row = 8; row < rows; row *= 2)
    fragment.registers.push_back({row, 0});
  for (unsigned column = 4 * perWord; column < inner; column *= 2)
    fragment.registers.push_back({0, column});
  fragment.lanes = {{0, perWord}, {0, 2 * perWord}, {1, 0}, {2, 0}, {4, 0}};
  return fragment;
}

Fragment fsm::mmaRight(unsigned inner, unsigned perWord) {
  // What the left factor has of 8 rows.
  Fragment left = mmaLeft(8, inner, perWord);
  return {"right factor", inner, 8, swapped(left.registers), swapped(left.lanes), {}};
}

Fragment fsm::mmaSums(unsigned rows) {
  Fragment fragment = mmaLeft(rows, 8, 2);
  fragment.name = "sums";
  return fragment;
}

/// What four warps have of 64 rows, each what one has of 16.
static Fragment ofWarpGroup(std::string name, Fragment fragment) {
  fragment.name = std::move(name);
  fragment.rows = 64;
  fragment.warps = {{16, 0}, {32, 0}};
  return fragment;
}

Fragment fsm::wgmmaM64K16A() { return ofWarpGroup("wgmma.m64k16 A", mmaLeft(16, 16, 2)); }

Fragment fsm::wgmmaAccumulator(unsigned n) {
  assert(n % 8 == 0 && n >= 8 && n <= 256 && "no wgmma has this n");
  // The sums of mma.sync, repeated every 8 columns.
  Fragment data = ofWarpGroup("wgmma.m64nN D", mmaSums(16));
  data.columns = n;
  for (unsigned column = 8; column < n; column *= 2)
    data.registers.push_back({0, column});
  return data;
}

LinearLayout fsm::fragmentLayout(const Fragment &fragment) {
  return tiledFragmentLayout(fragment, {fragment.rows, fragment.columns}, {1, 1});
}

LinearLayout fsm::tiledFragmentLayout(const Fragment &fragment, const Extents &extents,
                                      std::pair<unsigned, unsigned> warps) {
  assert(extents.size() == 2 && bitsFor(extents[0]) >= bitsFor(fragment.rows) &&
         bitsFor(extents[1]) >= bitsFor(fragment.columns));
  LayoutBuilder builder(extents);
  for (auto [row, column] : fragment.registers)
    builder.place(Dim::Register, {row, column});
  for (auto [row, column] : fragment.lanes)
    builder.place(Dim::Lane, {row, column});
  for (auto [row, column] : fragment.warps)
    builder.place(Dim::Warp, {row, column});
  builder.take(Dim::Warp, 0, bitsFor(warps.first));
  builder.take(Dim::Warp, 1, bitsFor(warps.second));
  builder.takeRest(Dim::Register, {1, 0});
  return builder.threads();
}
