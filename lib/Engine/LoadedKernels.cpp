//===- LoadedKernels.cpp - The kernels that an engine loaded last ---------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LoadedKernels.h"

#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/StringRef.h"

using namespace fsm;

static size_t hashOf(const Source &source) {
  llvm::hash_code hash = llvm::hash_combine(llvm::StringRef(source.text), source.fileName);
  for (const auto &[name, value] : source.parameters)
    hash = llvm::hash_combine(hash, name, value);
  return hash;
}

static bool isSame(const Source &one, const Source &other) {
  return one.text == other.text && one.fileName == other.fileName &&
         one.parameters == other.parameters;
}

/// Another library may lie at the same place by now.
static bool isOfTextAlone(const CompileOptions &options) { return options.libdevice.empty(); }

Kernel *LoadedKernels::findLocked(size_t hash, const Source &source,
                                  const CompileOptions &options) {
  auto [begin, end] = byHash.equal_range(hash);
  for (auto found = begin; found != end; ++found) {
    Entries::iterator entry = found->second;
    if (!isSame(entry->source, source) || !(entry->options == options))
      continue;
    entries.splice(entries.begin(), entries, entry);
    return &entry->kernel;
  }
  return nullptr;
}

std::optional<Kernel> LoadedKernels::find(const Source &source, const CompileOptions &options) {
  if (!isOfTextAlone(options))
    return std::nullopt;
  size_t hash = hashOf(source);
  std::lock_guard<std::mutex> lock(mutex);
  Kernel *found = findLocked(hash, source, options);
  return found ? std::optional<Kernel>(*found) : std::nullopt;
}

void LoadedKernels::forgetLast() {
  auto last = std::prev(entries.end());
  auto [begin, end] = byHash.equal_range(last->hash);
  for (auto found = begin; found != end; ++found)
    if (found->second == last) {
      byHash.erase(found);
      break;
    }
  bytesOfText -= last->source.text.size();
  entries.erase(last);
}

Kernel LoadedKernels::keep(const Source &source, const CompileOptions &options, Kernel kernel) {
  if (!isOfTextAlone(options) || source.text.size() > kMostBytesOfText)
    return kernel;
  size_t hash = hashOf(source);
  std::lock_guard<std::mutex> lock(mutex);
  if (Kernel *found = findLocked(hash, source, options))
    return *found;
  entries.push_front({hash, source, options, kernel});
  byHash.emplace(hash, entries.begin());
  bytesOfText += source.text.size();
  while (entries.size() > mostKernels || bytesOfText > kMostBytesOfText)
    forgetLast();
  return kernel;
}
