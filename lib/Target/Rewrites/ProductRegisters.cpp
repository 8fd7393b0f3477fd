//===- ProductRegisters.cpp - Constants in registers of products --------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Target/ProductRegisters.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"

/// The assembler text that an instruction is, or none.
static llvm::StringRef assemblyOf(const llvm::Instruction &instruction) {
  auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
  auto *text = call ? llvm::dyn_cast<llvm::InlineAsm>(call->getCalledOperand()) : nullptr;
  return text ? text->getAsmString() : llvm::StringRef();
}

/// The operands of assembler text that are constants, of 32 bits and in registers.
static llvm::SmallVector<llvm::Use *> constantRegisters(llvm::CallInst &call) {
  llvm::SmallVector<llvm::Use *> uses;
  auto *text = llvm::cast<llvm::InlineAsm>(call.getCalledOperand());
  llvm::Use *operand = call.arg_begin();
  for (const llvm::InlineAsm::ConstraintInfo &constraint : text->ParseConstraints()) {
    if (constraint.Type != llvm::InlineAsm::isInput)
      continue;
    llvm::Value *value = operand->get();
    bool isConstant = llvm::isa<llvm::ConstantInt, llvm::ConstantFP>(value);
    if (isConstant && value->getType()->getScalarSizeInBits() == 32 &&
        !llvm::is_contained(constraint.Codes, "n"))
      uses.push_back(operand);
    ++operand;
  }
  return uses;
}

static uint32_t bitsOf(llvm::Value *constant) {
  if (auto *integer = llvm::dyn_cast<llvm::ConstantInt>(constant))
    return static_cast<uint32_t>(integer->getZExtValue());
  const llvm::APFloat &number = llvm::cast<llvm::ConstantFP>(constant)->getValueAPF();
  return static_cast<uint32_t>(number.bitcastToAPInt().getZExtValue());
}

/// The fence that the group of a product begins with, or the product where there is none in its
/// block.
static llvm::Instruction *fenceOf(llvm::Instruction *product) {
  for (llvm::Instruction *before = product; before; before = before->getPrevNode())
    if (assemblyOf(*before).contains("wgmma.fence"))
      return before;
  return product;
}

void fsm::putConstantsBeforeFences(llvm::Function &function) {
  llvm::SmallVector<llvm::CallInst *> products;
  for (llvm::Instruction &instruction : llvm::instructions(function))
    if (assemblyOf(instruction).contains("wgmma.mma_async"))
      products.push_back(llvm::cast<llvm::CallInst>(&instruction));
  for (llvm::CallInst *product : products)
    for (llvm::Use *use : constantRegisters(*product)) {
      llvm::IRBuilder<> builder(fenceOf(product));
      auto *move = llvm::InlineAsm::get(llvm::FunctionType::get(builder.getInt32Ty(), false),
                                        "mov.b32 $0, " + std::to_string(bitsOf(use->get())) + ";",
                                        "=r", /*hasSideEffects=*/true);
      use->set(builder.CreateBitCast(builder.CreateCall(move), use->get()->getType()));
    }
}
