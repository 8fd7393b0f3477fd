//===- LayoutPlan.cpp - Which layout each block of a kernel gets ---------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LayoutPlan.h"

#include "fsm/Analysis/CombinePlan.h"
#include "fsm/Analysis/ScratchSize.h"
#include "fsm/IR/DebugTable.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace fsm;

//===----------------------------------------------------------------------===//
// Ops by themselves
//===----------------------------------------------------------------------===//

std::optional<LinearLayout> fsm::operandLayout(Operation *op, const LinearLayout &result) {
  auto transfer = dyn_cast<LayoutTransfer>(op);
  return transfer ? transfer.operandLayout(result) : result;
}

bool fsm::followsOperands(Operation *op) {
  if (auto transfer = dyn_cast<LayoutTransfer>(op))
    return transfer.followsOperands();
  return isElementwise(op);
}

/// Whether a block is one that somebody holds, in another shape: what is computed of all its
/// elements is as well held as they.
static bool isHeldInOtherShape(Value block, function_ref<bool(Value)> isOnDemand) {
  auto reshape = block.getDefiningOp<ReshapeOp>();
  while (reshape && isOnDemand(block)) {
    block = reshape.getSource();
    reshape = block.getDefiningOp<ReshapeOp>();
  }
  return !isOnDemand(block);
}

bool fsm::isComputedOnDemand(Operation *op, function_ref<bool(Value)> isOnDemand) {
  auto again = dyn_cast<Rematerializable>(op);
  auto transfer = dyn_cast<LayoutTransfer>(op);
  bool movesNothing = transfer && !transfer.followsOperands();
  return again && again.isCheap([&](Value operand) {
    return movesNothing || !isHeldInOtherShape(operand, isOnDemand);
  });
}

//===----------------------------------------------------------------------===//
// Layouts and costs
//===----------------------------------------------------------------------===//

static bool isBlock(Value value) { return isa<RankedTensorType>(value.getType()); }

LayoutPlan::LayoutPlan(KernelOp kernel, ThreadCounts threads, const AccessTarget &target)
    : kernel(kernel), context(kernel.getContext()), threads(threads), room(target.room),
      accesses(kernel, threads, target) {}

LayoutAttr LayoutPlan::attribute(const LinearLayout &layout) const {
  return LayoutAttr::get(context, layout);
}

LayoutAttr LayoutPlan::defaultLayout(Value block) const {
  return attribute(accesses.defaultLayout(cast<RankedTensorType>(block.getType())));
}

bool LayoutPlan::isUnknown(Value value) const {
  return isBlock(value) && !onDemand.contains(value) && !homes.lookup(value);
}

/// A comparison and a predicate, in quarters of a cycle.
static constexpr uint64_t kCostOfMask = 8;
/// A read of shared memory, in quarters of a cycle.
static constexpr uint64_t kCostOfRead = 8;
/// Loads of a thread that are worth an exchange: of fewer the shuffles take as long.
static constexpr uint64_t kFewestSaved = 8;
/// More than any kernel's accesses and conversions cost, and little enough to be added up.
static constexpr uint64_t kNoRoom = uint64_t(1) << 40;

/// What one CTA, or each of a cluster, needs for all of a block at once.
static uint64_t sharedBytesOf(const ConversionPlan &plan) {
  return plan.kind == ConversionKind::SharedMemory ? plan.source.to().size() * plan.elementBytes : 0;
}

/// In quarters of a cycle, for all warps. A block of which a CTA has no room for all at once, as one on a cluster, is better accessed
/// in pieces of less than a vector.
uint64_t LayoutPlan::conversionCost(LayoutAttr from, LayoutAttr to, RankedTensorType type) {
  if (!from || from == to)
    return 0;
  auto [known, isNew] = costs.try_emplace({from, to, type.cloneWithEncoding({})}, 0);
  if (isNew) {
    ConversionPlan plan = planBetween(from.toLinear(type.getShape()), to.toLinear(type.getShape()),
                                      type.getElementType());
    known->second = sharedBytesOf(plan) > room ? kNoRoom : uint64_t(plan.cost().total()) * threads.warps;
  }
  return known->second;
}

