//===- CheckResources.cpp - Reports what does not fit the GPU -------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Transforms/Passes.h"

#include "../TargetOption.h"

#include "fsm/Analysis/ResourceEstimate.h"
#include "fsm/Analysis/ScratchPlan.h"

#include "llvm/ADT/MapVector.h"

namespace fsm {
#define GEN_PASS_DEF_CHECKRESOURCESPASS
#include "fsm/Transforms/Passes.h.inc"
} // namespace fsm

using namespace mlir;
using namespace fsm;

/// More warps are suggested when they leave a thread so many registers of blocks.
static constexpr uint64_t kGoodRegisters = 128;
/// A block with more of them takes minutes to compile: LLVM and ptxas took 4 s and 0.8 GB for
/// a softmax with 1024, 50 s and 12 GB with 4096.
static constexpr uint64_t kMostRegistersOfBlock = 1024;

/// Why the blocks are not walked in pieces, which need less.
static void noteWhole(InFlightDiagnostic &report, KernelOp kernel) {
  if (auto place = kernel->getAttrOfType<NameLoc>(kWholeAttr))
    report.attachNote(place.getChildLoc())
        << "its blocks are not walked piece by piece: " << place.getName().getValue();
}

static LogicalResult checkThreads(KernelOp kernel, const GpuTarget &target,
                                  const ResourceEstimate &needs) {
  if (kernel.getNumCtas().value_or(1) > 1 && !target.features.clusters)
    return kernel.emitError() << "asks for a cluster of " << *kernel.getNumCtas() << " ctas, and "
                              << target.name << " has no clusters: leave out 'num_ctas'";
  if (needs.threads <= target.maxThreadsPerCta)
    return success();
  return kernel.emitError() << "needs " << needs.threads << " threads a cta, of which "
                            << target.name << " has " << target.maxThreadsPerCta << ": lower '"
                            << (needs.programsPerCta > 1 ? kProgramsPerCtaAttr : "num_warps")
                            << "'";
}

static LogicalResult checkShared(KernelOp kernel, const GpuTarget &target,
                                 const ResourceEstimate &needs) {
  if (needs.sharedBytes <= target.maxSharedBytesPerCta)
    return success();
  InFlightDiagnostic error = kernel.emitError()
                             << "needs " << needs.sharedBytes
                             << " bytes of shared memory a cta, of which " << target.name << " has "
                             << target.maxSharedBytesPerCta << ": use smaller blocks";
  if (needs.programsPerCta > 1)
    error << " or a lower '" << kProgramsPerCtaAttr << "'";
  ScratchPlan plan = ScratchPlan::writtenIn(kernel);
  // An op that is written as many, such as a sort, takes the same bytes again and again, or some of
  // them.
  llvm::MapVector<std::pair<Location, uint64_t>, uint64_t> most;
  for (const SharedBuffer &buffer : plan.buffers()) {
    uint64_t &bytes = most[{buffer.op->getLoc(), buffer.offset}];
    bytes = std::max(bytes, buffer.bytes);
  }
  for (auto [place, bytes] : most)
    error.attachNote(place.first) << "this takes " << bytes << " of them, at " << place.second;
  noteWhole(error, kernel);
  return error;
}

/// The fewest warps that leave few registers a thread, or else few enough; 0 when none do.
static uint64_t warpsThatFit(const GpuTarget &target, const ResourceEstimate &needs) {
  uint64_t fitting = 0;
  for (uint64_t warps = 2 * needs.warps; warps * kWarpThreads <= target.maxThreadsPerCta;
       warps *= 2) {
    uint64_t held = llvm::divideCeil(needs.blocks.held.registers * needs.warps, warps);
    uint64_t largest = llvm::divideCeil(needs.blocks.largest.registers * needs.warps, warps);
    if (held > registersPerThread(target, warps) || largest > kMostRegistersOfBlock)
      continue;
    fitting = warps;
    if (held <= kGoodRegisters)
      break;
  }
  return fitting;
}

static void suggest(InFlightDiagnostic &report, KernelOp kernel, const GpuTarget &target,
                    const ResourceEstimate &needs) {
  if (uint64_t warps = warpsThatFit(target, needs))
    report << "more warps ('attributes {num_warps = " << warps << "}') or ";
  report << "a smaller block";
  report.attachNote(kernel.getLoc()) << "the kernel has " << needs.threads << " threads a cta";
  noteWhole(report, kernel);
}

static LogicalResult checkLargest(KernelOp kernel, const GpuTarget &target,
                                  const ResourceEstimate &needs) {
  auto [registers, op] = needs.blocks.largest;
  if (registers <= kMostRegistersOfBlock)
    return success();
  InFlightDiagnostic error =
      op->emitError() << "needs " << registers << " registers a thread for this block; more than "
                      << kMostRegistersOfBlock << " take minutes to compile: use ";
  suggest(error, kernel, target, needs);
  return error;
}

static LogicalResult checkHeld(KernelOp kernel, const GpuTarget &target,
                               const ResourceEstimate &needs, bool strict) {
  uint64_t available = registersPerThread(target, needs.threads / kWarpThreads);
  uint64_t left = registersAllowed(kernel, target, needs.threads / kWarpThreads);
  auto [registers, op] = needs.blocks.held;
  if (registers <= left)
    return success();
  InFlightDiagnostic report = strict ? op->emitError() : op->emitWarning();
  report << "needs about " << registers
         << " registers a thread for the blocks in use here, of which ";
  if (left < available)
    report << "'max_registers' leaves " << left;
  else
    report << target.name << " has " << available;
  if (left == available && available < target.maxRegistersPerThread)
    report << " with " << needs.threads << " threads";
  report << ", so that some wait in local memory, which is slow: "
         << (left < available ? "raise it, or use " : "use ");
  suggest(report, kernel, target, needs);
  return failure(strict);
}

static void remarkOnRegisters(KernelOp kernel, const GpuTarget &target,
                              const ResourceEstimate &needs) {
  auto [registers, op] = needs.blocks.held;
  InFlightDiagnostic remark = op ? op->emitRemark() : kernel.emitRemark();
  remark << "a thread holds about " << registers << " registers of blocks "
         << (op ? "here" : "at a time") << ", of "
         << registersAllowed(kernel, target, needs.threads / kWarpThreads);
}

namespace {
struct CheckResources : PassForTarget<fsm::impl::CheckResourcesPassBase<CheckResources>> {
  using PassForTarget::PassForTarget;

  LogicalResult runFor(KernelOp kernel, const GpuTarget &gpu) override {
    ResourceEstimate needs = estimateResources(kernel);
    if (failed(checkThreads(kernel, gpu, needs)) || failed(checkShared(kernel, gpu, needs)) ||
        failed(checkLargest(kernel, gpu, needs)) || failed(checkHeld(kernel, gpu, needs, strict)))
      return failure();
    if (remarks)
      remarkOnRegisters(kernel, gpu, needs);
    return success();
  }
};
} // namespace
