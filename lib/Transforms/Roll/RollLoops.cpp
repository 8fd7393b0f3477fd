//===- RollLoops.cpp - Loops for what repeats ----------------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// 1. A kernel that is not long stays as it is.
// 2. In each block, inner ones first, repeats are found (RepeatPlan.h).
// 3. The first copy of each becomes the body of a loop and the others go. The loop carries what a
//    copy uses of the copy before; constants that move are computed from the counter.
// 4. What is now repeated is looked for once more, for a group may hold a repeat.
//
//===----------------------------------------------------------------------===//

#include "fsm/Transforms/Passes.h"

#include "RepeatPlan.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

namespace fsm {
#define GEN_PASS_DEF_ROLLLOOPSPASS
#include "fsm/Transforms/Passes.h.inc"
} // namespace fsm

using namespace mlir;
using namespace fsm;

/// Of the weight of a long kernel, what a repeat has at least, and what a loop's body has, so that
/// loads of it still overlap and its counter costs little.
static constexpr uint64_t kShareOfRepeat = 16, kShareOfGroup = 64;
/// Groups within groups within groups.
static constexpr unsigned kMostRounds = 4;

namespace {
/// Writes one repeat as a loop.
class LoopWriter {
public:
  explicit LoopWriter(const Repeat &repeat)
      : repeat(repeat), copies(repeat.copies()), builder(repeat.ops.front()),
        loc(repeat.ops.front()->getLoc()) {}

  void write() {
    collectCarried();
    if (usesBehind())
      --copies;
    moveConstants();
    auto number = [&](uint32_t value) -> Value {
      return arith::ConstantOp::create(builder, loc, builder.getI32IntegerAttr(value));
    };
    Value zero = number(0), end = number(copies), one = number(1);
    SmallVector<Value> initial;
    for (auto &[key, result] : carried)
      initial.push_back(key.second);
    auto loop = scf::ForOp::create(builder, loc, zero, end, one, initial);
    replaceLastCopy(loop);
    eraseCopies();
    fill(loop);
  }

private:
  /// Copies from one on, up to another.
  ArrayRef<Operation *> copy(size_t begin, size_t end) const {
    return repeat.ops.slice(begin * repeat.groupSize, (end - begin) * repeat.groupSize);
  }

  /// What corresponds in another copy to a result of the first.
  Value resultIn(size_t copy, OpResult result) const {
    return repeat.ops[copy * repeat.groupSize + indexes.lookup(result.getOwner())]->getResult(
        result.getResultNumber());
  }

  /// Of each result that the next copy uses: once for each value that the first copy has for it.
  void collectCarried() {
    for (auto [index, op] : llvm::enumerate(repeat.group()))
      indexes[op] = index;
    for (const RepeatedOperand &operand : repeat.operands)
      if (operand.source == Source::CopyBefore)
        carried.try_emplace({operand.result, operand.operand->get()},
                            static_cast<unsigned>(carried.size()));
  }

  /// Whether results of the last copy that the loop does not carry are used: then this copy stays
  /// behind the loop, for what the loop carries would have no value to begin with.
  bool usesBehind() const {
    Block *block = repeat.ops.front()->getBlock();
    DenseSet<Value> results;
    for (auto &[key, index] : carried)
      results.insert(resultIn(copies - 1, key.first));
    ArrayRef<Operation *> last = copy(copies - 1, copies);
    DenseSet<Operation *> inside(last.begin(), last.end());
    return llvm::any_of(last, [&](Operation *op) {
      return llvm::any_of(op->getResults(), [&](Value result) {
        return !results.contains(result) && llvm::any_of(result.getUsers(), [&](Operation *user) {
          return !inside.contains(block->findAncestorOpInBlock(*user));
        });
      });
    });
  }

  /// Constants may stand in front of where they are used first: in the loop.
  void moveConstants() {
    Operation *begin = repeat.ops.front();
    for (const RepeatedOperand &operand : repeat.operands) {
      Operation *constant = operand.operand->get().getDefiningOp();
      if (constant && constant->hasTrait<OpTrait::ConstantLike>() &&
          constant->getBlock() == begin->getBlock() && begin->isBeforeInBlock(constant))
        constant->moveBefore(begin);
    }
  }

  /// What is behind the loop uses its results.
  void replaceLastCopy(scf::ForOp loop) {
    for (auto &[key, index] : carried)
      resultIn(copies - 1, key.first).replaceAllUsesWith(loop.getResult(index));
  }

