//===- SpecialRegisters.cpp - %tid and its like --------------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SpecialRegisters.h"

#include "Block.h"

#include <chrono>

using namespace fsm;
using namespace fsm::sim;

/// What %nsmid says; blocks are dealt out to as many.

std::optional<Special> sim::specialNamed(const std::string &name) {
  static const std::map<std::string, Special> names = {
      {"%tid.x", Special::TidX},
      {"%tid.y", Special::TidY},
      {"%tid.z", Special::TidZ},
      {"%ntid.x", Special::NtidX},
      {"%ntid.y", Special::NtidY},
      {"%ntid.z", Special::NtidZ},
      {"%ctaid.x", Special::CtaidX},
      {"%ctaid.y", Special::CtaidY},
      {"%ctaid.z", Special::CtaidZ},
      {"%nctaid.x", Special::NctaidX},
      {"%nctaid.y", Special::NctaidY},
      {"%nctaid.z", Special::NctaidZ},
      {"%laneid", Special::LaneId},
      {"%warpid", Special::WarpId},
      {"%nwarpid", Special::NwarpId},
      {"%smid", Special::SmId},
      {"%nsmid", Special::NsmId},
      {"%gridid", Special::GridId},
      {"%lanemask_eq", Special::LaneMaskEq},
      {"%lanemask_le", Special::LaneMaskLe},
      {"%lanemask_lt", Special::LaneMaskLt},
      {"%lanemask_ge", Special::LaneMaskGe},
      {"%lanemask_gt", Special::LaneMaskGt},
      {"%clock", Special::Clock},
      {"%clock_hi", Special::ClockHi},
      {"%clock64", Special::Clock64},
      {"%globaltimer", Special::GlobalTimer},
      {"%globaltimer_lo", Special::GlobalTimerLo},
      {"%globaltimer_hi", Special::GlobalTimerHi},
      {"%dynamic_smem_size", Special::DynamicSharedSize},
      {"%total_smem_size", Special::TotalSharedSize},
      // Clusters lie along x; without them a block is a cluster of its own.
      {"%clusterid.x", Special::ClusterIdX},
      {"%clusterid.y", Special::CtaidY},
      {"%clusterid.z", Special::CtaidZ},
      {"%nclusterid.x", Special::NclusterIdX},
      {"%nclusterid.y", Special::NctaidY},
      {"%nclusterid.z", Special::NctaidZ},
      {"%cluster_ctarank", Special::ClusterRank},
      {"%cluster_nctarank", Special::ClusterBlocks},
      {"%cluster_ctaid.x", Special::ClusterRank},
      {"%cluster_ctaid.y", Special::Zero},
      {"%cluster_ctaid.z", Special::Zero},
      {"%cluster_nctaid.x", Special::ClusterBlocks},
      {"%cluster_nctaid.y", Special::One},
      {"%cluster_nctaid.z", Special::One}};
  auto found = names.find(name);
  return found == names.end() ? std::nullopt : std::optional(found->second);
}

static uint64_t nanoseconds() {
  return static_cast<uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(
                                   std::chrono::steady_clock::now().time_since_epoch())
                                   .count());
}

static uint64_t readTime(const Warp &warp, Special special) {
  switch (special) {
  case Special::Clock:
    return static_cast<uint32_t>(warp.steps());
  case Special::ClockHi:
    return warp.steps() >> 32;
  case Special::Clock64:
    return warp.steps();
  case Special::GlobalTimerLo:
    return static_cast<uint32_t>(nanoseconds());
  case Special::GlobalTimerHi:
    return nanoseconds() >> 32;
  default:
    return nanoseconds();
  }
}

static uint32_t readLaneMask(Special special, unsigned lane) {
  uint32_t bit = uint32_t(1) << lane;
  switch (special) {
  case Special::LaneMaskEq:
    return bit;
  case Special::LaneMaskLe:
    return bit | (bit - 1);
  case Special::LaneMaskLt:
    return bit - 1;
  case Special::LaneMaskGe:
    return ~(bit - 1);
  default:
    return ~(bit | (bit - 1));
  }
}

uint64_t sim::readSpecial(const Warp &warp, Special special, unsigned lane) {
  const Launch &launch = warp.block.launch;
  const Extent of[] = {warp.block.threadOf(warp, lane), launch.extent,
                       warp.block.idOf(warp), launch.grid};
  if (special <= Special::NctaidZ) {
    const Extent &extent = of[static_cast<unsigned>(special) / 3];
    unsigned dimension = static_cast<unsigned>(special) % 3;
    return dimension == 0 ? extent.x : dimension == 1 ? extent.y : extent.z;
  }
  switch (special) {
  case Special::LaneId:
    return lane;
  case Special::WarpId:
    return warp.block.indexInBlock(warp.index);
  case Special::NwarpId:
    return (warp.block.threads() + kLanes - 1) / kLanes;
  case Special::SmId:
    return (warp.block.linearId + warp.block.rankOf(warp.index)) % launch.options.multiprocessors;
  case Special::NsmId:
    return launch.options.multiprocessors;
  case Special::WarpSize:
    return kLanes;
  case Special::DynamicSharedSize:
    return launch.dynamicSharedBytes;
  case Special::TotalSharedSize:
    return launch.linked.sharedBytes;
  case Special::ClusterRank:
    return warp.block.rankOf(warp.index);
  case Special::ClusterBlocks:
    return launch.clusterBlocks;
  case Special::ClusterIdX:
    return warp.block.idOf(warp).x / launch.clusterBlocks;
  case Special::NclusterIdX:
    return launch.grid.x / launch.clusterBlocks;
  case Special::One:
    return 1;
  case Special::GridId:
  case Special::Zero:
    return 0;
  case Special::LaneMaskEq:
  case Special::LaneMaskLe:
  case Special::LaneMaskLt:
  case Special::LaneMaskGe:
  case Special::LaneMaskGt:
    return readLaneMask(special, lane);
  default:
    return readTime(warp, special);
  }
}
