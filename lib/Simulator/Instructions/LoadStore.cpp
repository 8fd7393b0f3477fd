//===- LoadStore.cpp - ld and st ---------------------------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Memory/Access.h"
#include "../Program/Decode.h"
#include "Lanes.h"

using namespace fsm;
using namespace fsm::sim;

namespace {

/// Strong accesses meet those of blocks on other host threads. Memory is little-endian, and
/// the place is aligned.
uint64_t loadStrong(const uint8_t *data, unsigned bytes) {
  switch (bytes) {
  case 2:
    return __atomic_load_n(reinterpret_cast<const uint16_t *>(data), __ATOMIC_SEQ_CST);
  case 4:
    return __atomic_load_n(reinterpret_cast<const uint32_t *>(data), __ATOMIC_SEQ_CST);
  case 8:
    return __atomic_load_n(reinterpret_cast<const uint64_t *>(data), __ATOMIC_SEQ_CST);
  default:
    return __atomic_load_n(data, __ATOMIC_SEQ_CST);
  }
}

void storeStrong(uint8_t *data, unsigned bytes, uint64_t value) {
  switch (bytes) {
  case 2:
    return __atomic_store_n(reinterpret_cast<uint16_t *>(data), static_cast<uint16_t>(value),
                            __ATOMIC_SEQ_CST);
  case 4:
    return __atomic_store_n(reinterpret_cast<uint32_t *>(data), static_cast<uint32_t>(value),
                            __ATOMIC_SEQ_CST);
  case 8:
    return __atomic_store_n(reinterpret_cast<uint64_t *>(data), value, __ATOMIC_SEQ_CST);
  default:
    return __atomic_store_n(data, static_cast<uint8_t>(value), __ATOMIC_SEQ_CST);
  }
}

/// A loaded value as its register of so many bits holds it: signed values are
/// extended to the register's width.
uint64_t fromMemory(const uint8_t *data, Type type, unsigned registerBits, bool isStrong) {
  uint64_t value = 0;
  if (isStrong)
    value = loadStrong(data, bytesOf(type));
  else
    std::memcpy(&value, data, bytesOf(type));
  if (!isSigned(type) || registerBits <= bitsOf(type))
    return value;
  unsigned unused = 64 - bitsOf(type);
  value = static_cast<uint64_t>(static_cast<int64_t>(value << unused) >> unused);
  return value << (64 - registerBits) >> (64 - registerBits);
}

void executeLoad(Warp &warp, const Instruction &instruction, uint32_t lanes) {
  uint64_t addresses[kLanes];
  warp.addresses(instruction.operands[1], lanes, addresses);
  const Operand &target = instruction.operands[0];
  bool isVector = target.kind == Operand::Kind::Vector;
  const MemoryAccess &decoded = instruction.as<MemoryAccess>();
  unsigned size = bytesOf(instruction.type), count = decoded.vectorSize;
  WarpAccess access(warp, instruction, size * count, Purpose::Read);
  forLanes(lanes, [&](unsigned lane) {
    Place place = access.lane(lane, addresses[lane]);
    for (unsigned index = 0; index < count; ++index) {
      const Operand &element = isVector ? target.elements[index] : target;
      if (element.kind == Operand::Kind::Register)
        warp.row(element)[lane] = place.data
                                      ? fromMemory(place.data + index * size, instruction.type,
                                                   decoded.registerBits, instruction.isStrong())
                                      : 0;
    }
    access.order(lane, addresses[lane], place, false);
  });
  for (unsigned index = 0; index < count; ++index)
    warp.define(isVector ? target.elements[index] : target, lanes);
}

void executeStore(Warp &warp, const Instruction &instruction, uint32_t lanes) {
  uint64_t addresses[kLanes];
  warp.addresses(instruction.operands[0], lanes, addresses);
  const Operand &source = instruction.operands[1];
  bool isVector = source.kind == Operand::Kind::Vector;
  const MemoryAccess &decoded = instruction.as<MemoryAccess>();
  unsigned size = bytesOf(instruction.type), count = decoded.vectorSize;
  for (unsigned index = 0; index < count; ++index)
    warp.requireDefined(isVector ? source.elements[index] : source, lanes, "stored", size);
  WarpAccess access(warp, instruction, size * count, Purpose::Write);
  Values values[8];
  for (unsigned index = 0; index < count; ++index)
    values[index] = warp.read(isVector ? source.elements[index] : source, 0);
  forLanes(lanes, [&](unsigned lane) {
    Place place = access.lane(lane, addresses[lane]);
    StoredBytes stored;
    if (place.data)
      std::memcpy(stored.before, place.data, size_t(size) * count);
    for (unsigned index = 0; place.data && index < count; ++index) {
      uint64_t value = values[index][lane];
      std::memcpy(stored.value + index * size, &value, size);
      if (instruction.isStrong())
        storeStrong(place.data + index * size, size, value);
      else
        std::memcpy(place.data + index * size, &value, size);
    }
    access.order(lane, addresses[lane], place, true, &stored);
  });
}

void takeAccessedSpace(Decoder &decoder) {
  Instruction &instruction = decoder.instruction;
  static constexpr std::pair<const char *, Space> spaces[] = {
      {"global", Space::Global},      {"shared", Space::Shared},    {"shared::cta", Space::Shared},
      {"local", Space::Local},        {"const", Space::Const},      {"param", Space::Param},
      {"param::entry", Space::Param}, {"param::func", Space::Param},
      {"shared::cluster", Space::Shared}};
  for (auto [name, space] : spaces)
    if (decoder.take(name))
      instruction.space = space;
  // A call's parameters live in the thread's local memory.
  const Operand &address = instruction.operands[instruction.opcode == "st" ? 0 : 1];
  if (instruction.space != Space::Param || address.elements.empty())
    return;
  const Operand &base = address.elements[0];
  bool isVariable = base.kind == Operand::Kind::Variable && base.index != kNowhere;
  if (!decoder.function.isEntry ||
      (isVariable && decoder.function.variables[base.index].space == Space::Local))
    instruction.space = Space::Local;
}

} // namespace

