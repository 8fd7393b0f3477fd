//===- KernelCacheTest.cpp - Compiled kernels in a folder -----------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Cache/KernelCache.h"

#include "gtest/gtest.h"

#include <cstdlib>
#include <fstream>
#include <random>
#include <set>

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace fsm;

namespace {
const std::string kKey(64, 'a');

Source sourceOf(const std::string &text) {
  Source source;
  source.text = text;
  source.fileName = "k.mlir";
  return source;
}

const Source kNothing = sourceOf("fsm.kernel @nothing(%p: !fsm.ptr<f32>) {\n  fsm.return\n}\n");

/// A kernel of which every member says something.
CompiledKernel fullKernel() {
  CompiledKernel kernel;
  kernel.name = "k";
  kernel.target = "sm_90a";
  kernel.code = std::string("code\0with zeros", 15);
  kernel.arguments = {{"x", ScalarType::BF16, 2, 16, "k.mlir:1:2", true}, {"n", ScalarType::I1}};
  kernel.facts = {{16, false, true, true}, {1, true, false, false}};
  kernel.promises = {{64, false, true, false}, {}};
  kernel.scratchBytes = uint64_t(1) << 40;
  kernel.hiddenArguments = {HiddenArgument::DebugRecords, HiddenArgument::ProgramCount,
                            HiddenArgument::TensorMap};
  kernel.tensorMaps = {{1,
                        ScalarType::BF16,
                        {{{LaunchStep::Kind::Argument, 1}}, {{LaunchStep::Kind::Number, -3}}},
                        {{{LaunchStep::Kind::Argument, 1}}},
                        {64, 32},
                        64}};
  kernel.debugOps = {{true, "k.mlir:3:4", "a text", true, {{ScalarType::F64, true, {-1, 8}}}}};
  kernel.device = {4, 2, 1, 1024};
  kernel.diagnostics = {"k.mlir:1:1: warning: one", ""};
  return kernel;
}

/// A folder that is gone in the end.
class Folder {
public:
  Folder() {
    path = testing::TempDir() + "fsm-cache-test-XXXXXX";
    EXPECT_TRUE(mkdtemp(path.data()));
  }
  ~Folder() {
    if (Result<std::vector<CacheFile>> files = listCache(path))
      for (const CacheFile &file : *files)
        unlink((path + "/" + file.name).c_str());
    rmdir(path.c_str());
  }
  size_t count() const {
    Result<std::vector<CacheFile>> files = listCache(path);
    return files ? files->size() : 0;
  }
  std::string path;
};

/// A cache and what it has complained of.
struct Cache {
  explicit Cache(const std::string &folder, const std::string &shared = "")
      : cache({folder, uint64_t(1) << 30,
               [this](const std::string &said) { warnings.push_back(said); }, shared}) {}
  std::vector<std::string> warnings;
  KernelCache cache;
};

std::string codeOf(Cache &cache, const Source &source = kNothing, CompileOptions options = {}) {
  options.target = "sm_90a";
  Result<CompiledKernel> compiled = cache.cache.compile(source, options);
  return compiled ? compiled->code : compiled.error().message;
}

void write(const std::string &path, const std::string &text) {
  std::ofstream(path, std::ios::binary) << text;
  chmod(path.c_str(), 0600);
}
} // namespace

//===----------------------------------------------------------------------===//
// Entries
//===----------------------------------------------------------------------===//

TEST(CacheEntry, KeepsEveryMember) {
  CompiledKernel kernel = fullKernel();
  std::string text = entryText(kKey, kernel);
  std::optional<CompiledKernel> read = parseEntry(kKey, text);
  ASSERT_TRUE(read);
  EXPECT_EQ(read->code, kernel.code);
  EXPECT_EQ(read->facts, kernel.facts);
  EXPECT_EQ(read->promises, kernel.promises);
  EXPECT_EQ(read->hiddenArguments, kernel.hiddenArguments);
  EXPECT_EQ(read->diagnostics, kernel.diagnostics);
  EXPECT_EQ(read->scratchBytes, kernel.scratchBytes);
  EXPECT_EQ(read->arguments[0].place, "k.mlir:1:2");
  EXPECT_TRUE(read->arguments[0].isOutput);
  EXPECT_EQ(read->debugOps[0].values[0].shape, (std::vector<int64_t>{-1, 8}));
  EXPECT_EQ(read->device.programsPerCta, 2u);
  EXPECT_EQ(read->device.numCtas, 1u);
  ASSERT_EQ(read->tensorMaps.size(), 1u);
  EXPECT_EQ(read->tensorMaps[0].sizes[1][0].value, -3);
  EXPECT_EQ(read->tensorMaps[0].box, (std::vector<uint32_t>{64, 32}));
  // What is not compared above is compared here.
  EXPECT_EQ(entryText(kKey, *read), text);
}

