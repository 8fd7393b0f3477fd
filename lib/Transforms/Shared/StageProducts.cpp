//===- StageProducts.cpp - Factors in shared memory or registers ---------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StageProducts.h"

#include "fsm/Analysis/Hazards.h"
#include "fsm/Analysis/MmaPlan.h"
#include "fsm/Analysis/ScratchSize.h"
#include "fsm/Layout/NamedLayouts.h"
#include "fsm/Layout/TensorTiles.h"

#include "mlir/IR/Builders.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace fsm;

/// From row to row an odd multiple of 16 bytes, so that rows do not begin in the same banks and
/// vectors are aligned. What is less than one, as in an outer product of long vectors, is read by
/// no more than the power of two that it fits.
static SharedType pitchedType(ArrayRef<int64_t> shape, Type element) {
  auto elementBytes = static_cast<int64_t>(bytesOf(element)), bytes = shape.back() * elementBytes;
  int64_t pitch = bytes < kVectorBytes ? static_cast<int64_t>(llvm::PowerOf2Ceil(bytes))
                                       : (llvm::divideCeil(bytes, kVectorBytes) | 1) * kVectorBytes;
  return SharedType::get(element.getContext(), shape, element, pitch / elementBytes, /*slots=*/0,
                         LayoutAttr());
}

/// Makes f16 of factors of f8, all of whose numbers it has, for an instruction that takes these.
static void widenFactors(DotOp op) {
  const MmaInstruction *mma = plannedMma(op);
  if (!mma || mma->left != MmaType::F16)
    return;
  OpBuilder builder(op);
  for (OpOperand *factor : {&op.getLeftMutable(), &op.getRightMutable()}) {
    auto type = cast<RankedTensorType>(factor->get().getType());
    if (isa<Float8E4M3FNType, Float8E5M2Type>(type.getElementType()))
      factor->set(ConvertOp::create(builder, op.getLoc(), type.clone(builder.getF16Type()),
                                    factor->get(), Rounding::NearestEven, /*saturate=*/false));
  }
}

/// Whether threads hold neighbours along the first dimension of a matrix side by side.
static bool runsDown(RankedTensorType type) {
  LinearLayout layout = linearLayoutOf(type);
  std::vector<uint64_t> registers = layout.basesOf(Dim::Register);
  return !registers.empty() && registers.front() == layout.to().place(blockDim(0), 1);
}

/// A matrix as its threads hold it, with rows for columns; what is one of another it is again.
static Value transposed(OpBuilder &builder, Location loc, Value matrix) {
  auto source = cast<RankedTensorType>(matrix.getType());
  // One that leaves rows and columns where they are is there where nobody has folded it.
  if (auto other = matrix.getDefiningOp<TransposeOp>(); other && other.getOrder().front() == 1)
    return other.getSource();
  auto type =
      RankedTensorType::get({source.getDimSize(1), source.getDimSize(0)}, source.getElementType());
  auto op = TransposeOp::create(builder, loc, type, matrix, ArrayRef<int32_t>{1, 0});
  op.getResult().setType(withLayout(type, *op.resultLayout(linearLayoutOf(source))));
  return op;
}

/// Of a product by tensor cores, whether a factor lies the other way around: ldmatrix reads
/// elements of 16 bits either way, by eights, and others along the inner dimension. So elements of
/// 16 bits lie as threads hold them.
static bool liesTransposed(DotOp op, bool isRight) {
  RankedTensorType factor = isRight ? op.getRight().getType() : op.getLeft().getType();
  uint64_t bytes = bytesOf(factor.getElementType());
  if (!op->hasAttr(kMmaAttr) || bytes == 8)
    return false;
  if (bytes != 2)
    return isRight;
  bool areWhole = op.getType().getDimSize(isRight) % 8 == 0;
  return runsDown(factor) ? isRight || areWhole : isRight && !areWhole;
}

namespace {
/// How a product reads the memory of its factors.
enum class FactorForm { Rows, Tile };

/// The memory of a factor, of which `inner` is the dimension that both have. Transposed, it lies
/// column by column.
struct StagedFactor {
  StagedFactor(Value value, size_t inner, bool isTransposed, FactorForm form)
      : value(value), inner(inner), isTransposed(isTransposed), form(form) {}

  /// Room for so much of that dimension.
  void reserve(int64_t extent) {
    auto type = cast<RankedTensorType>(value.getType());
    SmallVector<int64_t> shape(type.getShape());
    shape[inner] = extent;
    if (isTransposed)
      std::swap(shape[0], shape[1]);
    Type element = type.getElementType();
    memory = form == FactorForm::Tile ? wgmmaTile(shape, element) : pitchedType(shape, element);
  }

