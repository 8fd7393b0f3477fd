//===- ThreadViews.cpp - What single threads know of each other ----------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ThreadViews.h"

#include <algorithm>

using namespace fsm;
using namespace fsm::sim;

void sim::join(View &into, const View &from) {
  if (into.size() < from.size())
    into.resize(from.size(), 0);
  for (size_t thread = 0; thread < from.size(); ++thread)
    into[thread] = std::max(into[thread], from[thread]);
}

void ThreadViews::addTo(View &view, size_t thread) const {
  if (thread < views.size() && views[thread])
    join(view, *views[thread]);
}

void ThreadViews::learn(size_t thread, const View &view) {
  if (views.size() <= thread)
    views.resize(thread + 1);
  auto both = std::make_shared<View>(view);
  addTo(*both, thread);
  views[thread] = std::move(both);
}

void ThreadViews::meet(const std::vector<size_t> &publishing, const std::vector<size_t> &learning) {
  if (views.empty())
    return;
  auto known = std::make_shared<View>();
  const View *last = nullptr;
  for (size_t thread : publishing) {
    const View *view = thread < views.size() ? views[thread].get() : nullptr;
    if (view && view != last)
      join(*known, *view);
    last = view;
  }
  // Who published and learns knows no more than all of them do.
  for (size_t thread : learning) {
    if (std::binary_search(publishing.begin(), publishing.end(), thread)) {
      if (views.size() <= thread)
        views.resize(thread + 1);
      views[thread] = known;
    } else {
      learn(thread, *known);
    }
  }
}
