//===- DeviceBackend.cpp - Kernels on a GPU or the simulator --------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../DebugReport.h"
#include "Backend.h"
#include "DeviceCopies.h"
#include "DeviceGrid.h"

#include <mutex>

using namespace fsm;

/// Of all of a launch's ctas.
static uint64_t scratchBytesOf(const Specialisation &code, Grid extents) {
  return code.scratchBytes * static_cast<uint64_t>(extents.x) * static_cast<uint64_t>(extents.y) *
         static_cast<uint64_t>(extents.z);
}

namespace {
struct DeviceCode final : Specialisation {
  explicit DeviceCode(cuda::DeviceModule module) : module(std::move(module)) {}
  cuda::DeviceModule module;
};

/// The arguments of a launch on the device, with its copies.
struct Uploaded {
  DeviceCopies copies;
  ArgumentBits bits;
};

class DeviceBackend final : public Backend {
public:
  explicit DeviceBackend(std::unique_ptr<DeviceGrid> grid) : grid(std::move(grid)) {}

  std::string_view name() const override { return grid->name(); }
  std::string target() const override { return grid->target(); }
  Result<void> checkTarget(const std::string &target) const override {
    return grid->checkTarget(target);
  }
  const cuda::Device *device() const override { return &grid->device(); }
  Result<KernelReport> report(const Specialisation *code) const override;
  Result<std::unique_ptr<Specialisation>> load(const CompiledKernel &compiled) const override;
  Result<void> launch(Kernel::State &kernel, const Specialisation *code,
                      const LaunchRequest &request) override;
  Result<std::vector<double>> time(Kernel::State &kernel, const Specialisation *code, Grid grid,
                                   const std::vector<Argument> &arguments, unsigned runs) override;
  Result<void> enqueue(Kernel::State &kernel, const Specialisation *code,
                       const PackedLaunch &launch) override;

private:
  Result<Uploaded> upload(const Kernel::State &kernel, const std::vector<Argument> &arguments);
  Result<LaunchValues> valuesOf(const Kernel::State &kernel, const DeviceCode &code,
                                ArgumentBits bits, HiddenValues hidden) const;
  Result<cuda::Memory> scratchFor(const Specialisation &code, Grid extents) const {
    return cuda::Memory::allocate(grid->device(), scratchBytesOf(code, extents));
  }
  Result<void> run(const Kernel::State &kernel, const DeviceCode &code,
                   const LaunchRequest &request, ArgumentBits bits);

  Result<const cuda::MemoryPool *> scratchPool();

  /// One launch with copies at a time.
  std::mutex mutex;
  /// Of scratch of launches that nobody waits for, where there was one; guarded by a mutex of its own.
  std::mutex poolMutex;
  std::optional<cuda::MemoryPool> pool;
  std::unique_ptr<DeviceGrid> grid;
};
} // namespace

static const DeviceCode &deviceCode(const Specialisation *code) {
  return *static_cast<const DeviceCode *>(code);
}

Result<std::unique_ptr<Backend>> fsm::makeDeviceBackend(std::string_view name,
                                                        const EngineOptions &options) {
  auto grid = DeviceGrid::open(name, options);
  if (!grid)
    return grid.error();
  return std::unique_ptr<Backend>(std::make_unique<DeviceBackend>(std::move(*grid)));
}

Result<KernelReport> DeviceBackend::report(const Specialisation *code) const {
  return grid->report(deviceCode(code).module);
}

Result<std::unique_ptr<Specialisation>> DeviceBackend::load(const CompiledKernel &compiled) const {
  Result<cuda::DeviceModule> module = cuda::DeviceModule::load(grid->device(), compiled);
  if (!module)
    return module.error();
  return std::unique_ptr<Specialisation>(std::make_unique<DeviceCode>(std::move(*module)));
}

//===----------------------------------------------------------------------===//
// Launches with copies
//===----------------------------------------------------------------------===//

Result<Uploaded> DeviceBackend::upload(const Kernel::State &kernel,
                                       const std::vector<Argument> &arguments) {
  Result<DeviceCopies> copies =
      DeviceCopies::upload(grid->device(), kernel.signature, arguments);
  if (!copies)
    return copies.error();
  Result<ArgumentBits> bits = convertArguments(kernel.signature, copies->onDevice());
  if (!bits)
    return bits.error();
  if (Result<void> kept = checkPromises(kernel.signature, kernel.promises, *bits); !kept)
    return kept.error();
  return Uploaded{std::move(*copies), std::move(*bits)};
}

/// All that the device takes of a launch, with the hidden arguments.
Result<LaunchValues> DeviceBackend::valuesOf(const Kernel::State &kernel, const DeviceCode &code,
                                             ArgumentBits bits, HiddenValues hidden) const {
  Result<std::vector<cuda::TensorMap>> maps = cuda::makeTensorMaps(
      grid->device(), code.tensorMaps, kernel.signature.arguments, bits.data());
  if (!maps)
    return maps.error();
  return LaunchValues{code.allArguments(std::move(bits), hidden), code.hiddenArguments,
                      std::move(*maps)};
}

