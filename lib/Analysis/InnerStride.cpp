//===- InnerStride.cpp - Distances between neighbouring elements ---------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Analysis/InnerStride.h"

#include "fsm/Analysis/SharedBuffers.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace fsm;

static constexpr int64_t kMaxDivisor = int64_t(1) << 30;

static int64_t powerOfTwoIn(int64_t number) {
  if (number == 0 || number % kMaxDivisor == 0)
    return kMaxDivisor;
  int64_t power = 1;
  while (number % (power * 2) == 0)
    power *= 2;
  return power;
}

static std::optional<int64_t> constantOf(Value value) {
  APInt number;
  if (matchPattern(value, m_ConstantInt(&number)))
    return number.getSExtValue();
  return std::nullopt;
}

/// Of a kernel's argument what is promised; of a loop's counter what divides all its numbers.
static int64_t divisorOfArgument(BlockArgument argument, unsigned depth) {
  auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
  if (loop && argument == loop.getInductionVar())
    return std::min(knownDivisor(loop.getLowerBound(), depth - 1),
                    knownDivisor(loop.getStep(), depth - 1));
  auto kernel = dyn_cast<KernelOp>(argument.getOwner()->getParentOp());
  if (!kernel)
    return 1;
  auto fact = kernel.getArgAttrOfType<IntegerAttr>(argument.getArgNumber(), kDivisibleAttr);
  return fact ? powerOfTwoIn(fact.getInt()) : 1;
}

int64_t fsm::knownDivisor(Value value, unsigned depth) {
  if (depth == 0)
    return 1;
  if (std::optional<int64_t> number = constantOf(value))
    return powerOfTwoIn(*number);
  if (auto argument = dyn_cast<BlockArgument>(value))
    return divisorOfArgument(argument, depth);
  return llvm::TypeSwitch<Operation *, int64_t>(value.getDefiningOp())
      .Case([](RangeOp range) {
        return std::min(powerOfTwoIn(static_cast<int32_t>(range.getStart())),
                        InnerStride::kAlignedGroup);
      })
      .Case<SplatOp, arith::ExtSIOp, arith::TruncIOp>(
          [&](Operation *op) { return knownDivisor(op->getOperand(0), depth - 1); })
      .Case<arith::AddIOp, arith::SubIOp>([&](Operation *sum) {
        return std::min(knownDivisor(sum->getOperand(0), depth - 1),
                        knownDivisor(sum->getOperand(1), depth - 1));
      })
      .Case([&](arith::MulIOp product) {
        return std::min(knownDivisor(product.getLhs(), depth - 1) *
                            knownDivisor(product.getRhs(), depth - 1),
                        kMaxDivisor);
      })
      .Case([&](HintOp hint) {
        int64_t promised = hint.getMultipleOf() ? powerOfTwoIn(hint.getMultipleOf()->back()) : 1;
        return std::max(promised, knownDivisor(hint.getValue(), depth - 1));
      })
      .Default([](Operation *) { return int64_t(1); });
}

std::optional<int64_t> InnerStride::of(Value block) {
  auto found = known.find(block);
  if (found != known.end())
    return found->second;
  // A longer chain than this is not worth the stack it takes.
  if (depth == kMaxDepth)
    return std::nullopt;
  ++depth;
  std::optional<int64_t> stride = compute(block);
  --depth;
  known[block] = stride;
  return stride;
}

std::optional<int64_t> InnerStride::compute(Value block) {
  ArrayRef<int64_t> shape = shapeOf(block.getType());
  if (shape.empty() || shape.back() == 1)
    return 0;
  if (auto argument = dyn_cast<BlockArgument>(block))
    return ofCarried(argument);
  SplatElementsAttr constant;
  if (matchPattern(block, m_Constant(&constant)))
    return 0;
  Operation *op = block.getDefiningOp();
  if (isa_and_present<arith::ArithDialect>(op->getDialect()))
    return ofArithmetic(op);
  return ofShape(op);
}

/// A carried block keeps its stride when the body's result has the one the
/// initial value has, supposing that the argument has it.
std::optional<int64_t> InnerStride::ofCarried(BlockArgument argument) {
  auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
  // One supposition at a time: blocks that are carried into one another would
  // have us suppose without end.
  if (!loop || isSupposing)
    return std::nullopt;
  OpOperand *init = loop.getTiedLoopInit(argument);
  OpOperand *yielded = loop.getTiedLoopYieldedValue(argument);
  if (!init || !yielded)
    return std::nullopt;
  std::optional<int64_t> stride = of(init->get());
  if (!stride)
    return std::nullopt;
  InnerStride supposing = *this;
  supposing.isSupposing = true;
  supposing.known[argument] = stride;
  if (supposing.of(yielded->get()) != stride)
    return std::nullopt;
  return stride;
}

