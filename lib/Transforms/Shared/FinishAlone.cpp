//===- FinishAlone.cpp - What one warp computes behind the last meeting --===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Transforms/Passes.h"

#include "fsm/Analysis/MemoryOrder.h"
#include "fsm/IR/FSMDialect.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace fsm {
#define GEN_PASS_DEF_FINISHALONEPASS
#include "fsm/Transforms/Passes.h.inc"
} // namespace fsm

using namespace mlir;
using namespace fsm;

/// Whether each warp has all of a value.
static bool isInEachWarp(Type type) {
  auto block = dyn_cast<RankedTensorType>(type);
  return !block || llvm::all_of(linearLayoutOf(block).basesOf({Dim::Warp, Dim::Cta}),
                                [](uint64_t base) { return base == 0; });
}

/// Whether the first warp can do all that an op does: it computes what each warp would for itself,
/// or accesses memory for all.
static bool isForOneWarp(Operation &op) {
  auto along = dyn_cast<AlongAxis>(op);
  bool isPlain = op.getNumRegions() == 0 || (along && along.getExchange().empty());
  bool accesses = isa<SharedAllocOp, SharedLoadOp>(op) || isPlainAccess(&op);
  return isPlain && (accesses || isMemoryEffectFree(&op)) &&
         llvm::all_of(op.getOperandTypes(), isInEachWarp) &&
         llvm::all_of(op.getResultTypes(), isInEachWarp);
}

/// The barrier of all warps in what they exchange for an op, behind which it needs nothing but what
/// one warp reads.
static SharedBarrierOp meetingOf(AlongAxis op) {
  SharedBarrierOp meeting;
  for (Operation &inner : op.getExchange().front().front().without_terminator()) {
    if (auto barrier = dyn_cast<SharedBarrierOp>(inner)) {
      meeting = barrier;
      continue;
    }
    if (meeting ? !isForOneWarp(inner) : !isa<SharedAllocOp, SharedStoreOp>(inner))
      return {};
  }
  return meeting;
}

/// The last op of a kernel at which all warps meet, if what stands behind it is for one of them.
static SharedBarrierOp lastMeeting(KernelOp kernel) {
  for (Operation &op : llvm::reverse(kernel.getBody().front().without_terminator())) {
    if (auto barrier = dyn_cast<SharedBarrierOp>(op))
      return barrier;
    auto along = dyn_cast<AlongAxis>(op);
    if (along && !along.getExchange().empty())
      return llvm::all_of(op.getResultTypes(), isInEachWarp) ? meetingOf(along) : SharedBarrierOp();
    if (!isForOneWarp(op))
      return {};
  }
  return {};
}

namespace {
struct FinishAlone : fsm::impl::FinishAlonePassBase<FinishAlone> {
  void runOnOperation() override {
    KernelOp kernel = getOperation();
    // There other ctas, programs or groups of warps have first warps as well.
    if (kernel.getNumWarps().value_or(1) == 1 || kernel.getNumCtas().value_or(1) > 1 ||
        integerAttrOr(kernel, kProgramsPerCtaAttr, 1) > 1 || kernel->hasAttr(kPartsAttr))
      return;
    SharedBarrierOp meeting = lastMeeting(kernel);
    if (!meeting || meeting.getScope() != ThreadScope::Program)
      return;
    meeting->setAttr(kFirstWarpAttr, UnitAttr::get(&getContext()));
    ++meetings;
  }
};
} // namespace
