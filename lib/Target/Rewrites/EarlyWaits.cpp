//===- EarlyWaits.cpp - Waits for products come first ---------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EarlyWaits.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"

using namespace fsm;
using llvm::StringRef;

static constexpr llvm::StringLiteral kWait = "wgmma.wait_group.sync.aligned";

/// Whether a line computes registers of registers, or nothing.
static bool isArithmetic(StringRef line) {
  StringRef text = line.trim();
  // The labels of line tables are no places to go to.
  if (text.empty() || text.starts_with(".loc") || text.starts_with("//") ||
      text.starts_with("$L__tmp"))
    return true;
  static constexpr llvm::StringLiteral names[] = {
      "abs", "add", "and", "bfe", "bfi", "brev", "clz",  "cvt",  "div", "fma",  "lop3", "mad", "max",
      "min", "mov", "mul", "neg", "not", "or",   "popc", "prmt", "rem", "selp", "setp", "shf", "shl",
      "shr", "sub", "xor"};
  return llvm::is_contained(names, text.take_until([](char c) { return c == '.'; }));
}

std::string fsm::withEarlyWaits(std::string ptx) {
  if (StringRef(ptx).find(kWait) == StringRef::npos)
    return ptx;
  llvm::SmallVector<StringRef, 0> lines, moved;
  StringRef(ptx).split(lines, '\n');
  for (StringRef line : lines) {
    size_t to = moved.size();
    if (line.trim().starts_with(kWait))
      while (to > 0 && isArithmetic(moved[to - 1]))
        --to;
    // Between a label and the wait; elsewhere order changes nothing.
    bool isFirst = to > 0 && to < moved.size() && moved[to - 1].starts_with("$L__BB");
    moved.insert(isFirst ? moved.begin() + static_cast<ptrdiff_t>(to) : moved.end(), line);
  }
  return llvm::join(moved, "\n");
}
