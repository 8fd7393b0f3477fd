//===- LaunchTest.cpp - Modules and launches through the driver --------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DriverLibrary.h"

#include <chrono>
#include <fstream>
#include <limits>
#include <sstream>
#include <thread>

using namespace fsm::driver;

namespace {

std::string readPtx(const std::string &name) {
  std::ifstream file(std::string(FSM_SIMULATOR_PTX_DIR) + "/" + name);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

std::string moduleFor(const std::string &body, const std::string &target = "sm_90",
                      const std::string &version = "8.4") {
  return ".version " + version + "\n.target " + target +
         "\n.address_size 64\n.extern .shared .align 16 .b8 dynamic[];\n" + body;
}

const char *const kScale = R"(
.visible .entry scale(.param .u64 in, .param .u64 out, .param .u32 n) {
.reg .b64 %d<6>; .reg .b32 %r<6>; .reg .pred %p<2>;
mov.u32 %r1, %tid.x;
ld.param.u32 %r2, [n];
setp.ge.u32 %p1, %r1, %r2;
@%p1 ret;
ld.param.u64 %d1, [in]; ld.param.u64 %d2, [out];
mul.wide.u32 %d3, %r1, 4;
add.u64 %d4, %d1, %d3; add.u64 %d5, %d2, %d3;
ld.global.u32 %r3, [%d4];
shl.b32 %r4, %r3, 1;
st.global.u32 [%d5], %r4;
ret; })";

class DriverLaunch : public DriverTest {
protected:
  /// in: 800 values; out: as many places.
  void SetUp() override {
    DriverTest::SetUp();
    module = load(moduleFor(kScale));
    scale = find(module, "scale");
    in = alloc(3200);
    out = alloc(3200);
    std::vector<unsigned> values(800);
    for (unsigned index = 0; index < 800; ++index)
      values[index] = index;
    const void *from = values.data();
    EXPECT_EQ(cu("cuMemcpyHtoD_v2", in, from, size_t(3200)), CUDA_SUCCESS);
  }
  int run(unsigned n, unsigned threads = 1024) {
    count = n;
    return launch(scale, 1, threads, {&in, &out, &count});
  }

