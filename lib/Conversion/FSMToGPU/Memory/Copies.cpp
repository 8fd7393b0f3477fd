//===- Copies.cpp - Asynchronous copies into slots -----------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Access.h"

#include "../Exchange/SharedAccess.h"
#include "../Exchange/SharedBlock.h"

#include "fsm/Analysis/ProductTiles.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace fsm;
using namespace fsm::gpu;

//===----------------------------------------------------------------------===//
// Bulk copies
//===----------------------------------------------------------------------===//

void fsm::gpu::fenceAsync(ImplicitLocOpBuilder &builder) {
  MLIRContext *context = builder.getContext();
  NVVM::FenceProxyOp::create(builder,
                             NVVM::ProxyKindAttr::get(context, NVVM::ProxyKind::async_shared),
                             NVVM::SharedSpaceAttr::get(context, NVVM::SharedSpace::shared_cta));
}

void fsm::gpu::fenceAsyncGlobal(ImplicitLocOpBuilder &builder) {
  NVVM::FenceProxyOp::create(
      builder, NVVM::ProxyKindAttr::get(builder.getContext(), NVVM::ProxyKind::async_global),
      NVVM::SharedSpaceAttr());
}

void fsm::gpu::expectBytes(DeviceProgram &program, Value mbarrier, Value bytes) {
  NVVM::MBarrierArriveExpectTxOp::create(program.builder, /*res=*/Type(), mbarrier, bytes,
                                         NVVM::MemScopeKind::CTA, /*relaxed=*/false,
                                         /*predicate=*/Value());
}

void fsm::gpu::makeArrivals(DeviceProgram &program, ArrayRef<MBarrierInitOp> ops, bool isFenced) {
  ImplicitLocOpBuilder &builder = program.builder;
  // Of ctas that share a loop nothing comes to others than the first.
  Value makes = program.isFirstOfCta();
  if (program.hasParts())
    makes = both(builder, makes, program.isFirstPart());
  program.emitIf(makes, [&] {
    for (MBarrierInitOp op : ops) {
      Value mbarrier = slotAddress(program, op.getMbarriers(), program.i32(0));
      NVVM::MBarrierInitOp::create(builder, mbarrier, program.i32(1), /*predicate=*/Value());
      if (llvm::none_of(op.getMbarriers().getUsers(), llvm::IsaPred<MBarrierExpectOp>))
        expectBytes(program, mbarrier, program.i32(static_cast<int64_t>(*op.getBytes())));
    }
    if (isFenced)
      NVVM::FenceMbarrierInitOp::create(builder);
  });
}

static LogicalResult lower(ThreadLowering &thread, MBarrierInitOp op) {
  DeviceProgram &program = thread.program;
  ImplicitLocOpBuilder &builder = program.builder;
  // The kernel's beginning has made it.
  if (op.getBytes())
    return success();
  program.emitIf(program.isFirstThread(), [&] {
    for (int64_t slot = 0; slot < op.getMbarriers().getType().getShape().front(); ++slot) {
      Value mbarrier = slotAddress(program, op.getMbarriers(), program.i32(slot));
      NVVM::MBarrierInitOp::create(builder, mbarrier, program.i32(op.getArrivals().value_or(1)),
                                   /*predicate=*/Value());
    }
    // Copies come to mbarriers by another way than stores; where warps arrive, none do. In a cluster all mbarriers
    // are told of at once.
    if (!op.getArrivals() && program.clusterPrograms() == 1)
      NVVM::FenceMbarrierInitOp::create(builder);
  });
  // The thread that uses them first has made them, but compute-sanitizer says that another lane has, if none meet.
  if (!op.getArrivals())
    reconverge(builder, builder.getLoc());
  return success();
}

/// Copies a whole block, in the program's first thread.
static void lowerBulkCopy(ThreadLowering &thread, CopyAsyncOp op, const AccessOperands &operands) {
  DeviceProgram &program = thread.program;
  ImplicitLocOpBuilder &builder = program.builder;
  Value slot = thread.lookup(op.getSlot()), count = thread.lookup(op.getCount());
  RankedTensorType type = op.getOffsets().getType();
  Type element = op.getPointer().getType().getPointeeType();
  unsigned elementBytes = bytesOf(element);
  Value bytes = program.i32(type.getNumElements() * elementBytes);
  if (count)
    bytes = arith::MulIOp::create(builder, count, program.i32(elementBytes));
  if (op.getFence())
    fenceAsync(builder);
  Value mbarrier = slotAddress(program, op.getMbarriers(), slot);
  expectBytes(program, mbarrier, bytes);
  // PTX has no copies of nothing.
  Value isAny;
  if (count)
    isAny = arith::CmpIOp::create(builder, arith::CmpIPredicate::ne, bytes, program.i32(0));
  program.emitIf(isAny, [&] {
    // The first thread has the block's first element, in its first register.
    ElementAddresses addresses(program, operands, memoryElement(element));
    Value begin = slotAddress(program, op.getShared(), slot);
    NVVM::CpAsyncBulkGlobalToSharedClusterOp::create(builder, begin, addresses.of(0), mbarrier,
                                                     bytes, /*multicastMask=*/Value(),
                                                     /*l2CacheHint=*/Value());
  });
}