/// Whether a stride of `block` holds in whole rows and not only in aligned groups:
/// nothing it is computed from may wrap.
static bool holdsAcrossGroups(Value block, unsigned depth) {
  Operation *op = block.getDefiningOp();
  if (!op || depth == 0)
    return false;
  if (isa<RangeOp, SplatOp, arith::ConstantOp>(op))
    return true;
  auto flags = dyn_cast<arith::ArithIntegerOverflowFlagsInterface>(op);
  bool wraps =
      !flags || (!flags.hasNoSignedWrap() && !elementTypeOf(block.getType()).isInteger(64));
  if (wraps && !isa<ExpandDimsOp, BroadcastOp, ReshapeOp, TransposeOp, arith::ExtSIOp>(op))
    return false;
  return llvm::all_of(op->getOperands(),
                      [depth](Value operand) { return holdsAcrossGroups(operand, depth - 1); });
}

std::optional<int64_t> InnerStride::ofShape(Operation *op) {
  return llvm::TypeSwitch<Operation *, std::optional<int64_t>>(op)
      .Case([](RangeOp) { return 1; })
      .Case([](SplatOp) { return 0; })
      .Case<ExpandDimsOp, BroadcastOp, ReshapeOp>([&](Operation *shape) -> std::optional<int64_t> {
        int64_t source = shapeOf(shape->getOperand(0).getType()).back();
        int64_t result = shapeOf(shape->getResult(0).getType()).back();
        if (isa<BroadcastOp>(shape) && source == 1)
          return 0;
        // Rows of the result may start in the middle of the source's groups.
        bool keepsRows = source == result || result % kAlignedGroup == 0;
        if (source % result != 0 ||
            (!keepsRows && !holdsAcrossGroups(shape->getOperand(0), /*depth=*/8)))
          return std::nullopt;
        return of(shape->getOperand(0));
      })
      .Case([&](TransposeOp transpose) -> std::optional<int64_t> {
        // Rows that stay rows.
        int64_t rank = transpose.getType().getRank();
        return transpose.getOrder().back() + 1 == rank ? of(transpose.getSource()) : std::nullopt;
      })
      .Case([&](HintOp hint) -> std::optional<int64_t> {
        int64_t extent = shapeOf(hint.getType()).back();
        if (hint.getMaxContiguous() && hint.getMaxContiguous()->back() >= extent)
          return 1;
        if (hint.getMaxConstancy() && hint.getMaxConstancy()->back() >= extent)
          return 0;
        return of(hint.getValue());
      })
      .Default([](Operation *) { return std::nullopt; });
}

/// Whether an i32 sum, difference or product cannot wrap inside an aligned
/// group: it says so, or it starts at a multiple of the group and steps by 1.
static bool keepsGroups(Operation *op, int64_t stride) {
  if (elementTypeOf(op->getResult(0).getType()).isInteger(64) || stride == 0)
    return true;
  auto flags = dyn_cast<arith::ArithIntegerOverflowFlagsInterface>(op);
  if (flags && flags.hasNoSignedWrap())
    return true;
  return stride == 1 && knownDivisor(op->getResult(0)) >= InnerStride::kAlignedGroup;
}

std::optional<int64_t> InnerStride::ofArithmetic(Operation *op) {
  if (auto extend = dyn_cast<arith::ExtSIOp>(op))
    return of(extend.getIn());
  if (!isa<arith::AddIOp, arith::SubIOp, arith::MulIOp>(op))
    return std::nullopt;
  std::optional<int64_t> left = of(op->getOperand(0)), right = of(op->getOperand(1));
  if (!left || !right)
    return std::nullopt;
  APInt leftStride(64, *left, true), rightStride(64, *right, true), stride(64, 0);
  bool overflow = false;
  if (isa<arith::AddIOp>(op)) {
    stride = leftStride.sadd_ov(rightStride, overflow);
  } else if (isa<arith::SubIOp>(op)) {
    stride = leftStride.ssub_ov(rightStride, overflow);
  } else if (*left != 0 || *right != 0) {
    std::optional<int64_t> leftFactor = constantOf(op->getOperand(0));
    std::optional<int64_t> rightFactor = constantOf(op->getOperand(1));
    if (rightFactor)
      stride = leftStride.smul_ov(APInt(64, *rightFactor, true), overflow);
    else if (leftFactor)
      stride = rightStride.smul_ov(APInt(64, *leftFactor, true), overflow);
    else
      return std::nullopt;
  }
  if (overflow || !keepsGroups(op, stride.getSExtValue()))
    return std::nullopt;
  return stride.getSExtValue();
}

