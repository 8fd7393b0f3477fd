//===- AsyncProducts.cpp - Products of warp groups in flight --------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AsyncProducts.h"

#include "../Threads/Block.h"
#include "AsyncCopies.h"

#include <algorithm>

using namespace fsm;
using namespace fsm::sim;

static constexpr uint64_t kPieceBytes = SharedRaces::kPieceBytes;

AsyncProducts::AsyncProducts(Block &block)
    : block(block), random(block.seed() ^ 0x9e3779), warps(block.paddedThreads() / kLanes),
      groups(groupOf(static_cast<unsigned>(warps.size()))),
      readers(block.shared.size() / kPieceBytes + 1, 0) {}

/// Blocks of a cluster have groups of their own.
size_t AsyncProducts::groupOf(unsigned warp) const {
  const size_t perBlock = (block.warpsPerBlock() + kGroupWarps - 1) / kGroupWarps;
  return block.rankOf(warp) * perBlock + block.indexInBlock(warp) / kGroupWarps;
}

unsigned AsyncProducts::firstOf(unsigned warp) const {
  return warp - block.indexInBlock(warp) % kGroupWarps;
}

HeldByProducts &AsyncProducts::heldBy(Warp &warp) {
  if (!warp.held)
    warp.held = std::make_unique<HeldByProducts>(block.launch.linked.registerNames.size());
  return *warp.held;
}

/// Calls `f` with the number of each register among some operands.
template <typename F>
static void forRegisters(const Operand &operand, F f) {
  if (operand.kind == Operand::Kind::Register)
    f(operand.index);
  for (const Operand &element : operand.elements)
    forRegisters(element, f);
}

/// "the product of warp 0 at PTX line 20 (source line 5)"
std::string AsyncProducts::describe(const AsyncProduct &product) const {
  return "the product of warp " + std::to_string(product.origin.warp) + " at " +
         block.lineOf(product.origin.pc);
}

//===----------------------------------------------------------------------===//
// Issue
//===----------------------------------------------------------------------===//

/// All warps of a group execute the same instructions in the same order, with the same operands.
void AsyncProducts::checkTogether(Warp &warp, const AsyncProduct &product) {
  OfGroup &group = groups[groupOf(warp.index)];
  const unsigned first = firstOf(warp.index);
  auto report = [&](const std::string &message) {
    block.report(warp, Report::Kind::AsyncProduct, 0, 0, message);
  };
  if (block.indexInBlock(first) + kGroupWarps > block.warpsPerBlock())
    report("four warps multiply together, and the block has no warp " +
           std::to_string(block.warpsPerBlock()) + " to go with warp " +
           std::to_string(block.indexInBlock(warp.index)));
  uint64_t number = warps[warp.index].issued++ - group.complete;
  if (number == group.instructions.size())
    group.instructions.push_back(
        {product.origin, product.left, product.right, product.addsToSums, 0});
  Together &together = group.instructions[number];
  const std::string other = "warp " + std::to_string(together.first.warp);
  auto compare = [&](const char *what, uint64_t here, uint64_t there) {
    if (here != there)
      report("gives " + std::string(what) + hexadecimal(here) + " to a product for which " + other +
             " gives " + hexadecimal(there));
  };
  if (together.first.pc != product.origin.pc) {
    report("multiplies while " + other + ", which multiplies together with this one, comes to " +
           block.lineOf(together.first.pc));
  } else {
    compare("the descriptor ", product.left, together.left);
    compare("the descriptor ", product.right, together.right);
    compare("the scale-d ", product.addsToSums, together.addsToSums);
  }
  together.warps |= 1u << (warp.index - first);
  while (!group.instructions.empty() &&
         group.instructions.front().warps == (1u << kGroupWarps) - 1) {
    group.instructions.pop_front();
    ++group.complete;
  }
}

/// The registers of a product must have their values before the last fence, but for sums that an
/// earlier product of this shape has made. A group begins with a fence.
void AsyncProducts::checkFence(Warp &warp, const AsyncProduct &product) {
  HeldByProducts &held = heldBy(warp);
  auto report = [&](const std::string &message) {
    block.report(warp, Report::Kind::AsyncProduct, 0, 0, message);
  };
  OfWarp &own = warps[warp.index];
  if (own.open.empty() && !own.isFenced)
    return report("begins a group of products with no wgmma.fence behind what came before");
  const auto &operands = product.instruction->operands;
  const bool isHeld = product.instruction->as<GroupProduct>().isLeftHeld;
  bool isReported = false;
  for (size_t index = 0; index < (isHeld ? 2u : 1u); ++index)
    forRegisters(operands[index], [&](uint32_t number) {
      if (held.writtenBehind[number] != held.fences || isReported)
        return;
      isReported = true;
      report("multiplies with register '" + block.registerName(number) +
             "', which was written behind the last wgmma.fence");
    });
}

