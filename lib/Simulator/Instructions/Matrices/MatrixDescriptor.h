//===- MatrixDescriptor.h - Factors in shared memory ------------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// A factor of wgmma in shared memory consists of *pieces* of 16 bytes. It has `lines`, which are
// rows of the left factor or columns of the right one, and 32 bytes of each line, which are added
// up. Where bytes of a line lie side by side (K-major), a piece is one half of a line; else
// (MN-major, for types of 16 bits) it is eight lines at one place. Pieces lie in rows of 128, 64,
// 32 or 16 bytes, the span of the swizzle, and eight rows are one behind the other:
//
//             row                    piece in the row      from 8 rows to the next   row full
//   K-major   line % 8               half                  stride (line / 8)         -
//   no span   line % 8               -                     stride (line / 8)         leading (half)
//   MN-major  place % 8              line / 8 in the span  stride (place / 8)        leading
//   no span   place % 8              -                     leading (place / 8)       stride (line / 8)
//
// The swizzle then is an exclusive or of bits 4 to 6 of the address with bits 7 to 9, as many as
// the span has. The table is that of the canonical layouts in PTX ISA 9.0, 9.7.16.5.1.

#ifndef FSM_LIB_SIMULATOR_INSTRUCTIONS_MATRIXDESCRIPTOR_H
#define FSM_LIB_SIMULATOR_INSTRUCTIONS_MATRIXDESCRIPTOR_H

#include <cstdint>
#include <string>

namespace fsm::sim {

class MatrixDescriptor {
public:
  static constexpr unsigned kPieceBytes = 16, kLineBytes = 32;

  MatrixDescriptor(uint64_t bits, bool isTransposed);

  /// The address of a piece: of a line, the half of it; of a transposed matrix, of the lines from
  /// 8 * `outer` on, place `inner` of them.
  uint64_t pieceAt(unsigned outer, unsigned inner) const;
  /// What is wrong with it for so many lines, or nothing: "... begins at byte 64 of shared memory".
  std::string check(unsigned lines) const;

  unsigned bytesOfRow() const { return span; }

  const bool isTransposed;

private:
  uint64_t bits, start, leading, stride;
  /// Bytes of a row, and the repetition of the swizzle that the matrix begins with.
  unsigned span, base;
};

} // namespace fsm::sim

#endif // FSM_LIB_SIMULATOR_INSTRUCTIONS_MATRIXDESCRIPTOR_H
