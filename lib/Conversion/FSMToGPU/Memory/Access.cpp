//===- Access.cpp - Loads and stores of a thread -------------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// A thread's accesses of a block are grouped into those one instruction makes: the
// elements that `fsm.access_width` says stand side by side along `fsm.access_dim`. Each
// group has one address and one condition: the mask of its first element, that it is
// inside the block, and for a store, that no other thread does the same.
//
// With `fsm.tested_together` so many groups stand behind one test, whether all of their
// conditions hold. Of thousands of narrow groups the masks are many, a thread has seven
// predicates, and a load under one is not begun before the last one's value is there:
//
//   if (offset + 1792 < n)  ld, ld, ld, ld, ld, ld, ld, ld
//   else                    @offset < n ld, @offset + 256 < n ld, ...

#include "Access.h"

#include "Piece.h"

#include "fsm/Analysis/Atomics.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace fsm;
using namespace fsm::gpu;

LogicalResult fsm::gpu::checkHandedOn(Operation *op) {
  if (handingOnOf(op) != HandingOn::Shared)
    return success();
  return op->emitOpError("expected 'fsm-stage-exchanges' to hand its result on");
}

Value fsm::gpu::fromFirstThread(DeviceProgram &program, Operation *op, Value scalar) {
  if (handingOnOf(op) == HandingOn::None)
    return scalar;
  return program.shuffleFrom(scalar, program.i32(0));
}

namespace {
/// The hints of an access, as PTX spells them behind `ld.global` or `st.global`.
template <typename AccessOp>
std::string hintOf(AccessOp op) {
  if (op.getIsVolatile())
    return ".volatile";
  if (std::optional<EvictHint> evict = op.getEvict())
    return *evict == EvictHint::Unkept ? ".L1::no_allocate" : ".L1::evict_" + stringifyEvictHint(*evict).str();
  std::optional<CacheHint> cache = op.getCache();
  constexpr bool isLoad = std::is_same_v<AccessOp, LoadOp>;
  // What is so anyway, `ca` and `wb`, is said where the author says it.
  bool applies = cache && (isLoad ? *cache <= CacheHint::CV
                                  : *cache != CacheHint::CA && *cache != CacheHint::CV);
  return applies ? "." + stringifyCacheHint(*cache).str() : "";
}
} // namespace

//===----------------------------------------------------------------------===//
// Addresses
//===----------------------------------------------------------------------===//

ElementAddresses::ElementAddresses(DeviceProgram &program, const AccessOperands &operands,
                                   Type element)
    : program(program), builder(program.builder), operands(operands), element(element), base(operands.pointer) {
  // Indices are sign-extended and scaled in 64 bits.
  for (Value term : operands.offsets.shared)
    base = advance(builder, base, term, element);
  Value offset = operands.offsets.atOnce;
  if (offset && !operands.offsets.isInLoop)
    base = advance(builder, base, offset, element);
  else if (offset)
    // LLVM would carry a pointer from iteration to iteration.
    base = inlinePtx(builder, base.getType(), {offset, base},
                     "mad.wide.s32 $0, $1, " + std::to_string(bytesOf(element)) + ", $2;", "=l,r,l", PtxEffects::None)
               .getRes();
}

/// The innermost loop around a place in which a value is not made, or null.
static Operation *loopWithout(Block *place, Value value) {
  Operation *loop = place->getParentOp();
  while (loop && !isa<scf::ForOp, scf::WhileOp>(loop))
    loop = loop->getParentOp();
  return loop && !loop->isAncestor(value.getParentBlock()->getParentOp()) ? loop : nullptr;
}

/// So many times an integer's bytes, in 64 bits; where they are to be held, made in front of the loop.
Value ElementAddresses::bytesOfElements(Value number, int64_t index, int64_t times) {
  Operation *loop = operands.offsets.isHeld ? loopWithout(builder.getInsertionBlock(), number) : nullptr;
  bool isVector = isa<VectorType>(number.getType());
  Value &made = heldBytes[{number, isVector ? index : times}];
  if (loop && made)
    return made;
  OpBuilder::InsertionGuard guard(builder);
  if (loop)
    builder.setInsertionPoint(loop);
  if (isVector)
    number = vector::ExtractOp::create(builder, number, index);
  Type wide = builder.getI64Type();
  if (number.getType() != wide)
    number = arith::ExtSIOp::create(builder, wide, number);
  Value bytes = arith::MulIOp::create(builder, number,
                                      constantInt(builder, builder.getLoc(), wide, times * bytesOf(element)));
  return loop ? made = held(program, bytes) : bytes;
}

