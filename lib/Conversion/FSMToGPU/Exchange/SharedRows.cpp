//===- SharedRows.cpp - Blocks row by row in shared memory ---------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SharedRows.h"

#include "fsm/Machine/GpuTarget.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace fsm;
using namespace fsm::gpu;

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

SmallVector<Step> fsm::gpu::stepsOf(ArrayRef<int64_t> shape, int64_t pitch, uint64_t bytes) {
  SmallVector<Step> steps(shape.size());
  steps.back().bytes = bytes;
  bytes *= static_cast<uint64_t>(pitch);
  for (size_t dim = steps.size() - 1; dim-- > 0;) {
    steps[dim].bytes = bytes;
    bytes *= static_cast<uint64_t>(shape[dim]);
  }
  return steps;
}

Value Place::address(DeviceProgram &program) const {
  return bytes ? advance(program.builder, base, static_cast<int32_t>(bytes)) : base;
}

RegisterPlaces::RegisterPlaces(DeviceProgram &program, ThreadBlock &block, uint64_t start,
                               SmallVector<Step> steps)
    : program(program), block(block), start(start), steps(std::move(steps)) {
  for (unsigned dim = 0; dim < this->steps.size(); ++dim) {
    // Computed here, and not where only some of the threads come by.
    Value part = block.threadPart(dim);
    if (this->steps[dim].bytes)
      threadBytes = sum(threadBytes, scaled(dim, part));
  }
  threadBase = program.shared(threadBytes);
}

Place RegisterPlaces::at(uint64_t reg) const {
  uint64_t bytes = start;
  for (unsigned dim = 0; dim < steps.size(); ++dim) {
    if (steps[dim].bytes && !isSum(dim, reg))
      return {program.shared(byteOf(reg)), static_cast<int64_t>(start)};
    bytes += (block.registerPart(dim, reg) & steps[dim].mask) * steps[dim].bytes;
  }
  return {threadBase, static_cast<int64_t>(bytes)};
}

/// Whether the coordinate is that of the thread plus a constant, and not beyond the last.
bool RegisterPlaces::isSum(unsigned dim, uint64_t reg) const {
  uint64_t part = block.registerPart(dim, reg), bits = block.threadBits(dim);
  return (part & bits & steps[dim].mask) == 0 && (part | bits) <= steps[dim].last;
}

Value RegisterPlaces::scaled(unsigned dim, Value coordinate) const {
  ImplicitLocOpBuilder &builder = program.builder;
  const Step &step = steps[dim];
  auto extent = static_cast<uint64_t>(block.layout().to().extentOf(blockDim(dim)));
  if (step.mask < llvm::PowerOf2Ceil(extent) - 1)
    coordinate = arith::AndIOp::create(builder, coordinate, program.i32(step.mask));
  return arith::MulIOp::create(builder, coordinate, program.i32(step.bytes));
}

Value RegisterPlaces::sum(Value left, Value right) const {
  return left ? arith::AddIOp::create(program.builder, left, right).getResult() : right;
}

Value RegisterPlaces::byteOf(uint64_t reg) const {
  Value bytes;
  for (unsigned dim = 0; dim < steps.size(); ++dim) {
    if (!steps[dim].bytes)
      continue;
    Value coordinate = block.coordinate(dim, reg);
    if ((block.registerPart(dim, reg) | block.threadBits(dim)) > steps[dim].last)
      coordinate =
          arith::MinUIOp::create(program.builder, coordinate, program.i32(steps[dim].last));
    bytes = sum(bytes, scaled(dim, coordinate));
  }
  return bytes;
}

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

uint64_t fsm::gpu::contiguousRegisters(const LinearLayout &layout, uint64_t most) {
  const BitSpace &block = layout.to();
  Dim last = blockDim(static_cast<unsigned>(block.axes().size()) - 1);
  uint64_t extent = block.extentOf(last), width = 1;
  for (uint64_t base : layout.basesOf(Dim::Register)) {
    if (2 * width > most || extent % (2 * width) || base != block.place(last, width))
      break;
    width *= 2;
  }
  // Another base that moves within the vector would have it begin elsewhere.
  for (auto [bit, base] : llvm::enumerate(layout.bases()))
    while (bit >= llvm::Log2_64(width) && block.get(base, last) & (width - 1))
      width /= 2;
  return width;
}

namespace {
/// One dimension of which memory takes a part: so many coordinates, a power of two, from a multiple
/// of that on.
struct Part {
  unsigned dim;
  uint64_t first, extent;
};
} // namespace

