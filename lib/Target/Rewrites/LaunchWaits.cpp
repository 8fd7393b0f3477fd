//===- LaunchWaits.cpp - Nothing is read before launches end --------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LaunchWaits.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

#include <algorithm>

using namespace fsm;
using llvm::StringRef;

static constexpr char kWait[] = "griddepcontrol.wait;";

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

/// Where the first access is of the lines of `text` behind its last label; npos if there is none.
static size_t firstAccess(StringRef text) {
  size_t place = StringRef::npos, begin = 0;
  while (begin < text.size()) {
    StringRef line = text.substr(begin).take_until([](char c) { return c == '\n'; });
    if (line.starts_with("$L__BB"))
      place = StringRef::npos;
    else if (place == StringRef::npos && accesses(line))
      place = begin;
    begin += line.size() + 1;
  }
  return place;
}

std::string fsm::withWaitsForLaunches(std::string ptx) {
  size_t searched = 0;
  for (size_t wait = ptx.find(kWait); wait != std::string::npos; wait = ptx.find(kWait, searched)) {
    // Its line, with the end of that. Past a branch a wait is only executed more often.
    size_t line = ptx.rfind('\n', wait) + 1, end = ptx.find('\n', wait) + 1;
    size_t begin = std::max(searched, ptx.rfind("\n{\n", wait));
    size_t access = firstAccess(StringRef(ptx).slice(begin, line));
    if (access != StringRef::npos) {
      std::string moved = ptx.substr(line, end - line);
      ptx.erase(line, end - line);
      ptx.insert(begin + access, moved);
    }
    searched = end;
  }
  return ptx;
}