TEST(CacheEntry, EveryFlippedBitIsFound) {
  std::string text = entryText(kKey, fullKernel());
  size_t flips = 0;
  for (size_t at = 0; at < text.size(); ++at)
    for (int bit = 0; bit < 8; ++bit, ++flips) {
      std::string wrong = text;
      wrong[at] = static_cast<char>(wrong[at] ^ (1 << bit));
      EXPECT_FALSE(parseEntry(kKey, wrong)) << "byte " << at << ", bit " << bit;
    }
  std::mt19937 random(1);
  for (; flips < 10000; ++flips) {
    std::string wrong = text;
    for (int more = 0; more < 3; ++more)
      wrong[random() % wrong.size()] ^= static_cast<char>(1 << random() % 8);
    EXPECT_TRUE(wrong == text || !parseEntry(kKey, wrong));
  }
}

TEST(CacheEntry, PartsAndOthersAreNone) {
  std::string text = entryText(kKey, fullKernel());
  for (size_t bytes = 0; bytes < text.size(); ++bytes)
    EXPECT_FALSE(parseEntry(kKey, text.substr(0, bytes)));
  EXPECT_FALSE(parseEntry(kKey, text + "x"));
  EXPECT_FALSE(parseEntry(std::string(64, 'b'), text));
}

/// Entries that begin so had no batch: what is a batch of 1 and no diagnostics was one of them, the empty one.
TEST(CacheEntry, OfOlderMembersAreNone) {
  CompiledKernel kernel = fullKernel();
  kernel.diagnostics.clear();
  std::string text = entryText(kKey, kernel);
  ASSERT_TRUE(parseEntry(kKey, text));
  for (char older : {'1', '2', '3', '4'})
    EXPECT_FALSE(parseEntry(kKey, std::string("FSM kernel ") + older + text.substr(12))) << older;
}

//===----------------------------------------------------------------------===//
// Keys
//===----------------------------------------------------------------------===//

TEST(CacheKey, DependsOnAllThatCodeDependsOn) {
  std::set<std::string> keys;
  auto add = [&](const Source &source, const CompileOptions &options) {
    std::optional<std::string> key = cacheKey(source, options);
    ASSERT_TRUE(key);
    EXPECT_EQ(key->size(), 64u);
    EXPECT_EQ(*cacheKey(source, options), *key);
    EXPECT_TRUE(keys.insert(*key).second) << keys.size();
  };
  add(kNothing, {});
  Source source = kNothing;
  source.text += " ";
  add(source, {});
  source = kNothing;
  source.fileName = "k.ttir";
  add(source, {});
  for (auto [name, value] : {std::pair("A", "B"), std::pair("AB", ""), std::pair("", "AB")}) {
    source = kNothing;
    source.parameters = {{name, value}};
    add(source, {});
  }
  // Every option; a member that is added is to be added here.
  CompileOptions base;
  auto with = [&](auto member, auto value) {
    CompileOptions options;
    options.*member = value;
    add(kNothing, options);
  };
  with(&CompileOptions::kernel, std::string("nothing"));
  with(&CompileOptions::target, std::string("sm_90a"));
  with(&CompileOptions::facts, std::vector<ArgumentFact>(1));
  with(&CompileOptions::facts, std::vector<ArgumentFact>{{16, false, false, false}});
  with(&CompileOptions::facts, std::vector<ArgumentFact>{{16, false, true, false}});
  with(&CompileOptions::facts, std::vector<ArgumentFact>{{16, false, false, true}});
  with(&CompileOptions::numWarps, 2u);
  with(&CompileOptions::spread, 2u);
  with(&CompileOptions::batchPrograms, std::string("2"));
  with(&CompileOptions::loopPrograms, std::string("2"));
  with(&CompileOptions::manyPrograms, true);
  with(&CompileOptions::numStages, 2u);
  with(&CompileOptions::strict, true);
  with(&CompileOptions::remarks, true);
  with(&CompileOptions::without, std::vector<std::string>{"cse"});
  with(&CompileOptions::packPrograms, false);
  with(&CompileOptions::vectorBytes, 16u);
}

