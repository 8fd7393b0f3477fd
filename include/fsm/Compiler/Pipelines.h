//===- Pipelines.h - The order of the passes -------------------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_COMPILER_PIPELINES_H
#define FSM_COMPILER_PIPELINES_H

#include "fsm/Compiler/CompileOptions.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/Pass/PassManager.h"

namespace fsm {

/// The passes without which code is as right: "canonicalize", "fsm-combine" and so on.
llvm::ArrayRef<llvm::StringLiteral> optionalPasses();

/// A stage of the way to code at which there is a module to look at.
struct PipelineStage {
  llvm::StringLiteral name;
  /// What the module holds then.
  llvm::StringLiteral holds;
  /// Adds the passes that lead there from the stage before.
  void (*addPasses)(mlir::OpPassManager &manager, const CompileOptions &options);
};

/// The stages on the way to the host's code, in their order: "fsm", the plan of its loops, and
/// "llvm", MLIR's llvm dialect.
llvm::ArrayRef<PipelineStage> hostPipeline();

/// Those on the way to code for a GPU: "fsm", who holds what and where it waits, "gpu", a thread's
/// view, "nvvm", and "llvm", the module that is translated to LLVM IR.
llvm::ArrayRef<PipelineStage> devicePipeline();

/// Registers every pass and the pipelines with the command line.
void registerPasses();

/// Adds the dialects that a kernel is written in.
void registerLanguage(mlir::DialectRegistry &registry);

/// Adds every dialect a kernel passes through.
void registerDialects(mlir::DialectRegistry &registry);

} // namespace fsm

#endif // FSM_COMPILER_PIPELINES_H
