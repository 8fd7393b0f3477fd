//===- AtomicTest.cpp - Atomics of the interpreter -----------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelRunner.h"

using namespace fsm;
using namespace fsm::test;

using Ints = std::vector<int32_t>;

/// A kernel that updates %a at [0, 0, 2, 1] by %v = [1, 2, 3, 4] and stores what it found
/// to %b.
static std::string updateBlock(const std::string &op, const std::string &type,
                               const std::string &values, const std::string &mask = "") {
  std::string block = "tensor<4x" + type + ">";
  return "fsm.kernel @k(%a: !fsm.ptr<" + type + ">, %b: !fsm.ptr<" + type +
         ">) {\n"
         "  %at = fsm.range 0, 4 : tensor<4xi32>\n"
         "  %offs = arith.constant dense<[0, 0, 2, 1]> : tensor<4xi32>\n"
         "  %mask = arith.constant dense<[true, true, false, true]> : tensor<4xi1>\n"
         "  %v = arith.constant dense<" +
         values + "> : " + block +
         "\n"
         "  %old = fsm.atomic_" +
         op + ", %a[%offs]" + mask + " : " + block + ", !fsm.ptr<" + type +
         ">, tensor<4xi32>\n"
         "  fsm.store %old, %b[%at] : " +
         block + ", !fsm.ptr<" + type + ">, tensor<4xi32>\n  fsm.return\n}\n";
}

/// What is in memory afterwards, and what the update has found.
template <typename T>
static std::pair<std::vector<T>, std::vector<T>> update(const std::string &text,
                                                        std::vector<T> memory) {
  std::vector<T> found(4, T(77));
  Result<void> done = run(text, Grid(), {bufferOf(memory), bufferOf(found)});
  EXPECT_TRUE(done) << done.error().message;
  return {memory, found};
}

TEST(Atomic, EqualOffsetsAreUpdatedOneAfterTheOther) {
  auto [memory, found] =
      update<int32_t>(updateBlock("rmw <add> %v", "i32", "[1, 2, 3, 4]"), {10, 20, 30});
  EXPECT_EQ(memory, (Ints{13, 24, 33}));
  EXPECT_EQ(found, (Ints{10, 11, 30, 20}));
}

TEST(Atomic, MaskedOffElementsAreZeroAndTouchNothing) {
  auto [memory, found] =
      update<int32_t>(updateBlock("rmw <add> %v", "i32", "[1, 2, 3, 4]", ", %mask"), {10, 20});
  EXPECT_EQ(memory, (Ints{13, 24}));
  EXPECT_EQ(found, (Ints{10, 11, 0, 20}));
}

TEST(Atomic, EveryKindOfIntegers) {
  struct {
    const char *kind;
    Ints memory;
  } cases[] = {{"max", {5, 5, -1}},  {"min", {-6, 4, -9}}, {"umax", {-6, 5, -1}},
               {"umin", {4, 4, -9}}, {"and", {0, 4, -9}},  {"or", {-1, 5, -1}},
               {"xor", {-5, 1, 8}},  {"exch", {-6, 4, -9}}};
  for (const auto &[kind, expected] : cases) {
    std::string text = updateBlock(std::string("rmw <") + kind + "> %v", "i32", "[5, -6, -9, 4]");
    auto [memory, found] = update<int32_t>(text, {4, 5, -1});
    // By hand: 4 with 5 and -6, 5 with 4, -1 with -9.
    EXPECT_EQ(memory, expected) << kind;
    EXPECT_EQ(found[2], -1) << kind;
    EXPECT_EQ(found[3], 5) << kind;
  }
}

TEST(Atomic, IntegersWrap) {
  auto [memory, found] =
      update<int64_t>(updateBlock("rmw <add> %v", "i64", "[1, 0, 0, 0]"), {INT64_MAX, 0, 0});
  EXPECT_EQ(memory[0], INT64_MIN);
}

