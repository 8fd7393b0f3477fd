//===- Users.h - Users of one kind ------------------------------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_IR_USERS_H
#define FSM_IR_USERS_H

#include "mlir/IR/Value.h"

namespace fsm {

/// The users of a value that are ops of a kind, as Block::getOps gives the ops of a block.
template <typename OpT>
auto usersOf(mlir::Value value) {
  return llvm::map_range(llvm::make_filter_range(value.getUsers(), llvm::IsaPred<OpT>),
                         [](mlir::Operation *user) { return mlir::cast<OpT>(user); });
}

} // namespace fsm

#endif // FSM_IR_USERS_H
