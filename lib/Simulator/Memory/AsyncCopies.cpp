//===- AsyncCopies.cpp - Copies in flight --------------------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AsyncCopies.h"

#include "../Threads/Block.h"
#include "AsyncProducts.h"

#include <algorithm>
#include <cstring>

using namespace fsm;
using namespace fsm::sim;

/// Bits of a copy's id that say where it is kept.
static constexpr unsigned kSlotBits = 24;

AsyncCopies::AsyncCopies(Block &block)
    : mbarriers(block), block(block), random(block.seed() ^ 0xc0b1e5),
      threads(block.paddedThreads()) {}

Copy *AsyncCopies::find(uint64_t id) {
  size_t slot = id & ((uint64_t(1) << kSlotBits) - 1);
  return id && slot < copies.size() && copies[slot].id == id ? &copies[slot] : nullptr;
}

void AsyncCopies::free(Copy &copy) {
  copy.id = 0;
  copy.source.clear();
  unused.push_back(static_cast<size_t>(&copy - copies.data()));
}

/// "the copy of warp 0 lane 3 at PTX line 20 (source line 5)"
std::string AsyncCopies::describe(const Copy &copy) const {
  return std::string(copy.kind == Copy::Kind::AsyncStore ? "the store" : "the copy") + " of warp " + std::to_string(copy.origin.warp) + " lane " +
         std::to_string(copy.origin.lane) + " at " + block.lineOf(copy.origin.pc);
}

namespace {
/// Bytes of global memory that a copy reads or writes.
struct Range {
  uint64_t global = 0;
  uint32_t bytes = 0;
};
} // namespace

/// Calls `f` with each of them; of a load, `all` are those that are taken.
template <typename F>
static void forRanges(const Copy &copy, F f) {
  if (copy.kind == Copy::Kind::AsyncStore)
    return;
  if (!copy.box)
    return f(Range{copy.global, copy.kind == Copy::Kind::BulkStore ? copy.bytes : copy.given});
  for (const TensorPart &part : copy.box->parts)
    f(Range{part.global, part.bytes});
}

/// Whether a copy that was issued now moves its data at once. Both are legal.
bool AsyncCopies::movesEarly() {
  switch (block.landing()) {
  case LaunchOptions::Landing::First:
    return true;
  case LaunchOptions::Landing::Last:
    return false;
  default:
    return random() & 1;
  }
}

//===----------------------------------------------------------------------===//
// Issue
//===----------------------------------------------------------------------===//

/// What a copy writes must be free when it is issued, and what it reads be there: the
/// first byte for which that does not hold is reported.
void AsyncCopies::checkIssue(Warp &warp, const Copy &copy) {
  const bool isWrite = copy.kind != Copy::Kind::BulkStore;
  // st.async is of the generic proxy.
  const bool isBulk = copy.kind == Copy::Kind::BulkLoad || !isWrite;
  const unsigned lane = copy.origin.lane;
  const std::string verb = copy.kind == Copy::Kind::AsyncStore ? "writes byte "
                           : isWrite                           ? "copies to byte "
                                                               : "copies byte ";
  if (!isWrite) // Two stores to one place, and none is known to come first.
    forRanges(copy, [&](const Range &range) {
      checkGlobal(warp, lane, range.global, range.bytes, true, copy.box && copy.box->update);
    });
  if (!checkShared(warp, lane, copy.shared, copy.shared, copy.bytes, isWrite))
    return;
  for (uint64_t byte = copy.shared; byte < copy.shared + copy.bytes; ++byte) {
    if (!isWrite && !block.sharedInitialized[byte])
      return block.report(warp, Report::Kind::UninitializedMemory, lane, copy.shared,
                          "copies byte " + std::to_string(byte) +
                              " of shared memory, which was never written");
    auto race = block.races.checkCopy(byte, warp.index, lane, isWrite, isBulk);
    if (!race)
      continue;
    return block.report(warp,
                        race->isUnfenced ? Report::Kind::ProxyFence : Report::Kind::SharedRace,
                        lane, copy.shared,
                        verb + std::to_string(byte) + " of shared memory, " + block.describeRace(*race));
  }
  constexpr uint64_t piece = SharedRaces::kPieceBytes;
  for (uint64_t at = copy.shared / piece; isWrite && at * piece < copy.shared + copy.bytes; ++at)
    if (auto race = block.races.unorderedProduct(at, warp.index, lane))
      return block.report(warp, Report::Kind::SharedRace, lane, copy.shared,
                          verb + std::to_string(std::max(at * piece, copy.shared)) +
                              " of shared memory, " + block.describeRace(*race));
}

