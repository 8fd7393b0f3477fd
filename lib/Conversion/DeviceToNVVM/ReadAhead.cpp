//===- ReadAhead.cpp - Reads in front of an iteration --------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// An iteration of a product by multiply-adds waits for its copies, meets the other threads, begins copies of
// a later iteration and only then reads numbers, which take some thirty cycles to come. With two warps for each part of a
// multiprocessor nobody multiplies in the meantime:
//
//   wait, meet, copy, read 0, multiply 0, read 1, multiply 1, ..., read 15, multiply 15
//
// becomes, with what stands in front of the loop on the left,
//
//   wait, meet, read 0 |  multiply 0, ..., read 8, copy, multiply 8, ..., read 15, wait, meet, read 0 of the next, multiply 15
//
// 1. Copies move behind reads: what asynchronous copies bring is there behind a wait only, so that no read without one
//    depends on them; and what they overwrite no thread reads without a barrier.
// 2. The wait, the barrier and the first reads of the next iteration stand behind all other accesses of this one. Of an
//    iteration that is none the slot at hand is read again, and in front of a loop without iterations nothing is.

#include "fsm/Conversion/Passes.h"

#include "fsm/Analysis/Loops.h"
#include "fsm/IR/FSMDialect.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace fsm {
#define GEN_PASS_DEF_READAHEADPASS
#include "fsm/Conversion/Passes.h.inc"
} // namespace fsm

using namespace mlir;
using namespace fsm;

/// The address space of shared memory.
static constexpr unsigned kSharedSpace = 3;

static bool isPure(Operation &op) { return isMemoryEffectFree(&op) && op.getNumRegions() == 0; }

/// Whether an op begins copies and does nothing else.
static bool isCopies(Operation &op) {
  if (isa<NVVM::CpAsyncOp>(op))
    return true;
  auto choice = dyn_cast<scf::IfOp>(op);
  if (!choice || choice.getNumResults() != 0 || choice.elseBlock())
    return false;
  return llvm::all_of(choice.thenBlock()->without_terminator(), [](Operation &inside) {
    auto text = dyn_cast<LLVM::InlineAsmOp>(inside);
    return isPure(inside) || isa<NVVM::CpAsyncOp>(inside) || (text && !text.getHasSideEffects());
  });
}

namespace {
/// What such a loop is made of.
class Reader {
public:
  explicit Reader(scf::ForOp loop) : loop(loop) {}

  /// Whether the loop is one.
  bool find();
  void run();

private:
  bool take(Operation &op);
  bool findAddresses();
  void moveCopies();
  Operation *cloneHead(OpBuilder &builder, IRMapping &mapping);
  SmallVector<Value> readFirst();
  SmallVector<Value> readNext();

  scf::ForOp loop;
  NVVM::CpAsyncWaitGroupOp wait;
  NVVM::Barrier0Op barrier;
  SmallVector<Operation *> copies;
  unsigned commits = 0;
  /// The reads in front of the first multiply-add, and what computes their addresses.
  SmallVector<LLVM::LoadOp> reads;
  SmallVector<Operation *> addresses;
  /// What the next iteration's counters are made of.
  SmallVector<Operation *> counters;
  SmallVector<BlockArgument> carried;
  /// The first multiply-add behind each group of reads.
  SmallVector<Operation *> steps;
  bool hasRead = false;
};
} // namespace

/// Enters an op of the body; false where it has no place in such a loop.
bool Reader::take(Operation &op) {
  if (auto first = dyn_cast<NVVM::CpAsyncWaitGroupOp>(op)) {
    bool isFirst = !wait && steps.empty();
    wait = first;
    return isFirst;
  }
  if (auto meeting = dyn_cast<NVVM::Barrier0Op>(op)) {
    bool isFirst = wait && !barrier;
    barrier = meeting;
    return isFirst;
  }
  if (isa<NVVM::CpAsyncCommitGroupOp>(op) || isCopies(op)) {
    commits += isa<NVVM::CpAsyncCommitGroupOp>(op);
    copies.push_back(&op);
    return barrier && steps.empty();
  }
  if (auto read = dyn_cast<LLVM::LoadOp>(op)) {
    auto pointer = cast<LLVM::LLVMPointerType>(read.getAddr().getType());
    hasRead = true;
    if (steps.empty())
      reads.push_back(read);
    return barrier && pointer.getAddressSpace() == kSharedSpace && !read.getVolatile_();
  }
  if (!isPure(op))
    return false;
  if (isa<math::FmaOp>(op)) {
    if (hasRead)
      steps.push_back(&op);
    hasRead = false;
  }
  return true;
}

/// The pure ops of the body that values are computed by, in its order; false where there are others.
static bool sliceOf(scf::ForOp loop, ValueRange values, SmallVectorImpl<Operation *> &ops,
                    SmallVectorImpl<BlockArgument> &carried) {
  llvm::SetVector<Operation *> slice;
  BackwardSliceOptions options;
  options.inclusive = true;
  options.omitBlockArguments = true;
  options.filter = [&](Operation *op) { return op->getBlock() == loop.getBody(); };
  for (Value value : values)
    if (failed(getBackwardSlice(value, &slice, options)))
      return false;
  ops.assign(slice.begin(), slice.end());
  llvm::sort(ops, [](Operation *one, Operation *other) { return one->isBeforeInBlock(other); });
  llvm::SetVector<Value> operands(values.begin(), values.end());
  for (Operation *op : ops)
    operands.insert_range(op->getOperands());
  for (Value operand : operands)
    if (auto argument = dyn_cast<BlockArgument>(operand);
        argument && argument.getOwner() == loop.getBody() && argument != loop.getInductionVar() &&
        !llvm::is_contained(carried, argument))
      carried.push_back(argument);
  return llvm::all_of(ops, [](Operation *op) { return isPure(*op) && !isa<LLVM::LoadOp, math::FmaOp>(op); });
}