//===----------------------------------------------------------------------===//
// Addresses and masks
//===----------------------------------------------------------------------===//

BlockArgument fsm::rootArgument(Value pointer) {
  while (auto offset = pointer.getDefiningOp<OffsetOp>())
    pointer = offset.getPointer();
  auto argument = dyn_cast<BlockArgument>(pointer);
  if (argument && isa<KernelOp>(argument.getOwner()->getParentOp()))
    return argument;
  return nullptr;
}

static bool isUniform(Value block) {
  DenseElementsAttr constant;
  return block.getDefiningOp<SplatOp>() ||
         (matchPattern(block, m_Constant(&constant)) && constant.isSplat());
}

bool fsm::areDistinct(Value offsets, unsigned depth) {
  Operation *op = offsets.getDefiningOp();
  if (!op || depth == 0)
    return false;
  if (isa<RangeOp>(op))
    return true;
  if (isa<ExpandDimsOp, ReshapeOp, TransposeOp, ConvertLayoutOp, arith::ExtSIOp, arith::ExtUIOp>(
          op))
    return areDistinct(op->getOperand(0), depth - 1);
  if (auto load = dyn_cast<SharedLoadOp>(op)) {
    Value stored = storedBlock(load);
    return stored && areDistinct(stored, depth - 1);
  }
  // Adding one number to all keeps them distinct even where it wraps.
  if (isa<arith::AddIOp, arith::SubIOp>(op))
    for (unsigned side : {0, 1})
      if (isUniform(op->getOperand(side)) && areDistinct(op->getOperand(1 - side), depth - 1))
        return true;
  ArrayRef<int64_t> shape = shapeOf(offsets.getType());
  // A stride is known within rows only.
  if (llvm::any_of(shape.drop_back(), [](int64_t extent) { return extent != 1; }))
    return false;
  std::optional<int64_t> stride = InnerStride().of(offsets);
  return stride && *stride != 0 && std::abs(*stride) < (int64_t(1) << 31) / shape.back();
}

int64_t fsm::knownAlignment(Value pointer, Value offsets) {
  BlockArgument root = rootArgument(pointer);
  auto kernel = root ? cast<KernelOp>(root.getOwner()->getParentOp()) : KernelOp();
  auto fact = kernel ? kernel.getArgAttrOfType<IntegerAttr>(root.getArgNumber(), kAlignAttr)
                     : IntegerAttr();
  if (!fact)
    return 1;
  Type element = cast<PointerType>(pointer.getType()).getPointeeType();
  int64_t bytes = bytesOf(element);
  int64_t alignment = powerOfTwoIn(fact.getInt());
  for (; auto offset = pointer.getDefiningOp<OffsetOp>(); pointer = offset.getPointer())
    alignment = std::min(alignment, bytes * knownDivisor(offset.getOffset()));
  return offsets ? std::min(alignment, bytes * knownDivisor(offsets)) : alignment;
}

/// The block without the broadcasts and new dimensions that repeat its rows.
static Value withoutRepeats(Value block) {
  while (Operation *op = block.getDefiningOp()) {
    if (!isa<BroadcastOp, ExpandDimsOp>(op))
      break;
    Value source = op->getOperand(0);
    if (shapeOf(source.getType()).back() != shapeOf(block.getType()).back())
      break;
    block = source;
  }
  return block;
}

Value fsm::rowBound(Value mask) {
  auto compare = mask.getDefiningOp<arith::CmpIOp>();
  if (!compare || !isa<RankedTensorType>(mask.getType()))
    return {};
  Value range = compare.getLhs(), bound = compare.getRhs();
  if (compare.getPredicate() == arith::CmpIPredicate::sgt)
    std::swap(range, bound);
  else if (compare.getPredicate() != arith::CmpIPredicate::slt)
    return {};
  auto counted = withoutRepeats(range).getDefiningOp<RangeOp>();
  auto splat = bound.getDefiningOp<SplatOp>();
  if (!counted || counted.getStart() != 0 || !splat)
    return {};
  return splat.getScalar();
}
