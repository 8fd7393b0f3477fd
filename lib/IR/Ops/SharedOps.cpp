//===- SharedOps.cpp - What threads exchange in shared memory ------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/IR/FSMDialect.h"

#include "fsm/Layout/TensorTiles.h"

using namespace mlir;
using namespace fsm;

//===----------------------------------------------------------------------===//
// SharedType
//===----------------------------------------------------------------------===//

LogicalResult SharedType::verify(function_ref<InFlightDiagnostic()> emitError,
                                 ArrayRef<int64_t> shape, Type element, int64_t pitch,
                                 unsigned slots, LayoutAttr layout) {
  if (slots > kMaxSlots)
    return emitError() << "expected at most " << kMaxSlots << " slots, got " << slots;
  if (isa<MBarrierType>(element)) {
    if (shape.size() == 1 && shape.front() >= 1 && shape.front() <= kMaxSlots && !pitch && !slots &&
        !layout)
      return success();
    return emitError() << "expected 1 to " << kMaxSlots
                       << " mbarriers of one dimension, without a pitch, slots or a layout";
  }
  if (!isBlockShape(shape) || (!isElementType(element) && !isa<PointerType>(element))) {
    std::string got;
    llvm::raw_string_ostream stream(got);
    for (int64_t extent : shape)
      stream << extent << "x";
    stream << element;
    return emitError() << "expected a block of 1 to " << kMaxBlockRank
                       << " dimensions and at most " << kMaxBlockElements
                       << " elements of " << kElementTypeNames
                       << ", or pointers, in shared memory, got " << got;
  }
  if (pitch && (layout || shape.size() < 2 || pitch < shape.back() || pitch > kMaxBlockElements))
    return emitError() << "expected a pitch of at least a row, " << shape.back()
                       << ", for two dimensions or more without a layout, got " << pitch;
  if (!layout)
    return success();
  if (!layout.isOfShared())
    return emitError() << "expected a layout of shared memory, got " << layout;
  // A slot may be for what one cta holds: which that is, accesses know.
  if (failed(slots ? layout.verifyInside(shape, emitError) : layout.verifyExtents(shape, emitError)))
    return failure();
  if (!layout.toLinear(shape).isInjective())
    return emitError() << "expected a layout with one place for each element, got " << layout;
  return success();
}

/// The last offset with an element inside the extents, of a tile, or of a layout each bit of which moves by
/// one of the block's own; else the last of all.
static uint64_t lastOffset(SharedType type) {
  LinearLayout layout = type.getLayout().toLinear(type.getShape());
  if (tileFormOf(layout, bytesOf(type.getElementType())))
    return layout.lastLivePlace();
  ArrayRef<uint64_t> bases = layout.bases();
  uint64_t last = 0;
  bool isOrdered = llvm::all_of(bases, llvm::isPowerOf2_64);
  for (unsigned bit = layout.from().bits(); bit-- > 0;)
    if (uint64_t more = last | uint64_t(1) << bit;
        !isOrdered || layout.to().contains(layout.apply(more)))
      last = more;
  return last;
}

static uint64_t product(ArrayRef<int64_t> extents) {
  return static_cast<uint64_t>(llvm::product_of(extents));
}

/// What a slot has places for, up to its last element.
static uint64_t bytesOfSlot(SharedType type) {
  uint64_t places = type.getLayout() ? lastOffset(type) + 1 : product(type.getShape());
  return places * bytesOf(type.getElementType());
}

uint64_t SharedType::getSlotBytes() const {
  if (isOfMBarriers())
    return kMBarrierBytes;
  if (getSlots())
    return llvm::alignTo(bytesOfSlot(*this), getAlignment());
  uint64_t elements = getLayout()
                          ? uint64_t(1) << getLayout().getOffsets().size() / getShape().size()
                      : getPitch() ? product(getShape().drop_back()) * getPitch()
                                   : product(getShape());
  return elements * bytesOf(getElementType());
}

/// All banks once.
static constexpr uint64_t kLineOfBanks = 128;

uint64_t SharedType::getAlignment() const {
  if (isOfMBarriers())
    return kSharedAlignment;
  std::optional<TileForm> form =
      getLayout() ? tileFormOf(getLayout().toLinear(getShape()), bytesOf(getElementType()))
                  : std::nullopt;
  if (form)
    return form->alignment();
  // What the threads of a warp copy side by side then lies in no line more than it fills.
  return getSlots() && bytesOfSlot(*this) % kLineOfBanks == 0 ? kLineOfBanks : kSharedAlignment;
}

