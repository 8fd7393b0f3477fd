//===- WaitAlone.cpp - One thread waits for memory ------------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A loop that only waits until an atomic finds something else, as for a lock:
//
//   scf.while {                            fsm.barrier
//     fsm.barrier                          scf.while {
//     %old = fsm.atomic_cas ...              %old = fsm.atomic_cas ...
//     fsm.shared_store %old, %memory         scf.condition(%old is taken)
//     fsm.shared_barrier <program>         } do {...} {fsm.first_thread}
//     %found = fsm.shared_load %memory     fsm.shared_barrier <program>
//     scf.condition(%found is taken)
//   } do {...}
//
// One thread performs the atomic. On the left all others are told each time what it has found, and meet twice for that; on the
// right they meet once, when it has found what it waited for.

#include "fsm/Transforms/Passes.h"

#include "fsm/Analysis/Atomics.h"
#include "fsm/Analysis/ResourceEstimate.h"

#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace fsm {
#define GEN_PASS_DEF_WAITALONEPASS
#include "fsm/Transforms/Passes.h.inc"
} // namespace fsm

using namespace mlir;
using namespace fsm;

namespace {
/// A loop, and what it consists of where it does nothing but wait.
class WaitingLoop {
public:
  explicit WaitingLoop(scf::WhileOp loop) : loop(loop) {}

  bool find();
  void write();

private:
  bool add(Operation &op);

  scf::WhileOp loop;
  Operation *atomic = nullptr;
  SharedStoreOp told;
  SharedLoadOp heard;
  SmallVector<Operation *> barriers;
};
} // namespace

/// Adds an op of the loop's body; whether it may be there.
bool WaitingLoop::add(Operation &op) {
  if (isa<ThreadBarrier>(op)) {
    barriers.push_back(&op);
    return true;
  }
  if (isa<AtomicAccess>(op)) {
    bool isFirst = !atomic && op.getResult(0).getType().isIntOrFloat();
    atomic = &op;
    return isFirst;
  }
  if (auto store = dyn_cast<SharedStoreOp>(op)) {
    bool isFirst = !told && atomic && store.getValue() == atomic->getResult(0);
    told = store;
    return isFirst;
  }
  if (auto load = dyn_cast<SharedLoadOp>(op)) {
    bool isFirst = !heard && told && load.getShared() == told.getShared() && load.getType() == told.getValue().getType();
    heard = load;
    return isFirst;
  }
  // Of blocks, such as what a reduction reads, other threads hold a part.
  auto isScalar = [](Type type) { return type.isIntOrIndexOrFloat(); };
  return isa<scf::ConditionOp, SharedAllocOp>(op) ||
         (op.getNumRegions() == 0 && isMemoryEffectFree(&op) && llvm::all_of(op.getResultTypes(), isScalar) &&
          llvm::all_of(op.getOperandTypes(), isScalar));
}

bool WaitingLoop::find() {
  if (loop->getNumResults() || loop->getNumOperands() || loop.getAfterBody()->getOperations().size() != 1)
    return false;
  for (Operation &op : *loop.getBeforeBody())
    if (!add(op))
      return false;
  // What is made of the result otherwise, other threads would not have.
  return heard && !barriers.empty() && atomic->hasOneUse() && llvm::hasNItems(told.getShared().getUsers(), 2);
}

void WaitingLoop::write() {
  ImplicitLocOpBuilder builder(loop.getLoc(), loop);
  bool meetsBefore = barriers.front()->isBeforeInBlock(atomic);
  if (meetsBefore)
    barriers.front()->moveBefore(loop);
  for (Operation *barrier : ArrayRef(barriers).drop_front(meetsBefore))
    barrier->erase();
  heard.getResult().replaceAllUsesWith(atomic->getResult(0));
  Operation *alloc = told.getShared().getDefiningOp();
  heard->erase();
  told->erase();
  alloc->erase();
  loop->setAttr(kFirstThreadAttr, builder.getUnitAttr());
  builder.setInsertionPointAfter(loop);
  SharedBarrierOp::create(builder, ThreadScope::Program, /*fence=*/false);
}

namespace {
struct WaitAlone : fsm::impl::WaitAlonePassBase<WaitAlone> {
  void runOnOperation() override {
    KernelOp kernel = getOperation();
    // There each cta, or each program of one, has a first thread.
    if (kernel.getNumCtas().value_or(1) > 1 || estimateResources(kernel).programsPerCta > 1)
      return;
    SmallVector<scf::WhileOp> loops;
    kernel.walk([&](scf::WhileOp loop) { loops.push_back(loop); });
    for (scf::WhileOp loop : loops) {
      WaitingLoop waiting(loop);
      if (!waiting.find())
        continue;
      waiting.write();
      ++alone;
    }
  }
};
} // namespace