static constexpr uint64_t kWordBytes = 4;

void AsyncCopies::noteGlobalWrite(Warp &warp, unsigned lane, uint64_t address, uint32_t bytes) {
  Write write{block.races.now(warp.index, lane, warp.pc()), ++writes};
  for (uint64_t word = address / kWordBytes; word * kWordBytes < address + bytes; ++word)
    written[word] = write;
}

template <typename F>
bool AsyncCopies::anyWritten(const Copy &copy, F f) const {
  if (written.empty() || copy.kind == Copy::Kind::BulkStore)
    return false;
  bool isFound = false;
  forRanges(copy, [&](const Range &range) {
    const uint64_t end = range.global + range.bytes;
    for (uint64_t word = range.global / kWordBytes; !isFound && word * kWordBytes < end; ++word)
      if (auto found = written.find(word); found != written.end())
        isFound = f(word, found->second);
  });
  return isFound;
}

static std::string writer(const SharedRaces::Access &access) {
  return "warp " + std::to_string(access.warp) + " lane " +
         std::to_string(__builtin_ctz(access.lanes));
}

/// What the block itself wrote a copy may read as far as a load might, and a bulk copy
/// behind a proxy fence only.
void AsyncCopies::checkGlobalSource(Warp &warp, const Copy &copy) {
  const bool isBulk = copy.kind == Copy::Kind::BulkLoad;
  const unsigned lane = copy.origin.lane;
  anyWritten(copy, [&](uint64_t word, const Write &write) {
    auto race =
        block.races.checkCopy(write.access, true, warp.index, lane, SharedRaces::OfGlobal, isBulk);
    if (!race)
      return false;
    block.report(
        warp, race->isUnfenced ? Report::Kind::ProxyFence : Report::Kind::AsyncCopy, lane,
        word * kWordBytes,
        "copies global memory that " + writer(write.access) + " wrote at " +
            block.lineOf(write.access.pc) +
            (race->isUnfenced ? " with no fence.proxy.async between" : " with no barrier between"));
    return true;
  });
}

/// The engine finds the mbarrier only behind a fence of its making.
void AsyncCopies::checkMbarrier(Warp &warp, const Copy &copy) {
  const Mbarrier *mbarrier =
      copy.kind == Copy::Kind::BulkLoad ? mbarriers.find(copy.mbarrier) : nullptr;
  const unsigned lane = copy.origin.lane;
  if (!mbarrier || !block.races.isOrdered(mbarrier->initialized, warp.index, lane) ||
      !block.races.checkCopy(mbarrier->initialized, true, warp.index, lane,
                             SharedRaces::OfMbarriers, true))
    return;
  block.report(warp, Report::Kind::ProxyFence, lane, copy.mbarrier,
               "is tracked by the mbarrier at byte " + std::to_string(copy.mbarrier) +
                   " of shared memory, which " + writer(mbarrier->initialized) + " made at " +
                   block.lineOf(mbarrier->initialized.pc) +
                   " with no fence.proxy.async or fence.mbarrier_init between");
}

void AsyncCopies::mark(const Copy &copy, uint64_t id) {
  if (marks.empty())
    marks.resize(block.shared.size());
  for (uint64_t byte = copy.shared; byte < copy.shared + copy.bytes; ++byte) {
    uint64_t &mark = copy.kind == Copy::Kind::BulkStore ? marks[byte].reader : marks[byte].writer;
    if (id || mark == copy.id)
      mark = id;
  }
}

