//===- SharedBlock.cpp - Blocks in shared memory -------------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SharedBlock.h"

#include "../Memory/Access.h"
#include "SharedRows.h"

#include "fsm/Analysis/Atomics.h"
#include "fsm/Analysis/SharedBuffers.h"
#include "fsm/Layout/LayoutPart.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace fsm;
using namespace fsm::gpu;

//===----------------------------------------------------------------------===//
// Under a layout
//===----------------------------------------------------------------------===//

SharedSide::SharedSide(const LinearLayout &threads, const LinearLayout &shared,
                       const SharedAccess &access, unsigned elementBytes)
    : threads(threads), toOffset(shared.pseudoInverse().compose(threads)), vector(access.vector),
      elementBytes(elementBytes) {
  BitMatrix registers =
      BitMatrix::fromColumns(toOffset.basesOf(Dim::Register), toOffset.to().bits());
  for (uint64_t step = 1; step < vector; step <<= 1)
    steps.push_back(*registers.solve(step));
}

SharedSide SharedSide::of(RankedTensorType block, SharedType type) {
  return of(linearLayoutOf(block).overOneCta(), block.getShape(), type);
}

SharedSide SharedSide::of(const LinearLayout &threads, ArrayRef<int64_t> shape, SharedType type) {
  LinearLayout shared = type.getLayout().toLinear(shape);
  unsigned bytes = bytesOf(type.getElementType());
  return SharedSide(threads, shared, analyseSharedAccess(threads, shared, bytes), bytes);
}

/// The register with element i of a vector, relative to that of element 0.
uint64_t SharedSide::registerStep(uint64_t element) const {
  uint64_t sum = 0;
  for (auto [bit, step] : llvm::enumerate(steps))
    sum ^= element >> bit & 1 ? step : 0;
  return sum;
}

uint64_t SharedSide::firstOf(uint64_t reg) const {
  return reg ^ registerStep(toOffset.apply(reg, 0, 0) & (vector - 1));
}

/// The registers whose offset is a multiple of the vector where lane and warp are 0: one for
/// each vector, ascending.
std::vector<uint64_t> SharedSide::firsts(bool onlyLive) const {
  llvm::DenseSet<uint64_t> seen;
  for (uint64_t reg : threads.liveRegisters())
    seen.insert(firstOf(reg));
  std::vector<uint64_t> result;
  for (uint64_t reg = 0; reg < uint64_t(1) << toOffset.from().bitsOf(Dim::Register); ++reg)
    if (firstOf(reg) == reg && (!onlyLive || seen.contains(reg)))
      result.push_back(reg);
  return result;
}

/// What a thread's registers are exchanged by, because its lane or warp begins inside a vector.
std::vector<uint64_t> SharedSide::exchangedBy(Dim dim) const {
  std::vector<uint64_t> columns;
  for (uint64_t base : toOffset.basesOf(dim))
    columns.push_back(registerStep(base & (vector - 1)));
  return columns;
}

/// Bytes to the vectors that a lane's or warp's bits lead to.
std::vector<uint64_t> SharedSide::threadBytes(Dim dim) const {
  std::vector<uint64_t> columns;
  for (uint64_t base : toOffset.basesOf(dim))
    columns.push_back((base & ~(vector - 1)) * elementBytes);
  return columns;
}

/// Calls `visit` with each offset at which some thread accesses the vector that begins at a
/// register.
void SharedSide::forOffsets(uint64_t reg, function_ref<void(uint64_t)> visit) const {
  const BitSpace &from = toOffset.from();
  for (uint64_t lane = 0; lane < uint64_t(1) << from.bitsOf(Dim::Lane); ++lane)
    for (uint64_t warp = 0; warp < uint64_t(1) << from.bitsOf(Dim::Warp); ++warp)
      visit(toOffset.apply(reg, lane, warp) & ~(vector - 1));
}