TEST(Atomic, MaxAndMinOfFloatsIgnoreNaN) {
  std::string values = "[0x7FC00000, 0.0, 0x7FC00000, -1.0]";
  auto [greater, found] =
      update<float>(updateBlock("rmw <max> %v", "f32", values), {-0.0f, kNaN, kNaN});
  expectSame<float>(greater, {0.0f, -1.0f, kNaN});
  expectSame<float>(found, {-0.0f, -0.0f, kNaN, kNaN});
  auto [less, before] =
      update<float>(updateBlock("rmw <min> %v", "f32", "[0.0, -0.0, 2.0, 3.0]"), {0.0f, 5, kInf});
  expectSame<float>(less, {-0.0f, 3, 2});
}

TEST(Atomic, SumsRoundOnce) {
  auto [memory, found] =
      update<float>(updateBlock("rmw <add> %v", "f32", "[1.0, 1.0, 0.5, 0.0]"), {0x1p24f, 0, 1});
  expectSame<float>(memory, {0x1p24f, 0, 1.5f});
  std::vector<F16> half = {{0x6800}, {0}, {0x3c00}}, old(4); // 2048, 0, 1
  Result<void> done = run(updateBlock("rmw <add> %v", "f16", "[1.0, 3.0, 1.0, 0.0]"), Grid(),
                          {bufferOf(half), bufferOf(old)});
  ASSERT_TRUE(done) << done.error().message;
  // 2048 + 1 is 2048 in f16; 2048 + 3 lies between 2050 and 2052 and becomes the even one.
  EXPECT_EQ(half[0].bits, 0x6802);
  EXPECT_EQ(half[2].bits, 0x4000);
}

TEST(Atomic, CompareAndSwapComparesBits) {
  std::string text = updateBlock("cas %e, %v", "f32", "[1.0, 2.0, 3.0, 4.0]");
  text.insert(text.find("  %old"),
              "  %e = arith.constant dense<[-0.0, 1.0, 0x7FC00000, 0.0]> : tensor<4xf32>\n");
  auto [memory, found] = update<float>(text, {-0.0f, -0.0f, kNaN});
  expectSame<float>(memory, {2, -0.0f, 3});
  expectSame<float>(found, {-0.0f, 1, kNaN, -0.0f});
}

//===----------------------------------------------------------------------===//
// Faults
//===----------------------------------------------------------------------===//

static const char *kScalar = "fsm.kernel @k(%a: !fsm.ptr<i32> {fsm.readonly}, %b: !fsm.ptr<i32>, "
                             "%i: i64) {\n"
                             "  %one = arith.constant 1 : i32\n"
                             "  %p = fsm.int_to_ptr %i : i64 -> !fsm.ptr<i32>\n"
                             "  %old = fsm.atomic_rmw <add> %one, %p : i32, !fsm.ptr<i32>\n"
                             "  fsm.return\n}\n";

/// The error of an update of the address of `memory` plus so many bytes.
static std::string errorAt(bool ofReadOnly, int64_t distance) {
  Ints a(2), b(2);
  auto address = reinterpret_cast<int64_t>(ofReadOnly ? a.data() : b.data()) + distance;
  return errorOf(run(kScalar, Grid(), {bufferOf(a), bufferOf(b), Argument::integer(address)}));
}

TEST(Atomic, AnAddressBelongsToTheBufferItIsIn) {
  Ints a(2), b = {5, 6};
  auto address = reinterpret_cast<int64_t>(b.data() + 1);
  Result<void> done = run(kScalar, Grid(), {bufferOf(a), bufferOf(b), Argument::integer(address)});
  ASSERT_TRUE(done) << done.error().message;
  EXPECT_EQ(b, (Ints{5, 7}));
}

