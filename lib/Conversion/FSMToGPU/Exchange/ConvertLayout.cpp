//===- ConvertLayout.cpp - Moving elements between threads ---------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// What lib/Layout/ExecutePlan.cpp does to numbers is here done by threads.

#include "ConvertLayout.h"

#include "../Program/ThreadLowering.h"
#include "../Program/ThreadValues.h"
#include "SharedAccess.h"
#include "fsm/Analysis/ScratchSize.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include <map>

using namespace mlir;
using namespace fsm;
using namespace fsm::gpu;

//===----------------------------------------------------------------------===//
// Registers
//===----------------------------------------------------------------------===//

/// The values of all registers of a thread; null where it holds nothing.
using File = SmallVector<Value>;

static File unpack(DeviceProgram &program, Location loc, Value source, const LinearLayout &layout) {
  File file(uint64_t(1) << layout.from().bitsOf(Dim::Register));
  SmallVector<Value> elements = elementsOf(program, loc, source);
  for (auto [reg, value] : llvm::zip_equal(layout.liveRegisters(), elements))
    file[reg] = value;
  return file;
}

static Value anyOf(ArrayRef<Value> file) {
  return *llvm::find_if(file, [](Value value) { return value != nullptr; });
}

static Value pack(DeviceProgram &program, Location loc, const File &file,
                  const LinearLayout &layout) {
  SmallVector<Value> elements;
  // A live register without a value is outside the true extents in this plan's threads.
  for (uint64_t reg : layout.liveRegisters())
    elements.push_back(file[reg] ? file[reg] : anyOf(file));
  return vectorOf(program, loc, elements);
}

/// Whether the exclusive or of the bits of the lane and the warp in these sets is 1.
static Value parity(DeviceProgram &program, Location loc, uint64_t laneBits, uint64_t warpBits) {
  auto ones = [](uint64_t bits) {
    std::vector<uint64_t> bases;
    for (; bits; bits >>= 1)
      bases.push_back(bits & 1);
    return bases;
  };
  Value sum = program.linear(loc, ones(laneBits), ones(warpBits));
  return arith::CmpIOp::create(program.builder, loc, arith::CmpIPredicate::ne, sum,
                               program.i32(loc, 0));
}

/// The file in which register r has what register r ^ s had, where s is linear in the
/// thread: the exclusive or of the columns for the set bits of its lane and warp. One
/// layer of selections for each dimension of the space of all s.
static File exchange(DeviceProgram &program, Location loc, File file,
                     const std::vector<uint64_t> &byLane, const std::vector<uint64_t> &byWarp) {
  std::vector<uint64_t> columns = byLane;
  columns.insert(columns.end(), byWarp.begin(), byWarp.end());
  BitMatrix matrix = BitMatrix::fromColumns(columns, 64);
  uint64_t pivots = matrix.pivotColumns();
  for (unsigned pivot = 0; pivot < columns.size(); ++pivot) {
    if (!(pivots >> pivot & 1))
      continue;
    // The thread's bits whose columns are sums with this one.
    uint64_t bits = 0;
    for (unsigned i = 0; i < columns.size(); ++i)
      bits |= (*matrix.solve(columns[i]) >> pivot & 1) << i;
    Value isMoved =
        parity(program, loc, bits & ((uint64_t(1) << byLane.size()) - 1), bits >> byLane.size());
    File moved;
    for (uint64_t reg = 0; reg < file.size(); ++reg) {
      Value own = file[reg], other = file[reg ^ columns[pivot]];
      if (own && other)
        own = arith::SelectOp::create(program.builder, loc, isMoved, other, own);
      moved.push_back(own ? own : other);
    }
    file = std::move(moved);
  }
  return file;
}

//===----------------------------------------------------------------------===//
// Shuffles
//===----------------------------------------------------------------------===//

namespace {

/// Executes a ShufflePlan on values without i1.
class ShuffleExecution {
public:
  ShuffleExecution(DeviceProgram &program, Location loc, const ConversionPlan &plan)
      : program(program), loc(loc), plan(plan), shuffle(plan.shuffle) {}

