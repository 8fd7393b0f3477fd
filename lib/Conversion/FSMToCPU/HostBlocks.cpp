//===- HostBlocks.cpp - Blocks, a vector at a time -----------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HostBlocks.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace fsm;
using namespace fsm::host;

LogicalResult host::missingInPlan(Operation *op, StringRef what) {
  return op->emitError() << "expected " << what
                         << " in the plan for the host; run 'fsm-plan-host-loops' first";
}

void HostBlocks::missing(Operation *op, StringRef what) {
  if (!hasFailed)
    hasFailed = failed(missingInPlan(op, what));
}

Value HostBlocks::unknown(Value value, int64_t lanes) {
  if (!hasFailed)
    value.getDefiningOp()->emitError()
        << "'" << value.getDefiningOp()->getName() << "' has no lowering to the host";
  hasFailed = true;
  return zero(builder, value.getLoc(), registerType(elementTypeOf(value.getType()), lanes));
}

Value HostBlocks::i64(int64_t value) {
  return constantInt(builder, builder.getUnknownLoc(), builder.getI64Type(), value);
}

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

Value HostBlocks::linear(ArrayRef<int64_t> shape, ArrayRef<Value> index) {
  Location loc = builder.getUnknownLoc();
  Value position = index.front();
  for (size_t dim = 1; dim < shape.size(); ++dim) {
    Value scaled = arith::MulIOp::create(builder, loc, position, i64(shape[dim]));
    position = arith::AddIOp::create(builder, loc, scaled, index[dim]);
  }
  return position;
}

SmallVector<Value> HostBlocks::delinear(ArrayRef<int64_t> shape, Value position) {
  Location loc = builder.getUnknownLoc();
  SmallVector<Value> index(shape.size());
  for (size_t dim = shape.size() - 1; dim > 0; --dim) {
    index[dim] = arith::RemUIOp::create(builder, loc, position, i64(shape[dim]));
    position = arith::DivUIOp::create(builder, loc, position, i64(shape[dim]));
  }
  index[0] = position;
  return index;
}

Value HostBlocks::loadBuffer(Value address, Value block, const Chunk &chunk) {
  return loadFrom(block.getLoc(), address, linear(shapeOf(block.getType()), chunk.index),
                  elementTypeOf(block.getType()), chunk.lanes);
}

/// The elements from a position behind an address on.
Value HostBlocks::loadFrom(Location loc, Value address, Value position, Type element,
                           int64_t lanes) {
  Type memory = memoryType(element);
  Value place = advance(builder, loc, address, position, memory);
  Value value =
      LLVM::LoadOp::create(builder, loc, registerType(memory, lanes), place, elementBytes(element));
  return fromMemory(builder, loc, value, element);
}

void HostBlocks::writeBuffer(Value address, ArrayRef<int64_t> shape, const Chunk &chunk,
                             Value elements, Type element) {
  Location loc = elements.getLoc();
  Value place = advance(builder, loc, address, linear(shape, chunk.index), memoryType(element));
  Value value = toMemory(builder, loc, elements);
  if (chunk.isPartial())
    LLVM::MaskedStoreOp::create(builder, loc, value, place, firstLanes(builder, loc, chunk),
                                elementBytes(element));
  else
    LLVM::StoreOp::create(builder, loc, value, place, elementBytes(element));
}

