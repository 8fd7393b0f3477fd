//===- ProgramCost.cpp - What a program of a plan does --------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Analysis/ProgramCost.h"

#include "fsm/Analysis/AffineOffsets.h"
#include "fsm/Analysis/MmaPlan.h"
#include "fsm/Analysis/ResourceEstimate.h"
#include "fsm/Artifact/TensorMapPlan.h"
#include "fsm/IR/Users.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

#include <cmath>

using namespace mlir;
using namespace fsm;

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

/// Longer expressions are no sizes.
static constexpr size_t kLongestCost = 4096;

using StepKind = CostStep::Kind;

/// What an op does with two numbers, or nothing.
static std::optional<StepKind> kindOf(Operation *op) {
  return llvm::TypeSwitch<Operation *, std::optional<StepKind>>(op)
      .Case([](arith::AddIOp) { return StepKind::Add; })
      .Case([](arith::SubIOp) { return StepKind::Subtract; })
      .Case([](arith::MulIOp) { return StepKind::Multiply; })
      .Case<arith::DivSIOp, arith::DivUIOp, arith::FloorDivSIOp>(
          [](auto) { return StepKind::Divide; })
      .Case<arith::CeilDivSIOp, arith::CeilDivUIOp>([](auto) { return StepKind::CeilDivide; })
      .Case<arith::RemSIOp, arith::RemUIOp>([](auto) { return StepKind::Remainder; })
      .Case<arith::MinSIOp, arith::MinUIOp>([](auto) { return StepKind::Minimum; })
      .Case<arith::MaxSIOp, arith::MaxUIOp>([](auto) { return StepKind::Maximum; })
      .Case([](arith::AndIOp) { return StepKind::And; })
      .Case([](arith::OrIOp) { return StepKind::Or; })
      .Case([](arith::CmpIOp compare) {
        arith::CmpIPredicate predicate = compare.getPredicate();
        return predicate == arith::CmpIPredicate::eq    ? std::optional(StepKind::Equal)
               : predicate == arith::CmpIPredicate::slt ? std::optional(StepKind::Less)
                                                        : std::nullopt;
      })
      .Default([](Operation *) { return std::nullopt; });
}

static void addSteps(Value value, CostExpression &to);

static void addArgument(BlockArgument argument, CostExpression &to) {
  Operation *parent = argument.getOwner()->getParentOp();
  if (isa<KernelOp>(parent)) {
    to.push_back({StepKind::Argument, argument.getArgNumber()});
    return;
  }
  auto loop = dyn_cast<scf::ForOp>(parent);
  if (!loop) {
    to.push_back({StepKind::Unknown, 0});
    return;
  }
  if (argument.getArgNumber() > 0)
    return addSteps(loop.getInitArgs()[argument.getArgNumber() - 1], to);
  // An iteration in the middle, with the numbers that one has.
  addSteps(loop.getLowerBound(), to);
  addSteps(loop.getUpperBound(), to);
  addSteps(loop.getLowerBound(), to);
  to.push_back({StepKind::Subtract, 0});
  addSteps(loop.getStep(), to);
  to.push_back({StepKind::Divide, 0});
  to.push_back({StepKind::Number, 2});
  to.push_back({StepKind::Divide, 0});
  addSteps(loop.getStep(), to);
  to.push_back({StepKind::Multiply, 0});
  to.push_back({StepKind::Add, 0});
}

static void addSteps(Value value, CostExpression &to) {
  if (to.size() > kLongestCost) {
    to.push_back({StepKind::Unknown, 0});
    return;
  }
  APInt number;
  if (matchPattern(value, m_ConstantInt(&number)) && number.getSignificantBits() <= 64) {
    to.push_back({StepKind::Number, number.getSExtValue()});
    return;
  }
  if (auto argument = dyn_cast<BlockArgument>(value))
    return addArgument(argument, to);
  Operation *op = value.getDefiningOp();
  if (isa<arith::ExtSIOp, arith::ExtUIOp, arith::TruncIOp, HintOp>(op))
    return addSteps(op->getOperand(0), to);
  if (auto id = dyn_cast<ProgramIdOp>(op)) {
    to.push_back({StepKind::ProgramId, static_cast<int64_t>(id.getAxis())});
    return;
  }
  if (isa<PartIdOp>(op)) {
    to.push_back({StepKind::Number, 0});
    return;
  }
  if (auto programs = dyn_cast<NumProgramsOp>(op)) {
    to.push_back({StepKind::Programs, static_cast<int64_t>(programs.getAxis())});
    return;
  }
  if (isa<ProgramStepOp>(op)) {
    to.push_back({StepKind::Started, 0});
    return;
  }
  if (isa<arith::SelectOp>(op) && !isa<ShapedType>(op->getOperand(0).getType())) {
    for (Value operand : op->getOperands())
      addSteps(operand, to);
    to.push_back({StepKind::Select, 0});
    return;
  }
  if (std::optional<StepKind> kind = kindOf(op)) {
    addSteps(op->getOperand(0), to);
    addSteps(op->getOperand(1), to);
    to.push_back({*kind, 0});
    return;
  }
  to.push_back({StepKind::Unknown, 0});
}

