//===- ShareCopies.cpp - Copies that neighbours make for one another ------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// 1. The loops of a role have to run alike in all programs of a cluster. Bounds of inner ones depend on no
//    program. Of the outermost one each program computes the others' trip counts, and compares.
// 2. Of each copy: what its coordinates are made of that depends on the program is computed once more for
//    each program of the cluster, in front of the innermost loop. Where all have the same numbers, the
//    copy is one for all. All programs compute and compare the same, so they are of one mind.
// 3. Slots are given back to all programs, and mbarriers wait for the warps of all.
// 4. The programs meet when their mbarriers are ready. None ends before all have given back its last slots:
//    the role waits for them. A meeting at the end would make each thread wait until the others' mbarriers
//    have its arrivals, in front of what it stores.
//
//===----------------------------------------------------------------------===//

#include "fsm/Transforms/Passes.h"

#include "fsm/Analysis/Loops.h"
#include "fsm/Analysis/MemoryOrder.h"
#include "fsm/Analysis/SlotCounter.h"
#include "fsm/IR/TensorMaps.h"
#include "fsm/IR/Users.h"
#include "fsm/Layout/TensorTiles.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include <numeric>

namespace fsm {
#define GEN_PASS_DEF_SHARECOPIESPASS
#include "fsm/Transforms/Passes.h.inc"
} // namespace fsm

using namespace mlir;
using namespace fsm;

//===----------------------------------------------------------------------===//
// What differs between programs
//===----------------------------------------------------------------------===//

/// What a number follows from, one step back; nothing where that is not known.
static std::optional<SmallVector<Value>> sourcesOf(Value value) {
  if (kernelArgument(value))
    return SmallVector<Value>();
  auto argument = dyn_cast<BlockArgument>(value);
  Operation *op = argument ? argument.getOwner()->getParentOp() : value.getDefiningOp();
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    SmallVector<Value> sources = {loop.getLowerBound(), loop.getStep()};
    if (argument == loop.getInductionVar())
      return sources;
    if (!argument) {
      sources.push_back(loop.getUpperBound());
      argument = loop.getTiedLoopRegionIterArg(cast<OpResult>(value));
    }
    sources.append({loop.getTiedLoopInit(argument)->get(), loop.getTiedLoopYieldedValue(argument)->get()});
    return sources;
  }
  if (argument || op->getNumRegions() || !isMemoryEffectFree(op))
    return std::nullopt;
  return llvm::to_vector_of<Value>(op->getOperands());
}

/// Whether a number may be another one in a program of the same cluster: these are neighbours along x.
static bool dependsOnProgram(Value value) {
  llvm::DenseSet<Value> seen;
  SmallVector<Value> todo = {value};
  while (!todo.empty()) {
    Value one = todo.pop_back_val();
    if (!seen.insert(one).second)
      continue;
    if (auto id = one.getDefiningOp<ProgramIdOp>(); id && id.getAxis() == GridAxis::X)
      return true;
    std::optional<SmallVector<Value>> sources = sourcesOf(one);
    if (!sources)
      return true;
    todo.append(*sources);
  }
  return false;
}

static Value number(ImplicitLocOpBuilder &builder, Type type, int64_t value) {
  return arith::ConstantOp::create(builder, builder.getIntegerAttr(type, value));
}

namespace {
/// The numbers that another program of the cluster computes, computed here.
class NumbersOf {
public:
  /// Of the program with that rank in its cluster; of the program itself where `together` is a false.
  NumbersOf(unsigned programs, unsigned rank, Value together)
      : programs(programs), rank(rank), together(together) {}

  /// That it counts a loop otherwise: this much is added.
  void setAhead(scf::ForOp loop, Value ahead) { aheadIn[loop] = ahead; }
  /// The number, at the builder's place; null where it is not of scalars alone.
  Value of(Value value, ImplicitLocOpBuilder &builder);

private:
  Value programId(ProgramIdOp op, ImplicitLocOpBuilder &builder);

  unsigned programs, rank;
  Value together;
  llvm::SmallDenseMap<Operation *, Value> aheadIn;
  IRMapping made;
};
} // namespace

Value NumbersOf::programId(ProgramIdOp op, ImplicitLocOpBuilder &builder) {
  Type type = op.getType();
  Value first = arith::AndIOp::create(builder, op, number(builder, type, -int64_t(programs)));
  Value its = rank ? arith::OrIOp::create(builder, first, number(builder, type, rank)).getResult() : first;
  return together ? arith::SelectOp::create(builder, together, its, op).getResult() : its;
}

