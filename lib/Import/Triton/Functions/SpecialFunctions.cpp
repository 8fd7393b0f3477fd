//===- SpecialFunctions.cpp - Gamma and normal distributions --------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Libdevice.h"

#include "llvm/Support/MathExtras.h"

#include <limits>

using namespace mlir;
using namespace fsm;
using llvm::numbers::inv_sqrtpi;
using llvm::numbers::pi;
using llvm::numbers::sqrt2;

//===----------------------------------------------------------------------===//
// Halves of turns
//===----------------------------------------------------------------------===//

/// The sine of pi x, or the cosine, as the sine of a quarter more.
static Term sineOfHalfTurns(const Term &x, bool isCosine) {
  // Exact: from -1 to 1, and its nearest quarter.
  Term rest = x - 2 * rint(x * 0.5), quarter = rint(rest + rest);
  Term angle = (rest - quarter * 0.5) * pi;
  Term turned = isCosine ? quarter + 1 : quarter;
  Term isOdd = abs(turned) == 1;
  Term value = select(isOdd, cos(angle), sin(angle));
  Term isNegative = select(isOdd, turned, 1) < 0;
  Term isTurned = abs(turned) == 2;
  value = select(isNegative, -value, select(isTurned, -value, value));
  // Turned by three quarters: as by one back.
  return isCosine ? select(turned == 3, -cos(angle), value) : value;
}

Term fsm::sinpi(const Term &x) {
  // Zeros have the sign of x.
  Term value = sineOfHalfTurns(x, /*isCosine=*/false);
  return select(value == 0, copysign(x.like(0), x), value);
}

static Term writeSinPi(ArrayRef<Term> x) { return sinpi(x[0]); }
static Term writeCosPi(ArrayRef<Term> x) { return sineOfHalfTurns(x[0], /*isCosine=*/true); }
static Term writeExp10(ArrayRef<Term> x) { return apply("math.powf", {x[0].like(10), x[0]}); }

//===----------------------------------------------------------------------===//
// Gamma
//===----------------------------------------------------------------------===//

/// The logarithm of gamma(x) / ((x - 1) (x - 2)) from 1 to 3, in Chebyshev's polynomials of x - 2;
/// computed with mpmath in 50 digits from 64 points.
static const double logGamma[] = {
    0.882978050910028416,      -0.111195803217525223,     0.01951044826068884052,
    -0.003922461463025263987,  0.0008478989895953857402,  -0.0001915385534136559227,
    4.454470184975606376e-05,  -1.057287437359429964e-5,  2.547433687340841489e-6,
    -6.208535880776316036e-7,  1.52686773990715466e-7,    -3.782637660291326147e-8,
    9.428100823624284404e-9,   -2.361999702184644937e-9,  5.943541905817546075e-10,
    -1.501312977072866945e-10, 3.805019645811053695e-11,  -9.672485299656324607e-12,
    2.465348198355660927e-12,  -6.298868140791711483e-13, 1.612846003028378645e-13,
    -4.137949206814042088e-14, 1.063570122775789842e-14,  -2.738242078665282482e-15,
    7.060670507214892482e-16,  -1.823217714166211869e-16, 4.714169006756271594e-17,
    -1.220410731963985537e-17, 3.163045166179025377e-18};

/// Of Stirling's series, in powers of 1 / x^2, times x: B(2k) / (2k (2k - 1)).
static const double stirling[] = {1. / 12,   -1. / 360,      1. / 1260, -1. / 1680,
                                  1. / 1188, -691. / 360360, 1. / 156,  -3617. / 122400};

/// Of x above 0. The last number is log(2 pi) / 2 - 1 / 2.
static Term logGammaOfPositive(const Term &x) {
  Term isBelowOne = x < 1, isBig = x >= 8;
  Term small = select(isBelowOne, x + 1, x), product = x.like(1);
  // Down to below 3, a step at a time.
  for (int step = 0; step < 5; ++step) {
    Term isAbove = small >= 3;
    product = select(isAbove, product * (small - 1), product);
    small = select(isAbove, small - 1, small);
  }
  Term near = (small - 1) * (small - 2) * chebyshev(small - 2, logGamma);
  near = near + log(select(isBelowOne, 1 / x, product));
  Term inverse = 1 / x;
  Term far = (x - 0.5) * (log(x) - 1) +
             fma(inverse, polynomial(inverse * inverse, stirling), x.like(0.41893853320467274178));
  return select(isBig, select(x == infinity, infinity, far), near);
}

