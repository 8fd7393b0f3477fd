//===- Move.cpp - Moves, packing and address conversion --------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Program/Decode.h"
#include "Lanes.h"

using namespace fsm;
using namespace fsm::sim;

namespace {

void executeMove(Warp &warp, const Instruction &instruction, uint32_t lanes) {
  Values a = warp.read(instruction.operands[1], 0);
  uint64_t *d = warp.row(instruction.operands[0]);
  forLanes(lanes, [&](unsigned lane) { d[lane] = a[lane]; });
  warp.define(instruction.operands[0], lanes, warp.undefinedOf(instruction.operands[1]));
}

/// mov.b64 d, {a, b}
void executePack(Warp &warp, const Instruction &instruction, uint32_t lanes) {
  const std::vector<Operand> &elements = instruction.operands[1].elements;
  const unsigned bits = bitsOf(instruction.type) / static_cast<unsigned>(elements.size());
  uint64_t result[kLanes] = {};
  Undefined none;
  for (size_t index = 0; index < elements.size(); ++index) {
    Values part = warp.read(elements[index], 0);
    uint64_t mask = (uint64_t(1) << bits) - 1;
    forLanes(lanes, [&](unsigned lane) { result[lane] |= (part[lane] & mask) << (bits * index); });
    Undefined missing = warp.undefinedOf(elements[index]);
    for (unsigned byte = 0; byte < bits / 8; ++byte)
      none.bytes[index * bits / 8 + byte] = missing.bytes[byte];
  }
  uint64_t *d = warp.row(instruction.operands[0]);
  forLanes(lanes, [&](unsigned lane) { d[lane] = result[lane]; });
  warp.define(instruction.operands[0], lanes, none);
}

/// mov.b64 {a, b}, d
void executeUnpack(Warp &warp, const Instruction &instruction, uint32_t lanes) {
  const std::vector<Operand> &elements = instruction.operands[0].elements;
  const unsigned bits = bitsOf(instruction.type) / static_cast<unsigned>(elements.size());
  Values whole = warp.read(instruction.operands[1], 0);
  uint64_t copy[kLanes];
  forLanes(lanes, [&](unsigned lane) { copy[lane] = whole[lane]; });
  Undefined none = warp.undefinedOf(instruction.operands[1]);
  for (size_t index = 0; index < elements.size(); ++index) {
    if (elements[index].kind != Operand::Kind::Register)
      continue;
    uint64_t *d = warp.row(elements[index]), mask = (uint64_t(1) << bits) - 1;
    forLanes(lanes, [&](unsigned lane) { d[lane] = copy[lane] >> (bits * index) & mask; });
    Undefined missing;
    for (unsigned byte = 0; byte < bits / 8; ++byte)
      missing.bytes[byte] = none.bytes[index * bits / 8 + byte];
    warp.define(elements[index], lanes, missing);
  }
}

uint64_t windowOf(Space space) {
  return space == Space::Shared  ? kSharedWindow
         : space == Space::Local ? kLocalWindow
         : space == Space::Param ? kParamWindow
                                 : 0;
}

void executeCvta(Warp &warp, const Instruction &instruction, uint32_t lanes) {
  uint64_t window = windowOf(instruction.space);
  uint64_t change = instruction.as<AddressConversion>().fromGeneric ? 0 - window : window;
  map1(warp, instruction, lanes, [&](uint64_t a) { return a + change; });
}

void executeIsSpace(Warp &warp, const Instruction &instruction, uint32_t lanes) {
  uint64_t window = windowOf(instruction.space);
  map1(warp, instruction, lanes, [&](uint64_t a) -> uint64_t {
    return window ? a >= window && a < window + kWindowBytes : a >= kAllocationStride;
  });
}

/// mapa d, a, b: the address of the same place in the block of rank b.
void executeMap(Warp &warp, const Instruction &instruction, uint32_t lanes) {
  const uint64_t window = instruction.space == Space::Generic ? kSharedWindow : 0;
  map2(warp, instruction, lanes, [&](uint64_t address, uint64_t rank) {
    return window + Block::addressIn(rank & 0xff, address - window);
  });
}

/// getctarank d, a: the rank that an address has, or the own.
void executeRank(Warp &warp, const Instruction &instruction, uint32_t lanes) {
  const unsigned own = warp.block.rankOf(warp.index);
  map1(warp, instruction, lanes, [&](uint64_t address) { return Block::rankIn(address, own); });
}

Space takeSpace(Decoder &decoder) {
  // A block is a cluster of its own.
  if (decoder.takeOneOf({"shared", "shared::cta", "shared::cluster"}) >= 0)
    return Space::Shared;
  int space = decoder.takeOneOf({"global", "local", "const", "param"});
  static constexpr Space spaces[] = {Space::Global, Space::Local, Space::Const, Space::Param};
  if (space < 0)
    decoder.unsupported("an address conversion without a space");
  return spaces[space];
}

} // namespace

bool sim::decodeMove(Decoder &decoder) {
  Instruction &instruction = decoder.instruction;
  if (instruction.opcode == "mov") {
    instruction.type = decoder.needType();
    decoder.expectOperands(2, 2);
    const std::vector<Operand> &operands = instruction.operands;
    for (const Operand &operand : operands)
      if (operand.kind == Operand::Kind::Name)
        fail(operand.position, "unknown name '" + operand.name + "'");
    bool isPack = operands[1].kind == Operand::Kind::Vector;
    bool isUnpack = operands[0].kind == Operand::Kind::Vector;
    size_t parts = operands[isPack ? 1 : 0].elements.size();
    if ((isPack || isUnpack) && (isPack == isUnpack || (parts != 2 && parts != 4)))
      decoder.unsupported("this form");
    decoder.immediates(isPack ? Type::None : instruction.type);
    instruction.execute = isPack ? executePack : isUnpack ? executeUnpack : executeMove;
    return true;
  }
  if (instruction.opcode == "cvta") {
    instruction.decoded = AddressConversion{decoder.take("to")};
    instruction.space = takeSpace(decoder);
    instruction.type = decoder.needType();
    decoder.expectOperands(2, 2);
    instruction.execute = executeCvta;
    return true;
  }
  if (instruction.opcode == "mapa" || instruction.opcode == "getctarank") {
    const bool isMap = instruction.opcode == "mapa";
    instruction.space = decoder.take("shared::cluster") ? Space::Shared : Space::Generic;
    instruction.type = decoder.needType();
    decoder.expectOperands(isMap ? 3 : 2, isMap ? 3 : 2);
    decoder.immediates(Type::B64);
    instruction.execute = isMap ? executeMap : executeRank;
    return true;
  }
  if (instruction.opcode == "isspacep") {
    instruction.space = takeSpace(decoder);
    decoder.expectOperands(2, 2);
    instruction.execute = executeIsSpace;
    return true;
  }
  return false;
}
