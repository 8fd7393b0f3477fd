//===- SimulatedThreads.cpp - Kernels with layouts, simulated ------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SimulatedThreads.h"

#include "fsm/Conversion/Passes.h"
#include "fsm/Simulator/Simulator.h"
#include "fsm/Target/DeviceCode.h"
#include "fsm/Transforms/Passes.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;
using namespace fsm;
using namespace fsm::test;

std::string test::blockType(const LinearLayout &layout, const std::string &element) {
  MLIRContext context(MLIRContext::Threading::DISABLED);
  context.loadDialect<FSMDialect>();
  std::string text = "tensor<";
  const std::vector<Axis> &axes = layout.to().axes();
  for (size_t i = axes.size(); i-- > 0;)
    text += std::to_string(axes[i].extent) + "x";
  text += element + ", ";
  llvm::raw_string_ostream stream(text);
  stream << LayoutAttr::get(&context, layout) << ">";
  return text;
}

/// A place for each buffer, where no other lies; the bytes of all.
static uint32_t allocateBuffers(KernelOp kernel) {
  uint64_t bytes = 0;
  Builder builder(kernel.getContext());
  kernel->walk([&](SharedAllocOp alloc) {
    alloc->setAttr(kSharedOffsetAttr, builder.getI32IntegerAttr(static_cast<int32_t>(bytes)));
    bytes += llvm::alignTo(alloc.getType().getBytes(), kSharedAlignment);
  });
  kernel->setAttr(kSharedBytesAttr, builder.getI32IntegerAttr(static_cast<int32_t>(bytes)));
  return static_cast<uint32_t>(bytes);
}

/// The PTX; in `error` why there is none.
static std::string compile(const std::string &text, uint32_t &sharedBytes, std::string &error) {
  DialectRegistry registry;
  registry.insert<FSMDialect, arith::ArithDialect, gpu::GPUDialect, math::MathDialect,
                  NVVM::NVVMDialect, scf::SCFDialect, vector::VectorDialect>();
  registerDeviceTranslations(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    error += diagnostic.str() + "\n";
    return success();
  });
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, ParserConfig(&context), "k");
  if (!module)
    return "";
  PassManager staging(&context, ModuleOp::getOperationName());
  staging.addNestedPass<KernelOp>(createStageExchangesPass());
  if (failed(staging.run(*module)))
    return "";
  sharedBytes = allocateBuffers(*module->getOps<KernelOp>().begin());
  PassManager manager(&context, ModuleOp::getOperationName());
  manager.addPass(createConvertFSMToGPUPass());
  addDeviceLoweringPasses(manager);
  if (failed(manager.run(*module)))
    return "";
  Result<std::string> ptx = emitDeviceCode(*module, *findGpuTarget("sm_90"), DeviceOutput::PTX);
  if (!ptx)
    error += ptx.error().message;
  return ptx ? *ptx : "";
}

static Outcome simulate(std::string ptx, unsigned threads, uint32_t sharedBytes, const Bytes &in,
                        size_t outBytes, uint64_t seed) {
  Outcome outcome{Bytes(outBytes), "", std::move(ptx)};
  Result<sim::Module> module = sim::Module::parse(outcome.ptx);
  if (!module) {
    outcome.error = module.error().message;
    return outcome;
  }
  sim::Device device;
  uint64_t to = *device.alloc(outBytes), from = *device.alloc(in.size());
  (void)device.copyIn(from, in.data(), in.size());
  void *parameters[] = {&to, &from};
  sim::LaunchOptions options;
  options.seed = seed;
  Result<sim::LaunchReport> report =
      device.launch(*module, "k", {}, {threads, 1, 1}, sharedBytes, parameters, options);
  if (!report) {
    outcome.error = report.error().message;
    return outcome;
  }
  outcome.error = report->str();
  if (outcome.error.empty())
    if (Result<void> read = device.copyOut(outcome.out.data(), to, outBytes); !read)
      outcome.error = read.error().message;
  return outcome;
}

Outcome test::runThreads(const std::string &body, unsigned numWarps, const std::string &outElement,
                         const std::string &inElement, const Bytes &in, size_t outBytes,
                         uint64_t seed) {
  std::string text = "fsm.kernel @k(%out: !fsm.ptr<" + outElement + ">, %in: !fsm.ptr<" +
                     inElement + ">) attributes {num_warps = " + std::to_string(numWarps) +
                     " : i32} {\n" + body + "  fsm.return\n}\n";
  Outcome outcome;
  uint32_t sharedBytes = 0;
  std::string ptx = compile(text, sharedBytes, outcome.error);
  if (ptx.empty()) {
    outcome.error += "\n" + text;
    return outcome;
  }
  outcome = simulate(std::move(ptx), 32 * numWarps, sharedBytes, in, outBytes, seed);
  if (!outcome.error.empty())
    outcome.error += "\n" + text;
  return outcome;
}
