//===- KnownFaults.cpp - What LLVM and ptxas compile wrongly --------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Target/KnownFaults.h"

#include "fsm/Machine/GpuTarget.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/PatternMatch.h"

#include <limits>

using namespace llvm::PatternMatch;

static bool isNegativeZero(const llvm::Value *value) {
  auto *number = llvm::dyn_cast<llvm::ConstantFP>(value);
  return number && number->isZero() && number->isNegative();
}

/// ptxas 13.0 makes the choice between -0 and -1 a conversion of 0 and -1 from integers, which
/// gives +0 (docs/decisions/0035-negative-zero-or-minus-one.md).
static bool choosesNegativeZero(llvm::Instruction &instruction) {
  auto *choice = llvm::dyn_cast<llvm::SelectInst>(&instruction);
  if (!choice || !choice->getType()->isFloatingPointTy())
    return false;
  const llvm::Value *one = choice->getTrueValue();
  const llvm::Value *other = choice->getFalseValue();
  return llvm::isa<llvm::Constant>(one) && llvm::isa<llvm::Constant>(other) &&
         (isNegativeZero(one) || isNegativeZero(other));
}

/// The NVPTX back end takes such a choice for the larger or smaller of two f64.
static bool mayBecomeExtreme(llvm::Instruction &instruction) {
  auto *choice = llvm::dyn_cast<llvm::SelectInst>(&instruction);
  return choice && choice->getType()->getScalarType()->isDoubleTy() &&
         llvm::isa<llvm::FCmpInst>(choice->getCondition());
}

/// LLVM 22 takes `x < 0 ? x : 0` for the smaller of the two, which is -0 where x is
/// (docs/decisions/0208-signs-of-chosen-zeros.md).
static bool losesSignOfZero(llvm::Instruction &instruction) {
  llvm::Value *number = nullptr;
  auto isNegative = m_SpecificFCmp(llvm::FCmpInst::FCMP_OLT, m_Value(number), m_PosZeroFP());
  return match(&instruction, m_Select(isNegative, m_Deferred(number), m_PosZeroFP()));
}

/// What is compared with the other zero it does not take for an extreme.
static llvm::Value *belowNegativeZero(llvm::IRBuilder<> &builder, llvm::Instruction &choice) {
  llvm::Value *number = choice.getOperand(1), *zero = choice.getOperand(2);
  llvm::Value *other = llvm::ConstantFP::getZero(choice.getType(), /*Negative=*/true);
  return builder.CreateSelect(builder.CreateFCmpOLT(number, other), number, zero);
}

static llvm::Value *chooseByBits(llvm::IRBuilder<> &builder, llvm::Value *condition,
                                 llvm::Value *one, llvm::Value *other) {
  llvm::Type *type = one->getType();
  llvm::Type *bits = type->getWithNewType(builder.getIntNTy(type->getScalarSizeInBits()));
  llvm::Value *chosen = builder.CreateSelect(condition, builder.CreateBitCast(one, bits),
                                             builder.CreateBitCast(other, bits));
  return builder.CreateBitCast(chosen, type);
}

static llvm::Value *choiceByBits(llvm::IRBuilder<> &builder, llvm::Instruction &instruction) {
  auto &choice = llvm::cast<llvm::SelectInst>(instruction);
  return chooseByBits(builder, choice.getCondition(), choice.getTrueValue(),
                      choice.getFalseValue());
}

static bool isNumber(llvm::Value *value) {
  auto *constant = llvm::dyn_cast<llvm::ConstantFP>(value);
  return constant && !constant->isNaN();
}

static bool isNonZero(llvm::Value *value) {
  auto *constant = llvm::dyn_cast<llvm::ConstantFP>(value);
  return constant && !constant->isZero();
}

