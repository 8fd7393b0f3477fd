//===- KernelForm.cpp - Compiled kernels as C holds them ------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelForm.h"

#include "fsm/Artifact/LaunchRules.h"

#include <algorithm>

using namespace fsm;

static std::string_view viewOf(const char *text) { return text ? text : ""; }

static Error formError(const FsmCompiledKernel &kernel, const std::string &sentence) {
  return badInput("error: kernel @" + std::string(viewOf(kernel.name)) + ": " + sentence);
}

static Result<KernelArgument> readArgument(const FsmCompiledKernel &kernel,
                                           const FsmCompiledArgument &from) {
  KernelArgument argument;
  argument.name = viewOf(from.name);
  argument.pointerDepth = from.pointerDepth;
  std::optional<ScalarType> type = scalarTypeNamed(viewOf(from.type));
  if (!type)
    return formError(kernel, "expected the type of an element, got '" +
                                 std::string(viewOf(from.type)) + "'");
  argument.type = *type;
  return argument;
}

/// A word for each argument, or no word at all.
static Result<std::vector<ArgumentFact>> readFacts(const FsmCompiledKernel &kernel,
                                                   std::string_view text) {
  std::vector<ArgumentFact> facts;
  std::vector<std::string_view> words = listedWords(text);
  for (std::string_view word : words)
    if (std::optional<ArgumentFact> fact = parseFact(word))
      facts.push_back(*fact);
  if (facts.size() != words.size() || (!words.empty() && words.size() != kernel.argumentCount))
    return formError(kernel, "expected facts of " + std::to_string(kernel.argumentCount) +
                                 " arguments, got '" + std::string(text) + "'");
  facts.resize(kernel.argumentCount);
  return facts;
}

static Result<CodeForm> readCode(const FsmCompiledKernel &kernel, const FsmCompiledCode &from) {
  CodeForm code;
  code.code = &from;
  if (!from.target)
    return formError(kernel, "expected the target of code, got a null pointer");
  bool isHost = viewOf(from.target) == "cpu";
  if (isHost ? !from.function : !from.image)
    return formError(kernel, "expected code for the target '" + std::string(viewOf(from.target)) +
                                 "', got none");
  code.overlapsLaunches =
      kernel.overlapsLaunches && capabilityOf(viewOf(from.target)).value_or(0) >= kFirstToOverlap;
  Result<std::vector<ArgumentFact>> facts = readFacts(kernel, viewOf(from.facts));
  if (!facts)
    return facts.error();
  code.facts = std::move(*facts);
  for (std::string_view word : listedWords(viewOf(from.hiddenArguments))) {
    std::optional<HiddenArgument> hidden = findHiddenArgument(word);
    if (!hidden || *hidden != HiddenArgument::ProgramCount)
      return formError(kernel, "expected hidden arguments that a launch has, got '" +
                                   std::string(word) + "'");
    code.hiddenArguments.push_back(*hidden);
  }
  return code;
}

/// The oldest contract whose kernels C holds as it does now. What was added since is said by
/// members that were reserved before, of which zero means what there was before (number of CTAs,
/// launches that overlap), or cannot be said in C (maps of tensors). A contract that takes anything
/// else away makes this its own number, and the library's name another.
static constexpr uint32_t kOldestContract = 3;

Result<KernelForm> fsm::readKernel(const FsmCompiledKernel *kernel) {
  if (kernel->contractVersion < kOldestContract || kernel->contractVersion > kLaunchContractVersion)
    return formError(*kernel, "expected a launch contract of version " +
                                  std::to_string(kOldestContract) + " to " +
                                  std::to_string(kLaunchContractVersion) + ", got " +
                                  std::to_string(kernel->contractVersion));
  if ((kernel->argumentCount && !kernel->arguments) || (kernel->codeCount && !kernel->codes))
    return formError(*kernel, "expected " + std::to_string(kernel->argumentCount) +
                                  " arguments and code for " + std::to_string(kernel->codeCount) +
                                  " targets, got a null pointer");
  KernelForm form;
  form.signature.name = viewOf(kernel->name);
  for (uint32_t i = 0; i < kernel->argumentCount; ++i) {
    Result<KernelArgument> argument = readArgument(*kernel, kernel->arguments[i]);
    if (!argument)
      return argument.error();
    std::string_view word = viewOf(kernel->arguments[i].promise);
    std::optional<ArgumentFact> promise = parseFact(word);
    if (!promise)
      return formError(*kernel, "expected a promise, got '" + std::string(word) + "'");
    form.signature.arguments.push_back(std::move(*argument));
    form.promises.push_back(*promise);
  }
  for (uint32_t i = 0; i < kernel->codeCount; ++i) {
    Result<CodeForm> code = readCode(*kernel, kernel->codes[i]);
    if (!code)
      return code.error();
    form.codes.push_back(std::move(*code));
  }
  return form;
}

std::string fsm::targetsText(const KernelForm &kernel) {
  std::vector<std::string_view> targets;
  for (const CodeForm &code : kernel.codes)
    if (std::find(targets.begin(), targets.end(), code.code->target) == targets.end())
      targets.emplace_back(code.code->target);
  std::string text;
  for (std::string_view target : targets)
    text += (text.empty() ? "" : ", ") + std::string(target);
  return text.empty() ? "no target" : text;
}
