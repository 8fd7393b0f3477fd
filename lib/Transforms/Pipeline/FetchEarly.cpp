//===- FetchEarly.cpp - What is fetched while launches before go on -------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// A launch that begins early waits for the one before it, and the memory waits as well, from the
// end of the one's copies to the first of the other. What is copied once, by boxes that leave the
// L2 cache first, comes there meanwhile:
//
//   fsm.wait_prerequisites                  fsm.fetch_tensor map[0, n]
//   loop:                                   fsm.fetch_tensor map[64, n]
//     fsm.copy_tensor map[k, n] {streams}   fsm.wait_prerequisites
//                                           loop: ...
//
// Nothing is read by that: what the launch before writes there, it writes to that cache.
// docs/decisions/0225.

#include "fsm/Transforms/Passes.h"

#include "fsm/Analysis/MemoryOrder.h"
#include "fsm/Analysis/ProductTiles.h"
#include "fsm/IR/FSMDialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace fsm {
#define GEN_PASS_DEF_FETCHEARLYPASS
#include "fsm/Transforms/Passes.h.inc"
} // namespace fsm

using namespace mlir;
using namespace fsm;

/// Ops that a coordinate is computed by, at most.
static constexpr unsigned kMostOps = 32;

namespace {
/// What one copy brings first, fetched in front of the wait.
class EarlyFetch {
public:
  EarlyFetch(CopyTensorOp copy, WaitPrerequisitesOp wait)
      : copy(copy), builder(copy.getLoc(), wait) {}

  /// How many boxes are fetched; none where nobody knows in front of the wait where they are.
  unsigned run();

private:
  std::optional<SmallVector<Value>> coordinatesWith(IRMapping &known);
  bool makeAgain(Value value, IRMapping &known);
  unsigned fetch(ArrayRef<Value> coordinates);

  CopyTensorOp copy;
  ImplicitLocOpBuilder builder;
  unsigned opsLeft = kMostOps;
};
} // namespace

/// Computes a value in front of the wait, of what is there and of numbers that are known.
bool EarlyFetch::makeAgain(Value value, IRMapping &known) {
  Operation *op = value.getDefiningOp();
  if (known.contains(value))
    return true;
  if (!op)
    return static_cast<bool>(kernelArgument(value));
  Operation *wait = &*builder.getInsertionPoint();
  if (op->getBlock() == wait->getBlock() && op->isBeforeInBlock(wait))
    return true;
  if (op->getNumRegions() || !isMemoryEffectFree(op) || opsLeft-- == 0 ||
      !llvm::all_of(op->getOperands(), [&](Value operand) { return makeAgain(operand, known); }))
    return false;
  builder.clone(*op, known);
  return true;
}

std::optional<SmallVector<Value>> EarlyFetch::coordinatesWith(IRMapping &known) {
  SmallVector<Value> coordinates;
  for (Value coordinate : copy.getCoordinates()) {
    if (!makeAgain(coordinate, known))
      return std::nullopt;
    coordinates.push_back(known.lookupOrDefault(coordinate));
  }
  return coordinates;
}

/// All boxes of the tile at a place.
unsigned EarlyFetch::fetch(ArrayRef<Value> coordinates) {
  SharedType tile = copy.getShared().getType();
  ArrayRef<int64_t> box = copy.getMap().getType().getBox();
  unsigned major = majorOf(tile), boxes = 0;
  auto behind = [&](Value from, int64_t more) -> Value {
    if (!more)
      return from;
    Value step =
        arith::ConstantOp::create(builder, builder.getI32IntegerAttr(static_cast<int32_t>(more)));
    return arith::AddIOp::create(builder, from, step);
  };
  for (int64_t line = 0; line < tile.getShape()[1 - major]; line += box[0])
    for (int64_t column = 0; column < tile.getShape()[major]; column += box[1], ++boxes)
      FetchTensorOp::create(
          builder, copy.getMap(),
          ValueRange{behind(coordinates[0], line), behind(coordinates[1], column)});
  return boxes;
}

/// Half as many tiles as there are slots: more come at the cost of the launch's own first copies
/// (docs/decisions/0225-weights-are-fetched-early.md).
unsigned EarlyFetch::run() {
  auto loop = dyn_cast<scf::ForOp>(copy->getParentOp());
  Operation *map = copy.getMap().getDefiningOp(), *wait = &*builder.getInsertionPoint();
  if (!loop || !isa<LoadRoleOp>(loop->getParentOp()) || !isa<TensorMapOp>(map) ||
      !map->isBeforeInBlock(wait))
    return 0;
  unsigned tiles = copy.getShared().getType().getSlots() / 2, boxes = 0;
  Value first = loop.getLowerBound();
  IRMapping known;
  if (!makeAgain(first, known) || !makeAgain(loop.getStep(), known))
    return 0;
  first = known.lookupOrDefault(first);
  Value step = known.lookupOrDefault(loop.getStep());
  // What is behind the tensor's end brings nothing.
  for (unsigned tile = 0; tile < tiles; ++tile) {
    IRMapping inIteration = known;
    inIteration.map(loop.getInductionVar(), first);
    std::optional<SmallVector<Value>> coordinates = coordinatesWith(inIteration);
    if (!coordinates)
      break;
    boxes += fetch(*coordinates);
    first = arith::AddIOp::create(builder, step, first);
  }
  return boxes;
}

namespace {
struct FetchEarly : fsm::impl::FetchEarlyPassBase<FetchEarly> {
  using FetchEarlyPassBase::FetchEarlyPassBase;

  void runOnOperation() override {
    KernelOp kernel = getOperation();
    auto waits = kernel.getBody().getOps<WaitPrerequisitesOp>();
    if (waits.empty())
      return markAllAnalysesPreserved();
    kernel.walk([&](CopyTensorOp copy) {
      if (copy->hasAttr(kStreamsAttr))
        fetched += EarlyFetch(copy, *waits.begin()).run();
    });
  }
};
} // namespace