void AsyncCopies::issue(Warp &warp, unsigned lane, Copy copy) {
  copy.origin = {warp.pc(), warp.index, lane};
  checkIssue(warp, copy);
  checkGlobalSource(warp, copy);
  if (copy.kind != Copy::Kind::BulkStore)
    checkOtherPrograms(copy, false);
  checkMbarrier(warp, copy);
  if (unused.empty()) {
    unused.push_back(copies.size());
    copies.emplace_back();
  }
  size_t slot = unused.back();
  unused.pop_back();
  copy.id = ++serial << kSlotBits | slot;
  copy.issued = writes;
  const uint8_t *from =
      copy.kind == Copy::Kind::BulkStore ? block.shared.data() + copy.shared : copy.data;
  if (copy.box && copy.kind == Copy::Kind::BulkLoad)
    copy.source = copy.box->gather();
  else if (copy.kind != Copy::Kind::AsyncStore)
    copy.source.assign(from, from + copy.given);
  mark(copy, copy.id);
  const uint64_t id = copy.id;
  const bool isEarly = movesEarly();
  copies[slot] = std::move(copy);
  if (isEarly)
    move(copies[slot]);
  Thread &thread = threadOf(warp, lane);
  switch (copies[slot].kind) {
  case Copy::Kind::PerThread:
    thread.open.push_back(id);
    return;
  case Copy::Kind::BulkStore:
    thread.openBulk.push_back(id);
    stores.push_back(id);
    return;
  case Copy::Kind::BulkLoad:
  case Copy::Kind::AsyncStore:
    events.push_back({copies[slot].mbarrier, copies[slot].origin, {id}, false, {}});
    if (copies[slot].kind == Copy::Kind::AsyncStore)
      block.races.release(warp.index, uint32_t(1) << lane, events.back().released);
    if (isEarly)
      perform(events.size() - 1);
  }
}

//===----------------------------------------------------------------------===//
// Landing
//===----------------------------------------------------------------------===//

void AsyncCopies::move(Copy &copy) {
  if (copy.hasMoved)
    return;
  copy.hasMoved = true;
  uint8_t *shared = block.shared.data() + copy.shared;
  if (copy.kind == Copy::Kind::AsyncStore) {
    std::copy(copy.source.begin(), copy.source.end(), shared);
    return;
  }
  if (copy.box && copy.kind == Copy::Kind::BulkStore)
    return copy.box->scatter(shared);
  if (copy.box) {
    const std::vector<uint8_t> box = copy.box->gather();
    std::copy(box.begin(), box.end(), shared);
    return;
  }
  if (copy.kind == Copy::Kind::BulkStore) {
    std::memcpy(copy.data, shared, copy.bytes);
    return copy.allocation->setInitialized(copy.offset, copy.bytes);
  }
  if (copy.given)
    std::memcpy(shared, copy.data, copy.given);
  std::memset(shared + copy.given, 0, copy.bytes - copy.given);
}

/// 9.7.9.25.1: modifying the source before the copy completes is undefined. What other
/// instructions do to shared memory is seen there; what other blocks do to global memory
/// is seen if it changes a byte.
void AsyncCopies::checkSource(const Copy &copy) {
  bool isReported = checkMapInFlight(copy) || anyWritten(copy, [&](uint64_t word, const Write &write) {
    if (write.number <= copy.issued)
      return false;
    block.reportAt(copy.origin, Report::Kind::AsyncCopy, word * kWordBytes,
                   "what this copy reads was written by " + writer(write.access) + " at " +
                       block.lineOf(write.access.pc) + " while it was in flight");
    return true;
  });
  const std::vector<uint8_t> box = copy.box ? copy.box->gather() : std::vector<uint8_t>();
  const uint8_t *now = copy.box ? box.data() : copy.data;
  for (uint32_t byte = 0; !isReported && byte < copy.given; ++byte)
    if (now[byte] != copy.source[byte])
      return block.reportAt(copy.origin, Report::Kind::AsyncCopy, copy.global + byte,
                            "byte " + std::to_string(byte) +
                                " of what this copy reads was changed while it was in flight");
}

/// A block's shared memory is gone with its threads, whoever tracks what comes.
void AsyncCopies::checkAlive(const Copy &copy) {
  if (copy.kind != Copy::Kind::AsyncStore)
    return;
  const auto rank = static_cast<unsigned>(copy.shared / block.sharedBase(1));
  if (block.hasExited(rank))
    block.reportAt(copy.origin, Report::Kind::OutOfBounds, copy.shared,
                   "what this writes comes to shared memory of the block of rank " +
                       std::to_string(rank) + " when its threads have ended");
}