void HostBlocks::write(Value result, const Chunk &chunk, Value elements) {
  Type type = result.getType();
  if (Value address = bufferOf(result))
    writeBuffer(address, shapeOf(type), chunk, elements, elementTypeOf(type));
  else
    missing(result.getDefiningOp(), "a buffer for the result");
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

HostBlocks::Key HostBlocks::keyOf(Value block, const Chunk &chunk) {
  std::vector<void *> place = {reinterpret_cast<void *>(chunk.lanes)};
  for (Value index : chunk.index)
    place.push_back(index.getAsOpaquePointer());
  return {block.getAsOpaquePointer(), std::move(place)};
}

Value HostBlocks::at(Value block, const Chunk &chunk) {
  Value address = buffers.lookup(block);
  if (!address)
    return computeAt(block, chunk);
  // Kept values of the loop that is being written are at hand.
  auto found = computed.find(keyOf(block, chunk));
  return found != computed.end() ? found->second : loadBuffer(address, block, chunk);
}

/// What gives the blocks that ops make, by the ops' names.
template <typename... Ops>
HostBlocks::HandlerTable HostBlocks::handlersOf() {
  HandlerTable table;
  ((table[Ops::getOperationName()] =
        [](HostBlocks &blocks, OpResult result, const Chunk &chunk) {
          auto op = cast<Ops>(result.getOwner());
          if constexpr (Ops::template hasTrait<OpTrait::OneResult>())
            return blocks.resultAt(op, chunk);
          else
            return blocks.resultAt(op, result, chunk);
        }),
   ...);
  return table;
}

Value HostBlocks::computeAt(Value block, const Chunk &chunk) {
  if (block == chunk.fullMask)
    return constantInt(builder, block.getLoc(), registerType(builder.getI1Type(), chunk.lanes), -1);
  Key key = keyOf(block, chunk);
  auto found = computed.find(key);
  if (found != computed.end())
    return found->second;
  Value value;
  if (Operation *op = block.getDefiningOp()) {
    static const HandlerTable handlers =
        handlersOf<arith::ConstantOp, ub::PoisonOp, RangeOp, SplatOp, ExpandDimsOp, BroadcastOp,
                   ReshapeOp, TransposeOp, JoinOp, SplitOp, GatherOp, LoadOp>();
    auto handler = handlers.find(op->getName().getStringRef());
    value = handler == handlers.end() ? elementwiseAt(op, chunk)
                                      : handler->second(*this, cast<OpResult>(block), chunk);
  } else {
    missing(block.getParentBlock()->getParentOp(), "buffers");
  }
  return computed[key] = value ? value : unknown(block, chunk.lanes);
}

Value HostBlocks::resultAt(SplatOp op, const Chunk &chunk) {
  return splat(builder, op.getLoc(), scalarOf(op.getScalar()), chunk.lanes);
}

Value HostBlocks::resultAt(ub::PoisonOp op, const Chunk &chunk) {
  return zero(builder, op.getLoc(), registerType(elementTypeOf(op.getType()), chunk.lanes));
}

Value HostBlocks::resultAt(arith::ConstantOp op, const Chunk &chunk) {
  auto elements = cast<DenseElementsAttr>(op.getValue());
  Location loc = op->getLoc();
  if (elements.isSplat())
    return constantOf(builder, loc, elements.getSplatValue<Attribute>(), chunk.lanes);
  // A table on the stack would be filled by every program; the constant becomes a vector, from
  // which the chunk is taken.
  auto module = builder.getInsertionBlock()->getParentOp()->getParentOfType<ModuleOp>();
  LLVM::GlobalOp numbers = tableOf(builder, loc, module, elements, chunk.lanes);
  Value table = LLVM::AddressOfOp::create(builder, loc, numbers);
  return loadBuffer(table, op.getResult(), chunk);
}

Value HostBlocks::resultAt(RangeOp op, const Chunk &chunk) {
  Location loc = op.getLoc();
  Type i32 = builder.getI32Type();
  Value first = arith::TruncIOp::create(builder, loc, i32, chunk.index.back());
  Value start = constantInt(builder, loc, i32, static_cast<int32_t>(op.getStart()));
  first = arith::AddIOp::create(builder, loc, first, start);
  if (!chunk.lanes)
    return first;
  SmallVector<int32_t> steps = llvm::to_vector(llvm::seq<int32_t>(0, chunk.lanes));
  auto type = VectorType::get({chunk.lanes}, i32);
  Value iota =
      arith::ConstantOp::create(builder, loc, DenseElementsAttr::get(type, ArrayRef(steps)));
  return arith::AddIOp::create(builder, loc, splat(builder, loc, first, chunk.lanes), iota);
}

Value HostBlocks::uniformAt(Value block, ArrayRef<Value> index, const Chunk &chunk) {
  Chunk single{SmallVector<Value>(index)};
  return splat(builder, block.getLoc(), at(block, single), chunk.lanes);
}

/// The elements from a place in a block on: neighbours in a row, or one element again and again.
Value HostBlocks::rowAt(Value block, ArrayRef<Value> index, bool isRow, const Chunk &chunk) {
  if (!chunk.lanes || !isRow)
    return uniformAt(block, index, chunk);
  Chunk same = chunk;
  same.index.assign(index.begin(), index.end());
  return at(block, same);
}

/// Whether the rows of a block are those of another one, and longer than an element.
static bool haveSameRows(ArrayRef<int64_t> from, ArrayRef<int64_t> to) {
  return from.back() == to.back() && to.back() != 1;
}

Value HostBlocks::resultAt(ExpandDimsOp op, const Chunk &chunk) {
  SmallVector<Value> index = chunk.index;
  index.erase(index.begin() + op.getAxis());
  return rowAt(op.getSource(), index, op.getAxis() < index.size(), chunk);
}

Value HostBlocks::resultAt(BroadcastOp op, const Chunk &chunk) {
  ArrayRef<int64_t> from = op.getSource().getType().getShape(), to = op.getType().getShape();
  SmallVector<Value> index;
  for (size_t dim = 0; dim < to.size(); ++dim)
    index.push_back(from[dim] == 1 && to[dim] != 1 ? i64(0) : chunk.index[dim]);
  return rowAt(op.getSource(), index, haveSameRows(from, to), chunk);
}

Value HostBlocks::resultAt(ReshapeOp op, const Chunk &chunk) {
  ArrayRef<int64_t> from = op.getSource().getType().getShape(), to = op.getType().getShape();
  Value position = linear(to, chunk.index);
  // A buffer is a view of any shape.
  if (Value address = buffers.lookup(op.getSource()))
    return loadFrom(op->getLoc(), address, position, op.getType().getElementType(), chunk.lanes);
  if (!haveSameRows(from, to) && to.back() != 1 && chunk.lanes) {
    missing(op, "a buffer for the source");
    return {};
  }
  return rowAt(op.getSource(), delinear(from, position), haveSameRows(from, to), chunk);
}

/// The elements of the op's source that are `stride` apart, from a place in it on.
Value HostBlocks::gatherBuffer(Operation *op, ArrayRef<Value> index, int64_t stride,
                               const Chunk &chunk) {
  Value source = op->getOperand(0), buffer = buffers.lookup(source);
  if (!buffer) {
    missing(op, "a buffer for the source");
    return {};
  }
  Location loc = op->getLoc();
  Type element = elementTypeOf(source.getType()), memory = memoryType(element);
  if (stride == 2 && !chunk.isPartial()) {
    // Behind a buffer there is room for a vector, so that the odd ones may be read, too.
    Value place = advance(builder, loc, buffer, linear(shapeOf(source.getType()), index), memory);
    Value both = LLVM::LoadOp::create(builder, loc, registerType(memory, 2 * chunk.lanes), place,
                                      elementBytes(element));
    SmallVector<int64_t> even;
    for (int64_t lane = 0; lane < chunk.lanes; ++lane)
      even.push_back(2 * lane);
    Value value = vector::ShuffleOp::create(builder, loc, both, both, even);
    return fromMemory(builder, loc, value, element);
  }
  Value numbers = numbersFrom(loc, linear(shapeOf(source.getType()), index), stride, chunk.lanes);
  return gatherAt(loc, buffer, numbers, element, chunk);
}

/// A number for each lane, `stride` apart.
Value HostBlocks::numbersFrom(Location loc, Value first, int64_t stride, int64_t lanes) {
  SmallVector<int64_t> steps;
  for (int64_t lane = 0; lane < lanes; ++lane)
    steps.push_back(lane * stride);
  auto type = VectorType::get({lanes}, builder.getI64Type());
  Value apart =
      arith::ConstantOp::create(builder, loc, DenseElementsAttr::get(type, ArrayRef(steps)));
  return arith::AddIOp::create(builder, loc, splat(builder, loc, first, lanes), apart);
}

/// The elements of a buffer with these numbers, one for each active lane.
Value HostBlocks::gatherAt(Location loc, Value buffer, Value numbers, Type element,
                           const Chunk &chunk) {
  Type memory = memoryType(element), vector = registerType(memory, chunk.lanes);
  Value places = advance(builder, loc, buffer, numbers, memory);
  Value value = LLVM::masked_gather::create(
      builder, loc, vector, places, firstLanes(builder, loc, chunk),
      ValueRange{zero(builder, loc, vector)}, builder.getI32IntegerAttr(elementBytes(element)));
  return fromMemory(builder, loc, value, element);
}

/// The place of each element in the source's buffer; no index leads out of that.
Value HostBlocks::resultAt(GatherOp op, const Chunk &chunk) {
  Value buffer = buffers.lookup(op.getSource());
  if (!buffer) {
    missing(op, "a buffer for the source");
    return {};
  }
  Location loc = op.getLoc();
  RankedTensorType source = op.getSource().getType();
  unsigned axis = op.getAxis();
  auto constant = [&](Type type, int64_t value) { return constantInt(builder, loc, type, value); };
  Value along = at(op.getIndices(), chunk);
  along = arith::MinUIOp::create(builder, loc, along,
                                 constant(along.getType(), source.getDimSize(axis) - 1));
  Type wide = registerType(builder.getI64Type(), chunk.lanes);
  if (along.getType() != wide)
    along = arith::ExtUIOp::create(builder, loc, wide, along);
  int64_t stride = llvm::product_of(source.getShape().drop_front(axis + 1));
  along = arith::MulIOp::create(builder, loc, along, constant(wide, stride));
  SmallVector<Value> index = chunk.index;
  index[axis] = i64(0);
  Value first = linear(source.getShape(), index);
  bool isInner = axis + 1 == static_cast<unsigned>(source.getRank());
  if (chunk.lanes)
    first = numbersFrom(loc, first, isInner ? 0 : 1, chunk.lanes);
  Value numbers = arith::AddIOp::create(builder, loc, first, along);
  return chunk.lanes ? gatherAt(loc, buffer, numbers, source.getElementType(), chunk)
                     : loadFrom(loc, buffer, numbers, source.getElementType(), 0);
}

Value HostBlocks::resultAt(TransposeOp op, const Chunk &chunk) {
  ArrayRef<int64_t> from = shapeOf(op.getSource().getType());
  SmallVector<Value> index(from.size());
  for (auto [dim, source] : llvm::enumerate(op.getOrder()))
    index[static_cast<size_t>(source)] = chunk.index[dim];
  auto inner = static_cast<size_t>(op.getOrder().back());
  if (!chunk.lanes || from[inner] == 1)
    return uniformAt(op.getSource(), index, chunk);
  if (inner + 1 == from.size())
    return rowAt(op.getSource(), index, /*isRow=*/true, chunk);
  int64_t stride = 1;
  for (int64_t extent : from.drop_front(inner + 1))
    stride *= extent;
  return gatherBuffer(op, index, stride, chunk);
}

/// A row of the result is a pair.
Value HostBlocks::resultAt(JoinOp op, const Chunk &chunk) {
  Location loc = op.getLoc();
  Chunk single{SmallVector<Value>(ArrayRef(chunk.index).drop_back())};
  Value left = at(op.getLeft(), single), right = at(op.getRight(), single);
  if (!chunk.lanes) {
    Value isLeft =
        arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, chunk.index.back(), i64(0));
    return arith::SelectOp::create(builder, loc, isLeft, left, right);
  }
  Chunk first = {{}, chunk.lanes, /*active=*/1};
  return arith::SelectOp::create(builder, loc, firstLanes(builder, loc, first),
                                 splat(builder, loc, left, chunk.lanes),
                                 splat(builder, loc, right, chunk.lanes));
}