std::optional<MissedExchange> LayoutPlan::missedExchange(GlobalAccess access) const {
  RankedTensorType type = accessedBlock(access);
  if (!type || !(access.onlyReads() || access.onlyWrites()) ||
      BitSpace::block(extentsOf(type)).size() * bytesOf(type.getElementType()) <= room)
    return std::nullopt;
  LinearLayout made = layoutOfAccess(access).toLinear(type.getShape()), wanted = accesses.wanted(access);
  ConversionPlan plan = access.onlyReads() ? planBetween(wanted, made, type.getElementType())
                                           : planBetween(made, wanted, type.getElementType());
  uint64_t bytes = sharedBytesOf(plan), cost = 4 * accesses.cost(access, made);
  uint64_t exchanged = 4 * accesses.cost(access, wanted) + uint64_t(plan.cost().total()) * threads.warps;
  if (bytes <= room || cost <= exchanged)
    return std::nullopt;
  return MissedExchange{bytes, cost, exchanged};
}

/// From shared memory each thread reads what it is to have.
uint64_t LayoutPlan::readCost(RankedTensorType type, LayoutAttr layout) const {
  return kCostOfRead * layout.toLinear(type.getShape()).liveRegisters().size() * threads.warps;
}

uint64_t LayoutPlan::gatherCost(GatherOp gather, LayoutAttr layout) {
  return conversionCost(homeOf(gather.getIndices()), layout, gather.getIndices().getType()) +
         readCost(gather.getType(), layout);
}

/// Of bringing all block operands that have a home to where the op gives its result in a
/// layout without moving anything; of gathering there what nobody else wants.
uint64_t LayoutPlan::operandsCost(Operation *op, LayoutAttr layout) {
  LayoutAttr wanted = before(op, layout);
  if (!wanted)
    return UINT32_MAX;
  uint64_t sum = 0;
  for (Value operand : op->getOperands()) {
    if (!isBlock(operand))
      continue;
    LayoutAttr home = homeOf(operand);
    uint64_t moved = conversionCost(home, wanted, cast<RankedTensorType>(operand.getType()));
    if (auto gather = operand.getDefiningOp<GatherOp>(); moved && gather && gather->hasOneUse()) {
      uint64_t there = gatherCost(gather, wanted);
      moved = std::min(moved, there - std::min(there, gatherCost(gather, home)));
    }
    sum += moved;
  }
  return sum;
}

/// The layout of the op's result when its operands have this one.
LayoutAttr LayoutPlan::through(Operation *op, Value operand, LayoutAttr layout) const {
  auto transfer = dyn_cast<LayoutTransfer>(op);
  return transfer ? attribute(*transfer.resultLayout(layout.toLinear(shapeOf(operand.getType()))))
                  : layout;
}

/// The layout its operands need for this one of the result; null where none will do.
LayoutAttr LayoutPlan::before(Operation *op, LayoutAttr layout) const {
  ArrayRef<int64_t> shape = shapeOf(op->getResult(0).getType());
  std::optional<LinearLayout> needed = operandLayout(op, layout.toLinear(shape));
  return needed ? attribute(*needed) : LayoutAttr();
}

//===----------------------------------------------------------------------===//
// Ops without regions
//===----------------------------------------------------------------------===//

LayoutAttr LayoutPlan::elementwiseHome(Operation *op) {
  llvm::SmallSetVector<LayoutAttr, 4> candidates;
  bool waits = false;
  for (Value operand : op->getOperands()) {
    LayoutAttr home = isBlock(operand) ? homeOf(operand) : LayoutAttr();
    home = home || !isBlock(operand) ? home : renamedHome(operand);
    if (home)
      candidates.insert(through(op, operand, home));
    waits |= isUnknown(operand);
  }
  if (candidates.empty() && waits)
    return LayoutAttr();
  if (candidates.empty())
    return isa<JoinOp>(op) ? through(op, op->getOperand(0), defaultLayout(op->getOperand(0)))
                           : defaultLayout(op->getResult(0));
  return *llvm::min_element(candidates, [&](LayoutAttr a, LayoutAttr b) {
    return operandsCost(op, a) < operandsCost(op, b);
  });
}

