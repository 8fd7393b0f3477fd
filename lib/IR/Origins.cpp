//===- Origins.cpp - Where an error's values come from ------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/IR/Origins.h"

using namespace mlir;
using namespace fsm;

std::string fsm::textOfPlace(Location loc) {
  auto file = loc->findInstanceOf<FileLineColLoc>();
  if (!file)
    return "";
  return (file.getFilename().getValue() + ":" + Twine(file.getLine()) + ":" + Twine(file.getColumn())).str();
}

LogicalResult fsm::failWithOrigins(InFlightDiagnostic error, ArrayRef<Origin> origins) {
  for (auto [what, value] : origins) {
    if (!value || value.getLoc() == error.getUnderlyingDiagnostic()->getLocation())
      continue;
    bool isArgument = isa<BlockArgument>(value);
    error.attachNote(value.getLoc())
        << what << " is " << (isArgument ? "this argument" : "made here");
  }
  return error;
}

LogicalResult fsm::failBeside(InFlightDiagnostic error, Operation *other, const Twine &note) {
  error.attachNote(other->getLoc()) << note;
  return error;
}

LogicalResult fsm::failWithOperands(InFlightDiagnostic error, Operation *op) {
  for (auto [number, operand] : llvm::enumerate(op->getOperands()))
    if (auto block = dyn_cast<RankedTensorType>(operand.getType()))
      error.attachNote(operand.getLoc()) << "operand " << number << " is " << block << " here";
  return error;
}