/// An i1 that says whether the thread's element is in a part, null if it is for certain; nothing if
/// it is in none of the threads.
static std::optional<Value> isIn(DeviceProgram &program, ThreadBlock &block, uint64_t reg,
                                 const Part &part) {
  uint64_t own = block.registerPart(part.dim, reg);
  uint64_t threadBits = block.threadBits(part.dim), numberBits = ~(part.extent - 1);
  if ((own ^ part.first) & numberBits & ~threadBits)
    return std::nullopt;
  if (!(threadBits & numberBits))
    return Value();
  Value number = arith::ShRUIOp::create(program.builder, block.coordinate(part.dim, reg),
                                        program.i32(llvm::Log2_64(part.extent)));
  auto wanted = static_cast<int64_t>(part.first / part.extent);
  return arith::CmpIOp::create(program.builder, arith::CmpIPredicate::eq, number,
                               program.i32(wanted));
}

void fsm::gpu::storeRows(DeviceProgram &program, const SharedWriter &writer, RankedTensorType type,
                         ArrayRef<Value> elements, SharedType memory, uint64_t start,
                         std::optional<ArrayRef<int64_t>> at) {
  ThreadBlock block(program, type);
  uint64_t bytes = bytesOf(memory.getElementType()), most = kVectorBytes / bytes;
  int64_t pitch = memory.getPitch();
  ArrayRef<int64_t> shape = pitch ? memory.getShape() : type.getShape();
  SmallVector<Step> steps = stepsOf(shape, pitch ? pitch : shape.back(), bytes);
  std::optional<Part> part;
  for (auto [dim, extent] : llvm::enumerate(shape))
    if (at && extent != type.getDimSize(dim)) {
      part = {static_cast<unsigned>(dim), static_cast<uint64_t>((*at)[dim]),
              static_cast<uint64_t>(extent)};
      steps[dim].mask = part->extent - 1;
    }
  if (part && part->dim + 1 == steps.size())
    most = std::min(most, part->extent);
  uint64_t vector = contiguousRegisters(block.layout(), most);
  RegisterPlaces places(program, block, start, steps);
  auto store = [&](uint64_t reg) {
    SmallVector<Value> together;
    for (uint64_t i = 0; i < vector; ++i)
      together.push_back(elements[static_cast<size_t>(block.indexOf(reg + i))]);
    writer.store(together, places.at(reg).address(program));
  };
  writer.emit([&]() {
    for (uint64_t reg : block.registers()) {
      std::optional<Value> isHere = part ? isIn(program, block, reg, *part) : Value();
      if (reg & (vector - 1) || !isHere)
        continue;
      Value isInside = block.isInside(reg);
      program.emitIf(isInside, [&]() { program.emitIf(*isHere, [&]() { store(reg); }); });
    }
  });
}

SmallVector<Value> fsm::gpu::loadRows(DeviceProgram &program, RankedTensorType type, Type element,
                                      uint64_t start) {
  ThreadBlock block(program, type);
  ArrayRef<int64_t> shape = type.getShape();
  uint64_t bytes = bytesOf(type.getElementType());
  uint64_t vector = contiguousRegisters(block.layout(), kVectorBytes / bytes);
  SmallVector<Step> steps = stepsOf(shape, shape.back(), bytes);
  // What is outside of the true extents is the last that is inside.
  for (auto [step, extent] : llvm::zip_equal(steps, shape))
    step.last = static_cast<uint64_t>(extent) - 1;
  steps.back().last = static_cast<uint64_t>(shape.back()) - vector;
  RegisterPlaces places(program, block, start, steps);
  SmallVector<Value> elements;
  for (uint64_t reg : block.registers())
    if (!(reg & (vector - 1)))
      elements.append(loadShared(program, element, vector, places.at(reg).address(program)));
  return elements;
}

SmallVector<Value> fsm::gpu::gatherRows(DeviceProgram &program, RankedTensorType type,
                                        SharedType memory, ArrayRef<Value> indices, unsigned axis,
                                        uint64_t start) {
  ImplicitLocOpBuilder &builder = program.builder;
  ThreadBlock block(program, type);
  ArrayRef<int64_t> shape = memory.getShape();
  SmallVector<Step> steps = stepsOf(shape, shape.back(), bytesOf(memory.getElementType()));
  for (auto [step, extent] : llvm::zip_equal(steps, shape))
    step.last = static_cast<uint64_t>(extent) - 1;
  Step along = std::exchange(steps[axis], Step());
  std::optional<RegisterPlaces> others;
  if (shape.size() > 1)
    others.emplace(program, block, start, steps);
  Type element = memoryElement(memory.getElementType());
  SmallVector<Value> elements;
  for (uint64_t reg : block.registers()) {
    Value index = indices[static_cast<size_t>(block.indexOf(reg))];
    index = arith::MinUIOp::create(
        builder, index, program.constantInt(index.getType(), static_cast<int64_t>(along.last)));
    if (!index.getType().isInteger(32))
      index = arith::TruncIOp::create(builder, builder.getI32Type(), index);
    Value bytes = arith::MulIOp::create(builder, index, program.i32(along.bytes));
    Place place =
        others ? others->at(reg) : Place{program.shared(uint64_t(0)), static_cast<int64_t>(start)};
    place.base = advance(builder, place.base, bytes);
    elements.append(loadShared(program, element, 1, place.address(program)));
  }
  return elements;
}
