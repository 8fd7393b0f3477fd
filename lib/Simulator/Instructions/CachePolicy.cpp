//===- CachePolicy.cpp - createpolicy ------------------------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// What stays in the L2 cache changes no number that is read. So a policy is a value that registers
// hold and accesses take, and nothing more.

#include "../Program/Decode.h"
#include "Lanes.h"

using namespace fsm;
using namespace fsm::sim;

namespace {

void executePolicy(Warp &warp, const Instruction &instruction, uint32_t lanes) {
  uint64_t *policies = warp.row(instruction.operands[0]);
  forLanes(lanes, [&](unsigned lane) { policies[lane] = instruction.as<CachePolicy>().bits; });
  warp.define(instruction.operands[0], lanes);
}

/// What the fields of PTX's manual are called, and a number for each that no other has.
uint64_t needPriority(Decoder &decoder) {
  return 1u +
         decoder.needOneOf("what stays in the cache", {"L2::evict_last", "L2::evict_normal",
                                                       "L2::evict_first", "L2::evict_unchanged"});
}

} // namespace

bool sim::decodeCachePolicy(Decoder &decoder) {
  Instruction &instruction = decoder.instruction;
  if (instruction.opcode != "createpolicy")
    return false;
  const int form = decoder.takeOneOf({"fractional", "range", "cvt"});
  if (form < 0)
    decoder.unsupported("a form other than .fractional, .range and .cvt");
  CachePolicy decoded;
  if (form == 2) {
    if (!decoder.take("L2"))
      decoder.unsupported("a form other than 'createpolicy.cvt.L2'");
    decoder.expectOperands(2, 2);
    decoder.expectValues({1});
  } else {
    const bool isRange = form == 1;
    if (isRange)
      decoder.take("global");
    decoded.bits = needPriority(decoder);
    decoder.ignore({"L2::evict_first", "L2::evict_unchanged"});
    decoder.expectOperands(isRange ? 4 : 1, isRange ? 4 : 2);
    if (isRange) {
      decoder.expectAddresses({1});
      decoder.expectValues({2, 3});
    }
  }
  decoder.immediates(form == 0 ? Type::F32 : form == 1 ? Type::U32 : Type::B64, form == 1 ? 2 : 1);
  instruction.type = decoder.needType();
  if (instruction.type != Type::B64)
    decoder.unsupported("a type other than .b64");
  instruction.decoded = decoded;
  instruction.execute = executePolicy;
  return true;
}
