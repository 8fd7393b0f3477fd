//===- Dot.cpp - Products of matrices over threads -----------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Both operands are written to scratch memory as rows (DotPlan). A thread then goes along `inner`,
// some steps at a time: it reads a vector of each row that it has elements of, and vectors of
// the columns for each step, and adds all their products to its elements.

#include "../Program/ThreadLowering.h"

#include "../../Registers/DotOperands.h"
#include "../Program/ThreadBlock.h"
#include "../Program/ThreadValues.h"
#include "SharedAccess.h"
#include "fsm/Analysis/DotPlan.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace fsm;
using namespace fsm::gpu;

/// One access to shared memory moves this much.
static constexpr uint64_t kVectorBytes = 16;
/// Products in the body of the loop: more are more code than an instruction cache likes.
static constexpr uint64_t kMaxProducts = 1024;

namespace {

/// One dimension of a block in scratch memory: coordinate i, of which the bits of `mask` count,
/// stands `i * bytes` from the beginning, for the coordinates up to `last`; further ones, which
/// are outside the true extents, stand for that one.
struct Step {
  uint64_t bytes = 0;
  uint64_t mask = ~uint64_t(0);
  uint64_t last = ~uint64_t(0);
};

/// An address that the thread computes once, and bytes that an instruction adds.
struct Place {
  Value base;
  int64_t bytes;
};

/// Where the elements of a thread's registers are in scratch memory.
class MatrixPlaces {
public:
  MatrixPlaces(DeviceProgram &program, Location loc, ThreadBlock &block, uint64_t start,
               SmallVector<Step> steps)
      : program(program), loc(loc), block(block), start(start), steps(std::move(steps)) {
    for (unsigned dim = 0; dim < this->steps.size(); ++dim) {
      // Computed here, and not where only some of the threads come by.
      Value part = block.threadPart(dim);
      if (this->steps[dim].bytes)
        threadBytes = sum(threadBytes, scaled(dim, part));
    }
    threadBase = program.shared(loc, threadBytes);
  }

  Place at(uint64_t reg) const {
    uint64_t bytes = start;
    for (unsigned dim = 0; dim < steps.size(); ++dim) {
      if (steps[dim].bytes && !isSum(dim, reg))
        return {program.shared(loc, byteOf(reg)), static_cast<int64_t>(start)};
      bytes += (partOf(dim, reg) & steps[dim].mask) * steps[dim].bytes;
    }
    return {threadBase, static_cast<int64_t>(bytes)};
  }

private:
  uint64_t partOf(unsigned dim, uint64_t reg) const {
    const LinearLayout &layout = block.layout();
    return layout.to().get(layout.apply(reg, 0, 0), blockDim(dim));
  }

  uint64_t threadBits(unsigned dim) const {
    const LinearLayout &layout = block.layout();
    uint64_t bits = 0;
    for (Dim holder : {Dim::Lane, Dim::Warp})
      for (uint64_t base : layout.basesOf(holder))
        bits |= layout.to().get(base, blockDim(dim));
    return bits;
  }

  /// Whether the coordinate is that of the thread plus a constant, and not beyond the last.
  bool isSum(unsigned dim, uint64_t reg) const {
    uint64_t part = partOf(dim, reg), bits = threadBits(dim);
    return (part & bits & steps[dim].mask) == 0 && (part | bits) <= steps[dim].last;
  }

  Value scaled(unsigned dim, Value coordinate) const {
    OpBuilder &builder = program.builder;
    const Step &step = steps[dim];
    auto extent = static_cast<uint64_t>(block.layout().to().extentOf(blockDim(dim)));
    if (step.mask < llvm::PowerOf2Ceil(extent) - 1)
      coordinate = arith::AndIOp::create(builder, loc, coordinate,
                                         program.i32(loc, static_cast<int64_t>(step.mask)));
    return arith::MulIOp::create(builder, loc, coordinate,
                                 program.i32(loc, static_cast<int64_t>(step.bytes)));
  }

  Value sum(Value left, Value right) const {
    return left ? arith::AddIOp::create(program.builder, loc, left, right).getResult() : right;
  }

