//===- CacheEntry.cpp - A compiled kernel as the content of a file --------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Cache/KernelCache.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/BLAKE3.h"

#include <cstring>
#include <type_traits>

using namespace fsm;

// A file is the magic, the hash of what follows, and there the key and the kernel: numbers of 8
// bytes, texts and lists behind their lengths.

// Another number for each change of what is visited below.
static constexpr llvm::StringLiteral kMagic = "FSM kernel 9\n";
static constexpr size_t kHashBytes = 32;

//===----------------------------------------------------------------------===//
// What there is of a kernel, for writing and reading alike
//===----------------------------------------------------------------------===//

template <typename Archive>
static void visit(Archive &archive, KernelArgument &of) {
  archive(of.name, of.type, of.pointerDepth, of.alignment, of.place, of.isOutput, of.isInput);
}

template <typename Archive>
static void visit(Archive &archive, ArgumentFact &of) {
  archive(of.divisible, of.isOne, of.noAlias, of.isLarge, of.atLeast, of.atMost);
}

template <typename Archive>
static void visit(Archive &archive, DebugValue &of) {
  archive(of.type, of.isPointer, of.shape);
}

template <typename Archive>
static void visit(Archive &archive, DebugOp &of) {
  archive(of.isAssert, of.place, of.text, of.isHex, of.values);
}

template <typename Archive>
static void visit(Archive &archive, LaunchStep &of) {
  archive(of.kind, of.value);
}

template <typename Archive>
static void visit(Archive &archive, TensorMapPlan &of) {
  archive(of.pointer, of.type, of.sizes, of.strides, of.box, of.swizzle, of.boxEnds);
}

template <typename Archive>
static void visit(Archive &archive, CompiledKernel &of) {
  archive(of.contractVersion, of.name, of.target, of.code, of.arguments, of.facts, of.promises,
          of.scratchBytes, of.hiddenArguments, of.tensorMaps, of.debugOps, of.device.numWarps,
          of.device.programsPerCta, of.device.numCtas, of.device.sharedBytes, of.device.batch,
          of.device.cluster, of.device.loopsPrograms, of.device.mostStarted, of.device.loadWarps,
          of.device.overlapsLaunches, of.diagnostics);
}

namespace {
class Writer {
public:
  template <typename... T>
  void operator()(T &...values) {
    (write(values), ...);
  }
  std::string text;

private:
  void number(uint64_t value) {
    text.append(reinterpret_cast<const char *>(&value), sizeof(value));
  }
  void write(std::string &value) {
    number(value.size());
    text += value;
  }
  template <typename T>
  void write(std::vector<T> &list) {
    number(list.size());
    for (T &entry : list)
      write(entry);
  }
  template <typename T>
  void write(T &value) {
    if constexpr (std::is_integral_v<T> || std::is_enum_v<T>)
      number(static_cast<uint64_t>(value));
    else
      visit(*this, value);
  }
};

/// Reads what a Writer has written; of anything else, as much as there is, and it has failed.
class Reader {
public:
  explicit Reader(llvm::StringRef rest) : rest(rest) {}
  template <typename... T>
  void operator()(T &...values) {
    (read(values), ...);
  }
  bool isAtEnd() const { return !failed && rest.empty(); }

private:
  void read(std::string &value) {
    uint64_t bytes = count();
    value = rest.take_front(bytes).str();
    rest = rest.drop_front(bytes);
  }
  template <typename T>
  void read(std::vector<T> &list) {
    list.resize(count());
    for (T &entry : list)
      read(entry);
  }
  template <typename T>
  void read(T &value) {
    if constexpr (std::is_integral_v<T> || std::is_enum_v<T>)
      value = static_cast<T>(number());
    else
      visit(*this, value);
  }
  uint64_t number() {
    uint64_t value = 0;
    failed |= rest.size() < sizeof(value);
    if (failed)
      return 0;
    std::memcpy(&value, rest.data(), sizeof(value));
    rest = rest.drop_front(sizeof(value));
    return value;
  }
  /// Of bytes or entries, of which each takes a byte at least.
  uint64_t count() {
    uint64_t value = number();
    failed |= value > rest.size();
    return failed ? 0 : value;
  }

  llvm::StringRef rest;
  bool failed = false;
};
} // namespace

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

static std::string hashOf(llvm::StringRef text) {
  llvm::BLAKE3 hash;
  hash.update(text);
  llvm::BLAKE3Result<kHashBytes> bytes = hash.final();
  return std::string(reinterpret_cast<const char *>(bytes.data()), bytes.size());
}

std::string fsm::entryText(const std::string &key, const CompiledKernel &kernel) {
  Writer writer;
  std::string own = key;
  CompiledKernel copy = kernel;
  writer(own);
  visit(writer, copy);
  return kMagic.str() + hashOf(writer.text) + writer.text;
}

std::optional<CompiledKernel> fsm::parseEntry(const std::string &key, std::string_view content) {
  llvm::StringRef text(content.data(), content.size());
  if (!text.consume_front(kMagic) || text.size() < kHashBytes)
    return std::nullopt;
  llvm::StringRef hash = text.take_front(kHashBytes), rest = text.drop_front(kHashBytes);
  if (hashOf(rest) != hash)
    return std::nullopt;
  Reader reader(rest);
  std::string found;
  CompiledKernel kernel;
  reader(found);
  visit(reader, kernel);
  if (!reader.isAtEnd() || found != key)
    return std::nullopt;
  return kernel;
}
