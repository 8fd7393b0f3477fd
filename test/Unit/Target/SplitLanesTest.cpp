//===- SplitLanesTest.cpp - The same scalars as LLVM's Scalarizer makes --===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Functions over vectors are split by LLVM's Scalarizer alone, and by SplitLanes in front of it.
// When what nobody needs is gone, both are the same text.
//
//===----------------------------------------------------------------------===//

#include "Rewrites/SplitLanes.h"

#include "Rewrites/Analyses.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/Scalarizer.h"

#include "gtest/gtest.h"

using namespace llvm;

namespace {
/// Lanes are taken out behind the vector, in their order; neither is said by what a function does.
void orderExtracts(Function &function) {
  SmallVector<std::pair<uint64_t, ExtractElementInst *>> extracts;
  for (Instruction &instruction : instructions(function))
    if (auto *extract = dyn_cast<ExtractElementInst>(&instruction))
      extracts.push_back({cast<ConstantInt>(extract->getIndexOperand())->getZExtValue(), extract});
  llvm::stable_sort(extracts, [](auto &left, auto &right) { return left.first > right.first; });
  for (auto &[lane, extract] : extracts)
    if (auto *vector = dyn_cast<Instruction>(extract->getVectorOperand()))
      extract->moveAfter(vector);
    else
      extract->moveBefore(function.getEntryBlock().begin());
}

void dropNames(Function &function) {
  for (BasicBlock &block : function)
    block.setName("");
  for (Instruction &instruction : instructions(function))
    instruction.setName("");
}

/// The text of a module after some passes.
std::string after(const std::string &text, function_ref<void(FunctionPassManager &)> addPasses) {
  LLVMContext context;
  SMDiagnostic problem;
  std::unique_ptr<Module> module = parseAssemblyString(text, problem, context);
  if (!module)
    return problem.getMessage().str();
  PassBuilder builder;
  fsm::Analyses analyses(builder);
  FunctionPassManager passes;
  addPasses(passes);
  for (Function &function : *module)
    if (!function.isDeclaration())
      passes.run(function, analyses.functions);
  std::string result;
  raw_string_ostream stream(result);
  if (verifyModule(*module, &stream))
    return "broken: " + result;
  for (Function &function : *module)
    if (!function.isDeclaration()) {
      orderExtracts(function);
      dropNames(function);
      stream << function;
    }
  return result;
}

std::string cleanedUp(const std::string &text, bool isSplitBefore) {
  return after(text, [&](FunctionPassManager &passes) {
    if (isSplitBefore)
      passes.addPass(fsm::SplitLanesPass());
    passes.addPass(ScalarizerPass());
    passes.addPass(InstCombinePass());
    passes.addPass(EarlyCSEPass());
  });
}

void expectSame(const std::string &text) {
  std::string alone = cleanedUp(text, false);
  ASSERT_NE(alone.find("define"), std::string::npos) << alone;
  EXPECT_EQ(cleanedUp(text, true), alone);
}
} // namespace

TEST(SplitLanes, ArithmeticKeepsItsFlagsAndConstants) {
  expectSame(R"(define void @f(ptr %p, ptr %q, float %y) {
    %x = load <4 x float>, ptr %p
    %y0 = insertelement <4 x float> poison, float %y, i64 0
    %ys = shufflevector <4 x float> %y0, <4 x float> poison, <4 x i32> zeroinitializer
    %a = fsub nnan <4 x float> %x, %ys
    %b = fmul contract <4 x float> %a, <float 1.5, float 2.5, float 3.5, float 4.5>
    %c = fneg <4 x float> %b
    %d = call <4 x float> @llvm.fma.v4f32(<4 x float> %c, <4 x float> %x, <4 x float> %b)
    %e = call nsz <4 x float> @llvm.maximum.v4f32(<4 x float> %d, <4 x float> %ys)
    store <4 x float> %e, ptr %q
    ret void
  })");
}

