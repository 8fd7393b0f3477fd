//===- ParsedSource.cpp - A source as a verified module ------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Compiler/ParsedSource.h"

#include "ContextPool.h"
#include "PlainSentence.h"

#include "fsm/Artifact/Clusters.h"
#include "fsm/Compiler/Pipelines.h"
#include "fsm/IR/ElementTypes.h"
#include "fsm/IR/Module.h"
#include "fsm/IR/Origins.h"
#include "fsm/Import/Passes.h"
#include "fsm/Machine/GpuTarget.h"
#include "fsm/Source/SourceText.h"
#include "fsm/Target/DeviceCode.h"
#include "fsm/Target/HostObject.h"
#include "fsm/Transforms/FilledRows.h"
#include "fsm/Transforms/TileEnds.h"

#include "fsm/Analysis/RowLoops.h"
#include "fsm/Analysis/OutputArguments.h"
#include "fsm/Analysis/ProgramCost.h"
#include "fsm/Analysis/ResourceEstimate.h"
#include "fsm/Analysis/SplitPlan.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"

using namespace mlir;
using namespace fsm;

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

static StringRef severityName(DiagnosticSeverity severity) {
  switch (severity) {
  case DiagnosticSeverity::Note:
    return "note: ";
  case DiagnosticSeverity::Warning:
    return "warning: ";
  case DiagnosticSeverity::Error:
    return "error: ";
  case DiagnosticSeverity::Remark:
    return "remark: ";
  }
  return "";
}

/// A diagnostic with its notes, one line each.
static std::string textOf(Diagnostic &diagnostic) {
  std::string place = textOfPlace(diagnostic.getLocation());
  MLIRContext &context = *diagnostic.getLocation().getContext();
  std::string text = place + (place.empty() ? "" : ": ") +
                     severityName(diagnostic.getSeverity()).str() +
                     plainSentence(diagnostic.str(), context);
  for (Diagnostic &note : diagnostic.getNotes())
    text += "\n" + textOf(note);
  return text;
}

ErrorText::ErrorText(MLIRContext &context, std::vector<std::string> *others)
    : handler(&context, [this, others](Diagnostic &diagnostic) {
        if (!text.empty() && repeatsError(diagnostic.str()))
          return success();
        std::string reported = textOf(diagnostic);
        if (diagnostic.getSeverity() == DiagnosticSeverity::Error)
          text += reported + "\n";
        else if (others && !llvm::is_contained(*others, reported))
          others->push_back(std::move(reported));
        return success();
      }) {}

Error ErrorText::take(const std::string &otherwise) {
  if (text.empty())
    return Error{Error::Kind::Internal, otherwise};
  text.pop_back();
  return badInput(std::move(text));
}

//===----------------------------------------------------------------------===//
// Modules
//===----------------------------------------------------------------------===//

/// Whether a source is what Triton's front end made of a kernel, by the name of its file.
static bool isTriton(const Source &source) { return StringRef(source.fileName).ends_with(".ttir"); }

static LogicalResult importTriton(ModuleOp module) {
  PassManager manager(module.getContext(), ModuleOp::getOperationName());
  manager.addPass(createImportTritonPass());
  return manager.run(module);
}

static const DialectRegistry &dialects() {
  static const DialectRegistry registry = [] {
    DialectRegistry all;
    registerDialects(all);
    registerHostTranslations(all);
    registerDeviceTranslations(all);
    return all;
  }();
  return registry;
}

ParsedSource::ParsedSource(const Source &source, std::unique_ptr<PooledContext> context)
    : fileName(source.fileName), pooled(std::move(context)) {}

ParsedSource::~ParsedSource() {
  if (!moduleRef)
    return;
  moduleRef = nullptr;
  giveBack(std::move(pooled));
}

MLIRContext &ParsedSource::context() { return pooled->context; }

Result<std::unique_ptr<ParsedSource>>
ParsedSource::parseIn(std::unique_ptr<PooledContext> context, const Source &source,
                      const std::string &text) {
  ++context->sources;
  context->bytes += text.size();
  std::unique_ptr<ParsedSource> parsed(new ParsedSource(source, std::move(context)));
  ErrorText errors(parsed->context());
  OwningOpRef<ModuleOp> module =
      parseSourceString<ModuleOp>(text, ParserConfig(&parsed->context()), source.fileName);
  if (!module)
    return errors.take(source.fileName + ": error: the text has no module and no reason why");
  if (isTriton(source) && failed(importTriton(*module)))
    return errors.take(source.fileName + ": error: the import failed without a reason");
  if (failed(verifyModule(*module)))
    return errors.take(source.fileName + ": error: the module was refused without a reason");
  parsed->context().appendDialectRegistry(dialects());
  parsed->moduleRef = std::move(module);
  return parsed;
}

