//===- Libdevice.cpp - CUDA's library of functions -----------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// 1. The file is read, and what the kernel calls must be in it.
// 2. What is called is linked, with all that it calls itself, and becomes internal.
// 3. All is inlined, so that the PTX has one function. What the library asks of the compiler
//    (are denormals kept? which GPU is it?) the code generator answers.

#include "fsm/Target/Libdevice.h"

#include "Rewrites/Analyses.h"
#include "Toolkit.h"

#include "fsm/IR/DeviceLibrary.h"

#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/Module.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Transforms/IPO/AlwaysInliner.h"
#include "llvm/Transforms/IPO/GlobalDCE.h"
#include "llvm/Transforms/IPO/Internalize.h"

using namespace fsm;

Result<std::string> fsm::findLibdevice() {
  for (const std::string &toolkit : toolkitFolders()) {
    llvm::SmallString<128> path(toolkit);
    llvm::sys::path::append(path, "nvvm", "libdevice", "libdevice.10.bc");
    if (llvm::sys::fs::exists(path))
      return std::string(path);
  }
  return badInput("expected libdevice.10.bc in nvvm/libdevice of a CUDA toolkit that CUDA_HOME, "
                  "CUDA_PATH, CUDA_ROOT or PATH leads to; name the file itself");
}

static Error fileError(const std::string &path, const std::string &message) {
  return badInput("error: libdevice '" + path + "': " + message);
}

static Result<std::unique_ptr<llvm::Module>> readLibrary(const std::string &path,
                                                         llvm::LLVMContext &context) {
  // A directory or a device is no library; the reader would map or wait for it.
  if (!llvm::sys::fs::is_regular_file(path))
    return fileError(path, "expected a file of LLVM bitcode, and there is none");
  auto file = llvm::MemoryBuffer::getFile(path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!file)
    return fileError(path, file.getError().message());
  auto module = llvm::parseBitcodeFile((*file)->getMemBufferRef(), context);
  if (!module)
    return fileError(path, "expected LLVM bitcode, but " + llvm::toString(module.takeError()));
  return std::move(*module);
}

/// The functions of the library that the module calls.
static llvm::SmallVector<const llvm::Function *> calledOf(const llvm::Module &module) {
  llvm::SmallVector<const llvm::Function *> functions;
  for (const llvm::Function &function : module)
    if (function.isDeclaration() && function.getName().starts_with(kLibdevicePrefix))
      functions.push_back(&function);
  return functions;
}

/// Inlines what was linked. No pass is asked for by its name, for that would bring all of LLVM's.
static void inlineLinked(llvm::Module &module) {
  llvm::PassBuilder builder;
  Analyses analyses(builder);
  llvm::ModulePassManager passes;
  passes.addPass(llvm::AlwaysInlinerPass());
  passes.addPass(llvm::GlobalDCEPass());
  passes.run(module, analyses.modules);
}

Result<void> fsm::linkLibdevice(llvm::Module &module, const std::string &path) {
  llvm::SmallVector<const llvm::Function *> called = calledOf(module);
  if (called.empty())
    return {};
  Result<std::unique_ptr<llvm::Module>> library = readLibrary(path, module.getContext());
  if (!library)
    return library.error();
  for (const llvm::Function *function : called) {
    const llvm::Function *body = (*library)->getFunction(function->getName());
    if (!body || body->isDeclaration() || body->getFunctionType() != function->getFunctionType())
      return fileError(path, "expected a function '" + function->getName().str() +
                                 "', which the kernel calls, and found none");
  }
  // Older libraries know neither the layout of today's types nor the triple's whole name.
  (*library)->setDataLayout(module.getDataLayout());
  (*library)->setTargetTriple(module.getTargetTriple());
  auto internalize = [](llvm::Module &linked, const llvm::StringSet<> &names) {
    llvm::internalizeModule(linked, [&](const llvm::GlobalValue &value) {
      return !value.hasName() || !names.contains(value.getName());
    });
  };
  llvm::StringSet<> ownNames;
  for (llvm::Function &function : module)
    if (!function.isDeclaration())
      ownNames.insert(function.getName());
  if (llvm::Linker::linkModules(module, std::move(*library), llvm::Linker::LinkOnlyNeeded,
                                internalize))
    return fileError(path, "expected a library that can be linked to the kernel");
  for (llvm::Function &function : module) {
    if (function.isDeclaration() || ownNames.contains(function.getName()))
      continue;
    function.removeFnAttr(llvm::Attribute::NoInline);
    function.removeFnAttr(llvm::Attribute::OptimizeNone);
    function.addFnAttr(llvm::Attribute::AlwaysInline);
  }
  inlineLinked(module);
  return {};
}