/// The larger or smaller of two f64, with -0 below 0, by comparisons. ptxas 13.0 computes `min.f64`
/// and `max.f64` in halves; where it computes one half anew later, it compares with 0 instead of
/// with a constant whose lower half is 0 (docs/decisions/0036-extremes-of-f64.md).
static llvm::Value *extremeByComparison(llvm::IRBuilder<> &builder,
                                        llvm::Instruction &instruction) {
  auto &extreme = llvm::cast<llvm::IntrinsicInst>(instruction);
  llvm::Intrinsic::ID kind = extreme.getIntrinsicID();
  bool isLargest = kind == llvm::Intrinsic::maximum || kind == llvm::Intrinsic::maxnum;
  bool keepsNaN = kind == llvm::Intrinsic::maximum || kind == llvm::Intrinsic::minimum;
  llvm::Value *left = extreme.getArgOperand(0);
  llvm::Value *right = extreme.getArgOperand(1);
  if (isNumber(left))
    std::swap(left, right);
  llvm::Value *isLeft =
      isLargest ? builder.CreateFCmpOGT(left, right) : builder.CreateFCmpOLT(left, right);
  llvm::Value *result = chooseByBits(builder, isLeft, left, right);
  if (!isNonZero(right)) {
    llvm::Type *type = extreme.getType();
    llvm::Type *bits = type->getWithNewType(builder.getInt64Ty());
    llvm::Value *one = builder.CreateBitCast(left, bits),
                *other = builder.CreateBitCast(right, bits);
    // Numbers that are equal have equal bits, or are 0 and -0.
    llvm::Value *both = isLargest ? builder.CreateAnd(one, other) : builder.CreateOr(one, other);
    result = chooseByBits(builder, builder.CreateFCmpOEQ(left, right),
                          builder.CreateBitCast(both, type), result);
  }
  if (keepsNaN)
    return chooseByBits(builder, builder.CreateFCmpUNO(left, right),
                        llvm::ConstantFP::getQNaN(extreme.getType()), result);
  if (isNumber(right))
    return result;
  return chooseByBits(builder, builder.CreateFCmpUNO(right, right), left, result);
}

static bool isExtreme(llvm::Instruction &instruction) {
  auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
  if (!call || !call->getType()->getScalarType()->isDoubleTy())
    return false;
  switch (call->getIntrinsicID()) {
  case llvm::Intrinsic::maximum:
  case llvm::Intrinsic::minimum:
  case llvm::Intrinsic::maxnum:
  case llvm::Intrinsic::minnum:
    return true;
  default:
    return false;
  }
}

/// LLVM 22 rounds a signed truth to bf16 as 1 instead of -1: what it makes of `sitofp i1` is a
/// conversion of 0 or 1 (test/Fuzz/widened-truths.mlir).
static bool convertsTruth(llvm::Instruction &instruction) {
  return llvm::isa<llvm::SIToFPInst>(instruction) &&
         instruction.getOperand(0)->getType()->isIntOrIntVectorTy(1);
}

static llvm::Value *truthByChoice(llvm::IRBuilder<> &builder, llvm::Instruction &conversion) {
  llvm::Type *type = conversion.getType();
  return builder.CreateSelect(conversion.getOperand(0), llvm::ConstantFP::get(type, -1.0),
                              llvm::ConstantFP::get(type, 0.0));
}

/// Before compute capability 9.0 the NVPTX back end rounds an integer to f32 and that to bf16; our
/// way by f64, which it rounds once, InstCombine takes back (test/Fuzz/integers-to-bf16.mlir).
/// Integers of 24 bits f32 holds.
static bool roundsTwice(llvm::Instruction &instruction) {
  return llvm::isa<llvm::SIToFPInst, llvm::UIToFPInst>(instruction) &&
         instruction.getType()->getScalarType()->isBFloatTy() &&
         instruction.getOperand(0)->getType()->getScalarSizeInBits() > 24;
}

/// Exact in f64: only then does InstCombine make one conversion of the two.
static llvm::Value *roundedOnce(llvm::IRBuilder<> &builder, llvm::Instruction &conversion) {
  llvm::Type *wide = conversion.getType()->getWithNewType(builder.getDoubleTy());
  auto code = llvm::cast<llvm::CastInst>(conversion).getOpcode();
  llvm::Value *exact = builder.CreateCast(code, conversion.getOperand(0), wide);
  return builder.CreateFPTrunc(exact, conversion.getType());
}

static bool isIndex(const llvm::Use &use) {
  return llvm::isa<llvm::GetElementPtrInst>(use.getUser());
}

