//===- Access.cpp - What an access may touch -----------------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Access.h"

using namespace mlir;
using namespace fsm;
using namespace fsm::interpreter;

/// `loads element (3, 7) ` or `stores `: how the sentence about a fault begins.
static std::string verbAndElement(const Access &access, size_t index) {
  std::string text = access.verb == Access::Verb::Load    ? "loads "
                     : access.verb == Access::Verb::Store ? "stores "
                                                          : "updates ";
  ArrayRef<int64_t> shape = shapeOf(access.type);
  if (shape.empty())
    return text;
  std::vector<size_t> coordinates(shape.size());
  for (size_t dim = shape.size(); dim-- > 0; index /= shape[dim])
    coordinates[dim] = index % shape[dim];
  text += "element (";
  for (size_t dim = 0; dim < shape.size(); ++dim)
    text += (dim ? ", " : "") + std::to_string(coordinates[dim]);
  return text + ") ";
}

/// `from bytes 16 to 19 of argument 0 '%in'`.
static std::string bytesAndArgument(const Access &access, int64_t first, const Buffer &buffer) {
  int64_t last = static_cast<int64_t>(static_cast<uint64_t>(first) + access.elementBytes - 1);
  const char *preposition = access.verb == Access::Verb::Load    ? "from"
                            : access.verb == Access::Verb::Store ? "to"
                                                                 : "at";
  return preposition + std::string(" bytes ") + std::to_string(first) + " to " +
         std::to_string(last) + " of " + buffer.name;
}

static LogicalResult failOutside(ProgramRunner &runner, const Access &access, size_t index,
                                 int64_t first, const Buffer &buffer) {
  std::string where = verbAndElement(access, index) + bytesAndArgument(access, first, buffer);
  std::string size = " (" + std::to_string(buffer.bytes) + " bytes)";
  uint64_t distance = static_cast<uint64_t>(first);
  if (first < 0)
    return runner.fail(access.op, where + ", " + Twine(0 - distance) + " bytes before its start");
  return runner.fail(access.op, where + ", " +
                                    Twine(distance + access.elementBytes - buffer.bytes) +
                                    " bytes past its end" + size);
}

int interpreter::originOf(const ProgramRunner &runner, uint64_t address) {
  ArrayRef<Buffer> buffers = runner.argumentBuffers();
  for (auto [index, buffer] : llvm::enumerate(buffers))
    if (buffer.address != 0 && address - buffer.address < buffer.bytes)
      return static_cast<int>(index);
  return -1;
}

int interpreter::originOf(const ProgramRunner &runner, const Access &access, size_t index) {
  bool isAddress = access.offsets && access.pointer.bits.front() == 0;
  return isAddress ? originOf(runner, access.addressOf(index)) : access.pointer.origin;
}

LogicalResult interpreter::checkElement(ProgramRunner &runner, const Access &access, size_t index) {
  uint64_t address = access.addressOf(index);
  int origin = originOf(runner, access, index);
  if (origin < 0) {
    StringRef what = access.pointer.bits.front() ? "through a pointer into no argument's buffer"
                                                 : "through a null pointer";
    return runner.fail(access.op, verbAndElement(access, index) + what);
  }
  const Buffer &buffer = runner.argumentBuffers()[origin];
  if (buffer.address == 0)
    return runner.fail(access.op, verbAndElement(access, index) +
                                      "through a null pointer, given for " + buffer.name);
  uint64_t distance = address - buffer.address;
  int64_t first = static_cast<int64_t>(distance);
  bool isInside = distance <= buffer.bytes && buffer.bytes - distance >= access.elementBytes;
  if (!isInside)
    return failOutside(runner, access, index, first, buffer);
  if (address % access.elementBytes != 0)
    return runner.fail(access.op,
                       verbAndElement(access, index) + bytesAndArgument(access, first, buffer) +
                           ", an address that is not a multiple of " + Twine(access.elementBytes));
  if (access.verb != Access::Verb::Load && buffer.readOnly)
    return runner.fail(access.op, verbAndElement(access, index) +
                                      (access.verb == Access::Verb::Store ? "to " : "of ") +
                                      buffer.name + ", which promises '" + kReadOnlyAttr + "'");
  return success();
}

/// `from which program (1, 0, 0) loads`: what the other access of a race does there.
static std::string otherAccess(const ProgramRunner &runner, const ProgramRaces::Race &race,
                               bool isStore) {
  std::array<int32_t, 3> id = runner.programOf(race.program);
  std::string program = "program (" + std::to_string(id[0]) + ", " + std::to_string(id[1]) + ", " +
                        std::to_string(id[2]) + ")";
  if (isa<LoadOp, LoadTileOp>(race.op))
    return "from which " + program + " loads";
  if (isa<StoreOp, StoreTileOp>(race.op))
    return "to which " + program + " stores" + (isStore ? " another value" : "");
  return "which " + program + " updates";
}

LogicalResult interpreter::checkRace(ProgramRunner &runner, const Access &access,
                                     const ProgramRaces::Touch &touch, size_t index,
                                     const uint64_t *stored) {
  uint64_t address = access.addressOf(index);
  std::optional<ProgramRaces::Race> race =
      runner.races()->access(touch, address, static_cast<uint32_t>(access.elementBytes), stored);
  if (!race)
    return success();
  const Buffer &buffer = runner.argumentBuffers()[originOf(runner, access, index)];
  uint64_t first = address - buffer.address;
  std::string place = placeOf(race->op->getLoc());
  return runner.fail(access.op,
                     verbAndElement(access, index) +
                         bytesAndArgument(access, static_cast<int64_t>(first), buffer) +
                         " (element " + Twine(first / access.elementBytes) + "), " +
                         otherAccess(runner, *race, access.verb == Access::Verb::Store) +
                         ", and nothing orders the two" +
                         (place.empty() ? "" : "\n" + place + "note: the other access is here"));
}
