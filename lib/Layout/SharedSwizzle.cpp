//===- SharedSwizzle.cpp - Shared memory without bank conflicts ----------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Layout/SharedSwizzle.h"

#include <algorithm>

using namespace fsm;

using Vectors = std::vector<uint64_t>;

static constexpr unsigned kRowBytes = kBankBytes * kBanks;

/// The lane bits that one phase spans, by the bytes of an access.
static unsigned phaseLaneBits(unsigned accessBytes, unsigned laneBits) {
  return std::min(laneBits, bitsFor(kRowBytes / std::max(accessBytes, kBankBytes)));
}

/// The images of the lanes of one phase.
static Vectors phaseLanes(const LinearLayout &threads, unsigned accessBytes) {
  Vectors lanes = threads.basesOf(Dim::Lane);
  lanes.resize(phaseLaneBits(accessBytes, static_cast<unsigned>(lanes.size())));
  return lanes;
}

/// The access by vectors of `vector` elements.
static SharedAccess accessBy(const LinearLayout &toOffset, unsigned vector, unsigned elementBytes) {
  SharedAccess access;
  access.vector = vector;
  access.bytes = vector * elementBytes;
  unsigned unit = std::max(access.bytes, kBankBytes);
  Subspace words, banks;
  for (uint64_t offset : phaseLanes(toOffset, access.bytes)) {
    // The address of the vector in units of its size, or of whole words.
    uint64_t address = (offset & ~uint64_t(vector - 1)) * elementBytes / unit;
    words.insert(address);
    banks.insert(address % (kRowBytes / unit));
  }
  unsigned laneBits = toOffset.from().bitsOf(Dim::Lane);
  access.conflicts = 1u << (words.dimension() - banks.dimension());
  access.phases = 1u << (laneBits - phaseLaneBits(access.bytes, laneBits));
  return access;
}

std::string SharedAccess::format() const {
  return std::to_string(bytes) + " bytes a lane with " + std::to_string(conflicts) + " wavefront" +
         (conflicts == 1 ? "" : "s") + " a phase";
}

SharedAccess fsm::analyseSharedAccess(const LinearLayout &threads, const LinearLayout &shared,
                                      unsigned elementBytes, unsigned maxBytes) {
  LinearLayout toOffset = shared.pseudoInverse().compose(threads);
  Subspace registers(toOffset.basesOf(Dim::Register));
  SharedAccess best = accessBy(toOffset, 1, elementBytes);
  for (unsigned vector = 1; vector * 2 * elementBytes <= maxBytes && registers.contains(vector);) {
    vector *= 2;
    SharedAccess wider = accessBy(toOffset, vector, elementBytes);
    // Wavefronts for one element, times the product of the vectors.
    unsigned mine = best.phases * best.conflicts * vector;
    unsigned others = wider.phases * wider.conflicts * best.vector;
    if (others < mine || (others == mine && wider.conflicts <= best.conflicts))
      best = wider;
  }
  return best;
}

namespace {

/// A subspace with the basis it was given, not the reduced one.
class Directions {
public:
  /// The span of `vectors` modulo that of `ignored`.
  Directions(const Vectors &vectors, const Vectors &ignored) : span(ignored) {
    for (uint64_t vector : vectors)
      insert(vector);
  }
  bool insert(uint64_t vector) {
    if (!span.insert(vector))
      return false;
    list.push_back(vector);
    return true;
  }
  /// Takes vectors of `from` until there are `count` of them.
  void extend(const Vectors &from, size_t count) {
    for (uint64_t vector : from)
      if (list.size() < count)
        insert(vector);
  }
  const Vectors &basis() const { return list; }

private:
  Subspace span;
  Vectors list;
};

/// The construction of findSwizzle(), step by step.
class SwizzleSearch {
public:
  SwizzleSearch(const LinearLayout &writer, const LinearLayout &reader, unsigned elementBytes,
                unsigned maxBytes)
      : writer(writer), reader(reader), elementBytes(elementBytes), maxBytes(maxBytes),
        elements(Directions(writer.basesOf({Dim::Register, Dim::Lane, Dim::Warp}), {}).basis()) {
    chooseVector();
  }

