//===- Link.h - A kernel with the functions it calls ------------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_LIB_SIMULATOR_PROGRAM_LINK_H
#define FSM_LIB_SIMULATOR_PROGRAM_LINK_H

#include "../Text/Ptx.h"
#include "fsm/Support/Result.h"

namespace fsm::sim {

/// One run of instructions with one set of registers; variables are replaced
/// by their addresses.
struct Linked {
  std::vector<Instruction> code;
  std::vector<std::string> registerNames;
  uint64_t sharedBytes = 0, localBytes = 0;
  /// Some copies read global memory: who wrote it is of interest.
  bool copiesFromGlobal = false;
  /// How many stores there are that may be to global memory.
  uint32_t stores = 0;

  /// Whether anything lets a thread learn of what another block did.
  bool hasAcquire() const;
  /// "PTX line 20 (source line 5)"
  std::string lineOf(uint32_t pc) const;
};

/// Links a kernel. Dynamic shared memory begins where the static ends and is
/// part of `sharedBytes`.
Result<Linked> link(const Program &program, const Function &kernel, uint32_t dynamicSharedBytes,
                    const std::map<std::string, uint64_t> &globals);

} // namespace fsm::sim

#endif // FSM_LIB_SIMULATOR_PROGRAM_LINK_H
