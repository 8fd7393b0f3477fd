//===- Trial.h - One mutant through parser, verifier and pipeline -*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_TEST_UNIT_FUZZ_TRIAL_H
#define FSM_TEST_UNIT_FUZZ_TRIAL_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <optional>
#include <string>

namespace fsm::fuzz {

/// How far a mutant came. Each stage is entered before its work begins.
enum class Stage { Mutating, Preparing, Parsing, Verifying, Reprinting, Compiling, Done };
inline constexpr const char *kStageNames[] = {"mutating",   "preparing", "parsing", "verifying",
                                              "reprinting", "compiling", "done"};

/// A valid module in a context of its own, or null.
struct Parsed {
  std::unique_ptr<mlir::MLIRContext> context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
};
Parsed parseAlone(const std::string &source);

/// Takes a mutant as far as it goes, noting each stage in `stage`. Gives what is
/// wrong with FSM, or nothing: a refusal without a diagnostic, a valid module
/// that does not survive printing and parsing, a pass that makes it invalid.
///
/// Where `number` is given the mutant is compiled for a GPU, and by one pass or
/// pipeline of many, which the number chooses.
std::string tryMutant(const std::string &mutant, volatile Stage &stage,
                      std::optional<uint64_t> number = std::nullopt);

} // namespace fsm::fuzz

#endif // FSM_TEST_UNIT_FUZZ_TRIAL_H
