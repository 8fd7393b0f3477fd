//===- RowEnds.cpp - A plan: where rows of loops begin and end -----------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RowEnds.h"

#include "fsm/Analysis/RowMask.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace fsm;

void fsm::planRowEnds(KernelOp kernel) {
  llvm::MapVector<Attribute, SmallVector<Operation *>> loops;
  kernel.walk([&](Operation *op) {
    if (Attribute loop = op->getAttr(kHostLoopAttr))
      loops[loop].push_back(op);
  });
  UnitAttr flag = UnitAttr::get(kernel.getContext());
  for (auto &[loop, roots] : loops) {
    // A vector of several rows is behind the mask of one and in front of that of the next.
    bool ends = !roots.front()->hasAttr(kHostAcrossRowsAttr) && endsWithMask(roots);
    for (Operation *root : roots) {
      if (ends)
        root->setAttr(kHostEndsAttr, flag);
      if (roots.size() > 1 || !mayBeginAnywhere(root))
        root->removeAttr(kHostFromLineAttr);
    }
  }
}
