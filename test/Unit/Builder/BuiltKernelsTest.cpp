//===- BuiltKernelsTest.cpp - Kernels written in C++, on every device ----===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Built.h"

#include <cmath>
#include <numeric>

using namespace fsm;
using namespace fsm::test;

static constexpr ScalarType F32 = ScalarType::F32, I32 = ScalarType::I32, I64 = ScalarType::I64;

class Built : public ::testing::TestWithParam<const char *> {
protected:
  void run(const KernelBuilder &kernel, Grid grid, const std::vector<Argument> &arguments) {
    EXPECT_EQ(launchBuilt(GetParam(), kernel, grid, arguments), "");
  }
};
INSTANTIATE_TEST_SUITE_P(Devices, Built, ::testing::Values("cpu", "interp", "sim"));

TEST_P(Built, SoftmaxOfRows) {
  KernelBuilder k("softmax");
  Value out = k.pointer(F32, "out"), in = k.pointer(F32, "in", {16, true});
  Value n = k.scalar(I32, "n");
  Value offs = k.range(100), mask = offs < n, row = k.programId() * n;
  Value x = k.load(in + row, offs, mask, -INFINITY), e = exp(x - max(x));
  k.store(out + row, offs, e / sum(e), mask);

  constexpr int32_t rows = 3, columns = 77;
  std::vector<float> given(rows * columns), got(rows * columns, -1.0f);
  for (size_t i = 0; i < given.size(); ++i)
    given[i] = static_cast<float>(static_cast<int>(i * 37 % 101) - 50) / 8;
  run(k, {rows}, {bufferOf(got), bufferOf(given), Argument::integer(columns)});
  for (int32_t row = 0; row < rows; ++row) {
    double total = 0;
    for (int32_t i = 0; i < columns; ++i)
      total += std::exp(static_cast<double>(given[row * columns + i]));
    for (int32_t i = 0; i < columns; ++i) {
      double wanted = std::exp(static_cast<double>(given[row * columns + i])) / total;
      EXPECT_NEAR(got[row * columns + i], wanted, 4e-6 * wanted);
    }
  }
}

TEST_P(Built, RepeatsAsNumPyDoes) {
  KernelBuilder k("outer");
  Value out = k.pointer(I32, "out"), rows = k.range(3), columns = k.range(5);
  // 3x1 and 5 are 3x5; a number and a scalar go with all of them.
  Value tile = expandDims(rows, 1) * 10 + columns + k.programId();
  k.store(out, expandDims(rows, 1) * 5 + columns, tile);
  std::vector<int32_t> got(15, -1);
  run(k, {1}, {bufferOf(got)});
  for (int32_t i = 0; i < 15; ++i)
    EXPECT_EQ(got[i], i / 5 * 10 + i % 5);
}

TEST_P(Built, ArithmeticOfIntegers) {
  KernelBuilder k("integers");
  Value out = k.pointer(I32, "out"), in = k.pointer(I32, "in"), offs = k.range(8);
  Value x = k.load(in, offs), y = k.load(in + 8, offs);
  Values all = {x + y,
                x - y,
                x * y,
                x / y,
                x % y,
                -x,
                x & y,
                x | y,
                x ^ y,
                x << 3,
                x >> 2,
                ~x,
                maximum(x, y),
                minimum(x, y),
                abs(x),
                7 - x,
                natural::divide(x, y),
                natural::remainder(x, y),
                natural::shiftRight(x, 1),
                wrapping::multiply(x, 0x10000001),
                wrapping::add(x, 0x7fffffff),
                wrapping::subtract(x, 0x7fffffff)};
  for (const Value &truth : {x<y, x <= y, x> y, x >= y, x == y, x != y, !(x < y),
                             natural::less(x, y), (x < y) & (y < 5), (x < y) ^ (y < 5)})
    all.push_back(convert(truth, I32));
  all.push_back(select(x < y, x, 100));
  for (size_t i = 0; i < all.size(); ++i)
    k.store(out + 8 * static_cast<int>(i), offs, all[i]);

  std::vector<int32_t> given = {5, -5, 7, -7, 0, 3, -100, 9, 3, 3, -3, -3, 4, 3, 7, -2};
  std::vector<int32_t> got(8 * all.size(), -12345);
  run(k, {1}, {bufferOf(got), bufferOf(given)});
  for (int i = 0; i < 8; ++i) {
    int32_t x = given[i], y = given[i + 8];
    uint32_t u = static_cast<uint32_t>(x), v = static_cast<uint32_t>(y);
    auto wrap = [](uint32_t bits) { return static_cast<int32_t>(bits); };
    std::vector<int32_t> wanted = {x + y,
                                   x - y,
                                   x * y,
                                   x / y,
                                   x % y,
                                   -x,
                                   x & y,
                                   x | y,
                                   x ^ y,
                                   wrap(u << 3),
                                   x >> 2,
                                   ~x,
                                   std::max(x, y),
                                   std::min(x, y),
                                   std::abs(x),
                                   7 - x,
                                   wrap(u / v),
                                   wrap(u % v),
                                   wrap(u >> 1),
                                   wrap(u * 0x10000001u),
                                   wrap(u + 0x7fffffffu),
                                   wrap(u - 0x7fffffffu),
                                   x<y, x <= y, x>
                                       y,
                                   x >= y,
                                   x == y,
                                   x != y,
                                   !(x < y),
                                   u < v,
                                   x < y && y < 5,
                                   (x < y) != (y < 5),
                                   x < y ? x : 100};
    ASSERT_EQ(wanted.size(), all.size());
    for (size_t op = 0; op < wanted.size(); ++op)
      EXPECT_EQ(got[8 * op + i], wanted[op]) << "op " << op << " of " << x << " and " << y;
  }
}

