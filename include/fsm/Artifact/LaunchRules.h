//===- LaunchRules.h - What a launch must keep to ---------------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_ARTIFACT_LAUNCHRULES_H
#define FSM_ARTIFACT_LAUNCHRULES_H

#include "fsm/Artifact/CompiledKernel.h"
#include "fsm/Artifact/Launch.h"
#include "fsm/Support/Result.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fsm {

/// `kernel @add(%out: !fsm.ptr<f32>, %n: i32)`, as errors name it.
std::string kernelText(const KernelSignature &signature);

/// `error: argument 1 '%n: i32' SENTENCE; the kernel is ...`, and a note where the argument is.
Error argumentError(const KernelSignature &signature, size_t index, const std::string &sentence);

/// The bits of an element: 1 for an i1.
unsigned widthOf(ScalarType type);

/// What the low bits of a value say as a signed integer; an i1 is 0 or 1.
int64_t integerOf(uint64_t bits, ScalarType type);

/// Refuses negative extents, more programs than can be counted and, for a GPU, more than it takes
/// along y and z.
Result<void> checkGrid(const KernelSignature &signature, Grid grid, bool forDevice = false);

/// The grid that a kernel states, for the arguments of a launch. An error where it states none, or
/// one that no launch has, and where arguments are missing.
Result<Grid> gridOf(const KernelSignature &signature, const std::vector<Argument> &arguments);

/// Checks values, one for each argument with its bits in the low bytes, against what the kernel's
/// text promises of them.
Result<void> checkPromises(const KernelSignature &signature,
                           const std::vector<ArgumentFact> &promises, const uint64_t *values,
                           size_t count);

/// Whether a value is what a fact says of it. How large a buffer is it need not show, for that is
/// about time alone; that it overlaps no other it cannot show, and code that relies on it would be
/// wrong.
bool holds(const ArgumentFact &fact, const KernelArgument &argument, uint64_t value);

/// A target's compute capability, as 10 * major + minor; nothing of what is no `sm_...`.
std::optional<int> capabilityOf(std::string_view target);

/// The first of them whose launches may begin before the ones before them have ended.
inline constexpr int kFirstToOverlap = 90;

/// Whether a GPU of a compute capability runs the PTX of a target: later ones do, unless the code
/// uses what one architecture alone has.
bool runsOn(std::string_view target, int capability);

} // namespace fsm

#endif // FSM_ARTIFACT_LAUNCHRULES_H
