//===- LayoutPart.cpp - What holds a part of a block ---------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Layout/LayoutPart.h"

using namespace fsm;

/// The bits of coordinates that lead out of the part; nothing where that is none of its kind.
static std::optional<uint64_t> bitsBeyond(const BitSpace &block, const Extents &extents,
                                          const Extents &first) {
  uint64_t beyond = 0;
  for (unsigned dim = 0; dim < extents.size(); ++dim) {
    uint64_t whole = block.extentOf(blockDim(dim)), extent = extents[dim];
    if (extent == whole && first[dim] == 0)
      continue;
    if (extent == 0 || (extent & (extent - 1)) || extent > whole || first[dim] % extent ||
        first[dim] + extent > whole)
      return std::nullopt;
    uint64_t all = (uint64_t(1) << block.bitsOf(blockDim(dim))) - 1;
    beyond |= block.place(blockDim(dim), all & ~(extent - 1));
  }
  return beyond;
}

std::optional<LayoutPart> fsm::partOf(const LinearLayout &threads, const Extents &extents,
                                      const Extents &first) {
  const BitSpace &block = threads.to(), &from = threads.from();
  std::optional<uint64_t> beyond = bitsBeyond(block, extents, first);
  if (!beyond)
    return std::nullopt;
  uint64_t wanted = 0;
  for (unsigned dim = 0; dim < extents.size(); ++dim)
    wanted |= block.place(blockDim(dim), first[dim]);
  BitSpace part = BitSpace::block(extents);
  auto inPart = [&](uint64_t base) {
    uint64_t image = 0;
    for (unsigned dim = 0; dim < extents.size(); ++dim)
      image |= part.place(blockDim(dim), block.get(base, blockDim(dim)));
    return image;
  };
  // Registers that lead to another part are set or not for all of this one.
  std::vector<uint64_t> bases, steps;
  uint64_t begin = 0, reached = 0;
  std::vector<uint64_t> registers = threads.basesOf(Dim::Register);
  for (size_t bit = 0; bit < registers.size(); ++bit) {
    uint64_t base = registers[bit];
    if (!(base & *beyond)) {
      bases.push_back(inPart(base));
      steps.push_back(uint64_t(1) << bit);
      continue;
    }
    if (base & (base - 1))
      return std::nullopt;
    reached |= base;
    begin |= wanted & base ? uint64_t(1) << bit : 0;
  }
  const auto kept = static_cast<unsigned>(bases.size());
  for (uint64_t base : threads.basesOf({Dim::Lane, Dim::Warp, Dim::Cta})) {
    if (base & *beyond)
      return std::nullopt;
    bases.push_back(inPart(base));
  }
  if ((wanted & ~reached) || from.bitsOf(Dim::Cta))
    return std::nullopt;
  LayoutPart result{LinearLayout(BitSpace::threads(kept, from.bitsOf(Dim::Lane), from.bitsOf(Dim::Warp), 0),
                                 part, std::move(bases)),
                    {}};
  for (uint64_t reg = 0; reg < uint64_t(1) << kept; ++reg) {
    uint64_t own = begin;
    for (unsigned bit = 0; bit < kept; ++bit)
      own |= reg >> bit & 1 ? steps[bit] : 0;
    result.registers.push_back(own);
  }
  return result;
}
