//===- Lexer.h - The tokens of PTX ------------------------------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_LIB_SIMULATOR_TEXT_LEXER_H
#define FSM_LIB_SIMULATOR_TEXT_LEXER_H

#include "Ptx.h"
#include "fsm/Support/Result.h"

#include <string_view>

namespace fsm::sim {

struct Token {
  enum class Kind : uint8_t {
    Name,    ///< `%r1`, `ld`, `$L__BB0_1`
    Dotted,  ///< `.global`; the text is without the dot
    Integer, ///< `bits`
    Real,    ///< `bits` of a double
    Real32,  ///< 0f...: `bits` of a float
    String,
    Symbol, ///< one character
    End
  };
  Kind kind = Kind::End;
  std::string_view text;
  uint64_t bits = 0;
  Position position;

  bool is(char c) const { return kind == Kind::Symbol && text[0] == c; }
  bool isDotted(std::string_view name) const { return kind == Kind::Dotted && text == name; }
};

/// An error at a place of the text.
Error errorAt(Position position, const std::string &sentence);

/// The tokens of a text, the last one of kind End.
Result<std::vector<Token>> tokenize(std::string_view text);

} // namespace fsm::sim

#endif // FSM_LIB_SIMULATOR_TEXT_LEXER_H
