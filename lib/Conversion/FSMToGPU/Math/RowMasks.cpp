//===- RowMasks.cpp - Masks in which a row ends, of a thread -------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// A mask that ends (MaskEnd) compares an index, which is a part of the thread and a constant
// of the register, with one number. What a thread compares with is how many indices are left
// behind its own part, and each register's constant is in the instruction:
//
//   left = clamp(bound - base - start) - part of the thread
//   left > 0, left > 512, left > 1024, ...
//
// A thread has seven predicates, and reductions between a load and a store take them all. So
// ptxas compares again, for which it needs the sides of the comparison: one number for all
// registers, where the indices were one of each, or their sums once more. Where a thread loads one
// block, registers are not what it lacks, and it has masks as the kernel has them.

#include "Functions.h"

#include "../Program/ThreadBlock.h"
#include "../Program/ThreadLowering.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include <map>

using namespace mlir;
using namespace fsm;
using namespace fsm::gpu;

/// So many comparisons have one number in common that is computed for them: fewer keep no more.
static constexpr size_t kFewestCompared = 4;
/// Loads under masks beside which there is no room for the indices of each register.
static constexpr unsigned kFewestLoads = 2;

namespace {
/// The registers of a mask: what each compares, and the first of those that compare the same.
struct Compared {
  SmallVector<int32_t> parts;
  SmallVector<int64_t> lanes;
  size_t count = 0;
};
} // namespace

/// Whether a thread of the kernel loads several blocks as large as the mask, each under one.
static bool loadsSeveral(arith::CmpIOp mask) {
  unsigned count = 0;
  int64_t elements = cast<RankedTensorType>(mask.getType()).getNumElements();
  mask->getParentOfType<KernelOp>().getBody().walk([&](GlobalAccess access) {
    auto block = dyn_cast<RankedTensorType>(access.getAccessedType());
    count += access.onlyReads() && access.getMask() && block && block.getNumElements() >= elements;
  });
  return count >= kFewestLoads;
}

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
  result.count = firsts.size();
  return result;
}

/// How many indices are in front of the end, of `extent`: none where that is negative.
static Value indicesBefore(ThreadLowering &thread, const MaskEnd &end, int64_t extent) {
  ImplicitLocOpBuilder &builder = thread.builder;
  DeviceProgram &program = thread.program;
  Value bound = thread.lookup(end.bound);
  if (!end.base && end.start == 0)
    return arith::MaxSIOp::create(builder, bound, program.i32(0)).getResult();
  // The difference of two numbers of 32 bits, and a third, is one of 64.
  Type wide = builder.getI64Type();
  Value left = arith::ExtSIOp::create(builder, wide, bound);
  if (end.base)
    left = arith::SubIOp::create(
        builder, left, arith::ExtSIOp::create(builder, wide, thread.lookup(end.base)));
  left = arith::SubIOp::create(builder, left, program.constantInt(wide, end.start));
  left = arith::MaxSIOp::create(builder, left, program.constantInt(wide, 0));
  left = arith::MinSIOp::create(builder, left, program.constantInt(wide, extent));
  return arith::TruncIOp::create(builder, builder.getI32Type(), left);
}

Value fsm::gpu::maskThatEnds(ThreadLowering &thread, arith::CmpIOp op, ValueRange operands) {
  std::optional<MaskEnd> end = thread.forms.endOf(op.getResult());
  auto lanes = dyn_cast<VectorType>(operands.front().getType());
  if (!end || !lanes)
    return {};
  ImplicitLocOpBuilder &builder = thread.builder;
  auto type = cast<RankedTensorType>(op.getType());
  ThreadBlock block(thread.program, type);
  Compared compared = comparedOnce(block, *end, type.getRank());
  Value result;
  if (compared.count >= kFewestCompared && isShort(*end) && loadsSeveral(op) &&
      block.disjointParts(end->dim).has_value()) {
    Value left = arith::SubIOp::create(
        builder, indicesBefore(thread, *end, type.getDimSize(end->dim)), block.threadPart(end->dim));
    Value parts =
        arith::ConstantOp::create(builder, DenseElementsAttr::get(lanes, ArrayRef(compared.parts)));
    result = arith::CmpIOp::create(builder, arith::CmpIPredicate::sgt,
                                   vector::BroadcastOp::create(builder, lanes, left), parts);
  } else if (end->divisor > 1) {
    result = arith::CmpIOp::create(builder, op.getPredicate(), operands[0], operands[1]);
  } else {
    return {};
  }
  return end->divisor > 1
             ? vector::ShuffleOp::create(builder, result, result, compared.lanes).getResult()
             : result;
}
