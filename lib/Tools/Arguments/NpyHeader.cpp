//===- NpyHeader.cpp - The header of a NumPy file -----------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The format (numpy.lib.format): the magic string, two bytes of version, the
// header's length in 2 (version 1) or 4 bytes, little endian, and the header: a
// Python dictionary literal with three keys, padded with spaces and ended by a
// newline. The parser below reads exactly that subset of Python.
//
//===----------------------------------------------------------------------===//

#include "fsm/Tools/Arguments/NpyHeader.h"
#include "fsm/Tools/Quote.h"

#include <algorithm>
#include <cctype>

using namespace fsm;

static constexpr std::string_view kMagic("\x93NUMPY", 6);

static Error errorAt(const std::string &name, uint64_t offset, const std::string &expected,
                     const std::string &got) {
  return badInput(printable(name) + ": byte " + std::to_string(offset) + ": expected " + expected +
                  ", got " + got);
}

static std::string countOfBytes(uint64_t count) {
  return std::to_string(count) + (count == 1 ? " byte" : " bytes");
}

/// A string of the header as an error shows it.
static std::string quotedString(const std::string &value) {
  return value.empty() ? "an empty string" : quoted(value, 24);
}

bool fsm::arrayBytes(const std::vector<uint64_t> &shape, uint64_t elementBytes, uint64_t &bytes) {
  // The product of the non-zero extents is bounded too, as in NumPy: strides
  // must not overflow even where there are no elements.
  uint64_t product = elementBytes;
  bool isEmpty = false;
  for (uint64_t extent : shape) {
    isEmpty |= extent == 0;
    if (extent && __builtin_mul_overflow(product, extent, &product))
      return false;
  }
  bytes = isEmpty ? 0 : product;
  return product <= INT64_MAX;
}

std::string fsm::shapeText(const std::vector<uint64_t> &shape) {
  std::string text = "(";
  for (size_t i = 0; i < shape.size(); ++i)
    text += (i ? ", " : "") + std::to_string(shape[i]);
  return text + (shape.size() == 1 ? ",)" : ")");
}

namespace {
/// Parses the dictionary. Every function returns false after it has set
/// `failure`; offsets in errors count from the beginning of the file.
class HeaderParser {
public:
  HeaderParser(std::string_view header, uint64_t offset, const std::string &name)
      : text(header), offset(offset), name(name) {}

  bool parse(NpyHeader &header);
  Error failure;

private:
  bool fail(size_t position, const std::string &expected, const std::string &got);
  bool failHere(const std::string &expected) { return fail(at, expected, found()); }
  std::string found() const;
  char peek() const { return at < text.size() ? text[at] : '\0'; }
  void skipSpaces();
  bool parseString(const std::string &expected, std::string &value);
  bool parseItem(NpyHeader &header);
  bool parseDescr(NpyHeader &header);
  bool checkDescr(size_t position, const std::string &descr, NpyHeader &header);
  bool parseOrder(NpyHeader &header);
  bool parseShape(NpyHeader &header);
  bool parseExtent(std::vector<uint64_t> &shape);
  bool parseEnd();

  std::string_view text;
  uint64_t offset;
  const std::string &name;
  size_t at = 0;
  bool seen[3] = {false, false, false};
};
} // namespace

static constexpr std::string_view kKeys[] = {"descr", "fortran_order", "shape"};

bool HeaderParser::fail(size_t position, const std::string &expected, const std::string &got) {
  failure = errorAt(name, offset + position, expected, got);
  return false;
}

/// What stands at the current position, as an error names it: a word, a
/// character, or the end.
std::string HeaderParser::found() const {
  if (at == text.size())
    return "the end of the header";
  if (text[at] == '\'')
    return "a single quote";
  auto isWord = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
  size_t end = at;
  while (end < text.size() && (isWord(text[end]) || (end == at && text[end] == '-')))
    ++end;
  return quoted(text.substr(at, std::max<size_t>(end - at, 1)), 24);
}

