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

static uint64_t bytesOf(const ArgumentValue &value, uint64_t elements) {
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

/// The later one keeps those of its elements that lie behind the other's.
static Result<void> join(ArgumentValue &value, ArgumentValue &other) {
  size_t begin = value.overlap->begin, size = value.data.size();
  size_t shared = other.data.size() > begin ? std::min(other.data.size() - begin, size) : 0;
  size_t lead = shiftOf(other), bytes = std::max(other.data.size(), begin + size);
  Result<AlignedBuffer> memory = AlignedBuffer::create(lead + bytes);
  if (!memory)
    return memory.error();
  AlignedBuffer first = memory->part(lead, other.data.size());
  AlignedBuffer second = memory->part(lead + begin, size);
  if (first.size())
    std::memcpy(first.data(), other.data.data(), first.size());
  if (size > shared)
    std::memcpy(second.data() + shared, value.data.data() + shared, size - shared);
  other.data = std::move(first);
  value.data = std::move(second);
  return {};
}

Result<void> fsm::joinOverlaps(std::vector<ArgumentValue> &values) {
  for (ArgumentValue &value : values)
    if (value.overlap)
      if (Result<void> joined = join(value, values[value.overlap->argument]); !joined)
        return joined;
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
    isTaken |= known.overlap &&
               (known.overlap->argument == *position || known.overlap->argument == *other);
  if (isTaken)
    return badInput("--overlap: expected arrays that overlap no other yet, got " +
                    place(*position) + " and " + place(*other));
  value.overlap = ArgumentValue::Overlap{*other, bytesOf(value, spec.elements)};
  return {};
}

Result<void> fsm::placeArguments(const RunOptions &options, const KernelSignature &signature,
                                 std::vector<ArgumentValue> &values) {
  for (const PlaceSpec &spec : options.shifts) {
    Result<size_t> position = arrayNamed(spec.argument, "--shift", signature);
    if (!position)
      return position.error();
    ArgumentValue &value = values[*position];
    if (Result<void> moved = shift(value, bytesOf(value, spec.elements)); !moved)
      return moved;
  }
  for (const PlaceSpec &spec : options.overlaps)
    if (Result<void> noted = note(spec, signature, values); !noted)
      return noted;
  return joinOverlaps(values);
}
