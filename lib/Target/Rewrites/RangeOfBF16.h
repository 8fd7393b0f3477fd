//===- RangeOfBF16.h - Numbers of bf16 that become f16 ----------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_LIB_TARGET_RANGEOFBF16_H
#define FSM_LIB_TARGET_RANGEOFBF16_H

namespace llvm {
class Function;
} // namespace llvm

namespace fsm {

/// Widens bf16 by bits where something is rounded to f16. InstCombine of LLVM 22 computes in f16
/// what is made of bf16 and rounded to that, for bf16 has fewer bits; but larger and smaller
/// numbers (docs/decisions/0209-bf16-reaches-further.md). Runs in front of it.
void keepRangeOfBF16(llvm::Function &function);

} // namespace fsm

#endif // FSM_LIB_TARGET_RANGEOFBF16_H