static LogicalResult lower(ThreadLowering &thread, MBarrierWaitOp op) {
  DeviceProgram &program = thread.program;
  Value slot = thread.lookup(op.getSlot()), phase = thread.lookup(op.getPhase());
  ImplicitLocOpBuilder &builder = program.builder;
  Value mbarrier = slotAddress(program, op.getMbarriers(), slot);
  auto loop = scf::WhileOp::create(
      builder, TypeRange(), ValueRange(),
      [&](OpBuilder &inside, Location loc, ValueRange) {
        Value isFull = NVVM::MBarrierTryWaitOp::create(inside, loc, inside.getI1Type(), mbarrier,
                                                       phase, /*ticks=*/Value(),
                                                       NVVM::MemScopeKind::CTA, /*relaxed=*/false);
        Value yes = arith::ConstantOp::create(inside, loc, inside.getBoolAttr(true));
        Value again = arith::XOrIOp::create(inside, loc, isFull, yes);
        scf::ConditionOp::create(inside, loc, again, ValueRange());
      },
      [&](OpBuilder &inside, Location loc, ValueRange) { scf::YieldOp::create(inside, loc); });
  builder.setInsertionPointAfter(loop);
  if (!program.isAlone())
    reconverge(builder, op.getLoc());
  return success();
}

//===----------------------------------------------------------------------===//
// Each thread's own copies
//===----------------------------------------------------------------------===//

namespace {
/// How a mask of a group compares (RowMasks.cpp): what a thread has left is more than `first`, in one element after the other than
/// one more, unless all are alike.
struct GroupEnd {
  Value left;
  int64_t first = 0;
  bool isAlike = false;
};
} // namespace

/// Null where a group's elements are compared otherwise.
static std::optional<GroupEnd> endOfGroup(const ThreadBlock &block, Value mask, const std::vector<uint64_t> &group) {
  auto lanes = llvm::map_to_vector(group, [&](uint64_t reg) { return block.indexOf(reg); });
  for (; auto shuffle = mask.getDefiningOp<vector::ShuffleOp>(); mask = shuffle.getV1()) {
    for (int64_t &lane : lanes) {
      lane = shuffle.getMask()[static_cast<size_t>(lane)];
      if (lane < 0 || lane >= cast<VectorType>(shuffle.getV1().getType()).getNumElements())
        return std::nullopt;
    }
  }
  auto compare = mask.getDefiningOp<arith::CmpIOp>();
  auto left = compare ? compare.getLhs().getDefiningOp<vector::BroadcastOp>() : vector::BroadcastOp();
  DenseIntElementsAttr constants;
  if (!left || compare.getPredicate() != arith::CmpIPredicate::sgt || !left.getSource().getType().isInteger(32) ||
      !matchPattern(compare.getRhs(), m_Constant(&constants)))
    return std::nullopt;
  auto values = constants.getValues<APInt>();
  auto parts = llvm::map_to_vector(lanes, [&](int64_t lane) { return values[static_cast<uint64_t>(lane)].getSExtValue(); });
  if (parts.front() > INT32_MAX - static_cast<int64_t>(group.size()))
    return std::nullopt;
  GroupEnd end{left.getSource(), parts.front(), llvm::all_equal(parts)};
  for (auto [i, part] : llvm::enumerate(parts))
    if (!end.isAlike && part != end.first + static_cast<int64_t>(i))
      return std::nullopt;
  return end;
}

