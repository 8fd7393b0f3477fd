//===- LspMain.h - The language server -------------------------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_TOOLS_LSP_LSPMAIN_H
#define FSM_TOOLS_LSP_LSPMAIN_H

namespace fsm {

/// `fsm-lsp-server`: mlir-lsp-server for kernels, whose `${NAME}` parameters it
/// reads with their declared defaults. Returns the exit code.
int lspMain(int argc, char **argv);

} // namespace fsm

#endif // FSM_TOOLS_LSP_LSPMAIN_H
