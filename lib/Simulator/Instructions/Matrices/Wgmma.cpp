//===- Wgmma.cpp - Products of matrices by a group of warps --------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// wgmma (PTX ISA 9.0, 9.7.16): D = A B + D or D = A B, where A is 64 x k in shared memory or in
// registers, B is k x n in shared memory, and a line of k elements is 32 bytes. Each of four warps
// has 16 rows of A and D, in its registers as mma.sync has them. When that takes place and who may
// know of it is for AsyncProducts, how it adds for ProductSums.

#include "../../Memory/AsyncProducts.h"
#include "../../Program/Decode.h"
#include "../Lanes.h"
#include "MatrixDescriptor.h"
#include "ProductSums.h"

#include <algorithm>

using namespace fsm;
using namespace fsm::sim;

namespace {

constexpr unsigned kWarpRows = 16, kRows = 8, kPieceBytes = MatrixDescriptor::kPieceBytes,
                   kLineBytes = MatrixDescriptor::kLineBytes;

//===----------------------------------------------------------------------===//
// Multiplying
//===----------------------------------------------------------------------===//

/// Lines of numbers of which each has those that are added up.
template <typename Number>
struct Lines {
  explicit Lines(unsigned count) : numbers(size_t(count) * kMostTerms), isUndefined(count, false) {}
  Number *operator[](unsigned line) { return &numbers[size_t(line) * kMostTerms]; }
  std::vector<Number> numbers;
  std::vector<bool> isUndefined;
};

uint64_t elementOf(const uint8_t *piece, unsigned index, unsigned bytes) {
  uint64_t bits = 0;
  std::memcpy(&bits, piece + size_t(index) * bytes, bytes);
  return bits;
}

/// `count` lines of a matrix in shared memory, from line `first` on.
template <typename Number>
void readLines(const uint8_t *shared, const MatrixDescriptor &matrix, unsigned first, unsigned count,
               Type type, Lines<Number> &lines) {
  const unsigned bytes = bytesOf(type), perPiece = kPieceBytes / bytes;
  if (matrix.isTransposed) {
    for (unsigned outer = 0; outer < count / perPiece; ++outer)
      for (unsigned inner = 0; inner < kLineBytes / bytes; ++inner) {
        const uint8_t *piece = &shared[matrix.pieceAt(first / perPiece + outer, inner)];
        for (unsigned i = 0; i < perPiece; ++i)
          lines[outer * perPiece + i][inner] = numberOf<Number>(elementOf(piece, i, bytes), type);
      }
    return;
  }
  for (unsigned line = 0; line < count; ++line)
    for (unsigned half = 0; half < 2; ++half) {
      const uint8_t *piece = &shared[matrix.pieceAt(first + line, half)];
      for (unsigned i = 0; i < perPiece; ++i)
        lines[line][half * perPiece + i] = numberOf<Number>(elementOf(piece, i, bytes), type);
    }
}

/// The warp's rows of a left factor in four registers.
template <typename Number>
void readHeld(Warp &warp, const Operand &operand, Type type, Lines<Number> &lines) {
  const unsigned bits = bitsOf(type), perWord = 32 / bits;
  const uint64_t mask = (uint64_t(1) << bits) - 1;
  for (unsigned word = 0; word < operand.elements.size(); ++word) {
    Values values = warp.read(operand.elements[word], 0);
    const uint32_t none = warp.undefinedOf(operand.elements[word]).anyOf(0, 4);
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      const unsigned row = lane / 4 + kRows * (word % 2);
      const unsigned column = perWord * (lane % 4 + 4 * (word / 2));
      for (unsigned i = 0; i < perWord; ++i)
        lines[row][column + i] = numberOf<Number>(values[lane] >> (i * bits) & mask, type);
      if (none >> lane & 1)
        lines.isUndefined[row] = true;
    }
  }
}

/// Of the 64 rows, the first that the warp has.
unsigned firstRowOf(const Warp &warp) {
  return kWarpRows * (warp.block.indexInBlock(warp.index) % AsyncProducts::kGroupWarps);
}

template <typename Number>
void negate(Lines<Number> &lines) {
  for (Number &number : lines.numbers)
    number = -number;
}

/// Adds with what is known of whole lines.
class Adder {
public:
  Adder(Lines<double> &left, Lines<double> &right, const MatrixProduct &product)
      : left(left), right(right), product(product) {
    for (auto [lines, digits] : {std::pair(&left, &leftDigits), std::pair(&right, &rightDigits)})
      for (unsigned line = 0; line < lines->isUndefined.size(); ++line)
        digits->push_back(digitsOf((*lines)[line], product.k));
  }
  uint64_t operator()(unsigned row, unsigned column, uint64_t old) {
    return addProducts(left[row], leftDigits[row], right[column], rightDigits[column], old,
                       product);
  }

private:
  Lines<double> &left, &right;
  const MatrixProduct &product;
  std::vector<Digits> leftDigits, rightDigits;
};

