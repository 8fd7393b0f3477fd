//===- TileEnds.h - Of which tiles a launch says that tensors end in them -===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_TRANSFORMS_TILEENDS_H
#define FSM_TRANSFORMS_TILEENDS_H

#include "fsm/IR/FSMDialect.h"

#include <vector>

namespace fsm {

/// How long tiles are along the dimensions that end at a kernel's argument, no length twice: those
/// of a kernel with products in a loop with stages, and of dimensions along which elements do not
/// lie side by side, as far as is known.
std::vector<int64_t> tileExtentsUpTo(mlir::BlockArgument argument);

} // namespace fsm

#endif // FSM_TRANSFORMS_TILEENDS_H
