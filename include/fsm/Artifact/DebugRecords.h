//===- DebugRecords.h - What programs say of themselves --------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_ARTIFACT_DEBUGRECORDS_H
#define FSM_ARTIFACT_DEBUGRECORDS_H

#include "fsm/Artifact/ScalarType.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace fsm {

/// One operand of an `fsm.print`, or the condition of an `fsm.assert`.
struct DebugValue {
  /// The element type; pointers count as i64.
  ScalarType type = ScalarType::I32;
  bool isPointer = false;
  /// The block's extents; empty for a scalar.
  std::vector<int64_t> shape;
};

/// One `fsm.print` or `fsm.assert` of a kernel. Its number is its place in the
/// kernel's list of them.
struct DebugOp {
  bool isAssert = false;
  /// `file:line:column`, or empty when the op came from no file.
  std::string place;
  /// The label, or the message.
  std::string text;
  /// Integers are printed as hexadecimal numbers.
  bool isHex = false;
  std::vector<DebugValue> values;
};

/// The buffer that a kernel with such ops gets as a hidden argument begins with
/// this; `capacity` records follow.
struct DebugHeader {
  /// Records that programs wanted to write: those beyond the capacity are lost.
  uint64_t head = 0;
  uint64_t capacity = 0;
  /// The first program of which an assertion failed, counted along x, then y, then z;
  /// -1 for none. What follows is of that program.
  int64_t failedProgram = -1;
  /// The row-major number of the first failing element.
  uint32_t failedElement = UINT32_MAX;
  /// The number of the op.
  uint32_t failedOp = 0;
  /// Its x, y and z.
  std::array<int32_t, 3> failedId = {0, 0, 0};
  std::array<uint32_t, 5> unused = {};
};

/// One element of one value of one execution of an `fsm.print`.
struct DebugRecord {
  /// The op's number, and which of its operands this is.
  uint32_t op = 0;
  uint32_t value = 0;
  std::array<int32_t, 3> program = {0, 0, 0};
  /// Row-major.
  uint32_t element = 0;
  /// The element's bits, zero-extended.
  uint64_t bits = 0;
};

static_assert(sizeof(DebugHeader) == 64 && sizeof(DebugRecord) == 32,
              "the code generators write these layouts");

/// Gets a line without its end.
using PrintLine = std::function<void(const std::string &line)>;

/// `[3, 5]`: where in a block a row-major number is; nothing for a scalar.
std::string coordinatesText(const std::vector<int64_t> &shape, uint64_t element);

/// An element as it is printed: integers signed (an i1 as 0 or 1), or with as many
/// hexadecimal digits as the type has, as pointers always are; floats by the
/// shortest decimal that only this element is nearest to among those of f32, or of f64 for an f64.
std::string elementText(const DebugValue &value, uint64_t bits, bool isHex);

/// `file:12:3: program (0, 0, 0): label [3, 5] = 0.25`; the values of an op with
/// several are numbered: `label #1 [3, 5] = 7`.
std::string printedLine(const DebugOp &op, const DebugRecord &record);

/// `file:12:3: program (0, 0, 0): assertion failed at [3, 5]: message`.
std::string failureText(const DebugOp &op, const std::array<int32_t, 3> &program, uint64_t element);

} // namespace fsm

#endif // FSM_ARTIFACT_DEBUGRECORDS_H