void HeaderParser::skipSpaces() {
  while (at < text.size() && (text[at] == ' ' || text[at] == '\t' || text[at] == '\n'))
    ++at;
}

bool HeaderParser::parseString(const std::string &expected, std::string &value) {
  char quote = peek();
  if (quote != '\'' && quote != '"')
    return failHere(expected);
  size_t begin = at + 1;
  size_t end = text.find(quote, begin);
  if (end == std::string_view::npos)
    return fail(at, "a string in quotes", "one without its closing quote");
  value = std::string(text.substr(begin, end - begin));
  if (size_t escape = value.find('\\'); escape != std::string::npos)
    return fail(begin + escape, "a string without escapes", "'\\'");
  at = end + 1;
  return true;
}

bool HeaderParser::parse(NpyHeader &header) {
  skipSpaces();
  if (peek() != '{')
    return failHere("'{'");
  ++at;
  for (skipSpaces(); peek() != '}'; skipSpaces()) {
    if (!parseItem(header))
      return false;
    skipSpaces();
    if (peek() == '}')
      break;
    if (peek() != ',')
      return failHere("',' or '}' after the value");
    ++at;
  }
  for (size_t key = 0; key < 3; ++key)
    if (!seen[key])
      return fail(at, "the key " + quoted(kKeys[key]), "'}'");
  ++at;
  return parseEnd();
}

bool HeaderParser::parseItem(NpyHeader &header) {
  size_t position = at;
  std::string key;
  if (!parseString("a key in quotes or '}'", key))
    return false;
  size_t index = std::find(std::begin(kKeys), std::end(kKeys), key) - std::begin(kKeys);
  if (index == 3)
    return fail(position, "one of the keys 'descr', 'fortran_order' and 'shape'",
                quotedString(key));
  if (seen[index])
    return fail(position, "each key once", "a second " + quoted(key));
  seen[index] = true;
  skipSpaces();
  if (peek() != ':')
    return failHere("':' after the key " + quoted(key));
  ++at;
  skipSpaces();
  if (index == 0)
    return parseDescr(header);
  return index == 1 ? parseOrder(header) : parseShape(header);
}

bool HeaderParser::parseDescr(NpyHeader &header) {
  if (peek() == '[')
    return fail(at, "a plain numeric type such as '<f4'", "a structured type");
  if (peek() == '(')
    return fail(at, "a plain numeric type such as '<f4'", "a subarray type");
  size_t position = at;
  std::string descr;
  return parseString("a numeric type in quotes, such as '<f4'", descr) &&
         checkDescr(position, descr, header);
}

/// What NumPy's type letters mean that are no plain numbers.
static std::string_view refusedKind(char letter) {
  switch (letter) {
  case 'O':
    return "Python objects";
  case 'c':
    return "complex numbers";
  case 'S':
  case 'a':
    return "byte strings";
  case 'U':
    return "text";
  case 'V':
    return "raw bytes; bfloat16 and float8 are stored as uint16 and uint8";
  case 'M':
    return "dates";
  case 'm':
    return "time spans";
  default:
    return "";
  }
}

