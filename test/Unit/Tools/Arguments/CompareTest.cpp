//===- CompareTest.cpp - Equal enough, or not ---------------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Tools/Arguments/Compare.h"
#include "fsm/Tools/Arguments/Float.h"

#include "gtest/gtest.h"

#include <cmath>
#include <cstring>

using namespace fsm;

namespace {
/// Elements of any type and the view on them.
struct Array {
  std::vector<unsigned char> bytes;
  ArrayView view;

  /// Floats are rounded to `type`; integers wrap.
  Array(ScalarType type, const std::vector<double> &values, std::vector<uint64_t> shape = {},
        bool fortranOrder = false) {
    size_t width = scalarTypeInfo(type).bytes;
    for (double value : values) {
      uint64_t bits = scalarTypeInfo(type).isFloat
                          ? narrowFloat(value, type)
                          : static_cast<uint64_t>(static_cast<int64_t>(value));
      for (size_t i = 0; i < width; ++i)
        bytes.push_back(static_cast<unsigned char>(bits >> 8 * i));
    }
    view.type = type;
    view.fortranOrder = fortranOrder;
    view.shape = shape.empty() ? std::vector<uint64_t>{values.size()} : shape;
    view.data = bytes.data();
  }
  Array(const Array &) = delete;
};
} // namespace

static Comparison compare(const Array &actual, const Array &expected, Tolerance tolerance = {}) {
  Result<Comparison> result = compareArrays(actual.view, expected.view, tolerance);
  EXPECT_TRUE(result) << result.error().message;
  return result ? std::move(*result) : Comparison();
}

static bool agree(ScalarType type, double actual, double expected, Tolerance tolerance = {},
                  ScalarType expectedType = ScalarType::F64) {
  return compare(Array(type, {actual}), Array(expectedType, {expected}), tolerance).mismatches == 0;
}

static constexpr double kNaN = NAN;

TEST(Compare, SpecialValuesEqualOnlyThemselves) {
  for (ScalarType type :
       {ScalarType::F16, ScalarType::BF16, ScalarType::F32, ScalarType::F64, ScalarType::F8E5M2}) {
    EXPECT_TRUE(agree(type, kNaN, -kNaN));
    EXPECT_FALSE(agree(type, kNaN, 1));
    EXPECT_FALSE(agree(type, 1, kNaN));
    EXPECT_FALSE(agree(type, kNaN, HUGE_VAL));
    EXPECT_TRUE(agree(type, HUGE_VAL, HUGE_VAL));
    EXPECT_FALSE(agree(type, HUGE_VAL, -HUGE_VAL));
    EXPECT_FALSE(agree(type, 57344, HUGE_VAL));
    EXPECT_FALSE(agree(type, HUGE_VAL, 1, Tolerance{1.0, 1e300}));
    EXPECT_TRUE(agree(type, -0.0, 0.0));
  }
}

TEST(Compare, SingleHasARelativeTolerance) {
  EXPECT_TRUE(agree(ScalarType::F32, 1000.009, 1000));
  EXPECT_FALSE(agree(ScalarType::F32, 1000.02, 1000));
  EXPECT_TRUE(agree(ScalarType::F32, 0, 1e-39)); // a flushed denormal
  EXPECT_FALSE(agree(ScalarType::F32, 0, 1e-37));
  EXPECT_TRUE(agree(ScalarType::F32, HUGE_VAL, 1e39)); // the rounded answer
  EXPECT_FALSE(agree(ScalarType::F32, 3.4e38, 1e39));
}

TEST(Compare, DoubleIsStricter) {
  EXPECT_TRUE(agree(ScalarType::F64, 1 + 5e-13, 1));
  EXPECT_FALSE(agree(ScalarType::F64, 1 + 2e-12, 1));
}

TEST(Compare, NarrowFloatsMayBeTheNeighbour) {
  double ulp = std::ldexp(1.0, -10);
  EXPECT_TRUE(agree(ScalarType::F16, 1 + ulp, 1));
  EXPECT_FALSE(agree(ScalarType::F16, 1 + 2 * ulp, 1));
  // 1.7 ulp away from the exact answer, but that rounds to the neighbour.
  EXPECT_TRUE(agree(ScalarType::F16, 1 + 2 * ulp, 1 + 0.7 * ulp));
  EXPECT_TRUE(agree(ScalarType::F16, -std::ldexp(1.0, -24), 0));
  EXPECT_FALSE(agree(ScalarType::F16, -std::ldexp(1.0, -24), std::ldexp(1.0, -24)));
  EXPECT_TRUE(agree(ScalarType::BF16, 1 + std::ldexp(1.0, -7), 1));
  EXPECT_FALSE(agree(ScalarType::BF16, 1 + std::ldexp(1.0, -6), 1));
  EXPECT_TRUE(agree(ScalarType::F8E4M3FN, 448, 1000)); // saturated as the language says
}

