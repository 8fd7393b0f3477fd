//===- InstructionWriter.cpp - Instructions of PTX as ops ---------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "InstructionWriter.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace fsm;

//===----------------------------------------------------------------------===//
// The text
//===----------------------------------------------------------------------===//

static std::string withoutComments(StringRef text) {
  std::string plain;
  while (!text.empty()) {
    if (text.consume_front("//"))
      text = text.drop_until([](char c) { return c == '\n'; });
    else if (text.consume_front("/*"))
      text =
          text.substr(std::min(text.find("*/"), text.size())).drop_front(text.contains("*/") * 2);
    else
      plain += text.front(), text = text.drop_front();
  }
  return plain;
}

static SmallVector<StringRef> piecesOf(StringRef text, char separator) {
  SmallVector<StringRef> pieces;
  text.split(pieces, separator);
  for (StringRef &piece : pieces)
    piece = piece.trim();
  return pieces;
}

/// The operands between commas; what stands in braces is one.
static SmallVector<SmallVector<StringRef>> operandsOf(StringRef text) {
  SmallVector<SmallVector<StringRef>> operands;
  for (text = text.trim(); !text.empty(); text = text.ltrim(", \t\n")) {
    if (text.consume_front("{")) {
      operands.push_back(piecesOf(text.take_until([](char c) { return c == '}'; }), ','));
      text = text.drop_until([](char c) { return c == '}'; }).drop_front(text.contains('}'));
    } else {
      StringRef one = text.take_until([](char c) { return c == ','; });
      operands.push_back({one.trim()});
      text = text.drop_front(one.size());
    }
  }
  return operands;
}

