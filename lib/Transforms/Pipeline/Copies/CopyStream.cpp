//===- CopyStream.cpp - Copies that go on with a loop's next run ----------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CopyStream.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace fsm;

bool fsm::isInvariant(Value value, scf::ForOp loop) {
  if (loop.isDefinedOutsideOfLoop(value))
    return true;
  Operation *op = value.getDefiningOp();
  return op && op->getBlock() == loop.getBody() && isMemoryEffectFree(op) && op->getNumRegions() == 0 &&
         llvm::all_of(op->getOperands(), [&](Value operand) { return isInvariant(operand, loop); });
}

bool fsm::repeatsElements(Operation *op) {
  return isa_and_present<BroadcastOp, ExpandDimsOp, SplatOp>(op);
}

std::optional<CopyStream> CopyStream::of(scf::ForOp outer, scf::ForOp inner, int64_t distance) {
  CopyStream stream(outer, inner, distance);
  if (!stream.find())
    return std::nullopt;
  return stream;
}

/// Whether it is the number of the iteration so far ahead.
bool CopyStream::isAhead(Operation *op) const {
  APInt number;
  return isa<arith::AddIOp>(op) && op->getOperand(0) == scf::ForOp(inner).getInductionVar() &&
         matchPattern(op->getOperand(1), m_ConstantInt(&number)) && number.getSExtValue() == distance * step;
}

/// Whether it says that there is an iteration so far ahead.
bool CopyStream::isInside(Operation *op) const {
  scf::ForOp loop = inner;
  auto compare = dyn_cast<arith::CmpIOp>(op);
  auto less = compare ? compare.getRhs().getDefiningOp<arith::SubIOp>() : arith::SubIOp();
  APInt number;
  return less && compare.getPredicate() == arith::CmpIPredicate::slt &&
         compare.getLhs() == loop.getInductionVar() && less.getLhs() == loop.getUpperBound() &&
         matchPattern(less.getRhs(), m_ConstantInt(&number)) && number.getSExtValue() == distance * step;
}

bool CopyStream::addFromOutside(Value value) {
  if (isInvariant(value, outer) || isa_and_present<SharedAllocOp>(value.getDefiningOp()))
    return true;
  Operation *op = value.getDefiningOp();
  if (!op || op->getBlock() != outer.getBody())
    return false;
  if (repeatsElements(op))
    return addFromOutside(op->getOperand(0));
  perRun.insert(value);
  return true;
}

bool CopyStream::add(Value value) {
  if (inner.isDefinedOutsideOfLoop(value))
    return addFromOutside(value);
  Operation *op = value.getDefiningOp();
  if (!op || op->getBlock() != inner.getBody() || !isMemoryEffectFree(op) || op->getNumRegions() > 0)
    return false;
  if (isAhead(op)) {
    ahead.insert(op);
    return true;
  }
  if (isInside(op)) {
    inside.insert(op);
    return true;
  }
  return !made.insert(op) || llvm::all_of(op->getOperands(), [&](Value operand) { return add(operand); });
}

bool CopyStream::find() {
  APInt number;
  if (!matchPattern(inner.getLowerBound(), m_Zero()) || !matchPattern(inner.getStep(), m_ConstantInt(&number)) ||
      !isInvariant(inner.getUpperBound(), outer))
    return false;
  step = number.getSExtValue();
  WalkResult found = inner.getBody()->walk([&](Operation *op) {
    auto copy = dyn_cast<CopyAsyncOp>(op);
    if (!copy)
      return WalkResult::advance();
    copies.insert(op);
    bool isKnown = op->getBlock() == inner.getBody() && !copy.getMbarriers() && copy.getCondition();
    for (OpOperand &operand : op->getOpOperands())
      isKnown = isKnown && (operand.get() == copy.getSlot() || add(operand.get()));
    return isKnown ? WalkResult::advance() : WalkResult::interrupt();
  });
  auto isForCopies = [&](Operation *op) {
    return llvm::all_of(op->getUsers(), [&](Operation *user) { return made.contains(user) || copies.contains(user); });
  };
  return !found.wasInterrupted() && !copies.empty() && !inside.empty() &&
         llvm::all_of(ahead, isForCopies) && llvm::all_of(inside, isForCopies) && llvm::all_of(made, isForCopies);
}

static Value constantAs(ImplicitLocOpBuilder &builder, Value like, int64_t number) {
  return arith::ConstantOp::create(builder, builder.getIntegerAttr(like.getType(), number));
}