Result<std::unique_ptr<ParsedSource>> ParsedSource::parse(const Source &source) {
  Result<std::string> text = prepareSource(source.text, source.fileName, source.parameters);
  if (!text)
    return text.error();
  SourceLanguage language = isTriton(source) ? SourceLanguage::Triton : SourceLanguage::FSM;
  if (std::unique_ptr<PooledContext> used = takeUsedContext(language, *text)) {
    Result<std::unique_ptr<ParsedSource>> parsed = parseIn(std::move(used), source, *text);
    // An error may list the dialects that there are.
    if (parsed)
      return parsed;
  }
  return parseIn(std::make_unique<PooledContext>(language), source, *text);
}

std::vector<KernelOp> ParsedSource::kernels() {
  auto range = module().getOps<KernelOp>();
  return {range.begin(), range.end()};
}

Result<KernelOp> ParsedSource::pick(const std::string &name) {
  std::vector<KernelOp> all = kernels();
  std::string names;
  for (KernelOp kernel : all) {
    if (kernel.getSymName() == name || (name.empty() && all.size() == 1))
      return kernel;
    names += (names.empty() ? "@" : ", @") + kernel.getSymName().str();
  }
  std::string place = fileName + ": error: ";
  if (all.empty())
    return badInput(place + "expected a kernel (fsm.kernel @NAME), got none");
  if (name.empty())
    return badInput(place + "expected the name of one of the kernels " + names + ", got none");
  return badInput(place + "expected one of the kernels " + names + ", got '" + name + "'");
}

//===----------------------------------------------------------------------===//
// Signatures
//===----------------------------------------------------------------------===//

KernelSignature fsm::signatureOf(KernelOp kernel) {
  KernelSignature signature;
  signature.name = kernel.getSymName().str();
  std::vector<ArgumentFact> promises = promisesOf(kernel);
  llvm::SmallDenseSet<Value> outputs = outputArguments(kernel);
  for (BlockArgument argument : kernel.getBody().getArguments()) {
    KernelArgument described;
    auto named = argument.getLoc()->findInstanceOf<NameLoc>();
    described.name =
        named ? named.getName().getValue().str() : "arg" + std::to_string(argument.getArgNumber());
    described.place = textOfPlace(argument.getLoc());
    Type type = argument.getType();
    for (; auto pointer = dyn_cast<PointerType>(type); type = pointer.getPointeeType())
      ++described.pointerDepth;
    // The kernel's verifier admits no other type.
    described.type = *findScalarType(type);
    if (described.isPointer())
      described.alignment = promises[argument.getArgNumber()].divisible;
    described.isOutput = outputs.contains(argument);
    described.isInput = described.isPointer() && !findWriteThrough(argument);
    if (!described.isPointer()) {
      described.rowSteps = rowStepsUpTo(argument);
      described.rowBlocks = rowBlocksUpTo(argument);
      described.tileExtents = tileExtentsUpTo(argument);
    }
    signature.arguments.push_back(std::move(described));
  }
  if (std::optional<ArrayAttr> grid = kernel.getGrid())
    for (StringAttr extent : grid->getAsRange<StringAttr>())
      signature.grid.push_back(parseLaunchExpression(extent.str()).value_or(LaunchExpression()));
  return signature;
}

std::vector<ArgumentFact> fsm::promisesOf(KernelOp kernel) {
  std::vector<ArgumentFact> promises(kernel.getNumArguments());
  for (unsigned i = 0; i < promises.size(); ++i) {
    auto number = [&](StringRef name, int64_t absent) {
      auto attribute = kernel.getArgAttrOfType<IntegerAttr>(i, name);
      return attribute ? attribute.getInt() : absent;
    };
    bool isPointer = isa<PointerType>(kernel.getArgumentTypes()[i]);
    int64_t divisible = number(isPointer ? kAlignAttr : kDivisibleAttr, 1);
    promises[i].divisible = static_cast<uint32_t>(std::max<int64_t>(divisible, 1));
    promises[i].isOne = number(kEqualToAttr, 0) == 1;
    promises[i].noAlias = kernel.getArgAttr(i, kNoAliasAttr) != nullptr;
    promises[i].atLeast = number(kAtLeastAttr, INT64_MIN);
    promises[i].atMost = number(kAtMostAttr, INT64_MAX);
  }
  return promises;
}