bool HeaderParser::checkDescr(size_t position, const std::string &descr, NpyHeader &header) {
  std::string got = quotedString(descr);
  char order = descr.empty() ? '\0' : descr[0];
  bool hasOrder = order && std::string_view("<>=|").find(order) != std::string_view::npos;
  char kind = descr.size() > hasOrder ? descr[hasOrder] : '\0';
  if (std::string_view refused = refusedKind(kind); !refused.empty())
    return fail(position, "a plain numeric type such as '<f4'",
                got + " (" + std::string(refused) + ")");
  if (!hasOrder)
    return fail(position, "a type that begins with its byte order '<', '>', '=' or '|'", got);
  std::string_view sizes = kind == 'b'                  ? "1"
                           : kind == 'i' || kind == 'u' ? "1248"
                           : kind == 'f'                ? "248"
                                                        : "";
  if (sizes.empty())
    return fail(position, "a type letter b, i, u or f after the byte order", got);
  if (descr.size() != 3 || sizes.find(descr[2]) == std::string_view::npos)
    return fail(position,
                kind == 'b'   ? "one byte for a bool, '|b1'"
                : kind == 'f' ? "2, 4 or 8 bytes for a float"
                              : "1, 2, 4 or 8 bytes for an integer",
                got);
  auto bytes = static_cast<unsigned>(descr[2] - '0');
  if (order == '|' && bytes > 1)
    return fail(position, "the byte order '<' or '>' for " + std::to_string(bytes) + " bytes", got);
  for (const NpyTypeInfo &info : kNpyTypes)
    if (info.kind == kind && info.bytes == bytes)
      header.type = info.type;
  constexpr bool hostIsBig = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
  header.bigEndian = order == '>' || (order == '=' && hostIsBig);
  return true;
}

bool HeaderParser::parseOrder(NpyHeader &header) {
  for (std::string_view word : {"True", "False"}) {
    if (text.substr(at, word.size()) != word)
      continue;
    size_t end = at + word.size();
    if (end < text.size() &&
        (std::isalnum(static_cast<unsigned char>(text[end])) || text[end] == '_'))
      break;
    header.fortranOrder = word == "True";
    at = end;
    return true;
  }
  return failHere("True or False");
}

bool HeaderParser::parseShape(NpyHeader &header) {
  size_t position = at;
  if (peek() != '(')
    return failHere("'(' to begin the shape");
  ++at;
  bool hasComma = true;
  for (skipSpaces(); peek() != ')'; skipSpaces()) {
    if (header.shape.size() == kMaxNpyRank)
      return fail(at, "at most " + std::to_string(kMaxNpyRank) + " extents", "more");
    if (!hasComma)
      return failHere("',' or ')' after the extent");
    if (!parseExtent(header.shape))
      return false;
    skipSpaces();
    hasComma = peek() == ',';
    if (hasComma)
      ++at;
  }
  if (header.shape.size() == 1 && !hasComma)
    return failHere("',' after the only extent, as in (3,)");
  ++at;
  uint64_t bytes = 0;
  if (!arrayBytes(header.shape, 1, bytes))
    return fail(position, "fewer than 2^63 elements", printable(shapeText(header.shape), 80));
  return true;
}

bool HeaderParser::parseExtent(std::vector<uint64_t> &shape) {
  if (peek() == '-')
    return failHere("an extent of 0 or more");
  size_t begin = at;
  uint64_t extent = 0;
  bool fits = true;
  for (; peek() >= '0' && peek() <= '9'; ++at)
    fits = fits && !__builtin_mul_overflow(extent, uint64_t(10), &extent) &&
           !__builtin_add_overflow(extent, static_cast<uint64_t>(peek() - '0'), &extent) &&
           extent <= INT64_MAX;
  if (at == begin)
    return failHere("an extent or ')'");
  if (!fits)
    return fail(begin, "an extent below 2^63", printable(text.substr(begin, at - begin), 24));
  if (text[begin] == '0' && at - begin > 1)
    return fail(begin, "an extent without leading zeros",
                printable(text.substr(begin, at - begin), 24));
  shape.push_back(extent);
  return true;
}

bool HeaderParser::parseEnd() {
  skipSpaces();
  if (at < text.size())
    return failHere("only spaces after '}'");
  if (text.back() != '\n')
    return fail(text.size() - 1, "a newline at the end of the header",
                quoted(text.substr(text.size() - 1)));
  return true;
}

