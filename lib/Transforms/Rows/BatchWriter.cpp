//===- BatchWriter.cpp - One program of several neighbours ---------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// What differs gets a dimension in front; what does not stays, and is repeated where both meet. With 4
// programs at once:
//
//   %row = fsm.program_id x                  %rows = 4 * fsm.program_id x + [0, 1, 2, 3]
//   %i = %row * %stride                      %is = %rows * [%stride, ...]
//   %src = fsm.offset %in, %i                %in, with %is in 64 bits
//   %x = fsm.load %src[%offs]                %x = fsm.load %in[%is[p] + %offs[k]], live[p]
//   %max = fsm.reduce <max> %x axis 0        %max = fsm.reduce <max> %x axis 1
//
// live[p] is false beyond the grid's end, and in a loop that begins at %row, behind the program's last
// iteration.

#include "BatchPlan.h"

#include "../Expand/BlockWriter.h"

#include "mlir/Dialect/Arith/Utils/Utils.h"

using namespace mlir;
using namespace fsm;

namespace {
/// A pointer of each program: `offsets` elements from `base`.
struct Pointers {
  Value base, offsets;
  /// They are sums of few 32-bit numbers, which do not wrap in 64.
  bool areNarrow = true;
};

class BatchWriter {
public:
  BatchWriter(KernelOp kernel, const BatchPlan &plan, int64_t programs)
      : kernel(kernel), plan(plan), programs(programs),
        builder(&kernel.getBody().front().front()) {}

  void write();

private:
  SmallVector<int64_t> withPrograms(ArrayRef<int64_t> shape) const;
  Type batched(Type type) const;
  SmallVector<int64_t> ownShape(Value value) const;
  Value of(Value value, ArrayRef<int64_t> shape);
  Value repeated(Value value, ArrayRef<int64_t> shape);
  Value wide(Value block);
  Value activeIn(ArrayRef<int64_t> shape, Value mask);
  Value isBelow(Value number);

  void writeStart();
  void writeOps(ArrayRef<Operation *> ops);
  void writeOp(Operation *op);
  void writeShared(Operation *op);
  void writeHint(HintOp hint);
  void writeOffset(OffsetOp op);
  void writeLoad(LoadOp op);
  void writeStore(StoreOp op);
  std::pair<Value, Value> address(GlobalAccess access);
  void writeFor(scf::ForOp loop);
  void writeIf(scf::IfOp choice);
  void writeYield(scf::YieldOp yield);

  KernelOp kernel;
  const BatchPlan &plan;
  int64_t programs;
  BlockWriter builder;
  /// What stands for a value that differs.
  llvm::DenseMap<Value, Value> blocks;
  llvm::DenseMap<Value, Pointers> pointers;
  /// Made once, behind what they are made of.
  llvm::DenseMap<std::pair<Value, Type>, Value> repeats;
  llvm::DenseMap<Value, Value> wides;
  SmallVector<Operation *> replaced;
  /// The first program's number, all of theirs, the numbers from 0 on, and who is at work.
  Value first, numbers, range, active;
};
} // namespace

//===----------------------------------------------------------------------===//
// Blocks of programs
//===----------------------------------------------------------------------===//

SmallVector<int64_t> BatchWriter::withPrograms(ArrayRef<int64_t> shape) const {
  SmallVector<int64_t> extents{programs};
  extents.append(shape.begin(), shape.end());
  return extents;
}

Type BatchWriter::batched(Type type) const {
  return RankedTensorType::get(withPrograms(shapeOf(type)), elementTypeOf(type));
}

/// The shape that a value has in one program.
SmallVector<int64_t> BatchWriter::ownShape(Value value) const {
  Value block = blocks.lookup(value);
  return block ? SmallVector<int64_t>(shapeOf(block.getType()).drop_front())
               : SmallVector<int64_t>(shapeOf(value.getType()));
}

