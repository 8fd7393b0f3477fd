//===- PreparedLaunch.cpp - Launches on memory of the device --------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Engine/PreparedLaunch.h"

#include "Backends/Backend.h"
#include "KernelState.h"
#include "LaunchCheck.h"

#include "fsm/Compiler/Guarded.h"
#include "fsm/Interpreter/ArgumentBits.h"

#include <cstring>

using namespace fsm;

/// Values that were launched with, and what they led to.
struct PreparedLaunch::Entry {
  /// As they were given, and the hidden arguments behind them.
  std::vector<uint64_t> values;
  std::vector<cuda::TensorMap> maps;
  /// To each of them.
  std::vector<void *> pointers;
  /// What the interpreter takes.
  std::vector<Argument> arguments;
  const Specialisation *code = nullptr;
  /// What the grid asked for.
  GridClass grid;
  bool isFilled = false;
};

/// A loop over layers comes back to the same addresses; so many of them are remembered.
static constexpr size_t kEntries = 64;

PreparedLaunch::PreparedLaunch(std::shared_ptr<Kernel::State> kernel,
                               std::vector<Argument> arguments)
    : kernel(std::move(kernel)), arguments(std::move(arguments)), entries(kEntries) {}
PreparedLaunch::PreparedLaunch(PreparedLaunch &&) = default;
PreparedLaunch &PreparedLaunch::operator=(PreparedLaunch &&) = default;
PreparedLaunch::~PreparedLaunch() = default;

size_t PreparedLaunch::valueCount() const { return arguments.size(); }

//===----------------------------------------------------------------------===//
// Values that are new
//===----------------------------------------------------------------------===//

/// Sets the value of an argument that is known as its kind.
static void setValue(const KernelArgument &parameter, uint64_t bits, Argument &argument) {
  if (parameter.isPointer()) {
    argument.data = reinterpret_cast<void *>(bits);
    return;
  }
  const ScalarTypeInfo &info = scalarTypeInfo(parameter.type);
  if (info.isFloat)
    argument = Argument::real(floatOf(bits, parameter.type));
  else
    argument = Argument::integer(integerOf(bits, parameter.type));
}

Result<PreparedLaunch> PreparedLaunch::make(std::shared_ptr<Kernel::State> kernel,
                                            std::vector<Argument> arguments) {
  const KernelSignature &signature = kernel->signature;
  Result<ArgumentBits> bits = convertArguments(signature, arguments);
  if (!bits)
    return bits.error();
  if (kernel->backend->isGpu())
    if (Result<void> checked = checkOnDevice(signature, arguments); !checked)
      return checked.error();
  PreparedLaunch prepared(std::move(kernel), std::move(arguments));
  if (Result<void> done = prepared.warmUp(bits->data()); !done)
    return done.error();
  return prepared;
}

/// A launch that does not wait has nobody to hear what it prints.
static Result<void> checkSilent(const Specialisation *code, const Kernel::State &kernel) {
  if (!code || code->debugOps.empty())
    return {};
  const DebugOp &op = code->debugOps.front();
  return badInput(op.place + ": error: a prepared launch cannot print or assert, for nobody waits " +
                  "for it; expected a kernel without, got @" + kernel.signature.name);
}

Result<std::vector<cuda::TensorMap>> PreparedLaunch::mapsFor(const Specialisation &code,
                                                            const uint64_t *values) const {
  if (code.tensorMaps.empty())
    return std::vector<cuda::TensorMap>();
  return cuda::makeTensorMaps(*kernel->backend->device(), code.tensorMaps,
                              kernel->signature.arguments, values);
}

