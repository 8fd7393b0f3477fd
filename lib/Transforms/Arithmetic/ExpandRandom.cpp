//===- ExpandRandom.cpp - Philox as integer arithmetic -------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Philox-4x32-10 (J. Salmon et al., "Parallel random numbers: as easy as 1, 2, 3",
// SC 2011, section 4.3). A round takes the counter (c0, c1, c2, c3) and the key
// (k0, k1) to
//
//   (hi(M1 c2) ^ c1 ^ k0, lo(M1 c2), hi(M0 c0) ^ c3 ^ k1, lo(M0 c0))
//
// with hi and lo the halves of a product of 64 bits. Before each of the nine rounds
// after the first, the Weyl constants are added to the key.

#include "fsm/Transforms/Passes.h"

#include "mlir/Dialect/Arith/Utils/Utils.h"

#include <array>

namespace fsm {
#define GEN_PASS_DEF_EXPANDRANDOMPASS
#include "fsm/Transforms/Passes.h.inc"
} // namespace fsm

using namespace mlir;
using namespace fsm;

static constexpr int kRounds = 10;
static constexpr std::array<int64_t, 2> kMultipliers = {0xD2511F53, 0xCD9E8D57};
static constexpr std::array<int64_t, 2> kWeyl = {0x9E3779B9, 0xBB67AE85};

static Value number(OpBuilder &builder, Location loc, Type type, int64_t value) {
  APInt bits = APInt(64, static_cast<uint64_t>(value));
  bits = bits.trunc(elementTypeOf(type).getIntOrFloatBitWidth());
  return createScalarOrSplatConstant(builder, loc, type, bits);
}

namespace {
/// The halves of a product of two 32-bit words.
struct Product {
  Value high, low;
};
} // namespace

static Product multiply(OpBuilder &builder, Location loc, Value word, int64_t factor) {
  Value by = number(builder, loc, word.getType(), factor);
  return {UMulHiOp::create(builder, loc, word, by), arith::MulIOp::create(builder, loc, word, by)};
}

static Value exclusiveOr(OpBuilder &builder, Location loc, Value a, Value b, Value c) {
  Value pair = arith::XOrIOp::create(builder, loc, a, b);
  return arith::XOrIOp::create(builder, loc, pair, c);
}

static void expand(PhiloxOp op) {
  OpBuilder builder(op);
  Location loc = op.getLoc();
  std::array<Value, 4> counter = {op.getCounter0(), op.getCounter1(), op.getCounter2(),
                                  op.getCounter3()};
  std::array<Value, 2> key = {op.getKey0(), op.getKey1()};
  for (int round = 0; round < kRounds; ++round) {
    for (size_t word = 0; word < key.size() && round > 0; ++word) {
      Value step = number(builder, loc, key[word].getType(), kWeyl[word]);
      key[word] = arith::AddIOp::create(builder, loc, key[word], step);
    }
    Product first = multiply(builder, loc, counter[0], kMultipliers[0]);
    Product second = multiply(builder, loc, counter[2], kMultipliers[1]);
    counter = {exclusiveOr(builder, loc, second.high, counter[1], key[0]), second.low,
               exclusiveOr(builder, loc, first.high, counter[3], key[1]), first.low};
  }
  op->replaceAllUsesWith(ValueRange(counter));
  op->erase();
}

namespace {
struct ExpandRandom : fsm::impl::ExpandRandomPassBase<ExpandRandom> {
  void runOnOperation() override {
    SmallVector<PhiloxOp> found;
    getOperation().walk([&](PhiloxOp op) { found.push_back(op); });
    for (PhiloxOp op : found)
      expand(op);
    expanded += found.size();
  }
};
} // namespace
