//===- Pipelines.cpp - The order of the passes ---------------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Compiler/Pipelines.h"

#include "fsm/Conversion/Passes.h"
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

void fsm::buildHostPlanPipeline(OpPassManager &manager, const PipelineOptions &options) {
  buildFSMPipeline(manager, options);
  // Which block ops share a loop, and which values are kept between loops.
  PlanHostLoopsPassOptions plan;
  plan.vectorBytes = options.vectorBytes;
  manager.nest<KernelOp>().addPass(createPlanHostLoopsPass(plan));
}

void fsm::buildCPUPipeline(OpPassManager &manager, const PipelineOptions &options) {
  buildHostPlanPipeline(manager, options);
  // The loops, then upstream's way down to LLVM.
  ConvertFSMToCPUPassOptions convert;
  convert.vectorBytes = options.vectorBytes;
  manager.addPass(createConvertFSMToCPUPass(convert));
  manager.addPass(createConvertHostToLLVMPass());
}

namespace {
/// The command-line form of PipelineOptions.
struct PipelineFlags : PassPipelineOptions<PipelineFlags> {
  Option<std::string> kernel{*this, "kernel", llvm::cl::desc("symbol of the kernel")};
  ListOption<std::string> arguments{
      *this, "arguments",
      llvm::cl::desc("what is known of each argument, as fsm-specialize "
                     "takes it")};
  Option<unsigned> numWarps{*this, "num-warps", llvm::cl::desc("warps per program")};
  Option<unsigned> numStages{*this, "num-stages", llvm::cl::desc("stages of hinted loops")};
  Option<unsigned> vectorBytes{*this, "vector-bytes", llvm::cl::init(64),
                               llvm::cl::desc("bytes of the host's vector registers")};

  fsm::PipelineOptions options() const {
    fsm::PipelineOptions result;
    result.kernel = kernel;
    result.arguments.assign(arguments.begin(), arguments.end());
    result.numWarps = numWarps;
    result.numStages = numStages;
    result.vectorBytes = vectorBytes;
    return result;
  }
};
} // namespace

void fsm::registerPasses() {
  mlir::registerTransformsPasses();
  registerFSMTransformsPasses();
  registerFSMConversionPasses();
  PassPipelineRegistration<PipelineFlags>("fsm-cpu-pipeline",
                                          "Compile kernels for the host, down to the llvm dialect",
                                          [](OpPassManager &manager, const PipelineFlags &flags) {
                                            buildCPUPipeline(manager, flags.options());
                                          });
}

void fsm::registerDialects(DialectRegistry &registry) {
  registry.insert<FSMDialect, arith::ArithDialect, func::FuncDialect, math::MathDialect,
                  scf::SCFDialect, ub::UBDialect, vector::VectorDialect, LLVM::LLVMDialect>();
  func::registerInlinerExtension(registry);
}
