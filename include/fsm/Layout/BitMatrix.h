//===- BitMatrix.h - Matrices over the field of two elements ---*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_LAYOUT_BITMATRIX_H
#define FSM_LAYOUT_BITMATRIX_H

#include <cstdint>
#include <optional>
#include <vector>

namespace fsm {

struct Echelon;

/// A matrix over F2, the field {0, 1} in which addition is exclusive or.
///
/// A number of n bits is a vector of F2^n: bit i is its i-th component, and
/// `x ^ y` is the sum of x and y. A function f on such numbers is linear when
/// f(x ^ y) = f(x) ^ f(y); it is then known from its values on the powers of
/// two, its *columns*:
///
///   f(0b101) = f(0b100) ^ f(0b001) = column(2) ^ column(0)
///
/// As an example take f with the columns 01, 10, 11 (from three bits to two):
///
///           x0 x1 x2
///   y0    [  1  0  1 ]      row(0) = 0b101: y0 = x0 ^ x2
///   y1    [  0  1  1 ]      row(1) = 0b110: y1 = x1 ^ x2
///
///   rank          2           two independent columns: every y is reached
///   kernelBasis   {0b111}     f(0b111) = 01 ^ 10 ^ 11 = 0, so x and x ^ 0b111
///                             have the same image
///   solve(0b11)   0b011       the free bit x2 is left 0
///   rightInverse  y -> (y0, y1, 0)
///
/// Up to 64 rows and 64 columns; one word per row, and all operations are a few
/// word operations per row.
class BitMatrix {
public:
  /// The zero matrix.
  BitMatrix(unsigned rows, unsigned columns);
  static BitMatrix identity(unsigned size);
  /// Bit c of `rows[r]` is the entry in row r and column c.
  static BitMatrix fromRows(std::vector<uint64_t> rows, unsigned columns);
  /// Bit r of `columns[c]` is the entry in row r and column c: the image of
  /// `1 << c`.
  static BitMatrix fromColumns(const std::vector<uint64_t> &columns, unsigned rows);

  unsigned rowCount() const { return static_cast<unsigned>(rows.size()); }
  unsigned columnCount() const { return columns; }
  bool at(unsigned row, unsigned column) const { return rows[row] >> column & 1; }
  void set(unsigned row, unsigned column, bool value);
  uint64_t row(unsigned index) const { return rows[index]; }
  uint64_t column(unsigned index) const;
  std::vector<uint64_t> columnVectors() const;

  /// The image of x.
  uint64_t apply(uint64_t x) const;
  /// (A * B).apply(x) == A.apply(B.apply(x)).
  BitMatrix operator*(const BitMatrix &right) const;
  /// The sum; both matrices have the same shape.
  BitMatrix operator^(const BitMatrix &other) const;
  BitMatrix transposed() const;

  /// The dimension of the image.
  unsigned rank() const;
  /// Independent vectors that span { x : apply(x) == 0 }; there are
  /// columnCount() - rank() of them.
  std::vector<uint64_t> kernelBasis() const;
  /// The columns that are no sum of columns before them: a basis of the image.
  std::vector<uint64_t> imageBasis() const;
  /// The set, as a mask, of the columns that imageBasis() returns.
  uint64_t pivotColumns() const;
  /// An x with apply(x) == y whose bits outside pivotColumns() are 0, or nothing
  /// when y is outside the image.
  std::optional<uint64_t> solve(uint64_t y) const;

  /// The P that takes each y in the image to solve(y): A * P * A == A.
  BitMatrix pseudoInverse() const;
  /// A * R == 1, if every y is reached.
  std::optional<BitMatrix> rightInverse() const;
  /// The two-sided inverse, if there is one.
  std::optional<BitMatrix> inverse() const;

  bool operator==(const BitMatrix &other) const {
    return columns == other.columns && rows == other.rows;
  }
  bool operator!=(const BitMatrix &other) const { return !(*this == other); }

private:
  std::vector<uint64_t> rows;
  unsigned columns;
};

/// What Gaussian elimination makes of a matrix A: `reduced` is in reduced row
/// echelon form, and `transform * A == reduced`.
struct Echelon {
  BitMatrix reduced;
  BitMatrix transform;
  /// The column of the leading one of row i, ascending; rows beyond are zero.
  std::vector<unsigned> pivots;
};

Echelon eliminate(const BitMatrix &matrix);

/// A subspace of F2^64 that grows by one vector at a time. The vectors are kept
/// reduced: no two have the same highest bit, and the highest bit of one is 0 in
/// all others.
///
///   Subspace s;
///   s.insert(0b110), s.insert(0b011);    true, true
///   s.insert(0b101);                     false: 110 ^ 011
///   s.reduce(0b111)                      0b001: the smallest of x ^ s
class Subspace {
public:
  Subspace() = default;
  explicit Subspace(const std::vector<uint64_t> &vectors);

  /// Adds a vector; false when it was in the subspace already.
  bool insert(uint64_t vector);
  bool contains(uint64_t vector) const { return reduce(vector) == 0; }
  /// The smallest number among vector ^ s for s in the subspace.
  uint64_t reduce(uint64_t vector) const;
  unsigned dimension() const { return static_cast<unsigned>(reduced.size()); }
  /// The reduced basis, highest vector first; equal for equal subspaces.
  const std::vector<uint64_t> &basis() const { return reduced; }

private:
  std::vector<uint64_t> reduced;
};

/// A basis of the vectors that both lists span.
std::vector<uint64_t> intersectSpans(const std::vector<uint64_t> &left,
                                     const std::vector<uint64_t> &right);

} // namespace fsm

#endif // FSM_LAYOUT_BITMATRIX_H
