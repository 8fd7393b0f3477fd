//===- LspSession.h - Between an editor and the server ---------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_TOOLS_LSP_LSPSESSION_H
#define FSM_TOOLS_LSP_LSPSESSION_H

#include "fsm/Tools/Lsp/LspFrames.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/LSP/Transport.h"

#include <deque>
#include <map>
#include <optional>
#include <string>

namespace fsm {

/// The messages of an editor to a language server, with the text of every document prepared as
/// every user of FSM prepares a source. A text that is refused is an empty one to the server,
/// and the editor gets the reason as a diagnostic.
///
/// A server that crashed is started again: the editor gets an answer to the request that it
/// crashed over, or a diagnostic at the document, and the new server all other documents.
class LspSession {
public:
  /// Messages of the session itself go where the server writes its own, between those.
  LspSession(int input, llvm::raw_ostream &output)
      : frames(input), editor(std::unique_ptr<llvm::lsp::JSONTransportInput>(), output) {}

  /// The next message, for a server that has done what the last one asks for; nothing at the
  /// end of the input.
  std::optional<std::string> next();

  /// Calls `serve`, which reads messages from standard input until they end, and calls it again
  /// whenever it crashes. False when there is no such standard input.
  bool run(llvm::function_ref<void()> serve);

private:
  /// A document as the server has it.
  struct Document {
    int64_t version = 0;
    std::string text;
    /// Why the text is empty, if it was refused or made the server crash.
    std::string error;
    /// What stands for the parameters that have no default, and whether the editor knows.
    std::map<std::string, std::string> standIns;
    bool isTold = true;
  };

  void prepare(llvm::json::Object &message);
  void prepareText(Document &document, llvm::json::Object &owner);
  void publish(const std::string &uri, Document &document);
  void tellStandIns(const std::string &uri, Document &document);
  void recover();

  LspFrames frames;
  llvm::lsp::JSONTransport editor;
  /// What the server works on.
  std::optional<llvm::json::Object> current;
  /// The URI of the document that it opens or changes.
  std::optional<std::string> touched;
  std::map<std::string, Document> documents;
  /// The documents that a new server gets before the editor's next message.
  std::deque<std::string> lost;
};

} // namespace fsm

#endif // FSM_TOOLS_LSP_LSPSESSION_H
