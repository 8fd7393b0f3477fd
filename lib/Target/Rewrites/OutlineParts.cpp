//===- OutlineParts.cpp - Long functions as calls of their parts ---------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OutlineParts.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/CodeExtractor.h"

#include <algorithm>
#include <vector>

using namespace fsm;

/// So many that a call for each costs nothing, so few that the square of it is little.
static constexpr size_t kBlocksOfPart = 128;
/// As many as CodeGenPrepare numbers anew for each address that it moves, without being noticed.
static constexpr size_t kLongBlock = 1024;

namespace {
using Blocks = std::vector<llvm::BasicBlock *>;

/// The places among `blocks` that every way through the function comes to, and none back from
/// behind: those that no edge between blocks before and behind them goes around.
std::vector<bool> meetingPlaces(const Blocks &blocks) {
  llvm::DenseMap<const llvm::BasicBlock *, size_t> places;
  for (size_t i = 0; i < blocks.size(); ++i)
    places[blocks[i]] = i;
  // How many edges begin to go around a place, less those that have ended there.
  std::vector<long> changes(blocks.size() + 1);
  for (size_t from = 0; from < blocks.size(); ++from)
    for (const llvm::BasicBlock *successor : llvm::successors(blocks[from])) {
      size_t to = places.lookup(successor);
      // Forward, it goes around what is between; back, what is behind the loop's first block.
      changes[std::min(from, to) + 1] += 1;
      changes[to > from ? to : from + 1] -= 1;
    }
  std::vector<bool> meet(blocks.size());
  long around = 0;
  for (size_t i = 0; i < blocks.size(); ++i) {
    around += changes[i];
    meet[i] = around == 0;
  }
  return meet;
}

/// The blocks of each part, behind the first block, which allocates. The last part holds the rest.
std::vector<Blocks> partsOf(const Blocks &blocks) {
  std::vector<bool> meet = meetingPlaces(blocks);
  std::vector<Blocks> parts;
  size_t begin = 1;
  while (begin < blocks.size() && !meet[begin])
    ++begin;
  for (size_t end = begin + 1; end < blocks.size(); ++end)
    if (meet[end] && end - begin >= kBlocksOfPart) {
      parts.emplace_back(blocks.begin() + begin, blocks.begin() + end);
      begin = end;
    }
  parts.emplace_back(blocks.begin() + begin, blocks.end());
  return parts;
}

/// Whether it is an address that can be computed anywhere: a constant distance from an argument or
/// from what the first block computes.
bool isPlainAddress(const llvm::Instruction &instruction) {
  auto *address = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction);
  if (!address || !address->hasAllConstantIndices())
    return false;
  auto *base = llvm::dyn_cast<llvm::Instruction>(address->getPointerOperand());
  return !base || base->getParent()->isEntryBlock();
}

std::vector<llvm::Instruction *> plainAddresses(llvm::Function &function) {
  std::vector<llvm::Instruction *> addresses;
  for (llvm::Instruction &instruction : llvm::instructions(function))
    if (isPlainAddress(instruction))
      addresses.push_back(&instruction);
  return addresses;
}

/// Lets each part compute the plain addresses that it uses, so that none is handed to it.
void repeatAddresses(llvm::Function &function, const std::vector<Blocks> &parts) {
  llvm::DenseMap<const llvm::BasicBlock *, const Blocks *> partOf;
  for (const Blocks &part : parts)
    for (const llvm::BasicBlock *block : part)
      partOf[block] = &part;
  for (llvm::Instruction *address : plainAddresses(function)) {
    llvm::SmallDenseMap<const Blocks *, llvm::Instruction *> copies;
    for (llvm::Use &use : llvm::make_early_inc_range(address->uses())) {
      auto *user = llvm::cast<llvm::Instruction>(use.getUser());
      auto *phi = llvm::dyn_cast<llvm::PHINode>(user);
      const Blocks *part = partOf.lookup(phi ? phi->getIncomingBlock(use) : user->getParent());
      if (!part || part == partOf.lookup(address->getParent()))
        continue;
      llvm::Instruction *&copy = copies[part];
      if (!copy) {
        copy = address->clone();
        copy->insertBefore(part->front()->getFirstInsertionPt());
      }
      use.set(copy);
    }
  }
}
} // namespace

bool fsm::outlineParts(llvm::Function &function) {
  if (function.size() <= 2 * kBlocksOfPart)
    return false;
  Blocks blocks;
  for (llvm::BasicBlock &block : function)
    blocks.push_back(&block);
  std::vector<Blocks> parts = partsOf(blocks);
  repeatAddresses(function, parts);
  llvm::CodeExtractorAnalysisCache cache(function);
  // The last part, which returns, is what stays of the function.
  parts.pop_back();
  for (const Blocks &part : parts)
    if (llvm::Function *called = llvm::CodeExtractor(part).extractCodeRegion(cache))
      called->addFnAttr(llvm::Attribute::NoInline);
  return !parts.empty();
}

void fsm::sinkAddresses(llvm::Function &function) {
  llvm::DenseSet<const llvm::BasicBlock *> longBlocks;
  for (const llvm::BasicBlock &block : function)
    if (block.size() > kLongBlock)
      longBlocks.insert(&block);
  if (longBlocks.empty())
    return;
  for (llvm::Instruction *address : plainAddresses(function))
    for (llvm::Use &use : llvm::make_early_inc_range(address->uses())) {
      auto *user = llvm::cast<llvm::Instruction>(use.getUser());
      if (user->getParent() == address->getParent() || llvm::isa<llvm::PHINode>(user) ||
          !longBlocks.contains(user->getParent()))
        continue;
      llvm::Instruction *copy = address->clone();
      copy->insertBefore(user->getIterator());
      use.set(copy);
    }
}
