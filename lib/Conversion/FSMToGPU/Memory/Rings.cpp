//===- Rings.cpp - Asynchronous copies into rings ------------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Access.h"

#include "../../Registers/Values.h"
#include "../Program/ThreadBlock.h"

#include "fsm/Machine/GpuTarget.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace fsm;
using namespace fsm::gpu;

namespace {
/// One slot of a ring in the program's shared memory.
class Slot {
public:
  Slot(DeviceProgram &program, Operation *op, Value ring, Value slot);

  /// Whether the ring has a place. An error is at the op.
  bool isValid() const { return valid; }
  bool isBulk() const { return ring.getBulk(); }
  /// Where the slot begins, and where the mbarrier of a slot of a bulk ring is.
  Value begin() { return base(ring.getSlotBytes(), 0); }
  Value mbarrier();

  RingType ring;
  RankedTensorType type;

protected:
  /// The address of the slot's number times `stride`, behind the first `offset` bytes of the ring.
  Value base(uint64_t stride, uint64_t offset);

  DeviceProgram &program;
  Location loc;

private:
  Value slot;
  bool valid = false;
  int64_t place = 0;
};

/// The pieces of one slot that belong to a thread.
class ThreadSlot : public Slot {
public:
  ThreadSlot(DeviceProgram &program, Operation *op, Value ring, Value slot);

  /// Whether the op's accesses fit the block, too.
  bool isValid() const { return Slot::isValid() && !accesses.empty(); }
  const std::vector<std::vector<uint64_t>> &groups() const { return accesses; }
  unsigned pieceBytes() const { return bytes; }
  /// Where the thread's piece of a group is.
  Value address(size_t group);

  ThreadBlock block;
  Type element;

private:
  std::vector<std::vector<uint64_t>> accesses;
  unsigned bytes = 0;
  Value start;
};
} // namespace

Slot::Slot(DeviceProgram &program, Operation *op, Value ring, Value slot)
    : ring(cast<RingType>(ring.getType())), type(this->ring.getBlock()), program(program),
      loc(op->getLoc()), slot(slot) {
  auto made = ring.getDefiningOp<RingOp>();
  auto offset = made ? made->getAttrOfType<IntegerAttr>(kSharedOffsetAttr) : IntegerAttr();
  if (!offset) {
    op->emitError() << "expected an 'fsm.ring' with '" << kSharedOffsetAttr
                    << "'; 'fsm-allocate-shared' gives it a place";
    return;
  }
  place = offset.getInt();
  valid = true;
}

Value Slot::base(uint64_t stride, uint64_t offset) {
  OpBuilder &builder = program.builder;
  Value at = arith::MulIOp::create(builder, loc, slot, program.i32(loc, stride));
  at = arith::AddIOp::create(builder, loc, at, program.i32(loc, place + offset));
  return program.shared(loc, at);
}

Value Slot::mbarrier() {
  return base(RingType::kMBarrierBytes, ring.getSlots() * ring.getSlotBytes());
}

ThreadSlot::ThreadSlot(DeviceProgram &program, Operation *op, Value ring, Value slot)
    : Slot(program, op, ring, slot), block(program, op->getLoc(), type),
      element(memoryElement(type.getElementType())), accesses(accessGroups(block, op)) {
  if (!Slot::isValid())
    return;
  if (accesses.empty()) {
    missingWidth(op);
    return;
  }
  bytes = static_cast<unsigned>(accesses.front().size()) * bytesOf(type.getElementType());
  start = begin();
  if (isBulk())
    return;
  OpBuilder &builder = program.builder;
  Value warp = arith::MulIOp::create(builder, loc, program.warp(), program.i32(loc, kWarpThreads));
  Value thread = arith::AddIOp::create(builder, loc, warp, program.lane());
  Value own = arith::MulIOp::create(builder, loc, thread, program.i32(loc, bytes));
  start = LLVM::GEPOp::create(builder, loc, start.getType(), builder.getI8Type(), start,
                              ArrayRef<LLVM::GEPArg>{own});
}