  Value byteOf(uint64_t reg) const {
    Value bytes;
    for (unsigned dim = 0; dim < steps.size(); ++dim) {
      if (!steps[dim].bytes)
        continue;
      Value coordinate = block.coordinate(dim, reg);
      if ((partOf(dim, reg) | threadBits(dim)) > steps[dim].last)
        coordinate =
            arith::MinUIOp::create(program.builder, loc, coordinate,
                                   program.i32(loc, static_cast<int64_t>(steps[dim].last)));
      bytes = sum(bytes, scaled(dim, coordinate));
    }
    return bytes;
  }

  DeviceProgram &program;
  Location loc;
  ThreadBlock &block;
  uint64_t start;
  SmallVector<Step> steps;
  Value threadBytes, threadBase;
};

/// What is read at once: the place and, for each element, what it is multiplied with.
struct Fragment {
  Place place;
  SmallVector<Value> numbers;
};

/// One product, step by step.
class Product {
public:
  Product(DeviceProgram &program, DotOp op, uint64_t scratch)
      : program(program), builder(program.builder), op(op), loc(op.getLoc()), plan(planDot(op)),
        scratch(scratch), element(op.getLeft().getType().getElementType()),
        memory(memoryElement(element)), elementBytes(bytesOf(element)),
        result(program, loc, op.getType()) {}

  Value run(Value left, Value right, Value acc) {
    SmallVector<Value> sums = elementsOf(program, loc, acc);
    SmallVector<Value> leftElements = elementsOf(program, loc, left);
    SmallVector<Value> rightElements = elementsOf(program, loc, right);
    findFragments();
    for (uint64_t slab = 0; slab < plan.slabs(); ++slab) {
      if (slab)
        program.barrier(loc);
      write(/*isLeft=*/true, leftElements, slab);
      write(/*isLeft=*/false, rightElements, slab);
      program.barrier(loc);
      sums = addSlab(std::min(plan.slab, plan.inner - slab * plan.slab), std::move(sums));
    }
    return vectorOf(program, loc, sums);
  }

private:
  bool isBatch() const { return result.layout().to().axes().size() == 3; }
  /// The dimension of a row's or a column's elements in any of the blocks.
  unsigned rowDim() const { return isBatch() ? 1 : 0; }
  SmallVector<Step> leftSteps() const;
  SmallVector<Step> rightSteps() const;
  std::optional<Value> inSlab(ThreadBlock &block, uint64_t reg, unsigned inner, uint64_t slab);
  void write(bool isLeft, ArrayRef<Value> elements, uint64_t slab);
  void findFragments();
  SmallVector<Value> addSlab(uint64_t extent, SmallVector<Value> sums);
  void addSteps(Value first, uint64_t count, SmallVector<Value> &sums);
  Value addressOf(const Place &place);
  SmallVector<Value> read(const Place &place, Value offset, uint64_t more, uint64_t count);

  DeviceProgram &program;
  OpBuilder &builder;
  DotOp op;
  Location loc;
  DotPlan plan;
  uint64_t scratch;
  Type element, memory;
  uint64_t elementBytes;
  ThreadBlock result;

  /// The vectors of columns that are read, their width, and the rows.
  uint64_t width = 1;
  SmallVector<Fragment> rows, columns;
  /// For each live register of the result: its row, its vector of columns, and its place in that.
  struct Sources {
    size_t row, column, within;
  };
  SmallVector<Sources> sources;
};

} // namespace

//===----------------------------------------------------------------------===//
// To scratch memory
//===----------------------------------------------------------------------===//

SmallVector<Step> Product::leftSteps() const {
  SmallVector<Step> steps;
  if (isBatch())
    steps.push_back({plan.rows * plan.leftStride});
  steps.push_back({plan.leftStride});
  steps.push_back({elementBytes});
  if (plan.slabs() > 1)
    steps.back().mask = plan.slab - 1;
  return steps;
}

SmallVector<Step> Product::rightSteps() const {
  SmallVector<Step> steps;
  if (isBatch())
    steps.push_back({plan.slab * plan.rightStride});
  steps.push_back({plan.rightStride});
  if (plan.slabs() > 1)
    steps.back().mask = plan.slab - 1;
  steps.push_back({elementBytes});
  return steps;
}

