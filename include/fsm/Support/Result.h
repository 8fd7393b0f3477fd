//===- Result.h - Errors as values -----------------------------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_SUPPORT_RESULT_H
#define FSM_SUPPORT_RESULT_H

#include <string>
#include <utility>
#include <variant>

namespace fsm {

/// Why a request failed. The kinds are those a caller treats differently;
/// `fsm-run` maps them to its exit codes.
struct Error {
  enum class Kind {
    BadInput,  ///< The caller's text, options or arguments are wrong.
    NoDevice,  ///< The machine lacks what was asked for.
    Execution, ///< A kernel was refused or failed while it ran.
    Internal,  ///< A defect of FSM itself.
  };

  Kind kind = Kind::BadInput;
  /// One or more complete, located sentences, each on its own line and without
  /// a trailing newline: what was wrong and what would be right.
  std::string message;
};

/// A value of type T, or the Error that stands in its place. Values only: the
/// library throws nothing.
template <typename T>
class [[nodiscard]] Result {
public:
  Result(T value) : state(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : state(std::in_place_index<1>, std::move(error)) {}

  /// True when there is a value.
  explicit operator bool() const { return state.index() == 0; }

  T &operator*() { return std::get<0>(state); }
  const T &operator*() const { return std::get<0>(state); }
  T *operator->() { return &std::get<0>(state); }
  const T *operator->() const { return &std::get<0>(state); }

  const Error &error() const { return std::get<1>(state); }

private:
  std::variant<T, Error> state;
};

/// Success, or an Error.
template <>
class [[nodiscard]] Result<void> {
public:
  Result() = default;
  Result(Error error) : state(std::move(error)), failed(true) {}

  explicit operator bool() const { return !failed; }
  const Error &error() const { return state; }

private:
  Error state;
  bool failed = false;
};

/// The most frequent error: wrong input, in one sentence.
inline Error badInput(std::string message) {
  return Error{Error::Kind::BadInput, std::move(message)};
}

} // namespace fsm

#endif // FSM_SUPPORT_RESULT_H
