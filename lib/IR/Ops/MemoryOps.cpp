//===- MemoryOps.cpp - Addresses, loads and stores -----------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Elements/DescriptorText.h"
#include "../Elements/PlacesText.h"
#include "fsm/IR/FSMDialect.h"

#include "fsm/IR/Origins.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace fsm;

using EffectList = SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>;
using OptionalOperand = std::optional<OpAsmParser::UnresolvedOperand>;

//===----------------------------------------------------------------------===//
// The type lists of load and store
//===----------------------------------------------------------------------===//

static Type defaultMaskType(MLIRContext *context, Type offsets) {
  Type i1 = IntegerType::get(context, 1);
  return offsets ? withElementType(offsets, i1) : i1;
}

static Type pointeeOr(Type pointer, Type otherwise) {
  auto type = dyn_cast<PointerType>(pointer);
  return type ? type.getPointeeType() : otherwise;
}

/// Parses the rest of a type list: `, offsets` when there are any, then the
/// optional `, mask T` and `, other T`.
static ParseResult parseAccessTypes(OpAsmParser &parser, Type pointer, bool hasOffsets,
                                    Type &offsets, bool hasMask, Type &mask, bool hasOther,
                                    Type &other) {
  if (hasOffsets && parser.parseComma())
    return failure();
  llvm::SMLoc offsetsLoc = parser.getCurrentLocation();
  if (hasOffsets && parser.parseType(offsets))
    return failure();
  if (hasOffsets && !isa<RankedTensorType>(offsets))
    return parser.emitError(offsetsLoc) << "expected a block of offsets, got " << offsets
                                        << "; move a pointer by a scalar with 'fsm.offset'";
  if (hasMask)
    mask = defaultMaskType(parser.getContext(), offsets);
  if (hasOther)
    other = pointeeOr(pointer, pointer);
  while (succeeded(parser.parseOptionalComma())) {
    llvm::SMLoc loc = parser.getCurrentLocation();
    StringRef keyword;
    if (parser.parseKeyword(&keyword))
      return failure();
    if (keyword != "mask" && keyword != "other")
      return parser.emitError(loc)
             << "expected 'mask' or 'other' and its type, got '" << keyword << "'";
    if (keyword == "mask" ? !hasMask : !hasOther)
      return parser.emitError(loc) << "this access has no '" << keyword << "' to give a type";
    if (parser.parseType(keyword == "mask" ? mask : other))
      return failure();
  }
  return success();
}

static void printAccessTypes(OpAsmPrinter &printer, Operation *op, Type pointer, Type offsets,
                             Type mask, Type other) {
  if (offsets)
    printer << ", " << offsets;
  if (mask && mask != defaultMaskType(op->getContext(), offsets))
    printer << ", mask " << mask;
  if (other && other != pointeeOr(pointer, pointer))
    printer << ", other " << other;
}

static ParseResult parseLoadTypes(OpAsmParser &parser, Type &pointer,
                                  OptionalOperand offsetsOperand, Type &offsets,
                                  OptionalOperand maskOperand, Type &mask,
                                  OptionalOperand otherOperand, Type &other, Type &result) {
  if (parser.parseType(pointer) ||
      parseAccessTypes(parser, pointer, offsetsOperand.has_value(), offsets,
                       maskOperand.has_value(), mask, otherOperand.has_value(), other) ||
      parser.parseArrow() || parser.parseType(result))
    return failure();
  return success();
}

static void printLoadTypes(OpAsmPrinter &printer, Operation *op, Type pointer, Value, Type offsets,
                           Value, Type mask, Value, Type other, Type result) {
  printer << pointer;
  printAccessTypes(printer, op, pointer, offsets, mask, other);
  printer << " -> " << result;
}

static ParseResult parseStoreTypes(OpAsmParser &parser, Type &value, Type &pointer,
                                   OptionalOperand offsetsOperand, Type &offsets,
                                   OptionalOperand maskOperand, Type &mask) {
  Type none;
  return failure(parser.parseType(value) || parser.parseComma() || parser.parseType(pointer) ||
                 parseAccessTypes(parser, pointer, offsetsOperand.has_value(), offsets,
                                  maskOperand.has_value(), mask, false, none));
}

