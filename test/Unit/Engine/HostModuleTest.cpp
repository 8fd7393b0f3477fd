//===- HostModuleTest.cpp - Code for the CPU that is none -----------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Kernels.h"

#include "fsm/HostJit/HostModule.h"

using namespace fsm;
using namespace fsm::test;

namespace {
CompiledKernel addForTheHost() {
  CompiledKernel kernel = expectValue(Compiler::compile(sourceOf(kAdd), {}));
  EXPECT_EQ(kernel.target, "cpu");
  return kernel;
}

/// The error of loading what must be refused.
std::string refusal(const CompiledKernel &kernel) {
  Result<HostModule> module = HostModule::load(kernel);
  return module ? "" : module.error().message;
}
} // namespace

TEST(HostModule, LoadsWhatTheCompilerWrites) { EXPECT_EQ(refusal(addForTheHost()), ""); }

TEST(HostModule, RefusesOtherTargetsAndVersions) {
  CompiledKernel kernel = addForTheHost();
  kernel.target = "sm_90a";
  EXPECT_NE(refusal(kernel).find("kernel '@add' was compiled for 'sm_90a', version "),
            std::string::npos);
  kernel = addForTheHost();
  kernel.contractVersion += 1;
  EXPECT_NE(refusal(kernel).find("; expected 'cpu', version "), std::string::npos);
}

TEST(HostModule, RefusesWhatIsNoObject) {
  CompiledKernel kernel = addForTheHost();
  kernel.code = "no object";
  EXPECT_NE(refusal(kernel).find("cannot load the code of kernel '@add'"), std::string::npos);
}
