//===- DotFactor.cpp - A factor of a product by multiply-adds ------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// A tile's offsets are linear in the element, so what the thread, the register and the step add to one
// meets in an exclusive or; where their bits are apart it is a sum, and a constant of the instruction.

#include "DotFactor.h"

#include "../Memory/Access.h"

#include "fsm/Analysis/ProductTiles.h"
#include "fsm/Machine/GpuTarget.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace fsm;
using namespace fsm::gpu;

/// How many neighbours along a dimension of its sums a thread has side by side, of no more than `most`
/// and whatever the thread: a power of two that divides the extent.
static uint64_t neighboursAlong(const LinearLayout &sums, Dim dim, uint64_t most) {
  const BitSpace &block = sums.to();
  std::vector<uint64_t> registers = sums.basesOf(Dim::Register);
  uint64_t width = 1;
  while (2 * width <= most && block.extentOf(dim) % (2 * width) == 0 &&
         llvm::is_contained(registers, block.place(dim, width)))
    width *= 2;
  // What else moves within the vector would have it begin elsewhere.
  auto isOfVector = [&](size_t bit, uint64_t base) {
    uint64_t step = block.get(base, dim);
    return bit < registers.size() && llvm::isPowerOf2_64(step) && base == block.place(dim, step);
  };
  for (auto [bit, base] : llvm::enumerate(sums.bases()))
    while (block.get(base, dim) & (width - 1) && !isOfVector(bit, base))
      width /= 2;
  return width;
}

ThreadFactor::ThreadFactor(DeviceProgram &program, SharedDotOp op, ThreadBlock &sums, bool isRight,
                           Value slot)
    : program(program), op(op), shared(isRight ? op.getRight() : op.getLeft()),
      memory(cast<SharedType>(shared.getType())), elementBytes(bytesOf(memory.getElementType())) {
  auto rank = static_cast<unsigned>(memory.getShape().size());
  bool isTransposed = isRight ? op.getRightTransposed() : op.getLeftTransposed();
  outer = isRight == isTransposed ? rank - 2 : rank - 1;
  inner = isRight == isTransposed ? rank - 1 : rank - 2;
  dim = isRight ? rank - 1 : rank - 2;
  major = majorOf(memory);
  if (!isAlongInner())
    width = neighboursAlong(sums.layout(), blockDim(dim), kVectorBytes / elementBytes);
  if (memory.getLayout())
    findChunks(sums, slot);
  else
    findRows(sums);
}

/// Which lines the thread has sums of, each once.
void ThreadFactor::findLines(ThreadBlock &sums, function_ref<Line(uint64_t reg)> lineOf) {
  const LinearLayout &layout = sums.layout();
  const BitSpace &space = layout.to();
  Dim other = blockDim(static_cast<unsigned>(space.axes().size()) == dim + 1 ? dim - 1 : dim + 1);
  llvm::DenseMap<uint64_t, size_t> numbers;
  for (uint64_t reg : sums.registers()) {
    uint64_t position = layout.apply(reg, 0, 0) & ~space.maskOf(other);
    uint64_t within = space.get(position, blockDim(dim)) & (width - 1);
    auto [found, isNew] =
        numbers.try_emplace(position ^ space.place(blockDim(dim), within), lines.size());
    // Of neighbours the first one has the lowest register.
    if (isNew)
      lines.push_back(lineOf(reg));
    sources.push_back({found->second, static_cast<size_t>(within)});
  }
}

/// Lines in rows with a pitch. Those outside the true extents read what the last one inside does.
void ThreadFactor::findRows(ThreadBlock &sums) {
  SmallVector<Step> steps = stepsOf(memory.getShape(), memory.getPitch(), elementBytes);
  ArrayRef<int64_t> shape = op.getType().getShape();
  for (unsigned i = 0; i < shape.size(); ++i)
    steps[i].last = static_cast<uint64_t>(shape[i] - 1);
  steps[dim].last = static_cast<uint64_t>(shape[dim]) - width;
  steps[inner] = Step();
  RegisterPlaces places(program, sums, sharedOffset(shared), steps);
  findLines(sums, [&](uint64_t reg) { return Line{places.at(reg), 0, {}}; });
}

/// Lines in a tile of a slot.
void ThreadFactor::findChunks(ThreadBlock &sums, Value slot) {
  const LinearLayout &layout = sums.layout();
  ArrayRef<int64_t> shape = memory.getShape();
  tile = memory.getLayout().toLinear(shape).inverse();
  BitSpace block = BitSpace::block({shape.begin(), shape.end()});
  // Batches are the sums' own.
  auto bytesAt = [&](uint64_t position) {
    uint64_t place = block.place(blockDim(outer), layout.to().get(position, blockDim(dim)));
    for (unsigned batch = 0; batch + 2 < shape.size(); ++batch)
      place |= block.place(blockDim(batch), layout.to().get(position, blockDim(batch)));
    return tile->apply(place) * elementBytes;
  };
  auto bytesOf = [&](Dim part) {
    std::vector<uint64_t> bytes;
    for (uint64_t base : layout.basesOf(part)) {
      bytes.push_back(bytesAt(base));
      threadBits |= bytes.back();
    }
    return bytes;
  };
  std::vector<uint64_t> laneBytes = bytesOf(Dim::Lane), warpBytes = bytesOf(Dim::Warp);
  threads.emplace(program, 0, laneBytes, warpBytes, slotAddress(program, shared, slot));
  findLines(sums, [&](uint64_t reg) { return Line{{}, bytesAt(layout.apply(reg, 0, 0)), {}}; });
}

/// What a step adds to a place.
uint64_t ThreadFactor::bytesOfStep(uint64_t step) const {
  if (!tile)
    return step * elementBytes * (isAlongInner() ? 1 : static_cast<uint64_t>(memory.getPitch()));
  ArrayRef<int64_t> shape = memory.getShape();
  BitSpace block = BitSpace::block({shape.begin(), shape.end()});
  return tile->apply(block.place(blockDim(inner), step)) * elementBytes;
}

Value ThreadFactor::addressOf(const Line &line, Value first, uint64_t more) const {
  ImplicitLocOpBuilder &builder = program.builder;
  if (tile) {
    uint64_t bytes = line.bytes ^ bytesOfStep(more), apart = bytes & ~threadBits;
    Value base = threads->at(bytes & threadBits);
    return apart ? advance(builder, base, static_cast<int32_t>(apart)) : base;
  }
  Value bytes =
      arith::MulIOp::create(builder, first, program.i32(static_cast<int64_t>(bytesOfStep(1))));
  Value base = advance(builder, line.place.base, bytes);
  return Place{base, line.place.bytes + static_cast<int64_t>(bytesOfStep(more))}.address(program);
}

void ThreadFactor::readLine(size_t index, Value first, uint64_t more, uint64_t count) {
  Type element = memory.getElementType();
  Line &line = lines[index];
  Value address = addressOf(line, first, more);
  line.numbers =
      loadShared(program, memoryElement(element), isAlongInner() ? count : width, address);
  for (Value &number : line.numbers)
    number = widenFactor(program.builder, op.getLoc(), number, element);
}

void ThreadFactor::read(Value first, uint64_t more, uint64_t count) {
  for (size_t line = 0; line < lines.size(); ++line)
    readLine(line, first, more, count);
}

Value ThreadFactor::number(size_t index, uint64_t step) const {
  const Source &source = sources[index];
  return lines[source.line].numbers[isAlongInner() ? step : source.within];
}
