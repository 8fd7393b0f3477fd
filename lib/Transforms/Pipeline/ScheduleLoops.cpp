//===- ScheduleLoops.cpp - Stages for loops whose loads run ahead --------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Transforms/Passes.h"

#include "../TargetOption.h"
#include "Loads/EarlyLoads.h"
#include "Loads/LoadCandidates.h"
#include "Loads/WalkingLoops.h"

#include "fsm/Analysis/Loops.h"
#include "fsm/Analysis/MemoryOrder.h"
#include "fsm/Analysis/MmaPlan.h"
#include "fsm/Analysis/ProgramCost.h"
#include "fsm/Analysis/ResourceEstimate.h"
#include "fsm/Analysis/ScratchPlan.h"

#include "mlir/Transforms/RegionUtils.h"
#include "llvm/Support/FormatVariadic.h"

namespace fsm {
#define GEN_PASS_DEF_SCHEDULELOOPSPASS
#include "fsm/Transforms/Passes.h.inc"
} // namespace fsm

using namespace mlir;
using namespace fsm;

/// No loop gains from more.
static constexpr unsigned kMaxStages = 8;
/// Those of a warp group, whose products may overlap.
static constexpr uint64_t kThreadsOfGroup = kGroupWarps * kWarpThreads;

namespace {
/// Plans the loops of a kernel, which share what there is.
class LoadScheduler {
public:
  LoadScheduler(KernelOp kernel, const GpuTarget &gpu, bool strict, bool remarks, bool tensorMaps);

  FailureOr<LoadPlan> schedule(scf::ForOp loop, unsigned stages, bool isForced);
  /// The stages that a loop asks for, or gets unasked; 1 for none.
  unsigned stagesOf(scf::ForOp loop);

private:
  FailureOr<unsigned> stagesThatFit(LoadCandidates &candidates, scf::ForOp loop, unsigned stages);
  void fitRegisters(LoadCandidates &candidates, scf::ForOp loop, uint64_t registers);
  LogicalResult reportLess(const LoadCandidates &candidates, scf::ForOp loop, unsigned asked,
                           unsigned given, const std::string &needs);
  uint64_t registersLeft(scf::ForOp loop);
  bool isHiddenByOthers(scf::ForOp loop, const LoadCandidates &candidates);
  double secondsOfRounds(scf::ForOp loop, const LoadCandidates &candidates, unsigned stages);
  void letProductsGoOn(LoadCandidates &candidates, unsigned stages);
  unsigned stagesBesideOthers(scf::ForOp loop, const LoadCandidates &candidates, unsigned most);
  unsigned stagesForMoreCtas(LoadCandidates &candidates, unsigned stages);
  /// How many ctas fit a multiprocessor where slots take so much of a program's shared memory.
  unsigned ctasBeside(uint64_t ringBytes);
  /// Sets `room` and `scratchBytes` for a loop of which these loads run ahead.
  void measureRoom(const LoadCandidates &candidates, scf::ForOp loop);
  /// The slots of a loop.
  struct Ring {
    scf::ForOp loop;
    uint64_t bytes;
    bool areTiles, hasTensors;
  };
  Ring ringOf(const LoadCandidates &candidates, scf::ForOp loop, uint64_t bytes) const;
  uint64_t ringBytesBeside(const Ring &ring) const;

  KernelOp kernel;
  const GpuTarget &gpu;
  bool strict, remarks, tensorMaps;
  ResourceEstimate estimate;
  /// Whether the loop at hand asks for its stages: else nobody is told that there are fewer.
  bool isAsked = true;
  /// How many share a cta.
  unsigned programs = 1;
  /// Shared memory of a program that nothing has taken yet while the loop runs, what blocks that are
  /// exchanged need at any time, and what is not needed because of slots.
  uint64_t room = 0, scratchBytes = 0;
  llvm::DenseSet<Operation *> replaced;
  llvm::SmallVector<Ring> rings;
  /// How many ops the kernel may get.
  uint64_t ops = kMaxKernelOps;
};
} // namespace

