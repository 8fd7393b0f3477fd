//===- Constant.cpp - Constants and poison -------------------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../ProgramRunner.h"

#include "mlir/Dialect/UB/IR/UBOps.h"

using namespace mlir;
using namespace fsm;
using namespace fsm::interpreter;

static uint64_t bitsOfElement(const llvm::APInt &value) { return value.getZExtValue(); }
static uint64_t bitsOfElement(const llvm::APFloat &value) {
  return value.bitcastToAPInt().getZExtValue();
}

/// The elements of a constant block, or nothing when they are no numbers of
/// kind T.
template <typename T>
static std::optional<std::vector<uint64_t>> readBlock(ElementsAttr attribute) {
  auto elements = attribute.tryGetValues<T>();
  if (!elements)
    return std::nullopt;
  std::vector<uint64_t> bits;
  bits.reserve(attribute.getNumElements());
  for (const T &element : *elements)
    bits.push_back(bitsOfElement(element));
  return bits;
}

static std::optional<std::vector<uint64_t>> readConstant(Attribute attribute, Type element) {
  if (auto integer = dyn_cast<IntegerAttr>(attribute))
    return std::vector<uint64_t>{bitsOfElement(integer.getValue())};
  if (auto number = dyn_cast<FloatAttr>(attribute))
    return std::vector<uint64_t>{bitsOfElement(number.getValue())};
  auto block = dyn_cast<ElementsAttr>(attribute);
  if (!block)
    return std::nullopt;
  return isa<FloatType>(element) ? readBlock<llvm::APFloat>(block) : readBlock<llvm::APInt>(block);
}

static LogicalResult constant(ProgramRunner &runner, Operation *op) {
  auto constantOp = cast<arith::ConstantOp>(op);
  Type type = constantOp.getType();
  ElementsRef &known = runner.constant(op);
  if (!known) {
    std::optional<std::vector<uint64_t>> bits =
        readConstant(constantOp.getValue(), elementTypeOf(type));
    if (!bits || bits->size() != countOf(type))
      return runner.fail(op, "reaches a constant whose elements cannot be read");
    known = std::make_shared<Elements>(Elements{type, std::move(*bits), -1});
  }
  runner.set(constantOp.getResult(), known);
  return success();
}

/// Any value is allowed; zero is easy to recognise.
static LogicalResult poison(ProgramRunner &runner, Operation *op) {
  runner.set(op->getResult(0), std::vector<uint64_t>(countOf(op->getResult(0).getType())));
  return success();
}

void interpreter::addConstantHandlers(HandlerTable &table) {
  table["arith.constant"] = constant;
  table["ub.poison"] = poison;
}
