//===- TensorTiles.cpp - Tiles that tensor cores read --------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Layout/TensorTiles.h"
#include "LayoutBuilder.h"

#include "fsm/Layout/SharedSwizzle.h"

using namespace fsm;

static constexpr unsigned kChunkBytes = 16, kRowBytes = kBanks * kBankBytes, kLeastSwizzle = 32;

LinearLayout fsm::tensorTileLayout(const Extents &extents, unsigned elementBytes, unsigned major,
                                   unsigned swizzleBytes) {
  LayoutBuilder builder(extents);
  if (swizzleBytes) {
    builder.take(Dim::Offset, major, bitsFor(swizzleBytes / elementBytes));
    builder.take(Dim::Offset, 1 - major, bitsFor(extents[1 - major]));
  }
  builder.takeRest(Dim::Offset, {major, 1 - major});
  LinearLayout plain = builder.offsets();
  if (!swizzleBytes)
    return plain;
  // The chunk is moved by the bits of the address from 128 bytes on, whatever the span.
  const unsigned base = bitsFor(kChunkBytes / elementBytes);
  const unsigned shift = bitsFor(kRowBytes / kChunkBytes);
  const uint64_t moved = uint64_t(swizzleBytes / kChunkBytes - 1) << base;
  std::vector<uint64_t> bases;
  for (unsigned i = 0; i < plain.from().bits(); ++i) {
    uint64_t offset = uint64_t(1) << i;
    bases.push_back(plain.apply(offset ^ (offset >> shift & moved)));
  }
  return LinearLayout(plain.from(), plain.to(), std::move(bases));
}

LinearLayout fsm::lineTileLayout(const Extents &extents, unsigned elementBytes, unsigned major,
                                 uint64_t apart, unsigned chunkBytes) {
  const auto rank = static_cast<unsigned>(extents.size());
  std::vector<unsigned> order = {major, 2 * rank - 3 - major};
  for (unsigned dim = rank - 2; dim-- > 0;)
    order.push_back(dim);
  LinearLayout plain = sharedLayout(extents, order);
  if (!apart)
    return plain;
  // Bits of the offset: those that choose banks for a chunk, and the lowest of the line's number.
  const unsigned chunk = bitsFor(chunkBytes / elementBytes),
                 row = bitsFor(kRowBytes / elementBytes);
  const unsigned line = bitsFor(extents[major]), lanes = line + bitsFor(apart);
  std::vector<unsigned> banks, lines;
  for (unsigned bit = chunk; bit < row; ++bit)
    if (bit < lanes || bit >= lanes + row - chunk)
      banks.push_back(bit);
  for (unsigned bit = lanes; bit < lanes + row - chunk && bit < plain.from().bits(); ++bit)
    if (bit >= row)
      lines.push_back(bit);
  std::vector<uint64_t> bases = plain.bases();
  for (size_t i = 0; i < std::min(banks.size(), lines.size()); ++i)
    bases[lines[i]] ^= plain.bases()[banks[i]];
  return LinearLayout(plain.from(), plain.to(), std::move(bases));
}

unsigned fsm::widestSwizzle(uint64_t lineBytes) {
  for (unsigned span : {128u, 64u, 32u})
    if (lineBytes % span == 0)
      return span;
  return 0;
}

std::optional<TileForm> fsm::tileFormOf(const LinearLayout &layout, unsigned elementBytes) {
  const BitSpace &block = layout.to();
  if (block.axes().size() != 2)
    return std::nullopt;
  const Extents extents = {block.extentOf(blockDim(0)), block.extentOf(blockDim(1))};
  for (unsigned major : {1u, 0u})
    for (unsigned span = widestSwizzle(extents[major] * elementBytes); span >= kLeastSwizzle; span /= 2)
      if (layout == tensorTileLayout(extents, elementBytes, major, span))
        return TileForm{major, span};
  return std::nullopt;
}

// From one panel to the next, what wgmma calls the leading dimension, matters where lines are along
// the rows or columns of the result; where they are along the inner dimension it is not looked at.
uint64_t fsm::wgmmaDescriptor(TileForm form, uint64_t innerExtent, bool isInnerMajor) {
  const uint64_t leading = isInnerMajor ? kChunkBytes : innerExtent * form.swizzleBytes;
  const uint64_t stride = form.alignment();
  // 1, 2 and 3 stand for spans of 128, 64 and 32 bytes.
  const uint64_t mode = form.swizzleBytes == 128 ? 1 : form.swizzleBytes == 64 ? 2 : 3;
  return leading / kChunkBytes << 16 | stride / kChunkBytes << 32 | mode << 62;
}

unsigned fsm::matrixConflicts(const LinearLayout &shared, unsigned elementBytes,
                              const std::array<uint64_t, 3> &rows) {
  LinearLayout toOffset = shared.inverse();
  Subspace chunks, banks;
  for (uint64_t row : rows) {
    uint64_t chunk = toOffset.apply(row) * elementBytes / kChunkBytes;
    chunks.insert(chunk);
    banks.insert(chunk % (kRowBytes / kChunkBytes));
  }
  return 1u << (chunks.dimension() - banks.dimension());
}
