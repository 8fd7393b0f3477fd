//===- HostBlocks.h - Blocks, a vector at a time ---------------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_CONVERSION_FSMTOCPU_HOSTBLOCKS_H
#define FSM_CONVERSION_FSMTOCPU_HOSTBLOCKS_H

#include "Chunk.h"
#include "HostValues.h"

#include "../Registers/DebugRecords.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/StringMap.h"

#include <map>

namespace fsm::host {

/// Gives any block value at any chunk, by reading its buffer or by computing it
/// from its operands at the same place.
class HostBlocks {
public:
  HostBlocks(OpBuilder &builder, IRMapping &scalars) : builder(builder), scalars(scalars) {}

  /// From now on the block lives at this address, row-major and dense.
  void setBuffer(Value block, Value address) { buffers[block] = address; }
  Value bufferOf(Value block) const { return buffers.lookup(block); }

  /// As long as it lives, what the ops make is computed, whatever buffers it has.
  class WithoutBuffers {
  public:
    WithoutBuffers(HostBlocks &blocks, ArrayRef<Operation *> ops);
    ~WithoutBuffers();

  private:
    HostBlocks &blocks;
    SmallVector<std::pair<Value, Value>> hidden;
  };

  /// While the load is read, also prefetch what it would read at this pointer.
  void setPrefetch(LoadOp op, Value pointer) { prefetches[op] = pointer; }
  void clearPrefetches() { prefetches.clear(); }

  /// The block's elements at a chunk.
  Value at(Value block, const Chunk &chunk);
  /// The same, or what a scalar has become.
  Value scalarOrAt(Value value, const Chunk &chunk);

  /// Like `at`, computed from the operands even when the block has a buffer.
  Value computeAt(Value block, const Chunk &chunk);

  /// What is known of a row of a mask, as i64s: it is true below `all`, and false from `end` on.
  /// Null where the plan does not say how to find them.
  struct RowBound {
    Value all = {};
    Value end = {};
  };
  RowBound rowBound(Value mask, ArrayRef<Value> first, unsigned depth = 0);

  /// How many elements of the row that begins at `first` a store has in front of the first whole
  /// vector that begins at an address of its own size (an i64).
  Value elementsToLine(GlobalAccess store, ArrayRef<Value> first, int64_t lanes);

  /// Fetches the line of memory that a store writes one element to.
  void fetchLine(GlobalAccess store, const Chunk &element);
  /// Whether a value can be computed here: the scalars and buffers that it follows from are there.
  bool isComputable(Value value) const;

  /// Writes the active lanes of a chunk to a buffer of this shape.
  void writeBuffer(Value address, ArrayRef<int64_t> shape, const Chunk &chunk, Value elements,
                   Type element);
  /// The same to the buffer that the plan gives a result.
  void write(Value result, const Chunk &chunk, Value elements);

  /// Stores a chunk of the op's value, or a scalar when the op has no offsets.
  void store(GlobalAccess op, const Chunk &chunk);
  /// Loads a scalar.
  Value loadScalar(LoadOp op);

  /// Forgets what has been computed: the code there does not reach the code that
  /// comes.
  void startScope() { computed.clear(); }

  Value i64(int64_t value);

  /// Failure once something was missing in the plan, or unknown to the host: that was reported, and
  /// what was asked for is zero, or not written.
  LogicalResult status() const { return failure(hasFailed); }
  /// Reports that the plan lacks something at `op`, unless an error was before.
  void missing(Operation *op, StringRef what);
  /// Reports, in the same way, that nothing gives this value; zeros of its elements.
  Value unknown(Value value, int64_t lanes);

private:
  using Key = std::pair<void *, std::vector<void *>>;

  static Key keyOf(Value block, const Chunk &chunk);
  using HandlerTable = llvm::StringMap<Value (*)(HostBlocks &, OpResult, const Chunk &)>;
  template <typename... Ops>
  static HandlerTable handlersOf();
  // The block that an op makes at a chunk; null where it is unknown.
  Value resultAt(arith::ConstantOp op, const Chunk &chunk);
  Value resultAt(ub::PoisonOp op, const Chunk &chunk);
  Value resultAt(RangeOp op, const Chunk &chunk);
  Value resultAt(SplatOp op, const Chunk &chunk);
  Value resultAt(ExpandDimsOp op, const Chunk &chunk);
  Value resultAt(BroadcastOp op, const Chunk &chunk);
  Value resultAt(ReshapeOp op, const Chunk &chunk);
  Value resultAt(TransposeOp op, const Chunk &chunk);
  Value resultAt(JoinOp op, const Chunk &chunk);
  Value resultAt(GatherOp op, const Chunk &chunk);
  Value resultAt(LoadOp op, const Chunk &chunk);
  Value resultAt(SplitOp op, OpResult part, const Chunk &chunk);
  Value elementwiseAt(Operation *op, const Chunk &chunk);

  Value loadBuffer(Value address, Value block, const Chunk &chunk);
  Value loadFrom(Location loc, Value address, Value position, Type element, int64_t lanes);
  Value loadApart(Location loc, Value address, Value position, ArrayRef<int64_t> apart,
                  Type element, const Chunk &chunk);
  Value loadVector(LoadOp op, const Chunk &chunk, Value passThrough);
  Value maskAt(Value mask, const Chunk &chunk);
  RowBound boundOf(arith::CmpIOp compare, bool rises, ArrayRef<Value> first);
  Value otherAt(LoadOp op, const Chunk &chunk);
  Value conditionalLoad(Location loc, Value address, Value condition, Value other, Type element,
                        bool isVolatile);
  Value gatherAt(Location loc, Value buffer, Value numbers, Type element, const Chunk &chunk);
  Value numbersFrom(Location loc, Value first, ArrayRef<int64_t> apart);
  Value elementsAt(Value block, SmallVector<Value> index, LaneSteps steps, const Chunk &chunk);
  Value linear(ArrayRef<int64_t> shape, ArrayRef<Value> index);
  SmallVector<Value> delinear(ArrayRef<int64_t> shape, Value position);
  Value scalarOf(Value value);
  Value address(Value base, Value offsets, Type element, const Chunk &chunk);

  OpBuilder &builder;
  IRMapping &scalars;
  bool hasFailed = false;
  DenseMap<Value, Value> buffers;
  DenseMap<Operation *, Value> prefetches;
  std::map<Key, Value> computed;
};

/// Writes the loops of a product of matrices, in tiles of a few rows and vectors of `lanes`
/// columns, as the plan says; the result goes to its buffer.
LogicalResult emitDot(OpBuilder &builder, HostBlocks &blocks, DotOp op, int64_t lanes);

/// Writes the records of an `fsm.print` or `fsm.assert` where the builder stands.
void emitRecords(OpBuilder &builder, IRMapping &scalars, HostBlocks &blocks, Operation *op,
                 DebugRecords &records);

/// An atomic of a scalar (Atomics.cpp); what was in memory, or zero.
Value updateScalar(OpBuilder &builder, AtomicAccess op, const IRMapping &scalars);

/// Reports that the plan of `fsm-plan-host-loops` lacks something at `op`.
LogicalResult missingInPlan(Operation *op, StringRef what);

/// The lanes of a chunk that are inside the block.
Value firstLanes(OpBuilder &builder, Location loc, const Chunk &chunk);

} // namespace fsm::host

#endif // FSM_CONVERSION_FSMTOCPU_HOSTBLOCKS_H
