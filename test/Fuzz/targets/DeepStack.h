//===- DeepStack.h - What is called on a large stack -------------------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_TEST_FUZZ_TARGETS_DEEPSTACK_H
#define FSM_TEST_FUZZ_TARGETS_DEEPSTACK_H

#include "llvm/Support/thread.h"

namespace fsm::fuzz {

/// MLIR recurses over what it reads, in frames that a sanitizer makes several times as
/// large; the compiler's own threads have 64 MiB without one.
template <typename Work>
void onDeepStack(Work work) {
  constexpr unsigned bytes = 512u << 20;
  llvm::thread(std::optional<unsigned>(bytes), work).join();
}

} // namespace fsm::fuzz

#endif // FSM_TEST_FUZZ_TARGETS_DEEPSTACK_H
