//===- Elementwise.cpp - element-wise ops of a GPU thread ----------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// No library is linked, unless the kernel asks for libdevice: functions of f64 are in
// DoubleFunctions.cpp, f32 functions are the hardware's approximations where language.md allows
// their error, else polynomials in f32 with only as much f64 as the reduction of huge angles needs;
// tan and erfc are those of f64, pow has its own in f64. The coefficients are minimax fits (Remez,
// 120 bits) of what follows the exact leading terms.
//
// The worst errors stated were measured on an H200, over every 29th of all f32
// numbers, against the C library in f64. There ex2.approx(x log2 e) stays within 0.88
// of the bound in language.md, rsqrt.approx within 1.52 ulp, div.full within 2.08 ulp.
//
//===----------------------------------------------------------------------===//

#include "Functions.h"

#include "../Program/ThreadBlock.h"
#include "../Program/ThreadLowering.h"

#include "fsm/Analysis/RoundedAgain.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/TypeSwitch.h"

#include <cmath>

using namespace mlir;
using namespace fsm;
using fsm::registers::Formula;

//===----------------------------------------------------------------------===//
// Instructions
//===----------------------------------------------------------------------===//

/// An NVVM intrinsic of one or more f32, per element.
static Value instruction(Formula &f, StringRef name, ValueRange operands) {
  return registers::perLane(f.builder, f.loc, operands, [&](ValueRange scalars) {
    return LLVM::CallIntrinsicOp::create(f.builder, f.loc, scalars[0].getType(),
                                         f.builder.getStringAttr(name), scalars)
        .getResult(0);
  });
}

static Value ex2(Formula &f, Value x) { return instruction(f, "llvm.nvvm.ex2.approx.ftz", x); }
static Value lg2(Formula &f, Value x) { return instruction(f, "llvm.nvvm.lg2.approx.ftz.f", x); }
static Value rcp(Formula &f, Value x) { return instruction(f, "llvm.nvvm.rcp.approx.ftz.f", x); }

/// exp(x) as language.md defines it: ex2(x log2 e).
static Value exponentialByEx2(Formula &f, Value x) {
  return ex2(f, f.mul(x, f.number(1.44269504088896341)));
}

/// exp(2x). Where it is infinite, so is what tanh takes the reciprocal of.
static Value exponentialOfTwiceByEx2(Formula &f, Value x) {
  return ex2(f, f.mul(x, f.number(2.88539008177792681)));
}

//===----------------------------------------------------------------------===//
// Division
//===----------------------------------------------------------------------===//

/// Per lane of a vector, the first lane that is known to hold the same number.
static SmallVector<int64_t> firstEqualLanes(Value vector) {
  int64_t lanes = registers::lanesOf(vector.getType());
  if (vector.getDefiningOp<vector::BroadcastOp>())
    return SmallVector<int64_t>(lanes, 0);
  SmallVector<int64_t> first;
  if (auto shuffle = vector.getDefiningOp<vector::ShuffleOp>())
    for (int64_t from : shuffle.getMask())
      first.push_back(llvm::find(shuffle.getMask(), from) - shuffle.getMask().begin());
  else if (auto elements = vector.getDefiningOp<vector::FromElementsOp>())
    for (Value element : elements.getElements())
      first.push_back(llvm::find(elements.getElements(), element) - elements.getElements().begin());
  else
    llvm::append_range(first, llvm::seq<int64_t>(0, lanes));
  return first;
}

Value fsm::gpu::improvedReciprocal(Formula &f, Value divisor) {
  Value coarse = rcp(f, divisor);
  return f.fma(coarse, f.fma(f.negate(divisor), coarse, f.number(1.0)), coarse);
}

/// The root of what is at least 2^-25, 0 or NaN, correctly rounded but for a few: an approximation,
/// improved by a step of Newton. 2^-100 more changes nothing but 0, whose own would be infinite.
static Value improvedRoot(Formula &f, Value square) {
  Value safe = f.add(square, f.number(0x1p-100));
  Value reciprocal = instruction(f, "llvm.nvvm.rsqrt.approx.ftz.f", safe);
  Value root = f.mul(square, reciprocal);
  Value rest = f.fma(f.negate(root), root, square);
  return f.fma(rest, f.mul(reciprocal, f.number(0.5)), root);
}

namespace {
/// 1 / d = reciprocal * scale.
struct Reciprocal {
  Value reciprocal, scale;
};
} // namespace