TEST_P(Built, FunctionsOfFloats) {
  KernelBuilder k("floats");
  Value out = k.pointer(F32, "out"), in = k.pointer(F32, "in"), offs = k.range(4);
  Value x = k.load(in, offs);
  Values all = {exp(x),   exp2(x),  expm1(x), log(x),           log1p(x),     log2(x),
                sqrt(x),  rsqrt(x), sin(x),   cos(x),           tanh(x),      erf(x),
                floor(x), ceil(x),  round(x), abs(-x),          pow(x, 1.5),  fma(x, x, 0.5),
                x % 0.75, x / 3,    1 - x,    maximum(x, 1.0f), minimum(1, x)};
  for (size_t i = 0; i < all.size(); ++i)
    k.store(out + 4 * static_cast<int>(i), offs, all[i]);
  std::vector<float> given = {0.25f, 1.5f, 2.5f, 3.75f}, got(4 * all.size(), -1.0f);
  run(k, {1}, {bufferOf(got), bufferOf(given)});
  for (int i = 0; i < 4; ++i) {
    double x = given[i];
    std::vector<double> wanted = {std::exp(x),
                                  std::exp2(x),
                                  std::expm1(x),
                                  std::log(x),
                                  std::log1p(x),
                                  std::log2(x),
                                  std::sqrt(x),
                                  1 / std::sqrt(x),
                                  std::sin(x),
                                  std::cos(x),
                                  std::tanh(x),
                                  std::erf(x),
                                  std::floor(x),
                                  std::ceil(x),
                                  std::nearbyint(x),
                                  x,
                                  std::pow(x, 1.5),
                                  x * x + 0.5,
                                  std::fmod(x, 0.75),
                                  x / 3,
                                  1 - x,
                                  std::max(x, 1.0),
                                  std::min(1.0, x)};
    ASSERT_EQ(wanted.size(), all.size());
    for (size_t op = 0; op < wanted.size(); ++op)
      EXPECT_NEAR(got[4 * op + i], wanted[op], 1e-6 * std::abs(wanted[op]) + 1e-7) << "op " << op;
  }
}

TEST_P(Built, Conversions) {
  KernelBuilder k("conversions");
  Value out = k.pointer(F32, "out"), in = k.pointer(F32, "in"), offs = k.range(4);
  Value x = k.load(in, offs);
  auto back = [](const Value &value) { return convert(value, ScalarType::F32); };
  Values all = {back(convert(x, I32)),
                back(convert(x, ScalarType::I8)),
                back(convert(convert(x, I64), ScalarType::I16)),
                back(convert(convert(x, ScalarType::I8), I64)),
                back(convert(x, ScalarType::F16)),
                back(convert(x, ScalarType::BF16)),
                back(convert(convert(x, ScalarType::F16), ScalarType::BF16)),
                back(convert(x, ScalarType::F64)),
                back(convert(x, ScalarType::F8E5M2)),
                back(convert(x, ScalarType::I1)),
                bitcast(bitcast(x, I32), F32),
                natural::convert(convert(convert(x, ScalarType::I8), ScalarType::I8), F32),
                x};
  for (size_t i = 0; i < all.size(); ++i)
    k.store(out + 4 * static_cast<int>(i), offs, all[i]);
  // 1 + 2^-9 is a number of f16, half way between two of bf16, and near 1 in f8.
  std::vector<float> given = {-2.75f, 0.0f, 1.001953125f, 100.5f}, got(4 * all.size(), -1.0f);
  run(k, {1}, {bufferOf(got), bufferOf(given)});
  std::vector<std::vector<float>> wanted = {{-2, 0, 1, 100},
                                            {-2, 0, 1, 100},
                                            {-2, 0, 1, 100},
                                            {-2, 0, 1, 100},
                                            given,
                                            {-2.75f, 0, 1, 100.5f},
                                            {-2.75f, 0, 1, 100.5f},
                                            given,
                                            {-3, 0, 1, 96},
                                            {1, 0, 1, 1},
                                            given,
                                            {254, 0, 1, 100},
                                            given};
  ASSERT_EQ(wanted.size(), all.size());
  for (size_t op = 0; op < wanted.size(); ++op)
    for (int i = 0; i < 4; ++i)
      EXPECT_EQ(got[4 * op + i], wanted[op][i]) << "op " << op << " of " << given[i];
}

