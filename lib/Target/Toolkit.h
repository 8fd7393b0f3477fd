//===- Toolkit.h - Where a CUDA toolkit is ----------------------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_LIB_TARGET_TOOLKIT_H
#define FSM_LIB_TARGET_TOOLKIT_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>

namespace fsm {

/// The folders of CUDA toolkits that CUDA_HOME, CUDA_PATH or CUDA_ROOT name, or that ptxas or nvcc
/// of PATH belong to.
llvm::SmallVector<std::string> toolkitFolders();

/// A program of such a toolkit, or of PATH.
std::optional<std::string> findToolkitProgram(llvm::StringRef name);

} // namespace fsm

#endif // FSM_LIB_TARGET_TOOLKIT_H
