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
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Pass/PassOptions.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

namespace {
struct AlgebraPass {
  llvm::StringLiteral flag;
  std::unique_ptr<Pass> (*create)();
};
} // namespace

/// In their order. Code is as right without any of them.
static const AlgebraPass kAlgebra[] = {
    {"canonicalize", [] { return createCanonicalizerPass(); }},
    {"fsm-combine", [] { return fsm::createCombinePass(); }},
    {"cse", [] { return createCSEPass(); }},
    {"loop-invariant-code-motion", [] { return createLoopInvariantCodeMotionPass(); }},
};

llvm::ArrayRef<llvm::StringLiteral> fsm::optionalPasses() {
  static const auto flags = [] {
    llvm::SmallVector<llvm::StringLiteral> flags;
    for (const AlgebraPass &pass : kAlgebra)
      flags.push_back(pass.flag);
    return flags;
  }();
  return flags;
}

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
  kernel.addPass(createExpandRandomPass());
  for (auto [flag, create] : kAlgebra)
    if (!llvm::is_contained(options.without, flag))
      kernel.addPass(create());
  kernel.addPass(createNumberDebugOpsPass());
}

void fsm::buildHostPlanPipeline(OpPassManager &manager, const PipelineOptions &options) {
  buildFSMPipeline(manager, options);
  // Which block ops share a loop, and which values are kept between loops.
  PlanHostLoopsPassOptions plan;
  plan.vectorBytes = options.vectorBytes;
  manager.nest<KernelOp>().addPass(createGuardAssertsPass());
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

void fsm::buildDevicePlanPipeline(OpPassManager &manager, const PipelineOptions &options) {
  buildFSMPipeline(manager, options);
  OpPassManager &kernel = manager.nest<KernelOp>();
  // How many threads there are, then which of them holds what.
  ChooseWarpsPassOptions warps;
  warps.pack = options.packPrograms;
  kernel.addPass(createChooseWarpsPass(warps));
  // Behind the choice of warps, which an assert's reductions shall not change.
  kernel.addPass(createGuardAssertsPass());
  kernel.addPass(createAssignLayoutsPass());
  kernel.addPass(createCSEPass());
  // What goes through shared memory is written out, and takes its share before rings do.
  kernel.addPass(createStageExchangesPass());
  // Loads of later iterations begin while this one computes.
  ScheduleLoopsPassOptions schedule;
  schedule.target = options.target;
  schedule.forced = options.numStages > 0;
  schedule.strict = options.strict;
  schedule.remarks = options.remarks;
  kernel.addPass(createScheduleLoopsPass(schedule));
  kernel.addPass(createBufferLoadsPass());
  kernel.addPass(createExpandLoopsPass());
  kernel.addPass(createCSEPass());
  // Where threads exchange what they hold, and where they wait for one another.
  AllocateSharedPassOptions shared;
  shared.target = options.target;
  kernel.addPass(createAllocateSharedPass(shared));
  kernel.addPass(createInsertBarriersPass());
  kernel.addPass(createVerifySharedPass());
  // What does not fit is an error here, with what to change.
  CheckResourcesPassOptions resources;
  resources.target = options.target;
  kernel.addPass(createCheckResourcesPass(resources));
}

void fsm::buildGPUPipeline(OpPassManager &manager, const PipelineOptions &options) {
  buildDevicePlanPipeline(manager, options);
  manager.addPass(createConvertFSMToGPUPass());
}

void fsm::buildNVVMPipeline(OpPassManager &manager, const PipelineOptions &options) {
  buildGPUPipeline(manager, options);
  manager.addPass(createConvertDeviceToNVVMPass());
}

void fsm::buildDevicePipeline(OpPassManager &manager, const PipelineOptions &options) {
  buildNVVMPipeline(manager, options);
  addDeviceModulePasses(manager);
}

namespace {
/// Builds the pipeline for GPUs up to some stage.
using BuildStage = void (*)(OpPassManager &, const fsm::PipelineOptions &);

/// The command-line form of PipelineOptions.
struct PipelineFlags : PassPipelineOptions<PipelineFlags> {
  Option<std::string> kernel{*this, "kernel", llvm::cl::desc("symbol of the kernel")};
  ListOption<std::string> arguments{
      *this, "arguments",
      llvm::cl::desc("what is known of each argument, as fsm-specialize "
                     "takes it")};
  Option<unsigned> numWarps{*this, "num-warps", llvm::cl::desc("warps per program")};
  Option<unsigned> numStages{*this, "num-stages", llvm::cl::desc("stages of hinted loops")};
  ListOption<std::string> without{*this, "without", llvm::cl::desc("passes to leave out")};
  Option<unsigned> vectorBytes{*this, "vector-bytes", llvm::cl::init(64),
                               llvm::cl::desc("bytes of the host's vector registers")};
  Option<std::string> target{*this, "target", llvm::cl::init("sm_90a"),
                             llvm::cl::desc("GPU to generate code for")};
  Option<bool> pack{*this, "pack", llvm::cl::init(false),
                    llvm::cl::desc("let programs of one warp share a cta")};
  Option<bool> strict{*this, "strict", llvm::cl::init(false),
                      llvm::cl::desc("an error where stages of a loop are given up")};
  Option<bool> remarks{*this, "remarks", llvm::cl::init(false),
                       llvm::cl::desc("emit a remark for each load of a loop with stages")};
  enum class Stage { FSM, GPU, NVVM, LLVM };
  Option<Stage> stage{*this, "stage", llvm::cl::init(Stage::LLVM), llvm::cl::desc("where to stop"),
                      llvm::cl::values(clEnumValN(Stage::FSM, "fsm", "blocks with layouts"),
                                       clEnumValN(Stage::GPU, "gpu", "what a thread does"),
                                       clEnumValN(Stage::NVVM, "nvvm", "the nvvm dialect"),
                                       clEnumValN(Stage::LLVM, "llvm", "what is translated"))};

  fsm::PipelineOptions options() const {
    fsm::PipelineOptions result;
    result.kernel = kernel;
    result.arguments.assign(arguments.begin(), arguments.end());
    result.numWarps = numWarps;
    result.numStages = numStages;
    result.without.assign(without.begin(), without.end());
    result.vectorBytes = vectorBytes;
    result.target = target;
    result.packPrograms = pack;
    result.strict = strict;
    result.remarks = remarks;
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
  PassPipelineRegistration<PipelineFlags>(
      "fsm-gpu-pipeline", "Compile kernels for a GPU, down to the llvm dialect",
      [](OpPassManager &manager, const PipelineFlags &flags) {
        constexpr BuildStage stages[] = {buildDevicePlanPipeline, buildGPUPipeline,
                                         buildNVVMPipeline, buildDevicePipeline};
        stages[static_cast<size_t>(flags.stage.getValue())](manager, flags.options());
      });
}

void fsm::registerLanguage(DialectRegistry &registry) {
  registry.insert<FSMDialect, arith::ArithDialect, func::FuncDialect, math::MathDialect,
                  scf::SCFDialect, ub::UBDialect>();
  func::registerInlinerExtension(registry);
}

void fsm::registerDialects(DialectRegistry &registry) {
  registerLanguage(registry);
  registry.insert<gpu::GPUDialect, NVVM::NVVMDialect, vector::VectorDialect, LLVM::LLVMDialect>();
}
