//===- MaskedAccesses.cpp - What LLVM would access wrongly ------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MaskedAccesses.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/KnownBits.h"

using namespace fsm;

/// The one element that a constant mask lets through, or nothing.
static std::optional<unsigned> singleElement(llvm::Value *mask) {
  auto *constant = llvm::dyn_cast<llvm::Constant>(mask);
  std::optional<unsigned> single;
  unsigned lanes = llvm::cast<llvm::FixedVectorType>(mask->getType())->getNumElements();
  for (unsigned lane = 0; constant && lane < lanes; ++lane) {
    llvm::Constant *element = constant->getAggregateElement(lane);
    if (!element || (!element->isNullValue() && (single || !element->isOneValue())))
      return std::nullopt;
    if (element->isOneValue())
      single = lane;
  }
  return single;
}

void fsm::storeSingleElements(llvm::Function &function) {
  llvm::SmallVector<llvm::IntrinsicInst *> stores;
  for (llvm::Instruction &instruction : llvm::instructions(function))
    if (auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction))
      if (call->getIntrinsicID() == llvm::Intrinsic::masked_store &&
          singleElement(call->getArgOperand(2)))
        stores.push_back(call);
  for (llvm::IntrinsicInst *store : stores) {
    llvm::IRBuilder<> builder(store);
    unsigned lane = *singleElement(store->getArgOperand(2));
    llvm::Value *element = builder.CreateExtractElement(store->getArgOperand(0), lane);
    llvm::Value *place =
        builder.CreateConstGEP1_64(element->getType(), store->getArgOperand(1), lane);
    llvm::Align align(std::max<uint64_t>(1, element->getType()->getScalarSizeInBits() / 8));
    builder.CreateAlignedStore(element, place,
                               std::min(align, store->getParamAlign(1).valueOrOne()));
    store->eraseFromParent();
  }
}

namespace {
/// A masked load or store, register by register.
class PartedAccess {
public:
  PartedAccess(llvm::IntrinsicInst *access, unsigned registerBits)
      : access(access), isLoad(access->getIntrinsicID() == llvm::Intrinsic::masked_load),
        mask(access->getArgOperand(isLoad ? 1 : 2)),
        type(llvm::cast<llvm::FixedVectorType>(isLoad ? access->getType()
                                                      : access->getArgOperand(0)->getType())),
        lanes(registerBits / std::max(type->getScalarSizeInBits(), 1u)) {}

  /// Whether it has several whole registers, and all elements of one are masked off.
  bool hasPartMaskedOff() const {
    unsigned count = type->getNumElements();
    if (!type->getScalarSizeInBits() || !lanes || count <= lanes || count % lanes)
      return false;
    for (unsigned first = 0; first < count; first += lanes)
      if (isMaskedOff(first))
        return true;
    return false;
  }

  void split();

private:
  bool isMaskedOff(unsigned first) const {
    auto elements = llvm::APInt::getBitsSet(type->getNumElements(), first, first + lanes);
    llvm::SimplifyQuery query(access->getModule()->getDataLayout(), access);
    return llvm::computeKnownBits(mask, elements, query).isZero();
  }
  llvm::Value *partOf(llvm::IRBuilder<> &builder, llvm::Value *vector, unsigned first) const {
    return builder.CreateShuffleVector(vector, llvm::createSequentialMask(first, lanes, 0));
  }

  llvm::IntrinsicInst *access;
  bool isLoad;
  llvm::Value *mask;
  llvm::FixedVectorType *type;
  /// Of a register.
  unsigned lanes;
};
} // namespace

void PartedAccess::split() {
  llvm::IRBuilder<> builder(access);
  llvm::Type *element = type->getElementType();
  llvm::Value *place = access->getArgOperand(isLoad ? 0 : 1);
  llvm::Align align = access->getParamAlign(isLoad ? 0 : 1).valueOrOne();
  uint64_t elementBytes = type->getScalarSizeInBits() / 8;
  llvm::SmallVector<llvm::Value *> parts;
  for (unsigned first = 0; first < type->getNumElements(); first += lanes) {
    llvm::Value *part = partOf(builder, access->getArgOperand(isLoad ? 2 : 0), first);
    parts.push_back(part);
    if (isMaskedOff(first))
      continue;
    llvm::Value *begin = builder.CreateConstGEP1_64(element, place, first);
    llvm::Align partAlign = llvm::commonAlignment(align, first * elementBytes);
    llvm::Value *partMask = partOf(builder, mask, first);
    if (isLoad)
      parts.back() = builder.CreateMaskedLoad(part->getType(), begin, partAlign, partMask, part);
    else
      builder.CreateMaskedStore(part, begin, partAlign, partMask);
  }
  if (isLoad)
    access->replaceAllUsesWith(llvm::concatenateVectors(builder, parts));
  access->eraseFromParent();
}

void fsm::splitMaskedAccesses(llvm::Function &function, unsigned registerBits) {
  llvm::SmallVector<llvm::IntrinsicInst *> accesses;
  for (llvm::Instruction &instruction : llvm::instructions(function))
    if (auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction))
      if (call->getIntrinsicID() == llvm::Intrinsic::masked_load ||
          call->getIntrinsicID() == llvm::Intrinsic::masked_store)
        accesses.push_back(call);
  for (llvm::IntrinsicInst *call : accesses)
    if (PartedAccess access(call, registerBits); access.hasPartMaskedOff())
      access.split();
}
