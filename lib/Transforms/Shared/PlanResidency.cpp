//===- PlanResidency.cpp - How many CTAs a multiprocessor is to hold ------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Transforms/Passes.h"

#include "../TargetOption.h"

#include "fsm/Analysis/Loops.h"
#include "fsm/Analysis/ResourceEstimate.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/TypeUtilities.h"

namespace fsm {
#define GEN_PASS_DEF_PLANRESIDENCYPASS
#include "fsm/Transforms/Passes.h.inc"
} // namespace fsm

using namespace mlir;
using namespace fsm;

/// CTAs that share a multiprocessor hide one another's waits; of more than so many, one more hides
/// little.
static constexpr unsigned kMostAsked = 4;
/// What code needs beside blocks where a CTA would be alone otherwise, or loads weights early, at the least; and so much that nothing is
/// forced into fewer registers than it would have.
static constexpr uint64_t kFewOtherRegisters = 14, kManyOtherRegisters = 96;
/// What code with products needs beside blocks, in CTAs of so many threads: with that ptxas spilled
/// 16 bytes at most of 13 kernels but one, and with less in most of them (docs/decisions/0227).
static constexpr uint64_t kRegistersBesideProducts = 44;
static constexpr unsigned kThreadsBesideProducts = 128;
/// What two loads of 16 bytes bring, which ptxas has on their way in a loop that it writes out if it has the registers.
static constexpr uint64_t kLoadsAhead = 8;

/// What computing again a vector at a time takes, and what storing it as well where the assembler keeps some of it.
static constexpr uint64_t kRegistersOfComputed = 32, kRegistersOfStored = 44;
/// The same on several CTAs of few threads, where weights or labels are loaded as well: of larger ones as many have room as leave a
/// thread 80 registers anyway.
static constexpr uint64_t kRegistersOfStoredBeside = 52;
static constexpr unsigned kThreadsOfLargeCtas = 256;
static constexpr uint64_t kManyWords = 64;
/// Parts of other warps that find registers beside everything else are fewer.
static constexpr uint64_t kManyParts = 16;

namespace {
/// What a kernel needs of a multiprocessor, and how many CTAs that leaves room for.
class Residency {
public:
  Residency(KernelOp kernel, const GpuTarget &gpu)
      : kernel(kernel), gpu(gpu), needs(estimateResources(kernel)),
        held(needs.blocks.held.registers + partsRead()) {}

  /// How many CTAs the code generator shall leave registers for; 0 where it is to judge by itself.
  unsigned asked() {
    // Registers that the author limits, or that warps hand to one another, are shared out already.
    if (kernel.getMaxRegisters() || LoadRoleOp::of(kernel))
      return 0;
    // Of those that one CTA has all registers for.
    if (groupsOfWarps(kernel) > 1 && ctasWith(held + kRegistersOfSharedLoop) < 2)
      return 0;
    if (uint64_t waiting = heldNarrow()) {
      bool isPlentiful = storesBlocks(kernel) && !isHidden();
      bool isOfSmallCtas = kernel.getNumCtas().value_or(1) > 1 && threads() < kThreadsOfLargeCtas;
      uint64_t stored = isOfSmallCtas && loadsBesideRows() ? kRegistersOfStoredBeside : kRegistersOfStored;
      unsigned beside = ctasWith(waiting + (isPlentiful ? stored : kRegistersOfComputed));
      return beside > 1 ? beside : 0;
    }
    uint64_t narrow = narrowElements(), needed = held + kOtherRegisters + narrow;
    if (uint64_t beside = narrow == 0 && isPlain() && leavesRoom() ? loadedBeside() : 0)
      return std::max(ctasWith(held + beside + kFewOtherRegisters), std::min(ctasWith(needed), 2u));
    unsigned ctas = ctasWith(needed), room = ctasWith(0);
    if (room != 0 && room < ctasOfThreads() && narrow == 0 &&
        held + kManyOtherRegisters <= registersOf(room))
      return room;
    if (unsigned more = ctasWith(held + kFewOtherRegisters);
        more > std::max(ctas, 1u) && narrow == 0 && onlyReduces())
      return more;
    if (hasProduct())
      return narrow == 0 ? besideProducts() : 0;
    if (room < 2 || walksAhead())
      return 0;
    if (unsigned fewer = ctasWith(needed + kLoadsAhead); fewer > kMostAsked && loadsWideInLoop())
      return fewer;
    if (ctas < 2)
      return held + kFewOtherRegisters <= registersOf(2) ? 2 : 0;
    // Where there is more room than that, or nothing loops, the code generator judged as well when this was measured.
    bool isTight = needed + kOtherRegisters > registersOf(ctas);
    bool isCluster = kernel.getNumCtas().value_or(1) > 1;
    return ctas <= kMostAsked && isTight && hasLoop(kernel) && !isCluster && narrow == 0 ? ctas : 0;
  }

private:
  /// CTAs at a time where a thread has so many registers; of 0, where these are not counted.
  unsigned ctasWith(uint64_t registers) const {
    return classicalOccupancy(gpu, static_cast<unsigned>(registers), threads(),
                              static_cast<unsigned>(needs.sharedBytes));
  }
  unsigned ctasOfThreads() const { return classicalOccupancy(gpu, 0, threads(), 0); }
  unsigned threads() const { return static_cast<unsigned>(needs.threads); }

