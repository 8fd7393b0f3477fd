//===- Compiler.cpp - From text to a compiled kernel ---------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Compiler/Compiler.h"

#include "fsm/Analysis/ProgramCost.h"
#include "fsm/Compiler/Guarded.h"
#include "fsm/Compiler/KernelCost.h"
#include "fsm/Compiler/ParsedSource.h"
#include "fsm/Compiler/Pipelines.h"
#include "fsm/IR/DebugTable.h"
#include "fsm/IR/HiddenArguments.h"
#include "fsm/IR/TensorMaps.h"
#include "fsm/Target/Assembler.h"
#include "fsm/Target/DeviceCode.h"
#include "fsm/Target/HostObject.h"
#include "fsm/Transforms/BatchOption.h"
#include "fsm/Transforms/LoopOption.h"
#include "fsm/Transforms/Passes.h"

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
  CompileOptions options;
  /// Null for the host.
  const GpuTarget *gpu = nullptr;
  /// What was reported besides errors.
  std::vector<std::string> diagnostics;
};
} // namespace

Result<void> Compiler::check(const Source &source, const CompileOptions &options) {
  for (const std::string &pass : options.without)
    if (!llvm::is_contained(optionalPasses(), pass))
      return badInput(source.fileName + ": error: expected passes of " +
                      llvm::join(optionalPasses(), ", ") + " to leave out, got '" + pass + "'");
  if (Result<int64_t> given = programsGivenBy(options.batchPrograms); !given)
    return badInput(source.fileName + ": error: " + given.error().message);
  if (Result<int32_t> given = startedGivenBy(options.loopPrograms); !given)
    return badInput(source.fileName + ": error: " + given.error().message);
  return {};
}

/// The options as the passes take them, of the kernel that was picked.
static Result<CompileOptions> optionsFor(const Source &source, CompileOptions options,
                                         const KernelSignature &signature, ModuleOp module) {
  size_t count = signature.arguments.size();
  if (!options.facts.empty() && options.facts.size() != count)
    return badInput(source.fileName + ": error: expected facts of the " + std::to_string(count) +
                    " arguments of kernel '@" + signature.name + "', got " +
                    std::to_string(options.facts.size()));
  if (Result<void> checked = Compiler::check(source, options); !checked)
    return checked.error();
  if (!llvm::is_contained({8u, 16u, 32u, 64u}, options.vectorBytes))
    return badInput(source.fileName +
                    ": error: expected vector registers of 8, 16, 32 or 64 bytes, got " +
                    std::to_string(options.vectorBytes));
  options.kernel = signature.name;
  if (options.target == "cpu")
    options.libdevice.clear();
  options.vectorBytes = std::min(options.vectorBytes, hostVectorBytes());
  // A pointer that is read from memory, or made of a number, may point anywhere, so nothing is
  // known of what overlaps.
  bool mayBeNoAlias = llvm::none_of(signature.arguments, [](const KernelArgument &argument) {
    return argument.pointerDepth > 1;
  });
  module.walk([&](IntToPtrOp op) {
    mayBeNoAlias &= isa_and_present<PtrToIntOp>(op.getAddress().getDefiningOp());
  });
  for (ArgumentFact &fact : options.facts)
    fact.noAlias &= mayBeNoAlias;
  return options;
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
  Result<CompileOptions> checked = optionsFor(source, options, job.signature, job.parsed->module());
  if (!checked)
    return checked.error();
  job.options = std::move(*checked);
  keepOnly(*kernel);
  return job;
}

/// The passes of a pipeline, each once, in their order.
static llvm::SmallVector<std::string> passesOf(const OpPassManager &manager) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  manager.printAsTextualPipeline(stream);
  // Their names end where their options begin, and behind those of ops come parentheses.
  llvm::SmallVector<std::string> names;
  std::string name;
  unsigned depth = 0;
  for (char c : text) {
    depth += c == '{';
    depth -= c == '}';
    bool isPart = depth == 0 && (llvm::isAlnum(c) || c == '-' || c == '_' || c == '.');
    if (isPart)
      name += c;
    else if (!name.empty() && c != '(' && !llvm::is_contained(names, name))
      names.push_back(name);
    if (!isPart)
      name.clear();
  }
  return names;
}

