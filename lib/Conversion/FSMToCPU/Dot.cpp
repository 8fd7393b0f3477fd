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

/// Rows of a tile, and vectors of each: all are written out.
static constexpr int64_t kMostOfTile = 16;

namespace {

/// The loops of one product: over batches, tiles of rows, tiles of columns, and `inner`.
class DotNest {
public:
  DotNest(OpBuilder &builder, HostBlocks &blocks, DotOp op, int64_t lanes, ArrayRef<int64_t> tile)
      : builder(builder), blocks(blocks), op(op), loc(op.getLoc()), lanes(lanes), tileRows(tile[0]),
        tileColumns(tile[1] * lanes), inner(op.getLeft().getType().getShape().back()) {}

  void emit() {
    ArrayRef<int64_t> shape = op.getType().getShape();
    int64_t rows = shape[shape.size() - 2], columns = shape.back();
    auto rowTile = [&](Value row, int64_t rowCount) {
      forTiles(columns, tileColumns, [&](Value column, int64_t columnCount) {
        emitTile({row, rowCount}, {column, columnCount});
      });
    };
    if (shape.size() == 2)
      return forTiles(rows, tileRows, rowTile);
    forTiles(shape.front(), 1, [&](Value number, int64_t) {
      batch = {number};
      forTiles(rows, tileRows, rowTile);
    });
  }

private:
  using Body = llvm::function_ref<void(Value first, int64_t count)>;
  /// The first coordinate of a tile along a dimension, and how many there are.
  struct Stretch {
    Value first;
    int64_t count;
  };

  void forTiles(int64_t extent, int64_t tile, Body body);
  void emitTile(Stretch rows, Stretch columns);
  SmallVector<Value> addStep(Stretch rows, Stretch columns, Value step, ValueRange sums);

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
  int64_t lanes, tileRows, tileColumns, inner;
  /// The number of the batch where there are batches.
  SmallVector<Value> batch;
};

} // namespace

/// A loop over the whole tiles, and what is left behind it.
void DotNest::forTiles(int64_t extent, int64_t tile, Body body) {
  int64_t whole = extent / tile * tile;
  if (whole == tile) {
    body(blocks.i64(0), tile);
  } else if (whole) {
    auto loop =
        scf::ForOp::create(builder, loc, blocks.i64(0), blocks.i64(whole), blocks.i64(tile));
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    body(loop.getInductionVar(), tile);
  }
  if (whole != extent)
    body(blocks.i64(whole), extent - whole);
}

/// The sums of a tile with the products of one column of the left and one row of the right
/// matrix added.
SmallVector<Value> DotNest::addStep(Stretch rows, Stretch columns, Value step, ValueRange sums) {
  SmallVector<Value> right, next;
  for (const Chunk &chunk : chunksOf(step, columns))
    right.push_back(widened(blocks.at(op.getRight(), chunk), op.getRight()));
  for (int64_t row = 0; row < rows.count; ++row) {
    Chunk place{batch};
    place.index.append({moved(rows.first, row), step});
    Value factor = widened(blocks.at(op.getLeft(), place), op.getLeft());
    factor = splat(builder, loc, factor, lanes);
    for (Value factors : right)
      next.push_back(registers::multiplyAdd(builder, loc, factor, factors, sums[next.size()],
                                            op.getSaturate()));
  }
  return next;
}

void DotNest::emitTile(Stretch rows, Stretch columns) {
  blocks.startScope();
  SmallVector<Chunk> places;
  SmallVector<Value> sums;
  for (int64_t row = 0; row < rows.count; ++row)
    llvm::append_range(places, chunksOf(moved(rows.first, row), columns));
  for (const Chunk &place : places)
    sums.push_back(registers::widen(builder, loc, blocks.at(op.getAcc(), place)));
  auto loop =
      scf::ForOp::create(builder, loc, blocks.i64(0), blocks.i64(inner), blocks.i64(1), sums);
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    blocks.startScope();
    scf::YieldOp::create(builder, loc,
                         addStep(rows, columns, loop.getInductionVar(), loop.getRegionIterArgs()));
  }
  blocks.startScope();
  Type element = op.getType().getElementType();
  for (auto [place, sum] : llvm::zip_equal(places, loop.getResults())) {
    Value result = sum;
    if (element.isF16())
      result = arith::TruncFOp::create(builder, loc,
                                       registers::withElement(sum.getType(), element), sum);
    blocks.write(op.getResult(), place, result);
  }
}

LogicalResult host::emitDot(OpBuilder &builder, HostBlocks &blocks, DotOp op, int64_t lanes) {
  auto tile = op->getAttrOfType<DenseI64ArrayAttr>(kHostTileAttr);
  if (!tile || llvm::any_of(tile.asArrayRef(),
                            [](int64_t extent) { return extent < 1 || extent > kMostOfTile; }))
    return op->emitError() << "expected 1 to " << kMostOfTile
                           << " rows and vectors of a tile in the plan for the host";
  DotNest(builder, blocks, op, lanes, tile).emit();
  return success();
}