TEST_P(Built, NumbersOfEveryType) {
  KernelBuilder k("numbers");
  Value out = k.pointer(ScalarType::F64, "out");
  auto store = [&, place = 0](Value number) mutable {
    k.store(out + place++, {}, convert(number, ScalarType::F64));
  };
  store(k.full({}, ScalarType::F16, 0.1));
  store(k.full({}, ScalarType::BF16, 0.1));
  store(k.full({}, F32, 0.1));
  store(k.full({}, ScalarType::F64, 0.1));
  store(k.full({}, ScalarType::F8E4M3FN, 0.1));
  store(k.full({}, ScalarType::I8, -128));
  store(k.full({}, ScalarType::I64, int64_t(1) << 40));
  store(k.full({}, ScalarType::I1, true));
  store(k.full({}, F32, -INFINITY));
  store(sum(k.full({5}, F32, 3)));
  store(k.full({}, F32, UINT64_MAX));
  // The next number of each type: 1638 / 2^14, 205 / 2^11 and 13 / 2^7.
  std::vector<double> got(11),
      wanted = {1638.0 / 16384, 205.0 / 2048, 0.1f,  0.1, 13.0 / 128, -128, 1099511627776.0, 1,
                -INFINITY,      15,           0x1p64};
  run(k, {1}, {bufferOf(got)});
  EXPECT_EQ(got, wanted);
}

TEST_P(Built, LoopsAndBranches) {
  KernelBuilder k("loops");
  Value out = k.pointer(I32, "out"), n = k.scalar(I32, "n");
  // 1 + 4 + 9 + ... and the product of what is odd.
  Values both = k.loop(1, n, 1, {k.full({}, I32, 0), k.full({}, I32, 1)}, [&](Value i, Values at) {
    Values odd = k.choose(
        i % 2 == 1, [&] { return Values{at[1] * i}; }, [&] { return Values{at[1]}; });
    return Values{at[0] + i * i, odd[0]};
  });
  k.store(out, {}, both[0]);
  k.store(out + 1, {}, both[1]);
  k.loop(0, 5, 2, [&](Value i) { k.when(i != 2, [&] { k.store(out + 2 + i, {}, i + 50); }); });
  Value deep = k.loop(0, n, 1, k.full({4}, I32, 0), [&](Value i, Value block) {
    return k.loop(0, i, 1, block, [&](Value j, Value inner) { return inner + j; });
  });
  k.store(out + 7, k.range(4), deep);
  Values halved = k.repeatWhile(
      {n * 100, k.full({}, I32, 0)}, [](Values at) { return at[0] > 1; },
      [](Values at) {
        return Values{at[0] / 2, at[1] + 1};
      });
  k.store(out + 11, {}, halved[1]);
  Value longer = k.loop(k.full({}, I64, 0), 3, 1, k.full({}, I64, 0),
                        [](Value i, Value sum) { return sum + i; });
  k.store(out + 12, {}, convert(longer, I32));

  std::vector<int32_t> got(13, -1);
  run(k, {1}, {bufferOf(got), Argument::integer(6)});
  // 1 + 4 + 9 + 16 + 25; 1 * 3 * 5; 0 and 4 of 0, 2, 4; 0 + 1 + 3 + 6 + 10; 600 to 1 in 9 steps.
  EXPECT_EQ(got, (std::vector<int32_t>{55, 15, 50, -1, -1, -1, 54, 20, 20, 20, 20, 9, 3}));
}

TEST_P(Built, LoadsAheadInALoop) {
  KernelBuilder k("row_sum");
  Value out = k.pointer(F32, "out"), in = k.pointer(F32, "in"), n = k.scalar(I32, "n");
  Value offs = k.range(64);
  Value sums = k.loop(
      0, n, 64, k.full({64}, F32, 0),
      [&](Value first, Value sums) { return sums + k.load(in + first, offs, first + offs < n); },
      3);
  k.store(out, {}, sum(sums));
  std::vector<float> given(1000), got(1);
  std::iota(given.begin(), given.end(), 1.0f);
  run(k, {1}, {bufferOf(got), bufferOf(given), Argument::integer(1000)});
  EXPECT_EQ(got[0], 500500.0f);
}

