//===- ArgumentSpec.h - What --arg asks for ---------------------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The grammar of a SPEC:
//
//   spec    := [NAME '='] (scalar | type '[' extents ']' [':' fill] | [type ':'] ['fortran:'] '@'
//   file) scalar  := a number (Number.h) extents := nothing | N ('x' N)* fill    := 'randn:' SEED |
//   'uniform:' SEED | 'arange' | 'full:' number
//
//===----------------------------------------------------------------------===//

#ifndef FSM_TOOLS_ARGUMENTS_ARGUMENTSPEC_H
#define FSM_TOOLS_ARGUMENTS_ARGUMENTSPEC_H

#include "fsm/Support/Result.h"
#include "fsm/Tools/Arguments/Fill.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fsm {

/// One --arg, read but not yet compared with any kernel.
struct ArgumentSpec {
  enum class Kind { Scalar, Filled, File };

  /// As it was written, for errors.
  std::string text;
  /// The argument's name without '%', or empty: given by position.
  std::string name;
  Kind kind = Kind::Scalar;
  /// Scalar: its value.
  Number value;
  /// Filled: the element type. File: the type its bits stand for, if said.
  std::optional<ScalarType> type;
  /// Filled: the shape and content.
  std::vector<uint64_t> shape;
  Fill fill;
  /// File: whether the argument's elements lie column by column, as those of a file in Fortran
  /// order do.
  bool fortranOrder = false;
  /// File: its path.
  std::string path;
};

Result<ArgumentSpec> parseArgumentSpec(std::string_view text);

} // namespace fsm

#endif // FSM_TOOLS_ARGUMENTS_ARGUMENTSPEC_H
