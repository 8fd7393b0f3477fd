//===- NamedLayouts.h - The layouts one speaks of by name ------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_LAYOUT_NAMEDLAYOUTS_H
#define FSM_LAYOUT_NAMEDLAYOUTS_H

#include "fsm/Layout/LinearLayout.h"

#include <string>

namespace fsm {

using Extents = std::vector<uint64_t>;

/// How many threads of each kind a block is spread over; powers of two. Each cta has so many warps.
struct ThreadCounts {
  unsigned lanes = 32;
  unsigned warps = 1;
  unsigned ctas = 1;
};

/// The arrangement of a blocked layout. All counts are powers of two, one per
/// dimension of the block.
struct BlockedShape {
  std::vector<unsigned> sizePerThread;
  std::vector<unsigned> lanesPerWarp;
  std::vector<unsigned> warpsPerCta;
  /// The dimensions, the fastest first.
  std::vector<unsigned> order;
  /// How the block is first divided among the ctas of a cluster; empty for one.
  std::vector<unsigned> ctasPerCluster = {};
};

/// Each thread has a rectangle of `sizePerThread`, each warp a rectangle of
/// threads, each cta a rectangle of warps. A block larger than the cta's is
/// covered by repeating it, in more registers; where the block is smaller,
/// threads hold replicas and no register is spent.
///
///   {{1, 4}, {4, 8}, {2, 1}, {1, 0}} on 16 x 32:
///     register [(0, 1), (0, 2), (8, 0)]
///     lane     [(0, 4), (0, 8), (0, 16), (1, 0), (2, 0)]
///     warp     [(4, 0)]
LinearLayout blockedLayout(const Extents &extents, const BlockedShape &shape);

/// Consecutive lanes hold consecutive vectors of `vector` elements of the last
/// dimension, then of the one before it, then consecutive warps; what remains is
/// in further registers. Whole 128-byte lines for each access of a warp. Ctas have parts of the
/// block, of the dimension that comes last, as far as all threads of one have something to hold; a
/// line whose extent is no power of two they share register by register, behind the warps, so that
/// none of them has the end alone, and what is there of a register is known for nearly all.
///
///   {1024}, vector 4, 4 warps:
///     register [(1), (2), (512)]
///     lane     [(4), (8), (16), (32), (64)]
///     warp     [(128), (256)]
LinearLayout rowMajorLayout(const Extents &extents, unsigned vector, ThreadCounts threads);

/// The same with another order of the dimensions: order[0] is the one whose neighbours
/// a thread's vector and consecutive lanes hold. {4, 1024} in the order {0, 1} gives each
/// lane a column. With `sharesLines` ctas share every line of the dimension order[0] behind the warps, as far as it is long enough.
LinearLayout orderedLayout(const Extents &extents, const std::vector<unsigned> &order,
                           unsigned vector, ThreadCounts threads, bool sharesLines = false);

/// The dimensions of a block with `first` before the others, of which the innermost comes first.
std::vector<unsigned> orderFrom(unsigned first, size_t rank);

/// What a reduction along `dim` leaves: that coordinate is dropped, registers
/// that differed only in it become one.
LinearLayout slicedLayout(const LinearLayout &layout, unsigned dim);

/// Every thread holds the whole block in its registers, in row-major order.
LinearLayout replicatedLayout(const Extents &extents, ThreadCounts threads);

/// Shared memory without gaps, dimension order[0] contiguous.
LinearLayout sharedLayout(const Extents &extents, const std::vector<unsigned> &order);

/// The swizzle of TMA and of wgmma's descriptors, in elements: bits
/// [base, base + bits) of the offset are exclusive-ored with those `shift`
/// higher. The 128-byte swizzle of 2-byte elements is {3, 3, 3}.
struct BitSwizzle {
  unsigned bits, base, shift;
};
LinearLayout xorSharedLayout(const Extents &extents, const std::vector<unsigned> &order,
                             BitSwizzle swizzle);

/// The fragment of a tensor-core instruction: which thread holds which element of
/// one operand, as the figures of the PTX ISA have it.
struct Fragment {
  std::string name;
  unsigned rows, columns;
  /// The images of the bits, as (row, column).
  std::vector<std::pair<unsigned, unsigned>> registers, lanes, warps;
};

// What the fragments of mma.sync have in common (PTX ISA, "Matrix Fragments for mma..."): with
// group = lane / 4 and member = lane % 4, a group has a row of the left factor and a column of the
// right one, and its members have neighbouring words along the inner dimension. A word is a
// register of 32 bits, or of 64 for f64, and has `perWord` elements.

/// The left factor, `rows` x `inner` (m, k): rows of 8 or 16, one, two or four words each.
Fragment mmaLeft(unsigned rows, unsigned inner, unsigned perWord);
/// The right factor, `inner` x 8 (k, n).
Fragment mmaRight(unsigned inner, unsigned perWord);
/// The sums, `rows` x 8 (m, n): a member has two neighbours of its group's row.
Fragment mmaSums(unsigned rows);

/// wgmma.mma_async.m64nNk16: A from registers, 64 x 16, and the accumulator,
/// 64 x n for n a multiple of 8 up to 256, over the four warps of a warpgroup
/// (PTX ISA, "Register Fragments for wgmma.mma_async.m64nNk16").
Fragment wgmmaM64K16A();
Fragment wgmmaAccumulator(unsigned n);

/// The fragment alone.
LinearLayout fragmentLayout(const Fragment &fragment);

/// The fragment over a two-dimensional block: further warps (or warpgroups) are
/// laid along dimension 0, then 1; what remains is in further registers. The
/// block's extents cover the fragment's.
LinearLayout tiledFragmentLayout(const Fragment &fragment, const Extents &extents,
                                 std::pair<unsigned, unsigned> warps);

} // namespace fsm

#endif // FSM_LAYOUT_NAMEDLAYOUTS_H