bool Reader::findAddresses() {
  SmallVector<Value> pointers, next;
  for (LLVM::LoadOp read : reads)
    pointers.push_back(read.getAddr());
  if (!sliceOf(loop, pointers, addresses, carried))
    return false;
  for (BlockArgument argument : carried) {
    if (!argument.getType().isInteger())
      return false;
    next.push_back(loop.getTiedLoopYieldedValue(argument)->get());
  }
  SmallVector<BlockArgument> others;
  return sliceOf(loop, next, counters, others);
}

bool Reader::find() {
  for (Operation &op : loop.getBody()->without_terminator())
    if (!take(op))
      return false;
  return commits == 1 && copies.size() > 1 && !hasRead && !steps.empty() && findAddresses();
}

void Reader::moveCopies() {
  Operation *middle = steps[steps.size() / 2];
  for (Operation *op : copies)
    op->moveBefore(middle);
}

/// The wait, the barrier and what computes the addresses, for values that are mapped.
Operation *Reader::cloneHead(OpBuilder &builder, IRMapping &mapping) {
  builder.clone(*wait);
  Operation *last = builder.clone(*barrier);
  for (Operation *op : addresses)
    last = builder.clone(*op, mapping);
  return last;
}

static Value isLess(ImplicitLocOpBuilder &b, scf::ForOp loop, Value counter) {
  return arith::CmpIOp::create(b, belowBound(loop), counter, loop.getUpperBound());
}

/// What the first iteration reads, in front of the loop.
SmallVector<Value> Reader::readFirst() {
  ImplicitLocOpBuilder b(loop.getLoc(), loop);
  IRMapping mapping;
  mapping.map(loop.getInductionVar(), loop.getLowerBound());
  for (auto [argument, init] : llvm::zip_equal(loop.getRegionIterArgs(), loop.getInitArgs()))
    mapping.map(argument, init);
  cloneHead(b, mapping);
  auto types = llvm::map_to_vector(reads, [](LLVM::LoadOp read) { return read.getType(); });
  auto choice = scf::IfOp::create(b, types, isLess(b, loop, loop.getLowerBound()), /*withElseRegion=*/true);
  SmallVector<Value> numbers, zeros;
  b.setInsertionPointToStart(choice.thenBlock());
  for (LLVM::LoadOp read : reads)
    numbers.push_back(b.clone(*read, mapping)->getResult(0));
  scf::YieldOp::create(b, numbers);
  b.setInsertionPointToStart(choice.elseBlock());
  for (Type type : types)
    zeros.push_back(LLVM::ZeroOp::create(b, type));
  scf::YieldOp::create(b, zeros);
  return llvm::to_vector_of<Value>(choice.getResults());
}

/// What the next iteration reads, in front of the last multiply-adds of this one.
SmallVector<Value> Reader::readNext() {
  Operation *last = steps.back();
  for (Operation *op : counters)
    if (last->isBeforeInBlock(op))
      op->moveBefore(last);
  ImplicitLocOpBuilder b(loop.getLoc(), last);
  Value counter = arith::AddIOp::create(b, loop.getInductionVar(), loop.getStep());
  Value exists = isLess(b, loop, counter);
  IRMapping mapping;
  mapping.map(loop.getInductionVar(), arith::SelectOp::create(b, exists, counter, loop.getInductionVar()));
  for (BlockArgument argument : carried)
    mapping.map(argument, arith::SelectOp::create(b, exists, loop.getTiedLoopYieldedValue(argument)->get(), argument));
  cloneHead(b, mapping);
  SmallVector<Value> numbers;
  for (LLVM::LoadOp read : reads)
    numbers.push_back(b.clone(*read, mapping)->getResult(0));
  return numbers;
}

void Reader::run() {
  moveCopies();
  SmallVector<Value> first = readFirst(), next = readNext();
  IRRewriter rewriter(loop);
  auto yields = [&](OpBuilder &, Location, ArrayRef<BlockArgument>) { return next; };
  FailureOr<LoopLikeOpInterface> carrying =
      loop.replaceWithAdditionalYields(rewriter, first, /*replaceInitOperandUsesInLoop=*/false, yields);
  auto arguments = carrying->getRegionIterArgs().take_back(reads.size());
  for (auto [read, argument] : llvm::zip_equal(reads, arguments)) {
    read.replaceAllUsesWith(argument);
    read.erase();
  }
  wait.erase();
  barrier.erase();
}

namespace {
struct ReadAhead : fsm::impl::ReadAheadPassBase<ReadAhead> {
  void runOnOperation() override {
    SmallVector<scf::ForOp> loops;
    getOperation().walk([&](scf::ForOp loop) {
      if (loop->removeAttr(kReadAheadAttr))
        loops.push_back(loop);
    });
    for (scf::ForOp loop : loops)
      if (Reader reader(loop); reader.find()) {
        reader.run();
        ++advanced;
      }
  }
};
} // namespace
