//===- RefusalTest.cpp - Sentences that no right program hears ---------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SimulatedKernel.h"

using namespace fsm::sim;

namespace {

const std::string kHead = ".version 8.0\n.target sm_90\n.address_size 64\n";

bool says(const std::string &message, const std::string &part) {
  return message.find(part) != message.npos;
}

std::string errorOf(const std::string &text) {
  auto module = Module::parse(kHead + text);
  return module ? "" : module.error().message;
}

std::string errorOfBody(const std::string &body) {
  return errorOf(".entry k() { .reg .b32 %r<3>; .reg .b64 %rd<3>; .reg .pred %p<3>;\n" + body +
                 "\n}");
}

/// What a launch of `k` by one block of `threads` is refused for.
std::string launchError(const std::string &text, uint32_t threads) {
  auto module = Module::parse(kHead + text);
  if (!module)
    return module.error().message;
  Device device;
  auto report = device.launch(*module, "k", {}, {threads}, 0, nullptr, {});
  return report ? "" : report.error().message;
}

} // namespace

TEST(Refusal, formsOfInstructions) {
  EXPECT_EQ(errorOfBody("set.lt.and.u32.u32 %r0, %r1, %r2, %p0;"),
            "5:1: error: a boolean operator of 'set' is not supported");
  EXPECT_EQ(errorOfBody("T: .branchtargets T; brx %r0, T;"),
            "5:22: error: a form other than 'brx.idx' of 'brx' is not supported");
  EXPECT_EQ(errorOfBody("shfl.idx.b32 %r0, %r1, 0, 31;"),
            "5:1: error: the form without '.sync' of 'shfl' is not supported");
  EXPECT_EQ(errorOfBody("bra 3;"), "5:1: error: expected a label after 'bra'");
  EXPECT_EQ(errorOfBody("mov.u32 %r0, 12f;"), "5:14: error: expected a number, got '12f'");
}

TEST(Refusal, declarations) {
  EXPECT_TRUE(says(errorOf(".file 1 x"), "expected a file's name in quotes, got 'x'"));
  EXPECT_TRUE(says(errorOf(".file 1 \"x\", y"), "expected a file's time or size, got 'y'"));
  EXPECT_TRUE(says(errorOf(".global .u32 7;"), "expected a variable's name, got '7'"));
  EXPECT_TRUE(says(errorOf(".entry k(.param .b8 x[40000]) { ret; }"),
                   "expected parameters of at most 32764 bytes"));
  EXPECT_TRUE(
      says(errorOf(".entry k() { .global .u32 x; ret; }"), "of a function must not be global"));
}

TEST(Refusal, blocksThatTheKernelDoesNotAllow) {
  EXPECT_EQ(launchError(".entry k() .reqntid 64 { ret; }", 32),
            "kernel 'k' needs a block of 64 x 1 x 1 threads, got 32 x 1 x 1");
  EXPECT_EQ(launchError(".entry k() .maxntid 64 { ret; }", 96),
            "kernel 'k' allows a block of at most 64 x 1 x 1 threads, got 96 x 1 x 1");
  EXPECT_EQ(launchError(".entry k() .maxntid 64 { ret; }", 64), "");
}

TEST(Refusal, addressesOfNothing) {
  Device device;
  auto address = device.alloc(16);
  ASSERT_TRUE(address);
  auto inside = device.free(*address + 8);
  ASSERT_FALSE(inside);
  EXPECT_TRUE(says(inside.error().message, "no allocation begins at the address "));
  auto holder = device.allocationOf(*address + 16);
  ASSERT_FALSE(holder);
  EXPECT_TRUE(says(holder.error().message, "no allocation holds the address "));
  auto huge = device.alloc(uint64_t(1) << 43);
  ASSERT_FALSE(huge);
  EXPECT_TRUE(says(huge.error().message, "expected an allocation of less than 8 TiB, got "));
}

TEST(Refusal, moreAllocationsThanStretches) {
  Device device;
  for (int number = 0; number < 65536; ++number)
    ASSERT_TRUE(device.alloc(1));
  auto last = device.alloc(1);
  ASSERT_FALSE(last);
  EXPECT_EQ(last.error().message, "more than 65536 allocations at once");
}

TEST(Refusal, allocationsThatNoArgumentNames) {
  SimulatedKernel kernel(kHead + ".entry k(.param .u64 x) { .reg .b64 %rd<2>; .reg .b32 %r<2>;\n"
                                 "ld.param.u64 %rd0, [x]; ld.global.u64 %rd1, [%rd0];\n"
                                 "ld.global.u32 %r0, [%rd1+16]; ret; }");
  auto hidden = kernel.device->alloc(16);
  ASSERT_TRUE(hidden);
  kernel.buffer<uint64_t>({*hidden});
  EXPECT_TRUE(
      says(kernel.run("k", {}, {1}).str(), "an allocation no argument points to (16 bytes)"));
}

TEST(Refusal, arrivalsOfCopiesTooMany) {
  SimulatedKernel kernel(kHead + ".entry k() { .reg .b32 %r<2>; .reg .b64 %rd<2>;\n"
                                 ".shared .align 8 .b64 bar; mov.u32 %r0, bar;\n"
                                 "mbarrier.init.shared.b64 [%r0], 1;\n"
                                 "mbarrier.arrive.expect_tx.shared.b64 %rd0, [%r0], 16;\n"
                                 "cp.async.mbarrier.arrive.noinc.shared.b64 [%r0];\n"
                                 "ret; }");
  EXPECT_TRUE(says(kernel.run("k", {}, {1}).str(), "brings an arrival to "));
}
