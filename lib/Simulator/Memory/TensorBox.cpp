//===- TensorBox.cpp - The part of a tensor that a copy takes ------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TensorBox.h"

#include "../Instructions/NumberFormats.h"
#include "../Instructions/Update.h"

#include <algorithm>

using namespace fsm;
using namespace fsm::sim;

static constexpr unsigned kPieceBytes = 16;

bool TensorMap::isSound() const {
  const unsigned bytes = sim::bytesOf(type);
  bool isGood = magic == kMagic && rank && rank <= kMostRank && bytes && bytes <= 8 &&
                (span == 16 || span == 32 || span == 64 || span == 128) && (steps & ((1u << rank) - 1)) == (1u << rank) - 1;
  for (unsigned i = 0; isGood && i < rank; ++i)
    isGood = box[i] && box[i] <= 256 && sizes[i] && sizes[i] <= uint64_t(1) << 32;
  return isGood && (span == 16 || box[0] * bytes <= span);
}

uint64_t TensorMap::extentOfBox() const {
  uint64_t extent = span > kPieceBytes ? span : box[0] * sim::bytesOf(type);
  for (unsigned i = 1; i < rank; ++i)
    extent *= box[i];
  return extent;
}

TensorBox::TensorBox(const TensorMap &map, const int32_t *indices, uint64_t shared)
    : map(map), shared(shared), elementBytes(sim::bytesOf(map.type)) {
  const uint32_t row = map.box[0] * elementBytes;
  pitch = map.span > kPieceBytes ? map.span : row;
  uint32_t rows = 1;
  for (unsigned i = 1; i < map.rank; ++i)
    rows *= map.box[i];
  bytes = rows * row;
  extent = static_cast<uint32_t>(map.extentOfBox());
  for (uint32_t number = 0; number < rows; ++number) {
    int64_t at[TensorMap::kMostRank] = {indices[0]};
    uint32_t rest = number;
    bool isInside = true;
    for (unsigned i = 1; i < map.rank; ++i) {
      int64_t index = int64_t(indices[i]) + rest % map.box[i];
      rest /= map.box[i];
      isInside &= index >= 0 && uint64_t(index) < map.sizes[i];
      at[i] = index;
    }
    if (isInside)
      addRow(at, number * pitch);
  }
}

/// What of a row of the box lies within the tensor, if any.
void TensorBox::addRow(const int64_t *indices, uint32_t within) {
  const int64_t first = std::max<int64_t>(indices[0], 0);
  const int64_t end = std::min<int64_t>(indices[0] + map.box[0], int64_t(map.sizes[0]));
  if (first >= end)
    return;
  TensorPart part;
  part.global = map.address + uint64_t(first) * elementBytes;
  for (unsigned i = 1; i < map.rank; ++i)
    part.global += uint64_t(indices[i]) * map.strides[i - 1];
  part.bytes = static_cast<uint32_t>(end - first) * elementBytes;
  part.within = within + static_cast<uint32_t>(first - indices[0]) * elementBytes;
  parts.push_back(part);
}

/// The byte of the box in shared memory.
uint64_t TensorBox::placeOf(uint32_t within) const {
  uint64_t address = shared + within;
  return (address ^ ((address >> 7 & (map.span / kPieceBytes - 1u)) << 4)) - shared;
}

std::vector<uint8_t> TensorBox::gather() const {
  std::vector<uint8_t> box(extent, 0);
  if (map.fillsNaN) {
    const uint64_t nan = map.type == Type::F64 ? 0x7fffffffffffffff
                         : elementBytes == 4   ? 0x7fffffff
                                               : 0x7fff;
    for (uint32_t byte = 0; byte < extent; ++byte)
      box[placeOf(byte)] = static_cast<uint8_t>(nan >> (8 * (byte % elementBytes)));
  }
  for (const TensorPart &part : parts)
    for (uint32_t byte = 0; byte < part.bytes; ++byte)
      box[placeOf(part.within + byte)] = part.data()[byte];
  return box;
}

std::vector<uint8_t> TensorBox::bytesOf(const TensorPart &part, const uint8_t *box) const {
  std::vector<uint8_t> bytes(part.bytes);
  for (uint32_t byte = 0; byte < part.bytes; ++byte)
    bytes[byte] = box[placeOf(part.within + byte)];
  return bytes;
}

void TensorBox::scatter(const uint8_t *box) const {
  for (const TensorPart &part : parts) {
    std::vector<uint8_t> given = bytesOf(part, box);
    for (uint32_t at = 0; update && at < part.bytes; at += elementBytes) {
      uint64_t a = 0, b = 0;
      std::memcpy(&a, part.data() + at, elementBytes);
      std::memcpy(&b, &given[at], elementBytes);
      a = updated(*update, map.type, a, b);
      std::memcpy(&given[at], &a, elementBytes);
    }
    std::memcpy(part.data(), given.data(), part.bytes);
    part.allocation->setInitialized(part.offset, part.bytes);
  }
}
