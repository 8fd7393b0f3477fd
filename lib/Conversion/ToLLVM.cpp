//===- ToLLVM.cpp - Functions to the llvm dialect -------------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ToLLVM.h"

#include "fsm/Analysis/Loops.h"

#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVM.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Rewrite/PatternApplicator.h"
#include "mlir/Transforms/DialectConversion.h"

#include <vector>

using namespace mlir;
using namespace fsm;

namespace {
/// A loop that asks behind its body whether it goes on, as LLVM's passes want it, behind a question
/// whether it begins at all. LLVM's own rotation updates the dominators of the whole function for
/// each loop.
struct LowerRotated : OpRewritePattern<scf::ForOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(scf::ForOp loop, PatternRewriter &rewriter) const override {
    Location loc = loop.getLoc();
    Block *before = loop->getBlock();
    Block *behind = rewriter.splitBlock(before, Block::iterator(loop));
    for (Value result : loop.getResults())
      behind->addArgument(result.getType(), result.getLoc());
    Block *first = &loop.getRegion().front();
    Block *last = &loop.getRegion().back();
    rewriter.inlineRegionBefore(loop.getRegion(), behind);
    arith::CmpIPredicate isBelow = belowBound(loop);

    auto yield = cast<scf::YieldOp>(last->getTerminator());
    SmallVector<Value> again(yield.getOperands());
    rewriter.setInsertionPoint(yield);
    Value next = arith::AddIOp::create(rewriter, loc, first->getArgument(0), loop.getStep());
    Value goesOn = arith::CmpIOp::create(rewriter, loc, isBelow, next, loop.getUpperBound());
    again.insert(again.begin(), next);
    rewriter.replaceOpWithNewOp<cf::CondBranchOp>(yield, goesOn, first, again, behind,
                                                  ArrayRef(again).drop_front());

    rewriter.setInsertionPointToEnd(before);
    SmallVector<Value> initial{loop.getLowerBound()};
    llvm::append_range(initial, loop.getInitArgs());
    if (std::optional<APInt> count = loop.getStaticTripCount(); count && !count->isZero()) {
      cf::BranchOp::create(rewriter, loc, first, initial);
    } else {
      Value begins =
          arith::CmpIOp::create(rewriter, loc, isBelow, loop.getLowerBound(), loop.getUpperBound());
      cf::CondBranchOp::create(rewriter, loc, begins, first, initial, behind, loop.getInitArgs());
    }
    rewriter.replaceOp(loop, behind->getArguments());
    return success();
  }
};
} // namespace

/// Makes branches of the loops and choices of scf. What no pattern takes stays as it is.
// The last one comes first: each splits its block, and the ops behind it move. A conversion of
// dialects would begin at the front and note every op behind each, which takes a time that grows
// with the square of a block.
static void lowerControlFlow(Operation *root, LoopForm form) {
  RewritePatternSet patterns(root->getContext());
  if (form == LoopForm::Rotated)
    patterns.add<LowerRotated>(root->getContext(), /*benefit=*/2);
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

LogicalResult
fsm::convertToLLVM(Operation *root, LoopForm form, DialectConversionFoldingMode folding,
                   LLVMConversionTarget &target,
                   function_ref<void(LLVMTypeConverter &, RewritePatternSet &)> addPatterns) {
  lowerControlFlow(root, form);
  LLVMTypeConverter converter(root->getContext());
  RewritePatternSet patterns(root->getContext());
  addPatterns(converter, patterns);
  arith::populateArithToLLVMConversionPatterns(converter, patterns);
  cf::populateControlFlowToLLVMConversionPatterns(converter, patterns);
  populateMathToLLVMConversionPatterns(converter, patterns);
  populateVectorToLLVMConversionPatterns(converter, patterns);
  target.addLegalOp<ModuleOp>();
  ConversionConfig config;
  config.foldingMode = folding;
  // No pattern fails once it has changed something: what undoing would take is not kept.
  config.allowPatternRollback = false;
  return applyFullConversion(root, target, std::move(patterns), config);
}
