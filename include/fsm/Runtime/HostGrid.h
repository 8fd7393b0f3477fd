//===- HostGrid.h - Runs the programs of a grid on the host ----*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_RUNTIME_HOSTGRID_H
#define FSM_RUNTIME_HOSTGRID_H

#include "fsm/Artifact/CompiledKernel.h"
#include "fsm/Artifact/Launch.h"
#include "fsm/Runtime/ThreadPool.h"
#include "fsm/Support/Result.h"

#include <vector>

namespace fsm {

/// Runs compiled programs on a pool of threads, each with scratch memory of its
/// own that grows to what the kernels need. One grid at a time.
class HostGrid {
public:
  HostGrid();
  ~HostGrid();
  HostGrid(const HostGrid &) = delete;
  HostGrid &operator=(const HostGrid &) = delete;

  unsigned workers() const { return pool.workers(); }

  /// Runs every program; `arguments` has one pointer to each argument's value,
  /// `bytes` is the scratch memory of one program. The grid's extents are
  /// positive and their product fits an int64_t.
  Result<void> run(HostKernelFunction function, uint64_t bytes, Grid grid,
                   const void *const *arguments);

private:
  bool reserve(uint64_t bytes);

  ThreadPool pool;
  /// Per worker, aligned to 64 bytes.
  std::vector<char *> scratch;
  uint64_t scratchBytes;
};

/// x, y and z of the program that this thread runs on the CPU, or null; for handlers of signals.
const int32_t *runningProgram();

} // namespace fsm

#endif // FSM_RUNTIME_HOSTGRID_H
