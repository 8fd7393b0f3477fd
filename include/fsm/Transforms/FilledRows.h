//===- FilledRows.h - Of which rows a launch says that they fill blocks ---===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_TRANSFORMS_FILLEDROWS_H
#define FSM_TRANSFORMS_FILLEDROWS_H

#include "fsm/IR/FSMDialect.h"

#include <vector>

namespace fsm {

/// The ends of the blocks that begin at a constant and of which masks leave out what is behind a kernel's argument, no one twice; none
/// of a kernel that loops, nor of blocks whose elements have other than 16 bits, or that are whole vectors where no load waits for another
/// one.
std::vector<int64_t> rowBlocksUpTo(mlir::BlockArgument argument);

} // namespace fsm

#endif // FSM_TRANSFORMS_FILLEDROWS_H
