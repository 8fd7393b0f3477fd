//===- BitSpace.h - Named coordinates packed into one word -----*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_LAYOUT_BITSPACE_H
#define FSM_LAYOUT_BITSPACE_H

#include <cstdint>
#include <string>
#include <vector>

namespace fsm {

/// What a coordinate counts.
enum class Dim : uint8_t {
  /// Where a value is held by threads.
  Register,
  Lane,
  Warp,
  Cta,
  /// Where a value is held in shared memory, in elements.
  Offset,
  /// Where an element stands in its block; blockDim(i) is dimension i.
  Block0
};

/// The most dimensions of a block: more than log2 of the most elements, so that each may be of
/// extent 2.
inline constexpr unsigned kMaxBlockRank = 24;

constexpr Dim blockDim(unsigned index) {
  return static_cast<Dim>(static_cast<unsigned>(Dim::Block0) + index);
}

/// "register", "lane", "warp", "cta", "offset", "dim0", ...
std::string dimName(Dim dim);

/// ceil(log2(extent)): the bits that number `extent` things.
unsigned bitsFor(uint64_t extent);

/// One coordinate of a BitSpace: `bits` bits, of whose 2^bits values the first
/// `extent` mean something.
struct Axis {
  Dim dim;
  unsigned bits;
  uint64_t extent;

  bool operator==(const Axis &other) const {
    return dim == other.dim && bits == other.bits && extent == other.extent;
  }
};

/// Names the bits of a word: the first axis owns the lowest bits.
///
/// A block lists its last dimension first, so that a packed position of a block
/// with power-of-two extents is its row-major index. A block of 3 x 781:
///
///   axes      dim1: 10 bits, extent 781; dim0: 2 bits, extent 3
///   packed    (2, 5) = 2 << 10 | 5
///   contains  (2, 780) yes; (2, 781) and (3, 0) no
///
/// Threads list register, lane, warp, cta. All four are always there, with zero
/// bits when there is only one.
class BitSpace {
public:
  explicit BitSpace(std::vector<Axis> axes);
  static BitSpace threads(unsigned registerBits, unsigned laneBits, unsigned warpBits,
                          unsigned ctaBits = 0);
  /// The positions of a block; each extent is at least 1.
  static BitSpace block(const std::vector<uint64_t> &extents);
  static BitSpace offsets(unsigned bits);

  const std::vector<Axis> &axes() const { return list; }
  unsigned bits() const { return total; }
  uint64_t size() const { return uint64_t(1) << total; }
  bool has(Dim dim) const { return find(dim) != nullptr; }
  /// The bits, the true extent, the lowest bit and the mask of one coordinate;
  /// a coordinate that is not listed has zero bits.
  unsigned bitsOf(Dim dim) const;
  uint64_t extentOf(Dim dim) const;
  unsigned shiftOf(Dim dim) const;
  uint64_t maskOf(Dim dim) const;
  /// The value of one coordinate of a packed position.
  uint64_t get(uint64_t packed, Dim dim) const;
  /// The packed position with this one coordinate, the others zero.
  uint64_t place(Dim dim, uint64_t value) const;
  /// True when every coordinate is below its true extent.
  bool contains(uint64_t packed) const;
  /// The same coordinates in the same order with the same bits, whatever the
  /// true extents.
  bool covers(const BitSpace &other) const;
  /// "(2, 780)", in the order dim0, dim1, ... or register, lane, ...
  std::string format(uint64_t packed) const;

  bool operator==(const BitSpace &other) const { return list == other.list; }
  bool operator!=(const BitSpace &other) const { return !(*this == other); }

private:
  const Axis *find(Dim dim) const;
  bool isBlock() const { return !list.empty() && list.front().dim >= Dim::Block0; }

  std::vector<Axis> list;
  unsigned total = 0;
};

} // namespace fsm

#endif // FSM_LAYOUT_BITSPACE_H
