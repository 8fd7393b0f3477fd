//===- Quote.h - Foreign text made safe to print ----------------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_TOOLS_QUOTE_H
#define FSM_TOOLS_QUOTE_H

#include "fsm/Artifact/Printable.h"

namespace fsm {

/// What `printable` shows of a text, between single quotes.
std::string quoted(std::string_view text, size_t limit = 256);

} // namespace fsm

#endif // FSM_TOOLS_QUOTE_H
