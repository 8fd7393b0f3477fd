//===- DebugRecords.cpp - Writing what a program says of itself ----------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Atomic operations order nothing but themselves: the host reads the buffer when the
// launch is over. A thread's records stand in the order in which it wrote them.

#include "DebugRecords.h"

#include "fsm/Artifact/DebugRecords.h"
#include "fsm/IR/DebugTable.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace fsm;
using namespace fsm::registers;

static constexpr auto kRelaxed = LLVM::AtomicOrdering::monotonic;

std::optional<unsigned> registers::debugNumberOf(Operation *op) {
  if (auto number = op->getAttrOfType<IntegerAttr>(kDebugNumberAttr))
    return static_cast<unsigned>(number.getInt());
  op->emitError() << "expected '" << kDebugNumberAttr << "' on '" << op->getName()
                  << "'; 'fsm-number-debug-ops' writes it";
  return std::nullopt;
}

Value DebugRecords::i64(int64_t value) {
  return arith::ConstantOp::create(builder, loc, builder.getI64IntegerAttr(value));
}

Value DebugRecords::widen(Value integer) {
  if (integer.getType().isInteger(64))
    return integer;
  return arith::ExtUIOp::create(builder, loc, builder.getI64Type(), integer);
}

/// Two i32 as the halves of an i64.
Value DebugRecords::pair(Value low, Value high) {
  Value shifted = arith::ShLIOp::create(builder, loc, widen(high), i64(32));
  return arith::OrIOp::create(builder, loc, widen(low), shifted);
}

Value DebugRecords::bitsOf(Value scalar) {
  if (isa<LLVM::LLVMPointerType>(scalar.getType()))
    return LLVM::PtrToIntOp::create(builder, loc, builder.getI64Type(), scalar);
  if (auto real = dyn_cast<FloatType>(scalar.getType()))
    scalar =
        arith::BitcastOp::create(builder, loc, builder.getIntegerType(real.getWidth()), scalar);
  return widen(scalar);
}

Value DebugRecords::at(Value base, int64_t bytes) {
  return advance(builder, loc, base, static_cast<int32_t>(bytes));
}

void DebugRecords::append(unsigned value, Value element, Value scalar) {
  Type word = builder.getI64Type();
  Value slot =
      LLVM::AtomicRMWOp::create(builder, loc, LLVM::AtomicBinOp::add,
                                at(buffer, offsetof(DebugHeader, head)), i64(1), kRelaxed, scope);
  Value capacity =
      LLVM::LoadOp::create(builder, loc, word, at(buffer, offsetof(DebugHeader, capacity)), 8);
  Value fits = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, slot, capacity);
  auto choice = scf::IfOp::create(builder, loc, fits, /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(choice.thenBlock());
  Value bytes = arith::MulIOp::create(builder, loc, slot, i64(sizeof(DebugRecord)));
  Value record = advance(builder, loc, at(buffer, sizeof(DebugHeader)), bytes);
  Value words[] = {i64(static_cast<int64_t>(uint64_t(value) << 32 | number)),
                   pair(program[0], program[1]), pair(program[2], element), bitsOf(scalar)};
  for (auto [index, stored] : llvm::enumerate(words))
    LLVM::StoreOp::create(builder, loc, stored, at(record, 8 * static_cast<int64_t>(index)), 8);
}

/// Counted along x, then y, then z.
Value DebugRecords::programNumber() {
  Value linear = widen(program[2]);
  for (int axis : {1, 0}) {
    linear = arith::MulIOp::create(builder, loc, linear, widen(programs[axis]));
    linear = arith::AddIOp::create(builder, loc, linear, widen(program[axis]));
  }
  return linear;
}

void DebugRecords::fail(Value element) {
  Value none = i64(-1), own = programNumber();
  Value place = at(buffer, offsetof(DebugHeader, failedProgram));
  Value exchange =
      LLVM::AtomicCmpXchgOp::create(builder, loc, place, none, own, kRelaxed, kRelaxed, scope);
  Value before = LLVM::ExtractValueOp::create(builder, loc, exchange, 0);
  auto equals = [&](Value other) {
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, before, other);
  };
  Value isOurs = arith::OrIOp::create(builder, loc, equals(none), equals(own));
  auto choice = scf::IfOp::create(builder, loc, isOurs, /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(choice.thenBlock());
  LLVM::AtomicRMWOp::create(builder, loc, LLVM::AtomicBinOp::umin,
                            at(buffer, offsetof(DebugHeader, failedElement)), element, kRelaxed,
                            scope);
  auto store = [&](Value value, size_t bytes) {
    LLVM::StoreOp::create(builder, loc, value, at(buffer, static_cast<int64_t>(bytes)), 4);
  };
  store(arith::ConstantOp::create(builder, loc,
                                  builder.getI32IntegerAttr(static_cast<int32_t>(number))),
        offsetof(DebugHeader, failedOp));
  for (size_t axis = 0; axis < 3; ++axis)
    store(program[axis], offsetof(DebugHeader, failedId) + 4 * axis);
}

void DebugRecords::record(OpOperand &operand, Value condition, function_ref<Value()> element,
                          Value scalar) {
  bool isAssert = isa<AssertOp>(operand.getOwner());
  if (isAssert) {
    Value one = constantInt(builder, loc, builder.getI1Type(), 1);
    Value isFalse = arith::XOrIOp::create(builder, loc, scalar, one);
    condition =
        condition ? arith::AndIOp::create(builder, loc, condition, isFalse).getResult() : isFalse;
  }
  OpBuilder::InsertionGuard guard(builder);
  if (condition) {
    auto choice = scf::IfOp::create(builder, loc, condition, /*withElseRegion=*/false);
    builder.setInsertionPointToStart(choice.thenBlock());
  }
  if (isAssert)
    fail(element());
  else
    append(operand.getOperandNumber(), element(), scalar);
}
