//===- Printable.h - Foreign text made safe to print -----------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_ARTIFACT_PRINTABLE_H
#define FSM_ARTIFACT_PRINTABLE_H

#include <string>
#include <string_view>

namespace fsm {

/// `text` with everything that could steer a terminal or mislead a reader -
/// control characters, bytes that are no UTF-8, bidirectional overrides - as
/// \xNN. At most `limit` bytes of it are shown, then "...".
std::string printable(std::string_view text, size_t limit = 256);

} // namespace fsm

#endif // FSM_ARTIFACT_PRINTABLE_H
