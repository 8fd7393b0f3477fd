//===- WholeProducts.cpp - Both halves of a product -----------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WholeProducts.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"

using namespace llvm;

namespace {
/// What a block has of one product of two words.
struct Halves {
  Instruction *low = nullptr, *high = nullptr;
};
} // namespace

/// The half of a product that an instruction is, or null.
static Instruction *Halves::*halfOf(const Instruction &instruction) {
  if (!instruction.getType()->isIntegerTy(32))
    return nullptr;
  auto *call = dyn_cast<IntrinsicInst>(&instruction);
  if (call && call->getIntrinsicID() == Intrinsic::nvvm_mulhi_ui)
    return &Halves::high;
  return instruction.getOpcode() == Instruction::Mul ? &Halves::low : nullptr;
}

static void multiplyOnce(Instruction &low, Instruction &high) {
  Instruction &first = low.comesBefore(&high) ? low : high;
  IRBuilder<> builder(&first);
  Type *word = builder.getInt32Ty(), *whole = builder.getInt64Ty();
  auto *multiply = InlineAsm::get(FunctionType::get(whole, {word, word}, false),
                                  "mul.wide.u32 $0, $1, $2;", "=l,r,r", /*hasSideEffects=*/false);
  Value *product = builder.CreateCall(multiply, {low.getOperand(0), low.getOperand(1)});
  low.replaceAllUsesWith(builder.CreateTrunc(product, word));
  high.replaceAllUsesWith(builder.CreateTrunc(builder.CreateLShr(product, 32), word));
  low.eraseFromParent();
  high.eraseFromParent();
}

void fsm::multiplyOnce(Function &function) {
  for (BasicBlock &block : function) {
    MapVector<std::pair<Value *, Value *>, Halves> products;
    for (Instruction &instruction : block)
      if (auto half = halfOf(instruction)) {
        Value *left = instruction.getOperand(0), *right = instruction.getOperand(1);
        products[{std::min(left, right), std::max(left, right)}].*half = &instruction;
      }
    for (auto &[factors, halves] : products)
      if (halves.low && halves.high)
        ::multiplyOnce(*halves.low, *halves.high);
  }
}
