//===- Quotients.cpp - Exact quotients of narrow floats by one divisor ---===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// ptxas divides by the nearest reciprocal y of the divisor d: q = x y, r = x - d q, q + r y. It
// makes y and tests d and x anew for each element, and calls a function where an exponent is out of
// the way. Here y and the test of d are made once. Of numbers that were f16 the exponents are
// known; those of bf16 are tested, in pairs where the GPU multiplies such, and one branch goes to
// the instruction for several elements.
//
// That the last line is x / d rounded to nearest was tried for every significand of d and of x as
// f16 has it, and every y that a step of Newton makes of a reciprocal that is wrong by up to 2 ulp:
// 8,589,974,528 quotients, of which one is wrong, where d has the largest significand
// (docs/decisions/0099-one-reciprocal.md).
//
// Quotients that are only rounded again, to what the dividends were, are made in two steps: z is
// one ulp less than y, l what is missing, and x z + (x l). Where that is not x / d rounded to 24
// bits, it is so close that both are rounded alike: tried for as many
// (docs/decisions/0187-quotients-that-are-rounded-again.md). z and l have the divisor's sign, and so
// infinities and signs of zeros come out by themselves.
//
//===----------------------------------------------------------------------===//

#include "Functions.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace fsm;
using fsm::registers::Formula;

/// Divisors between these lead no f16 to a number, a rest, a part or a quotient that is not normal;
/// nor those of the second line a number of kLeastDividend on.
static constexpr std::pair<double, double> kDivisorsOfHalves{0x1p-70, 0x1p70},
    kDivisorsOfOthers{0x1p-20, 0x1p20};
static constexpr uint32_t kLeastDividend = 49u << 23; // 2^-78
static constexpr double kMostQuotient = 0x1p126, kMostFloat = 0x1.fffffep127;
/// The bits of a significand behind the point.
static constexpr int64_t kFraction = 0x7fffff;

static Value bothHold(Formula &f, Value left, Value right) {
  return arith::AndIOp::create(f.builder, f.loc, left, right);
}

/// Whether quotients by `divisor` are made of its reciprocal. A negative one would give zeros the
/// wrong sign.
static Value hasReciprocal(Formula &f, Value divisor, std::pair<double, double> bounds) {
  Value bits = arith::BitcastOp::create(f.builder, f.loc, f.bitsType(), divisor);
  Value fraction = arith::AndIOp::create(f.builder, f.loc, bits, f.integer(kFraction));
  Value isOther = f.compare(arith::CmpIPredicate::ne, fraction, f.integer(kFraction));
  Value isMore = f.compare(arith::CmpFPredicate::OGE, divisor, f.number(bounds.first));
  Value isLess = f.compare(arith::CmpFPredicate::OLE, divisor, f.number(bounds.second));
  return bothHold(f, bothHold(f, isMore, isLess), isOther);
}

/// Whether a dividend is zero or at least kLeastDividend, and its quotient q at most kMostQuotient.
static Value isInBounds(Formula &f, Value dividend, Value q) {
  // Zero, less one, is the largest.
  Value bits = arith::BitcastOp::create(f.builder, f.loc, f.bitsType(), dividend);
  Value magnitude = f.sub(f.add(bits, bits), f.integer(1));
  Value isMore = f.compare(arith::CmpIPredicate::uge, magnitude, f.integer(2 * kLeastDividend));
  Value isLess = f.compare(arith::CmpFPredicate::OLE, f.abs(q), f.number(kMostQuotient));
  return bothHold(f, isMore, isLess);
}

/// a b + c of two bf16 in a word, in one instruction.
static Value fmaOfPairs(Formula &f, Value a, int64_t b, Value c) {
  Value factor = registers::constantInt(f.builder, f.loc, a.getType(), b);
  return LLVM::InlineAsmOp::create(f.builder, f.loc, a.getType(), ValueRange{a, factor, c},
                                   "fma.rn.bf16x2 $0, $1, $2, $3;", "=r,r,r,r",
                                   /*has_side_effects=*/false, /*is_align_stack=*/false,
                                   LLVM::TailCallKind::None, LLVM::AsmDialectAttr(), ArrayAttr())
      .getRes();
}

/// Of two bf16 in a word: what is zero but for signs where each is zero, or of 2^-78 up to 2^106,
/// of which no divisor makes more than kMostQuotient. A factor of 2^-48 loses bits of less, and
/// one of 2^70 makes infinity of more; multiplied back, both are not what they were.
static Value changeOfScaled(Formula &f, Value pair) {
  Value minusZeros = registers::constantInt(f.builder, f.loc, pair.getType(), 0x80008000);
  Value less = fmaOfPairs(f, pair, /*2^-48=*/0x27802780, minusZeros);
  Value more = fmaOfPairs(f, less, /*2^70=*/0x62806280, minusZeros);
  return fmaOfPairs(f, more, /*-2^-22=*/0xb480b480, pair);
}

/// Whether all of some lanes of bf16 are such, and leave a right quotient.
static Value areInBounds(Formula &f, ArrayRef<Value> lanes) {
  Type word = f.builder.getI32Type();
  auto pairType = VectorType::get({2}, f.builder.getBF16Type());
  Value changes = registers::constantInt(f.builder, f.loc, word, 0);
  for (size_t i = 0; i < lanes.size(); i += 2) {
    Value second = lanes[std::min(i + 1, lanes.size() - 1)];
    Value halves =
        vector::FromElementsOp::create(f.builder, f.loc, pairType, ValueRange{lanes[i], second});
    Value pair = LLVM::BitcastOp::create(f.builder, f.loc, word, halves);
    changes = arith::OrIOp::create(f.builder, f.loc, changes, changeOfScaled(f, pair));
  }
  Value magnitudes = arith::AndIOp::create(
      f.builder, f.loc, changes, registers::constantInt(f.builder, f.loc, word, 0x7fff7fff));
  return f.compare(arith::CmpIPredicate::eq, magnitudes,
                   registers::constantInt(f.builder, f.loc, word, 0));
}

