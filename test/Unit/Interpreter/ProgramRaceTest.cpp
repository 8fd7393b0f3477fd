//===- ProgramRaceTest.cpp - Races between the programs of a launch ------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelRunner.h"

using namespace fsm;
using namespace fsm::test;

using Ints = std::vector<int32_t>;

/// A kernel whose first program does one thing, and whose others do another. %a is a place with
/// data, %b one with flags; what stands behind them in memory is %a1, %b1.
static std::string kernelOf(const std::string &first, const std::string &others) {
  return "fsm.kernel @k(%a: !fsm.ptr<i32>, %b: !fsm.ptr<i32>) {\n"
         "  %pid = fsm.program_id x : i32\n"
         "  %zero = arith.constant 0 : i32\n"
         "  %one = arith.constant 1 : i32\n"
         "  %a1 = fsm.offset %a, %one : !fsm.ptr<i32>, i32\n"
         "  %b1 = fsm.offset %b, %one : !fsm.ptr<i32>, i32\n"
         "  %isFirst = arith.cmpi eq, %pid, %zero : i32\n"
         "  scf.if %isFirst {\n" +
         first + "\n  } else {\n" + others + "\n  }\n  fsm.return\n}\n";
}

/// What a run says of races, or "".
static std::string racesOf(const std::string &first, const std::string &others,
                           int32_t programs = 2) {
  Ints a(64), b(64);
  Result<void> done =
      run(kernelOf(first, others), Grid{programs, 1, 1}, {bufferOf(a), bufferOf(b)});
  if (done)
    return "";
  EXPECT_EQ(done.error().kind, Error::Kind::Execution);
  EXPECT_NE(done.error().message.find("nothing orders the two"), std::string::npos)
      << done.error().message;
  return done.error().message;
}

static std::string store(const std::string &value, const std::string &pointer,
                         const std::string &how = "") {
  return "fsm.store " + value + ", " + pointer + how + " : i32, !fsm.ptr<i32>\n";
}

static std::string load(const std::string &pointer, const std::string &how = "") {
  static int number = 0;
  return "%l" + std::to_string(++number) + " = fsm.load " + pointer + how +
         " : !fsm.ptr<i32> -> i32\n";
}

static std::string update(const std::string &kind, const std::string &value,
                          const std::string &pointer, const std::string &how = "") {
  static int number = 0;
  return "%u" + std::to_string(++number) + " = fsm.atomic_rmw <" + kind + "> " + value + ", " +
         pointer + how + " : i32, !fsm.ptr<i32>\n";
}

/// Expects a race, in either order of the programs.
static void expectRace(const std::string &one, const std::string &other) {
  EXPECT_NE(racesOf(one, other), "") << one << other;
  EXPECT_NE(racesOf(other, one), "") << other << one;
}

static void expectNone(const std::string &one, const std::string &other) {
  EXPECT_EQ(racesOf(one, other), "");
  EXPECT_EQ(racesOf(other, one), "");
}

static const std::string kRelaxed = " sem = relaxed", kVolatile = " volatile";

//===----------------------------------------------------------------------===//
// Plain accesses
//===----------------------------------------------------------------------===//

TEST(ProgramRace, OfTwoStoresIfTheyDiffer) {
  expectRace(store("%one", "%a"), store("%zero", "%a"));
  expectNone(store("%one", "%a"), store("%one", "%a"));
  expectNone(store("%one", "%a"), store("%zero", "%a1"));
  // Whichever comes last leaves what the other has left, but the first stores of both differ.
  expectRace(store("%zero", "%a") + store("%one", "%a"), store("%one", "%a"));
  expectNone(store("%one", "%a") + store("%one", "%a"), store("%one", "%a"));
}

/// Also where the later store changes nothing, for another program has stored the same before.
TEST(ProgramRace, OfAStoreThatLeavesTheLastValue) {
  std::string others = store("%one", "%a");
  EXPECT_NE(racesOf(store("%zero", "%a"), others, 3), "");
  EXPECT_EQ(racesOf(store("%one", "%a"), others, 3), "");
}

TEST(ProgramRace, OfALoadAndAStoreWhateverTheValue) {
  expectRace(load("%a"), store("%one", "%a"));
  expectRace(load("%a"), store("%zero", "%a"));
  expectNone(load("%a"), load("%a"));
  expectNone(load("%a1"), store("%one", "%a"));
}

TEST(ProgramRace, NotOfOneProgram) {
  EXPECT_EQ(racesOf(store("%one", "%a") + load("%a") + store("%zero", "%a"), ""), "");
}

TEST(ProgramRace, NotOfTwoLaunches) {
  std::string text = kernelOf(store("%one", "%a"), "");
  Ints a(4), b(4);
  for (int i = 0; i < 2; ++i)
    EXPECT_TRUE(run(text, Grid{1, 1, 1}, {bufferOf(a), bufferOf(b)}));
}

