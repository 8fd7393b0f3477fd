//===- ChooseWarps.cpp - How many threads a program gets -----------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// 1. The words of a program are the 32-bit words of its largest block: what is computed
//    on demand does not count, for it is spread over no registers of its own.
// 2. It gets a warp for each 32 words of 32 lanes, a power of two of them; when its threads
//    exchange nothing, for each 4 words.
// 3. Where that leaves a thread more to hold at a time than it has registers, it gets more.
// 4. Where no number of warps does, it gets a cluster of ctas: those of 8 warps, up to 8 of them, then
//    with twice as much for each thread where two such ctas fit a multiprocessor, up to 16 of them,
//    then, of more than these hold, 16 ctas of 8 warps whose threads hold what they have registers for, then more
//    warps, then 16 ctas.
//    So are the 32 warps of one cta where they exchange: 8 of each of 4 ctas, and where elements of less than a word
//    are loaded one by one up to 16 where several blocks are loaded. Of 16 such warps there are 8.
//    Rows of at most two blocks, loaded by vectors, are on clusters of 4 warps a cta from 8 warps on.
//    And where a cta loads blocks of less than words by vectors, 2 warps are 4, and 4 are 8; where it waits for several, up to 16.
// 5. Where fsm.spread says that there are few programs, a large block begins with as many ctas as the GPU
//    has multiprocessors for, and has more where 3 and 4 say so.
// 6. Programs of one warp share a cta, when nobody else owns the grid, unless they are rows whose threads hold 32 words, or
//    stored rows of more than 1.5 KB.

#include "fsm/Transforms/Passes.h"

#include "LayoutPlan.h"
#include "ProgramLoads.h"
#include "ProgramPlaces.h"

#include "../TargetOption.h"

#include "fsm/Analysis/Loops.h"
#include "fsm/Analysis/MemoryOrder.h"
#include "fsm/Analysis/MmaPlan.h"
#include "fsm/Analysis/ResourceEstimate.h"

namespace fsm {
#define GEN_PASS_DEF_CHOOSEWARPSPASS
#include "fsm/Transforms/Passes.h.inc"
} // namespace fsm

using namespace mlir;
using namespace fsm;

/// Measured best on an H200 for rows of softmax: more values a thread are fewer loads in
/// flight, fewer are more barriers. Threads that never wait for one another gain nothing by
/// holding much: one access of 16 bytes was best for sums of vectors.
static constexpr uint64_t kWordsPerThread = 32, kWordsPerLoneThread = 4;
/// Of rows that are stored more than so many bytes for each warp are enough on their way with as many ctas as a
/// multiprocessor can have; with fewer, four rows a cta are better (docs/decisions/0224-ctas-of-one-warp.md).
static constexpr uint64_t kBytesOfStoredRow = 1536;
/// Numbers that each thread computes for itself, as the keys of a random block, which more values a
/// thread share; from so many on four times the values are better, of f16 and bf16, which are
/// computed with as f32 and are half as many bytes
/// (docs/decisions/0188-what-threads-compute-once.md).
static constexpr unsigned kManyScalars = 16, kMoreValues = 4;
/// Each warp reads all rows and columns of its sums: more sums a thread are fewer reads. Threads
/// have registers for many beside factors that are copied by vectors, and for fewer beside those
/// that wait in registers until they are stored; a factor that is loaded is so many words at most.
/// Of groups of four warps each reads its rows and columns once.
static constexpr uint64_t kWordsPerThreadOfMma = 64, kSumsPerThread = 128,
                          kWordsPerThreadOfGroup = 128;