/// In a bulk slot an element is where its row-major number says; else groups lie one behind the
/// other, each of them as far as all threads reach.
Value ThreadSlot::address(size_t group) {
  OpBuilder &builder = program.builder;
  if (isBulk())
    return LLVM::GEPOp::create(builder, loc, start.getType(), element, start,
                               ArrayRef<LLVM::GEPArg>{block.rowMajor(accesses[group].front())});
  auto apart = static_cast<int32_t>(group * program.numWarps() * kWarpThreads * bytes);
  return LLVM::GEPOp::create(builder, loc, start.getType(), builder.getI8Type(), start,
                             ArrayRef<LLVM::GEPArg>{apart});
}

static Value both(OpBuilder &builder, Location loc, Value left, Value right) {
  if (!left || !right)
    return left ? left : right;
  return arith::AndIOp::create(builder, loc, left, right);
}

/// Emits the rest of what is lowered where a condition holds; null holds always.
static void continueIf(OpBuilder &builder, Location loc, Value condition) {
  if (condition)
    builder.setInsertionPointToStart(
        scf::IfOp::create(builder, loc, condition, /*withElseRegion=*/false).thenBlock());
}

static void fenceAsync(OpBuilder &builder, Location loc) {
  MLIRContext *context = builder.getContext();
  NVVM::FenceProxyOp::create(builder, loc,
                             NVVM::ProxyKindAttr::get(context, NVVM::ProxyKind::async_shared),
                             NVVM::SharedSpaceAttr::get(context, NVVM::SharedSpace::shared_cta));
}

/// Makes the mbarriers of a ring that is `bulk`, by the program's first thread.
static LogicalResult lower(ThreadLowering &thread, RingOp op) {
  DeviceProgram &program = thread.program;
  if (!op.getType().getBulk())
    return success();
  OpBuilder &builder = program.builder;
  Location loc = op.getLoc();
  OpBuilder::InsertionGuard guard(builder);
  continueIf(builder, loc, program.isFirstThread(loc));
  for (unsigned number = 0; number < op.getType().getSlots(); ++number) {
    Slot slot(program, op, op.getResult(), program.i32(loc, number));
    if (!slot.isValid())
      return failure();
    NVVM::MBarrierInitOp::create(builder, loc, slot.mbarrier(), program.i32(loc, 1),
                                 /*predicate=*/Value());
  }
  // Copies come to the mbarriers by another way than stores.
  fenceAsync(builder, loc);
  return success();
}

static LogicalResult lowerBulkCopy(DeviceProgram &program, CopyAsyncOp op,
                                   const AccessOperands &operands, Value slot, Value count) {
  OpBuilder &builder = program.builder;
  Location loc = op.getLoc();
  continueIf(builder, loc, program.isFirstThread(loc));
  Slot place(program, op, op.getRing(), slot);
  if (!place.isValid())
    return failure();
  unsigned elementBytes = bytesOf(place.type.getElementType());
  Value bytes = program.i32(loc, place.type.getNumElements() * elementBytes);
  if (count)
    bytes = arith::MulIOp::create(builder, loc, count, program.i32(loc, elementBytes));
  if (op.getFence())
    fenceAsync(builder, loc);
  Value mbarrier = place.mbarrier();
  NVVM::MBarrierArriveExpectTxOp::create(builder, loc, /*res=*/Type(), mbarrier, bytes,
                                         NVVM::MemScopeKind::CTA, /*relaxed=*/false,
                                         /*predicate=*/Value());
  // PTX has no copies of nothing.
  if (count)
    continueIf(
        builder, loc,
        arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne, bytes, program.i32(loc, 0)));
  // The first thread has the block's first element, in its first register.
  ElementAddresses addresses(program, loc, operands, memoryElement(place.type.getElementType()));
  NVVM::CpAsyncBulkGlobalToSharedClusterOp::create(builder, loc, place.begin(), addresses.of(0),
                                                   mbarrier, bytes, /*multicastMask=*/Value(),
                                                   /*l2CacheHint=*/Value());
  return success();
}