/// What LLVM 22 does to addresses in front of the NVPTX back end takes `sext (x + 1)` for `sext x`
/// and 1, whether or not the sum wraps (test/Fuzz/wrapped-offsets.mlir). It does not look through a
/// `freeze`. Numbers of 32 bits wrap where no buffer reaches; only sums of them are frozen.
static bool mayLoseWrap(llvm::Instruction &instruction) {
  auto *extension = llvm::dyn_cast<llvm::SExtInst>(&instruction);
  if (!extension || extension->getType()->isVectorTy())
    return false;
  const llvm::Value *number = extension->getOperand(0);
  if (number->getType()->isIntegerTy(1))
    return false;
  // What has just been loaded is no sum; an extreme may be of sums.
  if (number->getType()->getIntegerBitWidth() < 32)
    return llvm::isa<llvm::MinMaxIntrinsic>(number) ||
           !llvm::isa<llvm::Argument, llvm::LoadInst, llvm::ExtractElementInst, llvm::CallInst>(
               number);
  auto *sum = llvm::dyn_cast<llvm::OverflowingBinaryOperator>(number);
  bool wraps =
      sum ? !sum->hasNoSignedWrap() : llvm::isa<llvm::BinaryOperator, llvm::TruncInst>(number);
  return wraps && llvm::any_of(extension->uses(), isIndex);
}

static llvm::Value *frozenExtension(llvm::IRBuilder<> &builder, llvm::Instruction &extension) {
  builder.SetInsertPoint(extension.getNextNode());
  return builder.CreateFreeze(&extension);
}

/// How many instructions are looked at before the answer is that it may be so.
static constexpr unsigned kMostVisited = 64;

/// Whether this integer is made of the lower bits of a sum, which may be more than they hold.
static bool hasPartOfSum(const llvm::Value *integer,
                         llvm::SmallPtrSetImpl<const llvm::Value *> &seen) {
  auto *instruction = llvm::dyn_cast<llvm::Instruction>(integer);
  if (!instruction || !seen.insert(instruction).second)
    return false;
  if (seen.size() > kMostVisited)
    return true;
  switch (instruction->getOpcode()) {
  case llvm::Instruction::Trunc:
    return !llvm::cast<llvm::TruncInst>(instruction)->hasNoUnsignedWrap() &&
           llvm::isa<llvm::BinaryOperator, llvm::CastInst>(instruction->getOperand(0));
  case llvm::Instruction::Add:
  case llvm::Instruction::Sub:
  case llvm::Instruction::Or:
  case llvm::Instruction::ZExt:
  case llvm::Instruction::SExt:
    return llvm::any_of(instruction->operands(),
                        [&](const llvm::Use &operand) { return hasPartOfSum(operand, seen); });
  default:
    return llvm::isa<llvm::MinMaxIntrinsic>(instruction) &&
           llvm::any_of(instruction->operands(),
                        [&](const llvm::Use &operand) { return hasPartOfSum(operand, seen); });
  }
}

/// The same takes `zext (trunc (x + 128))` for `zext (trunc x)` and 128, if `x + 128` does not wrap
/// before it is cut (test/Fuzz/parts-of-sums.mlir).
static bool mayLosePart(llvm::Instruction &instruction) {
  auto *extension = llvm::dyn_cast<llvm::ZExtInst>(&instruction);
  llvm::SmallPtrSet<const llvm::Value *, 8> seen;
  return extension && !extension->getType()->isVectorTy() &&
         hasPartOfSum(extension->getOperand(0), seen);
}

/// The same takes `sext (y - (x or disjoint 0x80000000))` for `sext (y - x)` and -0x80000000, which
/// is that of 32 bits negated: 2^32 away (test/Fuzz/differences-of-negative.mlir).
static bool addsSignBit(llvm::Instruction &instruction) {
  return match(&instruction, m_AddLike(m_Value(), m_SignMask()));
}

static llvm::Value *flippedSignBit(llvm::IRBuilder<> &builder, llvm::Instruction &sum) {
  return builder.CreateXor(sum.getOperand(0), sum.getOperand(1));
}

