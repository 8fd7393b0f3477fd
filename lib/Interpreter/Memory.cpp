//===- Memory.cpp - Addresses, loads and stores --------------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Machine.h"

using namespace mlir;
using namespace fsm;
using namespace fsm::interpreter;

namespace {
/// One access of a scalar or a block, as load and store have it in common.
struct Access {
  Operation *op;
  const Elements &pointer;
  const Elements *offsets; ///< Null for a scalar access.
  const Elements *mask;    ///< Null when every element is accessed.
  Type type;               ///< Of what is loaded or stored.
  size_t elementBytes;
  bool isStore;

  bool isActive(size_t index) const { return !mask || mask->at(index) != 0; }

  /// Where element `index` is: 64-bit arithmetic that wraps.
  uint64_t addressOf(size_t index) const {
    if (!offsets)
      return pointer.bits.front();
    int64_t offset = signExtend(offsets->bits[index], widthOf(elementTypeOf(offsets->type)));
    return pointer.bits.front() + static_cast<uint64_t>(offset) * elementBytes;
  }
};
} // namespace

static size_t bytesOf(Type element) { return scalarTypeInfo(scalarTypeOf(element)).bytes; }

template <typename AccessOp>
static Access describe(Machine &machine, AccessOp op, Type type, bool isStore) {
  return Access{op,
                machine.get(op.getPointer()),
                op.getOffsets() ? &machine.get(op.getOffsets()) : nullptr,
                op.getMask() ? &machine.get(op.getMask()) : nullptr,
                type,
                bytesOf(elementTypeOf(type)),
                isStore};
}

//===----------------------------------------------------------------------===//
// What an access may touch
//===----------------------------------------------------------------------===//

/// `loads element (3, 7) ` or `stores `: how the sentence about a fault begins.
static std::string verbAndElement(const Access &access, size_t index) {
  std::string text = access.isStore ? "stores " : "loads ";
  ArrayRef<int64_t> shape = shapeOf(access.type);
  if (shape.empty())
    return text;
  std::vector<size_t> coordinates(shape.size());
  for (size_t dim = shape.size(); dim-- > 0; index /= shape[dim])
    coordinates[dim] = index % shape[dim];
  text += "element (";
  for (size_t dim = 0; dim < shape.size(); ++dim)
    text += (dim ? ", " : "") + std::to_string(coordinates[dim]);
  return text + ") ";
}

/// `from bytes 16 to 19 of argument 0 '%in'`.
static std::string bytesAndArgument(const Access &access, int64_t first, const Buffer &buffer) {
  int64_t last = static_cast<int64_t>(static_cast<uint64_t>(first) + access.elementBytes - 1);
  return (access.isStore ? "to bytes " : "from bytes ") + std::to_string(first) + " to " +
         std::to_string(last) + " of " + buffer.name;
}

static LogicalResult failOutside(Machine &machine, const Access &access, size_t index,
                                 int64_t first, const Buffer &buffer) {
  std::string where = verbAndElement(access, index) + bytesAndArgument(access, first, buffer);
  std::string size = " (" + std::to_string(buffer.bytes) + " bytes)";
  uint64_t distance = static_cast<uint64_t>(first);
  if (first < 0)
    return machine.fail(access.op, where + ", " + Twine(0 - distance) + " bytes before its start");
  return machine.fail(access.op, where + ", " +
                                     Twine(distance + access.elementBytes - buffer.bytes) +
                                     " bytes past its end" + size);
}

/// Checks one element's access against the buffer its pointer came from.
static LogicalResult checkElement(Machine &machine, const Access &access, size_t index) {
  uint64_t address = access.addressOf(index);
  int origin = access.pointer.origin;
  if (origin < 0) {
    StringRef what = access.pointer.bits.front() ? "through a pointer into no argument's buffer"
                                                 : "through a null pointer";
    return machine.fail(access.op, verbAndElement(access, index) + what);
  }
  const Buffer &buffer = machine.argumentBuffers()[origin];
  if (buffer.address == 0)
    return machine.fail(access.op, verbAndElement(access, index) +
                                       "through a null pointer, given for " + buffer.name);
  uint64_t distance = address - buffer.address;
  int64_t first = static_cast<int64_t>(distance);
  bool isInside = distance <= buffer.bytes && buffer.bytes - distance >= access.elementBytes;
  if (!isInside)
    return failOutside(machine, access, index, first, buffer);
  if (address % access.elementBytes != 0)
    return machine.fail(access.op,
                        verbAndElement(access, index) + bytesAndArgument(access, first, buffer) +
                            ", an address that is not a multiple of " + Twine(access.elementBytes));
  if (access.isStore && buffer.readOnly)
    return machine.fail(access.op, verbAndElement(access, index) + "to " + buffer.name +
                                       ", which promises '" + kReadOnlyAttr + "'");
  return success();
}

