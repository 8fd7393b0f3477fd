//===- TextMutation.h - Changes of bytes, tokens and lines ----*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_TEST_UNIT_FUZZ_TEXTMUTATION_H
#define FSM_TEST_UNIT_FUZZ_TEXTMUTATION_H

#include "Dice.h"

#include <string>
#include <vector>

namespace fsm::fuzz {

/// `text` with one to four changes of bytes, tokens or lines; pieces may come
/// from any of the `seeds`.
std::string mutateText(const std::string &text, const std::vector<std::string> &seeds, Dice &dice);

/// Changes one attribute, or one type everywhere, in a module printed in its
/// generic form, so that what comes out still parses most of the time.
std::string mutateGeneric(const std::string &text, Dice &dice);

} // namespace fsm::fuzz

#endif // FSM_TEST_UNIT_FUZZ_TEXTMUTATION_H