/// The smaller or larger of two integers of less than 32 bits. LLVM's back end also makes it of
/// choices.
struct NarrowExtreme {
  llvm::Intrinsic::ID kind = llvm::Intrinsic::not_intrinsic;
  llvm::Value *left = nullptr;
  llvm::Value *right = nullptr;
};

static NarrowExtreme narrowExtreme(llvm::Instruction &instruction) {
  llvm::Type *type = instruction.getType();
  if (!type->isIntOrIntVectorTy() || type->getScalarSizeInBits() >= 32)
    return {};
  if (auto *extreme = llvm::dyn_cast<llvm::MinMaxIntrinsic>(&instruction))
    return {extreme->getIntrinsicID(), extreme->getLHS(), extreme->getRHS()};
  NarrowExtreme extreme;
  auto flavor = llvm::matchSelectPattern(&instruction, extreme.left, extreme.right).Flavor;
  if (llvm::SelectPatternResult::isMinOrMax(flavor))
    extreme.kind = llvm::getMinMaxIntrinsic(flavor);
  return extreme;
}

static bool isNarrowExtreme(llvm::Instruction &instruction) {
  return narrowExtreme(instruction).kind != llvm::Intrinsic::not_intrinsic;
}

/// ptxas 13.0 compares such an extreme with one of its operands by what VIMNMX.S16x2 says of which
/// of the two it is, and takes the one for the other
/// (docs/decisions/0039-narrow-extremes-in-words.md).
static llvm::Value *extremeInWords(llvm::IRBuilder<> &builder, llvm::Instruction &instruction) {
  NarrowExtreme extreme = narrowExtreme(instruction);
  bool isSigned = llvm::MinMaxIntrinsic::isSigned(extreme.kind);
  llvm::Type *type = instruction.getType();
  llvm::Type *words = type->getWithNewType(builder.getInt32Ty());
  llvm::Value *wide = builder.CreateBinaryIntrinsic(
      extreme.kind, builder.CreateIntCast(extreme.left, words, isSigned),
      builder.CreateIntCast(extreme.right, words, isSigned));
  return builder.CreateTrunc(wide, type);
}

/// Whether the register that holds this integer may be one that an instruction for floats wrote.
static bool mayBeWrittenAsFloat(const llvm::Value *integer,
                                llvm::SmallPtrSetImpl<const llvm::Value *> &seen) {
  auto *instruction = llvm::dyn_cast<llvm::Instruction>(integer);
  if (!instruction || !seen.insert(instruction).second)
    return false;
  if (llvm::isa<llvm::BitCastInst>(instruction) &&
      instruction->getOperand(0)->getType()->isFPOrFPVectorTy())
    return true;
  return llvm::isa<llvm::BitCastInst, llvm::TruncInst, llvm::SExtInst, llvm::ZExtInst,
                   llvm::FreezeInst, llvm::PHINode, llvm::SelectInst>(instruction) &&
         llvm::any_of(instruction->operands(),
                      [&](const llvm::Use &operand) { return mayBeWrittenAsFloat(operand, seen); });
}

/// Where a store takes fewer bits than a register has and an instruction for floats wrote that
/// register, ptxas 13.0 converts the number to an integer
/// (docs/decisions/0040-parts-of-floats.md).
static bool takesPartOfFloat(llvm::Instruction &instruction) {
  llvm::SmallPtrSet<const llvm::Value *, 8> seen;
  return llvm::isa<llvm::TruncInst>(instruction) &&
         mayBeWrittenAsFloat(instruction.getOperand(0), seen);
}

/// The same integer in a register that `mov` wrote, which is for bits.
static llvm::Value *movedBits(llvm::IRBuilder<> &builder, llvm::Value *integer) {
  llvm::Type *type = integer->getType();
  if (auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(type)) {
    llvm::Value *moved = llvm::PoisonValue::get(type);
    for (unsigned i = 0; i != vector->getNumElements(); ++i)
      moved = builder.CreateInsertElement(
          moved, movedBits(builder, builder.CreateExtractElement(integer, i)), i);
    return moved;
  }
  unsigned bits = type->getIntegerBitWidth();
  const char *constraints = bits == 16 ? "=h,h" : bits == 32 ? "=r,r" : "=l,l";
  if (bits != 16 && bits != 32 && bits != 64)
    return integer;
  auto *move = llvm::InlineAsm::get(llvm::FunctionType::get(type, {type}, false),
                                    "mov.b" + std::to_string(bits) + " $0, $1;", constraints,
                                    /*hasSideEffects=*/false);
  return builder.CreateCall(move, {integer});
}

