//===- Atomic.cpp - atom and red ---------------------------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Memory/Access.h"
#include "../Program/Decode.h"
#include "Lanes.h"
#include "Update.h"

using namespace fsm;
using namespace fsm::sim;

namespace {

using Op = AtomicUpdate::Op;

/// Other blocks run on other host threads.
template <typename T>
uint64_t update(uint8_t *data, Op op, Type type, uint64_t b, uint64_t c) {
  T *place = reinterpret_cast<T *>(data);
  T old = __atomic_load_n(place, __ATOMIC_SEQ_CST);
  while (!__atomic_compare_exchange_n(place, &old, static_cast<T>(updated(op, type, old, b, c)),
                                      false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
    ;
  return old;
}

uint64_t updateAny(uint8_t *data, Op op, Type type, uint64_t b, uint64_t c) {
  switch (bitsOf(type)) {
  case 16:
    return update<uint16_t>(data, op, type, b, c);
  case 32:
    return update<uint32_t>(data, op, type, b, c);
  default:
    return update<uint64_t>(data, op, type, b, c);
  }
}

void execute(Warp &warp, const Instruction &instruction, uint32_t lanes) {
  // red has no result: its address is the first operand.
  const size_t first = instruction.opcode == "red" ? 0 : 1;
  const std::vector<Operand> &operands = instruction.operands;
  uint64_t addresses[kLanes];
  warp.addresses(operands[first], lanes, addresses);
  for (size_t index = first + 1; index < operands.size(); ++index)
    warp.requireDefined(operands[index], lanes, "an atomic operation's operand");
  Values b = warp.read(operands[first + 1], 0);
  Values c = operands.size() > first + 2 ? warp.read(operands[first + 2], 1) : b;
  uint64_t result[kLanes] = {};
  WarpAccess access(warp, instruction, bytesOf(instruction.type), Purpose::Atomic);
  forLanes(lanes, [&](unsigned lane) {
    Place place = access.lane(lane, addresses[lane]);
    if (!place.data)
      return;
    const Op op = instruction.as<AtomicUpdate>().op;
    result[lane] = updateAny(place.data, op, instruction.type, b[lane], c[lane]);
    const uint64_t differing = (result[lane] ^ b[lane]) << (64 - bitsOf(instruction.type));
    access.order(lane, addresses[lane], place, op != Op::Cas || !differing);
  });
  if (!first || operands[0].kind != Operand::Kind::Register)
    return;
  uint64_t *d = warp.row(operands[0]);
  forLanes(lanes, [&](unsigned lane) { d[lane] = result[lane]; });
  warp.define(operands[0], lanes);
}

/// The types that PTX has the operation for.
bool isAllowed(Op op, Type type) {
  switch (op) {
  case Op::Add:
    return type == Type::U32 || type == Type::S32 || type == Type::U64 || type == Type::F16 ||
           type == Type::F16x2 || type == Type::BF16 || type == Type::BF16x2 || type == Type::F32 ||
           type == Type::F64;
  case Op::Min:
  case Op::Max:
    return type == Type::U32 || type == Type::S32 || type == Type::U64 || type == Type::S64;
  case Op::Inc:
  case Op::Dec:
    return type == Type::U32;
  case Op::Cas:
    return type == Type::B16 || type == Type::B32 || type == Type::B64;
  default:
    return type == Type::B32 || type == Type::B64;
  }
}

void takeOrder(Decoder &decoder) {
  Instruction &instruction = decoder.instruction;
  if (instruction.opcode == "red" && (decoder.has("acquire") || decoder.has("acq_rel")))
    fail(instruction.position, "'red' gives nothing that could be acquired: it takes "
                               ".relaxed or .release");
  decoder.takeOrder();
  if (!instruction.isStrong())
    instruction.order = Order::Relaxed;
}

} // namespace

bool sim::decodeAtomic(Decoder &decoder) {
  Instruction &instruction = decoder.instruction;
  if (instruction.opcode != "atom" && instruction.opcode != "red")
    return false;
  const bool isRed = instruction.opcode == "red";
  if (decoder.has("async"))
    decoder.unsupported("modifier '.async'");
  int space = decoder.takeOneOf({"global", "shared", "shared::cta", "shared::cluster"});
  instruction.space = space < 0 ? Space::Generic : space == 0 ? Space::Global : Space::Shared;
  takeOrder(decoder);
  decoder.ignore({"noftz", "L2::evict_first", "L2::evict_last", "L2::evict_normal"});
  std::string form;
  for (const std::string &modifier : instruction.modifiers)
    form += "." + modifier;
  const Op op = decoder.need<Op>(
      "an operation", {"add", "min", "max", "and", "or", "xor", "exch", "cas", "inc", "dec"});
  instruction.decoded = AtomicUpdate{op};
  instruction.type = decoder.needType();
  if (!isAllowed(op, instruction.type))
    decoder.unsupported("the form '" + form + "'");
  size_t operands = (isRed ? 2 : 3) + (op == Op::Cas);
  decoder.expectOperands(operands, operands);
  decoder.expectAddresses({isRed ? size_t(0) : size_t(1)});
  decoder.immediates(instruction.type, isRed ? 1 : 2);
  instruction.execute = execute;
  return true;
}
