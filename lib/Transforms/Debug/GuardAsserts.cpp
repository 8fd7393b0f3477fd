//===- GuardAsserts.cpp - Lets nothing run behind a failed assert --------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// 1. What stands behind an assert in its block moves into an `scf.if` of the
//    condition, reduced over the block if it is one: the same in all threads.
// 2. An op with regions that hold asserts gives one more result: whether the program
//    runs on. A loop carries that flag; once it is false, no iteration does anything,
//    and a while loop ends.
// 3. What a terminator passes on from inside such an `scf.if` becomes its result; in the
//    other branch it is zero, which nobody looks at.

#include "fsm/Transforms/Passes.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"

namespace fsm {
#define GEN_PASS_DEF_GUARDASSERTSPASS
#include "fsm/Transforms/Passes.h.inc"
} // namespace fsm

using namespace mlir;
using namespace fsm;

/// Each guard is a level of nesting, over which passes recurse.
static constexpr unsigned kMaxGuards = 128;

static bool holdsAssert(Operation *op) {
  return op->walk([](AssertOp) { return WalkResult::interrupt(); }).wasInterrupted();
}

static bool holdsAssert(Block &block) {
  return llvm::any_of(block, [](Operation &op) { return holdsAssert(&op); });
}

namespace {
/// Rewrites one kernel.
class Guarding {
public:
  explicit Guarding(MLIRContext *context) : builder(context) {}

  /// Guards a block that holds asserts. Gives whether the program runs on at its
  /// end, an i1, if `needsFlag`; null else.
  FailureOr<Value> guard(Block &block, bool needsFlag);

  unsigned guards() const { return count; }

private:
  FailureOr<Value> guardBehind(Block &block, Operation *last, Value runsOn, bool needsFlag);
  FailureOr<Value> guardIf(scf::IfOp op);
  FailureOr<Value> guardFor(scf::ForOp op);
  FailureOr<Value> guardWhile(scf::WhileOp op);
  FailureOr<Value> guardRegions(Operation *op);
  FailureOr<Value> flagOf(Block &block);
  Value allOf(AssertOp op);
  Value constant(Location loc, bool value);
  Value zero(Location loc, Type type);
  template <typename Op>
  Op withFlag(Op op, Value init);

  OpBuilder builder;
  unsigned count = 0;
  unsigned depth = 0;
};
} // namespace

Value Guarding::constant(Location loc, bool value) {
  return arith::ConstantOp::create(builder, loc, builder.getBoolAttr(value));
}

Value Guarding::zero(Location loc, Type type) {
  if (isa<PointerType>(type))
    return ub::PoisonOp::create(builder, loc, type);
  return arith::ConstantOp::create(builder, loc, cast<TypedAttr>(builder.getZeroAttr(type)));
}

/// Whether all elements of the condition are true.
Value Guarding::allOf(AssertOp op) {
  Value all = op.getCondition();
  while (auto block = dyn_cast<RankedTensorType>(all.getType())) {
    ArrayRef<int64_t> rest = block.getShape().drop_back();
    Type type =
        rest.empty() ? block.getElementType() : RankedTensorType::get(rest, block.getElementType());
    all = ReduceOp::create(builder, op.getLoc(), type, ReduceKind::And, all,
                           static_cast<uint32_t>(rest.size()), /*propagate_nan=*/false,
                           /*exchangeCount=*/0);
  }
  return all;
}

FailureOr<Value> Guarding::guard(Block &block, bool needsFlag) {
  for (Operation &op : block.without_terminator()) {
    if (!holdsAssert(&op))
      continue;
    bool isLast = op.getNextNode() == block.getTerminator();
    builder.setInsertionPointAfter(&op);
    if (auto condition = dyn_cast<AssertOp>(op)) {
      if (isLast && !needsFlag)
        return Value();
      // The condition's reductions stand behind the op.
      Value all = allOf(condition);
      bool isReduced = all != condition.getCondition();
      return guardBehind(block, isReduced ? all.getDefiningOp() : &op, all, needsFlag);
    }
    if (isa<scf::IfOp>(op) && isLast && !needsFlag) {
      for (Region &region : op.getRegions())
        for (Block &inner : region)
          if (failed(guard(inner, /*needsFlag=*/false)))
            return failure();
      return Value();
    }
    FailureOr<Value> runsOn = guardRegions(&op);
    if (failed(runsOn) || (isLast && !needsFlag))
      return runsOn;
    return guardBehind(block, runsOn->getDefiningOp(), *runsOn, needsFlag);
  }
  return Value();
}

