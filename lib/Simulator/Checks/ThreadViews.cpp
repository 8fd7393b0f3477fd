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

template <typename T>
void PerThread<T>::learn(size_t thread, const T &more) {
  if (known.size() <= thread)
    known.resize(thread + 1);
  auto both = std::make_shared<T>(more);
  addTo(*both, thread);
  known[thread] = std::move(both);
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
      learn(thread, *all);
    }
  }
}

template class fsm::sim::PerThread<View>;
template class fsm::sim::PerThread<BlockViews>;
