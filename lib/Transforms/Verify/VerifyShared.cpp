//===- VerifyShared.cpp - Checks scratch and its barriers -----------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Transforms/Passes.h"

#include "SharedArrivals.h"

#include "fsm/Analysis/Hazards.h"
#include "fsm/Analysis/Loops.h"
#include "fsm/Analysis/MmaPlan.h"
#include "fsm/Analysis/ProductTiles.h"
#include "fsm/Analysis/ScratchPlan.h"
#include "fsm/Analysis/SharedBuffers.h"
#include "fsm/Analysis/SlotCounter.h"
#include "fsm/IR/Origins.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

#include <set>

namespace fsm {
#define GEN_PASS_DEF_VERIFYSHAREDPASS
#include "fsm/Transforms/Passes.h.inc"
} // namespace fsm

using namespace mlir;
using namespace fsm;

static bool isBarrier(Operation *op) { return isa<ThreadBarrier>(op); }
/// Whether threads wait there for what they have begun.
static bool isWait(Operation *op) { return isa<CopyWaitOp, ProductWaitOp, ProductLimitOp>(op); }
static bool isAccess(Operation *op) { return op && !isBarrier(op) && !isWait(op); }

/// Whether it reads global memory and does nothing else: two such need no order.
static bool isPlainRead(Operation *op) {
  auto access = dyn_cast_if_present<GlobalAccess>(op);
  return access && access.onlyReads() && !isa<AtomicAccess>(op) && allocsOf(op).empty();
}

namespace {
/// A kernel as a graph of steps.
class FlowGraph {
public:
  struct Edge {
    unsigned to;
    /// The loop whose back edge this is, or null.
    Operation *loop;
    /// The loop that does not run at all on this way, or null.
    scf::ForOp skipped = nullptr;
  };
  struct Node {
    /// An access, a barrier or a wait; null where ways part or meet.
    Operation *op;
    bool hasBarrier;
    SmallVector<Edge, 2> next;
    SmallVector<unsigned, 2> previous = {};
    /// The same node, or the next behind the plain reads that it is the first of.
    unsigned behindReads = 0;
  };

  explicit FlowGraph(KernelOp kernel) : numWarps(warpsOf(kernel)) {
    add(kernel.getBody().front(), addNode(nullptr));
    for (size_t number = 0; number < all.size(); ++number)
      for (const Edge &edge : all[number].next)
        all[edge.to].previous.push_back(static_cast<unsigned>(number));
    // Only edges back lead to a node of a lower number.
    for (unsigned number = all.size(); number-- > 0;) {
      Node &node = all[number];
      bool goesOn = isPlainRead(node.op) && node.next.size() == 1 && !node.next.front().loop;
      node.behindReads = goesOn ? all[node.next.front().to].behindReads : number;
    }
  }

  const std::vector<Node> &nodes() const { return all; }
  AffineOffsets &forms() const { return offsets; }

private:
  unsigned addNode(Operation *op) {
    all.push_back({op, op && hasProgramBarrier(op, numWarps), {}});
    return all.size() - 1;
  }

  unsigned addAfter(unsigned before, Operation *op = nullptr) {
    unsigned node = addNode(op);
    all[before].next.push_back({node, nullptr});
    return node;
  }

  /// Adds a block's steps behind the step `at`, and gives the last one.
  unsigned add(Block &block, unsigned at) {
    for (Operation &op : block)
      at = add(op, at);
    return at;
  }

  unsigned add(Operation &op, unsigned at) {
    if (auto choice = dyn_cast<scf::IfOp>(op)) {
      unsigned thenEnd = add(*choice.thenBlock(), at);
      unsigned elseEnd = choice.elseBlock() ? add(*choice.elseBlock(), at) : at;
      unsigned meet = addAfter(thenEnd);
      all[elseEnd].next.push_back({meet, nullptr});
      return meet;
    }
    if (auto loop = dyn_cast<scf::ForOp>(op)) {
      unsigned head = addAfter(at);
      unsigned end = add(*loop.getBody(), head);
      all[end].next.push_back({head, &op});
      unsigned behind = addAfter(end);
      // A role's loop runs as often as the one that takes its slots, which fsm-verify-roles checks.
      if (!loop->getParentOfType<LoadRoleOp>())
        all[at].next.push_back({behind, nullptr, loop});
      return behind;
    }
    if (auto loop = dyn_cast<scf::WhileOp>(op)) {
      unsigned head = addAfter(at);
      unsigned decided = addAfter(add(*loop.getBeforeBody(), head));
      unsigned end = add(*loop.getAfterBody(), decided);
      all[end].next.push_back({head, &op});
      return addAfter(decided);
    }
    for (Region &region : op.getRegions())
      for (Block &inner : region)
        at = add(inner, at);
    bool isStep = isSharedAccess(&op) || isBarrier(&op) || isWait(&op);
    return isStep ? addAfter(at, &op) : at;
  }

