//===- TensorOps.cpp - Copies of boxes of tensors -------------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MBarriers.h"

#include "fsm/IR/FSMDialect.h"
#include "fsm/IR/Origins.h"
#include "fsm/IR/TensorMaps.h"

#include "fsm/Layout/TensorTiles.h"

using namespace mlir;
using namespace fsm;

//===----------------------------------------------------------------------===//
// TensorMapType
//===----------------------------------------------------------------------===//

LogicalResult TensorMapType::verify(function_ref<InFlightDiagnostic()> emitError,
                                    ArrayRef<int64_t> box, Type element, unsigned swizzle) {
  bool isBox = !box.empty() && box.size() <= TensorMapPlan::kMostRank && isElementType(element) &&
               !element.isInteger(1) && llvm::all_of(box, [](int64_t extent) {
                 return extent >= 1 && extent <= kMostExtent;
               });
  if (isBox && llvm::is_contained({32u, 64u, 128u}, swizzle) &&
      static_cast<uint64_t>(box.back()) * bytesOf(element) == swizzle)
    return success();
  return emitError() << "expected a box of 1 to " << TensorMapPlan::kMostRank
                     << " dimensions of 1 to " << kMostExtent
                     << " elements, whose rows have the swizzle's 32, 64 or 128 bytes, got rows of "
                     << (box.empty() ? 0 : box.back()) << " " << element << " and " << swizzle;
}

uint64_t TensorMapType::getBoxBytes() const {
  return static_cast<uint64_t>(llvm::product_of(getBox())) * bytesOf(getElementType());
}