/// One reciprocal, improved by a step of Newton. Tiny and huge divisors are scaled by
/// a power of two, so that the reciprocal is a normal number.
static Reciprocal reciprocalOf(Formula &f, Value divisor) {
  Value magnitude = f.abs(divisor);
  Value scale = f.select(f.less(magnitude, f.number(0x1p-120)), f.number(0x1p64), f.number(1.0));
  scale = f.select(f.less(f.number(0x1p120), magnitude), f.number(0x1p-64), scale);
  Value scaled = f.mul(divisor, scale);
  Value coarse = rcp(f, scaled);
  Value rest = f.fma(f.negate(scaled), coarse, f.number(1.0));
  // Of 0 and infinity there is nothing to improve: 0 * infinity is NaN.
  return {f.select(f.isNan(rest), coarse, f.fma(coarse, rest, coarse)), scale};
}

/// n / d for a d that repeats, 1.48 ulp at worst: a reciprocal for each number in d,
/// then two products per element. Zeros, infinities and NaN come out as in the
/// division. Null when d does not repeat.
static Value divideByRepeated(OpBuilder &builder, Location loc, Value left, Value right) {
  SmallVector<int64_t> first = firstEqualLanes(right);
  int64_t distinct = llvm::count_if(llvm::enumerate(first), [](auto lane) {
    return static_cast<int64_t>(lane.index()) == lane.value();
  });
  if (2 * distinct > static_cast<int64_t>(first.size()))
    return {};
  auto type = cast<VectorType>(left.getType());
  Formula f(builder, loc, type.getElementType());
  SmallVector<Value> reciprocals, scales;
  for (auto [lane, same] : llvm::enumerate(first)) {
    if (same < static_cast<int64_t>(lane)) {
      reciprocals.push_back(reciprocals[same]);
      scales.push_back(scales[same]);
      continue;
    }
    auto number = vector::ExtractOp::create(builder, loc, right, lane);
    auto [reciprocal, scale] = reciprocalOf(f, number);
    reciprocals.push_back(reciprocal);
    scales.push_back(scale);
  }
  Value all = vector::FromElementsOp::create(builder, loc, type, reciprocals);
  Value scale = vector::FromElementsOp::create(builder, loc, type, scales);
  return f.mul(f.mul(left, all), scale);
}

//===----------------------------------------------------------------------===//
// Functions by op
//===----------------------------------------------------------------------===//

/// Whether the op asks for the hardware's own approximation.
static bool asksForHardware(Operation *op) {
  auto fast = dyn_cast<arith::ArithFastMathInterface>(op);
  return fast && arith::bitEnumContainsAll(fast.getFastMathFlagsAttr().getValue(),
                                           arith::FastMathFlags::afn);
}

/// A function of f32 under `fastmath<afn>`, or null when it has no faster form.
static Value hardwareFunction(Formula &f, Operation *op, ValueRange operands) {
  Value x = operands[0];
  if (isa<math::LogOp>(op))
    return f.mul(lg2(f, x), f.number(0.693147180559945309));
  if (isa<math::Log2Op>(op))
    return lg2(f, x);
  // The instruction selection knows sin.approx, cos.approx and tanh.approx.
  if (isa<math::SinOp, math::CosOp, math::TanhOp>(op))
    return registers::rebuild(f.builder, op, operands, f.type);
  return {};
}

/// A function of f32 that is no single instruction, or null.
static Value function(Formula &f, Operation *op, ValueRange operands) {
  if (asksForHardware(op))
    if (Value result = hardwareFunction(f, op, operands))
      return result;
  Value x = operands[0];
  return llvm::TypeSwitch<Operation *, Value>(op)
      .Case([&](math::ExpOp) { return exponentialByEx2(f, x); })
      .Case([&](math::Exp2Op) { return ex2(f, x); })
      .Case([&](math::ExpM1Op) { return registers::expMinusOneF32(f, x); })
      .Case<math::LogOp, math::Log2Op>(
          [&](Operation *log) { return registers::logarithmF32(f, log, x); })
      .Case([&](math::Log1pOp) { return registers::logOfOnePlusF32(f, x); })
      .Case([&](math::TanhOp) { return registers::tanhF32(f, x, exponentialOfTwiceByEx2, rcp); })
      // 1.22 ulp at worst.
      .Case([&](math::ErfOp) { return registers::errorFunction(f, x, exponentialByEx2); })
      .Case([&](math::SinOp) { return fsm::gpu::sine(f, x, /*quarter=*/0); })
      .Case([&](math::CosOp) { return fsm::gpu::sine(f, x, /*quarter=*/1); })
      .Case([&](math::PowFOp) { return fsm::gpu::powerOfSingles(f, x, operands[1], rcp); })
      .Case([&](math::RsqrtOp) { return instruction(f, "llvm.nvvm.rsqrt.approx.f", x); })
      .Default([](Operation *) { return Value(); });
}

