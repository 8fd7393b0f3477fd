//===- Mma.cpp - Products of matrices by tensor cores --------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Both factors are in shared memory, row by row or column by column, or threads hold the left one
// as the instruction wants it. A warp goes along the products that are added to an element, as many
// at a time as an instruction adds. At each step it reads the fragments of its rows and of its
// columns, each once, and multiplies each of the former with each of the latter.
//
// `ldmatrix` reads up to four matrices of 8 rows of 16 bytes; lane l says where row l % 8 of matrix
// l / 8 begins. Where that is, is linear in the lane, the warp and the register, so a layout says
// it. With c the elements of 16 bytes, and `outer` the dimension that a factor does not share with
// the other, the lanes of the left factor add
//
//   (outer 1), (outer 2), (outer 4), (outer 8), (inner c)
//
// and those of the right one, of which two fragments are read at once, p columns apart,
//
//   (outer 1), (outer 2), (outer 4), (inner c), (outer p)
//
// and warps and registers what they add to the place of the sums. Where neighbours in memory are
// along `outer`, which ldmatrix transposes for elements of 16 bits, rows of its matrices are along
// `inner`: the first three are (inner 1), (inner 2), (inner 4).
//
// Elements of 64 bits each lane reads itself, one of each fragment. So it does those of 32 bits in
// a tile whose lines are along `outer`, for ldmatrix transposes pairs of them: what it would have
// of one matrix after the other.
//
// A tile in a slot has chunks of c elements exchanged by the number of their line, so that a step
// adds no bytes: each step is a register more of that layout, and all are written out.

#include "Mma.h"

#include "../Memory/Access.h"
#include "SharedAccess.h"
#include "SharedRows.h"

#include "fsm/Analysis/Hazards.h"
#include "fsm/Analysis/MmaPlan.h"
#include "fsm/Analysis/ProductTiles.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace fsm;
using namespace fsm::gpu;

/// Bytes of a row of a matrix of ldmatrix, and its elements of 16 bits.
static constexpr unsigned kMatrixRowBytes = 16, kMatrixSide = 8;

/// How many elements of a fragment lie along the inner dimension before a lane has another one.
static constexpr unsigned kLanesAlongInner = 4;

namespace {

/// What a lane has of a fragment, by words or by elements.
using Words = SmallVector<Value>;

/// One factor in shared memory, as fragments.
struct Factor {
  Factor(Value shared, Value slot, unsigned outer, unsigned dim)
      : shared(shared), slot(slot), memory(dyn_cast<SharedType>(shared.getType())), outer(outer),
        inner(1 - outer), dim(dim), major(memory ? majorOf(memory) : inner) {}

  /// Where it is; the slot is null for memory without, and the memory where threads hold the
  /// factor.
  Value shared, slot;
  /// The dimensions of the memory, that of the sums which `outer` is, and that of the memory along
  /// which neighbours lie side by side.
  SharedType memory;
  unsigned outer, inner, dim, major;
  /// Matrices that are read at once, and bytes from one step to the next.
  unsigned matrices = 0;
  uint64_t stepBytes = 0;
  /// Of places by threads the first register that moves from one word of a fragment to another, for
  /// those that each lane reads by itself.
  uint64_t firstOfWords = 0;
  /// The registers of the sums that stand for the fragments which are read, and where these are; of
  /// a tile for each step in turn.
  SmallVector<uint64_t> registers;
  SmallVector<Place> places;
  /// Whether each lane reads its own elements, one by one.
  bool isByLanes = false;

  /// Whether lines of memory are along the outer dimension.
  bool isTransposed() const { return inner != major; }
  bool isTile() const { return memory.getLayout() != nullptr; }
  unsigned placesOfFragment() const { return isByLanes ? matrices : 1; }
};

class MmaLowering {
public:
  MmaLowering(DeviceProgram &program, SharedDotOp op, const MmaInstruction &mma,
              const FactorSlots &slots)
      : program(program), builder(program.builder), op(op), mma(mma), result(program, op.getType()),
        layout(result.layout()), left(op.getLeft(), slots.left, op.getLeftTransposed(), 0),
        right(op.getRight(), slots.right, !op.getRightTransposed(), 1),
        elementBytes(mmaTypeBits(mma.left) / 8) {
    for (Factor *factor : {&left, &right})
      factor->isByLanes = elementBytes == 8 || (elementBytes == 4 && factor->isTransposed());
  }

