//===- Atomics.cpp - Atomic accesses of a thread -------------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Updates are written as inline PTX: LLVM's own instructions lose the order and the scope
// of some. What PTX has no instruction for (max and min of floats; the sum of bf16 on older
// GPUs) is a loop around a compare-and-swap. Neighbours in memory that floats are added to are
// one instruction, as `fsm.access_width` says.

#include "Access.h"

#include "../Math/Functions.h"

#include "fsm/Analysis/Atomics.h"
#include "fsm/Machine/GpuTarget.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace fsm;
using namespace fsm::gpu;

namespace {
/// What an atomic does to one element, as bits in an integer, or to neighbours, as a vector of
/// them.
struct Update {
  Value address;
  /// i1, or null: always.
  Value condition;
  Value value;
  /// Null but for a compare-and-swap.
  Value compare;
};

/// Emits the updates of one op.
class Updater {
public:
  Updater(ThreadLowering &thread, AtomicAccess op)
      : program(thread.program), builder(program.builder), op(op), semantics(op.getSem()),
        addsVectors(thread.features.vectorAtomics),
        element(elementTypeOf(op->getResult(0).getType())),
        bits(builder.getIntegerType(element.getIntOrFloatBitWidth())) {}

  /// Whether it takes several accesses for each element.
  bool isLoop() const;
  /// From here on updates order nothing by themselves: fences do.
  void relax() { semantics = MemorySemantics::Relaxed; }
  void fence();

  /// What was in memory; 0 where the condition does not hold.
  Value emit(const Update &update);
  /// A value, or a vector, of the element type as integers, and back; null for null.
  Value toBits(Value value) { return cast(value, bits); }
  Value fromBits(Value value) { return cast(value, element); }

private:
  Value cast(Value value, Type to);
  std::string order() const { return "." + stringifyMemorySemantics(semantics).str(); }
  std::string instruction() const;
  Value execute(const std::string &name, const Update &update);
  Value executeVector(const Update &update);
  Value loop(const Update &update);
  Value load(const Update &update);
  Value combined(Value old, Value value);

  DeviceProgram &program;
  ImplicitLocOpBuilder &builder;
  mutable AtomicAccess op;
  MemorySemantics semantics;
  bool addsVectors;
  Type element;
  IntegerType bits;
};
} // namespace

Value Updater::cast(Value value, Type to) {
  if (!value)
    return value;
  Type type = to;
  if (auto vector = dyn_cast<VectorType>(value.getType()))
    type = vector.clone(to);
  return type == value.getType() ? value
                                 : LLVM::BitcastOp::create(builder, type, value).getResult();
}

//===----------------------------------------------------------------------===//
// Instructions
//===----------------------------------------------------------------------===//

/// ".gpu" of an op.
static std::string scopeOf(AtomicAccess op) {
  return "." + stringifyMemoryScope(op.getScope()).str();
}

bool Updater::isLoop() const {
  std::optional<AtomicKind> kind = op.updateKind();
  return isa<FloatType>(element) && (kind == AtomicKind::Max || kind == AtomicKind::Min ||
                                     (kind == AtomicKind::Add && element.isBF16() && !addsVectors));
}

/// Of what comes before it in this thread, and of what that has seen, whoever sees an update behind
/// it sees all; and what comes behind it sees what those released whose updates came before it.
void Updater::fence() {
  inlinePtx(builder, Type(), {}, "fence.acq_rel" + scopeOf(op) + ";", "~{memory}");
}

/// What updates integers, in the order of AtomicKind.
static const char *const kUpdates[] = {".add.u", ".max.s", ".min.s", ".max.u", ".min.u",
                                       ".and.b", ".or.b",  ".xor.b", ".exch.b"};
static_assert(std::size(kUpdates) == getMaxEnumValForAtomicKind() + 1);

/// "atom.global.gpu.acq_rel.add.u32", "atom.global.acq_rel.gpu.cas.b32": ptxas takes the parts in
/// any order, and this is the one that Triton writes and that tests of its users look for.
std::string Updater::instruction() const {
  std::string width = std::to_string(bits.getWidth());
  if (!op.updateKind())
    return "atom.global" + order() + scopeOf(op) + ".cas.b" + width;
  std::string head = "atom.global" + scopeOf(op) + order();
  if (isLoop())
    return head + ".cas.b" + width;
  if (op.updateKind() == AtomicKind::Add && isa<FloatType>(element))
    return head + (element.isF16()    ? ".add.noftz.f16"
                   : element.isBF16() ? ".add.noftz.bf16"
                                      : ".add.f" + width);
  return head + kUpdates[static_cast<size_t>(*op.updateKind())] + width;
}

