//===- Artifact.cpp - What comes back from a device as input --------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Nothing reads the JSON of a launch contract: it is for other programs. What FSM does read
// of what others wrote is the buffer of records that a kernel fills, which a wild store of the
// kernel's may have hit, and the log of the driver's compiler.

#include "Target.h"

#include "DebugReport.h"
#include "JitLog.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

using namespace fsm;

static constexpr uint64_t kRecords = 64;

static std::vector<DebugOp> someOps() {
  DebugValue block{ScalarType::F32, false, {4, 3}}, pointer{ScalarType::I64, true, {}};
  DebugValue narrow{ScalarType::F8E4M3FN, false, {5}}, truth{ScalarType::I1, false, {2, 2}};
  return {{false, "k.mlir:1:2", "x", false, {block, pointer}},
          {true, "k.mlir:3:4", "message", false, {truth}},
          {false, "", "", true, {narrow}}};
}

static void report(std::string_view bytes) {
  HostRecords records(kRecords);
  if (!records.isValid())
    return;
  size_t room = sizeof(DebugHeader) + kRecords * sizeof(DebugRecord);
  std::memcpy(records.address(), bytes.data(), std::min(bytes.size(), room));
  LaunchOptions options;
  options.printRecords = 50;
  size_t lines = 0;
  options.print = [&](const std::string &) { ++lines; };
  Result<void> done = records.report(someOps(), options);
  if (lines > options.printRecords + 1 || (!done && done.error().message.empty()))
    std::abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  std::string_view bytes(reinterpret_cast<const char *>(data), size);
  report(bytes);
  size_t end = std::min(bytes.find('\0'), bytes.size());
  (void)cuda::locateJitLog(bytes.substr(0, end), bytes.substr(end), "k");
  return 0;
}
