//===- SplitLanes.cpp - Vectors of registers as scalars ------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// 1. In an order in which values come before what they are used for, each vector gets its lanes:
//    copies of its instruction, or lanes of other vectors. Those of a phi get what comes in at the
//    end.
// 2. From the last to the first, what has been split goes. A vector that something else still uses
//    is put together in its place.

#include "SplitLanes.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Support/Allocator.h"

using namespace llvm;

namespace {
using Lanes = MutableArrayRef<Value *>;

class LaneSplitter {
public:
  explicit LaneSplitter(Function &function) : function(function) {}

  void run() {
    for (BasicBlock *block : ReversePostOrderTraversal<Function *>(&function))
      for (Instruction &instruction : make_early_inc_range(*block))
        if (split(instruction))
          done.push_back(&instruction);
    for (PHINode *phi : phis)
      fill(*phi);
    for (Instruction *instruction : reverse(done))
      remove(*instruction);
  }

private:
  bool split(Instruction &instruction);
  bool splitExtract(ExtractElementInst &extract);
  bool splitInsert(InsertElementInst &insert);
  void splitShuffle(ShuffleVectorInst &shuffle);
  void splitPhi(PHINode &phi);
  void splitLanewise(Instruction &instruction);
  void fill(PHINode &phi);
  void remove(Instruction &instruction);

  Lanes newLanes(Value &vector) {
    size_t count = cast<FixedVectorType>(vector.getType())->getNumElements();
    Lanes made(storage.Allocate<Value *>(count), count);
    lanes[&vector] = made;
    return made;
  }
  Lanes lanesOf(Value *vector);

  Function &function;
  BumpPtrAllocator storage;
  DenseMap<Value *, Lanes> lanes;
  SmallVector<Instruction *> done;
  SmallVector<PHINode *> phis;
};
} // namespace

/// Whether a vector's lanes are each computed from the same lanes of operands, or from scalars.
static bool isLanewise(const Instruction &instruction) {
  if (isa<BinaryOperator, UnaryOperator, CmpInst, SelectInst, FreezeInst>(instruction))
    return true;
  if (auto *cast = dyn_cast<CastInst>(&instruction)) {
    auto *from = dyn_cast<FixedVectorType>(cast->getSrcTy());
    return from && from->getElementCount() ==
                       llvm::cast<FixedVectorType>(cast->getDestTy())->getElementCount();
  }
  auto *call = dyn_cast<IntrinsicInst>(&instruction);
  if (!call || !isTriviallyVectorizable(call->getIntrinsicID()))
    return false;
  // Its type is all that its name says.
  return all_of(call->args(), [&](const Use &use) {
    return use->getType() == call->getType() &&
           !isVectorIntrinsicWithOverloadTypeAtArg(call->getIntrinsicID(),
                                                   call->getArgOperandNo(&use), nullptr);
  });
}

/// The lane that a constant index says.
static std::optional<uint64_t> knownLane(Value *index, Type *vector) {
  auto *number = dyn_cast<ConstantInt>(index);
  auto *type = dyn_cast<FixedVectorType>(vector);
  if (!number || !type || number->getValue().uge(type->getNumElements()))
    return std::nullopt;
  return number->getZExtValue();
}

bool LaneSplitter::split(Instruction &instruction) {
  if (auto *extract = dyn_cast<ExtractElementInst>(&instruction))
    return splitExtract(*extract);
  if (!isa<FixedVectorType>(instruction.getType()))
    return false;
  if (auto *insert = dyn_cast<InsertElementInst>(&instruction))
    return splitInsert(*insert);
  if (auto *shuffle = dyn_cast<ShuffleVectorInst>(&instruction))
    splitShuffle(*shuffle);
  else if (auto *phi = dyn_cast<PHINode>(&instruction))
    splitPhi(*phi);
  else if (isLanewise(instruction))
    splitLanewise(instruction);
  else
    return false;
  return true;
}

bool LaneSplitter::splitExtract(ExtractElementInst &extract) {
  auto lane = knownLane(extract.getIndexOperand(), extract.getVectorOperandType());
  auto known = lanes.find(extract.getVectorOperand());
  if (!lane || known == lanes.end())
    return false;
  extract.replaceAllUsesWith(known->second[*lane]);
  return true;
}

bool LaneSplitter::splitInsert(InsertElementInst &insert) {
  auto lane = knownLane(insert.getOperand(2), insert.getType());
  if (!lane)
    return false;
  Lanes others = lanesOf(insert.getOperand(0)), made = newLanes(insert);
  copy(others, made.begin());
  made[*lane] = insert.getOperand(1);
  return true;
}

