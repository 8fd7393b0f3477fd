//===- Wgmma.cpp - Products by groups of four warps ----------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Both factors are tiles in shared memory, which the hardware reads by itself: a descriptor says
// where a matrix begins and how it lies (TensorTiles.h). Or threads hold the left one. A group of four warps has some of the rows
// and of the columns of the sums. It issues, for each step along the products that are added and
// each fragment of its sums, one instruction, and waits for all of them, unless the product
// stays in flight.
//
// Where a fragment or a step begins in its tile is linear: groups begin at multiples of 64 rows or
// of whole fragments, steps at 32 bytes or at eight lines, and none of these moves a chunk to where
// another line has it.

#include "Mma.h"

#include "../Memory/Access.h"
#include "SharedAccess.h"

#include "fsm/Analysis/Hazards.h"
#include "fsm/Analysis/MmaPlan.h"
#include "fsm/Layout/TensorTiles.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace fsm;
using namespace fsm::gpu;

/// A descriptor counts in these.
static constexpr unsigned kUnitBytes = 16;
/// Bits of an address in shared memory that it has room for: above them is the number of the cta in
/// a cluster.
static constexpr int64_t kAddressBits = 0x3FFFF;
static constexpr unsigned kGroupWarpBits = 2;

namespace {

/// One factor in shared memory.
struct TileFactor {
  TileFactor(Value shared, Value slot, unsigned outer, unsigned dim)
      : shared(shared), slot(slot), memory(dyn_cast<SharedType>(shared.getType())), outer(outer),
        dim(dim) {}

  unsigned inner() const { return 1 - outer; }
  bool isInnerMajor() const { return form.major == inner(); }

  /// Where it is; the slot is null for memory without.
  Value shared, slot;
  /// Its memory, null where threads hold it; which dimension of that is rows or columns of the sums, and
  /// which of these.
  SharedType memory;
  unsigned outer, dim;
  TileForm form;
  /// The descriptor of what the group begins with, an i64.
  Value begin;
};

class WgmmaLowering {
public:
  WgmmaLowering(DeviceProgram &program, SharedDotOp op, const MmaInstruction &mma,
                const FactorSlots &slots)
      : program(program), builder(program.builder), op(op), mma(mma),
        layout(linearLayoutOf(op.getType())), live(layout.liveRegisters()),
        left(op.getLeft(), slots.left, op.getLeftTransposed(), 0),
        right(op.getRight(), slots.right, !op.getRightTransposed(), 1) {}

  LogicalResult findFactors();
  /// Sums the products with the left factor where it is in memory, or else is `held`.
  Value run(Value held, Value acc);

private:
  uint64_t unitsAt(const TileFactor &factor, uint64_t outer, uint64_t inner) const;
  Value firstUnit();
  void describe(TileFactor &factor, Value first);
  uint64_t unitsOf(const TileFactor &factor, uint64_t reg, uint64_t step) const;
  ArrayRef<Value> heldFor(uint64_t reg, uint64_t step);
  Value issue(Value sums, uint64_t reg, uint64_t step, bool adds);
  Value structOf(ArrayRef<Value> words);
  Value undefinedSums(Type word);
  SmallVector<Value> addAtOnce(SmallVector<Value> words);
  SmallVector<Value> addPromoted(SmallVector<Value> sums);

  unsigned sumsOfThread() const { return mma.m * mma.n / (kWarpThreads << kGroupWarpBits); }
  /// Registers of a thread that a fragment's sums are in.
  unsigned wordsOfThread() const { return sumsOfThread() * mmaTypeBits(mma.sums) / 32; }

  DeviceProgram &program;
  ImplicitLocOpBuilder &builder;
  SharedDotOp op;
  const MmaInstruction &mma;
  const LinearLayout layout;
  /// The registers of the sums that there are, one behind the other.
  const std::vector<uint64_t> live;
  TileFactor left, right;
  /// What the thread has of the left factor, in words of 32 bits, if it is in registers.
  SmallVector<Value> heldWords;
  Value group;
};

} // namespace

