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
#include "fsm/IR/DebugTable.h"
#include "fsm/IR/DeviceLibrary.h"
#include "fsm/Target/DeviceCode.h"
#include "fsm/Target/HostObject.h"

#include "mlir/Pass/PassManager.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

using namespace mlir;
using namespace fsm;

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
  /// Null for the host.
  const GpuTarget *gpu = nullptr;
  /// The file of libdevice, or empty.
  std::string libdevice;
  /// What was reported besides errors.
  std::vector<std::string> diagnostics;
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
  for (const std::string &pass : options.without)
    if (!llvm::is_contained(optionalPasses(), pass))
      return badInput(source.fileName + ": error: expected passes of " +
                      llvm::join(optionalPasses(), ", ") + " to leave out, got '" + pass + "'");
  result.without = options.without;
  result.vectorBytes = hostVectorBytes();
  result.target = options.target;
  result.packPrograms = options.packPrograms;
  result.strict = options.strict;
  result.remarks = options.remarks;
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
  const GpuTarget *gpu = findGpuTarget(options.target);
  if (options.target != "cpu" && !gpu)
    return badInput(source.fileName + ": error: expected one of the targets cpu, " +
                    gpuTargetNames() + ", got '" + options.target + "'");
  Result<std::unique_ptr<ParsedSource>> parsed = ParsedSource::parse(source);
  if (!parsed)
    return parsed.error();
  Result<KernelOp> kernel = (*parsed)->pick(options.kernel);
  if (!kernel)
    return kernel.error();
  Job job;
  job.gpu = gpu;
  job.parsed = std::move(*parsed);
  job.signature = signatureOf(*kernel);
  job.promises = promisesOf(*kernel);
  Result<PipelineOptions> pipeline = pipelineOptions(source, options, job.signature);
  if (!pipeline)
    return pipeline.error();
  job.options = std::move(*pipeline);
  keepOnly(*kernel);
  if (gpu && !options.libdevice.empty())
    (*kernel)->setAttr(kLibdeviceAttr, UnitAttr::get((*kernel)->getContext()));
  job.libdevice = options.libdevice;
  return job;
}

/// The passes up to a stage of the compilation.
using BuildPipeline = void (*)(OpPassManager &, const PipelineOptions &);

static Result<void> runPasses(Job &job, const Source &source, BuildPipeline build) {
  MLIRContext &context = job.parsed->context();
  ErrorText errors(context, &job.diagnostics);
  PassManager manager(&context, ModuleOp::getOperationName());
  build(manager, job.options);
  if (succeeded(manager.run(job.parsed->module())))
    return {};
  return errors.take(source.fileName + ": error: a pass failed on kernel '@" + job.signature.name +
                     "' without a reason");
}

/// What a launch needs to know of the compiled function.
static void readContract(LLVM::LLVMFuncOp function, CompiledKernel &compiled) {
  compiled.scratchBytes = integerAttrOr(function, kHostScratchAttr, 0);
  compiled.device.numWarps = static_cast<unsigned>(integerAttrOr(function, kNumWarpsAttr, 0));
  compiled.device.programsPerCta =
      std::max(1u, static_cast<unsigned>(integerAttrOr(function, kProgramsPerCtaAttr, 0)));
  compiled.device.sharedBytes = static_cast<uint32_t>(integerAttrOr(function, kSharedBytesAttr, 0));
  compiled.device.hasProgramCount = function->hasAttr(kProgramCountAttr);
  compiled.debugOps = debugOpsOf(function);
}

static Result<std::string> emitCode(Job &job, const Source &source, DeviceOutput device,
                                    HostOutput host) {
  if (!job.gpu)
    return emitHostCode(job.parsed->module(), host);
  // What the code generator refuses is located.
  ErrorText errors(job.parsed->context(), &job.diagnostics);
  return emitDeviceCode(job.parsed->module(), *job.gpu, device, /*times=*/nullptr, job.libdevice);
}

static Result<CompiledKernel> compileNow(const Source &source, const CompileOptions &options) {
  Result<Job> job = prepare(source, options);
  if (!job)
    return job.error();
  BuildPipeline build = job->gpu ? buildDevicePipeline : buildCPUPipeline;
  if (Result<void> lowered = runPasses(*job, source, build); !lowered)
    return lowered.error();
  auto function = job->parsed->module().lookupSymbol<LLVM::LLVMFuncOp>(job->signature.name);
  if (!function)
    return Error{Error::Kind::Internal, source.fileName + ": error: kernel '@" +
                                            job->signature.name + "' was lost in lowering"};
  CompiledKernel compiled;
  readContract(function, compiled);
  Result<std::string> code = emitCode(*job, source, DeviceOutput::PTX, HostOutput::Object);
  if (!code)
    return code.error();
  compiled.name = job->signature.name;
  compiled.target = options.target;
  compiled.code = std::move(*code);
  compiled.arguments = std::move(job->signature.arguments);
  compiled.facts = options.facts;
  compiled.promises = std::move(job->promises);
  compiled.diagnostics = std::move(job->diagnostics);
  return compiled;
}