uint64_t SharedType::getBytes() const {
  return getSlotBytes() * (isOfMBarriers() ? getShape().front() : std::max(getSlots(), 1u));
}

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

LogicalResult fsm::verifySharedOperands(Operation *op) {
  for (Value operand : op->getOperands())
    if (isa<SharedType>(operand.getType()) && !operand.getDefiningOp<SharedAllocOp>())
      return op->emitOpError("expected memory from an 'fsm.shared_alloc'");
  return success();
}

/// Whether a slot has a place for each element of a block that one cta holds.
static bool hasPlaces(SharedType slot, RankedTensorType block) {
  LinearLayout own = slot.getLayout().toLinear(slot.getShape());
  if (own.isSurjective() || !layoutOf(block))
    return own.isSurjective();
  std::vector<uint64_t> bases = own.bases();
  llvm::append_range(bases, layoutOf(block).toLinear(slot.getShape()).basesOf(Dim::Cta));
  return LinearLayout(BitSpace::offsets(static_cast<unsigned>(bases.size())), own.to(), bases)
      .isSurjective();
}

bool SharedType::holds(Type value) const {
  if (elementTypeOf(value) != getElementType())
    return false;
  bool isLine = getShape().size() == 1 && !getLayout();
  auto block = dyn_cast<RankedTensorType>(value);
  if (isLine)
    return getShape().front() == (block ? block.getNumElements() : 1);
  if (!block || getShape().size() != block.getShape().size())
    return false;
  if (getLayout())
    return llvm::all_of(llvm::zip_equal(getShape(), block.getShape()),
                        [](auto extents) {
                          auto [own, given] = extents;
                          return own >= given &&
                                 llvm::Log2_64_Ceil(own) == llvm::Log2_64_Ceil(given);
                        }) &&
           hasPlaces(*this, block);
  return getPitch() || getShape() == block.getShape();
}

static LogicalResult verifyAccess(Operation *op, Type value, Value shared) {
  auto type = cast<SharedType>(shared.getType());
  if (isa<RankedTensorType>(value) && !layoutOf(value))
    return op->emitOpError() << "expected a block with '#fsm.layout', got " << value;
  if (!type.holds(value))
    return op->emitOpError() << "expected a value that fits " << type << ", got " << value;
  return success();
}

/// Whether memory takes all of a block, of which it may have room for more, or one of the parts
/// that the block consists of: in a dimension of which it has less, a power of two. Memory without a pitch takes
/// parts under a layout, if it has no slots.
static bool isPart(SharedType type, ArrayRef<int64_t> block, std::optional<ArrayRef<int64_t>> at) {
  if (!at)
    return !type.getPitch() ||
           llvm::all_of(llvm::zip_equal(type.getShape(), block), [](auto extents) {
             auto [room, own] = extents;
             return room >= own;
           });
  bool takesParts = type.getPitch() || (type.getLayout() && !type.getSlots());
  if (!takesParts || at->size() != block.size() || type.getShape().size() != block.size())
    return false;
  unsigned cut = 0;
  for (auto [extent, whole, first] : llvm::zip_equal(type.getShape(), block, *at)) {
    bool isCut = extent != whole;
    cut += isCut;
    if (isCut ? !llvm::isPowerOf2_64(extent) || extent > whole || first % extent : first != 0)
      return false;
    if (first < 0 || first >= whole)
      return false;
  }
  return cut <= 1;
}

LogicalResult SharedCountOp::verify() {
  SharedType shared = getShared().getType();
  if (shared.getLayout() || shared.getPitch() || shared.getSlots() ||
      shared.getShape().size() != 1 || !shared.getElementType().isInteger(32))
    return emitOpError() << "expected memory in which a line of i32 lies, got " << shared;
  return success();
}