void SharedSide::markRead(std::vector<bool> &isRead) const {
  for (uint64_t first : firsts(/*onlyLive=*/true))
    forOffsets(first, [&](uint64_t offset) {
      std::fill_n(isRead.begin() + static_cast<int64_t>(offset), vector, true);
    });
}

/// The first registers of what is stored.
std::vector<uint64_t> SharedSide::written(const std::vector<bool> &isRead) const {
  std::vector<uint64_t> live = firsts(/*onlyLive=*/true);
  std::vector<uint64_t> all = firsts(/*onlyLive=*/false);
  if (live.size() == all.size())
    return live;
  llvm::DenseSet<uint64_t> isLive(live.begin(), live.end());
  std::vector<uint64_t> result;
  for (uint64_t first : all) {
    bool isNeeded = isLive.contains(first);
    forOffsets(first, [&](uint64_t offset) {
      for (uint64_t i = 0; i < vector; ++i)
        isNeeded |= isRead[offset + i];
    });
    if (isNeeded)
      result.push_back(first);
  }
  return result;
}

void SharedSide::store(DeviceProgram &program, const SharedWriter &writer, RegisterFile registers,
                       uint64_t begin, const std::vector<bool> &isRead, Value slot) const {
  registers =
      exchange(program, std::move(registers), exchangedBy(Dim::Lane), exchangedBy(Dim::Warp));
  SharedPlaces places = placesFrom(program, begin, slot);
  Value filler = anyOf(registers);
  writer.emit([&]() {
    for (uint64_t first : written(isRead)) {
      SmallVector<Value> elements;
      for (uint64_t i = 0; i < vector; ++i) {
        Value value = registers[first ^ registerStep(i)];
        elements.push_back(value ? value : filler);
      }
      writer.store(elements, places.at(bytesAt(first)));
    }
  });
}

/// Whether the first register bit and the first two of lanes make up a row of 8 elements of 2 bytes, the
/// other three of lanes are rows, and all else leads to other rows.
bool SharedSide::holdsMatrices() const {
  std::vector<uint64_t> lanes = toOffset.basesOf(Dim::Lane), others(lanes.begin() + 2, lanes.end());
  std::vector<uint64_t> registers = toOffset.basesOf(Dim::Register);
  if (elementBytes != 2 || registers.size() < 3 || registers[0] != 1 || lanes[0] != 2 ||
      lanes[1] != 4)
    return false;
  llvm::append_range(others, toOffset.basesOf(Dim::Warp));
  others.insert(others.end(), registers.begin() + 1, registers.end());
  // Of eight registers all are there, or none.
  std::vector<uint64_t> live = threads.liveRegisters();
  for (size_t i = 0; i < live.size(); ++i)
    if (live.size() % 8 || live[i] % 8 != i % 8)
      return false;
  return llvm::all_of(others, [](uint64_t base) { return base && base % 8 == 0; });
}

bool SharedSide::storeMatrices(DeviceProgram &program, const RegisterFile &registers,
                               uint64_t begin) const {
  if (!holdsMatrices())
    return false;
  ImplicitLocOpBuilder &builder = program.builder;
  MLIRContext *context = builder.getContext();
  // Eight lanes after eight say where the rows of one matrix after another lie: those of two bits of
  // registers.
  std::vector<uint64_t> rows = threadBytes(Dim::Lane);
  std::vector<uint64_t> places(rows.begin() + 2, rows.end());
  for (uint64_t reg : {2, 4})
    places.push_back(bytesAt(reg));
  SharedPlaces addresses(program, begin, places, threadBytes(Dim::Warp));
  for (uint64_t first = 0; first < registers.size(); first += 8) {
    if (!registers[first])
      continue;
    SmallVector<Value> matrices;
    for (uint64_t reg = first; reg < first + 8; reg += 2)
      matrices.push_back(LLVM::BitcastOp::create(
          builder, builder.getI32Type(),
          program.vectorOf({registers[reg], registers[reg + 1]})));
    NVVM::StMatrixOp::create(builder, addresses.at(bytesAt(first)), matrices,
                             NVVM::MMALayoutAttr::get(context, NVVM::MMALayout::row),
                             NVVM::LdStMatrixShapeAttr::get(context, 8, 8),
                             NVVM::LdStMatrixEltTypeAttr::get(context,
                                                              NVVM::LdStMatrixEltType::B16));
  }
  return true;
}

