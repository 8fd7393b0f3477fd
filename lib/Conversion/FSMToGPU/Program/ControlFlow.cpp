//===- ControlFlow.cpp - Loops and choices of a thread -------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ThreadLowering.h"

#include "fsm/Analysis/Loops.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace fsm;
using namespace fsm::gpu;

static SmallVector<Type> typesOf(ValueRange from) {
  return llvm::map_to_vector(from, [](Value value) { return threadType(value.getType()); });
}

/// The end of a region: what it yields. A terminator that is there already, for it yields
/// nothing, stays.
static LogicalResult lowerYield(ThreadLowering &thread, Block &from, ValueRange yielded) {
  if (failed(thread.lowerBody(from)))
    return failure();
  Block *block = thread.builder.getInsertionBlock();
  if (!block->empty() && block->back().hasTrait<OpTrait::IsTerminator>())
    return success();
  scf::YieldOp::create(thread.builder, from.getTerminator()->getLoc(), thread.lookup(yielded));
  return success();
}

/// A loop bound with so many bits more that adding the step never wraps.
static Value wide(OpBuilder &builder, Value bound, bool isUnsigned) {
  Type type = builder.getIntegerType(2 * bound.getType().getIntOrFloatBitWidth());
  if (isUnsigned)
    return arith::ExtUIOp::create(builder, bound.getLoc(), type, bound);
  return arith::ExtSIOp::create(builder, bound.getLoc(), type, bound);
}

static bool isOne(Value step) {
  APInt value;
  return matchPattern(step, m_ConstantInt(&value)) && value.isOne();
}

/// Whether a number of 64 bits is one of 32. Compared without a sign, one below 0 is none.
static bool isWidened(Value number, bool isUnsigned) {
  APInt value;
  if (matchPattern(number, m_ConstantInt(&value)))
    return isUnsigned ? value.isIntN(32) : value.isSignedIntN(32);
  Operation *op = number.getDefiningOp();
  bool isExtended = isUnsigned ? isa_and_present<arith::ExtUIOp>(op)
                               : isa_and_present<arith::ExtSIOp, arith::ExtUIOp>(op);
  return isExtended && op->getOperand(0).getType().getIntOrFloatBitWidth() <= 32;
}

/// How many iterations a loop over i64 with a positive step has, as an unsigned number.
static Value iterations(DeviceProgram &program, Location loc, Value lower, Value upper, Value step,
                        bool isUnsigned) {
  OpBuilder &builder = program.builder;
  Value zero = program.constantInt(loc, step.getType(), 0);
  Value one = program.constantInt(loc, step.getType(), 1);
  auto less = isUnsigned ? arith::CmpIPredicate::ult : arith::CmpIPredicate::slt;
  Value runs = arith::CmpIOp::create(builder, loc, less, lower, upper);
  Value distance = arith::SubIOp::create(builder, loc, upper, lower);
  Value last = arith::SubIOp::create(builder, loc, distance, one);
  Value steps = arith::DivUIOp::create(builder, loc, last, step);
  Value count = arith::AddIOp::create(builder, loc, steps, one);
  return arith::SelectOp::create(builder, loc, runs, count, zero);
}

