//===- LspSession.cpp - Between an editor and the server -----------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Tools/Lsp/LspSession.h"

#include "fsm/Compiler/Guarded.h"
#include "fsm/Source/SourceText.h"

#include "llvm/Support/LSP/Protocol.h"

#include <cstdio>
#include <cstring>

using namespace fsm;
namespace json = llvm::json;

static constexpr llvm::StringLiteral kDidOpen = "textDocument/didOpen";
static constexpr llvm::StringLiteral kDidChange = "textDocument/didChange";
static constexpr llvm::StringLiteral kDidClose = "textDocument/didClose";

/// How errors name a document: its URI stands beside them.
static const std::string kDocumentName = "document";

//===----------------------------------------------------------------------===//
// Messages
//===----------------------------------------------------------------------===//

/// LLVM's reader of JSON recurses over brackets; no editor sends that many.
static constexpr size_t kMaxLevels = 256;

static bool isTooDeep(llvm::StringRef bytes) {
  size_t depth = 0;
  bool isInString = false;
  for (size_t i = 0; i < bytes.size() && depth <= kMaxLevels; ++i) {
    char c = bytes[i];
    if (c == '"')
      isInString = !isInString;
    else if (isInString)
      i += c == '\\';
    else if (c == '[' || c == '{')
      ++depth;
    else if (c == ']' || c == '}')
      depth -= depth > 0;
  }
  return depth > kMaxLevels;
}

/// The parameter `textDocument` of a message, or null.
static json::Object *documentOf(json::Object &message) {
  json::Object *parameters = message.getObject("params");
  return parameters ? parameters->getObject("textDocument") : nullptr;
}

static std::string methodOf(const json::Object &message) {
  return message.getString("method").value_or("").str();
}

/// Prepares the string `text` of `owner`, if it has one.
void LspSession::prepareText(Document &document, json::Object &owner) {
  std::optional<llvm::StringRef> text = owner.getString("text");
  if (!text)
    return;
  std::string_view source(text->data(), text->size());
  auto standIns = standInsFor(source);
  document.isTold = standIns.empty() || (document.isTold && standIns == document.standIns);
  document.standIns = std::move(standIns);
  Result<std::string> prepared = prepareSource(source, kDocumentName, document.standIns);
  document.text = prepared ? *prepared : "";
  document.error = prepared ? "" : prepared.error().message;
  owner["text"] = document.text;
}

/// Prepares the text in a message that opens or changes a document.
void LspSession::prepare(json::Object &message) {
  std::string method = methodOf(message);
  json::Object *object = documentOf(message);
  std::optional<llvm::StringRef> uri = object ? object->getString("uri") : std::nullopt;
  if (!uri)
    return;
  if (method == kDidClose)
    documents.erase(uri->str());
  if (method != kDidOpen && method != kDidChange)
    return;
  touched = uri->str();
  Document &document = documents[*touched];
  document.version = object->getInteger("version").value_or(0);
  if (method == kDidOpen)
    return prepareText(document, *object);
  // The server takes the text of a change for the whole text, as it asks editors to send it.
  if (json::Array *changes = message.getObject("params")->getArray("contentChanges"))
    for (json::Value &change : *changes)
      if (json::Object *owner = change.getAsObject())
        prepareText(document, *owner);
}

/// The message that opens a document.
static json::Object openMessage(const std::string &uri, int64_t version, const std::string &text) {
  json::Object document{{"uri", uri}, {"languageId", "mlir"}, {"version", version}, {"text", text}};
  return json::Object{{"jsonrpc", "2.0"},
                      {"method", kDidOpen},
                      {"params", json::Object{{"textDocument", std::move(document)}}}};
}

std::optional<std::string> LspSession::next() {
  // What the server found comes first, for each list of diagnostics replaces the one before.
  if (std::optional<std::string> uri = std::exchange(touched, std::nullopt))
    publish(*uri, documents[*uri]);
  // A crash here is one of no message.
  current.reset();
  if (!lost.empty()) {
    touched = lost.front();
    lost.pop_front();
    const Document &document = documents[*touched];
    current = openMessage(*touched, document.version, document.text);
  } else {
    std::optional<std::string> bytes = frames.next();
    while (bytes && isTooDeep(*bytes))
      bytes = frames.next();
    if (!bytes)
      return std::nullopt;
    llvm::Expected<json::Value> parsed = json::parse(*bytes);
    json::Object *message = parsed ? parsed->getAsObject() : nullptr;
    // The server says what is wrong with it.
    if (!message) {
      llvm::consumeError(parsed.takeError());
      return bytes;
    }
    prepare(*message);
    current = std::move(*message);
  }
  std::string text;
  llvm::raw_string_ostream(text) << json::Value(json::Object(*current));
  return text;
}

