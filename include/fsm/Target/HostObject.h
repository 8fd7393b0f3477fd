//===- HostObject.h - From the llvm dialect to host code -------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_TARGET_HOSTOBJECT_H
#define FSM_TARGET_HOSTOBJECT_H

#include "fsm/Support/Result.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectRegistry.h"

#include <string>

namespace fsm {

/// What emitHostCode produces.
enum class HostOutput {
  Object,   ///< A relocatable ELF object, position independent.
  Portable, ///< The same, of no other instructions than hostInstructions() names.
  LLVMIR,   ///< LLVM IR as text, after its optimisation.
  Assembly, ///< The assembly text of the object.
};

/// Adds what the translation of the llvm dialect needs to a registry.
void registerHostTranslations(mlir::DialectRegistry &registry);

/// Translates a module of the llvm dialect to code for the machine this runs
/// on, with every instruction it has unless the output says otherwise.
Result<std::string> emitHostCode(mlir::ModuleOp module, HostOutput output);

/// The largest set of instructions that this machine has all of, as compilers call it: "x86-64-v3"
/// and its like.
std::string hostInstructions();

/// Bytes of this machine's widest vector registers: 64, 32 or 16.
unsigned hostVectorBytes();

} // namespace fsm

#endif // FSM_TARGET_HOSTOBJECT_H
