//===- Interpreter.cpp - Runs a kernel as it is written ------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Interpreter/Interpreter.h"

#include "LaunchArguments.h"
#include "ProgramRunner.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;
using namespace fsm;
using namespace fsm::interpreter;

/// Gives the helpers that `kernel` calls, directly or through others.
static std::vector<func::FuncOp> helpersOf(KernelOp kernel) {
  std::vector<func::FuncOp> helpers;
  llvm::SmallPtrSet<Operation *, 8> seen;
  auto collect = [&](Operation *root) {
    root->walk([&](func::CallOp call) {
      auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(call, call.getCalleeAttr());
      if (callee && seen.insert(callee).second)
        helpers.push_back(callee);
    });
  };
  collect(kernel);
  for (size_t i = 0; i < helpers.size(); ++i)
    collect(helpers[i]);
  return helpers;
}

/// A helper's body obeys the language as a kernel's does, of which the kernel's
/// own verifier sees nothing.
static Result<void> checkHelpers(KernelOp kernel) {
  std::string message;
  ScopedDiagnosticHandler handler(kernel.getContext(), [&](Diagnostic &diagnostic) {
    if (message.empty())
      message = placeOf(diagnostic.getLocation()) + diagnostic.str();
    return success();
  });
  for (func::FuncOp helper : helpersOf(kernel)) {
    WalkResult result = helper.getBody().walk<WalkOrder::PreOrder>([](Operation *op) {
      return WalkResult(isa<func::ReturnOp>(op) ? success() : verifyLanguage(op));
    });
    if (result.wasInterrupted())
      return badInput(message);
  }
  return {};
}

/// Whether one of the kernel's programs can learn of what another has done.
static bool ordersPrograms(KernelOp kernel) {
  auto hasAcquire = [](Operation *root) {
    return root
        ->walk([](Operation *op) {
          auto access = dyn_cast<GlobalAccess>(op);
          return access && access.acquires() ? WalkResult::interrupt() : WalkResult::advance();
        })
        .wasInterrupted();
  };
  return hasAcquire(kernel) ||
         llvm::any_of(helpersOf(kernel), [&](func::FuncOp helper) { return hasAcquire(helper); });
}

/// Whether each program has a number of 32 bits; nobody waits for more of them.
static bool hasNumbers(Grid grid) {
  return static_cast<double>(grid.x) * grid.y * grid.z < 0xffffffffp0;
}

Result<void> fsm::interpret(KernelOp kernel, Grid grid, const std::vector<Argument> &arguments,
                            const InterpretOptions &options) {
  if (grid.x < 0 || grid.y < 0 || grid.z < 0)
    return badInput("the grid (" + std::to_string(grid.x) + ", " + std::to_string(grid.y) + ", " +
                    std::to_string(grid.z) + ") has a negative extent");
  if (Result<void> checked = checkHelpers(kernel); !checked)
    return checked;
  Result<LaunchArguments> launch = convertArguments(kernel, arguments);
  if (!launch)
    return launch.error();

  ProgramRunner runner(grid, launch->buffers);
  runner.setPrint(options.print);
  runner.setMostElements(options.mostElements);
  if (!options.allowsRaces && hasNumbers(grid))
    runner.findRaces(ordersPrograms(kernel));
  for (int32_t z = 0; z < grid.z; ++z)
    for (int32_t y = 0; y < grid.y; ++y)
      for (int32_t x = 0; x < grid.x; ++x)
        if (failed(runner.runProgram({x, y, z}, kernel.getBody().front(), launch->values)))
          return *runner.error();
  return {};
}