/// A function of f32 that takes f64: that of f64, rounded once; or null.
static Value throughDouble(OpBuilder &builder, Operation *op, ValueRange operands) {
  Location loc = op->getLoc();
  Type type = operands[0].getType();
  Formula f(builder, loc, registers::withElement(type, builder.getF64Type()));
  SmallVector<Value> wide;
  for (Value operand : operands)
    wide.push_back(arith::ExtFOp::create(builder, loc, f.type, operand));
  Value result = fsm::gpu::rareFunctionOfDouble(f, op, wide);
  return result ? arith::TruncFOp::create(builder, loc, type, result).getResult() : result;
}

namespace {
class Thread final : public registers::ElementwiseBackend {
public:
  Value narrow(OpBuilder &builder, Location loc, Value value, Type element) const override {
    if (getElementTypeOrSelf(value.getType()) == element)
      return value;
    return arith::TruncFOp::create(builder, loc, registers::withElement(value.getType(), element),
                                   value);
  }

  Value toInteger(OpBuilder &builder, Location loc, Value value, Type result,
                  bool isSigned) const override {
    return fsm::gpu::toIntegers(builder, loc, value, result, isSigned);
  }

  /// max and min of PTX order the zeros; where `.NaN` is missing, the selection adds it.
  Value extremum(OpBuilder &builder, Location loc, Value left, Value right, bool isMax,
                 bool propagateNan) const override {
    if (propagateNan)
      return isMax ? arith::MaximumFOp::create(builder, loc, left, right).getResult()
                   : arith::MinimumFOp::create(builder, loc, left, right).getResult();
    return isMax ? arith::MaxNumFOp::create(builder, loc, left, right).getResult()
                 : arith::MinNumFOp::create(builder, loc, left, right).getResult();
  }

  /// Every GPU has an instruction for f16, but not for bf16.
  Value fuseHalves(OpBuilder &builder, Operation *op, ValueRange operands) const override {
    Type type = operands[0].getType();
    return getElementTypeOrSelf(type).isF16()
               ? registers::rebuild(builder, op, operands, type)
               : ElementwiseBackend::fuseHalves(builder, op, operands);
  }

  Value divide(OpBuilder &builder, Operation *op, Value left, Value right,
               bool uniformDivisor) const override {
    Location loc = op->getLoc();
    Type type = left.getType();
    if (!getElementTypeOrSelf(type).isF32())
      return registers::rebuild(builder, op, {left, right}, type);
    if (uniformDivisor && registers::lanesOf(type) > 1)
      if (Value result = divideByRepeated(builder, loc, left, right))
        return result;
    Formula f(builder, loc, type);
    return instruction(f, "llvm.nvvm.div.full", {left, right});
  }

  /// The instruction: of the product in twice the bits LLVM makes what is behind it as wide.
  Value multiplyHigh(OpBuilder &builder, Location loc, Value left, Value right) const override {
    bool isWord = getElementTypeOrSelf(left).isInteger(32);
    if (!isWord && !getElementTypeOrSelf(left).isInteger(64))
      return ElementwiseBackend::multiplyHigh(builder, loc, left, right);
    Formula f(builder, loc, left.getType());
    return instruction(f, isWord ? "llvm.nvvm.mulhi.ui" : "llvm.nvvm.mulhi.ull", {left, right});
  }

  Value remainder(OpBuilder &builder, Operation *op, Value left, Value right) const override {
    return fsm::gpu::remainder(builder, op->getLoc(), left, right);
  }

