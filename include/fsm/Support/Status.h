//===- Status.h - What calls from C give -----------------------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_SUPPORT_STATUS_H
#define FSM_SUPPORT_STATUS_H

#include "fsm-c/fsm-status.h"

#include "fsm/Support/Result.h"

namespace fsm {

/// The number by which C knows a kind of error.
inline FsmStatus statusOf(Error::Kind kind) {
  switch (kind) {
  case Error::Kind::BadInput:
    return FSM_BAD_INPUT;
  case Error::Kind::NoDevice:
    return FSM_NO_DEVICE;
  case Error::Kind::Execution:
    return FSM_EXECUTION;
  case Error::Kind::Internal:
    return FSM_INTERNAL;
  }
  return FSM_INTERNAL;
}

/// Refuses a null pointer in the place of something, such as "an engine".
inline Result<void> checkGiven(const void *pointer, const char *what) {
  if (pointer)
    return {};
  return badInput("error: expected " + std::string(what) + ", got a null pointer");
}

} // namespace fsm

#endif // FSM_SUPPORT_STATUS_H