/// A value that is the same for all programs, as a block of them.
Value BatchWriter::repeated(Value value, ArrayRef<int64_t> shape) {
  SmallVector<int64_t> extents = withPrograms(shape);
  auto constant = value.getDefiningOp<arith::ConstantOp>();
  Type type = RankedTensorType::get(extents, elementTypeOf(value.getType()));
  if (constant && !isa<ShapedType>(value.getType()))
    return arith::ConstantOp::create(
        builder, DenseElementsAttr::get(cast<ShapedType>(type), constant.getValue()));
  if (auto splat = constant ? dyn_cast<SplatElementsAttr>(constant.getValue())
                            : SplatElementsAttr())
    return arith::ConstantOp::create(builder, splat.resizeSplat(cast<ShapedType>(type)));
  if (!isa<RankedTensorType>(value.getType()))
    return builder.splat(value, extents);
  SmallVector<int32_t> dims;
  for (size_t dim = 1; dim < extents.size(); ++dim)
    dims.push_back(static_cast<int32_t>(dim));
  return builder.spread(value, dims, extents);
}

/// A value as a block of all programs', each of them of this shape, which repeats a scalar.
Value BatchWriter::of(Value value, ArrayRef<int64_t> shape) {
  Value source = value;
  if (plan.differs(value)) {
    source = blocks.lookup(value);
    if (shapeOf(source.getType()).drop_front() == shape)
      return source;
  }
  Type type = RankedTensorType::get(withPrograms(shape), elementTypeOf(source.getType()));
  Value &made = repeats[{source, type}];
  if (made)
    return made;
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointAfterValue(source);
  made = plan.differs(value) ? builder.spread(source, {0}, withPrograms(shape))
                             : repeated(source, shape);
  return made;
}

/// Offsets in 64 bits.
Value BatchWriter::wide(Value block) {
  if (elementTypeOf(block.getType()).isInteger(64))
    return block;
  Value &made = wides[block];
  if (made)
    return made;
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointAfterValue(block);
  made = arith::ExtSIOp::create(builder, withElementType(block.getType(), builder.getI64Type()),
                                block);
  return made;
}

/// The programs at work, where a mask, if there is one, is true as well.
Value BatchWriter::activeIn(ArrayRef<int64_t> shape, Value mask) {
  Type type = RankedTensorType::get(withPrograms(shape), builder.getI1Type());
  Value all = active;
  if (!shape.empty()) {
    Value &made = repeats[{active, type}];
    if (!made) {
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPointAfterValue(active);
      made = builder.spread(active, {0}, withPrograms(shape));
    }
    all = made;
  }
  return mask ? arith::AndIOp::create(builder, of(mask, shape), all).getResult() : all;
}

