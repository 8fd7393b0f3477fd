//===- DeviceProgram.cpp - Who executes a program, and where -------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DeviceProgram.h"

#include "fsm/Machine/GpuTarget.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;
using namespace fsm;
using namespace fsm::gpu;

/// The barrier of the program's own warps, or of the first group of them; 0 is that of all warps of
/// the cta.
static constexpr int64_t kOwnBarrier = 1;

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

Type fsm::gpu::registerElement(Type element) { return registerType(element, 0, kGlobalSpace); }

Type fsm::gpu::memoryElement(Type element) { return memoryType(element, kGlobalSpace); }

Type fsm::gpu::threadType(Type type) {
  auto block = dyn_cast<RankedTensorType>(type);
  if (!block)
    return registerElement(type);
  if (!layoutOf(block))
    return {};
  auto registers = static_cast<int64_t>(linearLayoutOf(block).liveRegisters().size());
  return VectorType::get({registers}, registerElement(block.getElementType()));
}

//===----------------------------------------------------------------------===//
// Who
//===----------------------------------------------------------------------===//

/// The special register, told that it is below `end`.
template <typename RegisterOp>
static Value specialRegister(ImplicitLocOpBuilder &builder, unsigned end) {
  auto range = LLVM::ConstantRangeAttr::get(builder.getContext(), APInt(32, 0), APInt(32, end));
  return RegisterOp::create(builder, builder.getI32Type(), range);
}

DeviceProgram::DeviceProgram(ImplicitLocOpBuilder &builder, ProgramPlace place,
                             uint64_t sharedBytes, Value sharedBase)
    : builder(builder), place(place), sharedBase(sharedBase), bytesOfGroup(sharedBytes) {
  unsigned groups = place.groupsOfCta();
  unsigned threads = kWarpThreads * (place.warps * groups + place.loadWarps);
  Value thread = specialRegister<NVVM::ThreadIdXOp>(builder, threads);
  bool hasOneWarp = threads == kWarpThreads;
  laneValue = hasOneWarp
                  ? thread
                  : arith::AndIOp::create(builder, thread, i32(kWarpThreads - 1)).getResult();
  warpValue = hasOneWarp ? i32(0) : arith::ShRUIOp::create(builder, thread, i32(5)).getResult();
  groupValue = i32(0);
  if (groups > 1)
    findGroup();
  if (place.ctas > 1) {
    // The lowest bits of the cta's number, above those of the warp.
    Value cta = NVVM::BlockIdXOp::create(builder, builder.getI32Type());
    Value rank = arith::AndIOp::create(builder, cta, i32(place.ctas - 1));
    Value first = arith::MulIOp::create(builder, rank, i32(place.warps));
    warpValue = arith::OrIOp::create(builder, first, warpValue);
  }
}

/// Which group of warps the thread is of, the highest bits of the warp's number in the cta, and
/// where the group's memory begins.
void DeviceProgram::findGroup() {
  bool hasOneWarp = place.warps == 1;
  Value warpInCta = warpValue;
  groupValue =
      hasOneWarp
          ? warpInCta
          : arith::ShRUIOp::create(builder, warpInCta, i32(llvm::Log2_32(place.warps))).getResult();
  warpValue = hasOneWarp
                  ? i32(0)
                  : arith::AndIOp::create(builder, warpInCta, i32(place.warps - 1)).getResult();
  if (!bytesOfGroup || !sharedBase)
    return;
  Value offset = arith::MulIOp::create(builder, groupValue, i32(bytesOfGroup));
  sharedBase = advance(builder, sharedBase, offset);
}

Value DeviceProgram::programId(GridAxis axis) {
  Type type = builder.getI32Type();
  if (axis == GridAxis::Y)
    return NVVM::BlockIdYOp::create(builder, type);
  if (axis == GridAxis::Z)
    return NVVM::BlockIdZOp::create(builder, type);
  Value id = NVVM::BlockIdXOp::create(builder, type);
  if (unsigned ctas = place.ctas * place.parts; ctas > 1)
    return arith::ShRUIOp::create(builder, id, i32(llvm::Log2_32(ctas)));
  if (place.programsPerCta == 1)
    return id;
  Value first = arith::MulIOp::create(builder, id, i32(place.programsPerCta));
  return arith::AddIOp::create(builder, first, groupValue);
}

Value DeviceProgram::programCount(GridAxis axis) {
  Type type = builder.getI32Type();
  if (axis == GridAxis::Y)
    return NVVM::GridDimYOp::create(builder, type);
  if (axis == GridAxis::Z)
    return NVVM::GridDimZOp::create(builder, type);
  return countValue ? countValue : startedPrograms();
}

