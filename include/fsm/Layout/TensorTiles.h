//===- TensorTiles.h - Tiles that tensor cores read ------------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_LAYOUT_TENSORTILES_H
#define FSM_LAYOUT_TENSORTILES_H

#include "fsm/Layout/NamedLayouts.h"

#include <array>
#include <optional>

namespace fsm {

/// A two-dimensional tile in shared memory as TMA writes it and as ldmatrix and wgmma read it.
/// Along the dimension `major` neighbours lie side by side, as far as a *span* of `swizzleBytes`
/// reaches: 128, 64 or 32. Such pieces of all lines along it, one behind the other, are a *panel*,
/// and panels follow one another. In a panel, chunks of 16 bytes are exchanged by an exclusive or
/// with the number of the line: with its bits 0 to 2, 1 to 2, or 2. Spans of 0 bytes exchange
/// nothing, and there is one panel. Spans are whole. Extents need not be powers of two: places behind the last line or
/// panel are the layout's, of which nobody makes use.
///
///   8 x 64 of 2 bytes along dimension 1, 128 bytes: (3, 8) is in line 3, chunk 1,
///   at byte 3 * 128 + (1 ^ 3) * 16 = 416.
LinearLayout tensorTileLayout(const Extents &extents, unsigned elementBytes, unsigned major,
                              unsigned swizzleBytes);

/// A matrix, or a batch of them, in shared memory that threads read by chunks of 16 bytes: whole
/// lines along `major`, one of the last two dimensions, one behind the other. Lanes that read at
/// once are in lines `apart` from one another, a power of two, and in two, four or eight of them
/// the same chunk: the bits of the address that choose its banks, 4 to 6, are exchanged by an
/// exclusive or with the three bits of the line's number from `apart` on, but those bits that
/// choose banks by themselves. 0 exchanges nothing.
///
///   32 x 16 of 4 bytes along dimension 1, 4 apart: (9, 5) is in line 9, chunk 1, at byte
///   9 * 64 + 1 * 16 + 4 = 596 without, and at 596 ^ (9 / 4 * 16) = 628.
///
/// Lanes that read single elements may be neighbours along a line, as many as are `chunkBytes`, a
/// power of two from 16 on: chunks of so many bytes are exchanged, by the line's number from
/// `apart` on.
LinearLayout lineTileLayout(const Extents &extents, unsigned elementBytes, unsigned major,
                            uint64_t apart, unsigned chunkBytes = 16);

/// Lines in which the exchange of chunks repeats, whatever the span.
inline constexpr unsigned kSwizzledLines = 8;

/// The largest span of which a line of so many bytes has whole ones; 0 if there is none.
unsigned widestSwizzle(uint64_t lineBytes);

/// What makes a tile of two extents.
struct TileForm {
  unsigned major = 1, swizzleBytes = 0;

  /// What an instruction that is given a descriptor wants the tile's address to be a multiple of:
  /// eight lines, in which the exchange of chunks repeats.
  uint64_t alignment() const { return kSwizzledLines * swizzleBytes; }
};

/// The form by which tensorTileLayout gives this layout of offsets, if some chunks are exchanged;
/// nothing for another layout.
std::optional<TileForm> tileFormOf(const LinearLayout &layout, unsigned elementBytes);

/// The descriptor of a tile for wgmma (PTX ISA, "Matrix Descriptor Format"), whose bits 0 to 13 say
/// where it begins, in units of 16 bytes, and are 0 here. `innerExtent` is how long the dimension
/// is along which products are added; `isInnerMajor` whether that is the tile's major one.
uint64_t wgmmaDescriptor(TileForm form, uint64_t innerExtent, bool isInnerMajor);

/// The wavefronts in which ldmatrix or stmatrix accesses one matrix, 8 rows of 16 bytes, in shared
/// memory; 1 is free of conflicts. `rows` are the positions in the block that bits 0 to 2 of a
/// row's number add. As for other accesses (SharedSwizzle.h), the rows' addresses span a subspace,
/// here in units of 16 bytes, of which 8 have different banks.
unsigned matrixConflicts(const LinearLayout &shared, unsigned elementBytes,
                         const std::array<uint64_t, 3> &rows);

} // namespace fsm

#endif // FSM_LAYOUT_TENSORTILES_H
