//===- CacheMain.cpp - The program fsm-cache ------------------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Tools/Cache/CacheMain.h"

#include "fsm/Cache/KernelCache.h"
#include "fsm/Tools/Arguments/Number.h"
#include "fsm/Tools/Quote.h"
#include "fsm/Tools/Version.h"

#include <cstdio>

using namespace fsm;

static const char *const kHelp =
    "fsm-cache list [FOLDER]           the entries, least lately used first\n"
    "fsm-cache verify [FOLDER]         which entries are damaged; status 1 if there are any\n"
    "fsm-cache prune BYTES [FOLDER]    remove what was used least lately, until BYTES are left\n"
    "\n"
    "--help, --version\n"
    "\n"
    "Without FOLDER, that of FSM_CACHE_DIR, or else fsm in XDG_CACHE_HOME or ~/.cache.\n";

static int fail(const std::string &sentence) {
  std::fprintf(stderr, "fsm-cache: %s\n", sentence.c_str());
  return 2;
}

/// `@softmax for sm_90a`, or what is the matter with an entry.
static std::optional<std::string> contentOf(const std::string &folder, const std::string &name) {
  std::optional<std::string> text = readCacheFile(folder, name, CacheRead::LeavesNoTrace);
  std::optional<CompiledKernel> kernel = text ? parseEntry(name, *text) : std::nullopt;
  if (!kernel)
    return std::nullopt;
  return "@" + printable(kernel->name) + " for " + printable(kernel->target);
}

static int list(const std::string &folder) {
  Result<std::vector<CacheFile>> files = listCache(folder);
  if (!files)
    return fail(files.error().message);
  uint64_t bytes = 0;
  for (const CacheFile &file : *files) {
    bytes += file.bytes;
    std::string content =
        file.isLeftOver ? "left over" : contentOf(folder, file.name).value_or("damaged");
    std::printf("%.16s %10llu bytes  %s\n", file.name.c_str(),
                static_cast<unsigned long long>(file.bytes), content.c_str());
  }
  std::printf("%zu files, %llu bytes\n", files->size(), static_cast<unsigned long long>(bytes));
  return 0;
}

static int verify(const std::string &folder) {
  Result<std::vector<CacheFile>> files = listCache(folder);
  if (!files)
    return fail(files.error().message);
  size_t entries = 0, damaged = 0;
  for (const CacheFile &file : *files) {
    if (file.isLeftOver)
      continue;
    ++entries;
    if (contentOf(folder, file.name))
      continue;
    ++damaged;
    std::printf("%s is damaged\n", file.name.c_str());
  }
  std::printf("%zu entries, %zu damaged\n", entries, damaged);
  return damaged ? 1 : 0;
}

static int prune(const std::string &folder, uint64_t mostBytes) {
  Result<size_t> removed = pruneCache(folder, mostBytes);
  if (!removed)
    return fail(removed.error().message);
  std::printf("%zu files removed\n", *removed);
  return 0;
}

int fsm::cacheMain(int argc, char **argv) {
  std::vector<std::string> words(argv + 1, argv + argc);
  std::string command = words.empty() ? "" : words[0];
  if (command == "--help") {
    std::fputs(kHelp, stdout);
    return 0;
  }
  if (command == "--version") {
    std::printf("%s\n", versionText("fsm-cache").c_str());
    return 0;
  }
  size_t operands = command == "prune" ? 2 : 1;
  if (command != "list" && command != "verify" && command != "prune")
    return fail("expected list, verify or prune, got " +
                (command.empty() ? "nothing" : quoted(command)));
  if (words.size() > operands + 1)
    return fail("expected at most a folder behind " + words[operands - 1] + ", got " +
                quoted(words[operands + 1]) + " as well");
  std::string folder = words.size() > operands ? words[operands] : usualCacheFolder();
  if (folder.empty())
    return fail("expected a folder, or FSM_CACHE_DIR, XDG_CACHE_HOME or HOME in the environment");
  if (command == "list")
    return list(folder);
  if (command == "verify")
    return verify(folder);
  std::optional<uint64_t> bytes =
      words.size() > 1 ? parseUnsigned(words[1], INT64_MAX) : std::nullopt;
  if (!bytes)
    return fail("prune: expected a number of bytes, got " +
                (words.size() > 1 ? quoted(words[1]) : "nothing"));
  return prune(folder, *bytes);
}