Value DeviceProgram::startedPrograms() {
  Value ctas = NVVM::GridDimXOp::create(builder, builder.getI32Type());
  if (place.programsPerCta > 1)
    return arith::MulIOp::create(builder, ctas, i32(place.programsPerCta));
  unsigned ofProgram = place.ctas * place.parts;
  return ofProgram == 1
             ? ctas
             : arith::ShRUIOp::create(builder, ctas, i32(llvm::Log2_32(ofProgram))).getResult();
}

/// The lowest bits of the cta's number, where no groups of a cta are the parts.
Value DeviceProgram::partId() {
  if (place.groups > 1)
    return groupValue;
  Value id = NVVM::BlockIdXOp::create(builder, builder.getI32Type());
  return arith::AndIOp::create(builder, id, i32(place.parts - 1));
}

Value DeviceProgram::isFirstPart() {
  return arith::CmpIOp::create(builder, arith::CmpIPredicate::eq, partId(), i32(0));
}

void DeviceProgram::barrier() {
  if (place.ctas > 1) {
    NVVM::ClusterArriveOp::create(builder, builder.getUnitAttr());
    NVVM::ClusterWaitOp::create(builder, builder.getUnitAttr());
  } else if (place.warps == 1) {
    reconverge(builder, builder.getLoc());
  } else if (hasParted || place.groups > 1) {
    Value number = i32(kOwnBarrier);
    if (place.groups > 1)
      number = arith::AddIOp::create(builder, groupValue, number);
    NVVM::BarrierOp::create(builder, TypeRange(), number, i32(int64_t(kWarpThreads) * place.warps),
                            NVVM::BarrierReductionAttr(), /*reductionPredicate=*/Value());
  } else {
    NVVM::Barrier0Op::create(builder);
  }
}

void DeviceProgram::barrierOfParts() { NVVM::Barrier0Op::create(builder); }

/// One number for the whole warp, as the instructions want it that warps execute together.
Value DeviceProgram::takeScratch(uint64_t bytes) {
  Value begin = scratchTaken ? advance(builder, scratch, static_cast<int32_t>(scratchTaken)) : scratch;
  scratchTaken += bytes;
  return begin;
}

DeviceProgram::Parting DeviceProgram::part() {
  Value number = shuffleFrom(warpValue, i32(0)), first = i32(place.warps);
  hasParted = true;
  Value isFirstLane = arith::CmpIOp::create(builder, arith::CmpIPredicate::eq, laneValue, i32(0));
  Value isFirstWarp = arith::CmpIOp::create(builder, arith::CmpIPredicate::eq, number, first);
  return {arith::CmpIOp::create(builder, arith::CmpIPredicate::uge, number, first),
          both(builder, isFirstWarp, isFirstLane)};
}

void DeviceProgram::emitAlone(function_ref<void()> body) {
  llvm::SaveAndRestore isAlone(alone, true);
  body();
}

void DeviceProgram::beginCluster() {
  NVVM::ClusterArriveRelaxedOp::create(builder, builder.getUnitAttr());
}

void DeviceProgram::awaitCluster() {
  NVVM::ClusterWaitOp::create(builder, builder.getUnitAttr());
}

Value DeviceProgram::inCta(Value address, Value rank) {
  auto pointer = LLVM::LLVMPointerType::get(builder.getContext(), kClusterSpace);
  return NVVM::MapaOp::create(builder, pointer, address, rank);
}

Value DeviceProgram::rankInCluster() {
  Value cta = NVVM::BlockIdXOp::create(builder, builder.getI32Type());
  return arith::AndIOp::create(builder, cta, i32(int64_t(place.cluster) - 1));
}

Value fsm::gpu::advance(ImplicitLocOpBuilder &builder, Value pointer, LLVM::GEPArg offset,
                        Type memory) {
  return registers::advance(builder, builder.getLoc(), pointer, offset, memory);
}

Value fsm::gpu::both(ImplicitLocOpBuilder &builder, Value left, Value right) {
  if (!left || !right)
    return left ? left : right;
  return arith::AndIOp::create(builder, left, right);
}

void fsm::gpu::reconverge(OpBuilder &builder, Location loc) {
  Value all = arith::ConstantOp::create(builder, loc, builder.getI32IntegerAttr(-1));
  NVVM::SyncWarpOp::create(builder, loc, all);
}

Value DeviceProgram::anyInWarp(Value condition) {
  if (alone)
    return condition;
  return NVVM::VoteSyncOp::create(builder, builder.getI1Type(), i32(-1), condition,
                                  NVVM::VoteSyncKind::any);
}

