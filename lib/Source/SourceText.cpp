//===- SourceText.cpp - Text before it is parsed -------------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Source/SourceText.h"

#include "Parameters.h"
#include "TokenChecks.h"

using namespace fsm;

/// The text with each line ending in `\n` alone. MLIR's language server would not find the place
/// of an error behind a `\r`: LLVM counts lines by `\n`, but ends their columns at either.
static Result<std::string> withPlainLineEnds(std::string_view text, const std::string &fileName) {
  std::string lines(text);
  for (size_t at = 0; (at = lines.find('\r', at)) != lines.npos;) {
    if (lines.compare(at, 2, "\r\n") != 0)
      return errorAt(text, at, fileName,
                     "expected a line to end with '\\n' or '\\r\\n', got '\\r' alone");
    lines[at] = ' ';
  }
  return lines;
}

/// What no text holds: the first bytes of bytecode, which MLIR's parser would read as such
/// where a text begins or is split, and NUL characters.
static Result<void> checkBytes(std::string_view text, const std::string &fileName) {
  if (size_t magic = text.find("ML\xefR"); magic != text.npos)
    return errorAt(text, magic, fileName, "MLIR bytecode is not accepted; give the text form");
  if (size_t nul = text.find('\0'); nul != text.npos)
    return errorAt(text, nul, fileName, "unexpected NUL character");
  return {};
}

static Result<void> checkTokens(std::string_view text, const std::string &fileName,
                                Layouts layouts) {
  Lexer lexer(text);
  TokenChecks checks(layouts);
  Token token;
  do {
    token = lexer.next();
    if (std::optional<Fault> fault = checks.see(token))
      return errorAt(text, fault->offset, fileName, fault->sentence);
  } while (!token.is(Token::Kind::End));
  return {};
}

Result<std::string> fsm::prepareSource(std::string_view text, const std::string &fileName,
                                       const std::map<std::string, std::string> &parameters,
                                       Layouts layouts) {
  if (text.size() > kMaxSourceBytes)
    return badInput(fileName + ":1:1: error: expected at most " + std::to_string(kMaxSourceBytes) +
                    " bytes of source, got " + std::to_string(text.size()));
  if (Result<void> bytes = checkBytes(text, fileName); !bytes)
    return bytes.error();
  Result<std::string> lines = withPlainLineEnds(text, fileName);
  if (!lines)
    return lines.error();
  Result<std::string> source = substituteParameters(*lines, fileName, parameters);
  if (!source)
    return source.error();
  // Values may make up such bytes, too. All other bounds hold for the text that the parser sees.
  if (Result<void> bytes = checkBytes(*source, fileName); !bytes)
    return bytes.error();
  if (Result<void> tokens = checkTokens(*source, fileName, layouts); !tokens)
    return tokens.error();
  return source;
}
