//===- GpuRates.h - How fast each GPU is ------------------------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_MACHINE_GPURATES_H
#define FSM_MACHINE_GPURATES_H

#include "fsm/Machine/GpuTarget.h"

namespace fsm {

/// What a prediction of times takes a GPU to do. Times are in clocks of a multiprocessor, rates
/// those of one multiprocessor in a clock, where nothing else is said.
struct GpuRates {
  /// Of the GPU that the target is best known for; a launch knows those of its own.
  unsigned multiprocessors = 132;
  /// Clocks in a nanosecond.
  double clocksPerNanosecond = 1.755;

  /// Products of two numbers of 16 bits that tensor cores add, by groups of four warps and by one.
  double groupProducts = 0, warpProducts = 512;
  /// Products of f32 that are multiplied and added one by one, and other operations.
  double operations = 128;
  /// Bytes of shared memory, of 128 that it has at most.
  double sharedBytes = 115;
  /// Bytes that come from the L2 cache or go there: where all multiprocessors ask, and one alone at
  /// most.
  double l2BytesOfAll = 32, l2Bytes = 64;
  /// Bytes of the GPU's memory, of all multiprocessors together, in a nanosecond.
  double memoryBytes = 900;

  /// From a load to its data, and from the beginning of a copy to its arrival.
  double loadClocks = 700, copyClocks = 1250;
  /// Of these, and of what other units take than the one that is asked for most, the part that
  /// nothing hides.
  double notHidden = 1.0 / 16, inTheWay = 1.0 / 32;
  /// What a cta that stores factors for its products takes for the other units, one behind the
  /// other.
  double inTurn = 1.0 / 2;
  /// Where threads wait for one another.
  double exchangeClocks = 60;
  /// A round of any loop but those that only copy, besides what it does, unless another cta
  /// computes meanwhile.
  double loopClocks = 40;
  /// A round of a loop whose threads begin copies between products in flight: for each cta, and for
  /// each warp.
  double roundClocks = 350, roundClocksOfWarp = 64;
  /// From the launch to the first program, and from a program's beginning to its first product.
  double launchClocks = 1800, startClocks = 1400;
};

/// The rates of a target of the table in GpuTarget.
const GpuRates &ratesOf(const GpuTarget &target);

} // namespace fsm

#endif // FSM_MACHINE_GPURATES_H