static llvm::Value *partOfMovedBits(llvm::IRBuilder<> &builder, llvm::Instruction &part) {
  part.setOperand(0, movedBits(builder, part.getOperand(0)));
  return nullptr;
}

/// Whether this integer comes of arithmetic that may wrap.
static bool mayHaveWrapped(const llvm::Value *integer,
                           llvm::SmallPtrSetImpl<const llvm::Value *> &seen) {
  auto *instruction = llvm::dyn_cast<llvm::Instruction>(integer);
  if (!instruction || llvm::isa<llvm::LoadInst>(instruction) || !seen.insert(instruction).second)
    return false;
  if (seen.size() > kMostVisited)
    return true;
  if (auto *call = llvm::dyn_cast<llvm::CallInst>(instruction);
      call && !llvm::isa<llvm::MinMaxIntrinsic>(call))
    return !call->isInlineAsm();
  if (auto *part = llvm::dyn_cast<llvm::TruncInst>(instruction))
    return !part->hasNoUnsignedWrap();
  auto *arithmetic = llvm::dyn_cast<llvm::OverflowingBinaryOperator>(instruction);
  return (arithmetic && !arithmetic->hasNoUnsignedWrap()) ||
         llvm::any_of(instruction->operands(),
                      [&](const llvm::Use &operand) { return mayHaveWrapped(operand, seen); });
}

/// Whether this number may be added to an address as it is.
static bool isAddedToAddress(const llvm::Value *number,
                             llvm::SmallPtrSetImpl<const llvm::Value *> &seen) {
  return llvm::any_of(number->users(), [&](const llvm::User *user) {
    if (auto *address = llvm::dyn_cast<llvm::GetElementPtrInst>(user))
      return address->getSourceElementType()->getPrimitiveSizeInBits() <= 8;
    if (seen.size() > kMostVisited)
      return true;
    auto *operation = llvm::cast<llvm::Instruction>(user);
    switch (operation->getOpcode()) {
    case llvm::Instruction::Add:
    case llvm::Instruction::Or:
    case llvm::Instruction::ZExt:
    case llvm::Instruction::SExt:
    case llvm::Instruction::Freeze:
    case llvm::Instruction::PHI:
    case llvm::Instruction::Select:
      return seen.insert(user).second && isAddedToAddress(user, seen);
    default:
      return false;
    }
  });
}

/// Where a load's address is a sum of 16 bits widened by `cvt.u64.u16` and another number, ptxas
/// 13.0 adds the unwrapped sum (docs/decisions/0041-wrapped-sums-in-addresses.md).
static bool widensWrappedSum(llvm::Instruction &instruction) {
  auto *extension = llvm::dyn_cast<llvm::ZExtInst>(&instruction);
  if (!extension || !extension->getOperand(0)->getType()->isIntegerTy(16))
    return false;
  llvm::SmallPtrSet<const llvm::Value *, 8> sources, users;
  return mayHaveWrapped(extension->getOperand(0), sources) && isAddedToAddress(extension, users);
}

/// By way of 32 bits, of which LLVM does not know whence they are: it would make one `cvt` of both.
static llvm::Value *widenedByWord(llvm::IRBuilder<> &builder, llvm::Instruction &extension) {
  llvm::Value *sum = extension.getOperand(0);
  auto *type = llvm::FunctionType::get(builder.getInt32Ty(), {sum->getType()}, false);
  auto *conversion =
      llvm::InlineAsm::get(type, "cvt.u32.u16 $0, $1;", "=r,h", /*hasSideEffects=*/false);
  return builder.CreateZExtOrTrunc(builder.CreateCall(conversion, {sum}), extension.getType());
}

