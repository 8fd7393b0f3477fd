//===- Mma.cpp - Products of matrices by tensor cores --------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Both factors are in shared memory, row by row. A warp goes along the products that are added to
// an element, as many at a time as an instruction adds. At each step it reads the fragments of its
// rows and of its columns by `ldmatrix`, each once, and multiplies each of the former with each of
// the latter.
//
// ldmatrix reads up to four matrices of 8 rows of 16 bytes; lane l says where row l % 8 of matrix
// l / 8 begins. Where that is, is linear in the lane, the warp and the register as a layout is, so
// a layout says it: of the left factor
//
//   lane      [(1, 0), (2, 0), (4, 0), (8, 0), (0, 16 bytes)]
//   warp, register: the rows that those of the sums have
//
// and of the right one, whose rows are those of a matrix that is to be transposed, with c the
// columns to the next fragment of the same warp,
//
//   lane      [(1, 0), (2, 0), (4, 0), (8, 0), (0, c)]
//   warp, register: the columns that those of the sums have

#include "Mma.h"

#include "SharedAccess.h"
#include "SharedRows.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace fsm;
using namespace fsm::gpu;

/// Bytes of a row of a matrix of ldmatrix, and its elements of 16 bits.
static constexpr unsigned kMatrixRowBytes = 16, kMatrixSide = 8;

/// Steps that are written out, and steps in the body of a loop where there are more.
static constexpr uint64_t kMostSteps = 8, kStepsOfLoop = 4;

namespace {

/// What a lane has of a fragment, by words or by elements.
using Words = SmallVector<Value>;

/// One factor in shared memory, as fragments.
struct Factor {
  SharedType memory;
  bool isTransposed;
  /// Matrices that are read at once, and bytes from one step to the next.
  unsigned matrices = 0;
  uint64_t stepBytes = 0;
  /// The registers of the sums that stand for the fragments which are read, and where these are.
  SmallVector<uint64_t> registers;
  SmallVector<Place> places;
};

class MmaLowering {
public:
  MmaLowering(DeviceProgram &program, SharedDotOp op, const MmaInstruction &mma)
      : program(program), builder(program.builder), op(op), mma(mma), result(program, op.getType()),
        layout(result.layout()), left{op.getLeft().getType(), false},
        right{op.getRight().getType(), true}, elementBytes(mmaTypeBits(mma.left) / 8) {}

