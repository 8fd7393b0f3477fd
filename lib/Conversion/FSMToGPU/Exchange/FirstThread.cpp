//===- FirstThread.cpp - What the first thread hands on ------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FirstThread.h"

#include "../Program/ThreadValues.h"
#include "SharedAccess.h"
#include "fsm/Analysis/Atomics.h"

using namespace mlir;
using namespace fsm;
using namespace fsm::gpu;

Value fsm::gpu::fromFirstThread(DeviceProgram &program, Operation *op, Value scalar,
                                uint64_t scratch) {
  Location loc = op->getLoc();
  switch (planExchange(op).kind) {
  case AtomicExchange::Kind::None:
    break;
  case AtomicExchange::Kind::Shuffle:
    return program.shuffleFrom(loc, scalar, program.i32(loc, 0));
  case AtomicExchange::Kind::Shared: {
    Value place = program.shared(loc, scratch);
    emitIf(program, loc, program.isFirstThread(loc),
           [&]() { storeShared(program, loc, scalar, place); });
    program.barrier(loc);
    return loadShared(program, loc, scalar.getType(), 1, place)[0];
  }
  }
  return scalar;
}
