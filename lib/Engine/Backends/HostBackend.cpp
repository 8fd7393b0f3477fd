//===- HostBackend.cpp - Kernels on the CPU -------------------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../DebugReport.h"
#include "Backend.h"

#include "fsm/HostJit/HostModule.h"
#include "fsm/Runtime/HostGrid.h"

#include <mutex>

using namespace fsm;

namespace {
struct HostCode final : Specialisation {
  explicit HostCode(HostModule module) : module(std::move(module)) {}
  HostModule module;
};

class HostBackend final : public Backend {
public:
  std::string_view name() const override { return "cpu"; }
  std::string target() const override { return "cpu"; }
  Result<void> checkTarget(const std::string &target) const override;
  int32_t concurrentPrograms() const override { return static_cast<int32_t>(grid.workers()); }
  Result<std::unique_ptr<Specialisation>> load(const CompiledKernel &compiled) const override;
  Result<void> launch(Kernel::State &kernel, const Specialisation *code,
                      const LaunchRequest &request) override;
  Result<void> enqueue(Kernel::State &kernel, const Specialisation *code,
                       const PackedLaunch &launch) override;

private:
  Result<void> run(const Specialisation *code, Grid grid, const void *const *pointers);
  Result<void> run(const Specialisation *code, const LaunchRequest &request,
                   const ArgumentBits &bits, uint64_t records = 0);

  /// One launch at a time has the workers and their scratch memory.
  std::mutex mutex;
  HostGrid grid;
};
} // namespace

std::unique_ptr<Backend> fsm::makeHostBackend() { return std::make_unique<HostBackend>(); }

Result<void> HostBackend::checkTarget(const std::string &target) const {
  if (target == "cpu")
    return {};
  return badInput("error: expected the target 'cpu' on the device 'cpu', got '" + target + "'");
}

Result<std::unique_ptr<Specialisation>> HostBackend::load(const CompiledKernel &compiled) const {
  Result<HostModule> module = HostModule::load(compiled);
  if (!module)
    return module.error();
  return std::unique_ptr<Specialisation>(std::make_unique<HostCode>(std::move(*module)));
}

Result<void> HostBackend::run(const Specialisation *code, Grid extents,
                              const void *const *pointers) {
  const auto *host = static_cast<const HostCode *>(code);
  std::lock_guard<std::mutex> lock(mutex);
  return grid.run(host->module.entry(), host->scratchBytes, extents, pointers);
}

Result<void> HostBackend::run(const Specialisation *code, const LaunchRequest &request,
                              const ArgumentBits &bits, uint64_t records) {
  ArgumentBits all = code->allArguments(bits, {request.grid.x, records, 0});
  llvm::SmallVector<const void *, 16> pointers;
  for (const uint64_t &value : all)
    pointers.push_back(&value);
  return run(code, request.grid, pointers.data());
}

Result<void> HostBackend::launch(Kernel::State &kernel, const Specialisation *code,
                                 const LaunchRequest &request) {
  if (isEmpty(request.grid))
    return {};
  Result<ArgumentBits> bits = convertArguments(kernel.signature, request.arguments);
  if (!bits)
    return bits.error();
  if (code->debugOps.empty())
    return run(code, request, *bits);
  HostRecords records(request.options.printRecords);
  if (!records.isValid())
    return Error{Error::Kind::Execution, "error: out of memory for " +
                                             std::to_string(request.options.printRecords) +
                                             " printed lines"};
  if (Result<void> done =
          run(code, request, *bits, reinterpret_cast<uint64_t>(records.address()));
      !done)
    return done;
  return records.report(code->debugOps, request.options);
}

Result<void> HostBackend::enqueue(Kernel::State &, const Specialisation *code,
                                  const PackedLaunch &launch) {
  return run(code, launch.grid, launch.pointers);
}
