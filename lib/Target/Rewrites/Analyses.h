//===- Analyses.h - What LLVM's passes of any kind look at -----*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_TARGET_ANALYSES_H
#define FSM_TARGET_ANALYSES_H

#include "llvm/Passes/PassBuilder.h"

namespace fsm {

/// The analyses of LLVM's own passes, known to one another. Passes run over modules or functions.
struct Analyses {
  explicit Analyses(llvm::PassBuilder &builder) {
    builder.registerModuleAnalyses(modules);
    builder.registerCGSCCAnalyses(components);
    builder.registerFunctionAnalyses(functions);
    builder.registerLoopAnalyses(loops);
    builder.crossRegisterProxies(loops, functions, components, modules);
  }

  // Those of larger things hold proxies of the smaller ones' and go first.
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
};

} // namespace fsm

#endif // FSM_TARGET_ANALYSES_H
