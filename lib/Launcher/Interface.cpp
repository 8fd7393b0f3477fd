//===- Interface.cpp - The functions of fsm-runtime.h ---------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Device.h"

#include "fsm/Artifact/LaunchRules.h"
#include "fsm/Support/Status.h"

#include <array>

using namespace fsm;

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

static std::string &lastError() {
  thread_local std::string text;
  return text;
}

/// The thread hears of an error.
static FsmStatus tell(const Error &error) {
  lastError() = error.message;
  return statusOf(error.kind);
}

static FsmStatus tell(const Result<void> &done) { return done ? FSM_OK : tell(done.error()); }

uint32_t fsmRuntimeVersion(void) { return FSM_RUNTIME_VERSION; }

const char *fsmRuntimeError(void) { return lastError().c_str(); }

//===----------------------------------------------------------------------===//
// Devices
//===----------------------------------------------------------------------===//

static Result<std::unique_ptr<FsmDevice>> open(const char *name, void *context) {
  if (Result<void> given = checkGiven(name, "the name of a device"); !given)
    return given.error();
  std::string_view wanted = name;
  if (wanted == "cpu")
    return openHost();
  Result<std::unique_ptr<FsmDevice>> gpu = openGpu(wanted.empty() ? "cuda" : wanted, context);
  if (!gpu && wanted.empty())
    return openHost();
  return gpu;
}

FsmStatus fsmDeviceCount(const char *name, int32_t *count) {
  if (Result<void> given = checkGiven(name, "the name of a kind of devices"); !given)
    return tell(given);
  if (Result<void> given = checkGiven(count, "a place for a count"); !given)
    return tell(given);
  Result<int> found = std::string_view(name) == "cpu" ? Result<int>(1) : countGpus(name);
  if (!found)
    return tell(found.error());
  *count = *found;
  return FSM_OK;
}

FsmStatus fsmDeviceOpen(const char *name, void *context, FsmDevice **device) {
  if (Result<void> given = checkGiven(device, "a place for a device"); !given)
    return tell(given);
  Result<std::unique_ptr<FsmDevice>> opened = open(name, context);
  if (!opened)
    return tell(opened.error());
  *device = opened->release();
  return FSM_OK;
}

const char *fsmDeviceName(const FsmDevice *device) { return device ? device->name.c_str() : ""; }

FsmStatus fsmDeviceSynchronize(FsmDevice *device) {
  Result<void> given = checkGiven(device, "a device");
  return tell(given ? device->synchronize() : given);
}

void fsmDeviceClose(FsmDevice *device) { delete device; }

FsmStatus fsmDeviceAllocate(FsmDevice *device, uint64_t bytes, void **address) {
  for (auto [pointer, what] : {std::pair<const void *, const char *>{device, "a device"},
                               {address, "a place for an address"}})
    if (Result<void> given = checkGiven(pointer, what); !given)
      return tell(given);
  Result<void *> memory = device->allocate(bytes);
  if (!memory)
    return tell(memory.error());
  *address = *memory;
  return FSM_OK;
}

FsmStatus fsmDeviceFree(FsmDevice *device, void *address) {
  Result<void> given = checkGiven(device, "a device");
  return tell(given ? device->free(address) : given);
}

FsmStatus fsmDeviceWrite(FsmDevice *device, void *to, const void *from, uint64_t bytes) {
  Result<void> given = checkGiven(device, "a device");
  return tell(given ? device->write(to, from, bytes) : given);
}

FsmStatus fsmDeviceRead(FsmDevice *device, void *to, const void *from, uint64_t bytes) {
  Result<void> given = checkGiven(device, "a device");
  return tell(given ? device->read(to, from, bytes) : given);
}

FsmStatus fsmDeviceCopy(FsmDevice *toDevice, void *to, FsmDevice *fromDevice, const void *from,
                        uint64_t bytes) {
  for (const FsmDevice *device : {toDevice, fromDevice})
    if (Result<void> given = checkGiven(device, "a device"); !given)
      return tell(given);
  return tell(toDevice->copy(to, *fromDevice, from, bytes));
}

//===----------------------------------------------------------------------===//
// Streams
//===----------------------------------------------------------------------===//

FsmStatus fsmDeviceStreamCreate(FsmDevice *device, void **stream) {
  if (Result<void> given = checkGiven(device, "a device"); !given)
    return tell(given);
  if (Result<void> given = checkGiven(stream, "a place for a stream"); !given)
    return tell(given);
  Result<void *> made = device->createStream();
  if (!made)
    return tell(made.error());
  *stream = *made;
  return FSM_OK;
}

FsmStatus fsmDeviceStreamSynchronize(FsmDevice *device, void *stream) {
  Result<void> given = checkGiven(device, "a device");
  return tell(given ? device->synchronize(stream) : given);
}