  /// Sums the products with the left factor where it is in memory, or else is `held`.
  Value run(Value held, Value acc);

private:
  void findFragments();
  void findFactors();
  void findPlaces(Factor &factor, ArrayRef<std::pair<unsigned, uint64_t>> matrices);
  void findRows(Factor &factor, const LinearLayout &places);
  void findChunks(Factor &factor, const LinearLayout &places);
  Value addressOf(const Factor &factor, size_t index, Value step, uint64_t more);
  Words read(const Factor &factor, size_t index, Value step, uint64_t more);
  Words heldFor(uint64_t reg, uint64_t step);
  Words multiply(const Words &leftWords, const Words &rightWords, const Words &sums);
  void addStep(Value first, uint64_t step, SmallVector<Value> &sums);
  SmallVector<Value> addAll(SmallVector<Value> sums);

  unsigned sumsOfLane() const { return mma.m * mma.n / kWarpThreads; }
  uint64_t position(uint64_t reg, unsigned dim) const {
    return layout.to().get(layout.apply(reg, 0, 0), blockDim(dim));
  }

  DeviceProgram &program;
  ImplicitLocOpBuilder &builder;
  SharedDotOp op;
  const MmaInstruction &mma;
  ThreadBlock result;
  const LinearLayout &layout;
  Factor left, right;
  uint64_t elementBytes;
  /// What the thread has of the left factor, if it is in registers.
  Words heldWords;

  /// The columns from one fragment to the other that is read with it; 0 if none is.
  uint64_t pair = 0;
  /// Of each fragment of sums its first register, its row, its column, and which of the two that
  /// are read at once the latter is.
  struct Tile {
    uint64_t reg;
    size_t row, column, half;
  };
  SmallVector<Tile> tiles;
};

} // namespace

/// Which rows and which columns of fragments a warp has. Where it has an even number of columns,
/// two are read at once.
void MmaLowering::findFragments() {
  unsigned sums = sumsOfLane();
  for (auto [bit, base] : llvm::enumerate(layout.basesOf(Dim::Register)))
    if (uint64_t column = layout.to().get(base, blockDim(1));
        (uint64_t(1) << bit) >= sums && column && !pair && !right.isByLanes)
      pair = column;
  llvm::DenseMap<uint64_t, size_t> rowOf, columnOf;
  for (uint64_t reg : result.registers()) {
    uint64_t first = reg & ~uint64_t(sums - 1);
    if (!tiles.empty() && tiles.back().reg == first)
      continue;
    uint64_t column = position(first, 1);
    auto [row, isNewRow] = rowOf.try_emplace(position(first, 0), left.registers.size());
    if (isNewRow)
      left.registers.push_back(first);
    // The first of two: the register without the bit that leads to the second.
    auto [both, isNewColumn] = columnOf.try_emplace(column & ~pair, right.registers.size());
    if (isNewColumn)
      right.registers.push_back(first);
    tiles.push_back({first, row->second, both->second, (column & pair) != 0});
  }
}

/// Where what a lane reads of a factor begins, or the row of a matrix that it speaks for.
/// `matrices` are the steps, each along a dimension, from one matrix that is read at once to
/// others.
void MmaLowering::findPlaces(Factor &factor, ArrayRef<std::pair<unsigned, uint64_t>> matrices) {
  ArrayRef<int64_t> shape = factor.memory.getShape();
  BitSpace block = BitSpace::block({shape.begin(), shape.end()});
  auto along = [&](uint64_t base) {
    return block.place(blockDim(factor.outer), layout.to().get(base, blockDim(factor.dim)));
  };
  unsigned laneBits = layout.from().bitsOf(Dim::Lane);
  ArrayRef<std::pair<unsigned, uint64_t>> ofLanes = matrices.take_front(laneBits),
                                          between = matrices.drop_front(ofLanes.size());
  std::vector<uint64_t> bases;
  for (auto [bit, base] : llvm::enumerate(layout.basesOf(Dim::Register)))
    bases.push_back((uint64_t(1) << bit) < sumsOfLane() ? 0 : along(base));
  factor.firstOfWords = uint64_t(1) << bases.size();
  for (auto [dim, step] : between)
    bases.push_back(block.place(blockDim(dim), step));
  BitSpace threads =
      BitSpace::threads(static_cast<unsigned>(bases.size()), laneBits,
                        layout.from().bitsOf(Dim::Warp), layout.from().bitsOf(Dim::Cta));
  for (auto [dim, step] : ofLanes)
    bases.push_back(block.place(blockDim(dim), step));
  bases.resize(bases.size() + laneBits - ofLanes.size(), 0);
  for (uint64_t base : layout.basesOf({Dim::Warp, Dim::Cta}))
    bases.push_back(along(base));
  factor.matrices = 1u << (matrices.size() - (factor.isByLanes ? laneBits : 3));
  LinearLayout places(threads, block, std::move(bases));
  return factor.isTile() ? findChunks(factor, places) : findRows(factor, places);
}