/// So many elements behind an address as a register's own term says.
Value ElementAddresses::past(Value address, int64_t index) {
  Value varying = operands.offsets.varying;
  // LLVM would add what is held to the pointer in front of the loop, and multiply the counter for each of these sums.
  if (operands.offsets.isHeld)
    return inlinePtx(builder, address.getType(), {address, bytesOfElements(varying, index, 1)}, "add.s64 $0, $1, $2;",
                     "=l,l,l", PtxEffects::None)
        .getRes();
  Value term = vector::ExtractOp::create(builder, varying, index);
  return advance(builder, address, term, element);
}

Value ElementAddresses::of(int64_t index) {
  return behind(operands.offsets.varying ? past(base, index) : base, index);
}

Value ElementAddresses::next(int64_t index) {
  const OffsetForm &form = operands.offsets;
  if (!form.stride)
    return of(index);
  if (!last) {
    last = past(base, index);
  } else {
    int64_t more = form.multiples[static_cast<size_t>(index)] - form.multiples[static_cast<size_t>(lastIndex)];
    Value bytes = bytesOfElements(form.stride, index, more);
    // LLVM would add up in front of the loop what it can.
    last = inlinePtx(builder, last.getType(), {last, bytes}, "add.s64 $0, $1, $2;", "=l,l,l", PtxEffects::None).getRes();
  }
  lastIndex = index;
  return behind(last, index);
}

