//===- HostModule.cpp - A host object that can be called -----------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/HostJit/HostModule.h"

#include "llvm/ExecutionEngine/Orc/ExecutionUtils.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/TargetSelect.h"

using namespace fsm;
using namespace llvm::orc;

struct HostModule::State {
  std::unique_ptr<LLJIT> jit;
};

HostModule::HostModule(std::unique_ptr<State> state, HostKernelFunction function)
    : state(std::move(state)), function(function) {}
HostModule::HostModule(HostModule &&) = default;
HostModule &HostModule::operator=(HostModule &&) = default;
HostModule::~HostModule() = default;

static Error loadError(const CompiledKernel &kernel, llvm::Error error) {
  return Error{Error::Kind::Internal, "error: cannot load the code of kernel '@" + kernel.name +
                                          "': " + llvm::toString(std::move(error))};
}

static llvm::Expected<std::unique_ptr<LLJIT>> createJIT() {
  static const bool ready = !llvm::InitializeNativeTarget();
  (void)ready;
  // The objects hold neither initialisers nor exceptions, so nothing of a
  // platform's set-up is wanted.
  auto jit = LLJITBuilder()
                 .setLinkProcessSymbolsByDefault(false)
                 .setPlatformSetUp(setUpInactivePlatform)
                 .create();
  if (!jit)
    return jit;
  auto process = DynamicLibrarySearchGenerator::GetForCurrentProcess(
      (*jit)->getDataLayout().getGlobalPrefix());
  if (!process)
    return process.takeError();
  (*jit)->getMainJITDylib().addGenerator(std::move(*process));
  return jit;
}

Result<HostModule> HostModule::load(const CompiledKernel &kernel) {
  if (kernel.contractVersion != kLaunchContractVersion || kernel.target != "cpu")
    return badInput("error: kernel '@" + kernel.name + "' was compiled for '" + kernel.target +
                    "', version " + std::to_string(kernel.contractVersion) +
                    "; expected 'cpu', version " + std::to_string(kLaunchContractVersion));
  auto jit = createJIT();
  if (!jit)
    return loadError(kernel, jit.takeError());
  auto object = llvm::MemoryBuffer::getMemBufferCopy(kernel.code, kernel.name);
  if (llvm::Error error = (*jit)->addObjectFile(std::move(object)))
    return loadError(kernel, std::move(error));
  auto address = (*jit)->lookup(kernel.name);
  if (!address)
    return loadError(kernel, address.takeError());
  auto state = std::make_unique<State>();
  state->jit = std::move(*jit);
  return HostModule(std::move(state), address->toPtr<HostKernelFunction>());
}