/// Assembler text of one 16- or 32-bit result and operand that neither LLVM nor ptxas looks
/// through.
static llvm::Value *hidden(llvm::IRBuilder<> &builder, llvm::Type *type, llvm::Value *operand,
                           const char *text) {
  auto letter = [](llvm::Type *of) { return of->isIntegerTy(16) ? "h" : "r"; };
  std::string constraints = std::string("=") + letter(type) + "," + letter(operand->getType());
  auto *function = llvm::FunctionType::get(type, {operand->getType()}, false);
  auto *code = llvm::InlineAsm::get(function, text, constraints, /*hasSideEffects=*/false);
  return builder.CreateCall(code, {operand});
}

/// A vector of what `make` gives for each element; of a scalar, that.
static llvm::Value *elementwise(llvm::IRBuilder<> &builder, llvm::Value *operand,
                                llvm::function_ref<llvm::Value *(llvm::Value *)> make) {
  auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(operand->getType());
  if (!vector)
    return make(operand);
  llvm::Value *result = llvm::PoisonValue::get(vector);
  for (unsigned i = 0; i != vector->getNumElements(); ++i)
    result = builder.CreateInsertElement(result, make(builder.CreateExtractElement(operand, i)), i);
  return result;
}

static bool isShort(const llvm::Instruction &instruction) {
  return instruction.getType()->getScalarType()->isIntegerTy(16);
}

/// The same integer with the other sign, computed in 32 bits.
static llvm::Value *negatedInWords(llvm::IRBuilder<> &builder, llvm::Value *number) {
  return elementwise(builder, number, [&](llvm::Value *element) {
    return hidden(builder, element->getType(), element,
                  "{ .reg .b32 t; cvt.s32.s16 t, $1; neg.s32 t, t; cvt.u16.u32 $0, t; }");
  });
}

/// ptxas 13.0 computes `neg.s16` and `abs.s16` in 32 bits and takes the result for one of 16: of
/// -32768 it is 32768, which is not below 0 (docs/decisions/0049-negated-in-32-bits.md).
static bool negatesShort(llvm::Instruction &instruction) {
  return isShort(instruction) && match(&instruction, m_Neg(m_Value())) &&
         !instruction.hasNoSignedWrap();
}

static llvm::Value *negatedShort(llvm::IRBuilder<> &builder, llvm::Instruction &negation) {
  return negatedInWords(builder, negation.getOperand(1));
}

/// The back end negates what it shifts.
static bool multipliesShortByNegativePower(llvm::Instruction &instruction) {
  return isShort(instruction) && match(&instruction, m_Mul(m_Value(), m_NegatedPower2())) &&
         !instruction.hasNoSignedWrap();
}

static llvm::Value *negatedProduct(llvm::IRBuilder<> &builder, llvm::Instruction &product) {
  llvm::Value *power = builder.CreateNeg(product.getOperand(1)); // A constant, and so is this.
  return negatedInWords(builder, builder.CreateMul(product.getOperand(0), power));
}

static bool isMagnitudeOfShort(llvm::Instruction &instruction) {
  return isShort(instruction) &&
         match(&instruction, m_Intrinsic<llvm::Intrinsic::abs>(m_Value(), m_Zero()));
}

static llvm::Value *magnitudeOfShort(llvm::IRBuilder<> &builder, llvm::Instruction &magnitude) {
  llvm::Value *number = magnitude.getOperand(0);
  llvm::Value *isNegative =
      builder.CreateICmpSLT(number, llvm::ConstantInt::get(number->getType(), 0));
  return builder.CreateSelect(isNegative, negatedInWords(builder, number), number);
}

/// Whether all threads may have the same address here.
static bool mayBeUniform(const llvm::Value *value,
                         llvm::SmallPtrSetImpl<const llvm::Value *> &seen) {
  auto *instruction = llvm::dyn_cast<llvm::Instruction>(value);
  if (!instruction || !seen.insert(instruction).second || seen.size() > kMostVisited)
    return true;
  if (auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(instruction)) {
    llvm::Intrinsic::ID id = call->getIntrinsicID();
    if (id == llvm::Intrinsic::nvvm_read_ptx_sreg_tid_x ||
        id == llvm::Intrinsic::nvvm_read_ptx_sreg_laneid)
      return false;
  }
  return llvm::all_of(instruction->operands(),
                      [&](const llvm::Use &operand) { return mayBeUniform(operand, seen); });
}

