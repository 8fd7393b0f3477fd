//===- Parser.cpp - The directives of PTX --------------------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Parser.h"

#include "../Program/Decode.h"

using namespace fsm;
using namespace fsm::sim;

Result<Program> sim::parseProgram(std::string_view text) {
  Result<std::vector<Token>> tokens = tokenize(text);
  if (!tokens)
    return tokens.error();
  try {
    Program program = Parser(std::move(*tokens)).run();
    for (auto &[name, function] : program.functions)
      decode(function, program);
    return program;
  } catch (const ParseFailure &failure) {
    return failure.error;
  }
}

bool Parser::takeIf(char c) {
  if (!peek().is(c))
    return false;
  take();
  return true;
}

bool Parser::takeIfDotted(std::string_view name) {
  if (!peek().isDotted(name))
    return false;
  take();
  return true;
}

void Parser::unexpected(const std::string &wanted) const {
  const Token &token = peek();
  std::string got = token.kind == Token::Kind::End      ? "the end of the text"
                    : token.kind == Token::Kind::Dotted ? "'." + std::string(token.text) + "'"
                                                        : "'" + std::string(token.text) + "'";
  fail(token.position, "expected " + wanted + ", got " + got);
}

Token Parser::expect(char c) {
  if (!peek().is(c))
    unexpected("'" + std::string(1, c) + "'");
  return take();
}

std::string Parser::expectName(const char *what) {
  if (peek().kind != Token::Kind::Name)
    unexpected(what);
  return std::string(take().text);
}

uint64_t Parser::expectInteger(const char *what) {
  if (peek().kind != Token::Kind::Integer)
    unexpected(what);
  return take().bits;
}

Program Parser::run() {
  while (peek().kind != Token::Kind::End)
    parseTopLevel();
  checkReferences();
  return std::move(program);
}

void Parser::skipTo(char last) {
  while (peek().kind != Token::Kind::End && !peek().is(last))
    take();
  expect(last);
}

void Parser::skipBlock() {
  expect('{');
  for (unsigned depth = 1; depth;) {
    if (peek().kind == Token::Kind::End)
      unexpected("'}'");
    Token token = take();
    depth += token.is('{');
    depth -= token.is('}');
  }
}

void Parser::parseTopLevel() {
  bool isExtern = false;
  while (peek().isDotted("visible") || peek().isDotted("extern") || peek().isDotted("weak") ||
         peek().isDotted("common"))
    isExtern |= take().text == "extern";
  if (takeIfDotted("version")) {
    parseVersion();
  } else if (takeIfDotted("address_size")) {
    if (expectInteger("an address size") != 64)
      fail(tokens[next - 1].position, "expected an address size of 64 bits");
  } else if (takeIfDotted("target")) {
    parseTarget();
  } else if (peek().isDotted("file")) {
    parseFile();
  } else if (peek().isDotted("loc")) {
    parseLocation();
  } else if (takeIfDotted("section")) {
    take();
    skipBlock();
  } else if (takeIfDotted("pragma") || takeIfDotted("alias")) {
    skipTo(';');
  } else if (takeIfDotted("entry")) {
    parseFunction(true);
  } else if (takeIfDotted("func")) {
    parseFunction(false);
  } else if (peek().isDotted("global") || peek().isDotted("const") || peek().isDotted("shared")) {
    parseVariable(isExtern);
  } else {
    unexpected("a directive such as '.entry' or '.global'");
  }
}

/// `.version 8.4`
void Parser::parseVersion() {
  Token token = take();
  size_t dot = token.text.find('.');
  auto isNumber = [](std::string_view digits) {
    return !digits.empty() && digits.size() < 4 &&
           digits.find_first_not_of("0123456789") == digits.npos;
  };
  if (dot == token.text.npos || !isNumber(token.text.substr(0, dot)) ||
      !isNumber(token.text.substr(dot + 1)))
    fail(token.position, "expected a version such as '8.4', got '" + std::string(token.text) + "'");
  program.version = std::stol(std::string(token.text.substr(0, dot))) * 10 +
                    std::stol(std::string(token.text.substr(dot + 1)));
}

void Parser::parseTarget() {
  program.target = expectName("a target such as 'sm_90'");
  while (takeIf(','))
    expectName("a target such as 'sm_90'");
}

void Parser::parseFile() {
  take();
  uint32_t number = static_cast<uint32_t>(expectInteger("a file's number"));
  if (peek().kind != Token::Kind::String)
    unexpected("a file's name in quotes");
  std::string &file = program.files[number];
  file.clear();
  std::string_view text = take().text;
  for (size_t index = 0; index < text.size(); ++index) {
    index += text[index] == '\\' && index + 1 < text.size();
    file += text[index];
  }
  while (takeIf(','))
    expectInteger("a file's time or size");
}

