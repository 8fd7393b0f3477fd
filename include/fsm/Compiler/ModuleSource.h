//===- ModuleSource.h - Modules of a caller's context -----------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_COMPILER_MODULESOURCE_H
#define FSM_COMPILER_MODULESOURCE_H

#include "fsm/Compiler/Compiler.h"

#include "mlir/IR/BuiltinOps.h"

namespace fsm {

/// A module that a frontend has built in a context of its own, which has the dialects of
/// registerLanguage (fsm/Compiler/Pipelines.h), as a source: for Compiler and Engine, which never touch
/// that context. Each op is located where the module has it; where nothing in it has a line, in the
/// text. An error if the module does not verify or holds what is not in the language.
Result<Source> sourceOf(mlir::ModuleOp module, const std::string &fileName = "<module>");

} // namespace fsm

#endif // FSM_COMPILER_MODULESOURCE_H
