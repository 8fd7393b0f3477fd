//===- ScheduleLoops.cpp - Stages for loops whose loads run ahead --------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Transforms/Passes.h"

#include "../TargetOption.h"
#include "EarlyLoads.h"

#include "fsm/Analysis/Atomics.h"
#include "fsm/Analysis/PipelinePlan.h"
#include "fsm/Analysis/ResourceEstimate.h"
#include "fsm/Analysis/ScratchPlan.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/Support/FormatVariadic.h"

#include <map>

namespace fsm {
#define GEN_PASS_DEF_SCHEDULELOOPSPASS
#include "fsm/Transforms/Passes.h.inc"
} // namespace fsm

using namespace mlir;
using namespace fsm;

/// No loop gains from more.
static constexpr unsigned kMaxStages = 8;

namespace {
/// One loop and the loads in it that run ahead.
class LoadScheduler {
public:
  LoadScheduler(scf::ForOp loop, std::vector<EarlyLoad> loads)
      : loop(loop), loads(std::move(loads)) {}

  bool hasWork() const;
  /// Shared memory of a program with so many stages.
  uint64_t ringBytes(unsigned stages) const;
  /// How many ops the kernel gets by so many stages, about.
  uint64_t moreOps(unsigned stages) const;
  /// Loads that are meant do not run ahead.
  void giveUp(LoadReason::Kind reason, bool (*isMeant)(const EarlyLoad &) = isEarly);
  /// Words of a thread that hold what is taken at once when an iteration begins, and what
  /// waits in registers.
  uint64_t registersHeld(unsigned stages) const;
  /// The last load that runs ahead stays; no other waits for it.
  void giveUpLast();
  /// Moves the early loads to the beginning of the body, with copies of what computes
  /// their addresses, and writes the stages.
  void write(unsigned stages);

  const std::vector<EarlyLoad> &all() const { return loads; }

private:
  unsigned levels() const;
  unsigned stageOf(const EarlyLoad &early, unsigned stages) const;
  void carryAgain(unsigned stages);
  void copySlices(unsigned stages);
  void chooseOther(EarlyLoad &early);
  void mark(Operation *op, unsigned stage);
  void dropDead();

  scf::ForOp loop;
  std::vector<EarlyLoad> loads;
  /// What stands for the values of the body in each stage.
  std::map<unsigned, IRMapping> inStage;
};
} // namespace

bool LoadScheduler::hasWork() const { return llvm::any_of(loads, isEarly); }

unsigned LoadScheduler::levels() const {
  unsigned most = 0;
  for (const EarlyLoad &early : loads)
    if (isEarly(early))
      most = std::max(most, early.level + 1);
  return most;
}

/// Loads of one level begin together; the levels share the distance between the first stage
/// and the last. What is in registers is there for one iteration.
unsigned LoadScheduler::stageOf(const EarlyLoad &early, unsigned stages) const {
  unsigned last = stages - 1;
  if (early.buffer == LoadBuffer::Registers && !early.isAwaited)
    return last - 1;
  return early.level * last / levels();
}

uint64_t LoadScheduler::ringBytes(unsigned stages) const {
  uint64_t bytes = 0;
  for (const EarlyLoad &early : loads)
    if (isInRing(early))
      bytes += (stages - 1 - stageOf(early, stages)) * early.slotBytes;
  return bytes;
}

void LoadScheduler::giveUp(LoadReason::Kind reason, bool (*isMeant)(const EarlyLoad &)) {
  for (EarlyLoad &early : loads)
    if (isEarly(early) && isMeant(early)) {
      early.buffer = LoadBuffer::None;
      early.reason = {reason};
    }
}

uint64_t LoadScheduler::registersHeld(unsigned stages) const {
  uint64_t words = 0;
  for (const EarlyLoad &early : loads)
    if (early.buffer == LoadBuffer::Registers && early.isAwaited)
      words += early.words * (stages - 1 - stageOf(early, stages));
    else if (isEarly(early))
      words += early.words;
  return words;
}

void LoadScheduler::giveUpLast() {
  auto last = llvm::find_if(llvm::reverse(loads), isEarly);
  last->buffer = LoadBuffer::None;
  last->reason = {LoadReason::NoRegisters};
}

