//===- RowEnds.h - A plan: where rows of loops begin and end ---*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_TRANSFORMS_HOST_ROWENDS_H
#define FSM_TRANSFORMS_HOST_ROWENDS_H

#include "fsm/IR/FSMDialect.h"

namespace fsm {

/// Decides, once loops have their numbers and accesses their strides, which loops end with the mask
/// of their rows (`fsm.host_ends`); which of those that would begin at a line
/// (`fsm.host_from_line`) may; and where pages are touched before rows are stored
/// (`fsm.host_touch_pages`), for which ops that compute addresses may move to the front.
void planRowEnds(KernelOp kernel);

} // namespace fsm

#endif // FSM_TRANSFORMS_HOST_ROWENDS_H