LogicalResult SharedStoreOp::verify() {
  SharedType type = getShared().getType();
  auto stored = dyn_cast<RankedTensorType>(getValue().getType());
  // Of a part all but the extents.
  bool isPartOfTile = getAt() && type.getLayout() && stored && layoutOf(stored) &&
                      stored.getElementType() == type.getElementType();
  if (!isPartOfTile && failed(verifyAccess(*this, getValue().getType(), getShared())))
    return failure();
  if (getToFirst() && (!type.getSlots() || !type.getLayout() || !getMbarrier()))
    return emitOpError() << "expected slots under a layout, and an mbarrier, where ctas store to the first "
                            "one, got "
                         << type;
  if (!getToFirst() && type.getSlots())
    return emitOpError() << "expected memory without slots, got " << type;
  if (getMbarrier() && !getMbarrier().getType().isOfMBarriers())
    return emitOpError() << "expected an mbarrier for elements to arrive at, got "
                         << getMbarrier().getType();
  if (getMbarrier() && !isa<MBarrierType>(type.getElementType()) &&
      bytesOf(type.getElementType()) != 4 && bytesOf(type.getElementType()) != 8)
    return emitOpError() << "expected elements of 4 or 8 bytes to arrive at an mbarrier, got "
                         << type.getElementType();
  Type value = getValue().getType();
  ArrayRef<int64_t> block = isa<RankedTensorType>(value) ? shapeOf(value) : ArrayRef<int64_t>();
  if (isPart(type, block, getAt()))
    return success();
  return emitOpError() << "expected 'at' where a part of a block goes to memory with a pitch or a tile: a "
                       << "power of two of one dimension, from a multiple of that on; got " << value
                       << " and " << type;
}

LogicalResult SharedLoadOp::verify() {
  SharedType type = getShared().getType();
  if (type.getPitch())
    return emitOpError() << "expected memory without a pitch, got " << type;
  if (!type.getSlots() != !getSlot())
    return emitOpError() << "expected the number of a slot with memory that has slots, got "
                         << type;
  if (getFromPart() && getSlot())
    return emitOpError("expected memory without slots where it is another part's");
  if (!getMask() != !getOther() || (getMask() && !getSlot()))
    return emitOpError(
        "expected both a mask and what is taken where it is false, of a slot, or neither");
  if (getMask() && (!isSpreadAs(getMask().getType(), getType()) ||
                    !isSpreadAs(getOther().getType(), getType()) ||
                    elementTypeOf(getOther().getType()) != type.getElementType()))
    return emitOpError() << "expected a mask and other elements of the result's " << getType()
                         << ", got " << getMask().getType() << " and " << getOther().getType();
  return verifyAccess(*this, getType(), getShared());
}

/// What the verifier asks of a factor in memory, and which rows and columns it has there.
static bool canLieIn(SharedType factor, Value slot, bool isByMma) {
  if (slot)
    return factor.getSlots() && factor.getLayout() &&
           factor.getLayout().toLinear(factor.getShape()).isSurjective();
  return !factor.getSlots() && (factor.getPitch() || (isByMma && factor.getLayout()));
}

/// Whether a dimension of a factor in memory is that of the sums, or, of a tile, is longer up to a power of two.
static bool isLongEnough(SharedType factor, int64_t own, int64_t wanted) {
  return own == wanted || (factor && factor.getLayout() && own > wanted &&
                           llvm::Log2_64_Ceil(own) == llvm::Log2_64_Ceil(wanted));
}

LogicalResult SharedDotOp::verify() {
  SharedType left = leftMemory(), right = getRight().getType();
  auto held = dyn_cast<RankedTensorType>(getLeft().getType());
  Type leftElement = left ? left.getElementType() : held.getElementType();
  SmallVector<int64_t> rows(left ? left.getShape() : held.getShape()), columns(right.getShape());
  ArrayRef<int64_t> sums = shapeOf(getType());
  size_t rank = sums.size();
  bool isByMma = (*this)->hasAttr(kMmaAttr);
  bool isLeftThere = left ? canLieIn(left, getLeftSlot(), isByMma)
                          : isByMma && !getLeftSlot() && !getLeftTransposed();
  bool isProduct = rank >= 2 && rank <= 3 && isLeftThere &&
                   canLieIn(right, getRightSlot(), isByMma) &&
                   canMultiply(leftElement, right.getElementType()) && rows.size() == rank &&
                   columns.size() == rank;
  auto inner = static_cast<int64_t>(getInner());
  if (isProduct && inner >= 1) {
    // As the factors are, whichever way round they lie.
    if (getLeftTransposed())
      std::swap(rows[rank - 2], rows.back());
    if (getRightTransposed())
      std::swap(columns[rank - 2], columns.back());
    if (ArrayRef(rows).drop_back(2) == sums.drop_back(2) && isLongEnough(left, rows[rank - 2], sums[rank - 2]) &&
        ArrayRef(columns).drop_back(2) == sums.drop_back(2) && isLongEnough(right, columns.back(), sums.back()) &&
        inner <= rows.back() && inner <= columns[rank - 2])
      return success();
  }
  return emitOpError() << "expected factors with a pitch for " << getType() << ", and " << inner
                       << " columns and rows of them, got " << getLeft().getType() << " and "
                       << right;
}
