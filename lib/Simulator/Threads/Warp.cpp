//===- Warp.cpp - 32 lanes and their divergence --------------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Warp.h"

#include "../Memory/AsyncCopies.h"
#include "../Memory/AsyncProducts.h"
#include "Block.h"
#include "SpecialRegisters.h"

#include <algorithm>

using namespace fsm;
using namespace fsm::sim;

/// Steps of one fragment while others could run.
static constexpr uint64_t kFragmentSlice = 4096;

Warp::Warp(Block &block, unsigned index, uint32_t lanes, uint32_t registerCount)
    : block(block), index(index), present(lanes), random(block.seed() + index),
      registers(size_t(registerCount) * kLanes), undefined(registerCount, Undefined(kAllLanes)),
      storeTimes(block.launch.linked.stores, 0) {
  Fragment all;
  all.lanes = lanes;
  fragments.push_back(all);
}

//===----------------------------------------------------------------------===//
// Registers
//===----------------------------------------------------------------------===//

Values Warp::read(const Operand &operand, unsigned scratch) {
  switch (operand.kind) {
  case Operand::Kind::Register: {
    const uint64_t *values = row(operand.index);
    if (!operand.negated)
      return {values, 1};
    for (unsigned lane = 0; lane < kLanes; ++lane)
      scratchValues[scratch][lane] = !values[lane];
    return {scratchValues[scratch], 1};
  }
  case Operand::Kind::SpecialRegister:
    for (unsigned lane = 0; lane < kLanes; ++lane)
      scratchValues[scratch][lane] = readSpecial(*this, operand.special, lane);
    return {scratchValues[scratch], 1};
  default:
    return {&operand.bits, 0};
  }
}

Undefined Warp::undefinedOf(const Operand &operand) const {
  return operand.kind == Operand::Kind::Register ? undefined[operand.index] : Undefined();
}

void Warp::define(const Operand &operand, uint32_t lanes, const Undefined &values) {
  if (operand.kind != Operand::Kind::Register)
    return;
  if (held)
    held->writtenBehind[operand.index] = held->fences;
  Undefined &old = undefined[operand.index];
  for (unsigned i = 0; i < Undefined::kBytes; ++i)
    old.bytes[i] = (old.bytes[i] & ~lanes) | (values.bytes[i] & lanes);
}

void Warp::requireDefined(const Operand &operand, uint32_t lanes, const char *use, unsigned bytes) {
  uint32_t bad = undefinedOf(operand).anyOf(0, bytes) & lanes;
  if (!bad)
    return;
  forLanes(bad, [&](unsigned lane) {
    block.report(*this, Report::Kind::UninitializedRegister, lane, 0,
                 "register '" + block.registerName(operand.index) +
                     "' has no value, or one computed from such a register, where it is " + use);
  });
  define(operand, bad);
}

