//===- PrecompiledMLIR.h - Headers of tests of MLIR code --------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_UNIT_PRECOMPILEDMLIR_H
#define FSM_UNIT_PRECOMPILEDMLIR_H

#include "Precompiled.h"
#include "fsm/IR/Precompiled.h"

#endif // FSM_UNIT_PRECOMPILEDMLIR_H
