//===- Dot.cpp - Products of matrices over threads -----------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Both factors are in shared memory, as rows with a pitch or as tiles in slots. A thread goes along the
// products that are added to an element, some steps at a time: of a factor whose neighbours lie along
// that dimension it reads a vector of each line that it has elements of, of another one vectors for
// each step, and adds all their products to its elements.

#include "../Program/ThreadLowering.h"

#include "DotFactor.h"
#include "Mma.h"

#include "fsm/Analysis/MmaPlan.h"
#include "fsm/Analysis/ProductTiles.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace fsm;
using namespace fsm::gpu;

namespace {
/// One product, step by step.
class ProductLowering {
public:
  ProductLowering(DeviceProgram &program, SharedDotOp op, const FactorSlots &slots)
      : program(program), builder(program.builder), op(op), sumBlock(program, op.getType()),
        left(program, op, sumBlock, /*isRight=*/false, slots.left),
        right(program, op, sumBlock, /*isRight=*/true, slots.right) {
    findOrder();
  }

  Value run(Value acc) { return program.vectorOf(addAll(program.elementsOf(acc))); }

private:
  void findOrder();
  SmallVector<Value> addAll(SmallVector<Value> sums);
  void addStep(uint64_t step, std::optional<size_t> line, SmallVector<Value> &sums);
  void addSteps(Value first, uint64_t more, uint64_t count, SmallVector<Value> &sums);

  DeviceProgram &program;
  ImplicitLocOpBuilder &builder;
  SharedDotOp op;
  ThreadBlock sumBlock;
  ThreadFactor left, right;
  /// Of the registers of the sums.
  SmallVector<size_t> order;
};
} // namespace

/// Row by row, and every other row from its end: two products that follow one another share a factor, which the
/// GPU need not read from a register again. Three registers are more than it reads in a cycle.
void ProductLowering::findOrder() {
  llvm::MapVector<std::pair<size_t, size_t>, SmallVector<size_t>> rows;
  for (size_t index = 0; index < sumBlock.registers().size(); ++index)
    rows[left.sourceOf(index)].push_back(index);
  for (auto [number, row] : llvm::enumerate(llvm::make_second_range(rows))) {
    llvm::sort(row, [&](size_t one, size_t other) { return right.sourceOf(one) < right.sourceOf(other); });
    if (number % 2)
      std::reverse(row.begin(), row.end());
    llvm::append_range(order, row);
  }
}

/// Adds the product of one step to the sums that need a line of the right factor, or to all.
void ProductLowering::addStep(uint64_t step, std::optional<size_t> line, SmallVector<Value> &sums) {
  for (size_t index : order)
    if (!line || right.lineOf(index) == *line)
      sums[index] = multiplyAdd(builder, op.getLoc(), left.number(index, step),
                                right.number(index, step), sums[index], op.getSaturate());
}

/// Adds the products of `count` steps, a power of two, from `more` behind the step `first` (an i32) on.
void ProductLowering::addSteps(Value first, uint64_t more, uint64_t count,
                               SmallVector<Value> &sums) {
  if (left.isAlongInner() && right.isAlongInner()) {
    // Registers hold these steps of one factor, and of the other one a line at a time.
    left.read(first, more, count);
    for (size_t line = 0; line < right.numLines(); ++line) {
      right.readLine(line, first, more, count);
      for (uint64_t step = 0; step < count; ++step)
        addStep(step, line, sums);
    }
    return;
  }
  for (ThreadFactor *factor : {&left, &right})
    if (factor->isAlongInner())
      factor->read(first, more, count);
  for (uint64_t step = 0; step < count; ++step) {
    for (ThreadFactor *factor : {&left, &right})
      if (!factor->isAlongInner())
        factor->read(first, more + step, 1);
    addStep(step, std::nullopt, sums);
  }
}

/// Adds the products of all steps: a loop over vectors of the rows, then what is left, step by step.
/// Those of a tile are all written out.
SmallVector<Value> ProductLowering::addAll(SmallVector<Value> sums) {
  uint64_t extent = op.getInner(), count = stepsAtOnce(op);
  uint64_t whole = extent / count * count;
  auto number = [&](uint64_t value) { return program.i32(static_cast<int64_t>(value)); };
  if (!left.takesAnyStep() || !right.takesAnyStep()) {
    Value none = number(0);
    for (uint64_t step = 0; step < whole; step += count)
      addSteps(none, step, count, sums);
  } else if (whole == count) {
    addSteps(number(0), 0, count, sums);
  } else {
    auto loop = scf::ForOp::create(builder, number(0), number(whole), number(count), sums);
    loop->setAttr(kNoUnrollAttr, builder.getUnitAttr());
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    SmallVector<Value> carried(loop.getRegionIterArgs());
    addSteps(loop.getInductionVar(), 0, count, carried);
    scf::YieldOp::create(builder, carried);
    sums.assign(loop.getResults().begin(), loop.getResults().end());
  }
  for (uint64_t step = whole; step < extent; ++step)
    addSteps(number(step), 0, 1, sums);
  return sums;
}

/// Whether threads read a factor as it lies: in rows, or in a slot whose tile has a chunk of it side by
/// side.
static bool canRead(SharedType memory, bool isTransposed) {
  return memory.getLayout() || !isTransposed;
}

static LogicalResult lower(ThreadLowering &thread, SharedDotOp op) {
  Value acc = thread.lookup(op.getAcc());
  FactorSlots slots{thread.lookup(op.getLeftSlot()), thread.lookup(op.getRightSlot())};
  if (op->hasAttr(kMmaAttr)) {
    const MmaInstruction *mma = plannedMma(op);
    if (!mma)
      return op.emitOpError("expected '") << kMmaAttr << "' to be the shape of an instruction";
    Value held = op.leftMemory() ? Value() : thread.lookup(op.getLeft());
    auto multiply = mma->isOfWarpGroup() ? multiplyByWgmma : multiplyByMma;
    Value sums = multiply(thread.program, op, *mma, held, acc, slots);
    return sums ? thread.setResult(op, sums) : failure();
  }
  if (!canRead(op.leftMemory(), op.getLeftTransposed()) ||
      !canRead(op.getRight().getType(), op.getRightTransposed()))
    return op.emitOpError("expected '") << kMmaAttr << "' on a product of transposed factors";
  return thread.setResult(op, ProductLowering(thread.program, op, slots).run(acc));
}

static LogicalResult lower(ThreadLowering &thread, ProductWaitOp op) {
  return thread.setResult(op, waitForProducts(thread.program, thread.lookup(op.getSums())));
}

static LogicalResult lower(ThreadLowering &thread, ProductLimitOp op) {
  limitProducts(thread.program, op.getPending());
  return success();
}

static LogicalResult lower(ThreadLowering &, DotOp op) {
  return op.emitOpError("expected 'fsm-stage-exchanges' to bring its factors to shared memory");
}

void fsm::gpu::addDotHandlers(HandlerTable &table) {
  addHandler<DotOp, lower>(table);
  addHandler<SharedDotOp, lower>(table);
  addHandler<ProductWaitOp, lower>(table);
  addHandler<ProductLimitOp, lower>(table);
}