TEST(ProgramRace, SaysWhoAndWhere) {
  EXPECT_EQ(
      racesOf(store("%one", "%a1"), load("%a1")),
      "k:12:7: program (1, 0, 0) loads from bytes 4 to 7 of argument 0 '%a' (element 1), to "
      "which program (0, 0, 0) stores, and nothing orders the two\nk:9:1: note: the other access "
      "is here");
  std::string block = "fsm.store %v, %b[%at] : tensor<4xi32>, !fsm.ptr<i32>, tensor<4xi32>\n";
  std::string range = "%at = fsm.range 2, 6 : tensor<4xi32>\n%v = fsm.splat %pid : tensor<4xi32>\n";
  std::string text = racesOf(range + block, range + block);
  EXPECT_EQ(text,
            "k:16:1: program (1, 0, 0) stores element (0) to bytes 8 to 11 of argument 1 '%b' "
            "(element 2), to which program (0, 0, 0) stores another value, and nothing orders the "
            "two\nk:11:1: note: the other access is here");
  EXPECT_NE(racesOf(load("%a"), update("add", "%one", "%a")).find("updates at bytes 0 to 3"),
            std::string::npos);
  EXPECT_NE(racesOf(update("add", "%one", "%a"), store("%one", "%a"))
                .find("which program (0, 0, 0) updates, and"),
            std::string::npos);
}

/// Numbers of programs count x fastest.
TEST(ProgramRace, NamesProgramsOfAGrid) {
  std::string text = kernelOf("", store("%pid", "%a"));
  Ints a(4), b(4);
  Result<void> done = run(text, Grid{3, 2, 2}, {bufferOf(a), bufferOf(b)});
  EXPECT_NE(errorOf(done).find("program (2, 0, 0) stores"), std::string::npos) << errorOf(done);
  text = kernelOf("%z = fsm.program_id z : i32\n" + store("%z", "%a"), "");
  done = run(text, Grid{3, 2, 2}, {bufferOf(a), bufferOf(b)});
  EXPECT_NE(errorOf(done).find("program (0, 0, 1) stores"), std::string::npos) << errorOf(done);
  EXPECT_NE(errorOf(done).find("to which program (0, 0, 0) stores"), std::string::npos);
}

//===----------------------------------------------------------------------===//
// Widths
//===----------------------------------------------------------------------===//

/// One program accesses bytes 4 to 7, the other a byte or eight of them.
TEST(ProgramRace, MeetsAllBytes) {
  auto narrow = [](int byte, bool isStore) {
    return "%n = arith.constant " + std::to_string(byte) +
           " : i64\n%p = fsm.ptr_to_int %a : !fsm.ptr<i32> -> i64\n%q = arith.addi %p, %n : i64\n"
           "%r = fsm.int_to_ptr %q : i64 -> !fsm.ptr<i8>\n%v = arith.constant 5 : i8\n" +
           (isStore ? "fsm.store %v, %r : i8, !fsm.ptr<i8>\n"
                    : "%x = fsm.load %r : !fsm.ptr<i8> -> i8\n");
  };
  const std::string wide = "%p = fsm.ptr_to_int %a : !fsm.ptr<i32> -> i64\n"
                           "%r = fsm.int_to_ptr %p : i64 -> !fsm.ptr<i64>\n"
                           "%x = fsm.load %r : !fsm.ptr<i64> -> i64\n";
  for (int byte : {4, 5, 7}) {
    expectRace(store("%one", "%a1"), narrow(byte, true));
    expectRace(store("%one", "%a1"), narrow(byte, false));
    expectRace(load("%a1"), narrow(byte, true));
    expectNone(load("%a1"), narrow(byte, false));
  }
  for (int byte : {3, 8}) {
    expectNone(store("%one", "%a1"), narrow(byte, true));
    expectNone(load("%a1"), narrow(byte, true));
  }
  expectRace(wide, store("%one", "%a"));
  expectRace(wide, store("%one", "%a1"));
  expectRace(wide, narrow(6, true));
  expectRace(wide, update("add", "%one", "%a1"));
}

//===----------------------------------------------------------------------===//
// Atomics and volatile accesses
//===----------------------------------------------------------------------===//

TEST(ProgramRace, OfAtomicsWithPlainAccessesOnly) {
  expectNone(update("add", "%one", "%a", kRelaxed), update("exch", "%zero", "%a", kRelaxed));
  expectRace(update("add", "%one", "%a", kRelaxed), load("%a"));
  expectRace(update("add", "%one", "%a", kRelaxed), store("%one", "%a"));
  expectNone(update("add", "%one", "%a", kRelaxed), load("%a", kVolatile));
  expectNone(update("add", "%one", "%a", kRelaxed), store("%one", "%a", kVolatile));
  expectNone(store("%zero", "%a", kVolatile), store("%one", "%a", kVolatile));
  expectRace(store("%zero", "%a", kVolatile), store("%one", "%a"));
  expectRace(store("%zero", "%a", kVolatile), load("%a"));
  expectRace(load("%a", kVolatile), store("%one", "%a"));
}

