//===- Options.cpp - Command lines as input -------------------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Target.h"

#include "fsm/Tools/Arguments/ArgumentValue.h"
#include "fsm/Tools/Run/RunBatch.h"
#include "fsm/Tools/Run/RunOptions.h"

#include <cstdlib>

using namespace fsm;

/// A file named by an input is nothing that a fuzzer should open.
static bool isFilled(const ArgumentSpec &spec) {
  uint64_t bytes = 0;
  return spec.kind != ArgumentSpec::Kind::File &&
         (spec.kind == ArgumentSpec::Kind::Scalar ||
          (arrayBytes(spec.shape, 8, bytes) && bytes < 1024));
}

static void materializeAll(const std::vector<ArgumentSpec> &specs) {
  for (const ArgumentSpec &spec : specs) {
    KernelArgument argument;
    argument.pointerDepth = spec.kind != ArgumentSpec::Kind::Scalar;
    argument.type = spec.type.value_or(argument.type);
    if (isFilled(spec))
      (void)materialize(spec, argument, 0);
  }
}

/// Words end at line ends.
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  std::string_view text(reinterpret_cast<const char *>(data), size);
  std::vector<std::string_view> words;
  while (!text.empty()) {
    size_t end = std::min(text.find('\n'), text.size());
    words.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  Result<RunOptions> options = parseRunOptions(words);
  if (options)
    materializeAll(options->arguments);
  else if (options.error().message.rfind("fsm-run: ", 0) != 0)
    std::abort();
  for (std::string_view word : words)
    (void)splitWords(word);
  for (std::string_view word : words)
    if (Result<ArgumentSpec> spec = parseArgumentSpec(word))
      materializeAll({*spec});
  return 0;
}