/// q + r y. Of an infinite f16 q is right, and r is NaN: any number of the other sign leaves q as
/// it is.
static Value byReciprocal(Formula &f, Value dividend, Value divisor, Value q, Value y,
                          bool isHalf) {
  Value rest = f.fma(divisor, q, f.negate(dividend));
  if (isHalf)
    rest = arith::MinNumFOp::create(f.builder, f.loc, rest, f.number(kMostFloat));
  return f.fma(f.negate(rest), y, q);
}

namespace {
/// The reciprocal of a divisor as a sum of two numbers of its sign.
struct Reciprocal {
  Value high, low;
};
} // namespace

static Reciprocal inTwoParts(Formula &f, Value divisor, Value y) {
  Value bits = arith::BitcastOp::create(f.builder, f.loc, f.bitsType(), y);
  Value less = f.sub(bits, f.integer(1));
  Value high = arith::BitcastOp::create(f.builder, f.loc, divisor.getType(), less);
  Value rest = f.fma(f.negate(divisor), high, f.number(1.0));
  return {high, f.mul(rest, high)};
}

/// The quotients, or those of the instruction where `isRight` is false: of some lanes behind one
/// branch. A branch that LLVM sees, it would move all behind that only the division's users wait
/// for.
static void divideUnless(Formula &f, Value isRight, MutableArrayRef<Value> quotients,
                         ArrayRef<Value> dividends, Value divisor) {
  size_t count = quotients.size();
  auto divisorAt = std::to_string(2 * count + 1);
  std::string text = "{ @$" + std::to_string(2 * count) + " bra DIVIDED;", outputs, inputs;
  for (size_t i = 0; i < count; ++i) {
    text += " div.rn.f32 $" + std::to_string(i) + ", $" + std::to_string(2 * count + 2 + i) +
            ", $" + divisorAt + ";";
    outputs += "=&f,";
    inputs += std::to_string(i) + ",";
  }
  text += " DIVIDED: }";
  std::string constraints = outputs + inputs + "b,f";
  for (size_t i = 0; i < count; ++i)
    constraints += ",f";
  SmallVector<Value> operands(quotients.begin(), quotients.end());
  operands.append({isRight, divisor});
  llvm::append_range(operands, dividends);
  Type all = LLVM::LLVMStructType::getLiteral(f.builder.getContext(),
                                              SmallVector<Type>(count, divisor.getType()));
  Value result = LLVM::InlineAsmOp::create(f.builder, f.loc, count == 1 ? divisor.getType() : all,
                                           operands, text, constraints, /*has_side_effects=*/false,
                                           /*is_align_stack=*/false, LLVM::TailCallKind::None,
                                           LLVM::AsmDialectAttr(), ArrayAttr())
                     .getRes();
  for (size_t i = 0; i < count; ++i)
    quotients[i] =
        count == 1 ? result
                   : LLVM::ExtractValueOp::create(f.builder, f.loc, result, static_cast<int64_t>(i))
                         .getResult();
}

Value fsm::gpu::narrowQuotients(OpBuilder &builder, Location loc, NarrowDividends dividends,
                                Value divisor, size_t together) {
  Formula f(builder, loc, divisor.getType());
  bool areHalves = getElementTypeOrSelf(dividends.narrow.getType()).isF16();
  Value hasOne = hasReciprocal(f, divisor, areHalves ? kDivisorsOfHalves : kDivisorsOfOthers);
  Value reciprocal = improvedReciprocal(f, divisor);
  Reciprocal parts;
  if (dividends.areRoundedAgain)
    parts = inTwoParts(f, divisor, reciprocal);
  SmallVector<Value> from, narrow, to;
  int64_t count = registers::lanesOf(dividends.wide.getType());
  for (int64_t i = 0; i < count; ++i) {
    from.push_back(vector::ExtractOp::create(builder, loc, dividends.wide, i));
    narrow.push_back(vector::ExtractOp::create(builder, loc, dividends.narrow, i));
  }
  for (size_t first = 0; first < from.size(); first += together) {
    auto lanes = ArrayRef(from).slice(first).take_front(together);
    SmallVector<Value> quotients;
    Value areRight = hasOne;
    if (!areHalves && dividends.hasPairs)
      areRight =
          bothHold(f, areRight, areInBounds(f, ArrayRef(narrow).slice(first).take_front(together)));
    for (Value lane : lanes) {
      Value q = dividends.areRoundedAgain ? f.fma(lane, parts.high, f.mul(lane, parts.low))
                                          : f.mul(lane, reciprocal);
      quotients.push_back(
          dividends.areRoundedAgain ? q : byReciprocal(f, lane, divisor, q, reciprocal, areHalves));
      if (!areHalves && !dividends.hasPairs)
        areRight = bothHold(f, areRight, isInBounds(f, lane, q));
    }
    divideUnless(f, areRight, quotients, lanes, divisor);
    llvm::append_range(to, quotients);
  }
  return vector::FromElementsOp::create(builder, loc, cast<VectorType>(dividends.wide.getType()),
                                        to);
}
