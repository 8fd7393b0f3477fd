//===- Groups.cpp - What neighbours have in common, computed once --------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Functions.h"

#include "../Program/ThreadBlock.h"
#include "../Program/ThreadLowering.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include <map>

using namespace mlir;
using namespace fsm;
using namespace fsm::gpu;

namespace {
/// The groups of a thread's registers.
struct Groups {
  /// The first lane of each group, and how far it is along what runs.
  SmallVector<int64_t> firsts, begins;
  /// Of each lane its group, and how much more it is than the first one.
  SmallVector<int64_t> lanes, more;
};
} // namespace

/// By dimension, aligned groups of so many elements that are equal, or of which each is one more
/// than the one before it, where the number is negative.
static Groups groupsOf(const ThreadBlock &block, ArrayRef<int64_t> sizes) {
  Groups groups;
  std::map<SmallVector<uint64_t>, int64_t> known;
  for (uint64_t reg : block.registers()) {
    SmallVector<uint64_t> parts;
    int64_t along = 0;
    for (auto [dim, size] : llvm::enumerate(sizes)) {
      uint64_t part = block.registerPart(static_cast<unsigned>(dim), reg);
      uint64_t within = part & (static_cast<uint64_t>(std::abs(size)) - 1);
      parts.push_back(part - within);
      if (size < 0)
        along += static_cast<int64_t>(within);
    }
    auto [group, isNew] = known.try_emplace(parts, static_cast<int64_t>(groups.firsts.size()));
    if (isNew) {
      groups.firsts.push_back(block.indexOf(reg));
      groups.begins.push_back(along);
    }
    groups.lanes.push_back(group->second);
    groups.more.push_back(along - groups.begins[group->second]);
  }
  return groups;
}

static bool areSizes(ArrayRef<int64_t> sizes, const ThreadBlock &block, int64_t rank) {
  return static_cast<int64_t>(sizes.size()) == rank &&
         llvm::all_of(llvm::enumerate(sizes), [&](auto size) {
           return llvm::isPowerOf2_64(static_cast<uint64_t>(std::abs(size.value()))) &&
                  (size.value() > 0 || block.disjointParts(static_cast<unsigned>(size.index())));
         });
}

FailureOr<Value> fsm::gpu::onceOfGroups(ThreadLowering &thread, Operation *op,
                                        ValueRange operands) {
  auto sizes = op->getAttrOfType<DenseI64ArrayAttr>(kGroupsAttr);
  if (!sizes)
    return Value();
  auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  auto refuse = [&] {
    return op->emitOpError("expected '")
           << kGroupsAttr << "' to have a power of two for each dimension of a block, "
           << "negative only where a thread's registers add to its own index";
  };
  if (!type || !isa<VectorType>(operands[0].getType()))
    return refuse();
  ThreadBlock block(thread.program, type);
  if (!areSizes(sizes.asArrayRef(), block, type.getRank()))
    return refuse();
  Groups groups = groupsOf(block, sizes.asArrayRef());
  ImplicitLocOpBuilder &builder = thread.builder;
  SmallVector<Value> firsts;
  for (Value operand : operands)
    firsts.push_back(vector::ShuffleOp::create(builder, operand, operand, groups.firsts));
  Value once =
      registers::elementwise(builder, threadBackend(), op, firsts, /*uniformDivisor=*/false);
  Value all = vector::ShuffleOp::create(builder, once, once, groups.lanes);
  if (llvm::all_of(groups.more, [](int64_t more) { return more == 0; }))
    return all;
  auto lanes = cast<VectorType>(all.getType());
  SmallVector<Attribute> more = llvm::map_to_vector(groups.more, [&](int64_t number) -> Attribute {
    return IntegerAttr::get(lanes.getElementType(), number);
  });
  Value constant = arith::ConstantOp::create(builder, DenseElementsAttr::get(lanes, more));
  return arith::AddIOp::create(builder, all, constant).getResult();
}
