//===- GpuTarget.cpp - What each GPU has and can -------------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Sizes are those of the table "Technical Specifications per Compute Capability"
// in the CUDA C++ Programming Guide, section "Compute Capabilities"; units of
// allocation are those of CUDA 13.0's cuda_occupancy.h; features are the "Target
// ISA Notes" of the PTX ISA manual.
//
// The PTX version is the lowest that has every instruction of the target FSM
// uses, so that old drivers still load the code: 8.0 is CUDA 12.0's, 8.4 brings
// mma on fp8, 8.6 bulk copies to shared::cta and sm_100, 8.7 sm_120, and 8.8 sm_103
// and sm_121.

#include "fsm/Machine/GpuTarget.h"

#include <algorithm>
#include <array>

using namespace fsm;

static constexpr unsigned KiB = 1024;

/// What all targets share.
static constexpr GpuTarget named(const char *name, unsigned computeCapability,
                                 unsigned ptxVersion) {
  GpuTarget target;
  target.name = name;
  target.computeCapability = computeCapability;
  target.ptxVersion = ptxVersion;
  target.maxThreadsPerCta = 1024;
  target.registersPerSm = kRegistersOfMultiprocessor;
  target.maxRegistersPerThread = 255;
  target.registersPerWarpUnit = 256;
  target.partitionsPerSm = 4;
  target.maxGridX = 0x7fffffff;
  target.maxGridY = 65535;
  target.maxGridZ = 65535;
  return target;
}

static constexpr GpuTarget turing() {
  GpuTarget target = named("sm_75", 75, 80);
  target.maxThreadsPerSm = 1024;
  target.maxCtasPerSm = 16;
  target.sharedBytesPerSm = 64 * KiB;
  target.maxSharedBytesPerCta = 64 * KiB;
  target.sharedBytesUnit = 256;
  return target;
}

static constexpr GpuTarget ampere(const char *name, unsigned computeCapability, unsigned ptxVersion,
                                  unsigned threadsPerSm, unsigned ctasPerSm,
                                  unsigned sharedBytesPerSm) {
  GpuTarget target = named(name, computeCapability, ptxVersion);
  target.maxThreadsPerSm = threadsPerSm;
  target.maxCtasPerSm = ctasPerSm;
  target.sharedBytesPerSm = sharedBytesPerSm;
  target.reservedSharedBytesPerCta = 1 * KiB;
  target.maxSharedBytesPerCta = sharedBytesPerSm - target.reservedSharedBytesPerCta;
  target.sharedBytesUnit = 128;
  target.features.cpAsync = true;
  target.features.reduxSync = true;
  target.features.maxNaN = true;
  target.features.bf16Convert = true;
  target.features.cacheHints = true;
  target.features.mbarrier = true;
  return target;
}

static constexpr GpuTarget ada() {
  GpuTarget target = ampere("sm_89", 89, 84, 1536, 24, 100 * KiB);
  target.features.fp8Convert = true;
  return target;
}

static constexpr GpuTarget hopper(const char *name, unsigned computeCapability, unsigned ptxVersion,
                                  unsigned threadsPerSm, unsigned ctasPerSm,
                                  unsigned sharedBytesPerSm) {
  GpuTarget target =
      ampere(name, computeCapability, ptxVersion, threadsPerSm, ctasPerSm, sharedBytesPerSm);
  target.features.fp8Convert = true;
  target.features.bf16Arithmetic = true;
  target.features.vectorAtomics = true;
  target.features.bulkCopy = true;
  target.features.clusters = true;
  target.features.programmaticLaunch = true;
  return target;
}

static constexpr GpuTarget hopperOnly() {
  GpuTarget target = hopper("sm_90a", 90, 86, 2048, 32, 228 * KiB);
  target.archSpecific = true;
  target.features.wgmma = true;
  return target;
}

static constexpr std::array<GpuTarget, 11> kTargets = {
    turing(),
    ampere("sm_80", 80, 80, 2048, 32, 164 * KiB),
    ampere("sm_86", 86, 80, 1536, 16, 100 * KiB),
    ampere("sm_87", 87, 80, 1536, 16, 164 * KiB),
    ada(),
    hopper("sm_90", 90, 86, 2048, 32, 228 * KiB),
    hopperOnly(),
    hopper("sm_100", 100, 86, 2048, 32, 228 * KiB),
    hopper("sm_103", 103, 88, 2048, 32, 228 * KiB),
    hopper("sm_120", 120, 87, 1536, 24, 100 * KiB),
    hopper("sm_121", 121, 88, 1536, 24, 100 * KiB),
};

const GpuTarget *fsm::findGpuTarget(std::string_view name) {
  for (const GpuTarget &target : kTargets)
    if (name == target.name)
      return &target;
  return nullptr;
}

const GpuTarget *fsm::targetFor(unsigned computeCapability) {
  const GpuTarget *best = nullptr;
  // In the table, capabilities rise, and the `a` stands behind its capability's other target.
  for (const GpuTarget &target : kTargets)
    if (target.archSpecific ? target.computeCapability == computeCapability
                            : target.computeCapability <= computeCapability)
      best = &target;
  return best;
}

std::string fsm::gpuTargetNames() {
  std::string names;
  for (const GpuTarget &target : kTargets)
    names += (names.empty() ? "" : ", ") + std::string(target.name);
  return names;
}

static uint64_t roundUp(uint64_t value, uint64_t unit) { return (value + unit - 1) / unit * unit; }

uint64_t fsm::registersPerThread(const GpuTarget &target, uint64_t warps) {
  constexpr uint64_t kUnit = 8;
  uint64_t share = target.registersPerSm / (warps * kWarpThreads) / kUnit * kUnit;
  return std::min<uint64_t>(target.maxRegistersPerThread, share);
}

unsigned fsm::classicalOccupancy(const GpuTarget &target, unsigned registersPerThread,
                                 unsigned threads, unsigned sharedBytes) {
  if (threads == 0 || threads > target.maxThreadsPerCta ||
      registersPerThread > target.maxRegistersPerThread ||
      sharedBytes > target.maxSharedBytesPerCta)
    return 0;
  uint64_t warps = roundUp(threads, kWarpThreads) / kWarpThreads;
  uint64_t ctas =
      std::min<uint64_t>(target.maxCtasPerSm, target.maxThreadsPerSm / kWarpThreads / warps);
  if (registersPerThread != 0) {
    // A warp lives in one partition; a CTA's warps are dealt out to all of them
    // in turn, so it is charged as if it filled them evenly.
    uint64_t perWarp =
        roundUp(uint64_t(registersPerThread) * kWarpThreads, target.registersPerWarpUnit);
    if (perWarp * roundUp(warps, target.partitionsPerSm) > target.registersPerSm)
      return 0;
    uint64_t perPartition = target.registersPerSm / target.partitionsPerSm / perWarp;
    ctas = std::min(ctas, perPartition * target.partitionsPerSm / warps);
  }
  uint64_t shared =
      roundUp(uint64_t(sharedBytes) + target.reservedSharedBytesPerCta, target.sharedBytesUnit);
  if (shared != 0)
    ctas = std::min(ctas, target.sharedBytesPerSm / shared);
  return static_cast<unsigned>(ctas);
}
