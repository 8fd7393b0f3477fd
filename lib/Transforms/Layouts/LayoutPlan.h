//===- LayoutPlan.h - Which layout each block of a kernel gets -*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_TRANSFORMS_LAYOUTS_LAYOUTPLAN_H
#define FSM_TRANSFORMS_LAYOUTS_LAYOUTPLAN_H

#include "AccessLayouts.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SetVector.h"

namespace fsm {

/// The layout the block operands of `op` need so that `op` gives its result in the layout
/// `result` without moving anything: that of a LayoutTransfer, and of element-wise ops the same.
/// Nothing where there is none.
std::optional<LinearLayout> operandLayout(mlir::Operation *op, const LinearLayout &result);

/// Whether the result of `op` is at home where its operands are: of a LayoutTransfer that says so,
/// and of each op that computes one element of its result from those at the same place of its
/// operands.
bool followsOperands(mlir::Operation *op);

/// Whether the block that `op` gives is cheaper to compute again than to move: a Rematerializable
/// that is cheap, as far as `isOnDemand` tells of the operands, or a change of shape of anything
/// that moves nothing. What is computed of a loaded block in another shape is not: it would be
/// computed in each layout in which it is wanted.
bool isComputedOnDemand(mlir::Operation *op, llvm::function_ref<bool(mlir::Value)> isOnDemand);

/// The layout in which threads add up a product of matrices. A thread's elements lie in few rows
/// and few columns, for each of these is read from shared memory once: the rows and columns
/// of a thread are about as many. Neighbouring lanes hold neighbouring vectors of a row and
/// neighbouring rows, so that both the reads of the operands and a store of the result are of
/// neighbouring addresses. Batches go to different warps.
///
/// 64 x 64 f32 over four warps: vectors of 4 columns, lanes 4 x 8, warps 4 x 1, and each thread has
/// 4 rows of two vectors.
LinearLayout dotLayout(mlir::RankedTensorType result, ThreadCounts threads);
/// The same, or that of the sums of the instruction that fsm-plan-products has chosen.
LinearLayout productLayout(DotOp dot, ThreadCounts threads);

/// An access that costs more than need be, since no CTA has room to bring its block to or from where vectors are accessed.
struct MissedExchange {
  /// The shared memory that each CTA would need.
  uint64_t bytes = 0;
  /// What the access costs, and what it would with the exchange, in quarters of a cycle for all warps.
  uint64_t cost = 0, exchanged = 0;
};

/// Decides a layout for every block of a kernel, and changes nothing.
///
/// Blocks that are cheap to compute (isComputedOnDemand) get none: each use computes them
/// in the layout it needs. Every other block has one *home*, found in one pass from the
/// accesses, which know what they want, to their users:
///
///   load            what the access wants; with offsets that have a home, that
///   element-wise    the home of an operand, the one that makes converting the others
///                   cheapest
///   transpose,      that of an operand, seen through the op; a join's pairs, and a split's,
///   join, split     are in two registers of a thread
///   reduce          its operand's without the axis
///   dot             one of its own, of tiles or of fragments; the factors are taken where they are
///   gather          that of the indices; the source is taken where it is
///   scan            its operand's, if registers, lanes and warps follow the axis in order
///   store           what the access wants, or the value's home, as it is or with wider runs in a
///                   thread that its neighbours give it, whichever is cheapest; where groups of
///                   warps made it and the hardware may store it, what it costs to bring it to
///                   shared memory
///   loops, choices  what the body yields, to a fixed point; what comes in is converted
///
/// Then, from the users back: a load, or an element-wise op, whose block is wanted in one other
/// layout only moves there, if that costs no more than the conversion. So a row of
/// weights is read in the layout in which it meets a block of rows. Where that has lanes of a
/// warp hold the same elements, each may load some of these and hand them to the others.
///
/// Example: two loads of a matrix, one along rows, one along columns, and a sum that is
/// stored along rows. The loads' homes differ, the sum's home is that of the first, and one
/// conversion is left, of the second.
class LayoutPlan {
public:
  LayoutPlan(KernelOp kernel, ThreadCounts threads, const AccessTarget &target);

