//===- LayoutPictureTest.cpp - Layouts to look at ------------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Layout/LayoutPicture.h"
#include "fsm/Layout/NamedLayouts.h"

#include "gtest/gtest.h"

using namespace fsm;

namespace {

size_t countOf(const std::string &text, const std::string &piece) {
  size_t count = 0;
  for (size_t at = text.find(piece); at != text.npos; at = text.find(piece, at + 1))
    ++count;
  return count;
}

TEST(LayoutPicture, IsTheTableOfItsComment) {
  LinearLayout layout = blockedLayout({2, 4}, {{1, 2}, {2, 2}, {1, 1}, {1, 0}});
  EXPECT_EQ(drawAsText(layout), "lane:register\n"
                                "        0   1   2   3\n"
                                "    0 0:0 0:1 1:0 1:1\n"
                                "    1 2:0 2:1 3:0 3:1\n");
}

TEST(LayoutPicture, ShowsWarpsReplicasAndTrueExtents) {
  // Six numbers over two warps of two lanes; lane bit 0 makes no difference.
  LinearLayout layout(BitSpace::threads(2, 1, 1), BitSpace::block({6}), {1, 2, 0, 4});
  EXPECT_EQ(drawAsText(layout), "warp.lane:register\n"
                                "            0       1       2       3       4       5\n"
                                "    0 0.0:0+1 0.0:1+1 0.0:2+1 0.0:3+1 1.0:0+1 1.0:1+1\n");
}

TEST(LayoutPicture, ShowsOffsetsAndHoles) {
  EXPECT_EQ(drawAsText(xorSharedLayout({2, 4}, {1, 0}, {1, 0, 2})), "offset\n"
                                                                    "        0   1   2   3\n"
                                                                    "    0   0   1   2   3\n"
                                                                    "    1   5   4   7   6\n");
  LinearLayout holes(BitSpace::threads(1, 0, 0), BitSpace::block({4}), {2});
  EXPECT_EQ(drawAsText(holes), "lane:register\n        0   1   2   3\n    0 0:0   - 0:1   -\n");
}

TEST(LayoutPicture, DrawsEachTableOfMoreDimensions) {
  std::string text = drawAsText(rowMajorLayout({3, 2, 2}, 2, {4, 1}));
  EXPECT_EQ(countOf(text, "from ("), 3u);
  EXPECT_NE(text.find("from (2, 0, 0)\n        0   1\n    0 0:2 0:3\n    1 1:2 1:3\n"), text.npos)
      << text;
  EXPECT_EQ(drawAsText(rowMajorLayout({}, 4, {2, 1})), "lane:register\n          0\n    0 0:0+1\n");
}

TEST(LayoutPicture, SvgHasOneRectanglePerElement) {
  std::string svg = drawAsSvg(rowMajorLayout({3, 16}, 4, {32, 1}));
  EXPECT_EQ(countOf(svg, "<rect"), 48u);
  EXPECT_EQ(countOf(svg, "</text>"), 49u);
  EXPECT_EQ(svg.substr(0, 5), "<svg ");
  EXPECT_EQ(countOf(svg, "</svg>"), 1u);
  EXPECT_EQ(countOf(svg, "fill=\"hsl("), 48u);
  // 16 columns of 72 and 3 rows of 24 within margins of 24, in a viewBox, so that a page can scale.
  EXPECT_EQ(countOf(svg, "width=\"1200\" height=\"120\" viewBox=\"0 0 1200 120\""), 1u);
}

} // namespace
