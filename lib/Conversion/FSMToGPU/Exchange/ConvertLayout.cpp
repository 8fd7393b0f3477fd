//===- ConvertLayout.cpp - Moving elements between threads ---------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// What lib/Layout/ExecutePlan.cpp does to numbers is here done by threads.

#include "../Program/ThreadLowering.h"
#include "RegisterFile.h"
#include "fsm/Analysis/ScratchSize.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include <map>

using namespace mlir;
using namespace fsm;
using namespace fsm::gpu;

//===----------------------------------------------------------------------===//
// Shuffles
//===----------------------------------------------------------------------===//

namespace {

/// Executes a ShufflePlan on values without i1.
class ShuffleExecution {
public:
  ShuffleExecution(DeviceProgram &program, Location loc, const ConversionPlan &plan)
      : program(program), loc(loc), plan(plan), shuffle(plan.shuffle) {}

  RegisterFile run(RegisterFile registers) {
    RegisterFile offered =
        exchange(program, loc, std::move(registers), shuffle.offeredByLane.columnVectors(),
                 shuffle.offeredByWarp.columnVectors());
    RegisterFile placed(uint64_t(1) << plan.destination.from().bitsOf(Dim::Register));
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
      RegisterFile some;
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
      lane = arith::XOrIOp::create(program.builder, loc, lane, program.i32(loc, round.readLane));
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
    Value all = program.vectorOf(loc, elements);
    Value word = LLVM::BitcastOp::create(builder, loc, builder.getIntegerType(width), all);
    Value moved = move(round, word);
    return program.elementsOf(loc, LLVM::BitcastOp::create(builder, loc, all.getType(), moved));
  }

  DeviceProgram &program;
  Location loc;
  const ConversionPlan &plan;
  const ShufflePlan &shuffle;
  Value from;
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

static LogicalResult lower(ThreadLowering &thread, ConvertLayoutOp op) {
  DeviceProgram &program = thread.program;
  Location loc = op.getLoc();
  Value source = thread.lookup(op.getSource());
  ConversionPlan plan = planBetween(linearLayoutOf(op.getSource().getType()),
                                    linearLayoutOf(op.getType()), op.getType().getElementType());
  switch (plan.kind) {
  case ConversionKind::Nothing:
    return thread.setResult(op, source);
  case ConversionKind::Registers:
    return thread.setResult(op, executeRegisters(program, loc, plan, source));
  case ConversionKind::Shuffles:
    break;
  case ConversionKind::SharedMemory:
    return op.emitOpError("expected a conversion that a warp does by itself; 'fsm-stage-exchanges' "
                          "takes others through shared memory");
  }
  Type element = getElementTypeOrSelf(source.getType());
  RegisterFile file = unpack(program, loc, toMemory(program.builder, loc, source), plan.source);
  file = ShuffleExecution(program, loc, plan).run(std::move(file));
  Value moved = pack(program, loc, file, plan.destination);
  return thread.setResult(op, program.fromBytes(loc, moved, element));
}

void fsm::gpu::addConvertLayoutHandlers(HandlerTable &table) {
  addHandler<ConvertLayoutOp, lower>(table);
}