static void printStoreTypes(OpAsmPrinter &printer, Operation *op, Type value, Type pointer, Value,
                            Type offsets, Value, Type mask) {
  printer << value << ", " << pointer;
  printAccessTypes(printer, op, pointer, offsets, mask, Type());
}

//===----------------------------------------------------------------------===//
// What load and store have in common
//===----------------------------------------------------------------------===//

/// Checks the value (a store's is `stored`) against pointer and offsets, and the mask against both.
template <typename AccessOp>
static LogicalResult verifyAccess(AccessOp op, Type value, Value stored, StringRef what) {
  Type pointee = op.getPointer().getType().getPointeeType();
  Value offsets = op.getOffsets();
  Type expected = offsets ? withElementType(offsets.getType(), pointee) : pointee;
  if (offsets && isa<PointerType>(pointee))
    return op.emitOpError("accesses a block of pointers; pointers are loaded and stored one at a "
                          "time, without offsets");
  if (value != expected)
    return failWithOrigins(op.emitOpError()
                               << "expected " << what << " of type " << expected << " for "
                               << op.getPointer().getType()
                               << (offsets ? " and the given offsets" : " without offsets")
                               << ", got " << value,
                           {{"the value", stored},
                            {"the pointer", op.getPointer()},
                            {"the block of offsets", offsets}});
  if (!op.getMask())
    return success();
  Type mask = op.getMask().getType();
  if (!mask.isInteger(1) && shapeOf(mask) != shapeOf(expected))
    return failWithOrigins(op.emitOpError()
                               << "expected the mask to be i1 or to have the shape of the access, "
                               << expected << ", got " << mask,
                           {{"the mask", op.getMask()}, {"the block of offsets", offsets}});
  return success();
}

template <typename AccessOp>
static LogicalResult verifyCache(AccessOp op, ArrayRef<CacheHint> allowed) {
  if (!op.getCache() || llvm::is_contained(allowed, *op.getCache()))
    return success();
  std::string names;
  for (CacheHint hint : allowed)
    names += (names.empty() ? "'" : ", '") + stringifyCacheHint(hint).str() + "'";
  return op.emitOpError() << "expected one of the cache hints " << names << ", got '"
                          << stringifyCacheHint(*op.getCache()) << "'";
}

