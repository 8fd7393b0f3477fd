//===- RepeatPlan.cpp - Which ops of a block repeat ----------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// 1. Each op of a block but constants gets a hash of what it does, whatever its operands.
// 2. How far apart equal hashes are, alone and with those that follow, says which distances are
//    worth a look: at most a dozen, the short ones first.
// 3. Where all hashes for long are what they are so much earlier, copies are compared: the second
//    with the first says what each operand is, all others have to agree.
//
// Each distance takes time that grows with the block: where copies differ, comparing begins again
// behind what was in the way, and ends when so many ops have been compared.
//
//===----------------------------------------------------------------------===//

#include "RepeatPlan.h"

#include "fsm/IR/FSMDialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/OperationSupport.h"
#include "llvm/ADT/Hashing.h"

#include <map>
#include <set>

using namespace mlir;
using namespace fsm;

/// A product becomes six ops of device code's plan, and loops behind that.
static constexpr uint64_t kWeightOfProduct = 16;
/// Fewer are no loop.
static constexpr size_t kLeastCopies = 4;
/// A longer group is looked for nowhere.
static constexpr size_t kLongestGroup = 1024;
/// How many hashes are compared at once, and how many of the distances between equal ones are
/// taken for each.
static constexpr size_t kWindows[] = {1, 4, 16}, kDistancesOfWindow = 4;
/// A group that repeats is taken as often as it takes to be long enough, or up to three times more:
/// a constant may move by one of several steps in turn.
static constexpr size_t kTriedMultiples = 4;
/// Of each distance and multiple, for each op that may repeat.
static constexpr size_t kMostComparisons = 8;

uint64_t fsm::weightOf(Operation *op) {
  uint64_t weight = 0;
  op->walk([&](Operation *inner) { weight += isa<DotOp>(inner) ? kWeightOfProduct : 1; });
  return weight;
}

std::optional<APInt> fsm::movingNumber(Value value) {
  APInt number;
  if (!matchPattern(value, m_ConstantInt(&number)) || number.getBitWidth() == 1)
    return std::nullopt;
  return number;
}

static bool isConstant(Operation *op) { return op && op->hasTrait<OpTrait::ConstantLike>(); }

/// Whether a value is a result or an argument inside of an op.
static bool isInside(Operation *op, Value value) {
  return op->getNumRegions() != 0 && op->isAncestor(value.getParentBlock()->getParentOp());
}

/// The operands of an op, and of the ops inside of it those from outside.
static SmallVector<OpOperand *> outerOperands(Operation *op) {
  SmallVector<OpOperand *> operands;
  op->walk<WalkOrder::PreOrder>([&](Operation *inner) {
    for (OpOperand &operand : inner->getOpOperands())
      if (!isInside(op, operand.get()))
        operands.push_back(&operand);
  });
  return operands;
}

/// Equal for ops that do the same to other operands.
static size_t hashOf(Operation *op) {
  llvm::hash_code hash(0);
  op->walk<WalkOrder::PreOrder>([&](Operation *inner) {
    hash = llvm::hash_combine(
        hash, OperationEquivalence::computeHash(inner, OperationEquivalence::ignoreHashValue,
                                                OperationEquivalence::ignoreHashValue,
                                                OperationEquivalence::IgnoreLocations));
  });
  return hash;
}

/// Whether two ops do the same to operands of the same types from outside.
static bool doTheSame(Operation *left, Operation *right) {
  DenseMap<Value, Value> inside;
  return OperationEquivalence::isEquivalentTo(
      left, right,
      [&](Value one, Value other) {
        if (isInside(left, one))
          return success(inside.lookup(one) == other);
        return success(!isInside(right, other) && one.getType() == other.getType());
      },
      [&](Value one, Value other) { inside[one] = other; }, OperationEquivalence::IgnoreLocations);
}

namespace {
/// Looks for repeats in the ops of a block.
class RepeatSearch {
public:
  RepeatSearch(Block &block, ArrayRef<Operation *> ops, RepeatBounds bounds)
      : ops(ops), bounds(bounds), isTaken(ops.size(), false) {
    weights.push_back(0);
    for (auto [at, op] : llvm::enumerate(ops)) {
      positions[op] = at;
      hashes.push_back(hashOf(op));
      weights.push_back(weights.back() + weightOf(op));
    }
    for (Operation *op : ops)
      lastUses.push_back(lastUseOf(block, op));
  }

  std::vector<Repeat> run() {
    std::vector<Repeat> found;
    if (weights.back() < bounds.leastWeight)
      return found;
    for (size_t distance : distances())
      searchAt(distance, found);
    return found;
  }

private:
  /// Where the comparison of copies begins, or begins again.
  struct Attempt {
    /// How many copies there are, and what their operands are.
    size_t copies = 1;
    std::vector<RepeatedOperand> operands;
    /// Where the next attempt may find what this one does not.
    size_t next = 0;
  };

