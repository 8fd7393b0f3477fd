//===- KernelCache.h - Compiled kernels in a folder -------------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_CACHE_KERNELCACHE_H
#define FSM_CACHE_KERNELCACHE_H

#include "fsm/Compiler/Compiler.h"

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fsm {

/// Compiled kernels in files of a folder, which any processes may share. Nothing that happens to
/// the files makes a compile fail or gives other code than the compiler: an entry has the hash of
/// its content, is written beside its place and renamed, and is compiled again where anything is odd.
///
/// The folder and its files must belong to the user or to root, and nobody else may write there.
/// Any threads may call.
class KernelCache {
public:
  struct Options {
    /// Made with the mode 0700 where there is none; empty for none.
    std::string folder;
    /// When the files hold more bytes, those that were used least lately go.
    uint64_t mostBytes = uint64_t(1) << 30;
    /// Gets at most one sentence: why nothing can be kept. By default it goes to standard error.
    std::function<void(const std::string &sentence)> warn;
    /// Where an entry is looked for that `folder` does not have; nothing there is ever changed. Empty
    /// for none.
    std::string sharedFolder;
  };

  explicit KernelCache(Options options);

  /// What Compiler::compile gives, from the folder if it is there. Errors are not kept.
  Result<CompiledKernel> compile(const Source &source, const CompileOptions &options);

private:
  std::optional<CompiledKernel> find(const std::string &key) const;
  void warn(const std::string &sentence);
  void keep(const std::string &key, const CompiledKernel &kernel);

  Options options;
  std::atomic<bool> hasWarned = false;
  std::atomic<unsigned> kept = 0;
};

/// The folder that the environment names for caches, FSM_CACHE_DIR; empty for none.
std::string cacheFolderOfEnvironment();

/// The one that is only read, FSM_CACHE_SHARED_DIR; empty for none.
std::string sharedCacheFolderOfEnvironment();

/// The same, or else the user's: fsm in XDG_CACHE_HOME or in ~/.cache. Empty without a home.
std::string usualCacheFolder();

/// What code depends on, as 64 hexadecimal digits: the text, its name and parameters, every option,
/// the machine for code of the host, the content of libdevice, and this build of the compiler.
/// Nothing if the build has no number.
std::optional<std::string> cacheKey(const Source &source, const CompileOptions &options);

/// What the function of a kernel's object is called, by its text and options, `options.kernel`
/// among them: a program that wants one does not link with another.
std::string objectSymbol(Source source, const CompileOptions &options);

/// The content of an entry's file.
std::string entryText(const std::string &key, const CompiledKernel &kernel);

/// The kernel of such a content, unless a bit of it is not what was written, or it is of another key.
std::optional<CompiledKernel> parseEntry(const std::string &key, std::string_view text);

//===----------------------------------------------------------------------===//
// Folders
//===----------------------------------------------------------------------===//

/// A file of a cache's folder.
struct CacheFile {
  std::string name;
  uint64_t bytes = 0;
  /// When it was last used, in nanoseconds since 1970.
  int64_t usedAt = 0;
  /// What is left of a process that was killed while it wrote.
  bool isLeftOver = false;
};

/// The entries and what is left over, least lately used first. An error where the folder cannot be
/// read, or is not to be trusted.
Result<std::vector<CacheFile>> listCache(const std::string &folder);

/// Whether reading makes an entry one that was used just now.
enum class CacheRead { IsUse, LeavesNoTrace };

/// The content of a file, or nothing: no such file, none that is to be trusted, or unreadable.
std::optional<std::string> readCacheFile(const std::string &folder, const std::string &name,
                                         CacheRead kind);

/// Removes entries, least lately used first, until the rest holds at most so many bytes, and what
/// has been left over for an hour. How many files went.
Result<size_t> pruneCache(const std::string &folder, uint64_t mostBytes);

} // namespace fsm

#endif // FSM_CACHE_KERNELCACHE_H
