//===- CollectedErrors.h - What LLVM has to say -----------------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_LIB_TARGET_COLLECTEDERRORS_H
#define FSM_LIB_TARGET_COLLECTEDERRORS_H

#include "fsm/Support/Result.h"

#include "llvm/IR/DiagnosticHandler.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/Support/raw_ostream.h"

#include <string>

namespace fsm {

/// Collects what LLVM has to say instead of letting it print or exit.
struct CollectedErrors : llvm::DiagnosticHandler {
  explicit CollectedErrors(std::string &errors) : errors(errors) {}
  bool handleDiagnostics(const llvm::DiagnosticInfo &info) override {
    if (info.getSeverity() != llvm::DS_Error)
      return true;
    llvm::raw_string_ostream stream(errors);
    llvm::DiagnosticPrinterRawOStream printer(stream);
    stream << (errors.empty() ? "" : "\n");
    info.print(printer);
    return true;
  }
  std::string &errors;
};

/// What LLVM cannot do with code of ours, and what it has said of that, if anything.
inline Error internalError(const std::string &what, const std::string &detail) {
  return Error{Error::Kind::Internal, "error: " + what + (detail.empty() ? "" : ": " + detail)};
}

} // namespace fsm

#endif // FSM_LIB_TARGET_COLLECTEDERRORS_H
