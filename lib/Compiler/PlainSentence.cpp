//===- PlainSentence.cpp - What MLIR says, in words of the language -------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlainSentence.h"

#include "mlir/IR/OperationSupport.h"
#include "llvm/Support/Regex.h"

using namespace mlir;
using namespace fsm;

/// `; did you mean 'fsm.range'?`, for a name that is almost one of the same dialect's.
static std::string nearestOp(StringRef name, MLIRContext &context) {
  // More letters than that are another word.
  unsigned best = 3;
  StringRef nearest, dialect = name.split('.').first;
  for (RegisteredOperationName known : context.getRegisteredOperations()) {
    unsigned distance =
        known.getDialectNamespace() == dialect
            ? name.edit_distance(known.getStringRef(), /*AllowReplacements=*/true, best)
            : best;
    if (distance < best) {
      best = distance;
      nearest = known.getStringRef();
    }
  }
  return nearest.empty() ? "" : "; did you mean '" + nearest.str() + "'?";
}

namespace {
struct Rule {
  /// What MLIR says, all of it, with the parts that are kept.
  const char *pattern;
  /// What is said instead: `\\1` is the first part.
  const char *plain;
};
} // namespace

static constexpr Rule kRules[] = {
    {"^expected operation name in quotes$",
     "expected another op or the end of the region, for the op before it is complete"},
    {"^expected non-function type$",
     "expected a type, such as i32, tensor<64xf32> or !fsm.ptr<f32>"},
    {"^Dialect `' not found for custom op '([^']*)'.*$",
     "expected an op, or the name of a value, which begins with '%', got '\\1'"},
    {"^Dialect `([^']*)' not found for custom op '([^']*)'.*$",
     "'\\2' is of the dialect '\\1', which the language does not have"},
    {"^Available dialects: ([^;]*[^; ]) *;.*$", "the dialects are \\1"},
    {"^(.*)expected ::[:A-Za-z]* to be one of: (.*)$", "\\1expected one of \\2"},
    // No other op's text leaves out an index.
    {"^(use of value '.*' expects different type than prior uses: 'index' vs 'i[0-9]*')$",
     "\\1; a loop over such numbers has their type behind its head, as in 'scf.for ... : i32 {'"},
};

std::string fsm::plainSentence(std::string sentence, MLIRContext &context) {
  SmallVector<StringRef> parts;
  if (llvm::Regex("^custom op '([^']*)' is unknown").match(sentence, &parts))
    return sentence + nearestOp(parts[1], context);
  for (const Rule &rule : kRules)
    if (llvm::Regex pattern(rule.pattern); pattern.match(sentence))
      return pattern.sub(rule.plain, sentence);
  return sentence;
}

bool fsm::repeatsError(StringRef sentence) {
  return llvm::Regex("failed to parse FSM_[A-Za-z]* parameter").match(sentence);
}
