//===- InsertBarriers.cpp - Barriers between accesses of threads ----------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Transforms/Passes.h"

#include "fsm/Analysis/Hazards.h"
#include "fsm/Analysis/ScratchPlan.h"

#include "mlir/IR/Builders.h"

namespace fsm {
#define GEN_PASS_DEF_INSERTBARRIERSPASS
#include "fsm/Transforms/Passes.h.inc"
} // namespace fsm

using namespace mlir;
using namespace fsm;

namespace {
struct InsertBarriers : fsm::impl::InsertBarriersPassBase<InsertBarriers> {
  using InsertBarriersPassBase::InsertBarriersPassBase;

  void runOnOperation() override {
    KernelOp kernel = getOperation();
    if (failed(ScratchPlan::writtenIn(kernel).verify(kernel)))
      return signalPassFailure();
    std::vector<Hazard> hazards = findHazards(kernel);
    if (hazards.empty())
      return markAllAnalysesPreserved();
    for (const Hazard &hazard : hazards) {
      OpBuilder builder(hazard.later);
      BarrierOp::create(builder, hazard.later->getLoc());
      ++barriers;
      if (remarks)
        report(hazard);
    }
  }

  static void report(const Hazard &hazard) {
    InFlightDiagnostic remark = hazard.later->emitRemark()
                                << "inserts a barrier: " << hazardName(hazard.kind)
                                << " hazard of '" << hazard.later->getName()
                                << "' with an earlier '" << hazard.earlier->getName() << "'";
    remark.attachNote(hazard.earlier->getLoc()) << "the earlier access is here";
  }
};
} // namespace