/// Reads the preamble: sets `begin` to where the header begins and returns its
/// length.
static Result<uint64_t> parsePreamble(std::string_view start, uint64_t fileBytes,
                                      const std::string &name, uint64_t &begin) {
  for (size_t i = 0; i < kMagic.size(); ++i) {
    if (i < start.size() && start[i] == kMagic[i])
      continue;
    return errorAt(name, i, "the magic string \\x93NUMPY of a .npy file",
                   i < start.size() ? quoted(start.substr(i, 1)) : "the end of the file");
  }
  if (start.size() < 8)
    return errorAt(name, start.size(), "two bytes of version", "the end of the file");
  unsigned major = static_cast<unsigned char>(start[6]);
  unsigned minor = static_cast<unsigned char>(start[7]);
  if (major < 1 || major > 3 || minor != 0)
    return errorAt(name, 6, "version 1.0, 2.0 or 3.0",
                   std::to_string(major) + "." + std::to_string(minor));
  size_t lengthBytes = major == 1 ? 2 : 4;
  begin = 8 + lengthBytes;
  if (start.size() < begin)
    return errorAt(name, start.size(),
                   "the header's length in " + std::to_string(lengthBytes) + " bytes",
                   "the end of the file");
  uint64_t length = 0;
  for (size_t i = lengthBytes; i-- > 0;)
    length = length << 8 | static_cast<unsigned char>(start[8 + i]);
  if (length > kMaxNpyHeaderBytes)
    return errorAt(name, 8, "a header of at most 65536 bytes", std::to_string(length));
  if (length > fileBytes - begin)
    return errorAt(name, 8,
                   "a header within the " + countOfBytes(fileBytes - begin) + " left in the file",
                   "a length of " + std::to_string(length));
  return length;
}

Result<NpyHeader> fsm::parseNpyHeader(std::string_view start, uint64_t fileBytes,
                                      const std::string &name) {
  uint64_t begin = 0;
  Result<uint64_t> length = parsePreamble(start, fileBytes, name, begin);
  if (!length)
    return length.error();
  NpyHeader header;
  header.dataOffset = begin + *length;
  HeaderParser parser(start.substr(begin, *length), begin, name);
  if (!parser.parse(header))
    return std::move(parser.failure);
  const NpyTypeInfo &info = npyTypeInfo(header.type);
  uint64_t rest = fileBytes - header.dataOffset;
  std::string array = std::string(info.name) + " of shape " + shapeText(header.shape);
  if (!arrayBytes(header.shape, info.bytes, header.dataBytes))
    return errorAt(name, header.dataOffset, "fewer than 2^63 bytes of data", printable(array, 96));
  if (rest < header.dataBytes)
    return errorAt(name, header.dataOffset,
                   countOfBytes(header.dataBytes) + " of data for " + printable(array, 96),
                   std::to_string(rest) + " (the file is cut short)");
  if (rest > header.dataBytes)
    return errorAt(name, header.dataOffset + header.dataBytes,
                   "the end of the file after " + printable(array, 96),
                   countOfBytes(rest - header.dataBytes) + " more");
  return header;
}

std::string fsm::npyHeaderText(NpyType type, const std::vector<uint64_t> &shape,
                               bool fortranOrder) {
  const NpyTypeInfo &info = npyTypeInfo(type);
  constexpr bool hostIsBig = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
  char order = info.bytes == 1 ? '|' : hostIsBig ? '>' : '<';
  std::string header = "{'descr': '" + std::string(1, order) + info.kind +
                       std::to_string(info.bytes) +
                       "', 'fortran_order': " + (fortranOrder ? "True" : "False") +
                       ", 'shape': " + shapeText(shape) + ", }";
  // The data begins at a multiple of 64: 10 bytes of preamble, a newline.
  size_t total = (10 + header.size() + 1 + 63) / 64 * 64;
  header.append(total - 10 - header.size() - 1, ' ');
  header += '\n';
  std::string text(kMagic);
  text += {'\x01', '\x00', static_cast<char>(header.size() & 0xff),
           static_cast<char>(header.size() >> 8)};
  return text + header;
}