Value HostBlocks::resultAt(SplitOp op, OpResult part, const Chunk &chunk) {
  SmallVector<Value> index = chunk.index;
  index.push_back(i64(part.getResultNumber()));
  if (!chunk.lanes || shapeOf(part.getType()).back() == 1)
    return uniformAt(op.getSource(), index, chunk);
  return gatherBuffer(op, index, /*stride=*/2, chunk);
}

/// A reduction in the same loop, by a wrong plan, has not given it yet.
Value HostBlocks::scalarOf(Value value) {
  if (Value scalar = scalars.lookupOrNull(value))
    return scalar;
  missing(value.getDefiningOp(), "an earlier loop");
  return zero(builder, value.getLoc(), registerType(value.getType(), 0));
}

Value HostBlocks::scalarOrAt(Value value, const Chunk &chunk) {
  return isa<RankedTensorType>(value.getType()) ? at(value, chunk) : scalarOf(value);
}

Value HostBlocks::elementwiseAt(Operation *op, const Chunk &chunk) {
  auto operands = llvm::map_to_vector(op->getOperands(),
                                      [&](Value operand) { return scalarOrAt(operand, chunk); });
  bool uniformDivisor = false;
  if (isa<arith::DivFOp>(op)) {
    Value divisor = op->getOperand(1);
    if (auto broadcast = divisor.getDefiningOp<BroadcastOp>())
      uniformDivisor = shapeOf(broadcast.getSource().getType()).back() == 1;
    SplatElementsAttr constant;
    uniformDivisor |=
        divisor.getDefiningOp<SplatOp>() || matchPattern(divisor, m_Constant(&constant));
  }
  return operands.empty() ? Value() : elementwise(builder, op, operands, uniformDivisor);
}
