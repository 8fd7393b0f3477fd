//===- DeviceCode.cpp - From the llvm dialect to PTX ---------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// 1. What the target lacks is refused, for NVPTX would abort on it.
// 2. The llvm dialect becomes LLVM IR.
// 3. Vectors of registers become scalars, and what that leaves is cleaned up.
//    ptxas optimises once more, so only what shortens the PTX is worth its time.
// 4. The back end writes PTX.

#include "fsm/Target/DeviceCode.h"

#include "CollectedErrors.h"
#include "Rewrites/Analyses.h"
#include "Rewrites/EarlyWaits.h"
#include "Rewrites/LaunchWaits.h"
#include "Rewrites/LongCode.h"
#include "Rewrites/RangeOfBF16.h"
#include "Rewrites/SplitLanes.h"
#include "Rewrites/WholeProducts.h"
#include "Rewrites/WideChoices.h"

#include "fsm/Target/DeviceLegality.h"
#include "fsm/Target/KnownFaults.h"
#include "fsm/Target/Libdevice.h"
#include "fsm/Target/ProductRegisters.h"

#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/NVVM/NVVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/PassInfo.h"
#include "llvm/PassRegistry.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/LICM.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/Scalarizer.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"

#include <chrono>
#include <map>
#include <mutex>

extern "C" {
void LLVMInitializeNVPTXTarget();
void LLVMInitializeNVPTXTargetInfo();
void LLVMInitializeNVPTXTargetMC();
void LLVMInitializeNVPTXAsmPrinter();
}

using namespace fsm;

/// LLVM's own search for neighbouring accesses looks, for each chain that it finds, at all
/// instructions from its first to its last, which takes longer than everything else in a kernel of
/// thousands of loads. The accesses are as wide as they can be already: of 1,047 kernels one has
/// other code without it.
static void keepAccessesAsTheyAre() {
  auto &options = llvm::cl::getRegisteredOptions();
  auto option = options.find("disable-nvptx-load-store-vectorizer");
  if (option != options.end())
    static_cast<llvm::cl::opt<bool> *>(option->second)->setValue(true);
}

namespace {
/// The code generators that are not in use. Making one takes longer than
/// anything else that is the same in every compile, and none may serve two
/// compiles at a time; one whose compile crashed is never given back.
class TargetMachinePool {
public:
  std::unique_ptr<llvm::TargetMachine> take(const GpuTarget &target) {
    {
      std::lock_guard<std::mutex> lock(mutex);
      auto &idle = machines[target.name];
      if (!idle.empty()) {
        auto machine = std::move(idle.back());
        idle.pop_back();
        return machine;
      }
    }
    return create(target);
  }

  void giveBack(const GpuTarget &target, std::unique_ptr<llvm::TargetMachine> machine) {
    std::lock_guard<std::mutex> lock(mutex);
    machines[target.name].push_back(std::move(machine));
  }

private:
  static std::unique_ptr<llvm::TargetMachine> create(const GpuTarget &target) {
    static const llvm::Triple triple("nvptx64-nvidia-cuda");
    static const llvm::Target *const backEnd = [] {
      LLVMInitializeNVPTXTargetInfo();
      LLVMInitializeNVPTXTarget();
      LLVMInitializeNVPTXTargetMC();
      LLVMInitializeNVPTXAsmPrinter();
      keepAccessesAsTheyAre();
      std::string error;
      return llvm::TargetRegistry::lookupTarget(triple, error);
    }();
    if (!backEnd)
      return nullptr;
    llvm::TargetOptions options;
    // Only operations that carry `contract` may fuse.
    options.AllowFPOpFusion = llvm::FPOpFusion::Standard;
    return std::unique_ptr<llvm::TargetMachine>(backEnd->createTargetMachine(
        triple, target.name, "+ptx" + std::to_string(target.ptxVersion), options, llvm::Reloc::PIC_,
        std::nullopt, llvm::CodeGenOptLevel::Default));
  }

