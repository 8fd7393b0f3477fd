//===- HiddenArgument.cpp - What kernels take besides --------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Artifact/HiddenArgument.h"

using namespace fsm;

std::string_view fsm::hiddenArgumentName(HiddenArgument argument) {
  switch (argument) {
  case HiddenArgument::ProgramCount:
    return "program_count";
  case HiddenArgument::DebugRecords:
    return "debug_records";
  case HiddenArgument::Scratch:
    return "scratch";
  case HiddenArgument::TensorMap:
    return "tensor_map";
  }
  return "";
}

std::optional<HiddenArgument> fsm::findHiddenArgument(std::string_view name) {
  for (HiddenArgument argument : {HiddenArgument::ProgramCount, HiddenArgument::DebugRecords,
                                  HiddenArgument::Scratch, HiddenArgument::TensorMap})
    if (hiddenArgumentName(argument) == name)
      return argument;
  return std::nullopt;
}

uint64_t HiddenValues::bitsOf(HiddenArgument argument) const {
  switch (argument) {
  case HiddenArgument::ProgramCount:
    return static_cast<uint32_t>(programCount);
  case HiddenArgument::DebugRecords:
    return debugRecords;
  case HiddenArgument::Scratch:
    return scratch;
  case HiddenArgument::TensorMap:
    break;
  }
  return 0;
}
