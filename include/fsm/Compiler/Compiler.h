//===- Compiler.h - From text to a compiled kernel -------------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_COMPILER_COMPILER_H
#define FSM_COMPILER_COMPILER_H

#include "fsm/Artifact/CompiledKernel.h"
#include "fsm/Compiler/CompileOptions.h"
#include "fsm/Support/Result.h"

#include <map>
#include <string>
#include <vector>

namespace fsm {

/// What is compiled: the text of a `.mlir` file, the name its errors are
/// located in, and values for the `${NAME}` parameters it declares. The text of a
/// file whose name ends in `.ttir` is Triton's IR.
struct Source {
  std::string text;
  std::string fileName = "<source>";
  std::map<std::string, std::string> parameters;
};

/// The compiler. It keeps no state: every call parses in a context of its own,
/// so calls may run on any threads at once.
class Compiler {
public:
  /// The kernels of a source in the order of the text.
  static Result<std::vector<KernelSignature>> list(const Source &source);

  /// Whether the options that a device may have no use for are right for those that have: what is
  /// wrong is refused for each of them, and what is right and of no use is left alone.
  static Result<void> check(const Source &source, const CompileOptions &options);

  /// Compiles one kernel to code.
  static Result<CompiledKernel> compile(const Source &source, const CompileOptions &options);

  /// The same for the CPU, as an object that is linked into a program: its function is called
  /// `symbol`, and it needs the instructions that hostInstructions() names and no others.
  static Result<CompiledKernel> compileObject(const Source &source, const CompileOptions &options,
                                              const std::string &symbol);

  /// The stages that `emit` has for a target, in their order.
  static std::vector<std::string> stages(const std::string &target);

  /// The text of a stage: a module of MLIR, LLVM IR, assembly or PTX; "contract", what a
  /// launch of the PTX has to know, as JSON, and "launch", the same with the PTX in it;
  /// "layouts", which thread holds what; or "cubin" and
  /// "sass", what tools of a CUDA toolkit make of the PTX. A stage "after:PASS" is the module
  /// behind each run of a pass. `diagnostics` gets what CompiledKernel::diagnostics
  /// would hold, so far as the passes up to that stage say it.
  static Result<std::string> emit(const Source &source, const CompileOptions &options,
                                  const std::string &stage,
                                  std::vector<std::string> *diagnostics = nullptr);
};

} // namespace fsm

#endif // FSM_COMPILER_COMPILER_H
