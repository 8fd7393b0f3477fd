//===- PipelineOps.cpp - Loads that run ahead of their loop --------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MBarriers.h"

#include "fsm/IR/FSMDialect.h"
#include "fsm/IR/Origins.h"

using namespace mlir;
using namespace fsm;

Type CopyAsyncOp::getAccessedType() {
  return withElementType(getOffsets().getType(), getPointer().getType().getPointeeType());
}

LogicalResult MBarrierInitOp::verify() {
  if (failed(verifyMBarriers(*this, getMbarriers().getType())))
    return failure();
  if (getArrivals() && getBytes())
    return emitOpError("expected either the 'arrivals' of warps or the 'bytes' of stores, got both");
  if (getBytes() && getMbarriers().getType().getShape().front() != 1)
    return emitOpError("expected one mbarrier for the 'bytes' of stores, got ")
           << getMbarriers().getType();
  return success();
}

LogicalResult MBarrierWaitOp::verify() { return verifyMBarriers(*this, getMbarriers().getType()); }

/// Of a bulk copy: slots row by row, and an mbarrier for each of them.
static LogicalResult verifyBulk(CopyAsyncOp op) {
  SharedType type = op.getShared().getType(), mbarriers = op.getMbarriers().getType();
  if (failed(verifyMBarriers(op, mbarriers)))
    return failure();
  RankedTensorType offsets = op.getOffsets().getType();
  if (type.getSlots() && !type.getLayout() && !type.getPitch() &&
      type.getShape() == offsets.getShape() &&
      mbarriers.getShape() == ArrayRef<int64_t>(type.getSlots()))
    return success();
  return op.emitOpError() << "expected slots row by row for a block of " << offsets
                          << ", and an mbarrier for each of them, got " << type << " and "
                          << mbarriers;
}

LogicalResult CopyAsyncOp::verify() {
  SharedType type = getShared().getType();
  RankedTensorType offsets = getOffsets().getType();
  if (getPointer().getType().getPointeeType() != type.getElementType())
    return failWithOrigins(emitOpError()
                               << "expected a pointer to the slot's " << type.getElementType()
                               << ", got " << getPointer().getType(),
                           {{"the pointer", getPointer()}, {"the memory", getShared()}});
  if (getMask() && !isSpreadAs(getMask().getType(), offsets))
    return failWithOrigins(emitOpError()
                               << "expected a mask with the shape and layout of the offsets, "
                               << offsets << ", got " << getMask().getType(),
                           {{"the block of offsets", getOffsets()}, {"the mask", getMask()}});
  if (getMbarriers())
    return verifyBulk(*this);
  if (getCount())
    return emitOpError("expected an 'mbarrier' with a copy of a count");
  if (type.getSlots() && type.getLayout() && layoutOf(offsets) &&
      type.holds(offsets.clone(type.getElementType())))
    return success();
  return emitOpError() << "expected slots under a layout for a block of " << offsets << ", got "
                       << type;
}
