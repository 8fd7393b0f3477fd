//===- DiagnosticTest.cpp - What there is to say, as a value --------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Artifact/Diagnostic.h"

#include "gtest/gtest.h"

using namespace fsm;

/// `SEVERITY FILE LINE COLUMN SENTENCE`, one line each.
static std::string read(std::string_view text) {
  std::string result;
  for (const Diagnostic &one : parseDiagnostics(text))
    result += std::to_string(static_cast<int>(one.severity)) + " " + one.file + " " +
              std::to_string(one.line) + " " + std::to_string(one.column) + " " + one.sentence +
              ";";
  return result;
}

TEST(Diagnostic, PlacesMayBeMissing) {
  EXPECT_EQ(read("a.mlir:3:14: error: it is wrong"), "0 a.mlir 3 14 it is wrong;");
  EXPECT_EQ(read("a.mlir: error: it is wrong"), "0 a.mlir 0 0 it is wrong;");
  EXPECT_EQ(read("error: it is wrong"), "0  0 0 it is wrong;");
}

TEST(Diagnostic, NamesOfFilesMayHaveColons) {
  EXPECT_EQ(read("a:b:7: error: s"), "0 a:b:7 0 0 s;");
  EXPECT_EQ(read("a:b:7:8: error: s"), "0 a:b 7 8 s;");
  EXPECT_EQ(read("a:99999999999:8: error: s"), "0 a:99999999999:8 0 0 s;");
  EXPECT_EQ(read("a::8: error: s"), "0 a::8 0 0 s;");
}

TEST(Diagnostic, NotesFollowWhatTheyBelongTo) {
  EXPECT_EQ(read("a:1:2: error: s\na:3:4: note: t\na:5:6: warning: u\na:7:8: remark: v"),
            "0 a 1 2 s;3 a 3 4 t;1 a 5 6 u;2 a 7 8 v;");
}

TEST(Diagnostic, SentencesMayQuoteOthersAndGoOn) {
  EXPECT_EQ(read("a:1:2: error: the driver says: error: no"), "0 a 1 2 the driver says: error: no;");
  EXPECT_EQ(read("a:1:2: note: as in: error: no"), "3 a 1 2 as in: error: no;");
  EXPECT_EQ(read("error: it reports\nout of bounds\nrace"), "0  0 0 it reports\nout of bounds\nrace;");
  EXPECT_EQ(read("fsm is at a loss\nerror: s"), "0  0 0 fsm is at a loss;0  0 0 s;");
  EXPECT_EQ(read(""), "");
}
