//===- Toolkit.cpp - Where a CUDA toolkit is ------------------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Toolkit.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"

#include <cstdlib>

static constexpr const char *kToolkitVariables[] = {"CUDA_HOME", "CUDA_PATH", "CUDA_ROOT"};
static constexpr const char *kToolkitTools[] = {"ptxas", "nvcc"};

llvm::SmallVector<std::string> fsm::toolkitFolders() {
  llvm::SmallVector<std::string> toolkits;
  for (const char *variable : kToolkitVariables)
    if (const char *value = std::getenv(variable); value && *value)
      toolkits.emplace_back(value);
  for (const char *tool : kToolkitTools)
    if (llvm::ErrorOr<std::string> program = llvm::sys::findProgramByName(tool)) {
      llvm::SmallString<128> real;
      if (!llvm::sys::fs::real_path(*program, real))
        toolkits.emplace_back(llvm::sys::path::parent_path(llvm::sys::path::parent_path(real)));
    }
  return toolkits;
}

std::optional<std::string> fsm::findToolkitProgram(llvm::StringRef name) {
  for (const std::string &toolkit : toolkitFolders()) {
    llvm::SmallString<128> path(toolkit);
    llvm::sys::path::append(path, "bin", name);
    if (llvm::sys::fs::can_execute(path))
      return std::string(path);
  }
  if (llvm::ErrorOr<std::string> program = llvm::sys::findProgramByName(name))
    return *program;
  return std::nullopt;
}