  /// The place of the last op that uses a result; the number of ops for the terminator.
  size_t lastUseOf(Block &block, Operation *op) const {
    size_t last = 0;
    for (Operation *user : op->getUsers()) {
      auto known = positions.find(block.findAncestorOpInBlock(*user));
      last = std::max(last, known == positions.end() ? ops.size() : known->second);
    }
    return last;
  }

  uint64_t weight(size_t begin, size_t end) const { return weights[end] - weights[begin]; }

  /// The place of the op which has a value as its result, if it is one of the block.
  std::optional<size_t> placeOf(Value value) const {
    auto known = positions.find(value.getDefiningOp());
    return known == positions.end() ? std::nullopt : std::optional(known->second);
  }

  std::set<size_t> distances() const;
  void searchAt(size_t distance, std::vector<Repeat> &found);
  void searchStretch(size_t begin, size_t end, size_t size, std::vector<Repeat> &found);
  Attempt attempt(size_t begin, size_t end, size_t size);
  bool addSources(size_t begin, size_t size, size_t index, Attempt &attempt);
  std::optional<RepeatedOperand> sourceOf(OpOperand &first, Value second, size_t begin,
                                          size_t size) const;
  bool agrees(const RepeatedOperand &operand, Value value, size_t shift, size_t copy,
              size_t size) const;

  ArrayRef<Operation *> ops;
  RepeatBounds bounds;
  std::vector<bool> isTaken;
  DenseMap<Operation *, size_t> positions;
  std::vector<size_t> hashes, lastUses;
  /// Of all ops in front of a place.
  std::vector<uint64_t> weights;
  /// Ops that may still be compared.
  size_t budget = 0;
};
} // namespace

/// The most frequent distances from what some ops do to where the same was done last.
std::set<size_t> RepeatSearch::distances() const {
  std::set<size_t> chosen;
  for (size_t window : kWindows) {
    DenseMap<size_t, size_t> lastPlace;
    std::map<size_t, size_t> counts;
    for (size_t at = 0; at + window <= ops.size(); ++at) {
      // DenseMap keeps the two greatest keys for itself.
      size_t hash = llvm::hash_combine_range(ArrayRef(hashes).slice(at, window)) >> 1;
      auto [known, isNew] = lastPlace.try_emplace(hash, at);
      if (!isNew && at - known->second <= kLongestGroup)
        ++counts[at - known->second];
      known->second = at;
    }
    std::vector<std::pair<size_t, size_t>> byCount;
    for (auto [distance, count] : counts)
      byCount.emplace_back(count, distance);
    llvm::sort(byCount, std::greater<>());
    for (auto [count, distance] : ArrayRef(byCount).take_front(kDistancesOfWindow))
      chosen.insert(distance);
  }
  return chosen;
}

/// Adds the repeats of groups of so many ops, or of a multiple.
void RepeatSearch::searchAt(size_t distance, std::vector<Repeat> &found) {
  auto repeats = [&](size_t at) {
    return at + distance < ops.size() && !isTaken[at] && !isTaken[at + distance] &&
           hashes[at] == hashes[at + distance];
  };
  for (size_t at = 0; at + distance < ops.size(); ++at) {
    size_t begin = at;
    while (repeats(at))
      ++at;
    size_t end = at + distance;
    if (at == begin || weight(begin, end) < bounds.leastWeight)
      continue;
    uint64_t ofGroup = weight(begin, begin + distance);
    size_t times = std::max<size_t>(1, llvm::divideCeil(bounds.leastGroup, ofGroup));
    for (size_t more = 0; more < kTriedMultiples; ++more) {
      budget = kMostComparisons * (end - begin);
      searchStretch(begin, end, (times + more) * distance, found);
    }
  }
}

/// Adds the repeats of groups of this size between two places.
void RepeatSearch::searchStretch(size_t begin, size_t end, size_t size,
                                 std::vector<Repeat> &found) {
  while (budget != 0 && begin + kLeastCopies * size <= end &&
         weight(begin, end) >= bounds.leastWeight) {
    // What another size has taken meanwhile.
    if (isTaken[begin]) {
      ++begin;
      continue;
    }
    Attempt tried = attempt(begin, end, size);
    size_t behind = begin + tried.copies * size;
    if (tried.copies < kLeastCopies || weight(begin, behind) < bounds.leastWeight) {
      begin = std::max(begin + 1, tried.next);
      continue;
    }
    std::fill(isTaken.begin() + begin, isTaken.begin() + behind, true);
    found.push_back({ops.slice(begin, behind - begin), size, std::move(tried.operands)});
    begin = behind;
  }
}

