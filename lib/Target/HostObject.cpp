//===- HostObject.cpp - From the llvm dialect to host code ---------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// 1. The llvm dialect becomes LLVM IR. Long functions are cut into parts, and all
//    are told that vectors of the full register width are legal and wanted.
// 2. LLVM IR is cleaned up. The code is already vectors and its loops are
//    already unrolled, so only scalar optimisations run.
// 3. The back end writes the object or its assembly.

#include "fsm/Target/HostObject.h"

#include "CollectedErrors.h"
#include "Rewrites/Analyses.h"
#include "Rewrites/LongCode.h"
#include "Rewrites/MaskedAccesses.h"
#include "Rewrites/OutlineParts.h"

#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/SmallVectorMemoryBuffer.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/LICM.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/LoopRotation.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"

using namespace fsm;

/// The largest of the sets that the x86-64 psABI defines, beyond SSE2 of which all of a set's
/// instructions are there.
static std::string instructionsOf(const llvm::StringMap<bool> &known) {
  struct Set {
    const char *name;
    std::initializer_list<const char *> features;
  };
  static const Set sets[] = {
      {"x86-64-v2", {"cx16", "sahf", "popcnt", "sse3", "ssse3", "sse4.1", "sse4.2"}},
      {"x86-64-v3", {"avx", "avx2", "bmi", "bmi2", "f16c", "fma", "lzcnt", "movbe", "xsave"}},
      {"x86-64-v4", {"avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"}},
  };
  std::string name = "x86-64";
  for (const Set &set : sets) {
    if (!llvm::all_of(set.features, [&](const char *feature) { return known.lookup(feature); }))
      break;
    name = set.name;
  }
  return name;
}

namespace {
/// What is asked of this machine once.
struct Host {
  std::string triple = llvm::sys::getProcessTriple();
  std::string cpu = llvm::sys::getHostCPUName().str();
  std::string features;
  unsigned vectorBytes = 16;
  std::string instructions = "x86-64";
  const llvm::Target *target = nullptr;
  std::string error;

  Host() {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
    auto known = llvm::sys::getHostCPUFeatures();
    for (const auto &feature : known)
      features += (features.empty() ? "" : ",") + std::string(feature.second ? "+" : "-") +
                  feature.first().str();
    bool hasAVX512 = known.lookup("avx512f") && known.lookup("avx512bw") &&
                     known.lookup("avx512dq") && known.lookup("avx512vl");
    vectorBytes = hasAVX512 ? 64 : known.lookup("avx2") ? 32 : 16;
    instructions = instructionsOf(known);
    target = llvm::TargetRegistry::lookupTarget(llvm::Triple(triple), error);
  }
};

const Host &host() {
  static const Host instance;
  return instance;
}
} // namespace

void fsm::registerHostTranslations(mlir::DialectRegistry &registry) {
  mlir::registerBuiltinDialectTranslation(registry);
  mlir::registerLLVMDialectTranslation(registry);
}

unsigned fsm::hostVectorBytes() { return host().vectorBytes; }

std::string fsm::hostInstructions() { return host().instructions; }

static std::unique_ptr<llvm::TargetMachine> createMachine(bool isPortable) {
  llvm::TargetOptions options;
  // Only operations that carry `contract` may fuse.
  options.AllowFPOpFusion = llvm::FPOpFusion::Standard;
  return std::unique_ptr<llvm::TargetMachine>(host().target->createTargetMachine(
      llvm::Triple(host().triple), isPortable ? host().instructions : host().cpu,
      isPortable ? "" : host().features, options, llvm::Reloc::PIC_,
      llvm::CodeModel::Small, llvm::CodeGenOptLevel::Default));
}

/// False, with the reason, when what is outlined is not valid: LLVM itself would not notice.
static bool outlineAll(llvm::Module &module, std::string &errors) {
  bool isChanged = false;
  for (llvm::Function &function : llvm::make_early_inc_range(module))
    isChanged |= outlineParts(function);
  llvm::raw_string_ostream stream(errors);
  return !isChanged || !llvm::verifyModule(module, &stream);
}

