//===- Handles.h - What is behind the handles of the C API ------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_LIB_CAPI_HANDLES_H
#define FSM_LIB_CAPI_HANDLES_H

#include "fsm-c/fsm.h"

#include "fsm/Artifact/Diagnostic.h"
#include "fsm/Engine/Engine.h"
#include "fsm/Engine/KernelChooser.h"
#include "fsm/Engine/PreparedLaunch.h"
#include "fsm/Support/Status.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

struct FsmChoice {
  /// In the order of the names, as the caller wants them.
  std::vector<std::string> words;
  std::vector<const char *> parameters;
  fsm::Grid grid;
  double seconds = 0;
};

struct FsmChooser {
  fsm::KernelChooser chooser;
};

struct FsmCode {
  fsm::CompiledKernel kernel;
  std::vector<fsm::Diagnostic> diagnostics;
  std::string symbol;
  // What the contract below points to, besides the kernel.
  std::string facts, hiddenArguments, instructions;
  std::vector<std::string> promises;
  std::vector<FsmCompiledArgument> arguments;
  FsmCompiledCode codeInC = {};
  FsmCompiledKernel kernelInC = {};
};

struct FsmEngine {
  std::shared_ptr<fsm::Engine> engine;
  std::string target;
};

struct FsmError {
  FsmStatus status;
  std::string text;
  std::vector<fsm::Diagnostic> diagnostics;
};

struct FsmEvent {
  /// In front of the event, which it must outlive; so it is of what else is made with an engine.
  std::shared_ptr<fsm::Engine> engine;
  fsm::cuda::Event event;
};

struct FsmKernel {
  /// In front of the kernel, which it must outlive.
  std::shared_ptr<fsm::Engine> engine;
  fsm::Kernel kernel;
};

// What is made with an engine keeps it, in front of what it must outlive.

struct FsmMemory {
  std::shared_ptr<fsm::Engine> engine;
  fsm::cuda::Memory memory;
};

struct FsmPrepared {
  std::shared_ptr<fsm::Engine> engine;
  fsm::PreparedLaunch launch;
};

struct FsmStream {
  std::shared_ptr<fsm::Engine> engine;
  fsm::cuda::Stream stream;
};

struct FsmText {
  std::string text;
  std::vector<fsm::Diagnostic> diagnostics;
};

namespace fsm {

/// Hands an error to the caller, if he wants it. Gives its status.
FsmStatus handOver(const Error &error, FsmError **to);

/// A caller's text.
inline std::string_view viewOf(const char *text, size_t length) {
  return text ? std::string_view(text, length) : std::string_view();
}

/// A text for the caller.
inline const char *textFor(std::string_view text, size_t *length) {
  if (length)
    *length = text.size();
  return text.data();
}

/// Gives the caller a handle in a place of his, or the error. `what` names the place.
template <typename Handle>
FsmStatus give(Result<std::unique_ptr<Handle>> result, Handle **to, const char *what,
               FsmError **error);

/// Gives the caller the status of what is done, with its error.
FsmStatus finish(const Result<void> &done, FsmError **error);

/// What a compile has said, sentence by sentence.
std::vector<Diagnostic> diagnosticsOf(const std::vector<std::string> &said);

/// A caller's arguments.
Result<std::vector<Argument>> argumentsOf(const FsmArgument *arguments, size_t count);

/// A caller's source.
Result<Source> sourceOf(const FsmSource *source);

/// A caller's options on top of those that are usual.
Result<CompileOptions> optionsOf(const char *const *options, size_t count);

/// What is to be compiled, and how: both of the above.
struct Request {
  Source source;
  CompileOptions options;
};
Result<Request> requestOf(const FsmSource *source, const char *const *options, size_t count);

template <typename Handle>
FsmStatus give(Result<std::unique_ptr<Handle>> result, Handle **to, const char *what,
               FsmError **error) {
  if (error)
    *error = nullptr;
  if (to)
    *to = nullptr;
  if (!result)
    return handOver(result.error(), error);
  if (Result<void> given = checkGiven(to, what); !given)
    return handOver(given.error(), error);
  *to = result->release();
  return FSM_OK;
}

} // namespace fsm

#endif // FSM_LIB_CAPI_HANDLES_H
