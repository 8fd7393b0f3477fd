//===- KnownFaults.h - What LLVM and ptxas compile wrongly ------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_TARGET_KNOWNFAULTS_H
#define FSM_TARGET_KNOWNFAULTS_H

namespace llvm {
class Function;
} // namespace llvm

namespace fsm {

struct GpuTarget;

/// Writes what LLVM's back end for NVPTX or ptxas is known to compile wrongly in another way; each
/// case names the version, and says where it was seen. Runs behind all optimisations, which would
/// write it back.
void avoidKnownFaults(llvm::Function &function, const GpuTarget &target);

} // namespace fsm

#endif // FSM_TARGET_KNOWNFAULTS_H
