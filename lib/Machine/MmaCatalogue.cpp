//===- MmaCatalogue.cpp - The instructions of tensor cores ---------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// PTX ISA, "Multiply-and-Accumulate Instruction: mma" and "... using wgmma instruction": shapes,
// types, and since when.

#include "fsm/Machine/MmaCatalogue.h"

using namespace fsm;

namespace {
struct TypeRow {
  std::string_view name;
  unsigned bits;
};
} // namespace

/// In the order of MmaType.
static constexpr TypeRow kTypes[] = {
    {"f16", 16}, {"bf16", 16}, {"tf32", 32}, {"s8", 8},   {"u8", 8},
    {"e4m3", 8}, {"e5m2", 8},  {"f64", 64},  {"f32", 32}, {"s32", 32},
};

std::string_view fsm::mmaTypeName(MmaType type) { return kTypes[static_cast<size_t>(type)].name; }
unsigned fsm::mmaTypeBits(MmaType type) { return kTypes[static_cast<size_t>(type)].bits; }

/// Of wgmma each multiple of 8 up to 256 is an n, of integers behind 32 each multiple of 16. A line of its
/// factors has 32 bytes.
static void addGroupRows(std::vector<MmaInstruction> &rows) {
  using T = MmaType;
  auto add = [&](T left, T right, T sums) {
    for (unsigned n = 8; n <= 256; n += 8)
      if (sums != T::S32 || n <= 32 || n % 16 == 0)
        rows.push_back({64, n, 256 / mmaTypeBits(left), left, right, sums, 90});
  };
  add(T::F16, T::F16, T::F32);
  add(T::F16, T::F16, T::F16);
  add(T::BF16, T::BF16, T::F32);
  add(T::TF32, T::TF32, T::F32);
  for (T left : {T::S8, T::U8})
    for (T right : {T::S8, T::U8})
      add(left, right, T::S32);
  for (T left : {T::E4M3, T::E5M2})
    for (T right : {T::E4M3, T::E5M2})
      add(left, right, T::F32);
}

static std::vector<MmaInstruction> makeCatalogue() {
  using T = MmaType;
  std::vector<MmaInstruction> rows = {
      {16, 8, 8, T::F16, T::F16, T::F32, 75},   {16, 8, 16, T::F16, T::F16, T::F32, 80},
      {16, 8, 8, T::F16, T::F16, T::F16, 75},   {16, 8, 16, T::F16, T::F16, T::F16, 80},
      {16, 8, 8, T::BF16, T::BF16, T::F32, 80}, {16, 8, 16, T::BF16, T::BF16, T::F32, 80},
      {16, 8, 4, T::TF32, T::TF32, T::F32, 80}, {16, 8, 8, T::TF32, T::TF32, T::F32, 80},
      {8, 8, 4, T::F64, T::F64, T::F64, 80},    {16, 8, 4, T::F64, T::F64, T::F64, 90},
      {16, 8, 8, T::F64, T::F64, T::F64, 90},   {16, 8, 16, T::F64, T::F64, T::F64, 90},
  };
  for (MmaType left : {T::S8, T::U8})
    for (MmaType right : {T::S8, T::U8})
      for (unsigned k : {16, 32})
        rows.push_back({16, 8, k, left, right, T::S32, 80});
  for (MmaType left : {T::E4M3, T::E5M2})
    for (MmaType right : {T::E4M3, T::E5M2})
      rows.push_back({16, 8, 32, left, right, T::F32, 89});
  addGroupRows(rows);
  return rows;
}

const std::vector<MmaInstruction> &fsm::mmaCatalogue() {
  static const std::vector<MmaInstruction> rows = makeCatalogue();
  return rows;
}

const MmaInstruction *fsm::findMma(const GpuTarget &target, MmaType left, MmaType right,
                                   MmaType sums, uint64_t inner) {
  const MmaInstruction *best = nullptr;
  for (const MmaInstruction &row : mmaCatalogue())
    if (row.left == left && row.right == right && row.sums == sums && row.isIn(target) &&
        !row.isOfWarpGroup() && inner % row.k == 0)
      best = &row;
  return best;
}

const MmaInstruction *fsm::findWgmma(const GpuTarget &target, MmaType left, MmaType right,
                                     MmaType sums, uint64_t columns, uint64_t most, uint64_t inner) {
  auto isPower = [](uint64_t extent) { return (extent & (extent - 1)) == 0; };
  const MmaInstruction *best = nullptr;
  for (const MmaInstruction &row : mmaCatalogue())
    if (row.left == left && row.right == right && row.sums == sums && row.isIn(target) &&
        row.isOfWarpGroup() && row.n <= most && inner % row.k == 0 &&
        (row.n == columns || (columns % row.n == 0 && isPower(row.n))))
      best = &row;
  return best;
}

static unsigned perWord(MmaType type) { return std::max(1u, 32 / mmaTypeBits(type)); }

Fragment MmaInstruction::leftFragment() const {
  if (!isOfWarpGroup())
    return mmaLeft(m, k, perWord(left));
  // Of each of the four warps 16 rows, as mma.sync has them.
  Fragment fragment = mmaLeft(16, k, perWord(left));
  fragment.rows = m;
  fragment.warps = {{16, 0}, {32, 0}};
  return fragment;
}
Fragment MmaInstruction::rightFragment() const { return mmaRight(k, perWord(right)); }
Fragment MmaInstruction::sumsFragment() const {
  return isOfWarpGroup() ? wgmmaAccumulator(n) : mmaSums(m);
}

std::string MmaInstruction::shape() const {
  return "m" + std::to_string(m) + "n" + std::to_string(n) + "k" + std::to_string(k);
}

std::string MmaInstruction::name() const {
  std::string text = shape();
  if (!isOfWarpGroup())
    text += ".row.col";
  for (MmaType type : {sums, left, right})
    text += "." + std::string(mmaTypeName(type));
  return isOfWarpGroup() ? text : text + "." + std::string(mmaTypeName(sums));
}