TEST(SplitLanes, IntegersAreComparedChosenAndCast) {
  expectSame(R"(define void @f(ptr %p, ptr %q, i1 %all, <4 x i32> %z) {
    %x = load <4 x i32>, ptr %p
    %a = add nuw <4 x i32> %x, %z
    %m = icmp slt <4 x i32> %a, <i32 1, i32 2, i32 poison, i32 4>
    %b = select <4 x i1> %m, <4 x i32> %a, <4 x i32> %z
    %c = select i1 %all, <4 x i32> %b, <4 x i32> zeroinitializer
    %d = freeze <4 x i32> %c
    %e = zext nneg <4 x i32> %d to <4 x i64>
    %f = trunc <4 x i64> %e to <4 x i16>
    %g = call <4 x i16> @llvm.umin.v4i16(<4 x i16> %f, <4 x i16> splat (i16 9))
    store <4 x i16> %g, ptr %q
    ret void
  })");
}

TEST(SplitLanes, LanesMoveBetweenVectors) {
  expectSame(R"(define float @f(ptr %p, ptr %q, float %y) {
    %x = load <4 x float>, ptr %p
    %n = fneg <4 x float> %x
    %s = shufflevector <4 x float> %x, <4 x float> %n, <3 x i32> <i32 6, i32 1, i32 poison>
    %i = insertelement <3 x float> %s, float %y, i64 2
    %a = fadd <3 x float> %i, %i
    %e = extractelement <3 x float> %a, i64 0
    %h = extractelement <3 x float> %a, i64 2
    store <3 x float> %a, ptr %q
    %r = fdiv float %e, %h
    ret float %r
  })");
}

TEST(SplitLanes, LoopsCarryLanes) {
  expectSame(R"(define void @f(ptr %p, ptr %q, i32 %n) {
  entry:
    %x = load <2 x float>, ptr %p
    br label %loop
  loop:
    %i = phi i32 [ 0, %entry ], [ %j, %loop ]
    %a = phi <2 x float> [ %x, %entry ], [ %c, %loop ]
    %b = phi <2 x float> [ <float 1.0, float 2.0>, %entry ], [ %a, %loop ]
    %c = fadd <2 x float> %a, %b
    %j = add i32 %i, 1
    %m = icmp ult i32 %j, %n
    br i1 %m, label %loop, label %end
  end:
    store <2 x float> %c, ptr %q
    ret void
  })");
}

TEST(SplitLanes, OtherVectorsTakeScalars) {
  expectSame(R"(define i32 @f(ptr %p, ptr %q, i32 %n, i32 %v) {
    %x = load <4 x i32>, ptr %p
    %a = add <4 x i32> %x, %x
    %b = bitcast <4 x i32> %a to <8 x i16>
    %c = mul <8 x i16> %b, %b
    store <8 x i16> %c, ptr %q
    %d = insertelement <4 x i32> %a, i32 %v, i32 %n
    %z = call <4 x i32> @llvm.ctlz.v4i32(<4 x i32> %d, i1 false)
    %m = xor <4 x i32> %z, %a
    %e = extractelement <4 x i32> %m, i32 %n
    %s = call <4 x i32> @llvm.scmp.v4i32.v4i32(<4 x i32> %m, <4 x i32> %d)
    %g = extractelement <4 x i32> %s, i32 3
    %r = add i32 %e, %g
    ret i32 %r
  })");
}

/// What it is for: LLVM's Scalarizer finds nothing left that it would write out again.
TEST(SplitLanes, NoVectorIsComputed) {
  std::string text =
      after(R"(define void @f(ptr %p, ptr %q) {
    %x = load <4 x float>, ptr %p
    %n = fneg <4 x float> %x
    %s = shufflevector <4 x float> %n, <4 x float> poison, <4 x i32> <i32 3, i32 2, i32 1, i32 0>
    %a = call <4 x float> @llvm.maxnum.v4f32(<4 x float> %n, <4 x float> %s)
    store <4 x float> %a, ptr %q
    ret void
  })",
            [](FunctionPassManager &passes) { passes.addPass(fsm::SplitLanesPass()); });
  EXPECT_EQ(text.find("fneg <4"), std::string::npos) << text;
  EXPECT_EQ(text.find("shufflevector"), std::string::npos) << text;
  EXPECT_EQ(text.find("maxnum.v4"), std::string::npos) << text;
  EXPECT_NE(text.find("store <4"), std::string::npos) << text;
}