void LaneSplitter::splitShuffle(ShuffleVectorInst &shuffle) {
  Lanes left = lanesOf(shuffle.getOperand(0)), right = lanesOf(shuffle.getOperand(1));
  for (auto [lane, from] : zip_equal(newLanes(shuffle), shuffle.getShuffleMask()))
    if (from < 0)
      lane = PoisonValue::get(shuffle.getType()->getElementType());
    else
      lane = size_t(from) < left.size() ? left[from] : right[from - left.size()];
}

void LaneSplitter::splitPhi(PHINode &phi) {
  IRBuilder<> builder(&phi);
  for (Value *&lane : newLanes(phi))
    lane = builder.CreatePHI(phi.getType()->getScalarType(), phi.getNumIncomingValues());
  phis.push_back(&phi);
}

void LaneSplitter::splitLanewise(Instruction &instruction) {
  SmallVector<std::pair<unsigned, Lanes>, 4> operands;
  Type *type = instruction.getType()->getScalarType();
  auto *call = dyn_cast<IntrinsicInst>(&instruction);
  unsigned count = call ? call->arg_size() : instruction.getNumOperands();
  for (unsigned index = 0; index < count; ++index)
    if (Value *operand = instruction.getOperand(index); isa<FixedVectorType>(operand->getType()))
      operands.push_back({index, lanesOf(operand)});
  Function *callee = nullptr;
  if (call)
    callee =
        Intrinsic::getOrInsertDeclaration(function.getParent(), call->getIntrinsicID(), {type});
  for (auto [lane, made] : enumerate(newLanes(instruction))) {
    Instruction *scalar = instruction.clone();
    for (auto &[index, from] : operands)
      scalar->setOperand(index, from[lane]);
    scalar->mutateType(type);
    if (callee)
      cast<CallInst>(scalar)->setCalledFunction(callee);
    scalar->insertBefore(instruction.getIterator());
    made = scalar;
  }
}

/// Of a vector that stays one, its lanes are taken out where it is defined.
Lanes LaneSplitter::lanesOf(Value *vector) {
  auto known = lanes.find(vector);
  if (known != lanes.end())
    return known->second;
  Lanes made = newLanes(*vector);
  if (auto *constant = dyn_cast<Constant>(vector)) {
    for (auto [index, lane] : enumerate(made))
      lane = ConstantExpr::getExtractElement(
          constant, ConstantInt::get(Type::getInt64Ty(vector->getContext()), index));
    return made;
  }
  IRBuilder<> builder(vector->getContext());
  if (auto *instruction = dyn_cast<Instruction>(vector))
    builder.SetInsertPoint(instruction->getParent(), *instruction->getInsertionPointAfterDef());
  else
    builder.SetInsertPoint(&function.getEntryBlock(), function.getEntryBlock().begin());
  // The last first: LLVM's Scalarizer, which goes over them once more, turns their order around.
  for (size_t index = made.size(); index-- > 0;)
    made[index] = builder.CreateExtractElement(vector, index);
  return made;
}

/// The lanes get what came in, of which the vector then holds nothing back.
void LaneSplitter::fill(PHINode &phi) {
  for (auto [from, use] : zip_equal(phi.blocks(), phi.incoming_values())) {
    for (auto [scalar, lane] : zip_equal(lanes.lookup(&phi), lanesOf(use)))
      cast<PHINode>(scalar)->addIncoming(lane, from);
    use.set(PoisonValue::get(phi.getType()));
  }
}

void LaneSplitter::remove(Instruction &instruction) {
  if (!instruction.use_empty()) {
    IRBuilder<> builder(&instruction);
    if (isa<PHINode>(instruction))
      builder.SetInsertPoint(instruction.getParent(),
                             instruction.getParent()->getFirstInsertionPt());
    Value *whole = PoisonValue::get(instruction.getType());
    for (auto [index, lane] : enumerate(lanes.lookup(&instruction)))
      whole = builder.CreateInsertElement(whole, lane, index);
    instruction.replaceAllUsesWith(whole);
  }
  instruction.eraseFromParent();
}

PreservedAnalyses fsm::SplitLanesPass::run(Function &function, FunctionAnalysisManager &) {
  LaneSplitter(function).run();
  PreservedAnalyses kept;
  kept.preserveSet<CFGAnalyses>();
  return kept;
}