/// Whether the mask is a constant: all true, all false, or neither.
static std::optional<bool> constantMask(Value mask) {
  if (mask && matchPattern(mask, m_One()))
    return true;
  if (mask && matchPattern(mask, m_Zero()))
    return false;
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// OffsetOp
//===----------------------------------------------------------------------===//

OpFoldResult OffsetOp::fold(FoldAdaptor) {
  if (matchPattern(getOffset(), m_Zero()))
    return getPointer();
  return {};
}

OpFoldResult PtrToIntOp::fold(FoldAdaptor) {
  if (auto made = getPointer().getDefiningOp<IntToPtrOp>())
    return made.getAddress();
  return {};
}

OpFoldResult IntToPtrOp::fold(FoldAdaptor) {
  auto taken = getAddress().getDefiningOp<PtrToIntOp>();
  if (taken && taken.getPointer().getType() == getType())
    return taken.getPointer();
  return {};
}

//===----------------------------------------------------------------------===//
// LoadOp
//===----------------------------------------------------------------------===//

LogicalResult LoadOp::verify() {
  if (failed(verifyAccess(*this, getType(), {}, "a result")) ||
      failed(verifyCache(*this, {CacheHint::CA, CacheHint::CG, CacheHint::CS, CacheHint::CV})))
    return failure();
  if (!getOther())
    return success();
  if (!getMask())
    return emitOpError("expected a mask with 'other': without one every element is read");
  Type other = getOther().getType(), element = elementTypeOf(getType());
  if (other == getType() || other == element)
    return success();
  InFlightDiagnostic error = emitOpError() << "expected 'other' of type " << element;
  if (element != getType())
    error << " or " << getType();
  error << ", got " << other;
  return failWithOrigins(std::move(error), {{"'other'", getOther()}});
}

void LoadOp::getEffects(EffectList &effects) {
  effects.emplace_back(MemoryEffects::Read::get(), &getPointerMutable());
  if (getIsVolatile())
    effects.emplace_back(MemoryEffects::Write::get());
}

/// A load whose mask is known needs no mask, or no load.
static LogicalResult foldLoadMask(LoadOp op, PatternRewriter &rewriter) {
  std::optional<bool> mask = constantMask(op.getMask());
  if (!mask || (!*mask && isa<PointerType>(op.getType())))
    return rewriter.notifyMatchFailure(op, "the mask is no constant");
  if (*mask) {
    rewriter.modifyOpInPlace(op, [&] {
      op.getMaskMutable().clear();
      op.getOtherMutable().clear();
    });
    return success();
  }
  Value other = op.getOther();
  if (!other)
    rewriter.replaceOpWithNewOp<arith::ConstantOp>(op, rewriter.getZeroAttr(op.getType()));
  else if (other.getType() == op.getType())
    rewriter.replaceOp(op, other);
  else
    rewriter.replaceOpWithNewOp<SplatOp>(op, op.getType(), other);
  return success();
}

/// A splat given as `other` is given as the scalar it repeats.
static LogicalResult scalarOther(LoadOp op, PatternRewriter &rewriter) {
  Value other = op.getOther();
  if (!other || !isa<RankedTensorType>(other.getType()))
    return rewriter.notifyMatchFailure(op, "'other' is no block");
  Value scalar;
  SplatElementsAttr constant;
  if (auto splat = other.getDefiningOp<SplatOp>())
    scalar = splat.getScalar();
  else if (matchPattern(other, m_Constant(&constant)))
    scalar = arith::ConstantOp::create(rewriter, op.getLoc(),
                                       cast<TypedAttr>(constant.getSplatValue<Attribute>()));
  if (!scalar)
    return rewriter.notifyMatchFailure(op, "'other' is no splat");
  rewriter.modifyOpInPlace(op, [&] { op.getOtherMutable().assign(scalar); });
  return success();
}

void LoadOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *) {
  patterns.add(foldLoadMask);
  patterns.add(scalarOther);
}

//===----------------------------------------------------------------------===//
// StoreOp
//===----------------------------------------------------------------------===//

LogicalResult StoreOp::verify() {
  if (failed(verifyAccess(*this, getValue().getType(), getValue(), "a value")))
    return failure();
  return verifyCache(*this, {CacheHint::WB, CacheHint::CG, CacheHint::CS, CacheHint::WT});
}

void StoreOp::getEffects(EffectList &effects) {
  effects.emplace_back(MemoryEffects::Write::get(), &getPointerMutable());
  if (getIsVolatile())
    effects.emplace_back(MemoryEffects::Read::get());
}

void StoreOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *) {
  patterns.add(+[](StoreOp op, PatternRewriter &rewriter) {
    std::optional<bool> mask = constantMask(op.getMask());
    if (!mask)
      return rewriter.notifyMatchFailure(op, "the mask is no constant");
    if (*mask)
      rewriter.modifyOpInPlace(op, [&] { op.getMaskMutable().clear(); });
    else
      rewriter.eraseOp(op);
    return success();
  });
}

//===----------------------------------------------------------------------===//
// BarrierOp
//===----------------------------------------------------------------------===//

/// Keeps every access on its side.
void BarrierOp::getEffects(EffectList &effects) {
  effects.emplace_back(MemoryEffects::Read::get());
  effects.emplace_back(MemoryEffects::Write::get());
}

// The generated definitions stand here because they call the type lists above.
#define GET_OP_CLASSES
#include "fsm/IR/FSMOps.cpp.inc"