static Term writeLogGamma(ArrayRef<Term> operands) {
  const Term &x = operands[0];
  Term size = abs(x), positive = logGammaOfPositive(select(size == 0, 1, size));
  // Gamma(x) gamma(-x) = -pi / (x sin(pi x)).
  Term reflected = log(pi / abs(size * sinpi(size))) - positive;
  Term result = select(x < 0, reflected, positive);
  Term isPole = (x <= 0) & (floor(x) == x);
  return select(isPole, infinity, select(size == infinity, infinity, result));
}

/// Lanczos' approximation with g = 6.0246800407767296 and 13 terms, as Boost and CPython have it.
static Term lanczosSum(const Term &x) {
  static const double numerator[] = {23531376880.410759688572007674451636754734846804940,
                                     42919803642.649098768957899047001988850926355848959,
                                     35711959237.355668049440185451547166705960488635843,
                                     17921034426.037209699919755754458931112671403265390,
                                     6039542586.3520280050642916443072979210699388420708,
                                     1439720407.3117216736632230727949123939715485786372,
                                     248874557.86205415651146038641322942321632125127801,
                                     31426415.585400194380614231628318205362874684987640,
                                     2876370.6289353724412254090516208496135991145378768,
                                     186056.26539522349504029498971604569928220784236328,
                                     8071.6720023658162106380029022722506138218516325024,
                                     210.82427775157934587250973392071336271166969580291,
                                     2.5066282746310002701649081771338373386264310793408};
  static const double denominator[] = {0,        39916800, 120543840, 150917976, 105258076,
                                       45995730, 13339535, 2637558,   357423,    32670,
                                       1925,     66,       1};
  return polynomial(x, numerator) / polynomial(x, denominator);
}

static Term writeGamma(ArrayRef<Term> operands) {
  constexpr double most = 6.0246800407767296 - 0.5;
  const Term &x = operands[0];
  Term size = abs(x), y = size + most;
  // What y has lost of the sum, as a part of y.
  Term lost = select(size > most, (y - size) - most, (y - most) - size);
  Term correction = lost * (most + 0.5) / y;
  // In two factors, which are finite where their product with the exponential is.
  Term power = apply("math.powf", {y, 0.5 * size - 0.25}), sum = lanczosSum(size), shrunk = exp(-y);
  Term positive = sum * shrunk * power * fma(sum.like(1), correction, 1) * power;
  Term negative = -pi / sinpi(size) / size / sum / shrunk / power;
  negative = negative * (1 - correction) / power;
  Term result = select(x < 0, negative, positive);
  result = select(size < 1e-20, 1 / x, select(x > 172, infinity, result));
  result = select(x < -184, copysign(x.like(0), sinpi(x)), result);
  return select((x < 0) & (floor(x) == x), std::numeric_limits<double>::quiet_NaN(), result);
}

//===----------------------------------------------------------------------===//
// Normal distributions
//===----------------------------------------------------------------------===//

static Term erfc(const Term &x) { return apply("math.erfc", {x}); }

