//===- Parameters.h - The parameters of a file -----------------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_LIB_SOURCE_PARAMETERS_H
#define FSM_LIB_SOURCE_PARAMETERS_H

#include "fsm/Support/Result.h"

#include <map>
#include <string>
#include <string_view>

namespace fsm {

/// The text with each `${NAME}` outside of comments and strings replaced by the value that
/// the text declares or `parameters` gives. It never grows beyond kMaxSourceBytes.
Result<std::string> substituteParameters(std::string_view text, const std::string &fileName,
                                         const std::map<std::string, std::string> &parameters);

} // namespace fsm

#endif // FSM_LIB_SOURCE_PARAMETERS_H
