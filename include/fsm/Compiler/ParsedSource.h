//===- ParsedSource.h - A source as a verified module ----------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_COMPILER_PARSEDSOURCE_H
#define FSM_COMPILER_PARSEDSOURCE_H

#include "fsm/Compiler/Compiler.h"
#include "fsm/IR/FSMDialect.h"
#include "fsm/Machine/LaunchTime.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"

#include <memory>

namespace fsm {

struct PooledContext;

/// A source's verified module, in a single-threaded context that no other module is in at the time: it
/// survives a fork, and only one thread may use it at a time.
class ParsedSource {
public:
  static Result<std::unique_ptr<ParsedSource>> parse(const Source &source);
  ~ParsedSource();

  mlir::ModuleOp module() { return *moduleRef; }
  mlir::MLIRContext &context();

  /// The kernels in the order of the text.
  std::vector<KernelOp> kernels();

  /// The kernel of that name; an empty name means the only one. An error lists
  /// the names there are.
  Result<KernelOp> pick(const std::string &name);

private:
  ParsedSource(const Source &source, std::unique_ptr<PooledContext> context);
  static Result<std::unique_ptr<ParsedSource>>
  parseIn(std::unique_ptr<PooledContext> context, const Source &source, const std::string &text);

  std::string fileName;
  std::unique_ptr<PooledContext> pooled;
  mlir::OwningOpRef<mlir::ModuleOp> moduleRef;
};

/// Gathers the errors reported in a context, with their notes, one line each:
/// `file:line:col: error: ...`.
class ErrorText {
public:
  /// `others` gets what is reported besides errors, in the same form; none of it twice, as
  /// where a helper was inlined into several places.
  explicit ErrorText(mlir::MLIRContext &context, std::vector<std::string> *others = nullptr);

  /// What was reported; `otherwise`, as an Internal error, if nothing was.
  Error take(const std::string &otherwise);

private:
  std::string text;
  mlir::ScopedDiagnosticHandler handler;
};

KernelSignature signatureOf(KernelOp kernel);

/// What the kernel's text promises of each argument: `fsm.align`,
/// `fsm.divisible`, `fsm.equal_to = 1`, `fsm.at_least`, `fsm.at_most` and `fsm.noalias`.
std::vector<ArgumentFact> promisesOf(KernelOp kernel);

/// What code for a launch of few programs may be other code for: that several CTAs share large blocks, or a loop.
struct SpreadUse {
  /// How often the loop runs; empty where blocks are shared.
  CostExpression trips;
  /// Whether two CTAs share the loop on one multiprocessor, too, where it has no other program to run meanwhile.
  bool isForTwoOnOne = false;

  /// CompileOptions::spread of a launch: the largest power of two, up to the largest portable cluster, for which
  /// each program has so many multiprocessors, and each CTA enough iterations; 0 where that is one, or 2 for two on one.
  /// `integers` are the launch's arguments, 0 for those that are none.
  unsigned spreadFor(const Grid &grid, unsigned multiprocessors,
                     llvm::function_ref<std::vector<int64_t>()> integers) const;
};

/// Nothing where all launches have the same code, as where the kernel says itself on how many CTAs it runs.
std::optional<SpreadUse> spreadUseOf(KernelOp kernel, const std::string &target);

/// Whether programs may load factors of products for one another on a target, as far as the kernel leaves open how many do.
bool mayHaveClusters(KernelOp kernel, const std::string &target);

/// How many programs of a launch load for one another where rows straddle sectors of the L2 cache; 1 where they are left over,
/// or so few that they wait for latency and not for the cache.
unsigned clusterFor(const Grid &grid, unsigned multiprocessors);

/// Whether code for launches of more programs than a target has multiprocessors may be other code,
/// in which some go on to others: of products, whose author has not written that loop.
bool mayLoopPrograms(KernelOp kernel, const CompileOptions &options);

/// Whether a launch has more programs than there are multiprocessors, all of them along x, so that
/// any number of them may be started.
bool hasManyPrograms(const Grid &grid, unsigned multiprocessors);

} // namespace fsm

#endif // FSM_COMPILER_PARSEDSOURCE_H
