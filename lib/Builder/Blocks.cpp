//===- Blocks.cpp - Whole blocks: reductions, products, shapes -----------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Builder/Functions.h"

#include "Operands.h"

#include <algorithm>
#include <functional>
#include <numeric>

using namespace fsm;

static const char *nameOf(Combination how) {
  switch (how) {
  case Combination::Sum:
    return "sum";
  case Combination::Product:
    return "prod";
  case Combination::Max:
    return "max";
  case Combination::Min:
    return "min";
  case Combination::UMax:
    return "umax";
  case Combination::UMin:
    return "umin";
  case Combination::And:
    return "and";
  case Combination::Or:
    return "or";
  case Combination::Xor:
    return "xor";
  case Combination::Exchange:
    return "exch";
  }
  return "";
}

static int64_t countOf(const Shape &shape) {
  return std::accumulate(shape.begin(), shape.end(), int64_t(1), std::multiplies<>());
}

/// The dimension of a block, if it has that.
static bool hasAxis(Operands &operands, const Value &block, unsigned axis) {
  if (axis < block.shape().size())
    return true;
  operands.fail("expected a block with dimension " + std::to_string(axis) + ", got " +
                textOf(block.type()));
  return false;
}

/// `op %1 ... : type -> type`.
static Value reshaped(Operands &operands, const std::string &op, const Value &block,
                      const std::string &how, const Shape &shape) {
  ValueType type{block.type().element, 0, shape};
  return operands.kernel().add(operands.at(), type,
                               op + " " + KernelText::nameOf(block) + how + " : " +
                                   textOf(block.type()) + " -> " + textOf(type));
}

//===----------------------------------------------------------------------===//
// Combinations
//===----------------------------------------------------------------------===//

Value fsm::reduce(Combination how, const Operand &operand, std::optional<unsigned> axis,
                  Reduced reduced) {
  Operands operands({&operand});
  if (!operands.isUsable())
    return {};
  Value block = operand.value;
  if (!block.type().isBlock() || how == Combination::Exchange)
    return operands.fail("expected a block to combine the elements of, got " +
                         textOf(block.type()));
  Shape kept = block.shape();
  if (!axis) {
    kept.assign(kept.size(), 1);
    if (block.shape().size() > 1)
      block = reshaped(operands, "fsm.reshape", block, "", {countOf(block.shape())});
  } else if (hasAxis(operands, block, *axis)) {
    kept[*axis] = 1;
  }
  if (!operands.isUsable())
    return {};
  ValueType type = block.type();
  type.shape.erase(type.shape.begin() + axis.value_or(0));
  Value result = operands.kernel().add(
      operands.at(), type,
      std::string("fsm.reduce <") + nameOf(how) + "> " + KernelText::nameOf(block) + " axis " +
          std::to_string(axis.value_or(0)) + " : " + textOf(block.type()) + " -> " + textOf(type));
  if (reduced == Reduced::Dropped || result.isNone())
    return result;
  return axis && type.isBlock()
             ? reshaped(operands, "fsm.expand_dims", result, " axis " + std::to_string(*axis), kept)
             : operands.broadcast(result, kept);
}

Value fsm::sum(const Operand &block, std::optional<unsigned> axis, Reduced reduced) {
  return reduce(Combination::Sum, block, axis, reduced);
}

Value fsm::max(const Operand &block, std::optional<unsigned> axis, Reduced reduced) {
  return reduce(Combination::Max, block, axis, reduced);
}

Value fsm::min(const Operand &block, std::optional<unsigned> axis, Reduced reduced) {
  return reduce(Combination::Min, block, axis, reduced);
}

Value fsm::scan(Combination how, const Operand &operand, unsigned axis, bool isReverse) {
  Operands operands({&operand});
  if (!operands.isUsable() || !hasAxis(operands, operand.value, axis))
    return {};
  const ValueType &type = operand.value.type();
  return operands.kernel().add(
      operands.at(), type,
      std::string("fsm.scan <") + nameOf(how) + "> " + KernelText::nameOf(operand.value) +
          " axis " + std::to_string(axis) + (isReverse ? " reverse" : "") + " : " + textOf(type));
}