void DeviceProgram::emitApart(function_ref<void()> body) {
  auto hidden = [&](Value number) -> Value {
    return LLVM::InlineAsmOp::create(builder, number.getType(), number, "mov.b32 $0, $1;", "=r,r",
                                     /*has_side_effects=*/true, /*is_align_stack=*/false,
                                     LLVM::TailCallKind::None, LLVM::AsmDialectAttr(), ArrayAttr())
        .getRes();
  };
  Value lane = laneValue, warp = warpValue;
  laneValue = hidden(lane);
  if (numWarps() > 1)
    warpValue = hidden(warp);
  body();
  laneValue = lane;
  warpValue = warp;
}

void DeviceProgram::emitIf(Value condition, function_ref<void()> body) {
  if (!condition)
    return body();
  OpBuilder::InsertionGuard guard(builder);
  auto branch = scf::IfOp::create(builder, condition, /*withElseRegion=*/false);
  builder.setInsertionPointToStart(branch.thenBlock());
  body();
}

Value DeviceProgram::shared(uint64_t bytes) {
  return bytes ? advance(builder, sharedBase, static_cast<int32_t>(bytes)) : sharedBase;
}

Value DeviceProgram::shared(Value bytes) { return advance(builder, sharedBase, bytes); }

//===----------------------------------------------------------------------===//
// Shuffles
//===----------------------------------------------------------------------===//

/// Moves a scalar of any register type as 32-bit words.
Value DeviceProgram::moveWords(Value scalar, Move move) {
  Type type = scalar.getType();
  if (type.isF32() || type.isInteger(32))
    return move(scalar);
  Type word = builder.getI32Type();
  unsigned width = type.getIntOrFloatBitWidth();
  Type bitsType = builder.getIntegerType(width);
  Value bits =
      type == bitsType ? scalar : LLVM::BitcastOp::create(builder, bitsType, scalar).getResult();
  Value moved;
  if (width < 32) {
    Value wide = move(arith::ExtUIOp::create(builder, word, bits));
    moved = arith::TruncIOp::create(builder, bitsType, wide);
  } else {
    auto pair = VectorType::get({2}, word);
    Value words = LLVM::BitcastOp::create(builder, pair, bits);
    Value result = words;
    for (int64_t half : {0, 1}) {
      Value one = vector::ExtractOp::create(builder, words, half);
      result = vector::InsertOp::create(builder, move(one), result, half);
    }
    moved = LLVM::BitcastOp::create(builder, bitsType, result);
  }
  return type == bitsType ? moved : LLVM::BitcastOp::create(builder, type, moved).getResult();
}

Value DeviceProgram::shuffleXor(Value scalar, unsigned mask) {
  return moveWords(scalar, [&](Value word) -> Value {
    return NVVM::ShflOp::create(builder, word.getType(), i32(-1), word, i32(mask),
                                i32(kWarpThreads - 1), NVVM::ShflKind::bfly, UnitAttr());
  });
}

Value DeviceProgram::shuffleFrom(Value scalar, Value from) {
  return moveWords(scalar, [&](Value word) -> Value {
    return NVVM::ShflOp::create(builder, word.getType(), i32(-1), word, from, i32(kWarpThreads - 1),
                                NVVM::ShflKind::idx, UnitAttr());
  });
}

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

Value DeviceProgram::i32(int64_t value) { return constantInt(builder.getI32Type(), value); }

Value DeviceProgram::constantInt(Type type, int64_t value) {
  return registers::constantInt(builder, builder.getLoc(), type, value);
}

/// The pair of bytes, in an i16, of which one that `pairsToF8` has made is the first or second, or null.
static Value pairOf(Value byte, unsigned at) {
  auto element = dyn_cast<OpResult>(byte);
  auto taken = element ? dyn_cast<vector::ToElementsOp>(element.getOwner()) : vector::ToElementsOp();
  auto bytes = taken ? taken.getSource().getDefiningOp<vector::BitCastOp>() : vector::BitCastOp();
  auto pairs = bytes ? bytes.getSource().getDefiningOp<vector::FromElementsOp>()
                     : vector::FromElementsOp();
  if (!pairs || !pairs.getType().getElementType().isInteger(16) ||
      element.getResultNumber() % 2 != at)
    return {};
  return pairs.getElements()[element.getResultNumber() / 2];
}

/// Bytes as words, where they come in pairs; none where they do not. LLVM would take the pairs apart and make words
/// of bytes, two or three instructions for each. What is written so ptxas lets the second conversion do.
static SmallVector<Value> wordsOfPairs(ImplicitLocOpBuilder &builder, ArrayRef<Value> bytes) {
  SmallVector<Value> words;
  if (!bytes[0].getType().isInteger(8) || bytes.size() % 4)
    return {};
  auto half = [&](size_t first) -> Value {
    Value pair = pairOf(bytes[first], 0);
    return pair && pair == pairOf(bytes[first + 1], 1) ? pair : Value();
  };
  for (size_t i = 0; i < bytes.size(); i += 4) {
    Value low = half(i), high = half(i + 2);
    if (!low || !high)
      return {};
    auto word = LLVM::InlineAsmOp::create(
        builder, builder.getI32Type(), ValueRange{low, high}, "mov.b32 $0, {$1, $2};", "=r,h,h",
        /*has_side_effects=*/false, /*is_align_stack=*/false, LLVM::TailCallKind::None,
        LLVM::AsmDialectAttr(), ArrayAttr());
    words.push_back(word.getResult(0));
  }
  return words;
}