/// Which forms the tiles have; fails where one is none, or threads hold something else.
LogicalResult WgmmaLowering::findFactors() {
  if (auto block = dyn_cast<RankedTensorType>(op.getLeft().getType())) {
    ThreadCounts threads{kWarpThreads, warpsOf(op->getParentOfType<KernelOp>())};
    if (heldLeftLayout(mma, op.getType(), block, threads) != linearLayoutOf(block) ||
        op.getInner() != static_cast<uint64_t>(block.getDimSize(1)))
      return failure();
  }
  for (TileFactor *factor : {&left, &right}) {
    if (!factor->memory)
      continue;
    ArrayRef<int64_t> shape = factor->memory.getShape();
    std::optional<TileForm> form;
    if (LayoutAttr tile = factor->memory.getLayout())
      form = tileFormOf(tile.toLinear(shape), mmaTypeBits(mma.left) / 8);
    if (!form || op.getInner() != static_cast<uint64_t>(shape[factor->inner()]))
      return failure();
    factor->form = *form;
  }
  return success();
}

/// How far behind its begin a matrix of a tile begins, in the units of a descriptor.
uint64_t WgmmaLowering::unitsAt(const TileFactor &factor, uint64_t outer, uint64_t inner) const {
  ArrayRef<int64_t> shape = factor.memory.getShape();
  LinearLayout toOffset = factor.memory.getLayout().toLinear(shape).inverse();
  BitSpace block = BitSpace::block({shape.begin(), shape.end()});
  uint64_t place = block.place(blockDim(factor.outer), outer) |
                   block.place(blockDim(factor.inner()), inner);
  return toOffset.apply(place) * (mmaTypeBits(mma.left) / 8) / kUnitBytes;
}

/// Where shared memory begins, in the units of a descriptor and without the number of the cta. The symbol is named in front of the
/// product's own loop: the address that all else uses ptxas may keep, across loops around it, in a register of each thread, and
/// moves each descriptor from such ones to where products read them.
Value WgmmaLowering::firstUnit() {
  Value base = program.shared(uint64_t(0));
  OpBuilder::InsertionGuard guard(builder);
  Operation *around = builder.getInsertionBlock()->getParentOp();
  if (auto loop = isa<scf::ForOp>(around) ? cast<scf::ForOp>(around) : around->getParentOfType<scf::ForOp>())
    builder.setInsertionPoint(loop);
  Type word = builder.getI32Type();
  auto symbol = base.getDefiningOp<LLVM::AddressOfOp>();
  Value address = symbol ? inlinePtx(builder, word, {}, ("mov.u32 $0, " + symbol.getGlobalName() + ";").str(), "=r").getResult(0)
                         : LLVM::PtrToIntOp::create(builder, word, base).getResult();
  Value inCta = arith::AndIOp::create(builder, address, program.i32(kAddressBits));
  return arith::ShRUIOp::create(builder, inCta, program.i32(4));
}

/// The descriptor of the first matrix that a group has of a factor.
void WgmmaLowering::describe(TileFactor &factor, Value first) {
  Value begin = arith::AddIOp::create(builder, first, program.i32(static_cast<int64_t>(sharedOffset(factor.shared) / kUnitBytes)));
  if (factor.slot) {
    auto stride = static_cast<int64_t>(factor.memory.getSlotBytes() / kUnitBytes);
    begin = arith::AddIOp::create(builder, begin, arith::MulIOp::create(builder, factor.slot, program.i32(stride)));
  }
  for (auto [bit, base] : llvm::enumerate(layout.basesOf(Dim::Warp))) {
    uint64_t outer = layout.to().get(base, blockDim(factor.dim));
    if (bit < kGroupWarpBits || !outer)
      continue;
    Value isSet = arith::ShRUIOp::create(builder, group, program.i32(int64_t(bit)));
    isSet = arith::AndIOp::create(builder, isSet, program.i32(1));
    Value units = arith::MulIOp::create(
        builder, isSet, program.i32(static_cast<int64_t>(unitsAt(factor, outer, 0))));
    begin = arith::AddIOp::create(builder, begin, units);
  }
  uint64_t constant = wgmmaDescriptor(factor.form, op.getInner(), factor.isInnerMajor());
  Type wide = builder.getI64Type();
  factor.begin = arith::OrIOp::create(
      builder, arith::ExtUIOp::create(builder, wide, begin),
      program.constantInt(wide, static_cast<int64_t>(constant)));
}

