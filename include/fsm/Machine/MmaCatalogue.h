//===- MmaCatalogue.h - The instructions of tensor cores -------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_MACHINE_MMACATALOGUE_H
#define FSM_MACHINE_MMACATALOGUE_H

#include "fsm/Layout/NamedLayouts.h"
#include "fsm/Machine/GpuTarget.h"

#include <string>
#include <string_view>
#include <vector>

namespace fsm {

/// What tensor cores multiply, and what they add up. TF32 is an f32 of which the low 13 bits do
/// not count.
enum class MmaType : uint8_t { F16, BF16, TF32, S8, U8, E4M3, E5M2, F64, F32, S32 };

/// As PTX spells it.
std::string_view mmaTypeName(MmaType type);
/// Of an element in memory or a register.
unsigned mmaTypeBits(MmaType type);

/// One shape and one combination of types of `mma.sync`, where a warp adds the product of m x k and
/// k x n elements to m x n sums, or of `wgmma.mma_async`, where four neighbouring warps do, of factors
/// in shared memory: those are the shapes with an m of 64.
struct MmaInstruction {
  unsigned m, n, k;
  MmaType left, right, sums;
  /// 10 * major + minor of the compute capability that has it, and all later ones.
  unsigned computeCapability;

  bool isOfWarpGroup() const { return m == 64; }
  /// Whether code for a target may have it.
  bool isIn(const GpuTarget &target) const {
    return computeCapability <= target.computeCapability &&
           (!isOfWarpGroup() || target.features.wgmma);
  }

  /// Which lane holds what; of the factors, where they are in registers.
  Fragment leftFragment() const;
  Fragment rightFragment() const;
  Fragment sumsFragment() const;

  /// "m16n8k16"
  std::string shape() const;
  /// "m16n8k16.row.col.f32.f16.f16.f32", "m64n128k16.f32.f16.f16"
  std::string name() const;
};

/// All that are known, those of equal types in the order of their k.
const std::vector<MmaInstruction> &mmaCatalogue();

/// The instruction of a warp for these types with the largest k that divides `inner`; null where the
/// target has none.
const MmaInstruction *findMma(const GpuTarget &target, MmaType left, MmaType right, MmaType sums,
                              uint64_t inner);

/// The instruction of four warps for these types with the largest n up to `most` that is `columns`, or a
/// power of two that divides them, if its k divides `inner`; null where the target has none. Fragments
/// side by side have powers of two: places move by bits.
const MmaInstruction *findWgmma(const GpuTarget &target, MmaType left, MmaType right, MmaType sums,
                                uint64_t columns, uint64_t most, uint64_t inner);

} // namespace fsm

#endif // FSM_MACHINE_MMACATALOGUE_H
