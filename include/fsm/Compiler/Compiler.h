//===- Compiler.h - From text to a compiled kernel -------------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_COMPILER_COMPILER_H
#define FSM_COMPILER_COMPILER_H

#include "fsm/Artifact/CompiledKernel.h"
#include "fsm/Support/Result.h"

#include <map>
#include <string>
#include <tuple>
#include <vector>

namespace fsm {

/// What is compiled: the text of a `.mlir` file, the name its errors are
/// located in, and values for the `${NAME}` parameters it declares.
struct Source {
  std::string text;
  std::string fileName = "<source>";
  std::map<std::string, std::string> parameters;
};

/// How it is compiled. Everything here is part of a cache key.
struct CompileOptions {
  /// The kernel's symbol; may stay empty when the source has exactly one.
  std::string kernel;
  /// "cpu", or a GPU of include/fsm/Machine/GpuTarget.h such as "sm_90a".
  std::string target = "cpu";
  /// One entry per argument, or empty: nothing is known of the arguments.
  std::vector<ArgumentFact> facts;
  /// Override the kernel's `num_warps` and every loop's `fsm.num_stages`;
  /// 0 leaves them as written.
  unsigned numWarps = 0;
  unsigned numStages = 0;
  /// Passes to leave out, of `canonicalize`, `fsm-combine`, `cse` and
  /// `loop-invariant-code-motion`: the answers stay.
  std::vector<std::string> without;
  /// CUDA's libdevice.10.bc, for functions of `math` on a GPU ; empty (always so on the CPU):
  /// FSM's own. findLibdevice() looks for it.
  std::string libdevice;
  /// Programs of one warp may share a CTA of a GPU; false when the launch is
  /// not this library's, and every program must be a CTA.
  bool packPrograms = true;
  /// Stages of a loop that a GPU has no room for are an error, not a warning.
  bool strict = false;
  /// Say of each load in a loop with `fsm.num_stages` whether it runs ahead on a GPU, and why.
  bool remarks = false;

  bool operator==(const CompileOptions &other) const {
    auto all = [](const CompileOptions &of) {
      return std::tie(of.kernel, of.target, of.facts, of.numWarps, of.numStages, of.without,
                      of.libdevice, of.packPrograms, of.strict, of.remarks);
    };
    return all(*this) == all(other);
  }
};

/// A kernel's name and parameters, as `fsm-run --list` prints them.
struct KernelSignature {
  std::string name;
  std::vector<KernelArgument> arguments;
};

/// The compiler. It keeps no state: every call parses in a context of its own,
/// so calls may run on any threads at once.
class Compiler {
public:
  /// The kernels of a source in the order of the text.
  static Result<std::vector<KernelSignature>> list(const Source &source);

  /// Compiles one kernel to code.
  static Result<CompiledKernel> compile(const Source &source, const CompileOptions &options);

  /// The text of an intermediate stage. For the CPU: "fsm" (after all fsm transforms),
  /// "llvm" (MLIR's llvm dialect), "llvmir" or "asm". For a GPU: "fsm" (with layouts), "gpu",
  /// "nvvm", "llvm" (what is translated), "llvmir", "ptx", or "contract", what a launch of
  /// the PTX has to know, as JSON. `diagnostics` gets what CompiledKernel::diagnostics would
  /// hold, so far as the passes up to that stage say it.
  static Result<std::string> emit(const Source &source, const CompileOptions &options,
                                  const std::string &stage,
                                  std::vector<std::string> *diagnostics = nullptr);
};

} // namespace fsm

#endif // FSM_COMPILER_COMPILER_H
