//===- Rings.cpp - Asynchronous copies into rings ------------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Access.h"
#include "BulkCopies.h"
#include "SlotLoad.h"

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
/// The pieces of one slot of a ring that belong to a thread.
class ThreadSlot {
public:
  ThreadSlot(DeviceProgram &program, Operation *op, Value ring, Value slot);

  /// Whether the ring has a place, and the op's accesses fit the block. An error is at the op.
  bool isValid() const { return !accesses.empty() && start; }
  const std::vector<std::vector<uint64_t>> &groups() const { return accesses; }
  unsigned pieceBytes() const { return bytes; }
  /// Where the thread's piece of a group is.
  Value address(size_t group);

  RankedTensorType type;
  ThreadBlock block;
  Type element;

private:
  DeviceProgram &program;
  Location loc;
  std::vector<std::vector<uint64_t>> accesses;
  unsigned bytes = 0;
  Value start;
};
} // namespace

ThreadSlot::ThreadSlot(DeviceProgram &program, Operation *op, Value ring, Value slot)
    : type(cast<RingType>(ring.getType()).getBlock()), block(program, op->getLoc(), type),
      element(memoryElement(type.getElementType())), program(program), loc(op->getLoc()),
      accesses(accessGroups(block, op)) {
  auto made = ring.getDefiningOp<RingOp>();
  auto place = made ? made->getAttrOfType<IntegerAttr>(kSharedOffsetAttr) : IntegerAttr();
  if (!place) {
    op->emitError() << "expected an 'fsm.ring' with '" << kSharedOffsetAttr
                    << "'; 'fsm-allocate-shared' gives it a place";
    return;
  }
  if (accesses.empty()) {
    missingWidth(op);
    return;
  }
  bytes = static_cast<unsigned>(accesses.front().size()) * bytesOf(type.getElementType());
  OpBuilder &builder = program.builder;
  auto slotBytes = static_cast<int64_t>(cast<RingType>(ring.getType()).getSlotBytes());
  Value at = arith::MulIOp::create(builder, loc, slot, program.i32(loc, slotBytes));
  at = arith::AddIOp::create(builder, loc, at, program.i32(loc, place.getInt()));
  start = program.shared(loc, at);
  Value warp = arith::MulIOp::create(builder, loc, program.warp(), program.i32(loc, kWarpThreads));
  Value thread = arith::AddIOp::create(builder, loc, warp, program.lane());
  Value own = arith::MulIOp::create(builder, loc, thread, program.i32(loc, bytes));
  start = LLVM::GEPOp::create(builder, loc, start.getType(), builder.getI8Type(), start,
                              ArrayRef<LLVM::GEPArg>{own});
}

/// Groups lie one behind the other, each of them as far as all threads reach.
Value ThreadSlot::address(size_t group) {
  auto apart = static_cast<int32_t>(group * program.numWarps() * kWarpThreads * bytes);
  OpBuilder &builder = program.builder;
  return LLVM::GEPOp::create(builder, loc, start.getType(), builder.getI8Type(), start,
                             ArrayRef<LLVM::GEPArg>{apart});
}

static Value both(OpBuilder &builder, Location loc, Value left, Value right) {
  if (!left || !right)
    return left ? left : right;
  return arith::AndIOp::create(builder, loc, left, right);
}

/// Begins the copies of a thread: its n-th access goes to the n-th piece of shared memory that
/// the program's threads have side by side, so that neither its copy nor its read
/// meets another thread's banks.
static LogicalResult lower(ThreadLowering &thread, CopyAsyncOp op) {
  DeviceProgram &program = thread.program;
  AccessOperands operands = accessOperands(thread, op);
  OpBuilder &builder = program.builder;
  Location loc = op.getLoc();
  OpBuilder::InsertionGuard guard(builder);
  continueIf(builder, loc, thread.lookup(op.getCondition()));
  if (op.getMbarriers())
    return lowerBulkCopy(thread, op, operands);
  ThreadSlot place(program, op, op.getShared(), thread.lookup(op.getSlot()));
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

/// What the thread has copied; where the mask is false, what is given instead.
static LogicalResult lower(ThreadLowering &thread, RingReadOp op) {
  DeviceProgram &program = thread.program;
  OpBuilder &builder = program.builder;
  Location loc = op.getLoc();
  ThreadSlot place(program, op, op.getRing(), thread.lookup(op.getSlot()));
  if (!place.isValid())
    return failure();
  SlotLoad load{place.block,
                place.groups(),
                place.element,
                thread.lookup(op.getMask()),
                thread.lookup(op.getOther()),
                /*isGuarded=*/false};
  Value loaded = loadSlot(program, loc, load, [&](size_t group) { return place.address(group); });
  return thread.setResult(op, fromMemory(builder, loc, loaded, op.getType().getElementType()));
}

/// Its accesses know its place.
static LogicalResult lower(ThreadLowering &, RingOp) { return success(); }

void fsm::gpu::addRingHandlers(HandlerTable &table) {
  addHandler<RingOp, lower>(table);
  addHandler<CopyAsyncOp, lower>(table);
  addHandler<CopyCommitOp, lower>(table);
  addHandler<CopyWaitOp, lower>(table);
  addHandler<RingReadOp, lower>(table);
}