namespace {
/// A stage whose text can be had.
struct Stage {
  llvm::StringLiteral name;
  BuildPipeline build;
  enum { MLIR, Code, Contract } kind;
  DeviceOutput device = DeviceOutput::PTX;
  HostOutput host = HostOutput::Assembly;
};
} // namespace

static constexpr Stage kHostStages[] = {
    {"fsm", buildHostPlanPipeline, Stage::MLIR},
    {"llvm", buildCPUPipeline, Stage::MLIR},
    {"llvmir", buildCPUPipeline, Stage::Code, DeviceOutput::LLVMIR, HostOutput::LLVMIR},
    {"asm", buildCPUPipeline, Stage::Code}};

static constexpr Stage kDeviceStages[] = {
    {"fsm", buildDevicePlanPipeline, Stage::MLIR},
    {"gpu", buildGPUPipeline, Stage::MLIR},
    {"nvvm", buildNVVMPipeline, Stage::MLIR},
    {"llvm", buildDevicePipeline, Stage::MLIR},
    {"llvmir", buildDevicePipeline, Stage::Code, DeviceOutput::LLVMIR},
    {"ptx", buildDevicePipeline, Stage::Code},
    {"contract", buildDevicePipeline, Stage::Contract}};

/// The stage of that name, or the sentence that lists those there are.
static Result<const Stage *> findStage(llvm::ArrayRef<Stage> stages, const std::string &name,
                                       const std::string &target) {
  std::string names;
  for (const Stage &stage : stages) {
    if (stage.name == name)
      return &stage;
    names += (names.empty() ? "" : ", ") + stage.name.str();
  }
  return badInput("error: expected one of the stages " + names + " for the target '" + target +
                  "', got '" + name + "'");
}

/// The table of prints and asserts, by their numbers.
static llvm::json::Array debugOpsText(const std::vector<DebugOp> &ops) {
  llvm::json::Array list;
  for (const DebugOp &op : ops) {
    llvm::json::Array values;
    for (const DebugValue &value : op.values)
      values.push_back(llvm::json::Object{
          {"type", value.isPointer ? "ptr" : llvm::StringRef(scalarTypeInfo(value.type).name)},
          {"shape", llvm::json::Array(value.shape)}});
    list.push_back(llvm::json::Object{{"op", op.isAssert ? "fsm.assert" : "fsm.print"},
                                      {"place", op.place},
                                      {"text", op.text},
                                      {"hex", op.isHex},
                                      {"values", std::move(values)}});
  }
  return list;
}

/// The launch contract as JSON.
static std::string contractText(const Job &job, const CompiledKernel &compiled) {
  llvm::json::Array arguments;
  for (const KernelArgument &argument : job.signature.arguments)
    arguments.push_back(
        llvm::json::Object{{"name", argument.name},
                           {"type", llvm::StringRef(scalarTypeInfo(argument.type).name)},
                           {"pointer_depth", argument.pointerDepth}});
  llvm::json::Object contract{{"name", job.signature.name},
                              {"target", job.options.target},
                              {"num_warps", compiled.device.numWarps},
                              {"programs_per_cta", compiled.device.programsPerCta},
                              {"shared_bytes", compiled.device.sharedBytes},
                              {"program_count", compiled.device.hasProgramCount},
                              {"debug_ops", debugOpsText(compiled.debugOps)},
                              {"arguments", std::move(arguments)}};
  std::string text;
  llvm::raw_string_ostream(text) << llvm::formatv("{0:2}", llvm::json::Value(std::move(contract)))
                                 << "\n";
  return text;
}

/// The text of a stage whose passes have run.
static Result<std::string> textOf(Job &job, const Source &source, const Stage &stage) {
  ModuleOp module = job.parsed->module();
  if (stage.kind == Stage::Code)
    return emitCode(job, source, stage.device, stage.host);
  if (stage.kind == Stage::Contract) {
    CompiledKernel compiled;
    if (auto function = module.lookupSymbol<LLVM::LLVMFuncOp>(job.signature.name))
      readContract(function, compiled);
    return contractText(job, compiled);
  }
  std::string text;
  llvm::raw_string_ostream stream(text);
  module.print(stream);
  stream << "\n";
  return text;
}

static Result<std::string> emitNow(const Source &source, const CompileOptions &options,
                                   const std::string &name, std::vector<std::string> *diagnostics) {
  bool isHost = options.target == "cpu";
  Result<const Stage *> found = findStage(
      isHost ? llvm::ArrayRef(kHostStages) : llvm::ArrayRef(kDeviceStages), name, options.target);
  if (!found)
    return found.error();
  const Stage &stage = **found;
  Result<Job> job = prepare(source, options);
  if (!job)
    return job.error();
  if (Result<void> lowered = runPasses(*job, source, stage.build); !lowered)
    return lowered.error();
  Result<std::string> text = textOf(*job, source, stage);
  if (text && diagnostics)
    *diagnostics = std::move(job->diagnostics);
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
                                   const std::string &stage,
                                   std::vector<std::string> *diagnostics) {
  return guarded<std::string>(source, [&] { return emitNow(source, options, stage, diagnostics); });
}
