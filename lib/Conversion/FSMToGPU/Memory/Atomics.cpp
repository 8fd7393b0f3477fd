//===- Atomics.cpp - Atomic accesses of a thread -------------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Updates are written as inline PTX: LLVM's own instructions lose the order and the scope
// of some. What PTX has no instruction for (max and min of floats; the sum of bf16 on older
// GPUs, and so on all) is a loop around a compare-and-swap.

#include "Access.h"

#include "../Math/Functions.h"

#include "fsm/Analysis/Atomics.h"
#include "fsm/Machine/GpuTarget.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace fsm;
using namespace fsm::gpu;

namespace {
/// What an atomic does to one element, as bits in an integer.
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
  Updater(DeviceProgram &program, AtomicAccess op)
      : program(program), builder(program.builder), op(op),
        element(elementTypeOf(op->getResult(0).getType())),
        bits(builder.getIntegerType(element.getIntOrFloatBitWidth())) {}

  /// What was in memory; 0 where the condition does not hold.
  Value emit(const Update &update);
  /// A value, or a vector, of the element type as integers, and back; null for null.
  Value toBits(Value value) { return cast(value, bits); }
  Value fromBits(Value value) { return cast(value, element); }

private:
  Value cast(Value value, Type to);
  bool isLoop() const;
  std::string instruction() const;
  Value execute(const std::string &name, const Update &update);
  Value loop(const Update &update);
  Value load(const Update &update);
  Value combined(Value old, Value value);

  DeviceProgram &program;
  ImplicitLocOpBuilder &builder;
  mutable AtomicAccess op;
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
                                     (kind == AtomicKind::Add && element.isBF16()));
}

/// What updates integers, in the order of AtomicKind.
static const char *const kUpdates[] = {".add.u", ".max.s", ".min.s", ".max.u", ".min.u",
                                       ".and.b", ".or.b",  ".xor.b", ".exch.b"};
static_assert(std::size(kUpdates) == getMaxEnumValForAtomicKind() + 1);

/// "atom.global.gpu.acq_rel.add.u32", "atom.global.acq_rel.gpu.cas.b32": ptxas takes the parts in
/// any order, and this is the one that Triton writes and that tests of its users look for.
std::string Updater::instruction() const {
  std::string width = std::to_string(bits.getWidth());
  std::string order = "." + stringifyMemorySemantics(op.getSem()).str();
  if (!op.updateKind())
    return "atom.global" + order + scopeOf(op) + ".cas.b" + width;
  std::string head = "atom.global" + scopeOf(op) + order;
  if (isLoop())
    return head + ".cas.b" + width;
  if (op.updateKind() == AtomicKind::Add && isa<FloatType>(element))
    return head + (element.isF16() ? ".add.noftz.f16" : ".add.f" + width);
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
  return isLoop() ? loop(update) : execute(instruction(), update);
}

//===----------------------------------------------------------------------===//
// Who acts, and who is told
//===----------------------------------------------------------------------===//

/// One thread of the program acts.
static Value lowerScalar(DeviceProgram &program, AtomicAccess op, const AccessOperands &operands) {
  Updater updater(program, op);
  Value owner = program.isFirstThread();
  Value old = updater.emit({operands.pointer, both(program.builder, owner, operands.mask),
                            updater.toBits(operands.value), updater.toBits(operands.compare)});
  return updater.fromBits(fromFirstThread(program, op, old));
}

static Value lowerBlock(DeviceProgram &program, AtomicAccess op, const AccessOperands &operands) {
  ImplicitLocOpBuilder &builder = program.builder;
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  Updater updater(program, op);
  ThreadBlock block(program, type);
  const LinearLayout &layout = block.layout();
  uint64_t freeLanes = layout.freeBits(Dim::Lane);
  uint64_t freeWarps = layout.overOneCta().freeBits(Dim::Warp);
  Value owner = program.isFirst(freeLanes, freeWarps);
  Value values = updater.toBits(operands.value), compares = updater.toBits(operands.compare);
  ElementAddresses addresses(program, operands, memoryElement(type.getElementType()));
  SmallVector<Value> olds;
  for (uint64_t reg : block.registers()) {
    Value mask = block.elementOf(operands.mask, reg);
    Value condition = both(builder, both(builder, mask, block.isInside(reg)), owner);
    olds.push_back(updater.emit({addresses.of(block.indexOf(reg)), condition,
                                 block.elementOf(values, reg), block.elementOf(compares, reg)}));
  }
  if (handingOnOf(op) == HandingOn::Shuffle) {
    Value kept = program.i32((kWarpThreads - 1) & ~freeLanes);
    Value from = arith::AndIOp::create(builder, program.lane(), kept);
    for (Value &old : olds)
      old = program.shuffleFrom(old, from);
  }
  return updater.fromBits(program.vectorOf(olds));
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
      op, (isBlock ? lowerBlock : lowerScalar)(thread.program, op, accessOperands(thread, op)));
}

void fsm::gpu::addAtomicHandlers(HandlerTable &table) {
  addHandler<AtomicRMWOp, lower>(table);
  addHandler<AtomicCASOp, lower>(table);
}
