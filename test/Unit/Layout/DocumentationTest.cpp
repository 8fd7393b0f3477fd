//===- DocumentationTest.cpp - docs/layouts.md is what is printed --------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Layout/ConversionPlan.h"
#include "fsm/Layout/LayoutPicture.h"
#include "fsm/Layout/NamedLayouts.h"

#include "gtest/gtest.h"

#include <fstream>
#include <sstream>

using namespace fsm;

namespace {

std::string page() {
  std::ostringstream text;
  text << std::ifstream(FSM_DOCS_DIR "/layouts.md").rdbuf();
  return text.str();
}

void expectShown(std::string text) {
  if (text.back() != '\n')
    text += '\n';
  EXPECT_NE(page().find("```\n" + text + "```\n"), std::string::npos) << text;
}

TEST(Documentation, ShowsWhatIsPrinted) {
  LinearLayout rows = rowMajorLayout({4, 8}, 2, {8, 1});
  expectShown(rows.format());
  expectShown(drawAsText(rows));
  expectShown(drawAsText(slicedLayout(rows, 1)));
  LinearLayout renamed(rows.from(), rows.to(), {16, 1, 2, 4, 8});
  expectShown(planConversion(rows, renamed, 4)->format());
  LinearLayout columns = blockedLayout({4, 8}, {{1, 1}, {1, 8}, {1, 1}, {1, 0}});
  expectShown(planConversion(rows, columns, 4)->format());
  expectShown(planConversion(rowMajorLayout({64, 128}, 4, {32, 4}),
                             blockedLayout({64, 128}, {{4, 1}, {8, 4}, {1, 4}, {0, 1}}), 4)
                  ->format());
  expectShown(drawAsText(findSwizzle(rowMajorLayout({8, 8}, 1, {8, 1}),
                                     blockedLayout({8, 8}, {{1, 1}, {8, 1}, {1, 1}, {0, 1}}), 16)));
}

TEST(Documentation, AccumulatorsAreOperands) {
  LinearLayout accumulator = tiledFragmentLayout(mmaSums(16), {64, 64}, {4, 1});
  LinearLayout operand = tiledFragmentLayout(mmaLeft(16, 16, 2), {64, 64}, {4, 1});
  EXPECT_EQ(planConversion(accumulator, operand, 2)->kind, ConversionKind::Nothing);
}

} // namespace
