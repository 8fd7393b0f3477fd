//===- BlockLives.cpp - When blocks are in registers ---------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// 1. Time is counted in steps. An op that combines elements is a step behind what it needs, and
//    its results another step behind; one that orders memory is a step behind all before it; any
//    other op has no step of its own and can be done at any step from that of its operands on.
// 2. From the last op to the first: such an op is done when its result is first needed, but a
//    load of what may be written no later than the next op that orders it, and what is
//    smaller than the operands that end in it as soon as they are there.
// 3. A value is held from the step where it is made to that of its last use, and around each
//    loop that uses it from outside.

#include "fsm/Analysis/BlockLives.h"

#include "fsm/Analysis/MemoryOrder.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

#include <algorithm>

using namespace mlir;
using namespace fsm;

namespace {
constexpr size_t kNever = ~size_t(0);

/// What an op does to memory that threads share.
struct MemoryUse {
  explicit MemoryUse(Operation *op) {
    std::optional<SmallVector<MemoryEffects::EffectInstance>> effects = getEffectsRecursively(op);
    isUnknown = !effects;
    for (const MemoryEffects::EffectInstance &effect :
         effects.value_or(SmallVector<MemoryEffects::EffectInstance>())) {
      bool isShared = effect.getResource() == SharedMemory::get();
      bool isGlobal = effect.getResource() == SideEffects::DefaultResource::get();
      bool isRead = isa<MemoryEffects::Read>(effect.getEffect());
      bool isWrite = isa<MemoryEffects::Write>(effect.getEffect());
      readsShared |= isShared && isRead;
      writesShared |= isShared && isWrite;
      readsGlobal |= isGlobal && isRead;
      writesGlobal |= isGlobal && isWrite;
    }
  }

  /// A barrier reads and writes all of shared memory.
  bool orders() const { return isUnknown || writesGlobal || (readsShared && writesShared); }

  bool isUnknown = false;
  bool readsShared = false, writesShared = false, readsGlobal = false, writesGlobal = false;
};

class BlockLives {
public:
  BlockLives(KernelOp kernel, function_ref<uint64_t(RankedTensorType)> measure)
      : measure(measure), constants(constantArguments(kernel)) {
    opOfStep.push_back(nullptr);
    number(kernel.getBody().front());
  }

  BlockRegisters run() {
    BlockRegisters needs;
    for (Operation *op : llvm::reverse(order)) {
      finish(op);
      for (Value result : op->getResults())
        if (uint64_t registers = registersOf(result);
            registers != 0 && registers >= needs.largest.registers)
          needs.largest = {registers, op};
    }
    needs.held = most();
    return needs;
  }

private:
  /// The steps of an op, those of its first and its last need of its operands.
  struct Steps {
    size_t first = kNever, last = 0;
    void add(size_t from, size_t to) {
      first = std::min(first, from);
      last = std::max(last, to);
    }
  };

  //===------------------------------------------------------------------===//
  // Forwards: steps
  //===------------------------------------------------------------------===//

  void number(Block &block) {
    for (BlockArgument argument : block.getArguments())
      made[argument] = now;
    for (Operation &op : block) {
      order.push_back(&op);
      // Of operands it is known by then.
      if (op.getNumResults() != 0)
        isMadeAgain(op.getResult(0));
      if (op.getNumRegions() != 0 && !isa<AlongAxis>(op))
        numberRegions(op);
      else if (MemoryUse use(&op); isDoneAnywhere(&op, use))
        numberFree(op, use);
      else
        numberFixed(op, use);
    }
  }

  void numberRegions(Operation &op) {
    size_t entry = nextStep(op, now);
    endLoads(entry);
    for (Region &region : op.getRegions())
      for (Block &inner : region)
        number(inner);
    steps[&op].add(entry, nextStep(op, now));
    endLoads(now);
    for (Value result : op.getResults())
      made[result] = now;
  }

  void numberFree(Operation &op, MemoryUse use) {
    size_t step = madeStep(op);
    if ((use.readsShared || use.readsGlobal) && !readsConstants(op)) {
      step = std::max(step, ordered);
      (use.readsShared ? waitingShared : waiting).push_back(&op);
    }
    for (Value result : op.getResults())
      made[result] = step;
  }

