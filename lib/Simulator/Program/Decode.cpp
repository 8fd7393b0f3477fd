//===- Decode.cpp - What an instruction's modifiers mean -----------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Decode.h"

#include "../Instructions/NumberFormats.h"

#include <algorithm>
#include <cstring>

using namespace fsm;
using namespace fsm::sim;

namespace {
struct TypeRow {
  const char *name;
  Type type;
  unsigned bits;
};
constexpr TypeRow kTypes[] = {
    {"pred", Type::Pred, 1},      {"b8", Type::B8, 8},          {"b16", Type::B16, 16},
    {"b32", Type::B32, 32},       {"b64", Type::B64, 64},       {"u8", Type::U8, 8},
    {"u16", Type::U16, 16},       {"u32", Type::U32, 32},       {"u64", Type::U64, 64},
    {"s8", Type::S8, 8},          {"s16", Type::S16, 16},       {"s32", Type::S32, 32},
    {"s64", Type::S64, 64},       {"f16", Type::F16, 16},       {"f16x2", Type::F16x2, 32},
    {"bf16", Type::BF16, 16},     {"bf16x2", Type::BF16x2, 32}, {"f32", Type::F32, 32},
    {"f64", Type::F64, 64},       {"s16x2", Type::S16x2, 32},   {"u16x2", Type::U16x2, 32},
    {"e4m3", Type::E4M3, 8},      {"e4m3x2", Type::E4M3x2, 16}, {"e5m2", Type::E5M2, 8},
    {"e5m2x2", Type::E5M2x2, 16},
};
} // namespace

unsigned sim::bitsOf(Type type) {
  for (const TypeRow &row : kTypes)
    if (row.type == type)
      return row.bits;
  return 0;
}

bool sim::isSigned(Type type) { return type >= Type::S8 && type <= Type::S64; }
bool sim::isFloat(Type type) { return type >= Type::F16; }

Type sim::elementOf(Type type) {
  switch (type) {
  case Type::U16x2:
    return Type::U16;
  case Type::S16x2:
    return Type::S16;
  case Type::F16x2:
    return Type::F16;
  case Type::BF16x2:
    return Type::BF16;
  case Type::E4M3x2:
    return Type::E4M3;
  case Type::E5M2x2:
    return Type::E5M2;
  default:
    return type;
  }
}

Type sim::typeNamed(const std::string &name) {
  for (const TypeRow &row : kTypes)
    if (name == row.name)
      return row.type;
  return Type::None;
}

Decoder::Decoder(Instruction &instruction, Function &function, const Program &program)
    : instruction(instruction), function(function), program(program), left(instruction.modifiers) {}

bool Decoder::has(const std::string &name) const {
  return std::find(left.begin(), left.end(), name) != left.end();
}

bool Decoder::take(const std::string &name) {
  auto found = std::find(left.begin(), left.end(), name);
  if (found == left.end())
    return false;
  left.erase(found);
  return true;
}

int Decoder::takeOneOf(std::initializer_list<const char *> names) {
  int index = 0;
  for (const char *name : names) {
    if (take(name))
      return index;
    ++index;
  }
  return -1;
}

uint8_t Decoder::needOneOf(const char *what, std::initializer_list<const char *> names) {
  int found = takeOneOf(names);
  if (found >= 0)
    return static_cast<uint8_t>(found);
  std::string list;
  for (const char *name : names)
    list += std::string(list.empty() ? "" : ", ") + "." + name;
  fail(instruction.position, "'" + instruction.opcode + "' needs " + what + ": one of " + list);
}

Type Decoder::takeType() {
  for (size_t index = 0; index < left.size(); ++index)
    if (Type type = typeNamed(left[index]); type != Type::None) {
      left.erase(left.begin() + static_cast<long>(index));
      return type;
    }
  return Type::None;
}

Type Decoder::needType() {
  Type type = takeType();
  if (type == Type::None)
    fail(instruction.position, "'" + instruction.opcode + "' needs a type such as '.u32'");
  return type;
}

FloatMode Decoder::takeFloatMode() {
  FloatMode mode;
  mode.rounding = static_cast<uint8_t>(std::max(takeOneOf({"rn", "rz", "rm", "rp"}), 0));
  mode.flush = take("ftz");
  mode.saturate = take("sat");
  return mode;
}

