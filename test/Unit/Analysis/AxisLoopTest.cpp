//===- AxisLoopTest.cpp - Every claim of axis info about loops -----------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Loops of every type and sign count from every small number, and from some near the
// ends of the type, by every small step. What is claimed of the counter, of what the
// loop carries and of what the body computes from both must hold of the numbers that
// they are in each of the first iterations.
//
//===----------------------------------------------------------------------===//

#include "AxisTruth.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Parser/Parser.h"

#include "gtest/gtest.h"

#include <functional>

using namespace mlir;
using namespace fsm;
using namespace fsm::test;

/// No power of two: the last groups are cut short.
static constexpr int64_t kExtent = 12;
/// Iterations that are looked at.
static constexpr int64_t kTurns = 6;

namespace {
/// An element in one iteration: the counter, what is carried, the place in the block, and the
/// sum of counter and place.
struct Element {
  int64_t i, x, at, b;
};
using Function = std::function<int64_t(Element)>;

/// An op of the body, on `%i`, `%x` and constants of the loop's type, or on blocks: `%s` of the
/// counter, `%r` of the places, `%b` of both, `%y` of what is carried and the places, and `%c4`.
struct Derived {
  std::string op;
  bool isBlock, isBoolean;
  Function function;
};

struct IntType {
  std::string name;
  unsigned width;
};

struct Counted {
  IntType type;
  bool isUnsigned;
  int64_t first, step;
};
} // namespace

/// `number` in a type, read as signed.
static int64_t wrapped(int64_t number, unsigned width) {
  return llvm::SignExtend64(static_cast<uint64_t>(number), width);
}

static int64_t floorOf(int64_t x, int64_t y) { return x / y - (x % y != 0 && (x < 0) != (y < 0)); }

/// What a body holds; numbers are wrapped by who asks.
static const std::vector<Derived> &derived() {
  static const std::vector<Derived> all = {
      {"arith.addi %i, %n3", false, false, [](Element e) { return e.i + 3; }},
      {"arith.addi %i, %n8", false, false, [](Element e) { return e.i + 8; }},
      {"arith.subi %n8, %i", false, false, [](Element e) { return 8 - e.i; }},
      {"arith.muli %i, %n4", false, false, [](Element e) { return 4 * e.i; }},
      {"arith.divsi %i, %n4", false, false, [](Element e) { return e.i / 4; }},
      {"arith.remsi %i, %n4", false, false, [](Element e) { return e.i % 4; }},
      {"arith.andi %i, %n8", false, false, [](Element e) { return e.i & 8; }},
      {"arith.shrsi %i, %n3", false, false, [](Element e) { return e.i >> 3; }},
      {"arith.maxsi %i, %n3", false, false, [](Element e) { return std::max<int64_t>(e.i, 3); }},
      {"arith.addi %x, %i", false, false, [](Element e) { return e.x + e.i; }},
      {"arith.xori %x, %i", false, false, [](Element e) { return e.x ^ e.i; }},
      {"arith.divsi %b, %c4", true, false, [](Element e) { return e.b / 4; }},
      {"arith.floordivsi %b, %c4", true, false, [](Element e) { return floorOf(e.b, 4); }},
      {"arith.remsi %b, %c4", true, false, [](Element e) { return e.b % 4; }},
      {"arith.cmpi slt, %b, %c4", true, true, [](Element e) { return e.b < 4; }},
      {"arith.cmpi sle, %b, %c4", true, true, [](Element e) { return e.b <= 4; }},
      {"arith.cmpi eq, %b, %c4", true, true, [](Element e) { return e.b == 4; }},
      {"arith.cmpi slt, %r, %s", true, true, [](Element e) { return e.at < e.i; }},
      {"arith.cmpi sge, %r, %s", true, true, [](Element e) { return e.at >= e.i; }},
      {"arith.minsi %r, %s", true, false, [](Element e) { return std::min(e.at, e.i); }},
      {"arith.subi %s, %r", true, false, [](Element e) { return e.i - e.at; }},
      {"arith.addi %y, %r", true, false, [](Element e) { return e.x + 2 * e.at; }},
  };
  return all;
}

static std::string constant(const std::string &name, int64_t number, const std::string &type) {
  return name + " = arith.constant " + std::to_string(number) + " : " + type + "\n";
}

