//===- Parameters.cpp - The parameters of a file -------------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Parameters.h"

#include "Lexer.h"

#include "fsm/Source/SourceText.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <optional>
#include <set>

using namespace fsm;

namespace {

/// A text in pieces: comments, strings, placeholders, and the code between them.
class Pieces {
public:
  enum class Kind { Code, String, Comment, Placeholder };
  struct Piece {
    Kind kind;
    std::string_view text;
    size_t offset;
  };

  explicit Pieces(std::string_view text) : text(text) {}

  bool atEnd() const { return position >= text.size(); }
  Piece next() {
    size_t start = position;
    Kind kind = kindAt(start);
    position = std::min(endOf(kind, start), text.size());
    return {kind, text.substr(start, position - start), start};
  }

private:
  Kind kindAt(size_t offset) const {
    std::string_view rest = text.substr(offset, 2);
    if (rest.front() == '"')
      return Kind::String;
    return rest == "//" ? Kind::Comment : rest == "${" ? Kind::Placeholder : Kind::Code;
  }
  size_t endOf(Kind kind, size_t start) const {
    switch (kind) {
    case Kind::String:
      return endOfString(start);
    case Kind::Comment:
      return text.find('\n', start);
    case Kind::Placeholder: {
      size_t end = text.find_first_of("}\n", start);
      return end == text.npos || text[end] != '}' ? end : end + 1;
    }
    case Kind::Code:
      break;
    }
    size_t end = start + 1;
    while (end < text.size() && kindAt(end) == Kind::Code)
      ++end;
    return end;
  }
  /// An unterminated string ends with its line and is left for the parser to report.
  size_t endOfString(size_t start) const {
    size_t end = start + 1;
    while (end < text.size() && text[end] != '"' && text[end] != '\n')
      end += text[end] == '\\' ? 2 : 1;
    return end + 1;
  }

  std::string_view text;
  size_t position = 0;
};

/// The declared parameters of a file, and their values as far as they have one.
class Parameters {
public:
  Parameters(std::string_view text, const std::string &fileName) : text(text), fileName(fileName) {}

  Result<void> readDeclarations();
  /// With the values that are given for some of them.
  Result<void> readWith(const std::map<std::string, std::string> &given);
  Result<void> override(const std::map<std::string, std::string> &given);
  Result<std::string> substitute() const;
  std::string annotate(std::string error) const;
  std::map<std::string, std::string> standIns() const;
  std::map<std::string, std::string> known() const;
  const ParameterDomains &allDomains() const { return domains; }

private:
  Result<void> readDeclaration(std::string_view comment, size_t offset);
  Result<void> readDomain(const std::string &name, std::string &value, size_t offset);
  Result<std::string> valueOf(std::string_view placeholder, size_t offset) const;
  Error error(size_t offset, const std::string &sentence) const {
    return errorAt(text, offset, fileName, sentence);
  }

  std::string_view text;
  const std::string &fileName;
  std::map<std::string, std::optional<std::string>> values;
  ParameterDomains domains;
};

} // namespace

static bool isNameCharacter(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
}

static std::string_view trim(std::string_view text) {
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front())))
    text.remove_prefix(1);
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back())))
    text.remove_suffix(1);
  return text;
}

/// What is wrong with a value, declared or given.
static std::optional<std::string> faultOf(const std::string &name, std::string_view value) {
  if (!value.empty() && value.size() <= kMaxParameterBytes &&
      value.find_first_of("\n\r\"${}") == value.npos)
    return std::nullopt;
  return "the value of parameter '" + name + "' must be 1 to " +
         std::to_string(kMaxParameterBytes) + " characters without quotes, braces or line ends";
}

/// Where the word `in` stands: behind a blank or nothing, and not as the begin of a longer name.
static size_t findIn(std::string_view value) {
  constexpr std::string_view in = "in";
  for (size_t at = value.find(in); at != value.npos; at = value.find(in, at + 1)) {
    size_t end = at + in.size();
    bool begins = at == 0 || std::isspace(static_cast<unsigned char>(value[at - 1]));
    if (begins && (end == value.size() || !isNameCharacter(value[end])))
      return at;
  }
  return value.npos;
}

