//===- NumberDebugOps.cpp - Numbers prints and asserts -------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/IR/DebugTable.h"
#include "fsm/Transforms/Passes.h"

namespace fsm {
#define GEN_PASS_DEF_NUMBERDEBUGOPSPASS
#include "fsm/Transforms/Passes.h.inc"
} // namespace fsm

using namespace mlir;
using namespace fsm;

namespace {
struct NumberDebugOps : fsm::impl::NumberDebugOpsPassBase<NumberDebugOps> {
  void runOnOperation() override {
    KernelOp kernel = getOperation();
    Builder builder(&getContext());
    SmallVector<Attribute> list;
    // Numbers that stand in the text are not ours.
    kernel->removeAttr(kDebugOpsAttr);
    kernel.getBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (!isDebugOp(op))
        return;
      op->setAttr(kDebugNumberAttr, builder.getI32IntegerAttr(static_cast<int32_t>(list.size())));
      list.push_back(debugAttributeOf(op));
    });
    if (!list.empty())
      kernel->setAttr(kDebugOpsAttr, builder.getArrayAttr(list));
  }
};
} // namespace
