//===- AsyncCopies.h - Copies in flight ------------------------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// What PTX ISA 9.0, 9.7.9.25 "Asynchronous copy" asks for, held to the letter. A copy
// takes place at some moment between its issue and the completion that somebody
// waits for. Until then nothing may read what it writes or change what it reads. So
// the bytes of shared memory that a copy writes are marked from its issue on, and
// accesses to them are reported; what a copy reads is kept at its issue and compared
// when it lands.
//
// Who sees the bytes when they have landed is for SharedRaces to say: a copy that its
// thread waited for is a write of that thread at the time of the wait; one that an
// mbarrier tracks is a write of the mbarrier's engine in the phase it completed.

#ifndef FSM_LIB_SIMULATOR_MEMORY_ASYNCCOPIES_H
#define FSM_LIB_SIMULATOR_MEMORY_ASYNCCOPIES_H

#include "../Threads/Warp.h"
#include "Mbarriers.h"
#include "Memory.h"
#include "TensorBox.h"

#include <deque>
#include <map>
#include <memory>
#include <random>
#include <unordered_map>

namespace fsm::sim {

struct Copy {
  enum class Kind : uint8_t {
    PerThread, ///< cp.async: global to shared, waited for by its thread.
    BulkLoad,  ///< cp.async.bulk global to shared, tracked by an mbarrier.
    BulkStore, ///< cp.async.bulk shared to global, waited for by its thread.
    AsyncStore ///< st.async of a value to shared memory, tracked by an mbarrier.
  };
  Kind kind = Kind::PerThread;
  uint64_t id = 0; ///< 0: unused.
  Origin origin;
  /// The bytes in shared memory; those from `given` on become zero.
  uint64_t shared = 0;
  uint32_t bytes = 0, given = 0;
  uint64_t global = 0;
  uint8_t *data = nullptr; ///< Those of global memory.
  Allocation *allocation = nullptr;
  uint64_t offset = 0; ///< In the allocation.
  /// A tensor's, for a copy of one: its parts are what lies in global memory.
  std::shared_ptr<const TensorBox> box;
  uint64_t map = 0; ///< Where its tensor map is, if in global memory.
  uint64_t mbarrier = 0;
  /// The data has moved early; that nobody may look at it stays.
  bool hasMoved = false;
  /// A bulk store whose thread has waited until its source was read.
  bool isRead = false;
  /// How many writes to global memory the block had made at the issue.
  uint64_t issued = 0;
  /// What the source held at the issue; of an AsyncStore, what it stores.
  std::vector<uint8_t> source;
};

class AsyncCopies {
public:
  explicit AsyncCopies(Block &block);

  // What instructions do; each for one lane. The addresses are checked.
  void issue(Warp &warp, unsigned lane, Copy copy);
  void commit(Warp &warp, unsigned lane, bool isBulk);
  /// Until at most `left` of the thread's groups are in flight.
  void wait(Warp &warp, unsigned lane, uint64_t left);
  /// The same for bulk stores; `isRead`: until their sources are free.
  void waitBulk(Warp &warp, unsigned lane, uint64_t left, bool isRead);
  /// cp.async.mbarrier.arrive: the mbarrier tracks the thread's copies until now.
  void arriveWhenDone(Warp &warp, unsigned lane, uint64_t mbarrier);

  /// Reports an access of another instruction to bytes that copies or mbarriers
  /// have; false if it did.
  bool checkShared(Warp &warp, unsigned lane, uint64_t address, uint64_t offset, uint32_t bytes,
                   bool isWrite);
  void checkGlobal(Warp &warp, unsigned lane, uint64_t address, uint32_t bytes, bool isWrite,
                   bool isUpdate = false);

  /// fence.proxy.tensormap: what a thread has written of maps is released, and of one acquired by a thread.
  void releaseMaps(Warp &warp, unsigned lane);
  void acquireMap(Warp &warp, unsigned lane, uint64_t address);
  /// Reports a map that the block has written and the thread has not acquired; false if it did.
  bool checkMap(Warp &warp, unsigned lane, uint64_t address);

