//===- TensorTile.cpp - Accesses of a part of a tensor --------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// The offsets of an access to a part of a tensor are
//
//   i * S + j + scalars
//
// of the block's indices i and j, and a stride S. The scalars that are a product with S tell where
// the part begins along the first dimension, the others along the second one. A mask is i < n and
// j < m, or one of them: the tensor ends n behind the begin. As a tensor's size it has to be the
// same number in all iterations and programs, so what moves is taken off both. A mask may also be
// i >= n, where n is what the begin is below 0.

#include "fsm/Analysis/TensorTile.h"

#include "fsm/Analysis/Loops.h"
#include "fsm/Analysis/MemoryOrder.h"
#include "fsm/Analysis/ScalarRanges.h"
#include "fsm/IR/TensorMaps.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace fsm;

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

void ScalarSum::add(Value symbol, int64_t factor) {
  auto *same = llvm::find_if(terms, [&](auto &term) { return term.first == symbol; });
  if (same == terms.end())
    terms.push_back({symbol, factor});
  else if ((same->second += factor) == 0)
    terms.erase(same);
}

void ScalarSum::add(const ScalarSum &other, int64_t factor) {
  for (auto [symbol, own] : other.terms)
    add(symbol, own * factor);
  constant += other.constant * factor;
}

static Value inType(ImplicitLocOpBuilder &builder, Value value, Type type) {
  unsigned from = value.getType().getIntOrFloatBitWidth(), to = type.getIntOrFloatBitWidth();
  if (from == to)
    return value;
  return from < to ? arith::ExtSIOp::create(builder, type, value).getResult()
                   : arith::TruncIOp::create(builder, type, value, arith::IntegerOverflowFlags::nsw)
                         .getResult();
}

Value ScalarSum::materialize(ImplicitLocOpBuilder &builder, Type type) const {
  constexpr auto noWrap = arith::IntegerOverflowFlags::nsw;
  auto number = [&](int64_t value) -> Value {
    return arith::ConstantOp::create(builder, builder.getIntegerAttr(type, value));
  };
  Value sum;
  for (auto [symbol, factor] : terms) {
    Value term = inType(builder, symbol, type);
    if (factor != 1)
      term = arith::MulIOp::create(builder, term, number(factor), noWrap);
    sum = sum ? arith::AddIOp::create(builder, sum, term, noWrap).getResult() : term;
  }
  if (!sum || constant == 0)
    return sum ? sum : number(constant);
  return arith::AddIOp::create(builder, sum, number(constant), noWrap);
}

//===----------------------------------------------------------------------===//
// The tile
//===----------------------------------------------------------------------===//

namespace {
/// A range times a stride: along a dimension, behind what is added to the range.
struct ScaledRange {
  unsigned dim = 0;
  ScalarSum before, stride;
};

class TileFinder {
public:
  TileFinder(GlobalAccess access, TileFault &why, MapMaker maker)
      : access(access), why(why), maker(maker), forms(Wrapping::Heeded, AffineOffsets::kFewValues) {}

  std::optional<TensorTile> run();

private:
  bool fail(TileFault reason) {
    why = reason;
    return false;
  }
  ScalarSum sumOf(Value scalar);
  std::optional<ScalarSum> scalarOf(Value block);
  std::optional<ScaledRange> scaledRangeOf(Value block);
  std::optional<ScalarSum> rangeAlong(Value block, unsigned dim);
  std::optional<ScalarSum> quotientOf(Value scalar);
  bool findPointer();
  bool findOffsets();
  void placeScalars(const ScalarSum &scalars);
  bool endsBelow(Value mask);
  bool findLimits();
  bool findSizes();
  bool isAligned();
  bool isMultiple(const ScalarSum &sum);
  bool isKnown(const ScalarSum &sum) const;

  unsigned outer() const { return tile.dims[0]; }
  unsigned inner() const { return tile.dims[1]; }

  GlobalAccess access;
  TileFault &why;
  MapMaker maker;
  AffineOffsets forms;
  TensorTile tile;
  /// What is behind the pointer.
  ScalarSum scalars;
  /// By the block's dimensions: how many indices are inside.
  std::array<std::optional<ScalarSum>, 2> limits;
};
} // namespace