RegisterFile SharedSide::load(DeviceProgram &program, Type element, uint64_t begin) const {
  SharedPlaces places = placesFrom(program, begin);
  RegisterFile registers(uint64_t(1) << toOffset.from().bitsOf(Dim::Register));
  for (const std::vector<uint64_t> &group : groups()) {
    Value address = places.at(bytesAt(group.front()));
    for (auto [reg, value] : llvm::zip(group, loadShared(program, element, vector, address)))
      registers[reg] = value;
  }
  return exchange(program, std::move(registers), exchangedBy(Dim::Lane), exchangedBy(Dim::Warp));
}

std::vector<std::vector<uint64_t>> SharedSide::groups() const {
  std::vector<std::vector<uint64_t>> result;
  for (uint64_t first : firsts(/*onlyLive=*/true)) {
    std::vector<uint64_t> &group = result.emplace_back();
    for (uint64_t i = 0; i < vector; ++i)
      group.push_back(first ^ registerStep(i));
  }
  return result;
}

LogicalResult SharedSide::verifyVectors(ArrayRef<std::vector<uint64_t>> groups,
                                        Operation *op) const {
  for (const std::vector<uint64_t> &group : groups) {
    uint64_t first = toOffset.apply(group.front(), 0, 0), begins = first;
    for (Dim dim : {Dim::Lane, Dim::Warp})
      for (uint64_t base : toOffset.basesOf(dim))
        begins |= base;
    bool isOne = begins % group.size() == 0;
    for (auto [i, reg] : llvm::enumerate(group))
      isOne &= toOffset.apply(reg, 0, 0) == first + i;
    if (!isOne)
      return op->emitError("expected a slot in which the elements of each access lie side by side");
  }
  return success();
}

