//===- TestDevice.h - The simulator, for tests of the runtime ---*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_TEST_UNIT_RUNTIME_TESTDEVICE_H
#define FSM_TEST_UNIT_RUNTIME_TESTDEVICE_H

#include "fsm/Runtime/DeviceModule.h"

#include "gtest/gtest.h"

namespace fsm::cuda {

template <typename T>
T expectValue(Result<T> result) {
  if (!result)
    ADD_FAILURE() << result.error().message;
  return std::move(*result);
}

inline std::shared_ptr<const Driver> simulator() {
  static const std::shared_ptr<const Driver> driver =
      expectValue(Driver::loadSimulator(FSM_SIMULATOR_LIBRARY));
  return driver;
}

inline Device testDevice() { return expectValue(Device::open(simulator(), 0)); }

/// Stores `value` + the thread's number, 64 threads to a CTA, at `out`.
inline CompiledKernel numbersKernel() {
  CompiledKernel kernel;
  kernel.name = "numbers";
  kernel.target = "sm_75";
  kernel.device.numWarps = 2;
  kernel.code = R"(.version 6.5
.target sm_75
.address_size 64
.visible .entry numbers(.param .u64 out, .param .u32 value)
{
  .reg .b32 %r<6>;
  .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [out];
  ld.param.u32 %r1, [value];
  mov.u32 %r2, %ctaid.x;
  mov.u32 %r3, %ntid.x;
  mov.u32 %r4, %tid.x;
  mad.lo.s32 %r5, %r2, %r3, %r4;
  mul.wide.s32 %rd2, %r5, 4;
  add.s64 %rd3, %rd1, %rd2;
  add.s32 %r5, %r5, %r1;
  st.global.u32 [%rd3], %r5;
  ret;
}
)";
  return kernel;
}

} // namespace fsm::cuda

#endif // FSM_TEST_UNIT_RUNTIME_TESTDEVICE_H
