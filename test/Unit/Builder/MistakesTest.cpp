//===- MistakesTest.cpp - What a builder says of mistakes ----------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Built.h"

using namespace fsm;
using namespace fsm::test;

static constexpr ScalarType F32 = ScalarType::F32, I32 = ScalarType::I32, I8 = ScalarType::I8;

namespace {
/// A kernel with what a mistake may need.
struct Scene {
  Scene() : k("scene"), other("other") {
    out = k.pointer(F32, "out");
    n = k.scalar(I32, "n");
    offs = k.range(16);
    x = k.load(out, offs);
    foreign = other.range(16);
  }
  KernelBuilder k, other;
  Value out, n, offs, x, foreign;
};
} // namespace

/// That `statement` is a mistake of this line, and what it is.
#define EXPECT_MISTAKE(sentence, statement)                                                        \
  do {                                                                                             \
    Scene s;                                                                                       \
    unsigned line = __LINE__;                                                                      \
    statement;                                                                                     \
    Result<std::string> text = s.k.text();                                                         \
    ASSERT_FALSE(text) << *text;                                                                   \
    EXPECT_EQ(text.error().message, placeOf(__FILE__, line) + (sentence));                         \
  } while (false)

TEST(Mistakes, OfValues) {
  EXPECT_MISTAKE("expected a value, got none", s.x + Value());
  EXPECT_MISTAKE("expected an operand, got none", s.x + Operand());
  EXPECT_MISTAKE("expected a value of kernel 'scene', got one of kernel 'other'",
                 s.offs + s.foreign);
  EXPECT_MISTAKE("expected a value from here or from around, got one of the body of a loop or a "
                 "branch; let the body give it",
                 Value inner;
                 s.k.loop(0, 3, 1, [&](Value i) { inner = i; }); inner + 1);
  EXPECT_MISTAKE("expected argument 'late' in front of what is computed", s.k.scalar(I32, "late"));
  // The first mistake counts; what is made of it is nothing.
  EXPECT_MISTAKE("'+' is not for tensor<16xi1>", Value none = (s.x < 1) + true;
                 s.k.store(s.out, {}, none));
}

TEST(Mistakes, OfTypesAndShapes) {
  EXPECT_MISTAKE("expected operands of one element type, got tensor<16xi32> and tensor<16xf32>; "
                 "'convert' one of them",
                 s.offs + s.x);
  EXPECT_MISTAKE("expected operands that can be repeated to one shape, got 16 and 8",
                 s.offs + s.k.range(8));
  EXPECT_MISTAKE("'&' is not for tensor<16xf32>", s.x & 1);
  EXPECT_MISTAKE("'exp' is not for tensor<16xi32>", exp(s.offs));
  EXPECT_MISTAKE("'exp' is not for tensor<16xf8E5M2>", exp(convert(s.x, ScalarType::F8E5M2)));
  EXPECT_MISTAKE("expected a scalar to move a pointer by, got tensor<16xi32>; a load and a store "
                 "take offsets of their own",
                 s.out + s.offs);
  EXPECT_MISTAKE("expected i32, got f32", s.out + s.k.full({}, F32, 1));
  EXPECT_MISTAKE("expected a condition that can be repeated to 16, got 8",
                 select(s.k.range(8) < 3, s.x, 0));
  EXPECT_MISTAKE("expected i1, got i32", select(s.n, s.x, 0));
  EXPECT_MISTAKE("expected a value among the operands, got numbers only", select(s.n < 3, 1, 2));
}

TEST(Mistakes, OfNumbers) {
  EXPECT_MISTAKE("expected a number that fits i8, got 256", s.k.full({}, I8, 256));
  EXPECT_MISTAKE("expected a number that fits i8, got -129", s.k.full({4}, I8, -129));
  EXPECT_MISTAKE("expected a number that fits i1, got 2", s.k.full({}, ScalarType::I1, 2));
  EXPECT_MISTAKE("expected a whole number for i32, got 0.500000", s.n + 0.5);
  EXPECT_MISTAKE("expected a number that fits i32, got 18446744073709551615", s.n + UINT64_MAX);
}

TEST(Mistakes, OfConversions) {
  EXPECT_MISTAKE("expected a conversion that there is, got one of tensor<16xi32> to "
                 "tensor<16xf8E5M2>",
                 convert(s.offs, ScalarType::F8E5M2));
  EXPECT_MISTAKE("expected a conversion that there is, got one of !fsm.ptr<f32> to i32",
                 convert(s.out, I32));
  EXPECT_MISTAKE("expected as many bits, got tensor<16xf32> and tensor<16xi8>", bitcast(s.x, I8));
}

