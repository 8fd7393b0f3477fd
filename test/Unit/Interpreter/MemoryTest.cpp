//===- MemoryTest.cpp - Loads and stores of the interpreter --------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelRunner.h"

using namespace fsm;
using namespace fsm::test;

using Ints = std::vector<int32_t>;

static const char *kCopyScalar = "fsm.kernel @k(%a: !fsm.ptr<i32>, %b: !fsm.ptr<i32>, %i: i32) {\n"
                                 "  %p = fsm.offset %a, %i : !fsm.ptr<i32>, i32\n"
                                 "  %x = fsm.load %p : !fsm.ptr<i32> -> i32\n"
                                 "  fsm.store %x, %b : i32, !fsm.ptr<i32>\n"
                                 "  fsm.return\n}\n";

/// A kernel that copies 4 elements under a mask computed from `%offs`.
static std::string copyBlock(const std::string &load, const std::string &store) {
  return "fsm.kernel @k(%a: !fsm.ptr<i32>, %b: !fsm.ptr<i32>, %n: i32) {\n"
         "  %offs = fsm.range 0, 4 : tensor<4xi32>\n"
         "  %ns = fsm.splat %n : tensor<4xi32>\n"
         "  %mask = arith.cmpi slt, %offs, %ns : tensor<4xi32>\n"
         "  %other = arith.constant -1 : i32\n"
         "  %others = arith.constant dense<[-1, -2, -3, -4]> : tensor<4xi32>\n"
         "  %no = arith.constant false\n"
         "  %x = fsm.load " +
         load +
         " -> tensor<4xi32>\n"
         "  fsm.store %x, " +
         store +
         "\n"
         "  fsm.return\n}\n";
}

static const char *kStoreAll = "%b[%offs] : tensor<4xi32>, !fsm.ptr<i32>, tensor<4xi32>";

static Ints loadedBy(const std::string &load, int64_t n) {
  Ints a = {5, 6, 7, 8}, b(4);
  Result<void> done =
      run(copyBlock(load, kStoreAll), Grid(), {bufferOf(a), bufferOf(b), Argument::integer(n)});
  EXPECT_TRUE(done) << done.error().message;
  return b;
}

static std::string copyError(const std::string &text, Ints a, Ints b, int64_t n) {
  return errorOf(run(text, Grid(), {bufferOf(a), bufferOf(b), Argument::integer(n)}));
}

TEST(Memory, MaskedOffElementsAreOtherOrZero) {
  std::string types = " : !fsm.ptr<i32>, tensor<4xi32>";
  EXPECT_EQ(loadedBy("%a[%offs], %mask" + types, 2), (Ints{5, 6, 0, 0}));
  EXPECT_EQ(loadedBy("%a[%offs], %mask, %other" + types, 2), (Ints{5, 6, -1, -1}));
  EXPECT_EQ(loadedBy("%a[%offs], %mask, %others" + types + ", other tensor<4xi32>", 1),
            (Ints{5, -2, -3, -4}));
  EXPECT_EQ(loadedBy("%a[%offs], %no, %other" + types + ", mask i1", 4), Ints(4, -1));
}

TEST(Memory, MaskedOffAddressesAreNotTouched) {
  Ints a = {5, 6}, b = {1, 2, 3, 4};
  std::string types = "tensor<4xi32>, !fsm.ptr<i32>, tensor<4xi32>";
  Result<void> done = run(
      copyBlock("%a[%offs], %mask : !fsm.ptr<i32>, tensor<4xi32>", "%b[%offs], %mask : " + types),
      Grid(), {bufferOf(a), bufferOf(b), Argument::integer(2)});
  ASSERT_TRUE(done) << done.error().message;
  EXPECT_EQ(b, (Ints{5, 6, 3, 4}));
}

TEST(Memory, AFullyMaskedAccessMayHaveANullPointer) {
  Ints b(4);
  Result<void> done =
      run(copyBlock("%a[%offs], %mask : !fsm.ptr<i32>, tensor<4xi32>", kStoreAll), Grid(),
          {Argument::buffer(nullptr, 0), bufferOf(b), Argument::integer(0)});
  ASSERT_TRUE(done) << done.error().message;
  EXPECT_EQ(b, Ints(4, 0));
}

TEST(Memory, ScalarMaskGuardsAStore) {
  Ints a = {5, 6, 7, 8}, b(4);
  Result<void> done =
      run(copyBlock("%a[%offs] : !fsm.ptr<i32>, tensor<4xi32>",
                    "%b[%offs], %no : tensor<4xi32>, !fsm.ptr<i32>, tensor<4xi32>, mask i1"),
          Grid(), {bufferOf(a), bufferOf(b), Argument::integer(0)});
  ASSERT_TRUE(done) << done.error().message;
  EXPECT_EQ(b, Ints(4, 0));
}