bool sim::decodeMemory(Decoder &decoder) {
  Instruction &instruction = decoder.instruction;
  const bool isStore = instruction.opcode == "st";
  if (!isStore && instruction.opcode != "ld" && instruction.opcode != "ldu")
    return false;
  decoder.expectOperandsAndPolicy(2);
  decoder.expectAddresses({isStore ? size_t(0) : size_t(1)});
  takeAccessedSpace(decoder);
  decoder.takeOrder();
  MemoryAccess decoded;
  decoded.isNonCoherent = decoder.take("nc");
  decoder.ignore({"ca", "cg", "cs", "cv", "lu", "wb", "wt", "L1::evict_normal",
                  "L1::evict_unchanged", "L1::evict_first", "L1::evict_last", "L1::no_allocate",
                  "L2::64B", "L2::128B", "L2::256B", "L2::evict_first", "L2::evict_last",
                  "L2::evict_normal"});
  int vector = decoder.takeOneOf({"v2", "v4", "v8"});
  decoded.vectorSize = static_cast<uint8_t>(vector < 0 ? 1 : 2 << vector);
  instruction.type = decoder.needType();
  if (bytesOf(instruction.type) == 0)
    decoder.unsupported("this type");
  const Operand &value = instruction.operands[isStore ? 1 : 0];
  decoder.expectRegisters(value, decoded.vectorSize);
  const Operand &first = decoded.vectorSize > 1 ? value.elements[0] : value;
  if (first.kind == Operand::Kind::Register)
    decoded.registerBits = decoder.function.registerBits[first.index];
  instruction.decoded = decoded;
  if (isStore)
    decoder.immediates(instruction.type, 1);
  instruction.execute = isStore ? executeStore : executeLoad;
  return true;
}
