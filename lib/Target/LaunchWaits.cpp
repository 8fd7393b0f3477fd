//===- LaunchWaits.cpp - Nothing is read before launches end --------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LaunchWaits.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"

#include <optional>

using namespace fsm;
using llvm::StringRef;

static constexpr llvm::StringLiteral kWait = "griddepcontrol.wait;";

/// Whether a line may access memory that other launches access.
static bool accesses(StringRef line) {
  StringRef text = line.trim();
  if (text.consume_front("@"))
    text = text.drop_until([](char c) { return c == ' ' || c == '\t'; }).ltrim();
  StringRef name = text.take_until([](char c) { return c == ' ' || c == '\t'; });
  StringRef family = name.take_until([](char c) { return c == '.'; });
  if (family == "cp" || family == "atom" || family == "red")
    return true;
  constexpr llvm::StringLiteral own[] = {".param", ".shared", ".local", ".const"};
  return (family == "ld" || family == "st" || family == "ldu") &&
         llvm::none_of(own, [&](StringRef space) { return name.contains(space); });
}

std::string fsm::withWaitsForLaunches(std::string ptx) {
  if (StringRef(ptx).find(kWait) == StringRef::npos)
    return ptx;
  llvm::SmallVector<StringRef, 0> lines, moved;
  StringRef(ptx).split(lines, '\n');
  // The first access behind a label. Past a branch a wait is only executed more often.
  std::optional<size_t> first;
  for (StringRef line : lines) {
    if (line.trim() == kWait && first) {
      moved.insert(moved.begin() + static_cast<ptrdiff_t>(*first), line);
      continue;
    }
    if (line.starts_with("$L__BB") || line.starts_with("}"))
      first.reset();
    else if (!first && accesses(line))
      first = moved.size();
    moved.push_back(line);
  }
  return llvm::join(moved, "\n");
}