TEST(Compare, GivenTolerancesReplaceTheDefault) {
  EXPECT_TRUE(agree(ScalarType::F16, 1.09, 1, Tolerance{0.1, {}}));
  EXPECT_FALSE(agree(ScalarType::F16, 1.2, 1, Tolerance{0.1, {}}));
  EXPECT_FALSE(agree(ScalarType::F32, 1 + 1e-6, 1, Tolerance{0.0, 0.0}));
  EXPECT_TRUE(agree(ScalarType::F32, 1e-3, 0, Tolerance{{}, 1e-2}));
  EXPECT_TRUE(agree(ScalarType::I32, 5, 7, Tolerance{{}, 2.0}, ScalarType::I32));
  EXPECT_FALSE(agree(ScalarType::I32, 5, 8, Tolerance{{}, 2.0}, ScalarType::I32));
}

TEST(Compare, IntegersAreExactInEitherReading) {
  EXPECT_FALSE(agree(ScalarType::I64, 4611686018427387904.0, 4611686018427387905.0 + 1024, {},
                     ScalarType::I64));
  EXPECT_TRUE(agree(ScalarType::I32, -1, 4294967295.0, {}, ScalarType::I64));
  EXPECT_TRUE(agree(ScalarType::I32, -1, -1, {}, ScalarType::I64));
  EXPECT_FALSE(agree(ScalarType::I32, 0, 4294967296.0, {}, ScalarType::I64));
  EXPECT_FALSE(agree(ScalarType::I1, 2, 1, {}, ScalarType::I1)); // no bool at all
}

TEST(Compare, ReportsTheFirstMismatchAndTheWorst) {
  Array actual(ScalarType::F32, {1, 2.5, 3, 4, 9, 6}, {2, 3});
  Array expected(ScalarType::F32, {1, 2, 3, 4, 5, 6}, {2, 3});
  Comparison result = compare(actual, expected);
  EXPECT_EQ(result.mismatches, 2u);
  EXPECT_EQ(result.text(), "2 of 6 elements differ, expected to agree within rtol 1e-05, atol "
                           "1.18e-38; first at (0, 1): expected 2, got 2.5; largest absolute "
                           "error 4, relative 0.8");
}

TEST(Compare, AnErrorOfZeroIsNotRelative) {
  Array zeros(ScalarType::F32, {0, 0});
  EXPECT_EQ(compare(Array(ScalarType::F32, {0.5, 0}), zeros).text(),
            "1 of 2 elements differ, expected to agree within rtol 1e-05, atol 1.18e-38; first at "
            "(0,): expected 0, got 0.5; largest absolute error 0.5, where 0 is expected");
  EXPECT_EQ(compare(Array(ScalarType::F32, {0.5, 5}), Array(ScalarType::F32, {0, 4})).text(),
            "2 of 2 elements differ, expected to agree within rtol 1e-05, atol 1.18e-38; first at "
            "(0,): expected 0, got 0.5; largest absolute error 1, relative 0.25, and 0.5 where 0 "
            "is expected");
}

TEST(Compare, AgreementIsReportedToo) {
  Array actual(ScalarType::I32, {1, 2});
  EXPECT_EQ(compare(actual, actual).text(),
            "2 elements agree exactly; largest absolute error 0, relative 0");
}

TEST(Compare, MemoryOrdersMayDiffer) {
  Array rowMajor(ScalarType::I32, {0, 1, 2, 3, 4, 5}, {2, 3});
  Array columnMajor(ScalarType::I32, {0, 3, 1, 4, 2, 5}, {2, 3}, true);
  EXPECT_EQ(compare(rowMajor, columnMajor).mismatches, 0u);
  Array wrong(ScalarType::I32, {0, 3, 1, 4, 2, 7}, {2, 3}, true);
  EXPECT_EQ(compare(rowMajor, wrong).firstIndex, (std::vector<uint64_t>{1, 2}));
  Array cube(ScalarType::I32, {0, 1, 2, 3, 4, 5, 6, 7}, {2, 2, 2});
  Array cubeFortran(ScalarType::I32, {0, 4, 2, 6, 1, 5, 3, 7}, {2, 2, 2}, true);
  EXPECT_EQ(compare(cube, cubeFortran).mismatches, 0u);
  EXPECT_EQ(compare(cube, cubeFortran).elements, 8u);
}

