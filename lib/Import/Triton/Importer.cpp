//===- Importer.cpp - One function of Triton's IR -----------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Importer.h"

using namespace mlir;
using namespace fsm;

InFlightDiagnostic fsm::refuse(Operation *op) {
  return op->emitError() << "'" << op->getName() << "' cannot be imported: ";
}

/// All ops that are not taken as they are.
static const RewriteTable &rewriteTable() {
  static const RewriteTable table = [] {
    RewriteTable all;
    addArithmeticRewrites(all);
    addCombinerRewrites(all);
    addDotRewrites(all);
    addInlinePTXRewrites(all);
    addLibdeviceRewrites(all);
    addMemoryRewrites(all);
    addShapeRewrites(all);
    addStructureRewrites(all);
    return all;
  }();
  return table;
}

LogicalResult Importer::importOps(Block &block) {
  for (Operation &op : block) {
    setLoc(op.getLoc());
    if (const RewriteTable::Function *rewrite = rewriteTable().find(&op)) {
      if (failed((*rewrite)(*this, &op)))
        return failure();
      importHints(&op);
      continue;
    }
    bool isLanguage =
        isa_and_present<arith::ArithDialect, math::MathDialect, ub::UBDialect>(op.getDialect());
    if (!isLanguage || llvm::any_of(op.getOperandTypes(), isPointerBlock) ||
        llvm::any_of(op.getResultTypes(), isPointerBlock))
      return refuse(&op) << "FSM has nothing like it";
    clone(&op);
    importHints(&op);
  }
  return success();
}

Value Importer::get(Value source) {
  if (isPointerBlock(source.getType()))
    return addressesOf(source);
  return values.lookup(source);
}

