//===- AffineOffsetsQueries.cpp - What follows from forms ----------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Analysis/AffineOffsets.h"

#include "fsm/Analysis/BlockRun.h"
#include "fsm/Analysis/KnownMasks.h"
#include "fsm/Analysis/Loops.h"
#include "fsm/Analysis/SharedBuffers.h"

#include "AxisInfoRules.h"

#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace fsm;
using axis::powerOfTwoIn;
using axis::widthOf;

static constexpr int64_t kMaxMovement = int64_t(1) << 31;

static bool isBounded(int64_t number) { return number >= -kMaxMovement && number <= kMaxMovement; }

std::optional<int64_t> AffineOffsets::innerStep(Value block) {
  const AffineForm &form = of(block);
  return form.steps.empty() ? 0 : form.steps.back();
}

int64_t AffineOffsets::alignment(Value pointer, Value offsets) {
  int64_t bytes = bytesOf(cast<PointerType>(pointer.getType()).getPointeeType());
  int64_t divisor = offsets ? of(offsets).divisor : AxisInfo::kMaxDivisor;
  for (; auto offset = pointer.getDefiningOp<OffsetOp>(); pointer = offset.getPointer())
    divisor = std::min(divisor, of(offset.getOffset()).divisor);
  IntegerAttr fact = promisedOf(pointer, kAlignAttr);
  return fact ? std::min(powerOfTwoIn(fact.getInt()), bytes * divisor) : 1;
}

//===----------------------------------------------------------------------===//
// Distinct elements
//===----------------------------------------------------------------------===//

/// Whether the elements are apart by their steps, of which each is longer than what all shorter
/// ones reach. The whole block has to fit in the bits that the form is right in.
bool AffineOffsets::areApart(Value block, AffineForm form) {
  unsigned bits = form.exactness == Exactness::Bits ? widthOf(block.getType()) : 64;
  form.exactness = Exactness::Number;
  findSteps(block, form);
  SmallVector<std::pair<uint64_t, uint64_t>> ways;
  for (auto [step, extent] : llvm::zip_equal(form.steps, shapeOf(block.getType()))) {
    if (!step)
      return false;
    uint64_t length = *step < 0 ? -static_cast<uint64_t>(*step) : static_cast<uint64_t>(*step);
    if (extent != 1)
      ways.push_back({length, static_cast<uint64_t>(extent - 1)});
  }
  llvm::sort(ways);
  uint64_t reach = 0, limit = uint64_t(1) << (bits - 1);
  for (auto [length, count] : ways) {
    if (length <= reach || length > (limit - reach) / count)
      return false;
    reach += length * count;
  }
  return !form.inGroups;
}

bool AffineOffsets::areDistinct(Value block) {
  // Each access asks, maybe of what many ops have made of one block.
  constexpr unsigned kMaxOps = 16;
  for (unsigned ops = 0; block && ops < kMaxOps; ++ops) {
    const AffineForm &form = of(block);
    if (areApart(block, form))
      return true;
    // Of one block and what is the same for all its elements.
    Value symbol;
    for (const AffineTerm &term : form.terms) {
      if (!term.symbol || (term.isBlock() && (symbol || (term.factor != 1 && term.factor != -1))))
        return false;
      if (term.isBlock())
        symbol = term.symbol;
    }
    if (!symbol)
      return false;
    Operation *op = symbol.getDefiningOp();
    bool isNarrowed =
        form.exactness == Exactness::Bits && widthOf(symbol.getType()) > widthOf(block.getType());
    if (auto load = dyn_cast_or_null<SharedLoadOp>(op); load && !isNarrowed)
      block = storedBlock(load);
    else if (!isNarrowed && isa_and_present<ExpandDimsOp, ReshapeOp, TransposeOp, ConvertLayoutOp,
                                            arith::ExtSIOp, arith::ExtUIOp>(op))
      block = op->getOperand(0);
    else
      return false;
  }
  return false;
}

//===----------------------------------------------------------------------===//
// Masks
//===----------------------------------------------------------------------===//

