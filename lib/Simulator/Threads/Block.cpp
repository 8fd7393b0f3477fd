//===- Block.cpp - The warps of one block and what they share ------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Block.h"

#include "../Memory/AsyncCopies.h"
#include "../Memory/AsyncProducts.h"

#include <algorithm>
#include <numeric>
#include <utility>

using namespace fsm;
using namespace fsm::sim;

/// Times that all may look at an mbarrier again and find it unchanged.
static constexpr unsigned kMostVainRounds = 1000;

/// Where warps say that they wait for their cluster.
static constexpr uint32_t kClusterSlot = ~0u;

/// Steps of one warp before the next one has its turn.
static constexpr uint64_t kWarpSlice = 20000;

static unsigned warpsOf(const Launch &launch) {
  return (launch.extent.x * launch.extent.y * launch.extent.z + kLanes - 1) / kLanes;
}

/// Bytes from one block's shared memory to the next one's: those of its own, aligned as each is.
static uint64_t sharedStrideOf(const Launch &launch) {
  const uint64_t bytes = launch.linked.sharedBytes;
  return launch.clusterBlocks == 1 ? bytes : (bytes + 1023) / 1024 * 1024;
}

static uint64_t allShared(const Launch &launch) {
  return sharedStrideOf(launch) * launch.clusterBlocks;
}

static unsigned allWarps(const Launch &launch) {
  return warpsOf(launch) * launch.clusterBlocks;
}

Block::Block(Launch &launch, uint64_t linearId, Counting &counting)
    : launch(launch), linearId(linearId), shared(allShared(launch)),
      sharedInitialized(allShared(launch)),
      local(localStride(launch.linked) * allWarps(launch) * kLanes),
      localInitialized(local.size()), races(allShared(launch), allWarps(launch)),
      counting(counting), sharedStride(sharedStrideOf(launch)), order(allWarps(launch)),
      random(seed()), barriers(kBarriers * launch.clusterBlocks) {
  std::iota(order.begin(), order.end(), 0);
  for (unsigned index = 0; index < allWarps(launch); ++index) {
    unsigned lanes = std::min(kLanes, threads() - indexInBlock(index) * kLanes);
    uint32_t mask = lanes == kLanes ? kAllLanes : (uint32_t(1) << lanes) - 1;
    warps.emplace_back(*this, index, mask,
                       static_cast<uint32_t>(launch.linked.registerNames.size()));
  }
}

Block::~Block() = default;

std::optional<uint64_t> Block::findShared(const Warp &warp, uint64_t address,
                                         uint64_t bytes) const {
  const uint64_t named = address >> kRankBit, rank = named ? named - 1 : rankOf(warp.index);
  const uint64_t offset = address & ((1 << kRankBit) - 1), extent = launch.linked.sharedBytes;
  if (rank >= launch.clusterBlocks || offset > extent || bytes > extent - offset)
    return std::nullopt;
  return sharedBase(static_cast<unsigned>(rank)) + offset;
}

bool Block::hasExited(unsigned rank) const {
  for (const Warp &warp : warps)
    if (rankOf(warp.index) == rank && warp.alive())
      return false;
  return true;
}

AsyncCopies &Block::async() {
  if (!asynchronous) {
    asynchronous = std::make_unique<AsyncCopies>(*this);
    races.keepAllReads();
  }
  return *asynchronous;
}

AsyncProducts &Block::products() {
  if (!asynchronousProducts) {
    async(); // Copies must know what products read.
    asynchronousProducts = std::make_unique<AsyncProducts>(*this);
  }
  return *asynchronousProducts;
}

FencedThread &Block::fencedThread(unsigned warp, unsigned lane) {
  if (fencedThreads.empty())
    fencedThreads.resize(paddedThreads());
  return fencedThreads[size_t(warp) * kLanes + lane];
}

LaunchOptions::Landing Block::landing() const {
  using Landing = LaunchOptions::Landing;
  if (launch.options.landing != Landing::BySeed)
    return launch.options.landing;
  static constexpr Landing landings[] = {Landing::Last, Landing::First, Landing::Random};
  return landings[launch.options.seed % std::size(landings)];
}

void Block::end(const Warp &warp, const std::string &reason) {
  reportAt({warp.place(), warp.index, 0}, Report::Kind::TooManySteps, 0, reason);
  abort();
}

