//===- StreamRows.cpp - What passes through the L1 cache ------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// A row that a program loads and stores is nobody else's. Weights are everybody's, and are better in the
// L1 cache than rows that nobody asks for again:
//
//   %x = load %row[%o]                    %x = load %row[%o] evict = first
//   %w = load %weight[%o]                 %w = load %weight[%o]
//   store %y, %out[%o]                    store %y, %out[%o] evict = first
//
// Both or neither: rows that go first make room for what is stored, and weights go for that
// (docs/decisions/0122). Vectors alone, added or copied, get no hints (docs/decisions/0132). A scalar that is loaded in front of an exchange is, with `cache = ca`: as a constant the code
// generator would load it behind.

#include "fsm/Transforms/Passes.h"

#include "fsm/Analysis/MemoryOrder.h"
#include "fsm/Machine/GpuTarget.h"

#include "mlir/Interfaces/LoopLikeInterface.h"

namespace fsm {
#define GEN_PASS_DEF_STREAMROWSPASS
#include "fsm/Transforms/Passes.h.inc"
} // namespace fsm

using namespace mlir;
using namespace fsm;

/// Whether an op keeps the numbers of one program apart from those of all others.
static bool keepsApart(Operation *op) {
  return isa<ProgramIdOp, OffsetOp, SplatOp, ExpandDimsOp, BroadcastOp, AssumeOp, arith::AddIOp, arith::SubIOp,
             arith::MulIOp, arith::ExtSIOp, arith::ExtUIOp>(op);
}

namespace {
/// How the accesses of a kernel depend on the program.
class Streams {
public:
  explicit Streams(KernelOp kernel);

  /// The accesses that pass through; none where some of them had better not.
  SmallVector<Operation *> take();
  /// Loads of scalars that stand in front of an exchange.
  SmallVector<LoadOp> earlyScalars() const;

private:
  bool isOwn(GlobalAccess access) const {
    return own.contains(access.getPointer()) || own.contains(access.getOffsets());
  }
  bool isPart(Operation *op) const { return op->hasAttr(kRowPartAttr); }
  bool isAlone(LoadOp load) const;

  mutable KernelOp kernel;
  /// Addresses and offsets that are one program's alone.
  DenseSet<Value> own;
  SmallVector<LoadOp> loads;
  SmallVector<StoreOp> stores;
  bool isPossible = true;
  /// Whether threads exchange what they hold of a row.
  bool hasRows = false;
};
} // namespace

template <typename AccessOp>
static bool hasHint(AccessOp op) {
  return op.getCache() || op.getEvict() || op.getIsVolatile();
}

Streams::Streams(KernelOp kernel) : kernel(kernel) {
  kernel.walk([&](Operation *op) {
    isPossible &= !isa<LoopLikeOpInterface, AtomicAccess>(op);
    hasRows |= isa<AlongAxis>(op);
    auto isOwnValue = [&](Value value) { return own.contains(value); };
    if (isa<ProgramIdOp>(op) || (keepsApart(op) && llvm::any_of(op->getOperands(), isOwnValue)))
      own.insert(op->result_begin(), op->result_end());
    if (auto load = dyn_cast<LoadOp>(op); load && load.getOffsets()) {
      loads.push_back(load);
      isPossible &= !hasHint(load);
    }
    if (auto store = dyn_cast<StoreOp>(op); store && store.getOffsets()) {
      stores.push_back(store);
      isPossible &= !hasHint(store);
    }
  });
}

/// Whether threads access whole vectors, and nothing else where a row ends.
static bool isWide(Operation *op) {
  Type type = elementTypeOf(cast<GlobalAccess>(op).getAccessedType());
  return type.isIntOrFloat() && !op->hasAttr(kMaskEndsAttr) &&
         integerAttrOr(op, kAccessWidthAttr, 1) * bytesOf(type) >= kVectorBytes;
}

/// Whether no other load of blocks reads from the same array: two may read the same.
bool Streams::isAlone(LoadOp load) const {
  BlockArgument root = rootArgument(load.getPointer());
  return root && llvm::all_of(loads, [&](LoadOp other) {
           return other == load || rootArgument(other.getPointer()) != root ||
                  (isPart(load) && load->getAttr(kRowPartAttr) == other->getAttr(kRowPartAttr));
         });
}

SmallVector<Operation *> Streams::take() {
  SmallVector<Operation *> found;
  for (LoadOp load : loads) {
    if (!isOwn(load))
      continue;
    // Edges of a row are few, and in lines that its vectors are in.
    if (!isAlone(load) || !(isWide(load) || isPart(load)))
      return {};
    found.push_back(load);
  }
  // Where nothing is read but vectors, nothing is to be kept, and hints cost up to 7 % of the bandwidth.
  bool keepsSomething = hasRows || found.size() < loads.size();
  if (found.empty() || !isPossible || !keepsSomething)
    return {};
  // What threads with edges hold on a cluster leaves no room for the registers that a hint takes.
  bool isFull = kernel.getNumCtas().value_or(1) > 1 && llvm::any_of(loads, [&](LoadOp load) { return isPart(load); });
  for (StoreOp store : stores) {
    if (!isOwn(store) || !(isWide(store) || isPart(store)) || isFull)
      return {};
    found.push_back(store);
  }
  return found;
}

SmallVector<LoadOp> Streams::earlyScalars() const {
  SmallVector<LoadOp> found, seen;
  for (Operation &op : kernel.getBody().front()) {
    auto load = dyn_cast<LoadOp>(op);
    if (load && !load.getOffsets() && !hasHint(load))
      seen.push_back(load);
    if (auto along = dyn_cast<AlongAxis>(op); along && !along.getExchange().empty())
      found = seen;
  }
  return found;
}

namespace {
struct StreamRows : fsm::impl::StreamRowsPassBase<StreamRows> {
  void runOnOperation() override {
    Streams of(getOperation());
    SmallVector<Operation *> found = of.take();
    if (found.empty())
      return markAllAnalysesPreserved();
    for (LoadOp scalar : of.earlyScalars())
      scalar.setCache(CacheHint::CA);
    // Beside stores first is better: what a scalar load reads of the row again is there.
    bool stores = llvm::any_of(found, llvm::IsaPred<StoreOp>);
    for (Operation *op : found) {
      if (auto load = dyn_cast<LoadOp>(op))
        load.setEvict(stores ? EvictHint::First : EvictHint::Unkept);
      else
        cast<StoreOp>(op).setEvict(EvictHint::First);
      ++streams;
    }
  }
};
} // namespace