/// An early op stands once in the loop and once for each iteration that its stage begins in
/// front of it.
uint64_t LoadScheduler::moreOps(unsigned stages) const {
  // A load becomes some ops, and each stage counts its slots and iterations.
  constexpr uint64_t opsOfLoad = 8, opsOfStage = 24;
  std::map<unsigned, llvm::DenseSet<Operation *>> slices;
  std::map<unsigned, uint64_t> count;
  for (const EarlyLoad &early : loads) {
    if (!isEarly(early))
      continue;
    unsigned stage = stageOf(early, stages);
    count[stage] += opsOfLoad;
    for (Operation *op : sliceOf(loop, addressOf(early.load)).ops)
      slices[stage].insert(op);
  }
  uint64_t ops = 0;
  for (auto &[stage, inLoop] : count)
    ops += (opsOfStage + inLoop + slices[stage].size()) * (stages - stage);
  return ops;
}

void LoadScheduler::mark(Operation *op, unsigned stage) {
  op->setAttr(kStageAttr, Builder(op->getContext()).getI32IntegerAttr(stage));
}

/// A carried value that an early address needs is carried once more for its stage, because
/// early stages are some iterations further.
void LoadScheduler::carryAgain(unsigned stages) {
  SmallVector<std::pair<unsigned, BlockArgument>> again;
  for (EarlyLoad &early : loads)
    if (isEarly(early))
      for (BlockArgument carried : sliceOf(loop, addressOf(early.load)).carried) {
        std::pair<unsigned, BlockArgument> entry{stageOf(early, stages), carried};
        if (!llvm::is_contained(again, entry))
          again.push_back(entry);
      }
  if (again.empty())
    return;
  SmallVector<Value> inits;
  SmallVector<unsigned> numbers;
  for (auto &[stage, carried] : again) {
    inits.push_back(loop.getTiedLoopInit(carried)->get());
    numbers.push_back(carried.getArgNumber() - 1);
  }
  unsigned before = loop.getNumRegionIterArgs();
  IRRewriter rewriter(loop);
  auto keep = [](OpBuilder &, Location, ArrayRef<BlockArgument> arguments) {
    return SmallVector<Value>(arguments.begin(), arguments.end());
  };
  NamedAttrList attributes(loop->getDiscardableAttrDictionary());
  auto grown = cast<scf::ForOp>(*loop.replaceWithAdditionalYields(
      rewriter, inits, /*replaceInitOperandUsesInLoop=*/false, keep));
  grown->setDiscardableAttrs(attributes);
  loop = grown;
  for (auto [i, number] : llvm::enumerate(numbers))
    inStage[again[i].first].map(loop.getRegionIterArg(number), loop.getRegionIterArg(before + i));
}

/// In front of the body, stage by stage: copies of what computes the addresses, and the loads.
void LoadScheduler::copySlices(unsigned stages) {
  Block *body = loop.getBody();
  // New ops first: the loads move in front of them, too.
  for (EarlyLoad &early : loads)
    if (isInRing(early))
      chooseOther(early);
  auto isListed = [&](Operation *op) {
    return llvm::any_of(loads, [&](EarlyLoad &early) { return early.load == op; });
  };
  Operation *first = &body->front();
  while (isListed(first))
    first = first->getNextNode();
  std::map<unsigned, SmallVector<EarlyLoad *>> byStage;
  for (EarlyLoad &early : loads)
    if (isEarly(early))
      byStage[stageOf(early, stages)].push_back(&early);
  // Slices are taken before anything moves.
  std::map<unsigned, std::vector<Operation *>> ops;
  for (auto &[stage, list] : byStage) {
    llvm::DenseSet<Operation *> wanted;
    for (EarlyLoad *early : list) {
      wanted.insert(early->load);
      for (Operation *op : sliceOf(loop, addressOf(early->load)).ops)
        if (!isa<LoadOp>(op))
          wanted.insert(op);
    }
    for (Operation &op : *body)
      if (wanted.contains(&op))
        ops[stage].push_back(&op);
  }
  for (auto &[stage, list] : ops) {
    IRMapping &mapping = inStage[stage];
    for (Operation *op : list) {
      OpBuilder builder(first);
      if (!isa<LoadOp>(op)) {
        mark(builder.clone(*op, mapping), stage);
        continue;
      }
      op->moveBefore(first);
      for (OpOperand &operand : op->getOpOperands())
        operand.set(mapping.lookupOrDefault(operand.get()));
      mark(op, stage);
    }
    auto yield = cast<scf::YieldOp>(body->getTerminator());
    for (BlockArgument argument : loop.getRegionIterArgs()) {
      Value again = mapping.lookupOrNull(argument);
      if (!again)
        continue;
      unsigned from = argument.getArgNumber() - 1;
      unsigned to = cast<BlockArgument>(again).getArgNumber() - 1;
      yield.setOperand(to, mapping.lookupOrDefault(yield.getOperand(from)));
    }
  }
}

