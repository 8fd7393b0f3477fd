//===- ConvertLayout.h - Moving elements between threads -------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_CONVERSION_FSMTOGPU_EXCHANGE_CONVERTLAYOUT_H
#define FSM_CONVERSION_FSMTOGPU_EXCHANGE_CONVERTLAYOUT_H

#include "../Program/DeviceProgram.h"

#include "fsm/Layout/ConversionPlan.h"

namespace fsm::gpu {

/// What an op on blocks with layouts gives, as a vector of the live registers of its
/// result; `source` is that of its operand. Null after an error at the op. What is in
/// positions outside the true extents is unspecified.
mlir::Value lowerConvertLayout(DeviceProgram &program, ConvertLayoutOp op, mlir::Value source);
mlir::Value lowerReshape(DeviceProgram &program, ReshapeOp op, mlir::Value source);

/// Where the scratch memory of `op` begins among the program's shared bytes; 0 for an
/// op that needs none. Nothing, after an error at the op, when the attribute
/// `fsm.shared_offset` is missing.
std::optional<uint64_t> scratchOffset(mlir::Operation *op);

/// Executes a plan between layouts without ctas, with the scratch memory that begins
/// `scratch` bytes into the program's.
mlir::Value executeConversion(DeviceProgram &program, mlir::Location loc,
                              const ConversionPlan &plan, mlir::Value source, uint64_t scratch);

/// Addresses in shared memory that are linear in the register, the lane and the warp:
/// `scratch` bytes plus the exclusive or of what each of the three adds.
class SharedPlaces {
public:
  SharedPlaces(DeviceProgram &program, mlir::Location loc, uint64_t scratch,
               std::vector<uint64_t> laneBytes, std::vector<uint64_t> warpBytes);

  /// The thread's address for a register that adds `registerBytes`.
  mlir::Value at(uint64_t registerBytes) const;

private:
  DeviceProgram &program;
  mlir::Location loc;
  uint64_t scratch, threadBits = 0;
  mlir::Value threadBytes;
};

/// Emits `body` for the threads for which `condition`, an i1 or null, holds.
void emitIf(DeviceProgram &program, mlir::Location loc, mlir::Value condition,
            llvm::function_ref<void()> body);

/// A vector of the scalars, which are of one type.
mlir::Value vectorOf(DeviceProgram &program, mlir::Location loc,
                     llvm::ArrayRef<mlir::Value> scalars);
/// The elements of a vector.
llvm::SmallVector<mlir::Value> elementsOf(DeviceProgram &program, mlir::Location loc,
                                          mlir::Value vector);

/// One access to shared memory of `scalars.size()` neighbouring elements, a power of two,
/// that are aligned to their size. There is no i1 among them.
void storeShared(DeviceProgram &program, mlir::Location loc, llvm::ArrayRef<mlir::Value> scalars,
                 mlir::Value address);
llvm::SmallVector<mlir::Value> loadShared(DeviceProgram &program, mlir::Location loc,
                                          mlir::Type element, size_t count, mlir::Value address);

/// An i1, or a vector of them, as bytes and back; other values stay.
mlir::Value toBytes(DeviceProgram &program, mlir::Location loc, mlir::Value value);
mlir::Value fromBytes(DeviceProgram &program, mlir::Location loc, mlir::Value value,
                      mlir::Type element);

} // namespace fsm::gpu

#endif // FSM_CONVERSION_FSMTOGPU_EXCHANGE_CONVERTLAYOUT_H
