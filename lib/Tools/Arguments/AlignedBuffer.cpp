//===- AlignedBuffer.cpp - Zeroed memory, or an error -------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Tools/Arguments/AlignedBuffer.h"

#include <algorithm>
#include <atomic>
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

/// What nobody may touch on either side of every buffer, so that a kernel that strays a little
/// meets it, and no memory of the process. It costs addresses only.
static constexpr uint64_t kGuardBytes = uint64_t(1) << 20;

static uint64_t roundUp(uint64_t number, uint64_t unit) {
  return (number + unit - 1) / unit * unit;
}

static uint64_t pageSize() { return static_cast<uint64_t>(sysconf(_SC_PAGESIZE)); }

void AlignedBuffer::Release::operator()(void *memory) const { munmap(memory, mapped); }

/// Takes pages for so many bytes, whose begin is a multiple of `unit`, between others that nobody
/// may touch.
bool AlignedBuffer::map(uint64_t needed, uint64_t unit, Release release) {
  uint64_t usable = roundUp(needed, pageSize());
  // The begin may have to move up to where an address is aligned.
  release.mapped = usable + unit + 2 * kGuardBytes;
  void *all = mmap(nullptr, release.mapped, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (all == MAP_FAILED)
    return false;
  how = release;
  memory.reset(all, how);
  auto address = reinterpret_cast<uintptr_t>(all);
  pages = static_cast<unsigned char *>(all) + (roundUp(address + kGuardBytes, unit) - address);
  pageBytes = usable;
  return !usable || mprotect(pages, usable, PROT_READ | PROT_WRITE) == 0;
}

static Error outOfMemory(uint64_t bytes) {
  return badInput("out of memory: the system refused a buffer of " + std::to_string(bytes) +
                  " bytes");
}

Result<AlignedBuffer> AlignedBuffer::create(uint64_t bytes) {
  if (bytes > kMaxBytes)
    return badInput("expected a buffer of at most 2^46 bytes, got one of " + std::to_string(bytes));
  AlignedBuffer buffer;
  // The system's pages are zero and cost nothing until a kernel visits them. The begin is a
  // multiple of no more than what is promised.
  if (!buffer.map(kAlignment + bytes, pageSize(), Release(0, 1, Guard::None)))
    return outOfMemory(bytes);
  buffer.start = buffer.pages + kAlignment;
  buffer.bytes = bytes;
  return buffer;
}

Result<AlignedBuffer> AlignedBuffer::guarded(Guard guard, uint64_t alignment) const {
  uint64_t page = pageSize();
  AlignedBuffer copy;
  if (!copy.map(bytes, std::max(page, alignment), Release(0, alignment, guard)))
    return outOfMemory(bytes);
  uint64_t taken = roundUp(bytes, std::min(page, alignment));
  copy.start = copy.pages + (guard == Guard::End ? copy.pageBytes - taken : 0);
  copy.bytes = bytes;
  copy.fill = nextFill();
  std::memset(copy.pages, copy.fill, copy.pageBytes);
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