TEST(Atomic, FaultsSayWhatWasUpdated) {
  std::string place = "k:4:10: program (0, 0, 0) updates ";
  EXPECT_EQ(errorAt(true, 0), place + "of argument 0 '%a', which promises 'fsm.readonly'");
  EXPECT_EQ(errorAt(false, 6), place + "at bytes 6 to 9 of argument 1 '%b', 2 bytes past its end "
                                       "(8 bytes)");
  EXPECT_EQ(errorAt(false, 2), place + "at bytes 2 to 5 of argument 1 '%b', an address that is not "
                                       "a multiple of 4");
  EXPECT_EQ(errorAt(false, 1 << 20), place + "through a pointer into no argument's buffer");
  std::string block = updateBlock("rmw <add> %v", "i32", "[1, 2, 3, 4]");
  Ints memory(2), found(4);
  EXPECT_EQ(errorOf(run(block, Grid(), {bufferOf(memory), bufferOf(found)})),
            "k:6:10: program (0, 0, 0) updates element (2) at bytes 8 to 11 of argument 0 '%a', 4 "
            "bytes past its end (8 bytes)");
}

//===----------------------------------------------------------------------===//
// Addresses
//===----------------------------------------------------------------------===//

TEST(Atomic, AddressesAreNumbers) {
  Ints a = {1, 2, 3};
  std::vector<int64_t> b(1);
  std::string text = "fsm.kernel @k(%a: !fsm.ptr<i32>, %b: !fsm.ptr<i64>) {\n"
                     "  %two = arith.constant 2 : i32\n"
                     "  %p = fsm.offset %a, %two : !fsm.ptr<i32>, i32\n"
                     "  %x = fsm.ptr_to_int %p : !fsm.ptr<i32> -> i64\n"
                     "  fsm.store %x, %b : i64, !fsm.ptr<i64>\n"
                     "  fsm.return\n}\n";
  Result<void> done = run(text, Grid(), {bufferOf(a), bufferOf(b)});
  ASSERT_TRUE(done) << done.error().message;
  EXPECT_EQ(b[0], reinterpret_cast<int64_t>(a.data() + 2));
}

//===----------------------------------------------------------------------===//
// Waiting
//===----------------------------------------------------------------------===//

/// A kernel that takes a lock, and gives it back if it says so.
static std::string lockKernel(bool givesBack) {
  return std::string("fsm.kernel @k(%a: !fsm.ptr<i32>) {\n"
                     "  %zero = arith.constant 0 : i32\n"
                     "  %one = arith.constant 1 : i32\n"
                     "  scf.while : () -> () {\n"
                     "    %seen = fsm.atomic_cas %zero, %one, %a : i32, !fsm.ptr<i32>\n"
                     "    %waits = arith.cmpi ne, %seen, %zero : i32\n"
                     "    scf.condition(%waits)\n"
                     "  } do {\n"
                     "    scf.yield\n"
                     "  }\n") +
         (givesBack ? "  %was = fsm.atomic_rmw <exch> %zero, %a : i32, !fsm.ptr<i32>\n" : "") +
         "  fsm.return\n}\n";
}

TEST(Atomic, ALockIsTakenInTurn) {
  Ints lock(1);
  Result<void> done = run(lockKernel(true), Grid{5, 1, 1}, {bufferOf(lock)});
  ASSERT_TRUE(done) << done.error().message;
  EXPECT_EQ(lock[0], 0);
}

TEST(Atomic, WaitingForNobodyIsAnError) {
  Ints lock(1);
  EXPECT_EQ(errorOf(run(lockKernel(false), Grid{2, 1, 1}, {bufferOf(lock)})),
            "k:4:3: program (1, 0, 0) waits for ever: a turn of this loop changed nothing, and "
            "programs run one after the other");
}

TEST(Atomic, ALoopThatCountsForEverIsAnError) {
  Ints memory(1);
  std::string text = "fsm.kernel @k(%a: !fsm.ptr<i32>) {\n"
                     "  %one = arith.constant 1 : i32\n"
                     "  %yes = arith.constant true\n"
                     "  %r = scf.while (%x = %one) : (i32) -> i32 {\n"
                     "    scf.condition(%yes) %x : i32\n"
                     "  } do {\n"
                     "  ^bb0(%x: i32):\n"
                     "    %y = arith.addi %x, %one : i32\n"
                     "    scf.yield %y : i32\n"
                     "  }\n"
                     "  fsm.return\n}\n";
  EXPECT_EQ(errorOf(run(text, Grid(), {bufferOf(memory)})),
            "k:4:8: program (0, 0, 0) goes around a loop 4194304 times");
}