bool Block::runRound() {
  bool anyLeft = false, anyMoved = false;
  if (isShuffled())
    std::shuffle(order.begin(), order.end(), random);
  for (unsigned index : order) {
    Warp &warp = warps[index];
    uint64_t before = warp.steps();
    uint64_t slice = isShuffled() ? 1 + random() % 200 : kWarpSlice;
    // One step too many is one that is seen.
    slice = std::min(slice - 1, launch.options.maxSteps - steps) + 1;
    anyLeft |= warp.run(slice) != Warp::Status::Done;
    anyMoved |= warp.steps() != before;
    steps += warp.steps() - before;
    if (aborted)
      continue;
    if (steps > launch.options.maxSteps)
      end(warp, "the block executed more than " + std::to_string(launch.options.maxSteps) +
                    " instructions");
    else if (launch.options.stops && launch.options.stops->load(std::memory_order_relaxed))
      end(warp, "the launch was stopped");
  }
  if (!anyLeft) {
    finish();
    return false;
  }
  if (!anyMoved && !aborted && !resolve())
    reportDeadlock();
  else if (asynchronous)
    asynchronous->passTime();
  return !aborted;
}

void Block::count(uint32_t lanes) {
  ++counting.warpInstructions;
  counting.threadInstructions += static_cast<unsigned>(__builtin_popcount(lanes));
}

static std::string spelling(const Instruction &instruction) {
  std::string text = instruction.opcode;
  for (const std::string &modifier : instruction.modifiers)
    text += "." + modifier;
  return text;
}

void Block::report(Warp &warp, Report::Kind kind, unsigned lane, uint64_t address,
                   const std::string &message) {
  reportAt({warp.pc(), warp.index, lane}, kind, address, message);
}

std::string Block::describeRace(const SharedRaces::Race &race) const {
  std::string who = races.isEngine(race.other) ? "a copy"
                                               : "warp " + std::to_string(race.other.warp) +
                                                     " lane " + std::to_string(race.otherLane);
  return "which " + who + (race.otherWrites ? " wrote" : " read") + " at " + lineOf(race.other.pc) +
         (race.isUnfenced ? " with no fence.proxy.async between" : " with no barrier between");
}

/// Why nothing keeps the two apart.
static const char *reasonOf(const GlobalRaces::Race &race) {
  return race.isNonCoherent      ? ", of which the read is non-coherent"
         : race.isScopeTooNarrow ? " with a scope of one that does not have the other in it"
         : race.isOfOtherBytes   ? " as another number of bytes"
         : race.isOfOneProgram   ? " with no barrier between"
                                 : " with no release and acquire between";
}

std::string Block::describeRace(const GlobalRaces::Race &race) const {
  const GlobalRaces::Access &other = race.other;
  const bool isCopy = size_t(other.warp) * kLanes >= paddedThreads();
  const unsigned packed = launch.options.programsPerBlock;
  Extent id = launch.placeOf(other.block + (isCopy ? 0 : rankOf(other.warp)));
  id.x = id.x * packed + (packed > 1 ? other.warp : 0);
  const std::string program = "program (" + std::to_string(id.x) + ", " + std::to_string(id.y) +
                              ", " + std::to_string(id.z) + ")";
  const std::string warp = packed > 1 ? "" : "warp " + std::to_string(other.warp) + " ";
  const std::string thread = isCopy ? "a copy" : warp + "lane " + std::to_string(race.otherLane);
  const std::string who = race.isOfOneProgram ? "which " + thread
                          : isCopy            ? "which a copy of " + program
                                              : "which " + program + " " + thread;
  return who + (race.otherWrites ? " wrote" : " read") + " at " + lineOf(other.pc) + reasonOf(race);
}

Report sim::reportOf(const Launch &launch, uint64_t block, uint32_t pc, uint32_t warp,
                     uint32_t lane) {
  const Instruction &here = launch.linked.code[pc];
  Report report;
  report.kernel = launch.kernel.name;
  report.instruction = spelling(here);
  report.ptxLine = here.position.line;
  report.sourceLine = here.sourceLine;
  if (auto file = launch.program.files.find(here.sourceFile);
      here.sourceLine && file != launch.program.files.end())
    report.sourceFile = file->second;
  report.block = launch.placeOf(block);
  report.thread = launch.threadOf(warp * kLanes + lane);
  report.warp = warp;
  report.lane = lane;
  return report;
}