/// `.loc file line column[, function_name label[+offset], inlined_at file line column]`
void Parser::parseLocation() {
  take();
  sourceFile = static_cast<uint32_t>(expectInteger("a file's number"));
  sourceLine = static_cast<uint32_t>(expectInteger("a line"));
  expectInteger("a column");
  while (takeIf(',')) {
    std::string name = expectName("'function_name' or 'inlined_at'");
    if (name == "function_name") {
      expectName("a label");
      if (takeIf('+'))
        expectInteger("an offset");
    } else {
      // The place where the code was inlined is what the user wrote.
      uint32_t file = static_cast<uint32_t>(expectInteger("a file's number"));
      uint32_t line = static_cast<uint32_t>(expectInteger("a line"));
      expectInteger("a column");
      if (line) {
        sourceFile = file;
        sourceLine = line;
      }
    }
  }
}

static std::optional<Space> spaceNamed(std::string_view name) {
  static const std::map<std::string_view, Space> spaces = {{"global", Space::Global},
                                                           {"const", Space::Const},
                                                           {"shared", Space::Shared},
                                                           {"local", Space::Local},
                                                           {"param", Space::Param}};
  auto found = spaces.find(name);
  return found == spaces.end() ? std::nullopt : std::optional(found->second);
}

static constexpr uint64_t kMaxElements = uint64_t(1) << 31;

/// `[extent]...`; an extent that is not there is 0.
std::vector<uint64_t> Parser::parseExtents(Variable &variable) {
  std::vector<uint64_t> extents;
  uint64_t count = 1;
  while (takeIf('[')) {
    Position position = peek().position;
    variable.isDynamic |= peek().is(']');
    uint64_t extent = peek().is(']') ? 0 : expectInteger("an extent");
    count = extent > kMaxElements ? extent : count * extent;
    if (count > kMaxElements)
      fail(position, "expected a variable of at most 2^31 elements");
    extents.push_back(extent);
    expect(']');
  }
  return extents;
}

/// `.space [.align N] [.vN] .type name[extent]... [= initial] {, name...};`
void Parser::parseVariable(bool isExtern) {
  Space space = *spaceNamed(take().text);
  uint64_t alignment = 0, lanes = 1;
  Type type = Type::None;
  while (peek().kind == Token::Kind::Dotted) {
    Token token = take();
    if (token.text == "align")
      alignment = expectAlignment();
    else if (token.text == "v2" || token.text == "v4")
      lanes = token.text == "v2" ? 2 : 4;
    else if (token.text == "attribute")
      skipTo(')');
    else if ((type = typeNamed(std::string(token.text))) == Type::None)
      fail(token.position, "unknown type '." + std::string(token.text) + "' of a variable");
  }
  if (!bytesOf(type))
    unexpected("a type of whole bytes before the variable's name");
  do {
    Variable variable;
    variable.space = space;
    variable.isExtern = isExtern;
    variable.position = peek().position;
    variable.name = expectName("a variable's name");
    variable.bytes = lanes * bytesOf(type);
    for (uint64_t extent : parseExtents(variable))
      variable.bytes *= extent;
    variable.alignment = alignment ? alignment : bytesOf(type) * lanes;
    if (takeIf('='))
      parseInitial(variable, bytesOf(type));
    if (function)
      declareLocal(std::move(variable));
    else
      declareGlobal(std::move(variable));
  } while (takeIf(','));
  expect(';');
}

void Parser::parseInitial(Variable &variable, unsigned elementBytes) {
  if (variable.space != Space::Global && variable.space != Space::Const)
    fail(variable.position, "variable '" + variable.name +
                                "' has an initial value; only global and constant memory has any");
  uint64_t place = 0;
  unsigned depth = 0;
  do {
    if (takeIf('{')) {
      ++depth;
    } else if (depth && takeIf('}')) {
      --depth;
    } else if (!depth || !takeIf(',')) {
      if (!variable.isDynamic && place + elementBytes > variable.bytes)
        fail(peek().position, "expected " + std::to_string(variable.bytes / elementBytes) +
                                  " initial values of '" + variable.name + "', got more");
      parseInitialValue(variable, elementBytes, place);
      place += elementBytes;
    }
  } while (depth && peek().kind != Token::Kind::End);
  if (variable.isDynamic)
    variable.bytes = variable.initial.size();
}

void Parser::parseInitialValue(Variable &variable, unsigned elementBytes, uint64_t place) {
  variable.initial.resize(place + elementBytes);
  if (peek().kind == Token::Kind::Name) {
    if (elementBytes != 8)
      fail(peek().position,
           "expected elements of 8 bytes for an address, got " + std::to_string(elementBytes));
    std::string name = expectName("a value");
    if (name == "generic") {
      expect('(');
      name = expectName("a variable's name");
      expect(')');
    }
    variable.references.emplace_back(place, name);
    if (takeIf('+')) {
      uint64_t offset = expectInteger("an offset");
      for (unsigned byte = 0; byte < elementBytes; ++byte)
        variable.initial[place + byte] = static_cast<uint8_t>(offset >> (8 * byte));
    }
    return;
  }
  bool isNegative = takeIf('-');
  Operand value = parseNumber(isNegative);
  for (unsigned byte = 0; byte < elementBytes; ++byte)
    variable.initial[place + byte] = static_cast<uint8_t>(value.bits >> (8 * byte));
}