LoadScheduler::LoadScheduler(KernelOp kernel, const GpuTarget &gpu, bool strict, bool remarks,
                             bool tensorMaps)
    : kernel(kernel), gpu(gpu), strict(strict), remarks(remarks), tensorMaps(tensorMaps),
      estimate(estimateResources(kernel)) {
  programs = programsWithRoom(kernel, ScratchPlan::of(kernel).bytes(), gpu.maxSharedBytesPerCta) *
             groupsOfWarps(kernel);
  kernel.walk([&](Operation *) { ops -= ops > 0; });
}

LoadScheduler::Ring LoadScheduler::ringOf(const LoadCandidates &candidates, scf::ForOp loop,
                                          uint64_t bytes) const {
  bool hasTensors = candidates.hasTensors();
  auto around = loopsWithSlots(loop);
  return {hasTensors && around && !around->empty() ? around->front() : loop, bytes,
          candidates.areTiles(), hasTensors};
}

/// What slots of other loops take while a loop runs. Loops that follow one another have their tiles one after
/// the other (ScratchPlan.h).
uint64_t LoadScheduler::ringBytesBeside(const Ring &ring) const {
  uint64_t bytes = 0;
  for (Ring other : rings)
    if (!ring.areTiles || !other.areTiles || (ring.hasTensors && !other.hasTensors) ||
        other.loop->isAncestor(ring.loop) || ring.loop->isAncestor(other.loop))
      bytes += other.bytes;
  return bytes;
}

void LoadScheduler::measureRoom(const LoadCandidates &candidates, scf::ForOp loop) {
  llvm::DenseSet<Operation *> without = replaced;
  candidates.addReplaced(without);
  uint64_t most = gpu.maxSharedBytesPerCta / programs;
  uint64_t beside = scratchBytes = ScratchPlan::of(kernel, without).bytes();
  llvm::DenseSet<Operation *> elsewhere = without;
  Ring ring = ringOf(candidates, loop, 0);
  addOverSlotsOf(ring.loop, /*isBehind=*/ring.hasTensors, elsewhere);
  if (elsewhere.size() > without.size())
    beside = ScratchPlan::of(kernel, elsewhere).bytes();
  room = most - std::min(beside + ringBytesBeside(ring), most);
}

static void remarkOn(const EarlyLoad &early, unsigned iterations) {
  InFlightDiagnostic remark = emitRemark(early.load->getLoc());
  if (isEarly(early))
    remark << "this load runs " << iterations << (iterations == 1 ? " iteration" : " iterations")
           << " ahead, into " << (isInRing(early) ? "shared memory" : "registers");
  else
    remark << "this load does not run ahead of its loop";
  remark << ": " << early.reason.text();
  if (!isEarly(early) && early.reason.isOfPlace())
    remark << "; in registers it would take " << early.words << " more a thread";
}

LogicalResult LoadScheduler::reportLess(const LoadCandidates &candidates, scf::ForOp loop,
                                        unsigned asked, unsigned given, const std::string &needs) {
  InFlightDiagnostic report = strict ? loop.emitError() : loop.emitWarning();
  report << "num_stages is reduced from " << asked << " to " << given << ": " << asked
         << " stages need " << needs;
  for (const EarlyLoad &early : candidates.all())
    if (isEarly(early))
      report.attachNote(early.load->getLoc()) << "this load is to run ahead of the loop";
  return failure(strict);
}

/// What a block repeats, which is all that a thread has of it.
static Value repeatedIn(Value block) {
  while (isa_and_present<BroadcastOp, ExpandDimsOp>(block.getDefiningOp()))
    block = block.getDefiningOp()->getOperand(0);
  return block;
}

/// Words of a thread that hold blocks of numbers all through a loop.
static uint64_t wordsThrough(scf::ForOp loop) {
  llvm::SetVector<Value> used, values;
  getUsedValuesDefinedAbove(loop.getRegion(), used);
  for (Value value : used)
    values.insert(repeatedIn(value));
  values.insert(loop.getRegionIterArgs().begin(), loop.getRegionIterArgs().end());
  uint64_t words = 0;
  for (Value value : values) {
    auto block = dyn_cast<RankedTensorType>(value.getType());
    // Offsets and masks are made again where they are used, and so is one number everywhere.
    if (block && isa<FloatType>(block.getElementType()) &&
        !isa_and_present<SplatOp, arith::ConstantOp>(value.getDefiningOp()))
      words += registersOf(block);
  }
  return words;
}