  /// The registers of the parts of other warps that a thread reads at once, if these are many:
  /// nobody counts them as blocks.
  uint64_t partsRead() {
    uint64_t most = 0;
    kernel.walk([&](AlongAxis op) {
      uint64_t registers = 0;
      if (!op.getExchange().empty())
        for (Value part : op.getExchange().front().front().getTerminator()->getOperands())
          registers += fsm::registersOf(cast<RankedTensorType>(part.getType()));
      most = std::max(most, registers);
    });
    return most >= kManyParts ? most : 0;
  }

  bool hasProduct() {
    return kernel.walk([](Operation *op) {
      return isa<DotOp, SharedDotOp>(op) ? WalkResult::interrupt() : WalkResult::advance();
    }).wasInterrupted();
  }

  /// How many CTAs of few warps are to share what products leave. Nobody counts the factors that
  /// wait in registers, so that a thread may have many beside its blocks, but where fewer are
  /// enough for one CTA more.
  unsigned besideProducts() {
    unsigned ctas = ctasWith(held + kRegistersBesideProducts);
    bool isMore = ctas > ctasWith(held + kManyOtherRegisters);
    bool isSmall = threads() <= kThreadsBesideProducts;
    return isSmall && isMore && ctas > 1 && ctas <= kMostAsked && !storesWhatProductsCarry() ? ctas
                                                                                             : 0;
  }

  /// Whether a loop that carries blocks on stores them beside products, as programs do that walk
  /// along a sequence: such a launch has few, often no more than there are multiprocessors. What it
  /// adds to sums in memory is no state of its own, for others add to them as well.
  bool storesWhatProductsCarry() {
    return kernel
        .walk([](scf::ForOp loop) {
          bool carries =
              llvm::any_of(loop.getInitArgs().getTypes(), llvm::IsaPred<RankedTensorType>);
          bool multiplies = false, stores = false;
          loop.getBody()->walk([&](Operation *op) {
            multiplies |= isa<DotOp, SharedDotOp>(op);
            stores |= isa<StoreOp>(op);
          });
          return carries && multiplies && stores ? WalkResult::interrupt() : WalkResult::advance();
        })
        .wasInterrupted();
  }

  /// Whether iterations that ptxas may write out load 16 bytes of a thread at once, of elements that take twice the
  /// registers when they are computed with. A loop whose first iteration is often all there is needs none of that.
  bool loadsWideInLoop() {
    return kernel.walk([](LoadOp load) {
      auto loop = dyn_cast<scf::ForOp>(load->getParentOp());
      int64_t bits = elementTypeOf(load.getType()).isIntOrFloat() ? elementTypeOf(load.getType()).getIntOrFloatBitWidth() : 64;
      bool isWide = bits < int64_t(kWordBits) && bits * integerAttrOr(load, kAccessWidthAttr, 1) >= 8 * kVectorBytes;
      return loop && loop->hasAttr(kMayUnrollAttr) && !loop->hasAttr(kPeeledAttr) && isWide ? WalkResult::interrupt() : WalkResult::advance();
    }).wasInterrupted();
  }

  /// Whether a loop carries numbers on and stores while its copies are on their way: a launch has few such programs, which need no
  /// second CTA beside them (docs/decisions/0238-loops-that-walk.md).
  bool walksAhead() {
    return kernel.walk([](scf::ForOp loop) {
      bool carriesNumbers = llvm::any_of(loop.getResultTypes(), [](Type type) { return isa<FloatType>(getElementTypeOrSelf(type)); });
      bool walks = carriesNumbers && !sharesWork(loop) && !loop.getBody()->getOps<CopyWaitOp>().empty() && !loop.getBody()->getOps<StoreOp>().empty();
      return walks ? WalkResult::interrupt() : WalkResult::advance();
    }).wasInterrupted();
  }