/// What it reads must be there, and in the sight of the asynchronous proxy.
void AsyncProducts::checkPieces(Warp &warp, const AsyncProduct &product) {
  for (size_t index = 0; index < product.pieces.size(); ++index) {
    const uint32_t piece = product.pieces[index];
    const uint64_t begin = piece * kPieceBytes;
    if (!block.async().checkShared(warp, 0, begin, begin, kPieceBytes, false))
      return;
    const auto known = block.sharedInitialized.begin() + static_cast<long>(begin);
    const auto missing = std::find(known, known + kPieceBytes, 0) - known;
    if (missing < static_cast<long>(kPieceBytes))
      return block.report(warp, Report::Kind::UninitializedMemory, 0, begin,
                          "multiplies byte " +
                              std::to_string(begin + static_cast<uint64_t>(missing)) +
                              " of shared memory, which was never written");
    if (unsigned span = block.async().spanOf(piece); span && span != product.spans[index])
      return block.report(warp, Report::Kind::AsyncProduct, 0, begin,
                          "multiplies byte " + std::to_string(begin) +
                              " of shared memory by rows of " +
                              std::to_string(product.spans[index]) +
                              " bytes; a copy brought it by rows of " + std::to_string(span) +
                              " (16: without a swizzle)");
    auto found = block.races.checkProduct(piece, warp.index, warp.present);
    if (!found)
      continue;
    const SharedRaces::Race &race = found->second;
    return block.report(
        warp, race.isUnfenced ? Report::Kind::ProxyFence : Report::Kind::SharedRace, 0, begin,
        "multiplies byte " + std::to_string(found->first) + " of shared memory, " +
            block.describeRace(race));
  }
}

/// The registers are the product's until it was waited for.
void AsyncProducts::hold(Warp &warp, const AsyncProduct &product) {
  HeldByProducts &held = heldBy(warp);
  const auto &operands = product.instruction->operands;
  forRegisters(operands[0], [&](uint32_t number) { held.sums[number] = product.serial; });
  if (product.instruction->as<GroupProduct>().isLeftHeld)
    forRegisters(operands[1], [&](uint32_t number) { ++held.factors[number]; });
  for (uint32_t piece : product.pieces)
    ++readers[piece];
  ++held.count;
}

void AsyncProducts::issue(Warp &warp, AsyncProduct product) {
  product.origin = {warp.pc(), warp.index, 0};
  product.serial = ++serial;
  checkTogether(warp, product);
  checkFence(warp, product);
  checkPieces(warp, product);
  hold(warp, product);
  warps[warp.index].open.push_back(std::move(product));
  const LaunchOptions::Landing landing = block.landing();
  if (landing == LaunchOptions::Landing::First ||
      (landing == LaunchOptions::Landing::Random && random() % 4 == 0))
    landAll(warp);
}

void AsyncProducts::fence(Warp &warp) {
  ++heldBy(warp).fences;
  warps[warp.index].isFenced = true;
}

void AsyncProducts::commit(Warp &warp) {
  heldBy(warp);
  OfWarp &own = warps[warp.index];
  own.groups.push_back(std::move(own.open));
  own.open.clear();
  own.isFenced = false;
}

//===----------------------------------------------------------------------===//
// Landing
//===----------------------------------------------------------------------===//

/// What a product writes is no write between a fence and the next product.
void AsyncProducts::land(Warp &warp, AsyncProduct &product) {
  if (product.hasLanded)
    return;
  product.hasLanded = true;
  multiplyNow(warp, product);
  HeldByProducts &held = heldBy(warp);
  forRegisters(product.instruction->operands[0],
               [&](uint32_t number) { held.writtenBehind[number] = 0; });
}

void AsyncProducts::landAll(Warp &warp) {
  OfWarp &own = warps[warp.index];
  for (std::vector<AsyncProduct> &group : own.groups)
    for (AsyncProduct &product : group)
      land(warp, product);
  for (AsyncProduct &product : own.open)
    land(warp, product);
}

/// The warp has waited for it.
void AsyncProducts::end(Warp &warp, AsyncProduct &product) {
  land(warp, product);
  HeldByProducts &held = heldBy(warp);
  const auto &operands = product.instruction->operands;
  forRegisters(operands[0], [&](uint32_t number) {
    if (held.sums[number] == product.serial)
      held.sums[number] = 0;
  });
  if (product.instruction->as<GroupProduct>().isLeftHeld)
    forRegisters(operands[1], [&](uint32_t number) { --held.factors[number]; });
  for (uint32_t piece : product.pieces) {
    --readers[piece];
    block.races.noteProduct(piece, warp.index, product.origin.pc);
  }
  --held.count;
}