uint64_t LoadScheduler::registersLeft(scf::ForOp loop) {
  uint64_t most = registersAllowed(kernel, gpu, estimate.threads / kWarpThreads);
  return most - std::min(most, wordsThrough(loop));
}

namespace {
/// What stages need, and what there is of it.
struct StageLimit {
  /// {0} is what they need, {1} what is left, {2} the GPU.
  const char *sentence;
  uint64_t (LoadCandidates::*need)(unsigned stages) const;
  uint64_t left;
  /// Which loads stay where two stages are too many, and why.
  bool (*needsIt)(const EarlyLoad &);
  LoadReason::Kind reason;
};
} // namespace

/// The most stages up to `stages` that fit, or 1.
static unsigned mostStages(unsigned stages, llvm::function_ref<bool(unsigned)> fits) {
  while (stages > 1 && !fits(stages))
    --stages;
  return stages;
}

/// Blocks that would be loaded one after the other are there at once when they run ahead, but where
/// each is taken from its slot when it is used, if a thread has no registers for all. Copies have
/// an iteration's time either way. What it has no registers for even so stays.
void LoadScheduler::fitRegisters(LoadCandidates &candidates, scf::ForOp loop, uint64_t registers) {
  bool isTight = candidates.registersHeld(2) > registers;
  if (isTight && candidates.takeLate(true)) {
    measureRoom(candidates, loop);
    candidates.takeLate(candidates.ringBytes(2) <= room);
  }
  while (candidates.registersHeld(2) > registers)
    candidates.giveUpLast();
}

FailureOr<unsigned> LoadScheduler::stagesThatFit(LoadCandidates &candidates, scf::ForOp loop,
                                                 unsigned stages) {
  uint64_t registers = registersLeft(loop);
  fitRegisters(candidates, loop, registers);
  measureRoom(candidates, loop);
  // Copies beside a product are worth more than one product beside another.
  if (candidates.ringBytes(2) > room)
    candidates.keepNoneInFlight();
  const StageLimit limits[] = {
      {"{0} registers a thread, of which {1} are left; use smaller blocks or a lower num_stages",
       &LoadCandidates::registersHeld, registers, isEarly, LoadReason::NoRegisters},
      {"{0} bytes of shared memory a program, of which {2} has {1} left; use smaller blocks or a "
       "lower num_stages",
       &LoadCandidates::ringBytes, room, isInRing, LoadReason::NoSharedMemory},
      {"about {0} more ops, of which a kernel has {1} left; use a lower num_stages",
       &LoadCandidates::moreOps, ops, isEarly, LoadReason::TooManyOps},
  };
  for (const StageLimit &limit : limits) {
    auto needOf = [&](unsigned number) { return (candidates.*limit.need)(number); };
    unsigned most =
        mostStages(stages, [&](unsigned number) { return needOf(number) <= limit.left; });
    if (most < stages && failed(reportLess(candidates, loop, stages, most,
                                           llvm::formatv(/*Validate=*/false, limit.sentence,
                                                         needOf(stages), limit.left, gpu.name)
                                               .str())))
      return failure();
    // What does not need it may run ahead of the next iteration still.
    if (most == 1)
      candidates.giveUp(limit.reason, limit.needsIt);
    stages = std::max(2u, most);
  }
  return stages;
}

