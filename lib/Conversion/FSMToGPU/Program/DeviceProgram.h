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

#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace fsm::gpu {

// The types and values that every machine has.
using namespace registers;

/// NVPTX's address spaces (LLVM's NVPTXUsage, "Address Spaces").
inline constexpr unsigned kGlobalSpace = 1, kSharedSpace = 3, kClusterSpace = 7;

/// The type one thread holds a value in: a block with a layout is a vector of its live
/// registers, f8 is carried as i8, a pointer is one to global memory. Null for a block
/// without a layout.
Type threadType(Type type);

/// The element types of registers and of memory (an i1 takes a byte).
Type registerElement(Type element);
Type memoryElement(Type element);

/// advance() of registers, at the builder's place.
Value advance(ImplicitLocOpBuilder &builder, Value pointer, LLVM::GEPArg offset, Type memory = {});

/// Whether two conditions, each an i1 or null for always, hold.
Value both(ImplicitLocOpBuilder &builder, Value left, Value right);

/// Lets the lanes of a warp meet, behind a loop that each of them may leave at another time.
/// PTX needs none before a shuffle; but ptxas 13.0 puts the meeting at the first shuffle and
/// loses it where that one's value is a constant (test/Fuzz/shuffle-behind-loop.mlir).
void reconverge(OpBuilder &builder, Location loc);

/// How a program lies on a GPU: one has several ctas, or a cta several programs of one warp.
struct ProgramPlace {
  /// Of each cta.
  unsigned warps = 1;
  unsigned ctas = 1, programsPerCta = 1;
  /// Or so many ctas run the program, each all of it but for a loop that they share.
  unsigned parts = 1;
  /// Or so many groups of warps of one cta do.
  unsigned groups = 1;
  /// Groups of warps with shared memory of their own.
  unsigned groupsOfCta() const { return programsPerCta * groups; }
  /// Behind those of the program, warps of the cta that load for it.
  unsigned loadWarps = 0;
  /// Programs of one cta each, neighbours along x, that load for one another.
  unsigned cluster = 1;
};

/// The threads that execute one program together, as every lowering sees them: which ids and
/// which barrier of the cta are theirs is known here alone. A program has whole warps; those of one
/// warp may share their cta with neighbours, which they never wait for. Groups of warps of a cta
/// that share a loop are threads of a program each, with a barrier and memory of their own. A
/// program on several ctas is a cluster, whose warps are counted cta by cta; each cta has all of
/// the program's shared memory, and a store there goes to all of them.
class DeviceProgram {
public:
  /// Emits, at the builder's place, what the others need of the thread's number.
  /// `sharedBytes` is what one program uses of a cta's shared memory.
  DeviceProgram(ImplicitLocOpBuilder &builder, ProgramPlace place, uint64_t sharedBytes,
                Value sharedBase);

  ImplicitLocOpBuilder &builder;

  /// Of all ctas.
  unsigned numWarps() const { return place.warps * place.ctas; }
  unsigned numCtas() const { return place.ctas; }
  /// The thread's lane in its warp, and its warp in the program; i32. The latter is a constant
  /// where there is only one.
  Value lane() const { return laneValue; }
  Value warp() const { return warpValue; }
  /// Of one cta; in front of part() with those that load for the program, which the thread's number
  /// (i32) counts there.
  unsigned numThreads() const;
  Value numberOfThread();

  /// Emits `body`, in which lane() and warp() are numbers of which nobody knows that they are these: what
  /// is computed of them there is not what has been computed before, and is kept in no register for it.
  void emitApart(function_ref<void()> body);

  /// The program's coordinate, and the grid's extent in programs; i32.
  Value programId(GridAxis axis);
  Value programCount(GridAxis axis);
  /// How many programs are started along x, which go on to the others; i32.
  Value startedPrograms();
  /// The number of this cta, or group of warps, among those that share a loop; i32.
  Value partId();
  /// How many groups of warps share a loop; 1 where nobody does.
  unsigned groupsOfWarps() const { return place.groups; }
  /// How far the shared memory of one group of warps is from that of the next one.
  uint64_t bytesOfPart() const { return bytesOfGroup; }
  bool hasParts() const { return place.parts > 1; }
  /// Whether it is the first of them, as an i1.
  Value isFirstPart();
  /// Tells the extent along x, which ctas that programs share do not know.
  void setProgramCount(Value count) { countValue = count; }

