//===- Dot.cpp - Products of matrices over threads -----------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Both factors are in shared memory, as rows with a pitch. A thread goes along the products that
// are added to an element, some steps at a time: it reads a vector of each row that it has elements
// of, and vectors of the columns for each step, and adds all their products to its elements.

#include "../Program/ThreadLowering.h"

#include "Mma.h"
#include "SharedAccess.h"
#include "SharedRows.h"

#include "fsm/Analysis/MmaPlan.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace fsm;
using namespace fsm::gpu;

/// Products in the body of the loop: more are more code than an instruction cache likes.
static constexpr uint64_t kMaxProducts = 1024;

namespace {

/// What is read at once: the place and, for each element, what it is multiplied with.
struct Fragment {
  Place place;
  SmallVector<Value> numbers;
};

/// One product, step by step.
class ProductLowering {
public:
  ProductLowering(DeviceProgram &program, SharedDotOp op)
      : program(program), builder(program.builder), op(op), left(op.getLeft().getType()),
        right(op.getRight().getType()), memory(memoryElement(left.getElementType())),
        elementBytes(bytesOf(left.getElementType())), rightStride(right.getPitch() * elementBytes),
        result(program, op.getType()) {}

  Value run(Value acc, uint64_t leftStart, uint64_t rightStart) {
    findFragments(leftStart, rightStart);
    return program.vectorOf(addAll(op.getInner(), program.elementsOf(acc)));
  }

private:
  void findFragments(uint64_t leftStart, uint64_t rightStart);
  SmallVector<Value> addAll(uint64_t extent, SmallVector<Value> sums);
  void addSteps(Value first, uint64_t count, SmallVector<Value> &sums);
  SmallVector<Value> read(SharedType factor, const Place &place, Value offset, uint64_t more,
                          uint64_t count);