Value DeviceProgram::vectorOf(ArrayRef<Value> scalars) {
  if (SmallVector<Value> words = wordsOfPairs(builder, scalars); !words.empty()) {
    auto bytes = VectorType::get({static_cast<int64_t>(scalars.size())}, builder.getI8Type());
    return vector::BitCastOp::create(builder, bytes, vectorOf(words));
  }
  auto type = VectorType::get({static_cast<int64_t>(scalars.size())}, scalars[0].getType());
  return vector::FromElementsOp::create(builder, type, scalars);
}

SmallVector<Value> DeviceProgram::elementsOf(Value vector) {
  return llvm::to_vector_of<Value>(vector::ToElementsOp::create(builder, vector).getResults());
}

Value DeviceProgram::fromBytes(Value value, Type element) {
  if (!element.isInteger(1))
    return value;
  return arith::TruncIOp::create(builder, withElement(value.getType(), element), value);
}

/// `count` bits of `number` from bit `first` on, moved so that the lowest becomes `base`.
Value DeviceProgram::movedBits(Value number, unsigned first, unsigned count, uint64_t base) {
  int64_t mask = ((int64_t(1) << count) - 1) << first;
  Value bits = arith::AndIOp::create(builder, number, i32(mask));
  int64_t shift = static_cast<int64_t>(llvm::Log2_64(base)) - first;
  if (shift == 0)
    return bits;
  if (shift > 0)
    return arith::ShLIOp::create(builder, bits, i32(shift));
  return arith::ShRUIOp::create(builder, bits, i32(-shift));
}

/// Bits whose bases are powers of two that follow one another move together; other
/// bases are added bit by bit.
Value DeviceProgram::linearPart(Value number, ArrayRef<uint64_t> bases) {
  Value sum;
  auto add = [&](Value term) {
    sum = sum ? arith::XOrIOp::create(builder, sum, term).getResult() : term;
  };
  for (unsigned first = 0, end; first < bases.size(); first = end) {
    uint64_t base = bases[first];
    end = first + 1;
    if (llvm::isPowerOf2_64(base)) {
      while (end < bases.size() && bases[end] == bases[end - 1] << 1)
        ++end;
      add(movedBits(number, first, end - first, base));
    } else if (base) {
      Value bit = movedBits(number, first, 1, 1);
      add(arith::MulIOp::create(builder, bit, i32(base)));
    }
  }
  return sum;
}

Value DeviceProgram::linear(ArrayRef<uint64_t> laneBases, ArrayRef<uint64_t> warpBases) {
  Value fromLane = linearPart(laneValue, laneBases);
  Value fromWarp = linearPart(warpValue, warpBases);
  if (fromLane && fromWarp)
    return arith::XOrIOp::create(builder, fromLane, fromWarp);
  return fromLane ? fromLane : fromWarp ? fromWarp : i32(0);
}

Value DeviceProgram::isFirst(uint64_t laneBits, uint64_t warpBits) {
  Value result;
  auto require = [&](Value number, uint64_t bits) {
    if (!bits)
      return;
    Value set = arith::AndIOp::create(builder, number, i32(bits));
    Value isZero = arith::CmpIOp::create(builder, arith::CmpIPredicate::eq, set, i32(0));
    result = both(builder, result, isZero);
  };
  require(laneValue, laneBits);
  require(warpValue, numWarps() > 1 ? warpBits : 0);
  return result;
}

unsigned DeviceProgram::numThreads() const {
  return kWarpThreads * (place.warps + (hasParted ? 0 : place.loadWarps));
}

Value DeviceProgram::numberOfThread() {
  Value before = arith::MulIOp::create(builder, warpValue, i32(kWarpThreads));
  return arith::AddIOp::create(builder, before, laneValue);
}

Value DeviceProgram::isFirstThread() {
  if (alone)
    return {};
  constexpr uint64_t kAll = ~uint64_t(0) >> 32;
  return isFirst(kAll, kAll);
}

Value DeviceProgram::isFirstWarp() {
  constexpr uint64_t kAll = ~uint64_t(0) >> 32;
  return isFirst(/*laneBits=*/0, kAll);
}

Value DeviceProgram::isFirstOfCta() {
  constexpr uint64_t kAll = ~uint64_t(0) >> 32;
  return isFirst(kAll, kAll & ~ctaBits());
}
