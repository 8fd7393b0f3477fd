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
  ShuffleExecution(DeviceProgram &program, const ConversionPlan &plan)
      : program(program), plan(plan), shuffle(plan.shuffle) {}

  RegisterFile run(RegisterFile registers) {
    RegisterFile offered =
        exchange(program, std::move(registers), shuffle.offeredByLane.columnVectors(),
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
    return exchange(program, std::move(placed), shuffle.placedByLane.columnVectors(), {});
  }

private:
  Value move(const ShuffleRound &round, Value word) {
    if (shuffle.isButterfly())
      return program.shuffleXor(word, static_cast<unsigned>(round.readLane));
    if (!from)
      from = program.linear(shuffle.readByLane.columnVectors(), shuffle.readByWarp.columnVectors());
    Value lane = from;
    if (round.readLane)
      lane = arith::XOrIOp::create(program.builder, lane, program.i32(round.readLane));
    return program.shuffleFrom(word, lane);
  }

  SmallVector<Value> moveTogether(const ShuffleRound &round, SmallVector<Value> elements) {
    if (!round.moves)
      return elements;
    if (elements.size() == 1)
      return {move(round, elements[0])};
    for (Value &element : elements)
      if (!element)
        element = anyOf(elements);
    ImplicitLocOpBuilder &builder = program.builder;
    Type type = elements[0].getType();
    unsigned width = type.getIntOrFloatBitWidth() * static_cast<unsigned>(elements.size());
    Value all = program.vectorOf(elements);
    Value word = LLVM::BitcastOp::create(builder, builder.getIntegerType(width), all);
    Value moved = move(round, word);
    return program.elementsOf(LLVM::BitcastOp::create(builder, all.getType(), moved));
  }

  DeviceProgram &program;
  const ConversionPlan &plan;
  const ShufflePlan &shuffle;
  Value from;
};

} // namespace

//===----------------------------------------------------------------------===//
// Plans
//===----------------------------------------------------------------------===//

static Value executeRegisters(DeviceProgram &program, const ConversionPlan &plan, Value source) {
  std::vector<uint64_t> live = plan.source.liveRegisters();
  SmallVector<int64_t> order;
  for (uint64_t reg : plan.destination.liveRegisters())
    order.push_back(llvm::lower_bound(live, plan.sourceRegisters[reg]) - live.begin());
  return vector::ShuffleOp::create(program.builder, source, source, order);
}

static LogicalResult lower(ThreadLowering &thread, ConvertLayoutOp op) {
  DeviceProgram &program = thread.program;
  Value source = thread.lookup(op.getSource());
  ConversionPlan plan = planBetween(linearLayoutOf(op.getSource().getType()),
                                    linearLayoutOf(op.getType()), op.getType().getElementType());
  switch (plan.kind) {
  case ConversionKind::Nothing:
    return thread.setResult(op, source);
  case ConversionKind::Registers:
    return thread.setResult(op, executeRegisters(program, plan, source));
  case ConversionKind::Shuffles:
    break;
  case ConversionKind::SharedMemory:
    return op.emitOpError("expected a conversion that a warp does by itself; 'fsm-stage-exchanges' "
                          "takes others through shared memory");
  }
  Type element = getElementTypeOrSelf(source.getType());
  RegisterFile file = unpack(program, toMemory(program.builder, op.getLoc(), source), plan.source);
  file = ShuffleExecution(program, plan).run(std::move(file));
  Value moved = pack(program, file, plan.destination);
  return thread.setResult(op, program.fromBytes(moved, element));
}

void fsm::gpu::addConvertLayoutHandlers(HandlerTable &table) {
  addHandler<ConvertLayoutOp, lower>(table);
}