LayoutAttr LayoutPlan::storeHome(GlobalAccess store) {
  LayoutAttr wanted = attribute(accesses.wanted(store));
  LayoutAttr home = homeOf(store.getValue());
  if (!home || home == wanted)
    return wanted;
  auto type = cast<RankedTensorType>(store.getAccessedType());
  // Four quarters of a cycle for each instruction and each line.
  auto made = [&](LayoutAttr layout) {
    return 4 * accesses.cost(store, layout.toLinear(type.getShape()));
  };
  LayoutAttr widened =
      attribute(accesses.widened(store, home.toLinear(type.getShape())));
  // The hardware stores what threads bring to shared memory only for that: they do no more.
  std::optional<LinearLayout> tile = accesses.tileOf(store);
  if (tile && (conversionCost(home, wanted, type) >= kNoRoom ||
               planBetween(home.toLinear(type.getShape()), wanted.toLinear(type.getShape()), type.getElementType()).kind !=
                   ConversionKind::SharedMemory))
    tile.reset();
  auto cost = [&](LayoutAttr layout) -> uint64_t {
    if (tile && layout == wanted)
      return uint64_t(costOfStores(home.toLinear(type.getShape()), *tile, bytesOf(type.getElementType())).total()) *
             threads.warps;
    return made(layout) + conversionCost(home, layout, type);
  };
  LayoutAttr candidates[] = {home, widened, wanted};
  return *llvm::min_element(candidates,
                            [&](LayoutAttr a, LayoutAttr b) { return cost(a) < cost(b); });
}

/// What the access wants, or where its offsets or its values are.
LayoutAttr LayoutPlan::atomicHome(AtomicAccess atomic) {
  ArrayRef<int64_t> shape = shapeOf(atomic.getAccessedType());
  LayoutAttr best = attribute(accesses.wanted(atomic));
  auto made = [&](LayoutAttr layout) {
    return 4 * accesses.cost(atomic, layout.toLinear(shape)) + operandsCost(atomic, layout);
  };
  for (Value operand : atomic->getOperands())
    if (LayoutAttr home = isBlock(operand) ? homeOf(operand) : LayoutAttr())
      best = made(home) < made(best) ? home : best;
  return best;
}

/// The parts of a block are where it is; where threads share what one of them has to take apart,
/// that is first brought to it.
void LayoutPlan::visitParts(LayoutTransfer split) {
  Value source = split->getOperand(0), part = split->getResult(0);
  LayoutAttr home = homeOf(source), place;
  std::optional<LinearLayout> own;
  if (home)
    own = split.resultLayout(home.toLinear(shapeOf(source.getType())));
  if (own)
    place = home;
  else if (!isUnknown(source))
    own = defaultLayout(part).toLinear(shapeOf(part.getType()));
  if (own && !place)
    place = attribute(*split.operandLayout(*own));
  places[split] = place;
  for (Value result : split->getResults())
    homes[result] = own ? attribute(*own) : LayoutAttr();
}

/// Where the elements of a block are that are those of another by other names; null where that is
/// none such, or has no home.
LayoutAttr LayoutPlan::renamedHome(Value block) const {
  Value source = block;
  for (auto op = source.getDefiningOp<ReshapeOp>(); op && op.isRenaming();
       op = source.getDefiningOp<ReshapeOp>())
    source = op.getSource();
  LayoutAttr home = source == block ? LayoutAttr() : homeOf(source);
  if (!home)
    return {};
  LinearLayout layout = home.toLinear(shapeOf(source.getType()));
  return attribute(LinearLayout(layout.from(),
                                BitSpace::block(extentsOf(cast<RankedTensorType>(block.getType()))),
                                layout.bases()));
}

