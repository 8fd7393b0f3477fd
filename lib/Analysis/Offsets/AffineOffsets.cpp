//===- AffineOffsets.cpp - Integers as sums of indices -------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One function per kind of op makes its form of those of its operands. No other file takes sums
// apart.
//
//===----------------------------------------------------------------------===//

#include "fsm/Analysis/AffineOffsets.h"

#include "fsm/Analysis/KnownMasks.h"

#include "AxisInfoRules.h"

#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace fsm;
using axis::powerOfTwoIn;
using axis::widthOf;

/// More terms than this nobody can use, and sums of long sums would take long.
static constexpr size_t kMaxTerms = 8;

/// A row is long that the lanes of a warp do not fill.
static constexpr int64_t kLongRow = 32;

//===----------------------------------------------------------------------===//
// Sums modulo 2^64
//===----------------------------------------------------------------------===//

static int64_t plus(int64_t left, int64_t right) {
  return static_cast<int64_t>(static_cast<uint64_t>(left) + static_cast<uint64_t>(right));
}

static int64_t times(int64_t left, int64_t right) {
  return static_cast<int64_t>(static_cast<uint64_t>(left) * static_cast<uint64_t>(right));
}

static AffineForm scaled(AffineForm form, int64_t factor) {
  form.constant = times(form.constant, factor);
  for (AffineTerm &term : form.terms)
    term.factor = times(term.factor, factor);
  llvm::erase_if(form.terms, [](const AffineTerm &term) { return term.factor == 0; });
  return form;
}

static AffineForm sum(AffineForm left, const AffineForm &right) {
  left.constant = plus(left.constant, right.constant);
  left.exactness = std::max(left.exactness, right.exactness);
  for (const AffineTerm &term : right.terms) {
    auto same = llvm::find_if(left.terms, [&](const AffineTerm &other) {
      return other.symbol == term.symbol && other.dim == term.dim;
    });
    if (same == left.terms.end())
      left.terms.push_back(term);
    else if ((same->factor = plus(same->factor, term.factor)) == 0)
      left.terms.erase(same);
  }
  return left;
}

static bool isBlock(Value value) { return isa<RankedTensorType>(value.getType()); }

/// A form that is the value itself.
static AffineForm symbolOf(Value value, AffineForm::Steps steps, bool inGroups, int64_t divisor) {
  AffineForm form;
  form.terms.push_back({value});
  form.steps = std::move(steps);
  form.inGroups = inGroups;
  form.divisor = divisor;
  return form;
}

static AffineForm symbolOf(Value value) {
  AffineForm::Steps steps;
  for (int64_t extent : shapeOf(value.getType()))
    steps.push_back(extent == 1 ? std::optional<int64_t>(0) : std::nullopt);
  return symbolOf(value, std::move(steps), /*inGroups=*/false, /*divisor=*/1);
}

static AffineForm symbolLike(Value value, const AffineForm &form) {
  return symbolOf(value, form.steps, form.inGroups, form.divisor);
}

/// Whether an op of integers says that it does not wrap.
static bool cannotWrap(Operation *op) {
  auto flags = dyn_cast<arith::ArithIntegerOverflowFlagsInterface>(op);
  return flags && flags.hasNoSignedWrap();
}

//===----------------------------------------------------------------------===//
// What follows from the terms
//===----------------------------------------------------------------------===//

/// The steps of a value with these terms, what divides it, and one symbol instead of terms that
/// are too many.
AffineForm AffineOffsets::finished(Value value, AffineForm form) {
  ArrayRef<int64_t> shape = shapeOf(value.getType());
  if (form.isConstant() && form.exactness != Exactness::Number) {
    form.constant =
        llvm::SignExtend64(static_cast<uint64_t>(form.constant), widthOf(value.getType()));
    form.exactness = Exactness::Number;
  }
  form.divisor = powerOfTwoIn(form.constant);
  for (const AffineTerm &term : form.terms) {
    bool isInner = !term.symbol && term.dim + 1 == shape.size();
    int64_t divisor = term.symbol ? known[term.symbol]->divisor : isInner ? kAlignedGroup : 1;
    form.divisor = std::min(form.divisor, powerOfTwoIn(term.factor) * divisor);
  }
  findSteps(value, form);
  if (form.terms.size() > kMaxTerms ||
      llvm::count_if(form.terms, std::mem_fn(&AffineTerm::isBlock)) > 1)
    return symbolLike(value, form);
  return form;
}

