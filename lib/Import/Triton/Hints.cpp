//===- Hints.cpp - What is promised of numbers and pointers -------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `tl.multiple_of` and its like are attributes of the op that gives a value, or, of what a loop
// carries, of the loop. Of integers they become a hint. Of pointers they speak of the address in
// bytes, which is a base plus offsets here: where such a block is accessed, each of these is taken
// for such a multiple. Not where the base is an argument: that has promises of its own, and offsets
// from it stay sums that passes can take apart.
//
//===----------------------------------------------------------------------===//

#include "Importer.h"

using namespace mlir;
using namespace fsm;

namespace {
/// By dimension; null where nothing is said.
struct Hints {
  DenseI64ArrayAttr multipleOf, contiguous, constant;

  bool areNone() const { return !multipleOf && !contiguous && !constant; }
};
} // namespace

/// What an op says, by attributes whose names end so, of a value of so many dimensions.
static Hints hintsOf(Importer &importer, Operation *op, const Twine &suffix, Type type) {
  auto dims = std::max<int64_t>(1, static_cast<int64_t>(shapeOf(type).size()));
  auto numbers = [&](StringRef name) {
    auto elements = op->getAttrOfType<DenseIntElementsAttr>((name + suffix).str());
    if (!elements || elements.getNumElements() != dims)
      return DenseI64ArrayAttr();
    return importer.getDenseI64ArrayAttr(
        llvm::map_to_vector(elements, [](const APInt &number) { return number.getSExtValue(); }));
  };
  return {numbers("tt.divisibility"), numbers("tt.contiguity"), numbers("tt.constancy")};
}

static Value hinted(Importer &importer, Value integers, const Hints &hints) {
  return HintOp::create(importer, integers.getType(), integers, hints.multipleOf, hints.contiguous,
                        hints.constant);
}

/// Of a scalar: what the first element of all groups is a multiple of, it is.
static Value multipleOf(Importer &importer, Value scalar, int64_t number) {
  return hinted(importer, scalar, {importer.getDenseI64ArrayAttr(number), {}, {}});
}

static Value alignedPointer(Importer &importer, Value pointer, int64_t bytes) {
  Value address = PtrToIntOp::create(importer, importer.getI64Type(), pointer);
  return IntToPtrOp::create(importer, pointer.getType(), multipleOf(importer, address, bytes));
}

/// Not of what a loop carries.
static bool isOfArgument(Value pointer) {
  while (auto offset = pointer.getDefiningOp<OffsetOp>())
    pointer = offset.getPointer();
  auto argument = dyn_cast<BlockArgument>(pointer);
  return argument && isa_and_nonnull<FunctionOpInterface>(argument.getOwner()->getParentOp());
}

/// Where an access goes that is promised to begin at such multiples of bytes.
PointerBlock Importer::aligned(PointerBlock block, DenseI64ArrayAttr bytes) {
  int64_t most = *llvm::max_element(bytes.asArrayRef());
  if (!block.base) {
    block.offsets = hinted(*this, block.offsets, {bytes, {}, {}});
    return block;
  }
  if (isOfArgument(block.base))
    return block;
  int64_t size = strideOf(block.type);
  auto elements = [&](int64_t number) { return std::max<int64_t>(1, number / size); };
  block.base = alignedPointer(*this, block.base, most);
  if (block.moved)
    block.moved = multipleOf(*this, block.moved, elements(most));
  if (block.offsets)
    block.offsets = hinted(
        *this, block.offsets,
        {getDenseI64ArrayAttr(llvm::map_to_vector(bytes.asArrayRef(), elements)), {}, {}});
  return block;
}

void Importer::importHints(Operation *op, Value source, const Twine &suffix) {
  Hints hints = hintsOf(*this, op, suffix, source.getType());
  auto isPositive = [](DenseI64ArrayAttr numbers) {
    return !numbers || llvm::all_of(numbers.asArrayRef(), [](int64_t n) { return n > 0; });
  };
  if (hints.areNone() || !isPositive(hints.multipleOf) || !isPositive(hints.contiguous) ||
      !isPositive(hints.constant))
    return;
  if (isPointerBlock(source.getType())) {
    if (hints.multipleOf)
      promised[source] = hints.multipleOf;
  } else if (isa<triton::PointerType>(source.getType())) {
    if (hints.multipleOf && !isOfArgument(get(source)))
      set(source, alignedPointer(*this, get(source), hints.multipleOf[0]));
  } else if (getElementTypeOrSelf(source.getType()).isInteger()) {
    set(source, hinted(*this, get(source), hints));
  }
}

void Importer::importHints(Operation *op) {
  if (op->getNumResults() == 1)
    importHints(op, op->getResult(0), "");
}