/// Tuples meet where the first operand that has a home is, or what it is another name of, or would
/// be if none has, unless the op must find its elements otherwise: a scan wants them in order.
void LayoutPlan::visitCombine(AlongAxis op) {
  LayoutAttr place;
  bool waits = false;
  for (Value source : op->getOperands()) {
    place = place ? place : homeOf(source);
    place = place ? place : renamedHome(source);
    waits |= isUnknown(source);
  }
  if (!place && !waits)
    place = defaultLayout(op->getOperand(0));
  ArrayRef<int64_t> shape = shapeOf(op->getOperand(0).getType());
  if (place && !op.takesAnyOrder())
    place = attribute(layoutAlong(op, place.toLinear(shape)));
  places[op] = place;
  LayoutAttr home = place;
  if (place && !op.isScan())
    home = attribute(slicedLayout(place.toLinear(shape), op.getAxis()));
  for (Value result : op->getResults())
    if (isBlock(result))
      homes[result] = home;
}

void LayoutPlan::visit(Operation *op) {
  ++visits;
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return visitFor(loop);
  if (auto choice = dyn_cast<scf::IfOp>(op))
    return visitIf(choice);
  if (auto loop = dyn_cast<scf::WhileOp>(op))
    return visitWhile(loop);
  auto transfer = dyn_cast<LayoutTransfer>(op);
  if (transfer && op->getNumResults() > 1)
    return visitParts(transfer);
  if (auto along = dyn_cast<AlongAxis>(op))
    return visitCombine(along);
  auto access = dyn_cast<GlobalAccess>(op);
  if (access && access.onlyWrites() && accessedBlock(op))
    places[op] = storeHome(access);
  if (op->getNumResults() != 1 || !isBlock(op->getResult(0)))
    return;
  Value result = op->getResult(0);
  if (isComputedOnDemand(op, [&](Value operand) { return isOnDemand(operand); }))
    onDemand.insert(result);
  else if (auto atomic = dyn_cast<AtomicAccess>(op))
    homes[result] = atomicHome(atomic);
  else if (access)
    homes[result] =
        homeOf(access.getOffsets()) ? homeOf(access.getOffsets()) : attribute(accesses.wanted(op));
  else if (auto dot = dyn_cast<DotOp>(op))
    homes[result] = attribute(productLayout(dot, threads));
  else if (auto gather = dyn_cast<GatherOp>(op); gather && homeOf(gather.getIndices()))
    homes[result] = homeOf(gather.getIndices());
  else if (followsOperands(op))
    homes[result] = elementwiseHome(op);
  else
    homes[result] = defaultLayout(result);
}

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

void LayoutPlan::visitBlock(Block &block) {
  for (Operation &op : block)
    visit(&op);
}

/// Gives each of `to` the home of the first of its sources that has one: what is computed
/// on demand asks for none, and what is not known yet leaves it unknown.
void LayoutPlan::carry(ValueRange to, ArrayRef<ValueRange> sources) {
  for (auto [i, target] : llvm::enumerate(to)) {
    if (!isBlock(target))
      continue;
    LayoutAttr home;
    bool waits = false;
    for (ValueRange source : sources) {
      home = home ? home : homeOf(source[i]);
      waits |= isUnknown(source[i]);
    }
    homes[target] = home || waits ? home : defaultLayout(target);
  }
}

/// Gives the carried blocks of a loop the homes of what its body yields; whether that
/// changes any. Blocks that a loop exchanges would chase one another for ever: those of one type
/// that change once more get one home.
bool LayoutPlan::follow(ValueRange carried, ValueRange yielded, ValueRange inits, bool isLast) {
  llvm::DenseMap<Type, LayoutAttr> shared;
  bool changed = false;
  for (auto [target, source, init] : llvm::zip_equal(carried, yielded, inits)) {
    if (!isBlock(target))
      continue;
    LayoutAttr before = homeOf(target), home = homeOf(source);
    if (!home)
      home = before ? before : homeOf(init);
    if (!home)
      home = defaultLayout(target);
    if (home == before)
      continue;
    changed = true;
    homes[target] = isLast ? shared.try_emplace(target.getType(), home).first->second : home;
  }
  return changed;
}

