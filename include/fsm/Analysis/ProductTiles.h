//===- ProductTiles.h - Loads that products read where they land *- C++ -*===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_ANALYSIS_PRODUCTTILES_H
#define FSM_ANALYSIS_PRODUCTTILES_H

#include "fsm/IR/FSMDialect.h"

#include <optional>

namespace fsm {

/// A factor of a product, on its way from a load.
struct FactorUse {
  /// What brings it to shared memory, and the transposition in front of that, or null.
  SharedStoreOp store;
  TransposeOp transpose;
  SharedDotOp product;
  bool isRight = false;

  /// Whether the loaded block has the dimensions of the factor the other way around.
  bool isTransposed();
};

/// What products read of a load in slots of shared memory, instead of memory of their own.
struct ProductTile {
  /// From offsets in a slot to the elements of the block: a tile whose chunks of 16 bytes are
  /// exchanged so that neither copies nor products meet in banks (TensorTiles.h), for tensor cores or
  /// for threads that multiply and add.
  LayoutAttr layout;
  llvm::SmallVector<FactorUse, 2> uses;
  /// Whether products are all that the block is for.
  bool isAll = true;
};

/// The tile that products in the load's own block of ops may read; nothing where there is no such
/// product, or one of them cannot: extents are powers of two, where groups of warps multiply but for columns, with a 16 byte chunk at least, what is not
/// loaded is zero, and the load's accesses lie along the dimension that the instruction, or each thread,
/// reads chunks of.
std::optional<ProductTile> productTileOf(LoadOp load);

/// Whether what is not loaded is zero, as copies leave it.
bool leavesZeros(LoadOp load);

/// Whether a load inside of a loop with stages is to be made element by element, so that its tile's lines may be
/// across its accesses: what a product by multiply-adds, whose sums have this layout, then adds in one step
/// comes in neighbouring registers, of either factor, and not each step from the same bank. Elements have to
/// be as large as the smallest asynchronous copy; along `fastest` their addresses are consecutive.
bool isForLinesAcross(LoadOp load, unsigned fastest,
                      llvm::function_ref<LinearLayout(DotOp)> layoutOf);

/// The slots of such a tile, which copies of a tensor fill, or else threads.
SharedType tileSlots(LoadOp load, const ProductTile &tile, unsigned slots, bool isOfTensor);

/// The dimension of a tile along which neighbours lie side by side, and that of memory without a
/// layout.
unsigned majorOf(SharedType type);

/// Whether a factor in memory has neighbours along the dimension in which products are added up.
bool liesAlongInner(SharedDotOp product, bool isRight);

/// How many steps of a product by multiply-adds a thread reads numbers for at once: a vector of them, no more than
/// that their products fit the body of a loop.
uint64_t stepsAtOnce(SharedDotOp product);

} // namespace fsm

#endif // FSM_ANALYSIS_PRODUCTTILES_H