CostExpression fsm::costExpressionOf(Value value) {
  CostExpression expression;
  addSteps(value, expression);
  return expression;
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

static double elementsOf(Type type) {
  auto block = dyn_cast<RankedTensorType>(type);
  return block ? static_cast<double>(block.getNumElements()) : 1;
}

static double bytesIn(Type type) { return elementsOf(type) * bytesOf(elementTypeOf(type)); }

/// A product of one of these types takes as long as so many of 16 bits.
static double productsOfHalf(Type element) {
  if (element.isF64())
    return 16;
  return element.getIntOrFloatBitWidth() / 16.0;
}

/// Simple operations of a thread for an element of what `op` gives.
static double operationsOf(Operation *op) {
  if (isa<math::ExpOp, math::Exp2Op, math::SqrtOp, math::RsqrtOp>(op))
    return 8;
  if (isa_and_present<math::MathDialect>(op->getDialect()))
    return isa<math::AbsFOp, math::FmaOp, math::CopySignOp, math::FloorOp, math::CeilOp>(op) ? 1
                                                                                             : 24;
  if (isa<arith::DivFOp, arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp>(op))
    return 10;
  return elementTypeOf(op->getResult(0).getType()).isInteger() ? 0.25 : 1;
}

/// A thread that multiplies and adds reads a factor so seldom: it keeps a square of sums.
static constexpr double kProductsOfFactor = 4;

static void addProduct(Operation *op, Type left, Type result, double inner, double leftBytes,
                       double rightBytes, unsigned warps, CostPart &to) {
  Type element = elementTypeOf(left);
  double products = elementsOf(result) * inner;
  const MmaInstruction *mma = plannedMma(op);
  if (!mma) {
    to.operations += products;
    to.sharedBytes += 2 * products * bytesOf(element) / kProductsOfFactor;
    return;
  }
  bool isOfGroup = mma->isOfWarpGroup();
  (isOfGroup ? to.groupProducts : to.warpProducts) += products * productsOfHalf(element);
  // Groups read the right factor for 64 rows at a time, each warp its rows and its columns.
  if (isOfGroup) {
    double rows = static_cast<double>(shapeOf(result)[shapeOf(result).size() - 2]);
    to.sharedBytes += leftBytes + rightBytes * std::max(1.0, rows / 64);
    return;
  }
  WarpsOfProduct over = warpsOver(*mma, shapeOf(result), warps);
  to.sharedBytes += leftBytes * over.across + rightBytes * over.down;
}

static double bytesOfShared(SharedType type) { return static_cast<double>(type.getSlotBytes()); }

namespace {
/// Goes through a kernel, and makes a part of each block that is run a number of times of its own.
class CostReader {
public:
  CostReader(KernelOp kernel, ProgramCost &cost)
      : cost(cost), warps(kernel.getNumWarps().value_or(1)),
        hasRole(LoadRoleOp::of(kernel) != nullptr) {
    visitPart(kernel.getBody(), {}, /*isBeside=*/false);
  }
  /// Of one loop, whose loads are to begin early.
  CostReader(scf::ForOp loop, const llvm::DenseSet<Operation *> &early, unsigned roundsAhead,
             ProgramCost &cost)
      : cost(cost), warps(loop->getParentOfType<KernelOp>().getNumWarps().value_or(1)), hasRole(false),
        early(&early),
        ahead(roundsAhead) {
    visitPart(loop.getRegion(), {}, /*isBeside=*/false);
  }
  /// A thread keeps the addresses of what it copies in loops.
  uint64_t addressRegisters() const { return static_cast<uint64_t>(2 * ownCopies); }

private:
  void visitPart(Region &region, std::vector<CostLoop> loops, bool isBeside);
  void visit(Block &block, size_t part);
  void visitOp(Operation *op, size_t part);
  void addAccess(GlobalAccess access, CostPart &to);
  void addCopy(SlotCopy copy, CostPart &to);

  ProgramCost &cost;
  unsigned warps;
  bool hasRole;
  /// Loads that are to be copies so many rounds ahead, or null where copies stand for themselves.
  const llvm::DenseSet<Operation *> *early = nullptr;
  unsigned ahead = 1;
  /// Of a thread.
  double ownCopies = 0;
};
} // namespace

void CostReader::visitPart(Region &region, std::vector<CostLoop> loops, bool isBeside) {
  size_t part = cost.parts.size();
  cost.parts.emplace_back();
  cost.parts.back().loops = std::move(loops);
  cost.parts.back().isBeside = isBeside;
  for (Block &block : region)
    visit(block, part);
}

void CostReader::visit(Block &block, size_t part) {
  for (Operation &op : block)
    visitOp(&op, part);
}

/// The loop of a copy; null for one in front of a loop, which makes so many copies fewer.
static scf::ForOp loopOfCopies(SlotCopy copy) {
  auto loop = copy->getParentOfType<scf::ForOp>();
  bool isInFront = llvm::any_of(copy.getShared().getUsers(), [&](Operation *user) {
    auto inner = user->getParentOfType<scf::ForOp>();
    return isa<SlotCopy>(user) && inner && inner != loop && (!loop || loop->isAncestor(inner));
  });
  return isInFront ? scf::ForOp() : loop;
}

/// By how many rounds copies run ahead: there are so many in front of their loop. Where warps of their own begin all of them, all
/// slots but the one that a product reads.
static unsigned roundsAhead(SlotCopy copy, scf::ForOp loop, bool isBeside) {
  unsigned slots = cast<SharedType>(copy.getShared().getType()).getSlots();
  if (isBeside)
    return std::max(2u, slots) - 1;
  return llvm::count_if(copy.getShared().getUsers(), [&](Operation *user) {
    return isa<SlotCopy>(user) && user->getBlock() == loop->getBlock();
  });
}

/// What the L2 cache hands out at once.
static constexpr unsigned kLineBytes = 128;

/// What is known of integers of a launch ends here.
static constexpr int64_t kMostDivisor = 16, kSectorBytes = 32;

/// As many lines as a box takes the time of besides its own, where its rows straddle sectors: what boxes of 32 to 128 rows
/// take at 1000 x 1048 x 712 and at 4088 cubed (docs/decisions/0134-what-boxes-of-few-rows-cost.md).
static constexpr double kLinesOfBox = 20;

/// Whether rows of what is copied may begin within a sector.
static bool straddlesSectors(TensorMapOp map) {
  Value stride = map && !map.getStrides().empty() ? map.getStrides().back() : Value();
  if (auto wide = stride ? stride.getDefiningOp<arith::ExtSIOp>() : arith::ExtSIOp())
    stride = wide.getIn();
  AffineOffsets forms;
  int64_t divisor = stride ? forms.of(stride).divisor : kMostDivisor;
  return divisor < kMostDivisor &&
         divisor * bytesOf(map.getType().getElementType()) % kSectorBytes != 0;
}

/// How many lines of the cache a slot takes, on average where rows begin anywhere at 16 bytes: a row that is shorter takes one
/// all the same.
static double linesOfSlot(CopyTensorOp copy, double bytes) {
  TensorMapType map = copy.getMap().getType();
  double rowBytes = map.getSwizzle(), rows = bytes / rowBytes;
  if (!straddlesSectors(copy.getMap().getDefiningOp<TensorMapOp>()))
    return rows;
  double boxes = bytes / static_cast<double>(map.getBoxBytes());
  return rows * (rowBytes + kLineBytes - TensorMapPlan::kAlignment) / kLineBytes + boxes * kLinesOfBox;
}

void CostReader::addCopy(SlotCopy copy, CostPart &to) {
  scf::ForOp loop = loopOfCopies(copy);
  if (!loop)
    return;
  double bytes = bytesOfShared(cast<SharedType>(copy.getShared().getType()));
  unsigned ahead = roundsAhead(copy, loop, to.isBeside);
  to.roundsAhead = to.copiedBytes > 0 ? std::min(to.roundsAhead, ahead) : ahead;
  to.sharedBytes += bytes;
  auto tensor = dyn_cast<CopyTensorOp>(copy.getOperation());
  double moved = tensor ? kLineBytes * linesOfSlot(tensor, bytes) : bytes;
  to.copiedBytes += moved;
  if (tensor && tensor.getTogether())
    to.sharedCopies.push_back({moved, costExpressionOf(tensor.getTogether())});
}

/// An access takes a thread its address, its mask, and where the elements go.
static constexpr double kOperationsOfAccess = 4;

/// Of all threads.
static double accessesOf(GlobalAccess access) {
  return elementsOf(access.getAccessedType()) /
         static_cast<double>(integerAttrOr(access, kAccessWidthAttr, 1));
}

/// Whether only a later round of the loop uses what is loaded.
static bool isForLater(Operation *load) {
  return isa<scf::ForOp>(load->getParentOp()) &&
         llvm::all_of(load->getUsers(), [](Operation *user) { return isa<scf::YieldOp>(user); });
}

void CostReader::addAccess(GlobalAccess access, CostPart &to) {
  double bytes = bytesIn(access.getAccessedType());
  double accesses = accessesOf(access);
  to.operations += kOperationsOfAccess * accesses;
  bool isEarly = early && early->contains(access);
  if (isEarly || (access.onlyReads() && isForLater(access))) {
    unsigned rounds = isEarly ? ahead : 1;
    to.roundsAhead = to.copiedBytes > 0 ? std::min(to.roundsAhead, rounds) : rounds;
    to.copiedBytes += bytes;
  } else if (access.reads()) {
    to.loadedBytes += bytes;
    // A thread begins a masked access when it has looked at the mask, for which it waits before.
    to.loads += access.getMask() ? std::ceil(accesses / (kWarpThreads * warps)) : 1;
  }
  if (access.writes())
    to.storedBytes += bytes;
}

void CostReader::visitOp(Operation *op, size_t part) {
  if (auto role = dyn_cast<LoadRoleOp>(op))
    return visitPart(role.getBody(), {}, /*isBeside=*/true);
  if (isa<scf::ForOp, scf::WhileOp>(op)) {
    std::vector<CostLoop> loops = cost.parts[part].loops;
    if (auto loop = dyn_cast<scf::ForOp>(op))
      loops.push_back({costExpressionOf(loop.getLowerBound()),
                       costExpressionOf(loop.getUpperBound()), costExpressionOf(loop.getStep())});
    else
      loops.push_back(
          {{{StepKind::Number, 0}}, {{StepKind::Unknown, 0}}, {{StepKind::Number, 64}}});
    bool isBeside = cost.parts[part].isBeside;
    for (Region &region : op->getRegions())
      if (&region == &op->getRegions().back())
        visitPart(region, loops, isBeside);
    return;
  }
  CostPart &to = cost.parts[part];
  if (auto copy = dyn_cast<SlotCopy>(op)) {
    auto access = dyn_cast<GlobalAccess>(op);
    if (access && !copy.getMbarriers()) {
      double accesses = accessesOf(access);
      to.operations += kOperationsOfAccess * accesses;
      ownCopies += to.loops.empty() ? 0 : accesses / (kWarpThreads * warps);
    }
    return addCopy(copy, to);
  }
  if (auto access = dyn_cast<GlobalAccess>(op))
    return addAccess(access, to);
  if (isa<AlongAxis, ThreadBarrier, ConvertLayoutOp>(op))
    ++to.exchanges;
  if (auto dot = dyn_cast<SharedDotOp>(op)) {
    SharedType left = dot.leftMemory();
    addProduct(dot, dot.getRight().getType().getElementType(), dot.getType(),
               static_cast<double>(dot.getInner()), left ? bytesOfShared(left) : 0,
               bytesOfShared(dot.getRight().getType()), warps, to);
    to.copiesBesideProducts |= dot->hasAttr(kInFlightAttr) && !hasRole;
  } else if (auto dot = dyn_cast<DotOp>(op)) {
    auto left = cast<RankedTensorType>(dot.getOperand(0).getType());
    addProduct(dot, left, dot.getType(), static_cast<double>(left.getShape().back()), bytesIn(left),
               bytesIn(dot.getOperand(1).getType()), warps, to);
  } else if (auto store = dyn_cast<SharedStoreOp>(op)) {
    to.sharedBytes += bytesIn(store.getValue().getType());
    to.storesFactors |= !usersOf<SharedDotOp>(store.getShared()).empty();
  } else if (isa<SharedLoadOp, SharedGatherOp>(op)) {
    to.sharedBytes += bytesIn(op->getResult(0).getType());
  } else if (auto count = dyn_cast<SharedCountOp>(op)) {
    to.sharedBytes += bytesIn(count.getNumbers().getType());
  } else if (auto moved = dyn_cast<ConvertLayoutOp>(op)) {
    to.sharedBytes += 2 * bytesIn(moved.getType());
  } else if (auto along = dyn_cast<AlongAxis>(op)) {
    for (Value source : op->getOperands())
      to.operations += elementsOf(source.getType());
    return;
  } else if (isElementwise(op) && op->getNumResults() > 0 && !op->use_empty()) {
    to.operations += operationsOf(op) * elementsOf(op->getResult(0).getType());
  }
  for (Region &region : op->getRegions())
    for (Block &block : region)
      visit(block, part);
}

CostPart fsm::costOfRound(scf::ForOp loop, const llvm::DenseSet<Operation *> &early,
                          unsigned roundsAhead) {
  ProgramCost cost;
  CostReader(loop, early, roundsAhead, cost);
  return cost.parts.front();
}

/// What a thread has of a program besides the registers that it may have.
static double spilledBytesOf(uint64_t held, uint64_t left) {
  return held > left ? 4.0 * static_cast<double>(held - left) : 0;
}

ProgramCost fsm::programCostOf(KernelOp kernel, const GpuTarget &target) {
  ProgramCost cost;
  ResourceEstimate needs = estimateResources(kernel);
  LoadRoleOp role = LoadRoleOp::of(kernel);
  // Groups of warps that share a loop run as ctas would.
  unsigned groups = groupsOfWarps(kernel);
  cost.warps = static_cast<unsigned>(needs.threads / groups / kWarpThreads);
  cost.programsPerCta = std::max(1u, needs.programsPerCta / groups);
  cost.batch = static_cast<unsigned>(std::max<int64_t>(1, integerAttrOr(kernel, kBatchAttr, 1)));
  cost.numCtas = static_cast<unsigned>(std::max<int64_t>(1, kernel.getNumCtas().value_or(1)));
  cost.cluster = programsOfCluster(kernel);
  if (auto most = kernel->getAttrOfType<IntegerAttr>(kLoopProgramsAttr))
    cost.loopPrograms = static_cast<unsigned>(most.getInt());
  kernel.walk([&](TensorMapOp map) { cost.straddlesSectors |= straddlesSectors(map); });
  cost.sharingCtas = static_cast<unsigned>(std::max<int64_t>(1, integerAttrOr(kernel, kPartsAttr, 1)));
  uint64_t threads = needs.threads + (role ? LoadRoleOp::kWarps * kWarpThreads : 0);
  CostReader reader(kernel, cost);
  uint64_t held = needs.blocks.held.registers + kOtherRegisters + reader.addressRegisters();
  uint64_t left =
      registersAllowed(kernel, target, llvm::divideCeil(threads, uint64_t(kWarpThreads)));
  uint64_t registers = std::min(held, left);
  cost.ctasPerMultiprocessor =
      groups * classicalOccupancy(target, static_cast<unsigned>(registers),
                                  static_cast<unsigned>(threads),
                                  static_cast<unsigned>(needs.sharedBytes));
  if (role)
    left = std::max<uint64_t>(left, role.getOthers().value_or(0));
  cost.spilledBytes = spilledBytesOf(held, left);
  // Sums that the hardware adds to wait nowhere else: ptxas refuses such code.
  bool addsInGroups =
      llvm::any_of(cost.parts, [](const CostPart &part) { return part.groupProducts > 0; });
  if (addsInGroups && cost.spilledBytes > 0)
    cost.ctasPerMultiprocessor = 0;
  return cost;
}
