//===- Atomic.cpp - Atomic accesses --------------------------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Access.h"
#include "FloatArith.h"

using namespace mlir;
using namespace fsm;
using namespace fsm::interpreter;

// Programs run one after the other, so reading and then writing is one step; and for the
// same reason `sem` and `scope` ask for nothing but what races.

namespace {
/// What an atomic op learns from other programs, and lets them know. All its elements acquire
/// before one releases.
class AtomicOrder {
public:
  AtomicOrder(ProgramRunner &runner, const Access &access, MemorySemantics sem, MemoryScope scope)
      : runner(runner), access(access), races(runner.races()), sem(sem),
        isWide(scope != MemoryScope::Cta) {
    if (!races)
      return;
    reading = races->begin(access.op, /*reads=*/true, /*writes=*/false, isWide);
    writing = races->begin(access.op, /*reads=*/true, /*writes=*/true, isWide);
  }

  /// Before the element is written, if it is.
  LogicalResult note(size_t index, bool isWritten) {
    if (!races)
      return success();
    if (failed(checkRace(runner, access, isWritten ? writing : reading, index)))
      return failure();
    if (isWide && acquires(sem))
      races->order.acquire(races->messageAt(access.addressOf(index)));
    if (isWide && releases(sem) && isWritten)
      written.push_back(access.addressOf(index));
    return success();
  }

  void finish() {
    if (written.empty())
      return;
    ProgramOrder::Message own = races->order.release();
    for (uint64_t address : written)
      races->setMessage(address, static_cast<uint32_t>(access.elementBytes),
                        acquires(sem) ? own : races->order.join(own, races->messageAt(address)));
  }

private:
  ProgramRunner &runner;
  const Access &access;
  ProgramRaces *races;
  MemorySemantics sem;
  bool isWide;
  ProgramRaces::Touch reading = {}, writing = {};
  std::vector<uint64_t> written;
};
} // namespace

/// What a float in memory becomes, in the arithmetic of `Float`.
template <typename Float>
static Float combineFloats(AtomicKind kind, Float old, Float value) {
  switch (kind) {
  case AtomicKind::Max:
    return MaxNum::of(old, value);
  case AtomicKind::Min:
    return MinNum::of(old, value);
  default:
    return old + value;
  }
}

static uint64_t combineFloats(AtomicKind kind, ScalarType type, uint64_t old, uint64_t value) {
  if (type == ScalarType::F32)
    return bitsOf(combineFloats(kind, floatOf(old), floatOf(value)));
  if (type == ScalarType::F64)
    return bitsOf(combineFloats(kind, doubleOf(old), doubleOf(value)));
  return narrow(combineFloats(kind, widen(old, type), widen(value, type)), type);
}

static uint64_t combineIntegers(AtomicKind kind, unsigned width, uint64_t old, uint64_t value) {
  bool isLess = signExtend(old, width) < signExtend(value, width);
  switch (kind) {
  case AtomicKind::Add:
    return (old + value) & maskOf(width);
  case AtomicKind::Max:
    return isLess ? value : old;
  case AtomicKind::Min:
    return isLess ? old : value;
  case AtomicKind::UMax:
    return std::max(old, value);
  case AtomicKind::UMin:
    return std::min(old, value);
  case AtomicKind::And:
    return old & value;
  case AtomicKind::Or:
    return old | value;
  case AtomicKind::Xor:
    return old ^ value;
  case AtomicKind::Exch:
    break;
  }
  return value;
}

/// Updates each active element; `next(i, old)` is what element `i` becomes, or nothing if it is
/// only read.
template <typename AtomicOp, typename Next>
static LogicalResult update(ProgramRunner &runner, AtomicOp op, const Next &next) {
  Access access = describeAccess(runner, op, op.getType(), Access::Verb::Update);
  AtomicOrder order(runner, access, op.getSem(), op.getScope());
  std::vector<uint64_t> result(countOf(op.getType()));
  for (size_t i = 0; i < result.size(); ++i) {
    if (!access.isActive(i))
      continue;
    if (failed(checkElement(runner, access, i)))
      return failure();
    uint64_t address = access.addressOf(i);
    result[i] = readMemory(address, access.elementBytes, /*isBoolean=*/false);
    std::optional<uint64_t> becomes = next(i, result[i]);
    if (failed(order.note(i, becomes.has_value())))
      return failure();
    if (becomes)
      writeMemory(runner, address, access.elementBytes, *becomes);
  }
  order.finish();
  runner.set(op.getResult(), std::move(result));
  return success();
}

static LogicalResult atomicRMW(ProgramRunner &runner, Operation *op) {
  auto rmw = cast<AtomicRMWOp>(op);
  AtomicKind kind = rmw.getKind();
  Type element = elementTypeOf(rmw.getType());
  const Elements &value = runner.get(rmw.getValue());
  bool computesFloats = isa<FloatType>(element) && kind != AtomicKind::Exch;
  return update(runner, rmw, [&](size_t i, uint64_t old) {
    return std::optional<uint64_t>(
        computesFloats ? combineFloats(kind, scalarTypeOf(element), old, value.bits[i])
                       : combineIntegers(kind, widthOf(element), old, value.bits[i]));
  });
}

static LogicalResult atomicCAS(ProgramRunner &runner, Operation *op) {
  auto cas = cast<AtomicCASOp>(op);
  const Elements &compare = runner.get(cas.getCompare()), &value = runner.get(cas.getValue());
  return update(runner, cas, [&](size_t i, uint64_t old) {
    return old == compare.bits[i] ? std::optional<uint64_t>(value.bits[i]) : std::nullopt;
  });
}

void interpreter::addAtomicHandlers(HandlerTable &table) {
  table["fsm.atomic_cas"] = atomicCAS;
  table["fsm.atomic_rmw"] = atomicRMW;
}
