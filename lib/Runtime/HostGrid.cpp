//===- HostGrid.cpp - Runs the programs of a grid on the host ------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Runtime/HostGrid.h"

#include <cfenv>
#include <cstdlib>
#include <string>

using namespace fsm;

/// What one launch shares with its threads.
namespace {
struct Launch {
  HostKernelFunction function;
  const void *const *arguments;
  Grid grid;
  /// One per worker, HostGrid::Scratch's data.
  char *const *scratch;
};
} // namespace

static thread_local const int32_t *running = nullptr;

const int32_t *fsm::runningProgram() { return running; }

/// Runs the programs numbered [begin, end); x varies fastest.
static void runPrograms(void *context, unsigned worker, int64_t begin, int64_t end) {
  const Launch &launch = *static_cast<const Launch *>(context);
  const Grid &grid = launch.grid;
  int64_t row = begin / grid.x;
  int32_t ids[6] = {static_cast<int32_t>(begin % grid.x),
                    static_cast<int32_t>(row % grid.y),
                    static_cast<int32_t>(row / grid.y),
                    grid.x,
                    grid.y,
                    grid.z};
  running = ids;
  for (int64_t program = begin; program < end; ++program) {
    launch.function(launch.arguments, ids, launch.scratch[worker]);
    if (++ids[0] < grid.x)
      continue;
    ids[0] = 0;
    if (++ids[1] < grid.y)
      continue;
    ids[1] = 0;
    ++ids[2];
  }
  running = nullptr;
}

HostGrid::HostGrid() : scratch(pool.workers()), scratchBytes(0) {}

HostGrid::~HostGrid() {
  for (char *memory : scratch)
    std::free(memory);
}

/// Grows every worker's scratch memory to at least `bytes`.
bool HostGrid::reserve(uint64_t bytes) {
  if (bytes <= scratchBytes)
    return true;
  uint64_t rounded = (bytes + 63) / 64 * 64;
  scratchBytes = 0;
  for (char *&memory : scratch) {
    std::free(memory);
    memory = static_cast<char *>(std::aligned_alloc(64, rounded));
    if (!memory)
      return false;
  }
  scratchBytes = rounded;
  return true;
}

Result<void> HostGrid::run(HostKernelFunction function, uint64_t bytes, Grid grid,
                           const void *const *arguments) {
  if (!reserve(bytes))
    return Error{Error::Kind::Execution, "error: out of memory for " +
                                             std::to_string(scratch.size()) + " times " +
                                             std::to_string(bytes) + " bytes of scratch"};
  // Programs round to nearest and keep denormals whatever the caller has set,
  // as the other threads do.
  std::fenv_t environment;
  std::feholdexcept(&environment);
  std::fesetenv(FE_DFL_ENV);
  Launch launch{function, arguments, grid, scratch.data()};
  pool.run(int64_t(grid.x) * grid.y * grid.z, runPrograms, &launch);
  std::fesetenv(&environment);
  return {};
}