/// Compares copy after copy with the first one, which begins at a place.
RepeatSearch::Attempt RepeatSearch::attempt(size_t begin, size_t end, size_t size) {
  Attempt result;
  for (size_t copy = 1; begin + (copy + 1) * size <= end; ++copy) {
    auto operand = result.operands.begin();
    for (size_t index = 0; index < size; ++index) {
      size_t at = begin + copy * size + index;
      // Copies in front of what differs are no use but for one that may be the first.
      result.next = copy == 1 ? at - size + 1 : at - 2 * size + 1;
      if (isTaken[at] || budget == 0 || !doTheSame(ops[begin + index], ops[at]))
        return result;
      --budget;
      if (copy == 1) {
        if (!addSources(begin, size, index, result))
          return result;
        operand = result.operands.end();
        continue;
      }
      for (OpOperand *other : outerOperands(ops[at]))
        if (!agrees(*operand++, other->get(), begin, copy, size))
          return result;
    }
    // A result that is used further on is one of the last copy.
    for (size_t at = begin + (copy - 1) * size; at < begin + copy * size; ++at) {
      if (lastUses[at] >= begin + (copy + 1) * size) {
        result.next = at + 1;
        return result;
      }
    }
    result.copies = copy + 1;
  }
  return result;
}

/// Adds what the operands of one op of the first copy are, by those of the second; false, and where
/// to go on, if they follow from nothing.
bool RepeatSearch::addSources(size_t begin, size_t size, size_t index, Attempt &attempt) {
  SmallVector<OpOperand *> first = outerOperands(ops[begin + index]),
                           second = outerOperands(ops[begin + size + index]);
  for (auto [one, other] : llvm::zip_equal(first, second)) {
    std::optional<RepeatedOperand> found = sourceOf(*one, other->get(), begin, size);
    if (!found) {
      // Where the first copy has what all use, as if it stood in front of them, so will the next one.
      std::optional<size_t> place = placeOf(one->get());
      if (place && *place >= begin)
        attempt.next = *place + 1;
      return false;
    }
    attempt.operands.push_back(*found);
  }
  return true;
}

/// What an operand of the first copy is, if this is that of the second.
std::optional<RepeatedOperand> RepeatSearch::sourceOf(OpOperand &first, Value second, size_t begin,
                                                      size_t size) const {
  auto copyOf = [&](std::optional<size_t> place) -> std::optional<size_t> {
    return place && *place >= begin ? std::optional((*place - begin) / size) : std::nullopt;
  };
  std::optional<size_t> place = placeOf(second), inFirst = copyOf(placeOf(first.get())),
                        inSecond = copyOf(place);
  if (inSecond.has_value()) {
    OpResult result =
        ops[begin + (*place - begin) % size]->getResult(cast<OpResult>(second).getResultNumber());
    if (*inSecond == 1 && first.get() == result)
      return RepeatedOperand{&first, Source::SameCopy, result, APInt()};
    // No loop carries a descriptor.
    if (*inSecond == 0 && !inFirst.has_value() && !isa<DescriptorType>(second.getType()))
      return RepeatedOperand{&first, Source::CopyBefore, result, APInt()};
    return std::nullopt;
  }
  if (inFirst.has_value())
    return std::nullopt;
  Attribute one, other;
  bool areEqual = matchPattern(first.get(), m_Constant(&one)) &&
                  matchPattern(second, m_Constant(&other)) && one == other;
  if (first.get() == second || areEqual)
    return RepeatedOperand{&first, Source::Outside, {}, APInt()};
  std::optional<APInt> from = movingNumber(first.get()), to = movingNumber(second);
  if (!from || !to)
    return std::nullopt;
  return RepeatedOperand{&first, Source::Moving, {}, *to - *from};
}

/// Whether the value is what the operand is in such a copy.
bool RepeatSearch::agrees(const RepeatedOperand &operand, Value value, size_t begin, size_t copy,
                          size_t size) const {
  Value first = operand.operand->get();
  switch (operand.source) {
  case Source::Outside: {
    Attribute one, other;
    return value == first || (matchPattern(first, m_Constant(&one)) &&
                              matchPattern(value, m_Constant(&other)) && one == other);
  }
  case Source::SameCopy:
  case Source::CopyBefore: {
    size_t copies = operand.source == Source::SameCopy ? copy : copy - 1;
    size_t place = positions.lookup(operand.result.getOwner()) + copies * size;
    return value == ops[place]->getResult(operand.result.getResultNumber());
  }
  case Source::Moving: {
    std::optional<APInt> number = movingNumber(value);
    return number && *number == *movingNumber(first) +
                                    operand.step * APInt(operand.step.getBitWidth(), copy, false,
                                                         /*implicitTrunc=*/true);
  }
  }
  llvm_unreachable("covered switch");
}

RepeatPlan::RepeatPlan(Block &block, RepeatBounds bounds) {
  for (Operation &op : block)
    if (!isConstant(&op) && !op.hasTrait<OpTrait::IsTerminator>())
      ops.push_back(&op);
  found = RepeatSearch(block, ops, bounds).run();
}
