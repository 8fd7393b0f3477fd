//===- ProductTiles.cpp - Loads that products read where they land -------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Analysis/ProductTiles.h"

#include "fsm/Analysis/MmaPlan.h"
#include "fsm/Analysis/ResourceEstimate.h"
#include "fsm/Layout/TensorTiles.h"

#include "mlir/IR/Matchers.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace fsm;

/// The longest span of a tile.
static constexpr uint64_t kLongestSpan = 128;
static constexpr uint64_t kChunkBytes = 16;
/// Steps of a product that are written out: where a chunk is exchanged to is known for each. Of one
/// by multiply-adds, these of a thread.
static constexpr int64_t kMostSteps = 8;
static constexpr uint64_t kMostMultiplyAdds = 4096;
/// Products in the body of a loop: more are more code than an instruction cache likes.
static constexpr uint64_t kMaxProducts = 1024;
/// By how many numbers each of a factor has to be multiplied, so that it is worth to copy them one by one: with
/// 256 an H100 is a tenth faster, with 128 it is 5 per cent slower (docs/measurements/products.md).
static constexpr int64_t kLeastReads = 256;

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
    if (!product || product->getBlock() != load->getBlock())
      return false;
    uses.push_back({store, transpose, product, product.getRight() == store.getShared()});
  }
  llvm::append_range(tile.uses, uses);
  return !uses.empty();
}

/// Whether rows and columns change places, and nothing else.
static bool swapsMatrices(TransposeOp transpose) {
  auto order = llvm::to_vector_of<int64_t>(transpose.getOrder());
  std::swap(order[order.size() - 2], order.back());
  return llvm::equal(order, llvm::seq<int64_t>(0, static_cast<int64_t>(order.size())));
}

/// Finds the products that a block goes to as it is, or transposed.
static void findUses(LoadOp load, ProductTile &tile) {
  for (Operation *user : load->getUsers()) {
    auto transpose = dyn_cast<TransposeOp>(user);
    auto store = dyn_cast<SharedStoreOp>(user);
    if (transpose && transpose->hasOneUse() && swapsMatrices(transpose))
      store = dyn_cast<SharedStoreOp>(*transpose->user_begin());
    if (!store || !addProducts(load, store, transpose, tile))
      tile.isAll = false;
  }
}

/// The dimension of a loaded block along which products are added up.
static unsigned innerOf(FactorUse use, RankedTensorType block) {
  auto rank = static_cast<unsigned>(block.getRank());
  return use.isRight == use.isTransposed() ? rank - 1 : rank - 2;
}

/// The dimension of the sums that a factor has, and the other one has not.
static unsigned outerOf(FactorUse use) {
  auto rank = static_cast<unsigned>(use.product.getType().getRank());
  return use.isRight ? rank - 1 : rank - 2;
}

/// How many neighbours along a dimension of its sums a thread has side by side, a power of two.
static uint64_t neighboursAlong(const LinearLayout &sums, unsigned dim) {
  uint64_t count = 1;
  std::vector<uint64_t> registers = sums.basesOf(Dim::Register);
  while (count < sums.to().extentOf(blockDim(dim)) &&
         llvm::is_contained(registers, sums.to().place(blockDim(dim), count)))
    count *= 2;
  return count;
}

/// How far apart lanes are along a dimension of the sums; 0 where all have the same.
static uint64_t lanesApart(const LinearLayout &sums, unsigned dim) {
  uint64_t apart = 0;
  for (uint64_t base : sums.basesOf(Dim::Lane))
    if (uint64_t step = sums.to().get(base, blockDim(dim)); step && (!apart || step < apart))
      apart = step;
  return llvm::isPowerOf2_64(apart) ? apart : 0;
}

/// Whether threads that multiply and add read a tile along `major` by chunks: along the inner
/// dimension all can, along the other one those whose sums are neighbours there.
static bool canReadByThreads(FactorUse use, RankedTensorType block, unsigned major) {
  unsigned inner = innerOf(use, block);
  RankedTensorType sums = use.product.getType();
  LinearLayout layout = linearLayoutOf(sums);
  uint64_t extent = use.product.getInner(), chunk = kChunkBytes / bytesOf(block.getElementType());
  if (use.product->hasAttr(kShortAttr) || static_cast<int64_t>(extent) != block.getDimSize(inner) ||
      !llvm::all_of(sums.getShape(), llvm::isPowerOf2_64) ||
      extent * registersOf(sums) > kMostMultiplyAdds)
    return false;
  if (inner == major)
    return true;
  uint64_t own = 1;
  for (uint64_t base : layout.basesOf(Dim::Register))
    own *= layout.to().get(base, blockDim(outerOf(use))) ? 2 : 1;
  return neighboursAlong(layout, outerOf(use)) >= std::min(own, chunk);
}

