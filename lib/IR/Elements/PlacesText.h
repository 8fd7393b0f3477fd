//===- PlacesText.h - fsm.places as text -----------------------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_IR_ELEMENTS_PLACESTEXT_H
#define FSM_IR_ELEMENTS_PLACESTEXT_H

#include "NumberListText.h"

// What the generated parser and printer call: three lists, each of numbers and operands, and the
// types, of which that of the mask follows from the other.

namespace fsm {

inline mlir::ParseResult parsePlacesLists(mlir::OpAsmParser &parser, Operands &origin,
                                          mlir::DenseI64ArrayAttr &originNumbers, Operands &strides,
                                          mlir::DenseI64ArrayAttr &strideNumbers, Operands &bounds,
                                          mlir::DenseI64ArrayAttr &boundNumbers) {
  auto list = [&](llvm::StringRef name, Operands &operands,
                  mlir::DenseI64ArrayAttr &numbers) -> mlir::ParseResult {
    numbers = parser.getBuilder().getDenseI64ArrayAttr({});
    return mlir::failed(parser.parseOptionalKeyword(name))
               ? mlir::ParseResult(mlir::success())
               : parseNumberList(parser, operands, numbers);
  };
  return mlir::failure(list("origin", origin, originNumbers) ||
                       list("strides", strides, strideNumbers) ||
                       list("bounds", bounds, boundNumbers));
}

inline void printPlacesLists(mlir::OpAsmPrinter &printer, mlir::Operation *op,
                             mlir::OperandRange origin, mlir::DenseI64ArrayAttr originNumbers,
                             mlir::OperandRange strides, mlir::DenseI64ArrayAttr strideNumbers,
                             mlir::OperandRange bounds, mlir::DenseI64ArrayAttr boundNumbers) {
  bool isFirst = true;
  auto list = [&](llvm::StringRef name, mlir::OperandRange operands,
                  mlir::DenseI64ArrayAttr numbers) {
    if (numbers.empty())
      return;
    printer << (isFirst ? "" : " ") << name << " ";
    isFirst = false;
    printNumberList(printer, op, operands, numbers);
  };
  list("origin", origin, originNumbers);
  list("strides", strides, strideNumbers);
  list("bounds", bounds, boundNumbers);
}

inline mlir::ParseResult parsePlacesTypes(mlir::OpAsmParser &parser, mlir::Type &offsets,
                                          mlir::Type &inside, mlir::DenseI64ArrayAttr bounds) {
  if (parser.parseType(offsets))
    return mlir::failure();
  auto block = llvm::dyn_cast<mlir::RankedTensorType>(offsets);
  if (!bounds.empty())
    inside = block ? mlir::Type(block.clone(parser.getBuilder().getI1Type())) : offsets;
  return mlir::success();
}

inline void printPlacesTypes(mlir::OpAsmPrinter &printer, mlir::Operation *, mlir::Type offsets,
                             mlir::Type, mlir::DenseI64ArrayAttr) {
  printer << offsets;
}

} // namespace fsm

#endif // FSM_IR_ELEMENTS_PLACESTEXT_H
