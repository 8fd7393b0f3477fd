//===- TensorCopy.cpp - cp.async.bulk.tensor and its kin ------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// PTX ISA 9.0: 9.7.9.27 "Tensor copy", in tile mode. A copy is one thread's. What boxes are is for
// TensorBox, when copies land for AsyncCopies.

#include "../../Memory/Access.h"
#include "../../Memory/AsyncCopies.h"
#include "../../Memory/TensorBox.h"
#include "../../Program/Decode.h"
#include "../Lanes.h"

#include <algorithm>

using namespace fsm;
using namespace fsm::sim;

namespace {

/// Boxes in shared memory begin at multiples of this.
constexpr uint64_t kBoxAlignment = 128;

/// The operand `[map, {indices}]`.
struct TensorOperand {
  uint64_t maps[kLanes];
  int32_t indices[kLanes][TensorMap::kMostRank];

  TensorOperand(Warp &warp, const Operand &operand, uint32_t lanes) {
    warp.addresses(operand, lanes, maps);
    const std::vector<Operand> &given = operand.elements[1].elements;
    for (size_t i = 0; i < given.size(); ++i) {
      warp.requireDefined(given[i], lanes, "an index of a tensor");
      Values values = warp.read(given[i], 0);
      forLanes(lanes, [&](unsigned lane) { indices[lane][i] = static_cast<int32_t>(values[lane]); });
    }
  }
};

/// The map at an address, if one is there.
std::optional<TensorMap> mapAt(Warp &warp, const Instruction &instruction, unsigned lane,
                               uint64_t address) {
  WarpAccess access(warp, instruction, TensorMap::kBytes, Purpose::Read, Space::Generic);
  Place place = access.locate(lane, address, TensorMap::kAlignment);
  if (!place.data)
    return std::nullopt;
  TensorMap map;
  std::memcpy(&map, place.data, sizeof(map));
  const unsigned rank = instruction.as<TensorCopy>().rank;
  if (map.isSound() && map.rank == rank) {
    const bool isOwn = place.allocation != nullptr;
    return isOwn && !warp.block.async().checkMap(warp, lane, address) ? std::nullopt : std::optional(map);
  }
  warp.block.report(warp, Report::Kind::AsyncCopy, lane, address,
                    !map.isSound()
                        ? "there is no tensor map here: cuTensorMapEncodeTiled makes one"
                        : "takes the map of a tensor of rank " + std::to_string(map.rank) +
                              " for one of rank " + std::to_string(rank));
  return std::nullopt;
}

/// Finds the memory of each part; false, and a report, where a part is in none.
bool findParts(Warp &warp, const Instruction &instruction, unsigned lane, bool isLoad,
               TensorBox &box) {
  for (TensorPart &part : box.parts) {
    WarpAccess access(warp, instruction, part.bytes, isLoad ? Purpose::Read : Purpose::Write,
                      Space::Global);
    Place place = access.locate(lane, part.global, 1);
    if (!place.data)
      return false;
    part.allocation = place.allocation;
    part.offset = place.offset;
    if (isLoad || box.update)
      access.checkInitialized(lane, part.global, place);
    access.countGlobal(part.global);
  }
  return true;
}

/// Why a GPU does not store a box as it should be, of which no page of NVIDIA's says a word: an H100
/// ends with an illegal instruction, or stores all 16 bytes in which a row of the tensor ends. Null if it does.
const char *whyNotStored(const TensorMap &map, const int32_t *indices) {
  for (unsigned dim = 0; dim < map.rank; ++dim)
    if (indices[dim] < 0)
      return "stores a box that begins below 0, where a GPU ends with an illegal instruction";
  constexpr int64_t whole = 16;
  const auto element = static_cast<int64_t>(sim::bytesOf(map.type));
  const int64_t left = (static_cast<int64_t>(map.sizes[0]) - indices[0]) * element;
  const bool isCut = left > 0 && left < map.box[0] * element && left % whole != 0;
  return isCut ? "stores rows that the tensor cuts inside of 16 bytes, of which a GPU stores all"
               : nullptr;
}

/// The copy of one lane.
void copyBox(Warp &warp, const Instruction &instruction, unsigned lane,
             const TensorOperand &tensors, uint64_t shared, uint64_t barrier) {
  const TensorCopy &decoded = instruction.as<TensorCopy>();
  const bool isLoad = !decoded.isStore;
  std::optional<TensorMap> map = mapAt(warp, instruction, lane, tensors.maps[lane]);
  if (!map)
    return;
  if (const char *why = isLoad ? nullptr : whyNotStored(*map, tensors.indices[lane]))
    return warp.block.report(warp, Report::Kind::AsyncCopy, lane, map->address, why);
  const uint64_t extent = std::min<uint64_t>(map->extentOfBox(), UINT32_MAX);
  WarpAccess inShared(warp, instruction, static_cast<uint32_t>(extent),
                      isLoad ? Purpose::Write : Purpose::Read, Space::Shared);
  Place here = inShared.locate(lane, shared, kBoxAlignment);
  if (!here.data)
    return;
  auto box = std::make_shared<TensorBox>(*map, tensors.indices[lane], here.offset);
  if (decoded.updates)
    box->update = decoded.op;
  AsyncCopies &async = warp.block.async();
  if (!findParts(warp, instruction, lane, isLoad, *box))
    return;
  uint64_t tracker = 0;
  if (isLoad) {
    WarpAccess access(warp, instruction, Mbarriers::kBytes, Purpose::Atomic, Space::Shared);
    Place place = access.locate(lane, barrier, Mbarriers::kBytes);
    tracker = place.offset;
    if (!place.data || !async.mbarriers.use(warp, lane, tracker))
      return;
  }
  Copy copy;
  copy.kind = isLoad ? Copy::Kind::BulkLoad : Copy::Kind::BulkStore;
  copy.bytes = copy.given = box->extent;
  copy.shared = here.offset;
  copy.global = map->address;
  copy.map = tensors.maps[lane];
  copy.mbarrier = tracker;
  copy.box = std::move(box);
  async.issue(warp, lane, std::move(copy));
}

/// The same box to the same place of several blocks, each tracked by the mbarrier that is there.
void multicast(Warp &warp, const Instruction &instruction, unsigned lane, uint32_t mask,
               const TensorOperand &tensors, uint64_t shared, uint64_t barrier) {
  const uint32_t blocks = warp.block.launch.clusterBlocks;
  if (!mask || mask >> blocks)
    return warp.block.report(warp, Report::Kind::AsyncCopy, lane, 0,
                             "copies to the blocks " + hexadecimal(mask) + " of a cluster of " +
                                 std::to_string(blocks));
  for (; mask; mask &= mask - 1) {
    const auto rank = static_cast<unsigned>(__builtin_ctz(mask));
    copyBox(warp, instruction, lane, tensors, Block::addressIn(rank, shared),
            Block::addressIn(rank, barrier));
  }
}

/// cp.async.bulk.tensor [box], [map, {indices}], [mbarrier] or [map, {indices}], [box]
void executeTensorCopy(Warp &warp, const Instruction &instruction, uint32_t lanes) {
  const std::vector<Operand> &operands = instruction.operands;
  const TensorCopy &decoded = instruction.as<TensorCopy>();
  const bool isLoad = !decoded.isStore;
  const TensorOperand tensors(warp, operands[isLoad ? 1 : 0], lanes);
  uint64_t shared[kLanes], barrier[kLanes] = {};
  warp.addresses(operands[isLoad ? 0 : 1], lanes, shared);
  uint32_t masks[kLanes] = {};
  if (isLoad)
    warp.addresses(operands[2], lanes, barrier);
  if (decoded.isMulticast) {
    warp.requireDefined(operands[3], lanes, "a mask of blocks");
    Values values = warp.read(operands[3], 0);
    forLanes(lanes, [&](unsigned lane) { masks[lane] = values[lane] & 0xffff; });
  }
  forLanes(lanes, [&](unsigned lane) {
    if (decoded.isMulticast)
      return multicast(warp, instruction, lane, masks[lane], tensors, shared[lane], barrier[lane]);
    copyBox(warp, instruction, lane, tensors, shared[lane], barrier[lane]);
  });
}
void executeTensorPrefetch(Warp &warp, const Instruction &instruction, uint32_t lanes) {
  const TensorOperand tensors(warp, instruction.operands[0], lanes);
  forLanes(lanes,
           [&](unsigned lane) { mapAt(warp, instruction, lane, tensors.maps[lane]); });
}

void expectTensor(const Operand &operand, unsigned rank) {
  const bool isTensor = operand.kind == Operand::Kind::Address && operand.elements.size() == 2 &&
                        operand.elements[1].kind == Operand::Kind::Vector;
  if (!isTensor)
    fail(operand.position, "expected a tensor map and its indices in brackets");
  const std::vector<Operand> &indices = operand.elements[1].elements;
  if (indices.size() != rank)
    fail(operand.position, "expected " + std::to_string(rank) + " indices of the tensor, got " +
                               std::to_string(indices.size()));
  for (const Operand &index : indices)
    if (index.kind != Operand::Kind::Register && index.kind != Operand::Kind::Integer)
      fail(index.position, "expected a register or a number");
}

AtomicUpdate::Op operationOf(unsigned index) {
  using Op = AtomicUpdate::Op;
  static constexpr Op operations[] = {Op::Add, Op::Min, Op::Max, Op::And,
                                      Op::Or,  Op::Xor, Op::Inc, Op::Dec};
  return operations[index];
}

} // namespace