/// A copy has read global memory, and whoever writes there must come behind that.
void AsyncCopies::noteSource(const Copy &copy, const SharedRaces::Access &access) {
  if (GlobalRaces *races = block.launch.globalRaces)
    forRanges(copy, [&](const Range &range) {
      races->noteRead(block, {access, block.linearId}, range.global, range.bytes);
    });
}

/// What other programs did must be over before a copy begins, or comes to its end where it writes.
/// Of its own block checkGlobalSource and checkGlobal say more.
void AsyncCopies::checkOtherPrograms(const Copy &copy, bool isWrite) {
  if (copy.kind == Copy::Kind::AsyncStore)
    return;
  if (!copy.box)
    return checkOtherPrograms(copy, isWrite, copy.global, isWrite ? copy.bytes : copy.given,
                              isWrite ? copy.source.data() : nullptr);
  for (const TensorPart &part : copy.box->parts) {
    const std::vector<uint8_t> bytes =
        isWrite ? copy.box->bytesOf(part, copy.source.data()) : std::vector<uint8_t>();
    checkOtherPrograms(copy, isWrite, part.global, part.bytes, isWrite ? bytes.data() : nullptr);
  }
}

void AsyncCopies::checkOtherPrograms(const Copy &copy, bool isWrite, uint64_t global,
                                     uint32_t bytes, const uint8_t *value) {
  // An update is as an atomic one.
  const bool isUpdate = copy.box && copy.box->update;
  ProgramRaces::Cursor cursor;
  if (ProgramRaces *programs = block.launch.programRaces)
    programs->access(cursor, block.touchOf(copy.origin.pc, copy.origin.warp, copy.origin.lane),
                     {!isWrite || isUpdate, isWrite, isUpdate}, global, bytes,
                     isUpdate ? bytesOf(copy.box->map.type) : 8, isUpdate ? nullptr : value);
  GlobalRaces *races = block.launch.globalRaces;
  if (!races)
    return;
  GlobalRaces::Access access{block.races.now(copy.origin.warp, copy.origin.lane, copy.origin.pc),
                             block.linearId};
  access.isStrong = isUpdate;
  if (isUpdate)
    access.bytes = static_cast<uint8_t>(bytesOf(copy.box->map.type));
  auto race = isWrite ? races->access(block, access, global, bytes, true)
                      : races->check(block, access, global, bytes, false);
  // Whether two stores have one value is nothing that is known here.
  const bool isUnknown = !block.launch.options.globalRaces && race && isWrite && race->otherWrites;
  if (race && !race->isOfOneProgram && !isUnknown)
    block.reportAt(copy.origin, Report::Kind::GlobalRace, global,
                   std::string(isWrite ? "copies to" : "copies") + " global memory, " +
                       block.describeRace(*race),
                   race->other.pc);
}

void AsyncCopies::landForThread(Warp &warp, unsigned lane, uint64_t id) {
  Copy *copy = find(id);
  if (!copy)
    return; // An mbarrier tracked it, and it has landed.
  move(*copy);
  checkSource(*copy);
  SharedRaces::Access access = block.races.now(warp.index, lane, copy->origin.pc);
  noteSource(*copy, access);
  for (uint64_t byte = copy->shared; byte < copy->shared + copy->bytes; ++byte) {
    block.races.note(byte, access, true);
    block.sharedInitialized[byte] = 1;
  }
  mark(*copy, 0);
  free(*copy);
}

void AsyncCopies::landForMbarrier(uint64_t id, const Mbarrier &mbarrier) {
  Copy *copy = find(id);
  if (!copy)
    return; // Its thread has waited for it.
  checkAlive(*copy);
  move(*copy);
  checkSource(*copy);
  SharedRaces::Access access =
      block.races.byEngine(mbarrier.engine, mbarrier.phase, copy->origin.pc);
  noteSource(*copy, access);
  access.isBulk = copy->kind == Copy::Kind::BulkLoad;
  noteSpan(*copy);
  for (uint64_t byte = copy->shared; byte < copy->shared + copy->bytes; ++byte) {
    block.races.note(byte, access, true);
    block.sharedInitialized[byte] = 1;
  }
  if (copy->kind == Copy::Kind::PerThread)
    threads[copy->origin.warp * kLanes + copy->origin.lane].byEngines[mbarrier.engine] =
        mbarrier.phase + 1;
  mark(*copy, 0);
  free(*copy);
}

