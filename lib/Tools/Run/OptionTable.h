//===- OptionTable.h - The options of fsm-run -------------------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_LIB_TOOLS_RUN_OPTIONTABLE_H
#define FSM_LIB_TOOLS_RUN_OPTIONTABLE_H

#include "fsm/Support/Result.h"
#include "fsm/Tools/Run/RunOptions.h"

#include <string>
#include <string_view>
#include <vector>

namespace fsm {

/// An option of the command line, and its lines of --help.
struct Option {
  std::string name;
  /// What follows the name: nothing, "=VALUE" or " VALUE", or "[=VALUE]", which may be left out.
  std::string operand;
  bool mayRepeat;
  Result<void> (*handle)(std::string_view value, RunOptions &options);
  /// One sentence; a line break in it stays one. Empty: --help has said it elsewhere.
  std::string help;

  bool takesValue() const { return !operand.empty(); }
  bool needsValue() const { return takesValue() && operand[0] != '['; }
};

/// All options, in the order of --help. One with several forms has a row for each.
const std::vector<Option> &optionTable();

/// The sentence about a value of `option`.
Error valueError(std::string_view option, const std::string &expected, std::string_view got);

} // namespace fsm

#endif // FSM_LIB_TOOLS_RUN_OPTIONTABLE_H
