//===- SourceText.cpp - Text before it is parsed -------------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Frontend/SourceText.h"

#include <algorithm>
#include <cctype>
#include <optional>

using namespace fsm;

namespace {

/// Walks a source once, keeping line and column, and tells code from comments
/// and strings.
class Scanner {
public:
  Scanner(std::string_view text, const std::string &fileName) : text(text), fileName(fileName) {}

  bool atEnd() const { return position >= text.size(); }
  char peek(size_t ahead = 0) const {
    return position + ahead < text.size() ? text[position + ahead] : '\0';
  }
  bool startsWith(std::string_view prefix) const {
    return text.substr(position, prefix.size()) == prefix;
  }
  void advance(size_t count = 1) {
    for (; count && !atEnd(); --count, ++position) {
      column = peek() == '\n' ? 1 : column + 1;
      line += peek() == '\n';
    }
  }
  /// What stands between here and the end of the line.
  std::string_view restOfLine() const {
    return text.substr(position, text.substr(position).find('\n'));
  }
  size_t offset() const { return position; }
  Error error(const std::string &sentence) const {
    return badInput(fileName + ":" + std::to_string(line) + ":" + std::to_string(column) +
                    ": error: " + sentence);
  }

private:
  std::string_view text;
  const std::string &fileName;
  size_t position = 0;
  unsigned line = 1, column = 1;
};

bool isNameCharacter(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

std::string_view trim(std::string_view text) {
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front())))
    text.remove_prefix(1);
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back())))
    text.remove_suffix(1);
  return text;
}

/// Takes a string literal's characters from the scanner; an unterminated one
/// ends with its line and is left for the parser to report.
void skipString(Scanner &scanner) {
  scanner.advance();
  while (!scanner.atEnd() && scanner.peek() != '"' && scanner.peek() != '\n')
    scanner.advance(scanner.peek() == '\\' ? 2 : 1);
  scanner.advance();
}

using Values = std::map<std::string, std::optional<std::string>>;

/// Reads `param NAME = VALUE` from a comment's text, if that is what it says.
Result<void> readDeclaration(const Scanner &scanner, std::string_view comment, Values &values) {
  comment = trim(comment);
  if (comment.substr(0, 6) != "param " && comment != "param")
    return {};
  std::string_view rest = trim(comment.substr(5));
  size_t length = 0;
  while (length < rest.size() && isNameCharacter(rest[length]))
    ++length;
  std::string name(rest.substr(0, length));
  rest = trim(rest.substr(length));
  if (name.empty() || (!rest.empty() && rest.front() != '='))
    return scanner.error("expected '// param NAME = VALUE' or '// param NAME'");
  std::optional<std::string> value;
  if (!rest.empty())
    value = std::string(trim(rest.substr(1)));
  if (value && value->empty())
    return scanner.error("expected a value after '=' for parameter '" + name + "'");
  if (!values.emplace(name, value).second)
    return scanner.error("parameter '" + name + "' is declared twice");
  return {};
}

/// Finds all declarations: they may stand anywhere in the file.
Result<Values> readDeclarations(std::string_view text, const std::string &fileName) {
  Values values;
  Scanner scanner(text, fileName);
  while (!scanner.atEnd()) {
    if (scanner.peek() == '"') {
      skipString(scanner);
    } else if (scanner.startsWith("//")) {
      std::string_view comment = scanner.restOfLine();
      if (Result<void> read = readDeclaration(scanner, comment.substr(2), values); !read)
        return read.error();
      scanner.advance(comment.size());
    } else {
      scanner.advance();
    }
  }
  return values;
}

/// Sets the declared parameters to the given values.
Result<void> override(Values &values, const std::string &fileName,
                      const std::map<std::string, std::string> &parameters) {
  for (const auto &[name, value] : parameters) {
    auto found = values.find(name);
    if (found == values.end()) {
      std::string known;
      for (const auto &[other, ignored] : values)
        known += (known.empty() ? "" : ", ") + other;
      return badInput(fileName + ": error: unknown parameter '" + name +
                      (known.empty() ? "'; the file declares none" : "'; declared are " + known));
    }
    if (value.empty() || value.size() > 256 || value.find_first_of("\n\r\"${}") != value.npos)
      return badInput(fileName + ": error: the value of parameter '" + name +
                      "' must be 1 to 256 characters without quotes, braces or line ends");
    found->second = value;
  }
  return {};
}

/// Counts open brackets; `<` and `>` count as brackets unless they belong to
/// `->`, `>=` or `<=`. An alias is as deep as what it stands for.
class Nesting {
public:
  /// `name` (with its sigil) is used, or defined when `isDefinition`. False when
  /// what it stands for is too deep here.
  bool seeAlias(const std::string &name, bool isDefinition) {
    if (isDefinition) {
      defined = name;
      aliases[name] = 0;
      return true;
    }
    auto found = aliases.find(name);
    unsigned depth = brackets + angles + (found == aliases.end() ? 0 : found->second);
    if (!defined.empty())
      aliases[defined] = std::max(aliases[defined], depth);
    return depth <= kMaxNesting;
  }

  /// A definition ends with its line, unless a bracket is open.
  void endLine() {
    if (brackets + angles == 0)
      defined.clear();
  }

  /// False when one more level is too deep.
  bool see(char previous, char c, char next) {
    switch (c) {
    case '(':
    case '[':
    case '{':
      return ++brackets + angles <= kMaxNesting;
    case ')':
    case ']':
    case '}':
      brackets -= brackets > 0;
      return true;
    case '<':
      angles += next != '=';
      return brackets + angles <= kMaxNesting;
    case '>':
      angles -= angles > 0 && previous != '-' && next != '=';
      return true;
    default:
      return true;
    }
  }

private:
  unsigned brackets = 0, angles = 0;
  /// The alias whose definition is being read, and the depths of all.
  std::string defined;
  std::map<std::string, unsigned> aliases;
};