/// How many bytes of a group a mask has that is true up to some element and false behind it. Where two
/// such masks are both true is where the one of them that ends first is: rows that share columns then
/// share a count.
static Value bytesUpToEnd(DeviceProgram &program, const ThreadBlock &block, Value mask,
                          const std::vector<uint64_t> &group, unsigned elementBytes) {
  ImplicitLocOpBuilder &builder = program.builder;
  if (auto both = mask.getDefiningOp<arith::AndIOp>())
    return arith::MinUIOp::create(
        builder, bytesUpToEnd(program, block, both.getLhs(), group, elementBytes),
        bytesUpToEnd(program, block, both.getRhs(), group, elementBytes));
  std::optional<GroupEnd> end = endOfGroup(block, mask, group);
  if (end && !end->isAlike) {
    Type type = builder.getI32Type();
    Value first = program.constantInt(type, end->first);
    Value most = program.constantInt(type, end->first + static_cast<int64_t>(group.size()));
    Value inside = arith::MinSIOp::create(builder, arith::MaxSIOp::create(builder, end->left, first), most);
    Value count = arith::SubIOp::create(builder, inside, first);
    return arith::MulIOp::create(builder, count, program.i32(elementBytes));
  }
  if (end)
    return arith::SelectOp::create(builder, block.elementOf(mask, group.front()),
                                   program.i32(static_cast<unsigned>(group.size()) * elementBytes), program.i32(0));
  Value sum = program.i32(0);
  for (uint64_t reg : group) {
    Value one = arith::SelectOp::create(builder, block.elementOf(mask, reg),
                                        program.i32(elementBytes), program.i32(0));
    sum = arith::AddIOp::create(builder, sum, one);
  }
  return sum;
}

/// How many bytes of a group are copied, behind which are zeros; null for all of them.
static Value bytesTaken(DeviceProgram &program, ThreadBlock &block, CopyAsyncOp op, Value mask,
                        const std::vector<uint64_t> &group, unsigned elementBytes) {
  ImplicitLocOpBuilder &builder = program.builder;
  Value inside = block.isInside(group.front());
  if (!op->hasAttr(kMaskEndsAttr))
    inside = both(builder, block.elementOf(mask, group.front()), inside);
  Value all = program.i32(static_cast<unsigned>(group.size()) * elementBytes);
  if (op->hasAttr(kMaskEndsAttr))
    all = bytesUpToEnd(program, block, mask, group, elementBytes);
  else if (!inside)
    return {};
  return inside ? arith::SelectOp::create(builder, inside, all, program.i32(0)).getResult() : all;
}

/// Whether a mask that ends within a group in some threads is alike in all of its elements in this one;
/// null: it is in all threads.
static Value isAlike(DeviceProgram &program, const ThreadBlock &block, Value mask,
                     const std::vector<uint64_t> &group) {
  ImplicitLocOpBuilder &builder = program.builder;
  if (auto two = mask.getDefiningOp<arith::AndIOp>())
    return both(builder, isAlike(program, block, two.getLhs(), group),
                isAlike(program, block, two.getRhs(), group));
  std::optional<GroupEnd> end = isa<VectorType>(mask.getType()) ? endOfGroup(block, mask, group) : std::nullopt;
  if (!isa<VectorType>(mask.getType()) || (end && end->isAlike))
    return {};
  return arith::CmpIOp::create(builder, arith::CmpIPredicate::eq,
                               block.elementOf(mask, group.front()),
                               block.elementOf(mask, group.back()));
}

/// Copies 16 bytes, or `count` of them and zeros, and lets all of their line come to the L2 cache,
/// for which NVVM has no op (docs/decisions/0226-slots-begin-with-a-line-of-banks.md).
static void copyWithLine(ImplicitLocOpBuilder &builder, Value to, Value from, Value count) {
  SmallVector<Value> operands = {to, from};
  if (count)
    operands.push_back(count);
  StringRef text = count ? "cp.async.cg.shared.global.L2::128B [$0], [$1], 16, $2;"
                         : "cp.async.cg.shared.global.L2::128B [$0], [$1], 16;";
  inlinePtx(builder, /*result=*/{}, operands, text, count ? "l,l,r,~{memory}" : "l,l,~{memory}");
}

namespace {
/// A thread's copies of its own elements.
struct OwnCopies {
  /// Begins all of them, each of so many bytes: of `taken`, or those that the masks have.
  void begin(ArrayRef<Value> taken) {
    ImplicitLocOpBuilder &builder = program.builder;
    unsigned elementBytes = bytesOf(op.getShared().getType().getElementType());
    auto bytes = static_cast<unsigned>(groups.front().size()) * elementBytes;
    // Whole lines that are read once pass by the first cache; only 16 bytes may.
    auto cache = bytes == 16 ? NVVM::LoadCacheModifierKind::CG : NVVM::LoadCacheModifierKind::CA;
    bool goOn = op->getParentOfType<scf::ForOp>() && !op->hasAttr(kRowsApartAttr);
    bool wholeLines = bytes == 16 && op->hasAttr(kWholeLinesAttr);
    // Either branch counts on from its own first one.
    ElementAddresses own = addresses;
    for (auto [i, group] : llvm::enumerate(groups)) {
      Value count = taken.empty() ? bytesTaken(program, block, op, mask, group, elementBytes)
                                  : taken[i];
      int64_t index = block.indexOf(group.front());
      Value to = places.at(side.bytesAt(group.front())),
            from = goOn ? own.next(index) : own.of(index);
      if (wholeLines)
        copyWithLine(builder, to, from, count);
      else
        NVVM::CpAsyncOp::create(builder, to, from, bytes, cache, count);
    }
  }

