//===- AlignedBuffer.h - Zeroed memory, or an error -------------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_TOOLS_ARGUMENTS_ALIGNEDBUFFER_H
#define FSM_TOOLS_ARGUMENTS_ALIGNEDBUFFER_H

#include "fsm/Support/Result.h"

#include <cstddef>
#include <cstdint>
#include <memory>

namespace fsm {

/// Which end of a buffer lies at a page that nobody may touch.
enum class Guard : uint8_t { None, Begin, End };

/// Zero-filled bytes whose address is a multiple of 64, also when there are
/// none, or a part of such. Nobody may touch the megabyte before and behind their
/// pages. Move-only; running out of memory is an Error.
class AlignedBuffer {
public:
  static constexpr size_t kAlignment = 64;
  /// More bytes than this are refused before the allocator is asked.
  static constexpr uint64_t kMaxBytes = uint64_t(1) << 46;

  /// No memory at all: data() is null.
  AlignedBuffer() = default;

  static Result<AlignedBuffer> create(uint64_t bytes);
  /// A copy that lies like this one.
  Result<AlignedBuffer> clone() const;
  /// Some of the bytes, which both have from now on; no guard watches over them.
  AlignedBuffer part(size_t begin, size_t count) const;

  AlignedBuffer(AlignedBuffer &&) = default;
  AlignedBuffer &operator=(AlignedBuffer &&) = default;

  /// A copy in pages of its own, with pages before and behind them that end the
  /// process when they are touched. With Guard::Begin the first byte is the first
  /// of a page. With Guard::End the last byte is the last of a page, or as near to
  /// that as an address that is a multiple of `alignment`, a power of two, can be:
  /// it is a multiple of nothing else, except by chance.
  Result<AlignedBuffer> guarded(Guard guard, uint64_t alignment) const;

  unsigned char *data() { return start; }
  const unsigned char *data() const { return start; }
  size_t size() const { return bytes; }

  Guard guard() const { return how.guard; }
  /// All memory of a buffer, the pages that nobody may touch among it.
  const unsigned char *mapping() const { return static_cast<unsigned char *>(memory.get()); }
  size_t mappingBytes() const { return how.mapped; }
  /// How far from the begin or the end of a guarded buffer something was written
  /// in between that and the pages that nobody may touch: -1 is the last byte
  /// before the begin, 1 the first behind the end; 0 if nothing was.
  int64_t written() const;

private:
  struct Release {
    Release() : Release(0, 1, Guard::None) {}
    Release(size_t mapped, uint64_t alignment, Guard guard)
        : mapped(mapped), alignment(alignment), guard(guard) {}
    /// Bytes of the mapping.
    size_t mapped;
    uint64_t alignment;
    Guard guard;
    void operator()(void *memory) const;
  };
  bool map(uint64_t needed, uint64_t unit, Release release);

  std::shared_ptr<void> memory;
  Release how;
  unsigned char *start = nullptr;
  size_t bytes = 0;
  /// The pages that may be touched.
  unsigned char *pages = nullptr;
  size_t pageBytes = 0;
  /// Each byte of these that is not the buffer's.
  unsigned char fill = 0;
};

} // namespace fsm

#endif // FSM_TOOLS_ARGUMENTS_ALIGNEDBUFFER_H