/// Of a scalar whose form is a number; itself, where it is none. A block's form ends at scalars.
ScalarSum TileFinder::sumOf(Value scalar) {
  const AffineForm &form = forms.of(scalar);
  ScalarSum sum;
  if (form.exactness != Exactness::Number) {
    sum.add(scalar, 1);
    return sum;
  }
  for (const AffineTerm &term : form.terms)
    sum.add(term.symbol, term.factor);
  sum.constant = form.constant;
  return sum;
}

/// Of a block whose elements are one scalar.
std::optional<ScalarSum> TileFinder::scalarOf(Value block) {
  if (auto splat = block.getDefiningOp<SplatOp>())
    return sumOf(splat.getScalar());
  if (const AffineForm &form = forms.of(block); form.isConstant())
    return ScalarSum{{}, form.constant};
  return std::nullopt;
}

/// Whether a scalar is what a load has given, perhaps in another width, or what a loop carries of such.
static bool isFromMemory(Value scalar, unsigned loops = 1) {
  while (Operation *op = scalar.getDefiningOp()) {
    if (!isa<HintOp, arith::ExtSIOp, arith::TruncIOp>(op))
      return isa<LoadOp>(op);
    scalar = op->getOperand(0);
  }
  auto argument = cast<BlockArgument>(scalar);
  auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
  return loops && loop && argument != loop.getInductionVar() &&
         isFromMemory(loop.getTiedLoopInit(argument)->get(), loops - 1) &&
         isFromMemory(loop.getTiedLoopYieldedValue(argument)->get(), loops - 1);
}

bool TileFinder::findPointer() {
  Value pointer = access.getPointer();
  for (; auto offset = pointer.getDefiningOp<OffsetOp>(); pointer = offset.getPointer())
    scalars.add(sumOf(offset.getOffset()));
  tile.pointer = pointer;
  return kernelArgument(pointer) || (maker == MapMaker::Program && isFromMemory(pointer)) ||
         fail("its pointer is no argument of the kernel");
}

/// What is added to the index along a dimension, of a block that is no more than that.
std::optional<ScalarSum> TileFinder::rangeAlong(Value block, unsigned dim) {
  const AffineForm &form = forms.of(block);
  if (form.exactness != Exactness::Number)
    return std::nullopt;
  ScalarSum before;
  before.constant = form.constant;
  bool isRange = false;
  for (const AffineTerm &term : form.terms) {
    if (term.isBlock() || (!term.symbol && (term.dim != dim || term.factor != 1)))
      return std::nullopt;
    if (term.symbol)
      before.add(sumOf(term.symbol), term.factor);
    isRange |= !term.symbol;
  }
  return isRange ? std::optional(before) : std::nullopt;
}

std::optional<ScaledRange> TileFinder::scaledRangeOf(Value block) {
  while (auto broadcast = block.getDefiningOp<BroadcastOp>())
    block = broadcast.getSource();
  auto product = block.getDefiningOp<arith::MulIOp>();
  if (!product || !product.hasNoSignedWrap())
    return std::nullopt;
  for (unsigned number : {0, 1}) {
    std::optional<ScalarSum> before = rangeAlong(product->getOperand(number), outer());
    if (!before)
      continue;
    if (std::optional<ScalarSum> stride = scalarOf(product->getOperand(1 - number)))
      return ScaledRange{outer(), *before, *stride};
  }
  return std::nullopt;
}

static bool isSame(const ScalarSum &left, const ScalarSum &right) {
  return left.constant == right.constant && left.terms == right.terms;
}

/// What a scalar is the stride times of, if it is.
std::optional<ScalarSum> TileFinder::quotientOf(Value scalar) {
  auto product = scalar.getDefiningOp<arith::MulIOp>();
  while (auto wide = scalar.getDefiningOp<arith::ExtSIOp>()) {
    scalar = wide.getIn();
    product = scalar.getDefiningOp<arith::MulIOp>();
  }
  if (!product || !product.hasNoSignedWrap())
    return std::nullopt;
  for (unsigned number : {0, 1})
    if (isSame(sumOf(product->getOperand(1 - number)), tile.stride))
      return sumOf(product->getOperand(number));
  return std::nullopt;
}

