//===- Guarded.cpp - The last net under the compiler ---------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Compiler/Guarded.h"

#include "fsm/Source/SourceText.h"

#include "llvm/Support/CrashRecoveryContext.h"

#include <csignal>
#include <memory>

using namespace fsm;

#ifndef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION
/// LLVM's handlers, and a stack for them: without it a stack that has no end takes the
/// process with it, for its handler has no room left.
static bool enableRecovery() {
  llvm::CrashRecoveryContext::Enable();
  for (int signal : {SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGTRAP}) {
    struct sigaction action;
    if (sigaction(signal, nullptr, &action) == 0 && action.sa_handler != SIG_DFL) {
      action.sa_flags |= SA_ONSTACK;
      sigaction(signal, &action, nullptr);
    }
  }
  return true;
}

namespace {
/// The stack of this thread's signal handlers. It is leaked where the thread's work crashes.
class HandlerStack {
public:
  HandlerStack() : memory(new char[kBytes]) {
    stack_t stack = {};
    stack.ss_sp = memory.get();
    stack.ss_size = kBytes;
    sigaltstack(&stack, &before);
  }
  ~HandlerStack() { sigaltstack(&before, nullptr); }
  HandlerStack(const HandlerStack &) = delete;
  HandlerStack &operator=(const HandlerStack &) = delete;

private:
  static constexpr size_t kBytes = size_t(64) << 10;
  std::unique_ptr<char[]> memory;
  stack_t before = {};
};
} // namespace
#endif

bool fsm::runGuarded(llvm::function_ref<void()> work) {
#ifdef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION
  // A fuzzer is to see crashes, where they are.
  work();
  return true;
#else
  static const bool enabled = enableRecovery();
  (void)enabled;
  constexpr unsigned stackBytes = 64u << 20;
  auto workWithStack = [&] {
    HandlerStack stack;
    work();
  };
  return llvm::CrashRecoveryContext().RunSafelyOnThread(workWithStack, stackBytes);
#endif
}

std::string fsm::crashText(const std::string &fileName) {
  return fileName + ": error: the compiler crashed; please report this source";
}

Error fsm::withParameters(Error error, const Source &source) {
  error.message =
      nameParameters(std::move(error.message), source.text, source.fileName, source.parameters);
  return error;
}
