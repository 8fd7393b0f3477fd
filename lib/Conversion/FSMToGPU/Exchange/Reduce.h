//===- Reduce.h - Reductions over threads ----------------------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_CONVERSION_FSMTOGPU_EXCHANGE_REDUCE_H
#define FSM_CONVERSION_FSMTOGPU_EXCHANGE_REDUCE_H

#include "../Program/DeviceProgram.h"

namespace fsm::gpu {

/// What a reduction gives: a scalar that has the same bits in all threads of the program,
/// or the vector of the result's live registers. `source` is the operand's vector. Null
/// after an error at the op.
///
/// A thread combines its own registers as a balanced tree, a warp by butterflies over
/// the bits of the lane that move along the axis, a program by one slot of scratch
/// memory for each warp and one barrier. Bits that move nothing are replicas, which are
/// not combined. The order is that of the layout, so the same each time.
mlir::Value lowerReduce(DeviceProgram &program, ReduceOp op, mlir::Value source);

/// The number that, combined with any other, changes nothing.
mlir::Value neutralElement(mlir::OpBuilder &builder, mlir::Location loc, ReduceKind kind,
                           bool propagateNan, mlir::Type type);

/// What two scalars of one type combine to; f16 and bf16 have been widened to f32.
mlir::Value combineElements(mlir::OpBuilder &builder, mlir::Location loc, ReduceKind kind,
                            bool propagateNan, mlir::Value left, mlir::Value right);

} // namespace fsm::gpu

#endif // FSM_CONVERSION_FSMTOGPU_EXCHANGE_REDUCE_H
