//===- ArgumentValue.cpp - Arguments ready to launch --------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Tools/Arguments/ArgumentValue.h"
#include "fsm/Tools/Arguments/ArgumentPlaces.h"
#include "fsm/Tools/Arguments/Float.h"
#include "fsm/Tools/Quote.h"
#include "fsm/Tools/Run/SignatureText.h"

using namespace fsm;

Argument ArgumentValue::forLaunch() {
  if (argument.isPointer())
    return Argument::buffer(data.data(), data.size());
  if (scalarTypeInfo(argument.type).isFloat)
    return Argument::real(widenFloat(bits, argument.type));
  if (argument.type == ScalarType::I1)
    return Argument::integer(static_cast<int64_t>(bits & 1));
  // Sign-extended, as an integer that fits both ways is read.
  unsigned unused = 64 - static_cast<unsigned>(scalarTypeInfo(argument.type).bytes) * 8;
  return Argument::integer(static_cast<int64_t>(bits << unused) >> unused);
}

Result<ArgumentValue> ArgumentValue::clone() const {
  ArgumentValue copy;
  copy.argument = argument;
  copy.bits = bits;
  copy.shape = shape;
  copy.fortranOrder = fortranOrder;
  copy.fileType = fileType;
  copy.fileFortranOrder = fileFortranOrder;
  copy.overlap = overlap;
  copy.isBlank = isBlank;
  if (argument.isPointer()) {
    Result<AlignedBuffer> elements = data.clone();
    if (!elements)
      return elements.error();
    copy.data = std::move(*elements);
  }
  return copy;
}

Result<void> ArgumentValue::write(const std::string &path) const {
  if (fortranOrder == fileFortranOrder)
    return writeNpy(path, fileType, shape, fortranOrder, data.data());
  Result<AlignedBuffer> elements =
      inOtherOrder(data, shape, npyTypeInfo(fileType).bytes, fortranOrder);
  if (!elements)
    return badInput(printable(path) + ": " + elements.error().message);
  return writeNpy(path, fileType, shape, fileFortranOrder, elements->data());
}

Result<void> ArgumentValue::moveToGuard(Guard guard) {
  if (!argument.isPointer())
    return {};
  Result<AlignedBuffer> moved = data.guarded(guard, argument.alignment);
  if (!moved)
    return moved.error();
  data = std::move(*moved);
  return {};
}

Result<std::vector<ArgumentValue>> fsm::cloneAll(const std::vector<ArgumentValue> &values) {
  std::vector<ArgumentValue> copies;
  for (const ArgumentValue &value : values) {
    Result<ArgumentValue> copy = value.clone();
    if (!copy)
      return copy.error();
    copies.push_back(std::move(*copy));
  }
  if (Result<void> joined = joinOverlaps(copies); !joined)
    return joined.error();
  return copies;
}

/// The NumPy type that holds elements of `type`, as their bits if need be.
static NpyType npyTypeFor(ScalarType type) {
  switch (type) {
  case ScalarType::I1:
    return NpyType::Bool;
  case ScalarType::I8:
    return NpyType::I1;
  case ScalarType::I16:
    return NpyType::I2;
  case ScalarType::I32:
    return NpyType::I4;
  case ScalarType::I64:
    return NpyType::I8;
  case ScalarType::F16:
    return NpyType::F2;
  case ScalarType::BF16:
    return NpyType::U2;
  case ScalarType::F32:
    return NpyType::F4;
  case ScalarType::F64:
    return NpyType::F8;
  case ScalarType::F8E4M3FN:
  case ScalarType::F8E5M2:
    return NpyType::U1;
  }
  return NpyType::U1;
}

/// NumPy has no type of its own for these; files hold their bits.
static bool isStoredAsBits(ScalarType type) {
  return scalarTypeInfo(type).isFloat && npyTypeInfo(npyTypeFor(type)).kind == 'u';
}

/// Checks that a file's elements are the argument's: the same type, or an
/// integer of the same width whatever its sign.
static Result<void> checkFileType(const ArgumentSpec &spec, NpyType found,
                                  const KernelArgument &argument) {
  const NpyTypeInfo &file = npyTypeInfo(found);
  const NpyTypeInfo &wanted = npyTypeInfo(npyTypeFor(argument.type));
  std::string name(scalarTypeInfo(argument.type).name);
  bool isSame = file.type == wanted.type ||
                (wanted.kind == 'i' && file.kind == 'u' && file.bytes == wanted.bytes);
  if (!isSame) {
    std::string expected(wanted.name);
    if (wanted.kind == 'i')
      expected += " or u" + expected;
    if (isStoredAsBits(argument.type))
      expected += " (the bits of " + name + ")";
    return badInput("expected a file of " + expected + ", got " + printable(spec.path) + " of " +
                    std::string(file.name));
  }
  if (isStoredAsBits(argument.type) && !spec.type)
    return badInput("expected " + name + (spec.fortranOrder ? ":fortran:@" : ":@") +
                    printable(spec.path) + " to read integers as the bits of " + name + ", got " +
                    quoted(spec.text));
  return {};
}