/// Places in memory whose rows have a pitch.
void MmaLowering::findRows(Factor &factor, const LinearLayout &places) {
  ArrayRef<int64_t> shape = factor.memory.getShape();
  ThreadBlock threads(program, RankedTensorType::get(shape, factor.memory.getElementType(),
                                                     LayoutAttr::get(op.getContext(), places)));
  SmallVector<Step> steps = stepsOf(shape, factor.memory.getPitch(), elementBytes);
  // Those outside read the last that is inside; along the outer dimension, the last eight.
  auto extent = static_cast<uint64_t>(shape[factor.outer]);
  steps[factor.outer].last =
      extent - (!factor.isByLanes && factor.isTransposed() ? kMatrixSide : 1);
  RegisterPlaces registers(program, threads, sharedOffset(factor.shared), steps);
  for (uint64_t reg : factor.registers)
    for (uint64_t word = 0; word < factor.placesOfFragment(); ++word)
      factor.places.push_back(registers.at(reg + word * factor.firstOfWords));
  factor.stepBytes = mma.k * steps[factor.inner].bytes;
}

/// Places in a tile, for each step: what threads add and what a fragment and a step add meet in the
/// bits of a chunk alone.
void MmaLowering::findChunks(Factor &factor, const LinearLayout &places) {
  const BitSpace &block = places.to();
  LinearLayout toOffset = factor.memory.getLayout().toLinear(factor.memory.getShape()).inverse();
  auto bytesOf = [&](Dim dim) {
    std::vector<uint64_t> bytes;
    for (uint64_t base : places.basesOf(dim))
      bytes.push_back(toOffset.apply(base) * elementBytes);
    return bytes;
  };
  std::vector<uint64_t> laneBytes = bytesOf(Dim::Lane), warpBytes = bytesOf(Dim::Warp);
  uint64_t threadBits = 0;
  for (uint64_t bytes : llvm::concat<uint64_t>(laneBytes, warpBytes))
    threadBits |= bytes;
  Value begin = slotAddress(program, factor.shared, factor.slot);
  SharedPlaces threads(program, 0, laneBytes, warpBytes, begin);
  for (uint64_t step = 0; step < op.getInner() / mma.k; ++step)
    for (uint64_t reg : factor.registers)
      for (uint64_t word = 0; word < factor.placesOfFragment(); ++word) {
        uint64_t at = places.apply(reg + word * factor.firstOfWords, 0, 0) ^
                      block.place(blockDim(factor.inner), step * mma.k);
        uint64_t bytes = toOffset.apply(at) * elementBytes;
        factor.places.push_back(
            {threads.at(bytes & threadBits), static_cast<int64_t>(bytes & ~threadBits)});
      }
}

/// Both factors, as at the head of this file.
void MmaLowering::findFactors() {
  uint64_t chunk = kMatrixRowBytes / elementBytes;
  for (Factor *factor : {&left, &right}) {
    if (!factor->memory)
      continue;
    SmallVector<std::pair<unsigned, uint64_t>> matrices;
    unsigned outer = factor->outer, inner = factor->inner;
    if (factor->isByLanes)
      matrices = {{inner, 1}, {inner, 2}, {outer, 1}, {outer, 2}, {outer, 4}};
    else
      for (unsigned row = 1; row < kMatrixSide; row *= 2)
        matrices.push_back({factor->isTransposed() ? inner : outer, row});
    if (factor == &left && mma.m > kMatrixSide)
      matrices.push_back({outer, kMatrixSide});
    for (uint64_t k = factor->isByLanes ? kLanesAlongInner : chunk; k < mma.k; k *= 2)
      matrices.push_back({inner, k});
    if (factor == &right && pair)
      matrices.push_back({outer, pair});
    findPlaces(*factor, matrices);
  }
}