void AffineOffsets::findSteps(Value value, AffineForm &form) {
  ArrayRef<int64_t> shape = shapeOf(value.getType());
  form.steps.assign(shape.size(), 0);
  form.inGroups = false;
  auto add = [](std::optional<int64_t> &step, std::optional<int64_t> more, int64_t factor) {
    step = step && more ? std::optional(plus(*step, times(*more, factor))) : std::nullopt;
  };
  for (const AffineTerm &term : form.terms) {
    if (!term.symbol)
      add(form.steps[term.dim], 1, term.factor);
    if (!term.isBlock())
      continue;
    const AffineForm &symbol = *known[term.symbol];
    form.inGroups |= symbol.inGroups;
    for (auto [step, own] : llvm::zip_equal(form.steps, symbol.steps))
      add(step, own, term.factor);
  }
  if (form.exactness != Exactness::Bits)
    return;
  // Equal numbers stay equal. Others may wrap, but a group that runs up from a multiple of its size
  // ends in front of the next one.
  for (auto [dim, step] : llvm::enumerate(form.steps)) {
    bool keepsGroups =
        dim + 1 == shape.size() && step == 1 && form.divisor >= AffineOffsets::kAlignedGroup;
    form.inGroups |= keepsGroups;
    if (step != 0 && !keepsGroups)
      step = std::nullopt;
  }
}

/// The form of an operand of an op that may wrap: where terms have factors, or are more than a
/// number of the op's width, the value itself.
AffineForm AffineOffsets::wholeOf(Value value) {
  const AffineForm &form = of(value);
  bool isWhole =
      form.exactness == Exactness::Number && llvm::all_of(form.terms, [](const AffineTerm &term) {
        return term.factor == 1 || term.factor == -1;
      });
  return isWhole ? form : symbolLike(value, form);
}

/// The form of an operand of a sum or product.
AffineForm AffineOffsets::operandOf(Operation *op, unsigned number) {
  Value value = op->getOperand(number);
  bool isScalar = !isBlock(value);
  const AffineForm &form = of(value);
  if (wrapping == Wrapping::Ignored)
    return form;
  // What adds scalars looks for what moves them, which may not wrap.
  Exactness worst = isScalar ? Exactness::Number : Exactness::Address;
  if (cannotWrap(op))
    return form.exactness <= worst ? form : symbolLike(value, form);
  return widthOf(value.getType()) == 64 && !isScalar ? form : wholeOf(value);
}

/// What an op makes of the form of a result that cannot wrap.
Exactness AffineOffsets::exactnessOf(Operation *op, const AffineForm &form) const {
  if (wrapping == Wrapping::Ignored || cannotWrap(op))
    return form.exactness;
  return widthOf(op->getResult(0).getType()) == 64 ? Exactness::Address : Exactness::Bits;
}

AffineForm AffineOffsets::ofSum(Operation *op) {
  int64_t sign = isa<arith::SubIOp>(op) ? -1 : 1;
  AffineForm form = sum(operandOf(op, 0), scaled(operandOf(op, 1), sign));
  form.exactness = exactnessOf(op, form);
  return finished(op->getResult(0), std::move(form));
}