  File run(File registers) {
    File offered =
        exchange(program, loc, std::move(registers), shuffle.offeredByLane.columnVectors(),
                 shuffle.offeredByWarp.columnVectors());
    File placed(uint64_t(1) << plan.destination.from().bitsOf(Dim::Register));
    // Rounds of neighbouring registers share a shuffle.
    uint64_t together = shuffle.elementsPerShuffle, within = together - 1;
    std::map<uint64_t, ShuffleRound> groups;
    for (const ShuffleRound &round : shuffle.rounds) {
      ShuffleRound first = round;
      first.placed &= ~within;
      first.offered ^= round.placed & within;
      groups.try_emplace(first.placed, first);
    }
    for (const auto &[first, round] : groups) {
      File some;
      for (uint64_t i = 0; i < together; ++i)
        some.push_back(offered[round.offered ^ i]);
      if (llvm::none_of(some, [](Value value) { return value != nullptr; }))
        continue;
      for (auto [i, value] : llvm::enumerate(moveTogether(round, some)))
        placed[first ^ i] = value;
    }
    return exchange(program, loc, std::move(placed), shuffle.placedByLane.columnVectors(), {});
  }

private:
  Value move(const ShuffleRound &round, Value word) {
    if (shuffle.isButterfly())
      return program.shuffleXor(loc, word, static_cast<unsigned>(round.readLane));
    if (!from)
      from = program.linear(loc, shuffle.readByLane.columnVectors(),
                            shuffle.readByWarp.columnVectors());
    Value lane = from;
    if (round.readLane)
      lane = arith::XOrIOp::create(program.builder, loc, lane,
                                   program.i32(loc, static_cast<int64_t>(round.readLane)));
    return program.shuffleFrom(loc, word, lane);
  }

  SmallVector<Value> moveTogether(const ShuffleRound &round, SmallVector<Value> elements) {
    if (!round.moves)
      return elements;
    if (elements.size() == 1)
      return {move(round, elements[0])};
    for (Value &element : elements)
      if (!element)
        element = anyOf(elements);
    OpBuilder &builder = program.builder;
    Type type = elements[0].getType();
    unsigned width = type.getIntOrFloatBitWidth() * static_cast<unsigned>(elements.size());
    Value all = vectorOf(program, loc, elements);
    Value word = LLVM::BitcastOp::create(builder, loc, builder.getIntegerType(width), all);
    Value moved = move(round, word);
    return elementsOf(program, loc, LLVM::BitcastOp::create(builder, loc, all.getType(), moved));
  }

  DeviceProgram &program;
  Location loc;
  const ConversionPlan &plan;
  const ShufflePlan &shuffle;
  Value from;
};

//===----------------------------------------------------------------------===//
// Through shared memory
//===----------------------------------------------------------------------===//

/// The accesses of a thread layout to a shared layout, by vectors.
class SharedSide {
public:
  SharedSide(const LinearLayout &threads, const LinearLayout &shared, const SharedAccess &access,
             unsigned elementBytes)
      : toOffset(shared.pseudoInverse().compose(threads)), live(threads.liveRegisters()),
        vector(access.vector), elementBytes(elementBytes) {
    BitMatrix registers =
        BitMatrix::fromColumns(toOffset.basesOf(Dim::Register), toOffset.to().bits());
    for (uint64_t step = 1; step < vector; step <<= 1)
      steps.push_back(*registers.solve(step));
  }

