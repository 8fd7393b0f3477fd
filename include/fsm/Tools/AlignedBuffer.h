//===- AlignedBuffer.h - Zeroed memory, or an error -------------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_TOOLS_ALIGNEDBUFFER_H
#define FSM_TOOLS_ALIGNEDBUFFER_H

#include "fsm/Support/Result.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>

namespace fsm {

/// Zero-filled bytes whose address is a multiple of 64, also when there are
/// none. Move-only; running out of memory is an Error.
class AlignedBuffer {
public:
  static constexpr size_t kAlignment = 64;
  /// More bytes than this are refused before the allocator is asked.
  static constexpr uint64_t kMaxBytes = uint64_t(1) << 46;

  /// No memory at all: data() is null.
  AlignedBuffer() = default;

  static Result<AlignedBuffer> create(uint64_t bytes);
  Result<AlignedBuffer> clone() const;

  unsigned char *data() { return start; }
  const unsigned char *data() const { return start; }
  size_t size() const { return bytes; }

private:
  struct Free {
    void operator()(void *memory) const { std::free(memory); }
  };
  std::unique_ptr<void, Free> memory;
  unsigned char *start = nullptr;
  size_t bytes = 0;
};

} // namespace fsm

#endif // FSM_TOOLS_ALIGNEDBUFFER_H
