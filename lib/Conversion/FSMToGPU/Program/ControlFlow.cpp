//===- ControlFlow.cpp - Loops and choices of a thread -------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ThreadLowering.h"

#include "../Memory/Access.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

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

/// Whether a loop yields sums in f32 that multiply-adds make.
static bool isOfMultiplyAdds(Value yielded) {
  auto product = yielded.getDefiningOp<SharedDotOp>();
  return product && !product->hasAttr(kMmaAttr) && product.getType().getElementType().isF32();
}

/// The same sums in registers of their own. Those in the loop ptxas would choose by how they are stored
/// behind it, four side by side; there they had better be in another bank than the factors. It does not know that
/// the sum with -0 is the number itself.
static Value inOtherRegisters(DeviceProgram &program, Value sums) {
  ImplicitLocOpBuilder &builder = program.builder;
  SmallVector<Value> numbers = program.elementsOf(sums);
  for (Value &number : numbers)
    number = LLVM::InlineAsmOp::create(
                 builder, builder.getF32Type(), number, "add.rn.f32 $0, $1, 0f80000000;", "=f,f",
                 /*has_side_effects=*/false, /*is_align_stack=*/false, LLVM::TailCallKind::None,
                 LLVM::AsmDialectAttr(), ArrayAttr())
                 .getRes();
  return program.vectorOf(numbers);
}

/// The loop of a thread, without a body. One that counts what is left goes from -1 - n up to -1, which no step leads out of
/// 32 bits; its counter it carries, behind all else.
static scf::ForOp loopOf(ThreadLowering &thread, scf::ForOp op) {
  ImplicitLocOpBuilder &builder = thread.builder;
  Value lower = thread.lookup(op.getLowerBound()), upper = thread.lookup(op.getUpperBound()),
        step = thread.lookup(op.getStep());
  SmallVector<Value> inits = thread.lookup(op.getInitArgs());
  if (!op->hasAttr(kCountsLeftAttr))
    return scf::ForOp::create(builder, lower, upper, step, inits, nullptr, op.getUnsignedCmp());
  auto narrow = [&](Value number) -> Value {
    return arith::TruncIOp::create(builder, builder.getI32Type(), number, arith::IntegerOverflowFlags::nsw);
  };
  inits.push_back(lower);
  Value none = thread.program.i32(-1), left = arith::XOrIOp::create(builder, narrow(upper), none);
  return scf::ForOp::create(builder, left, none, narrow(step), inits);
}

/// `fsm-normalize-loops` has seen to it that the counter does not wrap.
static LogicalResult lower(ThreadLowering &thread, scf::ForOp op) {
  ImplicitLocOpBuilder &builder = thread.builder;
  scf::ForOp loop = loopOf(thread, op);
  if (!op->hasAttr(kMayUnrollAttr))
    loop->setAttr(kNoUnrollAttr, builder.getUnitAttr());
  if (op->hasAttr(kReadAheadAttr))
    loop->setAttr(kReadAheadAttr, builder.getUnitAttr());
  OpBuilder::InsertPoint behind = builder.saveInsertionPoint();
  builder.setInsertionPointToStart(loop.getBody());
  bool carriesCounter = op->hasAttr(kCountsLeftAttr);
  Value counter = carriesCounter ? Value(loop.getRegionIterArgs().back()) : loop.getInductionVar();
  thread.set(op.getInductionVar(), counter);
  thread.set(op.getRegionIterArgs(), loop.getRegionIterArgs().take_front(op.getNumResults()));
  if (failed(lowerYield(thread, *op.getBody(), op.getYieldedValues())))
    return failure();
  if (carriesCounter) {
    Operation *yield = loop.getBody()->getTerminator();
    builder.setInsertionPoint(yield);
    Value next = arith::AddIOp::create(builder, counter, thread.lookup(op.getStep()), arith::IntegerOverflowFlags::nsw);
    yield->insertOperands(yield->getNumOperands(), next);
  }
  builder.restoreInsertionPoint(behind);
  auto results = loop.getResults().take_front(op.getNumResults());
  thread.set(op.getResults(), results);
  for (auto [result, yielded, value] : llvm::zip_equal(op.getResults(), op.getYieldedValues(), results))
    if (isOfMultiplyAdds(yielded))
      thread.set(result, inOtherRegisters(thread.program, value));
  return success();
}

