//===- BitMatrix.cpp - Matrices over the field of two elements -----------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Layout/BitMatrix.h"

#include <algorithm>
#include <cassert>
#include <functional>
#include <utility>

using namespace fsm;

static bool parity(uint64_t x) { return __builtin_parityll(x); }

BitMatrix::BitMatrix(unsigned rowCount, unsigned columns) : rows(rowCount, 0), columns(columns) {
  assert(rowCount <= 64 && columns <= 64);
}

BitMatrix BitMatrix::identity(unsigned size) {
  BitMatrix result(size, size);
  for (unsigned i = 0; i < size; ++i)
    result.rows[i] = uint64_t(1) << i;
  return result;
}

BitMatrix BitMatrix::fromRows(std::vector<uint64_t> rows, unsigned columns) {
  BitMatrix result(static_cast<unsigned>(rows.size()), columns);
  result.rows = std::move(rows);
  return result;
}

BitMatrix BitMatrix::fromColumns(const std::vector<uint64_t> &columns, unsigned rows) {
  BitMatrix result(rows, static_cast<unsigned>(columns.size()));
  for (unsigned c = 0; c < columns.size(); ++c) {
    assert((rows == 64 || columns[c] >> rows == 0) && "a column has more bits than there are rows");
    for (uint64_t rest = columns[c]; rest; rest &= rest - 1)
      result.rows[__builtin_ctzll(rest)] |= uint64_t(1) << c;
  }
  return result;
}

void BitMatrix::set(unsigned row, unsigned column, bool value) {
  rows[row] = (rows[row] & ~(uint64_t(1) << column)) | uint64_t(value) << column;
}

uint64_t BitMatrix::column(unsigned index) const {
  uint64_t result = 0;
  for (unsigned r = 0; r < rowCount(); ++r)
    result |= uint64_t(at(r, index)) << r;
  return result;
}

std::vector<uint64_t> BitMatrix::columnVectors() const {
  std::vector<uint64_t> result(columns);
  for (unsigned c = 0; c < columns; ++c)
    result[c] = column(c);
  return result;
}

uint64_t BitMatrix::apply(uint64_t x) const {
  uint64_t result = 0;
  for (unsigned r = 0; r < rowCount(); ++r)
    result |= uint64_t(parity(rows[r] & x)) << r;
  return result;
}

BitMatrix BitMatrix::operator*(const BitMatrix &right) const {
  assert(columns == right.rowCount());
  BitMatrix result(rowCount(), right.columns);
  for (unsigned r = 0; r < rowCount(); ++r)
    for (uint64_t rest = rows[r]; rest; rest &= rest - 1)
      result.rows[r] ^= right.rows[__builtin_ctzll(rest)];
  return result;
}

BitMatrix BitMatrix::operator^(const BitMatrix &other) const {
  assert(rowCount() == other.rowCount() && columns == other.columns);
  BitMatrix result = *this;
  for (unsigned r = 0; r < rowCount(); ++r)
    result.rows[r] ^= other.rows[r];
  return result;
}

BitMatrix BitMatrix::transposed() const { return fromColumns(rows, columns); }

Echelon fsm::eliminate(const BitMatrix &matrix) {
  std::vector<uint64_t> rows(matrix.rowCount()), transform(matrix.rowCount());
  for (unsigned r = 0; r < rows.size(); ++r) {
    rows[r] = matrix.row(r);
    transform[r] = uint64_t(1) << r;
  }
  std::vector<unsigned> pivots;
  for (unsigned c = 0; c < matrix.columnCount() && pivots.size() < rows.size(); ++c) {
    size_t next = pivots.size(), found = next;
    while (found < rows.size() && !(rows[found] >> c & 1))
      ++found;
    if (found == rows.size())
      continue;
    std::swap(rows[found], rows[next]);
    std::swap(transform[found], transform[next]);
    for (size_t r = 0; r < rows.size(); ++r)
      if (r != next && (rows[r] >> c & 1)) {
        rows[r] ^= rows[next];
        transform[r] ^= transform[next];
      }
    pivots.push_back(c);
  }
  return {BitMatrix::fromRows(std::move(rows), matrix.columnCount()),
          BitMatrix::fromRows(std::move(transform), matrix.rowCount()), std::move(pivots)};
}

