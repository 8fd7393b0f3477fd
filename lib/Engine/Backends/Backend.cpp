//===- Backend.cpp - What runs the kernels of an engine -------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Backend.h"

#include <chrono>

using namespace fsm;

Backend::~Backend() = default;

LaunchOptions fsm::quietLaunch() {
  LaunchOptions options;
  options.print = [](const std::string &) {};
  options.allowsRaces = true;
  return options;
}

Result<KernelReport> Backend::report(const Specialisation *) const {
  return badInput("error: expected a GPU or the simulator to report on, got the device '" +
                  std::string(name()) + "'");
}

Result<std::vector<double>> Backend::time(Kernel::State &kernel, const Specialisation *code,
                                          Grid grid, const std::vector<Argument> &arguments,
                                          unsigned runs) {
  std::vector<double> seconds;
  LaunchOptions quiet = quietLaunch();
  for (unsigned run = 0; run <= runs; ++run) {
    auto begin = std::chrono::steady_clock::now();
    if (Result<void> done = launch(kernel, code, {grid, arguments, quiet}); !done)
      return done.error();
    auto end = std::chrono::steady_clock::now();
    if (run > 0)
      seconds.push_back(std::chrono::duration<double>(end - begin).count());
  }
  return seconds;
}
