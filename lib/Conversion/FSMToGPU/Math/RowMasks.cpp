//===- RowMasks.cpp - Masks in which a row ends, of a thread -------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// A mask that ends (MaskEnd) compares an index, which is a part of the thread and a constant
// of the register, with one number. Where `fsm.counts_left` says so, a thread compares how many indices are left
// behind its own part, and each register's constant is in the instruction:
//
//   left = clamp(bound - base - start) - part of the thread
//   left > 0, left > 512, left > 1024, ...
//
// Neighbours whose bound is a multiple of them all are compared once in either form.

#include "Functions.h"

#include "../Program/ThreadBlock.h"
#include "../Program/ThreadLowering.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include <map>

using namespace mlir;
using namespace fsm;
using namespace fsm::gpu;

namespace {
/// The registers of a mask: what each compares, and the first of those that compare the same.
struct Compared {
  SmallVector<int32_t> parts;
  SmallVector<int64_t> lanes;
};
} // namespace

/// A mask that ends at a multiple of some number is the same for so many neighbours: it is compared
/// once for those that a thread has.
static Compared comparedOnce(const ThreadBlock &block, const MaskEnd &end, int64_t rank) {
  Compared result;
  std::map<SmallVector<uint64_t>, int64_t> firsts;
  for (uint64_t reg : block.registers()) {
    SmallVector<uint64_t> parts;
    for (unsigned dim = 0; dim < rank; ++dim)
      parts.push_back(block.registerPart(dim, reg));
    result.parts.push_back(static_cast<int32_t>(parts[end.dim]));
    if (end.divisor > 1)
      parts[end.dim] &= ~static_cast<uint64_t>(end.divisor - 1);
    result.lanes.push_back(firsts.try_emplace(parts, block.indexOf(reg)).first->second);
  }
  return result;
}

/// How many indices are in front of the end, of `extent`: none where that is negative.
static Value indicesBefore(ThreadLowering &thread, const MaskEnd &end, int64_t extent) {
  ImplicitLocOpBuilder &builder = thread.builder;
  DeviceProgram &program = thread.program;
  Value bound = thread.lookup(end.bound);
  if (!end.base && end.start == 0 && bound.getType().isInteger(32))
    return arith::MaxSIOp::create(builder, bound, program.i32(0)).getResult();
  // The difference of two numbers of 32 bits, and a third, is one of 64.
  Type wide = builder.getI64Type();
  auto extended = [&](Value number) {
    return number.getType() == wide ? number : arith::ExtSIOp::create(builder, wide, number).getResult();
  };
  Value left = extended(bound);
  if (end.base)
    left = arith::SubIOp::create(builder, left, extended(thread.lookup(end.base)));
  left = arith::SubIOp::create(builder, left, program.constantInt(wide, end.start));
  left = arith::MaxSIOp::create(builder, left, program.constantInt(wide, 0));
  left = arith::MinSIOp::create(builder, left, program.constantInt(wide, extent));
  return arith::TruncIOp::create(builder, builder.getI32Type(), left);
}

/// What is left of the end, compared with constants; null where that is not what the mask says.
static Value compareLeft(ThreadLowering &thread, const MaskEnd &end, ThreadBlock &block,
                         RankedTensorType type, const Compared &compared) {
  if (!isOfShorts(end) || !block.disjointParts(end.dim))
    return {};
  ImplicitLocOpBuilder &builder = thread.builder;
  auto lanes = VectorType::get({static_cast<int64_t>(compared.parts.size())}, builder.getI32Type());
  Value left = arith::SubIOp::create(builder, indicesBefore(thread, end, type.getDimSize(end.dim)),
                                     block.threadPart(end.dim));
  Value parts =
      arith::ConstantOp::create(builder, DenseElementsAttr::get(lanes, ArrayRef(compared.parts)));
  return arith::CmpIOp::create(builder, arith::CmpIPredicate::sgt,
                               vector::BroadcastOp::create(builder, lanes, left), parts);
}

FailureOr<Value> fsm::gpu::maskThatEnds(ThreadLowering &thread, arith::CmpIOp op,
                                        ValueRange operands) {
  std::optional<MaskEnd> end = thread.forms.endOf(op.getResult());
  bool hasEnd = end && isa<VectorType>(operands.front().getType()), countsLeft = op->hasAttr(kCountsLeftAttr);
  if (!countsLeft && (!hasEnd || end->divisor == 1))
    return Value();
  Value result;
  Compared compared;
  if (hasEnd) {
    auto type = cast<RankedTensorType>(op.getType());
    ThreadBlock block(thread.program, type);
    compared = comparedOnce(block, *end, type.getRank());
    result = countsLeft ? compareLeft(thread, *end, block, type, compared)
                        : arith::CmpIOp::create(thread.builder, op.getPredicate(), operands[0], operands[1]).getResult();
  }
  if (!result)
    return op.emitOpError("expected '") << kCountsLeftAttr << "' on a mask of 32 bit indices that ends in a row";
  return end->divisor == 1
             ? result
             : vector::ShuffleOp::create(thread.builder, result, result, compared.lanes).getResult();
}
