//===- Conversions.h - Conversions through shared memory -------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_TRANSFORMS_SHARED_CONVERSIONS_H
#define FSM_TRANSFORMS_SHARED_CONVERSIONS_H

#include "fsm/Analysis/ScratchSize.h"

namespace fsm {

/// Whether the program is on several ctas.
bool isOnCtas(mlir::Operation *op);

/// A store, a barrier and a load, which bring a value to the threads of the type `result`.
mlir::Value exchange(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value, mlir::Type result,
                     SharedType type, ThreadScope scope);

/// Writes a conversion out that goes through shared memory. Whether it does.
bool stageConversion(ConvertLayoutOp op);

/// A block that threads exchange through memory in which nothing else lies, by a store, a barrier and a load:
///
///   fsm.shared_store %block, %memory
///   fsm.shared_barrier
///   %moved = fsm.shared_load %memory
///
/// Where a register of both layouts leads to the same element, the block is two halves, of each of which every
/// thread gives and takes as much. One half after the other may go through half of the memory:
///
///   %ones, %others = fsm.split (of pairs that are so far apart as this register leads)
///   %moved_ones = the same of %ones
///   %moved_others = the same of %others
///   fsm.join %moved_ones, %moved_others
///
/// Each of the four blocks is some of a thread's registers, and the layouts stay.
class SharedExchange {
public:
  /// Nothing where the memory is for anything else.
  static std::optional<SharedExchange> of(SharedAllocOp alloc);

  /// Writes two exchanges of halves in its place; gives their memory. Nothing, with nothing changed, where there are no halves.
  llvm::SmallVector<SharedAllocOp> halve();

private:
  SharedExchange(SharedAllocOp alloc, SharedStoreOp write, SharedLoadOp read)
      : alloc(alloc), write(write), read(read) {}
  std::optional<unsigned> bitBetweenHalves() const;

  SharedAllocOp alloc;
  SharedStoreOp write;
  SharedLoadOp read;
};

} // namespace fsm

#endif // FSM_TRANSFORMS_SHARED_CONVERSIONS_H
