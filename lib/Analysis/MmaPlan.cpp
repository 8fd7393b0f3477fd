//===- MmaPlan.cpp - Which products tensor cores compute -----------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Analysis/MmaPlan.h"

#include "fsm/Layout/TensorTiles.h"

#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <numeric>
#include <tuple>

using namespace mlir;
using namespace fsm;

/// A step of the inner dimension of this many rows and columns fits shared memory.
static constexpr int64_t kMostRowsAndColumns = 1024;

static bool isF8(Type element) { return isa<Float8E4M3FNType, Float8E5M2Type>(element); }

/// What tensor cores take elements of a type for. f16 has all numbers of f8, whose own instruction
/// cuts its sums to 13 bits.
static std::optional<MmaType> mmaType(Type element) {
  if (element.isF16() || isF8(element))
    return MmaType::F16;
  if (element.isBF16())
    return MmaType::BF16;
  if (element.isF32())
    return MmaType::TF32;
  if (element.isF64())
    return MmaType::F64;
  if (element.isInteger(8))
    return MmaType::S8;
  return std::nullopt;
}

/// The type of the instruction that takes f8 as it is; of other elements that of all others.
static std::optional<MmaType> ownType(Type element) {
  if (isF8(element))
    return isa<Float8E4M3FNType>(element) ? MmaType::E4M3 : MmaType::E5M2;
  return mmaType(element);
}

static std::optional<MmaType> sumType(Type element) {
  if (element.isF32())
    return MmaType::F32;
  if (element.isF16())
    return MmaType::F16;
  if (element.isF64())
    return MmaType::F64;
  return element.isInteger(32) ? std::optional(MmaType::S32) : std::nullopt;
}

/// The instruction with the least k, where that is no more than the inner extent, which is to be
/// rounded up to a multiple of it; null where factors of that extent do not fit shared memory at
/// once, each row of which may have a gap of up to 32 bytes.
static const MmaInstruction *findPaddedMma(const GpuTarget &target, MmaType factor, MmaType sums,
                                           int64_t rows, int64_t columns, int64_t inner) {
  for (const MmaInstruction &mma : mmaCatalogue()) {
    if (mma.left != factor || mma.right != factor || mma.sums != sums || !mma.isIn(target) ||
        mma.isOfWarpGroup())
      continue;
    int64_t padded = llvm::alignTo(inner, mma.k), bytes = mmaTypeBits(factor) / 8;
    int64_t most = (rows + columns) * padded * bytes + (rows + columns + padded) * 32;
    return mma.k <= inner && most <= static_cast<int64_t>(kMaxFactorBytes) ? &mma : nullptr;
  }
  return nullptr;
}

/// Both factors at once, which wgmma reads as tiles, leave room for others' memory.
static constexpr uint64_t kMaxTileBytes = 128 * 1024;
/// Rows of an instruction, and the fewest columns that a line of 32 bytes has.
static constexpr int64_t kGroupRows = 64, kFewestColumns = 16;

/// How many groups of four warps are along the rows and the columns of a product: each has rows of
/// its own as long as there are any.
static std::pair<unsigned, unsigned> groupsOf(int64_t rows, unsigned warps) {
  unsigned groups = warps / kGroupWarps;
  auto down = static_cast<unsigned>(std::min<int64_t>(groups, rows / kGroupRows));
  return {down, groups / down};
}

/// What an instruction has at most.
static constexpr int64_t kMostColumns = 256;

/// Whether tiles of so many columns have whole lines and boxes: powers of two, and up to an instruction's all that
/// are lines of the shortest span.
static bool areColumnsOfTile(int64_t columns, Type element) {
  return llvm::isPowerOf2_64(columns) ||
         (columns <= kMostColumns && widestSwizzle(static_cast<uint64_t>(columns) * bytesOf(element)));
}

/// Sums of f8 that are promoted are twice in registers, those of one instruction at a time.
static constexpr int64_t kMostPromotedColumns = 128;