/// A copy leaves zeros where the mask is false, or, a bulk one, what was there. Another number is
/// put there when the block is taken, where the load was.
void LoadScheduler::chooseOther(EarlyLoad &early) {
  LoadOp load = early.load;
  Value other = load.getOther();
  load.getOtherMutable().clear();
  APInt integer;
  bool isZero = !other || matchPattern(other, m_PosZeroFloat()) ||
                (matchPattern(other, m_ConstantInt(&integer)) && integer.isZero());
  if ((isZero && early.buffer == LoadBuffer::Async) || !load.getMask())
    return;
  OpBuilder builder(load);
  builder.setInsertionPointAfter(load);
  Location loc = load.getLoc();
  auto type = cast<RankedTensorType>(load.getType());
  if (!other)
    other = arith::ConstantOp::create(builder, loc,
                                      cast<TypedAttr>(builder.getZeroAttr(type.getElementType())));
  if (!isa<RankedTensorType>(other.getType()))
    other = SplatOp::create(builder, loc, type, other);
  auto chosen = arith::SelectOp::create(builder, loc, load.getMask(), load.getResult(), other);
  chosen->setAttr(kOtherElementsAttr, builder.getUnitAttr());
  load.getResult().replaceAllUsesExcept(chosen, chosen);
}

/// What only the addresses of early loads needed.
void LoadScheduler::dropDead() {
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(*loop.getBody())))
    if (isOpTriviallyDead(&op))
      op.erase();
}

void LoadScheduler::write(unsigned stages) {
  Builder builder(loop.getContext());
  for (EarlyLoad &early : loads)
    early.load->setAttr(kBufferAttr, LoadBufferAttr::get(loop.getContext(), early.buffer));
  if (stages < 2)
    return;
  loop->setAttr(kStagesAttr, builder.getI32IntegerAttr(stages));
  carryAgain(stages);
  copySlices(stages);
  dropDead();
}

namespace {
struct ScheduleLoops : fsm::impl::ScheduleLoopsPassBase<ScheduleLoops> {
  using ScheduleLoopsPassBase::ScheduleLoopsPassBase;

  void runOnOperation() override {
    KernelOp kernel = getOperation();
    const GpuTarget *gpu = targetOrError(kernel, target);
    if (!gpu)
      return signalPassFailure();
    uint64_t scratch = ScratchPlan::of(kernel).bytes(), most = gpu->maxSharedBytesPerCta;
    programs = programsWithRoom(kernel, scratch, most);
    room = most / programs - std::min(scratch, most / programs);
    kernel.walk([&](Operation *) { ops -= ops > 0; });
    SmallVector<scf::ForOp> loops;
    kernel.walk([&](scf::ForOp loop) {
      if (loop->hasAttr(kNumStagesAttr))
        loops.push_back(loop);
    });
    for (scf::ForOp loop : loops)
      if (failed(schedule(loop, *gpu)))
        return signalPassFailure();
  }

  LogicalResult schedule(scf::ForOp loop, const GpuTarget &gpu);
  FailureOr<unsigned> stagesThatFit(LoadScheduler &scheduler, scf::ForOp loop, const GpuTarget &gpu,
                                    unsigned stages);
  LogicalResult reportLess(const LoadScheduler &scheduler, scf::ForOp loop, unsigned asked,
                           unsigned given, const Twine &needs);
  uint64_t registersLeft(scf::ForOp loop, const GpuTarget &gpu);
  bool isHiddenByOthers(scf::ForOp loop, const GpuTarget &gpu);
  /// How many ctas fit a multiprocessor where rings take so much of a program's shared memory.
  unsigned ctasBeside(uint64_t ringBytes, const GpuTarget &gpu);
  void remarkOn(const EarlyLoad &early);

  /// How many share a cta.
  unsigned programs = 1;
  /// Shared memory of a program that nothing has taken yet.
  uint64_t room = 0;
  /// How many ops the kernel may get.
  uint64_t ops = kMaxKernelOps;
};
} // namespace

