//===- Guarded.h - The last net under the compiler -------------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_COMPILER_GUARDED_H
#define FSM_COMPILER_GUARDED_H

#include "fsm/Compiler/Compiler.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace fsm {

/// Runs `work` on a thread with a deep stack, for LLVM recurses over what it
/// reads. False when it crashed, the end of that stack included; what it held is leaked then.
/// A crash on another thread that `work` starts is not caught.
bool runGuarded(llvm::function_ref<void()> work);

/// What a user is told then.
std::string crashText(const std::string &fileName);

/// An error of a source with notes for the parameters whose values stand where it is.
Error withParameters(Error error, const Source &source);

/// The result of `work`, or an Internal error when it crashed.
template <typename T, typename Work>
Result<T> guarded(const Source &source, Work work) {
  Result<T> result = Error{Error::Kind::Internal, crashText(source.fileName)};
  runGuarded([&] { result = work(); });
  if (result)
    return result;
  return withParameters(result.error(), source);
}

} // namespace fsm

#endif // FSM_COMPILER_GUARDED_H