/// Takes `in V, V, ...` off a value, which is one of these.
Result<void> Parameters::readDomain(const std::string &name, std::string &value, size_t offset) {
  size_t end = findIn(value);
  if (end == value.npos)
    return {};
  std::string_view list = trim(std::string_view(value).substr(end + 2));
  if (list.empty())
    return error(offset, "expected values behind 'in' for parameter '" + name + "'");
  std::vector<std::string> candidates;
  for (bool isLast = false; !isLast;) {
    std::string_view word = list.substr(0, list.find(','));
    isLast = word.size() == list.size();
    std::string candidate(trim(word));
    if (std::optional<std::string> fault = faultOf(name, candidate))
      return error(offset, *fault);
    if (std::find(candidates.begin(), candidates.end(), candidate) != candidates.end())
      return error(offset, "expected values behind 'in' that differ for parameter '" + name +
                               "', got '" + candidate + "' twice");
    candidates.push_back(std::move(candidate));
    list.remove_prefix(std::min(word.size() + 1, list.size()));
  }
  value = std::string(trim(std::string_view(value).substr(0, end)));
  if (value.empty())
    return error(offset, "expected a value before 'in' for parameter '" + name + "'");
  if (std::find(candidates.begin(), candidates.end(), value) == candidates.end())
    return error(offset, "expected the value of parameter '" + name +
                             "' among those behind 'in', got '" + value + "'");
  domains.emplace(name, std::move(candidates));
  return {};
}

/// Reads `param NAME = VALUE` from a comment's text, if that is what it says.
Result<void> Parameters::readDeclaration(std::string_view comment, size_t offset) {
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
    return error(offset, "expected '// param NAME = VALUE' or '// param NAME'");
  std::optional<std::string> value;
  if (!rest.empty())
    value = std::string(trim(rest.substr(1)));
  if (value && value->empty())
    return error(offset, "expected a value after '=' for parameter '" + name + "'");
  if (Result<void> read = value ? readDomain(name, *value, offset) : Result<void>(); !read)
    return read.error();
  if (std::optional<std::string> fault = value ? faultOf(name, *value) : std::nullopt)
    return error(offset, *fault);
  if (!values.emplace(name, value).second)
    return error(offset, "parameter '" + name + "' is declared twice");
  return {};
}

/// Finds all declarations: they may stand anywhere in the file.
Result<void> Parameters::readDeclarations() {
  for (Pieces pieces(text); !pieces.atEnd();) {
    Pieces::Piece piece = pieces.next();
    if (piece.kind != Pieces::Kind::Comment)
      continue;
    if (Result<void> read = readDeclaration(piece.text.substr(2), piece.offset); !read)
      return read.error();
  }
  return {};
}

Result<void> Parameters::readWith(const std::map<std::string, std::string> &given) {
  Result<void> read = readDeclarations();
  return read ? override(given) : read;
}

/// Sets the declared parameters to the given values.
Result<void> Parameters::override(const std::map<std::string, std::string> &given) {
  for (const auto &[name, value] : given) {
    auto found = values.find(name);
    if (found == values.end()) {
      std::string known;
      for (const auto &[other, ignored] : values)
        known += (known.empty() ? "" : ", ") + other;
      return badInput(fileName + ": error: unknown parameter '" + name +
                      (known.empty() ? "'; the file declares none" : "'; declared are " + known));
    }
    if (std::optional<std::string> fault = faultOf(name, value))
      return badInput(fileName + ": error: " + *fault);
    found->second = value;
  }
  return {};
}

/// The value that takes a placeholder's place, with blanks behind it if it is shorter.
Result<std::string> Parameters::valueOf(std::string_view placeholder, size_t offset) const {
  if (placeholder.back() != '}')
    return error(offset, "expected '}' to close '${' on the same line");
  std::string name(placeholder.substr(2, placeholder.size() - 3));
  if (name.empty() || !std::all_of(name.begin(), name.end(), isNameCharacter))
    return error(offset,
                 "expected the name of a parameter between '${' and '}', got '" + name + "'");
  auto found = values.find(name);
  if (found == values.end())
    return error(offset, "unknown parameter '" + name + "'; declare it with '// param " + name +
                             " = VALUE'");
  if (!found->second)
    return error(offset,
                 "parameter '" + name + "' has no default; give it with -D " + name + "=VALUE");
  std::string value = *found->second;
  value.resize(std::max(value.size(), placeholder.size()), ' ');
  return value;
}

Result<std::string> Parameters::substitute() const {
  std::string output;
  output.reserve(text.size());
  for (Pieces pieces(text); !pieces.atEnd();) {
    Pieces::Piece piece = pieces.next();
    if (piece.kind != Pieces::Kind::Placeholder) {
      output += piece.text;
      continue;
    }
    Result<std::string> value = valueOf(piece.text, piece.offset);
    if (!value)
      return value.error();
    // What is behind the placeholder is still to come.
    size_t rest = text.size() - piece.offset - piece.text.size();
    if (output.size() + value->size() + rest > kMaxSourceBytes)
      return error(piece.offset, "expected at most " + std::to_string(kMaxSourceBytes) +
                                     " bytes of source with the values of its parameters, got "
                                     "more");
    output += *value;
  }
  return output;
}

