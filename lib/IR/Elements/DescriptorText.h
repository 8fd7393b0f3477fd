//===- DescriptorText.h - fsm.descriptor as text ----------------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_IR_ELEMENTS_DESCRIPTORTEXT_H
#define FSM_IR_ELEMENTS_DESCRIPTORTEXT_H

#include "NumberListText.h"

// What the generated parser and printer call: the pointer's type, and the one type of all sizes and
// strides that are operands, an i32 unless it stands behind the pointer's.

namespace fsm {

inline mlir::ParseResult parseDescribedTypes(mlir::OpAsmParser &parser, mlir::Type &pointer,
                                             const Operands &sizes,
                                             llvm::SmallVectorImpl<mlir::Type> &sizeTypes,
                                             const Operands &strides,
                                             llvm::SmallVectorImpl<mlir::Type> &strideTypes) {
  mlir::Type type = parser.getBuilder().getI32Type();
  if (parser.parseType(pointer))
    return mlir::failure();
  if (mlir::succeeded(parser.parseOptionalComma())) {
    llvm::SMLoc loc = parser.getCurrentLocation();
    if (parser.parseType(type))
      return mlir::failure();
    if (!type.isSignlessInteger(32) && !type.isSignlessInteger(64))
      return parser.emitError(loc) << "expected sizes and strides of type i32 or i64, got " << type;
  }
  sizeTypes.assign(sizes.size(), type);
  strideTypes.assign(strides.size(), type);
  return mlir::success();
}

inline void printDescribedTypes(mlir::OpAsmPrinter &printer, mlir::Operation *, mlir::Type pointer,
                                mlir::OperandRange, mlir::TypeRange sizeTypes, mlir::OperandRange,
                                mlir::TypeRange strideTypes) {
  printer << pointer;
  for (mlir::TypeRange types : {sizeTypes, strideTypes})
    if (!types.empty() && !types.front().isInteger(32)) {
      printer << ", " << types.front();
      return;
    }
}

} // namespace fsm

#endif // FSM_IR_ELEMENTS_DESCRIPTORTEXT_H
