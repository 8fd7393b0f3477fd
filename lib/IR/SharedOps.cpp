//===- SharedOps.cpp - What threads exchange in shared memory ------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/IR/FSMDialect.h"

using namespace mlir;
using namespace fsm;

//===----------------------------------------------------------------------===//
// SharedType
//===----------------------------------------------------------------------===//

LogicalResult SharedType::verify(function_ref<InFlightDiagnostic()> emitError,
                                 ArrayRef<int64_t> shape, Type element, LayoutAttr layout) {
  if (!isBlockShape(shape) || (!isElementType(element) && !isa<PointerType>(element))) {
    std::string got;
    llvm::raw_string_ostream stream(got);
    for (int64_t extent : shape)
      stream << extent << "x";
    stream << element;
    return emitError() << "expected a block of 1 to 5 dimensions and at most " << kMaxBlockElements
                       << " elements of " << kElementTypeNames
                       << ", or pointers, in shared memory, got " << got;
  }
  if (!layout)
    return success();
  if (!layout.isOfShared())
    return emitError() << "expected a layout of shared memory, got " << layout;
  if (failed(layout.verifyExtents(shape, emitError)))
    return failure();
  if (!layout.toLinear(shape).isInjective())
    return emitError() << "expected a layout with one place for each element, got " << layout;
  return success();
}

uint64_t SharedType::getBytes() const {
  uint64_t elements = getLayout()
                          ? uint64_t(1) << getLayout().getOffsets().size() / getShape().size()
                          : static_cast<uint64_t>(llvm::product_of(getShape()));
  return elements * bytesOf(getElementType());
}

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

/// Whether a value may lie in memory of a type.
static bool fits(Type value, SharedType type) {
  if (elementTypeOf(value) != type.getElementType())
    return false;
  bool isLine = type.getShape().size() == 1 && !type.getLayout();
  auto block = dyn_cast<RankedTensorType>(value);
  if (isLine)
    return type.getShape().front() == (block ? block.getNumElements() : 1);
  return block && type.getShape() == block.getShape();
}

static LogicalResult verifyAccess(Operation *op, Type value, Value shared) {
  auto type = cast<SharedType>(shared.getType());
  if (!shared.getDefiningOp<SharedAllocOp>())
    return op->emitOpError("expected memory from an 'fsm.shared_alloc'");
  if (isa<RankedTensorType>(value) && !layoutOf(value))
    return op->emitOpError() << "expected a block with '#fsm.layout', got " << value;
  if (!fits(value, type))
    return op->emitOpError() << "expected a value that fits " << type << ", got " << value;
  return success();
}

LogicalResult SharedStoreOp::verify() {
  return verifyAccess(*this, getValue().getType(), getShared());
}

LogicalResult SharedLoadOp::verify() { return verifyAccess(*this, getType(), getShared()); }
