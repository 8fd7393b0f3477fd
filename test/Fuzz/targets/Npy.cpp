//===- Npy.cpp - NumPy's files as input -----------------------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Target.h"

#include "fsm/Tools/Arguments/Npy.h"

#include <cstdlib>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  fsm::Result<fsm::NpyArray> array = fsm::parseNpy(data, size, "input.npy");
  if (!array)
    return array.error().message.empty() ? (std::abort(), 0) : 0;
  // Nothing is asked for that the file's own size does not justify.
  if (array->data.size() > size)
    std::abort();
  uint64_t bytes = 0;
  if (!fsm::arrayBytes(array->shape, npyTypeInfo(array->type).bytes, bytes) ||
      bytes != array->data.size())
    std::abort();
  return 0;
}