class IntegerAdder {
public:
  IntegerAdder(Lines<int64_t> &left, Lines<int64_t> &right, const MatrixProduct &product)
      : left(left), right(right), product(product) {}
  uint64_t operator()(unsigned row, unsigned column, uint64_t old) {
    return addProducts(left[row], right[column], old, product);
  }

private:
  Lines<int64_t> &left, &right;
  const MatrixProduct &product;
};

/// Register i of a lane has one sum of 32 bits, or two neighbours of 16.
template <typename Add>
void addToRegisters(Warp &warp, const AsyncProduct &issued, const std::vector<bool> &noRow,
                    Add add) {
  const GroupProduct &decoded = issued.instruction->as<GroupProduct>();
  const Operand &sums = issued.instruction->operands[0];
  const unsigned bits = bitsOf(decoded.product.sums), perWord = 32 / bits;
  const uint64_t mask = (uint64_t(1) << bits) - 1;
  for (unsigned i = 0; i < sums.elements.size(); ++i) {
    const Operand &target = sums.elements[i];
    Undefined undefined = issued.addsToSums ? warp.undefinedOf(target) : Undefined();
    uint64_t *values = warp.row(target);
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      uint64_t result = 0;
      for (unsigned part = 0; part < perWord; ++part) {
        const unsigned element = i * perWord + part;
        const unsigned row = lane / 4 + kRows * (element / 2 % 2);
        const unsigned column = kRows * (element / 4) + 2 * (lane % 4) + element % 2;
        const uint64_t old = issued.addsToSums ? values[lane] >> (part * bits) & mask : 0;
        result |= add(row, column, old) << (part * bits);
        if (noRow[row])
          undefined.fill(part * bits / 8, (part + 1) * bits / 8,
                         undefined.bytes[part * bits / 8] | uint32_t(1) << lane);
      }
      values[lane] = result;
    }
    warp.define(target, kAllLanes, undefined);
  }
}

template <typename Number, typename Add>
void multiply(Warp &warp, const AsyncProduct &issued) {
  const GroupProduct &decoded = issued.instruction->as<GroupProduct>();
  const MatrixProduct &product = decoded.product;
  const uint8_t *shared =
      warp.block.shared.data() + warp.block.sharedBase(warp.block.rankOf(warp.index));
  Lines<Number> left(kWarpRows), right(decoded.n);
  if (decoded.isLeftHeld)
    readHeld(warp, issued.instruction->operands[1], product.left, left);
  else if (!issued.isRefused)
    readLines(shared, MatrixDescriptor(issued.left, decoded.isLeftTransposed),
              firstRowOf(warp), kWarpRows, product.left, left);
  if (!issued.isRefused)
    readLines(shared, MatrixDescriptor(issued.right, decoded.isRightTransposed), 0, decoded.n,
              product.right, right);
  if (decoded.negatesLeft)
    negate(left);
  if (decoded.negatesRight)
    negate(right);
  addToRegisters(warp, issued, left.isUndefined, Add(left, right, product));
}

//===----------------------------------------------------------------------===//
// Issuing
//===----------------------------------------------------------------------===//

/// The value that all lanes agree on; another one is reported.
uint64_t uniform(Warp &warp, const Operand &operand, const char *what) {
  warp.requireDefined(operand, warp.present, what);
  Values values = warp.read(operand, 0);
  for (unsigned lane = 1; lane < kLanes; ++lane)
    if (warp.present >> lane & 1 && values[lane] != values[0]) {
      warp.block.report(warp, Report::Kind::AsyncProduct, lane, 0,
                        "gives " + std::string(what) + " " + hexadecimal(values[lane]) +
                            ", and lane 0 of its warp " + hexadecimal(values[0]));
      break;
    }
  return values[0];
}

/// The pieces of `count` lines from `first` on; false, and a report, where they are not in memory.
bool addPieces(Warp &warp, const char *what, const MatrixDescriptor &matrix, unsigned lines,
               unsigned first, unsigned count, AsyncProduct &issued) {
  Block &block = warp.block;
  if (std::string wrong = matrix.check(lines); !wrong.empty()) {
    block.report(warp, Report::Kind::AsyncProduct, 0, 0,
                 "the descriptor of the " + std::string(what) + " factor " + wrong);
    return false;
  }
  // A transposed piece is of two bytes of each of its lines.
  const unsigned outers = matrix.isTransposed ? count / kRows : count;
  const unsigned inners = matrix.isTransposed ? kLineBytes / 2 : 2;
  for (unsigned outer = 0; outer < outers; ++outer)
    for (unsigned inner = 0; inner < inners; ++inner) {
      uint64_t address =
          matrix.pieceAt((matrix.isTransposed ? first / kRows : first) + outer, inner);
      std::optional<uint64_t> place = block.findShared(warp, address, kPieceBytes);
      if (!place) {
        block.report(warp, Report::Kind::OutOfBounds, 0, address,
                     "the " + std::string(what) + " factor reaches byte " +
                         std::to_string(address + kPieceBytes - 1) + " of shared memory, which has " +
                         std::to_string(block.launch.linked.sharedBytes) + " bytes");
        return false;
      }
      issued.pieces.push_back(static_cast<uint32_t>(*place / kPieceBytes));
      issued.spans.push_back(static_cast<uint8_t>(matrix.bytesOfRow()));
    }
  return true;
}