/// Whether an iteration does more than wait for its loads: it stores, or threads meet in it.
static bool hasOtherWaits(scf::ForOp loop) {
  return loop
      ->walk([](Operation *op) {
        auto access = dyn_cast<GlobalAccess>(op);
        bool waits = isa<ThreadBarrier, MBarrierWaitOp>(op) || (access && access.writes());
        return waits ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

unsigned LoadScheduler::ctasBeside(uint64_t ringBytes) {
  auto registers = static_cast<unsigned>(std::min<uint64_t>(
      gpu.maxRegistersPerThread, estimate.blocks.held.registers + kOtherRegisters));
  auto threads = static_cast<unsigned>(estimate.threads / estimate.programsPerCta * programs);
  uint64_t taken = gpu.maxSharedBytesPerCta - room * programs + ringBytes * programs;
  return classicalOccupancy(gpu, registers, threads,
                            static_cast<unsigned>(std::max(taken, scratchBytes * programs)));
}

/// While an iteration of a shared loop reduces or stores, the loads of other ctas are on their way,
/// and none need run ahead (docs/decisions/0038-waves-of-persistent-programs.md), if they are enough.
bool LoadScheduler::isHiddenByOthers(scf::ForOp loop, const LoadCandidates &candidates) {
  if (!sharesWork(loop) || !hasOtherWaits(loop))
    return false;
  uint64_t threads = estimate.threads / estimate.programsPerCta * programs;
  uint64_t others = std::max(1u, ctasBeside(0)) - 1;
  return others * threads * candidates.words() * 4 >= kBytesOnTheirWay;
}

/// What the rounds of a loop take a multiprocessor that has as many ctas as it has room for with so many stages,
/// for each of the ctas.
double LoadScheduler::secondsOfRounds(scf::ForOp loop, const LoadCandidates &candidates,
                                      unsigned stages) {
  constexpr int64_t rounds = 64;
  llvm::DenseSet<Operation *> early;
  for (const EarlyLoad &load : candidates.all())
    if (isInRing(load) && stages > 1)
      early.insert(load.load);
  const GpuRates &rates = ratesOf(gpu);
  ProgramCost cost;
  cost.parts.push_back(costOfRound(loop, early, stages - 1));
  cost.parts.front().loops.push_back({{{CostStep::Kind::Number, 0}},
                                      {{CostStep::Kind::Number, rounds}},
                                      {{CostStep::Kind::Number, 1}}});
  cost.warps = static_cast<unsigned>(estimate.threads / kWarpThreads);
  cost.ctasPerMultiprocessor = ctasBeside(candidates.ringBytes(stages));
  LaunchNumbers launch;
  launch.grid.x = rates.multiprocessors * cost.ctasPerMultiprocessor;
  return predictSeconds(cost, rates, launch) / std::max(1u, cost.ctasPerMultiprocessor);
}

/// Whether tensor cores multiply in each round of a loop.
static bool hasTensorProducts(scf::ForOp loop) {
  return llvm::any_of(loop.getBody()->getOps<SharedDotOp>(),
                      [](SharedDotOp product) { return product->hasAttr(kMmaAttr); });
}

/// Of at most so many stages, those with which a multiprocessor does most. Stages that leave it a single cta,
/// where it could have more, hide less than they cost, but where tensor cores work as long as copies take: products
/// in flight keep them busy by themselves, and of others a model says it, which has numbers for them.
unsigned LoadScheduler::stagesBesideOthers(scf::ForOp loop, const LoadCandidates &candidates,
                                           unsigned most) {
  if (!candidates.planOf(most).inFlight.empty())
    return most;
  unsigned wanted = std::min(2u, ctasBeside(0));
  unsigned stages = mostStages(most, [&](unsigned number) {
    return ctasBeside(candidates.ringBytes(number)) >= wanted;
  });
  if (stages == most || !hasTensorProducts(loop))
    return stages;
  double best = secondsOfRounds(loop, candidates, stages);
  for (unsigned number = stages + 1; number <= most; ++number)
    if (double seconds = secondsOfRounds(loop, candidates, number); seconds < best) {
      best = seconds;
      stages = number;
    }
  return stages;
}

/// Products go on beside others where the slot more that they need costs no cta: one that waits for a product has the
/// tensor cores to itself as long as another one has.
void LoadScheduler::letProductsGoOn(LoadCandidates &candidates, unsigned stages) {
  unsigned ctas = ctasBeside(candidates.ringBytes(stages));
  candidates.letGoOnBesideOthers(true);
  uint64_t bytes = candidates.ringBytes(stages);
  candidates.letGoOnBesideOthers(bytes <= room && ctasBeside(bytes) >= ctas);
}

/// Of fewer ctas of a group of warps each scheduler has less than four warps to go on with.
static constexpr unsigned kFewCtas = 4;

/// No more than iterations, where their number is known: a slot for each is enough.
static unsigned stagesOfIterations(scf::ForOp loop, unsigned stages) {
  std::optional<APInt> iterations = loop.getStaticTripCount();
  if (!iterations || iterations->uge(stages))
    return stages;
  return std::max(2u, static_cast<unsigned>(iterations->getZExtValue()));
}

/// Ctas of few warps hide more for one another than slots do: of copies by threads products stay in
/// flight where the slot more costs none of few ctas, and warps whose products end one after the
/// other have a stage less where that leaves room for another cta
/// (docs/decisions/0243-a-slot-or-a-cta.md).
unsigned LoadScheduler::stagesForMoreCtas(LoadCandidates &candidates, unsigned stages) {
  if (estimate.threads > kThreadsOfGroup || candidates.hasTensors())
    return stages;
  unsigned ctas = ctasBeside(candidates.ringBytes(stages));
  if (estimate.threads < kThreadsOfGroup) {
    unsigned fewer = stages;
    while (fewer > 2 && ctasBeside(candidates.ringBytes(fewer)) <= ctas)
      --fewer;
    return ctasBeside(candidates.ringBytes(fewer)) > ctas ? fewer : stages;
  }
  LoadCandidates ended = candidates;
  ended.keepNoneInFlight();
  if (ctas < kFewCtas && ctasBeside(ended.ringBytes(stages)) > ctas)
    candidates.keepNoneInFlight();
  return stages;
}

unsigned LoadScheduler::stagesOf(scf::ForOp loop) {
  isAsked = loop->hasAttr(kNumStagesAttr);
  if (isAsked)
    return std::min<int64_t>(integerAttrOr(loop, kNumStagesAttr, 1), kMaxStages);
  unsigned stages = stagesOfWalk(loop, estimate, gpu);
  // Those behind ask what runs ahead.
  if (stages > 1)
    loop->setAttr(kNumStagesAttr, Builder(kernel.getContext()).getI32IntegerAttr(stages));
  return stages;
}

FailureOr<LoadPlan> LoadScheduler::schedule(scf::ForOp loop, unsigned stages, bool isForced) {
  LoadCandidates candidates(loop, findEarlyLoads(loop, gpu, tensorMaps));
  measureRoom(candidates, loop);
  if (!isForced && isHiddenByOthers(loop, candidates))
    candidates.giveUp(LoadReason::OtherPrograms);
  // Elements that are loaded one by one have a register each until they are packed, beside those of the
  // row at hand: where the rows are shared, that lost 5 to 18 % (decision 38).
  if (!isForced && sharesWork(loop))
    candidates.giveUpNarrow();
  if (!isForced && estimate.threads < kThreadsOfGroup)
    stages = stagesOfIterations(loop, stages);
  FailureOr<unsigned> fitting = stagesThatFit(candidates, loop, stages);
  if (failed(fitting))
    return failure();
  stages = *fitting;
  if (candidates.hasWork() && !isForced)
    stages = stagesBesideOthers(loop, candidates, stages);
  if (stages > 1 && candidates.hasWork() && !isForced && hasTensorProducts(loop))
    stages = stagesForMoreCtas(candidates, stages);
  if (stages == 1)
    candidates.giveUp(LoadReason::OneCta);
  else
    letProductsGoOn(candidates, stages);
  LoadPlan plan = candidates.planOf(candidates.hasWork() ? stages : 1);
  rings.push_back(ringOf(candidates, loop, candidates.ringBytes(plan.stages)));
  candidates.addReplaced(replaced);
  ops -= candidates.moreOps(plan.stages);
  if (!remarks)
    return plan;
  for (auto [early, entry] : llvm::zip(candidates.all(), plan.loads))
    remarkOn(early, plan.iterationsAhead(entry));
  if (plan.stages > 1 && plan.takesLate)
    loop.emitRemark() << "a thread takes each block from its slot where it is used";
  if (stages < *fitting)
    loop.emitRemark() << "takes " << stages << " of " << *fitting
                      << " stages: more would leave a multiprocessor fewer ctas";
  return plan;
}

/// Of so many bytes that a thread loads in an iteration the registers of some iterations have room.
static constexpr uint64_t kFewBytes = 16;
/// The same of loops that go from row to row, or along several rows at once: these often go far,
/// where few iterations find most of a row (docs/decisions/0235-loops-from-row-to-row.md,
/// 0241-loops-along-several-rows.md).
static constexpr uint64_t kFewBytesOfRows = 96;

/// Bytes that a thread loads in an iteration; nothing where the loop does more than load blocks, compute and store.
static std::optional<uint64_t> bytesOfPlainLoads(scf::ForOp loop) {
  uint64_t loaded = 0;
  for (Operation &op : loop.getBody()->without_terminator()) {
    bool isPlain = isa<GlobalAccess>(op) ? isPlainAccess(&op) : isMemoryEffectFree(&op);
    if (!isPlain || op.getNumRegions() != 0)
      return std::nullopt;
    auto block = isa<LoadOp>(op) ? dyn_cast<RankedTensorType>(op.getResult(0).getType())
                                 : RankedTensorType();
    if (block)
      loaded += linearLayoutOf(block).from().extentOf(Dim::Register) *
                bytesOf(block.getElementType());
  }
  return loaded;
}

/// Whether a loop takes the next rows of what it loads, as far as its step tells: it is how many rows each block has, and not how
/// many columns.
static bool goesFromRowToRow(scf::ForOp loop) {
  std::optional<int64_t> step = getConstantIntValue(loop.getStep());
  return step && llvm::all_of(loop.getBody()->getOps<LoadOp>(), [&](LoadOp load) {
    auto block = dyn_cast<RankedTensorType>(load.getType());
    return !block || (block.getRank() == 2 && block.getDimSize(0) == *step && block.getDimSize(1) != *step);
  });
}

/// Whether a loop goes along several rows of a block that it loads.
static bool goesAlongSeveralRows(scf::ForOp loop) {
  std::optional<int64_t> step = getConstantIntValue(loop.getStep());
  auto isAlong = [&](LoadOp load) {
    auto block = dyn_cast<RankedTensorType>(load.getType());
    return block && block.getRank() == 2 && block.getDimSize(0) > 1 && block.getDimSize(1) == step;
  };
  return step && llvm::any_of(loop.getBody()->getOps<LoadOp>(), isAlong);
}

/// Whether nobody but ptxas can let the loads of several iterations begin together, and may: a loop
/// without stages that loads blocks of which a thread has little, computes and stores.
static bool mayBeUnrolled(scf::ForOp loop) {
  uint64_t loaded = bytesOfPlainLoads(loop).value_or(0);
  bool goesFar = goesFromRowToRow(loop) || goesAlongSeveralRows(loop);
  return loaded > 0 && loaded <= (goesFar ? kFewBytesOfRows : kFewBytes);
}

namespace {
struct ScheduleLoops : fsm::impl::ScheduleLoopsPassBase<ScheduleLoops> {
  using ScheduleLoopsPassBase::ScheduleLoopsPassBase;

  void runOnOperation() override {
    const GpuTarget *gpu = targetOrError(getOperation(), target);
    if (!gpu)
      return signalPassFailure();
    LoadScheduler scheduler(getOperation(), *gpu, strict, remarks, tensorMaps);
    WalkResult result = getOperation().walk([&](scf::ForOp loop) {
      unsigned stages = scheduler.stagesOf(loop);
      if (stages < 2) {
        if (mayBeUnrolled(loop))
          loop->setAttr(kMayUnrollAttr, UnitAttr::get(&getContext()));
        return WalkResult::advance();
      }
      if (std::optional<LoadReason> obstacle = obstacleTo(loop)) {
        if (remarks)
          loop.emitRemark() << "the loads of this loop do not run ahead: " << obstacle->text();
        return WalkResult::advance();
      }
      FailureOr<LoadPlan> plan = scheduler.schedule(loop, stages, loop->hasAttr(kForcedStagesAttr));
      if (failed(plan))
        return WalkResult::interrupt();
      plan->write();
      pipelined += plan->stages > 1;
      return WalkResult::advance();
    });
    if (result.wasInterrupted())
      signalPassFailure();
  }
};
} // namespace