std::optional<MaskEnd> AffineOffsets::endOf(Value mask) {
  auto compare = mask.getDefiningOp<arith::CmpIOp>();
  if (!compare || !isa<RankedTensorType>(mask.getType()))
    return std::nullopt;
  Value counted = compare.getLhs(), bound = compare.getRhs();
  if (compare.getPredicate() == arith::CmpIPredicate::sgt)
    std::swap(counted, bound);
  else if (compare.getPredicate() != arith::CmpIPredicate::slt)
    return std::nullopt;
  auto splat = bound.getDefiningOp<SplatOp>();
  const AffineForm &form = of(counted);
  // Where a sum wraps the next number is far away.
  if (!splat || counted.getDefiningOp<SplatOp>() || form.exactness != Exactness::Number)
    return std::nullopt;
  auto type = cast<RankedTensorType>(mask.getType());
  MaskEnd end{static_cast<unsigned>(type.getRank() - 1), splat.getScalar(), Value(), form.constant};
  unsigned indices = 0;
  for (const AffineTerm &term : form.terms) {
    if (term.isBlock() || term.factor != 1 || (term.symbol && end.base))
      return std::nullopt;
    if (term.symbol) {
      end.base = term.symbol;
    } else {
      ++indices;
      end.dim = term.dim;
    }
  }
  // Of rows of one element the index is 0.
  if (indices > 1 || (indices == 0 && type.getShape().back() != 1))
    return std::nullopt;
  end.divisor = std::min(form.divisor, of(end.bound).divisor);
  return end;
}

Value AffineOffsets::rowBound(Value mask) {
  std::optional<MaskEnd> end = endOf(mask);
  if (!end || end->base || end->start != 0 ||
      end->dim + 1 != cast<RankedTensorType>(mask.getType()).getRank())
    return {};
  return end->bound;
}

/// A block without what moves its dimensions and repeats its elements.
static Value unmoved(Value block) {
  while (isa_and_present<ExpandDimsOp, BroadcastOp, TransposeOp, ConvertLayoutOp>(
      block.getDefiningOp()))
    block = block.getDefiningOp()->getOperand(0);
  return block;
}

/// Whether a block is computed of another one, as far as few ops say.
static bool isMadeOf(Value block, Value source) {
  constexpr size_t kMaxBlocks = 16;
  llvm::SmallSetVector<Value, kMaxBlocks> made;
  made.insert(unmoved(block));
  for (size_t next = 0; next < made.size() && made.size() < kMaxBlocks; ++next) {
    if (made[next] == unmoved(source))
      return true;
    if (Operation *op = made[next].getDefiningOp(); op && op->hasTrait<OpTrait::Elementwise>())
      for (Value operand : op->getOperands())
        made.insert(unmoved(operand));
  }
  return false;
}

/// Whether no element is less than one of lower indices, in an order of signed or unsigned numbers.
static bool isRising(const AffineForm &form, bool isSigned) {
  return form.exactness == Exactness::Number && (isSigned || form.constant >= 0) &&
         llvm::all_of(form.terms, [&](const AffineTerm &term) {
           return !term.isBlock() && (term.symbol ? isSigned : term.factor > 0);
         });
}

static bool isSameForAll(const AffineForm &form) {
  return llvm::all_of(form.terms,
                      [](const AffineTerm &term) { return term.symbol && !term.isBlock(); });
}

bool AffineOffsets::hasFirst(Value mask, Value number) {
  constexpr unsigned kMaxMasks = 8;
  llvm::SmallVector<Value, kMaxMasks> masks;
  if (mask)
    masks.push_back(mask);
  for (unsigned count = 0; !masks.empty(); ++count) {
    mask = unmoved(masks.pop_back_val());
    if (!isa<RankedTensorType>(mask.getType()) || mask.getDefiningOp<SplatOp>())
      continue;
    if (auto both = mask.getDefiningOp<arith::AndIOp>(); both && count < kMaxMasks) {
      llvm::append_range(masks, both->getOperands());
      continue;
    }
    auto compare = mask.getDefiningOp<arith::CmpIOp>();
    if (!compare)
      return false;
    arith::CmpIPredicate order = compare.getPredicate();
    Value less = compare.getLhs(), more = compare.getRhs();
    if (isGreater(order))
      std::swap(less, more);
    bool isOrder = order != arith::CmpIPredicate::eq && order != arith::CmpIPredicate::ne;
    bool endsBehind =
        isOrder && isRising(of(less), order < arith::CmpIPredicate::ult) && isSameForAll(of(more));
    if (!endsBehind && !isMadeOf(less, number) && !isMadeOf(more, number))
      return false;
  }
  return true;
}