/// Replaces the placeholder the scanner stands on.
Result<void> substitute(Scanner &scanner, const Values &values, std::string &output) {
  std::string_view rest = scanner.restOfLine();
  size_t end = rest.find('}');
  if (end == rest.npos)
    return scanner.error("expected '}' to close '${' on the same line");
  std::string name(rest.substr(2, end - 2));
  if (name.empty() || !std::all_of(name.begin(), name.end(), isNameCharacter))
    return scanner.error("expected the name of a parameter between '${' and '}', got '" + name +
                         "'");
  auto found = values.find(name);
  if (found == values.end())
    return scanner.error("unknown parameter '" + name + "'; declare it with '// param " + name +
                         " = VALUE'");
  if (!found->second)
    return scanner.error("parameter '" + name + "' has no default; give it with -D " + name +
                         "=VALUE");
  output += *found->second;
  size_t placeholder = end + 1;
  if (found->second->size() < placeholder)
    output.append(placeholder - found->second->size(), ' ');
  scanner.advance(placeholder);
  return {};
}

/// `!name` or `#name` where the scanner stands, or nothing.
std::string aliasName(const Scanner &scanner) {
  if ((scanner.peek() != '!' && scanner.peek() != '#') || !isNameCharacter(scanner.peek(1)))
    return {};
  size_t length = 1;
  while (isNameCharacter(scanner.peek(length)))
    ++length;
  return std::string(scanner.restOfLine().substr(0, length));
}

/// The text behind `keyword` and an opening bracket that `code` starts with, or nothing.
std::string_view insideBrackets(std::string_view code, std::string_view keyword) {
  if (code.substr(0, keyword.size()) != keyword)
    return {};
  size_t open = code.find_first_not_of(" \t\r\n", keyword.size());
  return open == code.npos || code[open] != '<' ? std::string_view() : code.substr(open + 1);
}

/// Looks at the types in the text. MLIR's own verifiers dereference null on unranked
/// tensors and on encodings beside types that have none, so these never reach it.
class Types {
public:
  explicit Types(Layouts layouts) : layouts(layouts) {}

  /// What is wrong with the type `code` starts with, or nothing.
  std::string_view fault(std::string_view code) {
    hasVector |= !insideBrackets(code, "vector").empty();
    std::string_view tensor = insideBrackets(code, "tensor");
    size_t first = tensor.find_first_not_of(" \t\r\n");
    if (first != tensor.npos && tensor[first] == '*')
      return "expected a block of static shape, got an unranked tensor";
    size_t end = tensor.find_first_of(",<>");
    bool hasEncoding = end != tensor.npos && tensor[end] == ',';
    if (hasEncoding && layouts == Layouts::Refused)
      return "expected a block without an encoding";
    hasLayout |= hasEncoding;
    if (hasLayout && hasVector)
      return "expected vectors or blocks with layouts, got both";
    return {};
  }

private:
  Layouts layouts;
  bool hasVector = false, hasLayout = false;
};

/// Takes one character of code, or a string or comment, to the output.
Result<void> copyPiece(Scanner &scanner, std::string_view text, Nesting &nesting, Types &types,
                       std::string &output) {
  size_t start = scanner.offset();
  char previous = start ? text[start - 1] : '\0';
  if (scanner.peek() == '"') {
    skipString(scanner);
  } else if (scanner.startsWith("//")) {
    scanner.advance(scanner.restOfLine().size());
  } else if (std::string name = aliasName(scanner); !name.empty()) {
    std::string_view rest = scanner.restOfLine().substr(name.size());
    size_t next = rest.find_first_not_of(" \t");
    bool isDefinition =
        (previous == '\0' || previous == '\n') && next != rest.npos && rest[next] == '=';
    if (!nesting.seeAlias(name, isDefinition))
      return scanner.error("nested deeper than " + std::to_string(kMaxNesting) + " levels");
    scanner.advance(name.size());
  } else {
    std::string_view fault =
        isNameCharacter(previous) ? std::string_view() : types.fault(text.substr(start));
    if (!fault.empty())
      return scanner.error(std::string(fault));
    if (scanner.peek() == '\n')
      nesting.endLine();
    if (!nesting.see(previous, scanner.peek(), scanner.peek(1)))
      return scanner.error("nested deeper than " + std::to_string(kMaxNesting) + " levels");
    scanner.advance();
  }
  output += text.substr(start, scanner.offset() - start);
  return {};
}

} // namespace

Result<std::string> fsm::prepareSource(std::string_view text, const std::string &fileName,
                                       const std::map<std::string, std::string> &parameters,
                                       Layouts layouts) {
  if (text.substr(0, 4) == "ML\xefR")
    return badInput(fileName + ":1:1: error: MLIR bytecode is not accepted; give the text form");
  if (text.size() > kMaxSourceBytes)
    return badInput(fileName + ":1:1: error: expected at most " + std::to_string(kMaxSourceBytes) +
                    " bytes of source, got " + std::to_string(text.size()));
  Scanner scanner(text, fileName);
  Result<Values> values = readDeclarations(text, fileName);
  if (!values)
    return values.error();
  if (Result<void> given = override(*values, fileName, parameters); !given)
    return given.error();
  std::string output;
  output.reserve(text.size());
  Nesting nesting;
  Types types(layouts);
  while (!scanner.atEnd()) {
    if (scanner.peek() == '\0')
      return scanner.error("unexpected NUL character");
    Result<void> piece = scanner.startsWith("${") ? substitute(scanner, *values, output)
                                                  : copyPiece(scanner, text, nesting, types, output);
    if (!piece)
      return piece.error();
  }
  return output;
}
