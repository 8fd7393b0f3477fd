//===- LaunchTime.h - How long a launch is likely to take -------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A model that ranks the ways in which one kernel may be compiled, by what their plans do and not
// by what the kernel is. A multiprocessor has C ctas of a plan at once; a launch is so many full
// waves of C ctas on each multiprocessor, and one of those that are left over. A wave takes, for
// each loop,
//
//   trips * max(C * busy, alone)
//
//   busy    what a cta's round asks of the unit that is asked for most: tensor cores, arithmetic,
//           shared memory, the L2 cache, the GPU's memory
//   alone   what a round takes if nobody else is there: it waits for loads, for copies that run too
//           few rounds ahead, for other threads, and for its own arithmetic
//
// and what comes once a launch, and once a wave. Each array comes from the GPU's memory once; what
// is moved more often comes from the L2 cache.
//
//===----------------------------------------------------------------------===//

#ifndef FSM_MACHINE_LAUNCHTIME_H
#define FSM_MACHINE_LAUNCHTIME_H

#include "fsm/Artifact/Launch.h"
#include "fsm/Machine/GpuRates.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace fsm {

/// Puts a number on a stack, or takes two from it and puts there what they give.
struct CostStep {
  enum class Kind {
    Number,
    Argument,  ///< The value of one of the kernel's arguments.
    ProgramId, ///< A program's coordinate along an axis: that of the first one.
    Programs,  ///< The grid's extent along an axis.
    Started,   ///< How many programs are started along x, which go on to others.
    Unknown,   ///< Known to the kernel alone.
    Add,
    Subtract,
    Multiply,
    Divide,
    CeilDivide,
    Remainder,
    Minimum,
    Maximum,
    And, ///< Bit by bit.
    Or,
    Equal, ///< 1 or 0, as what follows.
    Less,
    Select ///< Of three numbers the second, if the first is not 0, else the third.
  };
  Kind kind = Kind::Number;
  int64_t value = 0;
};

/// An integer that a program computes of what a launch is given: steps that leave one number.
using CostExpression = std::vector<CostStep>;

/// What a number is taken to be that only the kernel knows, as one that it reads from memory.
inline constexpr int64_t kUnknownNumber = 1024;

/// The numbers of a launch.
struct LaunchNumbers {
  Grid grid;
  /// The integers among the arguments; 0 for others.
  std::vector<int64_t> arguments;
  /// Bytes of all arrays.
  double bytes = 0;
  /// Of the GPU; 0 for those of the table.
  unsigned multiprocessors = 0;
  /// Programs along x that are started; 0 for all. `predictSeconds` works it out.
  int64_t started = 0;
};

/// Its value. What divides by 0 is 0, and a number stays within 2^62.
int64_t evaluate(const CostExpression &expression, const LaunchNumbers &launch);

/// Whether a launch's numbers are all that it is made of.
bool isKnown(const CostExpression &expression);

/// A loop around a part of a program.
struct CostLoop {
  CostExpression lower, upper, step;
};

/// What programs of a cluster copy for one another, if a condition holds of a launch.
struct SharedCopies {
  /// Among a part's `copiedBytes`.
  double bytes = 0;
  CostExpression isShared;
};

/// What a program does in each round of the loops around it, but not in loops in it.
struct CostPart {
  /// Outermost first.
  std::vector<CostLoop> loops;
  /// Warps of their own do it, beside what others do.
  bool isBeside = false;
  /// Products, in those of 16 bits, by groups of four warps and by single warps.
  double groupProducts = 0, warpProducts = 0;
  /// Elements times what one of them takes.
  double operations = 0;
  double sharedBytes = 0;
  /// Global memory: what threads wait for, what is on its way meanwhile, and what is stored.
  double loadedBytes = 0, copiedBytes = 0, storedBytes = 0;
  std::vector<SharedCopies> sharedCopies;
  /// How often a thread waits for what it loads, one after the other.
  double loads = 0;
  /// By how many rounds copies run ahead; 0 if they are waited for at once.
  unsigned roundsAhead = 0;
  /// How often threads wait for one another.
  unsigned exchanges = 0;
  /// A product is in flight while threads begin copies.
  bool copiesBesideProducts = false;
  /// Threads store a factor that a product of the same round multiplies, and wait for one another
  /// in between.
  bool storesFactors = false;
};

/// What a launch of a plan costs, whatever the sizes.
struct ProgramCost {
  std::vector<CostPart> parts;
  /// Of a cta; those that only load are among them.
  unsigned warps = 1;
  unsigned programsPerCta = 1;
  /// Programs of the launch that are one of the kernel.
  unsigned batch = 1;
  unsigned numCtas = 1;
  /// So many programs copy for one another.
  unsigned cluster = 1;
  /// Programs that are started go on to others: at most so many are, 0 for as many as run at once.
  std::optional<unsigned> loopPrograms;
  /// Rows of a tensor that the hardware copies begin within a sector of the L2 cache.
  bool straddlesSectors = false;
  /// Or so many ctas share a loop, of each of which this is the cost.
  unsigned sharingCtas = 1;
  /// For which a multiprocessor has room; 0 if for none.
  unsigned ctasPerMultiprocessor = 1;
  /// Of a thread, in local memory.
  double spilledBytes = 0;
};

/// The seconds of a launch; infinite for a plan that the GPU has no room for.
double predictSeconds(const ProgramCost &cost, const GpuRates &rates, const LaunchNumbers &launch);

} // namespace fsm

#endif // FSM_MACHINE_LAUNCHTIME_H