/// How many of its first registers a thread holds side by side along the last dimension,
/// whatever the thread: a power of two that divides the extent, up to `most`.
static uint64_t contiguousRegisters(const LinearLayout &layout, uint64_t most) {
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

/// An i1 that says whether the thread's element is in the slab, null if it is for certain;
/// nothing if it is in none of the threads.
std::optional<Value> Product::inSlab(ThreadBlock &block, uint64_t reg, unsigned inner,
                                     uint64_t slab) {
  if (plan.slabs() == 1)
    return Value();
  const LinearLayout &layout = block.layout();
  uint64_t part = layout.to().get(layout.apply(reg, 0, 0), blockDim(inner)), threadBits = 0;
  for (Dim holder : {Dim::Lane, Dim::Warp})
    for (uint64_t base : layout.basesOf(holder))
      threadBits |= layout.to().get(base, blockDim(inner));
  uint64_t slabBits = ~(plan.slab - 1);
  if ((part ^ slab * plan.slab) & slabBits & ~threadBits)
    return std::nullopt;
  if (!(threadBits & slabBits))
    return Value();
  Value own = arith::ShRUIOp::create(builder, loc, block.coordinate(inner, reg),
                                     program.i32(loc, llvm::Log2_64(plan.slab)));
  return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, own,
                               program.i32(loc, static_cast<int64_t>(slab)));
}

/// Writes a thread's elements of the left or the right matrix that are in the slab; of
/// replicas the first.
void Product::write(bool isLeft, ArrayRef<Value> elements, uint64_t slab) {
  RankedTensorType type = isLeft ? op.getLeft().getType() : op.getRight().getType();
  ThreadBlock block(program, loc, type);
  const LinearLayout &layout = block.layout();
  unsigned inner = isLeft ? rowDim() + 1 : rowDim();
  uint64_t most = kVectorBytes / elementBytes;
  if (isLeft && plan.slabs() > 1)
    most = std::min(most, plan.slab);
  uint64_t vector = contiguousRegisters(layout, most);
  uint64_t start = isLeft ? scratch : scratch + plan.rightOffset;
  MatrixPlaces places(program, loc, block, start, isLeft ? leftSteps() : rightSteps());
  auto store = [&](uint64_t reg) {
    SmallVector<Value> together;
    for (uint64_t i = 0; i < vector; ++i)
      together.push_back(elements[static_cast<size_t>(block.indexOf(reg + i))]);
    storeShared(program, loc, together, addressOf(places.at(reg)));
  };
  Value isFirst = program.isFirst(loc, layout.freeBits(Dim::Lane), layout.freeBits(Dim::Warp));
  emitIf(program, loc, isFirst, [&]() {
    for (uint64_t reg : block.registers()) {
      std::optional<Value> isHere = inSlab(block, reg, inner, slab);
      if (reg & (vector - 1) || !isHere)
        continue;
      Value isInside = block.isInside(reg);
      emitIf(program, loc, isInside,
             [&]() { emitIf(program, loc, *isHere, [&]() { store(reg); }); });
    }
  });
}

//===----------------------------------------------------------------------===//
// From scratch memory
//===----------------------------------------------------------------------===//

/// Which rows and which vectors of columns the thread has elements of. Those outside the true
/// extents read what the last one inside does.
void Product::findFragments() {
  const LinearLayout &layout = result.layout();
  const BitSpace &space = layout.to();
  unsigned columnDim = rowDim() + 1;
  width = contiguousRegisters(layout, kVectorBytes / elementBytes);
  SmallVector<Step> rowSteps, columnSteps;
  if (isBatch()) {
    rowSteps.push_back({plan.rows * plan.leftStride, ~uint64_t(0), plan.batches - 1});
    columnSteps.push_back({plan.slab * plan.rightStride, ~uint64_t(0), plan.batches - 1});
  }
  rowSteps.append({{plan.leftStride, ~uint64_t(0), plan.rows - 1}, Step()});
  columnSteps.append({Step(), {elementBytes, ~uint64_t(0), plan.columns - width}});
  MatrixPlaces rowPlaces(program, loc, result, scratch, rowSteps);
  MatrixPlaces columnPlaces(program, loc, result, scratch + plan.rightOffset, columnSteps);
  llvm::DenseMap<uint64_t, size_t> rowOf, columnOf;
  for (uint64_t reg : result.registers()) {
    uint64_t first = reg & ~(width - 1), position = layout.apply(first, 0, 0);
    auto [row, isNewRow] =
        rowOf.try_emplace(position & ~space.maskOf(blockDim(columnDim)), rows.size());
    if (isNewRow)
      rows.push_back({rowPlaces.at(first), {}});
    auto [column, isNewColumn] =
        columnOf.try_emplace(position & ~space.maskOf(blockDim(rowDim())), columns.size());
    if (isNewColumn)
      columns.push_back({columnPlaces.at(first), {}});
    sources.push_back({row->second, column->second, reg - first});
  }
}

