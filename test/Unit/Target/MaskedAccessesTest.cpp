//===- MaskedAccessesTest.cpp - Masked accesses, register by register ----===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Rewrites/MaskedAccesses.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/SourceMgr.h"

#include "gtest/gtest.h"

using namespace llvm;

namespace {
/// How many elements each masked access of a function has, once registers have so many bits.
std::vector<unsigned> accessesAfter(const std::string &text, unsigned registerBits) {
  LLVMContext context;
  SMDiagnostic problem;
  std::unique_ptr<Module> module = parseAssemblyString(text, problem, context);
  if (!module) {
    ADD_FAILURE() << problem.getMessage().str();
    return {};
  }
  Function &function = *module->getFunction("f");
  fsm::splitMaskedAccesses(function, registerBits);
  EXPECT_FALSE(verifyModule(*module, &errs()));
  std::vector<unsigned> elements;
  for (Instruction &instruction : instructions(function))
    if (auto *call = dyn_cast<IntrinsicInst>(&instruction)) {
      bool isLoad = call->getIntrinsicID() == Intrinsic::masked_load;
      Type *type = isLoad ? call->getType() : call->getArgOperand(0)->getType();
      elements.push_back(cast<FixedVectorType>(type)->getNumElements());
    }
  return elements;
}

/// Copies eight f64 where a mask of a block's end lets them through.
std::string copyWhere(const std::string &inside) {
  return R"(
    define void @f(ptr %to, ptr %from, <8 x i1> %m) {
      %mask = and <8 x i1> %m, )" +
         inside + R"(
      %x = call <8 x double> @llvm.masked.load.v8f64.p0(ptr align 8 %from, <8 x i1> %mask, <8 x double> zeroinitializer)
      call void @llvm.masked.store.v8f64.p0(<8 x double> %x, ptr align 8 %to, <8 x i1> %mask)
      ret void
    }
    declare <8 x double> @llvm.masked.load.v8f64.p0(ptr, <8 x i1>, <8 x double>)
    declare void @llvm.masked.store.v8f64.p0(<8 x double>, ptr, <8 x i1>))";
}
} // namespace

TEST(MaskedAccesses, LeaveOutRegistersThatAreMaskedOff) {
  std::string two = copyWhere("<i1 1, i1 1, i1 0, i1 0, i1 0, i1 0, i1 0, i1 0>");
  EXPECT_EQ(accessesAfter(two, 256), (std::vector<unsigned>{4, 4}));
  EXPECT_EQ(accessesAfter(two, 128), (std::vector<unsigned>{2, 2}));
  std::string last = copyWhere("<i1 0, i1 0, i1 0, i1 0, i1 0, i1 0, i1 0, i1 1>");
  EXPECT_EQ(accessesAfter(last, 128), (std::vector<unsigned>{2, 2}));
}

TEST(MaskedAccesses, StayWhereRegistersHaveElements) {
  EXPECT_EQ(accessesAfter(copyWhere("<i1 1, i1 1, i1 1, i1 1, i1 1, i1 0, i1 0, i1 0>"), 256),
            (std::vector<unsigned>{8, 8}));
  EXPECT_EQ(accessesAfter(copyWhere("<i1 1, i1 1, i1 0, i1 0, i1 0, i1 0, i1 0, i1 0>"), 512),
            (std::vector<unsigned>{8, 8}));
}

TEST(MaskedAccesses, KeepTheOthersApart) {
  // Of four registers the third is masked off.
  std::string text = copyWhere("<i1 1, i1 1, i1 1, i1 1, i1 0, i1 0, i1 1, i1 1>");
  EXPECT_EQ(accessesAfter(text, 128), (std::vector<unsigned>{2, 2, 2, 2, 2, 2}));
}
