//===- ControlFlow.cpp - Branches for loops and choices -------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ControlFlow.h"

#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Rewrite/PatternApplicator.h"

#include <vector>

using namespace mlir;

// The last one comes first: each splits its block, and the ops behind it move. A conversion of
// dialects would begin at the front and note every op behind each, which takes a time that grows
// with the square of a block.
void fsm::lowerControlFlow(Operation *root) {
  RewritePatternSet patterns(root->getContext());
  populateSCFToControlFlowConversionPatterns(patterns);
  FrozenRewritePatternSet frozen(std::move(patterns));
  PatternApplicator applicator(frozen);
  applicator.applyDefaultCostModel();
  PatternRewriter rewriter(root->getContext());
  std::vector<Operation *> all;
  root->walk([&](Operation *op) {
    if (isa<scf::ForOp, scf::IfOp, scf::WhileOp>(op))
      all.push_back(op);
  });
  for (Operation *op : llvm::reverse(all)) {
    rewriter.setInsertionPoint(op);
    (void)applicator.matchAndRewrite(op, rewriter);
  }
}
