//===- LaunchCheck.cpp - Arguments against a signature -------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LaunchCheck.h"

#include "fsm/Interpreter/ArgumentBits.h"

#include <algorithm>
#include <optional>
#include <thread>
#include <unistd.h>

using namespace fsm;

//===----------------------------------------------------------------------===//
// How errors name things
//===----------------------------------------------------------------------===//

static std::string valueText(const Argument &argument) {
  switch (argument.kind) {
  case Argument::Kind::Buffer:
    return "a buffer";
  case Argument::Kind::Integer:
    return "the integer " + std::to_string(argument.integerValue);
  case Argument::Kind::Real: {
    char text[40];
    std::snprintf(text, sizeof(text), "the real %.17g", argument.realValue);
    return text;
  }
  }
  return "an unknown kind of argument";
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

llvm::SmallVector<void *, 16> LaunchValues::pointers() {
  llvm::SmallVector<void *, 16> all;
  for (uint64_t &value : bits)
    all.push_back(&value);
  size_t first = bits.size() - hidden.size(), next = 0;
  for (size_t i = 0; i < hidden.size(); ++i)
    if (hidden[i] == HiddenArgument::TensorMap)
      all[first + i] = &maps[next++];
  return all;
}

//===----------------------------------------------------------------------===//
// Conversion
//===----------------------------------------------------------------------===//

Result<ArgumentBits> fsm::convertArguments(const KernelSignature &signature,
                                           const std::vector<Argument> &arguments) {
  size_t count = signature.arguments.size();
  if (arguments.size() != count)
    return badInput("error: expected " + std::to_string(count) + " arguments for " +
                    kernelText(signature) + ", got " + std::to_string(arguments.size()));
  ArgumentBits bits;
  for (size_t i = 0; i < count; ++i) {
    const KernelArgument &expected = signature.arguments[i];
    const Argument &argument = arguments[i];
    bool isBuffer = argument.kind == Argument::Kind::Buffer;
    if (isBuffer != expected.isPointer())
      return argumentError(signature, i,
                           std::string("takes ") +
                               (expected.isPointer() ? "a buffer" : "a number") + ", got " +
                               valueText(argument));
    if (isBuffer) {
      bits.push_back(reinterpret_cast<uint64_t>(argument.data));
      continue;
    }
    std::optional<uint64_t> converted = argumentBits(argument, expected.type);
    if (!converted)
      return argumentError(signature, i, "cannot hold " + valueText(argument));
    bits.push_back(*converted);
  }
  return bits;
}

std::vector<int64_t> fsm::integersOf(const std::vector<Argument> &arguments) {
  std::vector<int64_t> integers;
  for (const Argument &argument : arguments)
    integers.push_back(argument.kind == Argument::Kind::Integer ? argument.integerValue : 0);
  return integers;
}

//===----------------------------------------------------------------------===//
// Promises and facts
//===----------------------------------------------------------------------===//

Result<void> fsm::checkPlaces(const KernelSignature &signature,
                              const std::vector<Argument> &arguments, std::string_view device) {
  bool isHost = device == "cpu" || device == "interp";
  for (size_t i = 0; i < arguments.size(); ++i) {
    const Argument &argument = arguments[i];
    if (argument.onDevice && isHost)
      return argumentError(signature, i,
                           "takes host memory on the device '" + std::string(device) +
                               "', got memory of another device");
    if (argument.kind == Argument::Kind::Buffer && !argument.onDevice && device != "cpu" &&
        argument.bytes == Argument::kUnknownSize)
      return argumentError(signature, i,
                           "takes host memory of a known size on the device '" +
                               std::string(device) + "', got a buffer of unknown size");
  }
  return {};
}

Result<void> fsm::checkThere(const KernelSignature &signature,
                             const std::vector<Argument> &arguments) {
  for (size_t i = 0; i < arguments.size(); ++i) {
    const Argument &argument = arguments[i];
    if (argument.kind == Argument::Kind::Buffer && !argument.onDevice && !argument.data &&
        argument.bytes != 0 && argument.bytes != Argument::kUnknownSize)
      return argumentError(signature, i,
                           "takes a buffer of " + std::to_string(argument.bytes) +
                               " bytes, got a null pointer");
  }
  return {};
}

Result<void> fsm::checkOnDevice(const KernelSignature &signature,
                                const std::vector<Argument> &arguments) {
  for (size_t i = 0; i < arguments.size(); ++i)
    if (arguments[i].kind == Argument::Kind::Buffer && !arguments[i].onDevice)
      return argumentError(signature, i,
                           "takes memory of the device in a prepared launch, which copies nothing, "
                           "got memory of the host");
  return {};
}

static bool overlaps(const Argument &one, const Argument &other) {
  auto begin = [](const Argument &argument) { return reinterpret_cast<uintptr_t>(argument.data); };
  // The end of one whose size nobody knows may be anywhere.
  auto isBefore = [&](const Argument &first, const Argument &second) {
    return first.bytes != Argument::kUnknownSize && begin(first) + first.bytes <= begin(second);
  };
  return one.bytes && other.bytes && !isBefore(one, other) && !isBefore(other, one);
}

/// What all private caches of the machine hold together; a buffer beyond that does
/// not stay in them from one pass over it to the next.
static size_t privateCacheBytes() {
  static const size_t bytes = [] {
    long level2 = sysconf(_SC_LEVEL2_CACHE_SIZE);
    size_t each = level2 > 0 ? static_cast<size_t>(level2) : size_t(1) << 20;
    return each * std::max(1u, std::thread::hardware_concurrency());
  }();
  return bytes;
}

/// The largest power of two up to a cache line that divides an address.
static uint32_t alignmentOf(const void *data) {
  auto address = reinterpret_cast<uintptr_t>(data);
  for (uint32_t alignment : {64, 32, 16})
    if (address % alignment == 0)
      return alignment;
  return 1;
}

/// The largest of the powers of two that decide how wide an access may be and which divides an
/// integer: 8 elements of 16 bits, a stride of which tensor maps take, are 16 bytes already.
static uint32_t divisorOf(int64_t value) {
  for (uint32_t divisor : {16, 8, 4})
    if (value % divisor == 0)
      return divisor;
  return 1;
}

static ArgumentFact factOf(const std::vector<Argument> &arguments, const Argument &argument,
                           size_t cacheBytes) {
  ArgumentFact fact;
  if (argument.kind == Argument::Kind::Integer) {
    fact.isOne = argument.integerValue == 1;
    fact.divisible = divisorOf(argument.integerValue);
  } else if (argument.kind == Argument::Kind::Buffer) {
    fact.divisible = alignmentOf(argument.data);
    fact.isLarge = argument.bytes != Argument::kUnknownSize && argument.bytes > cacheBytes;
    fact.noAlias = true;
    for (const Argument &other : arguments)
      if (&other != &argument && other.kind == Argument::Kind::Buffer)
        fact.noAlias = fact.noAlias && !overlaps(argument, other);
  }
  return fact;
}

/// Adds how often loops run that take so much of a row at a time, or that it is more often than code is made for: code for a number of
/// times serves all rows that take as many.
static void addTrips(int64_t row, const std::vector<int64_t> &steps, ArgumentFact &fact) {
  for (int64_t step : row > 0 ? steps : std::vector<int64_t>()) {
    int64_t trips = (row - 1) / step + 1;
    fact.atLeast = std::max(fact.atLeast, std::min(trips - 1, kMostTripsKnown) * step + 1);
    if (trips <= kMostTripsKnown)
      fact.atMost = std::min(fact.atMost, trips * step);
  }
}

/// Adds that a row fills blocks, whose masks are no masks then.
static void addFilled(int64_t row, const std::vector<int64_t> &blocks, ArgumentFact &fact) {
  for (int64_t block : blocks)
    if (row >= block)
      fact.atLeast = std::max(fact.atLeast, block);
}

/// Adds that a tensor is in one tile, or ends within it, of which copies then bring only what is
/// there.
static void addWithin(int64_t size, const std::vector<int64_t> &extents, ArgumentFact &fact) {
  for (int64_t extent : extents)
    if (size > 0 && size <= extent)
      fact.atMost = std::min(fact.atMost, size == extent ? extent : extent - 1);
}

void fsm::appendFacts(const std::vector<Argument> &arguments,
                      llvm::SmallVectorImpl<ArgumentFact> &facts, bool forDevice, const KernelSignature *kernel) {
  // The same for every GPU, so that `--emit` without one shows what a launch runs: the L2 cache of
  // an H100 has 50 MB.
  constexpr size_t deviceCacheBytes = size_t(48) << 20;
  size_t cacheBytes = forDevice ? deviceCacheBytes : privateCacheBytes();
  for (const Argument &argument : arguments) {
    size_t index = static_cast<size_t>(&argument - arguments.data());
    facts.push_back(factOf(arguments, argument, cacheBytes));
    if (!forDevice || !kernel || index >= kernel->arguments.size() || argument.kind != Argument::Kind::Integer)
      continue;
    // As the kernel reads it: what is too large for a sign is negative.
    const KernelArgument &expected = kernel->arguments[index];
    if (expected.rowSteps.empty() && expected.rowBlocks.empty() && expected.tileExtents.empty())
      continue;
    int64_t row = integerOf(static_cast<uint64_t>(argument.integerValue), expected.type);
    addTrips(row, expected.rowSteps, facts.back());
    addFilled(row, expected.rowBlocks, facts.back());
    addWithin(row, expected.tileExtents, facts.back());
  }
}
