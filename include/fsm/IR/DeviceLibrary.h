//===- DeviceLibrary.h - Functions of a library ----------------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_IR_DEVICELIBRARY_H
#define FSM_IR_DEVICELIBRARY_H

#include "llvm/ADT/StringRef.h"

namespace fsm {

/// How the names of libdevice's functions begin.
inline constexpr llvm::StringLiteral kLibdevicePrefix = "__nv_";

} // namespace fsm

#endif // FSM_IR_DEVICELIBRARY_H