//===----------------------------------------------------------------------===//
// Loads and stores
//===----------------------------------------------------------------------===//

// Memory is little-endian, as on every machine that FSM runs on.

static uint64_t readMemory(uint64_t address, size_t bytes, bool isBoolean) {
  uint64_t bits = 0;
  std::memcpy(&bits, reinterpret_cast<const void *>(address), bytes);
  return isBoolean ? bits != 0 : bits;
}

static void writeMemory(uint64_t address, size_t bytes, uint64_t bits) {
  std::memcpy(reinterpret_cast<void *>(address), &bits, bytes);
}

/// A pointer that comes out of memory belongs to the buffer it points into.
static int originOf(const Machine &machine, uint64_t address) {
  ArrayRef<Buffer> buffers = machine.argumentBuffers();
  for (auto [index, buffer] : llvm::enumerate(buffers))
    if (buffer.address != 0 && address - buffer.address < buffer.bytes)
      return static_cast<int>(index);
  return -1;
}

static LogicalResult load(Machine &machine, Operation *op) {
  auto loadOp = cast<LoadOp>(op);
  Type type = loadOp.getType();
  Access access = describe(machine, loadOp, type, /*isStore=*/false);
  ElementsRef other = loadOp.getOther() ? machine.share(loadOp.getOther()) : nullptr;
  bool isBoolean = elementTypeOf(type).isInteger(1);
  auto result = std::make_shared<Elements>(
      Elements{type, std::vector<uint64_t>(countOf(type)), other ? other->origin : -1});
  for (size_t i = 0; i < result->bits.size(); ++i) {
    if (!access.isActive(i)) {
      result->bits[i] = other ? other->at(i) : 0;
      continue;
    }
    if (failed(checkElement(machine, access, i)))
      return failure();
    result->bits[i] = readMemory(access.addressOf(i), access.elementBytes, isBoolean);
    if (isa<PointerType>(type))
      result->origin = originOf(machine, result->bits[i]);
  }
  machine.set(loadOp.getResult(), std::move(result));
  return success();
}

static LogicalResult store(Machine &machine, Operation *op) {
  auto storeOp = cast<StoreOp>(op);
  const Elements &value = machine.get(storeOp.getValue());
  Access access = describe(machine, storeOp, value.type, /*isStore=*/true);
  for (size_t i = 0; i < value.bits.size(); ++i) {
    if (!access.isActive(i))
      continue;
    if (failed(checkElement(machine, access, i)))
      return failure();
    writeMemory(access.addressOf(i), access.elementBytes, value.bits[i]);
  }
  return success();
}

/// Moving a pointer out of its buffer is no error, using it there is.
static LogicalResult offset(Machine &machine, Operation *op) {
  auto offsetOp = cast<OffsetOp>(op);
  const Elements &pointer = machine.get(offsetOp.getPointer());
  unsigned width = widthOf(offsetOp.getOffset().getType());
  uint64_t distance = signExtend(machine.scalar(offsetOp.getOffset()), width);
  size_t bytes = bytesOf(offsetOp.getType().getPointeeType());
  machine.set(offsetOp.getResult(),
              std::make_shared<Elements>(Elements{
                  pointer.type, {pointer.bits.front() + distance * bytes}, pointer.origin}));
  return success();
}

/// Everything happens in order anyway.
static LogicalResult barrier(Machine &, Operation *) { return success(); }

void interpreter::addMemoryHandlers(HandlerTable &table) {
  table["fsm.barrier"] = barrier;
  table["fsm.load"] = load;
  table["fsm.offset"] = offset;
  table["fsm.store"] = store;
}