static std::optional<RegisterType> typeOf(StringRef word) {
  RegisterType type;
  if (word.empty())
    return std::nullopt;
  if (word == "pred")
    return RegisterType{'b', 1};
  type.kind = word.starts_with("bf") ? 't' : word.front();
  bool isKnown = StringRef("busft").contains(type.kind) &&
                 !word.drop_front(type.kind == 't' ? 2 : 1).getAsInteger(10, type.bits);
  return isKnown && llvm::is_contained({8u, 16u, 32u, 64u}, type.bits) ? std::optional(type)
                                                                       : std::nullopt;
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

Type InstructionWriter::elementOf(RegisterType type) {
  if (type.kind == 't')
    return b.getBF16Type();
  if (type.kind != 'f')
    return b.getIntegerType(type.bits);
  return type.bits == 16   ? Type(b.getF16Type())
         : type.bits == 32 ? Type(b.getF32Type())
                           : Type(b.getF64Type());
}

Value InstructionWriter::resized(Value value, unsigned bits, bool isSigned) {
  unsigned now = value ? getElementTypeOrSelf(value.getType()).getIntOrFloatBitWidth() : bits;
  if (now == bits)
    return value;
  if (now > bits)
    return arith::TruncIOp::create(b, integers(bits), value);
  if (isSigned)
    return arith::ExtSIOp::create(b, integers(bits), value);
  return arith::ExtUIOp::create(b, integers(bits), value);
}

Value InstructionWriter::bitsOf(Value value) {
  Type element = getElementTypeOrSelf(value.getType());
  if (element.isInteger())
    return value;
  return arith::BitcastOp::create(b, integers(element.getIntOrFloatBitWidth()), value);
}

/// The bits of a number as it is written: an integer, or a float by its bits or its digits.
static std::optional<APInt> numberIn(StringRef name, RegisterType type) {
  double digits;
  bool isBits = name.starts_with_insensitive(type.bits == 64 ? "0d" : "0f");
  if (type.isFloat() && !isBits) {
    if (type.kind != 'f' || type.bits < 32 || name.getAsDouble(digits))
      return std::nullopt;
    return type.bits == 64 ? APFloat(digits).bitcastToAPInt()
                           : APFloat(static_cast<float>(digits)).bitcastToAPInt();
  }
  APInt parsed;
  bool isNegative = !type.isFloat() && name.consume_front("-");
  if (type.isFloat())
    name = name.drop_front(2);
  if (name.empty() || name.getAsInteger(type.isFloat() ? 16 : 0, parsed) ||
      parsed.getActiveBits() > type.bits)
    return std::nullopt;
  parsed = parsed.zextOrTrunc(type.bits);
  return isNegative ? -parsed : parsed;
}

Value InstructionWriter::operand(ArrayRef<StringRef> names, RegisterType type) {
  if (names.size() != 1)
    return {};
  StringRef name = names.front();
  Value bits = get(name, type.bits);
  if (!bits) {
    std::optional<APInt> parsed = numberIn(name, type);
    if (!parsed)
      return {};
    bits = number(parsed->getSExtValue(), type.bits);
  }
  if (!type.isFloat())
    return bits;
  return arith::BitcastOp::create(b, of(elementOf(type)), bits);
}

//===----------------------------------------------------------------------===//
// Instructions
//===----------------------------------------------------------------------===//

/// Shifts by the width and more leave nothing, or the sign.
Value InstructionWriter::shifted(StringRef name, Value x, Value by, bool isSigned) {
  unsigned bits = getElementTypeOrSelf(x.getType()).getIntOrFloatBitWidth();
  Value most = number(bits - 1, bits);
  Value least = arith::MinUIOp::create(b, by, most);
  if (name == "shr" && isSigned)
    return arith::ShRSIOp::create(b, x, least);
  Value moved = name == "shl" ? arith::ShLIOp::create(b, x, least).getResult()
                              : arith::ShRUIOp::create(b, x, least).getResult();
  Value isLess = arith::CmpIOp::create(b, arith::CmpIPredicate::ule, by, most);
  return arith::SelectOp::create(b, isLess, moved, number(0, bits));
}

/// `shf`: 64 bits, moved by less than 32, of which the upper or the lower half stays.
Value InstructionWriter::funnel(const Instruction &instruction, ArrayRef<Value> x) {
  if (x.size() != 3 || instruction.words[2] != "wrap")
    return {};
  bool isLeft = instruction.words[1] == "l";
  Value high = arith::ShLIOp::create(b, resized(x[1], 64, false), number(32, 64));
  Value whole = arith::OrIOp::create(b, high, resized(x[0], 64, false));
  Value by = resized(arith::AndIOp::create(b, x[2], number(31, 32)), 64, false);
  if (!isLeft)
    return resized(arith::ShRUIOp::create(b, whole, by), 32, false);
  Value moved = arith::ShLIOp::create(b, whole, by);
  return resized(arith::ShRUIOp::create(b, moved, number(32, 64)), 32, false);
}

Value InstructionWriter::computeIntegers(StringRef name, ArrayRef<Value> x, RegisterType type) {
  bool isSigned = type.kind == 's';
  if (x.size() == 1) {
    if (name == "not")
      return arith::XOrIOp::create(b, x[0], number(-1, type.bits));
    if (name == "neg")
      return arith::SubIOp::create(b, number(0, type.bits), x[0]);
    return {};
  }
  if (x.size() == 3)
    return name == "mad.lo"
               ? arith::AddIOp::create(b, arith::MulIOp::create(b, x[0], x[1]), x[2]).getResult()
               : Value();
  if (x.size() != 2)
    return {};
  if (name == "add")
    return arith::AddIOp::create(b, x[0], x[1]);
  if (name == "sub")
    return arith::SubIOp::create(b, x[0], x[1]);
  if (name == "mul.lo")
    return arith::MulIOp::create(b, x[0], x[1]);
  if (name == "and")
    return arith::AndIOp::create(b, x[0], x[1]);
  if (name == "or")
    return arith::OrIOp::create(b, x[0], x[1]);
  if (name == "xor")
    return arith::XOrIOp::create(b, x[0], x[1]);
  if (name == "min")
    return isSigned ? arith::MinSIOp::create(b, x[0], x[1]).getResult()
                    : arith::MinUIOp::create(b, x[0], x[1]).getResult();
  if (name == "max")
    return isSigned ? arith::MaxSIOp::create(b, x[0], x[1]).getResult()
                    : arith::MaxUIOp::create(b, x[0], x[1]).getResult();
  return {};
}

Value InstructionWriter::computeFloats(StringRef name, ArrayRef<Value> x) {
  if (x.size() == 1) {
    StringRef known = llvm::StringSwitch<StringRef>(name)
                          .Case("neg", "arith.negf")
                          .Case("abs", "math.absf")
                          .Case("ex2.approx", "math.exp2")
                          .Case("lg2.approx", "math.log2")
                          .Case("sin.approx", "math.sin")
                          .Case("cos.approx", "math.cos")
                          .Case("tanh.approx", "math.tanh")
                          .Case("rsqrt.approx", "math.rsqrt")
                          .Case("sqrt.approx", "math.sqrt")
                          .Case("sqrt.rn", "fsm.sqrt_rn")
                          .Default("");
    if (known.empty())
      return {};
    OperationState state(b.getLoc(), known, x, x[0].getType());
    return b.create(state)->getResult(0);
  }
  if (x.size() == 3)
    return name == "fma.rn" ? math::FmaOp::create(b, x[0], x[1], x[2]).getResult() : Value();
  if (x.size() != 2)
    return {};
  if (name == "add" || name == "add.rn")
    return arith::AddFOp::create(b, x[0], x[1]);
  if (name == "sub" || name == "sub.rn")
    return arith::SubFOp::create(b, x[0], x[1]);
  if (name == "mul" || name == "mul.rn")
    return arith::MulFOp::create(b, x[0], x[1]);
  if (name == "min")
    return arith::MinNumFOp::create(b, x[0], x[1]);
  if (name == "max")
    return arith::MaxNumFOp::create(b, x[0], x[1]);
  return {};
}

/// What an instruction computes, or null if it is not known.
Value InstructionWriter::compute(const Instruction &instruction, RegisterType type) {
  StringRef name = instruction.words.front();
  // Subnormal numbers may become zero where an instruction says so; nothing needs them to.
  std::string whole =
      llvm::join(llvm::make_filter_range(ArrayRef(instruction.words).drop_back(),
                                         [](StringRef word) { return word != "ftz"; }),
                 ".");
  SmallVector<Value> x;
  for (auto [index, names] : llvm::enumerate(ArrayRef(instruction.operands).drop_front())) {
    bool isAmount = index == 1 && (name == "shl" || name == "shr");
    x.push_back(operand(names, isAmount ? RegisterType{'u', 32} : type));
    if (!x.back())
      return {};
  }
  if ((whole == "shl" || whole == "shr") && x.size() == 2 && !type.isFloat()) {
    // An amount has 32 bits whatever is moved; what a narrower one loses is too much anyway.
    Value most = arith::MinUIOp::create(b, x[1], number(type.bits, 32));
    return shifted(name, x[0], resized(most, type.bits, false), type.kind == 's');
  }
  if (name == "shf" && instruction.words.size() == 4)
    return funnel(instruction, x);
  return type.isFloat() ? computeFloats(whole, x) : computeIntegers(whole, x, type);
}

/// `mov`, which also takes a register apart or puts one together.
LogicalResult InstructionWriter::move(const Instruction &instruction, unsigned bits) {
  if (instruction.operands.size() != 2)
    return failure();
  ArrayRef<StringRef> to = instruction.operands[0], from = instruction.operands[1];
  unsigned part = bits / std::max(to.size(), from.size());
  if (to.size() > 1 && from.size() > 1)
    return failure();
  if (from.size() > 1) {
    Value whole = number(0, bits);
    for (auto [index, name] : llvm::enumerate(from)) {
      Value piece = get(name, part);
      if (!piece)
        return failure();
      piece = arith::ShLIOp::create(b, resized(piece, bits, false), number(index * part, bits));
      whole = arith::OrIOp::create(b, whole, piece);
    }
    set(to.front(), whole);
    return success();
  }
  Value whole = operand(from, {'b', bits});
  if (!whole)
    return failure();
  for (auto [index, name] : llvm::enumerate(to)) {
    Value piece = index == 0
                      ? whole
                      : arith::ShRUIOp::create(b, whole, number(index * part, bits)).getResult();
    set(name, resized(piece, part, false));
  }
  return success();
}

/// `cvt` between integers, between floats, and from integers to floats.
LogicalResult InstructionWriter::convert(const Instruction &instruction, RegisterType from) {
  ArrayRef<StringRef> words = instruction.words;
  std::optional<RegisterType> to =
      words.size() > 2 ? typeOf(words[words.size() - 2]) : std::nullopt;
  if (!to || instruction.operands.size() != 2 || instruction.operands[0].size() != 1)
    return failure();
  StringRef rounding = words.size() > 3 ? words[1] : "";
  Value x = operand(instruction.operands[1], from);
  bool isRounded = to->isFloat() && !(from.isFloat() && to->bits > from.bits);
  if (!x || words.size() > 4 || rounding != (isRounded ? "rn" : ""))
    return failure();
  Value result;
  if (!to->isFloat() && !from.isFloat())
    result = resized(x, to->bits, from.kind == 's');
  else if (to->isFloat() && from.isFloat())
    result = b.converted(x, elementOf(*to));
  else if (to->isFloat() && from.kind == 's')
    result = arith::SIToFPOp::create(b, of(elementOf(*to)), x);
  else if (to->isFloat())
    result = arith::UIToFPOp::create(b, of(elementOf(*to)), x);
  else
    return failure();
  set(instruction.operands[0].front(), bitsOf(result));
  return success();
}

//===----------------------------------------------------------------------===//
// Predicates
//===----------------------------------------------------------------------===//

void InstructionWriter::set(StringRef name, Value bits) {
  Value before = registers.lookup(name);
  if (guard && before) {
    unsigned width = getElementTypeOrSelf(bits.getType()).getIntOrFloatBitWidth();
    bits = arith::SelectOp::create(b, guard, bits, resized(before, width, false));
  }
  registers[name] = bits;
}

/// `@p` or `@!p` in front of an instruction, which it takes away: what is written there is written
/// where it holds.
LogicalResult InstructionWriter::readGuard(StringRef &statement) {
  guard = {};
  if (!statement.consume_front("@"))
    return success();
  bool isNegated = statement.consume_front("!");
  StringRef name = statement.take_until([](char c) { return isspace(c); });
  statement = statement.drop_front(name.size()).ltrim();
  guard = get(name, 1);
  if (guard && isNegated)
    guard = arith::XOrIOp::create(b, guard, number(-1, 1));
  return success(static_cast<bool>(guard));
}

/// How `setp` compares floats: the letters of an ordered comparison, with a `u` one that holds of
/// NaN as well.
static std::optional<arith::CmpFPredicate> floatPredicate(StringRef name) {
  using P = arith::CmpFPredicate;
  return llvm::StringSwitch<std::optional<P>>(name)
      .Case("eq", P::OEQ)
      .Case("ne", P::ONE)
      .Case("lt", P::OLT)
      .Case("le", P::OLE)
      .Case("gt", P::OGT)
      .Case("ge", P::OGE)
      .Case("equ", P::UEQ)
      .Case("neu", P::UNE)
      .Case("ltu", P::ULT)
      .Case("leu", P::ULE)
      .Case("gtu", P::UGT)
      .Case("geu", P::UGE)
      .Case("num", P::ORD)
      .Case("nan", P::UNO)
      .Default(std::nullopt);
}

static std::optional<arith::CmpIPredicate> integerPredicate(StringRef name, bool isSigned) {
  using P = arith::CmpIPredicate;
  return llvm::StringSwitch<std::optional<P>>(name)
      .Case("eq", P::eq)
      .Case("ne", P::ne)
      .Case("lt", isSigned ? P::slt : P::ult)
      .Case("le", isSigned ? P::sle : P::ule)
      .Case("gt", isSigned ? P::sgt : P::ugt)
      .Case("ge", isSigned ? P::sge : P::uge)
      .Case("lo", P::ult)
      .Case("ls", P::ule)
      .Case("hi", P::ugt)
      .Case("hs", P::uge)
      .Default(std::nullopt);
}

/// `setp`, with one predicate.
Value InstructionWriter::compare(const Instruction &instruction, RegisterType type) {
  SmallVector<StringRef> words(instruction.words);
  llvm::erase(words, "ftz");
  if (instruction.operands.size() != 3 || words.size() != 3)
    return {};
  Value left = operand(instruction.operands[1], type),
        right = operand(instruction.operands[2], type);
  if (!left || !right)
    return {};
  if (type.isFloat()) {
    auto predicate = floatPredicate(words[1]);
    return predicate ? arith::CmpFOp::create(b, *predicate, left, right).getResult() : Value();
  }
  auto predicate = integerPredicate(words[1], type.kind == 's');
  return predicate ? arith::CmpIOp::create(b, *predicate, left, right).getResult() : Value();
}

/// `selp`: the first operand where the predicate holds, the second where it does not.
Value InstructionWriter::select(const Instruction &instruction, RegisterType type) {
  if (instruction.operands.size() != 4 || instruction.words.size() != 2)
    return {};
  Value left = operand(instruction.operands[1], type),
        right = operand(instruction.operands[2], type);
  Value holds = operand(instruction.operands[3], {'b', 1});
  return left && right && holds ? arith::SelectOp::create(b, holds, left, right).getResult()
                                : Value();
}

//===----------------------------------------------------------------------===//
// All of them
//===----------------------------------------------------------------------===//

LogicalResult InstructionWriter::write(const Instruction &instruction) {
  std::optional<RegisterType> type = typeOf(instruction.words.back());
  if (!type || instruction.operands.empty() || (type->isFloat() && type->bits == 8))
    return failure();
  if (instruction.name == "mov" && instruction.words.size() == 2)
    return move(instruction, type->bits);
  if (instruction.name == "cvt")
    return convert(instruction, *type);
  // A second predicate of `setp` would stand behind a `|`.
  if (instruction.operands.front().size() != 1 ||
      instruction.operands.front().front().contains('|'))
    return failure();
  Value result = instruction.name == "setp"   ? compare(instruction, *type)
                 : instruction.name == "selp" ? select(instruction, *type)
                                              : compute(instruction, *type);
  if (!result)
    return failure();
  set(instruction.operands.front().front(), bitsOf(result));
  return success();
}

LogicalResult InstructionWriter::write(StringRef text) {
  std::string plain = withoutComments(text);
  for (StringRef statement : piecesOf(plain, ';')) {
    // Braces in front of an instruction or behind it are a scope of names.
    while (statement.starts_with("{") || statement.starts_with("}"))
      statement = statement.drop_front().ltrim();
    if (statement.empty() || statement.starts_with(".reg"))
      continue;
    StringRef whole = statement;
    if (failed(readGuard(statement)))
      return refuseInstruction(whole);
    StringRef name = statement.take_until([](char c) { return isspace(c); });
    // fsm-overlap-launches writes both where they belong.
    if (name == "griddepcontrol.wait" || name == "griddepcontrol.launch_dependents") {
      ordersLaunches = true;
      continue;
    }
    Instruction instruction{name.split('.').first, piecesOf(name, '.'),
                            operandsOf(statement.drop_front(name.size()))};
    if (failed(write(instruction)))
      return refuseInstruction(whole);
  }
  return success();
}