/// Where a normal distribution is below `0.5 + centre`, of which `tail` is the smaller side:
/// Wichura's algorithm AS 241, PPND16 (Applied Statistics 37, 1988).
static Term normalQuantile(const Term &centre, const Term &tail) {
  static const double a[] = {3.3871328727963666080e0,  1.3314166789178437745e+2,
                             1.9715909503065514427e+3, 1.3731693765509461125e+4,
                             4.5921953931549871457e+4, 6.7265770927008700853e+4,
                             3.3430575583588128105e+4, 2.5090809287301226727e+3};
  static const double b[] = {1.0,
                             4.2313330701600911252e+1,
                             6.8718700749205790830e+2,
                             5.3941960214247511077e+3,
                             2.1213794301586595867e+4,
                             3.9307895800092710610e+4,
                             2.8729085735721942674e+4,
                             5.2264952788528545610e+3};
  static const double c[] = {1.42343711074968357734e0,  4.63033784615654529590e0,
                             5.76949722146069140550e0,  3.64784832476320460504e0,
                             1.27045825245236838258e0,  2.41780725177450611770e-1,
                             2.27238449892691845833e-2, 7.74545014278341407640e-4};
  static const double d[] = {1.0,
                             2.05319162663775882187e0,
                             1.67638483018380384940e0,
                             6.89767334985100004550e-1,
                             1.48103976427480074590e-1,
                             1.51986665636164571966e-2,
                             5.47593808499534494600e-4,
                             1.05075007164441684324e-9};
  static const double e[] = {6.65790464350110377720e0,  5.46378491116411436990e0,
                             1.78482653991729133580e0,  2.96560571828504891230e-1,
                             2.65321895265761230930e-2, 1.24266094738807843860e-3,
                             2.71155556874348757815e-5, 2.01033439929228813265e-7};
  static const double f[] = {1.0,
                             5.99832206555887937690e-1,
                             1.36929880922735805310e-1,
                             1.48753612908506148525e-2,
                             7.86869131145613259100e-4,
                             1.84631831751005468180e-5,
                             1.42151175831644588870e-7,
                             2.04426310338993978564e-15};
  Term r = 0.180625 - centre * centre;
  Term inner = centre * polynomial(r, a) / polynomial(r, b);
  Term root = sqrt(-log(tail));
  Term middle = polynomial(root - 1.6, c) / polynomial(root - 1.6, d);
  Term outer = polynomial(root - 5, e) / polynomial(root - 5, f);
  Term far = select(root <= 5, middle, outer);
  far =
      select(tail == 0, infinity, select(tail < 0, std::numeric_limits<double>::quiet_NaN(), far));
  return select(abs(centre) <= 0.425, inner, copysign(far, centre));
}

static Term lesser(const Term &x, const Term &y) { return select(x < y, x, y); }

static Term writeNormalQuantile(ArrayRef<Term> x) {
  return normalQuantile(x[0] - 0.5, lesser(x[0], 1 - x[0]));
}

static Term writeErfInverse(ArrayRef<Term> x) {
  return normalQuantile(x[0] * 0.5, (1 - abs(x[0])) * 0.5) * (1 / sqrt2);
}

static Term writeErfcInverse(ArrayRef<Term> x) {
  Term half = x[0] * 0.5;
  return normalQuantile(0.5 - half, lesser(half, 1 - half)) * (1 / sqrt2);
}

/// erfc(-x / sqrt(2)) / 2, with what the quotient has lost.
static Term writeNormal(ArrayRef<Term> operands) {
  Term x = select(abs(operands[0]) > 39, copysign(operands[0].like(39), operands[0]), operands[0]);
  // 1 / sqrt(2) as the sum of two numbers.
  constexpr double high = 0.70710678118654757, low = -4.8336466567264567e-17;
  Term quotient = -x * high, lost = fma(-x, x.like(high), -quotient) - x * low;
  Term slope = exp(-quotient * quotient) * (2 * inv_sqrtpi);
  return 0.5 * (erfc(quotient) - lost * slope);
}

/// exp(x^2) erfc(x); beyond 10 by its continued fraction (Abramowitz and Stegun, 7.1.14).
static Term writeScaledErfc(ArrayRef<Term> operands) {
  const Term &x = operands[0];
  Term square = x * x, lost = fma(x, x, -square);
  Term near = exp(square) * erfc(x) * (1 + lost);
  Term fraction = x;
  for (int i = 16; i > 0; --i)
    fraction = x + i * 0.5 / fraction;
  Term far = inv_sqrtpi / fraction;
  return select(x > 10, far, select(square > 750, infinity, near));
}

ArrayRef<LibraryFunction> fsm::specialFunctions() {
  static const LibraryFunction functions[] = {
      {"cospi", "xx", writeCosPi, true},      {"erfcinv", "xx", writeErfcInverse, true},
      {"erfcx", "xx", writeScaledErfc, true}, {"erfinv", "xx", writeErfInverse, true},
      {"exp10", "xx", writeExp10, true},      {"lgamma", "xx", writeLogGamma, true},
      {"normcdf", "xx", writeNormal, true},   {"normcdfinv", "xx", writeNormalQuantile, true},
      {"sinpi", "xx", writeSinPi, true},      {"tgamma", "xx", writeGamma, true},
  };
  return functions;
}