namespace {
/// The pass behind which the module is printed, and where to.
struct PrintAfter {
  std::string pass;
  llvm::raw_ostream &stream;
};
} // namespace

// MLIR's verifier finds mistakes in what passes over kernels make, such as too many ops; in what
// conversions make of it, which is a hundred times as much, our own only.
#ifdef NDEBUG
static constexpr bool kVerifyConversions = false;
#else
static constexpr bool kVerifyConversions = true;
#endif

static Result<void> checkPrinted(Job &job, const Source &source,
                                 llvm::ArrayRef<PipelineStage> stages, const PrintAfter &print) {
  PassManager manager(&job.parsed->context(), ModuleOp::getOperationName());
  for (const PipelineStage &stage : stages)
    stage.addPasses(manager, job.options);
  llvm::SmallVector<std::string> passes = passesOf(manager);
  if (llvm::is_contained(passes, print.pass))
    return {};
  return badInput(source.fileName + ": error: expected one of the passes " +
                  llvm::join(passes, ", ") + " on the way to '" + job.options.target + "', got '" +
                  print.pass + "'");
}

static Result<void> runPasses(Job &job, const Source &source, llvm::ArrayRef<PipelineStage> stages,
                              const PrintAfter *print = nullptr) {
  if (print)
    if (Result<void> known = checkPrinted(job, source, stages, *print); !known)
      return known;
  MLIRContext &context = job.parsed->context();
  ErrorText errors(context, &job.diagnostics);
  for (const PipelineStage &stage : stages) {
    PassManager manager(&context, ModuleOp::getOperationName());
    manager.enableVerifier(kVerifyConversions || &stage == stages.begin());
    stage.addPasses(manager, job.options);
    if (print)
      manager.enableIRPrinting(
          nullptr, [&](Pass *pass, Operation *) { return pass->getArgument() == print->pass; },
          /*printModuleScope=*/true, /*printAfterOnlyOnChange=*/false,
          /*printAfterOnlyOnFailure=*/false, print->stream);
    if (failed(manager.run(job.parsed->module())))
      return errors.take(source.fileName + ": error: a pass failed on kernel '@" +
                         job.signature.name + "' without a reason");
  }
  return {};
}

/// What a launch needs to know of the compiled function.
static void readContract(LLVM::LLVMFuncOp function, CompiledKernel &compiled) {
  compiled.scratchBytes = integerAttrOr(function, kHostScratchAttr, integerAttrOr(function, kDeviceScratchAttr, 0));
  compiled.device.numWarps = static_cast<unsigned>(integerAttrOr(function, kNumWarpsAttr, 0));
  compiled.device.programsPerCta =
      std::max(1u, static_cast<unsigned>(integerAttrOr(function, kProgramsPerCtaAttr, 0)));
  compiled.device.numCtas =
      std::max(1u, static_cast<unsigned>(integerAttrOr(function, kNumCtasAttr, 0)));
  compiled.device.sharedBytes = static_cast<uint32_t>(integerAttrOr(function, kSharedBytesAttr, 0));
  compiled.device.batch = static_cast<unsigned>(integerAttrOr(function, kBatchAttr, 1));
  compiled.device.cluster = static_cast<unsigned>(integerAttrOr(function, kClusterAttr, 1));
  if (auto most = function->getAttrOfType<IntegerAttr>(kLoopProgramsAttr)) {
    compiled.device.loopsPrograms = true;
    compiled.device.mostStarted = static_cast<uint32_t>(most.getInt());
  }
  compiled.device.loadWarps = static_cast<unsigned>(integerAttrOr(function, kLoadWarpsAttr, 0));
  compiled.device.overlapsLaunches = function->hasAttr(kOverlapsLaunchesAttr);
  compiled.hiddenArguments = hiddenArgumentsOf(function);
  compiled.tensorMaps = tensorMapsOf(function);
  compiled.debugOps = debugOpsOf(function);
}