  void numberFixed(Operation &op, MemoryUse use) {
    auto along = dyn_cast<AlongAxis>(op);
    bool isOrdering =
        along ? !along.getExchange().empty() : use.orders() || op.hasTrait<OpTrait::IsTerminator>();
    bool usesShared = use.readsShared || use.writesShared;
    size_t behind = usesShared ? std::max(madeStep(op), ordered) : madeStep(op);
    size_t first = nextStep(op, isOrdering ? now : behind);
    // The result is there a step behind all elements. A scan wants them again then: it knows
    // only now what comes before a thread's; and a product adds to each of its sums.
    size_t last = along || isProduct(&op) ? nextStep(op, first) : first;
    bool isDoneAtOnce = along && !along.isScan();
    steps[&op].add(first, isDoneAtOnce ? first : last);
    if (isOrdering)
      endLoads(last, /*alsoShared=*/!isa<GlobalAccess>(op));
    for (Value result : op.getResults())
      made[result] = last;
  }

  static bool isProduct(Operation *op) { return isa<DotOp, SharedDotOp>(op); }

  /// Whether an op computes element by element, or loads, so that no step is its own.
  static bool isDoneAnywhere(Operation *op, MemoryUse use) {
    bool isFixed = isa<AlongAxis>(op) || isProduct(op) || op->hasTrait<OpTrait::IsTerminator>();
    return !isFixed && !use.writesShared && !use.orders();
  }

  bool readsConstants(Operation &op) const {
    auto access = dyn_cast<GlobalAccess>(op);
    // A long way back is not followed for each load.
    constexpr size_t kMaxOffsets = 64;
    return access && constants.contains(rootArgument(access.getPointer(), kMaxOffsets));
  }

  size_t madeStep(Operation &op) const {
    size_t step = 0;
    for (Value operand : op.getOperands())
      step = std::max(step, made.lookup(operand));
    return step;
  }

  size_t nextStep(Operation &op, size_t behind) {
    if (behind + 1 == opOfStep.size())
      opOfStep.push_back(&op);
    now = std::max(now, behind + 1);
    return behind + 1;
  }

  /// What was loaded before an op that orders memory was there before it.
  void endLoads(size_t step, bool alsoShared = true) {
    if (alsoShared)
      waiting.insert(waiting.end(), waitingShared.begin(), waitingShared.end());
    for (Operation *load : waiting)
      deadlines[load] = step - 1;
    waiting.clear();
    if (alsoShared)
      waitingShared.clear();
    ordered = step;
  }

  //===------------------------------------------------------------------===//
  // Backwards: needs
  //===------------------------------------------------------------------===//

  void finish(Operation *op) {
    auto found = steps.find(op);
    Steps at;
    if (found == steps.end()) {
      for (Value result : op->getResults())
        if (needs.contains(result))
          at.add(needs[result].first, needs[result].last);
      if (at.first == kNever)
        return; // Nobody needs it.
      size_t step = stepOfFree(op, at.first);
      at = {step, step};
    } else {
      at = found->second;
      for (Region &region : op->getRegions())
        for (Block &block : region)
          for (BlockArgument argument : block.getArguments())
            hold(argument, made.lookup(argument));
      // What a loop begins with is needed when it begins.
      if (op->getNumRegions() != 0 && !isa<AlongAxis>(op))
        at.last = at.first;
    }
    bool holdsFromStart = found == steps.end() || hasOwnSums(op);
    for (Value result : op->getResults())
      hold(result, holdsFromStart ? at.first : made.lookup(result));
    for (Value operand : op->getOperands())
      need(operand, op, at);
  }

  /// Whether a product adds to sums that nobody else holds, from its first step on: not to those of
  /// the product before, whose registers become its own.
  bool hasOwnSums(Operation *op) {
    Value sums;
    if (auto dot = dyn_cast<DotOp>(op))
      sums = dot.getAcc();
    else if (auto dot = dyn_cast<SharedDotOp>(op))
      sums = dot.getAcc();
    return sums && registersOf(sums) == 0;
  }