/// A warp with the sums of two, and another three programs in its cta, was slower
/// (docs/decisions/0202).
static constexpr uint64_t kLeastThreadsOfSums = 2 * kWarpThreads;
static constexpr unsigned kMaxWarps = 32, kPackedPrograms = 4;
/// Clusters of more ctas than the portable number have to fit a part of the GPU that has fewer.
static constexpr unsigned kMaxCtas = 16, kWarpsOfClustered = 8, kLeastClustered = 4;
/// Elements of a thread that are loaded one by one: of the rows of one cta at most, and of each of several blocks on
/// a cluster (docs/decisions/0110).
static constexpr uint64_t kMostOfLoneCta = 50, kFewOfEach = 16;
/// Blocks beside which one cta stays alone: a row, and two that all rows share.
static constexpr unsigned kManyBlocks = 3;
/// Warps of a cta that meet soon, and of one instead of which rows of less than words are on several such.
static constexpr unsigned kFewWarps = 4, kLeastWarpsOfRow = 16;
/// Of rows of several blocks.
static constexpr uint64_t kMostDoubled = 8;
/// Elements of a block that a cta has at least where others are there for the rest.
static constexpr int64_t kLeastOfCta = 4096;
/// Of the largest block, held as a whole or not: more are long code.
static constexpr uint64_t kMostWords = 128;

/// Whether a lone thread has much to compute that is the same for all its values, and little to load
/// and store: numbers of less than a word.
static bool sharesScalars(KernelOp kernel) {
  unsigned scalars = 0;
  bool isNarrow = true;
  for (Operation &op : kernel.getBody().front()) {
    bool isScalar = op.getNumResults() == 1 && op.getResult(0).getType().isIntOrFloat();
    scalars += isScalar && isa<arith::ArithDialect>(op.getDialect()) && !isa<arith::ConstantOp>(op);
    auto access = dyn_cast<GlobalAccess>(op);
    auto block = access ? dyn_cast<RankedTensorType>(access.getAccessedType()) : RankedTensorType();
    isNarrow &= !block || bytesOf(block.getElementType()) < kWordBytes;
  }
  return isNarrow && scalars >= kManyScalars;
}

namespace {
/// What threads do together.
struct Exchanges {
  bool hasProduct = false, hasMma = false, hasGroups = false, hasOther = false, hasScalars = false;

  Exchanges(KernelOp kernel, const GpuTarget &target) {
    kernel.getBody().walk([&](Operation *op) {
      auto dot = dyn_cast<DotOp>(op);
      const MmaInstruction *mma = dot ? findMma(dot, target) : nullptr;
      hasProduct |= dot != nullptr;
      hasMma |= mma != nullptr;
      hasGroups |= mma && mma->isOfWarpGroup();
      hasOther |= dot ? !mma : isa<AlongAxis>(op);
    });
    hasScalars = sharesScalars(kernel);
  }

  /// Whether warps multiply one by one, and do nothing else together.
  bool onlyMultiply() const { return hasMma && !hasGroups && !hasOther; }

  uint64_t wordsPerThread() const {
    if (hasMma && !hasOther)
      return hasGroups ? kWordsPerThreadOfGroup : kWordsPerThreadOfMma;
    return hasOther ? kWordsPerThread : kWordsPerLoneThread * (hasScalars ? kMoreValues : 1);
  }
};
} // namespace

namespace {
/// Where a program runs: warps of each cta.
struct Place {
  uint64_t warps = 1, ctas = 1;
  /// What a thread may take at most; 0 where that is not said.
  unsigned registers = 0;
  uint64_t threads() const { return warps * ctas * kWarpThreads; }
};

/// Chooses one for a kernel.
class PlaceChooser {
public:
  PlaceChooser(KernelOp kernel, const GpuTarget &target)
      : kernel(kernel), target(target), exchanges(kernel, target), words(largestHeldWords(kernel)),
        narrowWords(exchanges.hasGroups ? registersOfNarrowLoads(kernel) : 0) {}

