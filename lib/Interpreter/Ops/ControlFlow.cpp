//===- ControlFlow.cpp - Loops, branches and calls -----------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../ProgramRunner.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace fsm;
using namespace fsm::interpreter;

using ElementsList = std::vector<ElementsRef>;

static LogicalResult setResults(ProgramRunner &runner, Operation *op, const ElementsList &values) {
  if (values.size() != op->getNumResults())
    return runner.fail(op, "reaches an operation whose region does not give its results");
  for (auto [result, value] : llvm::zip_equal(op->getResults(), values))
    runner.set(result, value);
  return success();
}

//===----------------------------------------------------------------------===//
// scf.for
//===----------------------------------------------------------------------===//

/// How often the body runs, counted so that nothing overflows: the distance of
/// two 64-bit numbers fits 64 unsigned bits.
static uint64_t tripCount(uint64_t lower, uint64_t upper, uint64_t step, bool isUnsigned) {
  bool isEmpty =
      isUnsigned ? lower >= upper : static_cast<int64_t>(lower) >= static_cast<int64_t>(upper);
  return isEmpty ? 0 : (upper - lower - 1) / step + 1;
}

static LogicalResult runFor(ProgramRunner &runner, Operation *op) {
  auto loop = cast<scf::ForOp>(op);
  Type type = loop.getInductionVar().getType();
  unsigned width = widthOf(type);
  bool isUnsigned = loop.getUnsignedCmp();
  auto bound = [&](Value value) {
    uint64_t bits = runner.scalar(value);
    return isUnsigned ? bits : static_cast<uint64_t>(signExtend(bits, width));
  };
  uint64_t lower = bound(loop.getLowerBound()), step = bound(loop.getStep());
  if (step == 0 || (!isUnsigned && static_cast<int64_t>(step) < 0))
    return runner.fail(op, "reaches a loop whose step is " + Twine(static_cast<int64_t>(step)) +
                               "; a step must be positive");
  uint64_t trips = tripCount(lower, bound(loop.getUpperBound()), step, isUnsigned);

  ElementsList carried = runner.share(loop.getInitArgs());
  for (uint64_t trip = 0; trip < trips; ++trip) {
    uint64_t induction = (lower + trip * step) & maskOf(width);
    carried.insert(carried.begin(), std::make_shared<Elements>(Elements{type, {induction}, -1}));
    FailureOr<ElementsList> yielded = runner.runBlock(op, *loop.getBody(), carried);
    if (failed(yielded))
      return failure();
    carried = std::move(*yielded);
  }
  return setResults(runner, op, carried);
}

//===----------------------------------------------------------------------===//
// scf.if, scf.while
//===----------------------------------------------------------------------===//

static LogicalResult runIf(ProgramRunner &runner, Operation *op) {
  auto branch = cast<scf::IfOp>(op);
  bool condition = runner.scalar(branch.getCondition());
  Region &region = condition ? branch.getThenRegion() : branch.getElseRegion();
  if (region.empty())
    return success();
  FailureOr<ElementsList> yielded = runner.runBlock(op, region.front(), {});
  if (failed(yielded))
    return failure();
  return setResults(runner, op, op->getNumResults() ? *yielded : ElementsList());
}

/// A loop that has not ended by then is taken for one that never does.
static constexpr uint64_t kMaxTurns = uint64_t(1) << 22;

static bool areEqual(const ElementsList &left, const ElementsList &right) {
  return llvm::equal(left, right, [](const ElementsRef &one, const ElementsRef &other) {
    return one == other || one->bits == other->bits;
  });
}

static LogicalResult runWhile(ProgramRunner &runner, Operation *op) {
  auto loop = cast<scf::WhileOp>(op);
  ElementsList carried = runner.share(loop.getInits());
  for (uint64_t turn = 0;; ++turn) {
    if (turn == kMaxTurns)
      return runner.fail(op, "goes around a loop " + Twine(turn) + " times");
    uint64_t changes = runner.changes();
    // The operands of scf.condition: whether to go on, then what is passed on.
    FailureOr<ElementsList> condition = runner.runBlock(op, *loop.getBeforeBody(), carried);
    if (failed(condition))
      return failure();
    bool goesOn = condition->front()->bits.front();
    condition->erase(condition->begin());
    if (!goesOn)
      return setResults(runner, op, *condition);
    FailureOr<ElementsList> yielded = runner.runBlock(op, *loop.getAfterBody(), *condition);
    if (failed(yielded))
      return failure();
    // No other program runs meanwhile, so the next turn would be like this one.
    if (runner.changes() == changes && areEqual(carried, *yielded))
      return runner.fail(op, "waits for ever: a turn of this loop changed nothing, and programs "
                             "run one after the other");
    carried = std::move(*yielded);
  }
}

//===----------------------------------------------------------------------===//
// func.call
//===----------------------------------------------------------------------===//

static LogicalResult runCall(ProgramRunner &runner, Operation *op) {
  auto call = cast<func::CallOp>(op);
  auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(op, call.getCalleeAttr());
  if (!callee || callee.isExternal() || !callee.getBody().hasOneBlock())
    return runner.fail(op, "calls '" + call.getCallee() +
                               "', which is no 'func.func' of this module with one block");
  FailureOr<ElementsList> results =
      runner.runCall(op, callee.getBody().front(), runner.share(call.getOperands()));
  if (failed(results))
    return failure();
  return setResults(runner, op, *results);
}

void interpreter::addControlFlowHandlers(HandlerTable &table) {
  table["func.call"] = runCall;
  table["scf.for"] = runFor;
  table["scf.if"] = runIf;
  table["scf.while"] = runWhile;
}
