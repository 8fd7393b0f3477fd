//===- LanguageServer.cpp - An editor's messages as input -----------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Messages go the way that they go in fsm-lsp-server: through a session to MLIR's server.
// Input that begins with a header is taken as it is; of other input each line is a message.

#include "DeepStack.h"
#include "Target.h"

#include "fsm/Compiler/Pipelines.h"
#include "fsm/Tools/Lsp/LspSession.h"

#include "llvm/ADT/FunctionExtras.h"
#include "llvm/Support/LSP/Transport.h"
#include "llvm/Support/LogicalResult.h"

#include <cstdlib>
#include <sys/mman.h>
#include <unistd.h>

// As MLIR's library has them (22.1, lib/Tools/mlir-lsp-server/MLIRServer.h and LSPServer.h);
// its own main reads standard input once in a process.
namespace mlir::lsp {
class MLIRServer {
public:
  explicit MLIRServer(
      llvm::function_ref<DialectRegistry &(const llvm::lsp::URIForFile &)> registry);
  ~MLIRServer();

private:
  void *impl = nullptr; // A std::unique_ptr, which the destructor knows.
};
llvm::LogicalResult runMlirLSPServer(MLIRServer &server, llvm::lsp::JSONTransport &transport);
} // namespace mlir::lsp

static std::string framesOf(std::string_view text) {
  if (text.substr(0, 8) == "Content-")
    return std::string(text);
  std::string frames;
  while (!text.empty()) {
    size_t end = std::min(text.find('\n'), text.size());
    frames += "Content-Length: " + std::to_string(end) + "\r\n\r\n";
    frames += text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return frames;
}

/// A file in memory, at its begin.
static int fileOf(std::string_view text) {
  int file = memfd_create("messages", 0);
  if (file < 0 || write(file, text.data(), text.size()) != ssize_t(text.size()))
    std::abort();
  lseek(file, 0, SEEK_SET);
  return file;
}

static void serve(std::FILE *messages, llvm::raw_ostream &answers) {
  mlir::DialectRegistry registry;
  fsm::registerLanguage(registry);
  auto registryOf = [&](const llvm::lsp::URIForFile &) -> mlir::DialectRegistry & {
    return registry;
  };
  mlir::lsp::MLIRServer server(registryOf);
  llvm::lsp::JSONTransport transport(messages, answers);
  llvm::lsp::Logger::setLogLevel(llvm::lsp::Logger::Level::Error);
  (void)mlir::lsp::runMlirLSPServer(server, transport);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  int input = fileOf(framesOf({reinterpret_cast<const char *>(data), size}));
  llvm::raw_null_ostream answers;
  fsm::LspSession session(input, answers);
  fsm::fuzz::onDeepStack([&] { session.run([&] { serve(stdin, answers); }); });
  close(input);
  return 0;
}