  Place choose() const {
    Place one = onOneCta();
    std::optional<uint32_t> ctas = kernel.getNumCtas();
    if (ctas)
      return *ctas == 1 ? one : onCtas(*ctas);
    if (!target.features.clusters || hasProducts() || kernel->hasAttr(kPartsAttr))
      return one;
    if (std::optional<Place> narrow = placeOfNarrow(one))
      return *narrow;
    if (std::optional<Place> row = placeOfRow(one))
      return *row;
    if (std::optional<Place> shared = placeOfLoneCta(one))
      return *shared;
    uint64_t spread = spreadCtas();
    if (hasRoom(one) && spread == 1)
      return one;
    Place many = onCluster(hasRoom(one) ? spread : std::max(spread, leastCtas()));
    return hasRoom(many) ? many : one;
  }

  /// The ctas that a launch of few programs has multiprocessors for, where that is worth it.
  uint64_t spreadCtas() const {
    int64_t elements = largestBlockIn(kernel), asked = integerAttrOr(kernel, kSpreadAttr, 1);
    if (elements < kSpreadBlock)
      return 1;
    auto most = llvm::bit_floor(static_cast<uint64_t>(elements / kLeastOfCta));
    return std::min<uint64_t>({static_cast<uint64_t>(asked), most, kPortableCtas});
  }

  bool hasProducts() const { return exchanges.hasProduct; }
  bool hasRoom(Place place) const {
    return registersOver(kernel, place.threads()) +
                   llvm::divideCeil(narrowWords, place.threads()) + kOtherRegisters <=
               registersAllowed(kernel, target, place.warps) &&
           words <= kMostWords * place.threads();
  }

  /// Whether programs of one warp have enough on their way with a cta each, and end one by one: rows of words, of which
  /// threads hold as many as they want, and fewer where rows are stored as well. Of loops that has not been measured.
  bool endsAlone(Place place) const {
    LargeLoads loads(kernel);
    if (hasProducts() || !loads.count || loads.areInLoops)
      return false;
    bool isStored = exchanges.hasOther && loads.areRows && storesBlocks(kernel);
    return (isStored && loads.bytesReduced > kBytesOfStoredRow) ||
           (loads.areWords && wordsOfThread(place) >= kWordsPerThread);
  }

  /// Why a program runs on several ctas.
  StringRef reasonFor(Place place) const {
    if (spreadCtas() >= place.ctas)
      return "the launch has few programs";
    return hasRoom(onOneCta()) ? "others go on while one waits" : "one cta has too few registers for its blocks";
  }

private:
  uint64_t wordsOfThread(Place place) const { return llvm::divideCeil(words, place.threads()); }

  /// What two ctas of kWarpsOfClustered leave each thread of a multiprocessor's registers.
  unsigned registersOfClustered() const {
    return static_cast<unsigned>(registersPerThread(target, 2 * kWarpsOfClustered));
  }

  /// The threads that products want whose warps multiply one by one. Those of a factor that is
  /// computed wait for what is loaded, compute, store, and meet before they multiply, as threads
  /// that exchange do.
  uint64_t threadsOfProducts() const {
    ProductBlocks blocks(kernel);
    bool mostAreSums = blocks.areVectors && words == blocks.sums;
    uint64_t threads = llvm::divideCeil(words, kWordsPerThreadOfMma);
    if (mostAreSums)
      threads =
          std::max(llvm::divideCeil(words, kSumsPerThread), std::min(threads, kLeastThreadsOfSums));
    return std::max({threads, llvm::divideCeil(blocks.factor, kWordsPerThreadOfMma),
                     llvm::divideCeil(blocks.computed, kWordsPerThread)});
  }

  /// The warps that memory and exchanges want.
  uint64_t wantedWarps() const {
    uint64_t threads = exchanges.onlyMultiply()
                           ? threadsOfProducts()
                           : llvm::divideCeil(words, exchanges.wordsPerThread());
    return llvm::PowerOf2Ceil(llvm::divideCeil(threads, kWarpThreads));
  }

  /// At least so many warps that a thread's registers suffice; as many as wanted, where none do.
  Place withRoom(Place place) const {
    for (Place more = place; more.warps <= kMaxWarps; more.warps *= 2)
      if (hasRoom(more))
        return more;
    return place;
  }

