//===- Compile.cpp - From a text to that of a stage, for C ----------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Handles.h"

#include "fsm/Compiler/OptionText.h"

using namespace fsm;

Result<Source> fsm::sourceOf(const FsmSource *source) {
  if (Result<void> given = checkGiven(source, "a source"); !given)
    return given.error();
  if (source->textLength != 0)
    if (Result<void> given = checkGiven(source->text, "a text"); !given)
      return given.error();
  Source result;
  result.text = std::string(viewOf(source->text, source->textLength));
  if (std::string_view name = viewOf(source->fileName, source->fileNameLength); !name.empty())
    result.fileName = std::string(name);
  for (size_t i = 0; i < source->parameterCount; ++i) {
    const char *word = source->parameters ? source->parameters[i] : nullptr;
    if (Result<void> given = checkGiven(word, "a parameter"); !given)
      return given.error();
    std::string_view text = word;
    size_t equals = text.find('=');
    if (equals == 0 || equals == std::string_view::npos)
      return badInput("error: expected a parameter NAME=VALUE, got '" + std::string(text) + "'");
    std::string name(text.substr(0, equals));
    if (!result.parameters.emplace(name, text.substr(equals + 1)).second)
      return badInput("error: expected each parameter once, got a second value for '" + name + "'");
  }
  return result;
}

Result<CompileOptions> fsm::optionsOf(const char *const *options, size_t count) {
  CompileOptions result;
  for (size_t i = 0; i < count; ++i) {
    const char *word = options ? options[i] : nullptr;
    if (Result<void> given = checkGiven(word, "an option"); !given)
      return given.error();
    if (Result<void> set = setOption(result, word); !set)
      return set.error();
  }
  return result;
}

Result<Request> fsm::requestOf(const FsmSource *source, const char *const *options,
                              size_t count) {
  Result<Source> read = sourceOf(source);
  if (!read)
    return read.error();
  Result<CompileOptions> set = optionsOf(options, count);
  if (!set)
    return set.error();
  return Request{std::move(*read), std::move(*set)};
}

static Result<std::unique_ptr<FsmText>> emit(const FsmSource *source, const char *const *options,
                                             size_t count, std::string_view stage) {
  Result<Request> asked = requestOf(source, options, count);
  if (!asked)
    return asked.error();
  std::vector<std::string> said;
  Result<std::string> text = Compiler::emit(asked->source, asked->options, std::string(stage), &said);
  if (!text)
    return text.error();
  auto result = std::make_unique<FsmText>();
  result->text = std::move(*text);
  result->diagnostics = diagnosticsOf(said);
  return result;
}

FsmStatus fsmEmit(const FsmSource *source, const char *const *options, size_t optionCount,
                  const char *stage, size_t stageLength, FsmText **text, FsmError **error) {
  return give(emit(source, options, optionCount, viewOf(stage, stageLength)), text, "a place for a text",
              error);
}

const char *fsmTextData(const FsmText *text, size_t *length) {
  return textFor(text ? std::string_view(text->text) : "", length);
}

void fsmTextDestroy(FsmText *text) { delete text; }
