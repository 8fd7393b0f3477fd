//===- Orders.cpp - What acquires learn from releases --------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Orders.h"

#include "../Threads/Block.h"

#include <algorithm>

using namespace fsm;
using namespace fsm::sim;

using Published = SharedRaces::Published;

static bool usesBlockScope(const Linked &linked) {
  return std::any_of(linked.code.begin(), linked.code.end(), [](const Instruction &instruction) {
    return instruction.isStrong() && instruction.isBlockScope;
  });
}

Orders::Orders(const Linked &linked, bool isPacked)
    : isPacked(isPacked), hasBlockScope(usesBlockScope(linked)) {}

static void add(Published &into, const Published &more) {
  join(into.ordered, more.ordered);
  for (SharedRaces::Fenced memory : SharedRaces::kFenced)
    join(into.fenced[memory], more.fenced[memory]);
  join(into.others, more.others);
}

void Message::add(const Message &other) {
  join(all, other.all);
  for (const auto &[program, known] : other.own)
    ::add(own[program], known);
}

/// The message of a thread that lets others know what it knew.
Message Orders::told(const ThreadId &thread, const Published &known, bool isBlockScope) const {
  Message message;
  if (!isBlockScope) {
    message.all = known.others;
    message.all.add(thread.block, std::make_shared<View>(known.ordered));
  }
  if (hasBlockScope)
    message.own.emplace(programOf(thread), known);
  return message;
}

/// Whether a read has what was written last for certain: the two are morally strong.
bool Orders::isObserved(const Place &place, const ThreadId &thread,
                        const Instruction &instruction) const {
  if (place.writer == thread)
    return true;
  const bool isWide = !place.isBlockScope && !instruction.isBlockScope;
  return place.bytes == bytesOf(instruction.type) &&
         (isWide || programOf(place.writer) == programOf(thread));
}

void Orders::acquire(Block &block, const ThreadId &thread, const Message &message,
                     bool isBlockScope) {
  Published known;
  if (!isBlockScope) {
    known.others = message.all;
    if (const View *own = message.all.of(thread.block))
      known.ordered = *own;
  }
  if (auto own = message.own.find(programOf(thread)); own != message.own.end())
    ::add(known, own->second);
  block.races.acquire(thread.warp, uint32_t(1) << thread.lane, known);
}

void Orders::access(Block &block, unsigned warp, unsigned lane, const Instruction &instruction,
                    uint64_t address, bool isRead, bool isWrite) {
  const ThreadId thread{block.linearId, warp, lane};
  const Place *place = nullptr;
  if (auto stretch = places.find(address / kStretchBytes); stretch != places.end())
    if (auto found = stretch->second.find(address); found != stretch->second.end())
      place = &found->second;
  const bool hasObserved = isRead && place && isObserved(*place, thread, instruction);
  if (hasObserved) {
    if (acquires(instruction.order))
      acquire(block, thread, place->message, instruction.isBlockScope);
    else
      block.fencedThread(warp, lane).read.add(place->message);
  }
  if (isWrite)
    write(block, thread, instruction, address, hasObserved || (place && place->only == thread));
}

/// `isContinued`: what the place says stays; its value was made of the one before, or a release of
/// the same thread comes before it.
void Orders::write(Block &block, const ThreadId &thread, const Instruction &instruction,
                   uint64_t address, bool isContinued) {
  Message message;
  if (releases(instruction.order)) {
    Published known;
    block.races.release(thread.warp, uint32_t(1) << thread.lane, known);
    message.add(told(thread, known, instruction.isBlockScope));
  }
  if (const FencedThread *fenced = block.fencedThreadIfAny(thread.warp, thread.lane)) {
    if (fenced->wideFence)
      message.add(told(thread, *fenced->wideFence, false));
    if (fenced->fence != fenced->wideFence)
      message.add(told(thread, *fenced->fence, true));
  }
  const bool isSilent = message.all.isEmpty() && message.own.empty();
  if (isSilent && !isContinued)
    return overwrite(address, bytesOf(instruction.type));
  Place &place = places[address / kStretchBytes][address];
  if (!isContinued)
    place = Place();
  if (!isSilent) {
    place.only = place.message.all.isEmpty() && place.message.own.empty() ? thread
                 : place.only == thread                                   ? thread
                                                                          : ThreadId();
    place.message.add(message);
  }
  place.writer = thread;
  place.isBlockScope = instruction.isBlockScope;
  place.bytes = static_cast<uint8_t>(bytesOf(instruction.type));
}

void Orders::overwrite(uint64_t address, uint32_t bytes) {
  if (places.empty())
    return;
  auto stretch = places.find(address / kStretchBytes);
  if (stretch == places.end())
    return;
  std::map<uint64_t, Place> &here = stretch->second;
  here.erase(here.lower_bound(address), here.lower_bound(address + bytes));
}

void Orders::fence(Block &block, unsigned warp, unsigned lane, const Instruction &instruction) {
  const ThreadId thread{block.linearId, warp, lane};
  FencedThread &fenced = block.fencedThread(warp, lane);
  if (acquires(instruction.order))
    acquire(block, thread, fenced.read, instruction.isBlockScope);
  if (!releases(instruction.order))
    return;
  auto known = std::make_shared<Published>();
  block.races.release(warp, uint32_t(1) << lane, *known);
  fenced.fence = known;
  if (!instruction.isBlockScope)
    fenced.wideFence = known;
}
