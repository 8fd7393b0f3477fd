//===- Barrier.cpp - Barriers and fences -------------------------------===//
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

/// The value all lanes agree on.
uint32_t uniform(Warp &warp, const Operand &operand, uint32_t lanes) {
  warp.requireDefined(operand, lanes, "a barrier's number or count");
  return static_cast<uint32_t>(warp.read(operand, 0)[static_cast<unsigned>(__builtin_ctz(lanes))]);
}

void executeBarrier(Warp &warp, const Instruction &instruction, uint32_t lanes) {
  // barrier.sync without .aligned lets lanes come one by one; waiting for the
  // rest of the warp changes nothing that the program can see.
  if (!warp.gatherAll())
    return;
  const std::vector<Operand> &operands = instruction.operands;
  uint32_t barrier = uniform(warp, operands[0], lanes);
  uint32_t threads = operands.size() > 1 ? uniform(warp, operands[1], lanes) : 0;
  warp.block.arriveAtBarrier(warp, barrier, threads, instruction.as<BlockBarrier>().waits);
}

/// bar.red.op d, barrier[, threads], [!]p
void executeReduction(Warp &warp, const Instruction &instruction, uint32_t lanes) {
  if (!warp.gatherAll())
    return;
  const std::vector<Operand> &operands = instruction.operands;
  warp.requireDefined(operands.back(), lanes, "brought to a barrier");
  uint32_t barrier = uniform(warp, operands[1], lanes);
  uint32_t threads = operands.size() > 3 ? uniform(warp, operands[2], lanes) : 0;
  Values values = warp.read(operands.back(), 1);
  uint32_t trues = 0;
  forLanes(lanes, [&](unsigned lane) { trues |= uint32_t(values[lane] != 0) << lane; });
  warp.block.bringToBarrier(warp, barrier, operands[0], lanes, trues,
                            instruction.as<BarrierReduction>().op);
  warp.block.arriveAtBarrier(warp, barrier, threads, true);
}

void executeWarpBarrier(Warp &warp, const Instruction &instruction, uint32_t lanes) {
  uint32_t mask = uniform(warp, instruction.operands[0], lanes);
  if (warp.gather(mask, lanes))
    warp.block.races.syncLanes(warp.index, mask & warp.currentLanes());
}

void executeNothing(Warp &, const Instruction &, uint32_t) {}

void executeFence(Warp &warp, const Instruction &instruction, uint32_t lanes) {
  if (GlobalRaces *races = warp.block.launch.globalRaces)
    forLanes(lanes, [&](unsigned lane) {
      races->orders.fence(warp.block, warp.index, lane, instruction);
    });
}

void executeProxyFence(Warp &warp, const Instruction &instruction, uint32_t lanes) {
  warp.block.races.fenceProxies(warp.index, lanes, instruction.as<ProxyFence>().memories);
}

/// PTX ISA 9.0, 9.7.13.4 "membar, fence".
void decodeFence(Decoder &decoder) {
  Instruction &instruction = decoder.instruction;
  instruction.execute = executeNothing;
  decoder.expectOperands(0, 0);
  if (decoder.take("proxy")) {
    if (decoder.needOneOf("a proxy", {"async", "alias"}) == 1)
      return;
    constexpr unsigned shared = 1 << SharedRaces::OfShared | 1 << SharedRaces::OfMbarriers;
    constexpr unsigned global = 1 << SharedRaces::OfGlobal;
    int memory = decoder.takeOneOf({"global", "shared::cta", "shared::cluster"});
    instruction.decoded = ProxyFence{static_cast<uint8_t>(memory < 0    ? shared | global
                                                          : memory == 0 ? global
                                                                        : shared)};
    instruction.execute = executeProxyFence;
    return;
  }
  if (decoder.take("mbarrier_init")) {
    decoder.ignore({"release", "cluster"});
    instruction.decoded = ProxyFence{1 << SharedRaces::OfMbarriers | 1 << SharedRaces::OfMakers};
    instruction.execute = executeProxyFence;
    return;
  }
  decoder.take("sc");
  decoder.takeOrder();
  if (!instruction.isStrong())
    instruction.order = Order::AcqRel;
  instruction.execute = executeFence;
}

void executeClusterBarrier(Warp &warp, const Instruction &instruction, uint32_t) {
  if (!warp.gatherAll())
    return;
  const ClusterBarrier &decoded = instruction.as<ClusterBarrier>();
  if (decoded.waits)
    warp.block.waitForCluster(warp);
  else
    warp.block.arriveAtCluster(warp, decoded.isRelaxed);
}

/// barrier.cluster.arrive and .wait
void decodeClusterBarrier(Decoder &decoder) {
  Instruction &instruction = decoder.instruction;
  ClusterBarrier decoded;
  decoded.waits = decoder.needOneOf("what to do", {"arrive", "wait"}) == 1;
  decoded.isRelaxed = !decoded.waits && decoder.take("relaxed");
  decoder.ignore({"aligned", "release", "acquire"});
  decoder.expectOperands(0, 0);
  instruction.decoded = decoded;
  instruction.execute = executeClusterBarrier;
}

} // namespace

bool sim::decodeBarrier(Decoder &decoder) {
  Instruction &instruction = decoder.instruction;
  const std::string &opcode = instruction.opcode;
  if (opcode == "membar" || opcode == "fence") {
    decodeFence(decoder);
    return true;
  }
  if (opcode != "bar" && opcode != "barrier")
    return false;
  if (decoder.take("cluster")) {
    decodeClusterBarrier(decoder);
    return true;
  }
  decoder.ignore({"cta", "aligned"});
  if (decoder.take("red")) {
    instruction.decoded =
        BarrierReduction{decoder.need<BarrierReduction::Op>("an operation", {"popc", "and", "or"})};
    decoder.ignore({"u32", "pred"});
    decoder.expectOperands(3, 4);
    decoder.immediates(Type::B32, 1);
    instruction.execute = executeReduction;
    return true;
  }
  if (decoder.take("warp")) {
    decoder.needOneOf("what to do", {"sync"});
    instruction.decoded = WarpBarrier();
    decoder.expectOperands(1, 1);
    decoder.immediates(Type::B32, 0);
    instruction.execute = executeWarpBarrier;
    return true;
  }
  const bool waits = decoder.needOneOf("what to do", {"sync", "arrive"}) == 0;
  instruction.decoded = BlockBarrier{waits};
  decoder.expectOperands(waits ? 1 : 2, 2);
  decoder.immediates(Type::B32, 0);
  instruction.execute = executeBarrier;
  return true;
}
