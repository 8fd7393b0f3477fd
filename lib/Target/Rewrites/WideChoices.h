//===- WideChoices.h - Choices in front of roundings -------------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_LIB_TARGET_WIDECHOICES_H
#define FSM_LIB_TARGET_WIDECHOICES_H

#include "llvm/IR/Function.h"

namespace fsm {

/// A float of 16 bits that was rounded from f32, or else a constant, is chosen in front of the
/// rounding, as kernels have it: two are rounded by one instruction into the halves of a register,
/// and would be taken out, chosen each, and put together again. LLVM's passes move a choice behind
/// a rounding (docs/decisions/0176-words-compared-with-a-limit.md).
void chooseBeforeRounding(llvm::Function &function);

} // namespace fsm

#endif // FSM_LIB_TARGET_WIDECHOICES_H