  std::mutex mutex;
  std::map<std::string, std::vector<std::unique_ptr<llvm::TargetMachine>>> machines;
};

/// Adds the time it lives to a number of milliseconds.
class Stopwatch {
public:
  explicit Stopwatch(double &sum) : sum(sum) {}
  ~Stopwatch() { sum += std::chrono::duration<double, std::milli>(Clock::now() - start).count(); }

private:
  using Clock = std::chrono::steady_clock;
  double &sum;
  Clock::time_point start = Clock::now();
};
} // namespace

static TargetMachinePool &machines() {
  static TargetMachinePool instance;
  return instance;
}

void fsm::registerDeviceTranslations(mlir::DialectRegistry &registry) {
  mlir::registerBuiltinDialectTranslation(registry);
  mlir::registerLLVMDialectTranslation(registry);
  mlir::registerNVVMDialectTranslation(registry);
}

// LLVM's verifier finds our own mistakes, in builds with assertions; a release does
// not pay for it.
#ifdef NDEBUG
static constexpr bool kSkipVerifier = true;
#else
static constexpr bool kSkipVerifier = false;
#endif

/// True for code that adds or multiplies 16-bit floats.
static bool computesInHalves(const llvm::Module &module) {
  for (const llvm::Function &function : module)
    for (const llvm::Instruction &instruction : llvm::instructions(function)) {
      const llvm::Type *type = instruction.getType();
      if (llvm::isa<llvm::BinaryOperator>(instruction) && type->isVectorTy() &&
          type->getScalarType()->is16bitFPTy())
        return true;
    }
  return false;
}

static void optimize(llvm::Module &module, llvm::TargetMachine &machine, const GpuTarget &target) {
  llvm::PassBuilder builder(&machine);
  Analyses analyses(builder);

  llvm::FunctionPassManager passes;
  // What is equal as a vector is equal once; as scalars, often.
  passes.addPass(llvm::EarlyCSEPass());
  // Two halves in a register stay together, for one instruction computes both.
  // Where there is no such arithmetic, it would only keep flags in vectors: a
  // loop over 32 flags takes 85 registers then and 70 otherwise.
  llvm::ScalarizerPassOptions toScalars;
  toScalars.ScalarizeMinBits = computesInHalves(module) ? 32 : 0;
  if (!toScalars.ScalarizeMinBits)
    passes.addPass(SplitLanesPass());
  passes.addPass(llvm::ScalarizerPass(toScalars));
  passes.addPass(llvm::InstCombinePass());
  llvm::FunctionPassManager rest, least;
  least.addPass(llvm::SimplifyCFGPass());
  rest.addPass(llvm::EarlyCSEPass(/*UseMemorySSA=*/true));
  rest.addPass(llvm::SimplifyCFGPass());
  rest.addPass(llvm::createFunctionToLoopPassAdaptor(llvm::LICMPass(llvm::LICMOptions()),
                                                     /*UseMemorySSA=*/true));
  for (llvm::Function &function : module)
    if (!function.isDeclaration()) {
      keepRangeOfBF16(function);
      passes.run(function, analyses.functions);
      // In long code the rest look from each loop at the whole function, and find little.
      (isLongCode(module) ? least : rest).run(function, analyses.functions);
      avoidKnownFaults(function, target);
      multiplyOnce(function);
      chooseBeforeRounding(function);
      putConstantsBeforeFences(function);
    }
}

/// Passes of the back end that change no kernel. What most of them look for is in no module of ours; that
/// is not so of the last two, which changed none of 4,579 kernels.
static constexpr llvm::StringLiteral kIdlePasses[] = {
    // Garbage collection, unwinding, instrumentation.
    "collector-metadata", "gc-lowering", "shadow-stack-gc-lowering", "gc-analysis", "lowerinvoke",
    "callbrprepare", "objc-arc-contract", "fixup-statepoint-caller-saved", "fentry-insert",
    "xray-instrumentation", "post-inline-ee-instrument", "machine-sanmd",
    "machine-opt-remark-emitter", "nvptx-lower-ctor-dtor",
    // Stacks, and calls of the C library.
    "safe-stack", "stack-protector", "stack-coloring", "localstackalloc", "stack-slot-coloring",
    "stack-frame-layout", "mergeicmps", "expand-memcmp", "replace-with-veclib",
    "partially-inline-libcalls",
    // Constants and blocks.
    "consthoist", "early-tailduplication",
};