TEST(Memory, OffsetsAreSigned) {
  Ints a = {5, 6, 7}, b(1);
  std::string text = "fsm.kernel @k(%a: !fsm.ptr<i32>, %b: !fsm.ptr<i32>) {\n"
                     "  %two = arith.constant 2 : i64\n"
                     "  %back = arith.constant -1 : i32\n"
                     "  %p = fsm.offset %a, %two : !fsm.ptr<i32>, i64\n"
                     "  %q = fsm.offset %p, %back : !fsm.ptr<i32>, i32\n"
                     "  %x = fsm.load %q : !fsm.ptr<i32> -> i32\n"
                     "  fsm.store %x, %b : i32, !fsm.ptr<i32>\n"
                     "  fsm.return\n}\n";
  Result<void> done = run(text, Grid(), {bufferOf(a), bufferOf(b)});
  ASSERT_TRUE(done) << done.error().message;
  EXPECT_EQ(b[0], 6);
}

TEST(Memory, LoadPastTheEnd) {
  EXPECT_EQ(
      copyError(kCopyScalar, {1, 2}, {0}, 3),
      "k:3:8: program (0, 0, 0) loads from bytes 12 to 15 of argument 0 '%a', 8 bytes past its "
      "end (8 bytes)");
}

TEST(Memory, LoadBeforeTheStart) {
  EXPECT_EQ(
      copyError(kCopyScalar, {1, 2}, {0}, -1),
      "k:3:8: program (0, 0, 0) loads from bytes -4 to -1 of argument 0 '%a', 4 bytes before its "
      "start");
}

TEST(Memory, BlockLoadPastTheEndNamesTheElement) {
  EXPECT_EQ(
      copyError(copyBlock("%a[%offs], %mask : !fsm.ptr<i32>, tensor<4xi32>", kStoreAll), {5, 6},
                Ints(4), 3),
      "k:8:8: program (0, 0, 0) loads element (2) from bytes 8 to 11 of argument 0 '%a', 4 bytes "
      "past its end (8 bytes)");
}

TEST(Memory, StorePastTheEndNamesTheElement) {
  EXPECT_EQ(
      copyError(copyBlock("%a[%offs] : !fsm.ptr<i32>, tensor<4xi32>", kStoreAll), Ints(4), Ints(3),
                0),
      "k:9:3: program (0, 0, 0) stores element (3) to bytes 12 to 15 of argument 1 '%b', 4 bytes "
      "past its end (12 bytes)");
}

TEST(Memory, FaultsOfTwoDimensionalBlocksNameTheCoordinates) {
  std::string text = "fsm.kernel @k(%a: !fsm.ptr<f32>) {\n"
                     "  %o = fsm.range 0, 6 : tensor<6xi32>\n"
                     "  %t = fsm.reshape %o : tensor<6xi32> -> tensor<2x3xi32>\n"
                     "  %x = fsm.load %a[%t] : !fsm.ptr<f32>, tensor<2x3xi32> -> tensor<2x3xf32>\n"
                     "  fsm.return\n}\n";
  std::vector<float> a(5);
  EXPECT_EQ(
      errorOf(run(text, Grid(), {bufferOf(a)})),
      "k:4:8: program (0, 0, 0) loads element (1, 2) from bytes 20 to 23 of argument 0 '%a', 4 "
      "bytes past its end (20 bytes)");
}

TEST(Memory, EnormousOffsetsWrapAndAreCaught) {
  std::string text = "fsm.kernel @k(%a: !fsm.ptr<f64>, %i: i64) {\n"
                     "  %p = fsm.offset %a, %i : !fsm.ptr<f64>, i64\n"
                     "  %x = fsm.load %p : !fsm.ptr<f64> -> f64\n"
                     "  fsm.return\n}\n";
  std::vector<double> a(1);
  int64_t lowest = std::numeric_limits<int64_t>::min();
  for (int64_t offset : {lowest + 1, int64_t(1) << 60, int64_t(1) << 59, lowest / 8 - 1})
    EXPECT_NE(errorOf(run(text, Grid(), {bufferOf(a), Argument::integer(offset)})), "no error");
}

TEST(Memory, PartlyOutsideIsOutside) {
  std::vector<char> bytes(6);
  Ints b(1);
  EXPECT_EQ(
      errorOf(run(kCopyScalar, Grid(), {bufferOf(bytes), bufferOf(b), Argument::integer(1)})),
      "k:3:8: program (0, 0, 0) loads from bytes 4 to 7 of argument 0 '%a', 2 bytes past its end "
      "(6 bytes)");
}

TEST(Memory, MisalignedAccess) {
  alignas(8) char bytes[16] = {};
  Ints b(1);
  EXPECT_EQ(
      errorOf(run(kCopyScalar, Grid(),
                  {Argument::buffer(bytes + 1, 12), bufferOf(b), Argument::integer(1)})),
      "k:3:8: program (0, 0, 0) loads from bytes 4 to 7 of argument 0 '%a', an address that is "
      "not a multiple of 4");
}

