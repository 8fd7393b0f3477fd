//===- ThreadViews.h - What single threads know of each other --*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Barriers order whole warps, which a number for each pair of warps describes.
// Mbarriers order single threads: what one thread knew when it arrived becomes
// known to each that waits. A *view* is a vector clock: for each thread the clock of its
// warp before which its accesses are known. Views are shared until they change:
// after a barrier of the block all threads hold the same.

#ifndef FSM_LIB_SIMULATOR_THREADVIEWS_H
#define FSM_LIB_SIMULATOR_THREADVIEWS_H

#include <cstdint>
#include <memory>
#include <vector>

namespace fsm::sim {

/// Indexed by thread; what is missing at the end is 0: nothing is known.
using View = std::vector<uint32_t>;

/// The greater of both in each place.
void join(View &into, const View &from);

class ThreadViews {
public:
  uint32_t knows(size_t thread, size_t other) const {
    if (thread >= views.size() || !views[thread] || other >= views[thread]->size())
      return 0;
    return (*views[thread])[other];
  }
  bool isEmpty() const { return views.empty(); }
  void learn(size_t thread, const View &view);
  /// All that the `publishing` threads know becomes known to the `learning` ones.
  void meet(const std::vector<size_t> &publishing, const std::vector<size_t> &learning);
  /// Joins what the thread knows into a view.
  void addTo(View &view, size_t thread) const;

private:
  std::vector<std::shared_ptr<const View>> views;
};

} // namespace fsm::sim

#endif // FSM_LIB_SIMULATOR_THREADVIEWS_H