unsigned BitMatrix::rank() const {
  Subspace space;
  for (uint64_t row : rows)
    space.insert(row);
  return space.dimension();
}

std::vector<uint64_t> BitMatrix::kernelBasis() const {
  Echelon echelon = eliminate(*this);
  uint64_t pivots = 0;
  for (unsigned pivot : echelon.pivots)
    pivots |= uint64_t(1) << pivot;
  std::vector<uint64_t> basis;
  for (unsigned c = 0; c < columns; ++c) {
    if (pivots >> c & 1)
      continue;
    // Set the free bit c; each pivot row then says what its own bit must be.
    uint64_t vector = uint64_t(1) << c;
    for (unsigned i = 0; i < echelon.pivots.size(); ++i)
      if (echelon.reduced.at(i, c))
        vector |= uint64_t(1) << echelon.pivots[i];
    basis.push_back(vector);
  }
  return basis;
}

uint64_t BitMatrix::pivotColumns() const {
  Subspace space;
  uint64_t result = 0;
  for (unsigned c = 0; c < columns; ++c)
    result |= uint64_t(space.insert(column(c))) << c;
  return result;
}

std::vector<uint64_t> BitMatrix::imageBasis() const {
  std::vector<uint64_t> basis;
  for (uint64_t rest = pivotColumns(); rest; rest &= rest - 1)
    basis.push_back(column(__builtin_ctzll(rest)));
  return basis;
}

std::optional<uint64_t> BitMatrix::solve(uint64_t y) const {
  uint64_t x = pseudoInverse().apply(y);
  return apply(x) == y ? std::optional<uint64_t>(x) : std::nullopt;
}

BitMatrix BitMatrix::pseudoInverse() const {
  Echelon echelon = eliminate(*this);
  BitMatrix result(columns, rowCount());
  for (unsigned i = 0; i < echelon.pivots.size(); ++i)
    result.rows[echelon.pivots[i]] = echelon.transform.row(i);
  return result;
}

std::optional<BitMatrix> BitMatrix::rightInverse() const {
  if (rank() != rowCount())
    return std::nullopt;
  return pseudoInverse();
}

std::optional<BitMatrix> BitMatrix::inverse() const {
  return rowCount() == columns ? rightInverse() : std::nullopt;
}

Subspace::Subspace(const std::vector<uint64_t> &vectors) {
  for (uint64_t vector : vectors)
    insert(vector);
}

static uint64_t highestBit(uint64_t x) { return uint64_t(1) << (63 - __builtin_clzll(x)); }

bool Subspace::insert(uint64_t vector) {
  vector = reduce(vector);
  if (!vector)
    return false;
  for (uint64_t &other : reduced)
    if (other & highestBit(vector))
      other ^= vector;
  reduced.insert(std::upper_bound(reduced.begin(), reduced.end(), vector, std::greater<uint64_t>()),
                 vector);
  return true;
}

uint64_t Subspace::reduce(uint64_t vector) const {
  for (uint64_t base : reduced)
    vector = std::min(vector, vector ^ base);
  return vector;
}

std::vector<uint64_t> fsm::intersectSpans(const std::vector<uint64_t> &left,
                                          const std::vector<uint64_t> &right) {
  // Left * x == right * y: the kernel of [left | right] has all such pairs.
  std::vector<uint64_t> both = left;
  both.insert(both.end(), right.begin(), right.end());
  Subspace found;
  std::vector<uint64_t> basis;
  for (uint64_t pair : BitMatrix::fromColumns(both, 64).kernelBasis()) {
    uint64_t sum = 0;
    for (unsigned i = 0; i < left.size(); ++i)
      sum ^= pair >> i & 1 ? left[i] : 0;
    if (found.insert(sum))
      basis.push_back(sum);
  }
  return basis;
}
