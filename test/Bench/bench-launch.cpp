//===- bench-launch.cpp - What a prepared launch costs --------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// bench-launch [LIBRARY]: nanoseconds of a prepared launch with 6 and with 20 arguments, of values
// that stay, that go round among eight, and that are always new. LIBRARY is a driver: the one that
// does nothing shows what FSM adds to a GPU's own. Without it, the GPU's.

#include "fsm/Engine/PreparedLaunch.h"

#include <algorithm>
#include <chrono>
#include <cstdio>

using namespace fsm;

/// A kernel with so many arguments, half of them pointers.
static Source sourceWith(int arguments) {
  Source source;
  source.text = "fsm.kernel @k(";
  for (int i = 0; i < arguments; ++i)
    source.text += (i ? ", %a" : "%a") + std::to_string(i) + (i % 2 ? ": i32" : ": !fsm.ptr<f32>");
  source.text += ") {\n  fsm.return\n}\n";
  return source;
}

/// The best of some rounds, in nanoseconds a launch; `change` gives the number of the values.
template <typename Change>
static double measure(PreparedLaunch &prepared, std::vector<uint64_t> values, Change change) {
  constexpr int launches = 2000;
  double best = 1e9;
  for (int round = 0; round < 30; ++round) {
    auto begin = std::chrono::steady_clock::now();
    for (int i = 0; i < launches; ++i) {
      values[0] = 65536 + 256 * change(i);
      if (Result<void> done = prepared.launch({1, 1, 1}, values.data()); !done) {
        std::fprintf(stderr, "%s\n", done.error().message.c_str());
        return 0;
      }
    }
    std::chrono::duration<double, std::nano> time = std::chrono::steady_clock::now() - begin;
    best = std::min(best, time.count() / launches);
  }
  return best;
}

int main(int argc, char **argv) {
  EngineOptions options;
  options.simulatorLibrary = argc > 1 ? argv[1] : "";
  Result<Engine> engine = Engine::create(argc > 1 ? "sim" : "cuda", options);
  for (int count : {6, 20}) {
    Result<Kernel> kernel = engine ? engine->load(sourceWith(count)) : engine.error();
    std::vector<Argument> arguments;
    std::vector<uint64_t> values;
    for (int i = 0; i < count; ++i) {
      values.push_back(i % 2 ? 48 : 65536 * (i + 1));
      arguments.push_back(i % 2 ? Argument::integer(48) : Argument::deviceBuffer(values[i], 256));
    }
    Result<PreparedLaunch> prepared =
        kernel ? engine->prepare(*kernel, arguments) : Result<PreparedLaunch>(kernel.error());
    if (!prepared) {
      std::fprintf(stderr, "%s\n", prepared.error().message.c_str());
      return 1;
    }
    double same = measure(*prepared, values, [](int) { return 0; });
    double known = measure(*prepared, values, [](int i) { return i % 8; });
    uint64_t next = 0;
    double fresh = measure(*prepared, values, [&](int) { return ++next; });
    std::printf("%d arguments: %.0f ns the same, %.0f ns known, %.0f ns new\n", count, same, known,
                fresh);
  }
  return 0;
}
