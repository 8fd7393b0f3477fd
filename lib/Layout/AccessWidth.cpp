//===- AccessWidth.cpp - How wide a global access may be -----------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Layout/AccessWidth.h"

using namespace fsm;

AccessWidth fsm::widestAccess(const LinearLayout &layout, const AccessFacts &facts,
                              unsigned elementBytes, unsigned maxBytes) {
  const BitSpace &block = layout.to();
  BitMatrix registers = BitMatrix::fromColumns(layout.basesOf(Dim::Register), block.bits());
  AccessWidth access;
  access.bytes = elementBytes;
  for (unsigned bit = 0; bit < block.bitsOf(blockDim(facts.dim)); ++bit) {
    unsigned bytes = access.bytes * 2;
    if (bytes > maxBytes || access.vector * 2 > facts.contiguity || facts.alignmentBytes % bytes)
      break;
    std::optional<uint64_t> step =
        registers.solve(block.place(blockDim(facts.dim), uint64_t(1) << bit));
    if (!step)
      break;
    for (size_t i = 0; i < access.vector; ++i)
      access.registers.push_back(access.registers[i] ^ *step);
    access.vector *= 2;
    access.bytes = bytes;
  }
  access.isCut = block.extentOf(blockDim(facts.dim)) % access.vector != 0;
  return access;
}
