//===- Trial.cpp - One mutant through parser, verifier and pipeline -------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Trial.h"

#include "fsm/Compiler/Pipelines.h"
#include "fsm/IR/FSMDialect.h"
#include "fsm/Source/SourceText.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassInstrumentation.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace fsm;
using namespace fsm::fuzz;

static std::unique_ptr<MLIRContext> makeContext() {
  DialectRegistry registry;
  registerDialects(registry);
  return std::make_unique<MLIRContext>(registry, MLIRContext::Threading::DISABLED);
}

static OwningOpRef<ModuleOp> parse(const std::string &source, MLIRContext &context) {
  return parseSourceString<ModuleOp>(source, ParserConfig(&context, /*verifyAfterParse=*/false));
}

Parsed fsm::fuzz::parseAlone(const std::string &source) {
  Parsed parsed;
  parsed.context = makeContext();
  // Mutations of modules make types of it in any module.
  parsed.context->loadDialect<FSMDialect>();
  ScopedDiagnosticHandler quiet(parsed.context.get(), [](Diagnostic &) { return success(); });
  parsed.module = parse(source, *parsed.context);
  if (parsed.module && failed(verify(*parsed.module)))
    parsed.module = nullptr;
  return parsed;
}

namespace {
/// Notes the first pass after which a module no longer verifies. The language
/// holds for helpers from the moment in which they are part of a kernel, so what
/// comes out of the inliner may be refused.
struct VerifyAfterEachPass : PassInstrumentation {
  explicit VerifyAfterEachPass(std::string &fault) : fault(fault) {}

  /// The inliner runs passes of its own on what it has inlined.
  void runBeforePass(Pass *pass, Operation *) override {
    isInlining |= pass->getArgument() == "inline";
  }

  void runAfterPass(Pass *pass, Operation *op) override {
    if (!isRefused && fault.empty() && failed(verify(op))) {
      isRefused = isInlining;
      if (!isRefused)
        fault = "the module is invalid after " + pass->getName().str();
    }
    isInlining &= pass->getArgument() != "inline";
  }

  std::string &fault;
  bool isRefused = false, isInlining = false;
};

/// Counts errors, so that a silent refusal is noticed.
struct ErrorCount {
  explicit ErrorCount(MLIRContext &context)
      : handler(&context, [this](Diagnostic &diagnostic) {
          errors += diagnostic.getSeverity() == DiagnosticSeverity::Error;
          last = diagnostic.str();
          return success();
        }) {}

  unsigned errors = 0;
  std::string last;
  ScopedDiagnosticHandler handler;
};
} // namespace

/// Some custom forms do not print a terminator without operands, nor what hangs
/// on it.
static void dropAttributesOfTerminators(ModuleOp module) {
  module->walk([](Operation *op) {
    if (op->hasTrait<OpTrait::IsTerminator>() && op->getNumOperands() == 0)
      op->setDiscardableAttrs(ArrayRef<NamedAttribute>());
  });
}