unsigned SpreadUse::spreadFor(const Grid &grid, unsigned multiprocessors,
                              llvm::function_ref<std::vector<int64_t>()> integers) const {
  // An extent that is negative is refused elsewhere. One more than there are multiprocessors stands for all above.
  uint64_t programs = 1;
  for (int32_t extent : {grid.x, grid.y, grid.z})
    programs = std::min<uint64_t>(programs * static_cast<uint32_t>(extent), uint64_t(multiprocessors) + 1);
  uint64_t most = programs ? std::min<uint64_t>(multiprocessors / programs, kPortableCtas) : 1;
  if (most == 1 && programs && isForTwoOnOne)
    most = 2;
  if (most > 1 && !trips.empty()) {
    int64_t count = evaluate(trips, {grid, integers()});
    most = std::min<uint64_t>(most, static_cast<uint64_t>(std::max<int64_t>(count, 0)) / kLeastTripsOfPart);
  }
  auto ctas = static_cast<unsigned>(llvm::bit_floor(std::max<uint64_t>(most, 1)));
  // A second wave of a few clusters takes as long as the first one.
  while (!trips.empty() && ctas > 2 && programs * ctas > ctasAtOnce(multiprocessors, ctas))
    ctas /= 2;
  // 1 says nothing: such a launch shares its code with those of unknown grids.
  return ctas > 1 ? ctas : 0;
}

/// Mbarriers, and what lies between buffers.
static constexpr uint64_t kOtherSharedBytes = 4096;

/// With a factor that is computed an iteration waits for copies, then computes, then multiplies; another CTA on the same
/// multiprocessor goes on meanwhile.
static bool hasRoomForTwo(scf::ForOp loop, const std::string &target) {
  const GpuTarget *gpu = findGpuTarget(target);
  return gpu && gpu->features.clusters && !computedFactors(loop).empty() &&
         2 * (bytesToShare(loop) + gpu->reservedSharedBytesPerCta + kOtherSharedBytes) <=
             gpu->sharedBytesPerSm;
}

std::optional<SpreadUse> fsm::spreadUseOf(KernelOp kernel, const std::string &target) {
  if (kernel.getNumCtas() || kernel->hasAttr(kSpreadAttr))
    return std::nullopt;
  // Helpers are part of the kernel.
  Operation *module = kernel->getParentOp();
  bool hasProduct = false;
  module->walk([&](DotOp) { hasProduct = true; });
  if (!hasProduct)
    return largestBlockIn(module) >= kSpreadBlock ? std::optional(SpreadUse()) : std::nullopt;
  scf::ForOp loop = loopToSplit(kernel);
  if (!loop || loop->hasAttr(kSplitAttr))
    return std::nullopt;
  SpreadUse use{costExpressionOf(loop.getUpperBound()), hasRoomForTwo(loop, target)};
  llvm::append_range(use.trips, costExpressionOf(loop.getLowerBound()));
  use.trips.push_back({CostStep::Kind::Subtract});
  llvm::append_range(use.trips, costExpressionOf(loop.getStep()));
  use.trips.push_back({CostStep::Kind::CeilDivide});
  return use;
}

/// Helpers are part of the kernel.
template <typename OpType>
static bool has(KernelOp kernel) {
  return kernel->getParentOp()
      ->walk([](OpType) { return WalkResult::interrupt(); })
      .wasInterrupted();
}

/// Whether groups of warps of a target may multiply, by one CTA a program.
static bool mayMultiplyInGroups(KernelOp kernel, const std::string &target) {
  const GpuTarget *gpu = findGpuTarget(target);
  return gpu && gpu->features.wgmma && !kernel.getNumCtas() && has<DotOp>(kernel);
}

bool fsm::mayHaveClusters(KernelOp kernel, const std::string &target) {
  return mayMultiplyInGroups(kernel, target) && !kernel->hasAttr(kClusterAttr);
}

bool fsm::mayLoopPrograms(KernelOp kernel, const CompileOptions &options) {
  return options.loopPrograms == "auto" && !options.manyPrograms && !options.numCtas &&
         options.tensorMaps && !kernel->hasAttr(kLoopProgramsAttr) &&
         mayMultiplyInGroups(kernel, options.target) && !has<NumProgramsOp>(kernel);
}

bool fsm::hasManyPrograms(const Grid &grid, unsigned multiprocessors) {
  return grid.y == 1 && grid.z == 1 && grid.x > 0 &&
         static_cast<uint32_t>(grid.x) > multiprocessors;
}

unsigned fsm::clusterFor(const Grid &grid, unsigned multiprocessors) {
  int64_t programs = grid.x, there = multiprocessors;
  bool isAlone = grid.y == 1 && grid.z == 1;
  // Clusters of four do not fit all multiprocessors at once: 28 were measured to run on 132, and 32 not to.
  if (isAlone && programs % 4 == 0 && 3 * programs >= 2 * there && 8 * programs <= 7 * there)
    return 4;
  return programs % 2 == 0 && 3 * programs >= 2 * there ? 2 : 1;
}
