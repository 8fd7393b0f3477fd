//===- AlignedBuffer.cpp - Zeroed memory, or an error -------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Tools/AlignedBuffer.h"

#include <cstring>

using namespace fsm;

Result<AlignedBuffer> AlignedBuffer::create(uint64_t bytes) {
  if (bytes > kMaxBytes)
    return badInput("expected a buffer of at most 2^46 bytes, got one of " + std::to_string(bytes));
  AlignedBuffer buffer;
  // calloc takes large blocks from the system already zero and untouched, so a
  // large buffer costs only the pages a kernel visits.
  buffer.memory.reset(std::calloc(bytes + kAlignment, 1));
  if (!buffer.memory)
    return badInput("out of memory: the system refused a buffer of " + std::to_string(bytes) +
                    " bytes");
  auto address = reinterpret_cast<uintptr_t>(buffer.memory.get());
  size_t padding = (kAlignment - address % kAlignment) % kAlignment;
  buffer.start = static_cast<unsigned char *>(buffer.memory.get()) + padding;
  buffer.bytes = bytes;
  return buffer;
}

Result<AlignedBuffer> AlignedBuffer::clone() const {
  Result<AlignedBuffer> copy = create(bytes);
  if (copy && bytes)
    std::memcpy(copy->data(), start, bytes);
  return copy;
}