  /// Tells where the launch has given this cta memory of its own.
  void setScratch(Value address) { scratch = address; }
  /// So many bytes of that, which nobody else takes.
  Value takeScratch(uint64_t bytes);

  /// Waits for all threads of the program; memory accesses before it are visible to all
  /// of them behind it.
  void barrier();
  /// Waits for those of all groups that share a loop.
  void barrierOfParts();
  /// Where its warps part from those that load for it: whether a thread is one of the latter, and the
  /// one that does so for all. From there on barriers are those of the program's own warps.
  struct Parting {
    Value isOfLoadRole, isLoader;
  };
  Parting part();
  /// Emits `body` for a single thread: it is the first one, and meets no others.
  void emitAlone(function_ref<void()> body);
  bool isAlone() const { return alone; }
  /// Says that this cta has begun, and waits until all ctas of the program have: only then may one
  /// store to another's memory.
  void beginCluster();
  void awaitCluster();
  /// The same place in the shared memory of the cta `rank` (i32) of the program, or of its cluster.
  Value inCta(Value address, Value rank);
  /// How many programs are a cluster, and which of them this is.
  unsigned clusterPrograms() const { return place.cluster; }
  Value rankInCluster();
  /// An i1: whether the i1 is set in any thread of the warp, all of which come here; that of a thread that is alone.
  Value anyInWarp(Value condition);

  /// Emits `body` for the threads for which `condition`, an i1 or null, holds.
  void emitIf(Value condition, function_ref<void()> body);

  /// Address `bytes` (a constant, or an i32 value) into the program's shared memory.
  Value shared(uint64_t bytes);
  Value shared(Value bytes);

  /// What the lane whose number differs by the bits of `mask` offers, and what lane
  /// `from` (i32) offers. Any register element type; all lanes of the warp take part.
  Value shuffleXor(Value scalar, unsigned mask);
  Value shuffleFrom(Value scalar, Value from);

  /// The exclusive or of `laneBases[i]` for each set bit i of the lane and of
  /// `warpBases[i]` for each set bit of the warp; i32.
  Value linear(ArrayRef<uint64_t> laneBases, ArrayRef<uint64_t> warpBases);

  /// Whether the thread's lane and warp have none of these bits set, as an i1: which of
  /// several replicas acts. Null when there are no such bits.
  Value isFirst(uint64_t laneBits, uint64_t warpBits);
  /// The bits of warp() that are the cta's.
  uint64_t ctaBits() const { return (place.ctas - 1) * uint64_t(place.warps); }
  /// Whether this is the first thread of the program, as an i1; null where a thread is alone.
  Value isFirstThread();
  /// The same of its cta.
  Value isFirstOfCta();
  /// Whether it is of the program's first warp.
  Value isFirstWarp();

  Value i32(int64_t value);
  Value constantInt(Type type, int64_t value);

  /// A vector of scalars of one type, and its elements.
  Value vectorOf(ArrayRef<Value> scalars);
  SmallVector<Value> elementsOf(Value vector);
  /// What toMemory() has made bytes of, an i1 or a vector of them; other values stay.
  Value fromBytes(Value value, Type element);

private:
  void findGroup();

  using Move = function_ref<Value(Value)>;
  Value moveWords(Value scalar, Move move);
  Value movedBits(Value number, unsigned first, unsigned count, uint64_t base);
  Value linearPart(Value number, ArrayRef<uint64_t> bases);

  ProgramPlace place;
  /// `groupValue`: which group of warps of the cta, a program or what shares a loop with others.
  Value laneValue, warpValue, groupValue, sharedBase, countValue, scratch;
  uint64_t scratchTaken = 0, bytesOfGroup = 0;
  bool hasParted = false, alone = false;
};

} // namespace fsm::gpu

#endif // FSM_CONVERSION_FSMTOGPU_PROGRAM_DEVICEPROGRAM_H
