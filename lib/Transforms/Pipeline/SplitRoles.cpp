//===- SplitRoles.cpp - Copies by warps of their own ----------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// 1. The loop's early ops, all of its copies among them, are cloned into a loop of an
//    fsm.load_role, which waits for an empty slot in front of them. Loops around are cloned as well, so
//    that the role goes on with their next iteration while the others are busy with what is behind.
// 2. What these loops need from in front of the others moves in front of the role: scalars, tensor
//    maps and memory. The role is the first in the kernel, so that its warps do nothing else.
// 3. In the loop itself the copies and the barrier go. Where the hardware has read a slot, each warp
//    says so: behind an iteration, or, where products stay in flight, behind the next one, or behind
//    the loop.
//
//===----------------------------------------------------------------------===//

#include "fsm/Transforms/Passes.h"

#include "../TargetOption.h"
#include "Loads/EarlyLoads.h"
#include "RoleNest.h"

#include "fsm/Analysis/Loops.h"
#include "fsm/Analysis/PipelinePlan.h"
#include "fsm/Analysis/ScratchPlan.h"
#include "fsm/Analysis/SlotCounter.h"
#include "fsm/IR/Users.h"

#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace fsm {
#define GEN_PASS_DEF_SPLITROLESPASS
#include "fsm/Transforms/Passes.h.inc"
} // namespace fsm

using namespace mlir;
using namespace fsm;

/// Registers are given in such numbers.
static constexpr unsigned kRegisterUnit = 8;

namespace {
/// A loop whose slots the hardware alone fills, and what of it goes to the role.
class RoleSplitter {
public:
  RoleSplitter(scf::ForOp loop, const GpuTarget &gpu)
      : loop(loop), kernel(loop->getParentOfType<KernelOp>()), gpu(gpu),
        plan(PipelinePlan::writtenIn(loop)) {}

  /// Whether the hardware fills slots of the loop at all.
  bool hasTensors() const { return !loop.getBody()->getOps<CopyTensorOp>().empty(); }
  /// Why the copies cannot have warps of their own, or nothing.
  std::optional<std::string> obstacle();
  /// Why that would not pay, or nothing.
  std::optional<std::string> disadvantage() const;
  void split();

private:
  std::optional<std::string> obstacleInLoop();
  unsigned warps() const { return kernel.getNumWarps().value_or(1); }
  unsigned ctasBeside() const;
  bool hasRoomForTwo() const;
  bool makesMaps() const;
  unsigned registersAtLaunch(unsigned ctas) const;
  std::optional<std::string> obstacleOfRegisters() const;
  std::pair<unsigned, unsigned> registers() const;
  void moveToFront(ArrayRef<Operation *> ops, Operation *before);
  void makeRole(Operation *before, Value empty);
  Value copyEarly(ImplicitLocOpBuilder &builder, IRMapping &mapping, Value phase, Value empty);
  void releaseSlots(Value empty);
  void releaseLast(Value empty, Value slot);
  void dropBarriers();
  void dropEarly();

  mutable scf::ForOp loop;
  mutable KernelOp kernel;
  const GpuTarget &gpu;
  PipelinePlan plan;
  /// In program order.
  SmallVector<Operation *> early;
  MBarrierExpectOp expect;
  MBarrierWaitOp wait;
  std::optional<RoleNest> nest;
  /// What the loop carries for them: numbers among the body's arguments, which stay when it carries more.
  SmallVector<unsigned> carriedNumbers;
};
} // namespace

//===----------------------------------------------------------------------===//
// Whether
//===----------------------------------------------------------------------===//

/// One expectation and one wait, for the same slots, and nothing early beside the copies.
std::optional<std::string> RoleSplitter::obstacleInLoop() {
  for (Operation &op : loop.getBody()->without_terminator()) {
    if (auto found = dyn_cast<MBarrierWaitOp>(op)) {
      if (wait)
        return "it waits for several copies";
      wait = found;
    }
    if (plan.stageOf(&op) == plan.lastStage())
      continue;
    early.push_back(&op);
    if (auto found = dyn_cast<MBarrierExpectOp>(op)) {
      if (expect)
        return "it waits for several copies";
      expect = found;
    } else if (!isa<CopyTensorOp>(op) && (op.getNumRegions() || !isMemoryEffectFree(&op))) {
      return ("'" + op.getName().getStringRef() + "' runs ahead of it as well").str();
    }
  }
  if (!wait || !expect || wait.getMbarriers() != expect.getMbarriers())
    return "it waits for several copies";
  return std::nullopt;
}

/// Descriptors and addresses besides sums; with 64 sums ptxas asked for 90 registers, with 96 for 122.
static constexpr unsigned kBesideSums = 32;

