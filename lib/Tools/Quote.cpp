//===- Quote.cpp - Foreign text made safe to print ----------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Tools/Quote.h"

using namespace fsm;

std::string fsm::quoted(std::string_view text, size_t limit) {
  return "'" + printable(text, limit) + "'";
}