/// Waits until what was copied into a slot of a ring that is `bulk` has arrived.
static LogicalResult lower(ThreadLowering &thread, BulkWaitOp op) {
  DeviceProgram &program = thread.program;
  Value slot = thread.lookup(op.getSlot()), phase = thread.lookup(op.getPhase());
  OpBuilder &builder = program.builder;
  Location loc = op.getLoc();
  Slot place(program, op, op.getRing(), slot);
  if (!place.isValid())
    return failure();
  Value mbarrier = place.mbarrier();
  auto loop = scf::WhileOp::create(
      builder, loc, TypeRange(), ValueRange(),
      [&](OpBuilder &inside, Location, ValueRange) {
        Value isFull = NVVM::MBarrierTryWaitOp::create(inside, loc, inside.getI1Type(), mbarrier,
                                                       phase, /*ticks=*/Value(),
                                                       NVVM::MemScopeKind::CTA, /*relaxed=*/false);
        Value yes = arith::ConstantOp::create(inside, loc, inside.getBoolAttr(true));
        Value again = arith::XOrIOp::create(inside, loc, isFull, yes);
        scf::ConditionOp::create(inside, loc, again, ValueRange());
      },
      [&](OpBuilder &inside, Location, ValueRange) { scf::YieldOp::create(inside, loc); });
  builder.setInsertionPointAfter(loop);
  reconverge(builder, loc);
  return success();
}

/// Begins the copies of a thread: its n-th access goes to the n-th piece of shared memory that
/// the program's threads have side by side, so that neither its copy nor its read
/// meets another thread's banks.
/// Into a ring that is `bulk` the program's first thread copies all, or the first `count`.
static LogicalResult lower(ThreadLowering &thread, CopyAsyncOp op) {
  DeviceProgram &program = thread.program;
  AccessOperands operands = accessOperands(thread, op);
  Value slot = thread.lookup(op.getSlot());
  OpBuilder &builder = program.builder;
  Location loc = op.getLoc();
  OpBuilder::InsertionGuard guard(builder);
  continueIf(builder, loc, thread.lookup(op.getCondition()));
  if (op.getRing().getType().getBulk())
    return lowerBulkCopy(program, op, operands, slot, thread.lookup(op.getCount()));
  ThreadSlot place(program, op, op.getRing(), slot);
  if (!place.isValid())
    return failure();
  unsigned bytes = place.pieceBytes();
  if (bytes != 4 && bytes != 8 && bytes != 16)
    return op.emitError() << "expected accesses of 4, 8 or 16 bytes, got " << bytes;
  ElementAddresses addresses(program, loc, operands, place.element);
  // Whole lines that are read once pass by the first cache; only 16 bytes may.
  auto cache = bytes == 16 ? NVVM::LoadCacheModifierKind::CG : NVVM::LoadCacheModifierKind::CA;
  for (auto [number, group] : llvm::enumerate(place.groups())) {
    int64_t first = place.block.indexOf(group.front());
    Value mask = operands.mask;
    if (mask && isa<VectorType>(mask.getType()))
      mask = vector::ExtractOp::create(builder, loc, mask, first);
    mask = both(builder, loc, mask, place.block.isInside(group.front()));
    Value taken;
    if (mask)
      taken =
          arith::SelectOp::create(builder, loc, mask, program.i32(loc, bytes), program.i32(loc, 0));
    NVVM::CpAsyncOp::create(builder, loc, place.address(number), addresses.of(first), bytes, cache,
                            taken);
  }
  return success();
}

static LogicalResult lower(ThreadLowering &thread, CopyCommitOp op) {
  NVVM::CpAsyncCommitGroupOp::create(thread.builder, op.getLoc());
  return success();
}

