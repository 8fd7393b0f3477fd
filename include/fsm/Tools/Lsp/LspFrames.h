//===- LspFrames.h - The messages of an editor -----------------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_TOOLS_LSP_LSPFRAMES_H
#define FSM_TOOLS_LSP_LSPFRAMES_H

#include <optional>
#include <string>

namespace fsm {

/// Reads frames of the language server protocol from a file descriptor: "Content-Length: N",
/// other headers, an empty line, N bytes.
class LspFrames {
public:
  explicit LspFrames(int file) : file(file) {}

  /// The N bytes of the next frame; nothing when the input ends or a header makes no sense.
  std::optional<std::string> next();

private:
  std::optional<size_t> header();
  std::optional<std::string> line();
  bool more();

  int file;
  std::string buffer;
};

/// A frame with these bytes.
std::string lspFrame(const std::string &bytes);

} // namespace fsm

#endif // FSM_TOOLS_LSP_LSPFRAMES_H