/// As seen from the programs' own threads alone they are plain.
TEST(ProgramRace, OfAtomicsOfAProgram) {
  std::string own = update("add", "%one", "%a", " sem = relaxed scope = cta");
  expectRace(own, own);
  expectRace(own, update("add", "%one", "%a", kRelaxed));
}

/// A compare-and-swap that finds another value writes nothing.
TEST(ProgramRace, OfACompareAndSwapThatWrites) {
  const std::string finds = "%u = fsm.atomic_cas %zero, %one, %a sem = relaxed : i32, "
                            "!fsm.ptr<i32>\n",
                    misses = "%u = fsm.atomic_cas %one, %zero, %a sem = relaxed : i32, "
                             "!fsm.ptr<i32>\n";
  expectRace(finds, load("%a"));
  expectNone(misses, load("%a"));
  EXPECT_NE(racesOf(misses, store("%zero", "%a")), "");
}

//===----------------------------------------------------------------------===//
// Orders
//===----------------------------------------------------------------------===//

static const std::string kRelease = " sem = release", kAcquire = " sem = acquire";

TEST(ProgramRace, NotBehindAReleaseThatIsAcquired) {
  const std::string data = store("%one", "%a"), flag = "%b";
  auto says = [&](const std::string &how) { return update("exch", "%one", "%b", how); };
  auto hears = [&](const std::string &how) { return update("or", "%zero", "%b", how); };
  EXPECT_EQ(racesOf(data + says(kRelease), hears(kAcquire) + load("%a")), "");
  EXPECT_EQ(racesOf(data + says(""), hears("") + load("%a") + store("%zero", "%a")), "");
  EXPECT_EQ(racesOf(load("%a") + says(kRelease), hears(kAcquire) + store("%one", "%a")), "");
  EXPECT_NE(racesOf(data + says(kRelaxed), hears(kAcquire) + load("%a")), "");
  EXPECT_NE(racesOf(data + says(kRelease), hears(kRelaxed) + load("%a")), "");
  EXPECT_NE(racesOf(data + says(kRelease + " scope = cta"), hears(kRelaxed) + load("%a")), "");
  EXPECT_NE(racesOf(says(kRelease) + data, hears(kAcquire) + load("%a")), "");
  EXPECT_EQ(racesOf(says(kRelease) + data + says(kRelease), hears(kAcquire) + load("%a")), "");
  EXPECT_NE(racesOf(data + says(kRelease), load("%a") + hears(kAcquire)), "");
  EXPECT_NE(racesOf(data + says(kRelease), update("or", "%zero", "%b1", kAcquire) + load("%a")),
            "");
}

/// What atomics make of a value still says what it said; another store ends it.
TEST(ProgramRace, NotBehindAtomicsOnARelease) {
  const std::string data = store("%one", "%a"), end = update("or", "%zero", "%b", kAcquire),
                    says = data + update("exch", "%one", "%b", kRelease);
  EXPECT_EQ(racesOf(says + update("add", "%one", "%b", kRelaxed), end + load("%a")), "");
  EXPECT_EQ(racesOf(says + store("%one", "%b", kVolatile), end + load("%a")), "");
  // Of program 1, so that programs 2 and later hear what it has left.
  const std::string isMiddle = "%m = arith.cmpi eq, %pid, %one : i32\nscf.if %m {\n";
  auto withMiddle = [&](const std::string &middle) {
    return racesOf(says, isMiddle + middle + "} else {\n" + end + load("%a") + "}\n", 3);
  };
  EXPECT_EQ(withMiddle(""), "");
  EXPECT_EQ(withMiddle(update("add", "%one", "%b", kRelaxed)), "");
  EXPECT_EQ(withMiddle(update("add", "%one", "%b", kRelease)), "");
  EXPECT_NE(withMiddle(store("%one", "%b", kVolatile)), "");
}

/// A wider store over the flag ends it as well.
TEST(ProgramRace, OfAFlagThatAWiderStoreEnds) {
  const std::string wide = "%p = fsm.ptr_to_int %b : !fsm.ptr<i32> -> i64\n"
                           "%r = fsm.int_to_ptr %p : i64 -> !fsm.ptr<i64>\n"
                           "%x = arith.constant 1 : i64\n"
                           "fsm.store %x, %r volatile : i64, !fsm.ptr<i64>\n",
                    isMiddle = "%m = arith.cmpi eq, %pid, %one : i32\nscf.if %m {\n";
  for (std::string flag : {"%b", "%b1"}) {
    const std::string says = store("%one", "%a") + update("exch", "%one", flag, kRelease),
                      hears = update("or", "%zero", flag, kAcquire) + load("%a");
    EXPECT_EQ(racesOf(says, isMiddle + "} else {\n" + hears + "}\n", 3), "");
    EXPECT_NE(racesOf(says, isMiddle + wide + "} else {\n" + hears + "}\n", 3), "") << flag;
  }
}

