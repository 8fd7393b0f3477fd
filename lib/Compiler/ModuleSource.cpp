//===- ModuleSource.cpp - Modules of a caller's context -------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Compiler/ModuleSource.h"

#include "fsm/Compiler/ParsedSource.h"

#include "mlir/IR/Verifier.h"

using namespace mlir;
using namespace fsm;

static bool hasLines(ModuleOp module) {
  return module
      ->walk([](Operation *op) {
        return op->getLoc()->findInstanceOf<FileLineColLoc>() ? WalkResult::interrupt()
                                                              : WalkResult::advance();
      })
      .wasInterrupted();
}

Result<Source> fsm::sourceOf(ModuleOp module, const std::string &fileName) {
  if (!module)
    return badInput(fileName + ": error: expected a module, got null");
  ErrorText errors(*module->getContext());
  // What does not verify has no text of its own.
  if (failed(verify(module)))
    return errors.take(fileName + ": error: the module was refused without a reason");
  Source source;
  source.fileName = fileName;
  llvm::raw_string_ostream text(source.text);
  OpPrintingFlags flags;
  module->print(text, flags.enableDebugInfo(hasLines(module)));
  Result<std::vector<KernelSignature>> kernels = Compiler::list(source);
  if (!kernels)
    return kernels.error();
  return source;
}