TEST_P(Built, BlocksOfSeveralDimensions) {
  KernelBuilder k("blocks");
  Value out = k.pointer(I32, "out");
  auto flat = [&, place = 0](const Value &block) mutable {
    int64_t count = 1;
    for (int64_t extent : block.shape())
      count *= extent;
    k.store(out + place, k.range(count),
            block.shape().size() == 1 ? block : reshape(block, {count}));
    place += static_cast<int>(count);
  };
  Value x = reshape(k.range(6), {2, 3}); // 0 1 2, 3 4 5
  flat(transpose(x));
  flat(transpose(x, {0, 1}));
  flat(sum(x, 0));
  flat(max(x, 1));
  flat(x - min(x, 1, Reduced::Kept));
  flat(x + max(x, {}, Reduced::Kept));
  flat(scan(Combination::Sum, x, 1));
  flat(scan(Combination::Max, x, 0, /*isReverse=*/true));
  flat(broadcast(sum(x), {2}));
  flat(select(expandDims(k.range(2) == 1, 1), x, -x));
  flat(reduce(Combination::Xor, x, 0));
  std::vector<int32_t> wanted = {0, 3, 1, 4, 2, 5,  0,  1, 2,  3,  4,  5, 3, 5, 7, 2, 5,  0,
                                 1, 2, 0, 1, 2, 5,  6,  7, 8,  9,  10, 0, 1, 3, 3, 7, 12, 3,
                                 4, 5, 3, 4, 5, 15, 15, 0, -1, -2, 3,  4, 5, 3, 5, 7};
  std::vector<int32_t> got(wanted.size(), -1);
  run(k, {1}, {bufferOf(got)});
  EXPECT_EQ(got, wanted);
}

TEST_P(Built, TheFirstOfTheGreatest) {
  KernelBuilder k("argmax");
  Value out = k.pointer(F32, "out"), at = k.pointer(I32, "at"), in = k.pointer(F32, "in");
  Value offs = k.range(50), x = k.load(in, offs);
  Values found = reduceWith({x, offs}, 0, [](Values a, Values b) {
    Value isFirst = (a[0] > b[0]) | ((a[0] == b[0]) & (a[1] < b[1]));
    return Values{select(isFirst, a[0], b[0]), select(isFirst, a[1], b[1])};
  });
  k.store(out, {}, found[0]);
  k.store(at, {}, found[1]);
  std::vector<float> given(50, 1.0f), greatest(1);
  given[17] = given[31] = 4.0f;
  std::vector<int32_t> place(1);
  run(k, {1}, {bufferOf(greatest), bufferOf(place), bufferOf(given)});
  EXPECT_EQ(greatest[0], 4.0f);
  EXPECT_EQ(place[0], 17);
}

TEST_P(Built, AProductOfMatrices) {
  KernelBuilder k("product");
  k.setWarps(2);
  Value c = k.pointer(F32, "c"), a = k.pointer(F32, "a"), b = k.pointer(F32, "b");
  Value n = k.scalar(I32, "n");
  Places left = k.places({8, 6}, {k.programId() * 8, 0}, {6, 1}, {n, 6});
  Value x = k.load(a, left.offsets, left.inside);
  Value y = k.load(b, reshape(k.range(6 * 5), {6, 5}));
  Places to = k.places({8, 5}, {k.programId() * 8, 0}, {5, 1}, {n, 5});
  k.store(c, to.offsets, dot(x, y, 1), to.inside);

  constexpr int rows = 11;
  std::vector<float> given(rows * 6), other(30), got(rows * 5 + 1, -1.0f);
  for (size_t i = 0; i < given.size(); ++i)
    given[i] = static_cast<float>(i % 7) - 3;
  for (size_t i = 0; i < other.size(); ++i)
    other[i] = static_cast<float>(i % 5) - 2;
  run(k, {2}, {bufferOf(got), bufferOf(given), bufferOf(other), Argument::integer(rows)});
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < 5; ++j) {
      float sum = 1;
      for (int step = 0; step < 6; ++step)
        sum += given[i * 6 + step] * other[step * 5 + j];
      EXPECT_EQ(got[i * 5 + j], sum);
    }
  EXPECT_EQ(got.back(), -1.0f);
}

TEST_P(Built, AtomicsAndGrids) {
  KernelBuilder k("atomics");
  Value out = k.pointer(I32, "out");
  Value number = k.programId() + k.programCount() * k.programId(GridAxis::Y);
  k.atomic(Combination::Sum, out, {}, number);
  k.atomic(Combination::Max, out + 1, k.range(2), number, k.range(2) < 1);
  k.barrier();
  std::vector<int32_t> got = {0, 0, 7};
  run(k, {3, 2}, {bufferOf(got)});
  EXPECT_EQ(got, (std::vector<int32_t>{15, 5, 7}));
}