Operation *Importer::clone(Operation *op) {
  Operation *cloned = ImplicitLocOpBuilder::clone(*op, values);
  for (Value result : cloned->getResults())
    result.setType(typeOf(result.getType()));
  // What Triton says of ops by the way is not part of the language.
  for (NamedAttribute attribute : llvm::to_vector(cloned->getDiscardableAttrs()))
    cloned->removeDiscardableAttr(attribute.getName());
  return cloned;
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

Type Importer::typeOf(Type source) {
  if (auto pointer = dyn_cast<triton::PointerType>(source))
    return PointerType::get(typeOf(pointer.getPointeeType()));
  if (isPointerBlock(source))
    return cast<RankedTensorType>(source).clone(getI64Type());
  return source;
}

//===----------------------------------------------------------------------===//
// Small pieces
//===----------------------------------------------------------------------===//

Value Importer::integer(int64_t number, Type type) {
  TypedAttr value = getIntegerAttr(getElementTypeOrSelf(type), number);
  if (auto block = dyn_cast<RankedTensorType>(type))
    value = DenseElementsAttr::get(block, value);
  return arith::ConstantOp::create(*this, value);
}

Value Importer::extended(Value number, unsigned bits) {
  Type type = number.getType();
  if (getElementTypeOrSelf(type).getIntOrFloatBitWidth() >= bits)
    return number;
  Type wide = getIntegerType(bits);
  if (auto block = dyn_cast<RankedTensorType>(type))
    wide = block.clone(wide);
  return arith::ExtSIOp::create(*this, wide, number);
}

Value Importer::reshaped(Value block, ArrayRef<int64_t> shape) {
  return ReshapeOp::create(*this, cast<RankedTensorType>(block.getType()).clone(shape), block);
}

Value Importer::transposed(Value block, ArrayRef<int32_t> order) {
  auto type = cast<RankedTensorType>(block.getType());
  SmallVector<int64_t> shape =
      llvm::map_to_vector(order, [&](int32_t dim) { return type.getDimSize(dim); });
  return TransposeOp::create(*this, type.clone(shape), block, getDenseI32ArrayAttr(order));
}

Value Importer::converted(Value floats, Type element) {
  Type type = floats.getType();
  if (getElementTypeOrSelf(type) == element)
    return floats;
  auto block = dyn_cast<RankedTensorType>(type);
  return ConvertOp::create(*this, block ? Type(block.clone(element)) : element, floats,
                           Rounding::NearestEven, /*saturate=*/false);
}

SmallVector<Value> Importer::unpacked(Value block, int64_t pack) {
  if (pack == 1)
    return {block};
  auto type = cast<RankedTensorType>(block.getType());
  SmallVector<int64_t> shape(type.getShape());
  shape.back() /= 2;
  Type half = type.clone(shape);
  shape.push_back(2);
  auto pairs = SplitOp::create(*this, half, half, reshaped(block, shape));
  SmallVector<Value> even = unpacked(pairs.getLeft(), pack / 2),
                     odd = unpacked(pairs.getRight(), pack / 2), all;
  for (auto [left, right] : llvm::zip_equal(even, odd))
    all.append({left, right});
  return all;
}

Value Importer::packed(ArrayRef<Value> blocks) {
  if (blocks.size() == 1)
    return blocks.front();
  SmallVector<Value> even, odd;
  for (auto [index, block] : llvm::enumerate(blocks))
    (index % 2 == 0 ? even : odd).push_back(block);
  Value left = packed(even), right = packed(odd);
  auto type = cast<RankedTensorType>(left.getType());
  SmallVector<int64_t> shape(type.getShape());
  shape.push_back(2);
  Value pairs = JoinOp::create(*this, type.clone(shape), left, right);
  shape.pop_back();
  shape.back() *= 2;
  return reshaped(pairs, shape);
}

//===----------------------------------------------------------------------===//
// Blocks of pointers
//===----------------------------------------------------------------------===//

int64_t Importer::strideOf(RankedTensorType pointers) {
  return bytesOf(cast<PointerType>(typeOf(pointers.getElementType())).getPointeeType());
}

PointerBlock Importer::pointers(Value source) {
  if (auto found = blocks.find(source); found != blocks.end())
    return found->second;
  // Nothing is known of it: any address will do.
  auto type = cast<RankedTensorType>(source.getType());
  return {type, {}, {}, integer(0, typeOf(type))};
}

void Importer::setAddresses(Value source, Value addresses) {
  setPointers(source, {cast<RankedTensorType>(source.getType()), {}, {}, addresses});
}

Value Importer::wholeOffsets(PointerBlock block, unsigned bits) {
  RankedTensorType type = block.type.clone(getIntegerType(bits));
  Value offsets = block.offsets ? extended(block.offsets, bits) : Value();
  if (!block.moved)
    return offsets ? offsets : integer(0, type);
  Value moved = SplatOp::create(*this, type, extended(block.moved, bits));
  return offsets ? arith::AddIOp::create(*this, moved, offsets).getResult() : moved;
}

Value Importer::addressesOf(PointerBlock block) {
  if (!block.base)
    return block.offsets;
  RankedTensorType type = block.type.clone(getI64Type());
  Value base = PtrToIntOp::create(*this, getI64Type(), block.base);
  Value bytes = wholeOffsets(block, 64);
  if (int64_t stride = strideOf(block.type); stride != 1)
    bytes = arith::MulIOp::create(*this, bytes, integer(stride, type));
  return arith::AddIOp::create(*this, SplatOp::create(*this, type, base), bytes);
}

Value Importer::castPointer(Value pointer, Type pointee) {
  if (cast<PointerType>(pointer.getType()).getPointeeType() == pointee)
    return pointer;
  Value address = PtrToIntOp::create(*this, getI64Type(), pointer);
  return IntToPtrOp::create(*this, PointerType::get(pointee), address);
}

void Importer::assertMultiples(Value addresses, int64_t size, Value mask) {
  if (!options.assertAddresses || size == 1)
    return;
  Type type = addresses.getType();
  Value rest = arith::AndIOp::create(*this, addresses, integer(size - 1, type));
  Value holds = arith::CmpIOp::create(*this, arith::CmpIPredicate::eq, rest, integer(0, type));
  if (mask) {
    Value inside = get(mask);
    Value outside = arith::XOrIOp::create(*this, inside, integer(1, inside.getType()));
    holds = arith::OrIOp::create(*this, holds, outside);
  }
  AssertOp::create(*this, holds, getStringAttr("misaligned: elements of " + Twine(size) + " bytes are at multiples of these"));
}

AccessPlace Importer::placeOf(Value source, Value mask) {
  if (!isPointerBlock(source.getType()))
    return {get(source), {}};
  PointerBlock block = pointers(source);
  if (DenseI64ArrayAttr bytes = promised.lookup(source))
    block = aligned(block, bytes);
  Type pointee = cast<PointerType>(typeOf(block.type.getElementType())).getPointeeType();
  // Pointers in memory are read and written as the numbers that they are.
  if (isa<PointerType>(pointee))
    pointee = getI64Type();
  if (block.base) {
    Value pointer = castPointer(block.base, pointee);
    if (block.moved)
      pointer = OffsetOp::create(*this, pointer, block.moved);
    Value offsets = block.offsets ? block.offsets : integer(0, block.type.clone(getI32Type()));
    return {pointer, offsets};
  }
  // An element is at a multiple of its size, so nothing is lost.
  Value offsets = block.offsets;
  assertMultiples(offsets, strideOf(block.type), mask);
  if (unsigned shift = llvm::Log2_64(strideOf(block.type)))
    offsets = arith::ShRUIOp::create(*this, offsets, integer(shift, offsets.getType()));
  Value null = IntToPtrOp::create(*this, PointerType::get(pointee), integer(0, getI64Type()));
  return {null, offsets};
}

/// A scalar that is added to another, or to none.
static Value sumOf(Importer &importer, Value left, Value right) {
  if (!left)
    return right;
  return arith::AddIOp::create(importer, importer.extended(left, 64), importer.extended(right, 64));
}

PointerBlock Importer::moved(const PointerBlock &block, Value offset, PointerForm form) {
  PointerBlock result = block;
  OpFoldResult uniform = uniformOf(offset);
  if (!block.base) {
    Value bytes = extended(get(offset), 64);
    if (int64_t stride = strideOf(block.type); stride != 1)
      bytes = arith::MulIOp::create(*this, bytes, integer(stride, bytes.getType()));
    result.offsets = arith::AddIOp::create(*this, block.offsets, bytes);
  } else if (auto number = dyn_cast_if_present<Attribute>(uniform)) {
    int64_t value = cast<IntegerAttr>(number).getValue().getSExtValue();
    if (value != 0)
      result.moved = sumOf(*this, block.moved, integer(value, getI64Type()));
  } else if (auto scalar = dyn_cast_if_present<Value>(uniform)) {
    result.moved = sumOf(*this, block.moved, extended(get(scalar), 32));
  } else if (!block.offsets) {
    result.offsets = extended(get(offset), 32);
  } else {
    // Each is sign-extended before it is added; sums that cannot wrap need no more than 32 bits.
    unsigned bits = form.width == PointerForm::I64 ? 64 : 32;
    result.offsets =
        arith::AddIOp::create(*this, extended(block.offsets, bits), extended(get(offset), bits),
                              arith::IntegerOverflowFlags::nsw);
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Values that meet
//===----------------------------------------------------------------------===//

SmallVector<Type> Importer::joinedTypes(ValueRange joined) {
  SmallVector<Type> types;
  for (Value value : joined) {
    PointerForm form = forms.of(value);
    if (form.kind == PointerForm::Based) {
      types.push_back(getI64Type());
      if (form.width != PointerForm::None)
        types.push_back(cast<RankedTensorType>(value.getType())
                            .clone(getIntegerType(form.width == PointerForm::I64 ? 64 : 32)));
    } else {
      types.push_back(typeOf(value.getType()));
    }
  }
  return types;
}

SmallVector<Value> Importer::joinedValues(ValueRange from, ValueRange joined) {
  SmallVector<Value> handed;
  for (auto [source, target] : llvm::zip_equal(from, joined)) {
    PointerForm form = forms.of(target);
    if (form.kind != PointerForm::Based) {
      handed.push_back(get(source));
      continue;
    }
    PointerBlock block = pointers(source);
    bool isKnown = block.base != nullptr;
    handed.push_back(isKnown && block.moved ? extended(block.moved, 64) : integer(0, getI64Type()));
    if (form.width == PointerForm::None)
      continue;
    unsigned bits = form.width == PointerForm::I64 ? 64 : 32;
    handed.push_back(isKnown && block.offsets ? extended(block.offsets, bits)
                                              : integer(0, block.type.clone(getIntegerType(bits))));
  }
  return handed;
}

void Importer::setJoined(ValueRange joined, ValueRange imported) {
  for (Value value : joined) {
    PointerForm form = forms.of(value);
    Value first = imported.front();
    imported = imported.drop_front();
    if (form.kind == PointerForm::Based) {
      PointerBlock block{cast<RankedTensorType>(value.getType()), get(form.base), first, {}};
      if (form.width != PointerForm::None) {
        block.offsets = imported.front();
        imported = imported.drop_front();
      }
      setPointers(value, block);
    } else if (isPointerBlock(value.getType())) {
      setAddresses(value, first);
    } else {
      set(value, first);
    }
  }
}