/// Which programs, counted from the first one, are below a positive number.
Value BatchWriter::isBelow(Value number) {
  return arith::CmpIOp::create(builder, arith::CmpIPredicate::ult, range,
                               builder.splat(number, {programs}));
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

void BatchWriter::writeOffset(OffsetOp op) {
  Pointers to = pointers.lookup(op.getPointer());
  if (!plan.differs(op.getOffset())) {
    to.base = OffsetOp::create(builder, to.base, op.getOffset());
  } else {
    Value offsets = blocks.lookup(op.getOffset());
    bool isNarrow = !elementTypeOf(offsets.getType()).isInteger(64);
    offsets = wide(offsets);
    to.areNarrow &= isNarrow;
    if (to.offsets)
      offsets = arith::AddIOp::create(builder, to.offsets, offsets,
                                      to.areNarrow ? kNoWrap : arith::IntegerOverflowFlags::none);
    to.offsets = offsets;
    if (!to.base)
      to.base = op.getPointer();
  }
  pointers[op.getResult()] = to;
}

/// The pointer of an access, and offsets for all programs.
std::pair<Value, Value> BatchWriter::address(GlobalAccess access) {
  Value pointer = access.getPointer(), own = access.getOffsets();
  SmallVector<int64_t> shape = own ? ownShape(own) : SmallVector<int64_t>();
  if (!plan.differs(pointer)) {
    if (own)
      return {pointer, of(own, shape)};
    return {pointer, builder.number(batched(builder.getI32Type()), 0)};
  }
  Pointers from = pointers.lookup(pointer);
  if (!own)
    return {from.base, from.offsets};
  bool isNarrow = from.areNarrow && !elementTypeOf(own.getType()).isInteger(64);
  // Made wide as they are, and repeated behind that.
  Value block = plan.differs(own) ? wide(blocks.lookup(own)) : of(wide(own), shape);
  Value starts = from.offsets;
  if (!shape.empty()) {
    OpBuilder::InsertionGuard guard(builder);
    Value &made = repeats[{starts, block.getType()}];
    if (!made) {
      builder.setInsertionPointAfterValue(starts);
      made = builder.spread(starts, {0}, withPrograms(shape));
    }
    starts = made;
  }
  return {from.base,
          arith::AddIOp::create(builder, starts, block,
                                isNarrow ? kNoWrap : arith::IntegerOverflowFlags::none)};
}

void BatchWriter::writeLoad(LoadOp op) {
  auto [pointer, offsets] = address(cast<GlobalAccess>(op.getOperation()));
  SmallVector<int64_t> shape(shapeOf(op.getType()));
  Value other = op.getOther();
  if (other && (plan.differs(other) || !shapeOf(other.getType()).empty()))
    other = of(other, shape);
  auto load = LoadOp::create(builder, batched(op.getType()), pointer, offsets,
                             activeIn(shape, op.getMask()), other, op.getCacheAttr(),
                             op.getEvictAttr(), op.getIsVolatileAttr());
  load->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  blocks[op.getResult()] = load;
}

void BatchWriter::writeStore(StoreOp op) {
  auto [pointer, offsets] = address(cast<GlobalAccess>(op.getOperation()));
  SmallVector<int64_t> shape(shapeOf(offsets.getType()).drop_front());
  auto store = StoreOp::create(builder, of(op.getValue(), shape), pointer, offsets,
                               activeIn(shape, op.getMask()), op.getCacheAttr(),
                               op.getEvictAttr(), op.getIsVolatileAttr());
  store->setDiscardableAttrs(op->getDiscardableAttrDictionary());
}

//===----------------------------------------------------------------------===//
// Ops on blocks
//===----------------------------------------------------------------------===//

/// Moves a number of a dimension by that which there is in front.
static void moveAxis(Operation *op) {
  if (auto axis = op->getAttrOfType<IntegerAttr>("axis"))
    op->setAttr("axis", IntegerAttr::get(axis.getType(), axis.getInt() + 1));
}

static SmallVector<int32_t> moved(ArrayRef<int32_t> dims) {
  SmallVector<int32_t> behind{0};
  for (int32_t dim : dims)
    behind.push_back(dim + 1);
  return behind;
}

/// What is promised of lines of each program's block holds of the same lines of all programs',
/// which are a dimension further on: neither a group nor its first element reaches into another
/// program's. Of neighbours along the programs nothing is known, so groups have one element there.
/// A number that is promised to be a multiple is one in each program; that it is a group by itself
/// says nothing.
void BatchWriter::writeHint(HintOp hint) {
  Value block = blocks.lookup(hint.getValue());
  bool isNumber = shapeOf(hint.getType()).empty();
  auto behindOne = [&](std::optional<ArrayRef<int64_t>> numbers) {
    if (!numbers)
      return DenseI64ArrayAttr();
    SmallVector<int64_t> all{1};
    all.append(numbers->begin(), numbers->end());
    return builder.getDenseI64ArrayAttr(all);
  };
  if (isNumber && !hint.getMultipleOf()) {
    blocks[hint.getResult()] = block;
    return;
  }
  blocks[hint.getResult()] =
      isNumber
          ? HintOp::create(builder, block.getType(), block, hint.getMultipleOfAttr(),
                           builder.getDenseI64ArrayAttr(1), DenseI64ArrayAttr())
          : HintOp::create(builder, block.getType(), block, behindOne(hint.getMultipleOf()),
                           behindOne(hint.getMaxContiguous()), behindOne(hint.getMaxConstancy()));
}

/// An op that has one more dimension in all of its blocks.
void BatchWriter::writeShared(Operation *op) {
  if (auto hint = dyn_cast<HintOp>(op))
    return writeHint(hint);
  bool isElement = isElementwise(op);
  SmallVector<Value> operands;
  for (Value operand : op->getOperands()) {
    // One condition for all elements stays one where it is one for all programs.
    bool isUniform = isa<arith::SelectOp>(op) && operand == op->getOperand(0) &&
                     shapeOf(operand.getType()).empty() && !plan.differs(operand);
    SmallVector<int64_t> shape =
        isElement ? SmallVector<int64_t>(shapeOf(op->getResult(0).getType())) : ownShape(operand);
    operands.push_back(isUniform ? operand : of(operand, shape));
  }
  Operation *copy = builder.clone(*op);
  copy->setOperands(operands);
  for (auto [result, old] : llvm::zip_equal(copy->getResults(), op->getResults())) {
    result.setType(batched(old.getType()));
    blocks[old] = result;
  }
  moveAxis(copy);
  if (auto transpose = dyn_cast<TransposeOp>(copy))
    transpose.setOrder(moved(transpose.getOrder()));
  if (auto broadcast = dyn_cast<BroadcastOp>(copy); broadcast && broadcast.getDims())
    broadcast.setDims(moved(*broadcast.getDims()));
}

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

/// What a region gives to the op around it, where that differs; behind a program's last iteration what
/// there was before.
void BatchWriter::writeYield(scf::YieldOp yield) {
  Operation *parent = yield->getParentOp();
  auto loop = dyn_cast<scf::ForOp>(parent);
  for (auto [i, operand] : llvm::enumerate(yield->getOpOperands())) {
    if (!blocks.contains(parent->getResult(i)))
      continue;
    ArrayRef<int64_t> shape = shapeOf(parent->getResult(i).getType()).drop_front();
    Value value = of(operand.get(), shape);
    // A counter that has a block is one of a loop that programs leave at different times.
    if (loop && blocks.contains(loop.getInductionVar()))
      value = arith::SelectOp::create(builder, activeIn(shape, {}), value,
                                      loop.getRegionIterArg(static_cast<unsigned>(i)));
    operand.set(value);
  }
}

/// The ops that there are now: those that are written into the block are not looked at.
static SmallVector<Operation *> opsOf(Block &block) {
  return llvm::map_to_vector(block, [](Operation &op) { return &op; });
}

/// An op with the same regions whose results that differ are blocks of programs.
template <typename RegionOp>
static RegionOp withRegionsOf(OpBuilder &builder, RegionOp op) {
  Operation *copy = builder.insert(op->cloneWithoutRegions());
  for (auto [to, from] : llvm::zip_equal(copy->getRegions(), op->getRegions()))
    to.takeBody(from);
  return cast<RegionOp>(copy);
}

void BatchWriter::writeFor(scf::ForOp op) {
  bool isStaggered = plan.isStaggered(op);
  SmallVector<Value> inits;
  for (auto [init, result] : llvm::zip_equal(op.getInitArgs(), op.getResults()))
    inits.push_back(plan.differs(result) ? of(init, shapeOf(result.getType())) : init);
  scf::ForOp loop = withRegionsOf(builder, op);
  loop.getInitArgsMutable().assign(inits);
  for (auto [i, old] : llvm::enumerate(op.getResults())) {
    Value result = loop.getResult(i);
    if (!plan.differs(old)) {
      old.replaceAllUsesWith(result);
      continue;
    }
    BlockArgument argument = loop.getRegionIterArg(static_cast<unsigned>(i));
    result.setType(batched(old.getType()));
    argument.setType(result.getType());
    blocks[result] = result;
    blocks[old] = result;
    blocks[argument] = argument;
  }
  SmallVector<Operation *> body = opsOf(*loop.getBody());
  Value outer = active;
  if (isStaggered) {
    // The counter is that of the first program, which goes on for longest.
    Value counter = loop.getInductionVar();
    loop.setLowerBound(first);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    blocks[counter] = arith::AddIOp::create(builder, builder.splat(counter, {programs}), range,
                                            kNoWrap);
    Value rest = arith::SubIOp::create(builder, loop.getUpperBound(), counter);
    active = arith::AndIOp::create(builder, isBelow(rest), outer);
  }
  writeOps(body);
  active = outer;
}

void BatchWriter::writeIf(scf::IfOp op) {
  scf::IfOp choice = withRegionsOf(builder, op);
  for (auto [old, result] : llvm::zip_equal(op.getResults(), choice.getResults())) {
    if (!plan.differs(old)) {
      old.replaceAllUsesWith(result);
      continue;
    }
    result.setType(batched(old.getType()));
    blocks[result] = result;
    blocks[old] = result;
  }
  for (Region &region : choice->getRegions())
    if (!region.empty())
      writeOps(opsOf(region.front()));
}

//===----------------------------------------------------------------------===//
// The kernel
//===----------------------------------------------------------------------===//

void BatchWriter::writeOp(Operation *op) {
  if (isBatchedId(op)) {
    blocks[op->getResult(0)] = numbers;
    replaced.push_back(op);
    return;
  }
  if (auto yield = dyn_cast<scf::YieldOp>(op))
    return writeYield(yield);
  if (isa<scf::ForOp, scf::IfOp>(op)) {
    if (auto loop = dyn_cast<scf::ForOp>(op))
      writeFor(loop);
    else
      writeIf(cast<scf::IfOp>(op));
    replaced.push_back(op);
    return;
  }
  if (!plan.differs(op))
    return;
  replaced.push_back(op);
  if (auto offset = dyn_cast<OffsetOp>(op))
    writeOffset(offset);
  else if (auto load = dyn_cast<LoadOp>(op))
    writeLoad(load);
  else if (auto store = dyn_cast<StoreOp>(op))
    writeStore(store);
  else if (auto splat = dyn_cast<SplatOp>(op))
    blocks[splat.getResult()] = of(splat.getScalar(), shapeOf(splat.getType()));
  else if (!isa<AssumeOp>(op))
    writeShared(op);
}

void BatchWriter::writeOps(ArrayRef<Operation *> ops) {
  for (Operation *op : ops) {
    builder.setInsertionPoint(op);
    builder.setLoc(op->getLoc());
    writeOp(op);
  }
}

/// Who there is.
void BatchWriter::writeStart() {
  Value number = ProgramIdOp::create(builder, builder.getI32Type(), GridAxis::X);
  first = arith::MulIOp::create(builder, number, builder.number(builder.getI32Type(), programs),
                                kNoWrap);
  range = builder.coordinates({programs}, 0);
  numbers = arith::AddIOp::create(builder, builder.splat(first, {programs}), range, kNoWrap);
  Value count = NumProgramsOp::create(builder, builder.getI32Type(), GridAxis::X);
  active = isBelow(arith::SubIOp::create(builder, count, first));
}

void BatchWriter::write() {
  SmallVector<Operation *> ops = opsOf(kernel.getBody().front());
  writeStart();
  writeOps(ops);
  for (Operation *op : llvm::reverse(replaced))
    op->erase();
}

void fsm::writeBatch(KernelOp kernel, const BatchPlan &plan, int64_t programs) {
  BatchWriter(kernel, plan, programs).write();
  kernel->setAttr(kBatchAttr,
                  Builder(kernel.getContext()).getI32IntegerAttr(static_cast<int32_t>(programs)));
}
