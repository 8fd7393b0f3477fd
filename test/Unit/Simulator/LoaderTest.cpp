//===- LoaderTest.cpp - PTX that asks for what there is not ------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Sizes, alignments and names of modules that no compiler writes. Each of these once took
// the host's memory, its time, or wrote where it should not; most are refused with a place.

#include "SimulatedKernel.h"

using namespace fsm::sim;

namespace {

const std::string kHead = ".version 8.0\n.target sm_80\n.address_size 64\n";

std::string errorOf(const std::string &text) {
  auto module = Module::parse(kHead + text);
  return module ? "" : module.error().message;
}

/// What a launch of `k` without arguments is refused for.
std::string launchError(const std::string &text, Extent block) {
  auto module = Module::parse(kHead + text);
  if (!module)
    return module.error().message;
  Device device;
  auto report = device.launch(*module, "k", {}, block, 0, nullptr, {});
  return report ? report->str() : report.error().message;
}

std::string repeated(unsigned count, const std::string &before, const std::string &after) {
  std::string text;
  for (unsigned number = 0; number < count; ++number)
    text += before + std::to_string(number) + after;
  return text;
}

TEST(Loader, alignments) {
  const std::string sentence = "expected an alignment that is a power of two up to 65536, got ";
  EXPECT_EQ(
      errorOf(".entry k(.param .b8 a[64], .param .align 18446744073709551615 .b8 b) { ret; }"),
      "4:42: error: " + sentence + "18446744073709551615");
  EXPECT_EQ(errorOf(".shared .align 0 .b8 x;"), "4:16: error: " + sentence + "0");
  EXPECT_EQ(errorOf(".global .align 12 .b8 x;"), "4:16: error: " + sentence + "12");
  EXPECT_EQ(errorOf(".entry k() { .local .align 131072 .b8 x; }"),
            "4:28: error: " + sentence + "131072");
  // What a pointer promises of where it points takes no room.
  EXPECT_EQ(errorOf(".entry k(.param .u64 .ptr .global .align 1073741824 p) { ret; }"), "");
  EXPECT_EQ(errorOf(".entry k(.param .u64 .ptr .global .align 4294967296 p) { ret; }"),
            "4:42: error: expected an alignment that is a power of two up to 2147483648, got "
            "4294967296");
  EXPECT_EQ(errorOf(".entry k(.param .align 131072 .u64 .ptr p) { ret; }"),
            "4:24: error: " + sentence + "131072");
}

TEST(Loader, numbers) {
  EXPECT_EQ(errorOf(".global .b8 x[18446744073709551616];"),
            "4:15: error: expected a number of at most 64 bits, got '18446744073709551616'");
  EXPECT_EQ(errorOf(".entry k() .maxntid 4294967296, 1, 1 { ret; }"),
            "4:21: error: expected 1 to 1024 threads, got 4294967296");
  EXPECT_EQ(errorOf(".entry k() .reqntid 32, 0 { ret; }"),
            "4:25: error: expected 1 to 1024 threads, got 0");
  // The least of 64 bits has no negation.
  EXPECT_EQ(errorOf(".entry k() { .reg .b32 %r<2>; "
                    "ld.shared.b32 %r1, [%r0-9223372036854775808]; ret; }"),
            "");
}

TEST(Loader, types) {
  EXPECT_EQ(errorOf(".shared .align 8 x[8];"),
            "4:18: error: expected a type of whole bytes before the variable's name, got 'x'");
  EXPECT_EQ(errorOf(".entry k() { .local .pred p; }"),
            "4:27: error: expected a type of whole bytes before the variable's name, got 'p'");
  EXPECT_EQ(errorOf(".entry k(.param .pred p) { ret; }"),
            "4:23: error: expected a type of whole bytes before the parameter's name, got 'p'");
}

TEST(Loader, extents) {
  EXPECT_EQ(errorOf(".global .b8 x[65536][65536];"),
            "4:22: error: expected a variable of at most 2^31 elements");
  EXPECT_EQ(errorOf(".entry k() { .local .b8 x[524289]; ret; }"),
            "4:25: error: expected at most 524288 bytes of parameters, of local or of shared "
            "memory up to 'x', got 524289");
  EXPECT_EQ(errorOf(".entry k(.param .b8 a[32764], .param .b8 b) { ret; }"),
            "4:42: error: expected at most 32764 bytes of parameters, of local or of shared "
            "memory up to 'b', got 32765");
  EXPECT_EQ(errorOf(".entry k() { .shared .b8 x[16777217]; ret; }"),
            "4:26: error: expected at most 16777216 bytes of parameters, of local or of shared "
            "memory up to 'x', got 16777217");
  EXPECT_EQ(launchError(repeated(3, ".func f", "() { .local .b8 x[262144]; ret; } ") +
                            ".entry k() { call f0; call f1; call f2; ret; }",
                        {}),
            "4:134: error: kernel 'k' and what it calls need 786432 bytes of local memory; a "
            "thread has at most 524288");
}

TEST(Loader, roomOfABlock) {
  EXPECT_EQ(launchError(".entry k() { .local .b8 x[524288]; ret; }", {1024}),
            "kernel 'k' needs 536870912 bytes of local memory for all threads; a block has at "
            "most 268435456");
  EXPECT_EQ(launchError(".entry k() { .reg .b32 %r<65537>; ret; }", {1024}),
            "kernel 'k' needs 2097184 registers for all warps; a block has at most 2097152");
  // A variable of 16 GiB takes no memory until it is touched.
  EXPECT_EQ(launchError(".global .b64 x[2147483648]; .entry k() { .reg .b64 %d<2>;\n"
                        "ld.global.b64 %d1, [x]; st.global.b64 [x+17179869176], %d1; ret; }",
                        {}),
            "");
}

TEST(Loader, registers) {
  const std::string sentence = "expected at most 524288 registers of a module";
  EXPECT_EQ(errorOf(".entry k() { .reg .b32 %r<524289>; ret; }"), "4:24: error: " + sentence);
  EXPECT_EQ(errorOf(repeated(6, ".func f", "() { .reg .b32 %r<100000>; ret; }\n")),
            "9:24: error: " + sentence);
}

TEST(Loader, namesAreDeclaredOnce) {
  EXPECT_EQ(errorOf(".global .u64 x; .global .u32 x;"),
            "4:30: error: variable 'x' is defined twice");
  EXPECT_EQ(errorOf(".extern .shared .b8 x[]; .global .u32 x;"),
            "4:39: error: variable 'x' is declared in two spaces");
  EXPECT_EQ(errorOf(".extern .global .b8 x[]; .global .u32 x; .extern .global .b8 x[];"), "");
  EXPECT_EQ(errorOf(".func f() { ret; } .func f() { ret; }"),
            "4:26: error: function 'f' is defined twice");
  EXPECT_EQ(errorOf(".entry k(.param .u64 a, .param .u32 a) { ret; }"),
            "4:37: error: 'a' is declared twice");
  EXPECT_EQ(errorOf(".entry k(.param .u64 a) { .reg .b32 a; }"),
            "4:37: error: 'a' is declared twice");
  EXPECT_EQ(errorOf(".entry k() { .reg .b32 %r<5>; .reg .b64 %r3; }"),
            "4:41: error: '%r3' is declared twice");
  // Braces have names of their own, which end with them.
  EXPECT_EQ(errorOf(".entry k() { { .param .b32 p; } { .param .b64 p; .reg .b32 p1; } ret; }"), "");
  EXPECT_EQ(errorOf(".entry k() { .reg .b32 %r; { .local .b32 x; } mov.b32 %r, x; }"),
            "4:59: error: unknown name 'x'");
}

TEST(Loader, initialValues) {
  EXPECT_EQ(errorOf(".global .u64 y; .shared .u64 x = y;"),
            "4:30: error: variable 'x' has an initial value; only global and constant memory has "
            "any");
  EXPECT_EQ(errorOf(".global .u64 x = y; .shared .u64 y;"),
            "4:14: error: the initial value of 'x' refers to 'y', which has no address");
  EXPECT_EQ(errorOf(".global .u64 x = y;"),
            "4:14: error: the initial value of 'x' refers to 'y', which has no address");
  EXPECT_EQ(errorOf(".global .u32 x = x;"),
            "4:18: error: expected elements of 8 bytes for an address, got 4");
  EXPECT_EQ(errorOf(".global .u32 x[2] = {1, 2, 3};"),
            "4:28: error: expected 2 initial values of 'x', got more");
  EXPECT_EQ(errorOf(".global .u32 y; .global .u64 x = generic(y);"), "");
  EXPECT_EQ(errorOf(".global .u64 x = generic(5);"),
            "4:26: error: expected a variable's name, got '5'");
  EXPECT_EQ(errorOf(".global .u32 x[2] = };"), "4:21: error: expected an operand, got '}'");
  // What is behind the values that are written is zero, and takes no room in the module.
  EXPECT_EQ(errorOf(repeated(1000, ".global .b8 x", "[67108864] = 7;")), "");
}

TEST(Loader, calls) {
  const std::string callee = ".func (.param .b32 r) f(.param .b8 p[4096]) { ret; }\n";
  auto call = [&](const std::string &body) { return callee + ".entry k() { " + body + " ret; }"; };
  EXPECT_EQ(errorOf(call(".param .b8 q[1]; .param .b32 s; call (s), f, (q);")),
            "5:60: error: expected a variable of 4096 bytes for 'p' of 'f', got 1");
  EXPECT_EQ(errorOf(call(".param .b8 q[4096]; .param .b64 s; call (s), f, (q);")),
            "5:55: error: expected a variable of 4 bytes for 'r' of 'f', got 8");
  EXPECT_EQ(errorOf(call(".param .b32 s; call (s), f;")),
            "5:29: error: expected 1 values in the call of 'f', got 0");
  EXPECT_EQ(errorOf(call("call k;")), "5:14: error: call of 'k', which is a kernel");
  EXPECT_EQ(errorOf(call("call f, 5;")),
            "5:14: error: a form other than 'call (results), function, (parameters)' of 'call' is "
            "not supported");
}

TEST(Loader, depth) {
  auto braces = [](unsigned count) {
    return ".entry k() { " + std::string(count, '{') + std::string(count, '}') + " ret; }";
  };
  EXPECT_EQ(errorOf(braces(63)), "");
  EXPECT_EQ(errorOf(braces(64)), "4:77: error: braces are nested deeper than 64 levels");
  auto calls = [](unsigned count) {
    std::string text = ".func f0() { ret; } ";
    for (unsigned number = 1; number <= count; ++number) {
      std::string below = "call f" + std::to_string(number - 1) + "; ";
      text += ".func f" + std::to_string(number) + "() { " + below + below + "ret; } ";
    }
    return text + ".entry k() { call f" + std::to_string(count) + "; ret; }";
  };
  EXPECT_EQ(launchError(calls(64), {}), "4:7: error: calls are nested deeper than 64");
  EXPECT_EQ(launchError(".func f() { call f; ret; } .entry k() { call f; ret; }", {}),
            "4:7: error: function 'f' calls itself; that is not supported");
  // Each function is looked at once, however often it is called.
  auto module = Module::parse(kHead + calls(60));
  EXPECT_EQ(module->needs("k")->registers, 16u);
}

/// Of text in which every place leads to every other, no more is found out than fits.
TEST(Loader, needsOfMuchText) {
  std::string body = ".reg .b32 %r<100000>; ";
  for (unsigned number = 0; number < 4000; ++number)
    body += "L" + std::to_string(number) + ": mov.b32 %r" + std::to_string(number) + ", %r" +
            std::to_string(number + 1) + "; bra L" + std::to_string(3999 - number) + "; ";
  auto module = Module::parse(kHead + ".entry k() { " + body + "}");
  ASSERT_TRUE(module);
  EXPECT_EQ(module->needs("k")->registers, 255u);
  EXPECT_EQ(module->needs("nothing").error().message, "the module has no kernel 'nothing'");
}

TEST(Loader, operands) {
  EXPECT_EQ(errorOf(".entry k() { activemask.b32; ret; }"),
            "4:14: error: expected 1 operands of 'activemask', got 0");
}

/// Warps that wait at a barrier have no place where they run.
TEST(Loader, tooManyStepsAtABarrier) {
  SimulatedKernel kernel(kHead + ".entry k() {\nL: bar.sync 0;\nbra L; }");
  LaunchOptions options;
  options.maxSteps = 1000;
  for (options.seed = 0; options.seed < 8; ++options.seed) {
    LaunchReport report = kernel.run("k", {}, {96}, options);
    ASSERT_EQ(report.reports.size(), 1u);
    EXPECT_EQ(report.reports[0].kind, Report::Kind::TooManySteps);
    EXPECT_EQ(report.reports[0].message, "the block executed more than 1000 instructions");
    EXPECT_TRUE(report.reports[0].ptxLine == 5 || report.reports[0].ptxLine == 6);
  }
}

/// Local memory of odd extents: a thread's 8 bytes are aligned on the host, too.
TEST(Loader, strongAccessesOfLocalMemory) {
  SimulatedKernel kernel(kHead + ".entry k() { .local .align 8 .b8 x[9]; .reg .b64 %d<3>;\n"
                                 "mov.b64 %d1, 7; st.volatile.local.b64 [x], %d1;\n"
                                 "ld.volatile.local.b64 %d2, [x]; st.local.b64 [x+8], %d2; ret; }");
  LaunchReport report = kernel.run("k", {}, {32});
  ASSERT_EQ(report.reports.size(), 1u);
  EXPECT_EQ(report.reports[0].message,
            "writes 8 bytes, 7 bytes past the end of the thread's local memory (9 bytes)");
}

} // namespace