  Vectors offsets() {
    unsigned accessBytes = elementBytes << vector.size();
    // The side that gains more by it goes by wider vectors.
    Vectors byWriter = widening(writer, accessBytes), byReader = widening(reader, accessBytes);
    bool readerIsWider = byReader.size() > byWriter.size();
    const Vectors &extra = readerIsWider ? byReader : byWriter;
    const LinearLayout &wide = readerIsWider ? reader : writer;
    Vectors lanes = phaseLanes(readerIsWider ? writer : reader, accessBytes);
    size_t whole = Directions(elements, vector).basis().size();
    size_t rowBits = std::min<size_t>(whole, bitsFor(kRowBytes / accessBytes));
    a = Directions(joined(extra, phaseLanes(wide, accessBytes << extra.size())), vector).basis();
    b = Directions(lanes, vector).basis();
    pairUp(rowBits);
    // A basis of A, the wider vector first, or else the intersection of A and B.
    Vectors row = Directions(joined(extra, a), vector).basis();
    return joined(joined(vector, row), segments);
  }

private:
  /// V: what the registers of both span, as far as one access reaches.
  void chooseVector() {
    vector = intersectSpans(writer.basesOf(Dim::Register), reader.basesOf(Dim::Register));
    std::sort(vector.begin(), vector.end());
    size_t limit = 0;
    while ((elementBytes << (limit + 1)) <= maxBytes)
      ++limit;
    vector.resize(std::min(vector.size(), limit));
  }

  /// What one side's registers hold beyond V, as far as one access of it reaches.
  Vectors widening(const LinearLayout &threads, unsigned accessBytes) const {
    if (accessBytes < kBankBytes)
      return {};
    Vectors extra = Directions(threads.basesOf(Dim::Register), vector).basis();
    extra.resize(std::min<size_t>(extra.size(), bitsFor(maxBytes / accessBytes)));
    return extra;
  }

  /// Extends A and B to the size of a row and finds S, their common complement
  /// modulo V. Leaves the basis of their intersection first in both.
  void pairUp(size_t rowBits) {
    Directions left(a, vector), right(b, vector);
    left.extend(elements, rowBits);
    right.extend(left.basis(), rowBits);
    right.extend(elements, rowBits);
    Vectors withA = left.basis(), withB = right.basis();
    withA.insert(withA.end(), vector.begin(), vector.end());
    withB.insert(withB.end(), vector.begin(), vector.end());
    Vectors both = Directions(intersectSpans(withA, withB), vector).basis();
    Directions newA(both, vector), newB(both, vector);
    newA.extend(left.basis(), rowBits);
    newB.extend(right.basis(), rowBits);
    a = newA.basis();
    b = newB.basis();
    Directions complement(elements, joined(joined(vector, a), b));
    segments.clear();
    for (size_t i = both.size(); i < a.size(); ++i)
      segments.push_back(a[i] ^ b[i]);
    segments = joined(segments, complement.basis());
  }

  static Vectors joined(Vectors left, const Vectors &right) {
    left.insert(left.end(), right.begin(), right.end());
    return left;
  }

  const LinearLayout &writer, &reader;
  unsigned elementBytes, maxBytes;
  Vectors elements, vector, a, b, segments;
};

} // namespace

LinearLayout fsm::findSwizzle(const LinearLayout &writer, const LinearLayout &reader,
                              unsigned elementBytes, unsigned maxBytes) {
  Vectors offsets = SwizzleSearch(writer, reader, elementBytes, maxBytes).offsets();
  BitSpace from = BitSpace::offsets(static_cast<unsigned>(offsets.size()));
  return LinearLayout(std::move(from), writer.to(), std::move(offsets));
}