/// Where that is which the lane reads of the fragments at a place, `step` (an i32, times the bytes
/// of one) and `more` steps from the first.
Value MmaLowering::addressOf(const Factor &factor, size_t index, Value step, uint64_t more) {
  if (factor.isTile()) {
    const Place &place =
        factor.places[more * factor.placesOfFragment() * factor.registers.size() + index];
    return place.bytes ? advance(builder, place.base, static_cast<int32_t>(place.bytes))
                       : place.base;
  }
  const Place &place = factor.places[index];
  auto bytes = program.i32(static_cast<int64_t>(factor.stepBytes));
  Value behind = arith::MulIOp::create(builder, step, bytes);
  Value base = advance(builder, place.base, behind);
  return Place{base, place.bytes + static_cast<int64_t>(more * factor.stepBytes)}.address(program);
}

Words MmaLowering::read(const Factor &factor, size_t index, Value step, uint64_t more) {
  Words words;
  Type element = factor.memory.getElementType();
  // Words of ldmatrix are integers, and so are those that take their place.
  if (factor.isByLanes) {
    for (unsigned word = 0; word < factor.matrices; ++word)
      llvm::append_range(
          words, loadShared(program, elementBytes == 4 ? Type(builder.getI32Type()) : element, 1,
                            addressOf(factor, index * factor.matrices + word, step, more)));
    return words;
  }
  Value address = addressOf(factor, index, step, more);
  MLIRContext *context = builder.getContext();
  Type word = builder.getI32Type(), type = word;
  if (factor.matrices > 1)
    type = LLVM::LLVMStructType::getLiteral(context, SmallVector<Type>(factor.matrices, word));
  Value loaded =
      NVVM::LdMatrixOp::create(builder, type, address, factor.matrices,
                               factor.isTransposed() ? NVVM::MMALayout::col : NVVM::MMALayout::row,
                               NVVM::LdStMatrixShapeAttr::get(context, kMatrixSide, kMatrixSide),
                               NVVM::LdStMatrixEltType::B16);
  if (factor.matrices == 1)
    return {loaded};
  for (unsigned i = 0; i < factor.matrices; ++i)
    words.push_back(LLVM::ExtractValueOp::create(builder, loaded, i));
  return words;
}

/// What the thread holds of the fragment for the sums of a register: those of a row of fragments
/// lie one behind the other.
Words MmaLowering::heldFor(uint64_t reg, uint64_t step) {
  unsigned wordsOfStep = mma.m * mma.k * mmaTypeBits(mma.left) / 32 / kWarpThreads;
  unsigned warps = warpsOf(op->getParentOfType<KernelOp>());
  uint64_t rows = mma.m * uint64_t(warpsOver(mma, op.getType().getShape(), warps).down);
  uint64_t fragment = position(reg, 0) / rows, steps = op.getInner() / mma.k;
  return Words(ArrayRef(heldWords).slice((fragment * steps + step) * wordsOfStep, wordsOfStep));
}

static NVVM::MMATypes nvvmType(MmaType type) {
  return *NVVM::symbolizeMMATypes(StringRef(mmaTypeName(type)));
}

/// Two sums of f16 are in one register.
static Words pairsOf(ImplicitLocOpBuilder &builder, const Words &halves) {
  Words pairs;
  Type pair = VectorType::get({2}, builder.getF16Type());
  for (size_t i = 0; i < halves.size(); i += 2)
    pairs.push_back(
        vector::FromElementsOp::create(builder, pair, ValueRange{halves[i], halves[i + 1]}));
  return pairs;
}

static Words halvesOf(ImplicitLocOpBuilder &builder, const Words &pairs) {
  Words halves;
  for (Value pair : pairs)
    for (int64_t i : {0, 1})
      halves.push_back(vector::ExtractOp::create(builder, pair, i));
  return halves;
}

