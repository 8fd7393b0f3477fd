//===- AxisInfoShape.cpp - Axis info of the dialect's own ops ------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A reshape keeps the row-major order. AxisGroupss of extent 1 aside, source and
// result fall into the shortest runs of dimensions with as many elements: each run
// of the source is merged into one line, and the line is split into the run of
// the result.
//
//   merge   Lines of N elements one after the other. An aligned group of the long
//           line is one of the short lines as far as its size divides N. Equal
//           lines of equal elements are longer groups still.
//   split   Pieces of R elements. An aligned group of a piece is one of the line
//           as far as its size divides R; pieces of a line that is one group
//           throughout are so too. Along an outer dimension neighbours are T
//           elements apart in the line, so k equal ones there are k / T here.
//
//===----------------------------------------------------------------------===//

#include "AxisInfoRules.h"

#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace fsm;
using namespace fsm::axis;

static int64_t zerosIn(int64_t number) { return number & -number; }

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

namespace {
/// A dimension with its extent.
struct Line {
  AxisGroups axis;
  int64_t extent;
};
} // namespace

static Line mergeLines(Line outer, Line inner) {
  int64_t extent = inner.extent, piece = zerosIn(extent), total = outer.extent * extent;
  AxisGroups merged;
  merged.contiguity = std::min(inner.axis.contiguity, piece);
  merged.divisibility = inner.axis.start(merged.contiguity);
  merged.constancy = std::min(inner.axis.constancy, piece);
  if (inner.axis.constancy >= extent) {
    if (outer.axis.constancy >= outer.extent)
      merged.constancy = wholeGroup(total);
    else if (piece == extent)
      merged.constancy = extent * outer.axis.constancy;
  }
  return {merged, total};
}

/// The innermost piece of a line.
static AxisGroups splitInner(Line line, int64_t extent) {
  if (extent == line.extent)
    return line.axis;
  int64_t piece = zerosIn(extent);
  AxisGroups result;
  if (line.axis.contiguity >= line.extent) {
    result.contiguity = wholeGroup(extent);
    result.divisibility = std::min(line.axis.divisibility, piece);
  } else {
    result.contiguity = std::min(line.axis.contiguity, piece);
    result.divisibility = line.axis.start(result.contiguity);
  }
  bool isEqual = line.axis.constancy >= line.extent;
  result.constancy = isEqual ? wholeGroup(extent) : std::min(line.axis.constancy, piece);
  return result;
}

/// A dimension whose neighbours are `distance` elements apart in the line.
static AxisGroups splitOuter(Line line, int64_t extent, int64_t distance) {
  AxisGroups result;
  if (line.axis.constancy >= line.extent)
    result.constancy = wholeGroup(extent);
  else if (zerosIn(distance) == distance && line.axis.constancy > distance)
    result.constancy = std::min(line.axis.constancy / distance, zerosIn(extent));
  return result;
}

/// The dimensions of extent above 1, in order.
static SmallVector<unsigned, 4> longDims(ArrayRef<int64_t> extents) {
  SmallVector<unsigned, 4> dims;
  for (auto [dim, extent] : llvm::enumerate(extents))
    if (extent > 1)
      dims.push_back(dim);
  return dims;
}