Result<std::string>
fsm::substituteParameters(std::string_view text, const std::string &fileName,
                          const std::map<std::string, std::string> &parameters) {
  Parameters declared(text, fileName);
  if (Result<void> read = declared.readWith(parameters); !read)
    return read.error();
  return declared.substitute();
}

//===----------------------------------------------------------------------===//
// What is said of them
//===----------------------------------------------------------------------===//

/// The lines of a file that an error names, as `file:3:7: ...` or `file:3: ...`.
static std::set<size_t> linesNamed(std::string_view error, const std::string &fileName) {
  std::set<size_t> lines;
  for (size_t at = 0; at != error.npos; at = error.find('\n', at + 1)) {
    std::string_view rest = error.substr(at + (error.substr(at, 1) == "\n"));
    if (rest.substr(0, fileName.size() + 1) != fileName + ":")
      continue;
    rest.remove_prefix(fileName.size() + 1);
    size_t line = 0;
    if (std::from_chars(rest.data(), rest.data() + rest.size(), line).ec == std::errc())
      lines.insert(line);
  }
  return lines;
}

/// The name between the brackets of `${NAME}`.
static std::string nameIn(std::string_view placeholder) {
  return std::string(placeholder.substr(2, placeholder.size() - 3));
}

std::string Parameters::annotate(std::string error) const {
  std::set<size_t> lines = linesNamed(error, fileName);
  std::set<std::string> named;
  size_t line = 1, lineBegin = 0;
  for (Pieces pieces(text); !lines.empty() && !pieces.atEnd();) {
    Pieces::Piece piece = pieces.next();
    if (piece.kind == Pieces::Kind::Placeholder && lines.count(line)) {
      auto found = values.find(nameIn(piece.text));
      if (found != values.end() && found->second && named.insert(found->first).second)
        error += "\n" + fileName + ":" + std::to_string(line) + ":" +
                 std::to_string(piece.offset - lineBegin + 1) + ": note: parameter " +
                 found->first + " is " + *found->second + " here";
    }
    for (size_t i = 0; i < piece.text.size(); ++i)
      if (piece.text[i] == '\n') {
        ++line;
        lineBegin = piece.offset + i + 1;
      }
  }
  return error;
}

std::map<std::string, std::string> Parameters::standIns() const {
  std::map<std::string, std::string> found;
  for (Pieces pieces(text); !pieces.atEnd();) {
    Pieces::Piece piece = pieces.next();
    auto declared =
        piece.kind == Pieces::Kind::Placeholder ? values.find(nameIn(piece.text)) : values.end();
    if (declared == values.end() || declared->second)
      continue;
    // In `tensor<64x${T}>` or `!fsm.ptr<${T}>`, or behind the colon of a scalar.
    char before = piece.offset ? text[piece.offset - 1] : ' ';
    size_t end = piece.offset + piece.text.size();
    char after = end < text.size() ? text[end] : ' ';
    bool isBracketed = (before == 'x' || before == '<') && after == '>';
    bool isBehindColon = piece.offset > 1 && text.substr(piece.offset - 2, 2) == ": ";
    found.emplace(declared->first, isBracketed || isBehindColon ? "f32" : "16");
  }
  return found;
}

std::map<std::string, std::string> Parameters::known() const {
  std::map<std::string, std::string> found;
  for (const auto &[name, value] : values)
    if (value)
      found.emplace(name, *value);
  return found;
}

Result<std::map<std::string, std::string>>
fsm::parameterValues(std::string_view text, const std::string &fileName,
                     const std::map<std::string, std::string> &parameters) {
  Parameters declared(text, fileName);
  if (Result<void> read = declared.readWith(parameters); !read)
    return read.error();
  return declared.known();
}

Result<ParameterDomains> fsm::parameterDomains(std::string_view text, const std::string &fileName) {
  Parameters declared(text, fileName);
  if (Result<void> read = declared.readDeclarations(); !read)
    return read.error();
  return declared.allDomains();
}

std::string fsm::nameParameters(std::string error, std::string_view text,
                                const std::string &fileName,
                                const std::map<std::string, std::string> &parameters) {
  Parameters declared(text, fileName);
  if (!declared.readWith(parameters))
    return error;
  return declared.annotate(std::move(error));
}

std::map<std::string, std::string> fsm::standInsFor(std::string_view text) {
  const std::string fileName;
  Parameters declared(text, fileName);
  if (!declared.readDeclarations())
    return {};
  return declared.standIns();
}