Value NumbersOf::of(Value value, ImplicitLocOpBuilder &builder) {
  if (Value known = made.lookupOrNull(value))
    return known;
  Value result = value;
  if (dependsOnProgram(value)) {
    auto argument = dyn_cast<BlockArgument>(value);
    Operation *op = argument ? argument.getOwner()->getParentOp() : value.getDefiningOp();
    if (auto id = dyn_cast<ProgramIdOp>(op)) {
      result = programId(id, builder);
    } else if (argument) {
      Value ahead = aheadIn.lookup(op);
      auto loop = dyn_cast<scf::ForOp>(op);
      if (!ahead || argument != loop.getInductionVar())
        return {};
      result = arith::AddIOp::create(builder, value, ahead);
    } else {
      if (op->getNumRegions() || !isMemoryEffectFree(op) || op->getNumResults() != 1)
        return {};
      IRMapping operands;
      for (Value operand : op->getOperands()) {
        Value its = of(operand, builder);
        if (!its)
          return {};
        operands.map(operand, its);
      }
      result = builder.clone(*op, operands)->getResult(0);
    }
  }
  made.map(value, result);
  return result;
}

//===----------------------------------------------------------------------===//
// The kernel
//===----------------------------------------------------------------------===//

namespace {
class CopySharing {
public:
  explicit CopySharing(KernelOp kernel) : kernel(kernel), programs(programsOfCluster(kernel)) {}

  /// Why the programs cannot be a cluster, or nothing: then `shared` copies may be made for all.
  std::optional<std::string> run();
  unsigned shared = 0, copies = 0;

private:
  std::optional<std::string> obstacle();
  std::optional<std::string> obstacleInLoops();
  bool findFactors(CopyTensorOp copy);
  bool compareCounts();
  void share(CopyTensorOp copy);
  void takeParts(CopyTensorOp copy);
  void giveBackToAll();
  void meet();
  void awaitLastSlots();

  KernelOp kernel;
  unsigned programs;
  LoadRoleOp role;
  /// Outermost first.
  SmallVector<scf::ForOp> loops;
  MBarrierWaitOp emptyWait;
  /// Behind those of the full slots, as fsm-split-roles makes them.
  MBarrierInitOp emptyInit;
  /// Of a copy: what of its coordinates depends on the program, from outside of the innermost loop.
  llvm::SmallMapVector<CopyTensorOp, llvm::SetVector<Value>, 2> factors;
  /// Whether all programs of the cluster have as many iterations.
  Value together;
  bool mayDiffer = false;
  SmallVector<NumbersOf> numbersOf;
};
} // namespace

/// A role is one nest of loops, the innermost of which copies.
std::optional<std::string> CopySharing::obstacleInLoops() {
  Block *body = &role.getBody().front();
  while (true) {
    auto inside = llvm::to_vector(body->getOps<scf::ForOp>());
    if (inside.empty())
      break;
    if (inside.size() > 1)
      return "its copies are in several loops";
    loops.push_back(inside.front());
    body = loops.back().getBody();
  }
  for (scf::ForOp loop : loops)
    for (Value bound : {loop.getLowerBound(), loop.getUpperBound(), loop.getStep()})
      if (dependsOnProgram(bound)) {
        mayDiffer = true;
        if (loop != loops.front() || bound == loop.getStep() || loop.getUnsignedCmp())
          return "its programs may have other numbers of iterations";
      }
  for (MBarrierWaitOp wait : body->getOps<MBarrierWaitOp>())
    emptyWait = wait;
  if (loops.empty() || !emptyWait)
    return "its copies are in no loop";
  for (MBarrierInitOp init : usersOf<MBarrierInitOp>(emptyWait.getMbarriers()))
    if (init->getBlock() == role->getBlock())
      emptyInit = init;
  return emptyInit ? std::nullopt : std::optional<std::string>("its mbarriers are made elsewhere");
}

std::optional<std::string> CopySharing::obstacle() {
  if (integerAttrOr(kernel, kBatchAttr, 1) > 1)
    return "the same threads compute several of them";
  role = LoadRoleOp::of(kernel);
  if (!role)
    return "no warps of their own begin copies";
  if (std::optional<std::string> why = obstacleInLoops())
    return why;
  for (auto copy : loops.back().getBody()->getOps<CopyTensorOp>()) {
    ++copies;
    if (!findFactors(copy))
      factors.erase(copy);
  }
  return factors.empty() ? std::optional<std::string>("its copies need what is no scalar arithmetic")
                         : std::nullopt;
}

