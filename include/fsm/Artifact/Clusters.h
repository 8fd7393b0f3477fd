//===- Clusters.h - How many clusters run at once ---------------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_ARTIFACT_CLUSTERS_H
#define FSM_ARTIFACT_CLUSTERS_H

#include <cstdint>

namespace fsm {

/// How many of so many CTAs run at once that are clusters of this size: of four and more some fit
/// no more, where groups of multiprocessors do not divide. 28 of four were measured to run on 132.
constexpr uint64_t ctasAtOnce(uint64_t ctas, unsigned cluster) {
  return cluster > 2 ? ctas * 7 / 8 : ctas;
}

} // namespace fsm

#endif // FSM_ARTIFACT_CLUSTERS_H
