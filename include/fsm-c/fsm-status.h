/*===- fsm-status.h - What calls from C give ---------------------*- C -*-===*\
|*
|* Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
\*===----------------------------------------------------------------------===*/

#ifndef FSM_C_FSM_STATUS_H
#define FSM_C_FSM_STATUS_H

#include <stdint.h>

#if defined(__GNUC__)
#define FSM_API __attribute__((visibility("default")))
#else
#define FSM_API
#endif

/* Why a call failed; kinds are those that a caller treats differently. */
typedef int32_t FsmStatus;
enum {
  FSM_OK = 0,
  FSM_BAD_INPUT = 1, /* the caller's text, options or arguments are wrong */
  FSM_NO_DEVICE = 2, /* the machine lacks what was asked for */
  FSM_EXECUTION = 3, /* a kernel was refused or failed while it ran */
  FSM_INTERNAL = 4   /* a defect of FSM itself */
};

#endif /* FSM_C_FSM_STATUS_H */
