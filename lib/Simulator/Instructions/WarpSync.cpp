//===- WarpSync.cpp - Shuffles, votes and their like ------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Program/Decode.h"
#include "Lanes.h"
#include "Update.h"

#include <algorithm>

using namespace fsm;
using namespace fsm::sim;

namespace {

const Operand &firstOf(const Operand &operand) {
  return operand.kind == Operand::Kind::Pair ? operand.elements[0] : operand;
}

/// Waits for the lanes that the operand names; false while some are missing.
bool gather(Warp &warp, const Operand &mask, uint32_t lanes, uint32_t &members) {
  warp.requireDefined(mask, lanes, "a mask of lanes");
  members = static_cast<uint32_t>(warp.read(mask, 3)[static_cast<unsigned>(__builtin_ctz(lanes))]);
  return warp.gather(members, lanes);
}

void writeLanes(Warp &warp, const Operand &operand, uint32_t lanes,
                const uint64_t (&values)[kLanes], uint32_t undefined) {
  if (operand.kind != Operand::Kind::Register)
    return;
  uint64_t *d = warp.row(operand);
  forLanes(lanes, [&](unsigned lane) { d[lane] = values[lane]; });
  warp.define(operand, lanes, Undefined(undefined));
}

/// shfl.sync.mode.b32 d|p, a, b, c, mask, as the PTX manual's pseudocode has it.
void executeShuffle(Warp &warp, const Instruction &instruction, uint32_t lanes) {
  const std::vector<Operand> &operands = instruction.operands;
  uint32_t members;
  if (!gather(warp, operands[4], lanes, members))
    return;
  Values a = warp.read(operands[1], 0), b = warp.read(operands[2], 1),
         c = warp.read(operands[3], 2);
  const uint32_t noValue = warp.undefinedOf(operands[1]).any();
  const Shuffle::Mode mode = instruction.as<Shuffle>().mode;
  uint64_t result[kLanes], predicate[kLanes];
  uint32_t undefined = (warp.undefinedOf(operands[2]) | warp.undefinedOf(operands[3])).any();
  forLanes(lanes, [&](unsigned lane) {
    unsigned delta = b[lane] & 31, clamp = c[lane] & 31, segment = c[lane] >> 8 & 31;
    unsigned most = (lane & segment) | (clamp & ~segment), least = lane & segment;
    int source = 0;
    bool isIn = false;
    switch (mode) {
    case Shuffle::Mode::Up:
      source = int(lane) - int(delta);
      isIn = source >= int(most);
      break;
    case Shuffle::Mode::Down:
      source = int(lane + delta);
      isIn = source <= int(most);
      break;
    case Shuffle::Mode::Butterfly:
      source = int(lane ^ delta);
      isIn = source <= int(most);
      break;
    default:
      source = int(least | (delta & ~segment));
      isIn = source <= int(most);
    }
    unsigned from = isIn ? unsigned(source) : lane;
    result[lane] = a[from];
    predicate[lane] = isIn;
    // A lane that does not take part has nothing to give.
    bool isMissing = !(lanes >> from & 1) || (noValue >> from & 1);
    undefined |= uint32_t(isMissing) << lane;
  });
  bool isPair = operands[0].kind == Operand::Kind::Pair;
  writeLanes(warp, firstOf(operands[0]), lanes, result, undefined);
  if (isPair)
    writeLanes(warp, operands[0].elements[1], lanes, predicate, 0);
}

void executeVote(Warp &warp, const Instruction &instruction, uint32_t lanes) {
  const std::vector<Operand> &operands = instruction.operands;
  uint32_t members;
  if (!gather(warp, operands[2], lanes, members))
    return;
  Values a = warp.read(operands[1], 0);
  uint32_t ballot = 0, taking = lanes & members;
  forLanes(taking, [&](unsigned lane) { ballot |= uint32_t(a[lane] != 0) << lane; });
  const Vote::Mode mode = instruction.as<Vote>().mode;
  uint64_t value = mode == Vote::Mode::Ballot ? ballot
                   : mode == Vote::Mode::All  ? ballot == taking
                   : mode == Vote::Mode::Any  ? ballot != 0
                                              : ballot == 0 || ballot == taking;
  uint64_t result[kLanes];
  std::fill_n(result, kLanes, value);
  uint32_t none = warp.undefinedOf(operands[1]).any() & taking ? kAllLanes : 0;
  writeLanes(warp, operands[0], lanes, result, none);
}

void executeMatch(Warp &warp, const Instruction &instruction, uint32_t lanes) {
  const std::vector<Operand> &operands = instruction.operands;
  uint32_t members;
  if (!gather(warp, operands[2], lanes, members))
    return;
  Values a = warp.read(operands[1], 0);
  uint32_t taking = lanes & members;
  uint64_t result[kLanes] = {}, agree[kLanes] = {};
  forLanes(taking, [&](unsigned lane) {
    uint32_t same = 0;
    forLanes(taking, [&](unsigned other) { same |= uint32_t(a[other] == a[lane]) << other; });
    bool isAll = instruction.as<Match>().mode == Match::Mode::All;
    agree[lane] = same == taking;
    result[lane] = isAll && same != taking ? 0 : same;
  });
  uint32_t none = warp.undefinedOf(operands[1]).any() & taking ? kAllLanes : 0;
  writeLanes(warp, firstOf(operands[0]), lanes, result, none);
  if (operands[0].kind == Operand::Kind::Pair)
    writeLanes(warp, operands[0].elements[1], lanes, agree, none);
}

void executeRedux(Warp &warp, const Instruction &instruction, uint32_t lanes) {
  const std::vector<Operand> &operands = instruction.operands;
  uint32_t members;
  if (!gather(warp, operands[2], lanes, members))
    return;
  Values a = warp.read(operands[1], 0);
  uint32_t taking = lanes & members, rest = taking & (taking - 1);
  uint64_t value = a[static_cast<unsigned>(__builtin_ctz(taking ? taking : lanes))];
  const AtomicUpdate::Op op = instruction.as<WarpReduction>().op;
  forLanes(rest, [&](unsigned lane) { value = updated(op, instruction.type, value, a[lane]) & 0xffffffff; });
  uint64_t result[kLanes];
  std::fill_n(result, kLanes, value);
  uint32_t none = warp.undefinedOf(operands[1]).any() & taking ? kAllLanes : 0;
  writeLanes(warp, operands[0], lanes, result, none);
}

void executeActiveMask(Warp &warp, const Instruction &instruction, uint32_t lanes) {
  uint64_t result[kLanes];
  std::fill_n(result, kLanes, lanes);
  writeLanes(warp, instruction.operands[0], lanes, result, 0);
}

/// elect.sync d|p, mask: the lowest lane is elected.
void executeElect(Warp &warp, const Instruction &instruction, uint32_t lanes) {
  uint32_t members;
  if (!gather(warp, instruction.operands[1], lanes, members))
    return;
  unsigned leader = static_cast<unsigned>(__builtin_ctz(lanes & members ? lanes & members : lanes));
  uint64_t result[kLanes], predicate[kLanes];
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    result[lane] = leader;
    predicate[lane] = lane == leader;
  }
  const Operand &target = instruction.operands[0];
  writeLanes(warp, firstOf(target), lanes, result, 0);
  if (target.kind == Operand::Kind::Pair)
    writeLanes(warp, target.elements[1], lanes, predicate, 0);
}

} // namespace

