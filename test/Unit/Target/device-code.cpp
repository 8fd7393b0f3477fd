//===- device-code.cpp - From the stage gpu to PTX, for tests ------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Compiles a file that is already at the stage `gpu`, so that what lies below it
// can be tested and timed alone.

#include "fsm/Conversion/Passes.h"
#include "fsm/Target/DeviceCode.h"

#include "mlir/Parser/Parser.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/InitLLVM.h"

#include <chrono>
#include <limits>

using namespace mlir;
using namespace fsm;

namespace {
namespace cl = llvm::cl;

cl::opt<std::string> inputName(cl::Positional, cl::Required, cl::desc("file.mlir"));
cl::opt<std::string> targetName("target", cl::init("sm_90"), cl::desc("name of the GPU"));
cl::opt<std::string> stage("emit", cl::init("ptx"), cl::desc("nvvm, llvm, llvmir or ptx"));
cl::opt<unsigned> repeat("time", cl::init(0),
                         cl::desc("compile so often and print the least milliseconds"));

/// Milliseconds of the phases of one compile.
struct Times {
  double passes = 0;
  DeviceCodeTimes code;
};

int complain(const std::string &message) {
  llvm::errs() << message << "\n";
  return 1;
}

LogicalResult lower(ModuleOp module, bool toLLVM) {
  PassManager manager(module.getContext(), ModuleOp::getOperationName());
  manager.enableVerifier(repeat == 0);
  if (toLLVM)
    addDeviceLoweringPasses(manager);
  else
    manager.addPass(createConvertDeviceToNVVMPass());
  return manager.run(module);
}

/// The text of the stage that is asked for.
Result<std::string> compile(MLIRContext &context, const GpuTarget &target, Times &times) {
  OwningOpRef<ModuleOp> module = parseSourceFile<ModuleOp>(inputName, &context);
  if (!module)
    return badInput("error: the input does not parse");
  auto start = std::chrono::steady_clock::now();
  if (failed(lower(*module, stage != "nvvm")))
    return badInput("error: a pass failed");
  times.passes =
      std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  std::string text;
  if (stage == "nvvm" || stage == "llvm") {
    llvm::raw_string_ostream stream(text);
    OpPrintingFlags flags;
    module->print(stream, stage == "llvm" ? flags.enableDebugInfo() : flags);
    stream << "\n";
    return text;
  }
  return emitDeviceCode(*module, target, stage == "ptx" ? DeviceOutput::PTX : DeviceOutput::LLVMIR,
                        &times.code);
}

void printLeast(const Times &least) {
  llvm::outs() << llvm::format(
      "passes %.2f check %.2f translate %.2f optimize %.2f generate %.2f\n", least.passes,
      least.code.check, least.code.translate, least.code.optimize, least.code.generate);
}
} // namespace

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  cl::ParseCommandLineOptions(argc, argv, "FSM: from the stage gpu to PTX\n");
  const GpuTarget *target = findGpuTarget(targetName);
  if (!target)
    return complain("error: expected one of " + gpuTargetNames());
  DialectRegistry registry;
  registry.insert<arith::ArithDialect, gpu::GPUDialect, LLVM::LLVMDialect, math::MathDialect,
                  NVVM::NVVMDialect, scf::SCFDialect, vector::VectorDialect>();
  registerDeviceTranslations(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  Times times;
  Result<std::string> text = compile(context, *target, times);
  if (!text)
    return complain(text.error().message);
  if (repeat == 0) {
    llvm::outs() << *text;
    return 0;
  }
  Times least = times;
  for (unsigned i = 1; i < repeat; ++i) {
    Times next;
    if (Result<std::string> again = compile(context, *target, next); !again)
      return complain(again.error().message);
    least.passes = std::min(least.passes, next.passes);
    least.code.check = std::min(least.code.check, next.code.check);
    least.code.translate = std::min(least.code.translate, next.code.translate);
    least.code.optimize = std::min(least.code.optimize, next.code.optimize);
    least.code.generate = std::min(least.code.generate, next.code.generate);
  }
  printLeast(least);
  return 0;
}
