//===- Gpu.cpp - GPUs, and the simulator, as devices ----------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Device.h"

#include "fsm/Artifact/LaunchRules.h"
#include "fsm/Runtime/SimulatorRun.h"

#include <algorithm>

using namespace fsm;

namespace {
struct GpuCode final : LoadedCode {
  explicit GpuCode(cuda::DeviceModule module) : module(std::move(module)) {}
  cuda::DeviceModule module;
};

class GpuBytes final : public DeviceBytes {
public:
  explicit GpuBytes(cuda::Memory memory) : memory(std::move(memory)) {}
  uintptr_t address() const override { return memory.address(); }
  uint64_t bytes() const override { return memory.bytes(); }
  Result<void> write(uint64_t offset, const void *from, uint64_t bytes) override {
    return memory.copyIn(from, bytes, offset);
  }
  Result<void> read(uint64_t offset, void *to, uint64_t bytes) const override {
    return memory.copyOut(to, bytes, offset);
  }
  const cuda::Memory *gpuMemory() const override { return &memory; }

private:
  cuda::Memory memory;
};

struct GpuDevice final : FsmDevice {
  GpuDevice(std::string name, cuda::Device gpu) : FsmDevice(std::move(name)), gpu(std::move(gpu)) {}
  ~GpuDevice() override { release(); }

  int capability() const { return 10 * gpu.properties().major + gpu.properties().minor; }

  bool isGpu() const override { return true; }
  std::string description() const override {
    return gpu.properties().name + ", sm_" + std::to_string(capability());
  }
  int rank(const FsmCompiledCode &code) const override;
  Result<std::unique_ptr<LoadedCode>> load(const KernelForm &kernel, const CodeForm &form) override;
  Result<void> launch(const LoadedCode &code, Grid grid, void **pointers, void *stream) override;
  Result<void> synchronize() override { return gpu.synchronize(); }
  Result<void *> createStream() override;
  Result<void> synchronize(void *stream) override;
  Result<void> destroyStream(void *stream) override;
  Result<std::unique_ptr<DeviceBytes>> makeBytes(uint64_t bytes) override;

  cuda::Device gpu;
  /// The stream of a handle; of none the handles are the caller's or the default stream's.
  Result<const cuda::Stream *> streamOf(void *handle);

  std::mutex streamsMutex;
  std::map<void *, cuda::Stream> streams;
  /// The simulator's reports are of the launches since they were last asked for.
  std::mutex reports;
};
} // namespace

/// The newest, and of two for one GPU that which uses what it alone has.
int GpuDevice::rank(const FsmCompiledCode &code) const {
  std::string_view target = code.target;
  return runsOn(target, capability()) ? 2 * *capabilityOf(target) + (target.back() == 'a') : -1;
}

Result<std::unique_ptr<LoadedCode>> GpuDevice::load(const KernelForm &kernel,
                                                    const CodeForm &form) {
  const FsmCompiledCode &code = *form.code;
  CompiledKernel compiled;
  compiled.name = kernel.signature.name;
  compiled.target = code.target;
  compiled.code.assign(reinterpret_cast<const char *>(code.image), code.imageBytes);
  // What was made before there were clusters has none.
  uint32_t numCtas = std::max(code.numCtas, 1u);
  compiled.device = {code.numWarps, code.programsPerCta, numCtas, code.sharedBytes};
  compiled.device.overlapsLaunches = form.overlapsLaunches;
  Result<cuda::DeviceModule> module = cuda::DeviceModule::load(gpu, compiled);
  if (!module)
    return module.error();
  return std::unique_ptr<LoadedCode>(std::make_unique<GpuCode>(std::move(*module)));
}

Result<void> GpuDevice::launch(const LoadedCode &code, Grid grid, void **pointers, void *stream) {
  const cuda::DeviceModule &module = static_cast<const GpuCode &>(code).module;
  auto on = static_cast<cuda::StreamHandle>(stream);
  if (!gpu.driver().isSimulator())
    return module.launch(on, module.ctasOf(grid), pointers);
  std::lock_guard<std::mutex> lock(reports);
  cuda::announceLaunch(module, /*allowsRaces=*/false);
  Result<void> launched = module.launch(on, module.ctasOf(grid), pointers);
  return cuda::withReports(gpu.driver(), launched ? gpu.synchronize() : launched);
}

Result<void *> GpuDevice::createStream() {
  Result<cuda::Stream> made = cuda::Stream::create(gpu);
  if (!made)
    return made.error();
  void *handle = made->handle();
  std::lock_guard<std::mutex> lock(streamsMutex);
  streams.emplace(handle, std::move(*made));
  return handle;
}

Result<const cuda::Stream *> GpuDevice::streamOf(void *handle) {
  std::lock_guard<std::mutex> lock(streamsMutex);
  auto found = streams.find(handle);
  if (found != streams.end())
    return &found->second;
  return badInput("error: expected a stream that was made on the device '" + name +
                  "', got another");
}

Result<void> GpuDevice::synchronize(void *handle) {
  Result<const cuda::Stream *> stream = streamOf(handle);
  return stream ? (*stream)->synchronize() : stream.error();
}

Result<void> GpuDevice::destroyStream(void *handle) {
  Result<const cuda::Stream *> stream = streamOf(handle);
  if (!stream)
    return stream.error();
  std::lock_guard<std::mutex> lock(streamsMutex);
  streams.erase(handle);
  return {};
}

Result<std::unique_ptr<DeviceBytes>> GpuDevice::makeBytes(uint64_t bytes) {
  Result<cuda::Memory> memory = cuda::Memory::allocate(gpu, bytes);
  if (!memory)
    return memory.error();
  return std::unique_ptr<DeviceBytes>(std::make_unique<GpuBytes>(std::move(*memory)));
}

/// A driver stays loaded; the two of a process are shared by all devices.
static Result<std::shared_ptr<const cuda::Driver>> driverOf(bool isSimulator) {
  static std::mutex mutex;
  static std::shared_ptr<const cuda::Driver> loaded[2];
  std::lock_guard<std::mutex> lock(mutex);
  std::shared_ptr<const cuda::Driver> &known = loaded[isSimulator];
  if (known)
    return known;
  auto driver = isSimulator ? cuda::Driver::loadSimulator() : cuda::Driver::loadCuda();
  if (driver)
    known = *driver;
  return driver;
}

Result<std::unique_ptr<FsmDevice>> fsm::openGpu(std::string_view name, void *context) {
  std::optional<cuda::DeviceName> parsed = cuda::DeviceName::parse(name);
  if (!parsed)
    return Error{Error::Kind::NoDevice, "error: there is no device '" + std::string(name) +
                                            "'; expected cpu, cuda, cuda:N, sim or sim:N"};
  auto driver = driverOf(parsed->isSimulator);
  if (!driver)
    return driver.error();
  Result<cuda::Device> gpu =
      cuda::Device::open(*driver, parsed->ordinal, static_cast<cuda::Context>(context));
  if (!gpu)
    return gpu.error();
  return std::unique_ptr<FsmDevice>(std::make_unique<GpuDevice>(parsed->text(), std::move(*gpu)));
}

Result<int> fsm::countGpus(std::string_view name) {
  if (name != "cuda" && name != "sim")
    return badInput("error: expected the devices of cpu, cuda or sim to be counted, got '" +
                    std::string(name) + "'");
  auto driver = driverOf(name == "sim");
  return driver ? (*driver)->deviceCount() : 0;
}
