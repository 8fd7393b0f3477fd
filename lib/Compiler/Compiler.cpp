//===- Compiler.cpp - From text to a compiled kernel ---------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Compiler/Compiler.h"

#include "fsm/Compiler/Guarded.h"
#include "fsm/Compiler/ParsedSource.h"
#include "fsm/Compiler/Pipelines.h"
#include "fsm/Target/HostObject.h"

#include "mlir/Pass/PassManager.h"
#include "llvm/Support/CrashRecoveryContext.h"

using namespace mlir;
using namespace fsm;

//===----------------------------------------------------------------------===//
// The last net
//===----------------------------------------------------------------------===//

bool fsm::runGuarded(llvm::function_ref<void()> work) {
  static const bool enabled = (llvm::CrashRecoveryContext::Enable(), true);
  (void)enabled;
  constexpr unsigned stackBytes = 64u << 20;
  return llvm::CrashRecoveryContext().RunSafelyOnThread(work, stackBytes);
}

//===----------------------------------------------------------------------===//
// One kernel through the passes
//===----------------------------------------------------------------------===//

namespace {
/// A module with the one kernel that is compiled.
struct Job {
  std::unique_ptr<ParsedSource> parsed;
  KernelSignature signature;
  std::vector<ArgumentFact> promises;
  PipelineOptions options;
};
} // namespace

static std::string factText(const ArgumentFact &fact, bool mayBeNoAlias) {
  std::string text = fact.divisible > 1 ? std::to_string(fact.divisible) : "";
  if (fact.isOne)
    text += text.empty() ? "one" : "+one";
  if (fact.noAlias && mayBeNoAlias)
    text += text.empty() ? "noalias" : "+noalias";
  if (fact.isLarge)
    text += text.empty() ? "large" : "+large";
  return text;
}

static Result<PipelineOptions> pipelineOptions(const Source &source, const CompileOptions &options,
                                               const KernelSignature &signature) {
  size_t count = signature.arguments.size();
  if (!options.facts.empty() && options.facts.size() != count)
    return badInput(source.fileName + ": error: expected facts of the " + std::to_string(count) +
                    " arguments of kernel '@" + signature.name + "', got " +
                    std::to_string(options.facts.size()));
  // A pointer that is read from memory may point anywhere, so nothing is known
  // of what overlaps.
  bool mayBeNoAlias = llvm::none_of(signature.arguments, [](const KernelArgument &argument) {
    return argument.pointerDepth > 1;
  });
  PipelineOptions result;
  result.kernel = signature.name;
  for (const ArgumentFact &fact : options.facts)
    result.arguments.push_back(factText(fact, mayBeNoAlias));
  result.numWarps = options.numWarps;
  result.numStages = options.numStages;
  result.vectorBytes = hostVectorBytes();
  return result;
}

/// Removes the other kernels, and makes helpers private so that they go once
/// they are inlined.
static void keepOnly(KernelOp kernel) {
  ModuleOp module = kernel->getParentOfType<ModuleOp>();
  for (KernelOp other : llvm::make_early_inc_range(module.getOps<KernelOp>()))
    if (other != kernel)
      other.erase();
  for (auto helper : module.getOps<func::FuncOp>())
    helper.setPrivate();
}

static Result<Job> prepare(const Source &source, const CompileOptions &options) {
  if (options.target != "cpu")
    return badInput(source.fileName + ": error: expected the target 'cpu', got '" + options.target +
                    "'");
  Result<std::unique_ptr<ParsedSource>> parsed = ParsedSource::parse(source);
  if (!parsed)
    return parsed.error();
  Result<KernelOp> kernel = (*parsed)->pick(options.kernel);
  if (!kernel)
    return kernel.error();
  Job job;
  job.parsed = std::move(*parsed);
  job.signature = signatureOf(*kernel);
  job.promises = promisesOf(*kernel);
  Result<PipelineOptions> pipeline = pipelineOptions(source, options, job.signature);
  if (!pipeline)
    return pipeline.error();
  job.options = std::move(*pipeline);
  keepOnly(*kernel);
  return job;
}

