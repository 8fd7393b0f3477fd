//===- LspFilter.h - Prepares the documents of an editor -------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_TOOLS_LSPFILTER_H
#define FSM_TOOLS_LSPFILTER_H

#include <string>
#include <string_view>

namespace fsm {

/// The JSON text of one message to a language server with the text of every
/// document in it - opened, or changed as a whole - prepared as every user of
/// FSM prepares a source. Anything else stays as it is; so does a document with
/// an error in its parameters, which the server then reports at its place.
std::string prepareLspMessage(std::string_view message);

/// Copies messages from one file descriptor to another, each prepared. Returns
/// when the input ends, the output is closed, or a header makes no sense.
void filterLspStream(int input, int output);

} // namespace fsm

#endif // FSM_TOOLS_LSPFILTER_H
