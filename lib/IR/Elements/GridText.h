//===- GridText.h - The grid of a kernel as text ----------------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_IR_ELEMENTS_GRIDTEXT_H
#define FSM_IR_ELEMENTS_GRIDTEXT_H

#include "mlir/IR/OpImplementation.h"

namespace fsm {

/// Reads `[ceildiv(%m, 64) * %n, 2]`, of a kernel with these arguments, as a list of launch
/// expressions.
mlir::ParseResult parseGrid(mlir::OpAsmParser &parser,
                            llvm::ArrayRef<mlir::OpAsmParser::Argument> arguments,
                            mlir::ArrayAttr &grid);

void printGrid(mlir::OpAsmPrinter &printer, mlir::Block::BlockArgListType arguments,
               mlir::ArrayAttr grid);

/// Whether there are one to three launch expressions over integers among these types, each of at most
/// 256 numbers, arguments and signs.
bool isGrid(mlir::ArrayAttr grid, llvm::ArrayRef<mlir::Type> arguments);

} // namespace fsm

#endif // FSM_IR_ELEMENTS_GRIDTEXT_H
