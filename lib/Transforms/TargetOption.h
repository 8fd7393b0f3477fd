//===- TargetOption.h - The GPU that a pass is for -------------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_TRANSFORMS_TARGETOPTION_H
#define FSM_TRANSFORMS_TARGETOPTION_H

#include "fsm/IR/FSMDialect.h"
#include "fsm/Machine/GpuTarget.h"

namespace fsm {

/// The GPU of that name, as a pass has it for an option; an error of the kernel and null for
/// others.
inline const GpuTarget *targetOrError(KernelOp kernel, llvm::StringRef name) {
  const GpuTarget *target = findGpuTarget(name);
  if (!target)
    kernel.emitError() << "unknown GPU target '" << name << "'; expected one of "
                       << gpuTargetNames();
  return target;
}

/// A pass over the kernels of a GPU that changes attributes at the most.
template <typename Base>
struct PassForTarget : Base {
  using Base::Base;

  virtual llvm::LogicalResult runFor(KernelOp kernel, const GpuTarget &gpu) = 0;

  void runOnOperation() final {
    this->markAllAnalysesPreserved();
    KernelOp kernel = this->getOperation();
    const GpuTarget *gpu = targetOrError(kernel, this->target);
    if (!gpu || failed(runFor(kernel, *gpu)))
      this->signalPassFailure();
  }
};

} // namespace fsm

#endif // FSM_TRANSFORMS_TARGETOPTION_H