/// A scalar times a constant is a sum of terms. A block is a symbol, for an address made of its
/// terms is no shorter than one made of its elements (decision 45); so are other products, which
/// are the same wherever both factors are.
AffineForm AffineOffsets::ofProduct(Operation *op) {
  Value product = op->getResult(0);
  for (unsigned number : {1, 0})
    if (const AffineForm &factor = of(op->getOperand(number)); factor.isConstant()) {
      AffineForm form = scaled(operandOf(op, 1 - number), factor.constant);
      form.exactness = exactnessOf(op, form);
      form = finished(product, std::move(form));
      return isBlock(product) && !form.isConstant() ? symbolLike(product, form) : form;
    }
  const AffineForm &left = of(op->getOperand(0)), &right = of(op->getOperand(1));
  AffineForm form = symbolOf(product);
  for (auto [step, x, y] : llvm::zip_equal(form.steps, left.steps, right.steps))
    if (x == 0 && y == 0)
      step = 0;
  form.inGroups = left.inGroups || right.inGroups;
  form.divisor = std::min(left.divisor * right.divisor, AxisInfo::kMaxDivisor);
  return form;
}

/// Of a number taken apart into a row and a place in it nothing is certain. A guess is that rows
/// are long: places run as the number does, and neighbours have one row.
AffineForm AffineOffsets::ofDivision(Operation *op) {
  Value result = op->getResult(0);
  AffineForm form = symbolOf(result);
  const AffineForm &number = of(op->getOperand(0)), &length = of(op->getOperand(1));
  bool isLong = !length.isConstant() || length.constant >= kLongRow;
  if (wrapping == Wrapping::Heeded || !isLong)
    return form;
  for (auto [step, own, other] : llvm::zip_equal(form.steps, number.steps, length.steps)) {
    bool isOfRows = other == 0 && (own == 0 || own == 1);
    if (isOfRows)
      step = isa<arith::RemSIOp, arith::RemUIOp>(op) ? own : 0;
  }
  return form;
}

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

/// Of a kernel's argument what is promised; of a loop's counter what divides all its numbers.
AffineForm AffineOffsets::ofArgument(BlockArgument argument) {
  AffineForm form = symbolOf(argument);
  Operation *parent = argument.getOwner()->getParentOp();
  if (IntegerAttr fact = promisedOf(argument, kDivisibleAttr))
    form.divisor = powerOfTwoIn(fact.getInt());
  auto loop = dyn_cast<scf::ForOp>(parent);
  if (!loop)
    return form;
  if (argument == loop.getInductionVar()) {
    form.divisor = std::min(of(loop.getLowerBound()).divisor, of(loop.getStep()).divisor);
    return form;
  }
  return isBlock(argument) && !isSupposing ? ofCarried(argument, loop) : form;
}

/// A carried block keeps the steps it begins with, if supposing so the next one has them. One
/// supposition at a time: blocks that are carried into one another would have us suppose without
/// end.
AffineForm AffineOffsets::ofCarried(BlockArgument argument, scf::ForOp loop) {
  const AffineForm &init = of(loop.getTiedLoopInit(argument)->get());
  AffineForm form = symbolOf(argument, init.steps, init.inGroups, /*divisor=*/1);
  for (bool isKept = false; !isKept;) {
    if (llvm::none_of(form.steps, [](std::optional<int64_t> step) { return step.has_value(); }))
      return form;
    AffineOffsets supposing(wrapping, kFewValues);
    supposing.isSupposing = true;
    supposing.known[argument] = std::make_unique<AffineForm>(form);
    const AffineForm &next = supposing.of(loop.getTiedLoopYieldedValue(argument)->get());
    isKept = form.inGroups || !next.inGroups;
    form.inGroups |= next.inGroups;
    for (auto [step, stepOfNext] : llvm::zip_equal(form.steps, next.steps))
      if (step && step != stepOfNext) {
        step = std::nullopt;
        isKept = false;
      }
  }
  return form;
}

//===----------------------------------------------------------------------===//
// Casts, hints and shapes
//===----------------------------------------------------------------------===//

