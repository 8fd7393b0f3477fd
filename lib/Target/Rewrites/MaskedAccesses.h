//===- MaskedAccesses.h - What LLVM would access wrongly ------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_TARGET_MASKEDACCESSES_H
#define FSM_TARGET_MASKEDACCESSES_H

#include "llvm/IR/Function.h"

namespace fsm {

/// Stores a single element by itself. LLVM 22 makes such a store of a masked one as well, but
/// forgets that the elements were shortened for it, and stores all bytes that they had.
void storeSingleElements(llvm::Function &function);

/// Takes masked accesses to vectors longer than `registerBits`, of which a register's part is known
/// to be masked off, apart into registers. LLVM 22 does so for AVX2, looks at the sign bits of that
/// part's mask alone, so that ones do for zeros, and then loads all of it, for the mask is all ones
/// (test/Fuzz/parts-masked-off.mlir).
void splitMaskedAccesses(llvm::Function &function, unsigned registerBits);

} // namespace fsm

#endif // FSM_TARGET_MASKEDACCESSES_H
