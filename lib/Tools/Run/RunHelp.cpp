//===- RunHelp.cpp - What fsm-run --help prints -------------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OptionTable.h"

#include <algorithm>

using namespace fsm;

/// Where the sentences begin, and where lines end.
static constexpr size_t kHelpColumn = 26, kHelpWidth = 100;

/// The next line of a sentence: up to a line break, or as many words as there is room for.
static std::string_view takeLine(std::string_view &text) {
  size_t room = kHelpWidth - kHelpColumn, end = std::min(text.find('\n'), text.size());
  if (end > room) {
    size_t space = text.rfind(' ', room);
    end = space == std::string_view::npos ? end : space;
  }
  std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return line;
}

static std::string linesOf(const Option &option) {
  std::string text = "  " + option.name + option.operand;
  size_t column = text.size();
  for (std::string_view rest = option.help; !rest.empty();) {
    if (column >= kHelpColumn) {
      text += '\n';
      column = 0;
    }
    text.append(kHelpColumn - column, ' ').append(takeLine(rest));
    column = kHelpWidth;
  }
  return text + "\n";
}

std::string fsm::runHelpText() {
  std::string text = R"(usage: fsm-run FILE.mlir --grid=X[,Y[,Z]] --arg=SPEC ... [option ...]

Compiles one kernel of FILE.mlir ("-" is standard input), launches it, checks and times it.

)";
  for (const Option &option : optionTable())
    if (!option.help.empty())
      text += linesOf(option);
  return text + R"(  --help, --version

Exit status: 0 all went well, 1 a comparison or the kernel failed, 2 bad input, 3 no such device.
)";
}
