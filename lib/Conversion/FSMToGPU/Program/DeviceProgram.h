//===- DeviceProgram.h - Who executes a program, and where -----*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_CONVERSION_FSMTOGPU_PROGRAM_DEVICEPROGRAM_H
#define FSM_CONVERSION_FSMTOGPU_PROGRAM_DEVICEPROGRAM_H

#include "../../Registers/Values.h"

#include "fsm/IR/FSMDialect.h"

#include "mlir/IR/Builders.h"

namespace fsm::gpu {

// The types and values that every machine has.
using namespace registers;

/// NVPTX's address spaces (LLVM's NVPTXUsage, "Address Spaces").
inline constexpr unsigned kGlobalSpace = 1, kSharedSpace = 3;

/// The type one thread holds a value in: a block with a layout is a vector of its live
/// registers, f8 is carried as i8, a pointer is one to global memory. Null for a block
/// without a layout.
mlir::Type threadType(mlir::Type type);

/// The element types of registers and of memory (an i1 takes a byte).
mlir::Type registerElement(mlir::Type element);
mlir::Type memoryElement(mlir::Type element);

/// Whether two conditions, each an i1 or null for always, hold.
mlir::Value both(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value left, mlir::Value right);

/// Lets the lanes of a warp meet, behind a loop that each of them may leave at another time.
/// PTX needs none before a shuffle; but ptxas 13.0 puts the meeting at the first shuffle and
/// loses it where that one's value is a constant (test/Fuzz/shuffle-behind-loop.mlir).
void reconverge(mlir::OpBuilder &builder, mlir::Location loc);

/// The threads that execute one program together, as every lowering sees them: which ids and
/// which barrier of the cta are theirs is known here alone. A program has whole warps; those of one
/// warp may share their cta with neighbours, which they never wait for.
class DeviceProgram {
public:
  /// Emits, at the builder's place, what the others need of the thread's number.
  /// `sharedBytes` is what one program uses of the cta's shared memory.
  DeviceProgram(mlir::OpBuilder &builder, mlir::Location loc, unsigned numWarps,
                unsigned programsPerCta, uint64_t sharedBytes, mlir::Value sharedBase);

  mlir::OpBuilder &builder;

  unsigned numWarps() const { return warps; }
  /// The thread's lane in its warp, and its warp in the program; i32. The latter is a constant
  /// where there is only one.
  mlir::Value lane() const { return laneValue; }
  mlir::Value warp() const { return warpValue; }

  /// The program's coordinate, and the grid's extent in programs; i32.
  mlir::Value programId(mlir::Location loc, GridAxis axis);
  mlir::Value programCount(mlir::Location loc, GridAxis axis);
  /// Tells the extent along x, which ctas that programs share do not know.
  void setProgramCount(mlir::Value count) { countValue = count; }

  /// Waits for all threads of the program; memory accesses before it are visible to all
  /// of them behind it.
  void barrier(mlir::Location loc);
  /// An i1: whether the i1 is set in any thread of the warp, all of which come here.
  mlir::Value anyInWarp(mlir::Location loc, mlir::Value condition);

  /// Emits `body` for the threads for which `condition`, an i1 or null, holds.
  void emitIf(mlir::Location loc, mlir::Value condition, llvm::function_ref<void()> body);

  /// Address `bytes` (a constant, or an i32 value) into the program's shared memory.
  mlir::Value shared(mlir::Location loc, uint64_t bytes);
  mlir::Value shared(mlir::Location loc, mlir::Value bytes);

  /// What the lane whose number differs by the bits of `mask` offers, and what lane
  /// `from` (i32) offers. Any register element type; all lanes of the warp take part.
  mlir::Value shuffleXor(mlir::Location loc, mlir::Value scalar, unsigned mask);
  mlir::Value shuffleFrom(mlir::Location loc, mlir::Value scalar, mlir::Value from);

  /// The exclusive or of `laneBases[i]` for each set bit i of the lane and of
  /// `warpBases[i]` for each set bit of the warp; i32.
  mlir::Value linear(mlir::Location loc, llvm::ArrayRef<uint64_t> laneBases,
                     llvm::ArrayRef<uint64_t> warpBases);

  /// Whether the thread's lane and warp have none of these bits set, as an i1: which of
  /// several replicas acts. Null when there are no such bits.
  mlir::Value isFirst(mlir::Location loc, uint64_t laneBits, uint64_t warpBits);
  /// Whether this is the first thread of the program, as an i1.
  mlir::Value isFirstThread(mlir::Location loc);

  mlir::Value i32(mlir::Location loc, int64_t value);
  mlir::Value constantInt(mlir::Location loc, mlir::Type type, int64_t value);

  /// A vector of scalars of one type, and its elements.
  mlir::Value vectorOf(mlir::Location loc, llvm::ArrayRef<mlir::Value> scalars);
  llvm::SmallVector<mlir::Value> elementsOf(mlir::Location loc, mlir::Value vector);
  /// What toMemory() has made bytes of, an i1 or a vector of them; other values stay.
  mlir::Value fromBytes(mlir::Location loc, mlir::Value value, mlir::Type element);

private:
  using Move = llvm::function_ref<mlir::Value(mlir::Value)>;
  mlir::Value moveWords(mlir::Location loc, mlir::Value scalar, Move move);
  mlir::Value movedBits(mlir::Location loc, mlir::Value number, unsigned first, unsigned count,
                        uint64_t base);
  mlir::Value linearPart(mlir::Location loc, mlir::Value number, llvm::ArrayRef<uint64_t> bases);

  unsigned warps, programs;
  mlir::Value laneValue, warpValue, programValue, sharedBase, countValue;
};

} // namespace fsm::gpu

#endif // FSM_CONVERSION_FSMTOGPU_PROGRAM_DEVICEPROGRAM_H