static LogicalResult lower(ThreadLowering &thread, CopyWaitOp op) {
  NVVM::CpAsyncWaitGroupOp::create(thread.builder, op.getLoc(), op.getPending());
  return success();
}

/// What is taken of a group where the mask of its first element is false.
static Value otherOf(OpBuilder &builder, Location loc, Value other, const ThreadBlock &block,
                     const std::vector<uint64_t> &group, Type type) {
  auto count = static_cast<int64_t>(group.size());
  if (!isa<VectorType>(other.getType()))
    return count == 1 ? other : vector::BroadcastOp::create(builder, loc, type, other).getResult();
  if (count == 1)
    return vector::ExtractOp::create(builder, loc, other, block.indexOf(group.front()));
  SmallVector<int64_t> places;
  for (uint64_t reg : group)
    places.push_back(block.indexOf(reg));
  return vector::ShuffleOp::create(builder, loc, other, other, places);
}

/// A thread's group of a slot, or `otherwise` where `isCopied` is false; null is true.
static Value takeGroup(DeviceProgram &program, ThreadSlot &place, size_t number, Type type,
                       Value isCopied, Value otherwise) {
  OpBuilder &builder = program.builder;
  Location loc = otherwise.getLoc();
  // Nobody has written the rest of a bulk slot, which ends with the block.
  if (place.isBulk())
    isCopied = both(builder, loc, isCopied, place.block.isInside(place.groups()[number].front()));
  if (place.isBulk() && isCopied)
    return loadWhere(program, loc, isCopied, place.address(number), place.pieceBytes(), otherwise);
  Value part = LLVM::LoadOp::create(builder, loc, type, place.address(number), place.pieceBytes());
  return isCopied ? arith::SelectOp::create(builder, loc, isCopied, part, otherwise).getResult()
                  : part;
}

/// What the thread has copied; where the mask is false, what is given instead.
static LogicalResult lower(ThreadLowering &thread, RingReadOp op) {
  DeviceProgram &program = thread.program;
  Value mask = thread.lookup(op.getMask()), other = thread.lookup(op.getOther());
  OpBuilder &builder = program.builder;
  Location loc = op.getLoc();
  ThreadSlot place(program, op, op.getRing(), thread.lookup(op.getSlot()));
  if (!place.isValid())
    return failure();
  auto held =
      VectorType::get({static_cast<int64_t>(place.block.registers().size())}, place.element);
  Value result = arith::ConstantOp::create(builder, loc, builder.getZeroAttr(held));
  if (other)
    other = toMemory(builder, loc, other);
  for (auto [number, group] : llvm::enumerate(place.groups())) {
    auto count = static_cast<int64_t>(group.size());
    Type type = count == 1 ? place.element : VectorType::get({count}, place.element);
    Value isCopied = mask;
    if (mask && isa<VectorType>(mask.getType()))
      isCopied = vector::ExtractOp::create(builder, loc, mask, place.block.indexOf(group.front()));
    Value otherwise = other ? otherOf(builder, loc, other, place.block, group, type)
                            : arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type));
    Value part = takeGroup(program, place, number, type, isCopied, otherwise);
    for (auto [i, reg] : llvm::enumerate(group)) {
      Value one =
          count == 1
              ? part
              : vector::ExtractOp::create(builder, loc, part, static_cast<int64_t>(i)).getResult();
      result = vector::InsertOp::create(builder, loc, one, result, place.block.indexOf(reg));
    }
  }
  return thread.setResult(op, fromMemory(builder, loc, result, op.getType().getElementType()));
}

void fsm::gpu::addRingHandlers(HandlerTable &table) {
  addHandler<RingOp, lower>(table);
  addHandler<BulkWaitOp, lower>(table);
  addHandler<CopyAsyncOp, lower>(table);
  addHandler<CopyCommitOp, lower>(table);
  addHandler<CopyWaitOp, lower>(table);
  addHandler<RingReadOp, lower>(table);
}
