//===- Pipelines.h - The order of the passes -------------------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_COMPILER_PIPELINES_H
#define FSM_COMPILER_PIPELINES_H

#include "mlir/IR/DialectRegistry.h"
#include "mlir/Pass/PassManager.h"

#include <string>

namespace fsm {

/// What a pipeline is told. The options of the registered pipelines, too.
struct PipelineOptions {
  std::string kernel;
  std::vector<std::string> arguments;
  unsigned numWarps = 0;
  unsigned numStages = 0;
  /// Bytes of the host's vector registers.
  unsigned vectorBytes = 64;
  /// The GPU, "sm_90a" and its like.
  std::string target = "sm_90a";
  /// Passes to leave out, by flag: of those that only make code better, which are
  /// `optionalPasses()`.
  std::vector<std::string> without;
  /// Let programs of one warp share a cta.
  bool packPrograms = false;
  /// Stages of a loop that do not fit are an error.
  bool strict = false;
  /// A remark for each load of a loop with stages.
  bool remarks = false;
};

/// The passes without which code is as right: "canonicalize", "fsm-combine" and so on.
llvm::ArrayRef<llvm::StringLiteral> optionalPasses();

/// fsm to better fsm: what every device shares.
void buildFSMPipeline(mlir::OpPassManager &manager, const PipelineOptions &options);

/// The same, then the plan of the host's loops: what `--emit=fsm` shows.
void buildHostPlanPipeline(mlir::OpPassManager &manager, const PipelineOptions &options);

/// fsm to MLIR's llvm dialect for the host.
void buildCPUPipeline(mlir::OpPassManager &manager, const PipelineOptions &options);

/// fsm to better fsm, then who holds what and where it waits: what `--emit=fsm` shows of a
/// kernel for a GPU.
void buildDevicePlanPipeline(mlir::OpPassManager &manager, const PipelineOptions &options);

/// The same, then a thread's view: `--emit=gpu`.
void buildGPUPipeline(mlir::OpPassManager &manager, const PipelineOptions &options);

/// The same, then the nvvm dialect: `--emit=nvvm`.
void buildNVVMPipeline(mlir::OpPassManager &manager, const PipelineOptions &options);

/// The same, then the module that is translated to LLVM IR: `--emit=llvm`.
void buildDevicePipeline(mlir::OpPassManager &manager, const PipelineOptions &options);

/// Registers every pass and the pipelines with the command line.
void registerPasses();

/// Adds the dialects that a kernel is written in.
void registerLanguage(mlir::DialectRegistry &registry);

/// Adds every dialect a kernel passes through.
void registerDialects(mlir::DialectRegistry &registry);

} // namespace fsm

#endif // FSM_COMPILER_PIPELINES_H
