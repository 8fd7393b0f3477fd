//===- bench-compile.cpp - From text to PTX in a warm process -------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compiles the softmax examples for sm_90a again and again, with what a launch on
// 1024 columns knows of its arguments, and a product of f32 and one of f16, with
// what one on 4096 x 4096 does, and prints medians: the time until each
// stage, that of the whole, and that of finding it in the folder of a cache, the
// one which FSM_CACHE_DIR names. Then the time until each resource error. With
// --check it fails if one is above its limit.
//
//===----------------------------------------------------------------------===//

#include "fsm/Cache/KernelCache.h"
#include "fsm/Compiler/Compiler.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <string>
#include <vector>

static constexpr int kRuns = 31;
/// Milliseconds from text to PTX, of a softmax and of a product, and from text to an error.
static constexpr double kCompileLimit = 25, kProductLimit = 100, kErrorLimit = 100;

static void quit(const std::string &message) {
  std::fprintf(stderr, "bench-compile: %s\n", message.c_str());
  std::exit(1);
}

static double millisecondsOf(const std::function<void()> &work) {
  auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start)
      .count();
}

/// Of the processor, all threads together, which other work of the machine changes less.
static double processorMilliseconds() { return 1e3 * static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

/// The median; the first run, which touches pages and tables, does not count. Another median, of the processor's time, to
/// `processor`.
static double medianOf(const std::function<void()> &work, double *processor = nullptr) {
  std::vector<double> times(kRuns), busy(kRuns);
  work();
  for (int run = 0; run < kRuns; ++run) {
    double before = processorMilliseconds();
    times[run] = millisecondsOf(work);
    busy[run] = processorMilliseconds() - before;
  }
  std::sort(times.begin(), times.end());
  std::sort(busy.begin(), busy.end());
  if (processor)
    *processor = busy[kRuns / 2];
  return times[kRuns / 2];
}

//===----------------------------------------------------------------------===//
// Text to PTX
//===----------------------------------------------------------------------===//

/// What a launch on large tensors knows: aligned buffers and then `integers` multiples of 16.
static fsm::CompileOptions optionsFor(unsigned buffers, unsigned integers) {
  fsm::CompileOptions options;
  options.target = "sm_90a";
  // All of them: a pipelined loop is more to compile.
  options.numStages = 4;
  fsm::ArgumentFact buffer, integer;
  buffer.divisible = 64;
  buffer.noAlias = true;
  integer.divisible = 16;
  options.facts.assign(buffers, buffer);
  options.facts.insert(options.facts.end(), integers, integer);
  return options;
}

using Parameters = std::map<std::string, std::string>;

/// What makes a product of f16 of 16-matmul.mlir, with the tile that one of 4096 x 4096 has.
static const Parameters kHalves = {
    {"T", "f16"},  {"O", "f16"},  {"NARROW", "arith.truncf"}, {"PRECISION", "//"},
    {"BM", "128"}, {"BN", "128"}, {"BK", "64"},               {"STAGES", "4"},
};

static fsm::Source sourceOf(const std::string &fileName, Parameters parameters = {}) {
  std::ifstream file(fileName);
  std::string text{std::istreambuf_iterator<char>(file), {}};
  return {text, fileName, std::move(parameters)};
}

/// Prints the medians of one kernel; that of the whole.
static double measure(const char *name, const fsm::Source &source,
                      const fsm::CompileOptions &options) {
  std::printf("%-30s", name);
  double before = 0;
  for (const char *stage : {"fsm", "gpu", "nvvm", "llvm", "llvmir", "ptx"}) {
    double time = medianOf([&] {
      fsm::Result<std::string> text = fsm::Compiler::emit(source, options, stage);
      if (!text)
        quit(text.error().message);
    });
    std::printf(" %8.2f", time - before);
    before = time;
  }
  double processor = 0;
  double whole = medianOf(
      [&] {
        fsm::Result<fsm::CompiledKernel> kernel = fsm::Compiler::compile(source, options);
        if (!kernel)
          quit(kernel.error().message);
      },
      &processor);
  std::printf(" %8.2f %9.2f", whole, processor);
  if (std::string cached = fsm::cacheFolderOfEnvironment(); !cached.empty()) {
    fsm::KernelCache cache({cached, uint64_t(1) << 30, {}, ""});
    std::printf(" %8.3f", medianOf([&] {
      if (!cache.compile(source, options))
        quit("the cache has no kernel");
    }));
  }
  std::printf("\n");
  return whole;
}

//===----------------------------------------------------------------------===//
// Text to an error
//===----------------------------------------------------------------------===//

namespace {
/// A kernel that asks for more than there is of one resource.
struct Excess {
  const char *resource;
  /// What the error has to say.
  const char *says;
  const char *attributes, *block;
};
} // namespace

static const Excess kExcesses[] = {
    {"threads", "expected 'num_warps'", "num_warps = 64 : i32", "1024"},
    {"num_ctas", "expected 'num_ctas'", "num_warps = 4 : i32, num_ctas = 32 : i32", "1024"},
    {"max_registers", "expected 'max_registers'", "num_warps = 4 : i32, max_registers = 256 : i32",
     "1024"},
};

static const char *kCopy = R"(// param BLOCK
// param ATTRIBUTES
fsm.kernel @copy(%out: !fsm.ptr<f32>, %in: !fsm.ptr<f32>) attributes {${ATTRIBUTES}} {
  %o = fsm.range 0, ${BLOCK} : tensor<${BLOCK}xi32>
  %x = fsm.load %in[%o] : !fsm.ptr<f32>, tensor<${BLOCK}xi32> -> tensor<${BLOCK}xf32>
  fsm.store %x, %out[%o] : tensor<${BLOCK}xf32>, !fsm.ptr<f32>, tensor<${BLOCK}xi32>
  fsm.return
}
)";

