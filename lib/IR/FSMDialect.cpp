//===- FSMDialect.cpp - Registration, types and attributes ---------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/IR/FSMDialect.h"

#include "Interfaces/Rematerialization.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/Transforms/InliningUtils.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace fsm;

#include "fsm/IR/FSMDialect.cpp.inc"
#include "fsm/IR/FSMEnums.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "fsm/IR/FSMAttributes.cpp.inc"

// The generated definitions of types call these.
/// `4x16xf32`, the extents and the elements of `!fsm.shared`.
static ParseResult parseSharedBlock(AsmParser &parser, SmallVector<int64_t> &shape, Type &element) {
  return failure(parser.parseDimensionList(shape, /*allowDynamic=*/false) ||
                 parser.parseType(element));
}

static void printSharedBlock(AsmPrinter &printer, ArrayRef<int64_t> shape, Type element) {
  printer.printDimensionList(shape);
  printer << 'x' << element;
}

#define GET_TYPEDEF_CLASSES
#include "fsm/IR/FSMTypes.cpp.inc"

namespace {
/// Lets helpers made of fsm ops be inlined into kernels. A helper is legal
/// where its one block can be pasted; the kernel's own return never is.
struct FSMInlinerInterface : DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;

  bool isLegalToInline(Operation *call, Operation *callable, bool) const final {
    return callable->getNumRegions() == 1 && callable->getRegion(0).hasOneBlock();
  }
  bool isLegalToInline(Region *, Region *, bool, IRMapping &) const final { return true; }
  bool isLegalToInline(Operation *op, Region *, bool, IRMapping &) const final {
    return !isa<KernelOp, fsm::ReturnOp>(op);
  }
};

/// Layouts are long: they print as `#layout`, `#layout1`, ...
struct FSMAsmInterface : OpAsmDialectInterface {
  using OpAsmDialectInterface::OpAsmDialectInterface;

  AliasResult getAlias(Attribute attribute, raw_ostream &stream) const final {
    if (!isa<LayoutAttr>(attribute))
      return AliasResult::NoAlias;
    stream << "layout";
    return AliasResult::FinalAlias;
  }
};
} // namespace

void FSMDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "fsm/IR/FSMAttributes.cpp.inc"
      >();
  addTypes<
#define GET_TYPEDEF_LIST
#include "fsm/IR/FSMTypes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "fsm/IR/FSMOps.cpp.inc"
      >();
  addInterfaces<FSMInlinerInterface, FSMAsmInterface>();
  attachRematerialization(*getContext());
}

Operation *FSMDialect::materializeConstant(OpBuilder &builder, Attribute value, Type type,
                                           Location loc) {
  return arith::ConstantOp::materialize(builder, value, type, loc);
}

Location fsm::startOf(Operation *module) {
  auto loc = dyn_cast<FileLineColLoc>(module->getLoc());
  return loc && loc.getLine() == 0 ? FileLineColLoc::get(loc.getFilename(), 1, 1)
                                   : module->getLoc();
}

Type fsm::withElementType(Type type, Type element) {
  if (auto block = dyn_cast<RankedTensorType>(type))
    return block.clone(element);
  return element;
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

/// The elements so far, of which no more than kMaxBlockElements are multiplied with an extent
/// that is no larger: nothing overflows.
bool fsm::isBlockShape(ArrayRef<int64_t> shape) {
  int64_t elements = 1;
  for (int64_t extent : shape) {
    if (extent < 1 || extent > kMaxBlockElements)
      return false;
    elements *= extent;
    if (elements > kMaxBlockElements)
      return false;
  }
  return !shape.empty() && shape.size() <= kMaxBlockRank;
}

bool fsm::isElementType(Type type) {
  if (auto integer = dyn_cast<IntegerType>(type)) {
    unsigned width = integer.getWidth();
    return integer.isSignless() &&
           (width == 1 || width == 8 || width == 16 || width == 32 || width == 64);
  }
  return isa<Float16Type, BFloat16Type, Float32Type, Float64Type, Float8E4M3FNType, Float8E5M2Type>(
      type);
}

LogicalResult PointerType::verify(function_ref<InFlightDiagnostic()> emitError, Type pointee) {
  if (isElementType(pointee) || isa<PointerType>(pointee))
    return success();
  return emitError() << "expected a pointer to " << kElementTypeNames << ", or to a pointer, got "
                     << pointee;
}

//===----------------------------------------------------------------------===//
// Discardable attributes
//===----------------------------------------------------------------------===//

LogicalResult FSMDialect::verifyOperationAttribute(Operation *op, NamedAttribute attribute) {
  StringRef name = attribute.getName().getValue();
  if (name == kNumStagesAttr) {
    if (!isa<scf::ForOp>(op))
      return op->emitError() << "'" << name << "' belongs on 'scf.for', not on '" << op->getName()
                             << "'";
    return verifyPositiveNumber(op, attribute);
  }
  if (const PlanAttribute *plan = findPlanAttribute(name))
    return verifyPlanAttribute(*plan, op, attribute.getValue());
  return op->emitError() << "unknown attribute '" << name << "'; loops take '" << kNumStagesAttr
                         << "'";
}

bool fsm::isElementwise(Operation *op) {
  // What a hint promises belongs to the block's shape, so that it is not mappable to another one.
  return isa<HintOp>(op) || OpTrait::hasElementwiseMappableTraits(op);
}

FailureOr<int64_t> fsm::hostLanesOrError(Operation *op, unsigned vectorBytes) {
  if (llvm::is_contained({8u, 16u, 32u, 64u}, vectorBytes))
    return vectorBytes / 4;
  return op->emitError() << "expected 'vector-bytes' to be 8, 16, 32 or 64, got " << vectorBytes;
}

LogicalResult FSMDialect::verifyRegionResultAttribute(Operation *op, unsigned, unsigned,
                                                      NamedAttribute attribute) {
  return op->emitError() << "'" << attribute.getName().getValue()
                         << "' belongs on the argument of a kernel, not on a result";
}
