//===- LongCode.h - Code of kernels without end ----------------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_TARGET_LONGCODE_H
#define FSM_TARGET_LONGCODE_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/CodeGen.h"
#include "llvm/Target/TargetMachine.h"

namespace fsm {

/// Whether a module has so many instructions that passes of the back end whose time grows with the
/// square of them would be noticed. Kernels of a few hundred ops are far below.
bool isLongCode(const llvm::Module &module);

/// Runs the back end for NVPTX over long code, leaving out what takes so much time: ptxas does all
/// of it once more. Blocks are cut, for the instructions of each are selected as one graph. False
/// when it cannot write such a file.
bool generateLongCode(llvm::Module &module, llvm::TargetMachine &machine,
                      llvm::SmallVectorImpl<char> &code);

/// Whether a block is so long that to schedule it would be noticed: for each use of a value the
/// host's scheduler looks at all uses before it.
bool hasLongBlock(const llvm::Module &module);

/// Runs the back end, and leaves instructions in the order in which they were selected. False when
/// it cannot write such a file.
bool generateUnscheduled(llvm::Module &module, llvm::TargetMachine &machine,
                         llvm::CodeGenFileType type, llvm::SmallVectorImpl<char> &code);

} // namespace fsm

#endif // FSM_TARGET_LONGCODE_H