AffineForm AffineOffsets::ofCast(Operation *op) {
  Value result = op->getResult(0);
  const AffineForm &source = of(op->getOperand(0));
  if (wrapping == Wrapping::Ignored)
    return source;
  if (isa<arith::TruncIOp>(op)) {
    AffineForm form = source;
    if (!cannotWrap(op))
      form.exactness = Exactness::Bits;
    return finished(result, std::move(form));
  }
  if (isa<arith::ExtSIOp>(op))
    return source.exactness == Exactness::Bits ? symbolLike(result, source) : source;
  AffineForm form = symbolLike(result, source);
  for (std::optional<int64_t> &step : form.steps)
    if (step != 0)
      step = std::nullopt;
  return form;
}

/// A promise that says more than the form makes a symbol.
AffineForm AffineOffsets::ofHint(HintOp hint) {
  const AffineForm &source = of(hint.getValue());
  if (wrapping == Wrapping::Ignored)
    return source;
  AffineForm form = symbolLike(hint, source);
  if (auto multiple = hint.getMultipleOf())
    form.divisor = std::max(form.divisor, powerOfTwoIn(multiple->back()));
  int64_t extent = form.steps.empty() ? 1 : shapeOf(hint.getType()).back();
  auto promise = [&](std::optional<ArrayRef<int64_t>> group, int64_t step) {
    if (extent == 1 || !group || group->back() < extent)
      return;
    form.steps.back() = step;
    form.inGroups = false;
  };
  promise(hint.getMaxConstancy(), 0);
  promise(hint.getMaxContiguous(), 1);
  bool saysMore = form.divisor != source.divisor || form.steps != source.steps ||
                  form.inGroups != source.inGroups;
  return saysMore ? form : source;
}

/// Where a shape op that only moves dimensions puts each one of its source's.
static SmallVector<unsigned> movedDims(Operation *op) {
  auto rank = static_cast<unsigned>(shapeOf(op->getOperand(0).getType()).size());
  SmallVector<unsigned> to(llvm::to_vector(llvm::seq(rank)));
  // One that is repeated stays where it is.
  for (auto [dim, from] : llvm::enumerate(*cast<LayoutTransfer>(op).sourceDims()))
    if (from >= 0)
      to[static_cast<size_t>(from)] = static_cast<unsigned>(dim);
  return to;
}

AffineForm AffineOffsets::ofShape(Operation *op) {
  Value result = op->getResult(0);
  AffineForm form = of(op->getOperand(0));
  SmallVector<unsigned> to = movedDims(op);
  if (llvm::none_of(form.terms, std::mem_fn(&AffineTerm::isBlock))) {
    for (AffineTerm &term : form.terms)
      if (!term.symbol)
        term.dim = to[term.dim];
    return finished(result, std::move(form));
  }
  bool keepsRows = to.back() + 1 == shapeOf(result.getType()).size();
  AffineForm::Steps steps(shapeOf(result.getType()).size(), 0);
  for (auto [dim, step] : llvm::enumerate(form.steps))
    steps[to[dim]] = step;
  if (form.inGroups && !keepsRows)
    steps[to.back()] = std::nullopt;
  return symbolOf(result, std::move(steps), form.inGroups && keepsRows,
                  keepsRows ? form.divisor : 1);
}

/// The rows of the result are parts of the source's, and may start in the middle of its groups.
AffineForm AffineOffsets::ofReshape(ReshapeOp op) {
  const AffineForm &source = of(op.getSource());
  AffineForm form = symbolOf(op);
  int64_t from = shapeOf(op.getSource().getType()).back(), to = shapeOf(op.getType()).back();
  bool keepsGroups = from == to || to % kAlignedGroup == 0;
  if (to == 1 || from % to != 0 || (source.inGroups && !keepsGroups))
    return form;
  form.steps.back() = source.steps.back();
  form.inGroups = source.inGroups;
  form.divisor = keepsGroups ? source.divisor : 1;
  return form;
}