/// Moves what stands behind `last` (null: all) into an `scf.if` of `runsOn`, with the guards it
/// needs itself.
FailureOr<Value> Guarding::guardBehind(Block &block, Operation *last, Value runsOn,
                                       bool needsFlag) {
  Operation *terminator = block.getTerminator();
  Block::iterator begin = last ? std::next(last->getIterator()) : block.begin();
  if (begin == terminator->getIterator())
    return runsOn;
  Location loc = begin->getLoc();
  if (depth == kMaxGuards)
    return begin->emitError() << "expected at most " << kMaxGuards
                              << " asserts one behind another, got more";
  ++count;
  bool fails = false;
  llvm::SmallPtrSet<Operation *, 16> moved;
  for (Operation &op : llvm::make_range(begin, terminator->getIterator())) {
    moved.insert(&op);
    fails |= holdsAssert(&op);
  }
  SmallVector<Value> passed;
  for (Value operand : terminator->getOperands())
    if (moved.contains(operand.getDefiningOp()))
      passed.push_back(operand);
  SmallVector<Type> types = llvm::to_vector(ValueRange(passed).getTypes());
  bool givesFlag = fails && needsFlag;
  if (givesFlag)
    types.push_back(builder.getI1Type());

  builder.setInsertionPoint(terminator);
  auto choice = scf::IfOp::create(builder, loc, types, runsOn, /*addThenBlock=*/true,
                                  /*addElseBlock=*/!types.empty());
  Block *body = choice.thenBlock();
  if (!body->empty())
    body->back().erase();
  body->getOperations().splice(body->end(), block.getOperations(), begin, choice->getIterator());
  builder.setInsertionPointToEnd(body);
  auto yield = scf::YieldOp::create(builder, loc, passed);
  size_t next = 0;
  for (OpOperand &operand : terminator->getOpOperands())
    if (moved.contains(operand.get().getDefiningOp()))
      operand.set(choice.getResult(next++));
  if (fails) {
    ++depth;
    FailureOr<Value> flag = guard(*body, givesFlag);
    --depth;
    if (failed(flag))
      return failure();
    if (givesFlag)
      yield.getResultsMutable().append(*flag);
  }
  if (!types.empty()) {
    Block *other = choice.elseBlock();
    if (!other->empty())
      other->back().erase();
    builder.setInsertionPointToEnd(other);
    scf::YieldOp::create(builder, loc,
                         llvm::map_to_vector(types, [&](Type type) { return zero(loc, type); }));
  }
  return givesFlag ? Value(choice.getResults().back()) : runsOn;
}

/// The same op with one result more, an i1, and, if that is not null, one operand.
template <typename Op>
Op Guarding::withFlag(Op op, Value init) {
  builder.setInsertionPoint(op);
  OperationState state(op.getLoc(), op->getName(), op->getOperands(), op->getResultTypes(),
                       op->getAttrs());
  state.addOperands(init ? ValueRange(init) : ValueRange());
  state.addTypes(builder.getI1Type());
  for (Region &region : op->getRegions())
    state.addRegion()->takeBody(region);
  Operation *by = builder.create(state);
  op->replaceAllUsesWith(by->getResults().drop_back());
  op->erase();
  return cast<Op>(by);
}

/// Whether the program runs on at the end of a branch.
FailureOr<Value> Guarding::flagOf(Block &block) {
  if (holdsAssert(block))
    return guard(block, /*needsFlag=*/true);
  builder.setInsertionPoint(block.getTerminator());
  return constant(block.getTerminator()->getLoc(), true);
}

FailureOr<Value> Guarding::guardIf(scf::IfOp op) {
  scf::IfOp choice = withFlag(op, Value());
  if (choice.getElseRegion().empty()) {
    builder.createBlock(&choice.getElseRegion());
    scf::YieldOp::create(builder, choice.getLoc());
  }
  for (Block *block : {choice.thenBlock(), choice.elseBlock()}) {
    FailureOr<Value> flag = flagOf(*block);
    if (failed(flag))
      return failure();
    cast<scf::YieldOp>(block->getTerminator()).getResultsMutable().append(*flag);
  }
  return Value(choice.getResults().back());
}

FailureOr<Value> Guarding::guardFor(scf::ForOp op) {
  builder.setInsertionPoint(op);
  scf::ForOp loop = withFlag(op, constant(op.getLoc(), true));
  Block &body = *loop.getBody();
  Value runsOn = body.addArgument(builder.getI1Type(), loop.getLoc());
  FailureOr<Value> flag = guardBehind(body, nullptr, runsOn, /*needsFlag=*/true);
  if (failed(flag))
    return failure();
  cast<scf::YieldOp>(body.getTerminator()).getResultsMutable().append(*flag);
  return Value(loop.getResults().back());
}

FailureOr<Value> Guarding::guardWhile(scf::WhileOp op) {
  Location loc = op.getLoc();
  builder.setInsertionPoint(op);
  scf::WhileOp loop = withFlag(op, constant(loc, true));
  Block &before = *loop.getBeforeBody(), &after = *loop.getAfterBody();
  Value runsOn = before.addArgument(builder.getI1Type(), loc);
  Value still = after.addArgument(builder.getI1Type(), loc);

  FailureOr<Value> flag = guardBehind(before, nullptr, runsOn, /*needsFlag=*/true);
  if (failed(flag))
    return failure();
  scf::ConditionOp condition = loop.getConditionOp();
  builder.setInsertionPoint(condition);
  Value goesOn = arith::AndIOp::create(builder, loc, condition.getCondition(), *flag);
  condition.getConditionMutable().assign(goesOn);
  condition.getArgsMutable().append(*flag);

  flag = holdsAssert(after) ? guard(after, /*needsFlag=*/true) : FailureOr<Value>(still);
  if (failed(flag))
    return failure();
  cast<scf::YieldOp>(after.getTerminator()).getResultsMutable().append(*flag);
  return Value(loop.getResults().back());
}

/// The language has no other op around an assert.
FailureOr<Value> Guarding::guardRegions(Operation *op) {
  if (auto choice = dyn_cast<scf::IfOp>(op))
    return guardIf(choice);
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return guardFor(loop);
  return guardWhile(cast<scf::WhileOp>(op));
}

namespace {
struct GuardAsserts : fsm::impl::GuardAssertsPassBase<GuardAsserts> {
  void runOnOperation() override {
    Block &body = getOperation().getBody().front();
    if (!holdsAssert(body))
      return markAllAnalysesPreserved();
    Guarding guarding(&getContext());
    if (failed(guarding.guard(body, /*needsFlag=*/false)))
      return signalPassFailure();
    guards += guarding.guards();
  }
};
} // namespace
