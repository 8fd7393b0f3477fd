//===- JitLog.h - What the driver's compiler says of PTX --------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_LIB_RUNTIME_JITLOG_H
#define FSM_LIB_RUNTIME_JITLOG_H

#include <string>
#include <string_view>

namespace fsm::cuda {

/// One complaint a line, located: `source:line:column: error: <what> (PTX line
/// N)`, by the last `.loc` before the PTX line it is about, or `@kernel.ptx:N:
/// error: <what>` if there is none. Lines of the log that name no line of the PTX
/// follow as they are.
std::string locateJitLog(std::string_view log, std::string_view ptx, const std::string &kernel);

} // namespace fsm::cuda

#endif // FSM_LIB_RUNTIME_JITLOG_H
