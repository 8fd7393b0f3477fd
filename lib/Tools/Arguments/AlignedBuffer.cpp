//===- AlignedBuffer.cpp - Zeroed memory, or an error -------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Tools/Arguments/AlignedBuffer.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>

#include <sys/mman.h>
#include <unistd.h>

using namespace fsm;

/// What stands between a guarded buffer and its pages that nobody may touch: no
/// two of a launch have the same, so that a copy from one to the other shows.
static unsigned char nextFill() {
  static std::atomic<unsigned> count = 0;
  return static_cast<unsigned char>(0x40 + count++ % 0x80);
}

/// What nobody may touch on either side. It costs addresses only.
static constexpr uint64_t kGuardBytes = uint64_t(1) << 20;

void AlignedBuffer::Release::operator()(void *memory) const {
  if (mapped)
    munmap(memory, mapped);
  else
    std::free(memory);
}

static Error outOfMemory(uint64_t bytes) {
  return badInput("out of memory: the system refused a buffer of " + std::to_string(bytes) +
                  " bytes");
}

Result<AlignedBuffer> AlignedBuffer::create(uint64_t bytes) {
  if (bytes > kMaxBytes)
    return badInput("expected a buffer of at most 2^46 bytes, got one of " + std::to_string(bytes));
  AlignedBuffer buffer;
  // calloc takes large blocks from the system already zero and untouched, so a
  // large buffer costs only the pages a kernel visits.
  buffer.memory.reset(std::calloc(bytes + kAlignment, 1), buffer.how);
  if (!buffer.memory)
    return outOfMemory(bytes);
  auto address = reinterpret_cast<uintptr_t>(buffer.memory.get());
  size_t padding = (kAlignment - address % kAlignment) % kAlignment;
  buffer.start = static_cast<unsigned char *>(buffer.memory.get()) + padding;
  buffer.bytes = bytes;
  return buffer;
}

static uint64_t roundUp(uint64_t number, uint64_t unit) {
  return (number + unit - 1) / unit * unit;
}

Result<AlignedBuffer> AlignedBuffer::guarded(Guard guard, uint64_t alignment) const {
  auto page = static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
  uint64_t coarse = std::max(page, alignment), usable = roundUp(bytes, page);
  // The begin may have to move up to where an address is aligned.
  uint64_t mapped = usable + coarse + 2 * kGuardBytes;
  void *memory =
      mmap(nullptr, mapped, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED)
    return outOfMemory(bytes);
  AlignedBuffer copy;
  copy.how = Release(mapped, alignment, guard);
  copy.memory.reset(memory, copy.how);
  uint64_t skipped = roundUp(reinterpret_cast<uintptr_t>(memory) + kGuardBytes, coarse) -
                     reinterpret_cast<uintptr_t>(memory);
  copy.pages = static_cast<unsigned char *>(memory) + skipped;
  copy.pageBytes = usable;
  if (usable && mprotect(copy.pages, usable, PROT_READ | PROT_WRITE) != 0)
    return outOfMemory(bytes);
  uint64_t taken = roundUp(bytes, std::min(page, alignment));
  copy.start = copy.pages + (guard == Guard::End ? usable - taken : 0);
  copy.bytes = bytes;
  copy.fill = nextFill();
  std::memset(copy.pages, copy.fill, usable);
  if (bytes)
    std::memcpy(copy.start, start, bytes);
  return copy;
}

Result<AlignedBuffer> AlignedBuffer::clone() const {
  if (guard() != Guard::None)
    return guarded(guard(), how.alignment);
  size_t behind = reinterpret_cast<uintptr_t>(start) % kAlignment;
  Result<AlignedBuffer> copy = create(bytes + behind);
  if (!copy)
    return copy;
  AlignedBuffer elements = copy->part(behind, bytes);
  if (bytes)
    std::memcpy(elements.data(), start, bytes);
  return elements;
}

AlignedBuffer AlignedBuffer::part(size_t begin, size_t count) const {
  AlignedBuffer result;
  result.memory = memory;
  result.start = start + begin;
  result.bytes = count;
  return result;
}

int64_t AlignedBuffer::written() const {
  if (guard() == Guard::None)
    return 0;
  const unsigned char *end = start + bytes, *pagesEnd = pages + pageBytes;
  auto isOther = [this](unsigned char byte) { return byte != fill; };
  if (const auto *behind = std::find_if(end, pagesEnd, isOther); behind != pagesEnd)
    return behind - end + 1;
  for (const unsigned char *byte = start; byte != pages; --byte)
    if (isOther(byte[-1]))
      return byte - 1 - start;
  return 0;
}
