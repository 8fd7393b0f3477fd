//===- ComputeAgain.cpp - What is computed again behind exchanges --------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Two elements of 16 bits that were loaded have a register, and what is computed from them has one
// each:
//
//   %x = extf %raw                        %x = extf %raw
//   %e = exp(%x - %max)                   %e = exp(%x - %max)
//   %sum = reduce %e                      %sum = reduce %e
//                                         %same = fsm.renew %raw
//   %y = %e / %sum                        %y = exp(extf %same - %max) / %sum
//
// On the right a thread waits with half of the registers, and twice as many CTAs wait beside one
// another.
//
// ptxas sees through this, and keeps what it has registers for. Where that is more than it should, what it is computed from is hidden
// from it behind the last exchange (docs/decisions/0136-hidden-from-the-assembler.md): where conversions are all that is computed again,
// and else a part.

#include "fsm/Transforms/Passes.h"

#include "fsm/Analysis/MemoryOrder.h"
#include "fsm/Analysis/ResourceEstimate.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace fsm {
#define GEN_PASS_DEF_COMPUTEAGAINPASS
#include "fsm/Transforms/Passes.h.inc"
} // namespace fsm

using namespace mlir;
using namespace fsm;

/// What has fewer registers is kept.
static constexpr uint64_t kFewestRegisters = 8;
/// Registers that a thread waits with, of which twice as many and all else are more than three CTAs of eight warps leave it.
static constexpr uint64_t kManyHeld = 24;
/// So many ops may be computed again for a block.
static constexpr size_t kMostOps = 16;

static unsigned bitsOf(Value value) {
  return elementTypeOf(value.getType()).getIntOrFloatBitWidth();
}

static bool isBlock(Value value) { return isa<RankedTensorType>(value.getType()); }

static bool isArithmetic(Operation *op) {
  return op && op->getNumResults() == 1 && isElementwise(op) && isMemoryEffectFree(op);
}

/// Two elements have a register, and are not computed here.
static bool isNarrow(Value value) {
  return isBlock(value) && bitsOf(value) == 16 && !isArithmetic(value.getDefiningOp()) &&
         !isa_and_present<SplatOp>(value.getDefiningOp());
}

namespace {
/// What a block is computed from by arithmetic: narrow blocks, and what needs no registers.
struct Slice {
  llvm::SetVector<Operation *> ops;
  llvm::SetVector<Value> narrow;
  bool isPossible = true;

  /// Whether narrow blocks are among what a value comes from.
  bool collect(Value value);
  /// Whether nothing but conversions is computed, so that it costs next to nothing to do it again.
  bool isWidened() const { return llvm::all_of(ops, llvm::IsaPred<CastOpInterface>); }
  bool hasFunctions() const {
    return llvm::any_of(ops, [](Operation *op) { return isa<math::MathDialect>(op->getDialect()); });
  }
};

/// The blocks of which something is computed again behind an exchange.
struct Renewals {
  llvm::SetVector<Value> narrow;
  bool isLastExchange;
  /// Whether the program has several CTAs.
  bool isOnCtas;

  bool areMany() const;
  bool hides(const Slice &slice) const;
};
} // namespace

bool Slice::collect(Value value) {
  if (!isBlock(value))
    return false;
  if (isNarrow(value)) {
    narrow.insert(value);
    return true;
  }
  Operation *op = value.getDefiningOp();
  if (isa_and_present<SplatOp, RangeOp>(op) || bitsOf(value) == 1)
    return false;
  if (op && ops.contains(op))
    return true;
  if (!isArithmetic(op) || ops.size() > kMostOps) {
    isPossible &= op && op->hasTrait<OpTrait::ConstantLike>();
    return false;
  }
  bool isComputed = false;
  for (Value operand : op->getOperands())
    isComputed |= collect(operand);
  if (isComputed)
    ops.insert(op);
  return isComputed;
}

/// Whether a thread holds so much that the assembler, which keeps wide numbers of it, keeps some in memory.
bool Renewals::areMany() const {
  uint64_t registers = 0;
  for (Value block : narrow)
    registers += registersOf(cast<RankedTensorType>(block.getType()));
  return registers >= kManyHeld;
}

/// Whether the assembler shall compute it again as well. Of what takes more than conversions only as much as is needed that nothing is
/// in memory: it costs more than it brings. On several CTAs, whose exchanges take registers, that is all of it.
bool Renewals::hides(const Slice &slice) const {
  if (!isLastExchange)
    return false;
  if (slice.isWidened() || !areMany())
    return slice.isWidened();
  auto number = llvm::find(narrow, slice.narrow.front()) - narrow.begin(), count = static_cast<ptrdiff_t>(narrow.size());
  return slice.hasFunctions() ? number == 0 : isOnCtas || 2 * number >= count - 1;
}

