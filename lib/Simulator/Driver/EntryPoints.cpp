//===- EntryPoints.cpp - The addresses of the entry points ---------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DriverState.h"

using namespace fsm;
using namespace fsm::driver;

// Only the addresses are taken; the types are those of the definitions.
extern "C" {
#define FSM_ENTRY_POINT(name) void name();
#include "EntryPoints.def"
}

namespace {
struct EntryPoint {
  const char *name;
  void (*address)();
};
constexpr EntryPoint kEntryPoints[] = {
#define FSM_ENTRY_POINT(name) {#name, &name},
#include "EntryPoints.def"
};
} // namespace

void *driver::findEntryPoint(const std::string &symbol) {
  for (const std::string &name : {symbol + "_v2", symbol})
    for (const EntryPoint &entry : kEntryPoints)
      if (name == entry.name)
        return reinterpret_cast<void *>(entry.address);
  return nullptr;
}