  Place onOneCta() const {
    if (std::optional<uint32_t> warps = kernel.getNumWarps())
      return {*warps, 1};
    uint64_t least = exchanges.hasGroups ? kGroupWarps : 1;
    Place place = withRoom({std::clamp<uint64_t>(wantedWarps(), least, kMaxWarps), 1});
    if (place.warps > 1 && place.warps < kLeastWarpsOfRow && loadsNarrowVectors(/*rows=*/2))
      place.warps = std::min<uint64_t>(4 * place.warps, kLeastWarpsOfRow);
    else if (place.warps > 1 && place.warps < kMostDoubled && (loadsNarrowVectors() || holdsMuchInLoop(place)))
      place.warps *= 2;
    return place;
  }

  /// Whether blocks of less than words are loaded by vectors, in a kernel that exchanges: each thread then has as much on
  /// its way with half of the words, and computes half as long behind it (docs/decisions/0123). So of one block, unless
  /// a load waits for another one: then more programs at a time are worth more (docs/decisions/0140). Of several rows a quarter is as
  /// much: threads wait for each of them (docs/decisions/0145).
  bool loadsNarrowVectors(unsigned rows = 0) const {
    if (!exchanges.hasOther || hasProducts() || hasLoop(kernel))
      return false;
    LargeLoads loads(kernel);
    return loads.reduced >= rows && loads.areVectors &&
           loads.areNarrow && (loads.count > 1 || (loads.count == 1 && !hasChainedLoads(kernel)));
  }
  /// Whether a loop exchanges and loads several rows of words, and threads hold so much beside, as sums of columns, that few warps are
  /// there to hide one another's waits: twice as many with half of it are (docs/measurements/rows.md).
  bool holdsMuchInLoop(Place place) const {
    if (!exchanges.hasOther || hasProducts() ||
        registersOver(kernel, place.threads()) + kOtherRegisters <= registersOfClustered())
      return false;
    LargeLoads loads(kernel);
    return loads.count > 1 && loads.areWide() && loads.areRows && loads.areInLoops;
  }

  Place onCtas(uint64_t ctas) const {
    if (std::optional<uint32_t> warps = kernel.getNumWarps())
      return {*warps, ctas};
    return withRoom({std::clamp<uint64_t>(wantedWarps() / ctas, 1, kMaxWarps), ctas});
  }

  /// The ctas to begin with where one has no room.
  uint64_t leastCtas() const {
    return kernel.getNumWarps()
               ? 2
               : std::clamp<uint64_t>(wantedWarps() / kWarpsOfClustered, 2, kPortableCtas);
  }

  /// A cluster whose threads have twice the words that they would have, and is half as large, or has half
  /// as many warps, which would wait for one another: two small ctas on a multiprocessor take turns
  /// (docs/measurements/rows.md). Of narrow loads few bytes would be on their way.
  std::optional<Place> onSmallCtas() const {
    uint64_t ctas = wantedWarps() / 2 / kWarpsOfClustered;
    Place place{kWarpsOfClustered, ctas};
    if (kernel.getNumWarps() || ctas < std::max<uint64_t>(kLeastClustered, spreadCtas()) ||
        ctas > kMaxCtas || !hasRoom(place) ||
        registersOver(kernel, place.threads()) + kOtherRegisters > registersOfClustered())
      return std::nullopt;
    LargeLoads loads(kernel);
    if (ctas < kPortableCtas && !loads.areWide())
      return std::nullopt;
    // ptxas begins loads of other blocks early where it has registers, and keeps them in memory where
    // it has not.
    if (loads.count == 1)
      place.registers = registersOfClustered();
    return place;
  }

