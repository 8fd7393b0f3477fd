//===- SignatureText.h - Signatures as people read them ---------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_TOOLS_RUN_SIGNATURETEXT_H
#define FSM_TOOLS_RUN_SIGNATURETEXT_H

#include "fsm/Compiler/Compiler.h"

#include <optional>
#include <string>

namespace fsm {

/// `%in: !fsm.ptr<f32>`.
std::string argumentText(const KernelArgument &argument);

/// `@softmax(%out: !fsm.ptr<f32>, %in: !fsm.ptr<f32>, %n: i32)`.
std::string signatureText(const KernelSignature &signature);

/// ` grid [ceildiv(%n, 64)]`, or nothing where the kernel states none.
std::string gridText(const KernelSignature &signature);

/// How errors name an argument: `argument 1 '%in: !fsm.ptr<f32>'`.
std::string argumentPlace(const KernelArgument &argument, size_t position);

/// Finds an argument by its position (`1`) or its name (`in` or `%in`).
Result<size_t> findArgument(const KernelSignature &signature, const std::string &reference);

} // namespace fsm

#endif // FSM_TOOLS_RUN_SIGNATURETEXT_H