/// Pairs of elements of 16 bits as registers have them. What leaves a branch as one element each is
/// taken apart in there, which waits for it where it has been loaded.
static Type asPairs(Type type) {
  auto vector = dyn_cast<VectorType>(type);
  bool isNarrow =
      vector && vector.getElementType().isIntOrFloat() && vector.getElementTypeBitWidth() == 16;
  if (!isNarrow || vector.getNumElements() % 2 != 0)
    return type;
  return VectorType::get({vector.getNumElements() / 2}, IntegerType::get(type.getContext(), 32));
}

static Value recast(ImplicitLocOpBuilder &builder, Type type, Value value) {
  return type == value.getType() ? value
                                 : LLVM::BitcastOp::create(builder, type, value).getResult();
}

/// Lowers a branch. LLVM would see that pairs of both branches are such, and take them apart again,
/// where it could see it of the second.
static LogicalResult lowerBranch(ThreadLowering &thread, Block &from, TypeRange types,
                                 bool isSecond) {
  ImplicitLocOpBuilder &builder = thread.builder;
  if (failed(thread.lowerBody(from)))
    return failure();
  Block *block = builder.getInsertionBlock();
  if (!block->empty() && block->back().hasTrait<OpTrait::IsTerminator>())
    return success();
  SmallVector<Value> yielded = thread.lookup(from.getTerminator()->getOperands());
  for (auto [value, type] : llvm::zip_equal(yielded, types)) {
    bool isPaired = type != value.getType();
    value = recast(builder, type, value);
    if (isPaired && isSecond)
      value = unseen(thread.program, value);
  }
  scf::YieldOp::create(builder, yielded);
  return success();
}

static LogicalResult lower(ThreadLowering &thread, scf::IfOp op) {
  ImplicitLocOpBuilder &builder = thread.builder;
  SmallVector<Type> types = typesOf(op.getResults()), paired = llvm::map_to_vector(types, asPairs);
  auto choice = scf::IfOp::create(builder, paired, thread.lookup(op.getCondition()),
                                  /*addThenBlock=*/true,
                                  /*addElseBlock=*/op.elseBlock() != nullptr);
  for (auto [number, to] : llvm::enumerate(choice->getRegions())) {
    Region &from = op->getRegion(number);
    if (from.empty())
      continue;
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(&to.front());
    if (failed(lowerBranch(thread, from.front(), paired, /*isSecond=*/number == 1)))
      return failure();
  }
  for (auto [result, made, type] : llvm::zip_equal(op.getResults(), choice.getResults(), types))
    thread.set(result, recast(builder, type, made));
  return success();
}

static LogicalResult lowerWhile(ThreadLowering &thread, scf::WhileOp op) {
  ImplicitLocOpBuilder &builder = thread.builder;
  auto loop = scf::WhileOp::create(builder, typesOf(op.getResults()), thread.lookup(op.getInits()));
  OpBuilder::InsertionGuard guard(builder);
  auto enter = [&](Region &region, ValueRange arguments) {
    SmallVector<Type> types = typesOf(arguments);
    Block *block =
        builder.createBlock(&region, {}, types, SmallVector<Location>(types.size(), op.getLoc()));
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

static LogicalResult lower(ThreadLowering &thread, scf::WhileOp op) {
  if (!op->hasAttr(kFirstThreadAttr))
    return lowerWhile(thread, op);
  LogicalResult result = success();
  DeviceProgram &program = thread.program;
  program.emitIf(program.isFirstThread(), [&] { program.emitAlone([&] { result = lowerWhile(thread, op); }); });
  return result;
}

void fsm::gpu::addControlFlowHandlers(HandlerTable &table) {
  addHandler<scf::ForOp, lower>(table);
  addHandler<scf::IfOp, lower>(table);
  addHandler<scf::WhileOp, lower>(table);
}
