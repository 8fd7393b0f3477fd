//===- Diagnostic.h - What there is to say, as a value ----------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_ARTIFACT_DIAGNOSTIC_H
#define FSM_ARTIFACT_DIAGNOSTIC_H

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace fsm {

/// One sentence of an error, a warning or a remark, and its place. A note belongs to what stands
/// before it.
struct Diagnostic {
  enum class Severity { Error, Warning, Remark, Note };

  Severity severity = Severity::Error;
  /// May be empty.
  std::string file;
  /// From 1; 0 where there is no place.
  uint32_t line = 0;
  uint32_t column = 0;
  std::string sentence;
};

/// The diagnostics of a text such as Error::message, lines of the form `file:line:column: error:
/// sentence`. A line that is none continues the sentence before it; in front of all others, it is
/// an error.
std::vector<Diagnostic> parseDiagnostics(std::string_view text);

} // namespace fsm

#endif // FSM_ARTIFACT_DIAGNOSTIC_H
