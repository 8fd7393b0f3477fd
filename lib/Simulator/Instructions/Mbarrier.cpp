//===- Mbarrier.cpp - mbarrier -------------------------------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// PTX ISA 9.0, 9.7.13.15.9 to 9.7.13.15.17. What the objects do is for Mbarriers.

#include "../Memory/Access.h"
#include "../Memory/AsyncCopies.h"
#include "../Program/Decode.h"
#include "Lanes.h"

using namespace fsm;
using namespace fsm::sim;

namespace {

using Op = MbarrierOp::Op;
using Extra = MbarrierOp::Extra;

/// Where the lane's mbarrier lies in shared memory, or nothing once that was reported.
std::optional<uint64_t> placeOf(Warp &warp, WarpAccess &access, unsigned lane, uint64_t address) {
  Place place = access.locate(lane, address, Mbarriers::kBytes);
  if (place.data && place.space == Space::Shared)
    return place.offset;
  if (place.data)
    warp.block.report(warp, Report::Kind::BarrierMisuse, lane, address,
                      "the address of an mbarrier is not in shared memory");
  return std::nullopt;
}

/// Calls `f` with each lane and the mbarrier it names; those with none are skipped.
template <typename F>
void forMbarriers(Warp &warp, const Instruction &instruction, size_t operand, uint32_t lanes, F f) {
  uint64_t addresses[kLanes];
  warp.addresses(instruction.operands[operand], lanes, addresses);
  WarpAccess access(warp, instruction, Mbarriers::kBytes, Purpose::Atomic);
  forLanes(lanes, [&](unsigned lane) {
    if (std::optional<uint64_t> place = placeOf(warp, access, lane, addresses[lane]))
      if (Mbarrier *mbarrier = warp.block.async().mbarriers.use(warp, lane, *place))
        f(lane, *mbarrier, *place);
  });
}

void executeInit(Warp &warp, const Instruction &instruction, uint32_t lanes) {
  uint64_t addresses[kLanes];
  warp.addresses(instruction.operands[0], lanes, addresses);
  warp.requireDefined(instruction.operands[1], lanes, "an mbarrier's count");
  Values counts = warp.read(instruction.operands[1], 0);
  WarpAccess access(warp, instruction, Mbarriers::kBytes, Purpose::Write);
  forLanes(lanes, [&](unsigned lane) {
    std::optional<uint64_t> place = placeOf(warp, access, lane, addresses[lane]);
    Mbarriers &mbarriers = warp.block.async().mbarriers;
    if (!place)
      return;
    if (!mbarriers.overlapping(*place, Mbarriers::kBytes))
      access.lane(lane, addresses[lane]); // As a store does: races with what was there.
    mbarriers.initialize(warp, lane, *place, static_cast<uint32_t>(counts[lane]));
  });
}

void executeInvalidate(Warp &warp, const Instruction &instruction, uint32_t lanes) {
  forMbarriers(warp, instruction, 0, lanes, [&](unsigned lane, Mbarrier &, uint64_t place) {
    warp.block.async().mbarriers.invalidate(warp, lane, place);
  });
}

/// state, [mbarrier]{, count or bytes}
void executeArrive(Warp &warp, const Instruction &instruction, uint32_t lanes) {
  const std::vector<Operand> &operands = instruction.operands;
  const MbarrierOp &decoded = instruction.as<MbarrierOp>();
  const bool hasOperand = operands.size() > 2;
  if (hasOperand)
    warp.requireDefined(operands[2], lanes, "what an mbarrier counts");
  Values given = hasOperand ? warp.read(operands[2], 0) : Values{nullptr, 0};
  uint64_t states[kLanes] = {};
  forMbarriers(warp, instruction, 1, lanes, [&](unsigned lane, Mbarrier &mbarrier, uint64_t) {
    Mbarriers &mbarriers = warp.block.async().mbarriers;
    const bool expects = decoded.extra == Extra::ExpectsBytes;
    if (expects)
      mbarriers.expect(warp, lane, mbarrier, static_cast<uint32_t>(given[lane]));
    uint32_t count = hasOperand && !expects ? static_cast<uint32_t>(given[lane]) : 1;
    states[lane] = mbarriers.arrive(warp, lane, mbarrier, count, decoded.isRelaxed, decoded.drops,
                                    decoded.extra != Extra::DoesNotComplete);
  });
  if (operands[0].kind != Operand::Kind::Register)
    return;
  uint64_t *d = warp.row(operands[0]);
  forLanes(lanes, [&](unsigned lane) { d[lane] = states[lane]; });
  warp.define(operands[0], lanes);
}

void executeTransaction(Warp &warp, const Instruction &instruction, uint32_t lanes) {
  warp.requireDefined(instruction.operands[1], lanes, "what an mbarrier counts");
  Values bytes = warp.read(instruction.operands[1], 0);
  const int64_t sign = instruction.as<MbarrierOp>().op == Op::ExpectTx ? 1 : -1;
  forMbarriers(warp, instruction, 0, lanes, [&](unsigned lane, Mbarrier &mbarrier, uint64_t) {
    warp.block.async().mbarriers.expect(warp, lane, mbarrier,
                                        sign * static_cast<uint32_t>(bytes[lane]));
  });
}

/// p, [mbarrier], state or parity. A wait that cannot be right answers true, so that
/// the program goes on behind the report.
void executeWait(Warp &warp, const Instruction &instruction, uint32_t lanes) {
  const std::vector<Operand> &operands = instruction.operands;
  const MbarrierOp &decoded = instruction.as<MbarrierOp>();
  warp.requireDefined(operands[2], lanes, "the phase that is waited for");
  Values phases = warp.read(operands[2], 0);
  uint32_t done = lanes;
  uint64_t first = 0;
  forMbarriers(warp, instruction, 1, lanes, [&](unsigned lane, Mbarrier &mbarrier, uint64_t place) {
    if (warp.block.async().mbarriers.test(warp, lane, mbarrier, phases[lane], decoded.isParity,
                                          decoded.isRelaxed))
      return;
    done &= ~(uint32_t(1) << lane);
    first = place;
  });
  if (!done && warp.pollAgain(first))
    return;
  uint64_t *p = warp.row(operands[0]);
  forLanes(lanes, [&](unsigned lane) { p[lane] = done >> lane & 1; });
  warp.define(operands[0], lanes);
}

void executePendingCount(Warp &warp, const Instruction &instruction, uint32_t lanes) {
  map1(warp, instruction, lanes, [](uint64_t state) { return state & 0xffffffff; });
}

//===----------------------------------------------------------------------===//
// Decoding
//===----------------------------------------------------------------------===//

void takeSpace(Decoder &decoder) {
  bool isShared = decoder.takeOneOf({"shared", "shared::cta", "shared::cluster"}) >= 0;
  decoder.instruction.space = isShared ? Space::Shared : Space::Generic;
}

/// .relaxed orders nothing; which else of the orders and scopes it is changes nothing
/// within one block.
MbarrierOp takeOrder(Decoder &decoder) {
  MbarrierOp decoded;
  decoded.isRelaxed = decoder.take("relaxed");
  decoder.ignore({"release", "acquire", "cta", "cluster"});
  return decoded;
}

void decodeArrive(Decoder &decoder, MbarrierOp &decoded) {
  Instruction &instruction = decoder.instruction;
  decoded.op = Op::Arrive;
  decoded.extra = decoder.take("expect_tx")    ? Extra::ExpectsBytes
                  : decoder.take("noComplete") ? Extra::DoesNotComplete
                                               : Extra::Plain;
  decoder.expectOperands(decoded.extra == Extra::Plain ? 2 : 3, 3);
  decoder.expectAddresses({1});
  if (instruction.operands[0].kind != Operand::Kind::Sink)
    decoder.expectValues({0});
  if (instruction.operands.size() > 2)
    decoder.expectValues({2});
  decoder.immediates(Type::B32, 2);
  instruction.execute = executeArrive;
}

void decodeWait(Decoder &decoder, MbarrierOp &decoded, bool mayHaveTime) {
  Instruction &instruction = decoder.instruction;
  decoded.op = Op::Wait;
  decoded.isParity = decoder.take("parity");
  decoder.expectOperands(3, mayHaveTime ? 4 : 3);
  decoder.expectAddresses({1});
  if (instruction.operands[0].kind != Operand::Kind::Register)
    fail(instruction.operands[0].position, "expected a predicate for what a wait finds");
  decoder.expectValues({2, instruction.operands.size() - 1});
  decoder.immediates(decoded.isParity ? Type::B32 : Type::B64, 2);
  instruction.execute = executeWait;
}

void decodeTransaction(Decoder &decoder, MbarrierOp &decoded, Op op) {
  Instruction &instruction = decoder.instruction;
  decoded.op = op;
  decoder.expectOperands(2, 2);
  decoder.expectAddresses({0});
  decoder.expectValues({1});
  decoder.immediates(Type::B32, 1);
  instruction.execute = executeTransaction;
}

} // namespace

