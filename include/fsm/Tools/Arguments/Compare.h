//===- Compare.h - Are two arrays equal enough ------------------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_TOOLS_ARGUMENTS_COMPARE_H
#define FSM_TOOLS_ARGUMENTS_COMPARE_H

#include "fsm/Artifact/ScalarType.h"
#include "fsm/Support/Result.h"
#include "fsm/Tools/Arguments/Npy.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fsm {

/// |actual - expected| <= absolute + relative * |expected|. Without either, the
/// type decides: f32 has a relative 1e-5, f64 1e-12 (and as absolute tolerance
/// the smallest normal number, which a flushed denormal may cost), the narrower
/// floats may be one neighbour away from the rounded answer, integers are
/// exact. Where only one is given, the other is the type's, or 0.
struct Tolerance {
  std::optional<double> relative;
  std::optional<double> absolute;
};

/// The value of `--check`: I:FILE.npy[,rtol=R][,atol=A].
struct CheckSpec {
  /// Position or name of the argument.
  std::string argument;
  std::string path;
  Tolerance tolerance;
};
Result<CheckSpec> parseCheckSpec(std::string_view text);

/// An array that someone else keeps.
struct ArrayView {
  ScalarType type = ScalarType::F32;
  /// Integers that stand for 0 and more; matters where widths differ.
  bool isUnsigned = false;
  bool fortranOrder = false;
  std::vector<uint64_t> shape;
  const unsigned char *data = nullptr;
};

/// Sees a reference file as the expected answer of an output of type `type`:
/// any float for a float, any integer for an integer, and uint16 or uint8 for
/// the bits of bf16 or f8. `path` is named in errors.
Result<ArrayView> viewReference(const NpyArray &reference, ScalarType type,
                                const std::string &path);

/// What a comparison found.
struct Comparison {
  uint64_t elements = 0;
  uint64_t mismatches = 0;
  /// The first mismatch in row-major order and its two values.
  std::vector<uint64_t> firstIndex;
  std::string firstActual;
  std::string firstExpected;
  /// Over the elements where both are finite; relative to the expected value
  /// where that is not 0.
  double largestAbsolute = 0;
  double largestRelative = 0;
  /// Over those of them where 0 is expected.
  double largestAtZero = 0;
  /// What was asked for: "exactly", "within 1 ulp of f16", ...
  std::string rule;

  /// One sentence without its subject: "1024 elements agree ...".
  std::string text() const;
};

/// Compares element by element; memory orders may differ. NaN equals NaN, an
/// infinity only itself. The expected value is rounded to the actual type
/// first where that decides (infinities, ulp). Different shapes are an error.
Result<Comparison> compareArrays(const ArrayView &actual, const ArrayView &expected,
                                 const Tolerance &tolerance = {});

} // namespace fsm

#endif // FSM_TOOLS_ARGUMENTS_COMPARE_H