uint64_t WgmmaLowering::unitsOf(const TileFactor &factor, uint64_t reg, uint64_t step) const {
  uint64_t outer = layout.to().get(layout.apply(reg, 0, 0), blockDim(factor.dim));
  return unitsAt(factor, outer, step * mma.k);
}

static SmallVector<Value> membersOf(ImplicitLocOpBuilder &builder, Value all, size_t count) {
  SmallVector<Value> members;
  for (size_t i = 0; i < count; ++i)
    members.push_back(LLVM::ExtractValueOp::create(builder, all, static_cast<int64_t>(i)));
  return members;
}

/// Which registers a thread has of the left factor for a step of a fragment's rows, which have all their steps
/// one behind the other.
ArrayRef<Value> WgmmaLowering::heldFor(uint64_t reg, uint64_t step) {
  constexpr unsigned wordsOfStep = 4;
  uint64_t row = layout.to().get(layout.apply(reg, 0, 0), blockDim(0));
  uint64_t groups = warpsOf(op->getParentOfType<KernelOp>()) / kGroupWarps;
  uint64_t fragment = row / (mma.m * groups), steps = op.getInner() / mma.k;
  return ArrayRef(heldWords).slice((fragment * steps + step) * wordsOfStep, wordsOfStep);
}

namespace {
/// An instruction whose operands are numbered as they come.
struct GroupText {
  /// In braces: "{$0, $1}".
  std::string add(ArrayRef<Value> values, StringRef constraint) {
    std::string list = "{";
    for (Value value : values)
      list += (list.size() > 1 ? ", " : "") + add(value, constraint);
    return list + "}";
  }
  std::string add(Value value, StringRef constraint) {
    operands.push_back(value);
    constraints += ("," + constraint).str();
    return "$" + std::to_string(results + operands.size() - 1);
  }

  unsigned results;
  SmallVector<Value> operands;
  std::string constraints, before;
};
} // namespace

/// Adds one step's products to the sums, a structure, of the fragment that begins with a register; or makes them
/// the sums, whatever these are. Where its matrices begin is computed within the instruction's text, not by
/// NVVM's op: descriptors that LLVM takes out of loops cost registers, 16 for a factor that a loop keeps.
Value WgmmaLowering::issue(Value sums, uint64_t reg, uint64_t step, bool adds) {
  unsigned count = wordsOfThread();
  GroupText text{count, {}, {}, {}};
  std::string word = mma.sums == MmaType::F32 ? "f" : "r";
  for (auto [i, member] : llvm::enumerate(membersOf(builder, sums, count)))
    text.add(member, std::to_string(i));
  auto descriptor = [&](const TileFactor &factor, const std::string &name) {
    std::string begin = text.add(factor.begin, "l");
    uint64_t units = unitsOf(factor, reg, step);
    if (!units)
      return begin;
    text.before += ".reg .b64 " + name + ";\nadd.s64 " + name + ", " + begin + ", " +
                   std::to_string(units) + ";\n";
    return name;
  };
  std::string leftText = left.memory ? descriptor(left, "left") : text.add(heldFor(reg, step), "r");
  std::string rightText = descriptor(right, "right");
  std::string results, constraints;
  for (unsigned i = 0; i < count; ++i) {
    results += (i ? ", $" : "$") + std::to_string(i);
    constraints += (i ? ",=" : "=") + word;
  }
  std::string code = "{\n.reg .pred adds;\nsetp.ne.b32 adds, " + std::to_string(adds) + ", 0;\n" +
                     text.before + "wgmma.mma_async.sync.aligned." + mma.name() +
                     (op.getSaturate() ? ".satfinite" : "") + " {" + results + "}, " + leftText + ", " +
                     rightText + ", adds";
  if (mma.sums != MmaType::S32)
    code += ", 1, 1";
  // Lines along the inner dimension are how the instruction has its factors; others it transposes.
  for (const TileFactor *factor : {&left, &right})
    if (factor->memory && mmaTypeBits(mma.left) == 16)
      code += factor->isInnerMajor() ? ", 0" : ", 1";
  return inlinePtx(builder, sums.getType(), text.operands, code + ";\n}",
                   constraints + text.constraints)
      .getResult(0);
}