/// So many elements behind an address as the register's constant says.
Value ElementAddresses::behind(Value address, int64_t index) {
  int64_t constant = operands.offsets.constants[static_cast<size_t>(index)];
  if (!constant)
    return address;
  // Only small indices can be in the op itself.
  if (llvm::isInt<LLVM::kGEPConstantBitWidth>(constant))
    return advance(builder, address, static_cast<int32_t>(constant), element);
  Value wide = constantInt(builder, builder.getLoc(), builder.getI64Type(), constant);
  return advance(builder, address, wide, element);
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

std::vector<std::vector<uint64_t>> fsm::gpu::accessGroups(const ThreadBlock &block, Operation *op) {
  uint64_t width = integerAttrOr(op, kAccessWidthAttr, 1);
  auto dim = static_cast<unsigned>(integerAttrOr(op, kAccessDimAttr, 0));
  const LinearLayout &layout = block.layout();
  std::vector<std::vector<uint64_t>> groups;
  auto fail = [&] {
    op->emitError() << "expected '" << kAccessWidthAttr
                    << "' elements side by side in each thread's registers";
    return groups;
  };
  // No instruction reaches beyond the block.
  if (layout.to().extentOf(blockDim(dim)) % width != 0)
    return fail();
  // The register bits that move by 1, 2, ... width / 2 along the dimension alone.
  std::vector<uint64_t> offsets = {0};
  uint64_t moving = 0;
  std::vector<uint64_t> bases = layout.basesOf(Dim::Register);
  for (uint64_t step = 1; step < width; step *= 2) {
    auto found = llvm::find(bases, layout.to().place(blockDim(dim), step));
    if (found == bases.end())
      return fail();
    uint64_t bit = uint64_t(1) << (found - bases.begin());
    moving |= bit;
    for (size_t i = 0, count = offsets.size(); i < count; ++i)
      offsets.push_back(offsets[i] | bit);
  }
  for (uint64_t reg : block.registers()) {
    if (reg & moving)
      continue;
    std::vector<uint64_t> group;
    for (uint64_t offset : offsets)
      group.push_back(reg | offset);
    groups.push_back(std::move(group));
  }
  return groups;
}

namespace {
/// The registers of one instruction.
using Group = std::vector<uint64_t>;

/// What the pieces of one block access have in common.
class BlockAccess {
public:
  BlockAccess(ThreadLowering &thread, GlobalAccess op, RankedTensorType type,
              const AccessOperands &operands, std::string hint)
      : thread(thread), program(thread.program), type(type), block(program, type),
        maskBlock(op.getMask()), operands(operands), mask(operands.mask),
        element(memoryElement(type.getElementType())), bytes(bytesOf(type.getElementType())),
        mayEnd(op->hasAttr(kMaskEndsAttr)), isShifted(op->hasAttr(kAnyStartAttr) && bytes == 2),
        hint(std::move(hint)), groups(accessGroups(block, op)),
        tested(isShifted ? 1 : static_cast<size_t>(integerAttrOr(op, kTestedTogetherAttr, 1))),
        addresses(program, operands, element) {}

  /// The thread's vector, with `other` where nothing is loaded.
  Value load(Value other);
  void store(Value value);

  bool isValid() const { return !groups.empty(); }
  /// A vector of what the thread has in memory.
  VectorType held() const {
    return VectorType::get({static_cast<int64_t>(block.registers().size())}, element);
  }

private:
  using Values = SmallVector<Value>;
  Value conditionOf(const Group &group);
  Piece piece(const Group &group, Value condition);
  Value isCut(const Group &group);
  Value loadEnds(Value result);
  void storeEnds(Value value);
  Value allHold(ArrayRef<Group> run);
  void withMasksApart(function_ref<void()> body);
  Values loadRun(ArrayRef<Group> run, ArrayRef<Value> others);
  void storeRun(ArrayRef<Group> run, ArrayRef<Value> values);
  void forEachRun(function_ref<void(ArrayRef<Group>)> body);

  ThreadLowering &thread;
  DeviceProgram &program;
  RankedTensorType type;
  ThreadBlock block;
  /// Of masks, at the builder's place.
  ThreadBlock *places = &block;
  /// As the kernel has it.
  Value maskBlock;
  const AccessOperands &operands;
  /// As the thread has it, at the builder's place.
  Value mask;
  Type element;
  unsigned bytes;
  /// The mask may end within a group: it is accessed at once where it is true to the last element,
  /// and element by element where the mask ends.
  bool mayEnd;
  /// Whether groups begin anywhere.
  bool isShifted;
  std::string hint;
  std::vector<Group> groups;
  /// Groups behind one test.
  size_t tested;
  ElementAddresses addresses;
  /// Of a store, whether no thread before this one has the same elements; or null.
  Value owner;
};
} // namespace

Value BlockAccess::conditionOf(const Group &group) {
  Value own = block.elementOf(mask, mayEnd ? group.back() : group.front());
  Value isThere = both(program.builder, own, places->isInside(group.front()));
  return both(program.builder, isThere, owner);
}

Piece BlockAccess::piece(const Group &group, Value condition) {
  auto count = static_cast<int64_t>(group.size());
  Type type = count == 1 ? element : VectorType::get({count}, element);
  return {program, addresses.of(block.indexOf(group.front())), condition,
          type,    static_cast<unsigned>(count) * bytes,       hint};
}

/// Whether the mask ends within a group.
Value BlockAccess::isCut(const Group &group) {
  return arith::XOrIOp::create(program.builder, block.elementOf(mask, group.front()),
                               block.elementOf(mask, group.back()));
}

Value BlockAccess::loadEnds(Value result) {
  for (const Group &group : groups) {
    Value cut = isCut(group);
    for (uint64_t reg : group) {
      Value isTaken = both(program.builder, cut, conditionOf({reg}));
      Value part = piece({reg}, isTaken).load(block.gather(result, {reg}));
      result = block.scatter(part, result, {reg});
    }
  }
  return result;
}

/// Rows end in few threads: one branch for all that does.
void BlockAccess::storeEnds(Value value) {
  ImplicitLocOpBuilder &builder = program.builder;
  Value isAny;
  for (const Group &group : groups) {
    Value cut = isCut(group);
    isAny = isAny ? arith::OrIOp::create(builder, isAny, cut).getResult() : cut;
  }
  program.emitIf(isAny, [&] {
    for (const Group &group : groups) {
      Value cut = isCut(group);
      for (uint64_t reg : group) {
        Value isTaken = both(builder, cut, conditionOf({reg}));
        piece({reg}, isTaken).store(block.gather(value, {reg}));
      }
    }
  });
}

/// Whether the conditions of several groups all hold; null for one, which has its own, and where
/// they always do.
Value BlockAccess::allHold(ArrayRef<Group> run) {
  Value all;
  for (const Group &group : run.size() > 1 ? run : ArrayRef<Group>())
    all = both(program.builder, all, conditionOf(group));
  return all;
}

/// Emits `body` with masks that are computed there: else those of a run that is hardly ever made group by
/// group would be kept in registers until then.
void BlockAccess::withMasksApart(function_ref<void()> body) {
  program.emitApart([&] {
    ThreadBlock apart(program, type);
    places = &apart;
    mask = thread.computedAgain(maskBlock);
    body();
    places = &block;
    mask = operands.mask;
  });
}

void BlockAccess::forEachRun(function_ref<void(ArrayRef<Group>)> body) {
  for (ArrayRef<Group> left = groups; !left.empty();) {
    ArrayRef<Group> run = left.take_front(tested);
    left = left.drop_front(run.size());
    body(run);
  }
}

BlockAccess::Values BlockAccess::loadRun(ArrayRef<Group> run, ArrayRef<Value> others) {
  auto each = [&](auto &&load) {
    Values loaded;
    for (auto [group, other] : llvm::zip_equal(run, others))
      loaded.push_back(load(group, other));
    return loaded;
  };
  Value all = allHold(run);
  if (!all)
    return each([&](const Group &group, Value other) {
      Piece one = piece(group, conditionOf(group));
      return isShifted && group.size() > 1 ? one.shiftedLoad(other) : one.load(other);
    });
  ImplicitLocOpBuilder &builder = program.builder;
  auto choice = scf::IfOp::create(builder, TypeRange(ValueRange(others)), all,
                                  /*addThenBlock=*/true, /*addElseBlock=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(choice.thenBlock());
  scf::YieldOp::create(builder, each([&](const Group &group, Value other) {
                         return piece(group, /*condition=*/{}).load(other);
                       }));
  builder.setInsertionPointToStart(choice.elseBlock());
  withMasksApart([&] {
    scf::YieldOp::create(builder, each([&](const Group &group, Value other) {
                           return piece(group, conditionOf(group)).inlineLoad(other);
                         }));
  });
  return llvm::to_vector_of<Value>(choice.getResults());
}