  /// The registers of a thread where so many CTAs share them.
  uint64_t registersOf(unsigned ctas) const {
    return registersPerThread(gpu, uint64_t(ctas) * needs.threads / kWarpThreads);
  }

  /// Whether threads exchange, and nothing loops or multiplies.
  bool isPlain() {
    bool exchanges = kernel.walk([](AlongAxis op) {
      return op.getExchange().empty() ? WalkResult::advance() : WalkResult::interrupt();
    }).wasInterrupted();
    return exchanges && !hasLoop(kernel) && !hasProduct();
  }

  /// Whether CTAs of a cluster load one block, reduce it and store none: beside that a thread has
  /// little to keep, and begins no load early (docs/decisions/0189-clusters-that-store-nothing.md).
  bool onlyReduces() {
    return kernel.getNumCtas().value_or(1) > 1 && isPlain() && blocksBeside() == 0 &&
           !storesBlocks(kernel);
  }

  /// Whether a CTA is alone, or of a cluster that the assembler gives other registers than weights want: of large CTAs, for one block of
  /// these, or for several where a thread waits with many words (docs/decisions/0162-rooms-on-clusters-and-rows-beside-labels.md).
  bool leavesRoom() {
    return kernel.getNumCtas().value_or(1) == 1 ||
           (threads() >= kThreadsOfLargeCtas && (blocksBeside() == 1 || held >= kManyWords));
  }

  /// The registers of a block that is loaded and that nothing is reduced of, as weights: with these a thread can load it while it
  /// waits for the others, instead of behind that. Of several the largest: what one more takes is worth less than a CTA
  /// (docs/decisions/0145).
  uint64_t loadedBeside() {
    uint64_t registers = 0;
    forEachBeside([&](RankedTensorType block) { registers = std::max(registers, fsm::registersOf(block)); });
    return registers;
  }

  unsigned blocksBeside() {
    unsigned blocks = 0;
    forEachBeside([&](RankedTensorType) { ++blocks; });
    return blocks;
  }

  void forEachBeside(llvm::function_ref<void(RankedTensorType block)> see) {
    kernel.walk([&](LoadOp load) {
      auto block = dyn_cast<RankedTensorType>(load.getType());
      if (block && isa_and_present<LayoutAttr>(block.getEncoding()) && !isReduced(load))
        see(block);
    });
  }

  /// Whether something is loaded that is no part of a row.
  bool loadsBesideRows() {
    return kernel.walk([](LoadOp op) {
      bool isOfRow = op->hasAttr(kRowPartAttr) && !op->hasAttr(kAnyStartAttr);
      return isOfRow ? WalkResult::advance() : WalkResult::interrupt();
    }).wasInterrupted();
  }

  /// The registers of what is computed from again: a thread waits with these.
  uint64_t heldNarrow() {
    uint64_t registers = 0;
    kernel.walk([&](RenewOp op) {
      if (!op.getSource().getDefiningOp<RenewOp>())
        registers += fsm::registersOf(op.getSource().getType());
    });
    return registers;
  }

  /// Whether the assembler keeps nothing of what is computed again.
  bool isHidden() {
    return !kernel.walk([](RenewOp op) { return op.getHidden() ? WalkResult::advance() : WalkResult::interrupt(); }).wasInterrupted();
  }

  /// Elements of less than a word that a thread loads one by one: each has an address, and a register to itself.
  uint64_t narrowElements() {
    uint64_t elements = 0;
    kernel.walk([&](LoadOp load) {
      auto block = dyn_cast<RankedTensorType>(load.getType());
      if (!block || !isa_and_present<LayoutAttr>(block.getEncoding()))
        return;
      uint64_t bits = block.getElementTypeBitWidth();
      if (bits * integerAttrOr(load, kAccessWidthAttr, 1) < kWordBits)
        elements += linearLayoutOf(block).liveRegisters().size();
    });
    return elements;
  }

  static constexpr uint64_t kWordBits = 32;
  KernelOp kernel;
  const GpuTarget &gpu;
  ResourceEstimate needs;
  uint64_t held;
};
} // namespace

namespace {
struct PlanResidency : PassForTarget<fsm::impl::PlanResidencyPassBase<PlanResidency>> {
  using PassForTarget::PassForTarget;

  LogicalResult runFor(KernelOp kernel, const GpuTarget &gpu) override {
    Residency residency(kernel, gpu);
    if (unsigned ctas = residency.asked())
      kernel->setAttr(kResidentCtasAttr, Builder(kernel).getI32IntegerAttr(ctas));
    return success();
  }
};
} // namespace
