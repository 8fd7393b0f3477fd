//===- KernelBuilder.cpp - Arguments, programs and memory ----------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Builder/KernelBuilder.h"

#include "Operands.h"

using namespace fsm;

KernelBuilder::KernelBuilder(std::string name, const char *file, unsigned line)
    : kernel(std::make_shared<KernelText>(std::move(name), CallSite{file, line})) {}

Value KernelBuilder::pointer(ScalarType to, std::string name, ArgumentPromises promises,
                             const char *file, unsigned line) {
  return kernel->addArgument({file, line}, {to, 1, {}}, std::move(name), promises);
}

Value KernelBuilder::scalar(ScalarType type, std::string name, ArgumentPromises promises,
                            const char *file, unsigned line) {
  return kernel->addArgument({file, line}, {type, 0, {}}, std::move(name), promises);
}

Result<std::string> KernelBuilder::text() const { return kernel->finish(numWarps); }

//===----------------------------------------------------------------------===//
// Programs and numbers
//===----------------------------------------------------------------------===//

static const char *nameOf(GridAxis axis) {
  return axis == GridAxis::X ? "x" : axis == GridAxis::Y ? "y" : "z";
}

Value KernelBuilder::programId(GridAxis axis, const char *file, unsigned line) {
  return kernel->add({file, line}, ValueType(),
                     std::string("fsm.program_id ") + nameOf(axis) + " : i32");
}

Value KernelBuilder::programCount(GridAxis axis, const char *file, unsigned line) {
  return kernel->add({file, line}, ValueType(),
                     std::string("fsm.num_programs ") + nameOf(axis) + " : i32");
}

Value KernelBuilder::range(int64_t count, const char *file, unsigned line) {
  ValueType type{ScalarType::I32, 0, {count}};
  if (count > INT32_MAX)
    kernel->fail({file, line}, "expected a range of i32, of at most 2147483647 numbers, got " +
                                   std::to_string(count));
  return kernel->add({file, line}, type,
                     "fsm.range 0, " + std::to_string(count) + " : " + textOf(type));
}