bool sim::decodeWarp(Decoder &decoder) {
  Instruction &instruction = decoder.instruction;
  const std::string &opcode = instruction.opcode;
  auto takeSync = [&] {
    if (!decoder.take("sync"))
      decoder.unsupported("the form without '.sync'");
  };
  auto set = [&](Execute execute, size_t operands, Decoded decoded) {
    instruction.decoded = decoded;
    instruction.type = decoder.takeType();
    decoder.expectOperands(operands, operands);
    decoder.immediates(Type::B32);
    instruction.execute = execute;
    return true;
  };
  if (opcode == "shfl") {
    takeSync();
    return set(executeShuffle, 5,
               Shuffle{decoder.need<Shuffle::Mode>("a mode", {"up", "down", "bfly", "idx"})});
  }
  if (opcode == "vote") {
    takeSync();
    return set(executeVote, 3,
               Vote{decoder.need<Vote::Mode>("a mode", {"all", "any", "uni", "ballot"})});
  }
  if (opcode == "match") {
    takeSync();
    return set(executeMatch, 3, Match{decoder.need<Match::Mode>("a mode", {"any", "all"})});
  }
  if (opcode == "redux") {
    takeSync();
    return set(executeRedux, 3,
               WarpReduction{decoder.need<AtomicUpdate::Op>(
                   "an operation", {"add", "min", "max", "and", "or", "xor"})});
  }
  if (opcode == "elect") {
    takeSync();
    return set(executeElect, 2, Decoded());
  }
  if (opcode != "activemask")
    return false;
  decoder.needType();
  decoder.expectOperands(1, 1);
  instruction.execute = executeActiveMask;
  return true;
}