SharedPlaces SharedSide::placesFrom(DeviceProgram &program, uint64_t begin, Value slot) const {
  return SharedPlaces(program, begin, threadBytes(Dim::Lane), threadBytes(Dim::Warp), slot);
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

/// What threads hold of the part that a store takes; nothing where that is not some registers of each.
static std::optional<LayoutPart> partOf(SharedStoreOp op) {
  ArrayRef<int64_t> shape = op.getShared().getType().getShape(), at = *op.getAt();
  return partOf(linearLayoutOf(cast<RankedTensorType>(op.getValue().getType())),
                Extents(shape.begin(), shape.end()), Extents(at.begin(), at.end()));
}

static LogicalResult lower(ThreadLowering &thread, SharedStoreOp op) {
  DeviceProgram &program = thread.program;
  uint64_t begin = sharedOffset(op.getShared());
  auto block = dyn_cast<RankedTensorType>(op.getValue().getType());
  SharedType type = op.getShared().getType();
  Value stored = toMemory(program.builder, op.getLoc(), thread.lookup(op.getValue()));
  if (!block) {
    Value place = program.shared(begin);
    SharedWriter writer(program);
    writer.emit([&]() { writer.store(stored, place); });
    return success();
  }
  Operation *made = op.getValue().getDefiningOp();
  auto holders = made && isMadeOnce(made) ? SharedWriter::Holders::FirstOnly
                                          : SharedWriter::Holders::All;
  SharedWriter writer(program, linearLayoutOf(block).overOneCta(), holders,
                      op->hasAttr(kWithinCtaAttr));
  if (op.getMbarrier()) {
    writer.arriveAt(program.shared(sharedOffset(op.getMbarrier())));
    // One lane's store tells that all lanes have read what came before.
    if (mbarrierOfRounds(op))
      reconverge(program.builder, op.getLoc());
  }
  if (!type.getLayout()) {
    storeRows(program, writer, block, program.elementsOf(stored), type, begin, op.getAt());
    return success();
  }
  std::vector<bool> isRead(type.getLayout().toLinear(type.getShape()).from().size());
  for (Operation *user : op.getShared().getUsers())
    if (auto load = dyn_cast<SharedLoadOp>(user))
      SharedSide::of(cast<RankedTensorType>(load.getType()), type).markRead(isRead);
  RegisterFile file = unpack(program, stored, linearLayoutOf(block));
  std::optional<LayoutPart> part;
  if (op.getAt()) {
    part = partOf(op);
    if (!part)
      return op.emitOpError("expected a part of which each thread has registers of its own");
    file = llvm::map_to_vector(part->registers, [&](uint64_t reg) { return file[reg]; });
  }
  SharedSide side = part ? SharedSide::of(part->layout, type.getShape(), type) : SharedSide::of(block, type);
  bool isForHardware = llvm::any_of(op.getShared().getUsers(), llvm::IsaPred<StoreTensorOp>);
  if (op.getToFirst()) {
    writer.goToFirst();
    Value slot = arith::SubIOp::create(program.builder, program.partId(), program.i32(1));
    side.store(program, writer, std::move(file), 0, isRead, slotAddress(program, op.getShared(), slot));
    return success();
  }
  if (!isForHardware || !writer.isEverybody() || !side.storeMatrices(program, file, begin))
    side.store(program, writer, std::move(file), begin, isRead);
  return success();
}

static LogicalResult lower(ThreadLowering &thread, SharedLoadOp op) {
  DeviceProgram &program = thread.program;
  if (op.getSlot())
    return lowerSlotLoad(thread, op);
  uint32_t part = op.getFromPart().value_or(0);
  if (part >= program.groupsOfWarps())
    return op.emitOpError()
           << "expected a part of the kernel's groups of warps, of which there are "
           << program.groupsOfWarps() << ", got " << part;
  uint64_t begin = sharedOffset(op.getShared()) + program.bytesOfPart() * part;
  auto block = dyn_cast<RankedTensorType>(op.getType());
  SharedType type = op.getShared().getType();
  Type memory = memoryElement(type.getElementType());
  Value loaded;
  if (!block) {
    loaded = loadShared(program, memory, 1, program.shared(begin))[0];
  } else if (type.getLayout()) {
    RegisterFile file = SharedSide::of(block, type).load(program, memory, begin);
    loaded = pack(program, file, linearLayoutOf(block));
  } else {
    loaded = program.vectorOf(loadRows(program, block, memory, begin));
  }
  return thread.setResult(op, program.fromBytes(loaded, registerElement(type.getElementType())));
}

static LogicalResult lower(ThreadLowering &thread, SharedGatherOp op) {
  DeviceProgram &program = thread.program;
  SharedType type = op.getShared().getType();
  RankedTensorType block = op.getType();
  SmallVector<Value> indices = program.elementsOf(thread.lookup(op.getIndices()));
  auto found =
      gatherRows(program, block, type, indices, op.getAxis(), sharedOffset(op.getShared()));
  return thread.setResult(
      op, program.fromBytes(program.vectorOf(found), registerElement(type.getElementType())));
}

static LogicalResult lower(ThreadLowering &, GatherOp op) {
  return op.emitOpError("expected 'fsm-stage-exchanges' to bring its source to shared memory");
}

/// A number that is not there, or that another thread counts, is passed over as one beyond the
/// counts is.
static LogicalResult lower(ThreadLowering &thread, SharedCountOp op) {
  DeviceProgram &program = thread.program;
  ImplicitLocOpBuilder &builder = program.builder;
  ThreadBlock block(program, op.getNumbers().getType());
  Value numbers = thread.lookup(op.getNumbers()), isFirst = block.isFirst();
  Value memory = program.shared(sharedOffset(op.getShared()));
  int64_t count = op.getShared().getType().getShape().front();
  unsigned width = op.getNumbers().getType().getElementTypeBitWidth();
  for (uint64_t reg : block.registers()) {
    Value number = block.elementOf(numbers, reg);
    if (width < 32)
      number = arith::ExtUIOp::create(builder, builder.getI32Type(), number);
    Value counts = both(builder, block.isInside(reg), isFirst);
    if (width >= 32 || count >> width == 0) {
      Value isBin = arith::CmpIOp::create(builder, arith::CmpIPredicate::ult, number,
                                          program.constantInt(number.getType(), count));
      counts = both(builder, isBin, counts);
    }
    if (width > 32)
      number = arith::TruncIOp::create(builder, builder.getI32Type(), number);
    Value bytes = arith::MulIOp::create(builder, number, program.i32(4));
    SmallVector<Value> operands = {advance(builder, memory, bytes)};
    if (counts)
      operands.push_back(counts);
    inlinePtx(builder, /*result=*/{}, operands,
              counts ? "@$1 red.shared.add.u32 [$0], 1;" : "red.shared.add.u32 [$0], 1;",
              counts ? "l,b,~{memory}" : "l,~{memory}");
  }
  return success();
}

static LogicalResult lower(ThreadLowering &, HistogramOp op) {
  return op.emitOpError("expected 'fsm-stage-exchanges' to count it in shared memory");
}

/// What stands behind the op goes into a branch.
static void goOnInFirstWarp(ThreadLowering &thread) {
  Value isFirst = thread.program.isFirstWarp();
  if (!isFirst)
    return;
  auto choice = scf::IfOp::create(thread.builder, isFirst, /*withElseRegion=*/false);
  thread.builder.setInsertionPointToStart(choice.thenBlock());
}

static LogicalResult lower(ThreadLowering &thread, SharedBarrierOp op) {
  if (op.getFence())
    fenceAsync(thread.builder);
  if (op.getGlobalFence())
    fenceAsyncGlobal(thread.builder);
  if (op.getScope() == ThreadScope::Warp)
    reconverge(thread.builder, op.getLoc());
  else if (op.getScope() == ThreadScope::Parts)
    thread.program.barrierOfParts();
  else
    thread.program.barrier();
  if (op->hasAttr(kFirstWarpAttr))
    goOnInFirstWarp(thread);
  return success();
}

/// Its accesses ask for its place.
static LogicalResult lower(ThreadLowering &, SharedAllocOp op) {
  auto offset = op->getAttrOfType<IntegerAttr>(kSharedOffsetAttr);
  if (!offset)
    return op.emitOpError() << "expected '" << kSharedOffsetAttr << "' from fsm-allocate-shared";
  const uint64_t has = integerAttrOr(op->getParentOfType<KernelOp>(), kSharedBytesAttr, 0);
  const uint64_t bytes = op.getType().getBytes();
  // Its verifier refuses one below 0.
  const uint64_t begin = offset.getInt();
  if (begin <= has && bytes <= has - begin)
    return success();
  return op.emitOpError() << "expected the kernel's '" << kSharedBytesAttr << "' to hold " << bytes
                          << " bytes from " << begin << " on, got " << has;
}

void fsm::gpu::addSharedBlockHandlers(HandlerTable &table) {
  addHandler<SharedAllocOp, lower>(table);
  addHandler<SharedStoreOp, lower>(table);
  addHandler<SharedLoadOp, lower>(table);
  addHandler<SharedBarrierOp, lower>(table);
  addHandler<SharedGatherOp, lower>(table);
  addHandler<GatherOp, lower>(table);
  addHandler<SharedCountOp, lower>(table);
  addHandler<HistogramOp, lower>(table);
}
