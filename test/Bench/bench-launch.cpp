//===- bench-launch.cpp - What a prepared launch costs --------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// bench-launch [LIBRARY]: nanoseconds of a prepared launch with 6 and with 20 arguments: the
// driver's own launch of such a kernel, and through C++ and C, of values that stay, that go round
// among eight, and that are always new. Contenders take turns; medians of rounds, with the least and
// the most. LIBRARY is a driver: the one that does nothing shows what FSM adds to a GPU's own.
// Without it, the GPU's.
// bench-launch --graph: records launches into a graph of the GPU, two specialisations among them.

#include "fsm-c/fsm.h"
#include "fsm/Engine/PreparedLaunch.h"
#include "fsm/Runtime/Device.h"
#include "fsm/Runtime/Memory.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <functional>

using namespace fsm;

[[noreturn]] static void fail(const std::string &message) {
  std::fprintf(stderr, "bench-launch: %s\n", message.c_str());
  std::exit(1);
}

template <typename T>
static T valueOf(Result<T> result) {
  if (!result)
    fail(result.error().message);
  return std::move(*result);
}

static void valueOf(Result<void> result) {
  if (!result)
    fail(result.error().message);
}

static void check(FsmStatus status, FsmError *error) {
  if (status != FSM_OK)
    fail(fsmErrorText(error, nullptr));
}

/// A kernel with so many arguments, half of them pointers.
static Source sourceWith(int arguments) {
  Source source;
  source.text = "fsm.kernel @k(";
  for (int i = 0; i < arguments; ++i)
    source.text += (i ? ", %a" : "%a") + std::to_string(i) + (i % 2 ? ": i32" : ": !fsm.ptr<f32>");
  source.text += ") {\n  fsm.return\n}\n";
  return source;
}

