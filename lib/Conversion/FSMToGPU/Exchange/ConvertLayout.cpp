//===- ConvertLayout.cpp - Moving elements between threads ---------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// What test/Unit/Layout/ExecutePlan.cpp does to numbers is here done by threads.

#include "../Program/ThreadLowering.h"
#include "RegisterFile.h"
#include "fsm/Analysis/ScratchSize.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

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

  RegisterFile run(const RegisterFile &registers) {
    RegisterFile offered =
        exchange(program, wordsOf(registers), shuffle.offeredByLane.columnVectors(),
                 shuffle.offeredByWarp.columnVectors());
    RegisterFile placed(uint64_t(1) << plan.destination.from().bitsOf(Dim::Register));
    // Of the rounds of a word's elements the first one is enough.
    uint64_t inWord = indexOf(shuffle.elementsPerShuffle() - 1, shuffle.destinationTogether);
    for (const ShuffleRound &round : shuffle.rounds) {
      uint64_t from =
          round.offered & ~indexOf(shuffle.elementsPerShuffle() - 1, shuffle.sourceTogether);
      Value &to = placed[round.placed & ~inWord];
      if (!to && offered[from])
        to = round.moves ? move(round, offered[from]) : offered[from];
    }
    return elementsOf(
        exchange(program, std::move(placed), shuffle.placedByLane.columnVectors(), {}));
  }

private:
  /// A number's bits at these places.
  static uint64_t indexOf(uint64_t number, const std::vector<unsigned> &places) {
    uint64_t index = 0;
    for (auto [i, place] : llvm::enumerate(places))
      index |= (number >> i & 1) << place;
    return index;
  }

  /// In place of the first element of each word the word.
  RegisterFile wordsOf(const RegisterFile &registers) {
    unsigned together = shuffle.elementsPerShuffle();
    if (together == 1)
      return registers;
    ImplicitLocOpBuilder &builder = program.builder;
    unsigned width = anyOf(registers).getType().getIntOrFloatBitWidth() * together;
    RegisterFile words(registers.size());
    for (uint64_t first = 0; first < registers.size(); ++first) {
      if (first & indexOf(together - 1, shuffle.sourceTogether))
        continue;
      SmallVector<Value> elements;
      for (uint64_t i = 0; i < together; ++i)
        elements.push_back(registers[first | indexOf(i, shuffle.sourceTogether)]);
      if (llvm::all_of(elements, [](Value value) { return !value; }))
        continue;
      for (Value &element : elements)
        element = element ? element : anyOf(elements);
      words[first] = LLVM::BitcastOp::create(builder, builder.getIntegerType(width),
                                             program.vectorOf(elements));
    }
    element = anyOf(registers).getType();
    return words;
  }

  /// What `wordsOf` has put together.
  RegisterFile elementsOf(const RegisterFile &words) {
    int64_t together = shuffle.elementsPerShuffle();
    if (together == 1)
      return words;
    RegisterFile registers(words.size());
    for (auto [first, word] : llvm::enumerate(words)) {
      if (!word)
        continue;
      Value all =
          LLVM::BitcastOp::create(program.builder, VectorType::get({together}, element), word);
      for (auto [i, value] : llvm::enumerate(program.elementsOf(all)))
        registers[first | indexOf(i, shuffle.destinationTogether)] = value;
    }
    return registers;
  }

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

  DeviceProgram &program;
  const ConversionPlan &plan;
  const ShufflePlan &shuffle;
  /// The type of an element, where words are made of them.
  Type element;
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
  file = ShuffleExecution(program, plan).run(file);
  Value moved = pack(program, file, plan.destination);
  return thread.setResult(op, program.fromBytes(moved, element));
}

void fsm::gpu::addConvertLayoutHandlers(HandlerTable &table) {
  addHandler<ConvertLayoutOp, lower>(table);
}