/// What a thread holds of an instruction has to be among the registers that it is launched with: ptxas compiles for these.
std::optional<std::string> RoleSplitter::obstacleOfRegisters() const {
  int64_t most = 0;
  for (SharedDotOp product : loop.getBody()->getOps<SharedDotOp>())
    if (auto shape = product->getAttrOfType<DenseI64ArrayAttr>(kMmaAttr))
      most = std::max(most, shape[0] * shape[1] / (kWarpThreads * LoadRoleOp::kWarps));
  unsigned needed = static_cast<unsigned>(most) + kBesideSums, there = registersAtLaunch(1);
  if (needed <= there)
    return std::nullopt;
  return "an instruction of its products needs about " + std::to_string(needed) + " registers of a thread, of " +
         std::to_string(there) + " that it would be launched with";
}

/// Whether not all threads that begin a kernel come to an op of its body: of groups of warps and
/// ctas that share a loop in front of it one goes on, while a role would begin copies in each of
/// them.
static bool runsInPart(Operation *op) {
  auto kernel = op->getParentOfType<KernelOp>();
  auto isInFront = [&](EndPartsOp end) { return end->isBeforeInBlock(op); };
  return kernel->hasAttr(kPartsInCtaAttr) ||
         llvm::any_of(kernel.getBody().front().getOps<EndPartsOp>(), isInFront);
}

std::optional<std::string> RoleSplitter::obstacle() {
  if (!gpu.features.wgmma)
    return (StringRef(gpu.name) + " does not hand on registers").str();
  Operation *around = loop->getParentOp();
  while (isa<scf::ForOp>(around))
    around = around->getParentOp();
  if (around != kernel)
    return ("it stands in '" + around->getName().getStringRef() + "'").str();
  if (LoadRoleOp::of(kernel))
    return "another loop has them";
  if (kernel.getNumCtas().value_or(1) > 1)
    return "the program has several ctas";
  if (runsInPart(kernel.getBody().front().findAncestorOpInBlock(*loop)))
    return "ctas or groups of warps share another loop, and not all of them run this one";
  if (kernel.getMaxRegisters())
    return "'max_registers' says how many registers a thread has";
  if (unsigned all = warps() + LoadRoleOp::kWarps;
      warps() % LoadRoleOp::kWarps || all * 32 > gpu.maxThreadsPerCta)
    return "a cta would have " + std::to_string(all) + " warps";
  if (std::optional<std::string> why = obstacleOfRegisters())
    return why;
  if (std::optional<std::string> why = obstacleInLoop())
    return why;
  nest.emplace(loop, early);
  return nest->obstacle();
}

/// By what was measured (docs/measurements/products.md): a group of warps that multiplies more in an
/// iteration takes longer than it needs to meet the others.
std::optional<std::string> RoleSplitter::disadvantage() const {
  constexpr int64_t mostSums = int64_t(64) * 128, mostInnerBytes = 128;
  int64_t groups = std::max(1u, warps() / LoadRoleOp::kWarps);
  if (ctasBeside() > 1 || hasRoomForTwo())
    return "another cta hides its waits";
  // What stands around the loop takes its time, too; and programs of a cluster load for one another by roles alone.
  if (nest->isNested() || programsOfCluster(kernel) > 1)
    return std::nullopt;
  for (SharedDotOp product : loop.getBody()->getOps<SharedDotOp>()) {
    int64_t sums = cast<RankedTensorType>(product.getType()).getNumElements() / groups;
    SharedType right = product.getRight().getType();
    int64_t innerBytes = static_cast<int64_t>(product.getInner()) * bytesOf(right.getElementType());
    if (sums * innerBytes > mostSums * mostInnerBytes)
      return "its products take longer than its warps need to meet";
  }
  return std::nullopt;
}

/// Whether a multiprocessor has room for two ctas without a role: four warps have all registers that a thread can
/// have, twice.
bool RoleSplitter::hasRoomForTwo() const {
  uint64_t bytes = ScratchPlan::of(kernel).bytes() + gpu.reservedSharedBytesPerCta;
  return 2 * bytes <= gpu.sharedBytesPerSm &&
         2 * 32 * warps() * gpu.maxRegistersPerThread <= gpu.registersPerSm;
}

/// Registers of each thread, if so many ctas share a multiprocessor's.
unsigned RoleSplitter::registersAtLaunch(unsigned ctas) const {
  unsigned threads = 32 * (warps() + LoadRoleOp::kWarps);
  return gpu.registersPerSm / ctas / threads / kRegisterUnit * kRegisterUnit;
}