  /// Whether so much is to lie in a tile, whose rows have no gaps, where those may be the room of a
  /// CTA more. ldmatrix reads elements of 16 bits there, in steps that are written out.
  bool needsNoGaps(const MmaInstruction &mma, int64_t extent) const {
    constexpr int64_t mostSteps = 8;
    constexpr uint64_t largeBytes = 16 * 1024;
    return memory.getElementType().getIntOrFloatBitWidth() == 16 &&
           memory.getBytes() >= largeBytes &&
           llvm::all_of(memory.getShape(), llvm::isPowerOf2_64) &&
           widestSwizzle(static_cast<uint64_t>(memory.getShape().back()) * 2) != 0 &&
           extent / mma.k <= mostSteps;
  }

  void allocate(OpBuilder &builder, Location loc) {
    shared = SharedAllocOp::create(builder, loc, memory);
    if (!isTransposed)
      return;
    value = transposed(builder, loc, value);
    inner = 1 - inner;
  }

  /// Zeros in all of the memory.
  void clear(OpBuilder &builder, Location loc, ThreadCounts threads) const {
    Type element = memory.getElementType();
    ArrayRef<int64_t> shape = memory.getShape();
    auto vector = static_cast<unsigned>(kVectorBytes / bytesOf(element));
    LinearLayout layout = rowMajorLayout({shape.begin(), shape.end()}, vector, threads);
    auto type =
        RankedTensorType::get(shape, element, LayoutAttr::get(builder.getContext(), layout));
    auto zeros = DenseElementsAttr::get(type, builder.getZeroAttr(element));
    SharedStoreOp::create(builder, loc, arith::ConstantOp::create(builder, loc, zeros),
                          DenseI64ArrayAttr(), shared);
  }

  /// All of it, or what there is room for from `first` on.
  void store(OpBuilder &builder, Location loc, int64_t first, bool isPart) const {
    SmallVector<int64_t> at(memory.getShape().size(), 0);
    at[inner] = first;
    SharedStoreOp::create(builder, loc, value,
                          isPart ? builder.getDenseI64ArrayAttr(at) : DenseI64ArrayAttr(), shared);
  }

  Value value;
  size_t inner;
  bool isTransposed;
  FactorForm form;
  SharedType memory;
  Value shared;
  /// It was stored in front of a loop around the product.
  bool isBeforeLoop = false;
};

/// The memory of both factors, for a slab: all of the dimension that they share, or a power of two.
struct Slab {
  Slab(DotOp op, FactorForm form)
      : left(op.getLeft(), op.getType().getRank() - 1, liesTransposed(op, false), form),
        right(op.getRight(), op.getType().getRank() - 2, liesTransposed(op, true), form) {}

  void reserve(int64_t count) {
    extent = count;
    left.reserve(count);
    right.reserve(count);
  }
  uint64_t bytes() const {
    return llvm::alignTo(left.memory.getBytes(), kVectorBytes) + right.memory.getBytes();
  }

  int64_t extent = 0;
  StagedFactor left, right;
};
} // namespace

/// In front of what a factor is stored: of the outermost loop whose iterations all find the same there,
/// or of the product.
static Operation *storedInFrontOf(DotOp op, Value factor) {
  Operation *place = op;
  for (auto loop = op->getParentOfType<LoopLikeOpInterface>();
       loop && loop.isDefinedOutsideOfLoop(factor);
       loop = loop->getParentOfType<LoopLikeOpInterface>())
    place = loop;
  return place;
}

/// Whether it is a load, perhaps transposed.
static bool isLoaded(Value block) {
  while (Operation *op = block.getDefiningOp()) {
    if (!isa<TransposeOp, ConvertLayoutOp>(op))
      return isa<LoadOp>(op);
    block = op->getOperand(0);
  }
  return false;
}

/// What it costs to store a block as a tile, behind which all threads meet.
static unsigned costOfTile(RankedTensorType type) {
  SharedType tile = wgmmaTile(type.getShape(), type.getElementType());
  return costOfStores(linearLayoutOf(type).overOneCta(), tile.getLayout().toLinear(type.getShape()),
                      bytesOf(type.getElementType()))
      .total();
}