/// The op of the exchange's block that has a use, or contains it.
static bool isBehind(Operation *exchange, OpOperand &use) {
  Operation *user = exchange->getBlock()->findAncestorOpInBlock(*use.getOwner());
  return user && exchange->isBeforeInBlock(user);
}

/// Whether a load may come behind the exchange: of what is in caches, and nothing writes to it on
/// the way.
static bool mayWait(Operation *op, Operation *exchange) {
  auto load = dyn_cast<LoadOp>(op);
  if (!load || !load->hasAttr(kAnyStartAttr) || load.getIsVolatile())
    return false;
  for (Operation *next = op->getNextNode(); next != exchange; next = next->getNextNode())
    if (mayWrite(next, op))
      return false;
  return true;
}

/// The first op of the exchange's block behind it that uses a value; null for none.
static Operation *firstUseBehind(Operation *exchange, Value value) {
  Operation *first = nullptr;
  for (Operation *user : value.getUsers()) {
    Operation *place = exchange->getBlock()->findAncestorOpInBlock(*user);
    if (place && exchange->isBeforeInBlock(place) && (!first || place->isBeforeInBlock(first)))
      first = place;
  }
  return first;
}

/// Moves to where it is used what is used behind the exchange alone.
static void sinkBehind(Operation *exchange) {
  for (Operation *op = exchange->getPrevNode(), *previous; op; op = previous) {
    previous = op->getPrevNode();
    bool mayMove = isArithmetic(op) || mayWait(op, exchange);
    auto behind = [&](OpOperand &use) { return isBehind(exchange, use); };
    if (!mayMove || !isBlock(op->getResult(0)) || !llvm::all_of(op->getUses(), behind))
      continue;
    if (Operation *place = firstUseBehind(exchange, op->getResult(0)))
      op->moveBefore(place);
  }
}

/// What is used behind an exchange, in the order of its first uses there.
static SmallVector<std::pair<Operation *, Value>> wantedBehind(Operation *exchange) {
  SmallVector<std::pair<Operation *, Value>> wanted;
  for (Operation &op : llvm::make_range(exchange->getBlock()->begin(), exchange->getIterator())) {
    if (!isArithmetic(&op) || !isBlock(op.getResult(0)) || bitsOf(op.getResult(0)) <= 16 ||
        registersOf(cast<RankedTensorType>(op.getResult(0).getType())) < kFewestRegisters)
      continue;
    Slice slice;
    Operation *place = firstUseBehind(exchange, op.getResult(0));
    if (place && slice.collect(op.getResult(0)) && slice.isPossible)
      wanted.push_back({place, op.getResult(0)});
  }
  // What is computed for one is there for those behind.
  llvm::stable_sort(wanted, [](auto &left, auto &right) {
    return left.first != right.first && left.first->isBeforeInBlock(right.first);
  });
  return wanted;
}

/// Lets what is used behind an exchange be computed there, where it is used.
static unsigned renewBehind(Operation *exchange, bool isLast) {
  auto wanted = wantedBehind(exchange);
  SmallVector<Slice> slices(wanted.size());
  Renewals renewals{{}, isLast, exchange->getParentOfType<KernelOp>().getNumCtas().value_or(1) > 1};
  for (auto [entry, slice] : llvm::zip_equal(wanted, slices)) {
    slice.collect(entry.second);
    renewals.narrow.insert_range(slice.narrow);
  }
  IRMapping again;
  for (auto [entry, slice] : llvm::zip_equal(wanted, slices)) {
    auto [place, block] = entry;
    OpBuilder builder(place);
    for (Value narrow : slice.narrow)
      if (!again.contains(narrow))
        again.map(narrow, RenewOp::create(builder, narrow.getLoc(), narrow, renewals.hides(slice)).getResult());
    for (Operation *part : slice.ops)
      if (!again.contains(part->getResult(0)))
        builder.clone(*part, again);
    block.replaceUsesWithIf(again.lookup(block), [&](OpOperand &use) { return isBehind(exchange, use); });
  }
  return static_cast<unsigned>(wanted.size());
}

namespace {
struct ComputeAgain : fsm::impl::ComputeAgainPassBase<ComputeAgain> {
  void runOnOperation() override {
    KernelOp kernel = getOperation();
    SmallVector<Operation *> exchanges;
    for (Operation &op : kernel.getBody().front())
      if (auto along = dyn_cast<AlongAxis>(op); along && !along.getExchange().empty())
        exchanges.push_back(&op);
    if (exchanges.empty() || !kernel->hasAttr(kHoldNarrowAttr))
      return markAllAnalysesPreserved();
    for (Operation *exchange : exchanges) {
      sinkBehind(exchange);
      blocks += renewBehind(exchange, exchange == exchanges.back());
    }
  }
};
} // namespace
