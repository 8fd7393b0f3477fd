//===- ProgramRunner.h - Programs of a launch, one by one ------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_INTERPRETER_PROGRAMRUNNER_H
#define FSM_INTERPRETER_PROGRAMRUNNER_H

#include "Elements.h"
#include "ProgramRaces.h"

#include "fsm/Artifact/DebugRecords.h"
#include "fsm/Artifact/Launch.h"
#include "fsm/Support/Result.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"

#include <array>
#include <optional>

namespace fsm::interpreter {

class ProgramRunner;

/// Executes one op: reads its operands from the runner, sets its results.
using Handler = mlir::LogicalResult (*)(ProgramRunner &, mlir::Operation *);

/// What each op does, by the op's name.
using HandlerTable = llvm::StringMap<Handler>;

// One per family of ops; each is at the end of the file of that name.
void addAtomicHandlers(HandlerTable &table);
void addConstantHandlers(HandlerTable &table);
void addControlFlowHandlers(HandlerTable &table);
void addConvertHandlers(HandlerTable &table);
void addDebugHandlers(HandlerTable &table);
void addDotHandlers(HandlerTable &table);
void addFloatArithHandlers(HandlerTable &table);
void addGatherHandlers(HandlerTable &table);
void addIntegerArithHandlers(HandlerTable &table);
void addMathHandlers(HandlerTable &table);
void addMemoryHandlers(HandlerTable &table);
void addNumericHandlers(HandlerTable &table);
void addProgramHandlers(HandlerTable &table);
void addReduceHandlers(HandlerTable &table);
void addShapeHandlers(HandlerTable &table);
void addSortHandlers(HandlerTable &table);
void addTileHandlers(HandlerTable &table);

/// A pointer argument: the bytes the kernel may touch, and what to call it.
struct Buffer {
  uint64_t address = 0;
  uint64_t bytes = 0;
  bool readOnly = false;
  std::string name;
};

/// `file:line:col: ` of the nearest place in a file that `loc` names, or
/// nothing when it names none.
std::string placeOf(mlir::Location loc);

/// Runs programs of one launch, one after the other. An op that fails records
/// the error, and everything above it returns failure.
class ProgramRunner {
public:
  /// `buffers` has one entry per kernel argument; those of scalars are unused.
  ProgramRunner(Grid grid, std::vector<Buffer> buffers);

  /// Runs one program of the grid.
  mlir::LogicalResult runProgram(std::array<int32_t, 3> id, mlir::Block &body,
                                 llvm::ArrayRef<ElementsRef> arguments);

  /// Runs the ops of a block on its arguments; gives the operands of its
  /// terminator.
  mlir::FailureOr<std::vector<ElementsRef>> runBlock(mlir::Operation *parent, mlir::Block &block,
                                                     llvm::ArrayRef<ElementsRef> arguments);

  /// Runs the body of a helper with values of its own.
  mlir::FailureOr<std::vector<ElementsRef>> runCall(mlir::Operation *call, mlir::Block &body,
                                                    llvm::ArrayRef<ElementsRef> arguments);

  const Elements &get(mlir::Value value) { return *values[value]; }
  /// The one element of a scalar.
  uint64_t scalar(mlir::Value value) { return get(value).bits.front(); }
  /// The same, to be kept or handed on.
  ElementsRef share(mlir::Value value) { return values[value]; }
  std::vector<ElementsRef> share(mlir::ValueRange range);

  void set(mlir::Value value, ElementsRef elements) { values[value] = std::move(elements); }
  void set(mlir::Value value, std::vector<uint64_t> bits);

  /// Records that `op` failed: `sentence` says what this program did, as in
  /// `loads ...`. The first error stays.
  llvm::LogicalResult fail(mlir::Operation *op, const llvm::Twine &sentence);

  /// The same with the whole message.
  llvm::LogicalResult failWith(std::string message);

  /// Gets a line for each element that is printed; by default they are lost.
  void setPrint(PrintLine print) { sink = std::move(print); }
  /// Bounds what all programs together do; 0 does not.
  void setMostElements(uint64_t elements) { mostElements = elements; }
  /// Looks for races between the programs that run from now on.
  void findRaces(bool ordersPrograms) { raceFinder.emplace(ordersPrograms); }
  /// Null where nobody looks for them.
  ProgramRaces *races() { return raceFinder ? &*raceFinder : nullptr; }
  void printLine(const std::string &line) const {
    if (sink)
      sink(line);
  }

  const std::array<int32_t, 3> &program() const { return id; }
  /// The program that ran so many programs behind the first.
  std::array<int32_t, 3> programOf(uint32_t number) const;
  const std::vector<Buffer> &argumentBuffers() const { return buffers; }
  int32_t programId(GridAxis axis) const { return id[static_cast<unsigned>(axis)]; }
  int32_t numPrograms(GridAxis axis) const { return extents[static_cast<unsigned>(axis)]; }
  /// What constants hold is worked out once per launch.
  ElementsRef &constant(mlir::Operation *op) { return constants[op]; }

  /// Counts what programs have changed in memory: two equal counts, and nothing has.
  void noteChange() { ++memoryChanges; }
  uint64_t changes() const { return memoryChanges; }

  const std::optional<Error> &error() const { return firstError; }

private:
  Handler handlerOf(mlir::Operation *op);
  mlir::LogicalResult spend(mlir::Operation *op);

  std::array<int32_t, 3> extents;
  std::array<int32_t, 3> id = {0, 0, 0};
  std::vector<Buffer> buffers;
  HandlerTable table;
  llvm::DenseMap<mlir::OperationName, Handler> handlers;
  llvm::DenseMap<mlir::Value, ElementsRef> values;
  llvm::DenseMap<mlir::Operation *, ElementsRef> constants;
  std::optional<Error> firstError;
  uint64_t memoryChanges = 0, mostElements = 0, elementsGiven = 0;
  PrintLine sink;
  std::optional<ProgramRaces> raceFinder;
  unsigned callDepth = 0;
  unsigned blockDepth = 0;
};

} // namespace fsm::interpreter

#endif // FSM_INTERPRETER_PROGRAMRUNNER_H