Value Product::addressOf(const Place &place) {
  if (!place.bytes)
    return place.base;
  return LLVM::GEPOp::create(builder, loc, place.base.getType(), builder.getI8Type(), place.base,
                             ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(place.bytes)});
}

/// `count` numbers side by side, `offset` bytes (an i32) and `more` behind a place.
SmallVector<Value> Product::read(const Place &place, Value offset, uint64_t more, uint64_t count) {
  Value base = LLVM::GEPOp::create(builder, loc, place.base.getType(), builder.getI8Type(),
                                   place.base, ArrayRef<LLVM::GEPArg>{offset});
  Value address = addressOf({base, place.bytes + static_cast<int64_t>(more)});
  SmallVector<Value> numbers = loadShared(program, loc, memory, count, address);
  for (Value &number : numbers)
    number = registers::widenFactor(builder, loc, number, element);
  return numbers;
}

/// Adds the products of `count` steps, a power of two, from the step `first` (an i32) of the
/// slab on.
void Product::addSteps(Value first, uint64_t count, SmallVector<Value> &sums) {
  auto scaled = [&](uint64_t bytes) -> Value {
    return arith::MulIOp::create(builder, loc, first,
                                 program.i32(loc, static_cast<int64_t>(bytes)));
  };
  Value rowBytes = scaled(elementBytes), columnBytes = scaled(plan.rightStride);
  for (Fragment &row : rows)
    row.numbers = read(row.place, rowBytes, 0, count);
  for (uint64_t step = 0; step < count; ++step) {
    for (Fragment &column : columns)
      column.numbers = read(column.place, columnBytes, step * plan.rightStride, width);
    for (auto [source, sum] : llvm::zip_equal(sources, sums))
      sum = registers::multiplyAdd(builder, loc, rows[source.row].numbers[step],
                                   columns[source.column].numbers[source.within], sum);
  }
}

/// Adds all products of a slab of so many steps: a loop over vectors of the rows, then what is
/// left, step by step.
SmallVector<Value> Product::addSlab(uint64_t extent, SmallVector<Value> sums) {
  uint64_t fitting = std::max<uint64_t>(kMaxProducts / sums.size(), 1);
  uint64_t count = llvm::bit_floor(std::min({kVectorBytes / elementBytes, fitting, extent}));
  uint64_t whole = extent / count * count;
  auto number = [&](uint64_t value) { return program.i32(loc, static_cast<int64_t>(value)); };
  if (whole == count) {
    addSteps(number(0), count, sums);
  } else {
    auto loop = scf::ForOp::create(builder, loc, number(0), number(whole), number(count), sums);
    loop->setAttr(kNoUnrollAttr, builder.getUnitAttr());
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    SmallVector<Value> carried(loop.getRegionIterArgs());
    addSteps(loop.getInductionVar(), count, carried);
    scf::YieldOp::create(builder, loc, carried);
    sums.assign(loop.getResults().begin(), loop.getResults().end());
  }
  for (uint64_t step = whole; step < extent; ++step)
    addSteps(number(step), 1, sums);
  return sums;
}

static LogicalResult lower(ThreadLowering &thread, DotOp op) {
  std::optional<uint64_t> scratch = scratchOffset(op);
  if (!scratch)
    return failure();
  return thread.setResult(op, Product(thread.program, op, *scratch)
                                  .run(thread.lookup(op.getLeft()), thread.lookup(op.getRight()),
                                       thread.lookup(op.getAcc())));
}

void fsm::gpu::addDotHandlers(HandlerTable &table) { addHandler<DotOp, lower>(table); }
