//===- LspFilter.cpp - Prepares the documents of an editor ---------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Tools/LspFilter.h"

#include "fsm/Frontend/SourceText.h"

#include "llvm/Support/JSON.h"

#include <cerrno>
#include <optional>
#include <unistd.h>

using namespace fsm;
namespace json = llvm::json;

/// A message longer than this is not from an editor.
static constexpr size_t kMaxMessageBytes = size_t(64) << 20;

/// Prepares the string `text` of `owner`, if it has one.
static void prepareText(json::Object *owner) {
  if (!owner)
    return;
  std::optional<llvm::StringRef> text = owner->getString("text");
  if (!text)
    return;
  Result<std::string> prepared =
      prepareSource(std::string_view(text->data(), text->size()), "<editor>", {});
  if (prepared)
    (*owner)["text"] = std::move(*prepared);
}

std::string fsm::prepareLspMessage(std::string_view message) {
  llvm::Expected<json::Value> parsed = json::parse(llvm::StringRef(message.data(), message.size()));
  if (!parsed) {
    llvm::consumeError(parsed.takeError());
    return std::string(message);
  }
  json::Object *root = parsed->getAsObject();
  std::optional<llvm::StringRef> method = root ? root->getString("method") : std::nullopt;
  json::Object *parameters = root ? root->getObject("params") : nullptr;
  if (!method || !parameters)
    return std::string(message);
  if (*method == "textDocument/didOpen") {
    prepareText(parameters->getObject("textDocument"));
  } else if (*method == "textDocument/didChange") {
    if (json::Array *changes = parameters->getArray("contentChanges"))
      for (json::Value &change : *changes)
        if (json::Object *object = change.getAsObject(); object && !object->get("range"))
          prepareText(object);
  } else {
    return std::string(message);
  }
  std::string text;
  llvm::raw_string_ostream(text) << *parsed;
  return text;
}

//===----------------------------------------------------------------------===//
// Frames: "Content-Length: N", other headers, an empty line, N bytes
//===----------------------------------------------------------------------===//

namespace {
/// Buffered reading of a file descriptor.
class Reader {
public:
  explicit Reader(int file) : file(file) {}

  /// A header line without its line end; nothing at the end of the input.
  std::optional<std::string> line() {
    for (;;) {
      if (size_t end = buffer.find('\n'); end != buffer.npos) {
        std::string text = buffer.substr(0, end);
        buffer.erase(0, end + 1);
        if (!text.empty() && text.back() == '\r')
          text.pop_back();
        return text;
      }
      if (buffer.size() > 4096 || !more())
        return std::nullopt;
    }
  }

  std::optional<std::string> bytes(size_t count) {
    while (buffer.size() < count)
      if (!more())
        return std::nullopt;
    std::string text = buffer.substr(0, count);
    buffer.erase(0, count);
    return text;
  }

private:
  bool more() {
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

  int file;
  std::string buffer;
};
} // namespace

/// The length a frame's header announces; nothing at the end of the input.
static std::optional<size_t> readHeader(Reader &reader) {
  size_t length = 0;
  while (std::optional<std::string> line = reader.line()) {
    if (line->empty()) {
      if (length > 0)
        return length;
      continue;
    }
    llvm::StringRef value(*line);
    if (!value.consume_front_insensitive("content-length:"))
      continue;
    if (value.trim().getAsInteger(10, length) || length > kMaxMessageBytes)
      return std::nullopt;
  }
  return std::nullopt;
}

static bool writeAll(int file, std::string_view text) {
  while (!text.empty()) {
    ssize_t count = write(file, text.data(), text.size());
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0)
      return false;
    text.remove_prefix(static_cast<size_t>(count));
  }
  return true;
}

void fsm::filterLspStream(int input, int output) {
  Reader reader(input);
  while (std::optional<size_t> length = readHeader(reader)) {
    std::optional<std::string> message = reader.bytes(*length);
    if (!message)
      return;
    std::string prepared = prepareLspMessage(*message);
    std::string header = "Content-Length: " + std::to_string(prepared.size()) + "\r\n\r\n";
    if (!writeAll(output, header) || !writeAll(output, prepared))
      return;
  }
}