/// A kernel of the driver's own that takes the same and does nothing.
static std::string ptxWith(int arguments) {
  std::string text = ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k(";
  for (int i = 0; i < arguments; ++i)
    text += std::string(i ? ", .param " : ".param ") + (i % 2 ? ".u32 a" : ".u64 a") + std::to_string(i);
  return text + ")\n{\n  ret;\n}\n";
}

namespace {
/// One way to launch, and what a launch took in each round, in nanoseconds.
struct Contender {
  const char *name;
  std::function<void(uint64_t *values)> launch;
  std::function<uint64_t(int number)> change;
  std::vector<double> rounds;
};

/// A kernel with some arguments that do not matter to it.
struct Values {
  explicit Values(int count) {
    for (int i = 0; i < count; ++i) {
      bits.push_back(i % 2 ? 48 : 65536 * (i + 1));
      arguments.push_back(i % 2 ? Argument::integer(48) : Argument::deviceBuffer(bits[i], 256));
      given.push_back({i % 2 ? FSM_INTEGER : FSM_DEVICE_BUFFER, 0, bits[i], 256, 48, 0.0});
    }
  }
  std::vector<uint64_t> bits;
  std::vector<Argument> arguments;
  std::vector<FsmArgument> given;
};

/// The driver alone, with the function loaded and the arguments where it wants them.
class BareLaunch {
public:
  BareLaunch(const cuda::Driver &driver, int count) : driver(driver), pointers(count) {
    cuda::ModuleHandle module;
    check(driver.moduleLoadDataEx(&module, ptxWith(count).c_str(), 0, nullptr, nullptr));
    check(driver.moduleGetFunction(&function, module, "k"));
  }
  void operator()(uint64_t *values) {
    for (size_t i = 0; i < pointers.size(); ++i)
      pointers[i] = &values[i];
    check(driver.launchKernel(function, 1, 1, 1, 128, 1, 1, 0, nullptr, pointers.data(), nullptr));
  }

private:
  void check(int result) {
    if (Result<void> done = driver.check(result, "launch"); !done)
      fail(done.error().message);
  }
  const cuda::Driver &driver;
  cuda::FunctionHandle function;
  std::vector<void *> pointers;
};

/// The same through fsm-c/fsm.h, on the GPU.
class LaunchInC {
public:
  LaunchInC(const Source &text, const Values &values) {
    FsmError *error = nullptr;
    check(fsmEngineCreate("cuda", 4, &engine, &error), error);
    FsmSource source = {text.text.data(), text.text.size(), nullptr, 0, nullptr, 0};
    check(fsmKernelLoad(engine, &source, nullptr, 0, &kernel, &error), error);
    check(fsmPrepare(kernel, values.given.data(), values.given.size(), &prepared, &error), error);
    count = values.given.size();
  }
  void operator()(uint64_t *values) {
    FsmError *error;
    check(fsmPreparedLaunch(prepared, 1, 1, 1, values, count, nullptr, &error), error);
  }

private:
  FsmEngine *engine;
  FsmKernel *kernel;
  FsmPrepared *prepared;
  size_t count;
};
} // namespace

static void measure(std::vector<Contender> &contenders, const cuda::Driver &driver, const Values &values) {
  constexpr int launches = 500, rounds = 61;
  std::vector<uint64_t> bits = values.bits;
  for (int round = 0; round < rounds; ++round)
    for (Contender &contender : contenders) {
      auto begin = std::chrono::steady_clock::now();
      for (int i = 0; i < launches; ++i) {
        bits[0] = 65536 + 256 * contender.change(i);
        contender.launch(bits.data());
      }
      std::chrono::duration<double, std::nano> time = std::chrono::steady_clock::now() - begin;
      contender.rounds.push_back(time.count() / launches);
      driver.contextSynchronize();
    }
  for (Contender &contender : contenders) {
    std::sort(contender.rounds.begin(), contender.rounds.end());
    std::printf("%zu arguments: %6.0f ns (%.0f to %.0f) %s\n", bits.size(), contender.rounds[rounds / 2],
                contender.rounds.front(), contender.rounds.back(), contender.name);
  }
}

static void measureLaunches(Engine &engine, const cuda::Device &device, int count) {
  bool isGpu = !device.driver().isSimulator() && engine.device() != "sim";
  Values values(count);
  Kernel kernel = valueOf(engine.load(sourceWith(count)));
  PreparedLaunch prepared = valueOf(engine.prepare(kernel, values.arguments));
  auto launch = [&](uint64_t *bits) { valueOf(prepared.launch({1, 1, 1}, bits)); };
  auto same = [](int) { return uint64_t(0); };
  uint64_t next = 0;
  std::vector<Contender> contenders = {
      {"through C++, the same values", launch, same, {}},
      {"through C++, one of eight", launch, [](int i) { return uint64_t(i % 8); }, {}},
      {"through C++, new values", launch, [&](int) { return ++next; }, {}}};
  std::optional<LaunchInC> inC;
  std::optional<BareLaunch> bare;
  if (isGpu) {
    inC.emplace(sourceWith(count), values);
    contenders.insert(contenders.begin() + 1, {"through C, the same values", std::ref(*inC), same, {}});
  }
  bare.emplace(device.driver(), count);
  contenders.insert(contenders.begin(), {"cuLaunchKernel", std::ref(*bare), same, {}});
  measure(contenders, device.driver(), values);
}

/// The driver's calls for graphs, which FSM itself has no need of.
template <typename Call>
static Call driverCall(const char *name) {
  static void *library = dlopen("libcuda.so.1", RTLD_NOW);
  void *call = library ? dlsym(library, name) : nullptr;
  if (!call)
    fail(std::string("the driver has no ") + name);
  return reinterpret_cast<Call>(call);
}

/// Launches of one prepared kernel with two lengths, of which one is a multiple of 16 and the other is
/// not, become part of a graph; what it leaves in memory says whether each ran with its own code.
static int recordGraph(Engine &engine) {
  Source source;
  source.text = "fsm.kernel @add(%x: !fsm.ptr<i32>, %n: i32) {\n"
                "  %r = fsm.range 0, 256 : tensor<256xi32>\n"
                "  %k = fsm.splat %n : tensor<256xi32>\n"
                "  %mask = arith.cmpi slt, %r, %k : tensor<256xi32>\n"
                "  %old = fsm.load %x[%r], %mask : !fsm.ptr<i32>, tensor<256xi32> -> tensor<256xi32>\n"
                "  %new = arith.addi %old, %k : tensor<256xi32>\n"
                "  fsm.store %new, %x[%r], %mask : tensor<256xi32>, !fsm.ptr<i32>, tensor<256xi32>\n"
                "  fsm.return\n}\n";
  cuda::Memory memory = valueOf(engine.allocate(256 * sizeof(int)));
  int host[256] = {};
  valueOf(memory.copyIn(host, sizeof(host)));
  Kernel kernel = valueOf(engine.load(source));
  PreparedLaunch prepared = valueOf(engine.prepare(
      kernel, {Argument::deviceBuffer(memory.address(), sizeof(host)), Argument::integer(16)}));
  uint64_t even[] = {memory.address(), 160}, odd[] = {memory.address(), 33};
  valueOf(prepared.warmUp(even));
  valueOf(prepared.warmUp(odd));
  void *stream = nullptr, *recorded = nullptr, *executable = nullptr;
  auto done = [](int result) {
    if (result)
      fail("the driver gives error " + std::to_string(result));
  };
  done(driverCall<int (*)(void **, unsigned)>("cuStreamCreate")(&stream, 1));
  done(driverCall<int (*)(void *, int)>("cuStreamBeginCapture_v2")(stream, 2));
  for (int i = 0; i < 3; ++i) {
    valueOf(prepared.launch({1, 1, 1}, even, stream));
    valueOf(prepared.launch({1, 1, 1}, odd, stream));
  }
  done(driverCall<int (*)(void *, void **)>("cuStreamEndCapture")(stream, &recorded));
  done(driverCall<int (*)(void **, void *, unsigned long long)>("cuGraphInstantiateWithFlags")(&executable,
                                                                                              recorded, 0));
  for (int replay = 0; replay < 2; ++replay)
    done(driverCall<int (*)(void *, void *)>("cuGraphLaunch")(executable, stream));
  done(driverCall<int (*)(void *)>("cuStreamSynchronize")(stream));
  valueOf(memory.copyOut(host, sizeof(host)));
  for (int i = 0; i < 256; ++i)
    if (host[i] != (i < 160 ? 6 * 160 : 0) + (i < 33 ? 6 * 33 : 0))
      fail("element " + std::to_string(i) + " is " + std::to_string(host[i]));
  std::printf("a graph of 6 launches, replayed twice: right\n");
  return 0;
}

int main(int argc, char **argv) {
  EngineOptions options;
  bool graph = argc > 1 && std::strcmp(argv[1], "--graph") == 0;
  bool isGpu = argc < 2 || graph;
  options.simulatorLibrary = isGpu ? "" : argv[1];
  auto driver = valueOf(isGpu ? cuda::Driver::loadCuda() : cuda::Driver::load(argv[1]));
  cuda::Device device = valueOf(cuda::Device::open(driver, 0));
  cuda::ContextScope scope(device);
  Engine engine = valueOf(Engine::create(isGpu ? "cuda" : "sim", options));
  if (graph)
    return recordGraph(engine);
  for (int count : {6, 20})
    measureLaunches(engine, device, count);
  return 0;
}