static AxisInfo ofReshape(Type from, Type to, const AxisInfo &source) {
  SmallVector<int64_t, 4> sourceExtents = axisExtents(from), extents = axisExtents(to);
  SmallVector<unsigned, 4> left = longDims(sourceExtents), right = longDims(extents);
  AxisInfo result;
  result.dims.resize(extents.size());
  // From the innermost dimension on, one run at a time.
  while (!left.empty() && !right.empty()) {
    unsigned dim = left.pop_back_val();
    Line line{source.dims[dim], sourceExtents[dim]};
    SmallVector<unsigned, 4> run{right.pop_back_val()};
    int64_t covered = extents[run.front()];
    while (line.extent != covered) {
      if (line.extent < covered) {
        dim = left.pop_back_val();
        line = mergeLines({source.dims[dim], sourceExtents[dim]}, line);
      } else {
        run.push_back(right.pop_back_val());
        covered *= extents[run.back()];
      }
    }
    int64_t distance = 1;
    for (unsigned into : run) {
      result.dims[into] = distance == 1 ? splitInner(line, extents[into])
                                        : splitOuter(line, extents[into], distance);
      distance *= extents[into];
    }
  }
  for (AxisGroups &axis : result.dims)
    if (axis.contiguity == 1)
      axis.divisibility = std::max(axis.divisibility, source.elementDivisor());
  return result;
}

/// AxisGroups by dimension; -1 is one along which elements repeat.
static AxisInfo ofDims(ArrayRef<int64_t> dims, Type to, const AxisInfo &source) {
  AxisInfo result;
  for (auto [dim, extent] : llvm::zip_equal(dims, axisExtents(to)))
    result.dims.push_back(dim >= 0 ? source.dims[dim]
                                   : AxisGroups{1, source.elementDivisor(), wholeGroup(extent)});
  return result;
}

/// The new dimension holds what is left and what is right.
static AxisInfo ofJoin(JoinOp op, const AxisInfo &left, const AxisInfo &right) {
  AxisInfo result = AxisInfo::join(left, right);
  AxisGroups pair{1, std::min(left.elementDivisor(), right.elementDivisor()), 1};
  bool areConstants = left.constant && right.constant;
  if (op.getLeft() == op.getRight() || (areConstants && *left.constant == *right.constant))
    pair.constancy = 2;
  if (areConstants && widthOf(op.getType()) > 1 && *right.constant == *left.constant + 1)
    pair = {2, powerOfTwoIn(*left.constant), 1};
  result.dims.push_back(pair);
  return result;
}

static AxisInfo ofSplit(SplitOp op, const AxisInfo &source, bool isRight) {
  if (source.constant)
    return AxisInfo::ofConstant(op.getLeft().getType(), *source.constant);
  AxisInfo result;
  result.dims = source.dims;
  AxisGroups pair = result.dims.pop_back_val();
  // The left elements are the first ones of the groups along the pairs.
  for (AxisGroups &axis : result.dims)
    if (axis.contiguity == 1 && (!isRight || pair.contiguity == 1))
      axis.divisibility = std::max(axis.divisibility, pair.divisibility);
  result.isNonNegative = source.isNonNegative;
  return result;
}

/// Some of the source's elements, equal where they are and the indices as well.
static AxisInfo ofGather(GatherOp op, const AxisInfo &source, const AxisInfo &indices) {
  AxisInfo result;
  for (unsigned dim = 0; dim < source.rank(); ++dim) {
    int64_t equal = indices.dims[dim].constancy;
    if (dim != op.getAxis())
      equal = std::min(equal, source.dims[dim].constancy);
    result.dims.push_back({1, source.elementDivisor(), equal});
  }
  result.isNonNegative = source.isNonNegative;
  return result;
}

/// Every kind of reduction keeps a power of two that divides all elements.
static AxisInfo ofReduce(ReduceOp op, const AxisInfo &source) {
  AxisInfo result;
  for (unsigned dim = 0; dim < source.rank(); ++dim)
    if (dim != op.getAxis())
      result.dims.push_back({1, source.elementDivisor(), source.dims[dim].constancy});
  if (result.rank() == 0)
    result.dims.push_back({1, source.elementDivisor(), 1});
  bool addsUp = op.getKind() == ReduceKind::Sum || op.getKind() == ReduceKind::Prod;
  result.isNonNegative = source.isNonNegative && !addsUp;
  return result;
}