bool sim::decodeMbarrier(Decoder &decoder) {
  Instruction &instruction = decoder.instruction;
  if (instruction.opcode != "mbarrier")
    return false;
  MbarrierOp decoded = takeOrder(decoder);
  takeSpace(decoder);
  decoder.needOneOf("a type", {"b64"});
  if (decoder.take("init")) {
    decoder.expectOperands(2, 2);
    decoder.expectAddresses({0});
    decoder.expectValues({1});
    decoder.immediates(Type::B32, 1);
    instruction.execute = executeInit;
  } else if (decoder.take("inval")) {
    decoded.op = Op::Inval;
    decoder.expectOperands(1, 1);
    decoder.expectAddresses({0});
    instruction.execute = executeInvalidate;
  } else if (decoder.take("arrive")) {
    decodeArrive(decoder, decoded);
  } else if (decoder.take("arrive_drop")) {
    decoded.drops = true;
    decodeArrive(decoder, decoded);
  } else if (decoder.take("test_wait")) {
    decodeWait(decoder, decoded, /*mayHaveTime=*/false);
  } else if (decoder.take("try_wait")) {
    decodeWait(decoder, decoded, /*mayHaveTime=*/true);
  } else if (decoder.take("expect_tx")) {
    decodeTransaction(decoder, decoded, Op::ExpectTx);
  } else if (decoder.take("complete_tx")) {
    decodeTransaction(decoder, decoded, Op::CompleteTx);
  } else if (decoder.take("pending_count")) {
    decoder.expectOperands(2, 2);
    decoder.expectValues({0, 1});
    decoded.op = Op::PendingCount;
    instruction.execute = executePendingCount;
  }
  instruction.decoded = decoded;
  return true;
}
