//===- DebugTable.cpp - The list of a kernel's prints and asserts --------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/IR/DebugTable.h"

#include "fsm/IR/ElementTypes.h"
#include "fsm/IR/Origins.h"

#include "mlir/IR/Location.h"

using namespace mlir;
using namespace fsm;

static DebugValue describe(Type type) {
  DebugValue value;
  value.isPointer = isa<PointerType>(type);
  value.type = findScalarType(elementTypeOf(type)).value_or(ScalarType::I64);
  value.shape.assign(shapeOf(type).begin(), shapeOf(type).end());
  return value;
}

DebugOp fsm::describeDebugOp(Operation *op) {
  DebugOp result;
  result.place = textOfPlace(op->getLoc());
  if (auto print = dyn_cast<PrintOp>(op)) {
    result.text = print.getLabel().str();
    result.isHex = print.getHex();
  } else {
    result.isAssert = true;
    result.text = cast<AssertOp>(op).getMessage().str();
  }
  for (Type type : op->getOperandTypes())
    result.values.push_back(describe(type));
  return result;
}

Attribute fsm::debugAttributeOf(Operation *op) {
  Builder builder(op->getContext());
  DebugOp described = describeDebugOp(op);
  SmallVector<Attribute> types;
  for (Type type : op->getOperandTypes()) {
    auto block = dyn_cast<RankedTensorType>(type);
    types.push_back(TypeAttr::get(block ? block.cloneWithEncoding({}) : type));
  }
  SmallVector<NamedAttribute> entries = {
      builder.getNamedAttr(described.isAssert ? "assert" : "print",
                           builder.getStringAttr(described.text)),
      builder.getNamedAttr("place", builder.getStringAttr(described.place)),
      builder.getNamedAttr("types", builder.getArrayAttr(types))};
  if (described.isHex)
    entries.push_back(builder.getNamedAttr("hex", builder.getUnitAttr()));
  return builder.getDictionaryAttr(entries);
}

std::optional<DebugOp> fsm::readDebugAttribute(Attribute attribute) {
  auto entries = dyn_cast_or_null<DictionaryAttr>(attribute);
  if (!entries)
    return std::nullopt;
  auto label = entries.getAs<StringAttr>("print"), message = entries.getAs<StringAttr>("assert");
  auto place = entries.getAs<StringAttr>("place");
  auto types = entries.getAs<ArrayAttr>("types");
  if (!label == !message || !place || !types)
    return std::nullopt;
  DebugOp result;
  result.isAssert = message != nullptr;
  result.text = (message ? message : label).str();
  result.place = place.str();
  result.isHex = entries.contains("hex");
  for (Attribute type : types) {
    auto typeAttribute = dyn_cast<TypeAttr>(type);
    if (!typeAttribute)
      return std::nullopt;
    result.values.push_back(describe(typeAttribute.getValue()));
  }
  return result;
}

bool fsm::isDebugList(Attribute attribute) {
  auto list = dyn_cast<ArrayAttr>(attribute);
  return list &&
         llvm::all_of(list, [](Attribute entry) { return readDebugAttribute(entry).has_value(); });
}

std::vector<DebugOp> fsm::debugOpsOf(Operation *owner) {
  std::vector<DebugOp> ops;
  if (auto list = owner->getAttrOfType<ArrayAttr>(kDebugOpsAttr))
    for (Attribute entry : list)
      if (std::optional<DebugOp> op = readDebugAttribute(entry))
        ops.push_back(std::move(*op));
  return ops;
}