Value Updater::execute(const std::string &name, const Update &update) {
  std::string letter = bits.getWidth() == 16 ? "h" : bits.getWidth() == 32 ? "r" : "l";
  SmallVector<Value> operands = {update.address};
  std::string list = "$0, [$1]", constraints = "=" + letter + ",l";
  for (Value operand : {update.compare, update.value}) {
    if (!operand)
      continue;
    operands.push_back(operand);
    list += ", $" + std::to_string(operands.size());
    constraints += "," + letter;
  }
  std::string guard;
  if (update.condition) {
    operands.push_back(update.condition);
    guard = "@$" + std::to_string(operands.size()) + " ";
    operands.push_back(program.constantInt(bits, 0));
    constraints += ",b,0";
  }
  // Nothing is to move across, whatever it has to do with this address.
  constraints += ",~{memory}";
  return inlinePtx(builder, bits, operands, guard + name + " " + list + ";", constraints).getRes();
}

/// "atom.global.gpu.relaxed.add.noftz.v4.bf16x2 {$0, $1, $2, $3}, [$4], {$5, $6, $7, $8};": words
/// of a vector of floats that are added to; zeros where the condition does not hold.
Value Updater::executeVector(const Update &update) {
  auto type = ::llvm::cast<VectorType>(update.value.getType());
  int64_t count = type.getNumElements() * bits.getWidth() / 32;
  Type word = builder.getI32Type();
  std::string results, values, constraints, ties;
  SmallVector<Value> operands = {update.address};
  Value words = LLVM::BitcastOp::create(builder, VectorType::get({count}, word), update.value);
  for (auto [index, value] : llvm::enumerate(program.elementsOf(words))) {
    std::string comma = index ? ", $" : "$";
    results += comma + std::to_string(index);
    values += comma + std::to_string(count + 1 + int64_t(index));
    constraints += index ? ",=r" : "=r";
    ties += "," + std::to_string(index);
    operands.push_back(value);
  }
  constraints += ",l";
  for (int64_t i = 0; i < count; ++i)
    constraints += ",r";
  std::string guard;
  if (update.condition) {
    guard = "@$" + std::to_string(2 * count + 1) + " ";
    operands.push_back(update.condition);
    operands.append(count, program.i32(0));
    constraints += ",b" + ties;
  }
  std::string vector = count > 1 ? ".v" + std::to_string(count) : "";
  std::string kind = element.isF32() ? ".f32" : element.isF16() ? ".f16x2" : ".bf16x2";
  std::string text = guard + "atom.global" + scopeOf(op) + order() +
                     (element.isF32() ? ".add" : ".add.noftz") + vector + kind + " {" + results +
                     "}, [$" + std::to_string(count) + "], {" + values + "};";
  if (count == 1)
    llvm::erase_if(text, [](char c) { return c == '{' || c == '}'; });
  SmallVector<Type> types(count, word);
  Type result = count == 1 ? word : LLVM::LLVMStructType::getLiteral(builder.getContext(), types);
  Value code = inlinePtx(builder, result, operands, text, constraints + ",~{memory}").getRes();
  SmallVector<Value> found = {code};
  if (count > 1)
    found = llvm::map_to_vector(llvm::seq(count), [&](int64_t index) -> Value {
      return LLVM::ExtractValueOp::create(builder, code, index);
    });
  return LLVM::BitcastOp::create(builder, type, program.vectorOf(found));
}