/// Runs the passes up to the llvm dialect, or only those over the fsm dialect.
static Result<void> runPasses(Job &job, const Source &source, bool toLLVM) {
  MLIRContext &context = job.parsed->context();
  ErrorText errors(context);
  PassManager manager(&context, ModuleOp::getOperationName());
  if (toLLVM)
    buildCPUPipeline(manager, job.options);
  else
    buildHostPlanPipeline(manager, job.options);
  if (succeeded(manager.run(job.parsed->module())))
    return {};
  return errors.take(source.fileName + ": error: a pass failed on kernel '@" + job.signature.name +
                     "' without a reason");
}

static Result<CompiledKernel> compileNow(const Source &source, const CompileOptions &options) {
  Result<Job> job = prepare(source, options);
  if (!job)
    return job.error();
  if (Result<void> lowered = runPasses(*job, source, /*toLLVM=*/true); !lowered)
    return lowered.error();
  ModuleOp module = job->parsed->module();
  auto function = module.lookupSymbol<LLVM::LLVMFuncOp>(job->signature.name);
  if (!function)
    return Error{Error::Kind::Internal, source.fileName + ": error: kernel '@" +
                                            job->signature.name + "' was lost in lowering"};
  auto scratch = function->getAttrOfType<IntegerAttr>(kHostScratchAttr);
  Result<std::string> code = emitHostCode(module, HostOutput::Object);
  if (!code)
    return code.error();
  CompiledKernel compiled;
  compiled.name = job->signature.name;
  compiled.target = options.target;
  compiled.code = std::move(*code);
  compiled.arguments = std::move(job->signature.arguments);
  compiled.facts = options.facts;
  compiled.promises = std::move(job->promises);
  compiled.scratchBytes = scratch ? static_cast<uint64_t>(scratch.getInt()) : 0;
  return compiled;
}

static Result<std::string> emitNow(const Source &source, const CompileOptions &options,
                                   const std::string &stage) {
  bool isMLIR = stage == "fsm" || stage == "llvm";
  if (!isMLIR && stage != "llvmir" && stage != "asm")
    return badInput("error: expected one of the stages fsm, llvm, llvmir, asm, got '" + stage +
                    "'");
  Result<Job> job = prepare(source, options);
  if (!job)
    return job.error();
  if (Result<void> lowered = runPasses(*job, source, stage != "fsm"); !lowered)
    return lowered.error();
  ModuleOp module = job->parsed->module();
  if (!isMLIR)
    return emitHostCode(module, stage == "asm" ? HostOutput::Assembly : HostOutput::LLVMIR);
  std::string text;
  llvm::raw_string_ostream stream(text);
  module.print(stream);
  stream << "\n";
  return text;
}

static Result<std::vector<KernelSignature>> listNow(const Source &source) {
  Result<std::unique_ptr<ParsedSource>> parsed = ParsedSource::parse(source);
  if (!parsed)
    return parsed.error();
  std::vector<KernelSignature> signatures;
  for (KernelOp kernel : (*parsed)->kernels())
    signatures.push_back(signatureOf(kernel));
  return signatures;
}

//===----------------------------------------------------------------------===//
// The interface
//===----------------------------------------------------------------------===//

Result<std::vector<KernelSignature>> Compiler::list(const Source &source) {
  return guarded<std::vector<KernelSignature>>(source, [&] { return listNow(source); });
}

Result<CompiledKernel> Compiler::compile(const Source &source, const CompileOptions &options) {
  return guarded<CompiledKernel>(source, [&] { return compileNow(source, options); });
}

Result<std::string> Compiler::emit(const Source &source, const CompileOptions &options,
                                   const std::string &stage) {
  return guarded<std::string>(source, [&] { return emitNow(source, options, stage); });
}