/// The left factor as the threads of a product hold it, where they come by it more cheaply than by
/// a tile in memory, or null: what a warp has computed of other sums need not go through memory, or
/// through the warp's own, in wide accesses and without a barrier of all. For an instruction of one
/// warp they have to hold it so.
static Value heldLeft(DotOp op, const MmaInstruction &mma) {
  auto type = cast<RankedTensorType>(op.getLeft().getType());
  // What all iterations of a loop find would take registers in all of them.
  if (storedInFrontOf(op, op.getLeft()) != op)
    return {};
  ThreadCounts threads{kWarpThreads, warpsOf(op->getParentOfType<KernelOp>())};
  std::optional<LinearLayout> wanted = heldLeftLayout(mma, op.getType(), type, threads);
  if (!wanted)
    return {};
  ConversionPlan plan = planBetween(linearLayoutOf(type), *wanted, type.getElementType());
  if (plan.kind == ConversionKind::Nothing)
    return op.getLeft();
  // What is loaded copies may bring to a tile, at no cost.
  bool mayBeCopied = plan.kind == ConversionKind::SharedMemory && isLoaded(op.getLeft());
  if (!mma.isOfWarpGroup() || mayBeCopied || plan.cost().total() >= costOfTile(type))
    return {};
  OpBuilder builder(op);
  return ConvertLayoutOp::create(builder, op.getLoc(), withLayout(type, *wanted), op.getLeft());
}

void fsm::stageProduct(DotOp op, bool isOneOfMany) {
  widenFactors(op);
  int64_t inner = op.getLeft().getType().getShape().back();
  // What tensor cores multiply behind the last products is zero.
  const MmaInstruction *mma = plannedMma(op);
  auto padded = static_cast<int64_t>(llvm::alignTo(inner, mma ? mma->k : 1));
  bool isOfGroup = mma && mma->isOfWarpGroup();
  Slab slab(op, isOfGroup ? FactorForm::Tile : FactorForm::Rows);
  slab.reserve(padded);
  while (!isOfGroup && slab.bytes() > kMaxFactorBytes && slab.extent > 1 && padded == inner)
    slab.reserve(static_cast<int64_t>(llvm::bit_floor<uint64_t>(slab.extent - 1)));
  OpBuilder builder(op);
  Location loc = op.getLoc();
  bool isWhole = padded == inner && slab.extent >= inner, isStored = false;
  bool isOfFewWarps = warpsOf(op->getParentOfType<KernelOp>()) < kGroupWarps;
  Value held = mma && isWhole ? heldLeft(op, *mma) : Value();
  for (StagedFactor *factor : {&slab.left, &slab.right}) {
    if (factor == &slab.left && held)
      continue;
    Operation *place = isWhole ? storedInFrontOf(op, factor->value) : op;
    if (place != op && mma && isOfFewWarps && factor->needsNoGaps(*mma, padded)) {
      factor->form = FactorForm::Tile;
      factor->reserve(slab.extent);
    }
    OpBuilder there(place);
    factor->allocate(there, loc);
    factor->isBeforeLoop = place != op;
    isStored |= place == op;
    if (place == op)
      continue;
    factor->store(there, loc, /*first=*/0, /*isPart=*/false);
    SharedBarrierOp::create(there, loc, ThreadScope::Program, /*fence=*/isOfGroup);
  }
  if (padded != inner) {
    ThreadCounts threads{kWarpThreads, warpsOf(op->getParentOfType<KernelOp>())};
    slab.left.clear(builder, loc, threads);
    slab.right.clear(builder, loc, threads);
  }
  Value sum = op.getAcc();
  for (int64_t first = 0; first < inner; first += slab.extent) {
    if (first > 0)
      SharedBarrierOp::create(builder, loc, ThreadScope::Program, /*fence=*/false);
    for (StagedFactor *factor : {&slab.left, &slab.right})
      if (factor->shared && !factor->isBeforeLoop)
        factor->store(builder, loc, first, slab.extent < inner);
    if (isStored)
      SharedBarrierOp::create(builder, loc, ThreadScope::Program, /*fence=*/isOfGroup);
    auto product = SharedDotOp::create(
        builder, loc, op.getType(), held ? held : slab.left.shared, slab.right.shared, sum,
        /*leftSlot=*/Value(), /*rightSlot=*/Value(),
        std::min(slab.extent, padded - first), slab.left.isTransposed && !held, slab.right.isTransposed,
        op.getAccumulateAttr(), op.getSaturate());
    if (Attribute mma = op->getAttr(kMmaAttr))
      product->setAttr(kMmaAttr, mma);
    else if (isOneOfMany)
      product->setAttr(kShortAttr, builder.getUnitAttr());
    sum = product;
  }
  llvm::SmallSetVector<Operation *, 2> factors;
  for (Value factor : {op.getLeft(), op.getRight()})
    if (auto transpose = factor.getDefiningOp<TransposeOp>())
      factors.insert(transpose);
  op.replaceAllUsesWith(sum);
  op.erase();
  // A load whose only user is no longer there is read by products alone.
  for (Operation *transpose : factors)
    if (transpose->use_empty())
      transpose->erase();
}
