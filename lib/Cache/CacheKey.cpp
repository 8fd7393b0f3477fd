//===- CacheKey.cpp - What code depends on --------------------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Cache/KernelCache.h"

#include "fsm/Artifact/ArgumentFact.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/BLAKE3.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/TargetParser/Host.h"

#include <elf.h>
#include <link.h>

using namespace fsm;

//===----------------------------------------------------------------------===//
// The build
//===----------------------------------------------------------------------===//

/// The build's number, if one of the notes is it. Notes may be cut short, as tools that patch programs
/// leave them.
static std::string buildIdIn(llvm::StringRef notes) {
  while (notes.size() >= sizeof(ElfW(Nhdr))) {
    const auto *note = reinterpret_cast<const ElfW(Nhdr) *>(notes.data());
    notes = notes.drop_front(sizeof(*note));
    llvm::StringRef content = notes.substr(llvm::alignTo(note->n_namesz, 4));
    if (note->n_type == NT_GNU_BUILD_ID)
      return content.take_front(note->n_descsz).str();
    notes = content.substr(llvm::alignTo(note->n_descsz, 4));
  }
  return "";
}

/// The number that the linker gave to the program or library that this code is in. Notes of others that
/// the process has loaded are not looked at.
static int findBuildId(dl_phdr_info *info, size_t, void *result) {
  auto own = reinterpret_cast<uintptr_t>(&findBuildId);
  llvm::ArrayRef<ElfW(Phdr)> segments(info->dlpi_phdr, info->dlpi_phnum);
  auto begin = [&](const ElfW(Phdr) &segment) { return info->dlpi_addr + segment.p_vaddr; };
  if (llvm::none_of(segments, [&](const ElfW(Phdr) &segment) {
        return segment.p_type == PT_LOAD && own >= begin(segment) &&
               own - begin(segment) < segment.p_memsz;
      }))
    return 0;
  std::string &found = *static_cast<std::string *>(result);
  for (const ElfW(Phdr) &segment : segments)
    if (segment.p_type == PT_NOTE && found.empty())
      found = buildIdIn({reinterpret_cast<const char *>(begin(segment)), segment.p_memsz});
  return 1;
}

static const std::string &buildId() {
  static const std::string id = [] {
    std::string found;
    dl_iterate_phdr(findBuildId, &found);
    return found;
  }();
  return id;
}

/// The machine, of which code for the host takes every instruction.
static const std::string &hostText() {
  static const std::string text = [] {
    llvm::SmallVector<std::string> features;
    for (const auto &feature : llvm::sys::getHostCPUFeatures())
      if (feature.second)
        features.push_back(feature.first().str());
    llvm::sort(features);
    return llvm::sys::getHostCPUName().str() + " " + llvm::join(features, ",");
  }();
  return text;
}

//===----------------------------------------------------------------------===//
// The key
//===----------------------------------------------------------------------===//

namespace {
/// Each text with its length, so that no two lists of texts are one.
class Hash {
public:
  void add(llvm::StringRef text) {
    uint64_t bytes = text.size();
    hash.update(llvm::ArrayRef<uint8_t>(reinterpret_cast<const uint8_t *>(&bytes), sizeof(bytes)));
    hash.update(text);
  }
  void add(const std::string &text) { add(llvm::StringRef(text)); }
  void add(uint64_t number) { add(std::to_string(number)); }
  void add(const ArgumentFact &fact) { add(factText(fact)); }
  template <typename T>
  void add(const std::vector<T> &list) {
    add(uint64_t(list.size()));
    for (const T &entry : list)
      add(entry);
  }
  std::string text() { return llvm::toHex(hash.final(), /*LowerCase=*/true); }

private:
  llvm::BLAKE3 hash;
};
} // namespace

std::optional<std::string> fsm::cacheKey(const Source &source, const CompileOptions &options) {
  if (buildId().empty())
    return std::nullopt;
  Hash hash;
  hash.add(buildId());
  hash.add(source.text);
  hash.add(source.fileName);
  for (const auto &[name, value] : source.parameters) {
    hash.add(name);
    hash.add(value);
  }
#define FSM_OPTION(type, member, initial, flag, form, meaning)                                     \
  hash.add(llvm::StringRef(flag));                                                                 \
  hash.add(options.member);
#include "fsm/Compiler/CompileOptions.def"
  if (options.target == "cpu")
    hash.add(hostText());
  // Another library may lie at the same place by now.
  if (!options.libdevice.empty()) {
    auto library = llvm::MemoryBuffer::getFile(options.libdevice);
    if (!library)
      return std::nullopt;
    hash.add((*library)->getBuffer());
  }
  return hash.text();
}

std::string fsm::objectSymbol(Source source, const CompileOptions &options) {
  source.fileName.clear();
  std::optional<std::string> key = cacheKey(source, options);
  return "fsm_" + options.kernel + "_cpu" + (key ? "_" + key->substr(0, 16) : "");
}
