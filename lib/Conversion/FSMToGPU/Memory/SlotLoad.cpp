//===- SlotLoad.cpp - Blocks out of slots of shared memory ---------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Access.h"

#include "../Exchange/SharedBlock.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace fsm;
using namespace fsm::gpu;

Value fsm::gpu::slotAddress(DeviceProgram &program, Value shared, Value slot) {
  ImplicitLocOpBuilder &builder = program.builder;
  Value begin = program.i32(sharedOffset(shared));
  if (!slot)
    return program.shared(begin);
  auto stride = static_cast<int64_t>(cast<SharedType>(shared.getType()).getSlotBytes());
  Value at = arith::MulIOp::create(builder, slot, program.i32(stride));
  return program.shared(arith::AddIOp::create(builder, at, begin));
}

namespace {
/// What a thread takes of a slot: groups of registers, each of which lies side by side.
struct SlotLoad {
  ThreadBlock &block;
  const std::vector<std::vector<uint64_t>> &groups;
  Type element;
  /// Where the mask of a group's first element is false, it is what `other` has there; both may be
  /// null, for true and zero.
  Value mask, other;
  /// Whether nothing is read where the mask is false or the block has ended: nobody has written it.
  bool isGuarded;
};
} // namespace

/// A group, or `otherwise` where `isThere` is false; null is true.
static Value loadGroup(DeviceProgram &program, const SlotLoad &load,
                       const std::vector<uint64_t> &group, Value isThere, Value otherwise,
                       function_ref<Value()> address) {
  ImplicitLocOpBuilder &builder = program.builder;
  Type type = otherwise.getType();
  auto bytes = static_cast<unsigned>(group.size()) * load.element.getIntOrFloatBitWidth() / 8;
  if (load.isGuarded)
    isThere = both(builder, isThere, load.block.isInside(group.front()));
  if (load.isGuarded && isThere)
    return loadWhere(program, isThere, address(), bytes, otherwise);
  Value part = LLVM::LoadOp::create(builder, type, address(), bytes);
  return isThere ? arith::SelectOp::create(builder, isThere, part, otherwise).getResult() : part;
}

/// The thread's vector, as memory has it.
static Value loadGroups(DeviceProgram &program, const SlotLoad &load,
                        function_ref<Value(uint64_t first)> addressOf) {
  ImplicitLocOpBuilder &builder = program.builder;
  ThreadBlock &block = load.block;
  auto held = VectorType::get({static_cast<int64_t>(block.registers().size())}, load.element);
  Value result = arith::ConstantOp::create(builder, builder.getZeroAttr(held));
  Value other = load.other ? toMemory(builder, builder.getLoc(), load.other) : Value();
  for (const std::vector<uint64_t> &group : load.groups) {
    auto count = static_cast<int64_t>(group.size());
    Type type = count == 1 ? load.element : VectorType::get({count}, load.element);
    Value isThere = block.elementOf(load.mask, group.front()), otherwise = other;
    if (!other)
      otherwise = arith::ConstantOp::create(builder, builder.getZeroAttr(type));
    else if (isa<VectorType>(other.getType()))
      otherwise = block.gather(other, group);
    else if (count > 1)
      otherwise = vector::BroadcastOp::create(builder, type, other);
    Value part = loadGroup(program, load, group, isThere, otherwise,
                           [&] { return addressOf(group.front()); });
    result = block.scatter(part, result, group);
  }
  return result;
}

LogicalResult fsm::gpu::lowerSlotLoad(ThreadLowering &thread, SharedLoadOp op) {
  DeviceProgram &program = thread.program;
  ImplicitLocOpBuilder &builder = program.builder;
  auto type = cast<RankedTensorType>(op.getType());
  bool isByRows = !op.getShared().getType().getLayout();
  ThreadBlock block(program, type);
  std::optional<SharedSide> side;
  if (!isByRows)
    side = SharedSide::of(type, op.getShared().getType());
  std::vector<std::vector<uint64_t>> groups = side ? side->groups() : accessGroups(block, op);
  if (groups.empty())
    return failure();
  if (side && failed(side->verifyVectors(groups, op)))
    return failure();
  Value begin = slotAddress(program, op.getShared(), thread.lookup(op.getSlot()));
  Type element = memoryElement(type.getElementType());
  // A thread's own copies write zeros where they copy nothing, a bulk copy writes nothing there.
  SlotLoad load{block,
                groups,
                element,
                thread.lookup(op.getMask()),
                thread.lookup(op.getOther()),
                /*isGuarded=*/isByRows};
  std::optional<SharedPlaces> places;
  if (side)
    places.emplace(side->placesFrom(program, 0, begin));
  Value loaded = loadGroups(program, load, [&](uint64_t first) {
    return places ? places->at(side->bytesAt(first))
                  : advance(builder, begin, block.rowMajor(first), element);
  });
  return thread.setResult(op, fromMemory(builder, op.getLoc(), loaded, type.getElementType()));
}
