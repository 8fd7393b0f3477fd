//===- DeviceQueries.cpp - cuInit and cuDevice... ------------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DriverState.h"

#include <algorithm>
#include <cstring>

using namespace fsm;
using namespace fsm::driver;

FSM_DRIVER_ENTRY CUresult cuInit(unsigned flags) {
  return call(
      [&](DriverState &driver) {
        if (flags)
          return CUDA_ERROR_INVALID_VALUE;
        if (!driver.badSettings.empty()) {
          driver.reports += driver.badSettings + "\n";
          return CUDA_ERROR_INVALID_VALUE;
        }
        if (!driver.settings.devices)
          return CUDA_ERROR_NO_DEVICE;
        driver.isInitialized = true;
        return CUDA_SUCCESS;
      },
      CUDA_ERROR_UNKNOWN, false);
}

FSM_DRIVER_ENTRY CUresult cuDriverGetVersion(int *version) {
  return call(
      [&](DriverState &driver) {
        if (!version)
          return CUDA_ERROR_INVALID_VALUE;
        *version = static_cast<int>(driver.settings.driverVersion);
        return CUDA_SUCCESS;
      },
      CUDA_ERROR_UNKNOWN, false);
}

FSM_DRIVER_ENTRY CUresult cuDeviceGetCount(int *count) {
  return call([&](DriverState &driver) {
    if (!count)
      return CUDA_ERROR_INVALID_VALUE;
    *count = static_cast<int>(driver.settings.devices);
    return CUDA_SUCCESS;
  });
}

/// The body of a query of a device that writes to `result`.
template <typename T, typename F>
static CUresult query(CUdevice device, T *result, F body) {
  return call([&](DriverState &driver) {
    if (!result)
      return CUDA_ERROR_INVALID_VALUE;
    if (device < 0 || device >= driver.settings.devices)
      return CUDA_ERROR_INVALID_DEVICE;
    return body(driver);
  });
}

FSM_DRIVER_ENTRY CUresult cuDeviceGet(CUdevice *device, int ordinal) {
  return query(ordinal, device, [&](DriverState &) {
    *device = ordinal;
    return CUDA_SUCCESS;
  });
}

FSM_DRIVER_ENTRY CUresult cuDeviceGetName(char *name, int length, CUdevice device) {
  return query(device, name, [&](DriverState &) {
    static constexpr char text[] = "FSM simulator";
    if (length <= 0)
      return CUDA_ERROR_INVALID_VALUE;
    size_t count = std::min(sizeof(text) - 1, static_cast<size_t>(length) - 1);
    std::memcpy(name, text, count);
    name[count] = 0;
    return CUDA_SUCCESS;
  });
}

FSM_DRIVER_ENTRY CUresult cuDeviceGetUuid(CUuuid *uuid, CUdevice device) {
  return query(device, uuid, [&](DriverState &) {
    std::memcpy(uuid->bytes, "FSM simulator\0\0", sizeof(uuid->bytes));
    return CUDA_SUCCESS;
  });
}

FSM_DRIVER_ENTRY CUresult cuDeviceGetUuid_v2(CUuuid *uuid, CUdevice device) {
  return cuDeviceGetUuid(uuid, device);
}

FSM_DRIVER_ENTRY CUresult cuDeviceTotalMem_v2(size_t *bytes, CUdevice device) {
  return query(device, bytes, [&](DriverState &driver) {
    *bytes = static_cast<size_t>(driver.settings.memoryBytes);
    return CUDA_SUCCESS;
  });
}

FSM_DRIVER_ENTRY CUresult cuDeviceTotalMem(unsigned *bytes, CUdevice device) {
  // The driver's first form has room for 4 GiB only.
  return query(device, bytes, [&](DriverState &driver) {
    *bytes = static_cast<unsigned>(std::min<long>(driver.settings.memoryBytes, 0xffffffff));
    return CUDA_SUCCESS;
  });
}

FSM_DRIVER_ENTRY CUresult cuDeviceGetAttribute(int *value, int attribute, CUdevice device) {
  return query(device, value, [&](DriverState &driver) {
    constexpr int lastKnown = 147;
    const Settings &settings = driver.settings;
    if (attribute < 1 || attribute > lastKnown)
      return CUDA_ERROR_INVALID_VALUE;
    *value = 0;
    switch (attribute) {
#define FSM_DEVICE_ATTRIBUTE(name, number, answer)                                                 \
  case number:                                                                                     \
    *value = answer;                                                                               \
    break;
#include "DeviceAttributes.def"
    }
    return CUDA_SUCCESS;
  });
}