void Warp::addresses(const Operand &operand, uint32_t lanes, uint64_t (&result)[kLanes]) {
  const Operand &base = operand.elements[0];
  requireDefined(base, lanes, "an address");
  Values values = read(base, 3);
  forLanes(lanes, [&](unsigned lane) {
    result[lane] = values[lane] + static_cast<uint64_t>(operand.offset);
  });
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

Warp::Status Warp::run(uint64_t steps) {
  sliceEnd = stepCount + steps;
  while (stepCount < sliceEnd && !block.isAborted()) {
    if (pickFragment()) {
      runCurrent();
      continue;
    }
    if (fragments.empty())
      return Status::Done;
    if (!resolve())
      return Status::Blocked;
  }
  return fragments.empty() ? Status::Done : Status::Slice;
}

/// Drops empty fragments and makes a runnable one the current one.
bool Warp::pickFragment() {
  fragments.erase(std::remove_if(fragments.begin(), fragments.end(),
                                 [](const Fragment &fragment) { return fragment.lanes == 0; }),
                  fragments.end());
  size_t count = fragments.size();
  size_t first = block.isShuffled() && count > 1 ? random() % count : 0;
  for (size_t offset = 0; offset < count; ++offset) {
    current = (first + offset) % count;
    if (fragments[current].state == Fragment::State::Runnable)
      return true;
  }
  for (current = 0; current < count; ++current)
    if (fragments[current].state == Fragment::State::Parked && arrive(current))
      return true;
  return false;
}

void Warp::runCurrent() {
  uint64_t end = std::min(sliceEnd, stepCount + kFragmentSlice);
  while (fragments[current].state == Fragment::State::Runnable && fragments[current].lanes) {
    if (stepCount >= end) {
      if (fragments.size() > 1)
        yieldToParked();
      return;
    }
    step(fragments[current]);
  }
}

/// The others have their turn, before the current fragment goes on.
void Warp::yieldToParked() {
  releaseParked();
  std::rotate(fragments.begin() + static_cast<long>(current),
              fragments.begin() + static_cast<long>(current) + 1, fragments.end());
}

/// Lets parked fragments go on without those they wait for.
bool Warp::releaseParked() {
  bool any = false;
  for (Fragment &fragment : fragments) {
    if (fragment.state != Fragment::State::Parked)
      continue;
    while (!fragment.convergences.empty() &&
           convergences[fragment.convergences.back()].at == fragment.pc) {
      convergences[fragment.convergences.back()].expected &= ~fragment.lanes;
      fragment.convergences.pop_back();
    }
    fragment.state = Fragment::State::Runnable;
    any = true;
  }
  return any;
}

/// Nothing can run: finds what can be done about it. False when the warp waits
/// for other warps.
bool Warp::resolve() {
  bool waits = false;
  for (size_t index = 0; index < fragments.size(); ++index) {
    if (fragments[index].state != Fragment::State::AtWarpSync)
      continue;
    waits = true;
    if (mergeWaiting(index))
      return true;
  }
  // Lanes that wait for an mbarrier come on when others of the block have run.
  if (isPolling())
    return false;
  if (releaseParked())
    return true;
  for (Fragment &fragment : fragments)
    if (fragment.state == Fragment::State::AtWarpSync) {
      fragment.forced = true;
      fragment.state = Fragment::State::Runnable;
    }
  return waits;
}

/// Lets the fragments that wait for the same lanes go on if these are all there.
bool Warp::mergeWaiting(size_t first) {
  const Fragment &one = fragments[first];
  // Lanes may come to a bar.warp.sync each at a place of its own.
  auto isWarpBarrier = [&](const Fragment &fragment) {
    return block.instruction(fragment.pc).ifIs<WarpBarrier>() != nullptr;
  };
  uint32_t lanes = 0;
  auto belongs = [&](const Fragment &other) {
    return other.state == Fragment::State::AtWarpSync && other.awaited == one.awaited &&
           (other.pc == one.pc || (isWarpBarrier(one) && isWarpBarrier(other)));
  };
  for (const Fragment &fragment : fragments)
    if (belongs(fragment))
      lanes |= fragment.lanes;
  if (one.awaited & alive() & ~lanes)
    return false;
  for (size_t index = fragments.size(); index-- > 0;)
    if (index != first && belongs(fragments[index])) {
      if (fragments[index].pc == one.pc && fragments[index].returns == one.returns) {
        merge(first, index);
      } else {
        fragments[index].released = true;
        fragments[index].state = Fragment::State::Runnable;
      }
    }
  fragments[first].released = true;
  fragments[first].state = Fragment::State::Runnable;
  return true;
}

/// Makes two fragments at the same place one; convergences that only one of
/// them was to reach no longer expect it.
void Warp::merge(size_t into, size_t from) {
  Fragment &a = fragments[into], &b = fragments[from];
  size_t same = 0;
  while (same < a.convergences.size() && same < b.convergences.size() &&
         a.convergences[same] == b.convergences[same])
    ++same;
  forget(a.lanes, a.convergences, same);
  forget(b.lanes, b.convergences, same);
  a.convergences.resize(same);
  a.lanes |= b.lanes;
  b.lanes = 0;
  b.state = Fragment::State::Parked;
}

void Warp::forget(uint32_t lanes, const std::vector<uint32_t> &left, size_t first) {
  for (size_t index = first; index < left.size(); ++index)
    convergences[left[index]].expected &= ~lanes;
}

void Warp::step(Fragment &fragment) {
  const Instruction &instruction = block.instruction(fragment.pc);
  uint32_t lanes = fragment.lanes;
  ++stepCount;
  lastPc = fragment.pc;
  if (instruction.storeNumber)
    ++storeTimes[instruction.storeNumber - 1];
  if (instruction.isGuarded) {
    Operand guard;
    guard.kind = Operand::Kind::Register;
    guard.index = instruction.guard;
    requireDefined(guard, lanes, "a condition");
    const uint64_t *values = row(instruction.guard);
    uint32_t active = 0;
    forLanes(lanes, [&](unsigned lane) {
      active |= uint32_t((values[lane] != 0) != instruction.guardNegated) << lane;
    });
    lanes = active;
  }
  block.count(lanes);
  stay = false;
  nextPc = fragment.pc + 1;
  size_t here = current;
  if (held && held->count && lanes)
    block.products().checkRegisters(*this, instruction, lanes);
  if (lanes)
    instruction.execute(*this, instruction, lanes);
  Fragment &after = fragments[here];
  if (stay || after.lanes == 0)
    return;
  after.pc = nextPc;
  if (after.state == Fragment::State::Runnable)
    arrive(here);
}

/// Parks the fragment if it stands where it must wait for others; true if it
/// may run, together with those it was waiting for.
bool Warp::arrive(size_t index) {
  Fragment &fragment = fragments[index];
  while (!fragment.convergences.empty()) {
    uint32_t id = fragment.convergences.back();
    if (convergences[id].at != fragment.pc)
      break;
    uint32_t lanes = fragment.lanes;
    auto isHere = [&](const Fragment &other) {
      return other.lanes && other.state == Fragment::State::Parked && !other.convergences.empty() &&
             other.convergences.back() == id && other.pc == fragment.pc;
    };
    for (const Fragment &other : fragments)
      lanes |= isHere(other) ? other.lanes : 0;
    if (convergences[id].expected & alive() & ~lanes) {
      fragment.state = Fragment::State::Parked;
      return false;
    }
    for (size_t other = 0; other < fragments.size(); ++other)
      if (other != index && isHere(fragments[other])) {
        fragment.lanes |= fragments[other].lanes;
        fragments[other].lanes = 0;
      }
    fragment.convergences.pop_back();
  }
  fragment.state = Fragment::State::Runnable;
  return true;
}

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

/// Makes lanes of the current fragment one of their own, which goes on at `pc`.
void Warp::splitOff(uint32_t lanes, uint32_t pc) {
  Fragment other = fragments[current];
  other.lanes = lanes;
  other.pc = pc;
  fragments[current].lanes &= ~lanes;
  fragments.push_back(std::move(other));
  arrive(fragments.size() - 1);
}

/// The parts of the current fragment will wait for each other at `meet`.
void Warp::meetAt(uint32_t meet) {
  Fragment &fragment = fragments[current];
  if (meet == kNowhere ||
      (!fragment.convergences.empty() && convergences[fragment.convergences.back()].at == meet))
    return;
  if (fragments.size() == 1 && fragment.convergences.empty())
    convergences.clear();
  convergences.push_back({meet, fragment.lanes});
  fragment.convergences.push_back(static_cast<uint32_t>(convergences.size() - 1));
}

void Warp::branchTo(const Instruction &instruction, std::map<uint32_t, uint32_t> places) {
  uint32_t rest = currentLanes();
  for (auto [place, lanes] : places)
    rest &= ~lanes;
  if (rest)
    places[nextPc] |= rest;
  if (places.size() > 1)
    meetAt(instruction.reconvergence);
  // One of them stays the current fragment.
  size_t first = block.isShuffled() ? random() % places.size() : 0;
  auto stays = std::next(places.begin(), static_cast<long>(first));
  for (auto place = places.begin(); place != places.end(); ++place)
    if (place != stays)
      splitOff(place->second, place->first);
  nextPc = stays->first;
}

void Warp::branch(const Instruction &instruction, uint32_t taken) {
  Fragment &fragment = fragments[current];
  if (taken == fragment.lanes) {
    nextPc = instruction.target;
    return;
  }
  meetAt(instruction.reconvergence);
  uint32_t other = instruction.target;
  if (block.isShuffled() && random() % 2) {
    std::swap(other, nextPc);
    taken = fragment.lanes & ~taken;
  }
  splitOff(taken, other);
}

void Warp::call(const Instruction &instruction, uint32_t lanes) {
  uint32_t after = pc() + 1;
  if (lanes != currentLanes()) {
    // The others wait behind the call.
    convergences.push_back({after, currentLanes()});
    fragments[current].convergences.push_back(static_cast<uint32_t>(convergences.size() - 1));
    splitOff(currentLanes() & ~lanes, after);
  } else {
    convergences.push_back({after, lanes});
    fragments[current].convergences.push_back(static_cast<uint32_t>(convergences.size() - 1));
  }
  fragments[current].returns.push_back(after);
  nextPc = instruction.target;
}

void Warp::leaveFunction(uint32_t lanes) {
  if (fragments[current].returns.empty())
    return exit(lanes);
  uint32_t after = fragments[current].returns.back();
  if (lanes != currentLanes()) {
    uint32_t pcBefore = nextPc;
    splitOff(lanes, after);
    fragments.back().returns.pop_back();
    nextPc = pcBefore;
    return;
  }
  fragments[current].returns.pop_back();
  nextPc = after;
}

void Warp::exit(uint32_t lanes) {
  Fragment &fragment = fragments[current];
  forget(lanes, fragment.convergences);
  fragment.lanes &= ~lanes;
  exited |= lanes;
  if (!alive())
    block.leaveCluster();
}

//===----------------------------------------------------------------------===//
// Waiting
//===----------------------------------------------------------------------===//

/// True when the wait for the lanes is over; `forced` if some never come.
bool Warp::wait(uint32_t mask, bool &forced) {
  Fragment &fragment = fragments[current];
  forced = fragment.forced;
  bool isOver = fragment.released || forced || !(mask & alive() & ~fragment.lanes);
  fragment.released = fragment.forced = false;
  if (isOver)
    return true;
  fragment.state = Fragment::State::AtWarpSync;
  fragment.awaited = mask;
  stay = true;
  return false;
}

bool Warp::gather(uint32_t mask, uint32_t lanes) {
  bool forced = false;
  if (!wait(mask, forced))
    return false;
  uint32_t missing = mask & present & ~lanes;
  if (forced || (mask & alive() & currentLanes() & ~lanes))
    block.report(*this, Report::Kind::DivergentWarpSync,
                 static_cast<unsigned>(__builtin_ctz(lanes)), 0,
                 "the lanes " + hexadecimal(missing) + " of the mask " + hexadecimal(mask) +
                     " do not come to this instruction");
  return true;
}

bool Warp::gatherAll() {
  bool forced = false;
  if (!wait(present, forced))
    return false;
  uint32_t lanes = currentLanes();
  if (lanes != present)
    block.report(
        *this, Report::Kind::DivergentBarrier, static_cast<unsigned>(__builtin_ctz(lanes)), 0,
        "of the warp's lanes " + hexadecimal(present) + " only " + hexadecimal(lanes) +
            " come to this instruction; " + (forced ? "others are elsewhere" : "others have exited"));
  return true;
}

bool Warp::isPolling() const {
  return std::any_of(fragments.begin(), fragments.end(), [](const Fragment &fragment) {
    return fragment.lanes && fragment.state == Fragment::State::Polling;
  });
}

/// The first answer is always the true one: a program that does not ask again has a
/// mistake that it must not get away with. When nothing has changed since, asking again
/// is put off until something has.
bool Warp::pollAgain(uint64_t place) {
  Fragment &fragment = fragments[current];
  uint64_t completions = block.async().mbarriers.completions();
  bool isSame = fragment.polledAt == fragment.pc && fragment.polledFor == place &&
                fragment.polledThen == completions;
  bool tells = !isSame || fragment.gaveUp || (block.isShuffled() && random() % 4 == 0);
  fragment.polledAt = fragment.pc;
  fragment.polledFor = place;
  fragment.polledThen = completions;
  fragment.gaveUp = false;
  if (tells)
    return false;
  fragment.state = Fragment::State::Polling;
  stay = true;
  return true;
}

bool Warp::stopPolling(bool giveUp) {
  bool any = false;
  for (Fragment &fragment : fragments)
    if (fragment.lanes && fragment.state == Fragment::State::Polling) {
      fragment.state = Fragment::State::Runnable;
      fragment.gaveUp = giveUp;
      any = true;
    }
  if (any && giveUp)
    releaseParked();
  return any;
}

void Warp::reportPolls() {
  for (current = 0; current < fragments.size(); ++current)
    if (const Fragment &fragment = fragments[current];
        fragment.lanes && fragment.state == Fragment::State::Polling)
      block.report(*this, Report::Kind::Deadlock,
                   static_cast<unsigned>(__builtin_ctz(fragment.lanes)), fragment.polledFor,
                   "waits for an mbarrier, and no thread can run; " +
                       block.async().mbarriers.describe(fragment.polledFor));
}

uint32_t Warp::place() const {
  for (const Fragment &fragment : fragments)
    if (fragment.lanes)
      return fragment.pc - (fragment.state == Fragment::State::AtBarrier);
  return lastPc;
}

void Warp::waitAtBarrier(uint32_t barrier) {
  fragments[current].state = Fragment::State::AtBarrier;
  fragments[current].barrier = barrier;
}

void Warp::passBarrier(uint32_t barrier) {
  for (size_t index = 0; index < fragments.size(); ++index)
    if (fragments[index].lanes && fragments[index].state == Fragment::State::AtBarrier &&
        fragments[index].barrier == barrier) {
      fragments[index].state = Fragment::State::Runnable;
      arrive(index);
    }
}

void Warp::reportAtBarrier(uint32_t barrier, Report::Kind kind, const std::string &message) {
  for (current = 0; current < fragments.size(); ++current) {
    Fragment &fragment = fragments[current];
    if (fragment.state != Fragment::State::AtBarrier || fragment.barrier != barrier)
      continue;
    --fragment.pc; // It already stands behind the barrier.
    block.report(*this, kind, static_cast<unsigned>(__builtin_ctz(fragment.lanes)), 0, message);
    ++fragment.pc;
    return;
  }
}
