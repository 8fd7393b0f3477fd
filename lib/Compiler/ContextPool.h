//===- ContextPool.h - Contexts that serve one source after the other ----===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_LIB_COMPILER_CONTEXTPOOL_H
#define FSM_LIB_COMPILER_CONTEXTPOOL_H

#include "mlir/IR/MLIRContext.h"

#include <memory>

namespace fsm {

/// What a source may be written in.
enum class SourceLanguage { FSM, Triton };

/// A single-threaded context that knows, at first, the dialects of a language and no others.
struct PooledContext {
  explicit PooledContext(SourceLanguage language);

  mlir::MLIRContext context;
  SourceLanguage language;
  /// The sources that it has served, and their texts.
  unsigned sources = 0;
  size_t bytes = 0;
};

/// A context in which a source of that language has been compiled, so that its dialects are there; null
/// if none is idle, or if this text could name a dialect that it would not find in a new one.
std::unique_ptr<PooledContext> takeUsedContext(SourceLanguage language, llvm::StringRef text);

/// Keeps a context for other sources, unless it has served enough. It may hold no IR. One whose source
/// was refused, or whose compiler crashed, is not to come back.
void giveBack(std::unique_ptr<PooledContext> used);

} // namespace fsm

#endif // FSM_LIB_COMPILER_CONTEXTPOOL_H