  unsigned numWarps;
  std::vector<Node> all;
  mutable AffineOffsets offsets;
};

struct VerifyShared : fsm::impl::VerifySharedPassBase<VerifyShared> {
  void runOnOperation() override {
    markAllAnalysesPreserved();
    KernelOp kernel = getOperation();
    if (failed(ScratchPlan::writtenIn(kernel).verify(kernel)))
      return signalPassFailure();
    if (failed(checkTensorCopies(kernel)) || failed(checkArrivals(kernel)) ||
        failed(checkParts(kernel)))
      return signalPassFailure();
    FlowGraph graph(kernel);
    size_t steps = 0;
    for (const FlowGraph::Node &start : graph.nodes())
      if (isAccess(start.op) &&
          (failed(follow(graph, start, steps)) || failed(followRead(graph, start, steps)) ||
           failed(followStore(graph, start, steps)) || failed(followBack(graph, start))))
        return signalPassFailure();
    // Too large for this: what decided where barriers stand must find none missing.
    if (steps > kMaxSteps)
      for (const Hazard &hazard : findHazards(kernel)) {
        (void)report(hazard.earlier, hazard.later, hazard.kind);
        return signalPassFailure();
      }
  }

  /// What a second or two is enough for.
  static constexpr size_t kMaxSteps = 1'000'000;

  /// What a walk does where it comes to.
  enum class Next { Go, Stop, Fail };

  /// Where a walk has come to since an access.
  struct Place {
    unsigned node;
    /// How often loops went around.
    Crossings crossings;
    /// Whether the thread that comes there has waited for it, if it is a product in flight.
    bool hasEnded;
    bool operator<(const Place &other) const {
      return std::tie(node, crossings, hasEnded) <
             std::tie(other.node, other.crossings, other.hasEnded);
    }
  };

  /// Looks at all that can come behind an access, and gives up when that takes too many
  /// steps. `visit` gets a node and its place.
  template <typename F>
  static LogicalResult walk(const FlowGraph &graph, const FlowGraph::Node &start, size_t &steps,
                            F visit) {
    std::set<Place> seen;
    std::vector<Place> waiting;
    bool isRead = isPlainRead(start.op);
    auto leave = [&](const FlowGraph::Node &node, const Place &from, bool hasEnded) {
      for (const FlowGraph::Edge &edge : node.next) {
        if (edge.skipped && readsForLoopOnly(start.op, from.crossings, edge.skipped))
          continue;
        Crossings after = edge.loop ? crossed(from.crossings, start.op, edge.loop) : from.crossings;
        unsigned to = isRead ? graph.nodes()[edge.to].behindReads : edge.to;
        if (Place place{to, after, hasEnded}; seen.insert(place).second)
          waiting.push_back(place);
      }
    };
    bool isStored = isa<StoreTensorOp>(start.op);
    bool endsLater = isStored || start.op->hasAttr(kInFlightAttr);
    leave(start, {0, Crossings(loopsAround(start.op).size(), 0), false}, !endsLater);
    while (!waiting.empty() && ++steps <= kMaxSteps) {
      Place place = waiting.back();
      waiting.pop_back();
      const FlowGraph::Node &node = graph.nodes()[place.node];
      Next next = visit(node, place);
      if (next == Next::Fail)
        return failure();
      // In the iteration behind that of a product in flight, a limit waits for it.
      bool wentAround = llvm::any_of(place.crossings, [](uint8_t count) { return count > 0; });
      bool waits = isStored ? isa_and_present<StoreWaitOp>(node.op)
                            : isa_and_present<ProductWaitOp>(node.op) ||
                                  (wentAround && isa_and_present<ProductLimitOp>(node.op));
      if (next == Next::Go)
        leave(node, place, place.hasEnded || waits);
    }
    return success();
  }

  /// Until a barrier comes that each thread meets at behind the end of the access.
  static LogicalResult follow(const FlowGraph &graph, const FlowGraph::Node &start, size_t &steps) {
    return walk(graph, start, steps, [&](const FlowGraph::Node &node, const Place &place) {
      if (isAccess(node.op))
        if (auto kind = hazardOf(start.op, place.crossings, node.op, graph.forms())) {
          (void)report(start.op, node.op, *kind);
          return Next::Fail;
        }
      return node.hasBarrier && place.hasEnded ? Next::Stop : Next::Go;
    });
  }

