//===- TensorCopies.cpp - Copies of boxes of tensors ----------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Access.h"

#include "../Exchange/SharedAccess.h"

#include "fsm/Analysis/ProductTiles.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace fsm;
using namespace fsm::gpu;

/// Emits `body` in the program's first thread, where a condition holds.
static void emitInFirst(ThreadLowering &thread, Value condition, function_ref<void()> body) {
  DeviceProgram &program = thread.program;
  Value isFirst = program.isFirstThread();
  program.emitIf(both(program.builder, isFirst, thread.lookup(condition)), body);
}

/// Where the tensor ends within the boxes of a map with `box_ends`, i32: at most the lines of a
/// box.
static Value linesThere(ThreadLowering &thread, TensorMapOp map) {
  DeviceProgram &program = thread.program;
  ImplicitLocOpBuilder &builder = program.builder;
  // A launch has found that it is 1 or more, and fits.
  Value size = thread.lookup(map.getSizes().front());
  if (size.getType().isInteger(64))
    size = arith::TruncIOp::create(builder, builder.getI32Type(), size);
  return arith::MinSIOp::create(builder, size, program.i32(map.getType().getBox().front()));
}

/// Those that the copies bring, less what is behind the ends of their tensors.
static Value arrivingBytes(ThreadLowering &thread, MBarrierExpectOp op) {
  DeviceProgram &program = thread.program;
  ImplicitLocOpBuilder &builder = program.builder;
  Value bytes = program.i32(static_cast<int64_t>(op.getBytes()));
  for (CopyTensorOp copy : op.getCopies()) {
    auto map = copy.getMap().getDefiningOp<TensorMapOp>();
    if (!map || !map.getBoxEnds())
      continue;
    SharedType type = copy.getShared().getType();
    int64_t lines = map.getType().getBox().front();
    int64_t bytesOfLine =
        llvm::product_of(type.getShape()) / lines * bytesOf(type.getElementType());
    Value missing = arith::SubIOp::create(builder, program.i32(lines), linesThere(thread, map));
    missing = arith::MulIOp::create(builder, missing, program.i32(bytesOfLine));
    bytes = arith::SubIOp::create(builder, bytes, missing);
  }
  return bytes;
}

static LogicalResult lower(ThreadLowering &thread, MBarrierExpectOp op) {
  DeviceProgram &program = thread.program;
  auto expect = [&] {
    Value mbarrier = slotAddress(program, op.getMbarriers(), thread.lookup(op.getSlot()));
    expectBytes(program, mbarrier, arrivingBytes(thread, op));
  };
  // Stores arrive in each cta, copies in the only one.
  if (program.ctaBits())
    program.emitIf(program.isFirstOfCta(), expect);
  else
    emitInFirst(thread, op.getCondition(), expect);
  return success();
}

/// The map is an argument of the function.
static LogicalResult lower(ThreadLowering &, TensorMapOp) { return success(); }

/// Emits `body` for each box of a tile, along its lines, and behind the lines that a box has: with
/// its address behind `begin`, and its coordinates, which the hardware counts from the innermost
/// on.
static void forEachBox(DeviceProgram &program, SharedType type, TensorMapType map, Value begin,
                       ArrayRef<Value> coordinates,
                       function_ref<void(Value address, ArrayRef<Value> place)> body) {
  ImplicitLocOpBuilder &builder = program.builder;
  ArrayRef<int64_t> shape = type.getShape(), box = map.getBox();
  unsigned major = majorOf(type);
  LinearLayout toOffset = type.getLayout().toLinear(shape).inverse();
  BitSpace block = BitSpace::block({shape.begin(), shape.end()});
  auto at = [&](unsigned dim, int64_t more) -> Value {
    return more ? arith::AddIOp::create(builder, coordinates[dim], program.i32(more)).getResult()
                : coordinates[dim];
  };
  for (int64_t line = 0; line < shape[1 - major]; line += box[0])
    for (int64_t column = 0; column < shape[major]; column += box[1]) {
      uint64_t place = block.place(blockDim(1 - major), static_cast<uint64_t>(line)) |
                       block.place(blockDim(major), static_cast<uint64_t>(column));
      uint64_t bytes = toOffset.apply(place) * bytesOf(type.getElementType());
      Value address = bytes ? advance(builder, begin, static_cast<int32_t>(bytes)) : begin;
      body(address, {at(1, column), at(0, line)});
    }
}

