//===- HostBlocks.h - Blocks, a vector at a time ---------------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_CONVERSION_FSMTOCPU_HOSTBLOCKS_H
#define FSM_CONVERSION_FSMTOCPU_HOSTBLOCKS_H

#include "HostValues.h"

#include "../Registers/DebugRecords.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/StringMap.h"

#include <map>

namespace fsm::host {

/// Where in a block a vector stands: the coordinates of its first lane (i64
/// values, one per dimension) and how many lanes it has along the innermost
/// dimension, of which the first `active` are inside the block. `lanes` 0 is a
/// single element.
struct Chunk {
  llvm::SmallVector<mlir::Value> index;
  int64_t lanes = 0;
  int64_t active = 0;
  /// A block of i1 that is known to be all true here, or null.
  mlir::Value fullMask = {};

  bool isPartial() const { return active < lanes; }
};

/// Gives any block value at any chunk, by reading its buffer or by computing it
/// from its operands at the same place.
class HostBlocks {
public:
  HostBlocks(mlir::OpBuilder &builder, mlir::IRMapping &scalars)
      : builder(builder), scalars(scalars) {}

  /// From now on the block lives at this address, row-major and dense.
  void setBuffer(mlir::Value block, mlir::Value address) { buffers[block] = address; }
  mlir::Value bufferOf(mlir::Value block) const { return buffers.lookup(block); }

  /// While the load is read, also prefetch what it would read at this pointer.
  void setPrefetch(LoadOp op, mlir::Value pointer) { prefetches[op] = pointer; }
  void clearPrefetches() { prefetches.clear(); }

  /// The block's elements at a chunk.
  mlir::Value at(mlir::Value block, const Chunk &chunk);
  /// The same, or what a scalar has become.
  mlir::Value scalarOrAt(mlir::Value value, const Chunk &chunk);

  /// Like `at`, computed from the operands even when the block has a buffer.
  mlir::Value computeAt(mlir::Value block, const Chunk &chunk);

  /// A number (an i64) such that a mask is true for so many elements of the row that begins at
  /// `first`, from there on. Null where the plan does not say how to find it.
  mlir::Value rowBound(mlir::Value mask, llvm::ArrayRef<mlir::Value> first, unsigned depth = 0);

  /// Writes the active lanes of a chunk to a buffer of this shape.
  void writeBuffer(mlir::Value address, llvm::ArrayRef<int64_t> shape, const Chunk &chunk,
                   mlir::Value elements, mlir::Type element);
  /// The same to the buffer that the plan gives a result.
  void write(mlir::Value result, const Chunk &chunk, mlir::Value elements);

  /// Stores a chunk of the op's value, or a scalar when the op has no offsets.
  void store(GlobalAccess op, const Chunk &chunk);
  /// Loads a scalar.
  mlir::Value loadScalar(LoadOp op);

  /// Forgets what has been computed: the code there does not reach the code that
  /// comes.
  void startScope() { computed.clear(); }

  mlir::Value i64(int64_t value);

  /// Failure once something was missing in the plan, or unknown to the host: that was reported, and
  /// what was asked for is zero, or not written.
  mlir::LogicalResult status() const { return mlir::failure(hasFailed); }
  /// Reports that the plan lacks something at `op`, unless an error was before.
  void missing(mlir::Operation *op, llvm::StringRef what);
  /// Reports, in the same way, that nothing gives this value; zeros of its elements.
  mlir::Value unknown(mlir::Value value, int64_t lanes);

private:
  using Key = std::pair<void *, std::vector<void *>>;
  /// What gives the block that an op makes, by the op's name.
  using HandlerTable =
      llvm::StringMap<mlir::Value (*)(HostBlocks &, mlir::OpResult, const Chunk &)>;

  static Key keyOf(mlir::Value block, const Chunk &chunk);
  static const HandlerTable &handlers();
  template <typename Op, mlir::Value (HostBlocks::*give)(Op, const Chunk &)>
  static void addHandler(HandlerTable &table);

