//===- ArgumentPlaces.cpp - Arguments that begin anywhere ---------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Tools/Arguments/ArgumentPlaces.h"
#include "fsm/Tools/Run/SignatureText.h"

#include <algorithm>
#include <cstring>

using namespace fsm;

/// The position of an array that an option names.
static Result<size_t> arrayNamed(const std::string &reference, const char *option,
                                 const KernelSignature &signature) {
  Result<size_t> position = findArgument(signature, reference);
  if (!position)
    return badInput(std::string(option) + ": " + position.error().message);
  const KernelArgument &argument = signature.arguments[*position];
  if (!argument.isPointer())
    return badInput(std::string(option) + ": expected an array, got " +
                    argumentPlace(argument, *position));
  return position;
}

static uint64_t bytesOfElements(const ArgumentValue &value, uint64_t elements) {
  return elements * scalarTypeInfo(value.argument.type).bytes;
}

static size_t shiftOf(const ArgumentValue &value) {
  return reinterpret_cast<uintptr_t>(value.data.data()) % AlignedBuffer::kAlignment;
}

static Result<void> shift(ArgumentValue &value, uint64_t bytes) {
  Result<AlignedBuffer> memory = AlignedBuffer::create(value.data.size() + bytes);
  if (!memory)
    return memory.error();
  AlignedBuffer moved = memory->part(bytes, value.data.size());
  if (moved.size())
    std::memcpy(moved.data(), value.data.data(), moved.size());
  value.data = std::move(moved);
  return {};
}

/// Lets an array and those that begin in it or behind it lie in one memory. Where several have an
/// element, it is that of the array, or of the first of them.
static Result<void> join(ArgumentValue &base, const std::vector<ArgumentValue *> &inner) {
  size_t lead = shiftOf(base), bytes = base.data.size();
  for (const ArgumentValue *value : inner)
    bytes = std::max(bytes, value->overlap->begin + value->data.size());
  Result<AlignedBuffer> memory = AlignedBuffer::create(lead + bytes);
  if (!memory)
    return memory.error();
  auto place = [&](ArgumentValue &value, size_t begin) {
    AlignedBuffer placed = memory->part(lead + begin, value.data.size());
    if (placed.size())
      std::memcpy(placed.data(), value.data.data(), placed.size());
    value.data = std::move(placed);
  };
  for (auto value = inner.rbegin(); value != inner.rend(); ++value)
    place(**value, (*value)->overlap->begin);
  place(base, 0);
  return {};
}

Result<void> fsm::joinOverlaps(std::vector<ArgumentValue> &values) {
  for (size_t base = 0; base < values.size(); ++base) {
    std::vector<ArgumentValue *> inner;
    for (ArgumentValue &value : values)
      if (value.overlap && value.overlap->argument == base)
        inner.push_back(&value);
    if (inner.empty())
      continue;
    if (Result<void> joined = join(values[base], inner); !joined)
      return joined;
  }
  return {};
}

/// Notes which argument lies in another's memory.
static Result<void> note(const PlaceSpec &spec, const KernelSignature &signature,
                         std::vector<ArgumentValue> &values) {
  Result<size_t> position = arrayNamed(spec.argument, "--overlap", signature);
  if (!position)
    return position.error();
  Result<size_t> other = arrayNamed(spec.other, "--overlap", signature);
  if (!other)
    return other.error();
  ArgumentValue &value = values[*position];
  auto place = [&](size_t i) { return argumentPlace(signature.arguments[i], i); };
  if (value.argument.type != values[*other].argument.type)
    return badInput("--overlap: expected arrays of one type, got " + place(*position) + " and " +
                    place(*other));
  bool isTaken = *position == *other || value.overlap || values[*other].overlap;
  for (const ArgumentValue &known : values)
    isTaken |= known.overlap && known.overlap->argument == *position;
  if (isTaken)
    return badInput("--overlap: expected arrays that overlap no other yet, got " +
                    place(*position) + " and " + place(*other));
  value.overlap = ArgumentValue::Overlap{*other, bytesOfElements(value, spec.elements)};
  return {};
}

Result<void> fsm::placeArguments(const RunOptions &options, const KernelSignature &signature,
                                 std::vector<ArgumentValue> &values) {
  for (const PlaceSpec &spec : options.shifts) {
    Result<size_t> position = arrayNamed(spec.argument, "--shift", signature);
    if (!position)
      return position.error();
    ArgumentValue &value = values[*position];
    if (Result<void> moved = shift(value, bytesOfElements(value, spec.elements)); !moved)
      return moved;
  }
  for (const PlaceSpec &spec : options.overlaps)
    if (Result<void> noted = note(spec, signature, values); !noted)
      return noted;
  return joinOverlaps(values);
}