/// The number at which the inner loop ends, which is none that it counts.
Value CopyStream::endOf(ImplicitLocOpBuilder &builder) const {
  Value end = scf::ForOp(inner).getUpperBound();
  if (step == 1)
    return end;
  // fsm-normalize-loops has left it room.
  Value last = arith::AddIOp::create(builder, end, constantAs(builder, end, step - 1));
  Value count = arith::DivSIOp::create(builder, last, constantAs(builder, end, step));
  return arith::MulIOp::create(builder, count, constantAs(builder, end, step));
}

Value CopyStream::isLong(ImplicitLocOpBuilder &builder) const {
  Value end = endOf(builder);
  return arith::CmpIOp::create(builder, arith::CmpIPredicate::sge, end, constantAs(builder, end, distance * step));
}

/// The value of the run to which the copies have come, of which `own` has the rows.
Value CopyStream::ownOf(ImplicitLocOpBuilder &builder, Value value, llvm::DenseMap<Value, Value> &own) const {
  if (Value known = own.lookup(value))
    return known;
  Operation *op = value.getDefiningOp();
  if (!op || isInvariant(value, outer) || !repeatsElements(op))
    return value;
  Value repeated = ownOf(builder, op->getOperand(0), own);
  Operation *again = builder.clone(*op);
  again->setOperand(0, repeated);
  return own[value] = again->getResult(0);
}

scf::ForOp CopyStream::write(Value exists,
                             llvm::function_ref<SmallVector<Value>(ImplicitLocOpBuilder &)> compute) {
  IRRewriter rewriter(inner);
  unsigned before = inner.getNumRegionIterArgs();
  // What is yielded is known when there are arguments.
  auto yield = [](OpBuilder &, Location, ArrayRef<BlockArgument> rows) { return SmallVector<Value>(rows.begin(), rows.end()); };
  ImplicitLocOpBuilder front(inner.getLoc(), inner);
  Value mayGoOn = arith::AndIOp::create(front, exists, isLong(front)), end = endOf(front);
  auto replaced = inner.replaceWithAdditionalYields(rewriter, rows(), /*replaceInitOperandUsesInLoop=*/false, yield);
  inner = cast<scf::ForOp>(replaced->getOperation());
  ArrayRef<BlockArgument> carried = inner.getRegionIterArgs().drop_front(before);

  ImplicitLocOpBuilder builder(inner.getLoc(), inner.getBody(), inner.getBody()->begin());
  Value counter = inner.getInductionVar();
  Value further = arith::AddIOp::create(builder, counter, constantAs(builder, counter, distance * step));
  Value isOver = arith::CmpIOp::create(builder, arith::CmpIPredicate::eq, further, end);
  auto next = scf::IfOp::create(builder, TypeRange(ValueRange(carried)), isOver, /*withElseRegion=*/true);
  ImplicitLocOpBuilder then(inner.getLoc(), next.thenBlock(), next.thenBlock()->end());
  scf::YieldOp::create(then, compute(then));
  ImplicitLocOpBuilder otherwise(inner.getLoc(), next.elseBlock(), next.elseBlock()->end());
  scf::YieldOp::create(otherwise, ValueRange(carried));
  Value isInRun = arith::CmpIOp::create(builder, arith::CmpIPredicate::slt, further, end);
  Value beyond = arith::SubIOp::create(builder, further, end);
  Value iteration = arith::SelectOp::create(builder, isInRun, further, beyond);
  Value isThere = arith::OrIOp::create(builder, isInRun, mayGoOn);

  llvm::DenseMap<Value, Value> own;
  for (auto [row, result] : llvm::zip_equal(rows(), next.getResults()))
    own[row] = result;
  llvm::SmallVector<Operation *> users(made.begin(), made.end());
  llvm::append_range(users, copies);
  for (Operation *user : users)
    for (OpOperand &operand : user->getOpOperands()) {
      Operation *op = operand.get().getDefiningOp();
      if (op && ahead.contains(op))
        operand.set(iteration);
      else if (op && inside.contains(op))
        operand.set(isThere);
      else if (inner.isDefinedOutsideOfLoop(operand.get()))
        operand.set(ownOf(builder, operand.get(), own));
    }
  auto yielding = cast<scf::YieldOp>(inner.getBody()->getTerminator());
  for (auto [i, result] : llvm::enumerate(next.getResults()))
    yielding->setOperand(before + static_cast<unsigned>(i), result);
  return inner;
}
