//===- OptionText.cpp - Options of a compile as text ----------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Compiler/OptionText.h"

#include "fsm/Machine/GpuTarget.h"

#include <cstdint>
#include <type_traits>

using namespace fsm;

namespace {
/// What a row of CompileOptions.def says of its value.
struct Switch {
  uint64_t least = 0, largest = UINT32_MAX;
};
struct NumberUpTo {
  explicit NumberUpTo(uint64_t largest) : largest(largest) {}
  uint64_t least = 1, largest;
};
/// 0, as what was not given, is none of them.
struct PowerOfTwoUpTo : NumberUpTo {
  using NumberUpTo::NumberUpTo;
};
struct Word : Switch {
  explicit Word(std::string_view) {}
};
struct Words : Switch {
  explicit Words(std::string_view) {}
};
} // namespace

static Error valueError(std::string_view key, const std::string &expected, std::string_view got) {
  return badInput("error: option '" + std::string(key) + "': expected " + expected + ", got '" +
                  std::string(got) + "'");
}

template <typename Form>
static Result<void> read(std::string_view, Form, std::string_view value, std::string &to) {
  to = std::string(value);
  return {};
}

template <typename Form>
static Result<void> read(std::string_view, Form, std::string_view value,
                         std::vector<std::string> &to) {
  std::vector<std::string_view> words = listedWords(value);
  to.assign(words.begin(), words.end());
  return {};
}

template <typename Form>
static Result<void> read(std::string_view key, Form, std::string_view value, bool &to) {
  if (value != "true" && value != "false")
    return valueError(key, "true or false", value);
  to = value == "true";
  return {};
}

template <typename Form>
static Result<void> read(std::string_view key, Form form, std::string_view value, unsigned &to) {
  constexpr bool isPower = std::is_same_v<Form, PowerOfTwoUpTo>;
  uint64_t number = 0;
  bool isNumber = !value.empty() && value.size() <= 10;
  for (char digit : value) {
    isNumber &= digit >= '0' && digit <= '9';
    number = 10 * number + static_cast<uint64_t>(digit - '0');
  }
  if (!isNumber || number < form.least || number > form.largest ||
      (isPower && (number & (number - 1)) != 0))
    return valueError(key,
                      (isPower ? "a power of two from " : "an integer from ") +
                          std::to_string(form.least) + " to " + std::to_string(form.largest),
                      value);
  to = static_cast<unsigned>(number);
  return {};
}

template <typename Form>
static Result<void> read(std::string_view key, Form, std::string_view value,
                         std::vector<ArgumentFact> &to) {
  to.clear();
  for (std::string_view word : listedWords(value)) {
    std::optional<ArgumentFact> fact = parseFact(word);
    if (!fact)
      return valueError(key, "for each argument nothing or a number, one, noalias, large and bounds such as "
                             "1..8, joined by '+'",
                        word);
    to.push_back(*fact);
  }
  return {};
}

Result<void> fsm::setOption(CompileOptions &options, std::string_view text) {
  size_t equals = text.find('=');
  std::string_view key = text.substr(0, equals);
  std::string_view value =
      equals == std::string_view::npos ? std::string_view() : text.substr(equals + 1);
  std::string keys;
#define FSM_OPTION(type, member, initial, flag, form, meaning)                                     \
  if (key == flag && equals != std::string_view::npos)                                             \
    return read(key, form, value, options.member);                                                 \
  keys += (keys.empty() ? "" : ", ") + std::string(flag);
#include "fsm/Compiler/CompileOptions.def"
  return badInput("error: expected an option KEY=VALUE with one of the keys " + keys + ", got '" +
                  std::string(text) + "'");
}
