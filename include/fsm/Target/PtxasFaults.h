//===- PtxasFaults.h - What ptxas compiles wrongly -------------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_TARGET_PTXASFAULTS_H
#define FSM_TARGET_PTXASFAULTS_H

namespace llvm {
class Function;
} // namespace llvm

namespace fsm {

/// Writes what ptxas is known to compile wrongly in another way; each case names the version, and
/// docs/decisions what was seen. Runs behind all optimisations, which would write it back.
void avoidPtxasFaults(llvm::Function &function);

} // namespace fsm

#endif // FSM_TARGET_PTXASFAULTS_H
