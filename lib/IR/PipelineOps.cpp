//===- PipelineOps.cpp - Loads that run ahead of their loop --------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/IR/FSMDialect.h"
#include "fsm/IR/Origins.h"

using namespace mlir;
using namespace fsm;

LogicalResult RingType::verify(function_ref<InFlightDiagnostic()> emitError, unsigned slots,
                               RankedTensorType block) {
  if (slots < 1 || slots > kMaxSlots)
    return emitError() << "expected 1 to " << kMaxSlots << " slots in a ring, got " << slots;
  if (!isBlockShape(block.getShape()) || !isElementType(block.getElementType()) || !layoutOf(block))
    return emitError() << "expected slots for a block with '#fsm.layout', got " << block;
  return success();
}

uint64_t RingType::getSlotBytes() const {
  LinearLayout layout = linearLayoutOf(getBlock());
  unsigned threads = layout.from().bitsOf(Dim::Lane) + layout.from().bitsOf(Dim::Warp);
  uint64_t places = static_cast<uint64_t>(layout.liveRegisters().size()) << threads;
  return llvm::alignTo(places * bytesOf(getBlock().getElementType()), kSharedAlignment);
}

/// Whether a scalar, or a block with the shape and layout of another.
static bool hasPlacesOf(Type type, RankedTensorType block) {
  auto given = dyn_cast<RankedTensorType>(type);
  return !given ||
         (given.getShape() == block.getShape() && given.getEncoding() == block.getEncoding());
}

static LogicalResult verifyMBarriers(Operation *op, SharedType type) {
  if (type.isOfMBarriers())
    return success();
  return op->emitOpError() << "expected memory of mbarriers, got " << type;
}

LogicalResult MBarrierInitOp::verify() { return verifyMBarriers(*this, getMbarriers().getType()); }
LogicalResult MBarrierWaitOp::verify() { return verifyMBarriers(*this, getMbarriers().getType()); }

/// A bulk copy goes to memory with slots, row by row, which has an mbarrier for each of them.
static LogicalResult verifyBulk(CopyAsyncOp op) {
  auto type = dyn_cast<SharedType>(op.getShared().getType());
  if (!op.getMbarriers()) {
    if (!type && !op.getCount())
      return success();
    return op.emitOpError("expected an 'mbarrier' with a copy to '!fsm.shared', or of a count");
  }
  if (failed(verifyMBarriers(op, op.getMbarriers().getType())))
    return failure();
  RankedTensorType offsets = op.getOffsets().getType();
  if (type && type.getSlots() && !type.getLayout() && !type.getPitch() &&
      type.getShape() == offsets.getShape() &&
      op.getMbarriers().getType().getShape() == ArrayRef<int64_t>(type.getSlots()))
    return success();
  return op.emitOpError() << "expected slots row by row for a block of " << offsets
                          << ", and an mbarrier for each of them, got " << op.getShared().getType()
                          << " and " << op.getMbarriers().getType();
}

LogicalResult CopyAsyncOp::verify() {
  auto ring = dyn_cast<RingType>(getShared().getType());
  Type element = ring ? ring.getBlock().getElementType()
                      : cast<SharedType>(getShared().getType()).getElementType();
  if (getPointer().getType().getPointeeType() != element)
    return failWithOrigins(emitOpError() << "expected a pointer to the slot's " << element
                                         << ", got " << getPointer().getType(),
                           {{"the pointer", getPointer()}, {"the memory", getShared()}});
  RankedTensorType block = ring ? ring.getBlock() : getOffsets().getType();
  if (!hasPlacesOf(getOffsets().getType(), block) ||
      (getMask() && !hasPlacesOf(getMask().getType(), block)))
    return failWithOrigins(
        emitOpError() << "expected offsets and mask with the shape and layout of the ring's "
                      << block,
        {{"the block of offsets", getOffsets()},
         {"the mask", getMask()},
         {"the ring", getShared()}});
  return verifyBulk(*this);
}

LogicalResult RingReadOp::verify() {
  RankedTensorType block = getRing().getType().getBlock();
  if (getType() != block)
    return failWithOrigins(emitOpError() << "expected the ring's " << block
                                         << " as the result, got " << getType(),
                           {{"the ring", getRing()}});
  if (!getMask() != !getOther())
    return emitOpError("expected both a mask and what is taken where it is false, or neither");
  if (!getMask())
    return success();
  if (!hasPlacesOf(getMask().getType(), block) || !hasPlacesOf(getOther().getType(), block) ||
      elementTypeOf(getOther().getType()) != block.getElementType())
    return failWithOrigins(
        emitOpError() << "expected a mask and other elements of the ring's " << block << ", got "
                      << getMask().getType() << " and " << getOther().getType(),
        {{"the mask", getMask()}, {"'other'", getOther()}, {"the ring", getRing()}});
  return success();
}
