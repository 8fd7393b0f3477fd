//===- Tile.cpp - Tiles of tensors in memory ------------------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Access.h"

#include "fsm/IR/NumberLists.h"

using namespace mlir;
using namespace fsm;
using namespace fsm::interpreter;

/// What a list has in this program.
static SmallVector<int64_t> listOf(ProgramRunner &runner, ArrayRef<int64_t> numbers,
                                   ValueRange operands) {
  return llvm::map_to_vector(numbersOf(numbers, operands), [&](const ListedNumber &number) {
    return number.operand
               ? signExtend(runner.scalar(number.operand), widthOf(number.operand.getType()))
               : number.number;
  });
}

/// A descriptor holds the address, then all sizes, then all strides.
static LogicalResult descriptor(ProgramRunner &runner, Operation *op) {
  auto descriptor = cast<DescriptorOp>(op);
  const Elements &pointer = runner.get(descriptor.getPointer());
  std::vector<uint64_t> bits = {pointer.bits.front()};
  auto sizes = listOf(runner, descriptor.getStaticSizes(), descriptor.getSizes());
  for (auto [dim, size] : llvm::enumerate(sizes)) {
    if (size < 0 || !llvm::isInt<32>(size))
      return runner.fail(op, "describes a tensor of size " + Twine(size) + " in dimension " +
                                 Twine(dim) + ", expected 0 to 2147483647");
    bits.push_back(static_cast<uint64_t>(size));
  }
  for (int64_t stride : listOf(runner, descriptor.getStaticStrides(), descriptor.getStrides()))
    bits.push_back(static_cast<uint64_t>(stride));
  runner.set(descriptor.getResult(), std::make_shared<Elements>(Elements{
                                         descriptor.getType(), std::move(bits), pointer.origin}));
  return success();
}

/// Whether the coordinates of a part, and how far they are from the tensor's sizes, fit an i32.
template <typename TileOp>
static LogicalResult checkCoordinates(ProgramRunner &runner, TileOp op, ArrayRef<int64_t> shape) {
  ArrayRef<uint64_t> numbers(runner.get(op.getDescriptor()).bits);
  auto first = listOf(runner, op.getStaticCoordinates(), op.getCoordinates());
  size_t selected = first.size() - shape.size();
  for (auto [dim, begin] : llvm::enumerate(first)) {
    int64_t last = dim < selected ? begin : begin + shape[dim - selected] - 1;
    if (!llvm::isInt<32>(last))
      return runner.fail(op, "accesses a part whose last coordinate is " + Twine(last) +
                                 " in dimension " + Twine(dim) + ", expected at most 2147483647");
    auto size = static_cast<int64_t>(numbers[1 + dim]);
    if (!llvm::isInt<32>(size - begin))
      return runner.fail(op, "accesses a part that begins at " + Twine(begin) + " in dimension " +
                                 Twine(dim) + ", which is " + Twine(size - begin) +
                                 " from the size, expected at most 2147483647");
  }
  return success();
}

namespace {
/// The elements of a part of a tensor: where each is in memory, and whether it is in the tensor.
struct Part {
  Elements pointer, offsets, mask;
  Access access;

  template <typename TileOp>
  Part(ProgramRunner &runner, TileOp op, RankedTensorType type, Access::Verb verb)
      : access{op, pointer, &offsets, &mask, type, memoryBytesOf(type.getElementType()), 64, verb} {
    const Elements &tensor = runner.get(op.getDescriptor());
    size_t rank = cast<DescriptorType>(tensor.type).getRank();
    ArrayRef<uint64_t> numbers(tensor.bits);
    auto sizes = numbers.slice(1, rank), strides = numbers.drop_front(1 + rank);
    pointer = {op.getDescriptor().getType(), {tensor.bits.front()}, tensor.origin};
    auto first = listOf(runner, op.getStaticCoordinates(), op.getCoordinates());
    // What is selected has an extent of 1.
    SmallVector<int64_t> extents(rank - type.getShape().size(), 1);
    llvm::append_range(extents, type.getShape());
    for (size_t i = 0, count = countOf(type); i < count; ++i) {
      uint64_t offset = 0;
      bool isInside = true;
      for (size_t dim = rank, rest = i; dim-- > 0; rest /= extents[dim]) {
        int64_t at = first[dim] + static_cast<int64_t>(rest % extents[dim]);
        offset += static_cast<uint64_t>(at) * strides[dim];
        isInside &= at >= 0 && at < static_cast<int64_t>(sizes[dim]);
      }
      offsets.bits.push_back(offset);
      mask.bits.push_back(isInside);
    }
  }
  Part(const Part &) = delete;
};
} // namespace

/// The bits of a NaN of a type of floats.
static uint64_t nanOf(Type element) {
  auto type = cast<FloatType>(element);
  return llvm::APFloat::getQNaN(type.getFloatSemantics()).bitcastToAPInt().getZExtValue();
}

static LogicalResult loadTile(ProgramRunner &runner, Operation *op) {
  auto load = cast<LoadTileOp>(op);
  RankedTensorType type = load.getType();
  if (failed(checkCoordinates(runner, load, type.getShape())))
    return failure();
  Part part(runner, load, type, Access::Verb::Load);
  bool isBoolean = type.getElementType().isInteger(1);
  uint64_t outside = load.getPad() == TilePadding::NaN ? nanOf(type.getElementType()) : 0;
  ProgramRaces *races = runner.races();
  ProgramRaces::Touch touch;
  if (races)
    touch = races->begin(op, /*reads=*/true, /*writes=*/false, /*isVolatile=*/false);
  std::vector<uint64_t> bits(countOf(type), outside);
  for (size_t i = 0; i < bits.size(); ++i) {
    if (!part.access.isActive(i))
      continue;
    if (failed(checkElement(runner, part.access, i)) ||
        (races && failed(checkRace(runner, part.access, touch, i))))
      return failure();
    bits[i] = readMemory(part.access.addressOf(i), part.access.elementBytes, isBoolean);
  }
  runner.set(load.getResult(), std::move(bits));
  return success();
}

static LogicalResult storeTile(ProgramRunner &runner, Operation *op) {
  auto store = cast<StoreTileOp>(op);
  const Elements &value = runner.get(store.getValue());
  RankedTensorType type = store.getValue().getType();
  if (failed(checkCoordinates(runner, store, type.getShape())))
    return failure();
  Part part(runner, store, type, Access::Verb::Store);
  ProgramRaces *races = runner.races();
  ProgramRaces::Touch touch;
  if (races)
    touch = races->begin(op, /*reads=*/false, /*writes=*/true, /*isVolatile=*/false);
  for (size_t i = 0; i < value.bits.size(); ++i) {
    if (!part.access.isActive(i))
      continue;
    if (failed(checkElement(runner, part.access, i)) ||
        (races && failed(checkRace(runner, part.access, touch, i, &value.bits[i]))))
      return failure();
    writeMemory(runner, part.access.addressOf(i), part.access.elementBytes, value.bits[i]);
  }
  return success();
}

void interpreter::addTileHandlers(HandlerTable &table) {
  table["fsm.descriptor"] = descriptor;
  table["fsm.load_tile"] = loadTile;
  table["fsm.store_tile"] = storeTile;
}
