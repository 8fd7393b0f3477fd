//===- MmaCatalogueTest.cpp - Tensor cores against the PTX manual ---------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Machine/MmaCatalogue.h"

#include "gtest/gtest.h"

#include <functional>
#include <set>

using namespace fsm;

namespace {

struct Position {
  unsigned row, column;
  bool operator==(const Position &other) const {
    return row == other.row && column == other.column;
  }
};

/// Of element i of a lane, with group = %laneid >> 2 and member = %laneid % 4.
using Formula = std::function<Position(unsigned i, unsigned group, unsigned member)>;

/// How many elements a lane has, and where they are.
struct Manual {
  unsigned elements;
  Formula place;
};

struct Fragments {
  Manual left, right, sums;
};

/// PTX ISA 9.0, 9.7.15.5.1 to .10, as printed there: the formulas of `row` and `col`.
Fragments manual(const std::string &shape, unsigned bits) {
  Manual sums = {4, [](unsigned i, unsigned group, unsigned member) {
                   return Position{i < 2 ? group : group + 8, member * 2 + (i & 1)};
                 }};
  if (shape == "m8n8k4")
    return {{1, [](unsigned, unsigned group, unsigned member) { return Position{group, member}; }},
            {1, [](unsigned, unsigned group, unsigned member) { return Position{member, group}; }},
            {2, [](unsigned i, unsigned group, unsigned member) {
               return Position{group, member * 2 + (i & 1)};
             }}};
  if (shape == "m16n8k4")
    return {{2, [](unsigned i, unsigned group,
                   unsigned member) { return Position{i == 0 ? group : group + 8, member}; }},
            {1, [](unsigned, unsigned group, unsigned member) { return Position{member, group}; }},
            sums};
  if (shape == "m16n8k8" && bits == 16)
    return {{4,
             [](unsigned i, unsigned group, unsigned member) {
               return Position{i < 2 ? group : group + 8, member * 2 + (i & 1)};
             }},
            {2, [](unsigned i, unsigned group,
                   unsigned member) { return Position{member * 2 + i, group}; }},
            sums};
  if (shape == "m16n8k8")
    return {{4,
             [](unsigned i, unsigned group, unsigned member) {
               return Position{i == 0 || i == 2 ? group : group + 8, i < 2 ? member : member + 4};
             }},
            {2, [](unsigned i, unsigned group,
                   unsigned member) { return Position{i == 0 ? member : member + 4, group}; }},
            sums};
  if (shape == "m16n8k16" && bits == 64)
    return {{8,
             [](unsigned i, unsigned group, unsigned member) {
               return Position{i % 2 == 0 ? group : group + 8,
                               i % 2 == 0 ? i * 2 + member : i * 2 - 2 + member};
             }},
            {4, [](unsigned i, unsigned group,
                   unsigned member) { return Position{member + i * 4, group}; }},
            sums};
  if (shape == "m16n8k16" && bits == 16)
    return {{8,
             [](unsigned i, unsigned group, unsigned member) {
               return Position{i < 2 || (4 <= i && i < 6) ? group : group + 8,
                               i < 4 ? member * 2 + (i & 1) : member * 2 + (i & 1) + 8};
             }},
            {4,
             [](unsigned i, unsigned group, unsigned member) {
               return Position{i < 2 ? member * 2 + (i & 1) : member * 2 + (i & 1) + 8, group};
             }},
            sums};
  if (shape == "m16n8k16")
    return {{8,
             [](unsigned i, unsigned group, unsigned member) {
               return Position{i < 4 ? group : group + 8, member * 4 + (i & 3)};
             }},
            {4, [](unsigned i, unsigned group,
                   unsigned member) { return Position{member * 4 + i, group}; }},
            sums};
  // m16n8k32 of 8 bits
  return {{16,
           [](unsigned i, unsigned group, unsigned member) {
             return Position{i < 4 || (8 <= i && i < 12) ? group : group + 8,
                             i < 8 ? member * 4 + (i & 3) : member * 4 + (i & 3) + 16};
           }},
          {8,
           [](unsigned i, unsigned group, unsigned member) {
             return Position{i < 4 ? member * 4 + (i & 3) : member * 4 + (i & 3) + 16, group};
           }},
          sums};
}

void expectManual(const std::string &what, const Fragment &fragment, const Manual &manual) {
  LinearLayout layout = fragmentLayout(fragment);
  EXPECT_TRUE(layout.isInvertible()) << what;
  ASSERT_EQ(layout.liveRegisters().size(), manual.elements) << what;
  for (unsigned i = 0; i < manual.elements; ++i)
    for (unsigned lane = 0; lane < 32; ++lane) {
      uint64_t image = layout.apply(i, lane, 0);
      Position position{static_cast<unsigned>(layout.to().get(image, blockDim(0))),
                        static_cast<unsigned>(layout.to().get(image, blockDim(1)))};
      EXPECT_EQ(position, manual.place(i, lane >> 2, lane % 4))
          << what << ", element " << i << " of lane " << lane << " is at (" << position.row << ", "
          << position.column << ")";
    }
}

std::string shapeOf(const MmaInstruction &row) {
  return row.name().substr(0, row.name().find('.'));
}

} // namespace