/// The policy of the L2 cache by which lines leave it first (i64).
static Value evictFirst(DeviceProgram &program) {
  return inlinePtx(program.builder, program.builder.getI64Type(), {},
                   "createpolicy.fractional.L2::evict_first.b64 $0, 1.0;", "=l", PtxEffects::None)
      .getRes();
}

namespace {
/// The copies of a tile's boxes into a slot.
class BoxCopies {
public:
  BoxCopies(ThreadLowering &thread, CopyTensorOp op)
      : thread(thread), program(thread.program), op(op),
        mbarrier(slotAddress(program, op.getMbarriers(), thread.lookup(op.getSlot()))) {
    if (op->hasAttr(kStreamsAttr))
      policy = evictFirst(program);
    Value begin = slotAddress(program, op.getShared(), thread.lookup(op.getSlot()));
    forEachBox(program, op.getShared().getType(), op.getMap().getType(), begin,
               thread.lookup(op.getCoordinates()), [&](Value address, ArrayRef<Value> place) {
                 boxes.push_back({address, {place.begin(), place.end()}});
               });
  }

  /// Begins all, for this program.
  void beginAll() {
    for (const Box &box : boxes)
      begin(box, box.address, /*mask=*/Value());
  }

  /// Begins a part of them, for all programs of the cluster: each another part.
  void beginPart() {
    unsigned programs = program.clusterPrograms();
    Value rank = program.rankInCluster();
    Value all = program.constantInt(program.builder.getI16Type(), (1 << programs) - 1);
    for (unsigned part = 0; part < programs; ++part) {
      Value isMine =
          arith::CmpIOp::create(program.builder, arith::CmpIPredicate::eq, rank, program.i32(part));
      program.emitIf(isMine, [&] {
        size_t count = boxes.size() / programs;
        for (const Box &box : ArrayRef(boxes).slice(part * count, count))
          begin(box, program.inCta(box.address, rank), all);
      });
    }
  }

private:
  struct Box {
    Value address;
    SmallVector<Value, 2> place;
  };

  void begin(const Box &box, Value address, Value mask) {
    NVVM::CpAsyncBulkTensorGlobalToSharedClusterOp::create(
        program.builder, address, thread.lookup(op.getMap()), box.place, mbarrier,
        /*im2colOffsets=*/ValueRange(), mask, policy, NVVM::TMALoadMode::TILE,
        /*isCTAOnly=*/!mask, /*group=*/NVVM::CTAGroupKindAttr(), /*predicate=*/Value());
  }

  ThreadLowering &thread;
  DeviceProgram &program;
  CopyTensorOp op;
  /// Of the L2 cache; null for its own.
  Value mbarrier, policy;
  SmallVector<Box> boxes;
};
} // namespace

static LogicalResult lower(ThreadLowering &thread, CopyTensorOp op) {
  DeviceProgram &program = thread.program;
  emitInFirst(thread, op.getCondition(), [&] {
    BoxCopies copies(thread, op);
    if (!op.getTogether())
      return copies.beginAll();
    ImplicitLocOpBuilder &builder = program.builder;
    auto choice =
        scf::IfOp::create(builder, thread.lookup(op.getTogether()), /*withElseRegion=*/true);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(choice.thenBlock());
    copies.beginPart();
    builder.setInsertionPointToStart(choice.elseBlock());
    copies.beginAll();
  });
  return success();
}

