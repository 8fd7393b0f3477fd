//===- Reports.cpp - Reports while a launch runs ---------------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Reports.h"

#include "../Threads/Block.h"

using namespace fsm;
using namespace fsm::sim;

std::string_view sim::nameOf(Report::Kind kind) {
  static constexpr std::string_view names[] = {"out of bounds",        "use after free",
                                               "misaligned",           "write to a constant",
                                               "uninitialized memory", "uninitialized register",
                                               "divergent barrier",    "divergent warp",
                                               "shared memory race",   "deadlock",
                                               "too many steps",       "trap",
                                               "asynchronous copy",    "barrier misuse",
                                               "missing proxy fence",  "global memory race",
                                               "asynchronous product", "early access"};
  return names[static_cast<size_t>(kind)];
}

std::string sim::hexadecimal(uint64_t value) {
  std::string digits;
  do
    digits.insert(digits.begin(), "0123456789abcdef"[value % 16]);
  while (value /= 16);
  return "0x" + digits;
}

static std::string text(Extent extent) {
  return "(" + std::to_string(extent.x) + ", " + std::to_string(extent.y) + ", " +
         std::to_string(extent.z) + ")";
}

std::string Report::str() const {
  std::string where = sourceLine ? sourceFile + ":" + std::to_string(sourceLine) + ": " : "";
  return where + std::string(nameOf(kind)) + ": " + message + "; kernel '" + kernel +
         "', PTX line " + std::to_string(ptxLine) + " '" + instruction + "', program " +
         text(block) + ", warp " + std::to_string(warp) + ", lane " + std::to_string(lane) +
         ", thread " + text(thread) + (address ? ", address " + hexadecimal(address) : "") +
         (count > 1 ? ", " + std::to_string(count) + " times" : "");
}

std::string LaunchReport::str() const {
  std::string lines;
  for (const Report &report : reports)
    lines += report.str() + "\n";
  return lines;
}

/// Whether a GPU ends the launch; it does not notice the others.
static bool isFault(Report::Kind kind) {
  switch (kind) {
  case Report::Kind::UninitializedMemory:
  case Report::Kind::UninitializedRegister:
  case Report::Kind::DivergentBarrier:
  case Report::Kind::DivergentWarpSync:
  case Report::Kind::SharedRace:
  case Report::Kind::GlobalRace:
  case Report::Kind::AsyncCopy:
  case Report::Kind::AsyncProduct:
  case Report::Kind::BarrierMisuse:
  case Report::Kind::ProxyFence:
  case Report::Kind::EarlyAccess:
    return false;
  default:
    return true;
  }
}

bool Reports::hasFault() {
  std::lock_guard<std::mutex> lock(mutex);
  return isFaulty;
}

void Reports::add(uint32_t pc, uint32_t otherPc, uint64_t order, Report report) {
  std::lock_guard<std::mutex> lock(mutex);
  isFaulty |= isFault(report.kind);
  const std::tuple key(std::min(pc, otherPc), report.kind, std::max(pc, otherPc));
  auto found = entries.find(key);
  if (found == entries.end()) {
    if (entries.size() < most)
      entries.emplace(key, Entry{order, std::move(report)});
    return;
  }
  Entry &entry = found->second;
  report.count += entry.report.count;
  if (order < entry.order)
    entry = {order, std::move(report)};
  else
    entry.report.count = report.count;
}

std::vector<Report> Reports::take() {
  std::vector<Report> reports;
  for (auto &[key, entry] : entries)
    reports.push_back(std::move(entry.report));
  return reports;
}

void Counting::add(const Counting &other) {
  warpInstructions += other.warpInstructions;
  threadInstructions += other.threadInstructions;
  for (size_t pc = 0; pc < accesses.size(); ++pc) {
    const Access &more = other.accesses[pc];
    accesses[pc].bytes = std::max(accesses[pc].bytes, more.bytes);
    accesses[pc].global.add(more.global.executions, more.global.traffic);
    accesses[pc].shared.add(more.shared.executions, more.shared.traffic);
  }
}