  Value mathFunction(OpBuilder &builder, Operation *op, ValueRange operands) const override {
    Type type = operands[0].getType();
    if (registers::libraryName(op).empty())
      return registers::rebuild(builder, op, operands, type);
    if (!asksForHardware(op))
      if (Value result = fsm::gpu::libdeviceFunction(builder, op, operands))
        return result;
    Formula f(builder, op->getLoc(), type);
    if (!getElementTypeOrSelf(type).isF32())
      return fsm::gpu::functionOfDouble(f, op, operands);
    Value result = function(f, op, operands);
    if (!result)
      result = registers::rareFunctionF32(f, op, operands, improvedRoot);
    return result ? result : throughDouble(builder, op, operands);
  }
};
} // namespace

const registers::ElementwiseBackend &fsm::gpu::threadBackend() {
  static const Thread thread;
  return thread;
}

static LogicalResult refuse(Operation *op) {
  return op->emitError() << "'" << op->getName() << "' has no lowering to a GPU";
}

/// Quotients of what was of 16 bits by one number, so many together as the op says; null for other
/// ops.
static FailureOr<Value> quotientsTogether(fsm::gpu::ThreadLowering &thread, Operation *op,
                                          ValueRange operands) {
  auto together = static_cast<size_t>(integerAttrOr(op, kDividedTogetherAttr, 0));
  if (!together)
    return Value();
  if (!cast<DivRNOp>(op).narrowDividend() || !isa<VectorType>(operands[0].getType()))
    return op->emitOpError("expected '")
           << kDividedTogetherAttr << "' on a division of what was of 16 bits by one number";
  Value one = vector::ExtractOp::create(thread.builder, op->getLoc(), operands[1], int64_t(0));
  Value source = cast<DivRNOp>(op).getLeft().getDefiningOp<arith::ExtFOp>().getIn();
  return fsm::gpu::narrowQuotients(
      thread.builder, op->getLoc(),
      {operands[0], thread.lookup(source), thread.features.bf16Arithmetic,
       isOnlyRoundedTo(op->getResult(0), elementTypeOf(source.getType()))},
      one, together);
}

/// Bytes that become floats of 16 bits, several at a time. Null for other ops.
static Value floatsOfBytes(fsm::gpu::ThreadLowering &thread, Operation *op, Value source) {
  if (!isa<arith::SIToFPOp, arith::UIToFPOp>(op) ||
      !elementTypeOf(op->getOperand(0).getType()).isInteger(8) ||
      registers::lanesOf(source.getType()) < 2)
    return {};
  auto type = dyn_cast<FloatType>(elementTypeOf(op->getResult(0).getType()));
  bool isHalf = type && (type.isF16() || (type.isBF16() && thread.features.bf16Convert));
  return isHalf ? fsm::gpu::bytesToFloats(thread.builder, op->getLoc(), source, type,
                                          isa<arith::SIToFPOp>(op))
                : Value();
}

LogicalResult fsm::gpu::lowerElementwise(ThreadLowering &thread, Operation *op) {
  if (op->getNumResults() != 1 || op->getNumOperands() == 0)
    return refuse(op);
  SmallVector<Value> operands = thread.lookup(op->getOperands());
  // One condition for a whole block.
  Type first = operands.front().getType();
  bool isUniform =
      isa<arith::SelectOp>(op) && !isa<VectorType>(first) && isa<VectorType>(operands[1].getType());
  if (isUniform)
    operands[0] = vector::BroadcastOp::create(thread.builder, op->getLoc(),
                                              cast<VectorType>(operands[1].getType()).clone(first),
                                              operands[0]);
  // A divisor that repeats needs one reciprocal.
  bool repeats = isa<arith::DivFOp>(op) &&
                 isa_and_present<SplatOp, BroadcastOp>(op->getOperand(1).getDefiningOp());
  FailureOr<Value> quotients = quotientsTogether(thread, op, operands);
  FailureOr<Value> once = onceOfGroups(thread, op, operands);
  if (failed(quotients) || failed(once))
    return failure();
  Value result = *quotients ? *quotients : *once;
  if (auto convert = dyn_cast<ConvertOp>(op)) {
    result = pairsOfF8(thread, convert, operands[0]);
  } else if (auto compare = dyn_cast<arith::CmpIOp>(op)) {
    FailureOr<Value> mask = maskThatEnds(thread, compare, operands);
    if (failed(mask))
      return failure();
    result = *mask;
  } else if (!result) {
    result = floatsOfBytes(thread, op, operands[0]);
  }
  if (!result)
    result = registers::elementwise(thread.builder, threadBackend(), op, operands, repeats);
  return result ? thread.setResult(op, result) : refuse(op);
}
