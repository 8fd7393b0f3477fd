//===- DebugReport.cpp - What a launch's programs have said --------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DebugReport.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <tuple>

using namespace fsm;

//===----------------------------------------------------------------------===//
// Lines
//===----------------------------------------------------------------------===//

/// What a kernel says is no result, so it does not go where results go.
void LimitedPrint::pass(const std::string &text) const {
  if (options.print)
    return options.print(text);
  std::fflush(stdout);
  std::fprintf(stderr, "%s\n", text.c_str());
}

void LimitedPrint::line(const std::string &text) {
  if (passed == options.printRecords) {
    ++lost;
    return;
  }
  ++passed;
  pass(text);
}

void LimitedPrint::finish() {
  if (lost)
    pass("lost " + std::to_string(lost) + (lost == 1 ? " printed line" : " printed lines") +
         ": the launch keeps " + std::to_string(options.printRecords));
}

//===----------------------------------------------------------------------===//
// The order of the lines
//===----------------------------------------------------------------------===//

// An element of an op is always recorded by the same thread, whose records stand in the order
// in which it wrote them: its k-th record of the element is of the op's k-th execution.
// One thread records the first element of every operand, so its records tell in which order
// the executions of different ops came. Of an execution that lost that record it is not
// known; it comes last.

namespace {
using Program = std::tuple<int32_t, int32_t, int32_t>;
/// An op's number, and which of its executions.
using Execution = std::pair<uint32_t, uint64_t>;

/// One program's records, in the order of the buffer.
class ProgramRecords {
public:
  void add(const DebugRecord &record) {
    uint64_t execution = counts[{record.op, record.value, record.element}]++;
    if (record.value == 0 && record.element == 0)
      order.emplace(Execution(record.op, execution), order.size());
    records.push_back({record, execution});
  }

  void appendSorted(std::vector<DebugRecord> &to) {
    using Key = std::tuple<uint64_t, uint64_t, uint32_t, uint32_t, uint32_t>;
    auto keyOf = [&](const Entry &entry) {
      const DebugRecord &record = entry.record;
      auto place = order.find({record.op, entry.execution});
      uint64_t when = place == order.end() ? UINT64_MAX : place->second;
      return Key(when, entry.execution, record.op, record.value, record.element);
    };
    std::vector<std::pair<Key, const DebugRecord *>> sorted;
    for (const Entry &entry : records)
      sorted.emplace_back(keyOf(entry), &entry.record);
    std::sort(sorted.begin(), sorted.end());
    for (const auto &[key, record] : sorted)
      to.push_back(*record);
  }

private:
  struct Entry {
    DebugRecord record;
    uint64_t execution;
  };
  std::vector<Entry> records;
  std::map<std::tuple<uint32_t, uint32_t, uint32_t>, uint64_t> counts;
  std::map<Execution, uint64_t> order;
};
} // namespace

std::vector<DebugRecord> fsm::sortedRecords(std::vector<DebugRecord> records) {
  std::map<Program, ProgramRecords> programs;
  for (const DebugRecord &record : records)
    programs[{record.program[2], record.program[1], record.program[0]}].add(record);
  records.clear();
  for (auto &[program, own] : programs)
    own.appendSorted(records);
  return records;
}

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

static DebugHeader emptyHeader(uint64_t capacity) {
  DebugHeader header;
  header.capacity = capacity;
  return header;
}

static uint64_t bytesFor(uint64_t capacity) {
  return sizeof(DebugHeader) + capacity * sizeof(DebugRecord);
}

/// Passes the lines of `records` on, and what was lost beyond them.
static Result<void> reportRecords(const std::vector<DebugOp> &ops, const DebugHeader &header,
                                  std::vector<DebugRecord> records, const LaunchOptions &options) {
  LimitedPrint print(options);
  print.lose(header.head - records.size());
  for (const DebugRecord &record : sortedRecords(std::move(records)))
    if (record.op < ops.size())
      print.line(printedLine(ops[record.op], record));
  print.finish();
  if (header.failedProgram < 0 || header.failedOp >= ops.size())
    return {};
  return Error{Error::Kind::Execution,
               failureText(ops[header.failedOp], header.failedId, header.failedElement)};
}

void HostRecords::Free::operator()(void *memory) const { std::free(memory); }

HostRecords::HostRecords(uint64_t capacity)
    : capacity(capacity), memory(std::calloc(1, bytesFor(capacity))) {
  DebugHeader header = emptyHeader(capacity);
  if (memory)
    std::memcpy(memory.get(), &header, sizeof(header));
}

Result<void> HostRecords::report(const std::vector<DebugOp> &ops,
                                 const LaunchOptions &options) const {
  DebugHeader header;
  std::memcpy(&header, memory.get(), sizeof(header));
  // A wild store of the kernel's may have hit the header: its capacity is for programs alone.
  std::vector<DebugRecord> records(std::min(header.head, capacity));
  if (!records.empty())
    std::memcpy(records.data(), static_cast<const char *>(memory.get()) + sizeof(header),
                records.size() * sizeof(DebugRecord));
  return reportRecords(ops, header, std::move(records), options);
}

Result<DeviceRecords> DeviceRecords::allocate(const cuda::Device &device, uint64_t capacity) {
  Result<cuda::Memory> memory = cuda::Memory::allocate(device, bytesFor(capacity));
  if (!memory)
    return memory.error();
  DebugHeader header = emptyHeader(capacity);
  if (Result<void> copied = memory->copyIn(&header, sizeof(header)); !copied)
    return copied.error();
  return DeviceRecords(capacity, std::move(*memory));
}

Result<void> DeviceRecords::read(const std::vector<DebugOp> &ops,
                                 const LaunchOptions &options) const {
  DebugHeader header;
  if (Result<void> copied = memory.copyOut(&header, sizeof(header)); !copied)
    return copied;
  std::vector<DebugRecord> records(std::min(header.head, capacity));
  if (!records.empty())
    if (Result<void> copied =
            memory.copyOut(records.data(), records.size() * sizeof(DebugRecord), sizeof(header));
        !copied)
      return copied;
  return reportRecords(ops, header, std::move(records), options);
}

Result<void> DeviceRecords::report(const Result<void> &done, const std::vector<DebugOp> &ops,
                                   const LaunchOptions &options) const {
  Result<void> reported = read(ops, options);
  return done ? reported : done;
}