  size_t stepOfFree(Operation *op, size_t needed) {
    size_t step = needed;
    if (auto deadline = deadlines.find(op); deadline != deadlines.end())
      step = std::min(step, deadline->second);
    uint64_t ending = 0, beginning = 0;
    for (Value operand : op->getOperands())
      if (llvm::all_of(operand.getUsers(), [op](Operation *user) { return user == op; }))
        ending += registersOf(operand);
    for (Value result : op->getResults())
      beginning += registersOf(result);
    return beginning < ending ? std::min(step, made.lookup(op->getResult(0))) : step;
  }

  void need(Value operand, Operation *user, Steps at) {
    if (!isa<RankedTensorType>(operand.getType()))
      return;
    Operation *loop = nullptr;
    for (Operation *op = user; op->getBlock() != operand.getParentBlock(); op = op->getParentOp())
      if (isa<LoopLikeOpInterface>(op->getParentOp()))
        loop = op->getParentOp();
    if (loop)
      at = steps[loop];
    needs[operand].add(at.first, at.last);
  }

  void hold(Value value, size_t from) {
    auto found = needs.find(value);
    uint64_t registers = found == needs.end() ? 0 : registersOf(value);
    if (registers == 0 || found->second.last <= from)
      return;
    changes.push_back({from, registers});
    changes.push_back({found->second.last, -static_cast<int64_t>(registers)});
  }

  RegisterNeed most() {
    RegisterNeed place;
    std::sort(changes.begin(), changes.end());
    int64_t registers = 0;
    for (auto [step, change] : changes) {
      registers += change;
      if (registers > static_cast<int64_t>(place.registers))
        place = {static_cast<uint64_t>(registers), opOfStep[step + 1]};
    }
    return place;
  }

  uint64_t registersOf(Value value) {
    auto type = dyn_cast<RankedTensorType>(value.getType());
    if (!type || isMadeAgain(value))
      return 0;
    auto [found, isNew] = known.try_emplace(type, 0);
    if (isNew)
      found->second = measure(type);
    return found->second;
  }

  bool isMadeAgain(Value value) {
    Operation *op = value.getDefiningOp();
    if (!op)
      return false;
    auto [found, isNew] = madeAgain.try_emplace(op, false);
    if (!isNew)
      return found->second;
    auto again = dyn_cast<Rematerializable>(op);
    bool answer = again && again.isCheap([this](Value operand) { return isMadeAgain(operand); });
    return madeAgain[op] = answer || repeatsCarried(op);
  }

  /// Whether an op repeats integers that a loop carries, as offsets of rows: in no registers but
  /// theirs.
  static bool repeatsCarried(Operation *op) {
    return isa<BroadcastOp, ExpandDimsOp>(op) && isa<BlockArgument>(op->getOperand(0)) &&
           elementTypeOf(op->getOperand(0).getType()).isInteger();
  }

  function_ref<uint64_t(RankedTensorType)> measure;
  llvm::SmallDenseSet<Value> constants;
  /// In the order of the text.
  std::vector<Operation *> order;
  /// The first op with each step, from 1 on.
  std::vector<Operation *> opOfStep;
  size_t now = 0, ordered = 0;
  /// Of ops that have steps of their own.
  llvm::DenseMap<Operation *, Steps> steps;
  /// The step from which a value is there, or can be.
  llvm::DenseMap<Value, size_t> made;
  /// Loads that nothing has ordered yet, and the last step of those that something has.
  std::vector<Operation *> waiting, waitingShared;
  llvm::DenseMap<Operation *, size_t> deadlines;
  llvm::DenseMap<Value, Steps> needs;
  /// From a step on, the registers that are more, or fewer.
  std::vector<std::pair<size_t, int64_t>> changes;
  llvm::DenseMap<Type, uint64_t> known;
  llvm::DenseMap<Operation *, bool> madeAgain;
};
} // namespace

BlockRegisters fsm::blockRegisters(KernelOp kernel,
                                   function_ref<uint64_t(RankedTensorType)> measure) {
  return BlockLives(kernel, measure).run();
}