/// Divides what all elements have in common between the dimensions. What the program has read from memory is where its
/// tensor begins.
void TileFinder::placeScalars(const ScalarSum &all) {
  int64_t stride = tile.stride.terms.empty() ? tile.stride.constant : 0;
  for (auto [symbol, factor] : all.terms) {
    if (maker == MapMaker::Program && isFromMemory(symbol))
      tile.base.add(symbol, factor);
    else if (std::optional<ScalarSum> quotient = quotientOf(symbol))
      tile.origins[0].add(*quotient, factor);
    else if (stride && factor % stride == 0)
      tile.origins[0].add(symbol, factor / stride);
    else
      tile.origins[1].add(symbol, factor);
  }
  bool isLines = stride && all.constant % stride == 0;
  (isLines ? tile.origins[0] : tile.origins[1]).constant +=
      isLines ? all.constant / stride : all.constant;
}

bool TileFinder::findOffsets() {
  constexpr TileFault noRows = "its offsets are no rows that are a stride apart";
  const AffineForm form = forms.of(access.getOffsets());
  if (form.exactness != Exactness::Number)
    return fail(noRows);
  bool hasInner = false, hasOuter = false;
  ScalarSum all = scalars;
  all.constant += form.constant;
  for (const AffineTerm &term : form.terms) {
    std::optional<ScaledRange> range;
    if (term.isBlock() && term.factor == 1)
      range = scaledRangeOf(term.symbol);
    if (range) {
      tile.stride = range->stride;
      tile.origins[0] = range->before;
      hasOuter = true;
    } else if (term.isBlock()) {
      return fail(noRows);
    } else if (term.symbol) {
      all.add(sumOf(term.symbol), term.factor);
    } else if (term.dim == inner() && term.factor == 1 && !hasInner) {
      hasInner = true;
    } else {
      return fail(noRows);
    }
  }
  if (!hasInner || !hasOuter)
    return fail(noRows);
  placeScalars(all);
  return true;
}

//===----------------------------------------------------------------------===//
// Where it ends
//===----------------------------------------------------------------------===//

/// Whether a mask leaves out exactly what is below 0 along a dimension, which is noted.
bool TileFinder::endsBelow(Value mask) {
  auto compare = mask.getDefiningOp<arith::CmpIOp>();
  if (!compare || compare.getPredicate() != arith::CmpIPredicate::sge)
    return false;
  std::optional<ScalarSum> least = scalarOf(compare.getRhs());
  if (!least)
    return false;
  for (unsigned dim : {0, 1}) {
    std::optional<ScalarSum> before = rangeAlong(compare.getLhs(), tile.dims[dim]);
    if (!before)
      continue;
    ScalarSum first = *least;
    first.add(*before, -1);
    first.add(tile.origins[dim]);
    return tile.endsBelow[dim] = first.terms.empty() && first.constant == 0;
  }
  return false;
}

bool TileFinder::findLimits() {
  constexpr TileFault noBounds = "its mask is no bound along each dimension";
  SmallVector<Value> waiting;
  if (access.getMask())
    waiting.push_back(access.getMask());
  while (!waiting.empty()) {
    Value mask = waiting.pop_back_val();
    if (auto both = mask.getDefiningOp<arith::AndIOp>()) {
      waiting.append({both.getLhs(), both.getRhs()});
      continue;
    }
    if (auto broadcast = mask.getDefiningOp<BroadcastOp>()) {
      waiting.push_back(broadcast.getSource());
      continue;
    }
    if (endsBelow(mask))
      continue;
    std::optional<MaskEnd> end =
        isa<RankedTensorType>(mask.getType()) ? forms.endOf(mask) : std::nullopt;
    if (!end || shapeOf(mask.getType())[end->dim] == 1 || limits[end->dim])
      return fail(noBounds);
    ScalarSum limit = sumOf(end->bound);
    if (end->base)
      limit.add(sumOf(end->base), -1);
    limit.constant -= end->start;
    limits[end->dim] = limit;
  }
  return true;
}

