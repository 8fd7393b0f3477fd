//===- SharedAccess.cpp - Accesses to a program's shared memory ----------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SharedAccess.h"

#include "../Memory/Access.h"

#include "fsm/Machine/GpuTarget.h"

using namespace mlir;
using namespace fsm;
using namespace fsm::gpu;

uint64_t fsm::gpu::sharedOffset(Value shared) {
  return static_cast<uint64_t>(integerAttrOr(shared.getDefiningOp(), kSharedOffsetAttr, 0));
}

/// What each thread adds; where each bit of its number adds twice what the one before does, a
/// product, which LLVM knows to make the thread's register of.
static Value bytesOfThread(DeviceProgram &program, ArrayRef<uint64_t> laneBytes,
                           ArrayRef<uint64_t> warpBytes) {
  uint64_t first = laneBytes.empty() ? 0 : laneBytes.front();
  auto bits = llvm::to_vector(llvm::concat<const uint64_t>(laneBytes, warpBytes));
  for (auto [i, bytes] : llvm::enumerate(bits))
    if (bytes != first << i)
      return program.linear(laneBytes, warpBytes);
  ImplicitLocOpBuilder &builder = program.builder;
  Value warp = arith::MulIOp::create(builder, program.warp(), program.i32(kWarpThreads));
  Value thread = arith::AddIOp::create(builder, warp, program.lane());
  return arith::MulIOp::create(builder, thread, program.i32(first));
}

SharedPlaces::SharedPlaces(DeviceProgram &program, uint64_t scratch,
                           std::vector<uint64_t> laneBytes, std::vector<uint64_t> warpBytes,
                           Value slot)
    : program(program), scratch(scratch),
      threadBytes(slot ? bytesOfThread(program, laneBytes, warpBytes)
                       : program.linear(laneBytes, warpBytes)),
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
  return slot ? advance(program.builder, slot, bytes) : program.shared(bytes);
}

Value SharedPlaces::at(uint64_t registerBytes) const {
  ImplicitLocOpBuilder &builder = program.builder;
  // A sum where no bit meets another: an instruction has room for the constant, and registers that differ by it share an address.
  uint64_t meeting = registerBytes & threadBits, constant = scratch + (registerBytes & ~threadBits);
  Value address = inSlot;
  if (meeting)
    address = behind(arith::XOrIOp::create(builder, threadBytes, program.i32(static_cast<int64_t>(meeting))));
  else if (!inSlot)
    address = behind(threadBytes);
  return constant ? advance(builder, address, static_cast<int32_t>(constant)) : address;
}

SharedWriter::SharedWriter(DeviceProgram &program, const LinearLayout &threads, Holders holders,
                           bool isWithinCta)
    : program(program), ctas(program.numCtas()) {
  uint64_t freeLanes = threads.freeBits(Dim::Lane), freeWarps = threads.freeBits(Dim::Warp);
  uint64_t ctaBits = program.ctaBits();
  bool areAlike = holders == Holders::All && (freeWarps & ctaBits) == ctaBits;
  if (isWithinCta || areAlike) {
    ctas = 1;
    freeWarps &= ~ctaBits;
  } else if (holders == Holders::All && spreadOverLanes(freeLanes, freeWarps)) {
    return;
  }
  condition = program.isFirst(freeLanes, freeWarps);
}

SharedWriter::SharedWriter(DeviceProgram &program)
    : program(program), condition(program.isFirstThread()), ctas(program.numCtas()) {}

/// Whether as many lanes hold the same as there are ctas: each stores to one of them.
bool SharedWriter::spreadOverLanes(uint64_t freeLanes, uint64_t freeWarps) {
  uint64_t run = ctas - 1;
  while (run < kWarpThreads && (freeLanes & run) != run)
    run <<= 1;
  if (run >= kWarpThreads)
    return false;
  Value first = program.i32(llvm::countr_zero(run)), last = program.i32(ctas - 1);
  Value moved = arith::ShRUIOp::create(program.builder, program.lane(), first);
  rank = arith::AndIOp::create(program.builder, moved, last);
  condition = program.isFirst(freeLanes & ~run, freeWarps);
  return true;
}

/// What one store takes.
static constexpr unsigned kMostBytes = 16;

/// Stores that an mbarrier is told of: who waits for it sees them, which costs no fence (PTX ISA, "st.async").
static void storeArriving(DeviceProgram &program, ArrayRef<Value> scalars, Value address,
                          Value mbarrier) {
  ImplicitLocOpBuilder &builder = program.builder;
  unsigned bytes = elementBytes(scalars[0].getType()), each = kMostBytes / bytes;
  Type word = builder.getIntegerType(8 * bytes);
  for (size_t i = 0; i < scalars.size(); i += each) {
    ArrayRef<Value> some = scalars.drop_front(i).take_front(each);
    SmallVector<Value> operands = {
        i ? advance(builder, address, static_cast<int32_t>(i * bytes)) : address, mbarrier};
    std::string names, letters = "l,l";
    for (Value scalar : some) {
      bool isWord = scalar.getType() == word;
      operands.push_back(isWord ? scalar : LLVM::BitcastOp::create(builder, word, scalar).getResult());
      names += (names.empty() ? "$" : ", $") + std::to_string(operands.size() - 1);
      letters += bytes == 4 ? ",r" : ",l";
    }
    bool isVector = some.size() > 1;
    std::string text = "st.async.shared::cluster.mbarrier::complete_tx::bytes" +
                       (isVector ? ".v" + std::to_string(some.size()) : std::string()) + ".b" +
                       std::to_string(8 * bytes) + " [$0], " + (isVector ? "{" + names + "}" : names) +
                       ", [$1];";
    inlinePtx(builder, Type(), operands, text, letters);
  }
}

void SharedWriter::goToFirst() {
  ImplicitLocOpBuilder &builder = program.builder;
  Value isOther = arith::CmpIOp::create(builder, arith::CmpIPredicate::ne, program.partId(), program.i32(0));
  condition = both(builder, condition, isOther);
  rank = program.i32(0);
}

/// To one cta, or the own one, for which `cta` is null.
void SharedWriter::storeTo(Value cta, ArrayRef<Value> scalars, Value address) const {
  auto there = [&](Value place) { return cta ? program.inCta(place, cta) : place; };
  if (mbarrier)
    storeArriving(program, scalars, there(address), there(mbarrier));
  else
    storeShared(program, scalars, there(address));
}

void SharedWriter::store(ArrayRef<Value> scalars, Value address) const {
  if (rank || ctas == 1)
    return storeTo(rank, scalars, address);
  for (unsigned cta = 0; cta < ctas; ++cta)
    storeTo(program.i32(cta), scalars, address);
}

void fsm::gpu::storeShared(DeviceProgram &program, ArrayRef<Value> scalars, Value address) {
  unsigned bytes = elementBytes(scalars[0].getType()) * static_cast<unsigned>(scalars.size());
  Value value = scalars.size() == 1 ? scalars[0] : program.vectorOf(scalars);
  LLVM::StoreOp::create(program.builder, value, address, bytes);
}

SmallVector<Value> fsm::gpu::loadShared(DeviceProgram &program, Type element, size_t count,
                                        Value address) {
  unsigned bytes = elementBytes(element) * static_cast<unsigned>(count);
  if (count == 1)
    return {LLVM::LoadOp::create(program.builder, element, address, bytes)};
  Type type = VectorType::get({static_cast<int64_t>(count)}, element);
  return program.elementsOf(LLVM::LoadOp::create(program.builder, type, address, bytes));
}