/// Its elements change places through more shared memory than there is.
static const char *kSort = R"(
fsm.kernel @sort(%out: !fsm.ptr<f32>, %in: !fsm.ptr<f32>) {
  %r = fsm.range 0, 65536 : tensor<65536xi32>
  %x = fsm.load %in[%r] : !fsm.ptr<f32>, tensor<65536xi32> -> tensor<65536xf32>
  %y = fsm.sort %x axis 0 : tensor<65536xf32>
  fsm.store %y, %out[%r] : tensor<65536xf32>, !fsm.ptr<f32>, tensor<65536xi32>
  fsm.return
}
)";

/// Prints the median time until the error; that time.
static double measureError(const char *resource, const char *says, const fsm::Source &source) {
  fsm::CompileOptions options;
  options.target = "sm_90a";
  double time = medianOf([&] {
    fsm::Result<fsm::CompiledKernel> kernel = fsm::Compiler::compile(source, options);
    if (kernel)
      quit(std::string("a kernel with too many ") + resource + " compiles");
    if (kernel.error().message.find(says) == std::string::npos)
      quit(std::string("expected '") + says + "' in: " + kernel.error().message);
  });
  std::printf("%-30s %8.2f\n", resource, time);
  return time;
}

int main(int argc, char **argv) {
  bool check = false;
  std::string folder = "examples";
  for (int i = 1; i < argc; ++i) {
    std::string argument = argv[i];
    if (argument == "--check")
      check = true;
    else if (argument.rfind("--examples=", 0) == 0)
      folder = argument.substr(11);
    else
      quit("expected --check or --examples=FOLDER, got " + argument);
  }

  std::printf("milliseconds, medians of %d; a stage's time includes printing its text\n", kRuns);
  std::printf("%-30s %8s %8s %8s %8s %8s %8s %8s %9s %8s\n", "text to PTX", "fsm", "+gpu", "+nvvm",
              "+llvm", "+llvmir", "+ptx", "whole", "processor", "cached");
  double slowest = std::max(
      measure("04-softmax.mlir", sourceOf(folder + "/04-softmax.mlir"), optionsFor(2, 3)),
      measure("05-softmax-persistent.mlir", sourceOf(folder + "/05-softmax-persistent.mlir"),
              optionsFor(2, 4)));
  std::string matmul = folder + "/16-matmul.mlir";
  double product =
      std::max(measure("16-matmul.mlir", sourceOf(matmul), optionsFor(3, 6)),
               measure("f16:16-matmul.mlir", sourceOf(matmul, kHalves), optionsFor(3, 6)));
  std::printf("\n%-30s\n", "text to an error");
  double latest = measureError("shared memory", "bytes of shared memory a cta",
                               {kSort, "sort.mlir", {}});
  for (const Excess &excess : kExcesses) {
    fsm::Source source = {kCopy, "copy.mlir", {}};
    source.parameters = {{"BLOCK", excess.block}, {"ATTRIBUTES", excess.attributes}};
    latest = std::max(latest, measureError(excess.resource, excess.says, source));
  }

  if (check && slowest > kCompileLimit)
    quit("a softmax takes longer than " + std::to_string(kCompileLimit) + " ms");
  if (check && product > kProductLimit)
    quit("a product takes longer than " + std::to_string(kProductLimit) + " ms");
  if (check && latest > kErrorLimit)
    quit("an error takes longer than " + std::to_string(kErrorLimit) + " ms");
  return 0;
}
