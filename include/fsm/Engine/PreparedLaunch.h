//===- PreparedLaunch.h - Launches on memory of the device ------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_ENGINE_PREPAREDLAUNCH_H
#define FSM_ENGINE_PREPAREDLAUNCH_H

#include "fsm/Engine/Engine.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace fsm {

struct Specialisation;
namespace cuda {
struct TensorMap;
} // namespace cuda

/// A kernel with arguments of known kinds and sizes, to be launched many times. Engine::prepare
/// makes it, and that engine must outlive it. One thread uses it at a time; each may have its own.
///
/// A launch whose values were seen before makes one hash over them and one comparison, and then
/// calls the driver: it takes no lock and no memory. Other values are looked at, as those of
/// Engine::launch are: promises are checked, and code for what is known of them is found or
/// compiled.
class PreparedLaunch {
public:
  PreparedLaunch(PreparedLaunch &&);
  PreparedLaunch &operator=(PreparedLaunch &&);
  ~PreparedLaunch();

  /// How many values a launch takes: one for each argument of the kernel's author.
  size_t valueCount() const;

  /// Queues a launch on a stream (CUstream) of the engine's context, null for its default one.
  /// `values` has the bits of each argument in the low bytes, the others are ignored: an address on
  /// the device, an integer, or a float in the format of its type. On cpu and interp, which have no
  /// streams, and on the simulator the launch is done on return. Where the driver records a graph,
  /// the launch becomes part of it.
  Result<void> launch(Grid grid, const uint64_t *values, void *stream = nullptr);

  /// Checks values and generates code for them, as their first launch would. A kernel of large blocks may
  /// have other code for a grid of few programs, which only a call with that grid generates.
  Result<void> warmUp(const uint64_t *values, const Grid *grid = nullptr);

  struct Entry;

private:
  friend class Engine;
  static Result<PreparedLaunch> make(std::shared_ptr<Kernel::State> kernel,
                                     std::vector<Argument> arguments);
  PreparedLaunch(std::shared_ptr<Kernel::State> kernel, std::vector<Argument> arguments);
  Result<Entry *> find(const uint64_t *values, const Grid *grid);
  Result<void> fill(Entry &entry, const uint64_t *values);
  Result<std::vector<cuda::TensorMap>> mapsFor(const Specialisation &code,
                                               const uint64_t *values) const;

  std::shared_ptr<Kernel::State> kernel;
  /// The kinds and sizes, with the values that were filled in last.
  std::vector<Argument> arguments;
  /// By the values' hash.
  std::vector<Entry> entries;
};

} // namespace fsm

#endif // FSM_ENGINE_PREPAREDLAUNCH_H