/// A kernel whose loop holds all of derived(). It carries `%x`, which begins with `init` and grows
/// by 4, and `%y`, a block of that and the place.
static std::string kernelOf(const Counted &loop, int64_t init) {
  const std::string &type = loop.type.name;
  std::string block = "tensor<12x" + type + ">";
  std::string range = "%r = arith." + std::string(loop.type.width < 32 ? "trunci" : "extsi") +
                      " %range : tensor<12xi32> to " + block + "\n";
  if (loop.type.width == 32)
    range = "%r = fsm.range 0, 12 : tensor<12xi32>\n";
  std::string text =
      "fsm.kernel @k(%ub: i64) {\n%range = fsm.range 0, 12 : tensor<12xi32>\n" + range +
      (loop.type.width == 64 ? "%end = arith.addi %ub, %ub : i64\n"
                             : "%end = arith.trunci %ub : i64 to " + type + "\n") +
      constant("%lb", loop.first, type) + constant("%step", loop.step, type) +
      constant("%init", init, type) + constant("%n3", 3, type) + constant("%n4", 4, type) +
      constant("%n8", 8, type) + "%c4 = fsm.splat %n4 : " + block +
      "\n%inits = fsm.splat %init : " + block + "\n%first = arith.addi %inits, %r : " + block +
      "\nscf.for " + (loop.isUnsigned ? "unsigned " : "") +
      "%i = %lb to %end step %step iter_args(%x = %init, %y = %first) -> (" + type + ", " + block +
      ") : " + type + " {\n%s = fsm.splat %i : " + block + "\n%b = arith.addi %s, %r : " + block +
      "\n";
  for (auto [number, one] : llvm::enumerate(derived()))
    text += "%d" + std::to_string(number) + " = " + one.op + " : " + (one.isBlock ? block : type) +
            "\n";
  return text + "%x2 = arith.addi %x, %n4 : " + type + "\n%y2 = arith.addi %y, %c4 : " + block +
         "\nscf.yield %x2, %y2 : " + type + ", " + block + "\n}\nfsm.return\n}";
}

/// Whether the counter has a number in this iteration, in its type and sign.
static bool isReached(const Counted &loop, int64_t turn) {
  unsigned width = std::min(loop.type.width, 62u);
  int64_t most = (int64_t(1) << (loop.isUnsigned ? width : width - 1)) - 1;
  return loop.first + turn * loop.step < most;
}

/// The claim that is false of a value in some iteration.
static std::string falseClaimOf(const AxisInfo &claim, const Counted &loop, int64_t init,
                                bool isBlock, bool isBoolean, const Function &function) {
  for (int64_t turn = 0; turn < kTurns && isReached(loop, turn); ++turn) {
    unsigned width = loop.type.width;
    int64_t counter = wrapped(loop.first + turn * loop.step, width);
    Numbers numbers{{isBlock ? kExtent : 1}, {}};
    for (int64_t at = 0; at < numbers.shape[0]; ++at) {
      int64_t number =
          function({counter, wrapped(init + 4 * turn, width), at, wrapped(counter + at, width)});
      numbers.elements.push_back(isBoolean ? number : wrapped(number, width));
    }
    std::string wrong = falseClaim(claim, numbers, isBoolean);
    if (!wrong.empty())
      return wrong + " is false in iteration " + std::to_string(turn);
  }
  return "";
}

static void checkLoop(MLIRContext &context, const Counted &loop, int64_t init) {
  std::string text = kernelOf(loop, init);
  auto module = parseSourceString<ModuleOp>(text, ParserConfig(&context));
  ASSERT_TRUE(module) << text;
  KernelOp kernel = *module->getOps<KernelOp>().begin();
  AxisInfoAnalysis analysis(kernel);
  scf::ForOp op = *kernel.getBody().front().getOps<scf::ForOp>().begin();
  auto check = [&](Value value, bool isBlock, bool isBoolean, const Function &function) {
    std::string wrong = falseClaimOf(analysis.of(value), loop, init, isBlock, isBoolean, function);
    std::string place;
    llvm::raw_string_ostream(place) << value;
    EXPECT_EQ(wrong, "") << place << "\n"
                         << (loop.isUnsigned ? "unsigned " : "") << loop.type.name << " from "
                         << loop.first << " by " << loop.step << ", carried from " << init;
  };
  check(op.getInductionVar(), false, false, [](Element e) { return e.i; });
  check(op.getRegionIterArg(0), false, false, [](Element e) { return e.x; });
  check(op.getRegionIterArg(1), true, false, [](Element e) { return e.x + e.at; });
  auto body = op.getBody()->begin();
  std::advance(body, 2);
  for (const Derived &one : derived())
    check((body++)->getResult(0), one.isBlock, one.isBoolean, one.function);
}

static const int64_t kSteps[] = {1, 2, 3, 4, 5, 6, 8, 12, 16};

static void checkType(const IntType &type, ArrayRef<int64_t> firsts) {
  MLIRContext context(MLIRContext::Threading::DISABLED);
  context.loadDialect<FSMDialect, arith::ArithDialect, scf::SCFDialect>();
  for (bool isUnsigned : {false, true})
    for (int64_t first : firsts)
      for (int64_t step : kSteps)
        if (!isUnsigned || first >= 0)
          checkLoop(context, {type, isUnsigned, first, step}, /*init=*/first % 16 + step % 3);
}

/// From below 0 on, and past the middle of the unsigned numbers.
TEST(AxisLoop, NarrowCounters) {
  std::vector<int64_t> firsts = {-128, -127, -100, -65, -64, 60, 63, 64, 100, 120, 124, 126};
  for (int64_t first = -18; first <= 18; ++first)
    firsts.push_back(first);
  checkType({"i8", 8}, firsts);
}

TEST(AxisLoop, WideCounters) {
  checkType({"i16", 16}, {-32768, -9, -8, -3, 0, 1, 4, 6, 8, 32760, 32766});
  checkType({"i32", 32}, {-2147483648, -16, -5, -4, 0, 2, 3, 8, 2147483640, 2147483645});
  checkType({"i64", 64}, {-24, -7, -4, 0, 1, 8, 12, int64_t(1) << 40});
}
