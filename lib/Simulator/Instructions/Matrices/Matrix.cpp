//===- Matrix.cpp - Matrices between shared memory and a warp -------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// ldmatrix, stmatrix and movmatrix (PTX ISA 9.0, 9.7.15.5.15 to .17): up to four matrices of 8 rows
// of 8 elements of 16 bits. Lane 8 m + r gives the address of row r of matrix m; of it, register m
// of lane 4 r + c holds elements 2 c and 2 c + 1, the first one in the lower half. `.trans` has
// rows and columns of the registers the other way round. movmatrix does that to a matrix in
// registers.

#include "../../Memory/Access.h"
#include "../../Program/Decode.h"
#include "../Lanes.h"

#include <algorithm>
#include <cstring>

using namespace fsm;
using namespace fsm::sim;

namespace {

constexpr unsigned kSide = 8, kRowBytes = 16, kElementBits = 16;

/// Where an element of a matrix is in registers.
struct Held {
  unsigned lane, half;
};

Held heldAt(const MatrixAccess &access, unsigned row, unsigned column) {
  if (access.isTransposed)
    std::swap(row, column);
  return {4 * row + column / 2, column % 2};
}

const Operand &registerOf(const Operand &operand, unsigned matrix) {
  return operand.kind == Operand::Kind::Vector ? operand.elements[matrix] : operand;
}

/// The rows' places; null data where a row was reported.
void placesOf(Warp &warp, const Instruction &instruction, const Operand &address,
              WarpAccess &access, Place (&places)[kLanes]) {
  const MatrixAccess &decoded = instruction.as<MatrixAccess>();
  unsigned rows = kSide * decoded.count;
  uint32_t lanes = rows == kLanes ? kAllLanes : (uint32_t(1) << rows) - 1;
  uint64_t addresses[kLanes];
  warp.addresses(address, lanes, addresses);
  forLanes(lanes, [&](unsigned lane) {
    uint8_t holders[kRowBytes];
    for (unsigned byte = 0; byte < kRowBytes; ++byte)
      holders[byte] = static_cast<uint8_t>(heldAt(decoded, lane % kSide, byte / 2).lane);
    places[lane] = access.lane(lane, addresses[lane], holders);
    if (places[lane].data && places[lane].space != Space::Shared) {
      warp.block.report(warp, Report::Kind::OutOfBounds, lane, addresses[lane],
                        "'" + instruction.opcode + "' takes rows in shared memory alone");
      places[lane].data = nullptr;
    }
  });
}

void executeLoad(Warp &warp, const Instruction &instruction, uint32_t) {
  if (!warp.gatherAll())
    return;
  const MatrixAccess &decoded = instruction.as<MatrixAccess>();
  WarpAccess access(warp, instruction, kRowBytes, Purpose::Read);
  Place places[kLanes];
  placesOf(warp, instruction, instruction.operands[1], access, places);
  for (unsigned matrix = 0; matrix < decoded.count; ++matrix) {
    const Operand &target = registerOf(instruction.operands[0], matrix);
    if (target.kind != Operand::Kind::Register)
      continue;
    uint64_t *values = warp.row(target);
    std::fill_n(values, kLanes, 0);
    for (unsigned row = 0; row < kSide; ++row) {
      uint16_t elements[kSide] = {};
      if (const uint8_t *data = places[kSide * matrix + row].data)
        std::memcpy(elements, data, kRowBytes);
      for (unsigned column = 0; column < kSide; ++column) {
        Held held = heldAt(decoded, row, column);
        values[held.lane] |= uint64_t(elements[column]) << (kElementBits * held.half);
      }
    }
    warp.define(target, kAllLanes);
  }
}

void executeStore(Warp &warp, const Instruction &instruction, uint32_t) {
  if (!warp.gatherAll())
    return;
  const MatrixAccess &decoded = instruction.as<MatrixAccess>();
  const Operand &sources = instruction.operands[1];
  for (unsigned matrix = 0; matrix < decoded.count; ++matrix)
    warp.requireDefined(registerOf(sources, matrix), kAllLanes, "stored");
  WarpAccess access(warp, instruction, kRowBytes, Purpose::Write);
  Place places[kLanes];
  placesOf(warp, instruction, instruction.operands[0], access, places);
  for (unsigned matrix = 0; matrix < decoded.count; ++matrix) {
    Values values = warp.read(registerOf(sources, matrix), 0);
    for (unsigned row = 0; row < kSide; ++row) {
      uint16_t elements[kSide];
      for (unsigned column = 0; column < kSide; ++column) {
        Held held = heldAt(decoded, row, column);
        elements[column] = static_cast<uint16_t>(values[held.lane] >> (kElementBits * held.half));
      }
      if (uint8_t *data = places[kSide * matrix + row].data)
        std::memcpy(data, elements, kRowBytes);
    }
  }
}

/// Element (row, column) of the result is element (column, row) of the source.
void executeMove(Warp &warp, const Instruction &instruction, uint32_t) {
  if (!warp.gatherAll())
    return;
  const Operand &source = instruction.operands[1];
  Values values = warp.read(source, 0);
  Undefined undefined = warp.undefinedOf(source), none;
  uint64_t result[kLanes] = {};
  const MatrixAccess plain, transposed{1, true};
  for (unsigned row = 0; row < kSide; ++row)
    for (unsigned column = 0; column < kSide; ++column) {
      Held from = heldAt(plain, row, column), to = heldAt(transposed, row, column);
      result[to.lane] |= (values[from.lane] >> (kElementBits * from.half) & 0xffff)
                         << (kElementBits * to.half);
      uint32_t missing = undefined.anyOf(2 * from.half, 2 * from.half + 2);
      none.fill(2 * to.half, 2 * to.half + 2,
                none.bytes[2 * to.half] | (missing >> from.lane & 1) << to.lane);
    }
  std::copy_n(result, kLanes, warp.row(instruction.operands[0]));
  warp.define(instruction.operands[0], kAllLanes, none);
}

void expectWord(const Decoder &decoder, const Operand &operand) {
  if (operand.kind == Operand::Kind::Register && decoder.function.registerBits[operand.index] != 32)
    fail(operand.position, "expected a register of 32 bits");
}

void decodeMovmatrix(Decoder &decoder) {
  Instruction &instruction = decoder.instruction;
  decoder.expectOperands(2, 2);
  for (const char *needed : {"sync", "aligned", "m8n8", "trans", "b16"})
    if (!decoder.take(needed))
      decoder.unsupported("the form without '." + std::string(needed) + "'");
  for (const Operand &operand : instruction.operands)
    expectWord(decoder, operand);
  instruction.decoded = MatrixMove();
  instruction.type = Type::B32;
  instruction.execute = executeMove;
}

} // namespace