/// NVVM's op has the products of f64 that sm_80 has; those of 16 rows are since sm_90.
static bool isIntrinsic(const MmaInstruction &mma) {
  return mma.left == MmaType::F64 && mma.m > kMatrixSide;
}

/// The sums of one fragment.
Words MmaLowering::multiply(const Words &leftWords, const Words &rightWords, const Words &sums) {
  auto typed = [&](const Words &words) {
    if (mma.left != MmaType::F16)
      return words;
    Type halves = VectorType::get({2}, builder.getF16Type());
    return llvm::map_to_vector(
        words, [&](Value word) -> Value { return LLVM::BitcastOp::create(builder, halves, word); });
  };
  bool arePairs = mma.sums == MmaType::F16;
  Words acc = arePairs ? pairsOf(builder, sums) : sums;
  Type type = LLVM::LLVMStructType::getLiteral(
      builder.getContext(), SmallVector<Type>(acc.size(), acc.front().getType()));
  std::optional<NVVM::MMAIntOverflow> overflow;
  if (mma.sums == MmaType::S32)
    overflow = op.getSaturate() ? NVVM::MMAIntOverflow::satfinite : NVVM::MMAIntOverflow::wrapped;
  Value all;
  if (isIntrinsic(mma))
    all = LLVM::CallIntrinsicOp::create(
              builder, type, builder.getStringAttr("llvm.nvvm.mma." + mma.shape() + ".row.col.f64"),
              llvm::to_vector(llvm::concat<const Value>(leftWords, rightWords, sums)))
              .getResult(0);
  else
    all = NVVM::MmaOp::create(
        builder, type, typed(leftWords), typed(rightWords), acc,
        ArrayRef<int64_t>{mma.m, mma.n, mma.k}, std::nullopt, overflow,
        std::array<NVVM::MMATypes, 2>{nvvmType(mma.left), nvvmType(mma.right)},
        std::array<NVVM::MMALayout, 2>{NVVM::MMALayout::row, NVVM::MMALayout::col});
  Words added;
  for (size_t i = 0; i < acc.size(); ++i)
    added.push_back(LLVM::ExtractValueOp::create(builder, all, static_cast<int64_t>(i)));
  return arePairs ? halvesOf(builder, added) : added;
}

/// Adds the products of one step, `more` behind the step `first` (an i32).
void MmaLowering::addStep(Value first, uint64_t more, SmallVector<Value> &sums) {
  SmallVector<Words> leftWords, rightWords;
  for (auto [row, reg] : llvm::enumerate(left.registers))
    leftWords.push_back(left.memory ? read(left, row, first, more) : heldFor(reg, more));
  for (size_t column = 0; column < right.registers.size(); ++column)
    rightWords.push_back(read(right, column, first, more));
  size_t perHalf = right.matrices / (pair ? 2 : 1);
  Value zero =
      arith::ConstantOp::create(builder, builder.getZeroAttr(op.getType().getElementType()));
  for (const Tile &tile : tiles) {
    Words acc, half(ArrayRef(rightWords[tile.column]).slice(tile.half * perHalf, perHalf));
    // Sums outside of the extents are no one's.
    auto inside = [&](unsigned i) { return result.has(tile.reg + i); };
    for (unsigned i = 0; i < sumsOfLane(); ++i)
      acc.push_back(inside(i) ? sums[result.indexOf(tile.reg + i)] : zero);
    acc = multiply(leftWords[tile.row], half, acc);
    for (unsigned i = 0; i < sumsOfLane(); ++i)
      if (inside(i))
        sums[result.indexOf(tile.reg + i)] = acc[i];
  }
}

SmallVector<Value> MmaLowering::addAll(SmallVector<Value> sums) {
  uint64_t steps = op.getInner() / mma.k, whole = 0;
  if (auto together = static_cast<uint64_t>(integerAttrOr(op, kStepsOfLoopAttr, 0))) {
    whole = steps / together * together;
    auto number = [&](uint64_t value) { return program.i32(static_cast<int64_t>(value)); };
    auto loop = scf::ForOp::create(builder, number(0), number(whole), number(together), sums);
    loop->setAttr(kNoUnrollAttr, builder.getUnitAttr());
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    SmallVector<Value> carried(loop.getRegionIterArgs());
    for (uint64_t step = 0; step < together; ++step)
      addStep(loop.getInductionVar(), step, carried);
    scf::YieldOp::create(builder, carried);
    sums.assign(loop.getResults().begin(), loop.getResults().end());
  }
  Value first = program.i32(0);
  for (uint64_t step = whole; step < steps; ++step)
    addStep(first, step, sums);
  return sums;
}

