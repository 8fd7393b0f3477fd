//===- Piece.cpp - One access of a thread ---------------------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Loads and stores are LLVM's masked intrinsics with a splat mask, which end as predicated
// instructions. What LLVM drops, cache hints, is written as inline PTX.

#include "Piece.h"

#include "Access.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace fsm;
using namespace fsm::gpu;

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

/// Words are aligned. Where the first has an element in front of what is asked for, each is made of
/// two, and what the last one lacks is loaded alone: nothing behind is.
Value Piece::shiftedLoad(Value other) {
  Type wide = builder.getI64Type(), word = builder.getI32Type(), half = builder.getI16Type();
  Type byte = builder.getI8Type();
  Value number = LLVM::PtrToIntOp::create(builder, wide, address);
  Value low = arith::TruncIOp::create(builder, word, number);
  Value beside = arith::AndIOp::create(builder, low, program.i32(2));
  Value back = arith::SubIOp::create(builder, program.i32(0), beside);
  Value begin = advance(builder, address, back, byte);
  Value nothing = program.i32(0), shift = arith::MulIOp::create(builder, beside, program.i32(8));
  auto count = static_cast<int64_t>(bytes / 4);
  SmallVector<Value> loaded, shifted;
  for (int64_t i = 0; i < count; ++i) {
    Value at = advance(builder, begin, static_cast<int32_t>(4 * i), byte);
    loaded.push_back(Piece{program, at, condition, word, 4, hint}.inlineLoad(nothing));
  }
  Value last = advance(builder, address, static_cast<int32_t>(bytes - 2), byte);
  Value none = program.constantInt(half, 0);
  Value alone = Piece{program, last, condition, half, 2, hint}.inlineLoad(none);
  loaded.push_back(arith::ExtUIOp::create(builder, word, alone));
  for (int64_t i = 0; i < count; ++i)
    shifted.push_back(LLVM::FshrOp::create(builder, word, loaded[i + 1], loaded[i], shift));
  Value whole = LLVM::BitcastOp::create(builder, type, program.vectorOf(shifted));
  return condition ? arith::SelectOp::create(builder, condition, whole, other).getResult() : whole;
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

LLVM::InlineAsmOp fsm::gpu::inlinePtx(ImplicitLocOpBuilder &builder, Type result, ValueRange operands,
                                      StringRef text, StringRef constraints, PtxEffects effects) {
  return LLVM::InlineAsmOp::create(builder, result ? TypeRange(result) : TypeRange(), operands,
                                   text, constraints, /*has_side_effects=*/effects == PtxEffects::Any,
                                   /*is_align_stack=*/false, LLVM::TailCallKind::None,
                                   LLVM::AsmDialectAttr(), ArrayAttr());
}

/// A vector of which each word, or element of 16 bits, is what inline PTX makes of it.
static Value mapParts(DeviceProgram &program, Value vector, llvm::function_ref<Value(Value part)> map) {
  ImplicitLocOpBuilder &builder = program.builder;
  auto held = cast<VectorType>(vector.getType());
  int64_t bits = held.getNumElements() * held.getElementTypeBitWidth(), width = bits % 32 == 0 ? 32 : 16;
  auto parts = VectorType::get({bits / width}, builder.getIntegerType(static_cast<unsigned>(width)));
  SmallVector<Value> all = program.elementsOf(LLVM::BitcastOp::create(builder, parts, vector));
  for (Value &one : all)
    one = map(one);
  return LLVM::BitcastOp::create(builder, held, program.vectorOf(all));
}

Value fsm::gpu::unseen(DeviceProgram &program, Value vector) {
  return mapParts(program, vector, [&](Value part) {
    bool isWord = part.getType().isInteger(32);
    return inlinePtx(program.builder, part.getType(), part, isWord ? "mov.b32 $0, $1;" : "mov.b16 $0, $1;",
                     isWord ? "=r,r" : "=h,h")
        .getRes();
  });
}

/// 0, as threads lie along x. LLVM would know it of the op.
static Value hiddenZero(ImplicitLocOpBuilder &builder) {
  return inlinePtx(builder, builder.getI32Type(), {}, "mov.u32 $0, %tid.y;", "=r", PtxEffects::None).getRes();
}

Value fsm::gpu::held(DeviceProgram &program, Value number) {
  ImplicitLocOpBuilder &builder = program.builder;
  Value zero = arith::ExtUIOp::create(builder, number.getType(), hiddenZero(builder));
  return inlinePtx(builder, number.getType(), {number, zero}, "xor.b64 $0, $1, $2;", "=l,l,l")
      .getRes();
}

Value fsm::gpu::hidden(DeviceProgram &program, Value vector) {
  ImplicitLocOpBuilder &builder = program.builder;
  Value zero = hiddenZero(builder);
  return mapParts(program, vector, [&](Value part) {
    bool isWord = part.getType().isInteger(32);
    Value other = isWord ? zero : arith::TruncIOp::create(builder, part.getType(), zero).getResult();
    return inlinePtx(builder, part.getType(), {part, other}, isWord ? "xor.b32 $0, $1, $2;" : "xor.b16 $0, $1, $2;",
                     isWord ? "=r,r,r" : "=h,h,h")
        .getRes();
  });
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