  /// The register with element i of a vector, relative to that of element 0.
  uint64_t registerStep(uint64_t element) const {
    uint64_t sum = 0;
    for (auto [bit, step] : llvm::enumerate(steps))
      sum ^= element >> bit & 1 ? step : 0;
    return sum;
  }
  /// The registers whose offset is a multiple of the vector where lane and warp are 0:
  /// one for each vector, ascending.
  std::vector<uint64_t> firsts(bool onlyLive) const {
    llvm::DenseSet<uint64_t> seen;
    for (uint64_t reg : live)
      seen.insert(firstOf(reg));
    std::vector<uint64_t> result;
    for (uint64_t reg = 0; reg < uint64_t(1) << toOffset.from().bitsOf(Dim::Register); ++reg)
      if (firstOf(reg) == reg && (!onlyLive || seen.contains(reg)))
        result.push_back(reg);
    return result;
  }
  uint64_t bytesAt(uint64_t reg) const { return toOffset.apply(reg, 0, 0) * elementBytes; }

  /// What a thread's registers are exchanged by, because its lane or warp begins inside
  /// a vector.
  std::vector<uint64_t> exchangedBy(Dim dim) const {
    std::vector<uint64_t> columns;
    for (uint64_t base : toOffset.basesOf(dim))
      columns.push_back(registerStep(base & (vector - 1)));
    return columns;
  }
  /// Bytes to the vectors that a lane's or warp's bits lead to.
  std::vector<uint64_t> threadBytes(Dim dim) const {
    std::vector<uint64_t> columns;
    for (uint64_t base : toOffset.basesOf(dim))
      columns.push_back((base & ~(vector - 1)) * elementBytes);
    return columns;
  }
  SharedPlaces places(DeviceProgram &program, Location loc, uint64_t scratch) const {
    return SharedPlaces(program, loc, scratch, threadBytes(Dim::Lane), threadBytes(Dim::Warp));
  }
  /// Calls `visit` with each offset at which some thread accesses the vector that begins
  /// at a register.
  void forOffsets(uint64_t reg, function_ref<void(uint64_t)> visit) const {
    const BitSpace &from = toOffset.from();
    for (uint64_t lane = 0; lane < uint64_t(1) << from.bitsOf(Dim::Lane); ++lane)
      for (uint64_t warp = 0; warp < uint64_t(1) << from.bitsOf(Dim::Warp); ++warp)
        visit(toOffset.apply(reg, lane, warp) & ~(vector - 1));
  }
  uint64_t width() const { return vector; }

private:
  uint64_t firstOf(uint64_t reg) const {
    return reg ^ registerStep(toOffset.apply(reg, 0, 0) & (vector - 1));
  }

  LinearLayout toOffset;
  std::vector<uint64_t> live, steps;
  uint64_t vector;
  unsigned elementBytes;
};

/// Executes a SharedPlan on values without i1.
class SharedExecution {
public:
  SharedExecution(DeviceProgram &program, Location loc, const ConversionPlan &plan,
                  uint64_t scratch)
      : program(program), loc(loc), plan(plan), scratch(scratch),
        writer(plan.source, plan.shared->layout, plan.shared->write, plan.elementBytes),
        reader(plan.destination, plan.shared->layout, plan.shared->read, plan.elementBytes) {}

  File run(File registers) {
    Type element = anyOf(registers).getType();
    write(std::move(registers));
    if (plan.shared->withinWarps)
      program.warpBarrier(loc);
    else
      program.barrier(loc);
    return read(element);
  }

private:
  void write(File registers) {
    registers = exchange(program, loc, std::move(registers), writer.exchangedBy(Dim::Lane),
                         writer.exchangedBy(Dim::Warp));
    SharedPlaces places = writer.places(program, loc, scratch);
    Value isFirst =
        program.isFirst(loc, plan.source.freeBits(Dim::Lane), plan.source.freeBits(Dim::Warp));
    Value filler = anyOf(registers);
    emitIf(program, loc, isFirst, [&]() {
      for (uint64_t first : written()) {
        SmallVector<Value> elements;
        for (uint64_t i = 0; i < writer.width(); ++i) {
          Value value = registers[first ^ writer.registerStep(i)];
          elements.push_back(value ? value : filler);
        }
        storeShared(program, loc, elements, places.at(writer.bytesAt(first)));
      }
    });
  }