Value KernelBuilder::full(Shape shape, ScalarType type, Operand number) {
  Operands operands(kernel.get(), {&number});
  return operands.as(number, type, shape);
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

namespace {
/// The operands of an access, as it takes them.
struct Access {
  Access(Operands &operands, const Operand &pointer, const Operand &offsets, const Operand &mask,
         const Shape &shape);

  /// `%p[%offsets]` and `, %mask`; `!fsm.ptr<f32>, tensor<16xi32>`.
  std::string place() const {
    return KernelText::nameOf(pointer) +
           (offsets.isNone() ? "" : "[" + KernelText::nameOf(offsets) + "]");
  }
  std::string condition() const { return mask.isNone() ? "" : ", " + KernelText::nameOf(mask); }
  std::string types() const {
    return textOf(pointer.type()) + (offsets.isNone() ? "" : ", " + textOf(offsets.type()));
  }
  /// Of an element.
  ValueType element() const {
    ValueType type = pointer.type();
    --type.pointerDepth;
    type.shape = shape;
    return type;
  }

  Value pointer, offsets, mask;
  Shape shape;
};
} // namespace

Access::Access(Operands &operands, const Operand &from, const Operand &at, const Operand &where,
               const Shape &others) {
  if (!operands.isUsable())
    return;
  if (from.kind != Operand::Kind::Value || !from.value.type().isPointer()) {
    operands.fail("expected a pointer" + (from.isNone() ? std::string(", got none")
                                                        : ", got " + textOf(from.value.type())));
    return;
  }
  pointer = from.value;
  // A scalar offset moves the pointer, for the op has offsets of blocks only.
  bool isBlock = at.kind == Operand::Kind::Value && at.value.type().isBlock();
  if (!at.isNone() && !isBlock)
    pointer = from + at;
  std::optional<Shape> common = others;
  for (const Operand *operand : {&at, &where})
    if (common && operand->kind == Operand::Kind::Value)
      common = commonShape(*common, operand->value.shape());
  if (!common) {
    operands.fail("expected offsets, a mask and values that can be repeated to one shape, got " +
                  shapeText(at.value.shape()) + ", " + shapeText(where.value.shape()) + " and " +
                  shapeText(others));
    return;
  }
  shape = *common;
  if (isBlock)
    offsets = operands.as(
        at, at.value.type().element == ScalarType::I64 ? ScalarType::I64 : ScalarType::I32, shape);
  else if (!shape.empty())
    offsets =
        operands.constant(Operand(0, from.at.file, from.at.line), {ScalarType::I32, 0, shape});
  if (!where.isNone())
    mask = operands.as(where, ScalarType::I1, shape);
}

Value KernelBuilder::load(Operand pointer, Operand offsets, Operand mask, Operand other) {
  Operands operands(kernel.get(), {&pointer, &offsets, &mask, &other});
  Access access(operands, pointer, offsets, mask, other.value.shape());
  if (!operands.isUsable() || kernel->hasFailed())
    return {};
  ValueType type = access.element();
  if (!other.isNone() && mask.isNone())
    return operands.fail("expected a mask with what is taken where it is false");
  std::string otherwise;
  if (!other.isNone()) {
    // One number for all stays one number.
    bool isBlock = other.kind == Operand::Kind::Value && other.value.type().isBlock();
    Value value = operands.as(other, type.element, isBlock ? type.shape : Shape());
    if (!operands.isUsable() || kernel->hasFailed())
      return {};
    otherwise = ", " + KernelText::nameOf(value);
  }
  return kernel->add(operands.at(), type,
                     "fsm.load " + access.place() + access.condition() + otherwise + " : " +
                         access.types() + " -> " + textOf(type));
}

void KernelBuilder::store(Operand pointer, Operand offsets, Operand value, Operand mask) {
  Operands operands(kernel.get(), {&pointer, &offsets, &value, &mask});
  Access access(operands, pointer, offsets, mask, value.value.shape());
  if (!operands.isUsable() || kernel->hasFailed())
    return;
  Value stored = operands.as(value, access.element().element, access.shape);
  if (operands.isUsable())
    kernel->addLine(operands.at(), "fsm.store " + KernelText::nameOf(stored) + ", " +
                                       access.place() + access.condition() + " : " +
                                       textOf(stored.type()) + ", " + access.types());
}

Value KernelBuilder::atomic(Combination how, Operand pointer, Operand offsets, Operand value,
                            Operand mask) {
  static const char *const names[] = {"add",  "",    "max", "min", "umax",
                                      "umin", "and", "or",  "xor", "exch"};
  Operands operands(kernel.get(), {&pointer, &offsets, &value, &mask});
  Access access(operands, pointer, offsets, mask, value.value.shape());
  if (!operands.isUsable() || kernel->hasFailed())
    return {};
  if (how == Combination::Product)
    return operands.fail("there are no atomic products");
  Value given = operands.as(value, access.element().element, access.shape);
  if (!operands.isUsable())
    return {};
  return kernel->add(operands.at(), given.type(),
                     std::string("fsm.atomic_rmw <") + names[static_cast<size_t>(how)] + "> " +
                         KernelText::nameOf(given) + ", " + access.place() + access.condition() +
                         " : " + textOf(given.type()) + ", " + access.types());
}

/// `[%1, 16]`
static std::string listOf(Operands &operands, std::vector<Operand> &list) {
  std::string text;
  for (Operand &operand : list) {
    text += text.empty() ? "[" : ", ";
    if (operand.isNumber())
      text += std::to_string(operand.integer);
    else
      text += KernelText::nameOf(operands.as(operand, ScalarType::I32, {}));
  }
  return text + "]";
}

Places KernelBuilder::places(Shape tile, std::vector<Operand> origin, std::vector<Operand> strides,
                             std::vector<Operand> bounds) {
  Operand none;
  Operands operands(kernel.get(), {origin.empty() ? &none : &origin.front()});
  size_t rank = tile.size();
  if (rank == 0 || origin.size() != rank || strides.size() != rank || bounds.size() != rank)
    operands.fail("expected an origin, a stride and a bound for each dimension of " +
                  shapeText(tile));
  for (const std::vector<Operand> *list : {&origin, &strides, &bounds})
    for (const Operand &operand : *list)
      if (operands.isUsable() && !operand.isNumber() && operand.value.type() != ValueType())
        operands.fail("expected scalars of i32, got " + textOf(operand.value.type()));
  if (!operands.isUsable())
    return {};
  std::string lists = "fsm.places origin " + listOf(operands, origin) + " strides " +
                      listOf(operands, strides) + " bounds " + listOf(operands, bounds);
  Values results =
      kernel->add(operands.at(), {{ScalarType::I32, 0, tile}, {ScalarType::I1, 0, tile}},
                  lists + " : " + textOf({ScalarType::I32, 0, tile}));
  return {results[0], results[1]};
}

void KernelBuilder::barrier(const char *file, unsigned line) {
  kernel->addLine({file, line}, "fsm.barrier");
}

//===----------------------------------------------------------------------===//
// What programs say of themselves
//===----------------------------------------------------------------------===//

void KernelBuilder::print(const std::string &label, Values values, const char *file,
                          unsigned line) {
  for (const Value &value : values)
    if (!kernel->isUsable({file, line}, value))
      return;
  kernel->addLine(
      {file, line},
      "fsm.print " + quoted(label) +
          (values.empty() ? "" : " " + KernelText::namesOf(values) + " : " + typesOf(values)));
}

void KernelBuilder::check(Operand condition, const std::string &message) {
  Operands operands(kernel.get(), {&condition});
  Value truth = operands.as(condition, ScalarType::I1, condition.value.shape());
  if (operands.isUsable())
    kernel->addLine(operands.at(), "fsm.assert " + KernelText::nameOf(truth) + ", " +
                                       quoted(message) + " : " + textOf(truth.type()));
}
