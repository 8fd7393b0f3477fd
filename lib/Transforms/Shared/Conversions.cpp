//===- Conversions.cpp - Conversions through shared memory ----------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Conversions.h"

#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace fsm;

bool fsm::isOnCtas(Operation *op) {
  return op->getParentOfType<KernelOp>().getNumCtas().value_or(1) > 1;
}

Value fsm::exchange(OpBuilder &builder, Location loc, Value value, Type result, SharedType type,
                    ThreadScope scope) {
  Value shared = SharedAllocOp::create(builder, loc, type);
  auto store = SharedStoreOp::create(builder, loc, value, DenseI64ArrayAttr(), shared);
  if (scope == ThreadScope::Warp && isOnCtas(store))
    store->setAttr(kWithinCtaAttr, builder.getUnitAttr());
  SharedBarrierOp::create(builder, loc, scope, /*fence=*/false);
  return SharedLoadOp::create(builder, loc, result, shared);
}

/// How a conversion goes.
static ConversionPlan planOf(RankedTensorType from, RankedTensorType to) {
  return planBetween(linearLayoutOf(from), linearLayoutOf(to), to.getElementType());
}

bool fsm::stageConversion(ConvertLayoutOp op) {
  RankedTensorType type = op.getType();
  ConversionPlan plan = planOf(op.getSource().getType(), type);
  if (plan.kind != ConversionKind::SharedMemory)
    return false;
  auto layout = LayoutAttr::get(op.getContext(), plan.shared->layout);
  auto memory = SharedType::get(op.getContext(), type.getShape(), type.getElementType(), layout);
  OpBuilder builder(op);
  Value moved = exchange(builder, op.getLoc(), op.getSource(), type, memory,
                         plan.shared->withinWarps ? ThreadScope::Warp : ThreadScope::Program);
  op.replaceAllUsesWith(moved);
  op.erase();
  return true;
}

//===----------------------------------------------------------------------===//
// Halves
//===----------------------------------------------------------------------===//

std::optional<SharedExchange> SharedExchange::of(SharedAllocOp alloc) {
  SharedStoreOp write;
  SharedLoadOp read;
  for (Operation *user : alloc->getUsers()) {
    auto store = dyn_cast<SharedStoreOp>(user);
    auto load = dyn_cast<SharedLoadOp>(user);
    if ((!store && !load) || (store && write) || (load && read) || user->getBlock() != alloc->getBlock())
      return std::nullopt;
    (store ? (void)(write = store) : (void)(read = load));
  }
  auto isBlock = [](Value value) { return value && isa<RankedTensorType>(value.getType()); };
  if (!write || !read || !isBlock(write.getValue()) || !isBlock(read) || isOnCtas(alloc) || write.getAt() ||
      write.getMbarrier() || write.getToFirst() || read.getSlot() || read.getMask() ||
      !isa<SharedBarrierOp>(write->getNextNode()) || write->getNextNode()->getNextNode() != read)
    return std::nullopt;
  return SharedExchange(alloc, write, read);
}

/// A block's shape, and where its halves are in it: what differs in this bit of a packed position.
namespace {
struct Halving {
  SmallVector<int64_t> shape;
  unsigned bit, dim = 0;
  int64_t below = 1;

  Halving(ArrayRef<int64_t> shape, unsigned bit);
  /// The bit between the halves is a dimension of its own.
  SmallVector<int64_t> apart() const;
  /// The dimensions with that one last, and where each of them was.
  SmallVector<int32_t> order() const;
  SmallVector<int64_t> half() const;

  uint64_t withoutBit(uint64_t place) const {
    uint64_t low = (uint64_t(1) << bit) - 1;
    return (place & low) | (place >> 1 & ~low);
  }
  uint64_t withBitLast(uint64_t place) const { return withoutBit(place) << 1 | (place >> bit & 1); }
};
} // namespace

Halving::Halving(ArrayRef<int64_t> shape, unsigned bit) : shape(shape), bit(bit) {
  unsigned bitsBehind = 0;
  for (dim = static_cast<unsigned>(shape.size()) - 1;; --dim) {
    unsigned bits = llvm::Log2_64(static_cast<uint64_t>(shape[dim]));
    if (bit < bitsBehind + bits)
      break;
    bitsBehind += bits;
  }
  below = int64_t(1) << (bit - bitsBehind);
}

SmallVector<int64_t> Halving::half() const {
  SmallVector<int64_t> result = shape;
  result[dim] /= 2;
  return result;
}

SmallVector<int64_t> Halving::apart() const {
  SmallVector<int64_t> result(shape.begin(), shape.begin() + dim);
  result.append({shape[dim] / 2 / below, 2, below});
  result.append(shape.begin() + dim + 1, shape.end());
  return result;
}

SmallVector<int32_t> Halving::order() const {
  SmallVector<int32_t> result;
  for (unsigned i = 0; i < shape.size() + 2; ++i)
    if (i != dim + 1)
      result.push_back(static_cast<int32_t>(i));
  result.push_back(static_cast<int32_t>(dim + 1));
  return result;
}

/// A block of another shape, of which each place holds what it is mapped to.
static RankedTensorType reshaped(RankedTensorType type, ArrayRef<int64_t> shape,
                                 llvm::function_ref<uint64_t(uint64_t)> mapped) {
  LinearLayout layout = linearLayoutOf(type);
  SmallVector<uint64_t> bases = llvm::map_to_vector(layout.bases(), mapped);
  LinearLayout other(layout.from(), BitSpace::block({shape.begin(), shape.end()}), {bases.begin(), bases.end()});
  return withLayout(RankedTensorType::get(shape, type.getElementType()), other);
}