  void noteGlobalWrite(Warp &warp, unsigned lane, uint64_t address, uint32_t bytes);

  /// Nothing else can happen: completes one thing that is under way, if there is any.
  bool completeOne();
  /// Some time has passed: things may complete, as the schedule has it.
  void passTime();
  /// All threads have ended: reports what nobody waited for.
  void finish();

  /// The span of the swizzle with which a copy of a tensor brought a piece of shared memory, which
  /// no other instruction has written since; 0 where that is not so.
  unsigned spanOf(uint64_t piece) const;

  Mbarriers mbarriers;

private:
  /// Copies by their ids.
  struct Thread {
    std::vector<uint64_t> open, openBulk;
    std::deque<std::vector<uint64_t>> groups, bulkGroups;
    /// What mbarriers' engines did of the thread's copies, by engine.
    std::map<size_t, uint64_t> byEngines;
  };
  /// A bulk load or st.async, or an arrival that comes when copies have landed.
  struct Event {
    uint64_t mbarrier = 0;
    Origin origin;
    std::vector<uint64_t> copies;
    bool isArrival = false;
    /// What the thread of an st.async releases: its complete_tx does (PTX ISA, "st.async").
    SharedRaces::Published released;
  };
  struct Marks {
    uint64_t writer = 0, reader = 0;
  };

  Thread &threadOf(const Warp &warp, unsigned lane) { return threads[warp.index * kLanes + lane]; }
  Copy *find(uint64_t id);
  void free(Copy &copy);
  void checkIssue(Warp &warp, const Copy &copy);
  void checkGlobalSource(Warp &warp, const Copy &copy);
  void checkMbarrier(Warp &warp, const Copy &copy);
  void mark(const Copy &copy, uint64_t id);
  void noteSpan(const Copy &copy);
  void move(Copy &copy);
  /// Calls `f` with each word of the source that the block wrote, until it gives true.
  template <typename F>
  bool anyWritten(const Copy &copy, F f) const;
  void checkSource(const Copy &copy);
  template <typename F>
  bool anyOfMap(uint64_t address, F f) const;
  bool checkMapInFlight(const Copy &copy);
  void checkAlive(const Copy &copy);
  void noteSource(const Copy &copy, const SharedRaces::Access &access);
  void checkOtherPrograms(const Copy &copy, bool isWrite);
  void checkOtherPrograms(const Copy &copy, bool isWrite, uint64_t global, uint32_t bytes,
                          const uint8_t *value);
  void landForThread(Warp &warp, unsigned lane, uint64_t id);
  void landForMbarrier(uint64_t id, const Mbarrier &mbarrier);
  void noteRead(Warp &warp, unsigned lane, Copy &copy);
  void perform(size_t index);
  bool movesEarly();
  std::string describe(const Copy &copy) const;

  Block &block;
  std::mt19937_64 random;
  std::vector<Thread> threads;
  std::vector<Copy> copies;
  std::vector<size_t> unused;
  uint64_t serial = 0;
  std::vector<Marks> marks;
  /// See spanOf; empty as long as no copy of a tensor has landed.
  std::vector<uint8_t> spans;
  std::deque<Event> events;
  struct Write {
    SharedRaces::Access access;
    uint64_t number = 0;
  };
  /// The last write of the block to each word of global memory, by the word's number.
  std::unordered_map<uint64_t, Write> written;
  uint64_t writes = 0;
  /// By thread, and by thread and map, how many of these writes there were at its last fence.
  std::unordered_map<size_t, uint64_t> releases;
  std::map<std::pair<size_t, uint64_t>, uint64_t> acquires;
  /// Bulk stores that nobody has waited for to the end.
  std::vector<uint64_t> stores;
};

} // namespace fsm::sim

#endif // FSM_LIB_SIMULATOR_MEMORY_ASYNCCOPIES_H