/// Runs a kernel, with a buffer for its records if it writes any.
Result<void> DeviceBackend::run(const Kernel::State &kernel, const DeviceCode &code,
                                const LaunchRequest &request, ArgumentBits bits) {
  std::optional<DeviceRecords> records;
  if (!code.debugOps.empty()) {
    Result<DeviceRecords> made =
        DeviceRecords::allocate(grid->device(), request.options.printRecords);
    if (!made)
      return made.error();
    records.emplace(std::move(*made));
  }
  Result<cuda::Memory> scratch = scratchFor(code, request.grid);
  if (!scratch)
    return scratch.error();
  Result<LaunchValues> values = valuesOf(kernel, code, std::move(bits),
                                         {request.grid.x, records ? records->address() : 0, scratch->address()});
  if (!values)
    return values.error();
  Result<void> done =
      grid->run(code.module, request.grid, std::move(*values), request.options.allowsRaces);
  auto *accesses = grid->device().driver().simulatorAccesses;
  if (done && accesses && request.options.accesses)
    request.options.accesses(accesses());
  return records ? records->report(done, code.debugOps, request.options) : done;
}

Result<void> DeviceBackend::launch(Kernel::State &kernel, const Specialisation *code,
                                   const LaunchRequest &request) {
  std::lock_guard<std::mutex> lock(mutex);
  Result<Uploaded> uploaded = upload(kernel, request.arguments);
  if (!uploaded)
    return uploaded.error();
  if (isEmpty(request.grid))
    return {};
  if (Result<void> done = run(kernel, deviceCode(code), request, std::move(uploaded->bits));
      !done)
    return done;
  return uploaded->copies.download();
}

Result<std::vector<double>> DeviceBackend::time(Kernel::State &kernel, const Specialisation *code,
                                                Grid extents,
                                                const std::vector<Argument> &arguments,
                                                unsigned runs) {
  const DeviceCode &device = deviceCode(code);
  std::lock_guard<std::mutex> lock(mutex);
  Result<Uploaded> uploaded = upload(kernel, arguments);
  if (!uploaded)
    return uploaded.error();
  ArgumentBits bits = std::move(uploaded->bits);
  if (isEmpty(extents))
    return std::vector<double>{0.0};
  LaunchOptions quiet = quietLaunch();
  std::optional<DeviceRecords> records;
  if (!device.debugOps.empty()) {
    Result<DeviceRecords> made = DeviceRecords::allocate(grid->device(), quiet.printRecords);
    if (!made)
      return made.error();
    records.emplace(std::move(*made));
  }
  Result<cuda::Memory> scratch = scratchFor(device, extents);
  if (!scratch)
    return scratch.error();
  Result<LaunchValues> values =
      valuesOf(kernel, device, std::move(bits), {extents.x, records ? records->address() : 0, scratch->address()});
  if (!values)
    return values.error();
  Result<std::vector<double>> seconds =
      grid->time(device.module, extents, std::move(*values), runs);
  if (!records)
    return seconds;
  Result<void> done = seconds ? Result<void>() : Result<void>(seconds.error());
  if (Result<void> reported = records->report(done, device.debugOps, quiet); !reported)
    return reported.error();
  return seconds;
}

//===----------------------------------------------------------------------===//
// Launches on memory of the device
//===----------------------------------------------------------------------===//

Result<const cuda::MemoryPool *> DeviceBackend::scratchPool() {
  std::lock_guard<std::mutex> lock(poolMutex);
  if (!pool) {
    Result<cuda::MemoryPool> made = cuda::MemoryPool::create(grid->device());
    if (!made)
      return made.error();
    pool.emplace(std::move(*made));
  }
  return &*pool;
}

/// Tells a launch where its scratch memory is.
static void setScratch(const Kernel::State &kernel, const Specialisation &code, const PackedLaunch &launch, uint64_t address) {
  size_t first = kernel.signature.arguments.size();
  for (size_t i = 0; i < code.hiddenArguments.size(); ++i)
    if (code.hiddenArguments[i] == HiddenArgument::Scratch)
      *static_cast<uint64_t *>(launch.pointers[first + i]) = address;
}

Result<void> DeviceBackend::enqueue(Kernel::State &kernel, const Specialisation *code,
                                    const PackedLaunch &launch) {
  const cuda::DeviceModule &module = deviceCode(code).module;
  const uint64_t bytes = scratchBytesOf(*code, launch.grid);
  if (grid->isSimulator()) {
    Result<cuda::Memory> scratch = scratchFor(*code, launch.grid);
    if (!scratch)
      return scratch.error();
    setScratch(kernel, *code, launch, scratch->address());
    // Its reports are of the launches since they were last asked for.
    std::lock_guard<std::mutex> lock(mutex);
    return grid->runNow(module, launch.grid, launch.pointers, launch.stream);
  }
  if (!bytes)
    return grid->enqueue(module, launch.grid, launch.pointers, launch.stream);
  Result<const cuda::MemoryPool *> of = scratchPool();
  if (!of)
    return of.error();
  Result<uint64_t> address = (*of)->allocate(bytes, launch.stream);
  if (!address)
    return address.error();
  setScratch(kernel, *code, launch, *address);
  Result<void> done = grid->enqueue(module, launch.grid, launch.pointers, launch.stream);
  Result<void> given = (*of)->giveBack(*address, launch.stream);
  return done ? given : done;
}
