//===- BlockRunTest.cpp - Every run and row bound that is claimed --------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Masks by every comparison of a range with a number, on either side, from below and
// above 0, and moved by a number or not. What is claimed of the elements that they leave
// must hold for every value of the numbers that is tried.
//
//===----------------------------------------------------------------------===//

#include "fsm/Analysis/BlockRun.h"

#include "fsm/Analysis/AffineOffsets.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Parser/Parser.h"

#include "gtest/gtest.h"

using namespace mlir;
using namespace fsm;

static constexpr int64_t kExtent = 24;
using Predicate = arith::CmpIPredicate;

namespace {
/// A load of 24 bytes from `%p + offset` on, under a mask that compares what is counted with `%n`.
struct Case {
  Predicate predicate;
  /// The number stands on the left.
  bool isSwapped;
  /// What is counted: a range from here on.
  int64_t start;
  /// To which `%m` is added, or not, with a promise not to wrap or without.
  bool isMoved, hasPromise;
};
} // namespace

static std::string textOf(const Case &one) {
  std::string block = "tensor<24xi32>",
              text = "fsm.kernel @k(%p: !fsm.ptr<i8> {fsm.align = 64 : i32}, %n: i32 "
                     "{fsm.divisible = 4 : i32}, "
                     "%m: i32 {fsm.divisible = 8 : i32}) {\n%r = fsm.range " +
                     std::to_string(one.start) + ", " + std::to_string(one.start + kExtent) +
                     " : " + block + "\n%ns = fsm.splat %n : " + block +
                     "\n%ms = fsm.splat %m : " + block + "\n%c = arith.addi %r, %ms" +
                     (one.hasPromise ? " overflow<nsw>" : "") + " : " + block + "\n";
  std::string counted = one.isMoved ? "%c" : "%r";
  return text + "%k = arith.cmpi " + arith::stringifyCmpIPredicate(one.predicate).str() + ", " +
         (one.isSwapped ? "%ns, " + counted : counted + ", %ns") + " : " + block +
         "\n%x = fsm.load %p[" + counted + "], %k : !fsm.ptr<i8>, " + block +
         " -> tensor<24xi8>\nfsm.return\n}";
}

/// What is counted, as the kernel computes it.
static int32_t countedAt(const Case &one, int64_t at, int64_t m) {
  int64_t number = one.start + at + (one.isMoved ? m : 0);
  return static_cast<int32_t>(static_cast<uint32_t>(number));
}

static bool isActive(const Case &one, int64_t at, int64_t n, int64_t m) {
  APInt counted(32, static_cast<uint32_t>(countedAt(one, at, m))),
      bound(32, static_cast<uint32_t>(n));
  return one.isSwapped ? arith::applyCmpPredicate(one.predicate, bound, counted)
                       : arith::applyCmpPredicate(one.predicate, counted, bound);
}

static int64_t activeIn(const Case &one, int64_t n, int64_t m) {
  int64_t count = 0;
  while (count < kExtent && isActive(one, count, n, m))
    ++count;
  return count;
}

/// Whether the promise not to wrap is kept.
static bool isLegal(const Case &one, int64_t m) {
  return !one.isMoved || !one.hasPromise ||
         (one.start + m >= INT32_MIN && one.start + kExtent - 1 + m <= INT32_MAX);
}

static void checkNumbers(const Case &one, LoadOp load, int64_t n, int64_t m) {
  int64_t count = activeIn(one, n, m);
  bool isBeginning = true;
  for (int64_t at = count; at < kExtent; ++at)
    isBeginning &= !isActive(one, at, n, m);
  std::string where = textOf(one) + "\n%n = " + std::to_string(n) + ", %m = " + std::to_string(m);
  if (AffineOffsets().rowBound(load.getMask())) {
    EXPECT_TRUE(isBeginning) << where;
    EXPECT_EQ(count, std::clamp<int64_t>(n, 0, kExtent)) << where;
  }
  // A mask that begins goes on until its sides meet, wherever the sum wraps.
  auto compare = load.getMask().getDefiningOp<arith::CmpIOp>();
  if (AffineOffsets().rowStep(compare) && isActive(one, 0, n, m)) {
    uint32_t distance = static_cast<uint32_t>(n) - static_cast<uint32_t>(countedAt(one, 0, m));
    EXPECT_GE(count, std::min<int64_t>(distance, kExtent)) << where;
  }
  std::optional<BlockRun> run = runOf(load);
  if (!run)
    return;
  EXPECT_TRUE(isBeginning) << where;
  EXPECT_EQ(count, std::clamp<int64_t>(n - (run->base ? m : 0) - run->start, 0, kExtent)) << where;
  for (int64_t at = 1; at < kExtent; ++at)
    EXPECT_EQ(countedAt(one, at, m), countedAt(one, at - 1, m) + 1) << where;
  EXPECT_EQ(count % run->alignment, 0) << where;
  if (count > 0) {
    EXPECT_EQ(countedAt(one, 0, m) % run->alignment, 0) << where;
  }
}

TEST(BlockRun, EveryClaimHolds) {
  MLIRContext context(MLIRContext::Threading::DISABLED);
  context.loadDialect<FSMDialect, arith::ArithDialect, scf::SCFDialect>();
  unsigned runs = 0, bounds = 0, steps = 0;
  for (uint64_t predicate = 0; predicate <= arith::getMaxEnumValForCmpIPredicate(); ++predicate)
    for (int64_t start : {0, 8, 4, 3, -8, -5})
      for (unsigned bits = 0; bits < 8; ++bits) {
        Case one{static_cast<Predicate>(predicate), (bits & 1) != 0, start, (bits & 2) != 0,
                 (bits & 4) != 0};
        auto module = parseSourceString<ModuleOp>(textOf(one), ParserConfig(&context));
        ASSERT_TRUE(module) << textOf(one);
        LoadOp load;
        module->walk([&](LoadOp found) { load = found; });
        runs += runOf(load).has_value();
        bounds += AffineOffsets().rowBound(load.getMask()) != Value();
        steps += AffineOffsets().rowStep(load.getMask().getDefiningOp<arith::CmpIOp>()).has_value();
        for (int64_t n : {-8, 0, 4, 8, 12, 16, 24, 28, 40})
          for (int64_t m : {0, 8, 16, -8, -16, INT32_MAX - 7, INT32_MIN})
            if (isLegal(one, m))
              checkNumbers(one, load, n, m);
      }
  EXPECT_GT(runs, 20u);
  EXPECT_GT(bounds, 3u);
  // slt, sle, ult and ule, and the other way round.
  EXPECT_EQ(steps, 2u * 4 * 6 * 4);
}