/// Where a thread-independent address gives two numbers of 16 bits in one register, ptxas 13.0
/// takes the upper one out of another (docs/decisions/0050-halves-of-uniform-words.md).
static bool loadsHalvesOfWords(llvm::Instruction &instruction) {
  auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
  auto *type = llvm::dyn_cast<llvm::FixedVectorType>(instruction.getType());
  llvm::SmallPtrSet<const llvm::Value *, 8> seen;
  return load && type && type->getScalarSizeInBits() == 16 && type->getNumElements() % 2 == 0 &&
         load->getAlign() >= 4 && mayBeUniform(load->getPointerOperand(), seen);
}

static llvm::Value *halvesByShift(llvm::IRBuilder<> &builder, llvm::Instruction &instruction) {
  auto &load = llvm::cast<llvm::LoadInst>(instruction);
  auto *type = llvm::cast<llvm::FixedVectorType>(load.getType());
  unsigned count = type->getNumElements() / 2;
  llvm::Type *word = builder.getInt32Ty();
  llvm::LoadInst *loaded = builder.CreateAlignedLoad(llvm::FixedVectorType::get(word, count),
                                                     load.getPointerOperand(), load.getAlign());
  loaded->copyMetadata(load, {llvm::LLVMContext::MD_invariant_load, llvm::LLVMContext::MD_dbg});
  llvm::Value *result = llvm::PoisonValue::get(type);
  for (unsigned i = 0; i != count; ++i) {
    llvm::Value *both = builder.CreateExtractElement(loaded, i);
    llvm::Value *upper = hidden(builder, word, both, "shr.u32 $0, $1, 16;");
    for (auto [at, half] : {std::pair(2 * i, both), std::pair(2 * i + 1, upper)}) {
      llvm::Value *bits = builder.CreateTrunc(half, builder.getInt16Ty());
      result = builder.CreateInsertElement(result,
                                           builder.CreateBitCast(bits, type->getElementType()), at);
    }
  }
  return result;
}

namespace {

struct KnownFault {
  bool (*matches)(llvm::Instruction &instruction);
  /// What takes the instruction's place, which it may use; null if that was changed itself.
  llvm::Value *(*rewrite)(llvm::IRBuilder<> &builder, llvm::Instruction &instruction);
  /// GPUs of this compute capability and later ones do not have the fault.
  unsigned mendedIn = std::numeric_limits<unsigned>::max();
};

} // namespace

static constexpr KnownFault kKnownFaults[] = {
    {isExtreme, extremeByComparison},
    {isNarrowExtreme, extremeInWords},
    {convertsTruth, truthByChoice},
    {roundsTwice, roundedOnce, 90},
    {choosesNegativeZero, choiceByBits},
    {mayBecomeExtreme, choiceByBits},
    {losesSignOfZero, belowNegativeZero},
    {mayLoseWrap, frozenExtension},
    {takesPartOfFloat, partOfMovedBits},
    {widensWrappedSum, widenedByWord},
    {mayLosePart, frozenExtension},
    {addsSignBit, flippedSignBit},
    {negatesShort, negatedShort},
    {multipliesShortByNegativePower, negatedProduct},
    {isMagnitudeOfShort, magnitudeOfShort},
    {loadsHalvesOfWords, halvesByShift},
};

void fsm::avoidKnownFaults(llvm::Function &function, const GpuTarget &target) {
  llvm::SmallVector<std::pair<llvm::Instruction *, const KnownFault *>> found;
  for (llvm::Instruction &instruction : llvm::instructions(function)) {
    auto *fault = llvm::find_if(kKnownFaults, [&](const KnownFault &fault) {
      return target.computeCapability < fault.mendedIn && fault.matches(instruction);
    });
    if (fault != std::end(kKnownFaults))
      found.emplace_back(&instruction, fault);
  }
  for (auto [instruction, fault] : found) {
    llvm::IRBuilder<> builder(instruction);
    llvm::Value *result = fault->rewrite(builder, *instruction);
    if (!result)
      continue;
    instruction->replaceUsesWithIf(result, [&](llvm::Use &use) { return use.getUser() != result; });
    if (instruction->use_empty())
      instruction->eraseFromParent();
  }
}
