//===- GpuTarget.h - What each GPU has and can -----------------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_MACHINE_GPUTARGET_H
#define FSM_MACHINE_GPUTARGET_H

#include <cstdint>
#include <string>
#include <string_view>

namespace fsm {

/// Threads of a warp, on every target.
inline constexpr unsigned kWarpThreads = 32;
/// Registers that the threads of a multiprocessor share, on every target.
inline constexpr unsigned kRegistersOfMultiprocessor = 65536;
/// Bytes of a register, and of the widest access of a thread, on every target.
inline constexpr unsigned kWordBytes = 4, kVectorBytes = 16;
/// CTAs of a cluster that every GPU with clusters has room for.
inline constexpr unsigned kPortableCtas = 8;

/// Instructions that only some targets have.
struct GpuFeatures {
  bool cpAsync = false;            ///< cp.async: global to shared without registers.
  bool reduxSync = false;          ///< redux.sync on 32-bit integers.
  bool maxNaN = false;             ///< min.NaN and max.NaN on f32.
  bool bf16Arithmetic = false;     ///< add, sub and mul on bf16; fma is older.
  bool bf16Convert = false;        ///< cvt.rn.bf16.f32.
  bool fp8Convert = false;         ///< cvt between e4m3x2, e5m2x2 and f16x2, f32.
  bool cacheHints = false;         ///< createpolicy and .L2::cache_hint.
  bool vectorAtomics = false;      ///< atom.add on bf16, and on vectors of floats in global memory.
  bool mbarrier = false;           ///< mbarrier objects in shared memory.
  bool bulkCopy = false;           ///< cp.async.bulk and TMA.
  bool clusters = false;           ///< Clusters of CTAs and shared::cluster.
  bool programmaticLaunch = false; ///< griddepcontrol.
  bool wgmma = false;              ///< wgmma and setmaxnreg of sm_90a.
};

/// One code generation target.
struct GpuTarget {
  const char *name = "";
  /// 10 * major + minor of the compute capability.
  unsigned computeCapability = 0;
  /// True for a target with an `a`, whose code runs on that capability alone.
  bool archSpecific = false;
  /// 10 * major + minor of the PTX version that is asked for.
  unsigned ptxVersion = 0;

  unsigned maxThreadsPerCta = 0;
  unsigned maxThreadsPerSm = 0;
  unsigned maxCtasPerSm = 0;

  unsigned registersPerSm = 0;
  unsigned maxRegistersPerThread = 0;
  /// Registers are handed to a warp in multiples of this.
  unsigned registersPerWarpUnit = 0;
  /// Parts of an SM that have their own registers and warps.
  unsigned partitionsPerSm = 0;

  /// Bytes of shared memory.
  unsigned sharedBytesPerSm = 0;
  /// What a CTA may ask for, beyond 48 KiB by opting in.
  unsigned maxSharedBytesPerCta = 0;
  /// What the system takes of each CTA's.
  unsigned reservedSharedBytesPerCta = 0;
  /// Shared memory is handed to a CTA in multiples of this.
  unsigned sharedBytesUnit = 0;

  /// CTAs of a grid.
  uint32_t maxGridX = 0, maxGridY = 0, maxGridZ = 0;

  GpuFeatures features;
};

/// The target of that name, or null.
const GpuTarget *findGpuTarget(std::string_view name);

/// The target whose code is best on a GPU of that compute capability, 10 * major + minor: its own,
/// or the newest that it can run; null where it is older than all.
const GpuTarget *targetFor(unsigned computeCapability);

/// "sm_75, sm_80, ...", for sentences that refuse another.
std::string gpuTargetNames();

/// Registers that a thread may have when its CTA has so many warps, all of which are on one SM.
uint64_t registersPerThread(const GpuTarget &target, uint64_t warps);

/// CTAs of `threads` threads that fit on one SM at a time, 0 when not even one
/// does. It counts what every CTA needs at its start; a kernel limited by
/// bandwidth may do better with fewer.
unsigned classicalOccupancy(const GpuTarget &target, unsigned registersPerThread, unsigned threads,
                            unsigned sharedBytes);

} // namespace fsm

#endif // FSM_MACHINE_GPUTARGET_H