void AsyncCopies::noteSpan(const Copy &copy) {
  constexpr uint64_t piece = SharedRaces::kPieceBytes;
  if (copy.kind != Copy::Kind::BulkLoad || (spans.empty() && !copy.box))
    return;
  spans.resize(block.shared.size() / piece + 1, 0);
  std::fill_n(spans.begin() + static_cast<long>(copy.shared / piece), copy.bytes / piece,
              copy.box ? copy.box->map.span : uint8_t(0));
}

unsigned AsyncCopies::spanOf(uint64_t piece) const {
  const bool isBrought = !spans.empty() && block.races.isOfBulk(piece * SharedRaces::kPieceBytes);
  return isBrought ? spans[piece] : 0;
}

/// The source of a bulk store was read, at the latest now.
void AsyncCopies::noteRead(Warp &warp, unsigned lane, Copy &copy) {
  if (copy.isRead)
    return;
  copy.isRead = true;
  move(copy);
  SharedRaces::Access access = block.races.now(warp.index, lane, copy.origin.pc);
  access.isBulk = true;
  for (uint64_t byte = copy.shared; byte < copy.shared + copy.bytes; ++byte)
    block.races.note(byte, access, false);
  mark(copy, 0);
}

//===----------------------------------------------------------------------===//
// Groups
//===----------------------------------------------------------------------===//

void AsyncCopies::commit(Warp &warp, unsigned lane, bool isBulk) {
  Thread &thread = threadOf(warp, lane);
  std::vector<uint64_t> &open = isBulk ? thread.openBulk : thread.open;
  (isBulk ? thread.bulkGroups : thread.groups).push_back(std::move(open));
  open.clear();
}

void AsyncCopies::wait(Warp &warp, unsigned lane, uint64_t left) {
  Thread &thread = threadOf(warp, lane);
  for (; thread.groups.size() > left; thread.groups.pop_front())
    for (uint64_t id : thread.groups.front())
      landForThread(warp, lane, id);
  if (thread.byEngines.empty())
    return;
  SharedRaces::Published seen;
  for (auto [engine, phase] : thread.byEngines) {
    View view(block.races.engineThread(engine) + 1, 0);
    view.back() = static_cast<uint32_t>(phase);
    join(seen.ordered, view);
  }
  block.races.acquire(warp.index, uint32_t(1) << lane, seen);
  thread.byEngines.clear();
}

void AsyncCopies::waitBulk(Warp &warp, unsigned lane, uint64_t left, bool isRead) {
  std::deque<std::vector<uint64_t>> &groups = threadOf(warp, lane).bulkGroups;
  for (size_t index = 0; index + left < groups.size(); ++index)
    for (uint64_t id : groups[index])
      if (Copy *copy = find(id))
        noteRead(warp, lane, *copy);
  for (; !isRead && groups.size() > left; groups.pop_front())
    for (uint64_t id : groups.front()) {
      stores.erase(std::remove(stores.begin(), stores.end(), id), stores.end());
      if (Copy *copy = find(id)) {
        checkOtherPrograms(*copy, true);
        free(*copy);
      }
    }
}

void AsyncCopies::arriveWhenDone(Warp &warp, unsigned lane, uint64_t mbarrier) {
  Thread &thread = threadOf(warp, lane);
  auto hasLanded = [&](uint64_t id) { return !find(id); };
  thread.open.erase(std::remove_if(thread.open.begin(), thread.open.end(), hasLanded),
                    thread.open.end());
  Event event{mbarrier, {warp.pc(), warp.index, lane}, thread.open, true, {}};
  for (const std::vector<uint64_t> &group : thread.groups)
    event.copies.insert(event.copies.end(), group.begin(), group.end());
  events.push_back(std::move(event));
  if (movesEarly())
    perform(events.size() - 1);
}

