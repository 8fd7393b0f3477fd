//===- ProcAddress.cpp - cuGetProcAddress --------------------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DriverState.h"

using namespace fsm;
using namespace fsm::driver;

FSM_DRIVER_ENTRY CUresult cuGetProcAddress_v2(const char *symbol, void **pointer, int, uint64_t,
                                              CUdriverProcAddressQueryResult *status) {
  return call(
      [&](DriverState &) {
        if (!symbol || !pointer)
          return CUDA_ERROR_INVALID_VALUE;
        *pointer = findEntryPoint(symbol);
        if (status)
          *status = *pointer ? CU_GET_PROC_ADDRESS_SUCCESS : CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
        return *pointer ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
      },
      CUDA_ERROR_UNKNOWN, false);
}