void Block::reportAt(const Origin &origin, Report::Kind kind, uint64_t address,
                     const std::string &message, uint32_t otherPc) {
  Report report = reportOf(launch, linearId + rankOf(origin.warp), origin.pc,
                           indexInBlock(origin.warp), origin.lane);
  report.kind = kind;
  report.message = message;
  report.address = address;
  launch.reports.add(origin.pc, otherPc, linearId, std::move(report));
}

//===----------------------------------------------------------------------===//
// Barriers
//===----------------------------------------------------------------------===//

/// PTX ISA 9.0, 9.7.13.1 "bar, barrier": there are 16, counts are of whole warps, and all
/// who come to a barrier give the same.
void Block::checkCounts(Warp &warp, uint32_t index, uint32_t expected, const Barrier &barrier) {
  unsigned lane = static_cast<unsigned>(__builtin_ctz(warp.currentLanes()));
  auto misuse = [&](const std::string &message) {
    report(warp, Report::Kind::BarrierMisuse, lane, 0, message);
  };
  if (index >= kBarriers)
    misuse("there is no barrier " + std::to_string(index) + ": they are numbered from 0 to 15");
  if (expected % kLanes)
    misuse("barrier " + std::to_string(index) + " is to wait for " + std::to_string(expected) +
           " threads; expected a multiple of 32");
  if (barrier.arrived && barrier.expected != expected)
    misuse("barrier " + std::to_string(index) + " is to wait for " + std::to_string(expected) +
           " threads here (0: the whole block), for " + std::to_string(barrier.expected) + " at " +
           lineOf(barrier.pc));
}

void Block::arriveAtBarrier(Warp &warp, uint32_t index, uint32_t expected, bool wait) {
  const unsigned slot = slotOf(warp, index);
  Barrier &barrier = barriers[slot];
  uint32_t lanes = warp.currentLanes();
  checkCounts(warp, index, expected, barrier);
  barrier.pc = warp.pc();
  barrier.warp = warp.index;
  barrier.lane = static_cast<unsigned>(__builtin_ctz(lanes));
  // Barriers count whole warps; lanes that came without the others count alone.
  barrier.arrived += lanes == warp.alive() ? kLanes : uint32_t(__builtin_popcount(lanes));
  barrier.expected = expected;
  auto add = [&](std::vector<unsigned> &list) {
    if (std::find(list.begin(), list.end(), warp.index) == list.end())
      list.push_back(warp.index);
  };
  add(barrier.publishing);
  if (wait) {
    add(barrier.learning);
    warp.waitAtBarrier(slot);
  }
  uint32_t all = warpsPerBlock() * kLanes;
  if (barrier.arrived >= (expected ? (expected + kLanes - 1) / kLanes * kLanes : all))
    complete(slot);
}

void Block::bringToBarrier(Warp &warp, uint32_t index, const Operand &target, uint32_t lanes,
                           uint32_t values, BarrierReduction::Op operation) {
  Barrier &barrier = barriers[slotOf(warp, index)];
  barrier.trues += static_cast<uint32_t>(__builtin_popcount(lanes & values));
  barrier.falses += static_cast<uint32_t>(__builtin_popcount(lanes & ~values));
  barrier.targets.push_back({warp.index, lanes, &target, operation});
}

void Block::giveResults(const Barrier &barrier) {
  for (const Barrier::Target &target : barrier.targets) {
    using Op = BarrierReduction::Op;
    uint64_t result = target.operation == Op::Popc  ? barrier.trues
                      : target.operation == Op::And ? barrier.falses == 0
                                                    : barrier.trues != 0;
    uint64_t *row = warps[target.warp].row(*target.operand);
    forLanes(target.lanes, [&](unsigned lane) { row[lane] = result; });
    warps[target.warp].define(*target.operand, target.lanes);
  }
}

void Block::complete(uint32_t index) {
  vainRounds = 0;
  Barrier done = std::move(barriers[index]);
  barriers[index] = Barrier();
  giveResults(done);
  races.syncWarps(done.publishing, done.learning);
  for (unsigned warp : done.learning)
    warps[warp].passBarrier(index);
}