/// A block with the bit between its halves as the last dimension, and in front of that as `apart`.
static SmallVector<int64_t> pairShape(const Halving &halving) {
  SmallVector<int64_t> apart = halving.apart(), result;
  for (int32_t dim : halving.order())
    result.push_back(apart[static_cast<size_t>(dim)]);
  return result;
}

/// One half of a block, without the register's bit between them.
static RankedTensorType halfOf(RankedTensorType type, const Halving &halving, ArrayRef<int64_t> shape) {
  LinearLayout layout = linearLayoutOf(type);
  std::vector<uint64_t> bases;
  for (uint64_t base : layout.bases())
    if (base != uint64_t(1) << halving.bit)
      bases.push_back(halving.withoutBit(base));
  const BitSpace &from = layout.from();
  BitSpace threads = BitSpace::threads(from.bitsOf(Dim::Register) - 1, from.bitsOf(Dim::Lane),
                                       from.bitsOf(Dim::Warp), from.bitsOf(Dim::Cta));
  return withLayout(RankedTensorType::get(shape, type.getElementType()),
                    LinearLayout(threads, BitSpace::block({shape.begin(), shape.end()}), bases));
}

/// The bits to which one register of a layout leads, and nothing else.
static uint64_t bitsOfRegisters(const LinearLayout &layout) {
  uint64_t found = 0, once = 0, more = 0;
  for (uint64_t base : layout.bases()) {
    more |= once & base;
    once |= base;
  }
  for (uint64_t base : layout.basesOf(Dim::Register))
    found |= llvm::isPowerOf2_64(base) ? base : 0;
  return found & ~more;
}

/// The bit by which halves go that cost the least.
std::optional<unsigned> SharedExchange::bitBetweenHalves() const {
  auto from = cast<RankedTensorType>(SharedStoreOp(write).getValue().getType());
  auto to = cast<RankedTensorType>(SharedLoadOp(read).getType());
  if (!llvm::all_of(from.getShape(), [](int64_t extent) { return llvm::isPowerOf2_64(static_cast<uint64_t>(extent)); }))
    return std::nullopt;
  uint64_t bits = bitsOfRegisters(linearLayoutOf(from)) & bitsOfRegisters(linearLayoutOf(to));
  std::optional<unsigned> best;
  unsigned least = 0;
  for (unsigned bit = 0; bits >> bit; ++bit) {
    if (!(bits >> bit & 1))
      continue;
    Halving halving(from.getShape(), bit);
    SmallVector<int64_t> half = halving.half();
    unsigned cost = planOf(halfOf(from, halving, half), halfOf(to, halving, half)).cost().total();
    if (best && cost >= least)
      continue;
    best = bit;
    least = cost;
  }
  return best;
}

SmallVector<SharedAllocOp> SharedExchange::halve() {
  std::optional<unsigned> bit = bitBetweenHalves();
  if (!bit)
    return {};
  auto from = cast<RankedTensorType>(write.getValue().getType()), to = cast<RankedTensorType>(read.getType());
  Halving halving(from.getShape(), *bit);
  SmallVector<int64_t> pairs = pairShape(halving), half = halving.half();
  ArrayRef<int64_t> ones = ArrayRef(pairs).drop_back();
  auto same = [](uint64_t place) { return place; };
  auto last = [&](uint64_t place) { return halving.withBitLast(place); };

  ImplicitLocOpBuilder builder(read.getLoc(), read);
  Value apart = ReshapeOp::create(builder, reshaped(from, halving.apart(), same), write.getValue());
  Value inPairs = TransposeOp::create(builder, reshaped(from, pairs, last), apart, halving.order());
  Type one = halfOf(from, halving, ones);
  auto split = SplitOp::create(builder, TypeRange{one, one}, inPairs);
  SmallVector<Value> moved;
  SmallVector<Operation *> conversions;
  for (Value part : split.getResults()) {
    Value given = ReshapeOp::create(builder, halfOf(from, halving, half), part);
    auto conversion = ConvertLayoutOp::create(builder, halfOf(to, halving, half), given);
    conversions.push_back(conversion);
    moved.push_back(ReshapeOp::create(builder, halfOf(to, halving, ones), conversion));
  }
  Value joined = JoinOp::create(builder, reshaped(to, pairs, last), moved[0], moved[1]);
  SmallVector<int32_t> back(halving.order().size());
  for (auto [to, dim] : llvm::enumerate(halving.order()))
    back[static_cast<size_t>(dim)] = static_cast<int32_t>(to);
  Value behind = TransposeOp::create(builder, reshaped(to, halving.apart(), same), joined, back);
  read.replaceAllUsesWith(ReshapeOp::create(builder, to, behind).getResult());

  SmallVector<SharedAllocOp> allocs;
  for (Operation *conversion : conversions) {
    Operation *before = conversion->getPrevNode();
    if (stageConversion(cast<ConvertLayoutOp>(conversion)))
      allocs.push_back(cast<SharedAllocOp>(before->getNextNode()));
  }
  Operation *barrier = write->getNextNode();
  for (Operation *op : {read.getOperation(), barrier, write.getOperation(), alloc.getOperation()})
    op->erase();
  return allocs;
}