TEST(Mistakes, OfBlocks) {
  EXPECT_MISTAKE("expected a block to combine the elements of, got i32", sum(s.n));
  EXPECT_MISTAKE("expected a block with dimension 1, got tensor<16xf32>", max(s.x, 1));
  EXPECT_MISTAKE("expected a block with dimension 2, got tensor<16xf32>",
                 scan(Combination::Sum, s.x, 2));
  auto first = [](Values a, Values) { return a; };
  EXPECT_MISTAKE("expected blocks of one shape with dimension 0, got tensor<16xf32>, tensor<8xi32>",
                 reduceWith({s.x, s.k.range(8)}, 0, first));
  EXPECT_MISTAKE("expected a body that gives f32, got f32, f32",
                 reduceWith({s.x}, 0, [](Values a, Values b) {
                   return Values{a[0], b[0]};
                 }));
  EXPECT_MISTAKE("expected an MxK and a KxN block, got tensor<4x4xf32> and tensor<2x8xf32>",
                 dot(reshape(s.x, {4, 4}), reshape(s.x, {2, 8}), 0));
  EXPECT_MISTAKE("expected a block of which the result has dimension 3, got tensor<16xf32>",
                 expandDims(s.x, 3));
  EXPECT_MISTAKE("expected a value that can be repeated to 8, got tensor<16xf32>",
                 broadcast(s.x, {8}));
  EXPECT_MISTAKE("expected a block of 15 elements, got tensor<16xf32>", reshape(s.x, {3, 5}));
  EXPECT_MISTAKE("expected each dimension of tensor<4x4xf32> once in the order",
                 transpose(reshape(s.x, {4, 4}), {0, 0}));
}

TEST(Mistakes, OfMemory) {
  EXPECT_MISTAKE("expected a pointer, got i32", s.k.load(s.n, s.offs));
  EXPECT_MISTAKE("expected offsets, a mask and values that can be repeated to one shape, got 16, 8 "
                 "and a scalar",
                 s.k.load(s.out, s.offs, s.k.range(8) < 2));
  EXPECT_MISTAKE("expected a mask with what is taken where it is false",
                 s.k.load(s.out, s.offs, {}, 0));
  EXPECT_MISTAKE("expected tensor<16xf32>, got tensor<16xi32>", s.k.store(s.out, s.offs, s.offs));
  EXPECT_MISTAKE("there are no atomic products",
                 s.k.atomic(Combination::Product, s.out, s.offs, 1));
  EXPECT_MISTAKE("expected an origin, a stride and a bound for each dimension of 4x4",
                 s.k.places({4, 4}, {s.n, 0}, {4}, {4, 4}));
  EXPECT_MISTAKE("expected scalars of i32, got tensor<16xi32>",
                 s.k.places({4}, {s.n}, {1}, {s.offs}));
}

TEST(Mistakes, OfLoopsAndBranches) {
  auto nothing = [] { return Values(); };
  EXPECT_MISTAKE("expected scalars for the bounds of a loop, got tensor<16xi32>",
                 s.k.loop(0, s.offs, 1, [](Value) {}));
  EXPECT_MISTAKE("expected a body that gives i32, got f32",
                 s.k.loop(0, 3, 1, s.n, [&](Value, Value) { return sum(s.x); }));
  EXPECT_MISTAKE("expected a condition that is a scalar i1, got i32",
                 s.k.repeatWhile(
                     {s.n}, [](Values at) { return at[0]; }, [](Values at) { return at; }));
  EXPECT_MISTAKE("expected a scalar condition, got tensor<16xi1>; 'select' chooses element by "
                 "element",
                 s.k.choose(s.offs < 1, nothing, nothing));
  EXPECT_MISTAKE("expected a scalar condition, got tensor<16xi1>; a store takes a mask",
                 s.k.when(s.offs < 1, [] {}));
  EXPECT_MISTAKE("expected a body that gives i32, got nothing",
                 s.k.choose(
                     s.n < 1, [&] { return Values{s.n}; }, nothing));
}