/// How many ctas a multiprocessor has room for, one or two, as far as slots go, and the registers of a
/// product's instruction, which ptxas has to find among those of a launch.
unsigned RoleSplitter::ctasBeside() const {
  // What else a cta needs, mbarriers and the system's own part.
  uint64_t bytes = 2048;
  for (CopyTensorOp copy : loop.getBody()->getOps<CopyTensorOp>())
    bytes += copy.getShared().getType().getBytes();
  int64_t most = 0;
  for (SharedDotOp product : loop.getBody()->getOps<SharedDotOp>())
    most = std::max(most, cast<RankedTensorType>(product.getType()).getNumElements());
  bool hasRegisters = most / (32 * warps()) + kBesideSums <= registersAtLaunch(2);
  return 2 * bytes <= gpu.sharedBytesPerSm && hasRegisters ? 2 : 1;
}

/// Whether the program makes the maps itself by which a copy is made.
bool RoleSplitter::makesMaps() const {
  return llvm::any_of(loop.getBody()->getOps<CopyTensorOp>(),
                      [](CopyTensorOp copy) { return copy.getMap().getDefiningOp<OwnTensorMapOp>() != nullptr; });
}

/// What a thread of the role keeps, and one of the others gets; two zeros where all have enough. All
/// of them together have what they were launched with, which leaves room for another cta.
std::pair<unsigned, unsigned> RoleSplitter::registers() const {
  constexpr unsigned most = 240;
  // Who makes maps holds where the next tensor is and how large.
  const unsigned kept = makesMaps() ? 40 : 24;
  unsigned threads = 32 * (warps() + LoadRoleOp::kWarps);
  unsigned atLaunch = registersAtLaunch(ctasBeside());
  if (atLaunch >= most)
    return {0, 0};
  unsigned left = atLaunch * threads - kept * 32 * LoadRoleOp::kWarps;
  return {kept, std::min(most, left / (32 * warps()) / kRegisterUnit * kRegisterUnit)};
}

//===----------------------------------------------------------------------===//
// The role
//===----------------------------------------------------------------------===//

void RoleSplitter::moveToFront(ArrayRef<Operation *> ops, Operation *before) {
  for (Operation *op : ops)
    op->moveBefore(before);
}

/// The early ops of an iteration, behind a wait; gives the phase of the next one.
Value RoleSplitter::copyEarly(ImplicitLocOpBuilder &builder, IRMapping &mapping, Value phase,
                              Value empty) {
  for (Operation *op : early) {
    if (op == expect)
      MBarrierWaitOp::create(builder, empty, mapping.lookupOrDefault(expect.getSlot()), phase);
    builder.clone(*op, mapping)->removeAttr(kStageAttr);
  }
  auto slots = static_cast<unsigned>(expect.getMbarriers().getType().getShape().front());
  return nextPhase(builder, phase, mapping.lookupOrDefault(expect.getSlot()), slots);
}

void RoleSplitter::makeRole(Operation *before, Value empty) {
  ImplicitLocOpBuilder builder(loop.getLoc(), before);
  SharedBarrierOp::create(builder, ThreadScope::Program);
  auto [kept, given] = registers();
  auto role = LoadRoleOp::create(builder, kept, given);
  builder.setInsertionPointToStart(&role.getBody().front());
  // In front of the first copies nobody has to have read: that phase is over.
  Value phase = arith::ConstantOp::create(builder, builder.getI32IntegerAttr(1));
  nest->clone(builder, phase, [&](ImplicitLocOpBuilder &body, IRMapping &mapping, Value before) {
    return copyEarly(body, mapping, before, empty);
  });
}

//===----------------------------------------------------------------------===//
// The loop
//===----------------------------------------------------------------------===//

/// A product in flight reads its slot until the limit of the next iteration.
void RoleSplitter::releaseSlots(Value empty) {
  Location loc = loop.getLoc();
  bool isLater = llvm::any_of(loop.getBody()->getOps<SharedDotOp>(),
                              [](SharedDotOp product) { return product->hasAttr(kInFlightAttr); });
  Value slot = wait.getSlot(), isThere;
  if (isLater) {
    OpBuilder before(loop);
    Value none = arith::ConstantOp::create(before, loc, before.getI32IntegerAttr(0));
    loop = withCarried(loop, none, [&](OpBuilder &, Location, ArrayRef<BlockArgument>) {
      return SmallVector<Value>{wait.getSlot()};
    });
    slot = loop.getRegionIterArgs().back();
  }
  OpBuilder end(loop.getBody()->getTerminator());
  if (isLater)
    isThere = arith::CmpIOp::create(end, loc, arith::CmpIPredicate::ne, loop.getInductionVar(),
                                    loop.getLowerBound());
  MBarrierArriveOp::create(end, loc, empty, slot, isThere);
  if (isLater && nest->isNested())
    releaseLast(empty, loop.getResults().back());
}

