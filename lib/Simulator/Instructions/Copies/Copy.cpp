//===- Copy.cpp - cp.async and its kin -----------------------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// PTX ISA 9.0: 9.7.9.25.3 "Non-bulk copy", 9.7.9.25.4 "Bulk copy" and 9.7.9.25.1
// "Completion Mechanisms". Which copies there are and when they land is for AsyncCopies.

#include "../../Memory/Access.h"
#include "../../Memory/AsyncCopies.h"
#include "../../Program/Decode.h"
#include "../Lanes.h"

#include <algorithm>

using namespace fsm;
using namespace fsm::sim;

namespace {

using Last = AsyncCopy::Last;

/// The bytes that each lane takes from its source; the others become zero.
void takenBytes(Warp &warp, const Instruction &instruction, uint32_t lanes,
                uint32_t (&taken)[kLanes]) {
  const std::vector<Operand> &operands = instruction.operands;
  const uint32_t all = static_cast<uint32_t>(operands[2].bits);
  const Last last = instruction.as<AsyncCopy>().last;
  std::fill_n(taken, kLanes, all);
  if (last == Last::None)
    return;
  warp.requireDefined(operands[3], lanes, "the number of bytes of a copy");
  Values values = warp.read(operands[3], 0);
  forLanes(lanes, [&](unsigned lane) {
    taken[lane] =
        last == Last::SourceBytes ? static_cast<uint32_t>(values[lane]) : (values[lane] ? 0 : all);
    if (taken[lane] > all)
      warp.block.report(warp, Report::Kind::AsyncCopy, lane, 0,
                        "takes " + std::to_string(taken[lane]) +
                            " bytes of a source for a copy of " + std::to_string(all));
    taken[lane] = std::min(taken[lane], all);
  });
}

/// cp.async [to], [from], bytes{, taken}. A source of which nothing is taken is not
/// looked at.
void executeCopy(Warp &warp, const Instruction &instruction, uint32_t lanes) {
  const std::vector<Operand> &operands = instruction.operands;
  const uint32_t bytes = static_cast<uint32_t>(operands[2].bits);
  uint64_t to[kLanes], from[kLanes];
  uint32_t taken[kLanes];
  warp.addresses(operands[0], lanes, to);
  warp.addresses(operands[1], lanes, from);
  takenBytes(warp, instruction, lanes, taken);
  WarpAccess source(warp, instruction, bytes, Purpose::Read, Space::Global);
  WarpAccess target(warp, instruction, bytes, Purpose::Write, Space::Shared);
  forLanes(lanes, [&](unsigned lane) {
    Place place = target.locate(lane, to[lane], bytes);
    Copy copy;
    copy.bytes = bytes;
    copy.given = taken[lane];
    copy.shared = place.offset;
    copy.global = from[lane];
    if (!place.data)
      return;
    target.countShared(lane, place);
    if (taken[lane]) {
      WarpAccess part(warp, instruction, taken[lane], Purpose::Read, Space::Global);
      Place global = part.locate(lane, from[lane], bytes);
      copy.data = global.data;
      if (!global.data)
        return;
      part.checkInitialized(lane, from[lane], global);
      source.countGlobal(from[lane]);
    }
    warp.block.async().issue(warp, lane, std::move(copy));
  });
}

/// The sizes of a bulk copy that it may have; false where it was reported.
bool checkBulkSize(Warp &warp, unsigned lane, uint32_t bytes) {
  if (bytes && bytes % 16 == 0)
    return true;
  warp.block.report(warp, Report::Kind::Misaligned, lane, 0,
                    "copies " + std::to_string(bytes) +
                        " bytes; a bulk copy is of 16 bytes at least and of a multiple of them");
  return false;
}

/// cp.async.bulk [to], [from], bytes{, [mbarrier]}; the copy of one lane.
void executeBulkCopy(Warp &warp, const Instruction &instruction, uint32_t lanes) {
  const std::vector<Operand> &operands = instruction.operands;
  const bool isLoad = !instruction.as<BulkCopy>().isStore;
  uint64_t shared[kLanes], global[kLanes], barrier[kLanes] = {};
  warp.addresses(operands[isLoad ? 0 : 1], lanes, shared);
  warp.addresses(operands[isLoad ? 1 : 0], lanes, global);
  if (isLoad)
    warp.addresses(operands[3], lanes, barrier);
  warp.requireDefined(operands[2], lanes, "the number of bytes of a copy");
  Values sizes = warp.read(operands[2], 0);
  forLanes(lanes, [&](unsigned lane) {
    const uint32_t bytes = static_cast<uint32_t>(sizes[lane]);
    WarpAccess inGlobal(warp, instruction, bytes, isLoad ? Purpose::Read : Purpose::Write,
                        Space::Global);
    WarpAccess inShared(warp, instruction, bytes, isLoad ? Purpose::Write : Purpose::Read,
                        Space::Shared);
    if (!checkBulkSize(warp, lane, bytes))
      return;
    Place here = inShared.locate(lane, shared[lane], 16);
    Place there = inGlobal.locate(lane, global[lane], 16);
    AsyncCopies &async = warp.block.async();
    if (!here.data || !there.data)
      return;
    if (isLoad) {
      WarpAccess tracker(warp, instruction, Mbarriers::kBytes, Purpose::Atomic, Space::Shared);
      Place place = tracker.locate(lane, barrier[lane], Mbarriers::kBytes);
      barrier[lane] = place.offset;
      if (!place.data || !async.mbarriers.use(warp, lane, place.offset))
        return;
    }
    Copy copy;
    copy.kind = isLoad ? Copy::Kind::BulkLoad : Copy::Kind::BulkStore;
    copy.bytes = copy.given = bytes;
    copy.shared = here.offset;
    copy.global = global[lane];
    copy.data = there.data;
    copy.allocation = there.allocation;
    copy.offset = there.offset;
    copy.mbarrier = barrier[lane];
    if (isLoad)
      inGlobal.checkInitialized(lane, global[lane], there);
    inGlobal.countGlobal(global[lane]);
    async.issue(warp, lane, std::move(copy));
  });
}

void executeCommit(Warp &warp, const Instruction &instruction, uint32_t lanes) {
  const bool isBulk = instruction.as<CopyGroup>().isBulk;
  forLanes(lanes, [&](unsigned lane) { warp.block.async().commit(warp, lane, isBulk); });
}

void executeWait(Warp &warp, const Instruction &instruction, uint32_t lanes) {
  const std::vector<Operand> &operands = instruction.operands;
  const bool isAll = operands.empty();
  const CopyGroup &group = instruction.as<CopyGroup>();
  AsyncCopies &async = warp.block.async();
  forLanes(lanes, [&](unsigned lane) {
    if (isAll)
      async.commit(warp, lane, false);
    uint64_t left = isAll ? 0 : operands[0].bits;
    if (group.isBulk)
      async.waitBulk(warp, lane, left, group.isRead);
    else
      async.wait(warp, lane, left);
  });
}

/// cp.async.mbarrier.arrive. Without .noinc the arrival that comes later is added to
/// what the phase waits for.
void executeArrive(Warp &warp, const Instruction &instruction, uint32_t lanes) {
  uint64_t addresses[kLanes];
  warp.addresses(instruction.operands[0], lanes, addresses);
  WarpAccess access(warp, instruction, Mbarriers::kBytes, Purpose::Atomic);
  AsyncCopies &async = warp.block.async();
  forLanes(lanes, [&](unsigned lane) {
    Place place = access.locate(lane, addresses[lane], Mbarriers::kBytes);
    if (!place.data)
      return;
    Mbarrier *mbarrier = async.mbarriers.use(warp, lane, place.offset);
    if (!mbarrier)
      return;
    if (!instruction.as<CopyArrival>().isCounted)
      async.mbarriers.addPending(warp, lane, *mbarrier);
    async.arriveWhenDone(warp, lane, place.offset);
  });
}

void executePrefetch(Warp &, const Instruction &, uint32_t) {}

//===----------------------------------------------------------------------===//
// Decoding
//===----------------------------------------------------------------------===//

void decodeWait(Decoder &decoder, bool isBulk) {
  Instruction &instruction = decoder.instruction;
  instruction.decoded = CopyGroup{isBulk, isBulk && decoder.take("read")};
  decoder.expectOperands(1, 1);
  if (instruction.operands[0].kind != Operand::Kind::Integer)
    fail(instruction.position, "expected the number of groups that may be in flight");
  instruction.execute = executeWait;
}

/// Whether operand 3 is the bytes to take or the predicate that none are is for its
/// type to say; cp.async.
void decodeCopy(Decoder &decoder) {
  Instruction &instruction = decoder.instruction;
  int cache = decoder.takeOneOf({"ca", "cg"});
  if (cache < 0 || decoder.takeOneOf({"shared", "shared::cta"}) < 0 || !decoder.take("global"))
    decoder.unsupported("a form other than 'cp.async.ca.shared.global' and "
                        "'cp.async.cg.shared.global'");
  decoder.takeOneOf({"L2::64B", "L2::128B", "L2::256B"});
  std::vector<Operand> &operands = instruction.operands;
  size_t hint = decoder.has("L2::cache_hint"), count = operands.size();
  decoder.expectOperandsAndPolicy(count > 3 + hint ? 4 : 3);
  decoder.expectAddresses({0, 1});
  uint64_t bytes = operands[2].kind == Operand::Kind::Integer ? operands[2].bits : 0;
  if (bytes != 16 && (cache == 1 || (bytes != 4 && bytes != 8)))
    fail(operands[2].position,
         cache == 1 ? "expected a copy of 16 bytes" : "expected a copy of 4, 8 or 16 bytes");
  instruction.execute = executeCopy;
  instruction.decoded = AsyncCopy();
  if (operands.size() < 4)
    return;
  decoder.expectValues({3});
  bool isPredicate = operands[3].kind == Operand::Kind::Register &&
                     decoder.function.registerBits[operands[3].index] == 1;
  instruction.decoded = AsyncCopy{isPredicate ? Last::IgnoreSource : Last::SourceBytes};
  if (!isPredicate)
    decoder.immediates(Type::B32, 3);
}

void decodeBulk(Decoder &decoder) {
  Instruction &instruction = decoder.instruction;
  if (decoder.take("commit_group")) {
    instruction.decoded = CopyGroup{true, false};
    decoder.expectOperands(0, 0);
    instruction.execute = executeCommit;
    return;
  }
  if (decoder.take("wait_group"))
    return decodeWait(decoder, true);
  if (decoder.take("prefetch")) {
    if (!decoder.take("L2") || !decoder.take("global"))
      decoder.unsupported("a form other than 'cp.async.bulk.prefetch.L2.global'");
    decoder.expectOperandsAndPolicy(2);
    decoder.expectAddresses({0});
    decoder.expectValues({1});
    instruction.execute = executePrefetch;
    return;
  }
  const bool isLoad = decoder.take("mbarrier::complete_tx::bytes");
  const bool isStore = !isLoad && decoder.take("bulk_group");
  // The target is named before the source.
  const std::vector<std::string> &modifiers = instruction.modifiers;
  bool toGlobal = modifiers.size() > 2 && modifiers[2] == "global";
  if ((!isLoad && !isStore) || isStore != toGlobal || !decoder.take("global") ||
      decoder.takeOneOf({"shared::cta", "shared::cluster"}) < 0)
    decoder.unsupported("this direction or completion");
  decoder.expectOperandsAndPolicy(isLoad ? 4 : 3);
  decoder.expectAddresses({0, 1});
  decoder.expectValues({2});
  if (isLoad)
    decoder.expectAddresses({3});
  decoder.immediates(Type::B32, 2, 3);
  instruction.decoded = BulkCopy{isStore};
  instruction.execute = executeBulkCopy;
}

} // namespace