  DeviceProgram &program;
  ImplicitLocOpBuilder &builder;
  SharedDotOp op;
  SharedType left, right;
  /// Both factors have elements of so many bytes.
  Type memory;
  uint64_t elementBytes, rightStride;
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

/// Which rows and which vectors of columns the thread has elements of. Those outside the true
/// extents read what the last one inside does.
void ProductLowering::findFragments(uint64_t leftStart, uint64_t rightStart) {
  const LinearLayout &layout = result.layout();
  const BitSpace &space = layout.to();
  ArrayRef<int64_t> shape = op.getType().getShape();
  auto columnDim = static_cast<unsigned>(shape.size() - 1), rowDim = columnDim - 1;
  width = contiguousRegisters(layout, kVectorBytes / elementBytes);
  auto steps = [&](SharedType factor) {
    return stepsOf(factor.getShape(), factor.getPitch(), elementBytes);
  };
  SmallVector<Step> rowSteps = steps(left), columnSteps = steps(right);
  for (unsigned dim = 0; dim < shape.size(); ++dim)
    rowSteps[dim].last = columnSteps[dim].last = static_cast<uint64_t>(shape[dim] - 1);
  columnSteps[columnDim].last = static_cast<uint64_t>(shape.back()) - width;
  rowSteps[columnDim] = columnSteps[rowDim] = Step();
  RegisterPlaces rowPlaces(program, result, leftStart, rowSteps);
  RegisterPlaces columnPlaces(program, result, rightStart, columnSteps);
  llvm::DenseMap<uint64_t, size_t> rowOf, columnOf;
  for (uint64_t reg : result.registers()) {
    uint64_t first = reg & ~(width - 1), position = layout.apply(first, 0, 0);
    auto [row, isNewRow] =
        rowOf.try_emplace(position & ~space.maskOf(blockDim(columnDim)), rows.size());
    if (isNewRow)
      rows.push_back({rowPlaces.at(first), {}});
    auto [column, isNewColumn] =
        columnOf.try_emplace(position & ~space.maskOf(blockDim(rowDim)), columns.size());
    if (isNewColumn)
      columns.push_back({columnPlaces.at(first), {}});
    sources.push_back({row->second, column->second, reg - first});
  }
}

/// `count` numbers of a factor side by side, `offset` bytes (an i32) and `more` behind a place.
SmallVector<Value> ProductLowering::read(SharedType factor, const Place &place, Value offset,
                                         uint64_t more, uint64_t count) {
  Value base = advance(builder, place.base, offset);
  Value address = Place{base, place.bytes + static_cast<int64_t>(more)}.address(program);
  SmallVector<Value> numbers = loadShared(program, memory, count, address);
  for (Value &number : numbers)
    number = widenFactor(builder, op.getLoc(), number, factor.getElementType());
  return numbers;
}

/// Adds the products of `count` steps, a power of two, from the step `first` (an i32) on.
void ProductLowering::addSteps(Value first, uint64_t count, SmallVector<Value> &sums) {
  auto scaled = [&](uint64_t bytes) -> Value {
    return arith::MulIOp::create(builder, first, program.i32(bytes));
  };
  Value rowBytes = scaled(elementBytes), columnBytes = scaled(rightStride);
  for (Fragment &row : rows)
    row.numbers = read(left, row.place, rowBytes, 0, count);
  for (uint64_t step = 0; step < count; ++step) {
    for (Fragment &column : columns)
      column.numbers = read(right, column.place, columnBytes, step * rightStride, width);
    for (auto [source, sum] : llvm::zip_equal(sources, sums))
      sum = multiplyAdd(builder, op.getLoc(), rows[source.row].numbers[step],
                        columns[source.column].numbers[source.within], sum, op.getSaturate());
  }
}

/// Adds the products of so many steps: a loop over vectors of the rows, then what is left, step by
/// step.
SmallVector<Value> ProductLowering::addAll(uint64_t extent, SmallVector<Value> sums) {
  uint64_t fitting = std::max<uint64_t>(kMaxProducts / sums.size(), 1);
  uint64_t count = llvm::bit_floor(std::min({kVectorBytes / elementBytes, fitting, extent}));
  if (op->hasAttr(kShortAttr))
    count = 1;
  uint64_t whole = extent / count * count;
  auto number = [&](uint64_t value) { return program.i32(value); };
  if (whole == count) {
    addSteps(number(0), count, sums);
  } else {
    auto loop = scf::ForOp::create(builder, number(0), number(whole), number(count), sums);
    loop->setAttr(kNoUnrollAttr, builder.getUnitAttr());
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    SmallVector<Value> carried(loop.getRegionIterArgs());
    addSteps(loop.getInductionVar(), count, carried);
    scf::YieldOp::create(builder, carried);
    sums.assign(loop.getResults().begin(), loop.getResults().end());
  }
  for (uint64_t step = whole; step < extent; ++step)
    addSteps(number(step), 1, sums);
  return sums;
}

static LogicalResult lower(ThreadLowering &thread, SharedDotOp op) {
  uint64_t left = sharedOffset(op.getLeft()), right = sharedOffset(op.getRight());
  Value acc = thread.lookup(op.getAcc());
  if (op->hasAttr(kMmaAttr)) {
    const MmaInstruction *mma = plannedMma(op);
    if (!mma)
      return op.emitOpError("expected '") << kMmaAttr << "' to be the shape of an instruction";
    FactorSlots slots{thread.lookup(op.getLeftSlot()), thread.lookup(op.getRightSlot())};
    auto *multiply = mma->isOfWarpGroup() ? multiplyByWgmma : multiplyByMma;
    Value sums = multiply(thread.program, op, *mma, acc, slots);
    return sums ? thread.setResult(op, sums) : failure();
  }
  if (op.getLeftTransposed() || op.getRightTransposed())
    return op.emitOpError("expected '") << kMmaAttr << "' on a product of transposed factors";
  return thread.setResult(op, ProductLowering(thread.program, op).run(acc, left, right));
}

static LogicalResult lower(ThreadLowering &thread, ProductWaitOp op) {
  return thread.setResult(op, waitForProducts(thread.program, thread.lookup(op.getSums())));
}

static LogicalResult lower(ThreadLowering &thread, ProductLimitOp op) {
  limitProducts(thread.program, op.getPending());
  return success();
}

static LogicalResult lower(ThreadLowering &, DotOp op) {
  return op.emitOpError("expected 'fsm-stage-exchanges' to bring its factors to shared memory");
}

void fsm::gpu::addDotHandlers(HandlerTable &table) {
  addHandler<DotOp, lower>(table);
  addHandler<SharedDotOp, lower>(table);
  addHandler<ProductWaitOp, lower>(table);
  addHandler<ProductLimitOp, lower>(table);
}
