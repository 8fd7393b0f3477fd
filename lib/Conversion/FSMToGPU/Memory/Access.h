//===- Access.h - Loads and stores of a thread -----------------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_CONVERSION_FSMTOGPU_MEMORY_ACCESS_H
#define FSM_CONVERSION_FSMTOGPU_MEMORY_ACCESS_H

#include "OffsetForm.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace fsm::gpu {

/// The operands of an access, as the thread has them; null for those the op lacks.
struct AccessOperands {
  mlir::Value pointer;
  /// Of an access by offsets.
  OffsetForm offsets;
  mlir::Value mask, other, value;
};

/// The addresses of a thread's elements: what all registers share is computed once.
class ElementAddresses {
public:
  ElementAddresses(DeviceProgram &program, mlir::Location loc, const AccessOperands &operands,
                   mlir::Type element);

  /// That of the element at this place in the thread's vector.
  mlir::Value of(int64_t index);

private:
  mlir::Value moved(mlir::Value pointer, mlir::LLVM::GEPArg offset);

  mlir::OpBuilder &builder;
  mlir::Location loc;
  const AccessOperands &operands;
  mlir::Type element;
  mlir::Value base;
};

/// The registers of each instruction of an access, the first of which has the lowest address;
/// none if `fsm.access_width` does not fit the block.
std::vector<std::vector<uint64_t>> accessGroups(const ThreadBlock &block, mlir::Operation *op);

/// A scalar or vector that an instruction of so many bytes loads; `otherwise` where `condition` is
/// false, and nothing is loaded then.
mlir::Value loadWhere(DeviceProgram &program, mlir::Location loc, mlir::Value condition,
                      mlir::Value address, unsigned bytes, mlir::Value otherwise);

/// Reports that `fsm.access_width` does not fit. Null.
mlir::Value missingWidth(mlir::Operation *op);

/// What the operands of an access have become.
template <typename AccessOp>
AccessOperands accessOperands(ThreadLowering &thread, AccessOp op) {
  AccessOperands operands;
  operands.pointer = thread.lookup(op.getPointer());
  operands.mask = thread.lookup(op.getMask());
  if (mlir::Value offsets = op.getOffsets())
    operands.offsets = formOf(thread, offsets);
  if constexpr (std::is_same_v<AccessOp, LoadOp>)
    operands.other = thread.lookup(op.getOther());
  else if constexpr (!std::is_same_v<AccessOp, CopyAsyncOp>)
    operands.value = thread.lookup(op.getValue());
  return operands;
}

/// A value as memory has it, and back: an i1 is a byte there.
mlir::Value toMemory(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value);
mlir::Value fromMemory(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value,
                       mlir::Type element);

} // namespace fsm::gpu

#endif // FSM_CONVERSION_FSMTOGPU_MEMORY_ACCESS_H