static Result<void> checkSpecType(const ArgumentSpec &spec, const KernelArgument &argument) {
  if (!spec.type || *spec.type == argument.type)
    return {};
  return badInput("expected elements of " + std::string(scalarTypeInfo(argument.type).name) +
                  ", got " + quoted(spec.text));
}

static Result<void> readElements(const ArgumentSpec &spec, ArgumentValue &value) {
  Result<NpyArray> array = readNpy(spec.path);
  if (!array)
    return array.error();
  if (Result<void> checked = checkFileType(spec, array->type, value.argument); !checked)
    return checked;
  value.fileType = array->type;
  value.shape = std::move(array->shape);
  value.fortranOrder = spec.fortranOrder;
  value.fileFortranOrder = array->fortranOrder;
  value.data = std::move(array->data);
  if (value.fortranOrder == value.fileFortranOrder)
    return {};
  Result<AlignedBuffer> elements = inOtherOrder(
      value.data, value.shape, npyTypeInfo(value.fileType).bytes, value.fileFortranOrder);
  if (!elements)
    return elements.error();
  value.data = std::move(*elements);
  return {};
}

static Result<void> makeElements(const ArgumentSpec &spec, ArgumentValue &value) {
  uint64_t bytes = 0;
  if (!arrayBytes(spec.shape, scalarTypeInfo(value.argument.type).bytes, bytes))
    return badInput("expected an array of at most 2^46 bytes, got " + quoted(spec.text));
  Result<AlignedBuffer> data = AlignedBuffer::create(bytes);
  if (!data)
    return data.error();
  value.data = std::move(*data);
  value.shape = spec.shape;
  value.isBlank = spec.fill.pattern == Fill::Pattern::Zeros;
  return fillElements(spec.fill, value.argument.type, value.data);
}

static Result<void> makePointer(const ArgumentSpec &spec, ArgumentValue &value) {
  std::string type(scalarTypeInfo(value.argument.type).name);
  if (value.argument.pointerDepth > 1)
    return badInput("fsm-run can pass arrays of numbers only, not arrays of pointers");
  if (spec.kind == ArgumentSpec::Kind::Scalar)
    return badInput("expected an array such as " + type + "[1024] or @file.npy, got the scalar " +
                    quoted(spec.text));
  if (Result<void> checked = checkSpecType(spec, value.argument); !checked)
    return checked;
  value.fileType = npyTypeFor(value.argument.type);
  return spec.kind == ArgumentSpec::Kind::File ? readElements(spec, value)
                                               : makeElements(spec, value);
}

static Result<void> makeScalar(const ArgumentSpec &spec, ArgumentValue &value) {
  if (spec.kind != ArgumentSpec::Kind::Scalar)
    return badInput("expected a scalar such as 781, got the array " + quoted(spec.text));
  Result<uint64_t> bits = numberBits(spec.value, value.argument.type);
  if (!bits)
    return bits.error();
  value.bits = *bits;
  return {};
}

Result<ArgumentValue> fsm::materialize(const ArgumentSpec &spec, const KernelArgument &argument,
                                       size_t position) {
  ArgumentValue value;
  value.argument = argument;
  Result<void> made = argument.isPointer() ? makePointer(spec, value) : makeScalar(spec, value);
  if (made)
    return value;
  Error error = made.error();
  error.message = argumentPlace(argument, position) + ": " + error.message;
  return error;
}

static Result<void> bindOne(const ArgumentSpec &spec, size_t position,
                            const KernelSignature &signature,
                            std::vector<const ArgumentSpec *> &bound) {
  if (!spec.name.empty()) {
    Result<size_t> found = findArgument(signature, "%" + spec.name);
    if (!found)
      return found.error();
    position = *found;
  } else if (position >= bound.size()) {
    return badInput("expected " + std::to_string(bound.size()) + " arguments, got " +
                    quoted(spec.text) + " beyond them; the kernel is " + signatureText(signature));
  }
  if (bound[position])
    return badInput(argumentPlace(signature.arguments[position], position) +
                    ": expected one value, got " + quoted(bound[position]->text) + " and " +
                    quoted(spec.text));
  bound[position] = &spec;
  return {};
}

Result<std::vector<const ArgumentSpec *>> fsm::bindArguments(const std::vector<ArgumentSpec> &specs,
                                                             const KernelSignature &signature) {
  std::vector<const ArgumentSpec *> bound(signature.arguments.size(), nullptr);
  size_t position = 0;
  for (const ArgumentSpec &spec : specs)
    if (Result<void> one = bindOne(spec, spec.name.empty() ? position++ : 0, signature, bound);
        !one)
      return one.error();
  for (size_t i = 0; i < bound.size(); ++i)
    if (!bound[i])
      return badInput(argumentPlace(signature.arguments[i], i) + ": no value was given, expected " +
                      std::to_string(bound.size()) + " arguments, got " +
                      std::to_string(specs.size()) + "; the kernel is " + signatureText(signature));
  return bound;
}
