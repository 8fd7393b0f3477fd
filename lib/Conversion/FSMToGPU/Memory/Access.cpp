//===- Access.cpp - Loads and stores of a thread -------------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// A thread's accesses of a block are grouped into those one instruction makes: the
// elements that `fsm.access_width` says stand side by side along `fsm.access_dim`. Each
// group has one address and one condition: the mask of its first element, that it is
// inside the block, and for a store, that no other thread does the same. Loads and stores
// are LLVM's masked intrinsics with a splat mask, which end as predicated instructions.
// What LLVM drops, cache hints, is written as inline PTX.

#include "Access.h"

#include "fsm/Analysis/Atomics.h"

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
    return ".L1::evict_" + stringifyEvictHint(*evict).str();
  std::optional<CacheHint> cache = op.getCache();
  constexpr bool isLoad = std::is_same_v<AccessOp, LoadOp>;
  // What is so anyway, `ca` and `wb`, is said where the author says it.
  bool applies = cache && (isLoad ? *cache <= CacheHint::CV
                                  : *cache != CacheHint::CA && *cache != CacheHint::CV);
  return applies ? "." + stringifyCacheHint(*cache).str() : "";
}

/// One instruction of a thread: so many elements at one address under one condition.
struct Piece {
  /// Gives `other` where the condition does not hold.
  Value load(Value other);
  void store(Value value);

  Value splat();
  VectorType words();
  Value conditionOrTrue();
  SmallVector<Value> asWords(Value value);
  Value inlineLoad(Value other);
  void inlineStore(Value value);

  DeviceProgram &program;
  Value address;
  /// i1, or null: always.
  Value condition;
  /// The memory type of what is moved: an element or a vector of them.
  Type type;
  unsigned bytes;
  std::string hint;
  ImplicitLocOpBuilder &builder = program.builder;
};
} // namespace

static VectorType asVector(Type type) {
  auto vector = dyn_cast<VectorType>(type);
  return vector ? vector : VectorType::get({1}, type);
}

Value Piece::splat() {
  auto mask = asVector(type).clone(builder.getI1Type());
  return vector::BroadcastOp::create(builder, mask, condition);
}

Value Piece::load(Value other) {
  if (!hint.empty())
    return inlineLoad(other);
  if (!condition)
    return LLVM::LoadOp::create(builder, type, address, bytes);
  VectorType vector = asVector(type);
  if (vector != type)
    other = vector::BroadcastOp::create(builder, vector, other);
  Value loaded = LLVM::MaskedLoadOp::create(builder, vector, address, splat(), other,
                                            builder.getI32IntegerAttr(bytes),
                                            /*nontemporal=*/UnitAttr());
  return vector == type ? loaded : vector::ExtractOp::create(builder, loaded, 0).getResult();
}

/// A conditional store is predicated here: LLVM would move what computes the value behind the
/// branch that it makes of a masked one, which ptxas keeps then (docs/decisions/0019).
void Piece::store(Value value) {
  if (!hint.empty() || condition)
    return inlineStore(value);
  LLVM::StoreOp::create(builder, value, address, bytes);
}

//===----------------------------------------------------------------------===//
// Inline PTX
//===----------------------------------------------------------------------===//

/// The registers that inline PTX moves: 32-bit words, or one narrower word.
VectorType Piece::words() {
  unsigned wordBytes = std::min(bytes, 4u);
  return VectorType::get({bytes / wordBytes}, builder.getIntegerType(8 * wordBytes));
}

/// ".v4.b32" and the operands "{$0, $1, $2, $3}".
static std::pair<std::string, std::string> wordsText(VectorType words, unsigned first) {
  int64_t count = words.getNumElements();
  std::string list;
  for (int64_t i = 0; i < count; ++i)
    list += (i ? ", $" : "$") + std::to_string(first + i);
  std::string type = ".b" + std::to_string(words.getElementTypeBitWidth());
  if (count == 1)
    return {type, list};
  return {".v" + std::to_string(count) + type, "{" + list + "}"};
}

/// PTX has no 8-bit registers; the asm holds bytes in 16-bit ones.
static Type asmRegister(OpBuilder &builder, VectorType words) {
  return words.getElementTypeBitWidth() == 8 ? builder.getI16Type() : words.getElementType();
}

Value Piece::conditionOrTrue() {
  return condition ? condition : program.constantInt(builder.getI1Type(), 1);
}

SmallVector<Value> Piece::asWords(Value value) {
  Type word = asmRegister(builder, words());
  SmallVector<Value> all = program.elementsOf(LLVM::BitcastOp::create(builder, words(), value));
  for (Value &one : all)
    if (word != one.getType())
      one = arith::ExtUIOp::create(builder, word, one);
  return all;
}

/// `.volatile` of a load or a store stands in front of the space, other hints behind it.
static std::string accessName(StringRef name, const std::string &hint) {
  return (name + (hint == ".volatile" ? ".volatile.global" : ".global" + hint)).str();
}

LLVM::InlineAsmOp fsm::gpu::inlinePtx(ImplicitLocOpBuilder &builder, Type result,
                                      ValueRange operands, StringRef text, StringRef constraints) {
  return LLVM::InlineAsmOp::create(builder, result ? TypeRange(result) : TypeRange(), operands,
                                   text, constraints, /*has_side_effects=*/true,
                                   /*is_align_stack=*/false, LLVM::TailCallKind::None,
                                   LLVM::AsmDialectAttr(), ArrayAttr());
}

