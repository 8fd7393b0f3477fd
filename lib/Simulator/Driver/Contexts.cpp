//===- Contexts.cpp - cuCtx... and primary contexts ----------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DriverState.h"

#include <algorithm>

using namespace fsm;
using namespace fsm::driver;

static bool isDevice(const DriverState &driver, CUdevice device) {
  return device >= 0 && device < driver.settings.devices;
}

FSM_DRIVER_ENTRY CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device) {
  return call(
      [&](DriverState &driver) {
        if (!context)
          return CUDA_ERROR_INVALID_VALUE;
        if (!isDevice(driver, device))
          return CUDA_ERROR_INVALID_DEVICE;
        auto primary = driver.primaries.find(device);
        if (primary == driver.primaries.end()) {
          primary = driver.primaries.emplace(device, driver.addContext(device)).first;
          primary->second->isPrimary = true;
        }
        ++primary->second->retained;
        *context = primary->second;
        return CUDA_SUCCESS;
      },
      CUDA_ERROR_OUT_OF_MEMORY);
}

FSM_DRIVER_ENTRY CUresult cuDevicePrimaryCtxRelease_v2(CUdevice device) {
  return call([&](DriverState &driver) {
    if (!isDevice(driver, device))
      return CUDA_ERROR_INVALID_DEVICE;
    auto primary = driver.primaries.find(device);
    if (primary == driver.primaries.end())
      return CUDA_ERROR_INVALID_CONTEXT;
    if (--primary->second->retained == 0)
      driver.destroy(primary->second);
    return CUDA_SUCCESS;
  });
}

FSM_DRIVER_ENTRY CUresult cuDevicePrimaryCtxRelease(CUdevice device) {
  return cuDevicePrimaryCtxRelease_v2(device);
}

FSM_DRIVER_ENTRY CUresult cuDevicePrimaryCtxReset_v2(CUdevice device) {
  return call([&](DriverState &driver) {
    if (!isDevice(driver, device))
      return CUDA_ERROR_INVALID_DEVICE;
    if (auto primary = driver.primaries.find(device); primary != driver.primaries.end())
      driver.destroy(primary->second);
    return CUDA_SUCCESS;
  });
}

FSM_DRIVER_ENTRY CUresult cuDevicePrimaryCtxGetState(CUdevice device, unsigned *flags,
                                                     int *active) {
  return call([&](DriverState &driver) {
    if (!flags || !active)
      return CUDA_ERROR_INVALID_VALUE;
    if (!isDevice(driver, device))
      return CUDA_ERROR_INVALID_DEVICE;
    *flags = 0;
    *active = driver.primaries.count(device) != 0;
    return CUDA_SUCCESS;
  });
}

FSM_DRIVER_ENTRY CUresult cuCtxCreate_v2(CUcontext *context, unsigned flags, CUdevice device) {
  return call(
      [&](DriverState &driver) {
        constexpr unsigned known = 0xff;
        if (!context || (flags & ~known))
          return CUDA_ERROR_INVALID_VALUE;
        if (!isDevice(driver, device))
          return CUDA_ERROR_INVALID_DEVICE;
        *context = driver.addContext(device);
        contextStack().push_back(*context);
        return CUDA_SUCCESS;
      },
      CUDA_ERROR_OUT_OF_MEMORY);
}

FSM_DRIVER_ENTRY CUresult cuCtxDestroy_v2(CUcontext context) {
  return call([&](DriverState &driver) {
    if (!context)
      return CUDA_ERROR_INVALID_VALUE;
    // Primary contexts are released.
    if (!driver.contexts.count(context) || context->isPrimary)
      return CUDA_ERROR_INVALID_CONTEXT;
    std::vector<CUcontext> &stack = contextStack();
    if (!stack.empty() && stack.back() == context)
      stack.pop_back();
    driver.destroy(context);
    return CUDA_SUCCESS;
  });
}

FSM_DRIVER_ENTRY CUresult cuCtxSetCurrent(CUcontext context) {
  return call([&](DriverState &driver) {
    std::vector<CUcontext> &stack = contextStack();
    if (context && !driver.contexts.count(context))
      return CUDA_ERROR_INVALID_CONTEXT;
    if (!stack.empty())
      stack.pop_back();
    if (context)
      stack.push_back(context);
    return CUDA_SUCCESS;
  });
}

FSM_DRIVER_ENTRY CUresult cuCtxGetCurrent(CUcontext *context) {
  return call([&](DriverState &driver) {
    if (!context)
      return CUDA_ERROR_INVALID_VALUE;
    *context = driver.current();
    return CUDA_SUCCESS;
  });
}

FSM_DRIVER_ENTRY CUresult cuCtxPushCurrent_v2(CUcontext context) {
  return call([&](DriverState &driver) {
    if (!context || !driver.contexts.count(context))
      return CUDA_ERROR_INVALID_CONTEXT;
    contextStack().push_back(context);
    return CUDA_SUCCESS;
  });
}

FSM_DRIVER_ENTRY CUresult cuCtxPopCurrent_v2(CUcontext *context) {
  return call([&](DriverState &) {
    std::vector<CUcontext> &stack = contextStack();
    if (stack.empty())
      return CUDA_ERROR_INVALID_CONTEXT;
    if (context)
      *context = stack.back();
    stack.pop_back();
    return CUDA_SUCCESS;
  });
}

FSM_DRIVER_ENTRY CUresult cuCtxGetDevice(CUdevice *device) {
  return call([&](DriverState &driver) {
    if (!device)
      return CUDA_ERROR_INVALID_VALUE;
    if (!driver.current())
      return CUDA_ERROR_INVALID_CONTEXT;
    *device = driver.current()->device;
    return CUDA_SUCCESS;
  });
}

FSM_DRIVER_ENTRY CUresult cuCtxSynchronize() {
  // Launches are over when they return.
  return callInContext([](DriverState &, Context &) { return CUDA_SUCCESS; });
}
