//===- Pipelines.cpp - The order of the passes ---------------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Compiler/Pipelines.h"

#include "fsm/Transforms/Passes.h"

#include "mlir/Dialect/Func/Extensions/InlinerExtension.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Pass/PassOptions.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

void fsm::buildFSMPipeline(OpPassManager &manager, const PipelineOptions &options) {
  // Everything a launch knows is in the IR before anything is decided.
  SpecializePassOptions specialize;
  specialize.kernel = options.kernel;
  specialize.arguments.assign(options.arguments.begin(), options.arguments.end());
  specialize.numWarps = options.numWarps;
  specialize.numStages = options.numStages;
  manager.addPass(createSpecializePass(specialize));
  // Helpers disappear; a call that cannot is an error.
  manager.addPass(createInlinerPass());
  manager.addPass(createCheckKernelsPass());
  manager.addPass(createSymbolDCEPass());
  // Algebra, then uniform arithmetic to scalars, so that what is left on blocks
  // varies; loop-invariant code last, when it has become visible.
  OpPassManager &kernel = manager.nest<KernelOp>();
  kernel.addPass(createCanonicalizerPass());
  kernel.addPass(createCombinePass());
  kernel.addPass(createCSEPass());
  kernel.addPass(createLoopInvariantCodeMotionPass());
}

void fsm::buildCPUPipeline(OpPassManager &manager, const PipelineOptions &options) {
  buildFSMPipeline(manager, options);
}

void fsm::registerPasses() {
  mlir::registerTransformsPasses();
  registerFSMTransformsPasses();
}

void fsm::registerDialects(DialectRegistry &registry) {
  registry.insert<FSMDialect, arith::ArithDialect, func::FuncDialect, math::MathDialect,
                  scf::SCFDialect, ub::UBDialect, vector::VectorDialect, LLVM::LLVMDialect>();
  func::registerInlinerExtension(registry);
}