static constexpr llvm::StringLiteral kWait = "wgmma.wait_group.sync.aligned ";

/// An instruction that sums, words of registers, go through, so that what makes them comes in front
/// of it and what uses them behind it.
static SmallVector<Value> through(DeviceProgram &program, ArrayRef<Value> sums, StringRef text) {
  ImplicitLocOpBuilder &builder = program.builder;
  Type word = sums.front().getType();
  std::string constraints;
  for (size_t i = 0; i < sums.size(); ++i)
    constraints += word.isF32() ? "=f," : "=r,";
  for (size_t i = 0; i < sums.size(); ++i)
    constraints += std::to_string(i) + ",";
  constraints += "~{memory}";
  auto all = LLVM::LLVMStructType::getLiteral(builder.getContext(),
                                              SmallVector<Type>(sums.size(), word));
  Value behind = inlinePtx(builder, all, sums, text, constraints).getResult(0);
  return membersOf(builder, behind, sums.size());
}

/// Sums as they are in registers: two of f16 are in one.
static SmallVector<Value> wordsOf(DeviceProgram &program, ArrayRef<Value> sums) {
  if (!sums.front().getType().isF16())
    return llvm::to_vector(sums);
  return wordsOfElements(program, sums);
}

static SmallVector<Value> sumsOf(DeviceProgram &program, ArrayRef<Value> words, Type sum) {
  if (!sum.isF16())
    return llvm::to_vector(words);
  SmallVector<Value> sums;
  for (Value word : words)
    llvm::append_range(sums, program.elementsOf(LLVM::BitcastOp::create(
                                 program.builder, VectorType::get({2}, sum), word)));
  return sums;
}

static SmallVector<Value> waitFor(DeviceProgram &program, ArrayRef<Value> words) {
  return through(program, words, (kWait + "0;").str());
}

Value fsm::gpu::waitForProducts(DeviceProgram &program, Value sums) {
  return program.vectorOf(waitFor(program, program.elementsOf(sums)));
}

static constexpr llvm::StringLiteral kFence = "wgmma.fence.sync.aligned;";

/// What a fragment's first products need not read.
Value WgmmaLowering::undefinedSums(Type word) {
  return LLVM::UndefOp::create(
      builder, LLVM::LLVMStructType::getLiteral(builder.getContext(),
                                                SmallVector<Type>(wordsOfThread(), word)));
}

Value WgmmaLowering::structOf(ArrayRef<Value> words) {
  Value all = LLVM::UndefOp::create(
      builder, LLVM::LLVMStructType::getLiteral(
                   builder.getContext(), SmallVector<Type>(words.size(), words[0].getType())));
  for (auto [i, word] : llvm::enumerate(words))
    all = LLVM::InsertValueOp::create(builder, all, word, static_cast<int64_t>(i));
  return all;
}