/// Who has heard hands on what it has heard.
TEST(ProgramRace, NotInSeveralSteps) {
  const std::string middle = "%m = arith.cmpi eq, %pid, %one : i32\nscf.if %m {\n";
  auto steps = [&](const std::string &hears, const std::string &says) {
    return racesOf(store("%one", "%a") + update("exch", "%one", "%b", kRelease),
                   middle + update("or", "%zero", "%b", hears) +
                       update("exch", "%one", "%b1", says) + "} else {\n" +
                       update("or", "%zero", "%b1", kAcquire) + load("%a") + "}\n",
                   3);
  };
  EXPECT_EQ(steps(kAcquire, kRelease), "");
  EXPECT_NE(steps(kRelaxed, kRelease), "");
  EXPECT_NE(steps(kAcquire, kRelaxed), "");
}

/// Also of several that it has heard, one after the other.
TEST(ProgramRace, NotBehindTwoWhoAreHeardByOne) {
  const std::string own = "%p = fsm.offset %a, %pid : !fsm.ptr<i32>, i32\n"
                          "%f = fsm.offset %b, %pid : !fsm.ptr<i32>, i32\n",
                    says = own + store("%one", "%p") + update("exch", "%one", "%f", kRelease),
                    hearsBoth = update("or", "%zero", "%b", kAcquire) +
                                update("or", "%zero", "%b1", kAcquire),
                    two = "%two = arith.constant 2 : i32\n"
                          "%b2 = fsm.offset %b, %two : !fsm.ptr<i32>, i32\n";
  auto threeSteps = [&](const std::string &second) {
    return racesOf(says,
                   two + "%m = arith.cmpi eq, %pid, %one : i32\nscf.if %m {\n" + says +
                       "} else {\n%n = arith.cmpi eq, %pid, %two : i32\nscf.if %n {\n" + hearsBoth +
                       update("exch", "%one", "%b2", kRelease) + "} else {\n" +
                       update("or", "%zero", "%b2", second) + load("%a") + load("%a1") + "}\n}\n",
                   4);
  };
  EXPECT_EQ(threeSteps(kAcquire), "");
  EXPECT_NE(threeSteps(kRelaxed), "");
}

/// A lock orders all that hold it, as many as there are; who stores behind it does not.
TEST(ProgramRace, NotUnderALock) {
  const std::string take = "%was = fsm.atomic_cas %zero, %one, %b sem = acquire : i32, "
                           "!fsm.ptr<i32>\n",
                    sum = "%x = fsm.load %a : !fsm.ptr<i32> -> i32\n"
                          "%y = arith.addi %x, %pid : i32\n" +
                          store("%y", "%a"),
                    leave = update("exch", "%zero", "%b", kRelease);
  EXPECT_EQ(racesOf(take + sum + leave, take + sum + leave, 300), "");
  EXPECT_NE(racesOf(take + sum + leave, take + leave + sum, 3), "");
  EXPECT_NE(racesOf(take + leave + sum, take + sum + leave, 3), "");
}

/// Of loads by programs that know nothing of one another, the one that nobody has heard of.
TEST(ProgramRace, WithAnyOfSeveralLoads) {
  const std::string reads = "%f = fsm.offset %b, %pid : !fsm.ptr<i32>, i32\n" + load("%a") +
                            update("exch", "%one", "%f", kRelease),
                    isLast = "%four = arith.constant 4 : i32\n"
                             "%m = arith.cmpi eq, %pid, %four : i32\nscf.if %m {\n";
  for (int leftOut = 0; leftOut <= 4; ++leftOut) {
    std::string hears;
    for (int heard = 0; heard < 4; ++heard) {
      const std::string name = std::to_string(heard);
      hears += "%c" + name + " = arith.constant " + name + " : i32\n%f" + name +
               " = fsm.offset %b, %c" + name + " : !fsm.ptr<i32>, i32\n" +
               (heard == leftOut ? "" : update("or", "%zero", "%f" + name, kAcquire));
    }
    const std::string text =
        racesOf(reads, isLast + hears + store("%one", "%a") + "} else {\n" + reads + "}\n", 5);
    if (leftOut == 4)
      EXPECT_EQ(text, "");
    else
      EXPECT_NE(text.find("program (" + std::to_string(leftOut) + ", 0, 0) loads"),
                std::string::npos)
          << text;
  }
}
