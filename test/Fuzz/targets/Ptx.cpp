//===- Ptx.cpp - PTX as input of the simulator ----------------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Target.h"

#include "Ptx.h"
#include "fsm/Simulator/Simulator.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <functional>

using namespace fsm;
using namespace fsm::sim;

static constexpr uint64_t kBufferBytes = 4096;
static constexpr size_t kMostKernels = 4;

namespace {
/// A device with two buffers, of which one has values.
struct Buffers {
  Device device;
  uint64_t written = 0, unwritten = 0;

  Buffers() {
    written = *device.alloc(kBufferBytes);
    unwritten = *device.alloc(kBufferBytes);
    (void)device.fill(written, 1, kBufferBytes);
  }

  /// Pointers for 8 bytes, small numbers for others.
  std::vector<std::vector<uint8_t>> valuesFor(const Function &kernel) const {
    std::vector<std::vector<uint8_t>> values;
    for (const Variable &parameter : kernel.parameters) {
      std::vector<uint8_t> &bytes = values.emplace_back(std::max<uint64_t>(parameter.bytes, 8));
      bool isPointer = parameter.bytes == 8;
      uint64_t value = !isPointer ? 33 : values.size() % 2 ? written : unwritten;
      std::memcpy(bytes.data(), &value, sizeof value);
    }
    return values;
  }
};
} // namespace

static Extent extentFor(const Function &kernel, size_t choice) {
  if (kernel.requiredThreads[0])
    return {kernel.requiredThreads[0], kernel.requiredThreads[1], kernel.requiredThreads[2]};
  static constexpr Extent extents[] = {{32, 1, 1}, {64, 1, 1}, {5, 3, 2}, {1, 1, 1}};
  return extents[choice % std::size(extents)];
}

static void launch(const Module &module, const Function &kernel, size_t choice) {
  Buffers buffers;
  std::vector<std::vector<uint8_t>> values = buffers.valuesFor(kernel);
  std::vector<void *> parameters;
  for (std::vector<uint8_t> &value : values)
    parameters.push_back(value.data());
  LaunchOptions options;
  options.seed = choice >> 2 & 3;
  options.landing = static_cast<LaunchOptions::Landing>(choice >> 4 & 3);
  options.globalRaces = choice >> 6 & 1;
  options.maxSteps = 4000;
  options.threads = 1;
  uint32_t dynamicBytes = choice >> 7 & 1 ? 1024 : 0;
  Result<LaunchReport> report =
      buffers.device.launch(module, kernel.name, {2, 1, 1}, extentFor(kernel, choice), dynamicBytes,
                            parameters.data(), options);
  if (report)
    (void)report->str();
  Result<std::vector<std::string>> omissions = module.omissions(kernel.name);
  if (!omissions || omissions->empty())
    return;
  options.leaveOut = static_cast<unsigned>(1 + choice % omissions->size());
  (void)buffers.device.launch(module, kernel.name, {1, 1, 1}, extentFor(kernel, choice),
                              dynamicBytes, parameters.data(), options);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  std::string_view text(reinterpret_cast<const char *>(data), size);
  Result<Module> module = Module::parse(text);
  if (!module)
    return module.error().message.empty() ? (std::abort(), 0) : 0;
  std::vector<std::string> kernels = module->kernels();
  kernels.resize(std::min(kernels.size(), kMostKernels));
  for (const std::string &name : kernels) {
    (void)module->needs(name);
    launch(*module, module->program()->functions.at(name), std::hash<std::string_view>()(text));
  }
  Device device;
  (void)device.variable(*module, "x");
  device.unload(*module);
  return 0;
}
