//===- PlanProducts.cpp - Which products tensor cores compute ------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Transforms/Passes.h"

#include "../TargetOption.h"

#include "fsm/Analysis/Hazards.h"
#include "fsm/Analysis/MmaPlan.h"

#include "mlir/IR/Builders.h"

namespace fsm {
#define GEN_PASS_DEF_PLANPRODUCTSPASS
#include "fsm/Transforms/Passes.h.inc"
} // namespace fsm

using namespace mlir;
using namespace fsm;

namespace {
struct PlanProducts : fsm::impl::PlanProductsPassBase<PlanProducts> {
  using PlanProductsPassBase::PlanProductsPassBase;

  void runOnOperation() override {
    const GpuTarget *gpu = targetOrError(getOperation(), target);
    if (!gpu)
      return signalPassFailure();
    Builder builder(&getContext());
    bool hasProduct = false;
    getOperation().walk([&](DotOp dot) {
      hasProduct = true;
      const MmaInstruction *mma = findMma(dot, *gpu, warpsOf(getOperation()));
      if (!mma)
        return;
      dot->setAttr(kMmaAttr, builder.getDenseI64ArrayAttr({mma->m, mma->n, mma->k}));
      ++planned;
    });
    if (!hasProduct)
      markAllAnalysesPreserved();
  }
};
} // namespace