/// The instruction of groups of four warps for a product; null where there is none. They read both
/// factors whole, as tiles. Factors of f8 they take as they are, where sums may be cut as those of
/// that instruction.
static const MmaInstruction *findGroupMma(const ProductTypes &product, const GpuTarget &target,
                                          MmaType sums, unsigned warps) {
  int64_t rows = product.sums.getDimSize(0), columns = product.sums.getDimSize(1),
          inner = product.left.getDimSize(1);
  Type left = product.left.getElementType(), right = product.right.getElementType();
  uint64_t bytes = static_cast<uint64_t>(rows + columns) * inner * bytesOf(left);
  auto isPower = [](int64_t extent) { return llvm::isPowerOf2_64(extent); };
  if ((isF8(left) && !product.accumulate) || warps % kGroupWarps || rows < kGroupRows ||
      bytes > kMaxTileBytes || !isPower(rows) || !isPower(inner) || !areColumnsOfTile(columns, left))
    return nullptr;
  int64_t groups = groupsOf(rows, std::max(warps, kGroupWarps)).second, across = columns / groups,
          most = kMostColumns;
  if (across < kFewestColumns)
    return nullptr;
  if (isF8(left) && static_cast<int64_t>(*product.accumulate) <= inner)
    most = kMostPromotedColumns;
  // Of several groups that share the columns each has powers of two side by side.
  if (groups > 1)
    most = std::min(most, int64_t(1) << llvm::countr_zero(static_cast<uint64_t>(across)));
  const MmaInstruction *mma =
      findWgmma(target, *ownType(left), *ownType(right), sums, across, most, inner);
  return mma && mma->n >= kFewestColumns ? mma : nullptr;
}

SmallVector<int64_t> fsm::roomForThreads(ArrayRef<int64_t> shape) {
  return llvm::map_to_vector(shape, [](int64_t extent) {
    return static_cast<int64_t>(llvm::PowerOf2Ceil(static_cast<uint64_t>(extent)));
  });
}

SharedType fsm::wgmmaTile(ArrayRef<int64_t> shape, Type element) {
  unsigned bytes = bytesOf(element);
  SmallVector<int64_t> room = roomForThreads(shape);
  LinearLayout layout =
      tensorTileLayout({room.begin(), room.end()}, bytes, /*major=*/1,
                       widestSwizzle(static_cast<uint64_t>(room.back()) * bytes));
  return SharedType::get(element.getContext(), room, element,
                         LayoutAttr::get(element.getContext(), layout));
}

/// Up to so many rows f64 is multiplied by the instruction of eight rows that sm_80 has, and beyond
/// them by those of 16 that sm_90 has, which add up to so many products at a time: for 16 a lane
/// has to have 12 elements at once.
static constexpr int64_t kRowsOfF64 = 8, kMostInnerOfF64 = 8;

const MmaInstruction *fsm::findMma(const ProductTypes &product, const GpuTarget &target,
                                   unsigned warps) {
  RankedTensorType sums = product.sums;
  Type left = product.left.getElementType();
  std::optional<MmaType> factor = mmaType(left), sum = sumType(sums.getElementType());
  if (sums.getRank() != 2 || !factor || !sum)
    return nullptr;
  int64_t rows = sums.getDimSize(0), columns = sums.getDimSize(1);
  int64_t inner = product.left.getDimSize(1);
  const GpuTarget *first = findGpuTarget("sm_80");
  if (target.computeCapability < first->computeCapability)
    return nullptr;
  if (left.isF32() && product.precision != DotPrecision::TF32)
    return nullptr;
  if (const MmaInstruction *mma = findGroupMma(product, target, *sum, warps))
    return mma;
  bool isF64 = *factor == MmaType::F64;
  const GpuTarget &gpu = isF64 && rows <= kRowsOfF64 ? *first : target;
  int64_t divided = isF64 ? std::gcd(inner, kMostInnerOfF64) : inner;
  const MmaInstruction *mma = findMma(gpu, *factor, *factor, *sum, static_cast<uint64_t>(divided));
  if (!mma)
    mma = findPaddedMma(gpu, *factor, *sum, rows, columns, inner);
  // Whatever the extents, places beyond them are in fragments that begin inside.
  bool fits =
      mma && 2 * rows > mma->m && 2 * columns > mma->n && rows + columns <= kMostRowsAndColumns;
  return fits ? mma : nullptr;
}