void AsyncProducts::wait(Warp &warp, uint64_t left) {
  std::deque<std::vector<AsyncProduct>> &waiting = warps[warp.index].groups;
  for (; waiting.size() > left; waiting.pop_front())
    for (AsyncProduct &product : waiting.front())
      end(warp, product);
}

//===----------------------------------------------------------------------===//
// Other instructions, and the end
//===----------------------------------------------------------------------===//

const AsyncProduct *AsyncProducts::findReader(uint64_t piece) const {
  auto reads = [&](const AsyncProduct &product) {
    return std::find(product.pieces.begin(), product.pieces.end(), piece) != product.pieces.end();
  };
  for (const OfWarp &own : warps) {
    for (const std::vector<AsyncProduct> &group : own.groups)
      if (auto found = std::find_if(group.begin(), group.end(), reads); found != group.end())
        return &*found;
    if (auto found = std::find_if(own.open.begin(), own.open.end(), reads); found != own.open.end())
      return &*found;
  }
  return nullptr;
}

bool AsyncProducts::checkWrite(Warp &warp, unsigned lane, uint64_t address, uint64_t offset,
                               uint32_t bytes) {
  for (uint64_t piece = offset / kPieceBytes; piece * kPieceBytes < offset + bytes; ++piece) {
    if (!readers[piece])
      continue;
    const AsyncProduct *reader = findReader(piece);
    const uint64_t first = std::max(offset, piece * kPieceBytes);
    block.report(warp, Report::Kind::AsyncProduct, lane, address + (first - offset),
                 "writes byte " + std::to_string(first) + " of shared memory while " +
                     describe(*reader) + ", which nobody has waited for, reads it");
    return false;
  }
  return true;
}

/// The product in flight with a serial number; 0: the last one with the register as a factor.
const AsyncProduct *AsyncProducts::findHolder(unsigned warp, uint32_t number,
                                              uint64_t serial) const {
  const AsyncProduct *holder = nullptr;
  auto look = [&](const AsyncProduct &one) {
    bool isHolder = one.serial == serial;
    if (!serial && one.instruction->as<GroupProduct>().isLeftHeld)
      forRegisters(one.instruction->operands[1],
                   [&](uint32_t other) { isHolder |= other == number; });
    holder = isHolder ? &one : holder;
  };
  for (const std::vector<AsyncProduct> &group : warps[warp].groups)
    std::for_each(group.begin(), group.end(), look);
  std::for_each(warps[warp].open.begin(), warps[warp].open.end(), look);
  return holder;
}

void AsyncProducts::checkRegisters(Warp &warp, const Instruction &instruction, uint32_t lanes) {
  const GroupProduct *product = instruction.ifIs<GroupProduct>();
  HeldByProducts &held = *warp.held;
  const unsigned lane = static_cast<unsigned>(__builtin_ctz(lanes));
  bool isReported = false;
  const AsyncProduct *holder = nullptr;
  auto check = [&](uint32_t number, bool isWrite) {
    const bool isSum = held.sums[number], isFactor = isWrite && held.factors[number];
    if (isReported || (!isSum && !isFactor))
      return;
    // Mostly it is the product that holds the register before.
    if (!holder || !isSum || holder->serial != held.sums[number])
      holder = findHolder(warp.index, number, isSum ? held.sums[number] : 0);
    // Products of one shape add to their sums one after the other.
    if (product && isSum && isWrite && !isFactor &&
        holder->instruction->as<GroupProduct>().hasShapeOf(*product))
      return;
    isReported = true;
    block.report(warp, Report::Kind::AsyncProduct, lane, 0,
                 std::string(isWrite ? "writes" : "reads") + " register '" +
                     block.registerName(number) + "' while " + describe(*holder) +
                     ", which was not waited for, " + (isSum ? "adds to it" : "reads it"));
  };
  for (size_t index = 0; index < instruction.operands.size(); ++index)
    forRegisters(instruction.operands[index],
                 [&](uint32_t number) { check(number, index == 0 && instruction.writesFirst); });
}

void AsyncProducts::finish() {
  for (const OfGroup &group : groups)
    for (const Together &together : group.instructions)
      block.reportAt(together.first, Report::Kind::AsyncProduct, 0,
                     "only " + std::to_string(__builtin_popcount(together.warps)) +
                         " of the warps " + std::to_string(firstOf(together.first.warp)) + " to " +
                         std::to_string(firstOf(together.first.warp) + kGroupWarps - 1) +
                         ", which multiply together, come to this instruction");
  for (const OfWarp &own : warps) {
    auto report = [&](const std::vector<AsyncProduct> &products) {
      for (const AsyncProduct &product : products)
        block.reportAt(product.origin, Report::Kind::AsyncProduct, 0,
                       "the kernel ends and the warp has not waited for this product");
    };
    for (const std::vector<AsyncProduct> &group : own.groups)
      report(group);
    report(own.open);
  }
}