Values fsm::reduceWith(const Values &blocks, unsigned axis,
                       const std::function<Values(Values, Values)> &combine, const char *file,
                       unsigned line) {
  CallSite at{file, line};
  KernelText *kernel = blocks.empty() ? nullptr : KernelText::of(blocks.front());
  if (!kernel)
    return {};
  if (!combine)
    kernel->fail(at, "expected a body that combines elements, got none");
  std::vector<ValueType> results, scalars;
  for (const Value &block : blocks) {
    if (!kernel->isUsable(at, block))
      return Values(blocks.size());
    if (axis >= block.shape().size() || block.shape() != blocks.front().shape())
      kernel->fail(at, "expected blocks of one shape with dimension " + std::to_string(axis) +
                           ", got " + typesOf(blocks));
    results.push_back(block.type());
    scalars.push_back({block.type().element, 0, {}});
    if (axis < block.shape().size())
      results.back().shape.erase(results.back().shape.begin() + axis);
  }
  if (kernel->hasFailed())
    return Values(blocks.size());
  std::string types;
  for (const ValueType &type : results)
    types += (types.empty() ? "" : ", ") + textOf(type);
  Values found = kernel->open(results, "fsm.reduce_with " + KernelText::namesOf(blocks) + " axis " +
                                           std::to_string(axis) + " : " + typesOf(blocks) + " -> " +
                                           types + " {\n");
  Values first, second;
  for (Values *tuple : {&first, &second})
    for (const ValueType &type : scalars)
      tuple->push_back(kernel->regionArgument(type));
  kernel->addLabel({&first, &second});
  Values given = combine(first, second);
  kernel->yield(at, "fsm.yield", given, scalars);
  kernel->close(at, "}");
  return kernel->hasFailed() ? Values(blocks.size()) : found;
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

Value fsm::dot(const Operand &left, const Operand &right, const Operand &acc) {
  Operands operands({&left, &right, &acc});
  if (!operands.isUsable())
    return {};
  const ValueType &a = left.value.type(), &b = right.value.type();
  size_t rank = a.shape.size();
  if (rank < 2 || b.shape.size() != rank || a.shape[rank - 1] != b.shape[rank - 2])
    return operands.fail("expected an MxK and a KxN block, got " + textOf(a) + " and " + textOf(b));
  Shape shape = a.shape;
  shape[rank - 1] = b.shape[rank - 1];
  ScalarType sums = a.element == ScalarType::I8    ? ScalarType::I32
                    : a.element == ScalarType::F64 ? ScalarType::F64
                                                   : ScalarType::F32;
  Value start = operands.as(acc, sums, shape);
  if (!operands.isUsable())
    return {};
  const char *precision = a.element == ScalarType::F32 ? " precision = ieee" : "";
  return operands.kernel().add(operands.at(), start.type(),
                               "fsm.dot " + KernelText::namesOf({left.value, right.value, start}) +
                                   precision + " : " + textOf(a) + ", " + textOf(b) + " -> " +
                                   textOf(start.type()));
}

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

Value fsm::expandDims(const Operand &operand, unsigned axis) {
  Operands operands({&operand});
  if (!operands.isUsable())
    return {};
  Shape shape = operand.value.shape();
  if (shape.empty() || axis > shape.size())
    return operands.fail("expected a block of which the result has dimension " +
                         std::to_string(axis) + ", got " + textOf(operand.value.type()));
  shape.insert(shape.begin() + axis, 1);
  return reshaped(operands, "fsm.expand_dims", operand.value, " axis " + std::to_string(axis),
                  shape);
}

Value fsm::broadcast(const Operand &operand, const Shape &shape) {
  Operands operands({&operand});
  return operands.isUsable() ? operands.broadcast(operand.value, shape) : Value();
}

Value fsm::reshape(const Operand &operand, const Shape &shape) {
  Operands operands({&operand});
  if (!operands.isUsable())
    return {};
  const Value &block = operand.value;
  if (!block.type().isBlock() || shape.empty() || countOf(shape) != countOf(block.shape()))
    return operands.fail("expected a block of " + std::to_string(countOf(shape)) +
                         " elements, got " + textOf(block.type()));
  return shape == block.shape() ? block : reshaped(operands, "fsm.reshape", block, "", shape);
}

Value fsm::transpose(const Operand &operand, const std::vector<unsigned> &order) {
  Operands operands({&operand});
  if (!operands.isUsable())
    return {};
  const Shape &given = operand.value.shape();
  std::vector<unsigned> taken = order;
  if (order.empty())
    for (size_t dim = given.size(); dim > 0; --dim)
      taken.push_back(static_cast<unsigned>(dim - 1));
  std::vector<unsigned> sorted = taken;
  std::sort(sorted.begin(), sorted.end());
  std::string list;
  Shape shape;
  for (size_t dim = 0; dim < sorted.size(); ++dim) {
    if (sorted[dim] != dim || sorted.size() != given.size())
      break;
    list += (list.empty() ? "" : ", ") + std::to_string(taken[dim]);
    shape.push_back(given[taken[dim]]);
  }
  if (given.empty() || shape.size() != given.size())
    return operands.fail("expected each dimension of " + textOf(operand.value.type()) +
                         " once in the order");
  return reshaped(operands, "fsm.transpose", operand.value, " order [" + list + "]", shape);
}
