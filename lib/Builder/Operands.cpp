//===- Operands.cpp - Operands that become alike -------------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Operands.h"

#include <algorithm>

using namespace fsm;

Operands::Operands(std::initializer_list<const Operand *> operands) : Operands(nullptr, operands) {}

Operands::Operands(KernelText *kernel, std::initializer_list<const Operand *> operands)
    : text(kernel) {
  for (const Operand *operand : operands) {
    if (!text)
      text = KernelText::of(operand->value);
    if (place.line == 0)
      place = operand->at;
  }
  if (!text)
    return;
  usable = !text->hasFailed();
  for (const Operand *operand : operands)
    if (operand->kind == Operand::Kind::Value)
      usable = usable && text->isUsable(operand->at, operand->value);
}

Value Operands::fail(const std::string &sentence) {
  if (text)
    text->fail(place, sentence);
  usable = false;
  return {};
}

std::string fsm::shapeText(const Shape &shape) {
  std::string all;
  for (int64_t extent : shape)
    all += (all.empty() ? "" : "x") + std::to_string(extent);
  return all.empty() ? "a scalar" : all;
}

std::optional<Shape> fsm::commonShape(const Shape &first, const Shape &second) {
  Shape common(std::max(first.size(), second.size()), 1);
  for (const Shape *shape : {&first, &second})
    for (size_t i = 0; i < shape->size(); ++i) {
      int64_t extent = (*shape)[shape->size() - 1 - i];
      int64_t &wanted = common[common.size() - 1 - i];
      if (extent != 1 && wanted != 1 && extent != wanted)
        return std::nullopt;
      wanted = std::max(wanted, extent);
    }
  return common;
}

Value Operands::constant(const Operand &number, const ValueType &type) {
  std::string digits = text->numberText(number.at, type.element, number);
  bool isTruth = type.element == ScalarType::I1;
  if (type.isBlock())
    return text->add(place, type, "arith.constant dense<" + digits + "> : " + textOf(type));
  return text->add(place, type, "arith.constant " + digits + (isTruth ? "" : " : " + textOf(type)));
}

Value Operands::broadcast(const Value &value, const Shape &shape) {
  ValueType type = value.type();
  if (type.shape == shape || !usable)
    return value;
  if (type.isPointer() || commonShape(type.shape, shape) != shape)
    return fail("expected a value that can be repeated to " + shapeText(shape) + ", got " +
                textOf(type));
  ValueType wanted{type.element, 0, shape};
  if (!type.isBlock())
    return text->add(place, wanted,
                     "fsm.splat " + KernelText::nameOf(value) + " : " + textOf(wanted));
  Value aligned = value;
  while (aligned.shape().size() < shape.size()) {
    ValueType longer = aligned.type();
    longer.shape.insert(longer.shape.begin(), 1);
    aligned = text->add(place, longer,
                        "fsm.expand_dims " + KernelText::nameOf(aligned) +
                            " axis 0 : " + textOf(aligned.type()) + " -> " + textOf(longer));
  }
  if (aligned.shape() == shape)
    return aligned;
  return text->add(place, wanted,
                   "fsm.broadcast " + KernelText::nameOf(aligned) + " : " + textOf(aligned.type()) +
                       " -> " + textOf(wanted));
}

Values Operands::alike(const std::vector<const Operand *> &operands) {
  const Value *first = nullptr;
  Shape shape;
  for (const Operand *operand : operands) {
    if (!usable)
      return {};
    if (operand->isNone())
      return fail("expected an operand, got none"), Values();
    if (operand->isNumber())
      continue;
    const Value &value = operand->value;
    if (!first)
      first = &value;
    if (value.type().isPointer() || value.type().element != first->type().element)
      return fail("expected operands of one element type, got " + textOf(first->type()) + " and " +
                  textOf(value.type()) + "; 'convert' one of them"),
             Values();
    std::optional<Shape> common = commonShape(shape, value.shape());
    if (!common)
      return fail("expected operands that can be repeated to one shape, got " + shapeText(shape) +
                  " and " + shapeText(value.shape())),
             Values();
    shape = *common;
  }
  if (!first)
    return fail("expected a value among the operands, got numbers only"), Values();
  Values values;
  for (const Operand *operand : operands)
    values.push_back(as(*operand, first->type().element, shape));
  return usable && !text->hasFailed() ? values : Values();
}

Value Operands::as(const Operand &operand, ScalarType type, const Shape &shape) {
  if (!usable)
    return {};
  if (operand.isNumber())
    return constant(operand, {type, 0, shape});
  const ValueType &given = operand.value.type();
  if (operand.isNone() || given.isPointer() || given.element != type)
    return fail("expected " + textOf({type, 0, shape}) + ", got " +
                (operand.isNone() ? "none" : textOf(given)));
  return broadcast(operand.value, shape);
}

Value Operands::scalar(const Operand &operand, ScalarType type, const std::string &expected,
                       const std::string &instead) {
  if (usable && operand.value.type().isBlock())
    return fail("expected " + expected + ", got " + textOf(operand.value.type()) + instead);
  return as(operand, type, {});
}