void Decoder::takeOrder() {
  static constexpr Order orders[] = {Order::Weak,    Order::Acquire, Order::Release, Order::AcqRel,
                                     Order::Relaxed, Order::Relaxed, Order::Relaxed};
  if (int name =
          takeOneOf({"weak", "acquire", "release", "acq_rel", "relaxed", "volatile", "mmio"});
      name >= 0)
    instruction.order = orders[name];
  // A cluster is of one block here.
  int scope = takeOneOf({"cta", "cluster", "gpu", "gl", "sys"});
  instruction.isBlockScope = scope == 0 || scope == 1;
}

void Decoder::ignore(std::initializer_list<const char *> names) {
  for (const char *name : names)
    take(name);
}

void Decoder::expectOperands(size_t least, size_t most) {
  size_t count = instruction.operands.size();
  if (count >= least && count <= most)
    return;
  fail(instruction.position,
       "expected " + std::to_string(least) + (most == least ? "" : " to " + std::to_string(most)) +
           " operands of '" + instruction.opcode + "', got " + std::to_string(count));
}

/// The bits of an immediate as a value of the type.
static uint64_t immediateBits(const Operand &operand, Type type) {
  double value = 0;
  if (operand.kind == Operand::Kind::Real) {
    std::memcpy(&value, &operand.bits, 8);
  } else {
    float single;
    uint32_t bits = static_cast<uint32_t>(operand.bits);
    std::memcpy(&single, &bits, 4);
    value = single;
  }
  if (type == Type::F64 || (type == Type::B64 && operand.kind == Operand::Kind::Real))
    return bitsOfDouble(value);
  return operand.kind == Operand::Kind::Real ? bitsOfFloat(static_cast<float>(value))
                                             : operand.bits;
}

static void convertImmediate(Operand &operand, Type type) {
  for (Operand &element : operand.elements)
    if (operand.kind != Operand::Kind::Address)
      convertImmediate(element, type);
  if (operand.kind == Operand::Kind::Real || operand.kind == Operand::Kind::Real32)
    operand.bits = immediateBits(operand, type);
  else if (operand.kind != Operand::Kind::Integer)
    return;
  operand.kind = Operand::Kind::Integer;
  unsigned bits = bitsOf(type);
  if (bits && bits < 64)
    operand.bits &= (uint64_t(1) << bits) - 1;
}

void Decoder::immediates(Type type, size_t first, size_t last) {
  for (size_t index = first; index < std::min(last, instruction.operands.size()); ++index)
    convertImmediate(instruction.operands[index], type);
}

void Decoder::unsupported(const std::string &what) const {
  fail(instruction.position, what + " of '" + instruction.opcode + "' is not supported");
}

static bool isValue(const Operand &operand) {
  return operand.kind == Operand::Kind::Register || operand.kind == Operand::Kind::Integer ||
         operand.kind == Operand::Kind::SpecialRegister || operand.kind == Operand::Kind::Variable;
}

static bool isTarget(const Operand &operand) { return operand.kind == Operand::Kind::Register; }

void Decoder::expectAddresses(std::initializer_list<size_t> operands) const {
  for (size_t index : operands)
    if (instruction.operands[index].kind != Operand::Kind::Address)
      fail(instruction.operands[index].position, "expected an address in brackets");
}

void Decoder::expectValues(std::initializer_list<size_t> operands) const {
  for (size_t index : operands)
    if (!isValue(instruction.operands[index]))
      fail(instruction.operands[index].position, "expected a register or a number");
}

void Decoder::expectOperandsAndPolicy(size_t operands) {
  const bool hasPolicy = take("L2::cache_hint");
  expectOperands(operands + hasPolicy, operands + hasPolicy);
  if (!hasPolicy)
    return;
  expectValues({operands});
  instruction.operands.pop_back();
}

void Decoder::expectRegisters(const Operand &operand, size_t count) const {
  size_t given = operand.kind == Operand::Kind::Vector ? operand.elements.size() : 1;
  if (given != count)
    fail(operand.position,
         "expected " + std::to_string(count) + " registers, got " + std::to_string(given));
}

