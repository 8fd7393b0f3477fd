//===- AccessLayouts.h - The layouts that memory accesses want -*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_TRANSFORMS_LAYOUTS_ACCESSLAYOUTS_H
#define FSM_TRANSFORMS_LAYOUTS_ACCESSLAYOUTS_H

#include "fsm/Analysis/AxisInfo.h"
#include "fsm/Layout/NamedLayouts.h"

#include "llvm/ADT/MapVector.h"

#include <map>
#include <set>
#include <tuple>

namespace fsm {

class AffineOffsets;

/// What a target has for accesses.
struct AccessTarget {
  /// The hardware stores boxes of tensors.
  bool storesTensors = false;
  /// One instruction adds to a vector of floats in memory.
  bool addsVectors = false;
  /// Bytes of shared memory that a CTA may have.
  uint64_t room = 0;
};

/// What a warp's access of a block costs, in accesses and lines of 128 bytes.
///
/// A thread reads vectors of w elements of b bytes; with V elements per thread side by
/// side, 32 lanes cover 32 * V * b bytes, so one instruction of the warp touches that many
/// lines, and a block of E elements takes E / (32 w) of them:
///
///   V = 4, w = 4, b = 4    E/128 instructions of 4 lines
///   V = 1, w = 1           E/32 of 1 line
///   V = 4, w = 1           E/32 of 4 lines: each line is touched four times
///
/// Lanes with the same element touch its line once.
///
/// The layout of each block that is read or written is chosen by this, for all accesses
/// of blocks of these extents with the same fastest dimension together; stores of what products
/// of matrices make apart from the others, for that has a layout of its own.
///
/// The ctas of a cluster have lines of their own, unless an op combines columns and they have no room to hand one another what each has
/// of them: then they share every line of such blocks.
class AccessLayouts {
public:
  AccessLayouts(KernelOp kernel, ThreadCounts threads, const AccessTarget &target);

  /// The layout an access by offsets wants.
  LinearLayout wanted(mlir::Operation *access) const;
  /// A layout with as much of what the access moves at once in a thread's registers as its lanes can
  /// exchange with one another, bit for bit, each register for one of another lane; the layout
  /// itself where that is nothing.
  ///
  /// Sums of an instruction, 2 neighbours in a register pair, lanes 4 along a row and 8 rows, then
  /// columns by eights: of f32 the lane bit of 2 columns becomes that of 8, and a thread has 4
  /// neighbours.
  LinearLayout widened(mlir::Operation *access, const LinearLayout &layout) const;
  /// A layout for a block of these extents that no access decides: that of the first
  /// access to such a block, else row-major.
  LinearLayout defaultLayout(mlir::RankedTensorType type) const;
  /// Elements per instruction when the access is made in this layout.
  unsigned width(mlir::Operation *access, const LinearLayout &layout) const;
  /// Whether the mask may end within so many elements of one instruction.
  bool mayEndWithin(mlir::Operation *access, unsigned width) const {
    const Access &known = accesses.find(access)->second;
    return width > 1 && width > known.axis.constancy[known.fastest];
  }
  /// The dimension along which the elements of one instruction stand.
  unsigned dim(mlir::Operation *access) const { return accesses.find(access)->second.fastest; }
  /// Where the hardware may store what groups of warps made, the tile of shared memory that it would have it
  /// from.
  std::optional<LinearLayout> tileOf(mlir::Operation *access) const;
  /// The cost, for the whole program, of the access made in this layout, and of the sectors that
  /// its instructions touch in part.
  uint64_t cost(mlir::Operation *access, const LinearLayout &layout) const;
  /// A layout in which elements that several lanes of a warp hold in this one are dealt to them,
  /// but those that one instruction loads. The same where no lanes hold the same.
  LinearLayout dealt(mlir::Operation *access, const LinearLayout &layout) const;
  /// Instructions of all warps, each of which has a truth of the mask.
  uint64_t instructions(mlir::Operation *access, const LinearLayout &layout) const;

private:
  struct Access {
    mlir::RankedTensorType type;
    AccessAxis axis;
    /// The dimension with the most consecutive addresses.
    unsigned fastest = 0;
    /// Neighbours along it have neighbouring addresses, as far as is known.
    bool isConsecutive = false;
    /// It stores what is computed from a product of matrices.
    bool isOfProduct = false;
    /// Groups of warps compute that, and the hardware may store it.
    bool isForHardware = false;
    /// It brings a factor to a tile, element by element.
    bool isForLinesAcross = false;
    unsigned bytes = 4;
    /// Elements that may be accessed at once along the fastest dimension.
    int64_t widest = 1;
  };
  Access describe(mlir::Operation *op, AxisInfoAnalysis &axes, AffineOffsets &guesses,
                  const AccessTarget &target) const;
  void chooseVectors();
  void shareLines(KernelOp kernel, uint64_t room);
  LinearLayout ordered(const std::vector<uint64_t> &extents, unsigned fastest, unsigned vector) const;
  uint64_t lines(const Access &access, const LinearLayout &layout) const;
  uint64_t issueCost(mlir::Operation *access, const LinearLayout &layout) const;
  uint64_t partSectors(const Access &access, const LinearLayout &layout, unsigned width) const;
  LinearLayout layoutFor(const Access &access, unsigned vector) const;

  using Family = std::tuple<std::vector<uint64_t>, unsigned, bool, bool>;
  Family familyOf(const Access &access) const {
    return {extentsOf(access.type), access.fastest, access.isOfProduct, access.isForLinesAcross};
  }

  ThreadCounts threads;
  llvm::MapVector<mlir::Operation *, Access> accesses;
  std::map<Family, unsigned> vectors;
  /// The first access to a block of these extents.
  std::map<std::vector<uint64_t>, mlir::Operation *> firstOf;
  /// The extents of blocks of which each cta has a part of every line.
  std::set<std::vector<uint64_t>> sharedLines;
};

/// The type of the block that an access by offsets reads or writes; null for a scalar's, and for
/// another op.
mlir::RankedTensorType accessedBlock(mlir::Operation *op);

} // namespace fsm

#endif // FSM_TRANSFORMS_LAYOUTS_ACCESSLAYOUTS_H
