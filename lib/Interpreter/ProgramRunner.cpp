//===- ProgramRunner.cpp - Programs of a launch, one by one --------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProgramRunner.h"

#include "fsm/IR/Origins.h"

using namespace mlir;
using namespace fsm;
using namespace fsm::interpreter;

// Deep enough for any kernel a person writes, shallow enough for the stack.
static constexpr unsigned kMaxCallDepth = 100;
static constexpr unsigned kMaxBlockDepth = 1000;

std::string interpreter::placeOf(Location loc) {
  std::string place = textOfPlace(loc);
  return place.empty() ? place : place + ": ";
}

ProgramRunner::ProgramRunner(Grid grid, std::vector<Buffer> buffers)
    : extents{grid.x, grid.y, grid.z}, buffers(std::move(buffers)) {
  addAtomicHandlers(table);
  addConstantHandlers(table);
  addControlFlowHandlers(table);
  addConvertHandlers(table);
  addDebugHandlers(table);
  addDotHandlers(table);
  addFloatArithHandlers(table);
  addGatherHandlers(table);
  addIntegerArithHandlers(table);
  addMathHandlers(table);
  addMemoryHandlers(table);
  addNumericHandlers(table);
  addProgramHandlers(table);
  addReduceHandlers(table);
  addShapeHandlers(table);
  addSortHandlers(table);
  addTileHandlers(table);
}

LogicalResult ProgramRunner::failWith(std::string message) {
  if (!firstError)
    firstError = Error{Error::Kind::Execution, std::move(message)};
  return failure();
}

LogicalResult ProgramRunner::fail(Operation *op, const Twine &sentence) {
  return failWith((placeOf(op->getLoc()) + "program (" + Twine(id[0]) + ", " + Twine(id[1]) + ", " +
                   Twine(id[2]) + ") " + sentence)
                      .str());
}

std::vector<ElementsRef> ProgramRunner::share(ValueRange range) {
  std::vector<ElementsRef> all;
  all.reserve(range.size());
  for (Value value : range)
    all.push_back(share(value));
  return all;
}

void ProgramRunner::set(Value value, std::vector<uint64_t> bits) {
  set(value, std::make_shared<Elements>(Elements{value.getType(), std::move(bits), -1}));
}

Handler ProgramRunner::handlerOf(Operation *op) {
  auto [entry, isNew] = handlers.try_emplace(op->getName(), nullptr);
  if (isNew)
    entry->second = table.lookup(op->getName().getStringRef());
  return entry->second;
}

/// Each op gives one element at least, the end of a block too, so that a loop around nothing ends;
/// a product takes as many steps for each of its own as the sum is long.
LogicalResult ProgramRunner::spend(Operation *op) {
  if (!mostElements)
    return success();
  uint64_t elements = 1;
  for (Type type : llvm::concat<const Type>(op->getResultTypes(), op->getOperandTypes()))
    if (auto block = dyn_cast<RankedTensorType>(type))
      elements += static_cast<uint64_t>(block.getNumElements());
  if (auto dot = dyn_cast<DotOp>(op))
    elements *= static_cast<uint64_t>(dot.getLeft().getType().getShape().back());
  elementsGiven += elements;
  if (elementsGiven <= mostElements)
    return success();
  return fail(op, "does not end within " + Twine(mostElements) + " elements");
}

LogicalResult ProgramRunner::runProgram(std::array<int32_t, 3> program, Block &body,
                                        ArrayRef<ElementsRef> arguments) {
  id = program;
  values.clear();
  if (raceFinder)
    raceFinder->order.begin(static_cast<uint32_t>(id[0]) +
                            static_cast<uint32_t>(extents[0]) *
                                (static_cast<uint32_t>(id[1]) +
                                 static_cast<uint32_t>(extents[1]) * static_cast<uint32_t>(id[2])));
  return runBlock(body.getParentOp(), body, arguments);
}

std::array<int32_t, 3> ProgramRunner::programOf(uint32_t number) const {
  uint32_t width = static_cast<uint32_t>(extents[0]), height = static_cast<uint32_t>(extents[1]);
  return {static_cast<int32_t>(number % width), static_cast<int32_t>(number / width % height),
          static_cast<int32_t>(number / width / height)};
}

FailureOr<std::vector<ElementsRef>> ProgramRunner::runBlock(Operation *parent, Block &block,
                                                            ArrayRef<ElementsRef> arguments) {
  if (blockDepth == kMaxBlockDepth)
    return fail(parent, "nests more than " + Twine(kMaxBlockDepth) + " regions and calls");
  if (block.empty() || block.getNumArguments() != arguments.size())
    return fail(parent, "reaches a region that does not fit its operation");
  ++blockDepth;
  for (auto [argument, elements] : llvm::zip_equal(block.getArguments(), arguments))
    set(argument, elements);
  for (Operation &op : block) {
    if (failed(spend(&op)))
      return failure();
    if (op.hasTrait<OpTrait::IsTerminator>())
      break;
    Handler handler = handlerOf(&op);
    if (!handler)
      return fail(&op, "reaches '" + op.getName().getStringRef() +
                           "', which the interpreter does not know");
    if (failed(handler(*this, &op)))
      return failure();
  }
  --blockDepth;
  return share(block.back().getOperands());
}

FailureOr<std::vector<ElementsRef>> ProgramRunner::runCall(Operation *call, Block &body,
                                                           ArrayRef<ElementsRef> arguments) {
  if (callDepth == kMaxCallDepth)
    return fail(call, "calls more than " + Twine(kMaxCallDepth) +
                          " helpers inside one another; helpers must not be recursive without end");
  ++callDepth;
  // A helper that calls itself has several values per SSA value.
  llvm::DenseMap<Value, ElementsRef> callersValues = std::move(values);
  values.clear();
  FailureOr<std::vector<ElementsRef>> results = runBlock(call, body, arguments);
  values = std::move(callersValues);
  --callDepth;
  return results;
}