/// Behind the loop, if it had an iteration, the product of the last one has ended, too.
void RoleSplitter::releaseLast(Value empty, Value slot) {
  Operation *last = loop;
  for (Value result : loop.getResults())
    for (ProductWaitOp wait : usersOf<ProductWaitOp>(result))
      if (last->isBeforeInBlock(wait))
        last = wait;
  ImplicitLocOpBuilder builder(loop.getLoc(), last->getContext());
  builder.setInsertionPointAfter(last);
  Value isAny =
      arith::CmpIOp::create(builder, belowBound(loop), loop.getLowerBound(), loop.getUpperBound());
  MBarrierArriveOp::create(builder, empty, slot, isAny);
}

/// Mbarriers take their place: in an iteration, and in front of a loop in a loop, where all have read what
/// was copied when it was entered before.
void RoleSplitter::dropBarriers() {
  auto drop = [](Operation *op) {
    if (auto barrier = dyn_cast_if_present<SharedBarrierOp>(op->getPrevNode()))
      barrier.erase();
  };
  drop(wait);
  if (nest->isNested())
    drop(loop);
}

/// What the role does now. A counter that nobody else uses is carried as it is.
void RoleSplitter::dropEarly() {
  llvm::SmallDenseSet<Operation *> isEarlyOp(early.begin(), early.end());
  for (unsigned number : carriedNumbers) {
    BlockArgument argument = loop.getBody()->getArgument(number);
    if (llvm::all_of(argument.getUsers(), [&](Operation *op) { return isEarlyOp.contains(op); }))
      loop.getTiedLoopYieldedValue(argument)->set(argument);
  }
  for (Operation *op : llvm::reverse(early))
    if (isa<MBarrierExpectOp, CopyTensorOp>(op) || isOpTriviallyDead(op))
      op->erase();
  loop->removeAttr(kStagesAttr);
  for (Operation &op : *loop.getBody())
    op.removeAttr(kStageAttr);
}

void RoleSplitter::split() {
  carriedNumbers = nest->carriedNumbers();
  dropBarriers();
  ImplicitLocOpBuilder front(loop.getLoc(), kernel.getContext());
  // Behind what other ctas arrive at, which is the first thing that is made.
  Block &body = kernel.getBody().front();
  front.setInsertionPoint(&*llvm::find_if_not(
      body, [](Operation &op) { return isa<SharedAllocOp, MBarrierInitOp>(op); }));
  // All comes in front of this, in its order.
  Operation *marker = arith::ConstantOp::create(front, front.getI32IntegerAttr(0));
  Value full = expect.getMbarriers();
  auto inits = llvm::to_vector_of<Operation *>(usersOf<MBarrierInitOp>(full));
  full.getDefiningOp()->moveBefore(marker);
  moveToFront(inits, marker);
  front.setInsertionPoint(marker);
  auto empty = SharedAllocOp::create(front, cast<SharedType>(full.getType()));
  MBarrierInitOp::create(front, empty, front.getI32IntegerAttr(static_cast<int32_t>(warps())));
  SmallVector<Operation *> inFront(nest->inFront());
  llvm::erase(inFront, full.getDefiningOp());
  moveToFront(inFront, marker);
  makeRole(marker, empty);
  marker->erase();
  releaseSlots(empty);
  dropEarly();
}

namespace {
struct SplitRoles : fsm::impl::SplitRolesPassBase<SplitRoles> {
  using SplitRolesPassBase::SplitRolesPassBase;

  void runOnOperation() override {
    const GpuTarget *gpu = targetOrError(getOperation(), target);
    if (!gpu)
      return signalPassFailure();
    if (roles != "auto" && roles != "always" && roles != "never") {
      getOperation().emitError() << "expected roles 'auto', 'always' or 'never', got '" << roles
                                 << "'";
      return signalPassFailure();
    }
    SmallVector<scf::ForOp> loops = pipelinedLoops(getOperation());
    if (loops.empty())
      return markAllAnalysesPreserved();
    for (scf::ForOp loop : loops)
      visit(loop, *gpu);
  }

  void visit(scf::ForOp loop, const GpuTarget &gpu) {
    RoleSplitter splitter(loop, gpu);
    if (!splitter.hasTensors())
      return;
    Location loc = loop.getLoc();
    std::optional<std::string> why = splitter.obstacle();
    if (!why && roles == "auto")
      why = splitter.disadvantage();
    if (!why && roles == "never")
      why = "'roles' says so";
    if (!why) {
      splitter.split();
      ++split;
    }
    if (remarks && why)
      emitRemark(loc) << "the warps of this loop begin its copies themselves: " << *why;
    else if (remarks)
      emitRemark(loc) << "warps of their own begin the copies of this loop";
  }
};
} // namespace
