//===- SharedAccess.cpp - Accesses to a program's shared memory ----------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SharedAccess.h"

#include "fsm/Machine/GpuTarget.h"

using namespace mlir;
using namespace fsm;
using namespace fsm::gpu;

uint64_t fsm::gpu::sharedOffset(Value shared) {
  return static_cast<uint64_t>(integerAttrOr(shared.getDefiningOp(), kSharedOffsetAttr, 0));
}

/// What each thread adds; where each bit of its number adds twice what the one before does, a
/// product, which LLVM knows to make the thread's register of.
static Value bytesOfThread(DeviceProgram &program, Location loc, ArrayRef<uint64_t> laneBytes,
                           ArrayRef<uint64_t> warpBytes) {
  uint64_t first = laneBytes.empty() ? 0 : laneBytes.front();
  auto bits = llvm::to_vector(llvm::concat<const uint64_t>(laneBytes, warpBytes));
  for (auto [i, bytes] : llvm::enumerate(bits))
    if (bytes != first << i)
      return program.linear(loc, laneBytes, warpBytes);
  OpBuilder &builder = program.builder;
  Value warp = arith::MulIOp::create(builder, loc, program.warp(), program.i32(loc, kWarpThreads));
  Value thread = arith::AddIOp::create(builder, loc, warp, program.lane());
  return arith::MulIOp::create(builder, loc, thread, program.i32(loc, first));
}

SharedPlaces::SharedPlaces(DeviceProgram &program, Location loc, uint64_t scratch,
                           std::vector<uint64_t> laneBytes, std::vector<uint64_t> warpBytes,
                           Value slot)
    : program(program), loc(loc), scratch(scratch),
      threadBytes(slot ? bytesOfThread(program, loc, laneBytes, warpBytes)
                       : program.linear(loc, laneBytes, warpBytes)),
      slot(slot) {
  for (uint64_t bytes : laneBytes)
    threadBits |= bytes;
  for (uint64_t bytes : warpBytes)
    threadBits |= bytes;
  if (slot)
    inSlot = behind(threadBytes);
}

/// The address so many bytes behind where the slot or the program's memory begins.
Value SharedPlaces::behind(Value bytes) const {
  return slot ? advance(program.builder, loc, slot, bytes) : program.shared(loc, bytes);
}

Value SharedPlaces::at(uint64_t registerBytes) const {
  OpBuilder &builder = program.builder;
  // A sum where no bit meets another: an instruction has room for the constant.
  bool isDisjoint = (registerBytes & threadBits) == 0;
  Value bytes = threadBytes;
  if (!isDisjoint)
    bytes = arith::XOrIOp::create(builder, loc, bytes, program.i32(loc, registerBytes));
  Value address = isDisjoint && inSlot ? inSlot : behind(bytes);
  uint64_t constant = scratch + (isDisjoint ? registerBytes : 0);
  return constant ? advance(builder, loc, address, static_cast<int32_t>(constant)) : address;
}

void fsm::gpu::storeShared(DeviceProgram &program, Location loc, ArrayRef<Value> scalars,
                           Value address) {
  unsigned bytes = elementBytes(scalars[0].getType()) * static_cast<unsigned>(scalars.size());
  Value value = scalars.size() == 1 ? scalars[0] : program.vectorOf(loc, scalars);
  LLVM::StoreOp::create(program.builder, loc, value, address, bytes);
}

SmallVector<Value> fsm::gpu::loadShared(DeviceProgram &program, Location loc, Type element,
                                        size_t count, Value address) {
  unsigned bytes = elementBytes(element) * static_cast<unsigned>(count);
  if (count == 1)
    return {LLVM::LoadOp::create(program.builder, loc, element, address, bytes)};
  Type type = VectorType::get({static_cast<int64_t>(count)}, element);
  return program.elementsOf(loc, LLVM::LoadOp::create(program.builder, loc, type, address, bytes));
}