/// All wait. A barrier of the whole block that only exited threads are missing
/// from is reported and completed, as hardware does.
bool Block::completeWithoutExited() {
  for (uint32_t index = 0; index < barriers.size(); ++index) {
    Barrier &barrier = barriers[index];
    if (barrier.learning.empty() || barrier.expected)
      continue;
    uint32_t missing = 0;
    for (Warp &warp : warps)
      missing += warp.alive() && rankOf(warp.index) == index / kBarriers ? kLanes : 0;
    if (barrier.arrived < missing)
      continue;
    Warp &first = warps[barrier.learning.front()];
    first.reportAtBarrier(index, Report::Kind::DivergentBarrier,
                          "only " + std::to_string(barrier.arrived) + " of the block's " +
                              std::to_string(threads()) +
                              " threads come to this barrier; the others have exited");
    complete(index);
    return true;
  }
  return false;
}

//===----------------------------------------------------------------------===//
// The barrier of a cluster
//===----------------------------------------------------------------------===//

/// PTX ISA 9.0, 9.7.13.4 "barrier.cluster": each thread arrives once a phase, and waits for it. Those that
/// have ended are not waited for.
void Block::arriveAtCluster(Warp &warp, bool isRelaxed) {
  if (ofCluster.phases.empty())
    ofCluster.phases.resize(warps.size(), 0);
  const unsigned lane = static_cast<unsigned>(__builtin_ctz(warp.currentLanes()));
  if (ofCluster.phases[warp.index] > ofCluster.complete)
    return report(warp, Report::Kind::BarrierMisuse, lane, 0,
                  "comes to the barrier of the cluster again before it has waited for it");
  ++ofCluster.phases[warp.index];
  ofCluster.arrived.push_back(warp.index);
  if (isRelaxed)
    races.releaseMade(warp.index, warp.present, ofCluster.current);
  else
    races.release(warp.index, warp.present, ofCluster.current);
  completeCluster();
}

/// Ends the phase if all warps that are left have come.
void Block::completeCluster() {
  const auto isMissing = [&](const Warp &warp) {
    return warp.alive() && ofCluster.phases[warp.index] == ofCluster.complete;
  };
  if (ofCluster.arrived.empty() || std::any_of(warps.begin(), warps.end(), isMissing))
    return;
  vainRounds = 0;
  ++ofCluster.complete;
  ofCluster.told = std::move(ofCluster.current);
  ofCluster.current = {};
  ofCluster.arrived.clear();
  for (unsigned waiting : ofCluster.waiting)
    passCluster(warps[waiting]);
  for (unsigned waiting : std::exchange(ofCluster.waiting, {}))
    warps[waiting].passBarrier(kClusterSlot);
}

void Block::passCluster(Warp &warp) {
  races.acquire(warp.index, warp.present, ofCluster.told);
}

void Block::waitForCluster(Warp &warp) {
  const unsigned lane = static_cast<unsigned>(__builtin_ctz(warp.currentLanes()));
  if (ofCluster.phases.empty() || !ofCluster.phases[warp.index])
    return report(warp, Report::Kind::BarrierMisuse, lane, 0,
                  "waits for the barrier of the cluster, to which it has not come");
  if (ofCluster.phases[warp.index] <= ofCluster.complete)
    return passCluster(warp);
  ofCluster.waiting.push_back(warp.index);
  warp.waitAtBarrier(kClusterSlot);
}

//===----------------------------------------------------------------------===//
// Waiting without end
//===----------------------------------------------------------------------===//

void Block::wakePollers() {
  for (Warp &warp : warps)
    warp.stopPolling(false);
}

/// mbarrier.try_wait may come back without success after some time, and so do our
/// waits when nothing else can happen. That nothing ever will is certain enough
/// when they have all done so many times.
bool Block::letPollersGiveUp() {
  uint64_t completions = asynchronous ? asynchronous->mbarriers.completions() : 0;
  vainRounds = completions == completionsBefore ? vainRounds + 1 : 0;
  completionsBefore = completions;
  if (vainRounds > kMostVainRounds)
    return false;
  bool any = false;
  for (Warp &warp : warps)
    any |= warp.stopPolling(true);
  return any;
}