  /// Where threads wait for elements of less than a word, which are loaded one by one, and exchange: eight warps
  /// of one cta instead of sixteen, while they hold few enough that two such ctas fit a multiprocessor; and of
  /// several instead of one that has the most, beside which there is nothing else. Of one block four, whose exchanges
  /// are shorter; of more as many as leave a thread few of each (docs/decisions/0110).
  std::optional<Place> placeOfNarrow(Place one) const {
    NarrowLoads loads(kernel);
    if (kernel.getNumWarps() || !exchanges.hasOther || !loads.areOneByOne)
      return std::nullopt;
    Place place{kWarpsOfClustered, 1};
    if (one.warps == 2 * kWarpsOfClustered) {
      if (loads.most > kMostOfLoneCta * place.threads())
        return std::nullopt;
    } else if (one.warps == kMaxWarps) {
      uint64_t few = llvm::divideCeil(loads.most, kFewOfEach * place.threads());
      place.ctas = kMaxWarps / kWarpsOfClustered;
      if (loads.count > 1)
        place.ctas = std::clamp<uint64_t>(llvm::PowerOf2Ceil(few), place.ctas, kMaxCtas);
    } else {
      return std::nullopt;
    }
    return spreadCtas() > place.ctas || !hasRoom(place) ? std::nullopt : std::optional(place);
  }

  /// Of narrow numbers: two ctas of four warps where one would have 16, four where several rows are loaded. So of one row that would
  /// have 8 warps with 32 words a thread, if it is stored: where nothing is, more programs at a time are worth more
  /// (docs/decisions/0145). Others have not been measured to gain.
  uint64_t ctasOfNarrowRow(const LargeLoads &loads) const {
    uint64_t warps = wantedWarps();
    bool areSeveral = loads.reduced > 1, isFull = wordsOfThread({warps, 1}) >= kWordsPerThread;
    if (warps == kLeastWarpsOfRow)
      return areSeveral ? 4 : 2;
    return warps == kWarpsOfClustered && isFull && !areSeveral && storesBlocks(kernel) ? 2 : 1;
  }

  /// Of rows whose warps would be 8 or more, ctas of four warps: these meet sooner, and more ctas take turns on a
  /// multiprocessor. 32 words a thread on up to eight ctas, then of eight warps as long as they hold no more, for 16 ctas run
  /// only where a part of the GPU has as many free; then these, and threads hold what they have registers for, all blocks
  /// together, for ptxas begins loads early (docs/decisions/0140).
  std::optional<Place> placeOfRow(Place one) const {
    if (kernel.getNumWarps() || !exchanges.hasOther || one.warps < kWarpsOfClustered)
      return std::nullopt;
    LargeLoads loads(kernel);
    if (!loads.count || loads.count >= kManyBlocks || !loads.areVectors || !loads.areRows || loads.areInLoops)
      return std::nullopt;
    Place place{kFewWarps, 1};
    if (loads.areNarrow && hasRoom(one)) {
      place.ctas = ctasOfNarrowRow(loads);
      if (place.ctas == 1)
        return std::nullopt;
    } else if (loads.areWords) {
      uint64_t few = llvm::PowerOf2Ceil(llvm::divideCeil(words, kWordsPerThread * place.threads()));
      bool isPortable = few <= 2 * kPortableCtas;
      place.ctas = isPortable ? std::min<uint64_t>(few, kPortableCtas) : kMaxCtas;
      if (isPortable && few > kPortableCtas)
        place.warps *= 2;
    } else {
      return std::nullopt;
    }
    bool holdsAll = loads.count * wordsOfThread(place) <= kMostWords;
    place.registers = registersOfOneBlock(place, loads);
    return spreadCtas() > place.ctas || !holdsAll || !hasRoom(place) ? std::nullopt : std::optional(place);
  }

  /// Of one block of words of which a thread has more than it would, where they suffice. Left alone, ptxas keeps a
  /// word of a thread in memory to have fewer, or takes more, which leave a multiprocessor one cta of eight warps.
  unsigned registersOfOneBlock(Place place, const LargeLoads &loads) const {
    bool suffice = loads.count == 1 && loads.areWords && wordsOfThread(place) > kWordsPerThread &&
                   registersOver(kernel, place.threads()) + kOtherRegisters <= registersOfClustered();
    return suffice ? registersOfClustered() : 0;
  }