/// The step along the rows in the block's own bits, where it may wrap.
std::optional<int64_t> AffineOffsets::stepInBits(Value block, unsigned depth) {
  constexpr unsigned kMaxDepth = 6;
  Operation *op = depth < kMaxDepth ? block.getDefiningOp() : nullptr;
  if (isa_and_present<arith::AddIOp, arith::SubIOp>(op)) {
    std::optional<int64_t> left = stepInBits(op->getOperand(0), depth + 1);
    std::optional<int64_t> right = stepInBits(op->getOperand(1), depth + 1);
    int64_t sign = isa<arith::SubIOp>(op) ? -1 : 1;
    return left && right && isBounded(*left) && isBounded(*right)
               ? std::optional(*left + sign * *right)
               : std::nullopt;
  }
  if (isa_and_present<ExpandDimsOp, BroadcastOp>(op)) {
    Value source = op->getOperand(0);
    int64_t from = cast<LayoutTransfer>(op).sourceDims()->back();
    return from < 0 ? 0
           : from + 1 == cast<RankedTensorType>(source.getType()).getRank()
               ? stepInBits(source, depth + 1)
               : std::nullopt;
  }
  AffineForm form = of(block);
  form.exactness = Exactness::Number;
  findSteps(block, form);
  return form.inGroups ? std::nullopt : form.steps.back();
}

std::optional<int64_t> AffineOffsets::rowStep(arith::CmpIOp compare) {
  arith::CmpIPredicate order = compare.getPredicate();
  if (!isa<RankedTensorType>(compare.getType()) || order == arith::CmpIPredicate::eq ||
      order == arith::CmpIPredicate::ne)
    return std::nullopt;
  std::optional<int64_t> left = stepInBits(compare.getLhs()), right = stepInBits(compare.getRhs());
  if (isGreater(order))
    std::swap(left, right);
  bool closes = left && right && ((*left == 1 && *right == 0) || (*left == 0 && *right == -1));
  return closes || (left == 0 && right == 0) ? std::optional(*left + *right) : std::nullopt;
}

bool fsm::isShort(const MaskEnd &end) {
  return end.bound.getType().isInteger(32) && (!end.base || end.base.getType().isInteger(32)) &&
         llvm::isInt<32>(end.start);
}

bool fsm::isOfShorts(const MaskEnd &end) {
  auto wasShort = [](Value number) {
    auto wide = number.getDefiningOp<arith::ExtSIOp>();
    return (wide ? wide.getIn() : number).getType().isInteger(32);
  };
  return wasShort(end.bound) && (!end.base || wasShort(end.base)) && llvm::isInt<32>(end.start);
}

std::optional<BlockRun> fsm::runOf(LoadOp load) {
  auto type = dyn_cast<RankedTensorType>(load.getType());
  Type element = elementTypeOf(load.getType());
  if (!type || type.getRank() != 1 || isa<PointerType>(element) || !load.getOffsets())
    return std::nullopt;
  AffineOffsets offsets(Wrapping::Heeded, AffineOffsets::kFewValues);
  const AffineForm &form = offsets.of(load.getOffsets());
  if (form.steps[0] != 1 || form.inGroups)
    return std::nullopt;
  BlockRun run;
  int64_t divisor = type.getDimSize(0) & -type.getDimSize(0);
  if (Value mask = load.getMask()) {
    std::optional<MaskEnd> end = offsets.endOf(mask);
    if (!end || !isShort(*end))
      return std::nullopt;
    run.bound = end->bound;
    run.base = end->base;
    run.start = end->start;
    divisor = std::min(divisor, end->divisor);
  }
  int64_t bytes = bytesOf(element);
  run.alignment =
      std::min(bytes * divisor, offsets.alignment(load.getPointer(), load.getOffsets()));
  return run;
}

//===----------------------------------------------------------------------===//
// Movement
//===----------------------------------------------------------------------===//

std::optional<Movement> fsm::sumOf(const Movement &left, const Movement &right) {
  // Two moving terms together may come back to where they were.
  if (left.factor && right.factor)
    return std::nullopt;
  Movement sum{left.factor + right.factor, left.spread + right.spread,
               std::max({left.reach, right.reach, Reach::Half})};
  return isBounded(sum.factor) && isBounded(sum.spread) ? std::optional(sum) : std::nullopt;
}