  /// Computes the plan.
  void decide();

  bool isOnDemand(mlir::Value block) const { return onDemand.contains(block); }
  /// The home of a block that is not computed on demand.
  LayoutAttr homeOf(mlir::Value block) const { return homes.lookup(block); }
  /// The layout in which `op` takes a block operand.
  LayoutAttr demandOf(mlir::OpOperand &operand) const;
  /// The layouts in which anyone takes a block.
  llvm::ArrayRef<LayoutAttr> demandsOn(mlir::Value block) const {
    auto found = demands.find(block);
    return found == demands.end() ? llvm::ArrayRef<LayoutAttr>() : found->second.getArrayRef();
  }
  /// Elements per instruction of each access by offsets.
  unsigned widthOf(mlir::Operation *access) const;
  /// Whether their mask may end within them.
  bool endsWithin(mlir::Operation *access) const {
    return accesses.mayEndWithin(access, widthOf(access));
  }
  /// The dimension along which they stand.
  unsigned dimOf(mlir::Operation *access) const { return accesses.dim(access); }
  std::optional<MissedExchange> missedExchange(GlobalAccess access) const;

private:
  void visitBlock(mlir::Block &block);
  void visit(mlir::Operation *op);
  void visitFor(mlir::scf::ForOp loop);
  void visitIf(mlir::scf::IfOp choice);
  void visitWhile(mlir::scf::WhileOp loop);
  void visitCombine(AlongAxis op);
  void visitParts(LayoutTransfer split);
  void settle(mlir::ValueRange carried, mlir::ValueRange yielded, mlir::ValueRange inits,
              llvm::function_ref<void()> body);
  bool follow(mlir::ValueRange carried, mlir::ValueRange yielded, mlir::ValueRange inits,
              bool isLast);
  void carry(mlir::ValueRange to, llvm::ArrayRef<mlir::ValueRange> sources);
  void demand(mlir::Operation *op);
  void moveToUsers(mlir::Operation *op);
  void dealToLanes(GlobalAccess load, LayoutAttr wanted);

  LayoutAttr elementwiseHome(mlir::Operation *op);
  LayoutAttr through(mlir::Operation *op, mlir::Value operand, LayoutAttr layout) const;
  LayoutAttr before(mlir::Operation *op, LayoutAttr layout) const;
  LayoutAttr storeHome(GlobalAccess store);
  LayoutAttr atomicHome(AtomicAccess atomic);
  LayoutAttr renamedHome(mlir::Value block) const;
  LayoutAttr attribute(const LinearLayout &layout) const;
  LayoutAttr layoutOfAccess(mlir::Operation *access) const;
  LayoutAttr defaultLayout(mlir::Value block) const;
  /// Whether a block's home is not decided yet: it is carried by a loop in its first round,
  /// or computed from such blocks only.
  bool isUnknown(mlir::Value value) const;
  uint64_t conversionCost(LayoutAttr from, LayoutAttr to, mlir::RankedTensorType type);
  uint64_t readCost(mlir::RankedTensorType type, LayoutAttr layout) const;
  uint64_t gatherCost(GatherOp gather, LayoutAttr layout);
  uint64_t operandsCost(mlir::Operation *op, LayoutAttr layout);

  KernelOp kernel;
  mlir::MLIRContext *context;
  ThreadCounts threads;
  uint64_t room;
  AccessLayouts accesses;
  llvm::DenseSet<mlir::Value> onDemand;
  llvm::DenseMap<mlir::Value, LayoutAttr> homes;
  /// Where a store, or a reduction of a block computed on demand, wants its operands.
  llvm::DenseMap<mlir::Operation *, LayoutAttr> places;
  llvm::DenseMap<mlir::Value, llvm::SmallSetVector<LayoutAttr, 2>> demands;
  llvm::DenseMap<std::tuple<LayoutAttr, LayoutAttr, mlir::Type>, uint64_t> costs;
  size_t visits = 0, visitLimit = 0;
};

} // namespace fsm

#endif // FSM_TRANSFORMS_LAYOUTS_LAYOUTPLAN_H
