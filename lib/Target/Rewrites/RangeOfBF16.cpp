//===- RangeOfBF16.cpp - Numbers of bf16 that become f16 ------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RangeOfBF16.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"

static bool roundsToHalves(const llvm::Instruction &instruction) {
  return llvm::isa<llvm::FPTruncInst>(instruction) &&
         instruction.getType()->getScalarType()->isHalfTy();
}

static bool widensBF16(const llvm::Instruction &instruction) {
  return llvm::isa<llvm::FPExtInst>(instruction) &&
         instruction.getOperand(0)->getType()->getScalarType()->isBFloatTy();
}

/// The upper half of an f32, and zeros.
static llvm::Value *widenedByBits(llvm::IRBuilder<> &builder, llvm::Instruction &extension) {
  llvm::Type *type = extension.getType();
  llvm::Type *halves = type->getWithNewType(builder.getInt16Ty()),
             *words = type->getWithNewType(builder.getInt32Ty());
  llvm::Value *upper =
      builder.CreateZExt(builder.CreateBitCast(extension.getOperand(0), halves), words);
  llvm::Value *number = builder.CreateBitCast(builder.CreateShl(upper, 16),
                                              type->getWithNewType(builder.getFloatTy()));
  return builder.CreateFPExt(number, type);
}

void fsm::keepRangeOfBF16(llvm::Function &function) {
  if (llvm::none_of(llvm::instructions(function), roundsToHalves))
    return;
  for (llvm::Instruction &instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
    if (!widensBF16(instruction))
      continue;
    llvm::IRBuilder<> builder(&instruction);
    instruction.replaceAllUsesWith(widenedByBits(builder, instruction));
    instruction.eraseFromParent();
  }
}