/// Whether an instruction reads its fragments from a tile along `major`: ldmatrix and wgmma take
/// elements of 16 bits either way round, others along the inner dimension. Without wgmma a lane
/// reads what ldmatrix does not transpose.
static bool canRead(FactorUse use, RankedTensorType block, unsigned major) {
  unsigned inner = innerOf(use, block);
  int64_t extent = block.getDimSize(inner);
  const MmaInstruction *mma = plannedMma(use.product);
  if (!mma)
    return !use.product->hasAttr(kMmaAttr) && canReadByThreads(use, block, major);
  unsigned bits = mmaTypeBits(mma->left);
  bool isEitherWay = bits == 16 || bits == 64 || (bits == 32 && !mma->isOfWarpGroup());
  // wgmma reads no lines of less than the shortest span.
  uint64_t line = static_cast<uint64_t>(block.getDimSize(major)) * bits / 8;
  if (mma->isOfWarpGroup() && widestSwizzle(line) == 0)
    return false;
  return (isEitherWay || inner == major) &&
         static_cast<int64_t>(use.product.getInner()) == extent && extent % mma->k == 0 &&
         extent / mma->k <= kMostSteps;
}

/// The dimension along which a load's accesses lie.
static unsigned accessDimOf(LoadOp load, unsigned rank) {
  return static_cast<unsigned>(integerAttrOr(load, kAccessDimAttr, rank - 1));
}

/// The elements of a tile's line of so many: whole spans, for boxes with the lines of a shorter one are copied and read at
/// half the rate and less. The hardware fills the rest with what is behind, and nobody reads it.
static uint64_t roomOfLine(uint64_t elements, unsigned bytes) {
  uint64_t span = std::min<uint64_t>(llvm::bit_ceil(elements * bytes), kLongestSpan);
  return llvm::alignTo(elements * bytes, span) / bytes;
}

/// The tile that a use reads. Where its lines are not along the load's accesses, lanes that copy write to
/// several of them at once.
static LinearLayout layoutFor(LoadOp load, FactorUse use, unsigned major) {
  auto block = cast<RankedTensorType>(load.getType());
  Extents extents(block.getShape().begin(), block.getShape().end());
  auto bytes = static_cast<unsigned>(bytesOf(block.getElementType()));
  const MmaInstruction *mma = plannedMma(use.product);
  // Lanes that read element by element have four lines and 32 bytes of each at a time.
  unsigned bits = mma ? mmaTypeBits(mma->left) : 0;
  if (bits == 64 || (bits == 32 && innerOf(use, block) != major))
    return lineTileLayout(extents, bytes, major, /*apart=*/1, /*chunkBytes=*/2 * kChunkBytes);
  if (mma) {
    uint64_t line = isByWarpGroups(use.product) ? roomOfLine(extents[major], bytes) : extents[major];
    return tensorTileLayout(extents, bytes, major, widestSwizzle(line * bytes));
  }
  uint64_t apart = 0;
  if (unsigned inner = innerOf(use, block); inner == major)
    apart = lanesApart(linearLayoutOf(use.product.getType()), outerOf(use));
  else if (accessDimOf(load, static_cast<unsigned>(block.getRank())) != major)
    apart = lanesApart(linearLayoutOf(block), inner);
  return lineTileLayout(extents, bytes, major, apart);
}

/// Whether lines along the other dimension than a load's accesses are no loss, for it moves element by element,
/// and a gain for a use.
static bool isBetterAcross(LoadOp load, FactorUse use, unsigned major) {
  auto block = cast<RankedTensorType>(load.getType());
  uint64_t bytes = bytesOf(block.getElementType());
  if (integerAttrOr(load, kAccessWidthAttr, 0) != 1 || bytes != kWordBytes ||
      use.product->hasAttr(kMmaAttr) || innerOf(use, block) != major)
    return false;
  unsigned other = 2 * static_cast<unsigned>(block.getRank()) - 3 - major;
  LinearLayout sums = linearLayoutOf(use.product.getType());
  return canReadByThreads(use, block, other) &&
         neighboursAlong(sums, outerOf(use)) >= kChunkBytes / bytes;
}

bool fsm::leavesZeros(LoadOp load) {
  Value other = load.getOther();
  APInt integer;
  return !other || matchPattern(other, m_PosZeroFloat()) ||
         (matchPattern(other, m_ConstantInt(&integer)) && integer.isZero());
}