//===----------------------------------------------------------------------===//
// What completes by itself
//===----------------------------------------------------------------------===//

void AsyncCopies::perform(size_t index) {
  Event event = std::move(events[index]);
  events.erase(events.begin() + static_cast<long>(index));
  Mbarrier *mbarrier = mbarriers.find(event.mbarrier);
  if (!mbarrier)
    return block.reportAt(event.origin, Report::Kind::BarrierMisuse, event.mbarrier,
                          "the mbarrier at byte " + std::to_string(event.mbarrier) +
                              " of shared memory, which tracks this copy, is gone when it "
                              "completes");
  uint32_t bytes = 0;
  for (uint64_t id : event.copies) {
    if (Copy *copy = find(id); copy && !event.isArrival)
      bytes = copy->box ? copy->box->bytes : copy->bytes;
    landForMbarrier(id, *mbarrier);
  }
  if (event.isArrival)
    mbarriers.arriveLater(*mbarrier, event.origin);
  else
    mbarriers.bring(*mbarrier, bytes, event.origin, event.released);
}

bool AsyncCopies::completeOne() {
  if (events.empty())
    return false;
  bool isRandom = block.landing() == LaunchOptions::Landing::Random;
  perform(isRandom ? random() % events.size() : 0);
  return true;
}

void AsyncCopies::passTime() {
  if (block.landing() == LaunchOptions::Landing::Random && !events.empty() && random() % 4 == 0)
    perform(random() % events.size());
}

//===----------------------------------------------------------------------===//
// Other instructions, and the end
//===----------------------------------------------------------------------===//

bool AsyncCopies::checkShared(Warp &warp, unsigned lane, uint64_t address, uint64_t offset,
                              uint32_t bytes, bool isWrite) {
  const std::string verb = isWrite ? "writes byte " : "reads byte ";
  if (std::optional<uint64_t> mbarrier = mbarriers.overlapping(offset, bytes)) {
    block.report(warp, Report::Kind::BarrierMisuse, lane, address,
                 verb + std::to_string(offset) + " of shared memory, where the mbarrier at byte " +
                     std::to_string(*mbarrier) + " lies, which only mbarrier instructions may");
    return false;
  }
  for (uint64_t byte = offset; !marks.empty() && byte < offset + bytes; ++byte) {
    const Copy *writer = find(marks[byte].writer);
    const Copy *reader = find(marks[byte].reader);
    if (!writer && (!reader || !isWrite))
      continue;
    block.report(warp, Report::Kind::AsyncCopy, lane, address + (byte - offset),
                 verb + std::to_string(byte) + " of shared memory while " +
                     describe(writer ? *writer : *reader) +
                     (writer ? ", which nobody has waited for, writes it"
                             : ", which nobody has waited for, reads it"));
    return false;
  }
  AsyncProducts *products = isWrite ? block.productsIfAny() : nullptr;
  return !products || products->checkWrite(warp, lane, address, offset, bytes);
}

void AsyncCopies::checkGlobal(Warp &warp, unsigned lane, uint64_t address, uint32_t bytes,
                              bool isWrite, bool isUpdate) {
  for (uint64_t id : stores) {
    const Copy *copy = find(id);
    bool overlaps = false;
    if (copy && !(isUpdate && copy->box && copy->box->update))
      forRanges(*copy, [&](const Range &range) {
        overlaps |= address < range.global + range.bytes && range.global < address + bytes;
      });
    if (overlaps)
      return block.report(warp, Report::Kind::AsyncCopy, lane, address,
                          std::string(isWrite ? "writes" : "reads") + " global memory that " +
                              describe(*copy) +
                              " writes, and whose thread has not waited for that");
  }
}

void AsyncCopies::finish() {
  while (completeOne())
    ;
  for (Copy &copy : copies) {
    if (!copy.id || copy.isRead)
      continue;
    block.reportAt(copy.origin, Report::Kind::AsyncCopy, copy.shared,
                   "the kernel ends and the thread has not waited for this copy");
    move(copy);
  }
  mbarriers.finish();
}
