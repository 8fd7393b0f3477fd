//===- Mma.cpp - Products of matrices by a warp --------------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// mma.sync (PTX ISA 9.0, 9.7.15.5): D = A B + C, where A is m x k, B is k x 8, and C and D are
// m x 8. With group = lane / 4, member = lane % 4 and as many elements a word as fit, word w of A
// in a lane has elements from column member * elements on of row `group`; words go down by 8 rows,
// then right by 4 words. B is the same of 8 rows, transposed, and of C and D a lane has two
// neighbours in a row.
//
// How an instruction adds is for ProductSums.

#include "../../Program/Decode.h"
#include "../Lanes.h"
#include "ProductSums.h"

#include <algorithm>

using namespace fsm;
using namespace fsm::sim;

namespace {

constexpr unsigned kColumns = 8, kMostRows = 16;

struct Place2d {
  unsigned row, column;
};

/// Where element i of a lane is in a matrix of `rows` rows, of which a word has `perWord`.
Place2d placeOf(unsigned lane, unsigned i, unsigned rows, unsigned perWord) {
  unsigned word = i / perWord, perColumn = rows / kColumns;
  return {lane / 4 + kColumns * (word % perColumn),
          perWord * (lane % 4 + 4 * (word / perColumn)) + i % perWord};
}

/// A factor: its elements as numbers, the right one transposed, and which have no value.
template <typename Number>
struct Factor {
  Number numbers[kMostRows][kMostTerms];
  /// Of a row, whether an element of it has no value.
  bool isUndefined[kMostRows] = {};
};

const Operand &registerOf(const Operand &operand, unsigned index) {
  return operand.kind == Operand::Kind::Vector ? operand.elements[index] : operand;
}

unsigned registersOf(const Operand &operand) {
  return operand.kind == Operand::Kind::Vector ? static_cast<unsigned>(operand.elements.size()) : 1;
}

template <typename Number>
void readFactor(Warp &warp, const Operand &operand, unsigned rows, Type type,
                Factor<Number> &factor) {
  const unsigned bits = bitsOf(type), perWord = std::max(1u, 32 / bits);
  const uint64_t mask = bits == 64 ? ~uint64_t(0) : (uint64_t(1) << bits) - 1;
  for (unsigned word = 0; word < registersOf(operand); ++word) {
    const Operand &source = registerOf(operand, word);
    Values values = warp.read(source, 0);
    Undefined undefined = warp.undefinedOf(source);
    for (unsigned within = 0; within < perWord; ++within) {
      uint32_t none = undefined.anyOf(within * bits / 8, (within + 1) * bits / 8);
      for (unsigned lane = 0; lane < kLanes; ++lane) {
        Place2d place = placeOf(lane, word * perWord + within, rows, perWord);
        factor.numbers[place.row][place.column] =
            numberOf<Number>(values[lane] >> (within * bits) & mask, type);
        factor.isUndefined[place.row] |= none >> lane & 1;
      }
    }
  }
}

template <typename Number>
void multiply(Warp &warp, const Instruction &instruction) {
  const MatrixProduct &product = instruction.as<MatrixProduct>();
  const auto &operands = instruction.operands;
  Factor<Number> left, right;
  readFactor(warp, operands[1], product.m, product.left, left);
  readFactor(warp, operands[2], kColumns, product.right, right);
  // Two sums of f16 share a register; all others have one.
  const unsigned bits = bitsOf(product.sums), perWord = std::max(1u, 32 / bits);
  const uint64_t mask = bits == 64 ? ~uint64_t(0) : (uint64_t(1) << bits) - 1;
  const unsigned words = product.m / 4u / perWord;
  uint64_t results[4][kLanes] = {};
  uint32_t undefined[4] = {};
  for (unsigned i = 0; i < product.m / 4u; ++i) {
    const unsigned word = i / perWord, shift = i % perWord * bits;
    const Operand &source = registerOf(operands[3], word);
    Values acc = warp.read(source, 0);
    undefined[word] |= warp.undefinedOf(source).any();
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      Place2d place = placeOf(lane, i, product.m, 2);
      results[word][lane] |= addProducts(left.numbers[place.row], right.numbers[place.column],
                                         acc[lane] >> shift & mask, product)
                             << shift;
      if (left.isUndefined[place.row] || right.isUndefined[place.column])
        undefined[word] |= uint32_t(1) << lane;
    }
  }
  for (unsigned i = 0; i < words; ++i) {
    const Operand &target = registerOf(operands[0], i);
    std::copy_n(results[i], kLanes, warp.row(target));
    warp.define(target, kAllLanes, Undefined(undefined[i]));
  }
}

void executeMma(Warp &warp, const Instruction &instruction, uint32_t) {
  if (!warp.gatherAll())
    return;
  if (instruction.as<MatrixProduct>().sums == Type::S32)
    multiply<int64_t>(warp, instruction);
  else
    multiply<double>(warp, instruction);
}