  /// Whether two stores to a tensor are parts of it side by side: along one dimension the later one begins a number
  /// of elements behind, which its box reaches no more, and along the others they begin alike.
  static bool areSideBySide(StoreTensorOp store, StoreTensorOp next) {
    if (store->getBlock() != next->getBlock() || store.getShared().getType() != next.getShared().getType())
      return false;
    ArrayRef<int64_t> shape = store.getShared().getType().getShape();
    unsigned apart = 0, major = majorOf(store.getShared().getType());
    for (auto [extent, one, other] : llvm::zip_equal(ArrayRef({shape[1 - major], shape[major]}),
                                                     store.getCoordinates(), next.getCoordinates())) {
      if (one == other)
        continue;
      auto [base, begin] = constantBehind(one);
      auto [otherBase, otherBegin] = constantBehind(other);
      apart += base == otherBase && std::abs(otherBegin - begin) >= extent ? 1 : 2;
    }
    return apart == 1;
  }

  /// What a number is a constant behind, null for 0, and that constant.
  static std::pair<Value, int64_t> constantBehind(Value value) {
    int64_t behind = 0;
    APInt constant;
    while (auto sum = value.getDefiningOp<arith::AddIOp>()) {
      if (!matchPattern(sum.getRhs(), m_ConstantInt(&constant)))
        return {value, behind};
      behind += constant.getSExtValue();
      value = sum.getLhs();
    }
    if (matchPattern(value, m_ConstantInt(&constant)))
      return {Value(), behind + constant.getSExtValue()};
    return {value, behind};
  }

  /// From a store by the hardware to the next one to that tensor, and to the end: each waits for it. Parts of one
  /// block need not.
  static LogicalResult followStore(const FlowGraph &graph, const FlowGraph::Node &start,
                                   size_t &steps) {
    auto store = dyn_cast<StoreTensorOp>(start.op);
    if (!store)
      return success();
    return walk(graph, start, steps, [&](const FlowGraph::Node &node, const Place &place) {
      auto wait = dyn_cast_if_present<StoreWaitOp>(node.op);
      if (wait && !wait.getRead())
        return Next::Stop;
      auto next = dyn_cast_if_present<StoreTensorOp>(node.op);
      if (!node.next.empty() && !(next && next.getMap() == store.getMap() && !areSideBySide(store, next)))
        return Next::Go;
      (void)store.emitError("expected an 'fsm.store_wait' on each way from this store to the next one and to "
                            "the end of the kernel");
      return Next::Fail;
    });
  }

  /// From a read of a slot that bulk copies fill to the next one of them. A load has its value for
  /// certain once something was made of it that all threads wait for; else the copy has a fence.
  static LogicalResult followRead(const FlowGraph &graph, const FlowGraph::Node &start,
                                  size_t &steps) {
    auto load = dyn_cast<SharedLoadOp>(start.op);
    if (!load || !load.getSlot())
      return success();
    SetVector<Operation *> made;
    getForwardSlice(start.op, &made);
    return walk(graph, start, steps, [&](const FlowGraph::Node &node, const Place &place) {
      if (node.hasBarrier && isBehindStore(node.op, made))
        return Next::Stop;
      auto copy = dyn_cast_if_present<CopyAsyncOp>(node.op);
      if (!copy || !hazardOf(start.op, place.crossings, copy, graph.forms()))
        return Next::Go;
      if (copy.getFence())
        return Next::Stop;
      (void)failBeside(copy.emitError() << "expected a fence in this bulk '" << copy->getName()
                                        << "': no barrier shows that an earlier '"
                                        << start.op->getName() << "' of its slot has ended",
                       start.op, "the read is here");
      return Next::Fail;
    });
  }

  /// Whether, in front of a barrier inside a reduction, one of these ops has stored what others
  /// read behind it.
  static bool isBehindStore(Operation *barrier, const SetVector<Operation *> &made) {
    if (!isa<AlongAxis>(barrier->getParentOp()))
      return false;
    for (Operation *op = barrier->getPrevNode(); op; op = op->getPrevNode())
      if (isa<SharedStoreOp>(op) && made.contains(op))
        return true;
    return false;
  }

  /// From a read of shared memory back to the writes of what it reads.
  static LogicalResult followBack(const FlowGraph &graph, const FlowGraph::Node &start) {
    if (isa<StoreWaitOp>(start.op))
      return success();
    for (SharedAllocOp alloc : allocsOf(start.op))
      if (!writesTo(start.op, alloc) && failed(followBack(graph, start, alloc)))
        return failure();
    return success();
  }