void BlockAccess::storeRun(ArrayRef<Group> run, ArrayRef<Value> values) {
  auto each = [&](bool isTested) {
    for (auto [group, value] : llvm::zip_equal(run, values))
      piece(group, isTested ? Value() : conditionOf(group)).store(value);
  };
  Value all = allHold(run);
  if (!all)
    return each(/*isTested=*/false);
  ImplicitLocOpBuilder &builder = program.builder;
  auto choice = scf::IfOp::create(builder, all, /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(choice.thenBlock());
  each(/*isTested=*/true);
  builder.setInsertionPointToStart(choice.elseBlock());
  withMasksApart([&] { each(/*isTested=*/false); });
}

Value BlockAccess::load(Value other) {
  Value result = other;
  forEachRun([&](ArrayRef<Group> run) {
    Values others = llvm::map_to_vector(
        run, [&](const Group &group) { return block.gather(result, group); });
    for (auto [group, part] : llvm::zip_equal(run, loadRun(run, others)))
      result = block.scatter(part, result, group);
  });
  return mayEnd ? loadEnds(result) : result;
}

void BlockAccess::store(Value value) {
  owner = block.isFirst();
  forEachRun([&](ArrayRef<Group> run) {
    storeRun(run, llvm::map_to_vector(
                      run, [&](const Group &group) { return block.gather(value, group); }));
  });
  if (mayEnd)
    storeEnds(value);
}

Value fsm::gpu::loadWhere(DeviceProgram &program, Value condition, Value address, unsigned bytes,
                          Value otherwise) {
  return Piece{program, address, condition, otherwise.getType(), bytes, /*hint=*/""}.load(
      otherwise);
}

/// A load of one element that all threads make alike; one that is volatile the first makes
/// for them, so that all see one value.
static Value loadScalar(DeviceProgram &program, LoadOp op, const AccessOperands &operands) {
  ImplicitLocOpBuilder &builder = program.builder;
  Type element = memoryElement(op.getType());
  // A pointer is loaded as the number it is, under a mask.
  bool isPointer = isa<PointerType>(op.getType());
  Type type = isPointer ? builder.getI64Type() : element;
  Value other = operands.other;
  if (other && isPointer)
    other = LLVM::PtrToIntOp::create(builder, type, other);
  if (!other)
    other = arith::ConstantOp::create(builder, builder.getZeroAttr(type));
  if (isMadeOnce(op) && failed(checkHandedOn(op)))
    return {};
  Value condition = operands.mask;
  if (isMadeOnce(op))
    condition = both(builder, condition, program.isFirstThread());
  Piece piece{program, operands.pointer, condition, type, bytesOf(op.getType()), hintOf(op)};
  Value loaded = piece.load(toMemory(builder, op.getLoc(), other));
  if (isMadeOnce(op))
    loaded = fromFirstThread(program, op, loaded);
  if (isPointer)
    return LLVM::IntToPtrOp::create(builder, element, loaded);
  return fromMemory(builder, op.getLoc(), loaded, op.getType());
}

static Value lowerLoad(ThreadLowering &thread, LoadOp op, const AccessOperands &operands) {
  auto type = dyn_cast<RankedTensorType>(op.getType());
  if (!type)
    return loadScalar(thread.program, op, operands);
  std::string hint = (op->hasAttr(kNonCoherentAttr) ? ".nc" : "") + hintOf(op);
  BlockAccess access(thread, op, type, operands, hint);
  if (!access.isValid())
    return {};
  ImplicitLocOpBuilder &builder = thread.builder;
  VectorType held = access.held();
  Value other = operands.other;
  if (other && !isa<VectorType>(other.getType()))
    other = vector::BroadcastOp::create(builder, held.clone(other.getType()), other);
  other = other ? toMemory(builder, op.getLoc(), other)
                : arith::ConstantOp::create(builder, builder.getZeroAttr(held)).getResult();
  Value result = access.load(other);
  return fromMemory(builder, op.getLoc(), result, type.getElementType());
}

static LogicalResult lower(ThreadLowering &thread, StoreOp op) {
  DeviceProgram &program = thread.program;
  AccessOperands operands = accessOperands(thread, op);
  ImplicitLocOpBuilder &builder = program.builder;
  Value value = operands.value;
  auto type = dyn_cast<RankedTensorType>(op.getValue().getType());
  if (!type) {
    // One thread of the program stores.
    Value owner = program.isFirstThread();
    if (isa<PointerType>(op.getValue().getType()))
      value = LLVM::PtrToIntOp::create(builder, builder.getI64Type(), value);
    value = toMemory(builder, op.getLoc(), value);
    Value condition = both(builder, operands.mask, owner);
    unsigned bytes = bytesOf(op.getValue().getType());
    Piece{program, operands.pointer, condition, value.getType(), bytes, hintOf(op)}.store(value);
    return success();
  }
  BlockAccess access(thread, op, type, operands, hintOf(op));
  if (!access.isValid())
    return failure();
  access.store(toMemory(builder, op.getLoc(), value));
  return success();
}

static LogicalResult lower(ThreadLowering &thread, LoadOp op) {
  return thread.setResult(op, lowerLoad(thread, op, accessOperands(thread, op)));
}

static LogicalResult lower(ThreadLowering &thread, OffsetOp op) {
  Type element = memoryElement(op.getPointer().getType().getPointeeType());
  Value pointer = thread.lookup(op.getPointer());
  return thread.setResult(op,
                          advance(thread.builder, pointer, thread.lookup(op.getOffset()), element));
}

/// A pointer as a number, or the other way around.
template <typename Op, typename Lowered>
static LogicalResult lowerCast(ThreadLowering &thread, Op op) {
  Type type = threadType(op->getResult(0).getType());
  Value operand = thread.lookup(op->getOperand(0));
  return thread.setResult(op, Lowered::create(thread.builder, type, operand));
}

void fsm::gpu::addAccessHandlers(HandlerTable &table) {
  addHandler<LoadOp, lower>(table);
  addHandler<StoreOp, lower>(table);
  addHandler<OffsetOp, lower>(table);
  addHandler<PtrToIntOp, lowerCast<PtrToIntOp, LLVM::PtrToIntOp>>(table);
  addHandler<IntToPtrOp, lowerCast<IntToPtrOp, LLVM::IntToPtrOp>>(table);
}
