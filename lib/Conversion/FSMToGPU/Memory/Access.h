//===- Access.h - Loads and stores of a thread -----------------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_CONVERSION_FSMTOGPU_MEMORY_ACCESS_H
#define FSM_CONVERSION_FSMTOGPU_MEMORY_ACCESS_H

#include "../Program/ThreadBlock.h"
#include "../Program/ThreadLowering.h"

namespace fsm::gpu {

/// A block of offsets, in one thread, as a sum of what all its registers share, a
/// constant per register, and what is left:
///
///   splat(%start) + range          shared   %start, 4 * lane
///                                  constant 0, 1, 2, 3, 128, 129, ...
///
/// so that an access has one address and immediates. Terms are signed, of 32 or 64 bits,
/// and the sum is taken in 64.
struct OffsetForm {
  llvm::SmallVector<mlir::Value> shared;
  /// Per element of the thread's vector.
  llvm::SmallVector<int64_t> constants;
  /// A vector with one term per register, or null.
  mlir::Value varying;
};

/// The form of a block of offsets (AffineOffsets.h), or the whole block as it has become.
OffsetForm formOf(ThreadLowering &thread, mlir::Value offsets);

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
  mlir::OpBuilder &builder;
  mlir::Location loc;
  const AccessOperands &operands;
  mlir::Type element;
  mlir::Value base;
};

/// The registers of each instruction of an access, the first of which has the lowest address;
/// none, after an error at the op, if `fsm.access_width` does not fit the block.
std::vector<std::vector<uint64_t>> accessGroups(const ThreadBlock &block, mlir::Operation *op);

/// A scalar or vector that an instruction of so many bytes loads; `otherwise` where `condition` is
/// false, and nothing is loaded then.
mlir::Value loadWhere(DeviceProgram &program, mlir::Location loc, mlir::Value condition,
                      mlir::Value address, unsigned bytes, mlir::Value otherwise);

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

/// Inline PTX that gives values of this type, or null for none, and changes what it likes.
mlir::LLVM::InlineAsmOp inlinePtx(mlir::OpBuilder &builder, mlir::Location loc, mlir::Type result,
                                  mlir::ValueRange operands, llvm::StringRef text,
                                  llvm::StringRef constraints);

/// Whether `op`, which isMadeOnce, gives a result that the others are handed within their warp, or
/// that shared memory hands on; if not, an error at the op.
mlir::LogicalResult checkHandedOn(mlir::Operation *op);

/// What the first lane has of a scalar that such an op gives: in all threads that ask for it.
mlir::Value fromFirstThread(DeviceProgram &program, mlir::Operation *op, mlir::Value scalar);

/// Where a slot of shared memory begins, or an mbarrier is.
mlir::Value slotAddress(DeviceProgram &program, mlir::Location loc, mlir::Value shared,
                        mlir::Value slot);

/// A load from a slot.
mlir::LogicalResult lowerSlotLoad(ThreadLowering &thread, SharedLoadOp op);

} // namespace fsm::gpu

#endif // FSM_CONVERSION_FSMTOGPU_MEMORY_ACCESS_H