/// Whether an op is none that kernels are written in; what upstream's custom forms of lowered
/// code lose (a global's address space of a wrong kind, say) is upstream's.
static bool holdsLoweredCode(ModuleOp module) {
  return module
      ->walk([](Operation *op) {
        StringRef dialect = op->getName().getDialectNamespace();
        bool isLowered = dialect == "llvm" || dialect == "nvvm" || dialect == "gpu";
        return isLowered ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

/// A valid module says the same after it was printed and parsed again.
static std::string checkReprinting(ModuleOp module, ErrorCount &diagnostics) {
  if (holdsLoweredCode(module))
    return "";
  dropAttributesOfTerminators(module);
  std::string text;
  llvm::raw_string_ostream(text) << module;
  // A context holds each resource once: what names one again gets another name.
  if (text.find("dense_resource<") != text.npos)
    return "";
  OwningOpRef<ModuleOp> again = parse(text, *module.getContext());
  if (!again)
    return "a valid module does not parse again after printing: " + diagnostics.last;
  if (failed(verify(*again)))
    return "a valid module is invalid after printing and parsing: " + diagnostics.last;
  // The names of values may change, which the comparison of ops does not see; ops
  // that use their own results are equal to it only in their text.
  std::string secondText;
  llvm::raw_string_ostream(secondText) << *again;
  bool same = text == secondText || OperationEquivalence::isEquivalentTo(
                                        module, *again, OperationEquivalence::IgnoreLocations);
  return same ? "" : "printing and parsing changes a valid module";
}

/// Adds one of the ways to GPU code: the pipeline to some stage, or one pass on what
/// others would have prepared.
static LogicalResult addDevicePasses(PassManager &manager, uint64_t number) {
  static constexpr const char *pipelines[] = {
      "fsm-gpu-pipeline{stage=llvm pack=false}",
      "fsm-gpu-pipeline{stage=llvm num-warps=4}",
      "fsm-gpu-pipeline{stage=llvm num-warps=16 target=sm_75 pack=false}",
      "fsm.kernel(fsm-choose-warps)",
      "fsm.kernel(fsm-assign-layouts),fsm-print-layouts{max-elements=64 file=/dev/null}",
      "fsm.kernel(fsm-allocate-shared)",
      "fsm.kernel(fsm-insert-barriers)",
      "fsm.kernel(fsm-allocate-shared,fsm-insert-barriers,fsm-verify-shared)",
      "fsm.kernel(fsm-verify-shared)",
      "fsm.kernel(fsm-check-resources)",
      "convert-fsm-to-gpu",
      "fsm.kernel(fsm-assign-layouts,fsm-allocate-shared),convert-fsm-to-gpu",
      "convert-device-to-nvvm",
      "convert-device-module-to-llvm"};
  // Whole pipelines half of the time.
  constexpr size_t whole = 3;
  number /= 2;
  size_t choice = number % 2 ? number / 2 % whole : number / 2 % std::size(pipelines);
  return parsePassPipeline(pipelines[choice], manager);
}

static std::string compile(ModuleOp module, ErrorCount &diagnostics,
                           std::optional<uint64_t> number) {
  auto kernels = module.getOps<KernelOp>();
  std::string fault;
  PassManager manager(module->getName());
  manager.enableVerifier(false);
  manager.addInstrumentation(std::make_unique<VerifyAfterEachPass>(fault));
  if (number) {
    if (failed(addDevicePasses(manager, *number)))
      return "a pipeline does not parse";
  } else if (kernels.empty()) {
    manager.addPass(createCanonicalizerPass());
    manager.addPass(createCSEPass());
  } else {
    CompileOptions options;
    options.kernel = (*kernels.begin()).getSymName().str();
    for (const PipelineStage &stage : hostPipeline())
      stage.addPasses(manager, options);
  }
  diagnostics.errors = 0;
  bool done = succeeded(manager.run(module));
  if (!fault.empty())
    return fault + ": " + diagnostics.last;
  return done || diagnostics.errors ? "" : "the pipeline fails without saying why";
}

std::string fsm::fuzz::tryMutant(const std::string &mutant, volatile Stage &stage,
                                 std::optional<uint64_t> number) {
  stage = Stage::Preparing;
  Result<std::string> source = prepareSource(mutant, "mutant", {});
  if (!source)
    return source.error().message.empty() ? "the source is refused without saying why" : "";
  stage = Stage::Parsing;
  std::unique_ptr<MLIRContext> context = makeContext();
  ErrorCount diagnostics(*context);
  OwningOpRef<ModuleOp> module = parse(*source, *context);
  if (!module)
    return diagnostics.errors ? "" : "the parser fails without saying why";
  stage = Stage::Verifying;
  // The verifier of gpu.func itself takes such a number as it is.
  WalkResult counted = module->walk([](Operation *op) {
    auto count = op->getAttrOfType<IntegerAttr>("workgroup_attributions");
    return count && !count.getValue().isZero() ? WalkResult::interrupt() : WalkResult::advance();
  });
  if (counted.wasInterrupted())
    return "";
  if (failed(verify(*module)))
    return diagnostics.errors ? "" : "the verifier fails without saying why";
  stage = Stage::Reprinting;
  std::string fault = checkReprinting(*module, diagnostics);
  if (!fault.empty())
    return fault;
  stage = Stage::Compiling;
  fault = compile(*module, diagnostics, number);
  if (fault.empty() && diagnostics.errors == 0)
    stage = Stage::Done;
  return fault;
}
