//===- LoopPrograms.cpp - Programs that go on to the next ones -----------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   %p = fsm.program_id x     %first = fsm.program_id x
//   ...                       %count = fsm.num_programs x
//                             %step = fsm.program_step
//                             scf.for %p = %first to %count step %step {
//                               ...
//                             }
//
// Nothing behind this pass knows who wrote the loop.

#include "fsm/Transforms/LoopOption.h"
#include "fsm/Transforms/Passes.h"

#include "fsm/IR/FSMDialect.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Transforms/LoopInvariantCodeMotionUtils.h"

namespace fsm {
#define GEN_PASS_DEF_LOOPPROGRAMSPASS
#include "fsm/Transforms/Passes.h.inc"
} // namespace fsm

using namespace mlir;
using namespace fsm;

namespace {
/// An op because of which each program has threads of its own, and why.
struct Obstacle {
  Operation *op;
  StringRef reason;
};
} // namespace

/// Whether memory decides how long a loop goes on.
static bool mayWait(scf::WhileOp loop) {
  return loop
      ->walk([](Operation *op) {
        auto access = dyn_cast<GlobalAccess>(op);
        return access && access.reads() ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

static std::optional<Obstacle> obstacleIn(KernelOp kernel) {
  if (kernel->hasAttr(kPartsAttr))
    return Obstacle{kernel, "several ctas share a loop of each"};
  if (kernel->hasAttr(kBatchAttr))
    return Obstacle{kernel, "the same threads compute several at once"};
  std::optional<Obstacle> found;
  kernel.getBody().walk([&](Operation *op) {
    if (isa<PrintOp, AssertOp>(op))
      found = Obstacle{op, "it says of which program it is"};
    if (auto loop = dyn_cast<scf::WhileOp>(op); loop && mayWait(loop))
      found = Obstacle{op, "it may wait for another one"};
    return found ? WalkResult::interrupt() : WalkResult::advance();
  });
  return found;
}

Result<int32_t> fsm::startedGivenBy(const std::string &loopPrograms) {
  int32_t number = 0;
  if (loopPrograms == "auto" || loopPrograms == "never" || loopPrograms == "always")
    return 0;
  if (!StringRef(loopPrograms).getAsInteger(10, number) && number > 0)
    return number;
  return badInput(
      "expected loop-programs 'auto', 'never', 'always' or a number of programs, got '" +
      loopPrograms + "'");
}

/// Puts the body into a loop over the programs.
static void writeLoop(KernelOp kernel) {
  Block &body = kernel.getBody().front();
  Operation *end = body.getTerminator();
  SmallVector<ProgramIdOp> ids;
  kernel.getBody().walk([&](ProgramIdOp id) {
    if (id.getAxis() == GridAxis::X)
      ids.push_back(id);
  });
  ImplicitLocOpBuilder builder(kernel.getLoc(), &body, body.begin());
  Type number = builder.getI32Type();
  Value first = ProgramIdOp::create(builder, number, GridAxis::X);
  Value count = NumProgramsOp::create(builder, number, GridAxis::X);
  Value step = ProgramStepOp::create(builder, number);
  auto loop = scf::ForOp::create(builder, first, count, step);
  Block *inside = loop.getBody();
  inside->getOperations().splice(inside->getTerminator()->getIterator(), body.getOperations(),
                                 std::next(loop->getIterator()), end->getIterator());
  for (ProgramIdOp id : ids) {
    id.replaceAllUsesWith(loop.getInductionVar());
    id.erase();
  }
  moveLoopInvariantCode(loop);
}

namespace {
struct LoopPrograms : fsm::impl::LoopProgramsPassBase<LoopPrograms> {
  using LoopProgramsPassBase::LoopProgramsPassBase;

  void runOnOperation() override {
    KernelOp kernel = getOperation();
    Result<int32_t> given = startedGivenBy(loopPrograms);
    if (!given) {
      kernel.emitError() << given.error().message;
      return signalPassFailure();
    }
    auto inText = cast_or_null<IntegerAttr>(kernel->removeAttr(kLoopProgramsAttr));
    bool isWanted = loopPrograms == "always" || *given || (loopPrograms == "auto" && inText);
    if (!isWanted)
      return;
    if (std::optional<Obstacle> obstacle = obstacleIn(kernel)) {
      if (remarks)
        obstacle->op->emitRemark() << "programs do not go on to others: " << obstacle->reason;
      return;
    }
    writeLoop(kernel);
    kernel->setAttr(kLoopProgramsAttr,
                    inText && !*given ? inText : OpBuilder(kernel).getI32IntegerAttr(*given));
    if (remarks)
      kernel.emitRemark() << "each program that is started goes on to others";
    ++looped;
  }
};
} // namespace