  /// Whether an op waits for copies into a memory: bulk copies arrive at mbarriers, and a thread's
  /// own are those that it has begun.
  static bool waitsFor(Operation *op, SharedAllocOp alloc) {
    auto wait = dyn_cast_if_present<MBarrierWaitOp>(op);
    if (!wait && !isa_and_present<CopyWaitOp>(op))
      return false;
    return llvm::any_of(alloc->getUsers(), [&](Operation *user) {
      if (auto store = dyn_cast<SharedStoreOp>(user))
        return wait && store.getMbarrier() == wait.getMbarriers();
      auto copy = dyn_cast<SlotCopy>(user);
      return copy && copy.getMbarriers() == (wait ? Value(wait.getMbarriers()) : Value());
    });
  }

  /// What a way back from a read has come by.
  struct Passed {
    /// A fence, if the read is the hardware's own; in front of it, a wait for threads' copies, or
    /// anywhere one for the hardware's, which need no fence; and whether the way went around a loop.
    bool fence, wait, loop;
    bool operator<(const Passed &other) const {
      return std::tie(fence, wait, loop) < std::tie(other.fence, other.wait, other.loop);
    }
  };

  /// Nothing else may have written to the bytes of `alloc` on any way from its writes. There has to
  /// be a wait on that way for those that are copies, and behind that, or behind the write, a fence
  /// where the hardware reads by itself.
  static LogicalResult followBack(const FlowGraph &graph, const FlowGraph::Node &start,
                                  SharedAllocOp alloc) {
    using State = std::pair<unsigned, Passed>;
    std::set<State> seen;
    SmallVector<State> waiting;
    auto comeTo = [&](const FlowGraph::Node &node, Passed passed) {
      for (unsigned before : node.previous) {
        // Only edges back come from a node of a higher number.
        bool isBack = &graph.nodes()[before] > &node;
        State state{before, {passed.fence, passed.wait, passed.loop || isBack}};
        if (seen.insert(state).second)
          waiting.push_back(state);
      }
    };
    auto product = dyn_cast<SharedDotOp>(start.op);
    bool isByHardware = isa<StoreTensorOp>(start.op) || (product && isByWarpGroups(product));
    comeTo(start, {/*fence=*/!isByHardware, false, false});
    while (!waiting.empty()) {
      auto [number, passed] = waiting.pop_back_val();
      const FlowGraph::Node &node = graph.nodes()[number];
      if (node.previous.empty())
        return start.op->emitError() << "expected a store to the memory of this '"
                                     << start.op->getName() << "' on each way to it";
      std::optional<bool> isIts = node.op ? isItsWrite(node.op, alloc) : std::nullopt;
      if (isIts == false)
        return failBeside(start.op->emitError() << "expected no other '" << node.op->getName()
                                                << "' in the bytes of this '" << start.op->getName()
                                                << "' since its block was stored",
                          node.op, "what writes there is here");
      auto copy = isIts ? dyn_cast<SlotCopy>(node.op) : SlotCopy();
      auto store = isIts ? dyn_cast<SharedStoreOp>(node.op) : SharedStoreOp();
      if (store && store.getMbarrier() && store.getMbarrier() != alloc.getResult() && !passed.wait)
        return failBeside(start.op->emitError() << "expected a wait between this '"
                                                << start.op->getName()
                                                << "' and the arrival of what it reads",
                          node.op, "the store that arrives is here");
      if (copy && !passed.loop && areApart(copy.getSlot(), slotRead(start.op, alloc)))
        isIts = std::nullopt;
      else if (isIts && !passed.fence && !isa<CopyTensorOp>(node.op))
        return failBeside(start.op->emitError()
                              << "expected a barrier with a fence between this '"
                              << start.op->getName() << "' and the write of what it reads",
                          node.op, "the write is here");
      else if (copy && !passed.wait)
        return failBeside(start.op->emitError()
                              << "expected a wait between this '" << start.op->getName()
                              << "' and the copy of what it reads",
                          node.op, "the copy is here");
      auto barrier = dyn_cast_if_present<SharedBarrierOp>(node.op);
      if (!isIts)
        comeTo(node, {passed.fence || (barrier && barrier.getFence()),
                      passed.wait || ((passed.fence || isa_and_present<MBarrierWaitOp>(node.op)) &&
                                      waitsFor(node.op, alloc)),
                      passed.loop});
    }
    return success();
  }

  /// Whether a write is to this memory, or to another in its bytes; nothing where it is to neither.
  static std::optional<bool> isItsWrite(Operation *op, SharedAllocOp alloc) {
    for (SharedAllocOp written : allocsOf(op))
      if (writesTo(op, written) && sharesBytes(written, alloc))
        return written == alloc;
    return std::nullopt;
  }

  static LogicalResult report(Operation *earlier, Operation *later, HazardKind kind) {
    return failBeside(later->emitError()
                          << "expected a barrier between this '" << later->getName()
                          << "' and an earlier '" << earlier->getName() << "' of other threads ("
                          << hazardName(kind) << " hazard)",
                      earlier, "the earlier access is here");
  }
};
} // namespace