/// Adds all products to the sums. Where these are zero the first products of a fragment are the sums.
SmallVector<Value> WgmmaLowering::addAtOnce(SmallVector<Value> words) {
  bool areZero = op->hasAttr(kFromZeroAttr);
  unsigned count = wordsOfThread();
  if (areZero)
    inlinePtx(builder, /*result=*/{}, {}, kFence, "~{memory}");
  else
    // Constants, too, are in their registers in front of the fence, which the instructions want.
    words = through(program, words, kFence);
  SmallVector<Value> fragments;
  for (size_t first = 0; first < words.size(); first += count)
    fragments.push_back(areZero ? undefinedSums(words[0].getType())
                                : structOf(ArrayRef(words).slice(first, count)));
  for (uint64_t step = 0; step < op.getInner() / mma.k; ++step)
    for (auto [index, fragment] : llvm::enumerate(fragments))
      fragment = issue(fragment, live[index * sumsOfThread()], step, /*adds=*/!areZero || step > 0);
  NVVM::WgmmaGroupSyncAlignedOp::create(builder);
  words.clear();
  for (Value fragment : fragments)
    llvm::append_range(words, membersOf(builder, fragment, count));
  return op->hasAttr(kInFlightAttr) ? words : waitFor(program, words);
}

/// Adds the sums of so many products at a time as may be less exact, of one fragment after the
/// other.
SmallVector<Value> WgmmaLowering::addPromoted(SmallVector<Value> sums) {
  unsigned count = sumsOfThread();
  uint64_t steps = op.getInner() / mma.k,
           atOnce = std::max<uint64_t>(*op.getAccumulate() / mma.k, 1);
  for (uint64_t begin = 0; begin < steps; begin += atOnce)
    for (size_t first = 0; first < sums.size(); first += count) {
      inlinePtx(builder, /*result=*/{}, {}, kFence, "~{memory}");
      Value fragment = undefinedSums(builder.getF32Type());
      for (uint64_t step = begin; step < std::min(begin + atOnce, steps); ++step)
        fragment = issue(fragment, live[first], step, /*adds=*/step != begin);
      NVVM::WgmmaGroupSyncAlignedOp::create(builder);
      SmallVector<Value> parts = waitFor(program, membersOf(builder, fragment, count));
      for (auto [i, part] : llvm::enumerate(parts))
        sums[first + i] = arith::AddFOp::create(builder, sums[first + i], part,
                                                arith::FastMathFlags::contract);
    }
  return sums;
}

Value WgmmaLowering::run(Value held, Value acc) {
  // One number for the whole warp, as the instruction wants its descriptors.
  group = program.shuffleFrom(program.warp(), program.i32(0));
  Value first = firstUnit();
  if (left.memory)
    describe(left, first);
  else
    heldWords = wordsOfElements(program, program.elementsOf(held));
  describe(right, first);
  SmallVector<Value> sums = program.elementsOf(acc);
  if (isPromoted(op))
    return program.vectorOf(addPromoted(sums));
  Type type = op.getType().getElementType();
  return program.vectorOf(sumsOf(program, addAtOnce(wordsOf(program, sums)), type));
}

void fsm::gpu::limitProducts(DeviceProgram &program, uint32_t pending) {
  std::string text = (kWait + std::to_string(pending) + ";").str();
  inlinePtx(program.builder, /*result=*/{}, {}, text, "~{memory}");
}

Value fsm::gpu::multiplyByWgmma(DeviceProgram &program, SharedDotOp op, const MmaInstruction &mma,
                                Value held, Value acc, const FactorSlots &slots) {
  RankedTensorType type = op.getType();
  bool isTwo = type.getRank() == 2 && areFragments(linearLayoutOf(type), mma);
  WgmmaLowering lowering(program, op, mma, slots);
  if (!isTwo || failed(lowering.findFactors())) {
    op.emitOpError("expected whole fragments and tiles of ") << mma.name() << " in its blocks";
    return {};
  }
  return lowering.run(held, acc);
}