//===----------------------------------------------------------------------===//
// The walk
//===----------------------------------------------------------------------===//

AffineForm AffineOffsets::compute(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value))
    return ofArgument(argument);
  ArrayRef<int64_t> shape = shapeOf(value.getType());
  DenseElementsAttr block;
  APInt number;
  AffineForm form;
  if (matchPattern(value, m_ConstantInt(&number))) {
    form.constant = number.getSExtValue();
    return finished(value, std::move(form));
  }
  Operation *op = value.getDefiningOp();
  // An aligned group has more numbers than an i1.
  auto isNarrow = [](Value number) { return widthOf(number.getType()) < 8; };
  if (isa_and_present<arith::ArithDialect>(op->getDialect()) &&
      !op->hasTrait<OpTrait::ConstantLike>() &&
      (isNarrow(value) || llvm::any_of(op->getOperands(), isNarrow)))
    return symbolOf(value);
  return llvm::TypeSwitch<Operation *, AffineForm>(op)
      .Case([&](RangeOp range) {
        form.constant = static_cast<int32_t>(range.getStart());
        if (shape[0] != 1)
          form.terms.push_back({Value(), 0});
        return finished(value, std::move(form));
      })
      .Case([&](SplatOp splat) {
        form = of(splat.getScalar());
        if (!form.isConstant())
          form = symbolOf(splat.getScalar());
        return finished(value, std::move(form));
      })
      .Case<arith::AddIOp, arith::SubIOp>([&](Operation *op) { return ofSum(op); })
      .Case([&](arith::MulIOp op) { return ofProduct(op); })
      .Case<arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp>(
          [&](Operation *op) { return ofDivision(op); })
      .Case<arith::ExtSIOp, arith::ExtUIOp, arith::TruncIOp>(
          [&](Operation *op) { return ofCast(op); })
      .Case([&](HintOp op) { return ofHint(op); })
      .Case<ExpandDimsOp, BroadcastOp, TransposeOp>([&](Operation *op) { return ofShape(op); })
      .Case([&](ReshapeOp op) { return ofReshape(op); })
      .Case([&](ConvertLayoutOp op) { return symbolLike(op, of(op.getSource())); })
      .Default([&](Operation *) {
        form = symbolOf(value);
        if (matchPattern(value, m_Constant(&block)) && block.isSplat())
          llvm::fill(form.steps, 0);
        return form;
      });
}

/// The values whose forms a value's is made of.
static SmallVector<Value> partsOf(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
    if (loop && argument == loop.getInductionVar())
      return {loop.getLowerBound(), loop.getStep()};
    return loop ? SmallVector<Value>{loop.getTiedLoopInit(argument)->get()} : SmallVector<Value>();
  }
  Operation *op = value.getDefiningOp();
  if (isa<SplatOp, arith::AddIOp, arith::SubIOp, arith::MulIOp, arith::DivSIOp, arith::DivUIOp,
          arith::RemSIOp, arith::RemUIOp, arith::ExtSIOp, arith::ExtUIOp, arith::TruncIOp, HintOp,
          ExpandDimsOp, BroadcastOp, TransposeOp, ReshapeOp, ConvertLayoutOp>(op))
    return op->getOperands();
  return {};
}

/// Parts come first, whatever stands how deep: a kernel may be one long sum.
const AffineForm &AffineOffsets::of(Value value) {
  SmallVector<Value> waiting = {value};
  while (!waiting.empty()) {
    Value next = waiting.back();
    bool isNear = known.size() < limit;
    size_t count = waiting.size();
    if (isNear && !known.contains(next))
      llvm::copy_if(partsOf(next), std::back_inserter(waiting),
                    [this](Value part) { return !known.contains(part); });
    if (waiting.size() != count)
      continue;
    waiting.pop_back();
    if (!known.contains(next))
      known[next] = std::make_unique<AffineForm>(isNear ? compute(next) : symbolOf(next));
  }
  return *known[value];
}
