//===- MmaPlan.h - Which products tensor cores compute ---------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_ANALYSIS_MMAPLAN_H
#define FSM_ANALYSIS_MMAPLAN_H

#include "fsm/IR/FSMDialect.h"
#include "fsm/Machine/MmaCatalogue.h"

namespace fsm {

/// More shared memory than this for factors and too few programs share an SM; larger ones come in
/// slabs.
inline constexpr uint64_t kMaxFactorBytes = 64 * 1024;

/// Warps that multiply by wgmma together.
inline constexpr unsigned kGroupWarps = 4;

/// What decides about the instruction of a product.
struct ProductTypes {
  explicit ProductTypes(DotOp dot)
      : left(dot.getLeft().getType()), right(dot.getRight().getType()), sums(dot.getType()),
        precision(dot.getPrecision()), accumulate(dot.getAccumulate()) {}

  mlir::RankedTensorType left, right, sums;
  std::optional<DotPrecision> precision;
  std::optional<uint64_t> accumulate;
};

/// The instruction by which the warps of a target multiply, or null, where products are
/// multiplied and added one by one: the types have none, f32 is to be multiplied as IEEE 754 has
/// it, or there are too few rows, columns or products for a fragment. Of an inner extent that no
/// step divides, the last one multiplies zeros behind the factors, if all fits shared memory.
///
/// Where a target has `wgmma`, so many `warps` multiply by it, or at least four if 0 stands for as
/// many as are wanted: rows and inner extent are powers of two, columns, too, or up to 256 multiples of 16 (of
/// 32 bytes), and four warps have 64 rows and 16 columns at least. f8 is multiplied as f16, but for sums that may be less exact (`accumulate`).
const MmaInstruction *findMma(const ProductTypes &product, const GpuTarget &target,
                              unsigned warps = 0);
inline const MmaInstruction *findMma(DotOp dot, const GpuTarget &target, unsigned warps = 0) {
  return findMma(ProductTypes(dot), target, warps);
}

/// The instruction that `fsm-plan-products` has written on a product, a DotOp or a SharedDotOp;
/// null if it has not, or if there is none of that shape.
const MmaInstruction *plannedMma(mlir::Operation *product);

/// Whether that is one of groups of four warps, which the hardware reads the factors of.
bool isByWarpGroups(SharedDotOp product);

/// Whether its sums may wait in registers for the next one: each has one of its own, and nobody adds
/// to them but the hardware.
bool canStayInFlight(SharedDotOp product);

/// Whether the sums of some of its products, of f8, are added to those of others in f32.
bool isPromoted(SharedDotOp product);

/// Warps that multiply one by one: so many have other rows of the sums, and so many other columns.
struct WarpsOfProduct {
  unsigned down = 1, across = 1;
};
WarpsOfProduct warpsOver(const MmaInstruction &mma, llvm::ArrayRef<int64_t> shape, unsigned warps);

/// How an instruction's sums lie over a block: fragments side by side, of which each warp has as
/// many rows as columns, as far as that goes, for each row and each column of a warp is read once.
LinearLayout mmaLayout(const MmaInstruction &mma, mlir::RankedTensorType type,
                       ThreadCounts threads);

/// How the threads of a product may hold its left factor, instead of memory that has it: as the
/// instruction wants the rows of their fragments. None where several warps, or groups of them, have
/// the same rows, and where the factor is no whole fragments of words.
std::optional<LinearLayout> heldLeftLayout(const MmaInstruction &mma, mlir::RankedTensorType sums,
                                           mlir::RankedTensorType left, ThreadCounts threads);

/// The extents of a tile that threads fill with a block of this shape: powers of two, for threads store
/// or copy what is behind the block's end as well.
llvm::SmallVector<int64_t> roomForThreads(llvm::ArrayRef<int64_t> shape);

/// Of a product by wgmma, the memory of a factor of this shape that threads store, a tile of lines along
/// its last dimension.
SharedType wgmmaTile(llvm::ArrayRef<int64_t> shape, mlir::Type element);

} // namespace fsm

#endif // FSM_ANALYSIS_MMAPLAN_H
