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
  SmallVector<Value> shared;
  /// Per element of the thread's vector.
  SmallVector<int64_t> constants;
  /// A vector with one term per register, or null.
  Value varying;
  /// Where terms of registers differ by multiples of one scalar: that, and how many of it each has more than another.
  Value stride = {};
  SmallVector<int64_t> multiples = {};
  /// The sum of what all registers share, in 32 bits, instead of its terms; or null.
  Value atOnce = {};
  bool isInLoop = false;
  /// Whether ptxas is not to compute again how many bytes elements are apart.
  bool isHeld = false;
};

/// The form of a block of offsets (AffineOffsets.h), or the whole block as it has become. Outside
/// of loops what is known steps apart has one address, unless it may have wrapped in an element that the mask leaves out.
OffsetForm formOf(ThreadLowering &thread, Value offsets, Value mask, bool isInLoop);

/// The operands of an access, as the thread has them; null for those the op lacks.
struct AccessOperands {
  Value pointer;
  /// Of an access by offsets.
  OffsetForm offsets;
  Value mask, other, value, compare;
};

/// The addresses of a thread's elements: what all registers share is computed once.
class ElementAddresses {
public:
  ElementAddresses(DeviceProgram &program, const AccessOperands &operands, Type element);

  /// That of the element at this place in the thread's vector.
  Value of(int64_t index);

  /// The same, from the last one that this gave on where strides lie between. So an address in a loop takes no registers as
  /// long as the loop runs; of rows far apart each would take two for its own distance.
  Value next(int64_t index);

private:
  DeviceProgram &program;
  ImplicitLocOpBuilder &builder;
  const AccessOperands &operands;
  Type element;
  Value base;
  /// What `next` has given last, without the constant, and for which element.
  Value last;
  int64_t lastIndex = 0;
  /// What is held, by what it is made of: an element of a vector, or so many times a scalar.
  llvm::SmallDenseMap<std::pair<Value, int64_t>, Value> heldBytes;

  Value behind(Value address, int64_t index);
  Value past(Value address, int64_t index);
  Value bytesOfElements(Value number, int64_t index, int64_t times);
};

/// The registers of each instruction of an access, the first of which has the lowest address;
/// none, after an error at the op, if `fsm.access_width` does not fit the block.
std::vector<std::vector<uint64_t>> accessGroups(const ThreadBlock &block, Operation *op);

/// A scalar or vector that an instruction of so many bytes loads; `otherwise` where `condition` is
/// false, and nothing is loaded then.
Value loadWhere(DeviceProgram &program, Value condition, Value address, unsigned bytes,
                Value otherwise);

/// What the operands of an access have become.
AccessOperands accessOperands(ThreadLowering &thread, GlobalAccess op);

/// A vector as it is, by moves that LLVM does not see through: of pairs of elements of 16 bits, or
/// of words.
Value unseen(DeviceProgram &program, Value vector);

/// The same, by instructions that ptxas does not see through either: what it has computed from the vector's words before, even
/// an element's half of one, it does not keep for what is computed from these. An instruction a word.
Value hidden(DeviceProgram &program, Value vector);

/// A number of 64 bits that ptxas does not see through either.
Value held(DeviceProgram &program, Value number);

/// Whether inline PTX changes what it likes, or gives its result and does nothing else, so that LLVM moves it.
enum class PtxEffects { Any, None };

/// Inline PTX, which LLVM does not look into, that gives values of this type, or null for none.
LLVM::InlineAsmOp inlinePtx(ImplicitLocOpBuilder &builder, Type result, ValueRange operands, StringRef text,
                            StringRef constraints, PtxEffects effects = PtxEffects::Any);

/// Whether `op`, which isMadeOnce, gives a result that the others are handed within their warp, or
/// that shared memory hands on; if not, an error at the op.
LogicalResult checkHandedOn(Operation *op);

/// What the first lane has of a scalar that such an op gives: in all threads that ask for it.
Value fromFirstThread(DeviceProgram &program, Operation *op, Value scalar);

/// Where a slot of shared memory begins, or an mbarrier is; without a slot, where the memory does.
Value slotAddress(DeviceProgram &program, Value shared, Value slot);

/// Lets the hardware's own accesses to shared memory find what this thread has written there.
void fenceAsync(ImplicitLocOpBuilder &builder);
/// Lets the hardware's own accesses to global memory come behind this thread's.
void fenceAsyncGlobal(ImplicitLocOpBuilder &builder);

/// The thread arrives at an mbarrier, whose phase ends when so many bytes (i32) have come as well.
void expectBytes(DeviceProgram &program, Value mbarrier, Value bytes);

/// Makes the mbarriers of a cta ready at which stores arrive. With a fence a relaxed meeting of the ctas
/// is enough for others to know them.
void makeArrivals(DeviceProgram &program, ArrayRef<MBarrierInitOp> ops, bool isFenced);

/// A tensor map that the program makes.
LogicalResult lowerOwnMap(ThreadLowering &thread, OwnTensorMapOp op);

/// What lowers copies and stores of boxes of tensors.
void addTensorCopyHandlers(HandlerTable &table);

/// A load from a slot.
LogicalResult lowerSlotLoad(ThreadLowering &thread, SharedLoadOp op);

} // namespace fsm::gpu

#endif // FSM_CONVERSION_FSMTOGPU_MEMORY_ACCESS_H