TEST(Memory, NullPointer) {
  Ints b(1);
  EXPECT_EQ(errorOf(run(kCopyScalar, Grid(),
                        {Argument::buffer(nullptr, 0), bufferOf(b), Argument::integer(0)})),
            "k:3:8: program (0, 0, 0) loads through a null pointer, given for argument 0 '%a'");
}

TEST(Memory, StoreToAReadOnlyArgument) {
  // What is visible is refused by the verifier.
  std::string text = "fsm.kernel @k(%a: !fsm.ptr<i32> {fsm.readonly}, %i: i64) {\n"
                     "  %p = fsm.int_to_ptr %i : i64 -> !fsm.ptr<i32>\n"
                     "  %x = arith.constant 1 : i32\n"
                     "  fsm.store %x, %p : i32, !fsm.ptr<i32>\n"
                     "  fsm.return\n}\n";
  Ints a(1);
  auto address = reinterpret_cast<int64_t>(a.data());
  EXPECT_EQ(errorOf(run(text, Grid(), {bufferOf(a), Argument::integer(address)})),
            "k:4:3: program (0, 0, 0) stores to argument 0 '%a', which promises 'fsm.readonly'");
}

TEST(Memory, I1IsOneByteAndAnyNonzeroIsTrue) {
  std::vector<I1> b =
      evaluate<I1>("arith.select %a, %a, %a : #i1, #i1", std::vector<I1>{{0}, {1}, {2}, {255}});
  EXPECT_EQ(b[0].bits, 0);
  EXPECT_EQ(b[1].bits, 1);
  EXPECT_EQ(b[2].bits, 1);
  EXPECT_EQ(b[3].bits, 1);
}

static const char *kPointers = "fsm.kernel @k(%t: !fsm.ptr<!fsm.ptr<i32>>, %a: !fsm.ptr<i32>) {\n"
                               "  %p = fsm.load %t : !fsm.ptr<!fsm.ptr<i32>> -> !fsm.ptr<i32>\n"
                               "  %x = fsm.load %p : !fsm.ptr<i32> -> i32\n"
                               "  fsm.store %x, %a : i32, !fsm.ptr<i32>\n"
                               "  fsm.store %a, %t : !fsm.ptr<i32>, !fsm.ptr<!fsm.ptr<i32>>\n"
                               "  fsm.return\n}\n";

TEST(Memory, PointersInMemoryBelongToTheBufferTheyPointInto) {
  Ints a = {0, 42};
  std::vector<int32_t *> table = {a.data() + 1};
  Result<void> done = run(kPointers, Grid(), {bufferOf(table), bufferOf(a)});
  ASSERT_TRUE(done) << done.error().message;
  EXPECT_EQ(a[0], 42);
  EXPECT_EQ(table[0], a.data());
}

TEST(Memory, PointersInMemoryToElsewhere) {
  Ints a = {0}, elsewhere = {1};
  std::vector<int32_t *> table = {elsewhere.data()};
  EXPECT_EQ(errorOf(run(kPointers, Grid(), {bufferOf(table), bufferOf(a)})),
            "k:3:8: program (0, 0, 0) loads through a pointer into no argument's buffer");
  table[0] = nullptr;
  EXPECT_EQ(errorOf(run(kPointers, Grid(), {bufferOf(table), bufferOf(a)})),
            "k:3:8: program (0, 0, 0) loads through a null pointer");
}

TEST(Memory, SelectedPointersKeepTheirBuffer) {
  std::string text = "fsm.kernel @k(%a: !fsm.ptr<i32>, %b: !fsm.ptr<i32>, %which: i1) {\n"
                     "  %p = arith.select %which, %a, %b : !fsm.ptr<i32>\n"
                     "  %x = arith.constant 3 : i32\n"
                     "  fsm.store %x, %p : i32, !fsm.ptr<i32>\n"
                     "  fsm.return\n}\n";
  Ints a(1), b(1);
  Result<void> done = run(text, Grid(), {bufferOf(a), bufferOf(b), Argument::integer(0)});
  ASSERT_TRUE(done) << done.error().message;
  EXPECT_EQ(a[0], 0);
  EXPECT_EQ(b[0], 3);
}

TEST(Memory, LoadsSeeEarlierStores) {
  std::string text = "fsm.kernel @k(%a: !fsm.ptr<i32>, %b: !fsm.ptr<i32>) {\n"
                     "  %x = arith.constant 3 : i32\n"
                     "  fsm.store %x, %a : i32, !fsm.ptr<i32>\n"
                     "  %y = fsm.load %a : !fsm.ptr<i32> -> i32\n"
                     "  fsm.store %y, %b : i32, !fsm.ptr<i32>\n"
                     "  fsm.return\n}\n";
  Ints a = {1}, b(1);
  Result<void> done = run(text, Grid(), {bufferOf(a), bufferOf(b)});
  ASSERT_TRUE(done) << done.error().message;
  EXPECT_EQ(b[0], 3);
}
