//===- Device.cpp - One GPU, real or simulated ----------------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Runtime/Device.h"

#include <algorithm>
#include <array>

using namespace fsm;
using namespace fsm::cuda;

std::optional<DeviceName> DeviceName::parse(std::string_view name) {
  size_t colon = std::min(name.find(':'), name.size());
  std::string_view kind = name.substr(0, colon), digits = name.substr(colon);
  if (kind != "cuda" && kind != "sim")
    return std::nullopt;
  DeviceName parsed;
  parsed.isSimulator = kind == "sim";
  if (digits.empty())
    return parsed;
  digits.remove_prefix(1);
  if (digits.empty() || digits.size() > 4)
    return std::nullopt;
  for (char digit : digits) {
    if (digit < '0' || digit > '9')
      return std::nullopt;
    parsed.ordinal = 10 * parsed.ordinal + (digit - '0');
  }
  return parsed;
}

std::string DeviceName::text() const {
  if (isSimulator && ordinal == 0)
    return "sim";
  return (isSimulator ? "sim:" : "cuda:") + std::to_string(ordinal);
}

ContextScope::ContextScope(const Device &device) : driver(device.driver()) {
  result = driver.contextGetCurrent(&previous);
  if (result != kSuccess || previous == device.state->context)
    return;
  result = driver.contextSetCurrent(device.state->context);
  changed = result == kSuccess;
}

ContextScope::~ContextScope() {
  if (changed)
    driver.contextSetCurrent(previous);
}

Device::State::~State() {
  if (isPrimary)
    driver->primaryContextRelease(device);
}

static Result<DeviceProperties> readProperties(const Driver &driver, int device) {
  DeviceProperties read;
  int l2Bytes = 0;
  const std::pair<int, int *> attributes[] = {
      {kCapabilityMajor, &read.major},
      {kCapabilityMinor, &read.minor},
      {kMultiprocessorCount, &read.multiprocessors},
      {kMaxRegistersPerMultiprocessor, &read.registers},
      {kMaxSharedPerMultiprocessor, &read.sharedBytes},
      {kMaxSharedPerBlockOptin, &read.sharedBytesPerCta},
      {kReservedSharedPerBlock, &read.reservedSharedBytesPerCta},
      {kWarpSize, &read.warpSize},
      {kMaxThreadsPerBlock, &read.maxThreadsPerCta},
      {kMaxThreadsPerMultiprocessor, &read.maxThreads},
      {kMaxBlocksPerMultiprocessor, &read.maxCtas},
      {kL2CacheSize, &l2Bytes},
  };
  for (auto [attribute, value] : attributes)
    if (int result = driver.deviceGetAttribute(value, attribute, device); result != kSuccess)
      return driver.errorOf(result, "read attribute " + std::to_string(attribute) + " of device " +
                                        std::to_string(device));
  read.l2Bytes = l2Bytes;
  std::array<char, 256> name{};
  if (int result = driver.deviceGetName(name.data(), static_cast<int>(name.size()) - 1, device);
      result != kSuccess)
    return driver.errorOf(result, "read the name of device " + std::to_string(device));
  read.name = name.data();
  size_t bytes = 0;
  if (int result = driver.deviceTotalMem(&bytes, device); result != kSuccess)
    return driver.errorOf(result, "read the memory size of device " + std::to_string(device));
  read.memoryBytes = bytes;
  return read;
}

static Result<int> findDevice(const Driver &driver, int ordinal) {
  Result<int> count = driver.deviceCount();
  if (!count)
    return count.error();
  if (ordinal < 0 || ordinal >= *count)
    return Error{Error::Kind::NoDevice,
                 "error: there is no device " + std::to_string(ordinal) + "; the driver '" +
                     driver.path() + "' has " +
                     (*count == 0 ? "none" : "devices 0 to " + std::to_string(*count - 1))};
  int device = 0;
  if (int result = driver.deviceGet(&device, ordinal); result != kSuccess)
    return driver.errorOf(result, "open device " + std::to_string(ordinal));
  return device;
}

Result<DeviceProperties> Device::describe(const Driver &driver, int ordinal) {
  Result<int> device = findDevice(driver, ordinal);
  if (!device)
    return device.error();
  return readProperties(driver, *device);
}

Result<Device> Device::open(std::shared_ptr<const Driver> driver, int ordinal, Context context) {
  Result<int> found = findDevice(*driver, ordinal);
  if (!found)
    return found.error();
  Result<DeviceProperties> properties = readProperties(*driver, *found);
  if (!properties)
    return properties.error();
  auto state = std::make_shared<State>();
  state->driver = driver;
  state->device = *found;
  state->properties = std::move(*properties);
  state->context = context;
  if (context)
    return Device(std::move(state));
  if (int result = driver->primaryContextRetain(&state->context, *found); result != kSuccess)
    return driver->errorOf(result, "take the context of device " + std::to_string(ordinal));
  state->isPrimary = true;
  return Device(std::move(state));
}

Result<void> Device::synchronize() const {
  ContextScope scope(*this);
  if (Result<void> entered = scope.entered(); !entered)
    return entered;
  return driver().check(driver().contextSynchronize(), "finish the work on the device");
}
