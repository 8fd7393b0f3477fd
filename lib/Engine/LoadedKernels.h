//===- LoadedKernels.h - The kernels that an engine loaded last -*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_LIB_ENGINE_LOADEDKERNELS_H
#define FSM_LIB_ENGINE_LOADEDKERNELS_H

#include "fsm/Engine/Engine.h"

#include <list>
#include <mutex>
#include <optional>
#include <unordered_map>

namespace fsm {

/// Kernels by their source and options. To find one takes a hash of its text and a comparison, so that
/// a frontend which writes the same text again pays for no parser and no compiler. What was asked for
/// least lately is forgotten first; whoever has such a kernel keeps it, and its code. Any threads may
/// call.
class LoadedKernels {
public:
  static constexpr size_t kMostBytesOfText = size_t(16) << 20;

  explicit LoadedKernels(size_t mostKernels) : mostKernels(mostKernels) {}

  std::optional<Kernel> find(const Source &source, const CompileOptions &options);

  /// Gives the kernel, or one that another thread kept for the same meanwhile.
  Kernel keep(const Source &source, const CompileOptions &options, Kernel kernel);

private:
  struct Entry {
    size_t hash;
    Source source;
    CompileOptions options;
    Kernel kernel;
  };
  using Entries = std::list<Entry>;

  Kernel *findLocked(size_t hash, const Source &source, const CompileOptions &options);
  void forgetLast();

  const size_t mostKernels;
  std::mutex mutex;
  /// What was asked for last comes first.
  Entries entries;
  std::unordered_multimap<size_t, Entries::iterator> byHash;
  size_t bytesOfText = 0;
};

} // namespace fsm

#endif // FSM_LIB_ENGINE_LOADEDKERNELS_H