const MmaInstruction *fsm::plannedMma(Operation *product) {
  auto shape = product->getAttrOfType<DenseI64ArrayAttr>(kMmaAttr);
  if (!shape || shape.size() != 3)
    return nullptr;
  auto element = [](Type type) {
    auto shared = dyn_cast<SharedType>(type);
    return shared ? shared.getElementType() : cast<RankedTensorType>(type).getElementType();
  };
  Type left = element(product->getOperand(0).getType()),
       right = element(product->getOperand(1).getType());
  std::optional<MmaType> sums = sumType(element(product->getResult(0).getType()));
  auto isOf = [&](const MmaInstruction &row) {
    return (row.left == mmaType(left) && row.right == mmaType(right)) ||
           (row.left == ownType(left) && row.right == ownType(right));
  };
  for (const MmaInstruction &row : mmaCatalogue())
    if (isOf(row) && row.sums == sums && row.m == shape[0] && row.n == shape[1] &&
        row.k == shape[2])
      return &row;
  return nullptr;
}

bool fsm::isByWarpGroups(SharedDotOp product) {
  const MmaInstruction *mma = plannedMma(product);
  return mma && mma->isOfWarpGroup();
}

bool fsm::canStayInFlight(SharedDotOp product) {
  const MmaInstruction *mma = plannedMma(product);
  return mma && mma->isOfWarpGroup() && mmaTypeBits(mma->sums) == 32 && !isPromoted(product);
}

bool fsm::isPromoted(SharedDotOp product) {
  return product.getAccumulate() && *product.getAccumulate() <= product.getInner();
}

WarpsOfProduct fsm::warpsOver(const MmaInstruction &mma, ArrayRef<int64_t> shape, unsigned warps) {
  // How many fragments there are.
  unsigned rowBits = bitsFor(shape[0]) - bitsFor(mma.m);
  unsigned columnBits = bitsFor(shape[1]) - bitsFor(mma.n);
  WarpsOfProduct over;
  for (; warps > 1; warps /= 2) {
    bool splitsRows =
        columnBits == 0 || (rowBits > 0 && (mma.m << rowBits) >= (mma.n << columnBits));
    unsigned &bits = splitsRows ? rowBits : columnBits;
    bits -= bits > 0;
    (splitsRows ? over.down : over.across) *= 2;
  }
  return over;
}

LinearLayout fsm::mmaLayout(const MmaInstruction &mma, RankedTensorType type,
                            ThreadCounts threads) {
  Extents extents(type.getShape().begin(), type.getShape().end());
  if (mma.isOfWarpGroup())
    return tiledFragmentLayout(mma.sumsFragment(), extents,
                               groupsOf(type.getDimSize(0), threads.warps));
  WarpsOfProduct over = warpsOver(mma, type.getShape(), threads.warps);
  return tiledFragmentLayout(mma.sumsFragment(), extents, {over.down, over.across});
}

/// Whether a factor consists of an instruction's fragments, which lanes have words of.
static bool isOfFragments(const MmaInstruction &mma, RankedTensorType left) {
  int64_t rows = left.getDimSize(0), inner = left.getDimSize(1);
  return mmaTypeBits(mma.left) <= 32 && rows >= int64_t(mma.m) && inner >= int64_t(mma.k) &&
         llvm::isPowerOf2_64(rows) && llvm::isPowerOf2_64(inner);
}

std::optional<LinearLayout> fsm::heldLeftLayout(const MmaInstruction &mma, RankedTensorType sums,
                                                RankedTensorType left, ThreadCounts threads) {
  WarpsOfProduct over;
  if (mma.isOfWarpGroup())
    std::tie(over.down, over.across) = groupsOf(left.getDimSize(0), threads.warps);
  else
    over = warpsOver(mma, sums.getShape(), threads.warps);
  if (over.across > 1 || (!mma.isOfWarpGroup() && !isOfFragments(mma, left)))
    return std::nullopt;
  Extents extents(left.getShape().begin(), left.getShape().end());
  return tiledFragmentLayout(mma.leftFragment(), extents, {over.down, over.across});
}