TEST(Compare, ShapesMustAgree) {
  Array row(ScalarType::I32, {0, 1}, {2}), column(ScalarType::I32, {0, 1}, {2, 1});
  Result<Comparison> result = compareArrays(row.view, column.view);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().message, "expected the shape (2, 1), got (2,)");
}

TEST(Compare, EmptyAndScalarArraysCompare) {
  Array empty(ScalarType::F32, {}, {0, 3});
  EXPECT_EQ(compare(empty, empty).elements, 0u);
  Array scalar(ScalarType::F32, {1});
  scalar.view.shape.clear();
  EXPECT_EQ(compare(scalar, scalar).elements, 1u);
}

/// A reference file in memory with one element of zero bits.
static std::string referenceError(NpyType file, ScalarType output) {
  NpyArray array;
  array.type = file;
  array.shape = {1};
  array.data = std::move(*AlignedBuffer::create(npyTypeInfo(file).bytes));
  Result<ArrayView> view = viewReference(array, output, "r.npy");
  return view ? std::string(scalarTypeInfo(view->type).name) : view.error().message;
}

TEST(Compare, ReferencesMayBeOfOtherTypes) {
  EXPECT_EQ(referenceError(NpyType::F8, ScalarType::F16), "f64");
  EXPECT_EQ(referenceError(NpyType::F4, ScalarType::BF16), "f32");
  EXPECT_EQ(referenceError(NpyType::U2, ScalarType::BF16), "bf16");
  EXPECT_EQ(referenceError(NpyType::U1, ScalarType::F8E5M2), "f8E5M2");
  EXPECT_EQ(referenceError(NpyType::I8, ScalarType::I32), "i64");
  EXPECT_EQ(referenceError(NpyType::U2, ScalarType::F16),
            "r.npy: expected a file of floats to compare with f16, got uint16");
  EXPECT_EQ(referenceError(NpyType::I2, ScalarType::BF16),
            "r.npy: expected a file of floats, or of uint16 bits, to compare with bf16, got int16");
  EXPECT_EQ(referenceError(NpyType::F4, ScalarType::I32),
            "r.npy: expected a file of integers to compare with i32, got float32");
}

static std::string checkErrorOf(const std::string &text) {
  Result<CheckSpec> spec = parseCheckSpec(text);
  return spec ? "no error" : spec.error().message;
}

TEST(Compare, ReadsCheckSpecs) {
  Result<CheckSpec> spec = parseCheckSpec("out:a,b.npy,rtol=1e-3,atol=0");
  ASSERT_TRUE(spec) << spec.error().message;
  EXPECT_EQ(spec->argument, "out");
  EXPECT_EQ(spec->path, "a,b.npy");
  EXPECT_EQ(spec->tolerance.relative, 1e-3);
  EXPECT_EQ(spec->tolerance.absolute, 0.0);
  EXPECT_FALSE(parseCheckSpec("0:x.npy")->tolerance.relative);
  EXPECT_EQ(parseCheckSpec("0:a:b.npy")->path, "a:b.npy");
}

TEST(Compare, RefusesMalformedCheckSpecs) {
  EXPECT_EQ(checkErrorOf("x.npy"), "--check=x.npy: expected I:FILE.npy[,rtol=R][,atol=A], I being "
                                   "a position or a name, got 'x.npy'");
  EXPECT_EQ(checkErrorOf("0:x.npy,tol=1"),
            "--check=0:x.npy,tol=1: expected rtol=R or atol=A after the file, got 'tol'");
  EXPECT_EQ(checkErrorOf("0:x.npy,rtol=-1"),
            "--check=0:x.npy,rtol=-1: expected a finite number of 0 or more after rtol=, got '-1'");
  for (const char *text : {"", ":x.npy", "0:", "0:x,rtol=", "0:x,rtol=inf", "0:x,rtol=nan",
                           "0:x,rtol=1,rtol=2", "0:,rtol=1"})
    EXPECT_NE(checkErrorOf(text), "no error") << text;
}
