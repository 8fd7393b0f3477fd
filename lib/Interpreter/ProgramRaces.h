//===- ProgramRaces.h - Which programs touched which bytes -----*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_INTERPRETER_PROGRAMRACES_H
#define FSM_INTERPRETER_PROGRAMRACES_H

#include "ProgramOrder.h"

#include "mlir/IR/Operation.h"

#include <map>
#include <optional>
#include <unordered_map>

namespace fsm::interpreter {

/// Remembers who touched which bytes in a launch, and finds accesses of two programs that race:
/// one of them writes, they are not both atomic or volatile, and nothing orders them. Two stores of
/// the same value do not race (docs/decisions/0062-races-between-programs.md).
///
/// Programs run one after the other, so of accesses that nothing orders the first of each kind is
/// enough: a later program that races with any races with it. Where programs acquire, all are kept
/// that are not known to come before another, 16 of a place at most.
///
/// Memory is described in cells of as many bytes as the accesses to a stretch of it have, only
/// where it is touched.
class ProgramRaces {
public:
  /// `ordersPrograms`: the kernel has atomics that acquire or release.
  explicit ProgramRaces(bool ordersPrograms) : ordersPrograms(ordersPrograms) {}

  /// An op, while it is executed.
  struct Touch {
    uint32_t site;
    bool reads, writes, isStrong;
  };
  /// What another program did that races with this.
  struct Race {
    uint32_t program;
    mlir::Operation *op;
  };

  ProgramOrder order;

  /// `isStrong`: it is atomic or volatile, as seen from the other programs.
  Touch begin(mlir::Operation *op, bool reads, bool writes, bool isStrong);
  /// Notes an access of one element, whose address is a multiple of `bytes`; `stored` is what a
  /// store is about to put there.
  std::optional<Race> access(const Touch &touch, uint64_t address, uint32_t bytes,
                             const uint64_t *stored);

  /// What an atomic finds in a place, and what it leaves there.
  ProgramOrder::Message messageAt(uint64_t address) const;
  void setMessage(uint64_t address, uint32_t bytes, ProgramOrder::Message message);

private:
  void forget(uint64_t address, uint32_t bytes, bool isStrong);
  static constexpr uint32_t kNobody = ~uint32_t(0);
  static constexpr uint64_t kStretchBytes = 4096;
  static constexpr size_t kMostKept = 16;
  static constexpr uint64_t kWidestAtomic = 8;

  struct Record {
    uint32_t program = kNobody;
    uint32_t site : 31;
    /// Of a store: the program has stored other values before, and told nobody since.
    uint32_t isMixed : 1;
    uint32_t clock = 0;
    Record() : site(0), isMixed(0) {}
    Record(uint32_t program, uint32_t site, uint32_t clock)
        : program(program), site(site & 0x7fffffff), isMixed(0), clock(clock) {}
  };
  /// Of cells that strong accesses touched, or several programs that others may come behind.
  struct More {
    std::vector<Record> reads, writes, strongReads, strongWrites;
  };
  struct Stretch {
    uint32_t bytesPerCell = 0;
    bool hasMore = false;
    /// Of plain accesses; empty until there is one.
    std::vector<Record> reads, writes;
  };

  Stretch &stretchAt(uint64_t address, uint32_t bytes);
  void split(Stretch &stretch, uint64_t first, uint32_t bytes);
  bool isUnordered(const Record &record) {
    return record.program != kNobody && !order.isBefore(record.program, record.clock);
  }
  const Record *firstUnordered(const std::vector<Record> &records);
  const Record *findRace(const Touch &touch, const Stretch &stretch, size_t cell, const More *more,
                         bool keepsValue);
  void note(const Touch &touch, Stretch &stretch, size_t cell, uint64_t address, bool keepsValue);
  void note(Record record, Stretch &stretch, bool isRead, size_t cell, uint64_t address,
            bool keepsValue);
  void keep(std::vector<Record> &records, const Record &record);

  const bool ordersPrograms;
  std::vector<mlir::Operation *> sites;
  llvm::DenseMap<mlir::Operation *, uint32_t> siteOf;
  /// By the address in kStretchBytes.
  std::unordered_map<uint64_t, Stretch> stretches;
  uint64_t lastNumber = ~uint64_t(0);
  Stretch *last = nullptr;
  /// By the address of the cell.
  std::unordered_map<uint64_t, More> more;
  /// What an atomic's element says; by its address.
  struct Said {
    ProgramOrder::Message message;
    uint32_t bytes;
  };
  std::map<uint64_t, Said> messages;
};

} // namespace fsm::interpreter

#endif // FSM_INTERPRETER_PROGRAMRACES_H
