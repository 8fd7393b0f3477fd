//===- UnrollLoops.cpp - Loops iteration by iteration --------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Transforms/Passes.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"

namespace fsm {
#define GEN_PASS_DEF_UNROLLLOOPSPASS
#include "fsm/Transforms/Passes.h.inc"
} // namespace fsm

using namespace mlir;
using namespace fsm;

/// The loops to unroll that are in no other such loop.
static void collect(Operation *root, SmallVectorImpl<scf::ForOp> &loops) {
  root->walk<WalkOrder::PreOrder>([&](scf::ForOp loop) {
    if (!loop->hasAttr(kUnrollAttr))
      return WalkResult::advance();
    loops.push_back(loop);
    return WalkResult::skip();
  });
}

static size_t opsIn(Operation *root) {
  size_t ops = 0;
  root->walk([&](Operation *) { ++ops; });
  return ops;
}

/// The number of each iteration; failure after an error. The kernel has so many ops, and gets those
/// that are written.
static FailureOr<SmallVector<APInt>> iterationsOf(scf::ForOp loop, size_t &kernelOps) {
  APInt first, end, step;
  if (!matchPattern(loop.getLowerBound(), m_ConstantInt(&first)) ||
      !matchPattern(loop.getUpperBound(), m_ConstantInt(&end)) ||
      !matchPattern(loop.getStep(), m_ConstantInt(&step)))
    return loop.emitError() << "expected constant bounds and a constant step of a loop with '"
                            << kUnrollAttr << "'";
  if (!step.isStrictlyPositive())
    return loop.emitError() << "expected a positive step of a loop with '" << kUnrollAttr << "'";
  // The number behind the last one need not fit the type.
  unsigned width = first.getBitWidth();
  bool isUnsigned = loop.getUnsignedCmp();
  auto wide = [&](const APInt &number) {
    return isUnsigned ? number.zext(width + 2) : number.sext(width + 2);
  };
  // The number of the iteration takes the place of the terminator.
  size_t ops = opsIn(loop) - 1;
  SmallVector<APInt> iterations;
  for (APInt at = wide(first); at.slt(wide(end)); at += wide(step)) {
    iterations.push_back(at.trunc(width));
    kernelOps += ops;
    if (kernelOps > kMaxKernelOps)
      return loop.emitError() << "expected at most " << kMaxKernelOps << " ops where a loop with '"
                              << kUnrollAttr << "' is written out, got more";
  }
  return iterations;
}

/// A copy of an op, or the scalars that it is folded to.
static void copy(OpBuilder &builder, Operation &op, IRMapping &mapping) {
  Operation *copied = builder.clone(op, mapping);
  bool isScalar = op.getNumRegions() == 0 && llvm::none_of(op.getResultTypes(), [](Type type) {
                    return isa<RankedTensorType>(type);
                  });
  SmallVector<Value> folded;
  if (!isScalar || failed(builder.tryFold(copied, folded)) || folded.empty())
    return;
  mapping.map(op.getResults(), folded);
  copied->erase();
}

/// Writes the iterations in front of the loop; what the last one yields.
static SmallVector<Value> unroll(scf::ForOp loop, ArrayRef<APInt> iterations) {
  OpBuilder builder(loop);
  SmallVector<Value> carried(loop.getInitArgs());
  for (const APInt &iteration : iterations) {
    IRMapping mapping;
    Value counter = loop.getInductionVar();
    mapping.map(counter,
                arith::ConstantOp::create(builder, loop.getLoc(),
                                          builder.getIntegerAttr(counter.getType(), iteration)));
    mapping.map(loop.getRegionIterArgs(), carried);
    for (Operation &op : loop.getBody()->without_terminator())
      copy(builder, op, mapping);
    for (auto [value, yielded] : llvm::zip_equal(carried, loop.getYieldedValues()))
      value = mapping.lookupOrDefault(yielded);
  }
  return carried;
}

namespace {
struct UnrollLoops : fsm::impl::UnrollLoopsPassBase<UnrollLoops> {
  void runOnOperation() override {
    SmallVector<scf::ForOp> loops;
    collect(getOperation(), loops);
    if (loops.empty())
      return markAllAnalysesPreserved();
    size_t kernelOps = opsIn(getOperation());
    for (; !loops.empty(); collect(getOperation(), loops)) {
      for (scf::ForOp loop : loops) {
        FailureOr<SmallVector<APInt>> iterations = iterationsOf(loop, kernelOps);
        if (failed(iterations))
          return signalPassFailure();
        kernelOps -= opsIn(loop);
        loop.replaceAllUsesWith(unroll(loop, *iterations));
        loop.erase();
        ++unrolled;
      }
      loops.clear();
    }
  }
};
} // namespace