/// wgmma.mma_async sums, left, right, scale-d, ...
void executeProduct(Warp &warp, const Instruction &instruction, uint32_t lanes) {
  if (!warp.gatherAll())
    return;
  const std::vector<Operand> &operands = instruction.operands;
  const GroupProduct &decoded = instruction.as<GroupProduct>();
  if (lanes != warp.currentLanes())
    warp.block.report(warp, Report::Kind::DivergentBarrier,
                      static_cast<unsigned>(__builtin_ctz(lanes)), 0,
                      "only the lanes " + hexadecimal(lanes) + " multiply: a condition is false in "
                                                               "the others");
  AsyncProduct issued;
  issued.instruction = &instruction;
  issued.addsToSums = uniform(warp, operands[3], "the scale-d") != 0;
  issued.right = uniform(warp, operands[2], "the descriptor");
  bool isGood = addPieces(warp, "right", MatrixDescriptor(issued.right, decoded.isRightTransposed),
                          decoded.n, 0, decoded.n, issued);
  if (!decoded.isLeftHeld) {
    issued.left = uniform(warp, operands[1], "the descriptor");
    isGood &= addPieces(warp, "left", MatrixDescriptor(issued.left, decoded.isLeftTransposed),
                        AsyncProducts::kGroupWarps * kWarpRows,
                        firstRowOf(warp), kWarpRows, issued);
  }
  issued.isRefused = !isGood;
  warp.block.products().issue(warp, std::move(issued));
}

void executeOrder(Warp &warp, const Instruction &instruction, uint32_t) {
  if (!warp.gatherAll())
    return;
  AsyncProducts &products = warp.block.products();
  switch (instruction.as<ProductOrder>().op) {
  case ProductOrder::Op::Fence:
    return products.fence(warp);
  case ProductOrder::Op::Commit:
    return products.commit(warp);
  case ProductOrder::Op::Wait:
    return products.wait(warp, instruction.operands[0].bits);
  }
}

//===----------------------------------------------------------------------===//
// Decoding
//===----------------------------------------------------------------------===//

/// Types that go together, as PTX names them.
struct Combination {
  std::initializer_list<const char *> factors, sums;
  uint8_t k;
  /// Each factor has one of the types; or both have the same.
  bool mixes;
};

const Combination kCombinations[] = {
    {{"f16"}, {"f16", "f32"}, 16, false},       {{"bf16"}, {"f32"}, 16, false},
    {{"tf32"}, {"f32"}, 8, false},              {{"e4m3", "e5m2"}, {"f16", "f32"}, 32, true},
    {{"s8", "u8"}, {"s32"}, 32, true},
};

bool isAmong(const std::string &name, std::initializer_list<const char *> names) {
  return std::any_of(names.begin(), names.end(), [&](const char *one) { return name == one; });
}

Type factorType(const std::string &name) { return name == "tf32" ? Type::F32 : typeNamed(name); }

/// ".m64n128k16.f32.f16.f16": sums, left and right.
void takeShapeAndTypes(Decoder &decoder, GroupProduct &decoded) {
  std::vector<std::string> names;
  std::string shape;
  for (const std::string &modifier : decoder.instruction.modifiers)
    if (factorType(modifier) != Type::None)
      names.push_back(modifier);
    else if (modifier.rfind("m64n", 0) == 0)
      shape = modifier;
  if (names.size() != 3)
    decoder.unsupported("the form without three types");
  const std::string types = "'." + names[0] + "." + names[1] + "." + names[2] + "'";
  auto row = std::find_if(std::begin(kCombinations), std::end(kCombinations), [&](auto &one) {
    return isAmong(names[0], one.sums) && isAmong(names[1], one.factors) &&
           isAmong(names[2], one.factors) && (one.mixes || names[1] == names[2]);
  });
  if (row == std::end(kCombinations))
    decoder.unsupported(types);
  MatrixProduct &product = decoded.product;
  product.m = 64;
  product.k = row->k;
  product.sums = typeNamed(names[0]);
  product.left = factorType(names[1]);
  product.right = factorType(names[2]);
  // Integers take steps of 16 columns from 32 on.
  const unsigned step = product.sums == Type::S32 ? 16 : 8;
  unsigned n = 8;
  while (n <= 256 && shape != "m64n" + std::to_string(n) + "k" + std::to_string(product.k))
    n += n < 32 ? 8 : step;
  if (n > 256)
    decoder.unsupported("the shape '." + shape + "' of " + types);
  decoded.n = static_cast<uint16_t>(n);
  decoder.take(shape);
  for (const std::string &name : names)
    decoder.take(name);
}

