//===- fsm-lsp-server.cpp - The language server --------------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Tools/Lsp/LspMain.h"

int main(int argc, char **argv) { return fsm::lspMain(argc, argv); }