/// Visits a loop's body until the carried blocks have the homes of what it yields. In the
/// first round they have none, so that what the body reads decides. Rounds of nested loops
/// multiply: when many ops have been visited, the inits decide and one round must do.
void LayoutPlan::settle(ValueRange carried, ValueRange yielded, ValueRange inits,
                        function_ref<void()> body) {
  constexpr int kLastRound = 2;
  if (visits > visitLimit) {
    carry(carried, {inits});
    return body();
  }
  for (Value value : carried)
    homes.erase(value);
  for (int round = 0;; ++round) {
    body();
    if (round > kLastRound || !follow(carried, yielded, inits, round == kLastRound))
      return;
  }
}

void LayoutPlan::visitFor(scf::ForOp loop) {
  settle(loop.getRegionIterArgs(), loop.getYieldedValues(), loop.getInitArgs(),
         [&] { visitBlock(*loop.getBody()); });
  carry(loop.getResults(), {loop.getRegionIterArgs()});
}

void LayoutPlan::visitIf(scf::IfOp choice) {
  visitBlock(*choice.thenBlock());
  if (!choice.elseBlock())
    return;
  visitBlock(*choice.elseBlock());
  carry(choice.getResults(), {choice.thenYield().getOperands(), choice.elseYield().getOperands()});
}

void LayoutPlan::visitWhile(scf::WhileOp loop) {
  settle(loop.getBeforeArguments(), loop.getYieldedValues(), loop.getInits(), [&] {
    visitBlock(*loop.getBeforeBody());
    carry(loop.getAfterArguments(), {loop.getConditionOp().getArgs()});
    visitBlock(*loop.getAfterBody());
  });
  carry(loop.getResults(), {loop.getAfterArguments()});
}

//===----------------------------------------------------------------------===//
// The plan
//===----------------------------------------------------------------------===//

void LayoutPlan::decide() {
  SmallVector<Operation *> ops;
  kernel.getBody().walk<WalkOrder::PreOrder>([&](Operation *op) { ops.push_back(op); });
  visitLimit = 8 * ops.size();
  visitBlock(kernel.getBody().front());
  // A user comes behind what it uses, so that here all demands on a result are known.
  for (Operation *op : llvm::reverse(ops))
    demand(op);
}

/// Notes the layouts in which `op` takes its operands.
void LayoutPlan::demand(Operation *op) {
  Value result = op->getNumResults() == 1 ? op->getResult(0) : Value();
  if (!result || !isOnDemand(result)) {
    moveToUsers(op);
    // What looks on takes a block where it is, and keeps it nowhere.
    for (OpOperand &operand : op->getOpOperands())
      if (isBlock(operand.get()) && !(isDebugOp(op) && homeOf(operand.get())))
        demands[operand.get()].insert(demandOf(operand));
    return;
  }
  ArrayRef<int64_t> shape = shapeOf(result.getType());
  SmallVector<LayoutAttr> layouts = llvm::to_vector(demandsOn(result));
  for (Value operand : op->getOperands())
    if (isBlock(operand))
      for (LayoutAttr layout : layouts)
        demands[operand].insert(attribute(*operandLayout(op, layout.toLinear(shape))));
}

