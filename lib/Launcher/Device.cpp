//===- Device.cpp - What is the same on all devices -----------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Device.h"

#include "fsm/Artifact/LaunchRules.h"

#include <algorithm>

using namespace fsm;

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

DeviceKernel::DeviceKernel(KernelForm form, const FsmDevice &device) : kernel(std::move(form)) {
  for (const CodeForm &code : kernel.codes) {
    int rank = device.rank(*code.code);
    if (rank < 0)
      continue;
    // Behind those that are as good: what the kernel's author has first goes first.
    auto place = std::find_if(sorted.begin(), sorted.end(), [&](const auto &other) {
      return device.rank(*other->form.code) < rank;
    });
    sorted.insert(place, std::make_unique<Choice>(code));
  }
}

static bool allHold(const CodeForm &code, const KernelSignature &signature,
                    const uint64_t *values) {
  for (size_t i = 0; i < signature.arguments.size(); ++i)
    if (!holds(code.facts[i], signature.arguments[i], values[i]))
      return false;
  return true;
}

Result<DeviceKernel::Choice *> DeviceKernel::choose(const uint64_t *values,
                                                    const FsmDevice &device) const {
  for (const std::unique_ptr<Choice> &choice : sorted)
    if (allHold(choice->form, kernel.signature, values))
      return choice.get();
  std::string has = "error: kernel @" + kernel.signature.name + " has code for ";
  if (sorted.empty())
    return Error{Error::Kind::NoDevice, has + targetsText(kernel) + "; expected some for the device '" +
                                            device.name + "' (" + device.description() + ")"};
  return badInput(has + sorted.back()->form.code->target + " where the facts '" +
                  sorted.back()->form.code->facts +
                  "' hold of the arguments; expected values of which they do, or code without facts");
}

Result<const LoadedCode *> DeviceKernel::load(Choice &choice, FsmDevice &device) {
  if (const LoadedCode *loaded = choice.loaded.load(std::memory_order_acquire))
    return loaded;
  std::lock_guard<std::mutex> lock(mutex);
  if (choice.owned)
    return choice.owned.get();
  Result<std::unique_ptr<LoadedCode>> code = device.load(kernel, choice.form);
  if (!code)
    return code.error();
  choice.owned = std::move(*code);
  choice.loaded.store(choice.owned.get(), std::memory_order_release);
  return choice.owned.get();
}

Result<DeviceKernel *> FsmDevice::find(const FsmCompiledKernel *kernel) {
  std::lock_guard<std::mutex> lock(mutex);
  std::unique_ptr<DeviceKernel> &known = kernels[kernel];
  if (known)
    return known.get();
  Result<KernelForm> form = readKernel(kernel);
  if (!form)
    return form.error();
  known = std::make_unique<DeviceKernel>(std::move(*form), *this);
  return known.get();
}

void FsmDevice::forget(const FsmCompiledKernel *kernel) {
  std::lock_guard<std::mutex> lock(mutex);
  kernels.erase(kernel);
}

void FsmDevice::release() {
  kernels.clear();
  memories.clear();
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

Result<void *> FsmDevice::allocate(uint64_t bytes) {
  if (bytes == 0)
    return nullptr;
  Result<std::unique_ptr<DeviceBytes>> memory = makeBytes(bytes);
  if (!memory)
    return memory.error();
  uintptr_t address = (*memory)->address();
  std::lock_guard<std::mutex> lock(mutex);
  memories[address] = std::move(*memory);
  return reinterpret_cast<void *>(address);
}

Result<void> FsmDevice::free(void *address) {
  if (!address)
    return {};
  std::lock_guard<std::mutex> lock(mutex);
  if (memories.erase(reinterpret_cast<uintptr_t>(address)))
    return {};
  return badInput("error: expected the begin of memory that was allocated on the device '" + name +
                  "', got another address");
}

Result<DeviceBytes *> FsmDevice::memoryOf(const void *address, uint64_t bytes, uint64_t &offset) {
  auto begin = reinterpret_cast<uintptr_t>(address);
  std::lock_guard<std::mutex> lock(mutex);
  auto next = memories.upper_bound(begin);
  DeviceBytes *memory = next == memories.begin() ? nullptr : std::prev(next)->second.get();
  offset = memory ? begin - memory->address() : 0;
  if (memory && offset <= memory->bytes() && bytes <= memory->bytes() - offset)
    return memory;
  return badInput("error: expected a copy within memory that was allocated on the device '" + name +
                  "', got " + std::to_string(bytes) + " bytes elsewhere");
}

Result<void> FsmDevice::write(void *to, const void *from, uint64_t bytes) {
  if (bytes == 0)
    return {};
  uint64_t offset = 0;
  Result<DeviceBytes *> memory = memoryOf(to, bytes, offset);
  return memory ? (*memory)->write(offset, from, bytes) : memory.error();
}

Result<void> FsmDevice::read(void *to, const void *from, uint64_t bytes) {
  if (bytes == 0)
    return {};
  uint64_t offset = 0;
  Result<DeviceBytes *> memory = memoryOf(from, bytes, offset);
  return memory ? (*memory)->read(offset, to, bytes) : memory.error();
}

/// Devices of one driver copy by themselves; others by way of the host.
static Result<void> copyBytes(DeviceBytes &to, uint64_t offset, const DeviceBytes &from,
                              uint64_t fromOffset, uint64_t bytes) {
  const cuda::Memory *target = to.gpuMemory(), *source = from.gpuMemory();
  if (target && source && &target->owner().driver() == &source->owner().driver())
    return target->copyFrom(*source, fromOffset, bytes, offset);
  std::vector<char> held(bytes);
  Result<void> done = from.read(fromOffset, held.data(), bytes);
  return done ? to.write(offset, held.data(), bytes) : done;
}

Result<void> FsmDevice::copy(void *to, FsmDevice &fromDevice, const void *from, uint64_t bytes) {
  if (bytes == 0)
    return {};
  uint64_t offset = 0, fromOffset = 0;
  Result<DeviceBytes *> target = memoryOf(to, bytes, offset);
  if (!target)
    return target.error();
  Result<DeviceBytes *> source = fromDevice.memoryOf(from, bytes, fromOffset);
  return source ? copyBytes(**target, offset, **source, fromOffset, bytes) : source.error();
}