/// The counter of a loop whose step is not 1 has twice the bits, so that it passes the
/// upper bound however near that is to the end of its type; of i64, which has no such
/// type, it counts the iterations. A step below 1 runs no iteration.
static LogicalResult lower(ThreadLowering &thread, scf::ForOp op) {
  OpBuilder &builder = thread.builder;
  Location loc = op.getLoc();
  bool isUnsigned = op.getUnsignedCmp();
  Value lower = thread.lookup(op.getLowerBound()), upper = thread.lookup(op.getUpperBound());
  Value step = thread.lookup(op.getStep());
  auto isNarrow = [&](Value number) { return isWidened(number, isUnsigned); };
  bool mayWrap = !step.getType().isInteger(64) || !isNarrow(op.getLowerBound()) ||
                 !isNarrow(op.getUpperBound()) || !isNarrow(op.getStep());
  bool isWide = mayWrap && !isOne(op.getStep());
  if (!hasPositiveStep(op)) {
    Value zero = thread.program.constantInt(loc, step.getType(), 0);
    auto less = isUnsigned ? arith::CmpIPredicate::ult : arith::CmpIPredicate::slt;
    Value runs = arith::CmpIOp::create(builder, loc, less, zero, step);
    upper = arith::SelectOp::create(builder, loc, runs, upper, lower);
    step = arith::SelectOp::create(builder, loc, runs, step,
                                   thread.program.constantInt(loc, step.getType(), 1));
  }
  bool isCounted = isWide && step.getType().isInteger(64);
  Value first = lower, stride = step;
  if (isCounted) {
    upper = iterations(thread.program, loc, lower, upper, step, isUnsigned);
    lower = thread.program.constantInt(loc, step.getType(), 0);
    step = thread.program.constantInt(loc, step.getType(), 1);
  } else if (isWide) {
    lower = wide(builder, lower, isUnsigned);
    upper = wide(builder, upper, isUnsigned);
    step = wide(builder, step, isUnsigned);
  }
  auto loop = scf::ForOp::create(builder, loc, lower, upper, step, thread.lookup(op.getInitArgs()),
                                 nullptr, isUnsigned || isCounted);
  loop->setAttr(kNoUnrollAttr, builder.getUnitAttr());
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  Value counter = loop.getInductionVar();
  if (isCounted)
    counter = arith::AddIOp::create(builder, loc, first,
                                    arith::MulIOp::create(builder, loc, counter, stride));
  else if (isWide)
    counter = arith::TruncIOp::create(builder, loc, op.getInductionVar().getType(), counter);
  thread.set(op.getInductionVar(), counter);
  thread.set(op.getRegionIterArgs(), loop.getRegionIterArgs());
  if (failed(lowerYield(thread, *op.getBody(), op.getYieldedValues())))
    return failure();
  thread.set(op.getResults(), loop.getResults());
  return success();
}

static LogicalResult lower(ThreadLowering &thread, scf::IfOp op) {
  OpBuilder &builder = thread.builder;
  bool hasElse = op.elseBlock() != nullptr;
  auto choice = scf::IfOp::create(builder, op.getLoc(), typesOf(op.getResults()),
                                  thread.lookup(op.getCondition()), /*addThenBlock=*/true,
                                  /*addElseBlock=*/hasElse);
  for (bool isThen : {true, false}) {
    if (!isThen && !hasElse)
      continue;
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(isThen ? choice.thenBlock() : choice.elseBlock());
    Block &from = isThen ? *op.thenBlock() : *op.elseBlock();
    if (failed(lowerYield(thread, from, from.getTerminator()->getOperands())))
      return failure();
  }
  thread.set(op.getResults(), choice.getResults());
  return success();
}

static LogicalResult lower(ThreadLowering &thread, scf::WhileOp op) {
  OpBuilder &builder = thread.builder;
  Location loc = op.getLoc();
  auto loop =
      scf::WhileOp::create(builder, loc, typesOf(op.getResults()), thread.lookup(op.getInits()));
  OpBuilder::InsertionGuard guard(builder);
  auto enter = [&](Region &region, ValueRange arguments) {
    SmallVector<Type> types = typesOf(arguments);
    Block *block =
        builder.createBlock(&region, {}, types, SmallVector<Location>(types.size(), loc));
    thread.set(arguments, block->getArguments());
  };
  enter(loop.getBefore(), op.getBeforeArguments());
  if (failed(thread.lowerBody(*op.getBeforeBody())))
    return failure();
  scf::ConditionOp condition = op.getConditionOp();
  scf::ConditionOp::create(builder, condition.getLoc(), thread.lookup(condition.getCondition()),
                           thread.lookup(condition.getArgs()));
  enter(loop.getAfter(), op.getAfterArguments());
  if (failed(lowerYield(thread, *op.getAfterBody(), op.getYieldedValues())))
    return failure();
  thread.set(op.getResults(), loop.getResults());
  return success();
}

void fsm::gpu::addControlFlowHandlers(HandlerTable &table) {
  addHandler<scf::ForOp, lower>(table);
  addHandler<scf::IfOp, lower>(table);
  addHandler<scf::WhileOp, lower>(table);
}