/// The result of an op that moves elements without changing them.
static std::optional<AxisInfo> ofMove(Operation *op, ArrayRef<const AxisInfo *> operands) {
  auto transfer = dyn_cast<LayoutTransfer>(op);
  std::optional<SmallVector<int64_t>> dims;
  if (transfer)
    dims = transfer.sourceDims();
  if (!dims && !isa<ReshapeOp, ConvertLayoutOp>(op))
    return std::nullopt;
  const AxisInfo &source = *operands[0];
  Type from = op->getOperand(0).getType(), to = op->getResult(0).getType();
  if (source.constant)
    return AxisInfo::ofConstant(to, *source.constant);
  AxisInfo result = dims       ? ofDims(*dims, to, source)
                    : transfer ? ofReshape(from, to, source)
                               : source;
  result.isNonNegative = source.isNonNegative;
  return result;
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

/// One dimension of a block of listed numbers, by definition. Neighbours along it
/// are `stride` elements apart.
static AxisGroups ofListed(ArrayRef<int64_t> numbers, int64_t extent, int64_t stride,
                           bool isBoolean) {
  AxisGroups axis{wholeGroup(extent), AxisInfo::kMaxDivisor, wholeGroup(extent)};
  auto position = [&](size_t i) { return static_cast<int64_t>(i) / stride % extent; };
  if (isBoolean)
    axis.contiguity = 1;
  for (size_t i = 0; i < numbers.size(); ++i) {
    int64_t at = position(i);
    if (at == 0)
      continue;
    uint64_t step = uint64_t(numbers[i]) - uint64_t(numbers[i - stride]);
    if (step != 0)
      axis.constancy = std::min(axis.constancy, zerosIn(at));
    if (step != 1)
      axis.contiguity = std::min(axis.contiguity, zerosIn(at));
  }
  for (size_t i = 0; i < numbers.size(); ++i)
    if (position(i) % axis.contiguity == 0)
      axis.divisibility = std::min(axis.divisibility, powerOfTwoIn(numbers[i]));
  return axis;
}

static AxisInfo ofConstantOp(arith::ConstantOp op) {
  Type type = op.getType();
  unsigned width = widthOf(type);
  if (auto number = dyn_cast<IntegerAttr>(op.getValue()))
    return AxisInfo::ofConstant(type, numberOf(number.getValue()));
  auto block = dyn_cast<DenseElementsAttr>(op.getValue());
  AxisInfo result = AxisInfo::pessimistic(type);
  if (!block)
    return result;
  if (width == 0) {
    for (auto [axis, extent] : llvm::zip_equal(result.dims, axisExtents(type)))
      axis.constancy = block.isSplat() ? wholeGroup(extent) : 1;
    return result;
  }
  if (block.isSplat())
    return AxisInfo::ofConstant(type, numberOf(block.getSplatValue<APInt>()));
  SmallVector<int64_t> numbers = llvm::map_to_vector(block.getValues<APInt>(), numberOf);
  result = AxisInfo();
  int64_t stride = numbers.size();
  for (int64_t extent : axisExtents(type)) {
    stride /= extent;
    result.dims.push_back(ofListed(numbers, extent, stride, width == 1));
  }
  result.isNonNegative =
      width > 1 && llvm::all_of(numbers, [](int64_t number) { return number >= 0; });
  return result;
}

static AxisInfo ofRange(RangeOp op) {
  int64_t start = static_cast<int32_t>(op.getStart());
  AxisInfo result;
  result.dims.push_back({wholeGroup(op.getType().getDimSize(0)), powerOfTwoIn(start), 1});
  result.isNonNegative = start >= 0;
  return result;
}

//===----------------------------------------------------------------------===//
// Facts
//===----------------------------------------------------------------------===//

/// The promised number for a dimension by this hint or one it is stacked on; 1 if none.
template <typename Getter>
static int64_t promised(HintOp hint, unsigned dim, Getter getter) {
  for (; hint; hint = hint.getValue().getDefiningOp<HintOp>())
    if (std::optional<ArrayRef<int64_t>> numbers = getter(hint))
      return (*numbers)[dim];
  return 1;
}

/// Whether groups of consecutive numbers are said to have one element: not where that is not said.
static bool saysGroupsOfOne(HintOp hint, unsigned dim) {
  for (; hint; hint = hint.getValue().getDefiningOp<HintOp>())
    if (std::optional<ArrayRef<int64_t>> numbers = hint.getMaxContiguous())
      return (*numbers)[dim] == 1;
  return false;
}

/// A promise about groups of any number is one about groups of the power of two in it.
static int64_t promisedGroup(int64_t number, int64_t extent) {
  return number >= extent ? wholeGroup(extent) : zerosIn(number);
}

static AxisInfo ofHint(HintOp hint, const AxisInfo &source) {
  AxisInfo result;
  SmallVector<int64_t, 4> extents = axisExtents(hint.getType());
  for (unsigned dim = 0; dim < source.rank(); ++dim) {
    AxisGroups axis = source.dims[dim];
    int64_t contiguous = promisedGroup(
        promised(hint, dim, [](HintOp op) { return op.getMaxContiguous(); }), extents[dim]);
    int64_t equal = promisedGroup(
        promised(hint, dim, [](HintOp op) { return op.getMaxConstancy(); }), extents[dim]);
    axis.constancy = std::max(axis.constancy, equal);
    // The first elements of larger groups are some of those of smaller ones.
    axis.contiguity = std::max(axis.contiguity, contiguous);
    int64_t multiple =
        powerOfTwoIn(promised(hint, dim, [](HintOp op) { return op.getMultipleOf(); }));
    // A multiple is promised of the first elements of the groups the author
    // has in mind. Where the hint does not say which, they may be larger than the
    // known ones, the others of which start anywhere in them.
    bool isOneGroup = axis.contiguity >= extents[dim] || axis.constancy >= extents[dim];
    if (!isOneGroup && contiguous < axis.contiguity)
      multiple = std::min(multiple, axis.contiguity);
    // Groups of one element begin with each.
    bool isOfEach = axis.contiguity == 1 && saysGroupsOfOne(hint, dim);
    if (isOneGroup || axis.contiguity > 1 || isOfEach)
      axis.divisibility = std::max(axis.divisibility, multiple);
    result.dims.push_back(axis);
  }
  result.constant = source.constant;
  result.isNonNegative = source.isNonNegative;
  return result;
}

AxisInfo fsm::axisInfoOfArgument(KernelOp kernel, unsigned index) {
  Type type = kernel.getArgumentTypes()[index];
  AxisInfo result = AxisInfo::pessimistic(type);
  auto fact = [&](StringRef name) { return kernel.getArgAttrOfType<IntegerAttr>(index, name); };
  if (isa<PointerType>(type)) {
    if (IntegerAttr align = fact(kAlignAttr))
      result.dims[0].divisibility =
          std::max(result.dims[0].divisibility, powerOfTwoIn(align.getInt()));
    return result;
  }
  if (widthOf(type) == 0)
    return result;
  if (IntegerAttr equal = fact(kEqualToAttr))
    return AxisInfo::ofConstant(type, numberOf(bitsOf(equal.getInt(), widthOf(type))));
  if (IntegerAttr divisible = fact(kDivisibleAttr))
    result.dims[0].divisibility = powerOfTwoIn(divisible.getInt());
  return result;
}

/// `%number mod C == 0` and `%number & C == 0` say that it is a multiple; `>= 0` and the
/// like that it is not negative.
static void addAssumption(AssumeOp assume, llvm::DenseMap<Value, AxisInfo> &facts) {
  auto compare = assume.getCondition().getDefiningOp<arith::CmpIOp>();
  APInt bound;
  if (!compare || !matchPattern(compare.getRhs(), m_ConstantInt(&bound)))
    return;
  Value number = compare.getLhs();
  AxisInfo fact = AxisInfo::pessimistic(number.getType());
  using Predicate = arith::CmpIPredicate;
  Predicate predicate = compare.getPredicate();
  if (predicate == Predicate::eq && bound.isZero()) {
    Operation *op = number.getDefiningOp();
    APInt divisor;
    if (!isa_and_present<arith::RemSIOp, arith::RemUIOp, arith::AndIOp>(op) ||
        !matchPattern(op->getOperand(1), m_ConstantInt(&divisor)))
      return;
    number = op->getOperand(0);
    fact.dims[0].divisibility = isa<arith::AndIOp>(op)
                                    ? int64_t(1) << std::min(divisor.countr_one(), 30u)
                                    : powerOfTwoIn(divisor.getSExtValue());
  } else {
    fact.isNonNegative = (predicate == Predicate::sge && bound.isNonNegative()) ||
                         (predicate == Predicate::sgt && bound.sge(-1));
  }
  auto add = [&](Value value) {
    if (value.getParentBlock() != assume->getBlock())
      return;
    auto [known, isNew] = facts.try_emplace(value, fact);
    if (!isNew)
      known->second = meet(known->second, fact);
  };
  add(number);
  // What an address is a multiple of, its pointer is.
  fact.isNonNegative = false;
  if (auto address = number.getDefiningOp<PtrToIntOp>())
    add(address.getPointer());
}

llvm::DenseMap<Value, AxisInfo> axis::assumptionsOf(KernelOp kernel) {
  llvm::DenseMap<Value, AxisInfo> facts;
  kernel.walk([&](AssumeOp assume) { addAssumption(assume, facts); });
  return facts;
}

static AxisInfo ofOffset(OffsetOp op, const AxisInfo &pointer, const AxisInfo &offset) {
  // A pointer is aligned to an element; so is any other at a distance of whole ones.
  int64_t bytes = AxisInfo::pessimistic(op.getType()).dims[0].divisibility;
  AxisInfo result;
  result.dims.push_back(
      {1, std::min(pointer.dims[0].divisibility, offset.dims[0].divisibility * bytes), 1});
  return result;
}

/// A pointer and its address are the same number of bytes.
static AxisInfo ofAddress(Operation *op, const AxisInfo &source) {
  AxisInfo result = AxisInfo::pessimistic(op->getResult(0).getType());
  result.dims[0].divisibility =
      std::max(result.dims[0].divisibility, source.dims[0].divisibility);
  return result;
}

std::optional<AxisInfo> axis::inferShape(Operation *op, ArrayRef<const AxisInfo *> operands,
                                         unsigned result) {
  using Result = std::optional<AxisInfo>;
  return llvm::TypeSwitch<Operation *, Result>(op)
      .Case([&](RangeOp range) { return ofRange(range); })
      .Case([&](arith::ConstantOp constant) { return ofConstantOp(constant); })
      .Case([&](HintOp hint) { return ofHint(hint, *operands[0]); })
      .Case([&](OffsetOp offset) { return ofOffset(offset, *operands[0], *operands[1]); })
      .Case<PtrToIntOp, IntToPtrOp>([&](Operation *cast) { return ofAddress(cast, *operands[0]); })
      .Case([&](ReduceOp reduce) { return ofReduce(reduce, *operands[0]); })
      .Case([&](GatherOp gather) { return ofGather(gather, *operands[0], *operands[1]); })
      .Case([&](JoinOp join) { return ofJoin(join, *operands[0], *operands[1]); })
      .Case([&](SplitOp split) { return ofSplit(split, *operands[0], result == 1); })
      .Case<ProgramIdOp, NumProgramsOp, ProgramStepOp, PartIdOp>([](Operation *id) {
        AxisInfo result = AxisInfo::pessimistic(id->getResult(0).getType());
        result.isNonNegative = true;
        return result;
      })
      .Default([&](Operation *other) { return ofMove(other, operands); });
}
