//===- RingsToGPU.cpp - Asynchronous copies into rings -------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RingsToGPU.h"

#include "../Registers/Values.h"
#include "ThreadBlocks.h"

#include "fsm/Analysis/ScratchSize.h"
#include "fsm/Machine/GpuTarget.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace fsm;
using namespace fsm::gpu;

namespace {
/// The pieces of one slot that belong to a thread.
class Slot {
public:
  Slot(DeviceProgram &program, Operation *op, Value ring, Value slot);

  /// Whether the op's accesses fit the block, and its ring has a place. An error is at the op.
  bool isValid() const { return valid; }
  const std::vector<std::vector<uint64_t>> &groups() const { return accesses; }
  unsigned pieceBytes() const { return bytes; }
  /// Where the thread's piece of a group is.
  Value address(size_t group);

  ThreadBlock block;
  Type element;

private:
  DeviceProgram &program;
  Location loc;
  bool valid = false;
  std::vector<std::vector<uint64_t>> accesses;
  unsigned bytes = 0;
  Value base;
};
} // namespace

Slot::Slot(DeviceProgram &program, Operation *op, Value ring, Value slot)
    : block(program, op->getLoc(), cast<RingType>(ring.getType()).getBlock()),
      element(memoryElement(cast<RingType>(ring.getType()).getBlock().getElementType())),
      program(program), loc(op->getLoc()), accesses(accessGroups(block, op)) {
  auto type = cast<RingType>(ring.getType()).getBlock();
  auto made = ring.getDefiningOp<RingOp>();
  auto offset = made ? made->getAttrOfType<IntegerAttr>(kSharedOffsetAttr) : IntegerAttr();
  if (!offset) {
    op->emitError() << "expected an 'fsm.ring' with '" << kSharedOffsetAttr
                    << "'; 'fsm-allocate-shared' gives it a place";
    return;
  }
  if (accesses.empty()) {
    missingWidth(op);
    return;
  }
  bytes = static_cast<unsigned>(accesses.front().size()) * memoryBytes(type.getElementType());
  OpBuilder &builder = program.builder;
  auto times = [&](Value number, uint64_t factor) {
    return arith::MulIOp::create(builder, loc, number, program.i32(loc, factor)).getResult();
  };
  Value thread =
      arith::AddIOp::create(builder, loc, times(program.warp(), kWarpThreads), program.lane());
  Value at =
      arith::AddIOp::create(builder, loc, times(slot, ringSlotBytes(type)), times(thread, bytes));
  at = arith::AddIOp::create(builder, loc, at, program.i32(loc, offset.getInt()));
  base = program.shared(loc, at);
  valid = true;
}

Value Slot::address(size_t group) {
  auto apart = static_cast<int32_t>(group * program.numWarps() * kWarpThreads * bytes);
  return LLVM::GEPOp::create(program.builder, loc, base.getType(), program.builder.getI8Type(),
                             base, ArrayRef<LLVM::GEPArg>{apart});
}

static Value both(OpBuilder &builder, Location loc, Value left, Value right) {
  if (!left || !right)
    return left ? left : right;
  return arith::AndIOp::create(builder, loc, left, right);
}

LogicalResult fsm::gpu::lowerCopy(DeviceProgram &program, CopyAsyncOp op,
                                  const AccessOperands &operands, Value slot, Value condition) {
  OpBuilder &builder = program.builder;
  Location loc = op.getLoc();
  OpBuilder::InsertionGuard guard(builder);
  if (condition)
    builder.setInsertionPointToStart(
        scf::IfOp::create(builder, loc, condition, /*withElseRegion=*/false).thenBlock());
  Slot place(program, op, op.getRing(), slot);
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

void fsm::gpu::lowerCopyOrder(DeviceProgram &program, Operation *op) {
  if (auto wait = dyn_cast<CopyWaitOp>(op))
    NVVM::CpAsyncWaitGroupOp::create(program.builder, op->getLoc(), wait.getPending());
  else
    NVVM::CpAsyncCommitGroupOp::create(program.builder, op->getLoc());
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

Value fsm::gpu::lowerRingRead(DeviceProgram &program, RingReadOp op, Value slot, Value mask,
                              Value other) {
  OpBuilder &builder = program.builder;
  Location loc = op.getLoc();
  Slot place(program, op, op.getRing(), slot);
  if (!place.isValid())
    return {};
  auto held =
      VectorType::get({static_cast<int64_t>(place.block.registers().size())}, place.element);
  Value result = arith::ConstantOp::create(builder, loc, builder.getZeroAttr(held));
  if (other)
    other = toMemory(builder, loc, other);
  for (auto [number, group] : llvm::enumerate(place.groups())) {
    auto count = static_cast<int64_t>(group.size());
    Type type = count == 1 ? place.element : VectorType::get({count}, place.element);
    Value part =
        LLVM::LoadOp::create(builder, loc, type, place.address(number), place.pieceBytes());
    if (mask) {
      Value isCopied = mask;
      if (isa<VectorType>(mask.getType()))
        isCopied =
            vector::ExtractOp::create(builder, loc, mask, place.block.indexOf(group.front()));
      part = arith::SelectOp::create(builder, loc, isCopied, part,
                                     otherOf(builder, loc, other, place.block, group, type));
    }
    for (auto [i, reg] : llvm::enumerate(group)) {
      Value one =
          count == 1
              ? part
              : vector::ExtractOp::create(builder, loc, part, static_cast<int64_t>(i)).getResult();
      result = vector::InsertOp::create(builder, loc, one, result, place.block.indexOf(reg));
    }
  }
  return fromMemory(builder, loc, result, op.getType().getElementType());
}
