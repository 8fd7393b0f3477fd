//===- Hazards.cpp - Which accesses need a barrier between them ----------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A forward dataflow over structured control flow. The state is what is pending:
// the accesses since the last barrier, with the back edges taken since. Where ways
// meet, the states are united; a loop is gone around until its entry no longer
// grows. Conditions are scalars and so the same in all threads, which is why a
// barrier may stand in a branch or a loop.
//
//===----------------------------------------------------------------------===//

#include "fsm/Analysis/Hazards.h"

#include "fsm/Analysis/Atomics.h"
#include "fsm/Analysis/Loops.h"
#include "fsm/Analysis/SharedBuffers.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

#include <functional>
#include <map>
#include <set>

using namespace mlir;
using namespace fsm;

namespace {
/// Accesses by number, in program order.
using Accesses = std::set<std::pair<unsigned, Crossings>>;

/// Accesses since the last barrier. Those that only read global memory are apart: what reads it as
/// well need not look at them, so that thousands of loads are no work.
struct Pending {
  Accesses reads, others;

  size_t size() const { return reads.size() + others.size(); }
  void insert(const Pending &more) {
    reads.insert(more.reads.begin(), more.reads.end());
    others.insert(more.others.begin(), more.others.end());
  }
};

bool onlyReadsGlobal(Operation *op) {
  auto access = dyn_cast<GlobalAccess>(op);
  return access && access.onlyReads();
}

/// Whether it can have no hazard with what only reads global memory.
bool isPlainRead(Operation *op) { return onlyReadsGlobal(op) && !isMadeOnce(op); }

class PendingFlow {
public:
  /// Called at each access with what is pending; true when a barrier stands in
  /// front of it.
  using Arrive = std::function<bool(const Pending &, Operation *)>;

  PendingFlow(KernelOp kernel, Arrive arrive, bool isSharedOnly = false)
      : kernel(kernel), numWarps(warpsOf(kernel)), arrive(std::move(arrive)) {
    kernel.walk<WalkOrder::PreOrder>([&](Operation *op) {
      bool isAccess = isSharedOnly ? !allocsOf(op).empty() : isSharedAccess(op);
      if (!isAccess && !isa<ThreadBarrier>(op))
        return;
      barrierInside[op] = hasProgramBarrier(op, numWarps);
      if (!isAccess)
        return;
      numbers[op] = accesses.size();
      accesses.push_back(op);
      onlyReads.push_back(!isSharedOnly && onlyReadsGlobal(op));
      depths[op] = loopsAround(op).size();
    });
  }

  void run() {
    Pending pending;
    entries.clear();
    visit(kernel.getBody().front(), pending);
  }

  /// Counts work. Past a limit, which all runs have together, runs end early and what
  /// they have found is not all there is.
  void spend(size_t work) { spent += work; }
  bool isExhausted() const { return spent > kMaxWork; }

  llvm::ArrayRef<Operation *> all() const { return accesses; }
  bool isAccess(Operation *op) const { return numbers.contains(op); }

  Operation *access(unsigned number) const { return accesses[number]; }

private:
  /// What a second or two is enough for.
  static constexpr size_t kMaxWork = 500'000;

  void visit(Block &block, Pending &pending) {
    for (Operation &op : block) {
      if (isExhausted())
        return;
      if (auto loop = dyn_cast<scf::ForOp>(op))
        visitLoop(&op, *loop.getBody(), nullptr, pending);
      else if (auto loop = dyn_cast<scf::WhileOp>(op))
        visitLoop(&op, *loop.getBeforeBody(), loop.getAfterBody(), pending);
      else if (auto choice = dyn_cast<scf::IfOp>(op))
        visitIf(choice, pending);
      else
        visitOp(&op, pending);
    }
  }

  void visitOp(Operation *op, Pending &pending) {
    // What is inside a reduction runs once.
    for (Region &region : op->getRegions())
      for (Block &inner : region)
        visit(inner, pending);
    auto number = numbers.find(op);
    if (number != numbers.end())
      spend(1 + (isPlainRead(op) ? pending.others.size() : pending.size()) / 8);
    if (number != numbers.end() && arrive(pending, op))
      pending = {};
    if (barrierInside.lookup(op))
      pending = {};
    if (number != numbers.end())
      add(pending, number->second, Crossings(depths.lookup(op), 0));
  }

  void visitIf(scf::IfOp choice, Pending &pending) {
    spend(pending.size());
    Pending otherwise = pending;
    visit(*choice.thenBlock(), pending);
    if (choice.elseBlock())
      visit(*choice.elseBlock(), otherwise);
    pending.insert(otherwise);
  }

  /// `first` runs at least once when there is a `second` (scf.while), which is then
  /// behind the exit; otherwise (scf.for) the loop may run not at all.
  void visitLoop(Operation *loop, Block &first, Block *second, Pending &pending) {
    Pending &entry = entries[loop];
    entry.insert(pending);
    for (size_t before = entry.size();; before = entry.size()) {
      spend(1 + 2 * entry.size());
      Pending body = entry;
      visit(first, body);
      Pending exit = body;
      if (second)
        visit(*second, body);
      else
        skip(cast<scf::ForOp>(loop), pending, exit);
      for (const Accesses *part : {&body.reads, &body.others})
        for (const auto &[number, crossings] : *part)
          add(entry, number, crossed(crossings, accesses[number], loop));
      if (entry.size() != before && !isExhausted())
        continue;
      pending = {};
      for (const Accesses *part : {&exit.reads, &exit.others})
        for (const auto &[number, crossings] : *part)
          add(pending, number, left(crossings, number, loop));
      return;
    }
  }

