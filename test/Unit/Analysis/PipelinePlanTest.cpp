//===- PipelinePlanTest.cpp - Stages of a loop, by definition ------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Analysis/PipelinePlan.h"

#include "mlir/Parser/Parser.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <optional>
#include <set>

using namespace mlir;
using namespace fsm;

namespace {
/// The first loop of a kernel over `%p`, `%n` and `%x`, whose body is given.
class OneLoop {
public:
  OneLoop(const std::string &body, const std::string &attributes)
      : OneLoop("scf.for %i = %zero to %n step %one : i32 {\n" + body + "\n} {" + attributes +
                "}\n") {}
  explicit OneLoop(const std::string &loop) {
    context.loadDialect<FSMDialect, arith::ArithDialect, scf::SCFDialect>();
    module = parseSourceString<ModuleOp>(
        "fsm.kernel @k(%p: !fsm.ptr<f32>, %n: i32, %x: f32) {\n"
        "%zero = arith.constant 0 : i32\n%one = arith.constant 1 : i32\n" +
            loop + "fsm.return\n}\n",
        ParserConfig(&context));
    if (module)
      module->walk([&](scf::ForOp found) { op = found; });
  }

  PipelinePlan plan() const { return PipelinePlan::writtenIn(op); }
  /// What verify() says, or an empty string.
  std::string fault() {
    std::string text;
    ScopedDiagnosticHandler handler(&context,
                                    [&](Diagnostic &diagnostic) { text = diagnostic.str(); });
    EXPECT_EQ(succeeded(plan().verify()), text.empty());
    return text;
  }

  scf::ForOp op;

private:
  MLIRContext context;
  OwningOpRef<ModuleOp> module;
};
} // namespace

static std::string stage(unsigned number) {
  return " {fsm.stage = " + std::to_string(number) + " : i32}\n";
}

static std::string stages(unsigned number) {
  return "fsm.stages = " + std::to_string(number) + " : i32";
}

TEST(PipelinePlan, OtherLoopsHaveOneStage) {
  OneLoop loop("fsm.store %x, %p : f32, !fsm.ptr<f32>", "fsm.num_stages = 4 : i32");
  ASSERT_TRUE(loop.op);
  EXPECT_EQ(loop.plan().stages(), 1u);
  EXPECT_EQ(loop.fault(), "");
}

static const char *const kGoodBody =
    "%a = fsm.offset %p, %i {fsm.stage = 0 : i32} : !fsm.ptr<f32>, i32\n"
    "%y = fsm.load %a {fsm.stage = 1 : i32} : !fsm.ptr<f32> -> f32\n"
    "fsm.store %y, %p : f32, !fsm.ptr<f32>";

TEST(PipelinePlan, WhatIsNotMarkedBelongsToTheLastStage) {
  OneLoop loop(kGoodBody, stages(3));
  ASSERT_TRUE(loop.op);
  PipelinePlan plan = loop.plan();
  EXPECT_EQ(plan.stages(), 3u);
  EXPECT_EQ(loop.fault(), "");
  std::vector<unsigned> found;
  for (Operation &op : loop.op.getBody()->without_terminator())
    found.push_back(plan.stageOf(&op));
  EXPECT_EQ(found, (std::vector<unsigned>{0, 1, 2}));
}

TEST(PipelinePlan, LaterStagesComeFirst) {
  OneLoop loop(kGoodBody, stages(3));
  std::string text;
  for (auto [op, stage] : loop.plan().order())
    text += std::to_string(stage) + " " + op->getName().getStringRef().str() + "\n";
  EXPECT_EQ(text, "1 fsm.load\n0 fsm.offset\n2 fsm.store\n");
}

TEST(PipelinePlan, FindsWhatIsWrong) {
  EXPECT_EQ(
      OneLoop("%a = fsm.offset %p, %i" + std::string(" {fsm.stage = 3 : i32} : !fsm.ptr<f32>, i32"),
              stages(3))
          .fault(),
      "stage 3 is wrong here: the loop has 3 stages, counted from 0");
  EXPECT_EQ(
      OneLoop("fsm.store %x, %p {fsm.stage = 0 : i32} : f32, !fsm.ptr<f32>", stages(2)).fault(),
      "stage 0 is wrong here: 'fsm.store' cannot run ahead of its iteration");
  EXPECT_EQ(OneLoop("%a = fsm.offset %p, %i {fsm.stage = 1 : i32} : !fsm.ptr<f32>, i32\n"
                    "%y = fsm.load %a {fsm.stage = 0 : i32} : !fsm.ptr<f32> -> f32",
                    stages(3))
                .fault(),
            "stage 0 is wrong here: it uses what stage 1 makes");
}

