//===- Built.h - Runs kernels that were built ------------------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_TEST_UNIT_BUILDER_BUILT_H
#define FSM_TEST_UNIT_BUILDER_BUILT_H

#include "fsm/Builder/KernelBuilder.h"
#include "fsm/Engine/Engine.h"

#include <gtest/gtest.h>

namespace fsm::test {

template <typename T>
Argument bufferOf(std::vector<T> &values) {
  return Argument::buffer(values.data(), values.size() * sizeof(T));
}

/// Compiles and launches a kernel; the error, or nothing.
inline std::string launchBuilt(const char *device, const KernelBuilder &kernel, Grid grid,
                               const std::vector<Argument> &arguments) {
  Result<std::string> text = kernel.text();
  if (!text)
    return text.error().message;
  Result<Engine> engine = Engine::create(device, {FSM_SIMULATOR_LIBRARY, /*cacheFolder=*/{}});
  if (!engine)
    return engine.error().message;
  Result<Kernel> loaded = engine->load({*text, "built", {}});
  if (!loaded)
    return loaded.error().message + "\n" + *text;
  Result<void> done = engine->launch(*loaded, grid, arguments);
  return done ? "" : done.error().message;
}

/// `file:line:1: error: `, of a line of a test.
inline std::string placeOf(const char *file, unsigned line) {
  return std::string(file) + ":" + std::to_string(line) + ":1: error: ";
}

} // namespace fsm::test

#endif // FSM_TEST_UNIT_BUILDER_BUILT_H