  /// Where no mask ends within a group, which one test says, each copies all or nothing: ptxas makes five
  /// instructions of a number of bytes that it does not know, and of these two one
  /// (docs/decisions/0113-what-ptxas-is-told.md).
  void beginWholeOrParts() {
    ImplicitLocOpBuilder &builder = program.builder;
    unsigned elementBytes = bytesOf(op.getShared().getType().getElementType());
    Value areWhole;
    SmallVector<Value> whole;
    for (const std::vector<uint64_t> &group : groups) {
      areWhole = both(builder, areWhole, isAlike(program, block, mask, group));
      Value isThere =
          both(builder, block.elementOf(mask, group.front()), block.isInside(group.front()));
      Value all = program.i32(static_cast<unsigned>(group.size()) * elementBytes);
      whole.push_back(arith::SelectOp::create(builder, isThere, all, program.i32(0)));
    }
    if (!areWhole)
      return begin(whole);
    auto choice = scf::IfOp::create(builder, areWhole, /*withElseRegion=*/true);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(choice.thenBlock());
    begin(whole);
    builder.setInsertionPointToStart(choice.elseBlock());
    begin({});
  }

  DeviceProgram &program;
  CopyAsyncOp op;
  ThreadBlock &block;
  Value mask;
  const std::vector<std::vector<uint64_t>> &groups;
  const SharedSide &side;
  const SharedPlaces &places;
  const ElementAddresses &addresses;
};
} // namespace

static LogicalResult lowerOwnCopies(ThreadLowering &thread, CopyAsyncOp op,
                                    const AccessOperands &operands) {
  DeviceProgram &program = thread.program;
  SharedType type = op.getShared().getType();
  auto held = op.getOffsets().getType().clone(type.getElementType());
  ThreadBlock block(program, held);
  std::vector<std::vector<uint64_t>> groups = accessGroups(block, op);
  if (groups.empty())
    return failure();
  unsigned bytes = static_cast<unsigned>(groups.front().size()) * bytesOf(type.getElementType());
  if (bytes != 4 && bytes != 8 && bytes != 16)
    return op.emitError() << "expected accesses of 4, 8 or 16 bytes, got " << bytes;
  SharedSide side = SharedSide::of(held, type);
  if (failed(side.verifyVectors(groups, op)))
    return failure();
  Value begin = slotAddress(program, op.getShared(), thread.lookup(op.getSlot()));
  SharedPlaces places = side.placesFrom(program, 0, begin);
  ElementAddresses addresses(program, operands, memoryElement(type.getElementType()));
  OwnCopies copies{program, op, block, operands.mask, groups, side, places, addresses};
  if (op->hasAttr(kMaskEndsAttr))
    copies.beginWholeOrParts();
  else
    copies.begin({});
  return success();
}

static LogicalResult lower(ThreadLowering &thread, CopyAsyncOp op) {
  AccessOperands operands = accessOperands(thread, op);
  DeviceProgram &program = thread.program;
  LogicalResult result = success();
  program.emitIf(thread.lookup(op.getCondition()), [&] {
    if (!op.getMbarriers())
      result = lowerOwnCopies(thread, op, operands);
    else
      program.emitIf(program.isFirstThread(), [&] { lowerBulkCopy(thread, op, operands); });
  });
  return result;
}

static LogicalResult lower(ThreadLowering &thread, CopyCommitOp op) {
  NVVM::CpAsyncCommitGroupOp::create(thread.builder);
  return success();
}

static LogicalResult lower(ThreadLowering &thread, CopyWaitOp op) {
  NVVM::CpAsyncWaitGroupOp::create(thread.builder, op.getPending());
  return success();
}

void fsm::gpu::addCopyHandlers(HandlerTable &table) {
  addHandler<CopyAsyncOp, lower>(table);
  addHandler<CopyCommitOp, lower>(table);
  addHandler<CopyWaitOp, lower>(table);
  addHandler<MBarrierInitOp, lower>(table);
  addHandler<MBarrierWaitOp, lower>(table);
  addHandler<OwnTensorMapOp, lowerOwnMap>(table);
  addTensorCopyHandlers(table);
}