/// An immediate behind the scale-d, which is one of two numbers.
bool immediateIs(const Operand &operand, int64_t yes, int64_t no) {
  const auto value = static_cast<int64_t>(operand.bits);
  if (operand.kind != Operand::Kind::Integer || (value != yes && value != no))
    fail(operand.position,
         "expected " + std::to_string(no) + " or " + std::to_string(yes));
  return value == yes;
}

void expectWords(const Decoder &decoder, const Operand &operand, size_t count) {
  if (operand.kind != Operand::Kind::Vector)
    fail(operand.position, "expected registers in braces");
  decoder.expectRegisters(operand, count);
  for (const Operand &one : operand.elements)
    if (one.kind != Operand::Kind::Register || decoder.function.registerBits[one.index] != 32)
      fail(one.position, "expected a register of 32 bits");
}

void decodeProduct(Decoder &decoder) {
  Instruction &instruction = decoder.instruction;
  GroupProduct decoded;
  takeShapeAndTypes(decoder, decoded);
  const MatrixProduct &product = decoded.product;
  const bool isInteger = product.sums == Type::S32, isShort = bitsOf(product.left) == 16;
  decoded.product.saturate = isInteger && decoder.take("satfinite");
  std::vector<Operand> &operands = instruction.operands;
  decoded.isLeftHeld = operands.size() > 1 && operands[1].kind == Operand::Kind::Vector;
  // imm-scale-a and -b, and imm-trans of each factor in shared memory.
  const size_t transposing = isShort ? (decoded.isLeftHeld ? 1 : 2) : 0;
  const size_t count = isInteger ? 4 : 6 + transposing;
  decoder.expectOperands(count, count);
  expectWords(decoder, operands[0], decoded.n * bitsOf(product.sums) / 64);
  if (decoded.isLeftHeld)
    expectWords(decoder, operands[1], 4);
  for (size_t index = decoded.isLeftHeld ? 2 : 1; index < 3; ++index)
    if (operands[index].kind != Operand::Kind::Register ||
        decoder.function.registerBits[operands[index].index] != 64)
      fail(operands[index].position, "expected a descriptor in a register of 64 bits");
  // The manual has a predicate alone; ptxas takes 0 and 1 as well, which Triton's compiler writes.
  const Operand &scale = operands[3];
  if (scale.kind == Operand::Kind::Register ? decoder.function.registerBits[scale.index] != 1
                                            : scale.kind != Operand::Kind::Integer || scale.bits > 1)
    fail(scale.position, "expected a predicate, 0 or 1 for the scale-d");
  if (!isInteger) {
    decoded.negatesLeft = immediateIs(operands[4], -1, 1);
    decoded.negatesRight = immediateIs(operands[5], -1, 1);
  }
  if (transposing == 2)
    decoded.isLeftTransposed = immediateIs(operands[6], 1, 0);
  if (transposing)
    decoded.isRightTransposed = immediateIs(operands.back(), 1, 0);
  instruction.decoded = decoded;
  instruction.type = product.sums;
  instruction.execute = executeProduct;
}

} // namespace

void sim::multiplyNow(Warp &warp, const AsyncProduct &product) {
  if (product.instruction->as<GroupProduct>().product.sums == Type::S32)
    multiply<int64_t, IntegerAdder>(warp, product);
  else
    multiply<double, Adder>(warp, product);
}

bool sim::decodeWgmma(Decoder &decoder) {
  Instruction &instruction = decoder.instruction;
  if (instruction.opcode != "wgmma")
    return false;
  using Op = ProductOrder::Op;
  const int name = decoder.needOneOf("what to do", {"fence", "commit_group", "wait_group", "mma_async"});
  for (const char *needed : {"sync", "aligned"})
    if (!decoder.take(needed))
      decoder.unsupported("the form without '." + std::string(needed) + "'");
  if (name == 3) {
    decodeProduct(decoder);
    return true;
  }
  const Op op = static_cast<Op>(name);
  decoder.expectOperands(op == Op::Wait, op == Op::Wait);
  if (op == Op::Wait && instruction.operands[0].kind != Operand::Kind::Integer)
    fail(instruction.position, "expected the number of groups that may be in flight");
  instruction.decoded = ProductOrder{op};
  instruction.execute = executeOrder;
  return true;
}