TEST(MmaCatalogue, HasTheFragmentsOfTheManual) {
  for (const MmaInstruction &row : mmaCatalogue()) {
    if (row.isOfWarpGroup())
      continue;
    Fragments expected = manual(shapeOf(row), mmaTypeBits(row.left));
    expectManual(row.name() + ", left", row.leftFragment(), expected.left);
    expectManual(row.name() + ", right", row.rightFragment(), expected.right);
    expectManual(row.name() + ", sums", row.sumsFragment(), expected.sums);
  }
}

// PTX ISA, "Register Fragments for wgmma.mma_async.m64nNk16", matrix D: row = 16 * warp + group, 8 more for
// the third and fourth of four registers; column = 8 * (i / 4) + member * 2 + (i & 1).
TEST(MmaCatalogue, HasTheSumsOfWarpGroups) {
  unsigned found = 0;
  for (const MmaInstruction &row : mmaCatalogue()) {
    if (!row.isOfWarpGroup())
      continue;
    ++found;
    LinearLayout layout = fragmentLayout(row.sumsFragment());
    ASSERT_EQ(layout.liveRegisters().size(), row.n / 2);
    for (unsigned warp = 0; warp < 4; ++warp)
      for (unsigned lane = 0; lane < 32; ++lane)
        for (unsigned i = 0; i < row.n / 2; ++i) {
          uint64_t image = layout.apply(i, lane, warp);
          EXPECT_EQ(layout.to().get(image, blockDim(0)),
                    16 * warp + lane / 4 + (i % 4 >= 2 ? 8 : 0));
          EXPECT_EQ(layout.to().get(image, blockDim(1)), 8 * (i / 4) + lane % 4 * 2 + (i & 1));
        }
  }
  // Eight rows of floats with each multiple of 8 up to 256, four of integers with 18 of these.
  EXPECT_EQ(found, 8 * 32u + 4 * 18u);
}

TEST(MmaCatalogue, FindsTheWidestOfWarpGroups) {
  auto find = [](const char *target, MmaType type, uint64_t columns, uint64_t inner, uint64_t most = 256) {
    const MmaInstruction *row =
        findWgmma(*findGpuTarget(target), type, type, MmaType::F32, columns, most, inner);
    return row ? row->name() : "none";
  };
  using T = MmaType;
  EXPECT_EQ(find("sm_90a", T::F16, 512, 32), "m64n256k16.f32.f16.f16");
  EXPECT_EQ(find("sm_90a", T::F16, 512, 32, 128), "m64n128k16.f32.f16.f16");
  // One of all columns, or powers of two side by side.
  EXPECT_EQ(find("sm_90a", T::BF16, 96, 16), "m64n96k16.f32.bf16.bf16");
  EXPECT_EQ(find("sm_90a", T::BF16, 96, 16, 64), "m64n32k16.f32.bf16.bf16");
  EXPECT_EQ(find("sm_90a", T::F16, 384, 16), "m64n128k16.f32.f16.f16");
  EXPECT_EQ(find("sm_90a", T::F16, 64, 24), "none");
  EXPECT_EQ(find("sm_90a", T::S8, 64, 32), "none");
  EXPECT_EQ(find("sm_80", T::F16, 64, 32), "none");
  EXPECT_EQ(find("sm_120", T::F16, 64, 32), "none");
}

TEST(MmaCatalogue, IsNamedAsInPtx) {
  std::set<std::string> names;
  for (const MmaInstruction &row : mmaCatalogue())
    EXPECT_TRUE(names.insert(row.name()).second) << row.name() << " twice";
  for (const char *name : {"m16n8k16.row.col.f32.f16.f16.f32", "m16n8k16.row.col.f32.bf16.bf16.f32",
                           "m16n8k8.row.col.f32.tf32.tf32.f32", "m16n8k32.row.col.s32.s8.u8.s32",
                           "m16n8k32.row.col.f32.e4m3.e5m2.f32", "m8n8k4.row.col.f64.f64.f64.f64"})
    EXPECT_TRUE(names.count(name)) << name;
}

TEST(MmaCatalogue, FindsTheLargestThatATargetHas) {
  auto find = [](const char *target, MmaType type, MmaType sums, uint64_t inner) {
    const MmaInstruction *row = findMma(*findGpuTarget(target), type, type, sums, inner);
    return row ? shapeOf(*row) : "none";
  };
  using T = MmaType;
  EXPECT_EQ(find("sm_80", T::F16, T::F32, 64), "m16n8k16");
  EXPECT_EQ(find("sm_80", T::F16, T::F32, 8), "m16n8k8");
  EXPECT_EQ(find("sm_80", T::F16, T::F32, 24), "m16n8k8");
  EXPECT_EQ(find("sm_80", T::F16, T::F32, 60), "none");
  EXPECT_EQ(find("sm_75", T::F16, T::F32, 64), "m16n8k8");
  EXPECT_EQ(find("sm_75", T::BF16, T::F32, 64), "none");
  EXPECT_EQ(find("sm_80", T::TF32, T::F32, 64), "m16n8k8");
  EXPECT_EQ(find("sm_80", T::S8, T::S32, 64), "m16n8k32");
  EXPECT_EQ(find("sm_80", T::E4M3, T::F32, 64), "none");
  EXPECT_EQ(find("sm_89", T::E4M3, T::F32, 64), "m16n8k32");
  EXPECT_EQ(find("sm_80", T::F64, T::F64, 64), "m8n8k4");
  EXPECT_EQ(find("sm_90a", T::F64, T::F64, 64), "m16n8k16");
  EXPECT_EQ(find("sm_90a", T::F32, T::F32, 64), "none");
}