/// A dimension without a bound has all that there can be, for loads from it are promised to be
/// inside.
bool TileFinder::findSizes() {
  for (unsigned dim : {0, 1}) {
    std::optional<ScalarSum> &limit = limits[tile.dims[dim]];
    if (!limit) {
      tile.sizes[dim].constant = INT32_MAX;
      continue;
    }
    tile.sizes[dim] = *limit;
    tile.sizes[dim].add(tile.origins[dim]);
    if (!isKnown(tile.sizes[dim]))
      return fail("a launch does not know where its mask ends");
  }
  return isKnown(tile.stride) || fail("a launch does not know its stride");
}

/// Whether who makes the map knows a number.
bool TileFinder::isKnown(const ScalarSum &sum) const {
  return maker == MapMaker::Program || llvm::all_of(sum.terms, [](auto &term) {
           return launchExpressionOf(term.first).has_value();
         });
}

/// Whether so many elements are a multiple of what copies ask for.
bool TileFinder::isMultiple(const ScalarSum &sum) {
  int64_t element = bytesOf(elementTypeOf(access.getAccessedType())), divisor = sum.constant;
  for (auto [symbol, factor] : sum.terms)
    divisor |= forms.of(symbol).divisor * factor;
  return element * (divisor & -divisor) % TensorMapPlan::kAlignment == 0;
}

bool TileFinder::isAligned() {
  constexpr int64_t bytes = TensorMapPlan::kAlignment;
  return (isMultiple(tile.stride) && isMultiple(tile.base) && forms.alignment(tile.pointer, Value()) % bytes == 0) ||
         fail("its address or its stride may be no multiple of 16 bytes");
}

std::optional<TensorTile> TileFinder::run() {
  auto type = dyn_cast<RankedTensorType>(access.getAccessedType());
  if (!type || type.getRank() != 2 || !access.getOffsets()) {
    fail("it has not two dimensions");
    return std::nullopt;
  }
  if (maker == MapMaker::Program && !access->hasAttr(kOfTileAttr)) {
    fail("no descriptor says where its tensor is");
    return std::nullopt;
  }
  auto major = static_cast<unsigned>(integerAttrOr(access, kAccessDimAttr, 1));
  tile.dims = {1 - major, major};
  tile.maker = maker;
  bool isTile = findPointer() && findOffsets() && findLimits() && findSizes() && isAligned();
  if (isTile)
    tile.hasWholeEnds = isMultiple(tile.origins[1]) &&
                        (!limits[tile.dims[1]] || isMultiple(tile.sizes[1]));
  return isTile ? std::optional(tile) : std::nullopt;
}

std::optional<TensorTile> fsm::tensorTileOf(GlobalAccess access, TileFault &why, MapMaker maker) {
  return TileFinder(access, why, maker).run();
}

std::optional<TensorTile> fsm::anyTensorTileOf(GlobalAccess access, TileFault &why) {
  if (std::optional<TensorTile> tile = tensorTileOf(access, why))
    return tile;
  TileFault other = nullptr;
  return tensorTileOf(access, other, MapMaker::Program);
}

//===----------------------------------------------------------------------===//
// Where it begins
//===----------------------------------------------------------------------===//

bool fsm::isNonNegative(const ScalarSum &sum) {
  return sum.constant >= 0 && llvm::all_of(sum.terms, [](auto &term) {
           return term.second > 0 && isNonNegative(term.first);
         });
}

/// Whether it is 0 in the first iteration of a loop.
static bool isZeroAtFirst(const ScalarSum &sum, scf::ForOp loop) {
  return sum.constant == 0 && llvm::all_of(sum.terms, [&](auto &term) {
           return term.first == loop.getInductionVar() && startsAtZero(loop);
         });
}

bool fsm::hasNoCoordinateBelow(const TensorTile &tile) {
  return llvm::all_of(tile.origins, [](const ScalarSum &origin) { return isNonNegative(origin); });
}

bool fsm::beginsInside(const TensorTile &tile, scf::ForOp loop) {
  auto isInsideAlong = [&](unsigned dim) {
    return tile.endsBelow[dim] || isNonNegative(tile.origins[dim]);
  };
  bool isInside = isInsideAlong(0), isOtherInside = isInsideAlong(1);
  if (isInside && isOtherInside)
    return true;
  return (isInside && isZeroAtFirst(tile.origins[0], loop)) ||
         (isOtherInside && isZeroAtFirst(tile.origins[1], loop));
}