FsmStatus fsmDeviceStreamDestroy(FsmDevice *device, void *stream) {
  Result<void> given = checkGiven(device, "a device");
  return tell(given ? device->destroyStream(stream) : given);
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

static Result<DeviceKernel *> kernelOn(const FsmCompiledKernel *kernel, FsmDevice *device) {
  if (Result<void> given = checkGiven(kernel, "a kernel"); !given)
    return given.error();
  if (Result<void> given = checkGiven(device, "a device"); !given)
    return given.error();
  return device->find(kernel);
}

namespace {
/// Values as a kernel takes them: pointers to each. Few of them need no memory.
class PackedValues {
public:
  PackedValues(const uint64_t *given, size_t count, const std::vector<HiddenArgument> &hidden,
               Grid grid) {
    size_t all = count + hidden.size();
    if (all > few.size())
      many.resize(all);
    uint64_t *values = many.empty() ? few.data() : many.data();
    std::copy(given, given + count, values);
    HiddenValues known{grid.x, 0};
    for (size_t i = 0; i < hidden.size(); ++i)
      values[count + i] = known.bitsOf(hidden[i]);
    if (all > fewPointers.size())
      manyPointers.resize(all);
    first = manyPointers.empty() ? fewPointers.data() : manyPointers.data();
    for (size_t i = 0; i < all; ++i)
      first[i] = values + i;
  }
  PackedValues(const PackedValues &) = delete;
  PackedValues &operator=(const PackedValues &) = delete;

  void **pointers() { return first; }

private:
  std::array<uint64_t, 32> few;
  std::array<void *, 32> fewPointers;
  std::vector<uint64_t> many;
  std::vector<void *> manyPointers;
  void **first;
};
} // namespace

static Result<void> launch(const FsmCompiledKernel *kernel, FsmDevice *device, void *stream,
                           Grid grid, const uint64_t *values) {
  Result<DeviceKernel *> found = kernelOn(kernel, device);
  if (!found)
    return found.error();
  const KernelForm &form = (*found)->form();
  size_t count = form.signature.arguments.size();
  if (count != 0)
    if (Result<void> given = checkGiven(values, "values"); !given)
      return given;
  if (Result<void> checked = checkGrid(form.signature, grid, device->isGpu()); !checked)
    return checked;
  if (Result<void> kept = checkPromises(form.signature, form.promises, values, count); !kept)
    return kept;
  Result<DeviceKernel::Choice *> choice = (*found)->choose(values, *device);
  if (!choice)
    return choice.error();
  Result<const LoadedCode *> code = (*found)->load(**choice, *device);
  if (!code)
    return code.error();
  if (grid.x == 0 || grid.y == 0 || grid.z == 0)
    return {};
  PackedValues packed(values, count, (*choice)->form.hiddenArguments, grid);
  return device->launch(**code, grid, packed.pointers(), stream);
}

FsmStatus fsmCompiledLaunch(const FsmCompiledKernel *kernel, FsmDevice *device, void *stream,
                            int32_t x, int32_t y, int32_t z, const uint64_t *values) {
  return tell(launch(kernel, device, stream, {x, y, z}, values));
}

static Result<void> loadAll(const FsmCompiledKernel *kernel, FsmDevice *device) {
  Result<DeviceKernel *> found = kernelOn(kernel, device);
  if (!found)
    return found.error();
  for (const auto &choice : (*found)->choices())
    if (Result<const LoadedCode *> code = (*found)->load(*choice, *device); !code)
      return code.error();
  return {};
}

FsmStatus fsmCompiledLoad(const FsmCompiledKernel *kernel, FsmDevice *device) {
  return tell(loadAll(kernel, device));
}

static Result<void> unload(const FsmCompiledKernel *kernel, FsmDevice *device) {
  if (Result<void> given = checkGiven(kernel, "a kernel"); !given)
    return given;
  if (Result<void> given = checkGiven(device, "a device"); !given)
    return given;
  device->forget(kernel);
  return {};
}

FsmStatus fsmCompiledUnload(const FsmCompiledKernel *kernel, FsmDevice *device) {
  return tell(unload(kernel, device));
}

const char *fsmCompiledTarget(const FsmCompiledKernel *kernel, FsmDevice *device,
                              const uint64_t *values) {
  Result<DeviceKernel *> found = kernelOn(kernel, device);
  if (!found)
    return tell(found.error()), nullptr;
  if (!(*found)->form().signature.arguments.empty())
    if (Result<void> given = checkGiven(values, "values"); !given)
      return tell(given), nullptr;
  Result<DeviceKernel::Choice *> choice = (*found)->choose(values, *device);
  if (!choice)
    return tell(choice.error()), nullptr;
  return (*choice)->form.code->target;
}