Value Piece::inlineLoad(Value other) {
  VectorType wordsType = words();
  int64_t count = wordsType.getNumElements();
  Type word = asmRegister(builder, wordsType);
  bool isByte = word != wordsType.getElementType();
  auto [suffix, list] = wordsText(wordsType, 0);
  std::string constraints, letter = word.isInteger(32) ? "r" : "h";
  for (int64_t i = 0; i < count; ++i)
    constraints += (i ? ",=" : "=") + letter;
  constraints += ",l,b";
  for (int64_t i = 0; i < count; ++i)
    constraints += "," + std::to_string(i);
  SmallVector<Value> operands = {address, conditionOrTrue()};
  llvm::append_range(operands, asWords(other));
  std::string text = "@$" + std::to_string(count + 1) + " " + accessName("ld", hint) + suffix +
                     " " + list + ", [$" + std::to_string(count) + "];";
  Type result = count == 1 ? word
                           : LLVM::LLVMStructType::getLiteral(builder.getContext(),
                                                              SmallVector<Type>(count, word));
  auto code = inlinePtx(builder, result, operands, text, constraints);
  SmallVector<Value> loaded;
  for (int64_t i = 0; i < count; ++i) {
    loaded.push_back(count == 1
                         ? code.getRes()
                         : LLVM::ExtractValueOp::create(builder, code.getRes(), i).getResult());
    if (isByte)
      loaded.back() = arith::TruncIOp::create(builder, wordsType.getElementType(), loaded.back());
  }
  return LLVM::BitcastOp::create(builder, type, program.vectorOf(loaded));
}

void Piece::inlineStore(Value value) {
  auto [suffix, list] = wordsText(words(), 2);
  std::string constraints = "l,b";
  SmallVector<Value> operands = {address, conditionOrTrue()};
  for (Value word : asWords(value)) {
    operands.push_back(word);
    constraints += word.getType().isInteger(32) ? ",r" : ",h";
  }
  // Side effects alone do not keep LLVM's code generator from sinking a load of what this changes.
  constraints += ",~{memory}";
  std::string text = "@$1 " + accessName("st", hint) + suffix + " [$0], " + list + ";";
  inlinePtx(builder, Type(), operands, text, constraints);
}

//===----------------------------------------------------------------------===//
// Addresses
//===----------------------------------------------------------------------===//

ElementAddresses::ElementAddresses(DeviceProgram &program, const AccessOperands &operands,
                                   Type element)
    : builder(program.builder), operands(operands), element(element), base(operands.pointer) {
  // Indices are sign-extended and scaled in 64 bits.
  for (Value term : operands.offsets.shared)
    base = advance(builder, base, term, element);
}

Value ElementAddresses::of(int64_t index) {
  Value address = base;
  if (Value varying = operands.offsets.varying) {
    Value term = vector::ExtractOp::create(builder, varying, index);
    address = advance(builder, address, term, element);
  }
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
/// What the pieces of one block access have in common.
class BlockAccess {
public:
  BlockAccess(DeviceProgram &program, Operation *op, RankedTensorType type,
              const AccessOperands &operands, std::string hint)
      : program(program), block(program, type), operands(operands),
        element(memoryElement(type.getElementType())), bytes(bytesOf(type.getElementType())),
        hint(std::move(hint)), groups(accessGroups(block, op)),
        addresses(program, operands, element) {}

  Piece piece(const std::vector<uint64_t> &group, Value owner);

  DeviceProgram &program;
  ThreadBlock block;
  const AccessOperands &operands;
  Type element;
  unsigned bytes;
  std::string hint;
  std::vector<std::vector<uint64_t>> groups;
  ElementAddresses addresses;
};
} // namespace

Piece BlockAccess::piece(const std::vector<uint64_t> &group, Value owner) {
  Value mask = block.elementOf(operands.mask, group.front());
  auto count = static_cast<int64_t>(group.size());
  Value condition = both(program.builder, mask, block.isInside(group.front()));
  condition = both(program.builder, condition, owner);
  Type type = count == 1 ? element : VectorType::get({count}, element);
  return {program, addresses.of(block.indexOf(group.front())), condition,
          type,    static_cast<unsigned>(count) * bytes,       hint};
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

static Value lowerLoad(DeviceProgram &program, LoadOp op, const AccessOperands &operands) {
  auto type = dyn_cast<RankedTensorType>(op.getType());
  if (!type)
    return loadScalar(program, op, operands);
  BlockAccess access(program, op, type, operands, hintOf(op));
  if (access.groups.empty())
    return {};
  ImplicitLocOpBuilder &builder = program.builder;
  auto count = static_cast<int64_t>(access.block.registers().size());
  auto held = VectorType::get({count}, access.element);
  Value other = operands.other;
  if (other && !isa<VectorType>(other.getType()))
    other = vector::BroadcastOp::create(builder, VectorType::get({count}, other.getType()), other);
  Value result = other ? toMemory(builder, op.getLoc(), other)
                       : arith::ConstantOp::create(builder, builder.getZeroAttr(held)).getResult();
  for (const std::vector<uint64_t> &group : access.groups) {
    Value part = access.piece(group, Value()).load(access.block.gather(result, group));
    result = access.block.scatter(part, result, group);
  }
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
  BlockAccess access(program, op, type, operands, hintOf(op));
  if (access.groups.empty())
    return failure();
  Value owner = access.block.isFirst();
  value = toMemory(builder, op.getLoc(), value);
  for (const std::vector<uint64_t> &group : access.groups)
    access.piece(group, owner).store(access.block.gather(value, group));
  return success();
}

static LogicalResult lower(ThreadLowering &thread, LoadOp op) {
  return thread.setResult(op, lowerLoad(thread.program, op, accessOperands(thread, op)));
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
