//===- HostModule.h - A host object that can be called ---------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_HOSTJIT_HOSTMODULE_H
#define FSM_HOSTJIT_HOSTMODULE_H

#include "fsm/Artifact/CompiledKernel.h"
#include "fsm/Support/Result.h"

#include <memory>

namespace fsm {

/// The code of a kernel compiled for the host, in executable memory. It is
/// freed with this object.
class HostModule {
public:
  /// Links the object; what it calls is found in this process.
  static Result<HostModule> load(const CompiledKernel &kernel);

  HostModule(HostModule &&);
  HostModule &operator=(HostModule &&);
  ~HostModule();

  HostKernelFunction entry() const { return function; }

private:
  struct State;
  HostModule(std::unique_ptr<State> state, HostKernelFunction function);
  std::unique_ptr<State> state;
  HostKernelFunction function;
};

} // namespace fsm

#endif // FSM_HOSTJIT_HOSTMODULE_H