bool sim::decodeTensorCopy(Decoder &decoder) {
  Instruction &instruction = decoder.instruction;
  if (instruction.opcode != "cp" || !decoder.take("tensor"))
    return false;
  TensorCopy decoded;
  decoded.updates = decoder.take("reduce");
  if (!decoder.take("async") || !decoder.take("bulk"))
    decoder.unsupported("a form other than 'cp.async.bulk.tensor'");
  decoded.rank = static_cast<uint8_t>(
      1 + decoder.needOneOf("a number of dimensions", {"1d", "2d", "3d", "4d", "5d"}));
  decoder.take("tile");
  if (decoder.take("prefetch")) {
    if (!decoder.take("L2") || !decoder.take("global"))
      decoder.unsupported("a form other than 'cp.async.bulk.prefetch.tensor.L2.global'");
    decoder.expectOperandsAndPolicy(1);
    expectTensor(instruction.operands[0], decoded.rank);
    instruction.decoded = decoded;
    instruction.execute = executeTensorPrefetch;
    return true;
  }
  const bool isLoad = decoder.take("mbarrier::complete_tx::bytes");
  decoded.isStore = !isLoad && decoder.take("bulk_group");
  if (decoded.updates)
    decoded.op = operationOf(decoder.needOneOf(
        "an operation", {"add", "min", "max", "and", "or", "xor", "inc", "dec"}));
  // The target is named before the source.
  const std::vector<std::string> &modifiers = instruction.modifiers;
  const auto at = [&](const char *name) {
    return std::find(modifiers.begin(), modifiers.end(), name);
  };
  const bool toGlobal = std::min(at("shared::cta"), at("shared::cluster")) > at("global");
  if ((!isLoad && !decoded.isStore) || decoded.isStore != toGlobal || !decoder.take("global") ||
      (decoded.updates && isLoad) || decoder.takeOneOf({"shared::cta", "shared::cluster"}) < 0)
    decoder.unsupported("this direction or completion");
  decoded.isMulticast = isLoad && decoder.take("multicast::cluster");
  decoder.expectOperandsAndPolicy(isLoad ? 3u + decoded.isMulticast : 2u);
  expectTensor(instruction.operands[isLoad ? 1 : 0], decoded.rank);
  decoder.expectAddresses({isLoad ? size_t(0) : size_t(1)});
  if (isLoad)
    decoder.expectAddresses({2});
  if (decoded.isMulticast)
    decoder.expectValues({3});
  instruction.decoded = decoded;
  instruction.execute = executeTensorCopy;
  return true;
}
