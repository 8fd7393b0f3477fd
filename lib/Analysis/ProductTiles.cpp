//===- ProductTiles.cpp - Loads that products read where they land -------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Analysis/ProductTiles.h"

#include "fsm/Analysis/MmaPlan.h"
#include "fsm/Layout/TensorTiles.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace fsm;

static constexpr uint64_t kChunkBytes = 16;
/// Steps of a product that are written out: where a chunk is exchanged to is known for each.
static constexpr int64_t kMostSteps = 8;

bool FactorUse::isTransposed() {
  bool lies = isRight ? product.getRightTransposed() : product.getLeftTransposed();
  return lies != static_cast<bool>(transpose);
}

/// Adds the products that read what a store brings to its memory; false where something else
/// writes or reads there.
static bool addProducts(LoadOp load, SharedStoreOp store, TransposeOp transpose,
                        ProductTile &tile) {
  if (store->getBlock() != load->getBlock() || store.getAt())
    return false;
  SmallVector<FactorUse> uses;
  for (Operation *user : store.getShared().getUsers()) {
    if (user == store)
      continue;
    auto product = dyn_cast<SharedDotOp>(user);
    if (!product || product->getBlock() != load->getBlock() || !plannedMma(product))
      return false;
    uses.push_back({store, transpose, product, product.getRight() == store.getShared()});
  }
  llvm::append_range(tile.uses, uses);
  return !uses.empty();
}

/// Finds the products that a block goes to as it is, or transposed.
static void findUses(LoadOp load, ProductTile &tile) {
  for (Operation *user : load->getUsers()) {
    auto transpose = dyn_cast<TransposeOp>(user);
    auto store = dyn_cast<SharedStoreOp>(user);
    if (transpose && transpose->hasOneUse())
      store = dyn_cast<SharedStoreOp>(*transpose->user_begin());
    if (!store || !addProducts(load, store, transpose, tile))
      tile.isAll = false;
  }
}

/// Whether an instruction reads its fragments from a tile along `major`: ldmatrix and wgmma take
/// elements of 16 bits either way round, others along the inner dimension.
static bool canRead(FactorUse use, RankedTensorType block, unsigned major) {
  unsigned inner = use.isRight == use.isTransposed() ? 1 : 0;
  int64_t extent = block.getDimSize(inner);
  const MmaInstruction *mma = plannedMma(use.product);
  unsigned bits = mmaTypeBits(mma->left);
  bool isEitherWay = bits == 16 || bits == 64;
  // wgmma reads no lines of less than the shortest span.
  uint64_t line = static_cast<uint64_t>(block.getDimSize(major)) * bits / 8;
  if (mma->isOfWarpGroup() && widestSwizzle(line) == 0)
    return false;
  return (isEitherWay || inner == major) &&
         static_cast<int64_t>(use.product.getInner()) == extent && extent % mma->k == 0 &&
         extent / mma->k <= kMostSteps;
}

std::optional<ProductTile> fsm::productTileOf(LoadOp load) {
  auto block = dyn_cast<RankedTensorType>(load.getType());
  if (!block || block.getRank() != 2 || !llvm::all_of(block.getShape(), llvm::isPowerOf2_64))
    return std::nullopt;
  ProductTile tile;
  findUses(load, tile);
  if (tile.uses.empty())
    return std::nullopt;
  auto major = static_cast<unsigned>(integerAttrOr(load, kAccessDimAttr, 1));
  uint64_t bytes = bytesOf(block.getElementType()),
           line = static_cast<uint64_t>(block.getDimSize(major)) * bytes;
  if (line < kChunkBytes ||
      !llvm::all_of(tile.uses, [&](const FactorUse &use) { return canRead(use, block, major); }))
    return std::nullopt;
  LinearLayout layout =
      tensorTileLayout({block.getShape().begin(), block.getShape().end()},
                       static_cast<unsigned>(bytes), major, widestSwizzle(line));
  tile.layout = LayoutAttr::get(load.getContext(), layout);
  return tile;
}

SharedType fsm::tileSlots(LoadOp load, const ProductTile &tile, unsigned slots) {
  auto block = cast<RankedTensorType>(load.getType());
  return SharedType::get(load.getContext(), block.getShape(), block.getElementType(), /*pitch=*/0,
                         slots, tile.layout);
}

unsigned fsm::majorOf(SharedType type) {
  if (!type.getLayout())
    return static_cast<unsigned>(type.getShape().size() - 1);
  LinearLayout layout = type.getLayout().toLinear(type.getShape());
  uint64_t first = layout.bases().front();
  unsigned dim = 0;
  while (layout.to().get(first, blockDim(dim)) == 0)
    ++dim;
  return dim;
}