/// Why a loop cannot run in stages at all, or an empty string.
static std::string obstacleOf(scf::ForOp loop) {
  for (Value yielded : loop.getYieldedValues())
    if (!yielded.getDefiningOp() || yielded.getDefiningOp()->getBlock() != loop.getBody())
      return "it carries a value that its body does not compute";
  return "";
}

void ScheduleLoops::remarkOn(const EarlyLoad &early) {
  LoadOp load = early.load;
  InFlightDiagnostic remark = load.emitRemark();
  remark << "this load " << (isEarly(early) ? "runs" : "does not run") << " ahead of its loop";
  if (isEarly(early))
    remark << (isInRing(early) ? ", into shared memory" : ", into registers");
  remark << ": " << early.reason.text();
  if (!isEarly(early) && early.reason.isOfPlace())
    remark << "; in registers it would take " << early.words << " more a thread";
}

LogicalResult ScheduleLoops::reportLess(const LoadScheduler &scheduler, scf::ForOp loop,
                                        unsigned asked, unsigned given, const Twine &needs) {
  InFlightDiagnostic report = strict ? loop.emitError() : loop.emitWarning();
  report << "num_stages is reduced from " << asked << " to " << given << ": " << asked
         << " stages need " << needs;
  for (const EarlyLoad &early : scheduler.all())
    if (isEarly(early))
      report.attachNote(early.load->getLoc()) << "this load is to run ahead of the loop";
  return failure(strict);
}

/// Words of a thread that hold blocks of numbers all through a loop.
static uint64_t wordsThrough(scf::ForOp loop) {
  llvm::SetVector<Value> values;
  getUsedValuesDefinedAbove(loop.getRegion(), values);
  values.insert(loop.getRegionIterArgs().begin(), loop.getRegionIterArgs().end());
  uint64_t words = 0;
  for (Value value : values) {
    auto block = dyn_cast<RankedTensorType>(value.getType());
    // Offsets and masks are made again where they are used, and so is one number everywhere.
    if (block && isa<FloatType>(block.getElementType()) &&
        !isa_and_present<SplatOp, arith::ConstantOp>(value.getDefiningOp()))
      words += wordsOf(block);
  }
  return words;
}

uint64_t ScheduleLoops::registersLeft(scf::ForOp loop, const GpuTarget &gpu) {
  KernelOp kernel = getOperation();
  uint64_t threads = std::max<uint64_t>(1, estimateResources(kernel).threads);
  uint64_t most =
      std::min<uint64_t>(gpu.maxRegistersPerThread, gpu.registersPerSm / threads / 8 * 8);
  most = std::min<uint64_t>(most, kernel.getMaxRegisters().value_or(most));
  return most - std::min(most, wordsThrough(loop));
}

