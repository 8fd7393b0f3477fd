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

/// More slots than any loop has stages are no use.
static constexpr unsigned kMaxSlots = 64;

LogicalResult RingType::verify(function_ref<InFlightDiagnostic()> emitError, unsigned slots,
                               RankedTensorType block, bool) {
  if (slots < 1 || slots > kMaxSlots)
    return emitError() << "expected 1 to " << kMaxSlots << " slots in a ring, got " << slots;
  if (!isBlockShape(block.getShape()) || !isElementType(block.getElementType()) || !layoutOf(block))
    return emitError() << "expected slots for a block with '#fsm.layout', got " << block;
  return success();
}

/// Threads access shared memory by vectors of up to so many bytes.
static uint64_t aligned(uint64_t bytes) { return llvm::alignTo(bytes, 16); }

uint64_t RingType::getSlotBytes() const {
  unsigned elementBytes = bytesOf(getBlock().getElementType());
  if (getBulk())
    return aligned(static_cast<uint64_t>(getBlock().getNumElements()) * elementBytes);
  LinearLayout layout = linearLayoutOf(getBlock());
  unsigned threads = layout.from().bitsOf(Dim::Lane) + layout.from().bitsOf(Dim::Warp);
  uint64_t places = static_cast<uint64_t>(layout.liveRegisters().size()) << threads;
  return aligned(places * elementBytes);
}

uint64_t RingType::getBytes() const {
  return getSlots() * getSlotBytes() + (getBulk() ? aligned(getSlots() * kMBarrierBytes) : 0);
}

/// Whether a scalar, or a block with the shape and layout of another.
static bool hasPlacesOf(Type type, RankedTensorType block) {
  auto given = dyn_cast<RankedTensorType>(type);
  return !given ||
         (given.getShape() == block.getShape() && given.getEncoding() == block.getEncoding());
}

static LogicalResult verifyBulk(Operation *op, Value ring) {
  if (cast<RingType>(ring.getType()).getBulk())
    return success();
  return failWithOrigins(op->emitOpError()
                             << "expected a ring that is 'bulk', got " << ring.getType(),
                         {{"the ring", ring}});
}

LogicalResult CopyAsyncOp::verify() {
  RankedTensorType block = getRing().getType().getBlock();
  if (getPointer().getType().getPointeeType() != block.getElementType())
    return failWithOrigins(emitOpError()
                               << "expected a pointer to the ring's " << block.getElementType()
                               << ", got " << getPointer().getType(),
                           {{"the pointer", getPointer()}, {"the ring", getRing()}});
  if (!hasPlacesOf(getOffsets().getType(), block) ||
      (getMask() && !hasPlacesOf(getMask().getType(), block)))
    return failWithOrigins(
        emitOpError() << "expected offsets and mask with the shape and layout of the ring's "
                      << block,
        {{"the block of offsets", getOffsets()}, {"the mask", getMask()}, {"the ring", getRing()}});
  return getCount() ? verifyBulk(*this, getRing()) : success();
}

LogicalResult BulkWaitOp::verify() { return verifyBulk(*this, getRing()); }

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
