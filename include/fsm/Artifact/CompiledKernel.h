//===- CompiledKernel.h - What a compile produces --------------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_ARTIFACT_COMPILEDKERNEL_H
#define FSM_ARTIFACT_COMPILEDKERNEL_H

#include "fsm/Artifact/ArgumentFact.h"
#include "fsm/Artifact/DebugRecords.h"
#include "fsm/Artifact/HiddenArgument.h"
#include "fsm/Artifact/LaunchExpression.h"
#include "fsm/Artifact/ScalarType.h"
#include "fsm/Artifact/TensorMapPlan.h"

#include <cstdint>
#include <string>
#include <vector>

namespace fsm {

/// The version of the launch contract below; a runtime refuses any other.
inline constexpr unsigned kLaunchContractVersion = 9;

/// A loop that runs more often than so many times has one code for any number of them.
inline constexpr int64_t kMostTripsKnown = 8;

/// One parameter of a kernel as its caller sees it.
struct KernelArgument {
  std::string name;
  /// The scalar's type, or the type a pointer points to.
  ScalarType type = ScalarType::I32;
  /// 0 for a scalar, 1 for `!fsm.ptr<type>`, 2 for a pointer to pointers, ...
  unsigned pointerDepth = 0;
  /// What the kernel promises of a pointer: it is a multiple of so many bytes.
  uint32_t alignment = 1;
  /// Where the source has it, `file:line:column`; may be empty.
  std::string place = "";
  /// Of a pointer: the kernel writes what it points to, and never reads it.
  bool isOutput = false;
  /// Of a pointer: the kernel never writes through it.
  bool isInput = false;
  /// Of an integer: how much of a row the loops take at a time that end at it. A launch can say how often they run; nothing behind a
  /// compile asks.
  std::vector<int64_t> rowSteps = {};
  /// Of an integer: how long rows are that fill the blocks whose masks end at it. A launch can say that its rows do.
  std::vector<int64_t> rowBlocks = {};
  /// Of an integer: how long tiles of products are at most that end at it. A launch can say that
  /// its own are shorter.
  std::vector<int64_t> tileExtents = {};

  bool isPointer() const { return pointerDepth != 0; }
};

/// A kernel's name and parameters, as `fsm-run --list` prints them.
struct KernelSignature {
  std::string name;
  std::vector<KernelArgument> arguments;
  /// How many programs there are along up to three axes, where the kernel says so.
  std::vector<LaunchExpression> grid;
};

/// The most programs that the same threads compute: more are no use, and each needs its place in a block.
inline constexpr unsigned kMostBatched = 1024;

/// The most programs of one cluster, which every GPU with clusters has room for.
inline constexpr unsigned kMostClustered = 8;

/// How the programs of a kernel lie on a GPU. A CTA has
/// 32 * numWarps * programsPerCta threads, and a grid has
/// ceil(x / (programsPerCta * batch)) * numCtas CTAs along x. One of programsPerCta and numCtas is 1.
struct DeviceLaunch {
  /// Warps of one program, in each of its CTAs.
  unsigned numWarps = 0;
  /// Programs that share a CTA, neighbours along x.
  unsigned programsPerCta = 1;
  /// CTAs of one program, neighbours along x; more than 1 are a cluster.
  unsigned numCtas = 1;
  /// Dynamic shared memory of one CTA, in bytes.
  uint32_t sharedBytes = 0;
  /// Programs that the same threads compute, neighbours along x.
  unsigned batch = 1;
  /// Programs that load for one another, neighbours along x, of one CTA each: a launch has a multiple of them.
  unsigned cluster = 1;
  /// Whether the programs that are started go on to the others, and how many are started at most
  /// along x: 0 for as many as the device runs at once.
  bool loopsPrograms = false;
  uint32_t mostStarted = 0;
  /// How many of a CTA's warps only load, and go on with the next piece of work while the others
  /// store.
  unsigned loadWarps = 0;

  /// The code waits for the launches before it, so that it may begin before they have ended. A
  /// launch that does not say so is right as well.
  bool overlapsLaunches = false;

  /// Programs of a launch that a CTA, or a cluster, runs.
  uint32_t programs() const { return programsPerCta * batch; }
  /// How many of so many programs along x are started where so many run at once: the fewest that
  /// take no more rounds.
  uint64_t startedOf(uint64_t programs, uint64_t atOnce) const;
};

/// The fewest programs, in whole clusters, that share so many in no more rounds than as many as run
/// at once do: all where these are enough.
uint64_t balancedPrograms(uint64_t programs, uint64_t atOnce, uint64_t cluster = 1);

/// A compiled kernel as a plain value: it can be stored, sent and loaded
/// without a compiler. For the target "cpu" the code is a relocatable host
/// object whose symbol `name` has the type HostKernelFunction; for a GPU it is
/// PTX text with an entry `name`.
struct CompiledKernel {
  unsigned contractVersion = kLaunchContractVersion;
  std::string name;
  /// "cpu", or "sm_90a" and its like.
  std::string target;
  std::string code;
  std::vector<KernelArgument> arguments;
  std::vector<ArgumentFact> facts;
  /// What the kernel's author promises of each argument; a launch that breaks a
  /// promise is refused.
  std::vector<ArgumentFact> promises;
  /// Bytes of private memory each concurrently running program needs, aligned
  /// to 64; on a GPU each cta of a launch.
  uint64_t scratchBytes = 0;
  /// What the kernel takes behind the arguments of its author, in this order.
  std::vector<HiddenArgument> hiddenArguments;
  /// What those that are tensor maps describe, in their order.
  std::vector<TensorMapPlan> tensorMaps;
  /// The prints and asserts, by their numbers. If there are any, DebugRecords is a hidden argument.
  std::vector<DebugOp> debugOps;
  /// Only for a GPU.
  DeviceLaunch device;
  /// What there was to say besides errors, each sentence once, in the order it came:
  /// `file:line:column: warning: ...`, or `remark: ...`, and notes in lines of their own behind it.
  std::vector<std::string> diagnostics;
};

/// The host entry point of a kernel: runs one program.
/// `arguments` points to one pointer per kernel argument, each to its value (as
/// cuLaunchKernel takes them); `ids` holds program x, y, z and then the grid's
/// extents x, y, z; `scratch` has CompiledKernel::scratchBytes bytes.
using HostKernelFunction = void (*)(const void *const *arguments, const int32_t *ids,
                                    char *scratch);

} // namespace fsm

#endif // FSM_ARTIFACT_COMPILEDKERNEL_H