namespace {
/// What stages need, and what there is of it.
struct StageLimit {
  /// {0} is what they need, {1} what is left, {2} the GPU.
  const char *sentence;
  uint64_t (LoadScheduler::*need)(unsigned stages) const;
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

FailureOr<unsigned> ScheduleLoops::stagesThatFit(LoadScheduler &scheduler, scf::ForOp loop,
                                                 const GpuTarget &gpu, unsigned stages) {
  const StageLimit limits[] = {
      {"{0} registers a thread, of which {1} are left; use smaller blocks or a lower num_stages",
       &LoadScheduler::registersHeld, registersLeft(loop, gpu), isEarly, LoadReason::NoRegisters},
      {"{0} bytes of shared memory a program, of which {2} has {1} left; use smaller blocks or a "
       "lower num_stages",
       &LoadScheduler::ringBytes, room, isInRing, LoadReason::NoSharedMemory},
      {"about {0} more ops, of which a kernel has {1} left; use a lower num_stages",
       &LoadScheduler::moreOps, ops, isEarly, LoadReason::TooManyOps},
  };
  // Blocks that would be taken one after the other are there at once when they run ahead.
  while (scheduler.registersHeld(2) > limits[0].left)
    scheduler.giveUpLast();
  for (const StageLimit &limit : limits) {
    auto needOf = [&](unsigned number) { return (scheduler.*limit.need)(number); };
    unsigned most =
        mostStages(stages, [&](unsigned number) { return needOf(number) <= limit.left; });
    if (most < stages && failed(reportLess(scheduler, loop, stages, most,
                                           llvm::formatv(/*Validate=*/false, limit.sentence,
                                                         needOf(stages), limit.left, gpu.name)
                                               .str())))
      return failure();
    // What does not need it may run ahead of the next iteration still.
    if (most == 1)
      scheduler.giveUp(limit.reason, limit.needsIt);
    stages = std::max(2u, most);
  }
  return stages;
}

/// What a thread holds besides blocks: addresses, masks, counters.
static constexpr unsigned kOtherRegisters = 24;

/// Whether an iteration does more than wait for its loads: it stores, or threads meet in it.
static bool hasOtherWaits(scf::ForOp loop) {
  return loop
      ->walk([](Operation *op) {
        bool waits = isa<BarrierOp, SharedBarrierOp>(op) || (isGlobalAccess(op) && !onlyReads(op));
        return waits ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Whether the programs of the grid share the iterations, so that as many programs are launched as
/// keep the GPU busy.
static bool sharesWork(scf::ForOp loop) {
  llvm::SetVector<Operation *> computed;
  BackwardSliceOptions itself;
  itself.inclusive = true;
  itself.omitBlockArguments = true;
  for (Value value : {loop.getLowerBound(), loop.getUpperBound(), loop.getStep()})
    (void)getBackwardSlice(value, &computed, itself);
  return llvm::any_of(computed, [](Operation *op) { return isa<NumProgramsOp>(op); });
}

unsigned ScheduleLoops::ctasBeside(uint64_t ringBytes, const GpuTarget &gpu) {
  ResourceEstimate needs = estimateResources(getOperation());
  auto registers = static_cast<unsigned>(
      std::min<uint64_t>(gpu.maxRegistersPerThread, needs.words + kOtherRegisters));
  auto threads = static_cast<unsigned>(needs.threads / needs.programsPerCta * programs);
  uint64_t taken = gpu.maxSharedBytesPerCta - room * programs;
  return classicalOccupancy(gpu, registers, threads,
                            static_cast<unsigned>(taken + ringBytes * programs));
}

/// While an iteration of a shared loop reduces or stores, the loads of other ctas are on their way,
/// and none need run ahead (docs/decisions/0038-waves-of-persistent-programs.md).
bool ScheduleLoops::isHiddenByOthers(scf::ForOp loop, const GpuTarget &gpu) {
  return sharesWork(loop) && hasOtherWaits(loop) && ctasBeside(0, gpu) > 1;
}

LogicalResult ScheduleLoops::schedule(scf::ForOp loop, const GpuTarget &gpu) {
  auto stages = static_cast<unsigned>(
      std::min<int64_t>(loop->getAttrOfType<IntegerAttr>(kNumStagesAttr).getInt(), kMaxStages));
  if (stages < 2)
    return success();
  if (std::string why = obstacleOf(loop); !why.empty()) {
    if (remarks)
      loop.emitRemark() << "the loads of this loop do not run ahead: " << why;
    return success();
  }
  LoadScheduler scheduler(loop, findEarlyLoads(loop, gpu));
  if (!forced && isHiddenByOthers(loop, gpu))
    scheduler.giveUp(LoadReason::OtherPrograms);
  FailureOr<unsigned> fitting = stagesThatFit(scheduler, loop, gpu, stages);
  if (failed(fitting))
    return failure();
  stages = *fitting;
  // Stages that leave a multiprocessor a single cta, where it could have more, hide less than they
  // cost.
  if (scheduler.hasWork() && !forced) {
    unsigned wanted = std::min(2u, ctasBeside(0, gpu));
    stages = mostStages(stages, [&](unsigned number) {
      return ctasBeside(scheduler.ringBytes(number), gpu) >= wanted;
    });
  }
  if (stages == 1)
    scheduler.giveUp(LoadReason::OneCta);
  if (remarks)
    for (const EarlyLoad &early : scheduler.all())
      remarkOn(early);
  if (remarks && stages < *fitting)
    loop.emitRemark() << "takes " << stages << " of " << *fitting
                      << " stages: more would leave a multiprocessor a single cta";
  if (!scheduler.hasWork())
    stages = 1;
  if (stages > 1) {
    room -= scheduler.ringBytes(stages);
    ops -= scheduler.moreOps(stages);
  }
  scheduler.write(stages);
  pipelined += stages > 1;
  return success();
}
