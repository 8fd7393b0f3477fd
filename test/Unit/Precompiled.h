//===- Precompiled.h - The headers every unit test shares -------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_UNIT_PRECOMPILED_H
#define FSM_UNIT_PRECOMPILED_H

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#endif // FSM_UNIT_PRECOMPILED_H
