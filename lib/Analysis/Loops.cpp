//===- Loops.cpp - The loops around an op, and their bounds --------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Analysis/Loops.h"

#include "fsm/IR/FSMDialect.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

#include <algorithm>

using namespace mlir;
using namespace fsm;

SmallVector<Operation *> fsm::loopsAround(Operation *op) {
  SmallVector<Operation *> loops;
  for (Operation *parent = op->getParentOp(); parent && !isa<KernelOp>(parent);
       parent = parent->getParentOp())
    if (isa<scf::ForOp, scf::WhileOp>(parent))
      loops.push_back(parent);
  std::reverse(loops.begin(), loops.end());
  return loops;
}

std::optional<SmallVector<scf::ForOp>> fsm::onlyLoopsAround(Operation *op) {
  SmallVector<scf::ForOp> loops;
  for (Operation *parent = op->getParentOp(); !isa<KernelOp>(parent);
       parent = parent->getParentOp()) {
    auto loop = dyn_cast<scf::ForOp>(parent);
    if (!loop)
      return std::nullopt;
    loops.push_back(loop);
  }
  std::reverse(loops.begin(), loops.end());
  return loops;
}

bool fsm::hasLoop(Operation *root) {
  return root->walk([](LoopLikeOpInterface) { return WalkResult::interrupt(); }).wasInterrupted();
}

llvm::SetVector<Operation *> fsm::opsOfBounds(scf::ForOp loop) {
  llvm::SetVector<Operation *> computed;
  BackwardSliceOptions itself;
  itself.inclusive = true;
  itself.omitBlockArguments = true;
  for (Value value : {loop.getLowerBound(), loop.getUpperBound(), loop.getStep()})
    (void)getBackwardSlice(value, &computed, itself);
  return computed;
}

bool fsm::sharesWork(scf::ForOp loop) {
  return llvm::any_of(opsOfBounds(loop), llvm::IsaPred<NumProgramsOp>);
}

arith::CmpIPredicate fsm::belowBound(scf::ForOp loop) {
  return loop.getUnsignedCmp() ? arith::CmpIPredicate::ult : arith::CmpIPredicate::slt;
}

/// The number itself, where a value has it in more bits or in fewer.
static Value withoutWidth(Value value) {
  while (true) {
    auto narrow = value.getDefiningOp<arith::TruncIOp>();
    if (auto wide = value.getDefiningOp<arith::ExtSIOp>())
      value = wide.getIn();
    else if (narrow && narrow.hasNoSignedWrap())
      value = narrow.getIn();
    else
      return value;
  }
}

static std::optional<int64_t> constantOf(Value value) {
  APInt number;
  if (matchPattern(value, m_ConstantInt(&number)) && number.getSignificantBits() <= 32)
    return number.getSExtValue();
  return std::nullopt;
}

bool fsm::isPositive(Value number) {
  if (constantOf(number).value_or(0) > 0)
    return true;
  Operation *op = withoutWidth(number).getDefiningOp();
  // The steps of those who share a loop.
  if (auto product = dyn_cast_if_present<arith::MulIOp>(op))
    return product.hasNoSignedWrap() && isPositive(product.getLhs()) &&
           isPositive(product.getRhs());
  return isa_and_present<NumProgramsOp, ProgramStepOp>(op);
}

/// Whether `first` is where one of those who share a loop from 0 on begins: its number, steps.
static bool isFirstOfPart(Value first) {
  auto product = first.getDefiningOp<arith::MulIOp>();
  auto isPart = [](Value factor) { return withoutWidth(factor).getDefiningOp<PartIdOp>() != nullptr; };
  auto isStep = [](Value factor) { return constantOf(factor) == 0 || isPositive(factor); };
  return product && product.hasNoSignedWrap() &&
         ((isPart(product.getLhs()) && isStep(product.getRhs())) ||
          (isPart(product.getRhs()) && isStep(product.getLhs())));
}

/// Whether a loop that begins with it, or some steps later, begins with no number below 0.
static bool isNoneBelowZero(Value first) {
  first = withoutWidth(first);
  auto sum = first.getDefiningOp<arith::AddIOp>();
  if (sum && sum.hasNoSignedWrap() && isFirstOfPart(withoutWidth(sum.getRhs())))
    first = withoutWidth(sum.getLhs());
  return first.getDefiningOp<ProgramIdOp>() || constantOf(first).value_or(-1) >= 0 ||
         isFirstOfPart(first);
}

bool fsm::startsNonNegative(scf::ForOp loop) {
  return !loop.getUnsignedCmp() && isNoneBelowZero(loop.getLowerBound());
}

bool fsm::startsAtZero(scf::ForOp loop) {
  Value first = withoutWidth(loop.getLowerBound());
  return constantOf(first) == 0 || isFirstOfPart(first);
}

Value fsm::behindLoops(Value carried) {
  auto argument = dyn_cast<BlockArgument>(carried);
  auto loop = argument ? dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp()) : scf::ForOp();
  if (!loop || argument == loop.getInductionVar())
    return {};
  OpResult result = loop.getTiedLoopResult(argument);
  auto around = dyn_cast<scf::ForOp>(loop->getParentOp());
  if (!around)
    return result;
  auto outer = dyn_cast<BlockArgument>(loop.getTiedLoopInit(argument)->get());
  bool isCarriedOn = outer && outer.getOwner() == around.getBody() &&
                     outer != around.getInductionVar() &&
                     around.getTiedLoopYieldedValue(outer)->get() == result;
  return isCarriedOn ? behindLoops(outer) : Value();
}
