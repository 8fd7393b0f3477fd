//===- ThreadViews.cpp - What single threads know of each other ----------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ThreadViews.h"

#include "BlockViews.h"

#include <algorithm>

using namespace fsm;
using namespace fsm::sim;

void sim::join(View &into, const View &from) {
  if (into.size() < from.size())
    into.resize(from.size(), 0);
  for (size_t thread = 0; thread < from.size(); ++thread)
    into[thread] = std::max(into[thread], from[thread]);
}

// Threads of a warp mostly know the same, and share it: what is done once for all of them is what
// makes the barrier of a cluster cost a warp as much as a thread.

template <typename T>
void PerThread<T>::learn(size_t first, uint32_t lanes, const T &more) {
  if (known.size() < first + 32)
    known.resize(first + 32);
  std::shared_ptr<const T> before, after;
  for (; lanes; lanes &= lanes - 1) {
    std::shared_ptr<const T> &own = known[first + static_cast<unsigned>(__builtin_ctz(lanes))];
    if (!after || own != before) {
      auto both = std::make_shared<T>(more);
      if (own)
        join(*both, *own);
      before = own;
      after = std::move(both);
    }
    own = after;
  }
}

template <typename T>
void PerThread<T>::addTo(T &into, size_t first, uint32_t lanes) const {
  const T *last = nullptr;
  for (; lanes; lanes &= lanes - 1) {
    const T *own = of(first + static_cast<unsigned>(__builtin_ctz(lanes)));
    if (own && own != last)
      join(into, *own);
    last = own;
  }
}

template <typename T>
void PerThread<T>::meet(const std::vector<size_t> &publishing,
                        const std::vector<size_t> &learning) {
  if (known.empty())
    return;
  auto all = std::make_shared<T>();
  const T *last = nullptr;
  for (size_t thread : publishing) {
    const T *one = of(thread);
    if (one && one != last)
      join(*all, *one);
    last = one;
  }
  // Who published and learns knows no more than all of them do.
  for (size_t thread : learning) {
    if (std::binary_search(publishing.begin(), publishing.end(), thread)) {
      if (known.size() <= thread)
        known.resize(thread + 1);
      known[thread] = all;
    } else {
      learn(thread, 1, *all);
    }
  }
}

template class fsm::sim::PerThread<View>;
template class fsm::sim::PerThread<BlockViews>;
