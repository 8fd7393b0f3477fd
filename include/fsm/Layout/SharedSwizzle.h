//===- SharedSwizzle.h - Shared memory without bank conflicts --*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_LAYOUT_SHAREDSWIZZLE_H
#define FSM_LAYOUT_SHAREDSWIZZLE_H

#include "fsm/Layout/LinearLayout.h"

namespace fsm {

/// Shared memory as the hardware has it: 32 banks of 4 bytes, and one *wavefront*
/// brings one word from each bank.
inline constexpr unsigned kBankBytes = 4;
inline constexpr unsigned kBanks = 32;

/// How a thread layout meets a shared layout.
///
/// A warp's access of 4 bytes a lane is one wavefront when the lanes' words lie in
/// different banks, or are the same word. One of 8 bytes is done in halves of the
/// warp, one of 16 bytes in quarters: 128 bytes each time, and each of these
/// *phases* is to be one wavefront.
///
/// Which lanes meet in a bank is linear algebra. The lanes of a phase are the
/// lowest bits of the lane, 5, 4 or 3 of them; their addresses span a subspace.
/// Its dimension counts the words, the dimension of its image in the bank bits
/// of the address counts the banks, and as all banks get equally many words,
///
///   wavefronts of a phase = 2^(dim words - dim banks)
///
/// Every other access differs by an exclusive or with a constant, which moves
/// banks to banks and words to words: one phase speaks for all.
struct SharedAccess {
  /// Elements per access; a power of two.
  unsigned vector = 1;
  unsigned bytes = 0;
  /// Wavefronts per phase: 1 is free of conflicts.
  unsigned conflicts = 1;
  /// Phases of one access of a warp.
  unsigned phases = 1;

  /// "16 bytes a lane with 1 wavefront a phase".
  std::string format() const;
};

/// The access of `threads` (register, lane, ... -> block) to `shared` (offset ->
/// block) by vectors of at most `maxBytes` that each thread has whole and aligned in
/// its registers: those with the fewest wavefronts; of equals the ones without
/// conflicts, then the widest. The shared layout is injective and holds every element
/// of the cta.
SharedAccess analyseSharedAccess(const LinearLayout &threads, const LinearLayout &shared,
                                 unsigned elementBytes, unsigned maxBytes = 16);

/// Finds a shared layout through which a block goes from `writer` to `reader` by
/// the widest vectors both have, both without bank conflicts.
///
/// The search is a construction (section 5.4 of arXiv 2505.23819). In the space
/// of the block's elements let V be the common vector, at most 16 bytes of what
/// every register set of both holds; let A and B be the directions in which the
/// lanes of one phase of the writer and of the reader differ, modulo V. Offsets
/// are numbered
///
///   V | bits inside a 128-byte row | S, the number of the row
///
/// and two lanes of a phase conflict when they differ by a vector of S, for then
/// they lie in different rows of one bank. So S must meet neither A nor B. Extend
/// both to the size of a row; then with A = I + <a1..ak>, B = I + <b1..bk> and
/// I their intersection,
///
///   S = a complement of A + B, and a1 + b1, ..., ak + bk
///
/// meets neither, and has just the dimension of the rows. Example: 32 x 32 words
/// written by rows (lanes along dim1) and read by columns (lanes along dim0):
/// V = 0, A = <(0,1), (0,2), ...>, B = <(1,0), (2,0), ...>, I = 0, and S is
/// <(1,1), (2,2), (4,4), ...>: element (i, j) lies in bank j ^ i, the classical
/// swizzle.
///
/// One side may go by wider vectors than V without a conflict: the directions V' by
/// which its vector is wider are counted to its A, whose phase then has as many
/// lanes fewer, and get the lowest bits of the row. The side with more to gain does.
/// In the example, were the writer to hold (0,1) and (0,2) in registers, it would
/// write 16 bytes a lane and the reader still read 4, both without conflicts.
///
/// Elements of less than four bytes share a word when V is one of them. The
/// directions W inside a word are then taken from I: a lane of either side that
/// differs by s + w, s in S and w in W, differs by w only, as S meets neither side.
/// I is large enough, for the lanes of a phase are 2^5, a row has dim W bits more,
/// and B is extended by vectors of A first.
///
/// A conversion moves data within a cta; the elements of one cta of `writer` must
/// hold those of `reader`. The layout found maps offsets onto them.
LinearLayout findSwizzle(const LinearLayout &writer, const LinearLayout &reader,
                         unsigned elementBytes, unsigned maxBytes = 16);

} // namespace fsm

#endif // FSM_LAYOUT_SHAREDSWIZZLE_H