Value MmaLowering::run(Value held, Value acc) {
  if (held)
    heldWords = wordsOfElements(program, program.elementsOf(held));
  findFragments();
  findFactors();
  return program.vectorOf(addAll(program.elementsOf(acc)));
}

llvm::SmallVector<Value> fsm::gpu::wordsOfElements(DeviceProgram &program,
                                                   ArrayRef<Value> elements) {
  Words words;
  size_t perWord = 32 / elements.front().getType().getIntOrFloatBitWidth();
  for (size_t i = 0; i < elements.size(); i += perWord)
    words.push_back(LLVM::BitcastOp::create(program.builder, program.builder.getI32Type(),
                                            program.vectorOf(elements.slice(i, perWord))));
  return words;
}

bool fsm::gpu::areFragments(const LinearLayout &layout, const MmaInstruction &mma) {
  LinearLayout fragment = fragmentLayout(mma.sumsFragment());
  auto begins = [&](Dim dim) {
    std::vector<uint64_t> whole = layout.basesOf(dim), part = fragment.basesOf(dim);
    for (size_t i = 0; i < part.size(); ++i)
      for (unsigned at : {0, 1})
        if (i >= whole.size() ||
            layout.to().get(whole[i], blockDim(at)) != fragment.to().get(part[i], blockDim(at)))
          return false;
    for (size_t i = dim == Dim::Lane ? whole.size() : part.size(); i < whole.size(); ++i)
      if (layout.to().get(whole[i], blockDim(0)) % mma.m ||
          layout.to().get(whole[i], blockDim(1)) % mma.n)
        return false;
    return true;
  };
  return begins(Dim::Register) && begins(Dim::Lane) && begins(Dim::Warp);
}

/// Whether threads hold the left factor as they have the sums, all of it, or memory has it.
static bool isLeftThere(SharedDotOp op, const MmaInstruction &mma) {
  auto held = dyn_cast<RankedTensorType>(op.getLeft().getType());
  ThreadCounts threads{kWarpThreads, warpsOf(op->getParentOfType<KernelOp>())};
  return !held || (heldLeftLayout(mma, op.getType(), held, threads) == linearLayoutOf(held) &&
                   mmaLayout(mma, op.getType(), threads) == linearLayoutOf(op.getType()) &&
                   op.getInner() == static_cast<uint64_t>(held.getDimSize(1)));
}

Value fsm::gpu::multiplyByMma(DeviceProgram &program, SharedDotOp op, const MmaInstruction &mma,
                              Value held, Value acc, const FactorSlots &slots) {
  RankedTensorType type = op.getType();
  // Of memory the other way around, eight neighbours are read at once.
  auto areWhole = [&](SharedType factor, unsigned outer) {
    if (!factor)
      return isLeftThere(op, mma);
    bool isAlongOuter = majorOf(factor) == outer;
    bool isHalf = mmaTypeBits(mma.left) == 16;
    return !isAlongOuter || mmaTypeBits(mma.left) == 64 ||
           (mmaTypeBits(mma.left) == 32 && factor.getLayout()) ||
           (isHalf && factor.getShape()[outer] % kMatrixSide == 0);
  };
  if (type.getRank() != 2 || !areFragments(linearLayoutOf(type), mma) || op.getInner() % mma.k ||
      !areWhole(op.leftMemory(), op.getLeftTransposed()) ||
      !areWhole(op.getRight().getType(), !op.getRightTransposed())) {
    op.emitOpError("expected whole fragments of ") << mma.name() << " in its blocks";
    return {};
  }
  bool hasTile =
      !op.leftMemory() || op.leftMemory().getLayout() || op.getRight().getType().getLayout();
  if (op->hasAttr(kStepsOfLoopAttr) && hasTile) {
    op.emitOpError("expected no '")
        << kStepsOfLoopAttr << "' on a product of tiles, whose steps have places of their own";
    return {};
  }
  return MmaLowering(program, op, mma, slots).run(held, acc);
}