Result<void> PreparedLaunch::fill(Entry &entry, const uint64_t *values) {
  const KernelSignature &signature = kernel->signature;
  size_t count = arguments.size();
  for (size_t i = 0; i < count; ++i)
    setValue(signature.arguments[i], values[i], arguments[i]);
  ArgumentBits bits(values, values + count);
  if (Result<void> kept = checkPromises(signature, kernel->promises, bits); !kept)
    return kept;
  Result<const Specialisation *> code = kernel->codeFor(arguments, entry.grid);
  if (!code)
    return code.error();
  if (Result<void> silent = checkSilent(*code, *kernel); !silent)
    return silent;
  entry.code = *code;
  size_t hidden = *code ? (*code)->hiddenArguments.size() : 0;
  entry.values.assign(values, values + count);
  entry.values.resize(count + hidden);
  entry.pointers.clear();
  for (uint64_t &value : entry.values)
    entry.pointers.push_back(&value);
  if (hidden) {
    Result<std::vector<cuda::TensorMap>> maps = mapsFor(**code, values);
    if (!maps)
      return maps.error();
    entry.maps = std::move(*maps);
    size_t next = 0;
    for (size_t i = 0; i < hidden; ++i)
      if ((*code)->hiddenArguments[i] == HiddenArgument::TensorMap)
        entry.pointers[count + i] = &entry.maps[next++];
  }
  entry.arguments = arguments;
  entry.isFilled = true;
  return {};
}

//===----------------------------------------------------------------------===//
// Values that are known
//===----------------------------------------------------------------------===//

/// Any mixing will do that differs for addresses of one allocation: a collision costs time alone.
static size_t hashOf(const uint64_t *values, size_t count) {
  uint64_t hash = 0;
  for (size_t i = 0; i < count; ++i)
    hash = (hash ^ values[i]) * 0x9e3779b97f4a7c15;
  return hash >> 32;
}

static std::vector<int64_t> integersIn(const KernelSignature &signature, const uint64_t *values) {
  std::vector<int64_t> integers;
  for (const KernelArgument &argument : signature.arguments) {
    bool isInteger = !argument.isPointer() && !scalarTypeInfo(argument.type).isFloat;
    integers.push_back(isInteger ? integerOf(*values, argument.type) : 0);
    ++values;
  }
  return integers;
}

Result<PreparedLaunch::Entry *> PreparedLaunch::find(const uint64_t *values, const Grid *grid) {
  size_t count = arguments.size();
  GridClass asked = kernel->classOf(grid, [&] { return integersIn(kernel->signature, values); });
  Entry &entry = entries[(hashOf(values, count) + asked.spread + asked.cluster +
                          asked.ofStraddling + asked.isMany) %
                         kEntries];
  if (entry.isFilled && entry.grid == asked &&
      (count == 0 || std::memcmp(entry.values.data(), values, count * sizeof(*values)) == 0))
    return &entry;
  entry.isFilled = false;
  entry.grid = asked;
  if (Result<void> filled = fill(entry, values); !filled)
    return withParameters(filled.error(), kernel->source);
  return &entry;
}

Result<void> PreparedLaunch::warmUp(const uint64_t *values, const Grid *grid) {
  if (grid)
    if (Result<void> checked = checkGrid(kernel->signature, *grid, kernel->backend->isGpu());
        !checked)
      return checked;
  Result<Entry *> entry = find(values, grid);
  return entry ? Result<void>() : entry.error();
}

Result<void> PreparedLaunch::launch(Grid grid, const uint64_t *values, void *stream) {
  Backend &backend = *kernel->backend;
  // What is not plainly right is looked at.
  if (grid.x <= 0 || uint32_t(grid.y - 1) >= 65535 || uint32_t(grid.z - 1) >= 65535) {
    if (Result<void> checked = checkGrid(kernel->signature, grid, backend.isGpu()); !checked)
      return checked;
    if (isEmpty(grid))
      return warmUp(values);
  }
  if (stream && !backend.isGpu())
    return badInput("error: expected no stream on the device '" + std::string(backend.name()) +
                    "', which has none");
  Result<Entry *> found = find(values, &grid);
  if (!found)
    return found.error();
  Entry &entry = **found;
  if (entry.code) {
    HiddenValues hidden{grid.x, 0, 0};
    uint64_t *value = entry.values.data() + arguments.size();
    for (HiddenArgument argument : entry.code->hiddenArguments)
      *value++ = hidden.bitsOf(argument);
  }
  return backend.enqueue(*kernel, entry.code,
                         {grid, entry.pointers.data(), entry.arguments,
                          static_cast<cuda::StreamHandle>(stream)});
}