/// False where the coordinates depend on the program by what the innermost loop carries.
bool CopySharing::findFactors(CopyTensorOp copy) {
  Block *body = loops.back().getBody();
  llvm::SetVector<Value> &found = factors[copy];
  SmallVector<Value> todo(copy.getCoordinates());
  llvm::DenseSet<Value> seen;
  while (!todo.empty()) {
    Value one = todo.pop_back_val();
    if (!seen.insert(one).second || !dependsOnProgram(one))
      continue;
    if (one.getParentBlock() != body) {
      found.insert(one);
      continue;
    }
    Operation *op = one.getDefiningOp();
    if (!op || op->getNumRegions() || !isMemoryEffectFree(op))
      return false;
    llvm::append_range(todo, op->getOperands());
  }
  return true;
}

//===----------------------------------------------------------------------===//
// As many iterations
//===----------------------------------------------------------------------===//

/// The number of a loop's last iteration, counted from 0; -1 for none. It is below the largest number of
/// its type.
static Value lastIteration(ImplicitLocOpBuilder &builder, Value from, Value to, Value step) {
  Type type = from.getType();
  Value isAny = arith::CmpIOp::create(builder, arith::CmpIPredicate::slt, from, to);
  Value length = arith::SubIOp::create(builder, arith::SubIOp::create(builder, to, from), number(builder, type, 1));
  Value last = arith::DivUIOp::create(builder, length, step);
  return arith::SelectOp::create(builder, isAny, last, number(builder, type, -1));
}

