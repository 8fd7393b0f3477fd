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

#ifndef FSM_LIB_SIMULATOR_CHECKS_THREADVIEWS_H
#define FSM_LIB_SIMULATOR_CHECKS_THREADVIEWS_H

#include <cstdint>
#include <memory>
#include <vector>

namespace fsm::sim {

/// Indexed by thread; what is missing at the end is 0: nothing is known.
using View = std::vector<uint32_t>;

/// The greater of both in each place.
void join(View &into, const View &from);

/// What each thread of a block knows: T is a View, or what is known of other blocks. Both
/// have a `join`.
template <typename T>
class PerThread {
public:
  /// Null: nothing.
  const T *of(size_t thread) const { return thread < known.size() ? known[thread].get() : nullptr; }
  bool isEmpty() const { return known.empty(); }
  /// For each of these threads, bits counted from `first` on.
  void learn(size_t first, uint32_t lanes, const T &more);
  /// All that the `publishing` threads know becomes known to the `learning` ones.
  void meet(const std::vector<size_t> &publishing, const std::vector<size_t> &learning);
  /// Joins what these threads know into something.
  void addTo(T &into, size_t first, uint32_t lanes) const;

private:
  std::vector<std::shared_ptr<const T>> known;
};

class ThreadViews : public PerThread<View> {
public:
  uint32_t knows(size_t thread, size_t other) const {
    const View *view = of(thread);
    return view && other < view->size() ? (*view)[other] : 0;
  }
};

} // namespace fsm::sim

#endif // FSM_LIB_SIMULATOR_CHECKS_THREADVIEWS_H
