//===- ShiftedLoads.cpp - Vectors that begin anywhere ---------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Eight elements that begin h behind a whole vector lie in this one, V, and in the first h elements of the next. These are the
// last 8, 4 and 2 bytes of what is missing, by the bits of h, so that no more than three loads have them, and none reads an
// element that was not asked for:
//
//   h = 5      V           |a b c d e f g h|i j k l|m|           a load of 8 bytes, none of 4, one of 2
//   shift by 4         e f g h  i j k l
//   shift by 1         f g h i  j k l m
//
// Words, each made of two, would be five loads. Of neighbours' vectors each of these takes from the cache as long as a
// whole vector does.

#include "ShiftedLoads.h"

#include "Piece.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace fsm;
using namespace fsm::gpu;

static constexpr int32_t kElementBits = 16;
static constexpr unsigned kElementBytes = 2, kBytesOfWord = 4;

ShiftedLoads::ShiftedLoads(DeviceProgram &program, Value first, VectorType type, unsigned bytes, std::string hint)
    : program(program), builder(program.builder), type(type), bytes(bytes), hint(std::move(hint)) {
  Value number = LLVM::PtrToIntOp::create(builder, builder.getI64Type(), first);
  beyond = arith::TruncIOp::create(builder, builder.getI32Type(), number);
  for (unsigned bit = kElementBytes; bit < bytes; bit *= 2)
    has.push_back(isSet(bit));
}

/// So many bytes that vectors begin behind a whole one, of those below a power of two.
Value ShiftedLoads::bitsOf(unsigned below) {
  return arith::AndIOp::create(builder, beyond, program.i32(static_cast<int32_t>(below - kElementBytes)));
}

Value ShiftedLoads::isSet(unsigned bit) {
  Value own = arith::AndIOp::create(builder, beyond, program.i32(static_cast<int32_t>(bit)));
  return arith::CmpIOp::create(builder, arith::CmpIPredicate::ne, own, program.i32(0));
}

/// Words from `ahead` bytes behind an address that is moved back.
SmallVector<Value> ShiftedLoads::words(Value address, Value back, unsigned ahead, unsigned count, Value condition) {
  Value negative = arith::SubIOp::create(builder, program.i32(0), back);
  Value at = advance(builder, address, negative, builder.getI8Type());
  at = advance(builder, at, static_cast<int32_t>(ahead), builder.getI8Type());
  auto loaded = VectorType::get({count}, builder.getI32Type());
  Value nothing = arith::ConstantOp::create(builder, builder.getZeroAttr(loaded));
  return program.elementsOf(Piece{program, at, condition, loaded, count * kBytesOfWord, hint}.inlineLoad(nothing));
}

/// In the low half of a word.
Value ShiftedLoads::lastElement(Value address, Value condition) {
  Type half = builder.getI16Type();
  Value at = advance(builder, address, static_cast<int32_t>(bytes - kElementBytes), builder.getI8Type());
  Value none = program.constantInt(half, 0);
  Value alone = Piece{program, at, condition, half, kElementBytes, hint}.inlineLoad(none);
  return arith::ExtUIOp::create(builder, builder.getI32Type(), alone);
}

Value ShiftedLoads::load(Value address, Value condition, Value other) {
  unsigned count = bytes / kBytesOfWord;
  SmallVector<Value> held = words(address, bitsOf(bytes), 0, count, condition);
  for (unsigned missing = bytes / 2; missing >= kBytesOfWord; missing /= 2) {
    Value isMissing = has[llvm::Log2_32(missing / kElementBytes)];
    SmallVector<Value> behind = words(address, bitsOf(missing), bytes - missing, missing / kBytesOfWord,
                                      both(builder, isMissing, condition));
    llvm::append_range(held, behind);
    for (unsigned i = 0; i < count; ++i)
      held[i] = arith::SelectOp::create(builder, isMissing, held[i + missing / kBytesOfWord], held[i]);
    held.truncate(count);
  }
  held.push_back(lastElement(address, both(builder, has.front(), condition)));
  Value shift = arith::SelectOp::create(builder, has.front(), program.i32(kElementBits), program.i32(0));
  SmallVector<Value> shifted;
  for (unsigned i = 0; i < count; ++i)
    shifted.push_back(LLVM::FshrOp::create(builder, builder.getI32Type(), held[i + 1], held[i], shift));
  Value whole = LLVM::BitcastOp::create(builder, type, program.vectorOf(shifted));
  return condition ? arith::SelectOp::create(builder, condition, whole, other).getResult() : whole;
}
