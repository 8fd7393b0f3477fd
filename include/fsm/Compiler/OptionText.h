//===- OptionText.h - Options of a compile as text --------------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_COMPILER_OPTIONTEXT_H
#define FSM_COMPILER_OPTIONTEXT_H

#include "fsm/Compiler/CompileOptions.h"
#include "fsm/Support/Result.h"

#include <string_view>

namespace fsm {

/// Sets an option by its text `KEY=VALUE`, as pipelines print it: `num-warps=4`, `strict=true`,
/// `arguments=16+noalias,one,`. The keys are the flags of CompileOptions.def. An error names those
/// that there are, or what the value must be.
Result<void> setOption(CompileOptions &options, std::string_view text);

} // namespace fsm

#endif // FSM_COMPILER_OPTIONTEXT_H
