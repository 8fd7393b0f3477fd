//===- LinearLayout.h - Which thread holds which element -------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_LAYOUT_LINEARLAYOUT_H
#define FSM_LAYOUT_LINEARLAYOUT_H

#include "fsm/Layout/BitMatrix.h"
#include "fsm/Layout/BitSpace.h"

#include <optional>
#include <string>
#include <vector>

namespace fsm {

/// A linear map over bits, from the places that hold a block's elements to the
/// elements: from (register, lane, warp, cta) or from a shared-memory offset, to
/// (dim0, dim1, ...). (Linear layouts: https://arxiv.org/abs/2505.23819.)
///
/// Linear means: the image of a place is the exclusive or of the images of its
/// bits. So a layout is the list of its *bases*, the image of each bit. A block
/// of 4 x 8 numbers over one warp of 8 lanes, each holding 4 numbers in a 2 x 2
/// square, is
///
///   register [(0, 1), (1, 0)]    bit 0 moves right by 1, bit 1 down by 1
///   lane     [(0, 2), (0, 4), (2, 0)]
///
///   register 3, lane 5 = 0b101:  (0,1)^(1,0) ^ (0,2)^(2,0) = (3, 3)
///
///        0     1     2     3     4     5     6     7        lane:register
///   0   0:0   0:1   1:0   1:1   2:0   2:1   3:0   3:1
///   1   0:2   0:3   1:2   1:3   2:2   2:3   3:2   3:3
///   2   4:0   4:1   5:0   5:1   6:0   6:1   7:0   7:1
///   3   4:2   4:3   5:2   5:3   6:2   6:3   7:2   7:3
///
/// A basis (0, 0) says that the bit makes no difference: both places hold the
/// same element, *replicas* of it. A basis that touches two dimensions, such as
/// (1, 1), makes a swizzle.
///
/// What one wants to know is linear algebra on the matrix of the bases:
///
///   injective     no element is held twice
///   surjective    every element is held somewhere
///   inverse       where is this element?
///   compose       A.inverse() . B: where in A is what B's place holds?
///   product       A * B: each place of B holds a copy of the pattern A
///   quotient      (A * B) / A = B
///
/// **True extents.** A dimension of 781 has 10 bits. Positions 781 to 1023 exist
/// for the map, but no one observes them; registers that hold nothing else, in
/// whatever lane, warp and cta, are not `liveRegisters()` and never become
/// machine registers. With 4 numbers a vector and 32 lanes, register bits 2, 3
/// and 4 count steps of 128: the last vector begins at 896 > 780, so 28 of the 32
/// registers are live, seven vectors and not eight.
///
/// **Canonical form.** No register basis is a sum of lower ones (so none is
/// zero): the registers of a thread hold distinct elements, and replicas are in
/// other lanes, warps or ctas only.
class LinearLayout {
public:
  /// `bases[i]` is the packed image of bit i of `from`. See check().
  LinearLayout(BitSpace from, BitSpace to, std::vector<uint64_t> bases);
  /// Why these do not make a layout, if they do not.
  static std::optional<std::string> check(const BitSpace &from, const BitSpace &to,
                                          const std::vector<uint64_t> &bases);
  /// The map of packed words that changes nothing; both have the same bits.
  static LinearLayout identity(BitSpace from, BitSpace to);

  const BitSpace &from() const { return source; }
  const BitSpace &to() const { return target; }
  const std::vector<uint64_t> &bases() const { return images; }
  /// The bases of one coordinate's bits.
  std::vector<uint64_t> basesOf(Dim dim) const;
  /// The bases of several coordinates, one after the other.
  std::vector<uint64_t> basesOf(const std::vector<Dim> &dims) const;
  BitMatrix matrix() const { return BitMatrix::fromColumns(images, target.bits()); }

  /// The image of a packed place.
  uint64_t apply(uint64_t place) const;
  uint64_t apply(uint64_t reg, uint64_t lane, uint64_t warp, uint64_t cta = 0) const;

  unsigned rank() const { return Subspace(images).dimension(); }
  bool isInjective() const { return rank() == source.bits(); }
  bool isSurjective() const { return rank() == target.bits(); }
  bool isInvertible() const { return isInjective() && isSurjective(); }
  /// The bits of a place, as a mask, that are free once the lower ones are
  /// chosen: the places with all of them 0 hold each element of the image exactly
  /// once, the others are replicas. What must happen once per element (a store,
  /// an atomic, a term of a sum) is masked by them.
  uint64_t freeBits() const;
  /// freeBits() of one coordinate, shifted down to it.
  uint64_t freeBits(Dim dim) const { return source.get(freeBits(), dim); }

  /// The map x -> apply(inner.apply(x)); inner's target has the axes of from().
  LinearLayout compose(const LinearLayout &inner) const;
  /// The two-sided inverse; the layout must be invertible.
  LinearLayout inverse() const;
  /// Takes each element of the image to a place that holds it, the one with all
  /// freeBits() 0: apply(pseudoInverse().apply(y)) == y.
  LinearLayout pseudoInverse() const;
  /// This as a pattern, and `outer` says where each of its copies goes: the bits
  /// of `outer` follow those of this in each coordinate. Coordinates that both
  /// move in must have a power-of-two extent here.
  LinearLayout operator*(const LinearLayout &outer) const;

  LinearLayout canonical() const;
  bool isCanonical() const;
  /// The registers, ascending, that hold an element inside the true extents for
  /// some lane, warp and cta.
  std::vector<uint64_t> liveRegisters() const;
  /// The last place that holds an element inside the true extents.
  uint64_t lastLivePlace() const;
  /// The layout of what is left when one block dimension is taken away.
  LinearLayout withoutDim(Dim dim) const;
  /// The same with the warps of all ctas as those of one, counted cta by cta.
  LinearLayout overOneCta() const;

  /// "register [(0, 1), (1, 0)], lane [...] -> 4 x 8".
  std::string format() const;

  bool operator==(const LinearLayout &other) const {
    return images == other.images && source == other.source && target == other.target;
  }
  bool operator!=(const LinearLayout &other) const { return !(*this == other); }

private:
  BitSpace source, target;
  std::vector<uint64_t> images;
};

} // namespace fsm

#endif // FSM_LAYOUT_LINEARLAYOUT_H
