//===- FragmentTableTest.cpp - The table that a GPU is asked about --------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Layout/NamedLayouts.h"

#include "gtest/gtest.h"

#include <cstdlib>
#include <fstream>
#include <sstream>

using namespace fsm;

namespace {

/// ` name (row,column) ...`, the images of a dimension's bits.
std::string images(const char *name, const LinearLayout &layout, Dim dim) {
  std::string text = std::string(" ") + name;
  for (unsigned bit = 0; bit < layout.from().bitsOf(dim); ++bit) {
    uint64_t index = uint64_t(1) << bit;
    uint64_t image = layout.apply(dim == Dim::Register ? index : 0, dim == Dim::Lane ? index : 0,
                                  dim == Dim::Warp ? index : 0);
    text += " " + std::to_string(layout.to().get(image, blockDim(0))) + "," +
            std::to_string(layout.to().get(image, blockDim(1)));
  }
  return text;
}

std::string line(const std::string &name, const Fragment &fragment) {
  LinearLayout layout = fragmentLayout(fragment);
  return name + " " + std::to_string(fragment.rows) + " " + std::to_string(fragment.columns) +
         images("register", layout, Dim::Register) + images("lane", layout, Dim::Lane) +
         images("warp", layout, Dim::Warp) + "\n";
}

std::string table() {
  std::string text =
      "# Which thread holds which element of a tensor core's operands, as lib/Layout has it. "
      "FragmentTableTest.cpp\n"
      "# compares; with FSM_UPDATE_FRAGMENTS=1 it writes this file. fragments.cu asks a GPU.\n"
      "# NAME ROWS COLUMNS, then for each bit of the number of an element in its thread, of the "
      "lane and of the\n"
      "# warp the row,column that it adds (exclusive or). Elements beyond the last column are "
      "not there.\n";
  text += line("mma.m16n8k16.a", mmaLeft(16, 16, 2)) + line("mma.m16n8k16.b", mmaRight(16, 2)) +
          line("mma.m16n8k16.d", mmaSums(16)) + line("wgmma.m64k16.a", wgmmaM64K16A());
  for (unsigned n : {8, 16, 24, 64, 96, 128, 256})
    text += line("wgmma.m64n" + std::to_string(n) + "k16.d", wgmmaAccumulator(n));
  return text;
}

TEST(FragmentTable, IsWhatTheGPUIsAskedAbout) {
  const std::string path = FSM_FRAGMENT_TABLE;
  if (std::getenv("FSM_UPDATE_FRAGMENTS"))
    std::ofstream(path) << table();
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  EXPECT_EQ(text.str(), table());
}

} // namespace
