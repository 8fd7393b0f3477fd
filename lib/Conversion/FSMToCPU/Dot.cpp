//===- Dot.cpp - Products of matrices on the host ------------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LoopNests.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace fsm;
using namespace fsm::host;

/// Rows and vectors of a tile: its sums stay in registers, 16 of 32 bytes each at least, while
/// `inner` is gone along.
static constexpr int64_t kTileRows = 4, kTileVectors = 2;

namespace {

/// The loops of one product: over batches, tiles of rows, tiles of columns, and `inner`.
class DotNest {
public:
  DotNest(OpBuilder &builder, HostBlocks &blocks, DotOp op, int64_t lanes)
      : builder(builder), blocks(blocks), op(op), loc(op.getLoc()), lanes(lanes),
        inner(op.getLeft().getType().getShape().back()) {}

  LogicalResult emit() {
    ArrayRef<int64_t> shape = op.getType().getShape();
    int64_t rows = shape[shape.size() - 2], columns = shape.back();
    bool isWide = op.getType().getElementTypeBitWidth() == 64;
    int64_t tileColumns = lanes * (isWide ? 1 : kTileVectors);
    auto rowTile = [&](Value row, int64_t rowCount) {
      return forTiles(columns, tileColumns, [&](Value column, int64_t columnCount) {
        return emitTile({row, rowCount}, {column, columnCount});
      });
    };
    if (shape.size() == 2)
      return forTiles(rows, kTileRows, rowTile);
    return forTiles(shape.front(), 1, [&](Value number, int64_t) {
      batch = {number};
      return forTiles(rows, kTileRows, rowTile);
    });
  }

private:
  using Body = llvm::function_ref<LogicalResult(Value first, int64_t count)>;
  /// The first coordinate of a tile along a dimension, and how many there are.
  struct Stretch {
    Value first;
    int64_t count;
  };

  LogicalResult forTiles(int64_t extent, int64_t tile, Body body);
  LogicalResult emitTile(Stretch rows, Stretch columns);
  FailureOr<SmallVector<Value>> addStep(Stretch rows, Stretch columns, Value step, ValueRange sums);

  /// Elements of a matrix as numbers of the type that they are multiplied in.
  Value widened(Value factors, Value matrix) {
    return registers::widenFactor(builder, loc, factors, elementTypeOf(matrix.getType()));
  }
  Value moved(Value first, int64_t by) {
    return by ? arith::AddIOp::create(builder, loc, first, blocks.i64(by)).getResult() : first;
  }
  /// The vectors of columns of a tile, for one row of the right matrix or of the result.
  SmallVector<Chunk> chunksOf(Value row, Stretch columns) {
    SmallVector<Chunk> chunks;
    for (int64_t at = 0; at < columns.count; at += lanes) {
      Chunk chunk{batch, lanes, std::min(lanes, columns.count - at), Value()};
      chunk.index.append({row, moved(columns.first, at)});
      chunks.push_back(chunk);
    }
    return chunks;
  }

  OpBuilder &builder;
  HostBlocks &blocks;
  DotOp op;
  Location loc;
  int64_t lanes, inner;
  /// The number of the batch where there are batches.
  SmallVector<Value> batch;
};

} // namespace

/// A loop over the whole tiles, and what is left behind it.
LogicalResult DotNest::forTiles(int64_t extent, int64_t tile, Body body) {
  int64_t whole = extent / tile * tile;
  if (whole == tile) {
    if (failed(body(blocks.i64(0), tile)))
      return failure();
  } else if (whole) {
    auto loop =
        scf::ForOp::create(builder, loc, blocks.i64(0), blocks.i64(whole), blocks.i64(tile));
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    if (failed(body(loop.getInductionVar(), tile)))
      return failure();
  }
  return whole == extent ? success() : body(blocks.i64(whole), extent - whole);
}

/// The sums of a tile with the products of one column of the left and one row of the right
/// matrix added.
FailureOr<SmallVector<Value>> DotNest::addStep(Stretch rows, Stretch columns, Value step,
                                               ValueRange sums) {
  SmallVector<Value> right, next;
  for (const Chunk &chunk : chunksOf(step, columns)) {
    Value factors = blocks.at(op.getRight(), chunk);
    if (!factors)
      return failure();
    right.push_back(widened(factors, op.getRight()));
  }
  for (int64_t row = 0; row < rows.count; ++row) {
    Chunk place{batch};
    place.index.append({moved(rows.first, row), step});
    Value factor = blocks.at(op.getLeft(), place);
    if (!factor)
      return failure();
    factor = splat(builder, loc, widened(factor, op.getLeft()), lanes);
    for (Value factors : right)
      next.push_back(registers::multiplyAdd(builder, loc, factor, factors, sums[next.size()]));
  }
  return next;
}

LogicalResult DotNest::emitTile(Stretch rows, Stretch columns) {
  blocks.startScope();
  SmallVector<Chunk> places;
  SmallVector<Value> sums;
  for (int64_t row = 0; row < rows.count; ++row)
    llvm::append_range(places, chunksOf(moved(rows.first, row), columns));
  for (const Chunk &place : places) {
    sums.push_back(blocks.at(op.getAcc(), place));
    if (!sums.back())
      return failure();
  }
  auto loop =
      scf::ForOp::create(builder, loc, blocks.i64(0), blocks.i64(inner), blocks.i64(1), sums);
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    blocks.startScope();
    FailureOr<SmallVector<Value>> next =
        addStep(rows, columns, loop.getInductionVar(), loop.getRegionIterArgs());
    if (failed(next))
      return failure();
    scf::YieldOp::create(builder, loc, *next);
  }
  blocks.startScope();
  for (auto [place, sum] : llvm::zip_equal(places, loop.getResults()))
    if (failed(blocks.write(op.getResult(), place, sum)))
      return failure();
  return success();
}

LogicalResult host::emitDot(OpBuilder &builder, HostBlocks &blocks, DotOp op, int64_t lanes) {
  return DotNest(builder, blocks, op, lanes).emit();
}
