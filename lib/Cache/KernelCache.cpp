//===- KernelCache.cpp - Compiled kernels in a folder ---------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Cache/KernelCache.h"

#include "CacheFolder.h"

#include <cstdio>

using namespace fsm;

KernelCache::KernelCache(Options given) : options(std::move(given)) {
  if (!options.warn)
    options.warn = [](const std::string &sentence) {
      std::fprintf(stderr, "%s\n", sentence.c_str());
    };
}

void KernelCache::warn(const std::string &sentence) {
  if (!hasWarned.exchange(true))
    options.warn("fsm: warning: nothing is cached: " + sentence);
}

void KernelCache::keep(const std::string &key, const CompiledKernel &kernel) {
  Result<void> done = makeCacheFolder(options.folder);
  if (done)
    done = writeCacheFile(options.folder, key, entryText(key, kernel));
  // To look at all files takes longer than to write one.
  if (done && kept++ % 64 == 0)
    if (Result<size_t> pruned = pruneCache(options.folder, options.mostBytes); !pruned)
      done = pruned.error();
  if (!done)
    warn(done.error().message);
}

std::optional<CompiledKernel> KernelCache::find(const std::string &key) const {
  std::optional<CompiledKernel> kernel;
  if (std::optional<std::string> text = readCacheFile(options.folder, key, CacheRead::IsUse))
    kernel = parseEntry(key, *text);
  if (kernel)
    return kernel;
  if (std::optional<std::string> text =
          readCacheFile(options.sharedFolder, key, CacheRead::LeavesNoTrace))
    kernel = parseEntry(key, *text);
  return kernel;
}

Result<CompiledKernel> KernelCache::compile(const Source &source, const CompileOptions &compile) {
  std::optional<std::string> key = cacheKey(source, compile);
  if (key)
    if (std::optional<CompiledKernel> kernel = find(*key))
      return std::move(*kernel);
  Result<CompiledKernel> compiled = Compiler::compile(source, compile);
  if (compiled && key && !options.folder.empty())
    keep(*key, *compiled);
  return compiled;
}