  /// Instead of one cta whose 32 warps have a multiprocessor for themselves, and wait for one another, four of eight
  /// warps: those of other programs go on meanwhile (docs/decisions/0131). Not where loops load, whose loads wait in
  /// registers on a cluster, nor where one block of narrow numbers is combined with two others, as in layer norm.
  std::optional<Place> placeOfLoneCta(Place one) const {
    if (kernel.getNumWarps() || !exchanges.hasOther || one.warps != kMaxWarps || !hasRoom(one))
      return std::nullopt;
    LargeLoads loads(kernel);
    Place place{kWarpsOfClustered, kMaxWarps / kWarpsOfClustered};
    if (!loads.areRows || loads.areInLoops || (!loads.areWords && loads.count >= kManyBlocks) ||
        spreadCtas() > place.ctas || !hasRoom(place))
      return std::nullopt;
    return place;
  }

  /// On so many ctas at least.
  Place onCluster(uint64_t ctas) const {
    if (std::optional<Place> small = onSmallCtas())
      return *small;
    // Few warps that hold much are faster than many: of one block two such ctas share a multiprocessor.
    Place most{kWarpsOfClustered, kMaxCtas};
    if (exchanges.hasOther && !kernel.getNumWarps() && wantedWarps() > 2 * most.warps * most.ctas && hasRoom(most)) {
      most.registers = registersOfOneBlock(most, LargeLoads(kernel));
      return most;
    }
    Place place = onCtas(ctas);
    while (ctas < kMaxCtas && !hasRoom(place))
      place = onCtas(ctas *= 2);
    return place;
  }

  mutable KernelOp kernel;
  const GpuTarget &target;
  Exchanges exchanges;
  uint64_t words, narrowWords;
};
} // namespace

bool fsm::hasPlace(KernelOp kernel, const GpuTarget &target) {
  PlaceChooser chooser(kernel, target);
  return chooser.hasProducts() || chooser.hasRoom(chooser.choose());
}

namespace {
struct ChooseWarps : fsm::impl::ChooseWarpsPassBase<ChooseWarps> {
  using ChooseWarpsPassBase::ChooseWarpsPassBase;

  void runOnOperation() override {
    KernelOp kernel = getOperation();
    const GpuTarget *gpu = targetOrError(kernel, target);
    if (!gpu)
      return signalPassFailure();
    PlaceChooser chooser(kernel, *gpu);
    Place place = chooser.choose();
    if (place.ctas > 1 && chooser.hasProducts()) {
      kernel.emitError() << "asks for " << place.ctas
                         << " ctas, over which products of matrices are not spread yet: leave out "
                            "'num_ctas'";
      return signalPassFailure();
    }
    if (remarks && place.ctas > 1 && !kernel.getNumCtas())
      kernel.emitRemark() << "runs a program on a cluster of " << place.ctas << " ctas of "
                          << place.warps << " warps: "
                          << chooser.reasonFor(place);
    kernel.setNumWarps(static_cast<unsigned>(place.warps));
    if (place.ctas > 1)
      kernel.setNumCtas(static_cast<unsigned>(place.ctas));
    if (place.registers && !kernel.getMaxRegisters())
      kernel.setMaxRegisters(place.registers);
    bool shares = packPrograms && place.warps == 1 && place.ctas == 1;
    shares = shares && !chooser.endsAlone(place);
    // Those of which ctas share a loop are clusters.
    shares &= !kernel->hasAttr(kPartsAttr);
    Builder builder(kernel.getContext());
    kernel->setAttr(kProgramsPerCtaAttr, builder.getI32IntegerAttr(shares ? kPackedPrograms : 1));
  }
};
} // namespace