  /// What is pending behind a loop that did not run.
  void skip(scf::ForOp loop, const Pending &pending, Pending &exit) const {
    for (const Accesses *part : {&pending.reads, &pending.others})
      for (const auto &[number, crossings] : *part)
        if (!readsForLoopOnly(accesses[number], crossings, loop))
          add(exit, number, crossings);
  }

  /// What was carried around a loop is of no interest behind it.
  Crossings left(Crossings crossings, unsigned number, Operation *loop) const {
    SmallVector<Operation *> loops = loopsAround(accesses[number]);
    for (size_t i = 0; i < loops.size(); ++i)
      if (loops[i] == loop)
        crossings[i] = 0;
    return crossings;
  }

  void add(Pending &pending, unsigned number, Crossings crossings) const {
    Accesses &part = onlyReads[number] ? pending.reads : pending.others;
    part.insert({number, std::move(crossings)});
  }

  KernelOp kernel;
  unsigned numWarps;
  Arrive arrive;
  std::vector<Operation *> accesses;
  std::vector<bool> onlyReads;
  llvm::DenseMap<Operation *, unsigned> numbers;
  llvm::DenseMap<Operation *, size_t> depths;
  llvm::DenseMap<Operation *, bool> barrierInside;
  size_t spent = 0;
  /// What may be pending when a loop's body begins, in any of its iterations and
  /// whenever the loop is come to. It only grows, so that nested loops end soon.
  std::map<Operation *, Pending> entries;
};

/// Finds where barriers are needed.
class BarrierSearch {
public:
  explicit BarrierSearch(KernelOp kernel)
      : flow(kernel,
             [this](const Pending &pending, Operation *op) { return arrive(pending, op); }) {}

  std::vector<Hazard> run() {
    flow.run();
    if (flow.isExhausted())
      return everywhere();
    dropNeedless();
    auto found = llvm::make_second_range(hazards);
    return {found.begin(), found.end()};
  }

private:
  /// A barrier before each access is enough for any kernel.
  std::vector<Hazard> everywhere() {
    std::vector<Hazard> list;
    for (Operation *op : flow.all()) {
      auto access = dyn_cast<GlobalAccess>(op);
      bool stores = access && access.onlyWrites();
      if (!hasBarrierBefore(op))
        list.push_back({op, op, stores ? HazardKind::WAW : HazardKind::WAR});
    }
    return list;
  }

  /// Whether a barrier of the same block is the last thing before `op` that matters. In front of a
  /// load of shared memory a store may stand, which has a barrier before it, if they need none.
  bool hasBarrierBefore(Operation *op) {
    for (Operation *before = op->getPrevNode(); before; before = before->getPrevNode()) {
      auto barrier = dyn_cast<ThreadBarrier>(before);
      if (barrier && barrier.getScope() != ThreadScope::Warp)
        return true;
      if (flow.isAccess(before) || before->getNumRegions() > 0)
        return isa<SharedStoreOp>(before) && isa<SharedLoadOp>(op) &&
               !hazardOf(before, {}, op, forms);
    }
    return false;
  }

  /// The first in program order that `op` has a hazard with, in front of access `end`.
  std::optional<std::pair<unsigned, HazardKind>> findEarlier(const Accesses &accesses,
                                                             Operation *op, unsigned end) {
    for (const auto &[number, crossings] : accesses) {
      if (number >= end)
        break;
      flow.spend(1);
      if (auto kind = hazardOf(flow.access(number), crossings, op, forms))
        return {{number, *kind}};
    }
    return std::nullopt;
  }

  bool arrive(const Pending &pending, Operation *op) {
    if (hazards.count(op))
      return true;
    auto earlier = findEarlier(pending.others, op, flow.all().size());
    if (!isPlainRead(op))
      if (auto read = findEarlier(pending.reads, op, earlier ? earlier->first : flow.all().size()))
        earlier = read;
    if (!earlier)
      return false;
    isBroken = true;
    if (isTrial)
      return false;
    hazards.insert({op, Hazard{flow.access(earlier->first), op, earlier->second}});
    return true;
  }

  /// A barrier that was found before the loops' back edges were followed may be
  /// needless given one that was found later.
  void dropNeedless() {
    if (hazards.size() < 2 || hazards.size() > kMaxTrials)
      return;
    isTrial = true;
    std::vector<std::pair<Operation *, Hazard>> candidates(hazards.begin(), hazards.end());
    for (auto &[op, hazard] : candidates) {
      hazards.erase(op);
      isBroken = false;
      flow.run();
      if (isBroken || flow.isExhausted())
        hazards.insert({op, hazard});
    }
  }

  static constexpr size_t kMaxTrials = 32;

  PendingFlow flow;
  AffineOffsets forms;
  llvm::MapVector<Operation *, Hazard> hazards;
  bool isTrial = false;
  bool isBroken = false;
};
} // namespace

std::vector<Hazard> fsm::findHazards(KernelOp kernel) { return BarrierSearch(kernel).run(); }

std::vector<std::pair<Operation *, Operation *>> fsm::unorderedBuffers(KernelOp kernel) {
  // By number, so that the order is that of the program.
  llvm::SetVector<std::pair<Operation *, Operation *>> pairs;
  PendingFlow *flow = nullptr;
  PendingFlow search(
      kernel,
      [&](const Pending &pending, Operation *op) {
        for (const auto &[number, crossings] : pending.others)
          for (SharedAllocOp earlier : allocsOf(flow->access(number)))
            for (SharedAllocOp later : allocsOf(op))
              pairs.insert({earlier, later});
        return false;
      },
      /*isSharedOnly=*/true);
  flow = &search;
  search.run();
  return {pairs.begin(), pairs.end()};
}
