//===- LspFrames.cpp - The messages of an editor -------------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Tools/Lsp/LspFrames.h"

#include "llvm/ADT/StringRef.h"

#include <cerrno>
#include <unistd.h>

using namespace fsm;

/// A message longer than this is not from an editor.
static constexpr size_t kMaxMessageBytes = size_t(64) << 20;
static constexpr size_t kMaxHeaderBytes = 4096;

bool LspFrames::more() {
  char chunk[65536];
  ssize_t count;
  do
    count = read(file, chunk, sizeof(chunk));
  while (count < 0 && errno == EINTR);
  if (count <= 0)
    return false;
  buffer.append(chunk, static_cast<size_t>(count));
  return true;
}

/// A header line without its line end; nothing at the end of the input.
std::optional<std::string> LspFrames::line() {
  for (;;) {
    if (size_t end = buffer.find('\n'); end != buffer.npos) {
      std::string text = buffer.substr(0, end);
      buffer.erase(0, end + 1);
      if (!text.empty() && text.back() == '\r')
        text.pop_back();
      return text;
    }
    if (buffer.size() > kMaxHeaderBytes || !more())
      return std::nullopt;
  }
}

/// The length a frame's header announces; nothing at the end of the input.
std::optional<size_t> LspFrames::header() {
  size_t length = 0;
  while (std::optional<std::string> text = line()) {
    if (text->empty()) {
      if (length > 0)
        return length;
      continue;
    }
    llvm::StringRef value(*text);
    if (!value.consume_front_insensitive("content-length:"))
      continue;
    if (value.trim().getAsInteger(10, length) || length > kMaxMessageBytes)
      return std::nullopt;
  }
  return std::nullopt;
}

std::optional<std::string> LspFrames::next() {
  std::optional<size_t> length = header();
  if (!length)
    return std::nullopt;
  while (buffer.size() < *length)
    if (!more())
      return std::nullopt;
  std::string bytes = buffer.substr(0, *length);
  buffer.erase(0, *length);
  return bytes;
}

std::string fsm::lspFrame(const std::string &bytes) {
  return "Content-Length: " + std::to_string(bytes.size()) + "\r\n\r\n" + bytes;
}