//===----------------------------------------------------------------------===//
// What the editor is told
//===----------------------------------------------------------------------===//

/// A place of a document, counted from 0, and what is wrong there, of `document:3:7: error: ...`.
static std::pair<json::Object, std::string> placeOf(llvm::StringRef error) {
  unsigned line = 1, column = 1;
  llvm::StringRef rest = error;
  if (rest.consume_front(kDocumentName + ":") && !rest.consumeInteger(10, line) &&
      rest.consume_front(":"))
    rest.consumeInteger(10, column);
  size_t sentence = error.find("error: ");
  return {json::Object{{"line", line - 1}, {"character", column - 1}},
          error.drop_front(sentence == error.npos ? 0 : sentence + strlen("error: ")).str()};
}

/// Says which values the diagnostics and hovers are of, once for each set of them. It is no
/// diagnostic, for the server's own would replace it.
void LspSession::tellStandIns(const std::string &uri, Document &document) {
  if (std::exchange(document.isTold, true))
    return;
  std::string list;
  for (const auto &[name, value] : document.standIns)
    list += (list.empty() ? "" : ", ") + name + " = " + value;
  editor.notify("window/showMessage",
                json::Object{{"type", static_cast<int>(llvm::lsp::DiagnosticSeverity::Information)},
                             {"message", "parameters without a default: this document is looked "
                                         "at with " +
                                             list + " (" + uri + ")"}});
}

void LspSession::publish(const std::string &uri, Document &document) {
  tellStandIns(uri, document);
  if (document.error.empty())
    return;
  auto [place, sentence] = placeOf(document.error);
  json::Object range{{"start", json::Object(place)}, {"end", json::Object(place)}};
  json::Object found{{"range", std::move(range)},
                     {"severity", static_cast<int>(llvm::lsp::DiagnosticSeverity::Error)},
                     {"source", "fsm"},
                     {"message", std::move(sentence)}};
  editor.notify("textDocument/publishDiagnostics",
                json::Object{{"uri", uri},
                             {"version", document.version},
                             {"diagnostics", json::Array{std::move(found)}}});
}

/// Answers the request over which the server crashed, or empties the document.
void LspSession::recover() {
  if (const json::Value *id = current ? current->get("id") : nullptr)
    editor.reply(*id, llvm::make_error<llvm::lsp::LSPError>(crashText(kDocumentName),
                                                            llvm::lsp::ErrorCode::InternalError));
  if (std::optional<std::string> uri = std::exchange(touched, std::nullopt)) {
    documents[*uri].text = "";
    documents[*uri].error = crashText(kDocumentName);
  }
  lost.clear();
  for (const auto &[uri, document] : documents)
    lost.push_back(uri);
}

//===----------------------------------------------------------------------===//
// The server
//===----------------------------------------------------------------------===//

namespace {
/// A standard input that holds the messages of a session. It gives one frame at a time, so
/// that a server that asks for more has done with the one before.
struct Input {
  LspSession &session;
  std::string frame;
  size_t position = 0;

  static ssize_t read(void *cookie, char *bytes, size_t count) {
    Input &input = *static_cast<Input *>(cookie);
    if (input.position == input.frame.size()) {
      std::optional<std::string> message = input.session.next();
      input.frame = message ? lspFrame(*message) : "";
      input.position = 0;
    }
    count = std::min(count, input.frame.size() - input.position);
    std::memcpy(bytes, input.frame.data() + input.position, count);
    input.position += count;
    return static_cast<ssize_t>(count);
  }
};
} // namespace

bool LspSession::run(llvm::function_ref<void()> serve) {
  FILE *before = stdin;
  for (bool isDone = false; !isDone;) {
    Input input{*this, "", 0};
    cookie_io_functions_t functions = {};
    functions.read = Input::read;
    FILE *file = fopencookie(&input, "r", functions);
    if (!file)
      return false;
    stdin = file;
    isDone = runGuarded(serve);
    stdin = before;
    // A file that the server crashed over may be locked for good.
    if (isDone)
      std::fclose(file);
    else
      recover();
  }
  return true;
}
