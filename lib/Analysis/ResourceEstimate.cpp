//===- ResourceEstimate.cpp - What a kernel asks of a GPU -----------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Analysis/ResourceEstimate.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

#include <algorithm>

using namespace mlir;
using namespace fsm;

uint64_t fsm::registersOf(RankedTensorType block) {
  uint64_t bits = block.getElementTypeBitWidth();
  // Bytes are held in 16 bits, conditions in predicates.
  bits = bits == 1 ? 1 : std::max<uint64_t>(16, bits);
  return llvm::divideCeil(linearLayoutOf(block).liveRegisters().size() * bits, 32);
}

namespace {
/// Walks a kernel once; each value is held from the step of its op to that of its
/// last use, and around each loop that uses it from outside.
class BlockLives {
public:
  void run(KernelOp kernel) {
    visit(kernel.getBody().front());
    std::sort(changes.begin(), changes.end());
    int64_t words = 0;
    for (auto [step, change] : changes) {
      words += change;
      if (words > most) {
        most = words;
        fullest = steps[step];
      }
    }
  }

  int64_t most = 0;
  Operation *fullest = nullptr;

private:
  void visit(Block &block) {
    for (BlockArgument argument : block.getArguments())
      begin(argument);
    for (Operation &op : block) {
      steps.push_back(&op);
      first[&op] = steps.size() - 1;
      for (Region &region : op.getRegions())
        for (Block &inner : region)
          visit(inner);
      if (op.getNumRegions() != 0)
        steps.push_back(&op);
      last[&op] = steps.size() - 1;
      for (Value result : op.getResults())
        begin(result);
    }
    // All users of the block's values have been numbered.
    for (BlockArgument argument : block.getArguments())
      end(argument, block);
    for (Operation &op : block)
      for (Value result : op.getResults())
        end(result, block);
  }

  void begin(Value value) {
    if (steps.empty())
      return; // Arguments of the kernel are no blocks.
    starts[value] = steps.size() - 1;
    isMadeAgain(value);
  }

  /// A value dies before the results of its last user are there.
  void end(Value value, Block &block) {
    int64_t words = wordsOf(value);
    if (words == 0 || value.use_empty())
      return;
    size_t start = starts.lookup(value), stop = start;
    for (Operation *user : value.getUsers())
      stop = std::max(stop, stepOfUse(user, block));
    if (stop <= start)
      return;
    changes.push_back({start, words});
    changes.push_back({stop, -words});
  }

  /// A loop uses its initial values when it begins, and all else from outside until
  /// it ends.
  size_t stepOfUse(Operation *user, Block &block) {
    Operation *outermost = nullptr;
    for (Operation *op = user; op->getBlock() != &block; op = op->getParentOp())
      if (isa<scf::ForOp, scf::WhileOp>(op->getParentOp()))
        outermost = op->getParentOp();
    return outermost ? last.lookup(outermost) : first.lookup(user);
  }

  int64_t wordsOf(Value value) {
    auto type = dyn_cast<RankedTensorType>(value.getType());
    if (!type || !isa_and_present<LayoutAttr>(type.getEncoding()) || isMadeAgain(value))
      return 0;
    auto [found, isNew] = registers.try_emplace(type, 0);
    if (isNew)
      found->second = registersOf(type);
    return found->second;
  }

  /// The answer for operands is there: they come before their users.
  bool isMadeAgain(Value value) {
    Operation *op = value.getDefiningOp();
    if (!op)
      return false;
    auto [found, isNew] = madeAgain.try_emplace(op, false);
    if (!isNew)
      return found->second;
    auto again = dyn_cast<Rematerializable>(op);
    bool answer = again && again.isCheap([&](Value operand) {
      return madeAgain.lookup(operand.getDefiningOp());
    });
    return madeAgain[op] = answer;
  }

  std::vector<Operation *> steps;
  llvm::DenseMap<Operation *, size_t> first, last;
  llvm::DenseMap<Value, size_t> starts;
  llvm::DenseMap<Type, int64_t> registers;
  llvm::DenseMap<Operation *, bool> madeAgain;
  /// At a step, the words that are more (or fewer) behind it.
  std::vector<std::pair<size_t, int64_t>> changes;
};
} // namespace

unsigned fsm::programsWithRoom(KernelOp kernel, uint64_t needed, uint64_t available) {
  unsigned programs = std::max<int64_t>(1, integerAttrOr(kernel, kProgramsPerCtaAttr, 1));
  while (programs > 1 && needed > available / programs)
    programs /= 2;
  return programs;
}

ResourceEstimate fsm::estimateResources(KernelOp kernel) {
  ResourceEstimate needs;
  needs.warps = kernel.getNumWarps().value_or(1);
  needs.programsPerCta = integerAttrOr(kernel, kProgramsPerCtaAttr, 1);
  needs.threads = uint64_t(32) * needs.warps * needs.programsPerCta;
  needs.sharedBytes = uint64_t(integerAttrOr(kernel, kSharedBytesAttr, 0)) * needs.programsPerCta;
  BlockLives lives;
  lives.run(kernel);
  needs.words = lives.most;
  needs.fullest = lives.fullest;
  return needs;
}
