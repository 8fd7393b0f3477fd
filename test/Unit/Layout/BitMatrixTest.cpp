//===- BitMatrixTest.cpp - Linear algebra over F2 ------------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Layout/BitMatrix.h"

#include "gtest/gtest.h"

#include <random>

using namespace fsm;

namespace {

using Random = std::mt19937_64;

uint64_t lowBits(unsigned count) { return count == 64 ? ~uint64_t(0) : (uint64_t(1) << count) - 1; }

/// A matrix that is often of less than full rank.
BitMatrix randomMatrix(Random &random, unsigned rows, unsigned columns) {
  std::vector<uint64_t> vectors;
  for (unsigned r = 0; r < rows; ++r)
    vectors.push_back(vectors.size() > 1 && random() % 4 == 0
                          ? vectors[random() % vectors.size()] ^ vectors.back()
                          : random() & lowBits(columns));
  return BitMatrix::fromRows(vectors, columns);
}

unsigned randomSize(Random &random) { return random() % 8 ? 1 + random() % 12 : 64; }

TEST(BitMatrix, HoldsTheExampleOfItsComment) {
  BitMatrix f = BitMatrix::fromColumns({0b01, 0b10, 0b11}, 2);
  EXPECT_EQ(f.row(0), 0b101u);
  EXPECT_EQ(f.row(1), 0b110u);
  EXPECT_EQ(f.apply(0b101), 0b10u);
  EXPECT_EQ(f.rank(), 2u);
  EXPECT_EQ(f.kernelBasis(), std::vector<uint64_t>{0b111});
  EXPECT_EQ(f.imageBasis(), (std::vector<uint64_t>{0b01, 0b10}));
  EXPECT_EQ(f.solve(0b11), 0b011u);
  EXPECT_EQ(f.rightInverse()->columnVectors(), (std::vector<uint64_t>{0b01, 0b10}));
  EXPECT_FALSE(f.inverse());
}

TEST(BitMatrix, SingularSystemsHaveNoSolutionOutsideTheImage) {
  BitMatrix f = BitMatrix::fromColumns({0b011, 0b110, 0b101}, 3);
  EXPECT_EQ(f.rank(), 2u);
  EXPECT_FALSE(f.inverse());
  EXPECT_FALSE(f.solve(0b001));
  EXPECT_EQ(f.solve(0b101), 0b011u);
}

TEST(BitMatrix, InverseOfAKnownMatrix) {
  // A Gray code, y = x ^ (x >> 1); its inverse is the running parity from above.
  BitMatrix gray = BitMatrix::fromColumns({0b0001, 0b0011, 0b0110, 0b1100}, 4);
  BitMatrix inverse = *gray.inverse();
  EXPECT_EQ(inverse.columnVectors(), (std::vector<uint64_t>{0b0001, 0b0011, 0b0111, 0b1111}));
}

TEST(BitMatrix, ProductIsComposition) {
  Random random(1);
  for (int i = 0; i < 2000; ++i) {
    unsigned n = randomSize(random);
    BitMatrix a = randomMatrix(random, randomSize(random), n);
    BitMatrix b = randomMatrix(random, n, randomSize(random));
    uint64_t x = random() & lowBits(b.columnCount());
    EXPECT_EQ((a * b).apply(x), a.apply(b.apply(x)));
    EXPECT_EQ((a * b).transposed(), b.transposed() * a.transposed());
  }
}

TEST(BitMatrix, EliminationIsReducedAndReversible) {
  Random random(2);
  for (int i = 0; i < 2000; ++i) {
    BitMatrix a = randomMatrix(random, randomSize(random), randomSize(random));
    Echelon echelon = eliminate(a);
    EXPECT_EQ(echelon.transform * a, echelon.reduced);
    EXPECT_EQ(echelon.transform.rank(), a.rowCount());
    for (unsigned r = 0; r < a.rowCount(); ++r) {
      if (r >= echelon.pivots.size())
        EXPECT_EQ(echelon.reduced.row(r), 0u);
      else
        EXPECT_EQ(echelon.reduced.column(echelon.pivots[r]), uint64_t(1) << r);
    }
  }
}

TEST(BitMatrix, RankKernelAndImageAgree) {
  Random random(3);
  for (int i = 0; i < 2000; ++i) {
    BitMatrix a = randomMatrix(random, randomSize(random), randomSize(random));
    EXPECT_EQ(a.rank(), a.transposed().rank());
    EXPECT_EQ(a.rank(), a.imageBasis().size());
    std::vector<uint64_t> kernel = a.kernelBasis();
    EXPECT_EQ(kernel.size() + a.rank(), a.columnCount());
    EXPECT_EQ(Subspace(kernel).dimension(), kernel.size());
    for (uint64_t vector : kernel)
      EXPECT_EQ(a.apply(vector), 0u);
  }
}

TEST(BitMatrix, InversesInvert) {
  Random random(4);
  for (int i = 0; i < 2000; ++i) {
    BitMatrix a = randomMatrix(random, randomSize(random), randomSize(random));
    BitMatrix p = a.pseudoInverse();
    EXPECT_EQ(a * p * a, a);
    EXPECT_EQ(p * a * p, p);
    if (std::optional<BitMatrix> right = a.rightInverse())
      EXPECT_EQ(a * *right, BitMatrix::identity(a.rowCount()));
    if (std::optional<BitMatrix> inverse = a.inverse())
      EXPECT_EQ(*inverse * a, BitMatrix::identity(a.columnCount()));
    uint64_t y = a.apply(random() & lowBits(a.columnCount()));
    ASSERT_TRUE(a.solve(y));
    EXPECT_EQ(a.apply(*a.solve(y)), y);
    EXPECT_EQ(*a.solve(y) & ~a.pivotColumns(), 0u);
  }
}

TEST(Subspace, ReduceFindsTheSmallest) {
  Random random(5);
  for (int i = 0; i < 500; ++i) {
    std::vector<uint64_t> vectors{random() % 64, random() % 64, random() % 64};
    uint64_t x = random() % 64, smallest = x;
    for (unsigned choice = 0; choice < 8; ++choice)
      smallest =
          std::min(smallest, x ^ (choice & 1 ? vectors[0] : 0) ^ (choice & 2 ? vectors[1] : 0) ^
                                 (choice & 4 ? vectors[2] : 0));
    EXPECT_EQ(Subspace(vectors).reduce(x), smallest);
  }
}

TEST(Subspace, IntersectionHasTheRightDimension) {
  Random random(6);
  for (int i = 0; i < 2000; ++i) {
    std::vector<uint64_t> left, right;
    for (int j = 0; j < 4; ++j)
      left.push_back(random() % 64), right.push_back(random() % 64);
    std::vector<uint64_t> common = intersectSpans(left, right), sum = left;
    sum.insert(sum.end(), right.begin(), right.end());
    Subspace l(left), r(right);
    for (uint64_t vector : common)
      EXPECT_TRUE(l.contains(vector) && r.contains(vector));
    EXPECT_EQ(common.size() + Subspace(sum).dimension(), l.dimension() + r.dimension());
  }
}

} // namespace
