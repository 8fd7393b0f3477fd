//===- ProgramLoads.h - What a program holds and loads ---------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Of a kernel without layouts, by which fsm-choose-warps decides how many threads a program gets.

#ifndef FSM_TRANSFORMS_LAYOUTS_PROGRAMLOADS_H
#define FSM_TRANSFORMS_LAYOUTS_PROGRAMLOADS_H

#include "fsm/IR/FSMDialect.h"

namespace fsm {

/// The 32-bit words of the largest block that is held in registers.
uint64_t largestHeldWords(KernelOp kernel);

/// The registers that elements loaded one by one take beyond their blocks' words, for each has one until
/// it is stored for a product: of blocks whose rows begin anywhere.
uint64_t registersOfNarrowLoads(KernelOp kernel);

/// What threads load where a block of elements of less than a word is loaded one by one, for its rows begin
/// anywhere: the layout of such a block is that of the others.
struct NarrowLoads {
  explicit NarrowLoads(KernelOp kernel);

  bool areOneByOne = false;
  /// Blocks, and the elements of the largest.
  unsigned count = 0;
  uint64_t most = 0;
};

/// The loads of blocks as large as any.
struct LargeLoads {
  explicit LargeLoads(KernelOp kernel);

  /// All, and those that something is reduced of: rows, which threads wait for. Of others, as weights, caches have most.
  unsigned count = 0, reduced = 0;
  /// Of these rows.
  uint64_t bytesReduced = 0;
  /// Whether threads load whole vectors, of words, or of what is less; blocks of one dimension alone; and whether
  /// loops load.
  bool areVectors = true, areWords = true, areNarrow = true, areRows = true, areInLoops = false;
  bool areWide() const { return areVectors && areWords; }
};

/// What products of tensor cores multiply and add up, in words of the largest.
struct ProductBlocks {
  explicit ProductBlocks(KernelOp kernel);

  uint64_t sums = 0, factor = 0;
  /// A factor that an iteration computes of what it loads.
  uint64_t computed = 0;
  /// Whether all that is loaded for them moves by vectors.
  bool areVectors = true;
};

} // namespace fsm

#endif // FSM_TRANSFORMS_LAYOUTS_PROGRAMLOADS_H