/// In front of the role. Where counts differ, all numbers of others are the program's own: a program that is not
/// there may divide by 0. False where the bounds are made of more than scalars.
bool CopySharing::compareCounts() {
  ImplicitLocOpBuilder builder(role.getLoc(), role);
  together = arith::ConstantOp::create(builder, builder.getBoolAttr(true));
  if (!mayDiffer) {
    for (unsigned rank = 0; rank < programs; ++rank)
      numbersOf.emplace_back(programs, rank, Value());
    return true;
  }
  scf::ForOp loop = loops.front();
  Value own = lastIteration(builder, loop.getLowerBound(), loop.getUpperBound(), loop.getStep());
  SmallVector<Value> firsts;
  for (unsigned rank = 0; rank < programs; ++rank) {
    NumbersOf others(programs, rank, Value());
    Value from = others.of(loop.getLowerBound(), builder), to = others.of(loop.getUpperBound(), builder);
    if (!from || !to)
      return false;
    Value isSame = arith::CmpIOp::create(builder, arith::CmpIPredicate::eq, own,
                                         lastIteration(builder, from, to, loop.getStep()));
    together = arith::AndIOp::create(builder, together, isSame);
    firsts.push_back(from);
  }
  for (auto [rank, first] : llvm::enumerate(firsts)) {
    NumbersOf &numbers = numbersOf.emplace_back(programs, static_cast<unsigned>(rank), together);
    Value ahead = arith::SubIOp::create(builder, first, loop.getLowerBound());
    numbers.setAhead(loop, arith::SelectOp::create(builder, together, ahead,
                                                   number(builder, ahead.getType(), 0)));
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

/// A program begins as many boxes as another one: of a tile with fewer, each has less lines.
void CopySharing::takeParts(CopyTensorOp copy) {
  TensorMapOp map = copy.getMap().getDefiningOp<TensorMapOp>();
  TensorMapType type = map.getType();
  int64_t boxes = llvm::product_of(copy.getShared().getType().getShape()) / llvm::product_of(type.getBox());
  int64_t parts = programs / std::gcd(boxes, int64_t(programs));
  if (parts == 1)
    return;
  SmallVector<int64_t> box(type.getBox());
  box[0] /= parts;
  OpBuilder builder(map);
  auto smaller = TensorMapOp::create(
      builder, map.getLoc(),
      TensorMapType::get(map.getContext(), box, type.getElementType(), type.getSwizzle()), map.getPointer(),
      map.getSizes(), map.getStrides());
  copy.getMapMutable().set(smaller);
  if (map->use_empty())
    map.erase();
}

/// Whether parts of a tile are whole exchanges of chunks.
static bool hasParts(CopyTensorOp copy, unsigned programs) {
  TensorMapType type = copy.getMap().getType();
  int64_t boxes = llvm::product_of(copy.getShared().getType().getShape()) / llvm::product_of(type.getBox());
  int64_t parts = programs / std::gcd(boxes, int64_t(programs));
  return copy.getMap().getDefiningOp<TensorMapOp>() && type.getBox()[0] % (parts * kSwizzledLines) == 0;
}

void CopySharing::share(CopyTensorOp copy) {
  if (!hasParts(copy, programs))
    return;
  ImplicitLocOpBuilder builder(copy.getLoc(), loops.back());
  Value isSame = together;
  for (Value own : factors[copy])
    for (NumbersOf &numbers : numbersOf) {
      Value its = numbers.of(own, builder);
      if (!its)
        return;
      isSame = arith::AndIOp::create(
          builder, isSame, arith::CmpIOp::create(builder, arith::CmpIPredicate::eq, its, own));
    }
  takeParts(copy);
  copy.getTogetherMutable().assign(isSame);
  ++shared;
}

//===----------------------------------------------------------------------===//
// Who waits for whom
//===----------------------------------------------------------------------===//

void CopySharing::giveBackToAll() {
  for (MBarrierArriveOp arrive : usersOf<MBarrierArriveOp>(emptyWait.getMbarriers()))
    arrive.getTogetherMutable().assign(together);
  emptyInit.setArrivals(emptyInit.getArrivals().value_or(1) * programs);
}

/// Whether nobody gives back the last slot: an iteration gives back the one before's, and nothing
/// behind its loop.
static bool keepsLastSlot(MBarrierWaitOp empty) {
  auto arrivals = llvm::to_vector(usersOf<MBarrierArriveOp>(empty.getMbarriers()));
  return arrivals.size() == 1 && arrivals.front().getCondition();
}

/// Others come to a program's mbarriers when it has made them.
void CopySharing::meet() {
  OpBuilder begin(role);
  ClusterWaitOp::create(begin, role.getLoc());
  begin.setInsertionPointAfter(emptyInit);
  ClusterArriveOp::create(begin, role.getLoc());
}

/// At the end of the role, of each slot that is given back, as if it were to be filled again.
void CopySharing::awaitLastSlots() {
  auto builder = ImplicitLocOpBuilder::atBlockEnd(role.getLoc(), &role.getBody().front());
  auto slots = static_cast<unsigned>(emptyWait.getMbarriers().getType().getShape().front());
  Type type = builder.getI32Type();
  Value first = number(builder, type, 0), one = number(builder, type, 1);
  Value end = number(builder, type, slots - (keepsLastSlot(emptyWait) ? 1 : 0));
  scf::ForOp::create(
      builder, first, end, one,
      ValueRange{behindLoops(emptyWait.getSlot()), behindLoops(emptyWait.getPhase())},
      [&](OpBuilder &inner, Location loc, Value, ValueRange carried) {
        ImplicitLocOpBuilder body(loc, inner);
        Value slot = carried.front(), phase = carried.back();
        MBarrierWaitOp::create(body, emptyWait.getMbarriers(), slot, phase);
        Value next = nextSlot(body, slot, slots);
        scf::YieldOp::create(body, ValueRange{next, nextPhase(body, phase, slot, slots)});
      });
}

std::optional<std::string> CopySharing::run() {
  if (std::optional<std::string> why = obstacle())
    return why;
  if (!compareCounts())
    return "its programs may have other numbers of iterations";
  if (!behindLoops(emptyWait.getSlot()) || !behindLoops(emptyWait.getPhase()))
    return "its slots are not counted by its loops";
  for (auto copy : llvm::to_vector(llvm::make_first_range(factors)))
    share(copy);
  if (shared == 0)
    return "its tiles have no parts for all programs";
  giveBackToAll();
  meet();
  awaitLastSlots();
  return std::nullopt;
}

namespace {
struct ShareCopies : fsm::impl::ShareCopiesPassBase<ShareCopies> {
  using ShareCopiesPassBase::ShareCopiesPassBase;

  void runOnOperation() override {
    KernelOp kernel = getOperation();
    unsigned programs = programsOfCluster(kernel);
    if (programs == 1) {
      kernel->removeAttr(kClusterAttr);
      return;
    }
    CopySharing sharing(kernel);
    std::optional<std::string> why = sharing.run();
    if (why)
      kernel->removeAttr(kClusterAttr);
    shared += sharing.shared;
    if (remarks && why)
      emitRemark(kernel.getLoc()) << "programs of this kernel are no cluster: " << *why;
    else if (remarks)
      emitRemark(kernel.getLoc()) << "each " << programs << " programs of this kernel are a cluster, and load for one another where their tiles are the same: "
                                  << sharing.shared << " of " << sharing.copies << " copies may be";
  }
};
} // namespace
