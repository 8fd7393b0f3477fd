//===- ProductsInFlight.cpp - Products that end later ---------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Analysis/ProductsInFlight.h"
#include "fsm/Analysis/MmaPlan.h"
#include "fsm/Analysis/SharedBuffers.h"

#include "mlir/Analysis/SliceAnalysis.h"

using namespace mlir;
using namespace fsm;

BlockArgument fsm::carriedSums(SharedDotOp product) {
  auto loop = dyn_cast<scf::ForOp>(product->getParentOp());
  if (!loop || !product->hasOneUse())
    return {};
  OpOperand &use = *product->use_begin();
  if (use.getOwner() != loop.getBody()->getTerminator())
    return {};
  return loop.getRegionIterArg(use.getOperandNumber());
}

/// What of a loop's body a value is computed from, also where threads have exchanged it.
static llvm::SetVector<Operation *> sliceInBody(Value value, Block *body) {
  BackwardSliceOptions options;
  options.omitBlockArguments = true;
  options.omitUsesFromAbove = false;
  options.inclusive = true;
  options.filter = [&](Operation *op) { return body->findAncestorOpInBlock(*op) != nullptr; };
  llvm::SetVector<Operation *> slice;
  (void)getBackwardSlice(value, &slice, options);
  for (size_t i = 0; i < slice.size(); ++i)
    if (auto load = dyn_cast<SharedLoadOp>(slice[i]))
      if (Value stored = storedBlock(load))
        (void)getBackwardSlice(stored, &slice, options);
  return slice;
}

SharedDotOp fsm::awaitedBefore(SharedDotOp product) {
  BlockArgument sums = carriedSums(product);
  if (!sums)
    return {};
  Block *body = product->getBlock();
  bool isHeld = isa<RankedTensorType>(product.getLeft().getType());
  llvm::SetVector<Operation *> slice;
  if (isHeld)
    slice = sliceInBody(product.getLeft(), body);
  for (SharedDotOp other : body->getOps<SharedDotOp>()) {
    if (other == product)
      return {};
    auto isBehind = [&](Operation *user) {
      return other->isBeforeInBlock(body->findAncestorOpInBlock(*user));
    };
    // One whose sums nothing uses in the iteration may be in flight itself.
    if (isByWarpGroups(other) && !other->use_empty() && !carriedSums(other) &&
        llvm::all_of(sums.getUsers(), isBehind) && (!isHeld || slice.contains(other)))
      return other;
  }
  return {};
}

bool fsm::meetsBehindProduct(scf::ForOp loop, ArrayRef<SharedDotOp> inFlight) {
  return inFlight.size() == 1 && *loop.getBody()->getOps<SharedDotOp>().begin() == inFlight.front();
}
