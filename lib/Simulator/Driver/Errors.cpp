//===- Errors.cpp - cuGetErrorName and cuGetErrorString ------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DriverApi.h"

using namespace fsm::driver;

// These count as no calls, so that a caller can say what failed when fail_call
// makes all of its calls fail one by one.

namespace {
struct Row {
  CUresult result;
  const char *name;
  const char *text;
};
constexpr Row kRows[] = {
#define FSM_DRIVER_RESULT(name, number, text) {name, #name, text},
#include "Results.def"
};

CUresult find(int result, const char **text, const char *Row::*field) {
  if (!text)
    return CUDA_ERROR_INVALID_VALUE;
  *text = nullptr;
  for (const Row &row : kRows)
    if (row.result == result) {
      *text = row.*field;
      return CUDA_SUCCESS;
    }
  return CUDA_ERROR_INVALID_VALUE;
}
} // namespace

FSM_DRIVER_ENTRY CUresult cuGetErrorName(int result, const char **name) {
  return find(result, name, &Row::name);
}

FSM_DRIVER_ENTRY CUresult cuGetErrorString(int result, const char **text) {
  return find(result, text, &Row::text);
}
