//===- AllocateShared.cpp - Where scratch lies in shared memory -----------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Transforms/Passes.h"

#include "../TargetOption.h"

#include "fsm/Analysis/ResourceEstimate.h"
#include "fsm/Analysis/ScratchPlan.h"

#include "mlir/IR/Builders.h"

namespace fsm {
#define GEN_PASS_DEF_ALLOCATESHAREDPASS
#include "fsm/Transforms/Passes.h.inc"
} // namespace fsm

using namespace mlir;
using namespace fsm;

namespace {
struct AllocateShared : fsm::impl::AllocateSharedPassBase<AllocateShared> {
  using AllocateSharedPassBase::AllocateSharedPassBase;

  void runOnOperation() override {
    KernelOp kernel = getOperation();
    const GpuTarget *gpu = targetOrError(kernel, target);
    if (!gpu)
      return signalPassFailure();
    Builder builder(kernel.getContext());
    ScratchPlan plan = ScratchPlan::of(kernel);
    // A larger total says that the kernel does not fit, which is reported elsewhere.
    uint64_t most = std::numeric_limits<int32_t>::max();
    kernel.walk([](Operation *op) { op->removeAttr(kSharedOffsetAttr); });
    for (const SharedBuffer &buffer : plan.buffers())
      buffer.op->setAttr(kSharedOffsetAttr,
                         builder.getI32IntegerAttr(std::min(buffer.offset, most)));
    kernel->setAttr(kSharedBytesAttr, builder.getI32IntegerAttr(std::min(plan.bytes(), most)));
    if (kernel->hasAttr(kProgramsPerCtaAttr))
      kernel->setAttr(kProgramsPerCtaAttr, builder.getI32IntegerAttr(programsWithRoom(
                                               kernel, plan.bytes(), gpu->maxSharedBytesPerCta)));
    buffers += plan.buffers().size();
  }
};
} // namespace
