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
#include "llvm/ADT/SetVector.h"

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
  ArrayRef<int64_t> shape = shapeOf(block.getType());
  Type element = elementTypeOf(block.getType());
  Value position = linear(shape, chunk.index);
  if (chunk.isRow())
    return loadFrom(block.getLoc(), address, position, element, chunk.lanes);
  return loadApart(block.getLoc(), address, position, linearSteps(shape, chunk.steps), element,
                   chunk);
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

/// The elements that are so many elements apart from the one at a position, for each lane.
Value HostBlocks::loadApart(Location loc, Value address, Value position, ArrayRef<int64_t> apart,
                            Type element, const Chunk &chunk) {
  if (isCounting(apart.take_front(static_cast<size_t>(chunk.active))))
    return loadFrom(loc, address, position, element, chunk.lanes);
  int64_t last = *llvm::max_element(apart);
  if (last >= 2 * chunk.lanes || chunk.inside)
    return gatherAt(loc, address, numbersFrom(loc, position, apart), element, chunk);
  // Behind a buffer there is room for a vector, so that all between the lanes may be read, too.
  auto window = static_cast<int64_t>(llvm::PowerOf2Ceil(static_cast<uint64_t>(last) + 1));
  Value all = loadFrom(loc, address, position, element, std::max(window, chunk.lanes));
  return vector::ShuffleOp::create(builder, loc, all, all, apart);
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

HostBlocks::WithoutBuffers::WithoutBuffers(HostBlocks &blocks, ArrayRef<Operation *> ops)
    : blocks(blocks) {
  for (Operation *op : ops)
    for (Value result : op->getResults())
      if (Value address = blocks.bufferOf(result))
        hidden.emplace_back(result, address);
  for (auto [result, address] : hidden)
    blocks.buffers.erase(result);
}

HostBlocks::WithoutBuffers::~WithoutBuffers() {
  for (auto [result, address] : hidden)
    blocks.setBuffer(result, address);
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

HostBlocks::Key HostBlocks::keyOf(Value block, const Chunk &chunk) {
  std::vector<void *> place = {reinterpret_cast<void *>(chunk.lanes)};
  for (Value index : chunk.index)
    place.push_back(index.getAsOpaquePointer());
  for (ArrayRef<int64_t> dim : chunk.steps)
    for (int64_t step : dim)
      place.push_back(reinterpret_cast<void *>(step));
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
  auto steps = llvm::map_to_vector(chunk.laneSteps().back(),
                                   [](int64_t step) { return static_cast<int32_t>(step); });
  auto type = VectorType::get({chunk.lanes}, i32);
  Value iota =
      arith::ConstantOp::create(builder, loc, DenseElementsAttr::get(type, ArrayRef(steps)));
  return arith::AddIOp::create(builder, loc, splat(builder, loc, first, chunk.lanes), iota);
}

/// The elements of another block for the lanes of a chunk, which stand at this place in it.
Value HostBlocks::elementsAt(Value block, SmallVector<Value> index, LaneSteps steps,
                             const Chunk &chunk) {
  Chunk place{std::move(index)};
  auto isUniform = [](ArrayRef<int64_t> dim) { return llvm::all_equal(dim); };
  if (llvm::all_of(steps, isUniform)) {
    Value element = at(block, place);
    return chunk.lanes ? splat(builder, block.getLoc(), element, chunk.lanes) : element;
  }
  place.lanes = chunk.lanes;
  place.active = chunk.active;
  place.inside = chunk.inside;
  if (steps == place.laneSteps()) {
    // What is known of a mask is known where the chunk stands.
    if (chunk.isRow() && place.index == chunk.index)
      place.fullMask = chunk.fullMask;
    return at(block, place);
  }
  ArrayRef<int64_t> shape = shapeOf(block.getType());
  SmallVector<int64_t> numbers = linearSteps(shape, steps);
  int64_t distinct = chunk.isPartial() ? 0 : neighboursAmong(numbers);
  if (!distinct) {
    place.steps = std::move(steps);
    return at(block, place);
  }
  // Neighbours that come in another order, or several times over, are computed once and in theirs.
  place.lanes = place.active = distinct;
  LaneSteps inOrder = delinearSteps(shape, llvm::to_vector(llvm::seq<int64_t>(0, distinct)));
  if (inOrder != place.laneSteps())
    place.steps = std::move(inOrder);
  Value elements = at(block, place);
  return distinct == chunk.lanes && isCounting(numbers)
             ? elements
             : vector::ShuffleOp::create(builder, block.getLoc(), elements, elements, numbers);
}

Value HostBlocks::resultAt(ExpandDimsOp op, const Chunk &chunk) {
  SmallVector<Value> index = chunk.index;
  index.erase(index.begin() + op.getAxis());
  LaneSteps steps = chunk.laneSteps();
  if (chunk.lanes)
    steps.erase(steps.begin() + op.getAxis());
  return elementsAt(op.getSource(), std::move(index), std::move(steps), chunk);
}

Value HostBlocks::resultAt(BroadcastOp op, const Chunk &chunk) {
  ArrayRef<int64_t> from = op.getSource().getType().getShape(), to = op.getType().getShape();
  SmallVector<Value> index = chunk.index;
  LaneSteps steps = chunk.laneSteps();
  for (size_t dim = 0; dim < to.size(); ++dim) {
    if (from[dim] != 1 || to[dim] == 1)
      continue;
    index[dim] = i64(0);
    if (chunk.lanes)
      llvm::fill(steps[dim], 0);
  }
  return elementsAt(op.getSource(), std::move(index), std::move(steps), chunk);
}

/// Whether the rows of a block are those of another one, and longer than an element.
static bool haveSameRows(ArrayRef<int64_t> from, ArrayRef<int64_t> to) {
  return from.back() == to.back() && to.back() != 1;
}

/// Whether no element has another one behind it in another row.
static bool isOneRow(ArrayRef<int64_t> shape) {
  return llvm::count_if(shape, [](int64_t extent) { return extent != 1; }) <= 1;
}

Value HostBlocks::resultAt(ReshapeOp op, const Chunk &chunk) {
  ArrayRef<int64_t> from = op.getSource().getType().getShape(), to = op.getType().getShape();
  Value position = linear(to, chunk.index);
  Type element = op.getType().getElementType();
  SmallVector<int64_t> numbers;
  if (chunk.lanes)
    numbers = linearSteps(to, chunk.laneSteps());
  // A buffer is a view of any shape.
  if (Value address = buffers.lookup(op.getSource()))
    return chunk.isRow() ? loadFrom(op->getLoc(), address, position, element, chunk.lanes)
                         : loadApart(op->getLoc(), address, position, numbers, element, chunk);
  bool staysInRow = chunk.isRow() && haveSameRows(from, to);
  if (!op.isRenaming() && !staysInRow && !isOneRow(from) && !llvm::all_equal(numbers)) {
    missing(op, "a buffer for the source");
    return {};
  }
  return elementsAt(op.getSource(), delinear(from, position), delinearSteps(from, numbers), chunk);
}

/// A number for each lane, so many apart from the first.
Value HostBlocks::numbersFrom(Location loc, Value first, ArrayRef<int64_t> apart) {
  auto lanes = static_cast<int64_t>(apart.size());
  auto type = VectorType::get({lanes}, builder.getI64Type());
  Value steps = arith::ConstantOp::create(builder, loc, DenseElementsAttr::get(type, apart));
  return arith::AddIOp::create(builder, loc, splat(builder, loc, first, lanes), steps);
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
  if (chunk.lanes) {
    LaneSteps steps = chunk.laneSteps();
    llvm::fill(steps[axis], 0);
    first = numbersFrom(loc, first, linearSteps(source.getShape(), steps));
  }
  Value numbers = arith::AddIOp::create(builder, loc, first, along);
  return chunk.lanes ? gatherAt(loc, buffer, numbers, source.getElementType(), chunk)
                     : loadFrom(loc, buffer, numbers, source.getElementType(), 0);
}

Value HostBlocks::resultAt(TransposeOp op, const Chunk &chunk) {
  SmallVector<Value> index(chunk.index.size());
  LaneSteps from = chunk.laneSteps(), steps(from.size());
  for (auto [dim, source] : llvm::enumerate(op.getOrder())) {
    index[static_cast<size_t>(source)] = chunk.index[dim];
    if (chunk.lanes)
      steps[static_cast<size_t>(source)] = from[dim];
  }
  return elementsAt(op.getSource(), std::move(index), std::move(steps), chunk);
}

/// A row of the result is a pair.
Value HostBlocks::resultAt(JoinOp op, const Chunk &chunk) {
  Location loc = op.getLoc();
  SmallVector<Value> index = chunk.index;
  LaneSteps steps = chunk.laneSteps();
  Value side = index.pop_back_val();
  SmallVector<int64_t> sides;
  if (chunk.lanes)
    sides = steps.pop_back_val();
  Value left = elementsAt(op.getLeft(), index, steps, chunk);
  Value right = elementsAt(op.getRight(), index, steps, chunk);
  Value isLeft;
  if (llvm::all_equal(sides)) {
    isLeft = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, side, i64(0));
  } else {
    // Lanes that differ begin with a left one.
    auto lanes = llvm::map_to_vector(sides, [](int64_t step) { return step == 0; });
    auto type = VectorType::get({chunk.lanes}, builder.getI1Type());
    isLeft = arith::ConstantOp::create(builder, loc, DenseElementsAttr::get(type, ArrayRef(lanes)));
  }
  return arith::SelectOp::create(builder, loc, isLeft, left, right);
}

Value HostBlocks::resultAt(SplitOp op, OpResult part, const Chunk &chunk) {
  SmallVector<Value> index = chunk.index;
  index.push_back(i64(part.getResultNumber()));
  LaneSteps steps = chunk.laneSteps();
  if (chunk.lanes)
    steps.emplace_back(static_cast<size_t>(chunk.lanes), 0);
  return elementsAt(op.getSource(), std::move(index), std::move(steps), chunk);
}

/// A reduction in the same loop, by a wrong plan, has not given it yet.
Value HostBlocks::scalarOf(Value value) {
  if (Value scalar = scalars.lookupOrNull(value))
    return scalar;
  missing(value.getDefiningOp(), "an earlier loop");
  return zero(builder, value.getLoc(), registerType(value.getType(), 0));
}

bool HostBlocks::isComputable(Value value) const {
  SetVector<Value> work;
  work.insert(value);
  for (size_t next = 0; next < work.size(); ++next) {
    Value needed = work[next];
    if (scalars.contains(needed) || buffers.contains(needed))
      continue;
    Operation *op = needed.getDefiningOp();
    if (!op || op->getNumRegions() != 0 || !isa<RankedTensorType>(needed.getType()))
      return false;
    work.insert_range(op->getOperands());
  }
  return true;
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
