//===- TileTest.cpp - Tiles of tensors in memory -------------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelRunner.h"

using namespace fsm;
using namespace fsm::test;

using Ints = std::vector<int32_t>;

/// Runs a kernel with `lines` on three rows of four numbers, five apart, and gives the array; %d
/// is their descriptor. The first four numbers behind the rows are for what it finds, at %r.
static Result<void> runOn(Ints &memory, const std::string &lines) {
  memory = {1, 2, 3, 4, 0, 11, 12, 13, 14, 0, 21, 22, 23, 24, 0, 9, 9, 9, 9};
  return run("fsm.kernel @k(%p: !fsm.ptr<i32>, %four: i32, %two: i32) {\n"
             "%d = fsm.descriptor %p sizes [3, %four] strides [5, 1] : !fsm.ptr<i32> -> "
             "!fsm.descriptor<2 x i32>\n" +
                 lines + "\nfsm.return\n}\n",
             Grid(), {bufferOf(memory), Argument::integer(4), Argument::integer(2)});
}

/// What a tile of 2 x 2 at these coordinates has.
static Ints tileAt(const std::string &coordinates) {
  Ints memory;
  Result<void> done =
      runOn(memory, "%x = fsm.load_tile %d" + coordinates +
                        " : !fsm.descriptor<2 x i32> -> tensor<2x2xi32>\n"
                        "%r = fsm.reshape %x : tensor<2x2xi32> -> tensor<4xi32>\n"
                        "%e = fsm.descriptor %p sizes [19] strides [1] : !fsm.ptr<i32> -> "
                        "!fsm.descriptor<1 x i32>\n"
                        "fsm.store_tile %r, %e[15] : tensor<4xi32>, !fsm.descriptor<1 x i32>");
  EXPECT_TRUE(done) << done.error().message;
  return {memory.end() - 4, memory.end()};
}

TEST(Tile, IsThePartAtItsCoordinates) {
  EXPECT_EQ(tileAt("[1, %two]"), (Ints{13, 14, 23, 24}));
  EXPECT_EQ(tileAt("[0, 0]"), (Ints{1, 2, 11, 12}));
}

TEST(Tile, WhatIsOutsideIsZero) {
  EXPECT_EQ(tileAt("[2, 3]"), (Ints{24, 0, 0, 0}));
  EXPECT_EQ(tileAt("[-1, -1]"), (Ints{0, 0, 0, 1}));
  EXPECT_EQ(tileAt("[-7, 100]"), (Ints{0, 0, 0, 0}));
}

TEST(Tile, ASelectedRowIsThereOrIsNot) {
  for (auto [row, expected] :
       {std::pair("2", Ints{22, 23}), std::pair("3", Ints{0, 0}), std::pair("-1", Ints{0, 0})}) {
    Ints memory;
    Result<void> done =
        runOn(memory, std::string("%x = fsm.load_tile %d[") + row +
                          ", 1] : !fsm.descriptor<2 x i32> -> tensor<2xi32>\n"
                          "%o = fsm.range 15, 17 : tensor<2xi32>\n"
                          "fsm.store %x, %p[%o] : tensor<2xi32>, !fsm.ptr<i32>, tensor<2xi32>");
    ASSERT_TRUE(done) << done.error().message;
    EXPECT_EQ(Ints(memory.begin() + 15, memory.begin() + 17), expected) << row;
  }
}

TEST(Tile, IsStoredWhereThereIsATensor) {
  Ints memory, expected;
  ASSERT_TRUE(runOn(expected, ""));
  expected[5 + 3] = 70;
  expected[10 + 3] = 70;
  ASSERT_TRUE(runOn(memory, "%x = arith.constant dense<70> : tensor<4x2xi32>\n"
                            "fsm.store_tile %x, %d[1, 3] : tensor<4x2xi32>, "
                            "!fsm.descriptor<2 x i32>"));
  EXPECT_EQ(memory, expected);
}

TEST(Tile, OutsideOfTheBufferIsAnError) {
  Ints memory;
  std::string message = errorOf(
      runOn(memory, "%e = fsm.descriptor %p sizes [4, 5] strides [5, 1] : !fsm.ptr<i32> -> "
                    "!fsm.descriptor<2 x i32>\n"
                    "%x = fsm.load_tile %e[3, 0] : !fsm.descriptor<2 x i32> -> tensor<1x8xi32>"));
  EXPECT_NE(message.find("loads element (0, 4) from bytes 76 to 79 of argument 0"),
            std::string::npos)
      << message;
}

/// What is said of a load of 2 x 2 at these coordinates of a tensor of these sizes.
static std::string errorAt(const std::string &sizes, const std::string &coordinates,
                           const std::string &constant = "0 : i32", const char *types = "") {
  Ints memory;
  std::string message =
      errorOf(runOn(memory, "%c = arith.constant " + constant + "\n%e = fsm.descriptor %p sizes " +
                                sizes + " strides [0, 0] : !fsm.ptr<i32>" + types +
                                " -> !fsm.descriptor<2 x i32>\n%x = fsm.load_tile %e" +
                                coordinates + " : !fsm.descriptor<2 x i32> -> tensor<2x2xi32>"));
  size_t place = message.find("program (0, 0, 0) ");
  return place == message.npos ? message : message.substr(place + 18);
}

TEST(Tile, SizesFitAnI32) {
  EXPECT_EQ(errorAt("[%c, 4]", "[0, 0]", "-1 : i32"),
            "describes a tensor of size -1 in dimension 0, expected 0 to 2147483647");
  EXPECT_EQ(errorAt("[3, %c]", "[0, 0]", "2147483648 : i64", ", i64"),
            "describes a tensor of size 2147483648 in dimension 1, expected 0 to 2147483647");
}

TEST(Tile, CoordinatesFitAnI32) {
  EXPECT_EQ(errorAt("[3, 4]", "[0, %c]", "2147483647 : i32"),
            "accesses a part whose last coordinate is 2147483648 in dimension 1, expected at most "
            "2147483647");
  EXPECT_EQ(errorAt("[3, 4]", "[-2147483645, 0]"),
            "accesses a part that begins at -2147483645 in dimension 0, which is 2147483648 from "
            "the size, expected at most 2147483647");
  EXPECT_EQ(tileAt("[2147483646, -2147483643]"), (Ints{0, 0, 0, 0}));
}

TEST(Tile, WhatIsStoredIsAtCoordinatesThatFitAnI32) {
  Ints memory;
  std::string message =
      errorOf(runOn(memory, "%x = arith.constant dense<70> : tensor<2x2xi32>\n"
                            "fsm.store_tile %x, %d[2147483647, 0] : tensor<2x2xi32>, "
                            "!fsm.descriptor<2 x i32>"));
  EXPECT_EQ(message, "k:4:1: program (0, 0, 0) accesses a part whose last coordinate is 2147483648 "
                     "in dimension 0, expected at most 2147483647");
}
