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

/// On a kernel, without a value: on a GPU its functions of `math` are those of CUDA's libdevice
/// instead of FSM's own. The compiler writes it when CompileOptions names the library.
inline constexpr llvm::StringLiteral kLibdeviceAttr = "fsm.libdevice";

/// How the names of libdevice's functions begin.
inline constexpr llvm::StringLiteral kLibdevicePrefix = "__nv_";

} // namespace fsm

#endif // FSM_IR_DEVICELIBRARY_H
