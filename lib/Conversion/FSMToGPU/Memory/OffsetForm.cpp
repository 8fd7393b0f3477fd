//===- OffsetForm.cpp - Offsets as sums ----------------------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OffsetForm.h"

#include "../Program/RenameRegisters.h"

using namespace mlir;
using namespace fsm;
using namespace fsm::gpu;

namespace {
/// Takes sums apart as deep as they are written, up to a bound.
class Former {
public:
  Former(DeviceProgram &program, function_ref<Value(Value)> lookup)
      : program(program), lookup(lookup) {}

  OffsetForm of(Value block, unsigned depth);

private:
  OffsetForm whole(Value block);
  OffsetForm ofRange(RangeOp op);
  OffsetForm ofSum(arith::AddIOp op, unsigned depth);
  OffsetForm ofShape(Operation *op, unsigned depth);

  static constexpr unsigned kMaxDepth = 12;

  DeviceProgram &program;
  function_ref<Value(Value)> lookup;
};
} // namespace

static size_t registersOf(Value block) {
  return static_cast<size_t>(cast<VectorType>(threadType(block.getType())).getNumElements());
}

/// Whether the sum is the same in 64 bits.
static bool isExact(arith::AddIOp op) {
  return elementTypeOf(op.getType()).isInteger(64) ||
         bitEnumContainsAny(op.getOverflowFlags(), arith::IntegerOverflowFlags::nsw);
}

OffsetForm Former::whole(Value block) {
  return {{}, SmallVector<int64_t>(registersOf(block), 0), lookup(block)};
}

OffsetForm Former::ofRange(RangeOp op) {
  ThreadBlock block(program, op.getLoc(), op.getType());
  std::optional<SmallVector<int64_t>> parts = block.disjointParts(0);
  if (!parts)
    return whole(op.getResult());
  for (int64_t &part : *parts)
    part += static_cast<int32_t>(op.getStart());
  return {{block.threadPart(0)}, *parts, Value()};
}

OffsetForm Former::ofSum(arith::AddIOp op, unsigned depth) {
  OffsetForm left = of(op.getLhs(), depth + 1), right = of(op.getRhs(), depth + 1);
  if (left.varying && right.varying)
    return whole(op.getResult());
  left.shared.append(right.shared);
  for (auto [sum, part] : llvm::zip_equal(left.constants, right.constants))
    sum += part;
  if (!left.varying)
    left.varying = right.varying;
  return left;
}

/// A repeated block has the terms of its source, at other registers.
OffsetForm Former::ofShape(Operation *op, unsigned depth) {
  OffsetForm source = of(op->getOperand(0), depth + 1);
  std::optional<SmallVector<int64_t>> registers = sourceRegisters(op);
  if (source.varying || !registers)
    return whole(op->getResult(0));
  SmallVector<int64_t> constants;
  for (int64_t index : *registers)
    constants.push_back(source.constants[static_cast<size_t>(index)]);
  source.constants = std::move(constants);
  return source;
}

OffsetForm Former::of(Value block, unsigned depth) {
  Operation *op = block.getDefiningOp();
  if (!op || depth > kMaxDepth)
    return whole(block);
  if (auto range = dyn_cast<RangeOp>(op))
    return ofRange(range);
  if (auto splat = dyn_cast<SplatOp>(op))
    return {{lookup(splat.getScalar())}, SmallVector<int64_t>(registersOf(block), 0), Value()};
  if (auto sum = dyn_cast<arith::AddIOp>(op); sum && isExact(sum))
    return ofSum(sum, depth);
  // Terms are signed, whatever their width.
  if (isa<arith::ExtSIOp>(op) && elementTypeOf(op->getOperand(0).getType()).isInteger(32))
    return of(op->getOperand(0), depth + 1);
  if (isa<ExpandDimsOp, BroadcastOp, TransposeOp>(op))
    return ofShape(op, depth);
  return whole(block);
}

OffsetForm fsm::gpu::formOf(DeviceProgram &program, Value block,
                            function_ref<Value(Value)> lookup) {
  return Former(program, lookup).of(block, 0);
}