static void prepareFunctions(llvm::Module &module, const llvm::TargetMachine &machine) {
  module.setTargetTriple(machine.getTargetTriple());
  module.setDataLayout(machine.createDataLayout());
  std::string bits = std::to_string(8 * hostVectorBytes());
  for (llvm::Function &function : module) {
    if (function.isDeclaration())
      continue;
    function.addFnAttr("prefer-vector-width", bits);
    function.addFnAttr("min-legal-vector-width", bits);
    function.addFnAttr(llvm::Attribute::NoUnwind);
  }
}

/// A quarter of what `default<O2>` takes, for the same code: kernels arrive
/// inlined, in vectors and unrolled.
static void optimize(llvm::Module &module, llvm::TargetMachine &machine) {
  llvm::PassBuilder builder(&machine);
  Analyses analyses(builder);

  llvm::LoopPassManager invariants;
  invariants.addPass(llvm::LICMPass(llvm::LICMOptions()));
  llvm::FunctionPassManager passes;
  passes.addPass(llvm::EarlyCSEPass(/*UseMemorySSA=*/true));
  passes.addPass(llvm::SimplifyCFGPass());
  passes.addPass(llvm::InstCombinePass());
  passes.addPass(llvm::createFunctionToLoopPassAdaptor(llvm::LoopRotatePass()));
  passes.addPass(
      llvm::createFunctionToLoopPassAdaptor(std::move(invariants), /*UseMemorySSA=*/true));
  passes.addPass(llvm::SimplifyCFGPass());
  for (llvm::Function &function : module)
    if (!function.isDeclaration()) {
      passes.run(function, analyses.functions);
      storeSingleElements(function);
      splitMaskedAccesses(function, 8 * hostVectorBytes());
      sinkAddresses(function);
    }
}

/// Runs the back end; false when it cannot write such a file.
static bool generate(llvm::Module &module, llvm::TargetMachine &machine, llvm::CodeGenFileType type,
                     llvm::SmallVectorImpl<char> &code) {
  if (hasLongBlock(module))
    return generateUnscheduled(module, machine, type, code);
  llvm::raw_svector_ostream stream(code);
  llvm::legacy::PassManager passes;
  if (machine.addPassesToEmitFile(passes, stream, nullptr, type, /*DisableVerify=*/true))
    return false;
  passes.run(module);
  return true;
}

Result<std::string> fsm::emitHostCode(mlir::ModuleOp module, HostOutput output) {
  if (!host().target)
    return internalError("there is no code generator for this machine", host().error);
  std::string errors;
  llvm::LLVMContext context;
  context.setDiagnosticHandler(std::make_unique<CollectedErrors>(errors));
  context.setDiscardValueNames(output != HostOutput::LLVMIR);
  std::unique_ptr<llvm::Module> code = mlir::translateModuleToLLVMIR(module, context, "kernel");
  if (!code)
    return internalError("the llvm dialect has no translation to LLVM IR", errors);
  std::unique_ptr<llvm::TargetMachine> machine = createMachine(output == HostOutput::Portable);
  if (!outlineAll(*code, errors))
    return internalError("LLVM cannot cut a long function into parts", errors);
  prepareFunctions(*code, *machine);
  optimize(*code, *machine);
  std::string text;
  if (output == HostOutput::LLVMIR) {
    llvm::raw_string_ostream(text) << *code;
    return text;
  }
  llvm::SmallVector<char, 0> bytes;
  bool isObject = output != HostOutput::Assembly;
  if (!generate(*code, *machine,
                isObject ? llvm::CodeGenFileType::ObjectFile : llvm::CodeGenFileType::AssemblyFile,
                bytes))
    return internalError("LLVM cannot write code for this machine", "");
  if (!errors.empty())
    return internalError("LLVM reported an error", errors);
  return std::string(bytes.begin(), bytes.end());
}
