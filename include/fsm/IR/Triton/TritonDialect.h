//===- TritonDialect.h - Triton's IR as its front end prints it -*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_IR_TRITON_TRITONDIALECT_H
#define FSM_IR_TRITON_TRITONDIALECT_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace fsm::triton {
/// The release whose IR this is.
inline constexpr llvm::StringLiteral kTritonVersion = "3.6";

/// A ranked tensor of static shape and rank 1 or more, without an encoding.
bool isBlock(mlir::Type type);
/// A pointer or a tensor of pointers.
bool isPointers(mlir::Type type);

/// What pointers point to, in the shape of these; the type itself if it has none.
mlir::Type pointeeOf(mlir::Type pointers);
/// An i1 in the shape of a type.
mlir::Type maskOf(mlir::Type type);
} // namespace fsm::triton

#include "fsm/IR/Triton/TritonDialect.h.inc"
#include "fsm/IR/Triton/TritonEnums.h.inc"

#define GET_TYPEDEF_CLASSES
#include "fsm/IR/Triton/TritonTypes.h.inc"

#define GET_OP_CLASSES
#include "fsm/IR/Triton/TritonOps.h.inc"

#endif // FSM_IR_TRITON_TRITONDIALECT_H
