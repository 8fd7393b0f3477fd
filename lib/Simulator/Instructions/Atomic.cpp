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

/// The registers of one element of a vector, or of what is none.
const Operand &elementAt(const Operand &operand, unsigned index) {
  return operand.kind == Operand::Kind::Vector ? operand.elements[index] : operand;
}

/// What was at a place becomes the result, for each of the elements, which are updated one by one:
/// a vector is not updated in one step (PTX ISA, "atom").
void execute(Warp &warp, const Instruction &instruction, uint32_t lanes) {
  // red has no result: its address is the first operand.
  const size_t first = instruction.opcode == "red" ? 0 : 1;
  const std::vector<Operand> &operands = instruction.operands;
  const AtomicUpdate &decoded = instruction.as<AtomicUpdate>();
  const unsigned size = bytesOf(instruction.type), count = decoded.vectorSize;
  uint64_t addresses[kLanes];
  warp.addresses(operands[first], lanes, addresses);
  Values b[8], c[8];
  for (unsigned index = 0; index < count; ++index) {
    for (size_t operand = first + 1; operand < operands.size(); ++operand)
      warp.requireDefined(elementAt(operands[operand], index), lanes,
                          "an atomic operation's operand");
    b[index] = warp.read(elementAt(operands[first + 1], index), 0);
    c[index] = operands.size() > first + 2 ? warp.read(operands[first + 2], 1) : b[index];
  }
  uint64_t result[8][kLanes] = {};
  WarpAccess access(warp, instruction, size * count, Purpose::Atomic);
  forLanes(lanes, [&](unsigned lane) {
    Place place = access.lane(lane, addresses[lane]);
    if (!place.data)
      return;
    for (unsigned index = 0; index < count; ++index)
      result[index][lane] = updateAny(place.data + index * size, decoded.op, instruction.type,
                                      b[index][lane], c[index][lane]);
    const uint64_t differing = (result[0][lane] ^ b[0][lane]) << (64 - bitsOf(instruction.type));
    access.order(lane, addresses[lane], place, decoded.op != Op::Cas || !differing);
  });
  for (unsigned index = 0; first && index < count; ++index) {
    const Operand &target = elementAt(operands[0], index);
    if (target.kind != Operand::Kind::Register)
      continue;
    uint64_t *d = warp.row(target);
    forLanes(lanes, [&](unsigned lane) { d[lane] = result[index][lane]; });
    warp.define(target, lanes);
  }
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

/// Whether PTX updates so many neighbours of a type by one instruction: in global memory, floats of
/// 16 bytes at most.
bool isVectorAllowed(Op op, Type type, unsigned count, Space space) {
  const bool isHalf = elementOf(type) == Type::F16 || elementOf(type) == Type::BF16;
  const bool isFit = bytesOf(type) * count <= 16;
  return space == Space::Global && isFit &&
         (isHalf ? op == Op::Add || op == Op::Min || op == Op::Max
                 : op == Op::Add && type == Type::F32);
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
  const int vector = decoder.takeOneOf({"v2", "v4", "v8"});
  const auto count = static_cast<uint8_t>(vector < 0 ? 1 : 2 << vector);
  instruction.decoded = AtomicUpdate{op, count};
  instruction.type = decoder.needType();
  if (count > 1 ? !isVectorAllowed(op, instruction.type, count, instruction.space)
                : !isAllowed(op, instruction.type))
    decoder.unsupported("the form '" + form + "'");
  decoder.expectOperandsAndPolicy((isRed ? 2 : 3) + (op == Op::Cas));
  if (!isRed && instruction.operands[0].kind != Operand::Kind::Sink)
    decoder.expectRegisters(instruction.operands[0], count);
  decoder.expectRegisters(instruction.operands[isRed ? 1 : 2], count);
  decoder.expectAddresses({isRed ? size_t(0) : size_t(1)});
  decoder.immediates(instruction.type, isRed ? 1 : 2);
  instruction.execute = execute;
  return true;
}
