//===- BlockViews.h - What is known of other blocks ------------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// A launch has too many threads for one vector of their clocks. What a thread knows of
// the blocks that it has heard of, by an acquire or from who acquired, is a View of each, kept in
// small parts that are shared until they change: a counter that a thousand blocks release to and
// acquire from costs each of them little more than the list of the parts.

#ifndef FSM_LIB_SIMULATOR_CHECKS_BLOCKVIEWS_H
#define FSM_LIB_SIMULATOR_CHECKS_BLOCKVIEWS_H

#include "ThreadViews.h"

#include <array>

namespace fsm::sim {

class BlockViews {
public:
  bool isEmpty() const { return parts.empty(); }
  /// What is known of a block's threads, or null.
  const View *of(uint64_t block) const;
  void add(uint64_t block, std::shared_ptr<const View> view);
  friend void join(BlockViews &into, const BlockViews &from);

private:
  static constexpr uint64_t kBlocks = 8;
  struct Part {
    uint64_t first = 0; ///< A multiple of kBlocks.
    std::array<std::shared_ptr<const View>, kBlocks> views;
  };
  using Parts = std::vector<std::shared_ptr<const Part>>;
  static bool isBefore(const std::shared_ptr<const Part> &part, uint64_t first) {
    return part->first < first;
  }
  static std::shared_ptr<const Part> joined(const Part &a, const Part &b);

  /// By `first`.
  Parts parts;
};

void join(BlockViews &into, const BlockViews &from);

} // namespace fsm::sim

#endif // FSM_LIB_SIMULATOR_CHECKS_BLOCKVIEWS_H
