//===- LspMain.cpp - The language server ---------------------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Tools/Lsp/LspMain.h"

#include "fsm/Compiler/Pipelines.h"
#include "fsm/Tools/Lsp/LspSession.h"
#include "fsm/Tools/Version.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"
#include "llvm/Support/CommandLine.h"

#include <cstdio>
#include <set>
#include <unistd.h>

/// Takes the options off LLVM's list that a crashed server has left there: they were on its
/// stack, so nothing may look at them.
static void forgetOptionsBut(const std::set<std::string> &names) {
  auto &options = llvm::cl::getRegisteredOptions();
  std::vector<std::string> left;
  for (const auto &entry : options)
    if (!names.count(entry.first.str()))
      left.push_back(entry.first.str());
  for (const std::string &name : left)
    options.erase(name);
}

int fsm::lspMain(int argc, char **argv) {
  mlir::DialectRegistry registry;
  registerLanguage(registry);
  mlir::registerMLIRContextCLOptions();
  std::set<std::string> names;
  for (const auto &entry : llvm::cl::getRegisteredOptions())
    names.insert(entry.first.str());
  llvm::cl::AddExtraVersionPrinter(
      [](llvm::raw_ostream &stream) { stream << versionText("fsm-lsp-server") << "\n"; });
  // The first server reads the option for all; the net does not reach to other threads.
  static char oneThread[] = "--mlir-disable-threading";
  std::vector<char *> words(argv, argv + argc);
  words.push_back(oneThread);
  bool isWell = false;
  LspSession session(STDIN_FILENO, llvm::outs());
  bool isServed = session.run([&] {
    forgetOptionsBut(names);
    std::vector<char *> taken = std::exchange(words, std::vector<char *>(argv, argv + argc));
    isWell = mlir::succeeded(mlir::MlirLspServerMain(taken.size(), taken.data(), registry));
  });
  if (!isServed)
    std::perror("fsm-lsp-server: cannot read standard input");
  return isServed && isWell ? 0 : 1;
}