TEST(PipelinePlan, LooksIntoRegionsAndAtCarriedValues) {
  EXPECT_EQ(
      OneLoop(
          "%r = scf.for %i = %zero to %n step %one iter_args(%a = %p) -> !fsm.ptr<f32> : i32 {\n"
          "%y = fsm.load %a {fsm.stage = 0 : i32} : !fsm.ptr<f32> -> f32\n"
          "%b = fsm.offset %a, %n : !fsm.ptr<f32>, i32\n"
          "scf.yield %b : !fsm.ptr<f32>\n} {fsm.stages = 2 : i32}\n")
          .fault(),
      "stage 0 is wrong here: it uses what stage 1 makes");
  // The same, carried by the stage that uses it.
  EXPECT_EQ(
      OneLoop(
          "%r = scf.for %i = %zero to %n step %one iter_args(%a = %p) -> !fsm.ptr<f32> : i32 {\n"
          "%y = fsm.load %a {fsm.stage = 0 : i32} : !fsm.ptr<f32> -> f32\n"
          "%b = fsm.offset %a, %n {fsm.stage = 0 : i32} : !fsm.ptr<f32>, i32\n"
          "scf.yield %b : !fsm.ptr<f32>\n} {fsm.stages = 2 : i32}\n")
          .fault(),
      "");
  EXPECT_EQ(
      OneLoop(
          "%r = scf.for %i = %zero to %n step %one iter_args(%a = %p) -> !fsm.ptr<f32> : i32 {\n"
          "scf.yield %p : !fsm.ptr<f32>\n} {fsm.stages = 2 : i32}\n")
          .fault(),
      "it carries a value that its body does not compute");
  // Regions stay in the last stage, and may use what any other makes.
  std::string inside = "%a = fsm.offset %p, %i {fsm.stage = 1 : i32} : !fsm.ptr<f32>, i32\n"
                       "%b = arith.cmpi eq, %i, %n : i32\n"
                       "scf.if %b {\nfsm.store %x, %a : f32, !fsm.ptr<f32>\n}";
  EXPECT_EQ(OneLoop(inside, stages(3)).fault(), "");
  EXPECT_EQ(OneLoop(inside + stage(0), stages(3)).fault(),
            "stage 0 is wrong here: 'scf.if' cannot run ahead of its iteration");
}

/// What a thread does, one step after the other: in step t, stage s works for iteration t - s if
/// that is not negative. Of the groups that have begun behind those the wait is for, the fewest.
static unsigned pendingByDefinition(unsigned numStages, const std::set<unsigned> &groups) {
  struct Group {
    unsigned stage, iteration;
  };
  std::vector<Group> begun;
  unsigned last = numStages - 1;
  std::optional<unsigned> fewest;
  for (unsigned step = 0; step < 5 * numStages; ++step) {
    if (step >= last)
      for (unsigned stage : groups) {
        auto awaited = std::find_if(begun.begin(), begun.end(), [&](const Group &group) {
          return group.stage == stage && group.iteration == step - last;
        });
        EXPECT_NE(awaited, begun.end());
        unsigned behind = begun.end() - awaited - 1;
        fewest = std::min(behind, fewest.value_or(behind));
      }
    for (unsigned stage = last; stage-- > 0;)
      if (groups.count(stage) && step >= stage)
        begun.push_back({stage, step - stage});
  }
  return fewest.value_or(0);
}

TEST(PipelinePlan, WaitsForJustTheGroupsThatItsIterationNeeds) {
  for (unsigned numStages = 2; numStages <= 8; ++numStages)
    for (unsigned mask = 0; mask < 1u << (numStages - 1); ++mask) {
      std::set<unsigned> groups;
      std::string body;
      for (unsigned number = 0; number + 1 < numStages; ++number)
        if (mask >> number & 1) {
          groups.insert(number);
          body += "fsm.copy_commit" + stage(number);
        }
      OneLoop loop(body + "fsm.copy_wait 0", stages(numStages));
      ASSERT_TRUE(loop.op);
      EXPECT_EQ(loop.fault(), "");
      auto waits = loop.op.getBody()->getOps<CopyWaitOp>();
      EXPECT_EQ(loop.plan().pendingAt(*waits.begin()), pendingByDefinition(numStages, groups))
          << numStages << " stages, groups " << mask;
    }
}

TEST(PipelinePlan, TakesBlocksBeforeTheirSlotsAreFilledAgain) {
  OneLoop loop("fsm.store %x, %p : f32, !fsm.ptr<f32>\n"
               "fsm.copy_commit {fsm.stage = 0 : i32}\nfsm.copy_commit {fsm.stage = 1 : "
               "i32}\nfsm.copy_wait 0",
               stages(3));
  ASSERT_TRUE(loop.op);
  std::vector<std::string> names;
  for (auto [op, stage] : loop.plan().order())
    names.push_back(op->getName().getStringRef().str() + " " + std::to_string(stage));
  EXPECT_EQ(names, (std::vector<std::string>{"fsm.copy_wait 2", "fsm.copy_commit 1",
                                             "fsm.copy_commit 0", "fsm.store 2"}));
}
