//===- StageCopies.h - What loads of one stage become -----------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_TRANSFORMS_PIPELINE_STAGECOPIES_H
#define FSM_TRANSFORMS_PIPELINE_STAGECOPIES_H

#include "fsm/Analysis/PipelinePlan.h"
#include "fsm/IR/FSMDialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

#include <map>

namespace fsm {

/// Loads of one stage that become copies, into as many slots each: those that products read in
/// place, or all others.
struct StageCopies {
  llvm::SmallVector<LoadOp> loads;
  unsigned slots = 1;
  bool hasBulk = false, hasTile = false, hasTensor = false, isInFlight = false;
  /// Where the next copy goes, and where the next block is taken; null for a single slot. How
  /// often a slot was filled that is taken next, modulo 2; null without copies by the hardware.
  mlir::Value copySlot, readSlot, readPhase;
  /// Where copies of tensors arrive, all of one slot at one of them.
  mlir::Value mbarriers;

  bool hasPhase() const { return hasBulk || hasTensor; }
  /// How many numbers say where it goes on when the loop is entered again: slot and phase.
  unsigned countersAround() const { return hasTensor ? 1 + (slots > 1) : 0; }
};

/// Makes ops of one stage.
class StageBuilder : mlir::OpBuilder::Listener, public mlir::ImplicitLocOpBuilder {
public:
  StageBuilder(mlir::Location loc, InsertPoint place, const PipelinePlan &plan, unsigned stage)
      : ImplicitLocOpBuilder(loc, loc.getContext(), static_cast<mlir::OpBuilder::Listener *>(this)) {
    restoreInsertionPoint(place);
    if (stage != plan.lastStage())
      mark = getI32IntegerAttr(static_cast<int32_t>(stage));
  }

  StageBuilder(const StageBuilder &) = delete; // It is its own listener.

  mlir::Value number(mlir::TypedAttr value) { return mlir::arith::ConstantOp::create(*this, value); }
  mlir::Value number(int32_t value) { return number(getI32IntegerAttr(value)); }

private:
  void notifyOperationInserted(mlir::Operation *op, InsertPoint) override {
    if (mark)
      op->setAttr(kStageAttr, mark);
  }

  mlir::Attribute mark;
};

/// Those of a loop, by their stages, and whether products read them in place.
using CopiesByStage = std::map<std::pair<unsigned, bool>, StageCopies>;

/// Lets a loop count the slots that its stages fill and those that the last stage takes, from `zero` on, and says in `stages`
/// which values these are. The loops `around` it, outermost first, carry on what slots of tensors were counted to. Gives the
/// loop, which may be another one then, as may those.
mlir::scf::ForOp carrySlots(mlir::scf::ForOp loop, const PipelinePlan &plan, CopiesByStage &stages,
                            llvm::MutableArrayRef<mlir::scf::ForOp> around, mlir::Value zero);

} // namespace fsm

#endif // FSM_TRANSFORMS_PIPELINE_STAGECOPIES_H
