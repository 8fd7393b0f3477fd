//===- SimulatedThreads.h - Kernels with layouts, simulated ----*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_TEST_UNIT_CONVERSION_FSMTOGPU_SIMULATEDTHREADS_H
#define FSM_TEST_UNIT_CONVERSION_FSMTOGPU_SIMULATEDTHREADS_H

#include "fsm/Layout/LinearLayout.h"

#include <string>
#include <vector>

namespace fsm::test {

using Bytes = std::vector<uint8_t>;

/// "tensor<4x8xf32, #fsm.layout<...>>".
std::string blockType(const LinearLayout &layout, const std::string &element);

/// What a run gave, or in `error` why it did not: what the compiler says, or what the
/// simulator reports.
struct Outcome {
  Bytes out;
  std::string error;
  std::string ptx;
};

/// Lowers the body of a kernel with the arguments %out and %in, pointers to these
/// element types, gives each op scratch memory of its own, and runs one program.
Outcome runThreads(const std::string &body, unsigned numWarps, const std::string &outElement,
                   const std::string &inElement, const Bytes &in, size_t outBytes,
                   uint64_t seed = 0);

} // namespace fsm::test

#endif // FSM_TEST_UNIT_CONVERSION_FSMTOGPU_SIMULATEDTHREADS_H