bool sim::decodeMatrix(Decoder &decoder) {
  Instruction &instruction = decoder.instruction;
  if (instruction.opcode == "movmatrix") {
    decodeMovmatrix(decoder);
    return true;
  }
  const bool isStore = instruction.opcode == "stmatrix";
  if (!isStore && instruction.opcode != "ldmatrix")
    return false;
  decoder.expectOperands(2, 2);
  decoder.expectAddresses({isStore ? size_t(0) : size_t(1)});
  for (const char *needed : {"sync", "aligned", "m8n8"})
    if (!decoder.take(needed))
      decoder.unsupported("the form without '." + std::string(needed) + "'");
  MatrixAccess decoded;
  decoded.count =
      static_cast<uint8_t>(1u << decoder.needOneOf("a number of matrices", {"x1", "x2", "x4"}));
  decoded.isTransposed = decoder.take("trans");
  if (decoder.take("shared") || decoder.take("shared::cta"))
    instruction.space = Space::Shared;
  instruction.type = decoder.needType();
  if (instruction.type != Type::B16)
    decoder.unsupported("this type");
  const Operand &values = instruction.operands[isStore ? 1 : 0];
  decoder.expectRegisters(values, decoded.count);
  for (unsigned matrix = 0; matrix < decoded.count; ++matrix)
    expectWord(decoder, registerOf(values, matrix));
  instruction.decoded = decoded;
  instruction.execute = isStore ? executeStore : executeLoad;
  return true;
}