/// A block that nobody wants where it is gets the home that its users want, if computing, loading,
/// gathering or counting it there costs no more than converting it.
void LayoutPlan::moveToUsers(Operation *op) {
  auto access = dyn_cast<GlobalAccess>(op);
  auto gather = dyn_cast<GatherOp>(op);
  bool isMovable = access ? access.onlyReads() && !access.getIsVolatile()
                          : isa<GatherOp, HistogramOp>(op) || followsOperands(op);
  if (op->getNumResults() != 1 || !isBlock(op->getResult(0)) || !isMovable)
    return;
  Value result = op->getResult(0);
  ArrayRef<LayoutAttr> wanted = demandsOn(result);
  LayoutAttr home = homeOf(result);
  if (wanted.size() != 1 || wanted.front() == home)
    return;
  auto type = cast<RankedTensorType>(result.getType());
  if (!before(op, wanted.front()))
    return;
  auto made = [&](LayoutAttr layout) {
    if (gather)
      return gatherCost(gather, layout);
    if (isa<HistogramOp>(op))
      return readCost(type, layout);
    LinearLayout linear = layout.toLinear(type.getShape());
    return operandsCost(op, layout) +
           (access ? 4 * accesses.cost(op, linear) : linear.liveRegisters().size() * threads.warps);
  };
  if (made(wanted.front()) <= made(home) + conversionCost(home, wanted.front(), type))
    homes[result] = wanted.front();
  if (access)
    dealToLanes(access, wanted.front());
}

/// Where several lanes of a warp want the same elements, one of them may load each and hand it to
/// the others, if that costs less: of a mask each load has a comparison and a predicate of its own.
void LayoutPlan::dealToLanes(GlobalAccess load, LayoutAttr wanted) {
  auto type = cast<RankedTensorType>(load->getResult(0).getType());
  LayoutAttr dealt = attribute(accesses.dealt(load, wanted.toLinear(type.getShape())));
  if (dealt == wanted || !before(load, dealt))
    return;
  uint64_t fewer = accesses.instructions(load, dealt.toLinear(type.getShape()));
  if (accesses.instructions(load, wanted.toLinear(type.getShape())) <
      fewer + kFewestSaved * threads.warps)
    return;
  auto cost = [&](LayoutAttr layout) {
    LinearLayout linear = layout.toLinear(type.getShape());
    return operandsCost(load, layout) + 4 * accesses.cost(load, linear) +
           conversionCost(layout, wanted, type) +
           (load.getMask() ? kCostOfMask * accesses.instructions(load, linear) : 0);
  };
  LayoutAttr &home = homes[load->getResult(0)];
  if (cost(dealt) < cost(home))
    home = dealt;
}

LayoutAttr LayoutPlan::demandOf(OpOperand &operand) const {
  Operation *op = operand.getOwner();
  if (LayoutAttr place = places.lookup(op))
    return place;
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return homeOf(loop.getTiedLoopRegionIterArg(&operand));
  if (auto loop = dyn_cast<scf::WhileOp>(op))
    return homeOf(loop.getBeforeArguments()[operand.getOperandNumber()]);
  if (isa<scf::ConditionOp>(op)) {
    auto loop = cast<scf::WhileOp>(op->getParentOp());
    return homeOf(loop.getAfterArguments()[operand.getOperandNumber() - 1]);
  }
  if (isa<scf::YieldOp>(op)) {
    unsigned index = operand.getOperandNumber();
    if (auto loop = dyn_cast<scf::ForOp>(op->getParentOp()))
      return homeOf(loop.getRegionIterArg(index));
    if (auto loop = dyn_cast<scf::WhileOp>(op->getParentOp()))
      return homeOf(loop.getBeforeArguments()[index]);
    return homeOf(op->getParentOp()->getResult(index));
  }
  auto transfer = dyn_cast<LayoutTransfer>(op);
  if (transfer && transfer.followsOperands())
    return before(op, homeOf(op->getResult(0)));
  bool takesAny = transfer || BlockLookup::looksUp(operand);
  if (op->getNumResults() == 1 && isBlock(op->getResult(0)) && !takesAny)
    return homeOf(op->getResult(0));
  // What goes through shared memory is taken as it is.
  LayoutAttr home = homeOf(operand.get());
  return home ? home : defaultLayout(operand.get());
}

LayoutAttr LayoutPlan::layoutOfAccess(Operation *access) const {
  return access->getNumResults() == 0 ? places.lookup(access) : homeOf(access->getResult(0));
}

unsigned LayoutPlan::widthOf(Operation *access) const {
  return accesses.width(access, layoutOfAccess(access).toLinear(accessedBlock(access).getShape()));
}
