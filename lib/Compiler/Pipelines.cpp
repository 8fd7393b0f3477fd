//===- Pipelines.cpp - The order of the passes ---------------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Compiler/Pipelines.h"

#include "fsm/Conversion/Passes.h"
#include "fsm/Import/Passes.h"
#include "fsm/Transforms/Passes.h"

#include "mlir/Dialect/Func/Extensions/InlinerExtension.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/LLVMIR/Transforms/Passes.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Pass/PassOptions.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/ADT/SmallVectorExtras.h"

using namespace mlir;
using namespace fsm;

namespace {
struct AlgebraPass {
  llvm::StringLiteral flag;
  std::unique_ptr<Pass> (*create)();
};
} // namespace

/// Upstream's canonicalisations but two, which make one rounding of two: an integer goes to bf16
/// by way of f32, or to f32 by way of f64, and both roundings are what the kernel says.
static std::unique_ptr<Pass> createCanonicalize() {
  static const std::string once[] = {"(anonymous namespace)::TruncFSIToFPToSIToFP",
                                     "(anonymous namespace)::TruncFUIToFPToUIToFP"};
  return createCanonicalizerPass(GreedyRewriteConfig(), once);
}

/// In their order. Code is as right without any of them.
static const AlgebraPass kAlgebra[] = {
    {"canonicalize", createCanonicalize},
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

//===----------------------------------------------------------------------===//
// From the options of a compile to those of its passes
//===----------------------------------------------------------------------===//

static llvm::SmallVector<std::string> passValue(const std::vector<ArgumentFact> &facts) {
  return llvm::map_to_vector(facts, factText);
}

template <typename T>
static const T &passValue(const T &value) {
  return value;
}

// Chosen for options of a pass without a member of that name.
#define FSM_OPTION(type, member, initial, flag, form, meaning)                                     \
  template <typename Options>                                                                      \
  static void set_##member(Options &, const CompileOptions &, long) {}                             \
  template <typename Options>                                                                      \
  static auto set_##member(Options &pass, const CompileOptions &options, int)                      \
      -> decltype(void(pass.member)) {                                                             \
    pass.member = passValue(options.member);                                                       \
  }
#include "fsm/Compiler/CompileOptions.def"

/// The options of a pass: those of a compile, by their names.
template <typename Options>
static Options passOptions(const CompileOptions &options) {
  Options pass;
#define FSM_OPTION(type, member, initial, flag, form, meaning) set_##member(pass, options, 0);
#include "fsm/Compiler/CompileOptions.def"
  return pass;
}

//===----------------------------------------------------------------------===//
// The order of the passes
//===----------------------------------------------------------------------===//

/// fsm to better fsm: what every device shares.
static void addFSMPasses(OpPassManager &manager, const CompileOptions &options, bool isDevice) {
  // Everything a launch knows is in the IR before anything is decided.
  manager.addPass(createSpecializePass(passOptions<SpecializePassOptions>(options)));
  // What the inliner and all behind it would fold wrongly.
  manager.addPass(createAvoidFoldsPass());
  // Helpers disappear; a call that cannot is an error.
  manager.addPass(createInlinerPass(
      {}, [](OpPassManager &helpers) { helpers.addPass(createCanonicalize()); }));
  manager.addPass(createCheckKernelsPass());
  manager.addPass(createSymbolDCEPass());
  OpPassManager &kernel = manager.nest<KernelOp>();
  // How often loops over a row run may be known. What a host's caches bring in time, it need not ask for early.
  if (isDevice)
    kernel.addPass(createCountTripsPass());
  // What is short for other ops is written as these, with the numbers of unrolled iterations.
  kernel.addPass(createUnrollLoopsPass());
  ExpandBlocksPassOptions expand;
  expand.countInMemory = isDevice;
  kernel.addPass(createExpandBlocksPass(expand));
  kernel.addPass(createExpandRandomPass());
  // Algebra, then uniform arithmetic to scalars, so that what is left on blocks
  // varies; loop-invariant code last, when it has become visible.
  for (auto [flag, create] : kAlgebra)
    if (!llvm::is_contained(options.without, flag))
      kernel.addPass(create());
  kernel.addPass(createNumberDebugOpsPass());
}

static void addHostPlan(OpPassManager &manager, const CompileOptions &options) {
  addFSMPasses(manager, options, /*isDevice=*/false);
  OpPassManager &kernel = manager.nest<KernelOp>();
  // As for a GPU, and what is a loop again runs faster than what is not.
  kernel.addPass(createRollLoopsPass(passOptions<RollLoopsPassOptions>(options)));
  kernel.addPass(createGuardAssertsPass());
  // Which block ops share a loop, and which values are kept between loops.
  kernel.addPass(createPlanHostLoopsPass(passOptions<PlanHostLoopsPassOptions>(options)));
}

static void addHostModule(OpPassManager &manager, const CompileOptions &options) {
  // The loops, of a long kernel each kind of them once, then upstream's way down to LLVM.
  manager.addPass(createConvertFSMToCPUPass(passOptions<ConvertFSMToCPUPassOptions>(options)));
  manager.addPass(createShareLoopsPass());
  manager.addPass(createConvertHostToLLVMPass());
}

/// Where threads exchange what they hold, and where they wait for one another.
static void addMeetings(OpPassManager &kernel, const CompileOptions &options) {
  // What several products read is there once.
  kernel.addPass(createShareFactorsPass(passOptions<ShareFactorsPassOptions>(options)));
  kernel.addPass(createAllocateSharedPass(passOptions<AllocateSharedPassOptions>(options)));
  // Remarks on barriers are for those who look at this pass alone.
  kernel.addPass(createInsertBarriersPass());
  kernel.addPass(createVerifySharedPass());
  kernel.addPass(createVerifyRolesPass());
  // For a lock one thread waits, and the others for that one.
  kernel.addPass(createWaitAlonePass());
  // What one thread stores in the end, one warp computes.
  kernel.addPass(createFinishAlonePass());
}

/// What a launch has of a kernel that is planned: registers, and what it does before others end.
static void addLaunchPlan(OpPassManager &kernel, const CompileOptions &options) {
  // Who shares a multiprocessor is known by now, and with it how many registers each has.
  kernel.addPass(createPlanResidencyPass(passOptions<PlanResidencyPassOptions>(options)));
  // What does not fit is an error here, with what to change.
  kernel.addPass(createCheckResourcesPass(passOptions<CheckResourcesPassOptions>(options)));
  // What is done before memory is accessed need not wait for the launch before this one.
  kernel.addPass(createOverlapLaunchesPass(passOptions<OverlapLaunchesPassOptions>(options)));
  // The memory need not wait for that one either.
  kernel.addPass(createFetchEarlyPass());
}

static void addDevicePlan(OpPassManager &manager, const CompileOptions &options) {
  addFSMPasses(manager, options, /*isDevice=*/true);
  OpPassManager &kernel = manager.nest<KernelOp>();
  // Of few programs each is shared by several ctas, which all else need not know.
  kernel.addPass(createSplitLoopsPass(passOptions<SplitLoopsPassOptions>(options)));
  // What no instruction multiplies at once, some do in parts.
  kernel.addPass(createSplitProductsPass(passOptions<SplitProductsPassOptions>(options)));
  // Several programs of small blocks are one, as their author could have written it.
  kernel.addPass(createBatchProgramsPass(passOptions<BatchProgramsPassOptions>(options)));
  // Programs go on to the next ones, as if their author had written that loop.
  kernel.addPass(createLoopProgramsPass(passOptions<LoopProgramsPassOptions>(options)));
  // What has room in no registers is walked by loops, which are folded as the author's are.
  kernel.addPass(createChoosePiecesPass(passOptions<ChoosePiecesPassOptions>(options)));
  kernel.addPass(createWalkPiecesPass());
  // Rows that begin anywhere are whole vectors, and edges.
  kernel.addPass(createSplitEdgesPass(passOptions<SplitEdgesPassOptions>(options)));
  // What a program has written op by op is a loop again, of whose ops all behind makes code once.
  kernel.addPass(createRollLoopsPass(passOptions<RollLoopsPassOptions>(options)));
  // How many threads there are, then which of them holds what.
  kernel.addPass(createChooseWarpsPass(passOptions<ChooseWarpsPassOptions>(options)));
  // Programs that would share a multiprocessor are groups of warps of one, with one block of sums.
  kernel.addPass(createGroupWarpsPass(passOptions<GroupWarpsPassOptions>(options)));
  // What several ctas hold they do not count in the memory of one.
  ExpandBlocksPassOptions expand;
  expand.countInMemory = true;
  kernel.addPass(createExpandBlocksPass(expand));
  // Loops over the blocks of a row that run once are none where they do.
  kernel.addPass(createPeelLoopsPass());
  // Behind the choice of warps, which an assert's reductions shall not change.
  kernel.addPass(createGuardAssertsPass());
  // Tensor cores say where the sums of their products are.
  kernel.addPass(createPlanProductsPass(passOptions<PlanProductsPassOptions>(options)));
  kernel.addPass(createAssignLayoutsPass(passOptions<AssignLayoutsPassOptions>(options)));
  kernel.addPass(createCSEPass());
  // What goes through shared memory is written out, and takes its share before slots do.
  kernel.addPass(createStageExchangesPass());
  // What loops store in parts leaves room for slots.
  auto storeLarge = passOptions<StoreTensorsPassOptions>(options);
  storeLarge.large = true;
  kernel.addPass(createStoreTensorsPass(storeLarge));
  // Who waits there holds what has the fewest registers.
  kernel.addPass(createComputeAgainPass());
  // Loads of later iterations begin while this one computes, which counts past the end.
  kernel.addPass(createNormalizeLoopsPass());
  // What a loop reads of a list is there before it is needed.
  kernel.addPass(createCarryListsPass(passOptions<CarryListsPassOptions>(options)));
  // What a product reads once makes room in the L2 cache.
  kernel.addPass(createStreamFactorsPass(passOptions<StreamFactorsPassOptions>(options)));
  kernel.addPass(createScheduleLoopsPass(passOptions<ScheduleLoopsPassOptions>(options)));
  kernel.addPass(createAdvanceLoadsPass());
  kernel.addPass(createBufferLoadsPass());
  // Copies that the hardware makes may be others' work.
  kernel.addPass(createSplitRolesPass(passOptions<SplitRolesPassOptions>(options)));
  // Neighbours that are a cluster copy for one another what they all need.
  kernel.addPass(createShareCopiesPass(passOptions<ShareCopiesPassOptions>(options)));
  // What threads exchange for nothing but a store, the hardware stores.
  kernel.addPass(createStoreTensorsPass(passOptions<StoreTensorsPassOptions>(options)));
  kernel.addPass(createExpandLoopsPass());
  // Copies bring what there is of a tensor shorter than its tile; which of them ctas share is known.
  kernel.addPass(createFitBoxesPass());
  // While a tile is stored the first copies of the next one are on their way.
  kernel.addPass(createOverlapLoopsPass(passOptions<OverlapLoopsPassOptions>(options)));
  kernel.addPass(createCSEPass());
  // Rows are in nobody's way in the cache.
  kernel.addPass(createStreamRowsPass());
  // Of masks threads can keep few.
  kernel.addPass(createDelayMasksPass());
  addMeetings(kernel, options);
  // What threads compute once for all of their elements.
  kernel.addPass(createPlanThreadsPass());
  // And once for all iterations.
  kernel.addPass(createDivideOncePass());
  addLaunchPlan(kernel, options);
}

static void addThreads(OpPassManager &manager, const CompileOptions &options) {
  manager.addPass(createConvertFSMToGPUPass(passOptions<ConvertFSMToGPUPassOptions>(options)));
  // While a thread multiplies the last numbers of an iteration, the first of the next one come.
  manager.addPass(createReadAheadPass());
}

static void addNVVM(OpPassManager &manager, const CompileOptions &) {
  manager.addPass(createConvertDeviceToNVVMPass());
}

static void addDeviceModule(OpPassManager &manager, const CompileOptions &) {
  addDeviceModulePasses(manager);
}

llvm::ArrayRef<PipelineStage> fsm::hostPipeline() {
  static constexpr PipelineStage stages[] = {
      {"fsm", "blocks with the plan of their loops", addHostPlan},
      {"llvm", "what is translated", addHostModule},
  };
  return stages;
}

llvm::ArrayRef<PipelineStage> fsm::devicePipeline() {
  static constexpr PipelineStage stages[] = {
      {"fsm", "blocks with layouts", addDevicePlan},
      {"gpu", "what a thread does", addThreads},
      {"nvvm", "the nvvm dialect", addNVVM},
      {"llvm", "what is translated", addDeviceModule},
  };
  return stages;
}

//===----------------------------------------------------------------------===//
// The pipelines of a command line
//===----------------------------------------------------------------------===//

namespace llvm::cl {
/// One of the facts of `arguments`.
template <>
class parser<ArgumentFact> : public basic_parser<ArgumentFact> {
public:
  using basic_parser::basic_parser;
  bool parse(Option &option, StringRef, StringRef word, ArgumentFact &to) {
    std::optional<ArgumentFact> fact = parseFact({word.data(), word.size()});
    if (!fact)
      return option.error("expected a positive number, 'one', 'noalias', 'large' or bounds such as '1..8' "
                          "joined by '+', or nothing, got '" +
                          word + "'");
    to = *fact;
    return false;
  }
  static void print(raw_ostream &stream, const ArgumentFact &fact) { stream << factText(fact); }
};
} // namespace llvm::cl

/// The option of a pipeline for a member of CompileOptions.
template <typename T>
struct FlagOf {
  using Flag = mlir::detail::PassOptions::Option<T>;
  static auto startingWith(const T &value) { return llvm::cl::init(value); }
  static T valueOf(const Flag &option) { return option.getValue(); }
};
template <typename T>
struct FlagOf<std::vector<T>> {
  using Flag = mlir::detail::PassOptions::ListOption<T>;
  static auto startingWith(const std::vector<T> &values) { return llvm::cl::list_init<T>(values); }
  static std::vector<T> valueOf(const Flag &option) { return {option.begin(), option.end()}; }
};

namespace {
/// CompileOptions as text, for the pipeline of the host or of a GPU, and where it stops.
template <llvm::ArrayRef<PipelineStage> (*stages)()>
struct PipelineFlags : PassPipelineOptions<PipelineFlags<stages>> {
  PipelineFlags() {
    for (const PipelineStage &known : stages())
      stage.getParser().addLiteralOption(known.name, &known, known.holds);
  }

  static CompileOptions initialOptions() {
    CompileOptions options;
    if (stages == devicePipeline)
      options.target = "sm_90a";
    return options;
  }

#define FSM_OPTION(type, member, initial, flag, form, meaning)                                     \
  typename FlagOf<type>::Flag member{*this, flag, llvm::cl::desc(meaning),                         \
                                     FlagOf<type>::startingWith(initialOptions().member)};
#include "fsm/Compiler/CompileOptions.def"
  FlagOf<const PipelineStage *>::Flag stage{*this, "stage", llvm::cl::desc("where to stop"),
                                            llvm::cl::init(&stages().back())};

  void build(OpPassManager &manager) const {
    CompileOptions options;
#define FSM_OPTION(type, member, initial, flag, form, meaning)                                     \
  options.member = FlagOf<type>::valueOf(member);
#include "fsm/Compiler/CompileOptions.def"
    for (const PipelineStage &next : stages()) {
      next.addPasses(manager, options);
      if (&next == stage.getValue())
        return;
    }
  }
};

template <llvm::ArrayRef<PipelineStage> (*stages)()>
void registerPipeline(llvm::StringLiteral name, llvm::StringLiteral description) {
  using Flags = PipelineFlags<stages>;
  PassPipelineRegistration<Flags>(
      name, description, [](OpPassManager &manager, const Flags &flags) { flags.build(manager); });
}
} // namespace

void fsm::registerPasses() {
  mlir::registerTransformsPasses();
  registerFSMTransformsPasses();
  registerFSMConversionPasses();
  registerFSMImportPasses();
  // The last pass of addDeviceModulePasses, so that a printed pipeline can be read again.
  LLVM::registerDIScopeForLLVMFuncOpPass();
  registerPipeline<hostPipeline>("fsm-cpu-pipeline",
                                 "Compile kernels for the host, down to the llvm dialect");
  registerPipeline<devicePipeline>("fsm-gpu-pipeline",
                                   "Compile kernels for a GPU, down to the llvm dialect");
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