bool fsm::isForLinesAcross(LoadOp load, unsigned fastest,
                           llvm::function_ref<LinearLayout(DotOp)> layoutOf) {
  auto block = dyn_cast<RankedTensorType>(load.getType());
  if (!block || bytesOf(block.getElementType()) != kWordBytes || !leavesZeros(load) ||
      integerAttrOr(load->getParentOp(), kNumStagesAttr, 1) < 2)
    return false;
  auto isAcrossFor = [&](Operation *user) {
    auto dot = dyn_cast<DotOp>(user);
    if (!dot || dot->hasAttr(kMmaAttr) || dot->getBlock() != load->getBlock() ||
        dot.getAcc() == load)
      return false;
    auto rank = static_cast<unsigned>(block.getRank());
    bool isRight = dot.getRight() == load;
    int64_t reads = dot.getType().getDimSize(isRight ? rank - 2 : rank - 1);
    return reads >= kLeastReads && fastest == (isRight ? rank - 2 : rank - 1) &&
           neighboursAlong(layoutOf(dot), isRight ? rank - 1 : rank - 2) >=
               kChunkBytes / kWordBytes;
  };
  return !load->use_empty() && llvm::all_of(load->getUsers(), isAcrossFor);
}

std::optional<ProductTile> fsm::productTileOf(LoadOp load) {
  auto block = dyn_cast<RankedTensorType>(load.getType());
  if (!block || block.getRank() < 2 || !leavesZeros(load))
    return std::nullopt;
  ProductTile tile;
  findUses(load, tile);
  // The hardware alone reads up to another end.
  auto isByGroups = [](const FactorUse &use) { return isByWarpGroups(use.product); };
  if (!llvm::all_of(block.getShape(), llvm::isPowerOf2_64) && !llvm::all_of(tile.uses, isByGroups))
    return std::nullopt;
  auto rank = static_cast<unsigned>(block.getRank()), major = accessDimOf(load, rank);
  if (tile.uses.empty() || major + 2 < rank)
    return std::nullopt;
  if (tile.isAll && llvm::all_of(tile.uses, [&](FactorUse use) {
        return isBetterAcross(load, use, major);
      }))
    major = 2 * rank - 3 - major;
  uint64_t line = static_cast<uint64_t>(block.getDimSize(major)) * bytesOf(block.getElementType());
  if (line < kChunkBytes ||
      !llvm::all_of(tile.uses, [&](const FactorUse &use) { return canRead(use, block, major); }))
    return std::nullopt;
  LinearLayout layout = layoutFor(load, tile.uses.front(), major);
  if (!llvm::all_of(tile.uses, [&](FactorUse use) { return layoutFor(load, use, major) == layout; }))
    return std::nullopt;
  tile.layout = LayoutAttr::get(load.getContext(), layout);
  return tile;
}

SharedType fsm::tileSlots(LoadOp load, const ProductTile &tile, unsigned slots, bool isOfTensor) {
  auto block = cast<RankedTensorType>(load.getType());
  SmallVector<int64_t> shape = roomForThreads(block.getShape());
  if (isOfTensor) {
    shape = SmallVector<int64_t>(block.getShape());
    int64_t &line = shape[majorOf(SharedType::get(load.getContext(), shape, block.getElementType(), 0, slots, tile.layout))];
    line = static_cast<int64_t>(roomOfLine(static_cast<uint64_t>(line), bytesOf(block.getElementType())));
  }
  return SharedType::get(load.getContext(), shape, block.getElementType(), /*pitch=*/0, slots, tile.layout);
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

bool fsm::liesAlongInner(SharedDotOp product, bool isRight) {
  auto memory = cast<SharedType>((isRight ? product.getRight() : product.getLeft()).getType());
  auto rank = static_cast<unsigned>(memory.getShape().size());
  bool isTransposed = isRight ? product.getRightTransposed() : product.getLeftTransposed();
  return majorOf(memory) == (isRight == isTransposed ? rank - 1 : rank - 2);
}

uint64_t fsm::stepsAtOnce(SharedDotOp product) {
  if (product->hasAttr(kShortAttr))
    return 1;
  uint64_t vector = product.getInner(), sums = linearLayoutOf(product.getType()).liveRegisters().size();
  for (bool isRight : {false, true})
    if (liesAlongInner(product, isRight)) {
      auto memory = cast<SharedType>((isRight ? product.getRight() : product.getLeft()).getType());
      vector = std::min(vector, kChunkBytes / bytesOf(memory.getElementType()));
    }
  return llvm::bit_floor(std::min(vector, std::max<uint64_t>(kMaxProducts / sums, 1)));
}
