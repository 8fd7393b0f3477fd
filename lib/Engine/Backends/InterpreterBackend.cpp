//===- InterpreterBackend.cpp - Kernels as they stand ---------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../DebugReport.h"
#include "Backend.h"

#include "fsm/Interpreter/Interpreter.h"

#include <mutex>

using namespace fsm;

namespace {
class InterpreterBackend final : public Backend {
public:
  std::string_view name() const override { return "interp"; }
  std::string target() const override { return "cpu"; }
  Result<void> checkTarget(const std::string &target) const override;
  bool hasCode() const override { return false; }
  Result<std::unique_ptr<Specialisation>> load(const CompiledKernel &compiled) const override;
  Result<void> launch(Kernel::State &kernel, const Specialisation *code,
                      const LaunchRequest &request) override;
  Result<void> enqueue(Kernel::State &kernel, const Specialisation *code,
                       const PackedLaunch &launch) override;

private:
  /// Only one thread may use a module at a time.
  std::mutex mutex;
};
} // namespace

std::unique_ptr<Backend> fsm::makeInterpreterBackend() {
  return std::make_unique<InterpreterBackend>();
}

Result<void> InterpreterBackend::checkTarget(const std::string &target) const {
  if (target == "cpu")
    return {};
  return badInput("error: expected the target 'cpu' on the device 'interp', got '" + target + "'");
}

Result<std::unique_ptr<Specialisation>>
InterpreterBackend::load(const CompiledKernel &compiled) const {
  return Error{Error::Kind::Internal,
               "error: kernel @" + compiled.name + " was compiled for the interpreter"};
}

Result<void> InterpreterBackend::launch(Kernel::State &kernel, const Specialisation *,
                                        const LaunchRequest &request) {
  std::lock_guard<std::mutex> lock(mutex);
  LimitedPrint print(request.options);
  InterpretOptions options;
  options.print = [&](const std::string &line) { print.line(line); };
  options.allowsRaces = request.options.allowsRaces;
  Result<void> done = interpret(kernel.op, request.grid, request.arguments, options);
  print.finish();
  return done;
}

Result<void> InterpreterBackend::enqueue(Kernel::State &kernel, const Specialisation *code,
                                         const PackedLaunch &packed) {
  return launch(kernel, code, {packed.grid, packed.arguments, LaunchOptions()});
}
