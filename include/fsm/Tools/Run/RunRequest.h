//===- RunRequest.h - What the options of fsm-run ask for --*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_TOOLS_RUN_RUNREQUEST_H
#define FSM_TOOLS_RUN_RUNREQUEST_H

#include "fsm/Compiler/Compiler.h"
#include "fsm/Tools/Arguments/ArgumentValue.h"
#include "fsm/Tools/Run/RunOptions.h"

#include <vector>

namespace fsm {

/// The kernel that the options name, or the only one of the file.
Result<KernelSignature> pickKernel(const RunOptions &options,
                                   const std::vector<KernelSignature> &kernels);

/// Divides the extents of a grid by the parameters that they name.
Result<void> divideGrid(RunOptions &options, const Source &source);

/// Adds what --tune=auto tries: the domains that the file gives those of its parameters that have no
/// value in the options.
Result<void> addDomains(RunOptions &options);

/// The text of the file, with its parameters.
Result<Source> readSource(const RunOptions &options);

/// The arguments' values, where the options want them.
Result<std::vector<ArgumentValue>> makeArguments(const RunOptions &options,
                                                 const KernelSignature &signature);

/// How the kernel is compiled.
Result<CompileOptions> compileOptionsFor(const RunOptions &options,
                                         const KernelSignature &signature);

} // namespace fsm

#endif // FSM_TOOLS_RUN_RUNREQUEST_H
