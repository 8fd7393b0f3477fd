//===- TensorMaps.cpp - Tensor maps that kernels make --------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// PTX ISA 9.0: 9.7.9.28.1 "tensormap.replace" and the fences between it and copies, 9.7.13.4. A map of zeros
// is one of which no field is set yet.

#include "../../Memory/Access.h"
#include "../../Memory/AsyncCopies.h"
#include "../../Program/Decode.h"
#include "../Lanes.h"

#include <cstring>

using namespace fsm;
using namespace fsm::sim;

namespace {

using Field = TensorField::Field;

constexpr uint64_t kUnit = 16;

/// Why a field of a map cannot have a value; null where it can, and then it has.
const char *setField(TensorMap &map, const TensorField &field, uint64_t value) {
  static constexpr Type types[] = {Type::U8,  Type::U16, Type::U32, Type::S32, Type::U64,  Type::S64, Type::F16,
                                   Type::F32, Type::F32, Type::F64, Type::BF16, Type::F32, Type::F32};
  static constexpr uint8_t spans[] = {16, 32, 64, 128};
  switch (field.field) {
  case Field::Address:
    map.address = value;
    return value % kUnit ? "is given an address that is no multiple of 16 bytes" : nullptr;
  case Field::Rank:
    map.rank = static_cast<uint8_t>(value + 1);
    return value < TensorMap::kMostRank ? nullptr : "is given more than 5 dimensions";
  case Field::Box:
    map.box[field.dim] = static_cast<uint16_t>(value);
    return value && value <= 256 ? nullptr : "is given a box that has not 1 to 256 elements along a dimension";
  case Field::Size:
    map.sizes[field.dim] = value;
    return value ? nullptr : "is given a dimension without elements";
  case Field::Stride:
    map.strides[field.dim] = value;
    return value % kUnit || value >> 40 ? "is given a stride that is no multiple of 16 bytes below 2^40" : nullptr;
  case Field::Step:
    map.steps |= static_cast<uint8_t>(1u << field.dim);
    return value == 1 ? nullptr : "is given steps between elements, which are not simulated";
  case Field::Element:
    if (value < std::size(types))
      map.type = types[value];
    return value < std::size(types) ? nullptr : "is given no type of elements";
  case Field::Interleave:
    return value ? "is given interleaved lines, which are not simulated" : nullptr;
  case Field::Swizzle:
    if (value < std::size(spans))
      map.span = spans[value];
    return value < std::size(spans) ? nullptr : "is given no swizzle";
  case Field::Fill:
    map.fillsNaN = value;
    return value > 1 ? "is given nothing that is outside" : nullptr;
  }
  return nullptr;
}

/// tensormap.replace [map], [dimension,] value
void executeReplace(Warp &warp, const Instruction &instruction, uint32_t lanes) {
  const TensorField &field = instruction.as<TensorField>();
  uint64_t addresses[kLanes];
  warp.addresses(instruction.operands[0], lanes, addresses);
  warp.requireDefined(instruction.operands.back(), lanes, "put into a tensor map");
  const Values values = warp.read(instruction.operands.back(), 1);
  WarpAccess access(warp, instruction, TensorMap::kBytes, Purpose::Write,
                    field.isShared ? Space::Shared : Space::Global);
  forLanes(lanes, [&](unsigned lane) {
    Place place = access.lane(lane, addresses[lane]);
    if (!place.data)
      return;
    TensorMap map;
    std::memcpy(&map, place.data, sizeof(map));
    const char *why = map.magic && map.magic != TensorMap::kMagic
                          ? "is no tensor map, nor zeros of which one can be made"
                          : setField(map, field, values[lane]);
    if (why)
      return warp.block.report(warp, Report::Kind::AsyncCopy, lane, addresses[lane], std::string("what is set here ") + why);
    map.magic = TensorMap::kMagic;
    std::memcpy(place.data, &map, sizeof(map));
    if (!field.isShared)
      warp.block.async();
    access.order(lane, addresses[lane], place, true);
  });
}

/// fence.proxy.tensormap::generic.release, or .acquire [map], 128
void executeMapFence(Warp &warp, const Instruction &instruction, uint32_t lanes) {
  AsyncCopies &async = warp.block.async();
  if (instruction.operands.empty())
    return forLanes(lanes, [&](unsigned lane) { async.releaseMaps(warp, lane); });
  uint64_t addresses[kLanes];
  warp.addresses(instruction.operands[0], lanes, addresses);
  forLanes(lanes, [&](unsigned lane) { async.acquireMap(warp, lane, addresses[lane]); });
}

void decodeReplace(Decoder &decoder) {
  Instruction &instruction = decoder.instruction;
  decoder.needOneOf("how the map is used", {"tile"});
  TensorField decoded;
  decoded.field = decoder.need<Field>("a field", {"global_address", "rank", "box_dim", "global_dim", "global_stride",
                                                  "element_stride", "elemtype", "interleave_layout", "swizzle_mode", "fill_mode"});
  decoded.isShared = decoder.needOneOf("a space", {"global", "shared::cta"}) == 1;
  if (!decoder.take("b1024"))
    decoder.unsupported("a map that is not '.b1024'");
  decoder.needOneOf("how wide the field is", {"b32", "b64"});
  const bool hasDim = decoded.field == Field::Box || decoded.field == Field::Size || decoded.field == Field::Stride ||
                      decoded.field == Field::Step;
  decoder.expectOperands(2 + hasDim, 2 + hasDim);
  decoder.expectAddresses({0});
  if (hasDim) {
    const Operand &dim = instruction.operands[1];
    const unsigned most = TensorMap::kMostRank - (decoded.field == Field::Stride);
    if (dim.kind != Operand::Kind::Integer || dim.bits >= most)
      fail(dim.position, "expected a dimension below " + std::to_string(most));
    decoded.dim = static_cast<uint8_t>(dim.bits);
    instruction.operands.erase(instruction.operands.begin() + 1);
  }
  decoder.immediates(Type::B64, 1);
  instruction.decoded = decoded;
  instruction.execute = executeReplace;
}

} // namespace

bool sim::decodeTensorMap(Decoder &decoder) {
  Instruction &instruction = decoder.instruction;
  if (instruction.opcode == "tensormap") {
    if (!decoder.take("replace"))
      decoder.unsupported("a form other than 'tensormap.replace'");
    decodeReplace(decoder);
    return true;
  }
  if (instruction.opcode != "fence" || !decoder.take("tensormap::generic"))
    return false;
  decoder.take("proxy");
  const bool acquires = decoder.needOneOf("an order", {"release", "acquire"}) == 1;
  decoder.ignore({"cta", "cluster", "gpu", "sys"});
  decoder.expectOperands(acquires ? 2 : 0, acquires ? 2 : 0);
  if (acquires) {
    decoder.expectAddresses({0});
    if (const Operand &bytes = instruction.operands[1]; bytes.kind != Operand::Kind::Integer || bytes.bits != TensorMap::kBytes)
      fail(bytes.position, "expected the 128 bytes of a map");
  }
  instruction.execute = executeMapFence;
  return true;
}
