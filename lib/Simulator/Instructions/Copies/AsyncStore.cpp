//===- AsyncStore.cpp - st.async -----------------------------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// PTX ISA 9.0: 9.7.9.12 "st.async", to shared memory of a block of the cluster. When the stores
// land, and what may be done until then, is for AsyncCopies.

#include "../../Memory/Access.h"
#include "../../Memory/AsyncCopies.h"
#include "../../Program/Decode.h"
#include "../Lanes.h"

#include <cstring>

using namespace fsm;
using namespace fsm::sim;

namespace {

constexpr unsigned kMostBytes = 16;

/// Where it is in shared memory of the cluster, or nothing once that was reported.
std::optional<uint64_t> placeOf(Warp &warp, WarpAccess &access, unsigned lane, uint64_t address,
                                uint64_t alignment, const char *what) {
  Place place = access.locate(lane, address, alignment);
  if (place.data && place.space == Space::Shared)
    return place.offset;
  if (place.data)
    warp.block.report(warp, Report::Kind::AsyncCopy, lane, address,
                      std::string(what) + " is not in shared memory");
  return std::nullopt;
}

/// The phase that a store completes is that of an mbarrier beside its bytes.
bool checkSameBlock(Warp &warp, unsigned lane, uint64_t address, uint64_t place, uint64_t tracker) {
  const uint64_t stride = warp.block.sharedBase(1);
  if (place / stride == tracker / stride)
    return true;
  warp.block.report(warp, Report::Kind::BarrierMisuse, lane, address,
                    "stores to shared memory of the block of rank " +
                        std::to_string(place / stride) +
                        ", tracked by an mbarrier of the block of rank " +
                        std::to_string(tracker / stride) + "; both must be of one block");
  return false;
}

/// st.async [to], value, [mbarrier]
void executeAsyncStore(Warp &warp, const Instruction &instruction, uint32_t lanes) {
  const std::vector<Operand> &operands = instruction.operands;
  const Operand &source = operands[1];
  const bool isVector = source.kind == Operand::Kind::Vector;
  const unsigned size = bytesOf(instruction.type),
                 count = instruction.as<AsyncStore>().vectorSize, bytes = size * count;
  uint64_t to[kLanes], barriers[kLanes];
  warp.addresses(operands[0], lanes, to);
  warp.addresses(operands[2], lanes, barriers);
  Values values[4];
  for (unsigned index = 0; index < count; ++index) {
    const Operand &element = isVector ? source.elements[index] : source;
    warp.requireDefined(element, lanes, "stored");
    values[index] = warp.read(element, 0);
  }
  WarpAccess target(warp, instruction, bytes, Purpose::Write);
  WarpAccess tracker(warp, instruction, Mbarriers::kBytes, Purpose::Atomic);
  AsyncCopies &async = warp.block.async();
  forLanes(lanes, [&](unsigned lane) {
    const auto place = placeOf(warp, target, lane, to[lane], bytes, "what st.async writes");
    const auto barrier = placeOf(warp, tracker, lane, barriers[lane], Mbarriers::kBytes,
                                 "the address of an mbarrier");
    if (!place || !barrier || !checkSameBlock(warp, lane, to[lane], *place, *barrier) ||
        !async.mbarriers.use(warp, lane, *barrier))
      return;
    Copy copy;
    copy.kind = Copy::Kind::AsyncStore;
    copy.bytes = bytes;
    copy.shared = *place;
    copy.mbarrier = *barrier;
    copy.source.resize(bytes);
    for (unsigned index = 0; index < count; ++index) {
      const uint64_t value = values[index][lane];
      std::memcpy(copy.source.data() + size_t(index) * size, &value, size);
    }
    async.issue(warp, lane, std::move(copy));
  });
}

} // namespace

bool sim::decodeAsyncStore(Decoder &decoder) {
  Instruction &instruction = decoder.instruction;
  if (instruction.opcode != "st" || !decoder.take("async"))
    return false;
  decoder.take("weak");
  const bool isOfCluster = decoder.take("shared::cluster");
  instruction.space = isOfCluster ? Space::Shared : Space::Generic;
  if (!decoder.take("mbarrier::complete_tx::bytes"))
    decoder.unsupported("a form other than 'st.async.shared::cluster.mbarrier::complete_tx::bytes'");
  const int vector = decoder.takeOneOf({"v2", "v4"});
  AsyncStore decoded;
  decoded.vectorSize = static_cast<uint8_t>(vector < 0 ? 1 : 2 << vector);
  static constexpr Type types[] = {Type::B32, Type::B64, Type::U32, Type::U64,
                                   Type::S32, Type::S64, Type::F32, Type::F64};
  instruction.type = types[decoder.needOneOf(
      "a type of 4 or 8 bytes", {"b32", "b64", "u32", "u64", "s32", "s64", "f32", "f64"})];
  if (decoded.vectorSize * bytesOf(instruction.type) > kMostBytes)
    decoder.unsupported("more than 16 bytes");
  decoder.expectOperands(3, 3);
  decoder.expectAddresses({0, 2});
  decoder.expectRegisters(instruction.operands[1], decoded.vectorSize);
  decoder.immediates(instruction.type, 1, 2);
  instruction.decoded = decoded;
  instruction.execute = executeAsyncStore;
  return true;
}