struct Shape {
  const char *name;
  uint8_t m, k;
};
constexpr Shape kShapes[] = {{"m8n8k4", 8, 4},
                             {"m16n8k4", 16, 4},
                             {"m16n8k8", 16, 8},
                             {"m16n8k16", 16, 16},
                             {"m16n8k32", 16, 32}};

/// The types that go together, as PTX names them, and the shapes that there are.
struct Combination {
  std::initializer_list<const char *> factors;
  const char *sums;
  Type sumType;
  std::initializer_list<const char *> shapes;
  /// Each factor has one of the types; or both have the same.
  bool mixes;
};

const Combination kCombinations[] = {
    {{"f16"}, "f32", Type::F32, {"m16n8k8", "m16n8k16"}, false},
    {{"f16"}, "f16", Type::F16, {"m16n8k8", "m16n8k16"}, false},
    {{"bf16"}, "f32", Type::F32, {"m16n8k8", "m16n8k16"}, false},
    {{"tf32"}, "f32", Type::F32, {"m16n8k4", "m16n8k8"}, false},
    {{"f64"}, "f64", Type::F64, {"m8n8k4", "m16n8k4", "m16n8k8", "m16n8k16"}, false},
    {{"s8", "u8"}, "s32", Type::S32, {"m16n8k16", "m16n8k32"}, true},
    {{"e4m3", "e5m2"}, "f32", Type::F32, {"m16n8k32"}, true},
};

bool isAmong(const std::string &name, std::initializer_list<const char *> names) {
  return std::any_of(names.begin(), names.end(), [&](const char *one) { return name == one; });
}

/// tf32 is an f32 here, of which the product takes less.
Type factorType(const std::string &name) { return name == "tf32" ? Type::F32 : typeNamed(name); }

/// Finds what the last four modifiers, types, say; in front of them stand five that have been
/// taken.
void takeTypes(Decoder &decoder, const std::string &shape, MatrixProduct &product) {
  const std::vector<std::string> &modifiers = decoder.instruction.modifiers;
  const std::string *types = &modifiers[modifiers.size() - 4];
  for (const Combination &row : kCombinations)
    if (isAmong(types[1], row.factors) && isAmong(types[2], row.factors) &&
        (row.mixes || types[1] == types[2]) && types[0] == row.sums && types[3] == row.sums) {
      if (!isAmong(shape, row.shapes))
        decoder.unsupported("the shape '." + shape + "' of these types");
      product.left = factorType(types[1]);
      product.right = factorType(types[2]);
      product.sums = row.sumType;
      for (size_t i = 0; i < 4; ++i)
        decoder.take(types[i]);
      return;
    }
  decoder.unsupported("'." + types[0] + "." + types[1] + "." + types[2] + "." + types[3] + "'");
}

/// So many registers for a matrix of rows x columns, 32 bits each or as wide as an element.
void expectMatrix(const Decoder &decoder, const Operand &operand, unsigned elements, Type type) {
  unsigned bits = std::max(32u, bitsOf(type));
  decoder.expectRegisters(operand, elements * bitsOf(type) / bits / kLanes);
  for (unsigned i = 0; i < registersOf(operand); ++i) {
    const Operand &one = registerOf(operand, i);
    if (one.kind != Operand::Kind::Register || decoder.function.registerBits[one.index] != bits)
      fail(one.position, "expected a register of " + std::to_string(bits) + " bits");
  }
}

} // namespace

bool sim::decodeMma(Decoder &decoder) {
  Instruction &instruction = decoder.instruction;
  if (instruction.opcode != "mma")
    return false;
  decoder.expectOperands(4, 4);
  for (const char *needed : {"sync", "aligned", "row", "col"})
    if (!decoder.take(needed))
      decoder.unsupported("the form without '." + std::string(needed) + "'");
  MatrixProduct product;
  const Shape &shape = kShapes[decoder.needOneOf(
      "a shape", {"m8n8k4", "m16n8k4", "m16n8k8", "m16n8k16", "m16n8k32"})];
  product.m = shape.m;
  product.k = shape.k;
  takeTypes(decoder, shape.name, product);
  product.saturate = product.sums == Type::S32 && decoder.take("satfinite");
  if (product.sums == Type::F64)
    decoder.ignore({"rn"});
  expectMatrix(decoder, instruction.operands[0], product.m * kColumns, product.sums);
  expectMatrix(decoder, instruction.operands[1], product.m * product.k, product.left);
  expectMatrix(decoder, instruction.operands[2], product.k * kColumns, product.right);
  expectMatrix(decoder, instruction.operands[3], product.m * kColumns, product.sums);
  instruction.decoded = product;
  instruction.type = product.sums;
  instruction.execute = executeMma;
  return true;
}