static LogicalResult lower(ThreadLowering &thread, FetchTensorOp op) {
  emitInFirst(thread, /*condition=*/Value(), [&] {
    // The hardware counts coordinates from the innermost on.
    SmallVector<Value> place = thread.lookup(op.getCoordinates());
    std::reverse(place.begin(), place.end());
    ImplicitLocOpBuilder &builder = thread.program.builder;
    NVVM::CpAsyncBulkTensorPrefetchOp::create(builder, thread.lookup(op.getMap()), place,
                                              /*im2colOffsets=*/ValueRange(),
                                              NVVM::TMALoadMode::TILE, evictFirst(thread.program));
  });
  return success();
}

/// Stores zeros to the bytes from `first` (i32) to `end` behind an address, the threads of the
/// program by turns.
static void clearBytes(DeviceProgram &program, Value begin, Value first, int64_t end) {
  ImplicitLocOpBuilder &builder = program.builder;
  constexpr unsigned bytes = 16;
  auto type = VectorType::get({bytes / 4}, builder.getI32Type());
  Value zeros = arith::ConstantOp::create(
      builder, DenseElementsAttr::get(type, builder.getI32IntegerAttr(0)));
  Value own = arith::MulIOp::create(builder, program.numberOfThread(), program.i32(bytes));
  auto loop = scf::ForOp::create(builder, arith::AddIOp::create(builder, first, own),
                                 program.i32(end), program.i32(program.numThreads() * bytes));
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  LLVM::StoreOp::create(builder, zeros, advance(builder, begin, loop.getInductionVar()), bytes);
}

static LogicalResult lower(ThreadLowering &thread, ClearLinesOp op) {
  DeviceProgram &program = thread.program;
  ImplicitLocOpBuilder &builder = program.builder;
  auto map = op.getMap().getDefiningOp<TensorMapOp>();
  SharedType type = op.getShared().getType();
  auto bytesOfLine = static_cast<int64_t>(map.getType().getSwizzle());
  Value first = arith::MulIOp::create(builder, linesThere(thread, map), program.i32(bytesOfLine));
  auto slots =
      scf::ForOp::create(builder, program.i32(0), program.i32(type.getSlots()), program.i32(1));
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(slots.getBody());
  Value begin = slotAddress(program, op.getShared(), slots.getInductionVar());
  forEachBox(program, type, map.getType(), begin, {program.i32(0), program.i32(0)},
             [&](Value address, ArrayRef<Value>) {
               clearBytes(program, address, first,
                          static_cast<int64_t>(map.getType().getBoxBytes()));
             });
  return success();
}

static LogicalResult lower(ThreadLowering &thread, StoreTensorOp op) {
  DeviceProgram &program = thread.program;
  emitInFirst(thread, /*condition=*/Value(), [&] {
    Value begin = slotAddress(program, op.getShared(), program.i32(0));
    forEachBox(program, op.getShared().getType(), op.getMap().getType(), begin,
               thread.lookup(op.getCoordinates()), [&](Value address, ArrayRef<Value> place) {
                 NVVM::CpAsyncBulkTensorSharedCTAToGlobalOp::create(
                     program.builder, thread.lookup(op.getMap()), address, place,
                     /*l2CacheHint=*/Value(), NVVM::TMAStoreMode::TILE, /*predicate=*/Value());
               });
    NVVM::CpAsyncBulkCommitGroupOp::create(program.builder);
  });
  return success();
}

/// All threads wait, though only one has stores to wait for: a branch for that one behind a
/// product's end makes ptxas serialise the products in front of it (C7514; a fifth of the time).
static LogicalResult lower(ThreadLowering &thread, StoreWaitOp op) {
  NVVM::CpAsyncBulkWaitGroupOp::create(thread.program.builder, /*group=*/0, op.getReadAttr());
  return success();
}

void fsm::gpu::addTensorCopyHandlers(HandlerTable &table) {
  addHandler<ClearLinesOp, lower>(table);
  addHandler<CopyTensorOp, lower>(table);
  addHandler<FetchTensorOp, lower>(table);
  addHandler<MBarrierExpectOp, lower>(table);
  addHandler<StoreTensorOp, lower>(table);
  addHandler<StoreWaitOp, lower>(table);
  addHandler<TensorMapOp, lower>(table);
}