Value Updater::load(const Update &update) {
  std::string name = "ld.relaxed" + scopeOf(op) + ".global.b" + std::to_string(bits.getWidth());
  return execute(name, {update.address, update.condition, Value(), Value()});
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

/// What a float becomes; both as bits.
Value Updater::combined(Value old, Value value) {
  AtomicKind kind = *op.updateKind();
  Value left = fromBits(old), right = fromBits(value);
  if (kind != AtomicKind::Add)
    return toBits(threadBackend().extremum(builder, op->getLoc(), left, right,
                                           kind == AtomicKind::Max,
                                           /*propagateNan=*/false));
  Type wide = builder.getF32Type();
  Value sum = arith::AddFOp::create(builder, arith::ExtFOp::create(builder, wide, left),
                                    arith::ExtFOp::create(builder, wide, right));
  return toBits(arith::TruncFOp::create(builder, element, sum));
}

/// Computes what is to be there from what seems to be there, and tries again if it was not. The
/// lanes of a warp go round together until the last of them is done: behind a loop that they leave
/// at different times ptxas does not always bring them together
/// (docs/decisions/0048-warps-leave-loops-together.md).
Value Updater::loop(const Update &update) {
  Value yes = arith::ConstantOp::create(builder, builder.getBoolAttr(true));
  SmallVector<Value> initial = {load(update), update.condition ? update.condition : yes};
  SmallVector<Type> types = {bits, builder.getI1Type()};
  auto loop = scf::WhileOp::create(builder, types, initial);
  OpBuilder::InsertionGuard guard(builder);
  Block *before = builder.createBlock(&loop.getBefore(), {}, types, {op->getLoc(), op->getLoc()});
  Value expected = before->getArgument(0), isActive = before->getArgument(1);
  Value next = combined(expected, update.value);
  Value seen = execute(instruction(), {update.address, isActive, next, expected});
  Value isOther = arith::CmpIOp::create(builder, arith::CmpIPredicate::ne, seen, expected);
  Value again = arith::AndIOp::create(builder, isActive, isOther);
  Value old = arith::SelectOp::create(builder, isActive, seen, expected);
  scf::ConditionOp::create(builder, program.anyInWarp(again), ValueRange{old, again});
  Block *after = builder.createBlock(&loop.getAfter(), {}, types, {op->getLoc(), op->getLoc()});
  scf::YieldOp::create(builder, after->getArguments());
  return loop.getResult(0);
}

Value Updater::emit(const Update &update) {
  if (isa<VectorType>(update.value.getType()))
    return executeVector(update);
  return isLoop() ? loop(update) : execute(instruction(), update);
}

//===----------------------------------------------------------------------===//
// Who acts, and who is told
//===----------------------------------------------------------------------===//

/// One thread of the program acts.
static Value lowerScalar(ThreadLowering &thread, AtomicAccess op, const AccessOperands &operands) {
  DeviceProgram &program = thread.program;
  Updater updater(thread, op);
  Value owner = program.isFirstThread();
  Value old = updater.emit({operands.pointer, both(program.builder, owner, operands.mask),
                            updater.toBits(operands.value), updater.toBits(operands.compare)});
  return updater.fromBits(fromFirstThread(program, op, old));
}

namespace {
/// Emits the updates of a block by the threads that have it.
class BlockUpdate {
public:
  BlockUpdate(ThreadLowering &thread, AtomicAccess op, const AccessOperands &operands)
      : program(thread.program), op(op), operands(operands), updater(thread, op),
        block(program, cast<RankedTensorType>(op->getResult(0).getType())),
        groups(accessGroups(block, op)),
        addresses(program, operands, memoryElement(elementTypeOf(op->getResult(0).getType()))),
        values(updater.toBits(operands.value)), compares(updater.toBits(operands.compare)) {}

  bool isValid() const { return !groups.empty(); }
  /// What was in memory.
  Value emit();

private:
  using Group = std::vector<uint64_t>;
  Value conditionOf(uint64_t reg, Value owner);
  Value update(const Group &group, Value condition);
  void updateEnds(Value owner);
  Value handedOn(Value olds);

  DeviceProgram &program;
  AtomicAccess op;
  const AccessOperands &operands;
  Updater updater;
  ThreadBlock block;
  /// The registers of each instruction.
  std::vector<Group> groups;
  ElementAddresses addresses;
  Value values, compares;
};
} // namespace

Value BlockUpdate::conditionOf(uint64_t reg, Value owner) {
  Value isThere = both(program.builder, block.elementOf(operands.mask, reg), block.isInside(reg));
  return both(program.builder, isThere, owner);
}

Value BlockUpdate::update(const Group &group, Value condition) {
  return updater.emit({addresses.of(block.indexOf(group.front())), condition,
                       block.gather(values, group), block.elementOf(compares, group.front())});
}

/// Where the mask ends within a vector, its elements one by one. Nobody asks what was there.
void BlockUpdate::updateEnds(Value owner) {
  ImplicitLocOpBuilder &builder = program.builder;
  auto isCut = [&](const Group &group) -> Value {
    return arith::XOrIOp::create(builder, block.elementOf(operands.mask, group.front()),
                                 block.elementOf(operands.mask, group.back()));
  };
  Value isAny = isCut(groups.front());
  for (const Group &group : llvm::drop_begin(groups))
    isAny = arith::OrIOp::create(builder, isAny, isCut(group));
  program.emitIf(isAny, [&] {
    for (const Group &group : groups) {
      Value cut = isCut(group);
      for (uint64_t reg : group)
        update({reg}, both(builder, cut, conditionOf(reg, owner)));
    }
  });
}

/// The threads that have copies of an element learn what the one found that has changed it.
Value BlockUpdate::handedOn(Value olds) {
  if (handingOnOf(op) != HandingOn::Shuffle)
    return olds;
  uint64_t freeLanes = block.layout().freeBits(Dim::Lane);
  Value kept = program.i32((kWarpThreads - 1) & ~freeLanes);
  Value from = arith::AndIOp::create(program.builder, program.lane(), kept);
  SmallVector<Value> all = program.elementsOf(olds);
  for (Value &old : all)
    old = program.shuffleFrom(old, from);
  return program.vectorOf(all);
}

/// An order is one of the whole block: several instructions are between fences, for each that
/// orders by itself would wait for all that its thread has written before.
Value BlockUpdate::emit() {
  const LinearLayout &layout = block.layout();
  Value owner =
      program.isFirst(layout.freeBits(Dim::Lane), layout.overOneCta().freeBits(Dim::Warp));
  bool mayEnd = op->hasAttr(kMaskEndsAttr),
       isFenced = groups.size() > 1 || mayEnd || updater.isLoop();
  if (isFenced && op.releases())
    updater.fence();
  if (isFenced)
    updater.relax();
  Value olds = values;
  for (const Group &group : groups) {
    Value old = update(group, conditionOf(mayEnd ? group.back() : group.front(), owner));
    olds = block.scatter(old, olds, group);
  }
  if (mayEnd)
    updateEnds(owner);
  if (isFenced && op.acquires() && !op->use_empty())
    updater.fence();
  return updater.fromBits(handedOn(olds));
}

/// What a file may say, and no pass does.
static LogicalResult checkVectors(AtomicAccess op, const GpuFeatures &features) {
  int64_t width = integerAttrOr(op, kAccessWidthAttr, 1);
  int64_t most =
      bytesChangedAtOnce(op, features.vectorAtomics) / bytesOf(elementTypeOf(op.getAccessedType()));
  if (width > most)
    return op->emitError() << "expected '" << kAccessWidthAttr << "' of at most " << most
                           << " here, got " << width;
  if (op->hasAttr(kMaskEndsAttr) && !op->use_empty())
    return op->emitError()
           << "expected no '" << kMaskEndsAttr
           << "' where what memory held is used: it would come from two instructions";
  return success();
}

static Value lowerBlock(ThreadLowering &thread, AtomicAccess op, const AccessOperands &operands) {
  if (failed(checkVectors(op, thread.features)))
    return {};
  BlockUpdate update(thread, op, operands);
  return update.isValid() ? update.emit() : Value();
}

/// Each active element is updated by one thread: of those that hold it the first, of a
/// scalar the first of the program. Then the others get what was in memory, as
/// `handingOnOf` says.
template <typename AtomicOp>
static LogicalResult lower(ThreadLowering &thread, AtomicOp op) {
  if (failed(checkHandedOn(op)))
    return failure();
  bool isBlock = isa<RankedTensorType>(op->getResult(0).getType());
  return thread.setResult(
      op, (isBlock ? lowerBlock : lowerScalar)(thread, op, accessOperands(thread, op)));
}

void fsm::gpu::addAtomicHandlers(HandlerTable &table) {
  addHandler<AtomicRMWOp, lower>(table);
  addHandler<AtomicCASOp, lower>(table);
}