TEST(CacheKey, DependsOnTheContentOfALibrary) {
  Folder folder;
  CompileOptions options;
  options.libdevice = folder.path + "/" + std::string(64, 'd');
  EXPECT_FALSE(cacheKey(kNothing, options));
  write(options.libdevice, "one");
  std::optional<std::string> one = cacheKey(kNothing, options);
  write(options.libdevice, "two");
  EXPECT_NE(one, cacheKey(kNothing, options));
}

//===----------------------------------------------------------------------===//
// Folders
//===----------------------------------------------------------------------===//

TEST(KernelCache, GivesWhatItKept) {
  Folder folder;
  Cache cache(folder.path);
  std::string code = codeOf(cache);
  EXPECT_NE(code.find(".entry nothing"), std::string::npos) << code;
  EXPECT_EQ(folder.count(), 1u);
  // An entry with other code shows that it is taken.
  CompileOptions options;
  options.target = "sm_90a";
  std::string key = *cacheKey(kNothing, options);
  CompiledKernel kernel = *parseEntry(key, *readCacheFile(folder.path, key, CacheRead::LeavesNoTrace));
  EXPECT_EQ(kernel.code, code);
  kernel.code = "other code";
  write(folder.path + "/" + key, entryText(key, kernel));
  EXPECT_EQ(codeOf(cache), "other code");
  // What is damaged is compiled again, and put right.
  write(folder.path + "/" + key, "damaged");
  EXPECT_EQ(codeOf(cache), code);
  EXPECT_TRUE(parseEntry(key, *readCacheFile(folder.path, key, CacheRead::LeavesNoTrace)));
  EXPECT_TRUE(cache.warnings.empty());
  // Errors are not kept.
  codeOf(cache, sourceOf("fsm.kernel"));
  EXPECT_EQ(folder.count(), 1u);
}

TEST(KernelCache, TrustsTheUserAlone) {
  Folder folder;
  Cache cache(folder.path);
  std::string code = codeOf(cache);
  CompileOptions options;
  options.target = "sm_90a";
  std::string key = *cacheKey(kNothing, options), path = folder.path + "/" + key;
  CompiledKernel kernel = *parseEntry(key, *readCacheFile(folder.path, key, CacheRead::LeavesNoTrace));
  kernel.code = "other code";
  write(path, entryText(key, kernel));
  chmod(path.c_str(), 0622);
  EXPECT_EQ(codeOf(cache), code);
  write(folder.path + "/elsewhere", entryText(key, kernel));
  unlink(path.c_str());
  ASSERT_EQ(symlink("elsewhere", path.c_str()), 0);
  EXPECT_EQ(codeOf(cache), code);
  EXPECT_EQ(codeOf(cache), code);
  unlink((folder.path + "/elsewhere").c_str());
  chmod(folder.path.c_str(), 0777);
  EXPECT_EQ(codeOf(cache), code);
  ASSERT_EQ(cache.warnings.size(), 1u);
  EXPECT_NE(cache.warnings[0].find("may be written by others"), std::string::npos);
  chmod(folder.path.c_str(), 0700);
}

TEST(KernelCache, ComplainsOnceWhereItCannotWrite) {
  for (const char *folder : {"/proc/fsm", "/dev/null", "/dev/null/fsm", "/sys/kernel"}) {
    Cache cache(folder);
    for (int i = 0; i < 2; ++i)
      EXPECT_NE(codeOf(cache).find(".entry nothing"), std::string::npos);
    ASSERT_EQ(cache.warnings.size(), 1u) << folder;
    EXPECT_EQ(cache.warnings[0].find("fsm: warning: nothing is cached: error: the cache's folder '" +
                                     std::string(folder) + "' "),
              0u)
        << cache.warnings[0];
  }
}

