//===- Origins.h - Where an error's values come from ------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_IR_ORIGINS_H
#define FSM_IR_ORIGINS_H

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Operation.h"
#include "mlir/IR/Value.h"

#include <string>

namespace fsm {

/// `file:line:column` of the nearest place in a file that a location names, callee before caller;
/// nothing where it names none.
std::string textOfPlace(mlir::Location loc);

/// A value that an error holds against others, and what it is there: `the mask`.
struct Origin {
  llvm::StringRef what;
  mlir::Value value;
};

/// Ends an error with a note for each value that says where it comes from. There is none for a
/// value that is null, and none where the error is.
mlir::LogicalResult failWithOrigins(mlir::InFlightDiagnostic error, llvm::ArrayRef<Origin> origins);

/// The same for the operands of an op that are blocks, with their types.
mlir::LogicalResult failWithOperands(mlir::InFlightDiagnostic error, mlir::Operation *op);

/// The same with a note at one other op.
mlir::LogicalResult failBeside(mlir::InFlightDiagnostic error, mlir::Operation *other,
                               const llvm::Twine &note);

} // namespace fsm

#endif // FSM_IR_ORIGINS_H