static Result<std::string> emitCode(Job &job, const Source &source, DeviceOutput device,
                                    HostOutput host) {
  if (!job.gpu)
    return emitHostCode(job.parsed->module(), host);
  // What the code generator refuses is located.
  ErrorText errors(job.parsed->context(), &job.diagnostics);
  return emitDeviceCode(job.parsed->module(), *job.gpu, device, /*times=*/nullptr,
                        job.options.libdevice);
}

/// With a `symbol`, code for the CPU is an object whose function is called so.
static Result<CompiledKernel> compileNow(const Source &source, const CompileOptions &options,
                                         llvm::StringRef symbol = "") {
  Result<Job> job = prepare(source, options);
  if (!job)
    return job.error();
  if (Result<void> lowered = runPasses(*job, source, job->gpu ? devicePipeline() : hostPipeline());
      !lowered)
    return lowered.error();
  auto function = job->parsed->module().lookupSymbol<LLVM::LLVMFuncOp>(job->signature.name);
  if (!function)
    return Error{Error::Kind::Internal, source.fileName + ": error: kernel '@" +
                                            job->signature.name + "' was lost in lowering"};
  CompiledKernel compiled;
  readContract(function, compiled);
  if (!symbol.empty())
    function.setSymName(symbol);
  Result<std::string> code = emitCode(*job, source, DeviceOutput::PTX,
                                      symbol.empty() ? HostOutput::Object : HostOutput::Portable);
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

static Result<KernelCost> costNow(const Source &source, const CompileOptions &options) {
  Result<Job> job = prepare(source, options);
  if (!job)
    return job.error();
  if (!job->gpu)
    return badInput(source.fileName + ": error: expected one of the targets " + gpuTargetNames() +
                    " to predict times of, got '" + options.target + "'");
  Result<KernelOp> kernel = job->parsed->pick(job->signature.name);
  if (!kernel)
    return kernel.error();
  std::optional<SpreadUse> spreadUse;
  if (!options.spread && !options.numCtas)
    spreadUse = spreadUseOf(*kernel, options.target);
  bool maybeClusters = !options.cluster && !options.numCtas && mayHaveClusters(*kernel, options.target);
  bool maybeLoops = mayLoopPrograms(*kernel, options);
  if (Result<void> planned = runPasses(*job, source, devicePipeline().take_front()); !planned)
    return planned.error();
  kernel = job->parsed->pick(job->signature.name);
  if (!kernel)
    return kernel.error();
  ProgramCost program = programCostOf(*kernel, *job->gpu);
  // Where a multiprocessor has several CTAs none waits for another one's stores.
  maybeLoops &=
      program.ctasPerMultiprocessor == 1 &&
      llvm::any_of(program.parts, [](const CostPart &part) { return part.groupProducts > 0; });
  return KernelCost{std::move(job->signature), std::move(program), std::move(spreadUse),
                    maybeClusters, maybeLoops};
}

/// In front of the name of a pass: a stage of its own.
static constexpr llvm::StringLiteral kAfter = "after:";

/// Layouts of blocks with more elements are not drawn.
static constexpr unsigned kDrawnElements = 4096;

namespace {
/// A stage whose text can be had.
struct Stage {
  llvm::StringLiteral name;
  llvm::ArrayRef<PipelineStage> pipeline;
  enum { MLIR, Layouts, Code, Contract, Launch, Cubin, Sass } kind;
  DeviceOutput device = DeviceOutput::PTX;
  HostOutput host = HostOutput::Assembly;
};
} // namespace

/// The kernel as it was read or imported, the modules on the way to a target, then what is made of the last.
static llvm::SmallVector<Stage> stagesOf(llvm::StringRef target) {
  llvm::ArrayRef<PipelineStage> pipeline = target == "cpu" ? hostPipeline() : devicePipeline();
  llvm::SmallVector<Stage> stages{{"source", {}, Stage::MLIR}};
  for (auto [index, stage] : llvm::enumerate(pipeline))
    stages.push_back({stage.name, pipeline.take_front(index + 1), Stage::MLIR});
  if (target != "cpu")
    stages.insert(stages.begin() + 2, {"layouts", pipeline.take_front(), Stage::Layouts});
  stages.push_back({"llvmir", pipeline, Stage::Code, DeviceOutput::LLVMIR, HostOutput::LLVMIR});
  if (target == "cpu") {
    stages.push_back({"asm", pipeline, Stage::Code});
  } else {
    stages.push_back({"ptx", pipeline, Stage::Code});
    stages.push_back({"contract", pipeline, Stage::Contract});
    stages.push_back({"launch", pipeline, Stage::Launch});
    stages.push_back({"cubin", pipeline, Stage::Cubin});
    stages.push_back({"sass", pipeline, Stage::Sass});
  }
  return stages;
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

/// What the tensor maps among the hidden arguments describe, dimensions outermost first.
static llvm::json::Array tensorMapsText(const std::vector<TensorMapPlan> &maps) {
  auto texts = [](const std::vector<LaunchExpression> &list) {
    llvm::json::Array words;
    for (const LaunchExpression &expression : list)
      words.push_back(launchExpressionText(expression));
    return words;
  };
  llvm::json::Array list;
  for (const TensorMapPlan &map : maps)
    list.push_back(llvm::json::Object{
        {"pointer", map.pointer},
        {"element", llvm::StringRef(scalarTypeInfo(map.type).name)},
        {"sizes", texts(map.sizes)},
        {"strides", texts(map.strides)},
        {"box", llvm::json::Array(std::vector<int64_t>(map.box.begin(), map.box.end()))},
        {"swizzle", map.swizzle},
        {"box_ends", map.boxEnds}});
  return list;
}

/// The launch contract as JSON, with the code if there is some.
static std::string contractText(const Job &job, const CompiledKernel &compiled) {
  llvm::json::Array arguments;
  for (const KernelArgument &argument : job.signature.arguments)
    arguments.push_back(
        llvm::json::Object{{"name", argument.name},
                           {"type", llvm::StringRef(scalarTypeInfo(argument.type).name)},
                           {"pointer_depth", argument.pointerDepth}});
  llvm::json::Array hidden;
  for (HiddenArgument argument : compiled.hiddenArguments)
    hidden.push_back(llvm::StringRef(hiddenArgumentName(argument)));
  llvm::json::Object contract{{"name", job.signature.name},
                              {"target", job.options.target},
                              {"num_warps", compiled.device.numWarps},
                              {"programs_per_cta", compiled.device.programsPerCta},
                              {"num_ctas", compiled.device.numCtas},
                              {"shared_bytes", compiled.device.sharedBytes},
                              {"hidden_arguments", std::move(hidden)},
                              {"debug_ops", debugOpsText(compiled.debugOps)},
                              {"arguments", std::move(arguments)}};
  if (compiled.device.batch > 1)
    contract["batch"] = compiled.device.batch;
  if (compiled.device.cluster > 1)
    contract["cluster"] = compiled.device.cluster;
  if (compiled.device.loopsPrograms)
    contract["loop_programs"] = compiled.device.mostStarted;
  if (compiled.device.overlapsLaunches)
    contract["overlaps_launches"] = true;
  if (compiled.scratchBytes && !job.options.target.empty() && job.options.target != "cpu")
    contract["scratch_bytes"] = compiled.scratchBytes;
  if (!compiled.tensorMaps.empty())
    contract["tensor_maps"] = tensorMapsText(compiled.tensorMaps);
  if (!compiled.code.empty())
    contract["ptx"] = llvm::json::fixUTF8(compiled.code);
  std::string text;
  llvm::raw_string_ostream(text) << llvm::formatv("{0:2}", llvm::json::Value(std::move(contract)))
                                 << "\n";
  return text;
}

/// What NVIDIA's tools make of the code.
static Result<std::string> assemble(Job &job, const Source &source, bool isText) {
  Result<std::string> ptx = emitCode(job, source, DeviceOutput::PTX, HostOutput::Assembly);
  if (!ptx)
    return ptx;
  Result<std::string> code = assemblePTX(*ptx, job.options.target);
  if (code && isText)
    code = disassembleCubin(*code);
  if (code)
    return code;
  return Error{code.error().kind, source.fileName + ": " + code.error().message};
}

/// The text of a stage whose passes have run.
static Result<std::string> textOf(Job &job, const Source &source, const Stage &stage) {
  ModuleOp module = job.parsed->module();
  if (stage.kind == Stage::Code)
    return emitCode(job, source, stage.device, stage.host);
  if (stage.kind == Stage::Contract || stage.kind == Stage::Launch) {
    CompiledKernel compiled;
    if (stage.kind == Stage::Launch) {
      Result<std::string> code = emitCode(job, source, DeviceOutput::PTX, HostOutput::Assembly);
      if (!code)
        return code;
      compiled.code = std::move(*code);
    }
    if (auto function = module.lookupSymbol<LLVM::LLVMFuncOp>(job.signature.name))
      readContract(function, compiled);
    return contractText(job, compiled);
  }
  if (stage.kind == Stage::Cubin || stage.kind == Stage::Sass)
    return assemble(job, source, stage.kind == Stage::Sass);
  std::string text;
  llvm::raw_string_ostream stream(text);
  if (stage.kind == Stage::Layouts) {
    printLayouts(module, stream, kDrawnElements);
    return text;
  }
  module.print(stream);
  stream << "\n";
  return text;
}

/// The module behind each run of a pass.
static Result<std::string> emitAfter(const Source &source, const CompileOptions &options,
                                     llvm::StringRef pass, std::vector<std::string> *diagnostics) {
  Result<Job> job = prepare(source, options);
  if (!job)
    return job.error();
  std::string text;
  llvm::raw_string_ostream stream(text);
  PrintAfter print{pass.str(), stream};
  if (Result<void> lowered =
          runPasses(*job, source, job->gpu ? devicePipeline() : hostPipeline(), &print);
      !lowered)
    return lowered.error();
  if (diagnostics)
    *diagnostics = std::move(job->diagnostics);
  return text;
}

/// `; the target sm_90a has it`, for a stage that targets of another kind have.
static std::string otherTargetOf(const std::string &stage) {
  for (const char *target : {"cpu", "sm_90a"})
    if (llvm::is_contained(Compiler::stages(target), stage))
      return std::string("; the target '") + target + "' has it";
  return "";
}

static Result<std::string> emitNow(const Source &source, const CompileOptions &options,
                                   const std::string &name, std::vector<std::string> *diagnostics) {
  llvm::StringRef pass = name;
  if (pass.consume_front(kAfter))
    return emitAfter(source, options, pass, diagnostics);
  llvm::SmallVector<Stage> stages = stagesOf(options.target);
  const Stage *stage = llvm::find_if(stages, [&](const Stage &s) { return s.name == name; });
  if (stage == stages.end())
    return badInput("error: expected one of the stages " +
                    llvm::join(Compiler::stages(options.target), ", ") + " for the target '" +
                    options.target + "', got '" + name + "'" + otherTargetOf(name));
  Result<Job> job = prepare(source, options);
  if (!job)
    return job.error();
  if (Result<void> lowered = runPasses(*job, source, stage->pipeline); !lowered)
    return lowered.error();
  Result<std::string> text = textOf(*job, source, *stage);
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

Result<CompiledKernel> Compiler::compileObject(const Source &source, const CompileOptions &options,
                                               const std::string &symbol) {
  return guarded<CompiledKernel>(source, [&] { return compileNow(source, options, symbol); });
}

Result<KernelCost> fsm::costOf(const Source &source, const CompileOptions &options) {
  return guarded<KernelCost>(source, [&] { return costNow(source, options); });
}

std::vector<std::string> Compiler::stages(const std::string &target) {
  std::vector<std::string> names;
  for (const Stage &stage : stagesOf(target))
    names.push_back(stage.name.str());
  return names;
}

Result<std::string> Compiler::emit(const Source &source, const CompileOptions &options,
                                   const std::string &stage,
                                   std::vector<std::string> *diagnostics) {
  return guarded<std::string>(source, [&] { return emitNow(source, options, stage, diagnostics); });
}
