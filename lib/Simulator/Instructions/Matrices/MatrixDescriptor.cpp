//===- MatrixDescriptor.cpp - Factors in shared memory -------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MatrixDescriptor.h"

#include "../../Threads/Block.h"

#include <algorithm>

using namespace fsm;
using namespace fsm::sim;

static constexpr unsigned kRows = 8;

/// Fields of 14 bits hold bytes without the last four bits.
static uint64_t bytesAt(uint64_t bits, unsigned first) {
  return (bits >> first & ((1 << 14) - 1)) << 4;
}

MatrixDescriptor::MatrixDescriptor(uint64_t bits, bool isTransposed)
    : isTransposed(isTransposed), bits(bits), start(bytesAt(bits, 0)), leading(bytesAt(bits, 16)),
      stride(bytesAt(bits, 32)), base(static_cast<unsigned>(bits >> 49 & 7)) {
  static constexpr unsigned spans[] = {16, 128, 64, 32};
  span = spans[bits >> 62];
}

uint64_t MatrixDescriptor::pieceAt(unsigned outer, unsigned inner) const {
  const unsigned perRow = span / kPieceBytes;
  uint64_t address = start;
  if (perRow == 1 && isTransposed)
    address += inner % kRows * kPieceBytes + inner / kRows * leading + outer * stride;
  else if (perRow == 1)
    address += outer % kRows * kPieceBytes + outer / kRows * stride + inner * leading;
  else if (isTransposed)
    address += outer % perRow * kPieceBytes + outer / perRow * leading + inner % kRows * span +
               inner / kRows * stride;
  else
    address += outer % kRows * span + outer / kRows * stride + inner * kPieceBytes;
  return address ^ (((address >> 7) - base & (perRow - 1)) << 4);
}

std::string MatrixDescriptor::check(unsigned lines) const {
  // Bits 0-13, 16-29, 32-45, 49-51 and 62-63 have a meaning.
  constexpr uint64_t kOthers = ~0xc00e3fff3fff3fffu;
  if (bits & kOthers)
    return "has bits outside of its fields: " + hexadecimal(bits);
  if (span == kPieceBytes)
    return "";
  const uint64_t period = uint64_t(kRows) * span;
  const uint64_t within = (start - 128 * uint64_t(base)) % period;
  if (within >= span)
    return "begins at byte " + std::to_string(start) +
           " of shared memory with the base offset " + std::to_string(base) +
           ", which is not in the first row of a swizzle of " + std::to_string(period) + " bytes";
  const uint64_t bytes = isTransposed ? std::min(2 * lines, span) : kLineBytes;
  if (within + bytes > span)
    return "begins at byte " + std::to_string(within) + " of a row of " + std::to_string(span) +
           " bytes, of which it takes " + std::to_string(bytes);
  return "";
}
