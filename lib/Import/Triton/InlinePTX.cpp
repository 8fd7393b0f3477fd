//===- InlinePTX.cpp - Instructions of PTX in a kernel ------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Instructions that only compute are ops of the language, and so a kernel that has
// them runs on every device.

#include "InstructionWriter.h"

#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace fsm;

namespace {
/// Registers as the constraints of an operand have them: `=r` is written and has 32 bits.
struct Constraint {
  bool isOutput;
  unsigned bits;
};

/// Which elements of an operand are in which registers.
struct Packing {
  unsigned elementBits;
  /// Elements of a register: narrow ones share it.
  int64_t each;
};
} // namespace

static std::optional<SmallVector<Constraint>> constraintsOf(StringRef text) {
  SmallVector<Constraint> constraints;
  SmallVector<StringRef> pieces;
  text.split(pieces, ',');
  for (StringRef piece : pieces) {
    piece = piece.trim();
    bool isOutput = piece.consume_front("=");
    unsigned bits = llvm::StringSwitch<unsigned>(piece)
                        .Cases({"r", "f"}, 32)
                        .Cases({"l", "d"}, 64)
                        .Case("h", 16)
                        .Default(0);
    if (!bits || (isOutput && !constraints.empty() && !constraints.back().isOutput))
      return std::nullopt;
    constraints.push_back({isOutput, bits});
  }
  return constraints;
}

static Packing packingOf(Type type, int64_t pack) {
  Type element = getElementTypeOrSelf(type);
  unsigned bits = element.getIntOrFloatBitWidth();
  return {bits, std::min<int64_t>(pack, std::max(32 / bits, 1u))};
}

/// The registers that an operand's elements are in, of the bits that their constraint says.
static void readElements(Importer &b, InstructionWriter &writer, Value source, int64_t pack,
                         ArrayRef<Constraint> constraints, unsigned &next) {
  Packing packing = packingOf(source.getType(), pack);
  SmallVector<Value> elements = b.unpacked(source, pack);
  for (int64_t first = 0; first < pack; first += packing.each, ++next) {
    Type wide = b.getIntegerType(constraints[next].bits),
         narrow = b.getIntegerType(packing.elementBits);
    auto block = dyn_cast<RankedTensorType>(elements.front().getType());
    if (block)
      wide = block.clone(wide), narrow = block.clone(narrow);
    Value whole;
    for (int64_t index = 0; index < packing.each; ++index) {
      Value bits = elements[first + index];
      if (!getElementTypeOrSelf(bits.getType()).isInteger())
        bits = arith::BitcastOp::create(b, narrow, bits);
      if (wide != narrow)
        bits = arith::ExtUIOp::create(b, wide, bits);
      if (index != 0)
        bits = arith::ShLIOp::create(b, bits, b.integer(index * packing.elementBits, wide));
      whole = whole ? arith::OrIOp::create(b, whole, bits).getResult() : bits;
    }
    writer.set("$" + std::to_string(next), whole);
  }
}

/// The elements of a result out of its registers; null if nothing has written one of them.
static Value writeElements(Importer &b, InstructionWriter &writer, Type type, int64_t pack,
                           ArrayRef<Constraint> constraints, unsigned &next) {
  Packing packing = packingOf(type, pack);
  SmallVector<Value> elements;
  for (int64_t first = 0; first < pack; first += packing.each, ++next) {
    Value whole = writer.get("$" + std::to_string(next), constraints[next].bits);
    if (!whole)
      return {};
    for (int64_t index = 0; index < packing.each; ++index) {
      Value bits = whole;
      if (index != 0)
        bits = arith::ShRUIOp::create(b, bits,
                                      b.integer(index * packing.elementBits, bits.getType()));
      auto typed = [&](Type element) {
        auto block = dyn_cast<RankedTensorType>(bits.getType());
        return block ? Type(block.clone(element)) : element;
      };
      if (constraints[next].bits != packing.elementBits)
        bits = arith::TruncIOp::create(b, typed(b.getIntegerType(packing.elementBits)), bits);
      if (Type element = getElementTypeOrSelf(type); !element.isInteger())
        bits = arith::BitcastOp::create(b, typed(element), bits);
      elements.push_back(bits);
    }
  }
  return b.packed(elements);
}

/// Whether the constraints are those of values of these types: as many registers, which are wide
/// enough. Drops them.
static bool takeConstraints(ArrayRef<Constraint> &constraints, TypeRange types, int64_t pack,
                            bool isOutput) {
  for (Type type : types) {
    Packing packing = packingOf(type, pack);
    for (int64_t first = 0; first < pack; first += packing.each) {
      if (constraints.empty() || constraints.front().isOutput != isOutput ||
          constraints.front().bits < packing.each * packing.elementBits)
        return false;
      constraints = constraints.drop_front();
    }
  }
  return true;
}

/// Whether registers can hold the elements.
static bool isPlain(Type type) {
  Type element = getElementTypeOrSelf(type);
  return element.isIntOrFloat() && element.getIntOrFloatBitWidth() >= 8;
}

static LogicalResult importInlineAsm(Importer &importer, triton::ElementwiseInlineAsmOp op) {
  int64_t pack = op.getPackedElement();
  for (Type type : llvm::concat<Type>(SmallVector<Type>(op->getOperandTypes()),
                                      SmallVector<Type>(op->getResultTypes())))
    if (!isPlain(type))
      return refuse(op) << "expected numbers of 8 bits or more for instructions of PTX, got " << type;
  Type like = op->getResult(0).getType();
  auto block = dyn_cast<RankedTensorType>(like);
  int64_t last = block ? block.getShape().back() : 1;
  if (pack < 1 || !llvm::isPowerOf2_64(pack) || last % pack != 0)
    return refuse(op) << "expected a power of two that divides " << last
                      << " elements to be taken at once, got " << pack;
  std::optional<SmallVector<Constraint>> constraints = constraintsOf(op.getConstraints());
  ArrayRef<Constraint> left = constraints ? ArrayRef(*constraints) : ArrayRef<Constraint>();
  if (!constraints || !takeConstraints(left, op->getResultTypes(), pack, true) ||
      !takeConstraints(left, op->getOperandTypes(), pack, false) || !left.empty())
    return refuse(op) << "expected a constraint like '=r' for each register of a result, then one "
                         "like 'r' for each of an operand, got '"
                      << op.getConstraints() << "'";
  if (block) {
    SmallVector<int64_t> shape(block.getShape());
    shape.back() /= pack;
    like = block.clone(shape);
  }
  InstructionWriter writer(importer, op, like);
  unsigned next = llvm::count_if(*constraints, [](Constraint one) { return one.isOutput; });
  for (Value source : op.getArgs())
    readElements(importer, writer, importer.get(source), pack, *constraints, next);
  if (failed(writer.write(op.getAsmString())))
    return failure();
  next = 0;
  for (Value result : op->getResults()) {
    Value made = writeElements(importer, writer, result.getType(), pack, *constraints, next);
    if (!made && writer.ordersLaunches && result.use_empty())
      continue;
    if (!made)
      return refuse(op) << "expected instructions that write each result";
    importer.set(result, made);
  }
  return success();
}

void fsm::addInlinePTXRewrites(RewriteTable &table) { table.on(importInlineAsm); }