namespace {
/// Takes all passes but the idle ones, which cost the analyses that they ask for and a place in the plan of
/// what runs when.
class BusyPasses : public llvm::legacy::PassManager {
public:
  void add(llvm::Pass *pass) override {
    const llvm::PassInfo *info =
        llvm::PassRegistry::getPassRegistry()->getPassInfo(pass->getPassID());
    if (info && idle().contains(info->getPassArgument()))
      delete pass;
    else
      PassManager::add(pass);
  }

private:
  static const llvm::StringSet<> &idle() {
    static const auto names = [] {
      llvm::StringSet<> set;
      set.insert(std::begin(kIdlePasses), std::end(kIdlePasses));
      return set;
    }();
    return names;
  }
};
} // namespace

/// Runs the back end; false when it cannot write such a file.
static bool generate(llvm::Module &module, llvm::TargetMachine &machine,
                     llvm::SmallVectorImpl<char> &code) {
  if (isLongCode(module))
    return generateLongCode(module, machine, code);
  llvm::raw_svector_ostream stream(code);
  BusyPasses passes;
  if (machine.addPassesToEmitFile(passes, stream, nullptr, llvm::CodeGenFileType::AssemblyFile,
                                  /*DisableVerify=*/true))
    return false;
  passes.run(module);
  return true;
}

/// The PTX of an optimised module.
static Result<std::string> writePTX(llvm::Module &module, llvm::TargetMachine &machine,
                                    const std::string &errors) {
  llvm::SmallVector<char, 0> bytes;
  if (!generate(module, machine, bytes))
    return internalError("LLVM cannot write PTX", "");
  if (!errors.empty())
    return internalError("LLVM reported an error", errors);
  std::string text(bytes.begin(), bytes.end());
  // Nothing is linked to the PTX, so a function that is not in it is nowhere.
  size_t missing = text.find(".extern .func");
  if (missing != std::string::npos)
    return internalError("the PTX calls a function that nobody defines",
                         text.substr(missing, text.find('\n', missing) - missing));
  return withWaitsForLaunches(withEarlyWaits(std::move(text)));
}

Result<std::string> fsm::emitDeviceCode(mlir::ModuleOp module, const GpuTarget &target,
                                        DeviceOutput output, DeviceCodeTimes *times,
                                        const std::string &libdevice) {
  DeviceCodeTimes unused;
  DeviceCodeTimes &spent = times ? *times : unused;
  {
    Stopwatch watch(spent.check);
    if (Result<void> legal = checkDeviceOps(module, target, !libdevice.empty()); !legal)
      return legal.error();
  }
  std::unique_ptr<llvm::TargetMachine> machine = machines().take(target);
  if (!machine)
    return internalError("there is no code generator for PTX", "");
  std::string errors;
  llvm::LLVMContext context;
  context.setDiagnosticHandler(std::make_unique<CollectedErrors>(errors));
  context.setDiscardValueNames(output != DeviceOutput::LLVMIR);
  std::unique_ptr<llvm::Module> code;
  {
    Stopwatch watch(spent.translate);
    code = mlir::translateModuleToLLVMIR(module, context, "kernel", kSkipVerifier);
  }
  if (!code)
    return internalError("the llvm dialect has no translation to LLVM IR", errors);
  {
    Stopwatch watch(spent.optimize);
    code->setTargetTriple(machine->getTargetTriple());
    code->setDataLayout(machine->createDataLayout());
    if (!libdevice.empty())
      if (Result<void> linked = linkLibdevice(*code, libdevice); !linked)
        return linked.error();
    optimize(*code, *machine, target);
  }
  Result<std::string> text = std::string();
  if (output == DeviceOutput::LLVMIR) {
    llvm::raw_string_ostream(*text) << *code;
  } else {
    Stopwatch watch(spent.generate);
    text = writePTX(*code, *machine, errors);
  }
  machines().giveBack(target, std::move(machine));
  return text;
}
