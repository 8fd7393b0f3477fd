//===- UnwrittenElements.h - Outputs that stay as they were -----*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_TOOLS_RUN_UNWRITTENELEMENTS_H
#define FSM_TOOLS_RUN_UNWRITTENELEMENTS_H

#include "fsm/Tools/Arguments/ArgumentValue.h"
#include "fsm/Tools/Run/RunOptions.h"

#include <functional>

namespace fsm {

/// Finds elements of outputs that a launch does not write: those that keep both of two different
/// fills, in two launches. An output is an array that is given without content, as in `f32[1000]`,
/// and that the kernel writes and never reads, so that nothing else follows from what it is filled
/// with. The second launch takes place only if something keeps the first fill.
class UnwrittenElements {
public:
  /// Whether, and in which arrays, a run looks for such elements: on interp and sim always,
  /// elsewhere with --check and --compare; never where arrays overlap.
  UnwrittenElements(const RunOptions &options, std::string_view device,
                    const std::vector<ArgumentValue> &values);

  /// Fills the outputs before a launch, the second time with something else.
  void fill(std::vector<ArgumentValue> &values, bool isSecond) const;
  /// What keeps the first fill.
  bool anyKeeps(const std::vector<ArgumentValue> &values);
  /// Of these what keeps the second one as well: it becomes zero in `values`. Gives a sentence for
  /// each array that has any.
  std::vector<std::string> take(std::vector<ArgumentValue> &values,
                                const std::vector<ArgumentValue> &second) const;

private:
  struct Output {
    size_t position;
    /// The elements, by their numbers, that keep the first fill.
    std::vector<uint64_t> kept;
  };
  std::vector<Output> outputs;
};

} // namespace fsm

#endif // FSM_TOOLS_RUN_UNWRITTENELEMENTS_H