TEST(KernelCache, TakesWhatAFleetShares) {
  Folder shared, own;
  Cache maker(shared.path);
  codeOf(maker);
  CompileOptions options;
  options.target = "sm_90a";
  std::string key = *cacheKey(kNothing, options), path = shared.path + "/" + key;
  CompiledKernel kernel = *parseEntry(key, *readCacheFile(shared.path, key, CacheRead::LeavesNoTrace));
  std::string code = kernel.code;
  kernel.code = "other code";
  write(path, entryText(key, kernel));
  struct timespec times[2] = {};
  times[0].tv_sec = times[1].tv_sec = 1000000000;
  utimensat(AT_FDCWD, path.c_str(), times, 0);
  chmod(path.c_str(), 0444);
  chmod(shared.path.c_str(), 0555);
  // With a folder of one's own, in which nothing is written for it, and without.
  Cache both(own.path, shared.path), alone("", shared.path);
  EXPECT_EQ(codeOf(both), "other code");
  EXPECT_EQ(codeOf(alone), "other code");
  EXPECT_EQ(own.count(), 0u);
  struct stat status;
  ASSERT_EQ(stat(path.c_str(), &status), 0);
  EXPECT_EQ(status.st_mtim.tv_sec, 1000000000);
  // What it does not have is kept in the own one, and there comes first.
  Source longer = kNothing;
  longer.text += "\n";
  codeOf(both, longer);
  EXPECT_EQ(own.count(), 1u);
  EXPECT_EQ(shared.count(), 1u);
  kernel.code = "own code";
  write(own.path + "/" + key, entryText(key, kernel));
  EXPECT_EQ(codeOf(both), "own code");
  // What is damaged in both is compiled, and the shared entry stays as it is.
  write(own.path + "/" + key, "damaged");
  chmod(path.c_str(), 0600);
  write(path, "damaged");
  EXPECT_EQ(codeOf(both), code);
  EXPECT_EQ(codeOf(alone), code);
  EXPECT_EQ(*readCacheFile(shared.path, key, CacheRead::LeavesNoTrace), "damaged");
  // Nothing is taken of a folder that others may write to.
  kernel.code = "other code";
  write(path, entryText(key, kernel));
  chmod(shared.path.c_str(), 0777);
  EXPECT_EQ(codeOf(alone), code);
  chmod(shared.path.c_str(), 0700);
  EXPECT_EQ(codeOf(alone), "other code");
  EXPECT_TRUE(both.warnings.empty() && alone.warnings.empty());
}

TEST(KernelCache, LeavesNothingOfWhatHasNoRoom) {
  Folder folder;
  Cache cache(folder.path);
  struct rlimit before, none;
  getrlimit(RLIMIT_FSIZE, &before);
  none = before;
  none.rlim_cur = 100;
  auto *handler = signal(SIGXFSZ, SIG_IGN);
  setrlimit(RLIMIT_FSIZE, &none);
  EXPECT_NE(codeOf(cache).find(".entry nothing"), std::string::npos);
  setrlimit(RLIMIT_FSIZE, &before);
  signal(SIGXFSZ, handler);
  EXPECT_EQ(folder.count(), 0u);
  EXPECT_EQ(cache.warnings.size(), 1u);
}

TEST(KernelCache, RemovesWhatWasUsedLeastLately) {
  Folder folder;
  auto file = [&](const std::string &name, int64_t secondsAgo, size_t bytes) {
    std::string path = folder.path + "/" + name;
    write(path, std::string(bytes, 'x'));
    struct timespec times[2] = {};
    times[0].tv_sec = times[1].tv_sec = time(nullptr) - secondsAgo;
    utimensat(AT_FDCWD, path.c_str(), times, 0);
  };
  file(std::string(64, '1'), 10, 100);
  file(std::string(64, '2'), 30, 100);
  file(std::string(64, '3'), -1000, 100); // a clock that is ahead
  file(".writing-1-1-a", 10, 100);
  file(".writing-1-2-b", 7200, 100);
  EXPECT_EQ(*pruneCache(folder.path, 300), 1u);
  EXPECT_EQ(*pruneCache(folder.path, 200), 1u);
  Result<std::vector<CacheFile>> left = listCache(folder.path);
  ASSERT_EQ(left->size(), 3u);
  EXPECT_EQ((*left)[2].name, std::string(64, '3'));
  // A use makes an entry young.
  readCacheFile(folder.path, std::string(64, '1'), CacheRead::IsUse);
  file(std::string(64, '3'), 5, 100);
  EXPECT_EQ(*pruneCache(folder.path, 100), 1u);
  EXPECT_TRUE(readCacheFile(folder.path, std::string(64, '1'), CacheRead::IsUse));
}