TEST(Mistakes, OfExtents) {
  EXPECT_MISTAKE("expected a block whose extents are at least 1, got tensor<0xi32>", s.k.range(0));
  EXPECT_MISTAKE("expected a block whose extents are at least 1, got tensor<-1xi32>",
                 s.k.range(-1));
  EXPECT_MISTAKE("expected a range of i32, of at most 2147483647 numbers, got 4294967296",
                 s.k.range(int64_t(1) << 32));
  EXPECT_MISTAKE("expected a block whose extents are at least 1, got tensor<4x-1xf32>",
                 s.k.full({4, -1}, F32, 0));
  EXPECT_MISTAKE("expected a block whose extents are at least 1, got tensor<-4x-4xf32>",
                 reshape(s.x, {-4, -4}));
  EXPECT_MISTAKE("expected a block whose extents are at least 1, got tensor<-4xi32>",
                 s.k.places({-4}, {s.n}, {1}, {4}));
  EXPECT_MISTAKE("expected a step of at least 1, got 0", s.k.loop(0, s.n, 0, [](Value) {}));
  EXPECT_MISTAKE("expected a step of at least 1, got -1", s.k.loop(0, s.n, -1, [](Value) {}));
}

TEST(Mistakes, OfBodiesThatAreNone) {
  using Step = std::function<Value(Value, Value)>;
  EXPECT_MISTAKE("expected a body for a loop, got none",
                 s.k.loop(0, s.n, 1, std::function<void(Value)>()));
  EXPECT_MISTAKE("expected a body for a loop, got none", s.k.loop(0, s.n, 1, s.n, Step()));
  EXPECT_MISTAKE("expected a condition and a body for a loop, got none",
                 s.k.repeatWhile({s.n}, nullptr, [](Values at) { return at; }));
  EXPECT_MISTAKE("expected two bodies to choose from, got none",
                 s.k.choose(
                     s.n < 1, [] { return Values(); }, nullptr));
  EXPECT_MISTAKE("expected a body, got none", s.k.when(s.n < 1, nullptr));
  EXPECT_MISTAKE("expected a body that combines elements, got none", reduceWith({s.x}, 0, nullptr));
}

/// What was moved from is what it was, and an operand that is nowhere is where the kernel is.
TEST(Mistakes, OfWhatWasMoved) {
  KernelBuilder k("k");
  unsigned line = __LINE__ - 1;
  Value n = k.scalar(I32, "n");
  KernelBuilder other = std::move(k);
  Value m = std::move(n);
  other.when(n < m, [] {});
  k.when(m < n, [] {});
  EXPECT_TRUE(k.text());
  EXPECT_EQ(*k.text(), *other.text());
  k.load(Operand());
  EXPECT_EQ(other.text().error().message, placeOf(__FILE__, line) + "expected a pointer, got none");
}

TEST(Mistakes, OfNames) {
  KernelBuilder k("a kernel"), twice("twice");
  unsigned line = __LINE__ - 1;
  EXPECT_EQ(k.text().error().message,
            placeOf(__FILE__, line) + "expected a name of letters, digits and '_', got 'a kernel'");
  twice.scalar(I32, "n");
  twice.scalar(I32, "n");
  EXPECT_EQ(twice.text().error().message,
            placeOf(__FILE__, __LINE__ - 2) +
                "expected a name of letters, digits and '_' that no other argument has, got 'n'");
}

TEST(Mistakes, ThatTheCompilerFindsNameTheLine) {
  KernelBuilder k("large");
  Value out = k.pointer(I32, "out");
  Value block = k.range(int64_t(1) << 21);
  unsigned line = __LINE__ - 1;
  k.store(out, block, block);
  std::string said = launchBuilt("interp", k, {1}, {});
  EXPECT_NE(said.find(placeOf(__FILE__, line)), said.npos) << said;
  EXPECT_NE(said.find("1048576"), said.npos) << said;
}

TEST(Mistakes, ThatALaunchFindsNameTheLine) {
  for (const char *device : {"interp", "cpu", "sim"}) {
    KernelBuilder k("checked");
    Value out = k.pointer(I32, "out");
    k.print("an \"offset\" of \\", {k.range(2)});
    k.check(k.range(4) < 3, "a \"small\"\nnumber");
    unsigned line = __LINE__ - 1;
    k.store(out, {}, 1);
    std::vector<int32_t> got(1);
    std::string said = launchBuilt(device, k, {1}, {bufferOf(got)});
    std::string place =
        std::string(__FILE__) + ":" + std::to_string(line) + ":1: program (0, 0, 0)";
    EXPECT_NE(said.find(place + ": assertion failed at [3]: a \"small\"\\x0anumber"), said.npos)
        << said;
  }
}
