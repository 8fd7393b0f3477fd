//===- PlainSentence.h - What MLIR says, in words of the language *- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_COMPILER_PLAINSENTENCE_H
#define FSM_COMPILER_PLAINSENTENCE_H

#include "mlir/IR/MLIRContext.h"

#include <string>

namespace fsm {

/// What a diagnostic says. Where MLIR's parser speaks of itself, as of what it would have taken in
/// quotes, of C++ types or of how dialects are registered, what the author of a kernel may do.
std::string plainSentence(std::string sentence, mlir::MLIRContext &context);

/// Whether a sentence is about what has been said already: the attribute or type that an error is
/// in.
bool repeatsError(llvm::StringRef sentence);

} // namespace fsm

#endif // FSM_COMPILER_PLAINSENTENCE_H