/// All wait: lets happen what can.
bool Block::resolve() {
  if (asynchronous && asynchronous->completeOne())
    return true;
  return completeWithoutExited() || letPollersGiveUp();
}

void Block::reportDeadlock() {
  for (uint32_t index = 0; index < barriers.size(); ++index)
    if (const Barrier &barrier = barriers[index]; !barrier.learning.empty())
      warps[barrier.learning.front()].reportAtBarrier(
          index, Report::Kind::Deadlock,
          "barrier " + std::to_string(index % kBarriers) + " waits for " +
              (barrier.expected ? std::to_string(barrier.expected) + " threads"
                                : std::string("all threads of the block")) +
              ", " + std::to_string(barrier.arrived) + " came, and no thread can run");
  for (unsigned waiting : ofCluster.waiting)
    warps[waiting].reportAtBarrier(kClusterSlot, Report::Kind::Deadlock,
                                   "the barrier of the cluster waits for " +
                                       std::to_string(warps.size()) + " warps, " +
                                       std::to_string(ofCluster.arrived.size()) +
                                       " came, and no thread can run");
  for (Warp &warp : warps)
    warp.reportPolls();
  abort();
}

/// Whether a kernel waits at a barrier other than 0. Groups that take turns then leave one arrival
/// each: whoever was last says that it is done.
static bool waitsAtNumbers(const Linked &linked) {
  return std::any_of(linked.code.begin(), linked.code.end(), [](const Instruction &instruction) {
    const BlockBarrier *barrier = instruction.ifIs<BlockBarrier>();
    if (!barrier || !barrier->waits)
      return false;
    const Operand &number = instruction.operands[0];
    return number.kind != Operand::Kind::Integer || number.bits != 0;
  });
}

/// PTX ISA 9.0, 9.7.19.5 "setmaxnreg": what is given to some, others have given back. Of those that have
/// not said what they need nothing is known.
void Block::setRegisters(Warp &warp, uint32_t count) {
  registerCounts.resize(warps.size());
  RegisterCount &own = registerCounts[warp.index];
  own = {count, own.times + 1, warp.pc()};
  uint64_t all = 0;
  for (size_t index = 0; index < warps.size(); ++index)
    if (rankOf(static_cast<unsigned>(index)) == rankOf(warp.index))
      all += uint64_t(registerCounts[index].count) * kLanes;
  if (all > kRegistersOfMultiprocessor)
    report(warp, Report::Kind::BarrierMisuse, static_cast<unsigned>(__builtin_ctz(warp.currentLanes())), 0,
           "asks for registers up to " + std::to_string(all) + " of the block, of which there are " +
               std::to_string(kRegistersOfMultiprocessor));
}

/// All four warps of a group hand on registers, or none.
void Block::checkRegisterGroups() {
  constexpr unsigned warpsOfGroup = 4;
  for (unsigned index = 0; index < registerCounts.size(); ++index) {
    unsigned first = index - indexInBlock(index) % warpsOfGroup;
    for (unsigned other = first; other < std::min<size_t>(first + warpsOfGroup, warps.size()); ++other)
      if (registerCounts[index].times > registerCounts[other].times &&
          rankOf(other) == rankOf(index))
        return reportAt({registerCounts[index].pc, index, 0}, Report::Kind::BarrierMisuse, 0,
                        "the kernel ends and warp " + std::to_string(other) +
                            " of the same group of four has not executed this");
  }
}

/// All threads have ended: what is left over was in vain.
void Block::finish() {
  checkRegisterGroups();
  for (uint32_t index = 0; index < barriers.size(); ++index)
    if (const Barrier &barrier = barriers[index];
        barrier.arrived &&
        (barrier.arrived > barrier.publishing.size() * kLanes || !waitsAtNumbers(launch.linked)))
      reportAt({barrier.pc, barrier.warp, barrier.lane}, Report::Kind::BarrierMisuse, 0,
               "the kernel ends with " + std::to_string(barrier.arrived) + " of " +
                   std::to_string(barrier.expected) + " threads come to barrier " +
                   std::to_string(index % kBarriers) + " and none that waits for them");
  if (asynchronousProducts)
    asynchronousProducts->finish();
  if (asynchronous)
    asynchronous->finish();
}
