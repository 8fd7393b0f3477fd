//===- IRMutation.h - Changes of operands, types and ops ------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_TEST_UNIT_FUZZ_IRMUTATION_H
#define FSM_TEST_UNIT_FUZZ_IRMUTATION_H

#include "Dice.h"

#include "mlir/IR/BuiltinOps.h"

namespace fsm::fuzz {

/// Changes a module in one to three places: operands, result types, attributes,
/// the order and number of ops, regions. What comes out can be printed in its
/// generic form and is usually not valid.
void mutateIR(mlir::ModuleOp module, Dice &dice);

} // namespace fsm::fuzz

#endif // FSM_TEST_UNIT_FUZZ_IRMUTATION_H