/// What executes relies on: results go to registers, and sources have values.
static bool fits(const Operand &operand, bool isResult) {
  switch (operand.kind) {
  case Operand::Kind::Address:
    return isValue(operand.elements[0]);
  case Operand::Kind::Vector:
  case Operand::Kind::Pair:
    for (const Operand &element : operand.elements)
      if (isResult ? !isTarget(element) && element.kind != Operand::Kind::Sink : !isValue(element))
        return false;
    return true;
  default:
    return isResult ? isTarget(operand) : isValue(operand);
  }
}

bool sim::hasResult(const Instruction &instruction) {
  if (instruction.opcode == "mbarrier")
    for (const char *modifier : {"init", "inval", "expect_tx", "complete_tx"})
      if (instruction.modifiers.size() && instruction.modifiers.front() == modifier)
        return false;
  if (instruction.opcode == "wgmma")
    return !instruction.operands.empty() && instruction.operands[0].kind == Operand::Kind::Vector;
  for (const char *opcode : {"cp", "st", "stmatrix", "red", "bar", "barrier", "nanosleep",
                             "prefetch", "prefetchu", "discard", "setmaxnreg", "bra", "brx",
                             "call", "tensormap", "fence"})
    if (instruction.opcode == opcode) // bar.red has one.
      return std::find(instruction.modifiers.begin(), instruction.modifiers.end(), "red") !=
             instruction.modifiers.end();
  return !instruction.operands.empty();
}

void Decoder::checkOperands() const {
  const std::string &opcode = instruction.opcode;
  if (opcode == "bra" || opcode == "call" || opcode == "brx")
    return; // These check their own.
  const bool hasResult = sim::hasResult(instruction);
  bool takesStructure = opcode == "mov" || opcode == "ld" || opcode == "ldu" || opcode == "st" ||
                        opcode == "atom" || opcode == "red" || opcode == "prefetch" ||
                        opcode == "discard" || opcode == "cp" || opcode == "mbarrier" ||
                        opcode == "ldmatrix" || opcode == "stmatrix" || opcode == "mma" ||
                        opcode == "wgmma" || opcode == "tensormap" || opcode == "fence" ||
                        opcode == "createpolicy";
  bool takesPair = opcode == "setp" || opcode == "shfl" || opcode == "match" || opcode == "elect";
  for (size_t index = 0; index < instruction.operands.size(); ++index) {
    const Operand &operand = instruction.operands[index];
    bool isResult = hasResult && index == 0;
    bool isSink = isResult && operand.kind == Operand::Kind::Sink &&
                  (opcode == "atom" || opcode == "mbarrier" || takesPair);
    bool isStructure =
        operand.kind == Operand::Kind::Vector || operand.kind == Operand::Kind::Address;
    if (isSink)
      continue;
    const bool isTensor = operand.kind == Operand::Kind::Address && operand.elements.size() > 1;
    if (!fits(operand, isResult) || (isTensor && !instruction.ifIs<TensorCopy>()) ||
        (isStructure && (!takesStructure || opcode == "mov") &&
         !(opcode == "mov" && operand.kind == Operand::Kind::Vector)) ||
        (operand.kind == Operand::Kind::Pair && !(takesPair && isResult)))
      fail(operand.position, "operand " + std::to_string(index) + " of '" + opcode +
                                 "' is not of a kind that it takes");
  }
}

void Decoder::finish() {
  checkOperands();
  if (!left.empty())
    unsupported("modifier '." + left.front() + "'");
  if (!instruction.execute)
    unsupported("this form");
  instruction.writesFirst = hasResult(instruction);
}

static void decodeInstruction(Decoder &decoder) {
  for (auto family : {decodeInteger, decodeBits, decodeFloat, decodeCompare, decodeConvert,
                      decodeMove, decodeAsyncStore, decodeMemory, decodeMatrix, decodeMma, decodeWgmma,
                      decodeAtomic, decodeTensorCopy, decodeTensorMap, decodeAsyncCopy, decodeMbarrier, decodeWarp,
                      decodeBarrier, decodeControl, decodeCachePolicy})
    if (family(decoder))
      return decoder.finish();
  fail(decoder.instruction.position, "unknown instruction '" + decoder.instruction.opcode + "'");
}

void sim::decode(Function &function, const Program &program) {
  for (Instruction &instruction : function.code) {
    Decoder decoder(instruction, function, program);
    decodeInstruction(decoder);
  }
  findReconvergence(function);
}
