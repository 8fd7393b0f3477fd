//===- IntegerFunctions.cpp - Integers, and bits of floats ----------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Libdevice.h"

using namespace mlir;
using namespace fsm;

//===----------------------------------------------------------------------===//
// Bits of floats
//===----------------------------------------------------------------------===//

static Term writeAsInteger(ArrayRef<Term> x) { return asInteger(x[0]); }
static Term writeAsFloat(ArrayRef<Term> x) { return asFloat(x[0]); }
static Term writeUpperHalf(ArrayRef<Term> x) { return toInteger(asInteger(x[0]) >> 32, 32); }
static Term writeLowerHalf(ArrayRef<Term> x) { return toInteger(asInteger(x[0]), 32); }
static Term writeOfHalves(ArrayRef<Term> x) {
  return asFloat(toInteger(x[0], 64) << 32 | toInteger(x[1], 64, /*isSigned=*/false));
}

//===----------------------------------------------------------------------===//
// Integers
//===----------------------------------------------------------------------===//

static Term writeAbs(ArrayRef<Term> x) { return abs(x[0]); }

/// (x + y) / 2 without a 33rd bit: what both have, and half of what one has.
static Term writeHalfSum(ArrayRef<Term> x) {
  return (x[0] & x[1]) + shiftedWithSign(x[0] ^ x[1], 1);
}
static Term writeUnsignedHalfSum(ArrayRef<Term> x) { return (x[0] & x[1]) + ((x[0] ^ x[1]) >> 1); }
/// The same, halves up.
static Term writeRoundedHalfSum(ArrayRef<Term> x) {
  return (x[0] | x[1]) - shiftedWithSign(x[0] ^ x[1], 1);
}
static Term writeUnsignedRoundedHalfSum(ArrayRef<Term> x) {
  return (x[0] | x[1]) - ((x[0] ^ x[1]) >> 1);
}

static Term writeDistanceAndSum(ArrayRef<Term> x) {
  return apply("arith.maxsi", {x[0], x[1]}) - apply("arith.minsi", {x[0], x[1]}) + x[2];
}
static Term writeUnsignedDistanceAndSum(ArrayRef<Term> x) {
  return apply("arith.maxui", {x[0], x[1]}) - apply("arith.minui", {x[0], x[1]}) + x[2];
}

static Term writeProductOf24(ArrayRef<Term> x) {
  return shiftedWithSign(x[0] << 8, 8) * shiftedWithSign(x[1] << 8, 8);
}
static Term writeUnsignedProductOf24(ArrayRef<Term> x) {
  return (x[0] & 0xffffff) * (x[1] & 0xffffff);
}

/// The upper half of the unsigned product has so much too much where a factor is negative.
static Term writeUpperProduct(ArrayRef<Term> x) {
  Term high = apply("fsm.umulhi", {x[0], x[1]});
  return high - select(x[0] < 0, x[1], 0) - select(x[1] < 0, x[0], 0);
}

/// Neighbours change places: single bits, pairs, and so on.
static Term writeReversed(ArrayRef<Term> operands) {
  Term x = operands[0];
  constexpr uint64_t masks[] = {0x5555555555555555, 0x3333333333333333, 0x0f0f0f0f0f0f0f0f,
                                0x00ff00ff00ff00ff, 0x0000ffff0000ffff, 0x00000000ffffffff};
  for (unsigned step = 0; (2u << step) <= x.bits(); ++step) {
    auto mask = static_cast<int64_t>(x.bits() == 64 ? masks[step] : masks[step] & 0x7fffffff);
    Term by = x.like(int64_t(1) << step);
    // Of 32 bits no mask of a lower half has the uppermost one.
    x = (x & mask) << by | ((x >> by) & mask);
  }
  return x;
}

/// Bytes of two words: the lower three bits of each of four nibbles say which.
static Term writeBytes(ArrayRef<Term> x) {
  Term whole =
      toInteger(x[1], 64, /*isSigned=*/false) << 32 | toInteger(x[0], 64, /*isSigned=*/false);
  Term result = x[0].like(0);
  for (int byte = 0; byte < 4; ++byte) {
    Term place = toInteger((x[2] >> 4 * byte & 7) << 3, 64);
    result = result | (toInteger(whole >> place, 32) & 0xff) << 8 * byte;
  }
  return result;
}

/// From 1 on; 0 of 0.
static Term writeFirstBit(ArrayRef<Term> x) {
  Term first = apply("math.cttz", {x[0]}) + 1;
  return toInteger(select(x[0] == 0, 0, first), 32);
}
static Term writeLeadingZeros(ArrayRef<Term> x) {
  return toInteger(apply("math.ctlz", {x[0]}), 32);
}
static Term writeOnes(ArrayRef<Term> x) { return toInteger(apply("math.ctpop", {x[0]}), 32); }

ArrayRef<LibraryFunction> fsm::integerFunctions() {
  static const LibraryFunction functions[] = {
      {"abs", "ii", writeAbs},
      {"brev", "ii", writeReversed},
      {"brevll", "ll", writeReversed},
      {"byte_perm", "iiii", writeBytes},
      {"clz", "ii", writeLeadingZeros},
      {"clzll", "il", writeLeadingZeros},
      {"double2hiint", "id", writeUpperHalf},
      {"double2loint", "id", writeLowerHalf},
      {"double_as_longlong", "ld", writeAsInteger},
      {"ffs", "ii", writeFirstBit},
      {"ffsll", "il", writeFirstBit},
      {"float_as_int", "if", writeAsInteger},
      {"float_as_uint", "if", writeAsInteger},
      {"hadd", "iii", writeHalfSum},
      {"hiloint2double", "dii", writeOfHalves},
      {"int_as_float", "fi", writeAsFloat},
      {"llabs", "ll", writeAbs},
      {"longlong_as_double", "dl", writeAsFloat},
      {"mul24", "iii", writeProductOf24},
      {"mul64hi", "lll", writeUpperProduct},
      {"mulhi", "iii", writeUpperProduct},
      {"popc", "ii", writeOnes},
      {"popcll", "il", writeOnes},
      {"rhadd", "iii", writeRoundedHalfSum},
      {"sad", "iiii", writeDistanceAndSum},
      {"uhadd", "iii", writeUnsignedHalfSum},
      {"uint_as_float", "fi", writeAsFloat},
      {"umul24", "iii", writeUnsignedProductOf24},
      {"urhadd", "iii", writeUnsignedRoundedHalfSum},
      {"usad", "iiii", writeUnsignedDistanceAndSum},
  };
  return functions;
}