  /// Vectors with elements, and those that are read along with elements: all that is
  /// read has been written.
  std::vector<uint64_t> written() const {
    std::vector<uint64_t> live = writer.firsts(/*onlyLive=*/true);
    std::vector<uint64_t> all = writer.firsts(/*onlyLive=*/false);
    if (live.size() == all.size())
      return live;
    std::vector<bool> isRead(plan.shared->layout.from().size());
    for (uint64_t first : reader.firsts(/*onlyLive=*/true))
      reader.forOffsets(first, [&](uint64_t offset) {
        for (uint64_t i = 0; i < reader.width(); ++i)
          isRead[offset + i] = true;
      });
    llvm::DenseSet<uint64_t> isLive(live.begin(), live.end());
    std::vector<uint64_t> result;
    for (uint64_t first : all) {
      bool isNeeded = isLive.contains(first);
      writer.forOffsets(first, [&](uint64_t offset) {
        for (uint64_t i = 0; i < writer.width(); ++i)
          isNeeded |= isRead[offset + i];
      });
      if (isNeeded)
        result.push_back(first);
    }
    return result;
  }

  File read(Type element) {
    SharedPlaces places = reader.places(program, loc, scratch);
    File registers(uint64_t(1) << plan.destination.from().bitsOf(Dim::Register));
    for (uint64_t first : reader.firsts(/*onlyLive=*/true)) {
      Value address = places.at(reader.bytesAt(first));
      SmallVector<Value> elements = loadShared(program, loc, element, reader.width(), address);
      for (auto [i, value] : llvm::enumerate(elements))
        registers[first ^ reader.registerStep(i)] = value;
    }
    return exchange(program, loc, std::move(registers), reader.exchangedBy(Dim::Lane),
                    reader.exchangedBy(Dim::Warp));
  }

  DeviceProgram &program;
  Location loc;
  const ConversionPlan &plan;
  uint64_t scratch;
  SharedSide writer, reader;
};

} // namespace

//===----------------------------------------------------------------------===//
// Plans
//===----------------------------------------------------------------------===//

static Value executeRegisters(DeviceProgram &program, Location loc, const ConversionPlan &plan,
                              Value source) {
  std::vector<uint64_t> live = plan.source.liveRegisters();
  SmallVector<int64_t> order;
  for (uint64_t reg : plan.destination.liveRegisters())
    order.push_back(llvm::lower_bound(live, plan.sourceRegisters[reg]) - live.begin());
  return vector::ShuffleOp::create(program.builder, loc, source, source, order);
}

Value fsm::gpu::executeConversion(DeviceProgram &program, Location loc, const ConversionPlan &plan,
                                  Value source, uint64_t scratch) {
  if (plan.kind == ConversionKind::Nothing)
    return source;
  if (plan.kind == ConversionKind::Registers)
    return executeRegisters(program, loc, plan, source);
  Type element = getElementTypeOrSelf(source.getType());
  File file = unpack(program, loc, toBytes(program, loc, source), plan.source);
  file = plan.kind == ConversionKind::Shuffles
             ? ShuffleExecution(program, loc, plan).run(std::move(file))
             : SharedExecution(program, loc, plan, scratch).run(std::move(file));
  return fromBytes(program, loc, pack(program, loc, file, plan.destination), element);
}

static LogicalResult lower(ThreadLowering &thread, ConvertLayoutOp op) {
  std::optional<uint64_t> scratch = scratchOffset(op);
  if (!scratch)
    return failure();
  ConversionPlan plan = planBetween(linearLayoutOf(op.getSource().getType()),
                                    linearLayoutOf(op.getType()), op.getType().getElementType());
  return thread.setResult(op, executeConversion(thread.program, op.getLoc(), plan,
                                                thread.lookup(op.getSource()), *scratch));
}

void fsm::gpu::addConvertLayoutHandlers(HandlerTable &table) {
  addHandler<ConvertLayoutOp, lower>(table);
}