  CUmodule module = nullptr;
  CUfunction scale = nullptr;
  CUdeviceptr in = 0, out = 0;
  unsigned count = 0;
};

TEST_F(DriverLaunch, runs) {
  EXPECT_EQ(run(800), CUDA_SUCCESS);
  EXPECT_EQ(cu("cuCtxSynchronize"), CUDA_SUCCESS);
  std::vector<unsigned> result(800);
  void *to = result.data();
  EXPECT_EQ(cu("cuMemcpyDtoH_v2", to, out, size_t(3200)), CUDA_SUCCESS);
  for (unsigned index = 0; index < 800; ++index)
    EXPECT_EQ(result[index], 2 * index);
  EXPECT_EQ(reports(), "");
  auto counter =
      reinterpret_cast<long long (*)(const char *)>(dlsym(library(), "fsmSimulatorCounter"));
  // 25 warps, two accesses each, four sectors of 32 bytes an access.
  EXPECT_EQ(counter("global_accesses"), 50);
  EXPECT_EQ(counter("global_sectors"), 200);
  EXPECT_EQ(counter("colour"), -1);
  auto accesses = reinterpret_cast<const char *(*)()>(dlsym(library(), "fsmSimulatorAccesses"));
  EXPECT_EQ(std::string(accesses()).substr(0, 40), "global memory: 50 accesses, 200 sectors\n");
}

/// The same through the buffer of cuLaunchKernel's last argument, and the configuration.
TEST_F(DriverLaunch, otherWaysToLaunch) {
  struct {
    CUdeviceptr in, out;
    unsigned n;
  } values{in, out, 800};
  size_t bytes = sizeof(values);
  void *extra[] = {reinterpret_cast<void *>(kLaunchBufferPointer), &values,
                   reinterpret_cast<void *>(kLaunchBufferSize), &bytes, nullptr};
  void **list = extra, **none = nullptr;
  CUstream stream = nullptr;
  EXPECT_EQ(cu("cuLaunchKernel", scale, 1u, 1u, 1u, 1024u, 1u, 1u, 0u, stream, none, list),
            CUDA_SUCCESS);
  bytes = 8;
  EXPECT_EQ(cu("cuLaunchKernel", scale, 1u, 1u, 1u, 1024u, 1u, 1u, 0u, stream, none, list),
            CUDA_ERROR_INVALID_VALUE);
  CUlaunchAttribute attribute{};
  attribute.id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
  for (unsigned &extent : attribute.value.clusterExtents)
    extent = 1;
  CUlaunchConfig config{1, 1, 1, 1024, 1, 1, 0, nullptr, &attribute, 1};
  const CUlaunchConfig *pointer = &config;
  void *parameters[] = {&values.in, &values.out, &values.n};
  void **given = parameters;
  EXPECT_EQ(cu("cuLaunchKernelEx", pointer, scale, given, none), CUDA_SUCCESS);
  attribute.value.clusterExtents[1] = 2;
  EXPECT_EQ(cu("cuLaunchKernelEx", pointer, scale, given, none), CUDA_ERROR_NOT_SUPPORTED);
  attribute.value.clusterExtents[1] = 1;
  attribute.value.clusterExtents[0] = 2;
  EXPECT_EQ(cu("cuLaunchKernelEx", pointer, scale, given, none), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(reports(), "cuLaunchKernel: kernel 'scale' has clusters of 2 blocks along x, got a grid "
                       "of 1 x 1 x 1 blocks\n");
  config.gridDimX = 2;
  EXPECT_EQ(cu("cuLaunchKernelEx", pointer, scale, given, none), CUDA_SUCCESS);
}

/// A launch that may begin before the ones before it have ended is of a kernel that waits for them.
TEST_F(DriverLaunch, overlaps) {
  CUlaunchAttribute attribute{};
  attribute.id = CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION;
  CUlaunchConfig config{1, 1, 1, 1024, 1, 1, 0, nullptr, &attribute, 1};
  const CUlaunchConfig *pointer = &config;
  count = 800;
  void *parameters[] = {&in, &out, &count};
  void **given = parameters, **none = nullptr;
  EXPECT_EQ(cu("cuLaunchKernelEx", pointer, scale, given, none), CUDA_SUCCESS);
  EXPECT_EQ(reports(), "");
  attribute.value.overlaps = 1;
  cu("cuLaunchKernelEx", pointer, scale, given, none);
  EXPECT_NE(reports().find("early access: "), std::string::npos);
}

/// A cluster of more blocks than fit every part of a GPU is only for a kernel that says it may be so.
TEST_F(DriverLaunch, largeClusters) {
  CUlaunchAttribute attribute{};
  attribute.id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
  attribute.value.clusterExtents[1] = attribute.value.clusterExtents[2] = 1;
  CUlaunchConfig config{16, 1, 1, 32, 1, 1, 0, nullptr, &attribute, 1};
  const CUlaunchConfig *pointer = &config;
  void *parameters[] = {&in, &out, &count};
  void **given = parameters, **none = nullptr;
  auto launched = [&](unsigned blocks) {
    attribute.value.clusterExtents[0] = blocks;
    return cu("cuLaunchKernelEx", pointer, scale, given, none);
  };
  int allowed = 1;
  EXPECT_EQ(cu("cuFuncGetAttribute", &allowed, CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED,
               scale),
            CUDA_SUCCESS);
  EXPECT_EQ(allowed, 0);
  EXPECT_EQ(launched(8), CUDA_SUCCESS);
  EXPECT_EQ(launched(16), CUDA_ERROR_INVALID_CLUSTER_SIZE);
  EXPECT_EQ(cu("cuFuncSetAttribute", scale, CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED, 1),
            CUDA_SUCCESS);
  EXPECT_EQ(launched(16), CUDA_SUCCESS);
}

TEST_F(DriverLaunch, limits) {
  EXPECT_EQ(run(0, 1025), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(reports(), "cuLaunchKernel: kernel 'scale' takes blocks of at most 1024 threads (16 "
                       "registers each) and 49152 bytes of dynamic shared memory, got a grid of "
                       "1 x 1 x 1 blocks of 1025 x 1 x 1 threads with 0 bytes\n");
  EXPECT_EQ(run(0, 0), CUDA_ERROR_INVALID_VALUE);
  void **none = nullptr;
  void *parameters[] = {&in, &out, &count};
  void **given = parameters;
  CUstream stream = nullptr;
  EXPECT_EQ(cu("cuLaunchKernel", scale, 1u, 65536u, 1u, 32u, 1u, 1u, 0u, stream, given, none),
            CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cu("cuLaunchKernel", scale, 1u, 1u, 1u, 32u, 1u, 1u, 0u, stream, none, none),
            CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(launch(nullptr, 1, 32, {}), CUDA_ERROR_INVALID_HANDLE);
  EXPECT_EQ(cu("cuModuleUnload", module), CUDA_SUCCESS);
  EXPECT_EQ(run(800), CUDA_ERROR_INVALID_HANDLE);
  EXPECT_EQ(cu("cuModuleUnload", module), CUDA_ERROR_INVALID_HANDLE);
}

TEST_F(DriverLaunch, dynamicSharedMemory) {
  unsigned shared = 48 * 1024 + 4;
  EXPECT_EQ(launch(scale, 1, 32, {&in, &out, &count}, shared), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cu("cuFuncSetAttribute", scale, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
               227 * 1024 + 1),
            CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(
      cu("cuFuncSetAttribute", scale, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 227 * 1024),
      CUDA_SUCCESS);
  EXPECT_EQ(launch(scale, 1, 32, {&in, &out, &count}, shared), CUDA_SUCCESS);
  EXPECT_EQ(attribute(scale, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES), 227 * 1024);
}

/// The failure is told by the next call and stays; the report says where and by how much.
TEST_F(DriverLaunch, outOfBoundsIsSticky) {
  EXPECT_EQ(cu("fsmSimulatorNameArgument", in, "%in"), CUDA_SUCCESS);
  EXPECT_EQ(cu("fsmSimulatorNameArgument", in + 4, "%in"), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(run(802), CUDA_SUCCESS);
  EXPECT_EQ(cu("cuCtxSynchronize"), CUDA_ERROR_ILLEGAL_ADDRESS);
  EXPECT_EQ(cu("cuMemFree_v2", out), CUDA_ERROR_ILLEGAL_ADDRESS);
  EXPECT_EQ(run(800), CUDA_ERROR_ILLEGAL_ADDRESS);
  std::string text = reports();
  EXPECT_NE(text.find("reads 4 bytes, 4 bytes past the end of argument %in (3200 bytes)"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("program (0, 0, 0), warp 25, lane 0"), std::string::npos) << text;
  EXPECT_NE(text.find("argument 1 ('out', 3200 bytes)"), std::string::npos) << text;
  EXPECT_EQ(reports(), "");
}

/// Words of 8 bytes that hold the number, where they are whole in the host's memory, and the lower half
/// of one at the end.
TEST_F(DriverLaunch, unwrittenWords) {
  const uint64_t number = 0x7FF1A2B3FFD3C4E5;
  alignas(8) unsigned values[15] = {};
  const auto low = static_cast<unsigned>(number), high = static_cast<unsigned>(number >> 32);
  auto copy = [&](unsigned first, size_t count) {
    const void *from = values + first;
    EXPECT_EQ(cu("cuMemcpyHtoD_v2", in, from, 4 * count), CUDA_SUCCESS);
    EXPECT_EQ(run(static_cast<unsigned>(count)), CUDA_SUCCESS);
    return cu("cuCtxSynchronize");
  };
  EXPECT_EQ(configure("unwritten", static_cast<long>(number)), 0);
  // In the middle of two words, and the wrong half at the end.
  values[3] = values[14] = low;
  values[4] = high;
  EXPECT_EQ(copy(0, 14), CUDA_SUCCESS);
  values[12] = high;
  EXPECT_EQ(copy(0, 13), CUDA_SUCCESS);
  // A copy that begins in the middle of a word begins behind it.
  values[0] = low;
  values[1] = high;
  EXPECT_EQ(copy(1, 12), CUDA_SUCCESS);
  EXPECT_EQ(configure("unwritten", 0), 0);
  EXPECT_EQ(copy(0, 15), CUDA_SUCCESS);
  EXPECT_EQ(configure("unwritten", static_cast<long>(number)), 0);
  values[0] = 0;
  EXPECT_EQ(copy(0, 15), CUDA_ERROR_LAUNCH_FAILED);
  std::string text = reports();
  EXPECT_NE(text.find("uninitialized memory"), std::string::npos) << text;
  EXPECT_NE(text.find("lane 14"), std::string::npos) << text;
  EXPECT_EQ(configure("unwritten", 0), 0);
}

TEST_F(DriverLaunch, unwrittenWord) {
  const long number = 0x7FF1A2B3FFD3C4E5;
  long values[8] = {0, 0, 0, number};
  const void *from = values;
  EXPECT_EQ(configure("unwritten", number), 0);
  EXPECT_EQ(cu("cuMemcpyHtoD_v2", in, from, sizeof(values)), CUDA_SUCCESS);
  EXPECT_EQ(run(6), CUDA_SUCCESS);
  EXPECT_EQ(cu("cuCtxSynchronize"), CUDA_SUCCESS);
  EXPECT_EQ(run(8), CUDA_SUCCESS);
  EXPECT_EQ(cu("cuCtxSynchronize"), CUDA_ERROR_LAUNCH_FAILED);
  EXPECT_EQ(configure("unwritten", 0), 0);
}

TEST_F(DriverLaunch, misalignedAddress) {
  in += 2;
  EXPECT_EQ(run(1), CUDA_SUCCESS);
  EXPECT_EQ(cu("cuCtxSynchronize"), CUDA_ERROR_MISALIGNED_ADDRESS);
}

TEST_F(DriverLaunch, endlessLoop) {
  EXPECT_EQ(configure("max_steps", 1000), CUDA_SUCCESS);
  CUfunction loop = find(load(moduleFor(".visible .entry loop() { A: bra A; }")), "loop");
  EXPECT_EQ(launch(loop, 1, 32, {}), CUDA_SUCCESS);
  EXPECT_EQ(cu("cuCtxSynchronize"), CUDA_ERROR_LAUNCH_TIMEOUT);
  EXPECT_NE(reports().find("too many steps"), std::string::npos);
}

/// Somebody who waits for a launch may end it from another thread.
TEST_F(DriverLaunch, stoppedFromOutside) {
  EXPECT_EQ(configure("max_steps", std::numeric_limits<long>::max()), CUDA_SUCCESS);
  CUfunction loop = find(load(moduleFor(".visible .entry loop() { A: bra A; }")), "loop");
  std::thread stopping([] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    stop(1);
  });
  EXPECT_EQ(launch(loop, 3, 64, {}), CUDA_SUCCESS);
  stopping.join();
  stop(0);
  EXPECT_EQ(cu("cuCtxSynchronize"), CUDA_ERROR_LAUNCH_TIMEOUT);
  EXPECT_NE(reports().find("the launch was stopped"), std::string::npos);
}

TEST_F(DriverLaunch, trap) {
  CUfunction trap = find(load(moduleFor(".visible .entry t() { trap; }")), "t");
  EXPECT_EQ(launch(trap, 1, 32, {}), CUDA_SUCCESS);
  EXPECT_EQ(cu("cuCtxSynchronize"), CUDA_ERROR_LAUNCH_FAILED);
}

/// What a GPU would not notice fails only in strict mode; it is reported in both.
TEST_F(DriverLaunch, strict) {
  std::swap(in, out); // `out` was never written.
  for (long strict : {0, 1}) {
    EXPECT_EQ(configure("strict", strict), CUDA_SUCCESS);
    EXPECT_EQ(run(1), CUDA_SUCCESS);
    EXPECT_EQ(cu("cuCtxSynchronize"), strict ? CUDA_ERROR_LAUNCH_FAILED : CUDA_SUCCESS);
    EXPECT_NE(reports().find("which was never written"), std::string::npos);
  }
}

/// What is read too early shows when copies land: the old bytes or the new ones.
TEST_F(DriverLaunch, landing) {
  CUfunction early =
      find(load(moduleFor(".visible .entry early(.param .u64 in, .param .u64 out) {"
                          ".reg .b64 %d<3>; .reg .b32 %r<2>; .shared .align 4 .b8 s[4];"
                          "ld.param.u64 %d1, [in]; ld.param.u64 %d2, [out];"
                          "cp.async.ca.shared.global [s], [%d1+28], 4; ld.shared.u32 %r1, [s];"
                          "cp.async.wait_all; st.global.u32 [%d2], %r1; ret; }")),
           "early");
  EXPECT_EQ(configure("strict", 0), CUDA_SUCCESS);
  EXPECT_EQ(configure("landing", 4), CUDA_ERROR_INVALID_VALUE);
  for (auto [landing, expected] : {std::pair(0, 0u), {1, 7u}, {2, 0u}}) {
    EXPECT_EQ(configure("landing", landing), CUDA_SUCCESS);
    EXPECT_EQ(launch(early, 1, 1, {&in, &out}), CUDA_SUCCESS);
    EXPECT_EQ(cu("cuCtxSynchronize"), CUDA_SUCCESS);
    unsigned value = 1;
    void *to = &value;
    EXPECT_EQ(cu("cuMemcpyDtoH_v2", to, out, size_t(4)), CUDA_SUCCESS);
    EXPECT_EQ(value, expected) << landing;
    EXPECT_NE(reports().find("asynchronous copy: reads byte 0"), std::string::npos);
  }
}

TEST_F(DriverLaunch, sourceLines) {
  CUfunction wrong = find(load(readPtx("checks.ptx")), "boundsWrong");
  CUdeviceptr x = alloc(400);
  int n = 100;
  EXPECT_EQ(launch(wrong, 4, 32, {&x, &n}), CUDA_SUCCESS);
  EXPECT_EQ(cu("cuCtxSynchronize"), CUDA_ERROR_ILLEGAL_ADDRESS);
  EXPECT_EQ(reports().rfind("checks.cu:5: out of bounds: ", 0), 0u);
}

//===----------------------------------------------------------------------===//
// Modules
//===----------------------------------------------------------------------===//

TEST_F(DriverLaunch, errorsOfTheCompiler) {
  struct Case {
    std::string text;
    int result;
    const char *sentence;
  };
  const Case cases[] = {
      {moduleFor(".visible .entry k() { frobnicate; }"), CUDA_ERROR_INVALID_PTX,
       "5:23: error: unknown instruction 'frobnicate'"},
      {moduleFor(kScale, "sm_100"), CUDA_ERROR_INVALID_PTX,
       "the module is for 'sm_100'; the device is of sm_90"},
      {moduleFor(kScale, "banana"), CUDA_ERROR_INVALID_PTX,
       "expected a target such as 'sm_90', got 'banana'"},
      {moduleFor(kScale, "sm_90", "9.1"), CUDA_ERROR_UNSUPPORTED_PTX_VERSION,
       "the module is of PTX 9.1; this driver reads PTX up to 9.0"},
      {moduleFor(kScale, "sm_90", "new"), CUDA_ERROR_INVALID_PTX,
       "1:10: error: expected a version such as '8.4', got 'new'"},
      {".target sm_90\n", CUDA_ERROR_INVALID_PTX, "expected '.version' before anything else"},
      {moduleFor(".visible .entry k() { .shared .b8 x[49153]; ret; }"), CUDA_ERROR_INVALID_PTX,
       "kernel 'k' has 49153 bytes of static shared memory; it may have at most 49152"},
      {moduleFor(".func f(); .visible .entry k() { call f; ret; }"), CUDA_ERROR_INVALID_PTX,
       "5:34: error: call of 'f', which the module does not define"},
      {" \n", CUDA_ERROR_INVALID_IMAGE, "expected PTX text, got an empty one"},
      {"\x7f"
       "ELF",
       CUDA_ERROR_NO_BINARY_FOR_GPU, "expected PTX text, got machine code"},
  };
  for (const Case &one : cases) {
    char log[200] = "", info[8] = "x";
    CUmodule loaded = nullptr;
    CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES,
                              CU_JIT_INFO_LOG_BUFFER, CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES};
    void *values[] = {log, reinterpret_cast<void *>(sizeof(log)), info,
                      reinterpret_cast<void *>(sizeof(info))};
    const void *image = one.text.c_str();
    CUjit_option *given = options;
    void **settings = values;
    EXPECT_EQ(cu("cuModuleLoadDataEx", &loaded, image, 4u, given, settings), one.result);
    EXPECT_STREQ(log, one.sentence);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(values[1]), std::string(one.sentence).size());
    EXPECT_STREQ(info, "");
    EXPECT_EQ(loaded, nullptr);
    // A log that is too short holds the begin.
    values[1] = reinterpret_cast<void *>(5);
    EXPECT_EQ(cu("cuModuleLoadDataEx", &loaded, image, 2u, given, settings), one.result);
    EXPECT_EQ(std::string(log), std::string(one.sentence).substr(0, 4));
  }
}

TEST_F(DriverLaunch, targetsFitTheDevice) {
  auto loads = [&](const char *target) {
    std::string text = moduleFor(kScale, target);
    const void *image = text.c_str();
    CUmodule loaded = nullptr;
    return cu("cuModuleLoadData", &loaded, image) == CUDA_SUCCESS;
  };
  EXPECT_TRUE(loads("sm_75"));
  EXPECT_TRUE(loads("sm_90a"));
  EXPECT_EQ(configure("compute_capability_major", 10), CUDA_SUCCESS);
  EXPECT_TRUE(loads("sm_90"));
  EXPECT_TRUE(loads("sm_100"));
  EXPECT_FALSE(loads("sm_90a"));
  EXPECT_EQ(configure("compute_capability_major", 8), CUDA_SUCCESS);
  EXPECT_TRUE(loads("sm_80"));
  EXPECT_FALSE(loads("sm_90"));
}

TEST_F(DriverLaunch, namesOfAModule) {
  CUfunction none = nullptr;
  const char *unknown = "nothing", *table = "table";
  EXPECT_EQ(cu("cuModuleGetFunction", &none, module, unknown), CUDA_ERROR_NOT_FOUND);
  CUmodule other = load(moduleFor(".global .align 4 .b32 table[3] = {1, 2, 3};"));
  CUdeviceptr address = 0;
  size_t bytes = 0;
  EXPECT_EQ(cu("cuModuleGetGlobal_v2", &address, &bytes, other, unknown), CUDA_ERROR_NOT_FOUND);
  EXPECT_EQ(cu("cuModuleGetGlobal_v2", &address, &bytes, other, table), CUDA_SUCCESS);
  EXPECT_EQ(bytes, 12u);
  int values[3] = {};
  void *to = values;
  EXPECT_EQ(cu("cuMemcpyDtoH_v2", to, address, bytes), CUDA_SUCCESS);
  EXPECT_EQ(values[2], 3);
}

//===----------------------------------------------------------------------===//
// Resources
//===----------------------------------------------------------------------===//

/// A kernel that keeps `live` registers of 32 bits at once.
std::string keeping(unsigned live, const std::string &attributes = "",
                    const std::string &shared = "") {
  std::string body, n = std::to_string(live);
  for (unsigned index = 0; index < live; ++index)
    body += "ld.volatile.shared.u32 %r" + std::to_string(index) + ", [dynamic];\n";
  for (unsigned index = 0; index < live; ++index)
    body += "st.volatile.shared.u32 [dynamic], %r" + std::to_string(index) + ";\n";
  return moduleFor(".visible .entry k() " + attributes + " { " + shared + ".reg .b32 %r<" + n +
                   ">;\n" + body + "ret; }");
}

TEST_F(DriverLaunch, attributesOfAFunction) {
  CUfunction k = find(load(keeping(41, ".maxntid 256", ".shared .align 4 .b8 s[100]; ")), "k");
  EXPECT_EQ(attribute(k, CU_FUNC_ATTRIBUTE_NUM_REGS), 48);
  EXPECT_EQ(attribute(k, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK), 256);
  EXPECT_EQ(attribute(k, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES), 100);
  EXPECT_EQ(attribute(k, CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES), 0);
  EXPECT_EQ(attribute(k, CU_FUNC_ATTRIBUTE_PTX_VERSION), 90);
  EXPECT_EQ(attribute(k, CU_FUNC_ATTRIBUTE_BINARY_VERSION), 90);
  EXPECT_EQ(attribute(k, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES), 48 * 1024 - 100);
  EXPECT_EQ(cu("cuFuncSetCacheConfig", k, 1u), CUDA_SUCCESS);
  EXPECT_EQ(cu("cuFuncSetCacheConfig", k, 9u), CUDA_ERROR_INVALID_VALUE);
  int value = 0;
  EXPECT_EQ(cu("cuFuncGetAttribute", &value, CUfunction_attribute(99), k),
            CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(launch(k, 1, 288, {}), CUDA_ERROR_INVALID_VALUE);
}

TEST_F(DriverLaunch, asManyThreadsAsTheKernelNeeds) {
  CUfunction k = find(load(moduleFor(".visible .entry k() .reqntid 256 { ret; }")), "k");
  EXPECT_EQ(attribute(k, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK), 256);
  EXPECT_EQ(launch(k, 1, 256, {}), CUDA_SUCCESS);
  EXPECT_EQ(launch(k, 1, 128, {}), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(reports(),
            "cuLaunchKernel: kernel 'k' takes blocks of 256 threads (16 registers each) "
            "and 49152 bytes of dynamic shared memory, got a grid of 1 x 1 x 1 blocks of "
            "128 x 1 x 1 threads with 0 bytes\n");
}

/// 128 registers: 65536 / 128 = 512 threads.
TEST_F(DriverLaunch, registersLimitTheBlock) {
  CUfunction k = find(load(keeping(128)), "k");
  EXPECT_EQ(attribute(k, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK), 512);
  EXPECT_EQ(launch(k, 1, 544, {}), CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES);
}

TEST_F(DriverLaunch, occupancy) {
  struct Case {
    unsigned registers;
    int threads;
    size_t shared;
    int blocks;
  };
  const Case cases[] = {
      {16, 32, 0, 32},         // 32 blocks are the most
      {16, 128, 0, 16},        // 2048 threads / 128
      {16, 1024, 0, 2},        // 2048 / 1024
      {64, 128, 0, 8},         // 64 * 32 = 2048 a warp; 16384 / 2048 * 4 = 32 warps / 4
      {80, 256, 0, 3},         // 2560 a warp; 6 * 4 = 24 warps / 8
      {16, 128, 49152, 4},     // 233472 / (49152 + 1024)
      {16, 128, 227 * 1024, 1} // 233472 / 233472
  };
  for (const Case &one : cases) {
    CUfunction k = find(load(keeping(one.registers)), "k");
    EXPECT_EQ(
        cu("cuFuncSetAttribute", k, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 227 * 1024),
        CUDA_SUCCESS);
    int blocks = -1;
    EXPECT_EQ(
        cu("cuOccupancyMaxActiveBlocksPerMultiprocessor", &blocks, k, one.threads, one.shared),
        CUDA_SUCCESS);
    EXPECT_EQ(blocks, one.blocks) << one.registers << " registers, " << one.threads;
  }
  int blocks = -1;
  EXPECT_EQ(cu("cuOccupancyMaxActiveBlocksPerMultiprocessor", &blocks, scale, 0, size_t(0)),
            CUDA_ERROR_INVALID_VALUE);
}

} // namespace
