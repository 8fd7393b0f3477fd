//===- BatchPrograms.cpp - Programs of small blocks share threads --------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Transforms/BatchOption.h"
#include "fsm/Transforms/Passes.h"

#include "BatchPlan.h"

#include "fsm/Analysis/ResourceEstimate.h"
#include "fsm/Artifact/CompiledKernel.h"

namespace fsm {
#define GEN_PASS_DEF_BATCHPROGRAMSPASS
#include "fsm/Transforms/Passes.h.inc"
} // namespace fsm

using namespace mlir;
using namespace fsm;

/// Two vectors of 16 bytes for each lane of a warp: so much does a batch's largest block have in memory.
static constexpr int64_t kBytesOfBatch = 1024;
/// All registers of a CTA: a larger block is on several CTAs, none of which has room for all of it to exchange it.
static constexpr int64_t kMostBytesOfBatch = 256 << 10;

static bool readsNumber(KernelOp kernel) {
  return kernel.getBody()
      .walk([](Operation *op) {
        return isBatchedId(op) ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

static Operation *firstLoop(KernelOp kernel) {
  Operation *first = nullptr;
  kernel.getBody().walk<WalkOrder::PreOrder>([&](LoopLikeOpInterface loop) {
    first = loop;
    return WalkResult::interrupt();
  });
  return first;
}

/// The bytes of the widest element that the kernel loads or stores; 0 where there is none.
static int64_t widestInMemory(KernelOp kernel) {
  int64_t most = 0;
  kernel.getBody().walk([&](GlobalAccess access) {
    auto pointer = cast<PointerType>(access.getPointer().getType());
    most = std::max(most, static_cast<int64_t>(bytesOf(pointer.getPointeeType())));
  });
  return most;
}

/// As many programs as fill a batch; 1 where one has so much by itself.
static int64_t programsOfBatch(KernelOp kernel, int64_t largest) {
  auto block = static_cast<int64_t>(llvm::PowerOf2Ceil(static_cast<uint64_t>(largest)));
  int64_t bytes = block * widestInMemory(kernel);
  return bytes ? std::max<int64_t>(1, kBytesOfBatch / bytes) : 1;
}

Result<int64_t> fsm::programsGivenBy(const std::string &batchPrograms) {
  uint64_t number = 0;
  if (batchPrograms == "auto" || batchPrograms == "never")
    return 0;
  if (!StringRef(batchPrograms).getAsInteger(10, number) && llvm::isPowerOf2_64(number) &&
      number <= kMostBatched)
    return static_cast<int64_t>(number);
  return badInput("expected batch-programs 'auto', 'never' or a power of two up to " +
                  std::to_string(kMostBatched) + ", got '" + batchPrograms + "'");
}

namespace {
struct BatchPrograms : fsm::impl::BatchProgramsPassBase<BatchPrograms> {
  using BatchProgramsPassBase::BatchProgramsPassBase;

  void runOnOperation() override {
    KernelOp kernel = getOperation();
    Result<int64_t> given = programsGivenBy(batchPrograms);
    if (!given) {
      kernel.emitError() << given.error().message;
      return signalPassFailure();
    }
    if (!packPrograms || batchPrograms == "never" || kernel.getNumCtas().value_or(1) > 1 ||
        !readsNumber(kernel))
      return markAllAnalysesPreserved();
    int64_t largest = largestBlockIn(kernel), programs = *given;
    if (!programs) {
      programs = programsOfBatch(kernel, largest);
      if (Operation *loop = firstLoop(kernel); loop && programs > 1)
        return refuse(loop, "few programs may stay in it for long");
    }
    if (programs == 1)
      return markAllAnalysesPreserved();
    BatchPlan plan(kernel);
    if (const std::optional<BatchObstacle> &obstacle = plan.obstacle())
      return refuse(obstacle->op, obstacle->reason);
    if (largest * programs > kMaxBlockElements)
      return refuse(kernel, "its blocks would have too many elements");
    if (largest * programs * std::max<int64_t>(kWordBytes, widestInMemory(kernel)) > kMostBytesOfBatch)
      return refuse(kernel, "its blocks would not fit the registers of a cta");
    if (remarks)
      kernel.emitRemark() << "computes " << programs
                          << " programs at once: their largest block has " << largest
                          << " elements";
    writeBatch(kernel, plan, programs);
    ++batched;
  }

private:
  void refuse(Operation *op, const Twine &reason) {
    if (remarks)
      op->emitRemark() << "programs are not computed several at once: " << reason;
  }
};
} // namespace
