//===- OffsetForm.cpp - Offsets as a thread has them ---------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Access.h"

using namespace mlir;
using namespace fsm;
using namespace fsm::gpu;

/// A number of 32 or 64 bits times a constant, in 64 bits unless that is 1.
static Value scaled(ImplicitLocOpBuilder &builder, Value number, int64_t factor) {
  if (factor == 1)
    return number;
  Type wide = builder.getI64Type();
  if (number.getType() != wide)
    number = arith::ExtSIOp::create(builder, wide, number);
  return arith::MulIOp::create(builder, number,
                               constantInt(builder, builder.getLoc(), wide, factor));
}

/// Whether the sum of the terms is the address's, and each is one that a thread has. One block and
/// a constant are best added as they are.
static bool isSumOfTerms(const AffineForm &form, const ThreadBlock &block) {
  if (form.terms.size() == 1 && form.terms[0].isBlock() && form.constant != 0)
    return false;
  return form.exactness != Exactness::Bits && llvm::all_of(form.terms, [&](const AffineTerm &term) {
           if (!term.symbol)
             return block.disjointParts(term.dim).has_value();
           return (!term.isBlock() || term.factor == 1) &&
                  elementTypeOf(term.symbol.getType()).getIntOrFloatBitWidth() >= 32;
         });
}

/// How many strides each register's term has more than another where the block is a sum of indices times one scalar of 32
/// bits, and the product does not wrap.
static void findStride(ThreadLowering &thread, Value symbol, OffsetForm &result) {
  auto product = symbol.getDefiningOp<arith::MulIOp>();
  if (!product || !bitEnumContainsAll(product.getOverflowFlags(), arith::IntegerOverflowFlags::nsw))
    return;
  for (auto [indices, factor] : {std::pair(product.getLhs(), product.getRhs()), std::pair(product.getRhs(), product.getLhs())}) {
    auto stride = factor.getDefiningOp<SplatOp>();
    if (!stride || !stride.getScalar().getType().isInteger(32))
      continue;
    ThreadBlock block(thread.program, cast<RankedTensorType>(indices.getType()));
    const AffineForm &form = thread.forms.of(indices);
    if (form.exactness == Exactness::Bits)
      continue;
    SmallVector<int64_t> multiples(block.registers().size(), 0);
    bool isKnown = true;
    for (const AffineTerm &term : form.terms) {
      auto parts = term.symbol ? std::nullopt : block.disjointParts(term.dim);
      isKnown &= parts || (term.symbol && !term.isBlock());
      if (parts)
        for (auto [multiple, part] : llvm::zip_equal(multiples, *parts))
          multiple += part * term.factor;
    }
    if (!isKnown)
      continue;
    result.stride = thread.lookup(stride.getScalar());
    result.multiples = std::move(multiples);
    return;
  }
}

/// Takes a block whose neighbours are known steps apart for the number of one register, and
/// constants of all; whether it is such a block.
static bool addInSteps(ThreadLowering &thread, Value symbol, const ThreadBlock &block,
                       OffsetForm &result) {
  const AffineForm &form = thread.forms.of(symbol);
  SmallVector<int64_t> constants = result.constants;
  for (auto [dim, step] : llvm::enumerate(form.steps)) {
    if (!step || form.inGroups)
      return false;
    if (*step == 0)
      continue;
    std::optional<SmallVector<int64_t>> parts = block.disjointParts(static_cast<unsigned>(dim));
    if (!parts)
      return false;
    for (auto [constant, part] : llvm::zip_equal(constants, *parts))
      constant += (part - parts->front()) * *step;
  }
  Value varying = thread.lookup(symbol);
  result.shared.push_back(
      isa<VectorType>(varying.getType())
          ? vector::ExtractOp::create(thread.builder, varying, int64_t(0)).getResult()
          : varying);
  result.constants = std::move(constants);
  return true;
}

/// The number that a sum takes in place of one: a counter that a loop has in more bits, and that was
/// narrowed without loss, in these bits.
static Value asWide(Value number) {
  auto narrowed = number.getDefiningOp<arith::TruncIOp>();
  bool isExact =
      narrowed && bitEnumContainsAll(narrowed.getOverflowFlags(), arith::IntegerOverflowFlags::nsw);
  return isExact && narrowed.getIn().getType().isInteger(64) ? narrowed.getIn() : number;
}

OffsetForm fsm::gpu::formOf(ThreadLowering &thread, Value offsets, Value mask, bool isInLoop) {
  ThreadBlock block(thread.program, cast<RankedTensorType>(offsets.getType()));
  const AffineForm &form = thread.forms.of(offsets);
  if (!isSumOfTerms(form, block))
    return {{}, SmallVector<int64_t>(block.registers().size(), 0), thread.lookup(offsets)};
  OffsetForm result{{}, SmallVector<int64_t>(block.registers().size(), form.constant), Value()};
  for (const AffineTerm &term : form.terms) {
    bool isKnown = term.isBlock() && thread.forms.hasFirst(mask, term.symbol);
    if (isKnown && !isInLoop && addInSteps(thread, term.symbol, block, result))
      continue;
    if (isKnown)
      findStride(thread, term.symbol, result);
    if (term.isBlock()) {
      result.varying = thread.lookup(term.symbol);
      continue;
    }
    Value number =
        term.symbol ? thread.lookup(asWide(term.symbol)) : block.threadPart(term.dim);
    result.shared.push_back(scaled(thread.builder, number, term.factor));
    if (!term.symbol)
      for (auto [constant, part] :
           llvm::zip_equal(result.constants, *block.disjointParts(term.dim)))
        constant += part * term.factor;
  }
  return result;
}

/// Adds up what all registers share in 32 bits, which `fsm-plan-threads` has found to have room for it.
static void addAtOnce(ImplicitLocOpBuilder &builder, OffsetForm &form) {
  Type word = builder.getI32Type();
  for (Value term : form.shared) {
    if (term.getType() != word)
      term = arith::TruncIOp::create(builder, word, term);
    form.atOnce = form.atOnce ? arith::AddIOp::create(builder, form.atOnce, term, arith::IntegerOverflowFlags::nsw).getResult()
                              : term;
  }
  form.shared.clear();
}

AccessOperands fsm::gpu::accessOperands(ThreadLowering &thread, GlobalAccess op) {
  AccessOperands operands;
  operands.pointer = thread.lookup(op.getPointer());
  operands.mask = thread.lookup(op.getMask());
  operands.value = thread.lookup(op.getValue());
  bool isInLoop = bool(op->getParentOfType<LoopLikeOpInterface>());
  if (Value offsets = op.getOffsets())
    operands.offsets = formOf(thread, offsets, op.getMask(), isInLoop);
  if (op->hasAttr(kOffsetAtOnceAttr))
    addAtOnce(thread.builder, operands.offsets);
  operands.offsets.isInLoop = isInLoop;
  operands.offsets.isHeld = op->hasAttr(kOffsetsHeldAttr);
  if (auto load = dyn_cast<LoadOp>(op.getOperation()))
    operands.other = thread.lookup(load.getOther());
  if (auto atomic = dyn_cast<AtomicAccess>(op.getOperation()))
    operands.compare = thread.lookup(atomic.getCompare());
  return operands;
}