  /// Takes away all copies but the first, and the constants that nothing else uses.
  void eraseCopies() {
    llvm::SetVector<Operation *> constants;
    for (Operation *op : llvm::reverse(copy(1, copies))) {
      for (Value operand : op->getOperands())
        if (matchPattern(operand, m_Constant()))
          constants.insert(operand.getDefiningOp());
      op->erase();
    }
    for (Operation *constant : constants)
      if (constant->use_empty())
        constant->erase();
  }

  /// Moves the first copy into the loop.
  void fill(scf::ForOp loop) {
    Block *body = loop.getBody();
    Operation *terminator = body->mightHaveTerminator() ? body->getTerminator() : nullptr;
    for (Operation *op : repeat.group())
      if (terminator)
        op->moveBefore(terminator);
      else
        op->moveBefore(body, body->end());
    builder.setInsertionPointToStart(body);
    for (const RepeatedOperand &operand : repeat.operands) {
      if (operand.source == Source::CopyBefore)
        operand.operand->set(loop.getRegionIterArg(
            carried.lookup({operand.result, operand.operand->get()})));
      else if (operand.source == Source::Moving)
        operand.operand->set(moving(operand, loop.getInductionVar()));
    }
    if (carried.empty())
      return;
    SmallVector<Value> yielded;
    for (auto &[key, index] : carried)
      yielded.push_back(key.first);
    builder.setInsertionPointToEnd(body);
    scf::YieldOp::create(builder, loc, yielded);
  }

  /// first + step * counter, in the bits of the constant, which is what each copy has: the step was
  /// taken in these bits.
  Value moving(const RepeatedOperand &operand, Value counter) {
    Value first = operand.operand->get();
    Type type = first.getType(), element = getElementTypeOrSelf(type);
    Attribute step = builder.getIntegerAttr(element, operand.step);
    if (Value moved = known.lookup({first, step}))
      return moved;
    auto number = [&](const APInt &value) -> Value {
      return arith::ConstantOp::create(builder, loc, builder.getIntegerAttr(element, value));
    };
    Value &steps = known[{Value(), step}];
    if (!steps) {
      unsigned bits = operand.step.getBitWidth();
      Value times = counter;
      if (bits > 32)
        times = arith::ExtUIOp::create(builder, loc, element, counter);
      else if (bits < 32)
        times = arith::TruncIOp::create(builder, loc, element, counter);
      steps = arith::MulIOp::create(builder, loc, times, number(operand.step));
    }
    Value moved = arith::AddIOp::create(builder, loc, steps, number(*movingNumber(first)));
    if (isa<RankedTensorType>(type))
      moved = SplatOp::create(builder, loc, type, moved);
    known[{first, step}] = moved;
    return moved;
  }

  const Repeat &repeat;
  size_t copies;
  OpBuilder builder;
  Location loc;
  /// In the group.
  DenseMap<Operation *, size_t> indexes;
  /// Results of the first copy, each with what the loop begins with, and their places in the loop.
  llvm::MapVector<std::pair<OpResult, Value>, unsigned> carried;
  /// Constants that move by a step, and without a constant that step so many times.
  DenseMap<std::pair<Value, Attribute>, Value> known;
};

struct RollLoops : fsm::impl::RollLoopsPassBase<RollLoops> {
  using RollLoopsPassBase::RollLoopsPassBase;

  void runOnOperation() override {
    KernelOp kernel = getOperation();
    if (weightOf(kernel) < rollFrom)
      return markAllAnalysesPreserved();
    RepeatBounds bounds{rollFrom / kShareOfRepeat, rollFrom / kShareOfGroup};
    SmallVector<Block *> blocks{&kernel.getBody().front()};
    kernel.getBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
      // What runs ahead in a loop with stages stands in that loop itself.
      if (isa<scf::ForOp, scf::IfOp>(op) && !op->hasAttr(kNumStagesAttr))
        for (Region &region : op->getRegions())
          for (Block &block : region)
            blocks.push_back(&block);
    });
    for (Block *block : llvm::reverse(blocks))
      for (unsigned round = 0; round < kMostRounds && roll(*block, bounds); ++round)
        ;
  }

private:
  /// Whether there was something to roll.
  bool roll(Block &block, RepeatBounds bounds) {
    RepeatPlan plan(block, bounds);
    for (const Repeat &repeat : plan.repeats()) {
      LoopWriter(repeat).write();
      ++rolled;
    }
    return !plan.repeats().empty();
  }
};
} // namespace