std::optional<Movement> AffineOffsets::movementOf(Value value, scf::ForOp loop) {
  // Through symbols that have forms, whose symbols have forms, and so on.
  constexpr unsigned kMaxDepth = 64;
  if (value == loop.getInductionVar())
    return Movement{1, 0};
  if (!isa<RankedTensorType>(value.getType()) && loop.isDefinedOutsideOfLoop(value))
    return Movement{};
  auto found = movements.find({value, loop});
  if (found != movements.end() || depth == kMaxDepth)
    return found != movements.end() ? found->second : std::nullopt;
  ++depth;
  std::optional<Movement> moved = computeMovement(value, loop);
  --depth;
  return movements[{value, loop}] = moved;
}

std::optional<Movement> AffineOffsets::computeMovement(Value value, scf::ForOp loop) {
  const AffineForm &form = of(value);
  if (form.terms.size() == 1 && form.terms[0].symbol == value)
    return movementOfSymbol(value, loop);
  bool isExact = form.exactness == Exactness::Number;
  if (isExact && form.terms.size() == 1 && form.constant == 0)
    return movementOfTerm(form.terms[0], value, loop, /*isWhole=*/true);
  std::optional<Movement> sum = Movement{};
  for (const AffineTerm &term : form.terms) {
    std::optional<Movement> moved = movementOfTerm(term, value, loop, /*isWhole=*/false);
    // A number that may have wrapped comes back to where it was, unless that is near.
    if (!moved || (!isExact && moved->reach == Reach::Any) || !(sum = sumOf(*sum, *moved)))
      return std::nullopt;
  }
  return sum;
}

/// Of a term in the form of `value`; `isWhole` if it is the value.
std::optional<Movement> AffineOffsets::movementOfTerm(const AffineTerm &term, Value value,
                                                      scf::ForOp loop, bool isWhole) {
  int64_t length = std::abs(term.factor);
  if (!isBounded(term.factor))
    return std::nullopt;
  if (!term.symbol) {
    int64_t spread = length * (shapeOf(value.getType())[term.dim] - 1);
    return isBounded(spread) ? std::optional(Movement{0, spread}) : std::nullopt;
  }
  std::optional<Movement> moved = movementOf(term.symbol, loop);
  if (!moved || !isBounded(moved->factor * length) || !isBounded(moved->spread * length))
    return std::nullopt;
  unsigned width = widthOf(value.getType()), own = widthOf(term.symbol.getType());
  bool staysNear = length == 1 && (own < width || (own == width && moved->reach != Reach::Any));
  if (moved->factor && (!isWhole || moved->reach != Reach::Multiples))
    moved->reach = staysNear ? Reach::Half : Reach::Any;
  moved->factor *= term.factor;
  moved->spread *= length;
  return moved;
}

std::optional<Movement> AffineOffsets::movementOfSymbol(Value value, scf::ForOp loop) {
  Operation *op = value.getDefiningOp();
  if (isa_and_present<ExpandDimsOp, BroadcastOp, TransposeOp, ReshapeOp, ConvertLayoutOp>(op))
    return movementOf(op->getOperand(0), loop);
  auto product = dyn_cast_or_null<arith::MulIOp>(op);
  if (product && product.hasNoSignedWrap() && of(product.getRhs()).isConstant())
    return movementOfTerm({product.getLhs(), 0, of(product.getRhs()).constant}, value, loop,
                          /*isWhole=*/true);
  bool isWider = isa_and_present<arith::ExtSIOp>(op);
  std::optional<Movement> moved;
  if (isWider || (product && product.hasNoSignedWrap()))
    moved = movementOf(op->getOperand(0), loop);
  // By a positive number it moves as far at least.
  if (!moved || (product && (moved->spread != 0 || !isPositive(product.getRhs()))))
    return std::nullopt;
  if (moved->reach != Reach::Multiples)
    moved->reach = isWider ? Reach::Half : Reach::Any;
  return moved;
}

bool AffineOffsets::comesOnce(const Movement &moved, scf::ForOp loop) {
  const AffineForm &form = of(loop.getStep());
  int64_t step = form.isConstant() ? std::clamp<int64_t>(form.constant, 1, kMaxMovement) : 1;
  return startsNonNegative(loop) && std::abs(moved.factor) * step > moved.spread;
}
