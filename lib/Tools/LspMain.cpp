//===- LspMain.cpp - The language server ---------------------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Tools/LspMain.h"

#include "fsm/Compiler/Pipelines.h"
#include "fsm/Tools/LspFilter.h"

#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"

#include <csignal>
#include <cstdio>
#include <thread>
#include <unistd.h>

/// Puts a thread between the editor and the server: the server's standard input
/// becomes a pipe of prepared messages. False with errno when that fails.
static bool filterStandardInput() {
  int ends[2];
  int editor = dup(STDIN_FILENO);
  if (editor < 0 || pipe(ends) != 0 || dup2(ends[0], STDIN_FILENO) < 0)
    return false;
  close(ends[0]);
  // A server that has stopped reading ends the thread, not the process.
  std::signal(SIGPIPE, SIG_IGN);
  std::thread([editor, output = ends[1]] {
    fsm::filterLspStream(editor, output);
    close(output);
  }).detach();
  return true;
}

int fsm::lspMain(int argc, char **argv) {
  if (!filterStandardInput()) {
    std::perror("fsm-lsp-server: cannot read standard input");
    return 1;
  }
  mlir::DialectRegistry registry;
  registerDialects(registry);
  return mlir::failed(mlir::MlirLspServerMain(argc, argv, registry)) ? 1 : 0;
}