  Value run(Value acc);

private:
  void findFragments();
  void findLeft();
  void findRight();
  void findPlaces(Factor &factor, unsigned dim, Value shared, uint64_t last,
                  ArrayRef<uint64_t> lanes);
  Words read(const Factor &factor, size_t index, Value step, uint64_t more);
  Words multiply(const Words &leftWords, const Words &rightWords, const Words &acc);
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
        (uint64_t(1) << bit) >= sums && column && !pair)
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

/// Where the rows of a factor begin that a lane says: of the matrices that are read at once as
/// `lanes`, of fragments as the sums, whose dimension `dim` is that of the factor.
void MmaLowering::findPlaces(Factor &factor, unsigned dim, Value shared, uint64_t last,
                             ArrayRef<uint64_t> lanes) {
  ArrayRef<int64_t> shape = factor.memory.getShape();
  BitSpace block = BitSpace::block({shape.begin(), shape.end()});
  auto along = [&](uint64_t base) {
    return block.place(blockDim(dim), layout.to().get(base, blockDim(dim)));
  };
  std::vector<uint64_t> bases;
  for (auto [bit, base] : llvm::enumerate(layout.basesOf(Dim::Register)))
    bases.push_back((uint64_t(1) << bit) < sumsOfLane() ? 0 : along(base));
  bases.insert(bases.end(), lanes.begin(), lanes.end());
  for (uint64_t base : layout.basesOf({Dim::Warp, Dim::Cta}))
    bases.push_back(along(base));
  LinearLayout places(layout.from(), block, bases);
  Type element = factor.memory.getElementType();
  ThreadBlock threads(
      program, RankedTensorType::get(shape, element, LayoutAttr::get(op.getContext(), places)));
  SmallVector<Step> steps = stepsOf(shape, factor.memory.getPitch(), elementBytes);
  steps[dim].last = last;
  RegisterPlaces registers(program, threads, sharedOffset(shared), steps);
  for (uint64_t reg : factor.registers)
    factor.places.push_back(registers.at(reg));
}

void MmaLowering::findLeft() {
  BitSpace block = BitSpace::block({static_cast<uint64_t>(left.memory.getShape()[0]),
                                    static_cast<uint64_t>(left.memory.getShape()[1])});
  left.stepBytes = mma.k * elementBytes;
  left.matrices = mma.m / kMatrixSide * (left.stepBytes / kMatrixRowBytes);
  SmallVector<uint64_t> lanes;
  for (unsigned row = 1; row < mma.m; row *= 2)
    lanes.push_back(block.place(blockDim(0), row));
  if (left.stepBytes > kMatrixRowBytes)
    lanes.push_back(block.place(blockDim(1), kMatrixRowBytes / elementBytes));
  lanes.resize(llvm::Log2_32(kWarpThreads), 0);
  findPlaces(left, 0, op.getLeft(), op.getType().getDimSize(0) - 1, lanes);
}

void MmaLowering::findRight() {
  BitSpace block = BitSpace::block({static_cast<uint64_t>(right.memory.getShape()[0]),
                                    static_cast<uint64_t>(right.memory.getShape()[1])});
  right.stepBytes = mma.k * right.memory.getPitch() * elementBytes;
  right.matrices = mma.k / kMatrixSide * (pair ? 2 : 1);
  SmallVector<uint64_t> lanes;
  for (unsigned row = 1; row < mma.k; row *= 2)
    lanes.push_back(block.place(blockDim(0), row));
  if (pair)
    lanes.push_back(block.place(blockDim(1), pair));
  lanes.resize(llvm::Log2_32(kWarpThreads), 0);
  // Those outside read the last that is inside.
  findPlaces(right, 1, op.getRight(), op.getType().getDimSize(1) - mma.n, lanes);
}

/// What the lane has of the fragments at a place, `step` (an i32, times the bytes of one) and
/// `more` steps from the first.
Words MmaLowering::read(const Factor &factor, size_t index, Value step, uint64_t more) {
  const Place &place = factor.places[index];
  auto bytes = program.i32(static_cast<int64_t>(factor.stepBytes));
  Value behind = arith::MulIOp::create(builder, step, bytes);
  Value base = advance(builder, place.base, behind);
  Value address =
      Place{base, place.bytes + static_cast<int64_t>(more * factor.stepBytes)}.address(program);
  MLIRContext *context = builder.getContext();
  Type word = builder.getI32Type(), type = word;
  if (factor.matrices > 1)
    type = LLVM::LLVMStructType::getLiteral(context, SmallVector<Type>(factor.matrices, word));
  Value loaded =
      NVVM::LdMatrixOp::create(builder, type, address, factor.matrices,
                               factor.isTransposed ? NVVM::MMALayout::col : NVVM::MMALayout::row,
                               NVVM::LdStMatrixShapeAttr::get(context, kMatrixSide, kMatrixSide),
                               NVVM::LdStMatrixEltType::B16);
  if (factor.matrices == 1)
    return {loaded};
  Words words;
  for (unsigned i = 0; i < factor.matrices; ++i)
    words.push_back(LLVM::ExtractValueOp::create(builder, loaded, i));
  return words;
}

/// The sums of one fragment.
Words MmaLowering::multiply(const Words &leftWords, const Words &rightWords, const Words &acc) {
  auto typed = [&](const Words &words) {
    if (mma.left != MmaType::F16)
      return words;
    Type halves = VectorType::get({2}, builder.getF16Type());
    return llvm::map_to_vector(
        words, [&](Value word) -> Value { return LLVM::BitcastOp::create(builder, halves, word); });
  };
  NVVM::MMATypes type = mma.left == MmaType::F16 ? NVVM::MMATypes::f16 : NVVM::MMATypes::bf16;
  Type sums = LLVM::LLVMStructType::getLiteral(
      builder.getContext(), SmallVector<Type>(acc.size(), acc.front().getType()));
  Value all = NVVM::MmaOp::create(
      builder, sums, typed(leftWords), typed(rightWords), acc,
      ArrayRef<int64_t>{mma.m, mma.n, mma.k}, std::nullopt, std::nullopt,
      std::array<NVVM::MMATypes, 2>{type, type},
      std::array<NVVM::MMALayout, 2>{NVVM::MMALayout::row, NVVM::MMALayout::col});
  Words added;
  for (size_t i = 0; i < acc.size(); ++i)
    added.push_back(LLVM::ExtractValueOp::create(builder, all, static_cast<int64_t>(i)));
  return added;
}

/// Adds the products of one step, `more` behind the step `first` (an i32).
void MmaLowering::addStep(Value first, uint64_t more, SmallVector<Value> &sums) {
  SmallVector<Words> leftWords, rightWords;
  for (size_t row = 0; row < left.places.size(); ++row)
    leftWords.push_back(read(left, row, first, more));
  for (size_t column = 0; column < right.places.size(); ++column)
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
  if (steps > kMostSteps) {
    whole = steps / kStepsOfLoop * kStepsOfLoop;
    auto number = [&](uint64_t value) { return program.i32(static_cast<int64_t>(value)); };
    auto loop = scf::ForOp::create(builder, number(0), number(whole), number(kStepsOfLoop), sums);
    loop->setAttr(kNoUnrollAttr, builder.getUnitAttr());
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    SmallVector<Value> carried(loop.getRegionIterArgs());
    for (uint64_t step = 0; step < kStepsOfLoop; ++step)
      addStep(loop.getInductionVar(), step, carried);
    scf::YieldOp::create(builder, carried);
    sums.assign(loop.getResults().begin(), loop.getResults().end());
  }
  Value first = program.i32(0);
  for (uint64_t step = whole; step < steps; ++step)
    addStep(first, step, sums);
  return sums;
}

Value MmaLowering::run(Value acc) {
  findFragments();
  findLeft();
  findRight();
  return program.vectorOf(addAll(program.elementsOf(acc)));
}

/// Whether the sums begin with an instruction's fragment, and the rest are such fragments.
static bool isLaidOut(const LinearLayout &layout, const MmaInstruction &mma) {
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

Value fsm::gpu::multiplyByMma(DeviceProgram &program, SharedDotOp op, const MmaInstruction &mma,
                              Value acc) {
  RankedTensorType type = op.getType();
  if (type.getRank() != 2 || !isLaidOut(linearLayoutOf(type), mma) || op.getInner() % mma.k ||
      type.getDimSize(1) % mma.n) {
    op.emitOpError("expected whole fragments of ") << mma.name() << " in its blocks";
    return {};
  }
  return MmaLowering(program, op, mma).run(acc);
}
