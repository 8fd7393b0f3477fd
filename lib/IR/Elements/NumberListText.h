//===- NumberListText.h - Lists of numbers and operands as text -*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_IR_ELEMENTS_NUMBERLISTTEXT_H
#define FSM_IR_ELEMENTS_NUMBERLISTTEXT_H

#include "mlir/Interfaces/ViewLikeInterface.h"

// What the generated parser and printer call: `[%row, 0]`, whose operands are dynamic extents among
// the numbers. MLIR's own parser of such lists takes more, and drops it: booleans, numbers in
// brackets, and the number that stands for an operand.

namespace fsm {

using Operands = llvm::SmallVectorImpl<mlir::OpAsmParser::UnresolvedOperand>;

inline mlir::ParseResult parseListedNumber(mlir::OpAsmParser &parser, Operands &operands,
                                           llvm::SmallVectorImpl<int64_t> &numbers) {
  llvm::SMLoc loc = parser.getCurrentLocation();
  mlir::OpAsmParser::UnresolvedOperand operand;
  if (mlir::OptionalParseResult read = parser.parseOptionalOperand(operand); read.has_value()) {
    operands.push_back(operand);
    numbers.push_back(mlir::ShapedType::kDynamic);
    return *read;
  }
  int64_t number = 0;
  llvm::StringRef boolean;
  mlir::OptionalParseResult read;
  if (mlir::failed(parser.parseOptionalKeyword(&boolean, {"true", "false"})))
    read = parser.parseOptionalInteger(number);
  if (!read.has_value())
    return parser.emitError(loc, "expected a number or an operand");
  if (mlir::succeeded(*read) && mlir::ShapedType::isDynamic(number))
    return parser.emitError(loc) << "expected a number that fits an i32, got " << number;
  numbers.push_back(number);
  return *read;
}

inline mlir::ParseResult parseNumberList(mlir::OpAsmParser &parser, Operands &operands,
                                         mlir::DenseI64ArrayAttr &numbers) {
  llvm::SmallVector<int64_t> list;
  if (parser.parseCommaSeparatedList(mlir::AsmParser::Delimiter::Square, [&] {
        return parseListedNumber(parser, operands, list);
      }))
    return mlir::failure();
  numbers = parser.getBuilder().getDenseI64ArrayAttr(list);
  return mlir::success();
}

inline void printNumberList(mlir::OpAsmPrinter &printer, mlir::Operation *op,
                            mlir::OperandRange operands, mlir::DenseI64ArrayAttr numbers) {
  mlir::printDynamicIndexList(printer, op, operands, numbers);
}

} // namespace fsm

#endif // FSM_IR_ELEMENTS_NUMBERLISTTEXT_H
