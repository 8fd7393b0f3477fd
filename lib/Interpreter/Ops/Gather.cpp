//===- Gather.cpp - Elements and where they are --------------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../ProgramRunner.h"

#include "fsm/IR/NumberLists.h"

using namespace mlir;
using namespace fsm;
using namespace fsm::interpreter;

/// The coordinates of an element by its row-major number.
static SmallVector<int64_t> coordinatesOf(ArrayRef<int64_t> shape, size_t number) {
  SmallVector<int64_t> at(shape.size());
  for (size_t dim = shape.size(); dim-- > 0; number /= shape[dim])
    at[dim] = static_cast<int64_t>(number % shape[dim]);
  return at;
}

/// The bits of the element at some coordinates; failure of the op outside of the block.
static FailureOr<uint64_t> elementAt(ProgramRunner &runner, Operation *op, const Elements &block,
                                     ArrayRef<int64_t> at) {
  size_t number = 0;
  for (auto [dim, extent] : llvm::enumerate(shapeOf(block.type))) {
    if (at[dim] < 0 || at[dim] >= extent)
      return runner.fail(op, "takes element " + Twine(at[dim]) + " of dimension " + Twine(dim) +
                                 ", which has " + Twine(extent));
    number = number * extent + at[dim];
  }
  return block.bits[number];
}

/// What a list of numbers and operands has in this program; `otherwise` in each dimension if it is
/// empty.
static SmallVector<int64_t> listOf(ProgramRunner &runner, ArrayRef<int64_t> numbers,
                                   ValueRange operands, size_t rank, int64_t otherwise) {
  SmallVector<int64_t> result;
  for (ListedNumber number : numbersOf(numbers, operands))
    result.push_back(number.operand ? signExtend(runner.scalar(number.operand), 32)
                                    : number.number);
  result.resize(rank, otherwise);
  return result;
}

static LogicalResult places(ProgramRunner &runner, Operation *op) {
  auto places = cast<PlacesOp>(op);
  ArrayRef<int64_t> shape = places.getOffsets().getType().getShape();
  auto list = [&](ArrayRef<int64_t> numbers, ValueRange operands, int64_t otherwise) {
    return listOf(runner, numbers, operands, shape.size(), otherwise);
  };
  auto origin = list(places.getStaticOrigin(), places.getOrigin(), 0);
  auto strides = list(places.getStaticStrides(), places.getStrides(), 1);
  auto bounds = list(places.getStaticBounds(), places.getBounds(), 0);
  std::vector<uint64_t> offsets(countOf(places.getOffsets().getType())), inside(offsets.size());
  for (size_t i = 0; i < offsets.size(); ++i) {
    SmallVector<int64_t> at = coordinatesOf(shape, i);
    int64_t offset = 0;
    inside[i] = 1;
    for (size_t dim = 0; dim < shape.size(); ++dim) {
      at[dim] += origin[dim];
      offset += at[dim] * strides[dim];
      inside[i] &= at[dim] < bounds[dim];
    }
    offsets[i] = static_cast<uint64_t>(offset) & maskOf(32);
  }
  runner.set(places.getOffsets(), std::move(offsets));
  if (places.getInside())
    runner.set(places.getInside(), std::move(inside));
  return success();
}

static LogicalResult gather(ProgramRunner &runner, Operation *op) {
  auto gatherOp = cast<GatherOp>(op);
  const Elements &source = runner.get(gatherOp.getSource());
  const Elements &indices = runner.get(gatherOp.getIndices());
  unsigned width = widthOf(elementTypeOf(indices.type));
  std::vector<uint64_t> result;
  for (size_t i = 0; i < indices.bits.size(); ++i) {
    SmallVector<int64_t> at = coordinatesOf(shapeOf(indices.type), i);
    at[gatherOp.getAxis()] = signExtend(indices.bits[i], width);
    FailureOr<uint64_t> element = elementAt(runner, op, source, at);
    if (failed(element))
      return failure();
    result.push_back(*element);
  }
  runner.set(gatherOp.getResult(), std::move(result));
  return success();
}

/// A part of a block, or one element.
template <typename Part>
static LogicalResult take(ProgramRunner &runner, Operation *op) {
  auto part = cast<Part>(op);
  const Elements &source = runner.get(part.getSource());
  size_t rank = shapeOf(source.type).size();
  auto first = listOf(runner, part.getStaticOffsets(), part.getOffsets(), rank, 0);
  SmallVector<int64_t> shape(shapeOf(part.getResult().getType()));
  shape.resize(rank, 1);
  std::vector<uint64_t> result;
  for (size_t i = 0, count = countOf(part.getResult().getType()); i < count; ++i) {
    SmallVector<int64_t> at = coordinatesOf(shape, i);
    for (size_t dim = 0; dim < rank; ++dim)
      at[dim] += first[dim];
    FailureOr<uint64_t> element = elementAt(runner, op, source, at);
    if (failed(element))
      return failure();
    result.push_back(*element);
  }
  runner.set(part.getResult(), std::move(result));
  return success();
}

static LogicalResult cat(ProgramRunner &runner, Operation *op) {
  auto catOp = cast<CatOp>(op);
  ArrayRef<int64_t> shape = catOp.getType().getShape();
  // In row-major order: for each place along the dimensions before the axis, a run of each block.
  size_t runs = 1;
  for (int64_t extent : shape.take_front(catOp.getAxis()))
    runs *= static_cast<size_t>(extent);
  std::vector<uint64_t> result;
  for (size_t run = 0; run < runs; ++run)
    for (Value source : catOp.getSources()) {
      const std::vector<uint64_t> &bits = runner.get(source).bits;
      size_t length = bits.size() / runs;
      auto from = bits.begin() + static_cast<int64_t>(run * length);
      result.insert(result.end(), from, from + static_cast<int64_t>(length));
    }
  runner.set(catOp.getResult(), std::move(result));
  return success();
}

void interpreter::addGatherHandlers(HandlerTable &table) {
  table["fsm.cat"] = cat;
  table["fsm.extract"] = take<ExtractOp>;
  table["fsm.gather"] = gather;
  table["fsm.places"] = places;
  table["fsm.slice"] = take<SliceOp>;
}