TensorMapType TensorMapType::of(SharedType tile) {
  if (!tile.getLayout() || tile.getShape().size() != 2)
    return {};
  uint64_t bytes = bytesOf(tile.getElementType());
  std::optional<TileForm> form =
      tileFormOf(tile.getLayout().toLinear(tile.getShape()), static_cast<unsigned>(bytes));
  if (!form || !form->swizzleBytes)
    return {};
  int64_t lines = std::min(tile.getShape()[1 - form->major], kMostExtent);
  auto columns = static_cast<int64_t>(form->swizzleBytes / bytes);
  // A box begins where the pattern of its swizzle does, at each eighth line.
  bool isOne = tile.getShape()[form->major] == columns && tile.getShape()[1 - form->major] == lines;
  if (!isOne && lines % kSwizzledLines != 0)
    return {};
  return TensorMapType::get(tile.getContext(), {lines, columns}, tile.getElementType(),
                            form->swizzleBytes);
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

/// A size for each dimension of the box, and a stride for each but the last.
template <typename Op>
static LogicalResult verifyNumbers(Op op) {
  size_t rank = op.getType().getBox().size();
  if (op.getSizes().size() == rank && op.getStrides().size() + 1 == rank)
    return success();
  return op.emitOpError() << "expected " << rank << " sizes and " << rank - 1 << " strides for a box of " << rank
                          << " dimensions, got " << op.getSizes().size() << " and " << op.getStrides().size();
}

/// The first map from one of a list of ops on, as `step` goes through them; null for none.
static OwnTensorMapOp mapFrom(Operation *op, Operation *(Operation::*step)()) {
  while (op && !isa<OwnTensorMapOp>(op))
    op = (op->*step)();
  return cast_if_present<OwnTensorMapOp>(op);
}

OwnTensorMapOp OwnTensorMapOp::nextMap() { return mapFrom((*this)->getNextNode(), &Operation::getNextNode); }

OwnTensorMapOp OwnTensorMapOp::previousMap() { return mapFrom((*this)->getPrevNode(), &Operation::getPrevNode); }

LogicalResult OwnTensorMapOp::verify() {
  if (getPointer().getType().getPointeeType() != getType().getElementType())
    return emitOpError() << "expected a pointer to " << getType().getElementType() << ", got "
                         << getPointer().getType();
  OwnTensorMapOp next = (*this)->hasAttr(kReleasedLaterAttr) ? nextMap() : *this;
  if (!next || next.getCondition() != getCondition())
    return emitOpError() << "expected another map behind it, made on the same condition, whose release is to be its own";
  return verifyNumbers(*this);
}

LogicalResult TensorMapOp::verify() {
  auto pointer = dyn_cast<BlockArgument>(getPointer());
  if (!pointer || !isa<KernelOp>(pointer.getOwner()->getParentOp()) ||
      getPointer().getType().getPointeeType() != getType().getElementType())
    return failWithOrigins(emitOpError() << "expected a pointer that is an argument of the kernel, to "
                                         << getType().getElementType() << ", got "
                                         << getPointer().getType(),
                           {{"the pointer", getPointer()}});
  if (failed(verifyNumbers(*this)))
    return failure();
  for (OperandRange list : {getSizes(), getStrides()})
    for (Value number : list)
      if (!launchExpressionOf(number))
        return failWithOrigins(
            emitOpError("expected sizes and strides that a launch knows: arguments, numbers, and sums, "
                        "differences and products of these that do not wrap"),
            {{"another one", number}});
  return success();
}

/// A coordinate for each dimension of the map's tensor.
template <typename Op>
static LogicalResult verifyCoordinates(Op op) {
  size_t rank = op.getMap().getType().getBox().size();
  if (op.getCoordinates().size() == rank)
    return success();
  return op.emitOpError() << "expected " << rank << " coordinates, one for each dimension of "
                          << op.getMap().getType() << ", got " << op.getCoordinates().size();
}

LogicalResult FetchTensorOp::verify() { return verifyCoordinates(*this); }

LogicalResult StoreTensorOp::verify() {
  SharedType type = getShared().getType();
  if (failed(verifyCoordinates(*this)))
    return failure();
  if (!type.getSlots() && TensorMapType::of(type) == getMap().getType())
    return success();
  return emitOpError() << "expected a tile without slots that boxes of " << getMap().getType()
                       << " make up, got " << type;
}

/// Whether boxes of a map make up a tile, those of TensorMapType::of() or parts of them by lines.
static bool areBoxesOf(TensorMapType map, SharedType tile) {
  TensorMapType whole = TensorMapType::of(tile);
  return map == whole ||
         (whole && map.getElementType() == whole.getElementType() && map.getSwizzle() == whole.getSwizzle() &&
          map.getBox()[1] == whole.getBox()[1] && whole.getBox()[0] % map.getBox()[0] == 0 &&
          map.getBox()[0] % kSwizzledLines == 0);
}

LogicalResult CopyTensorOp::verify() {
  SharedType type = getShared().getType(), mbarriers = getMbarriers().getType();
  if (failed(verifyMBarriers(*this, mbarriers)) || failed(verifyCoordinates(*this)))
    return failure();
  if (auto own = getMap().getDefiningOp<OwnTensorMapOp>(); own && own.getSlots() <= type.getSlots())
    return failBeside(emitOpError() << "expected a map that has more places than the " << type.getSlots()
                                    << " slots that copies by it are on their way to, got " << own.getSlots(),
                      own, "the map is made here");
  if (type.getSlots() && mbarriers.getShape() == ArrayRef<int64_t>(type.getSlots()) &&
      areBoxesOf(getMap().getType(), type))
    return verifyTogether();
  return emitOpError() << "expected slots of tiles that boxes of " << getMap().getType()
                       << " make up, and an mbarrier for each of them, got " << type << " and "
                       << mbarriers;
}

/// The programs of a cluster have as many boxes each.
LogicalResult CopyTensorOp::verifyTogether() {
  if (!getTogether())
    return success();
  auto programs = static_cast<int64_t>(programsOfCluster(getOperation()));
  int64_t boxes = llvm::product_of(getShared().getType().getShape()) /
                  llvm::product_of(getMap().getType().getBox());
  if (programs > 1 && boxes % programs == 0)
    return success();
  return emitOpError() << "expected a kernel with 'fsm.cluster', and boxes for each of its " << programs
                       << " programs, got " << boxes;
}

LogicalResult ClearLinesOp::verify() {
  SharedType type = getShared().getType();
  auto map = getMap().getDefiningOp<TensorMapOp>();
  if (!map || !map.getBoxEnds())
    return failWithOrigins(emitOpError("expected an 'fsm.tensor_map' with 'box_ends'"),
                           {{"the map", getMap()}});
  if (type.getSlots() && TensorMapType::of(type) == map.getType())
    return success();
  return emitOpError() << "expected slots of tiles that boxes of " << map.getType()
                       << " make up, got " << type;
}

SmallVector<CopyTensorOp, 2> MBarrierExpectOp::getCopies() {
  SmallVector<CopyTensorOp, 2> copies;
  for (Operation *op = (*this)->getNextNode(); op; op = op->getNextNode()) {
    auto next = dyn_cast<MBarrierExpectOp>(op);
    if (next && next.getMbarriers() == getMbarriers())
      break;
    auto copy = dyn_cast<CopyTensorOp>(op);
    if (copy && copy.getMbarriers() == getMbarriers() && copy.getSlot() == getSlot() &&
        copy.getCondition() == getCondition())
      copies.push_back(copy);
  }
  return copies;
}

LogicalResult MBarrierExpectOp::verify() { return verifyMBarriers(*this, getMbarriers().getType()); }
