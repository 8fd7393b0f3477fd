//===- Language.cpp - What a kernel body may hold ------------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/IR/FSMDialect.h"
#include "fsm/IR/Origins.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace fsm;

/// The element-wise and control-flow ops of other dialects the language names.
static const llvm::StringSet<> &foreignOps() {
  static const llvm::StringSet<> ops = {
      "arith.addf",       "arith.addi",    "arith.andi",     "arith.bitcast",  "arith.ceildivsi",
      "arith.ceildivui",  "arith.cmpf",    "arith.cmpi",     "arith.constant", "arith.divf",
      "arith.divsi",      "arith.divui",   "arith.extf",     "arith.extsi",    "arith.extui",
      "arith.floordivsi", "arith.fptosi",  "arith.fptoui",   "arith.maximumf", "arith.maxnumf",
      "arith.maxsi",      "arith.maxui",   "arith.minimumf", "arith.minnumf",  "arith.minsi",
      "arith.minui",      "arith.mulf",    "arith.muli",     "arith.negf",     "arith.ori",
      "arith.remf",       "arith.remsi",   "arith.remui",    "arith.select",   "arith.shli",
      "arith.shrsi",      "arith.shrui",   "arith.sitofp",   "arith.subf",     "arith.subi",
      "arith.truncf",     "arith.trunci",  "arith.uitofp",   "arith.xori",     "func.call",
      "math.absf",        "math.absi",     "math.acos",      "math.acosh",     "math.asin",
      "math.asinh",       "math.atan",     "math.atan2",     "math.atanh",     "math.cbrt",
      "math.ceil",        "math.copysign", "math.cos",       "math.cosh",      "math.ctlz",
      "math.ctpop",       "math.cttz",     "math.erf",       "math.erfc",      "math.exp",
      "math.exp2",        "math.expm1",    "math.floor",     "math.fma",       "math.log",
      "math.log10",       "math.log1p",    "math.log2",      "math.powf",      "math.round",
      "math.roundeven",   "math.rsqrt",    "math.sin",       "math.sinh",      "math.sqrt",
      "math.tan",         "math.tanh",     "math.trunc",     "scf.condition",  "scf.for",
      "scf.if",           "scf.while",     "scf.yield",      "ub.poison",
  };
  return ops;
}

/// Says what is wrong with a type of a kernel's value, or nothing.
static std::optional<std::string> typeFault(Type type) {
  if (isElementType(type) || isa<PointerType>(type))
    return std::nullopt;
  if (isa<DescriptorType>(type))
    return "a descriptor is used where 'fsm.descriptor' makes it, or handed to a helper or by one";
  if (type.isIndex())
    return "'index' is not a type of the block language; use i32 or i64";
  auto block = dyn_cast<RankedTensorType>(type);
  if (!block)
    return ("expected " + kElementTypeNames + ", a pointer, or a block (ranked tensor)").str();
  if (!hasLayoutOrNone(block))
    return "expected a block without an encoding, or with '#fsm.layout'";
  if (block.getRank() < 1 || block.getRank() > kMaxBlockRank)
    return "expected a block of rank 1 to " + std::to_string(kMaxBlockRank) +
           "; a single element is a plain scalar";
  if (!block.hasStaticShape())
    return "expected a block of static shape";
  if (!isElementType(block.getElementType()))
    return ("expected a block of " + kElementTypeNames).str();
  int64_t elements = 1;
  for (int64_t extent : block.getShape()) {
    if (extent < 1)
      return "expected positive extents";
    if (extent > kMaxBlockElements || elements * extent > kMaxBlockElements)
      return "expected at most " + std::to_string(kMaxBlockElements) +
             " elements in a block; loop over smaller blocks";
    elements *= extent;
  }
  return std::nullopt;
}

static LogicalResult verifyTypes(Operation *op, TypeRange types, StringRef what) {
  // Nothing else makes shared memory, chooses one or hands it on.
  if (isa<SharedAllocOp, TensorMapOp, OwnTensorMapOp>(op))
    return success();
  for (auto [index, type] : llvm::enumerate(types)) {
    if (isa<DescriptorType>(type) && isa<DescriptorOp, func::CallOp>(op))
      continue;
    if (std::optional<std::string> fault = typeFault(type))
      return op->emitError() << what << " " << index << " of '" << op->getName() << "' has type "
                             << type << ": " << *fault;
  }
  return success();
}

/// f8 is storage: it is loaded, stored, moved and selected, never computed on.
static LogicalResult verifyStorageOnly(Operation *op) {
  if (isa<arith::SelectOp, arith::BitcastOp>(op))
    return success();
  auto isF8 = [](Type type) {
    return isa<Float8E4M3FNType, Float8E5M2Type>(getElementTypeOrSelf(type));
  };
  auto operand =
      llvm::find_if(op->getOperands(), [&](Value value) { return isF8(value.getType()); });
  Value found = operand == op->operand_end() ? Value() : *operand;
  if (found || llvm::any_of(op->getResultTypes(), isF8))
    return failWithOrigins(op->emitError() << "'" << op->getName()
                                           << "' does not compute on f8; f8 is a storage format",
                           {{"the operand", found}});
  return success();
}

/// A constant lists its elements: nothing else can be read without a context.
static LogicalResult verifyConstant(arith::ConstantOp op) {
  if (isa<IntegerAttr, FloatAttr, DenseIntOrFPElementsAttr>(op.getValue()))
    return success();
  return op.emitError("expected a constant written as a number or with 'dense<...>'");
}

/// `arith.truncf` rounds to nearest even, which is also what no mode means.
static LogicalResult verifyRounding(arith::TruncFOp op) {
  std::optional<arith::RoundingMode> mode = op.getRoundingmode();
  if (!mode || *mode == arith::RoundingMode::to_nearest_even)
    return success();
  return op.emitError() << "'arith.truncf' rounds 'to_nearest_even' in a kernel, got '"
                        << arith::stringifyRoundingMode(*mode) << "'";
}

LogicalResult fsm::verifyLanguage(Operation *op) {
  Dialect *dialect = op->getDialect();
  bool own = isa_and_present<FSMDialect>(dialect);
  if (!own && !foreignOps().contains(op->getName().getStringRef()))
    return op->emitError() << "'" << op->getName() << "' is not part of the block language";
  if (failed(verifyTypes(op, op->getResultTypes(), "result")))
    return failure();
  for (Region &region : op->getRegions())
    for (Block &block : region)
      if (failed(verifyTypes(op, block.getArgumentTypes(), "region argument")))
        return failure();
  if (auto truncation = dyn_cast<arith::TruncFOp>(op);
      truncation && failed(verifyRounding(truncation)))
    return failure();
  if (auto constant = dyn_cast<arith::ConstantOp>(op))
    return verifyConstant(constant);
  if (isa_and_present<arith::ArithDialect, math::MathDialect>(dialect))
    return verifyStorageOnly(op);
  return success();
}