  mlir::Value loadBuffer(mlir::Value address, mlir::Value block, const Chunk &chunk);
  mlir::Value loadFrom(mlir::Location loc, mlir::Value address, mlir::Value position,
                       mlir::Type element, int64_t lanes);
  mlir::Value load(LoadOp op, const Chunk &chunk);
  mlir::Value loadVector(LoadOp op, const Chunk &chunk, mlir::Value passThrough);
  mlir::Value maskAt(mlir::Value mask, const Chunk &chunk);
  mlir::Value boundOf(mlir::arith::CmpIOp compare, llvm::ArrayRef<mlir::Value> first);
  mlir::Value otherAt(LoadOp op, const Chunk &chunk);
  mlir::Value conditionalLoad(mlir::Location loc, mlir::Value address, mlir::Value condition,
                              mlir::Value other, mlir::Type element, bool isVolatile);
  mlir::Value expandAt(ExpandDimsOp op, const Chunk &chunk);
  mlir::Value broadcastAt(BroadcastOp op, const Chunk &chunk);
  mlir::Value reshapeAt(ReshapeOp op, const Chunk &chunk);
  mlir::Value transposeAt(TransposeOp op, const Chunk &chunk);
  mlir::Value joinAt(JoinOp op, const Chunk &chunk);
  mlir::Value splitAt(mlir::OpResult part, const Chunk &chunk);
  mlir::Value gatherBuffer(mlir::Operation *op, llvm::ArrayRef<mlir::Value> index, int64_t stride,
                           const Chunk &chunk);
  mlir::Value uniformAt(mlir::Value block, llvm::ArrayRef<mlir::Value> index, const Chunk &chunk);
  mlir::Value rowAt(mlir::Value block, llvm::ArrayRef<mlir::Value> index, bool isRow,
                    const Chunk &chunk);
  mlir::Value poisonAt(mlir::ub::PoisonOp op, const Chunk &chunk);
  mlir::Value constantAt(mlir::arith::ConstantOp op, const Chunk &chunk);
  mlir::Value splatAt(SplatOp op, const Chunk &chunk);
  mlir::Value rangeAt(RangeOp op, const Chunk &chunk);
  mlir::Value elementwiseAt(mlir::Operation *op, const Chunk &chunk);
  mlir::Value linear(llvm::ArrayRef<int64_t> shape, llvm::ArrayRef<mlir::Value> index);
  llvm::SmallVector<mlir::Value> delinear(llvm::ArrayRef<int64_t> shape, mlir::Value position);
  mlir::Value scalarOf(mlir::Value value);
  mlir::Value address(mlir::Value base, mlir::Value offsets, mlir::Type element,
                      const Chunk &chunk);

  mlir::OpBuilder &builder;
  mlir::IRMapping &scalars;
  bool hasFailed = false;
  llvm::DenseMap<mlir::Value, mlir::Value> buffers;
  llvm::DenseMap<mlir::Operation *, mlir::Value> prefetches;
  std::map<Key, mlir::Value> computed;
};

/// Writes the loops of a product of matrices, in tiles of a few rows and vectors of `lanes`
/// columns; the result goes to its buffer.
void emitDot(mlir::OpBuilder &builder, HostBlocks &blocks, DotOp op, int64_t lanes);

/// Writes the records of an `fsm.print` or `fsm.assert` where the builder stands.
void emitRecords(mlir::OpBuilder &builder, mlir::IRMapping &scalars, HostBlocks &blocks,
                 mlir::Operation *op, DebugRecords &records);

/// An atomic of a scalar (Atomics.cpp); what was in memory, or zero.
mlir::Value updateScalar(mlir::OpBuilder &builder, AtomicAccess op, const mlir::IRMapping &scalars);

/// Reports that the plan of `fsm-plan-host-loops` lacks something at `op`.
mlir::LogicalResult missingInPlan(mlir::Operation *op, llvm::StringRef what);

/// The first `active` lanes of `lanes`.
mlir::Value firstLanes(mlir::OpBuilder &builder, mlir::Location loc, const Chunk &chunk);

} // namespace fsm::host

#endif // FSM_CONVERSION_FSMTOCPU_HOSTBLOCKS_H