bool sim::decodeAsyncCopy(Decoder &decoder) {
  Instruction &instruction = decoder.instruction;
  if (instruction.opcode != "cp")
    return false;
  if (!decoder.take("async"))
    decoder.unsupported("a form other than 'cp.async'");
  if (decoder.take("bulk")) {
    decodeBulk(decoder);
  } else if (decoder.take("commit_group")) {
    instruction.decoded = CopyGroup();
    decoder.expectOperands(0, 0);
    instruction.execute = executeCommit;
  } else if (decoder.take("wait_all")) {
    instruction.decoded = CopyGroup();
    decoder.expectOperands(0, 0);
    instruction.execute = executeWait;
  } else if (decoder.take("wait_group")) {
    decodeWait(decoder, false);
  } else if (decoder.take("mbarrier")) {
    decoder.needOneOf("what to do", {"arrive"});
    instruction.decoded = CopyArrival{decoder.take("noinc")};
    bool isShared = decoder.takeOneOf({"shared", "shared::cta"}) >= 0;
    instruction.space = isShared ? Space::Shared : Space::Generic;
    decoder.needOneOf("a type", {"b64"});
    decoder.expectOperands(1, 1);
    decoder.expectAddresses({0});
    instruction.execute = executeArrive;
  } else {
    decodeCopy(decoder);
  }
  return true;
}
