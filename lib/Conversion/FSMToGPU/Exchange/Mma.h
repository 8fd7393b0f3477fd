//===- Mma.h - Products of matrices by tensor cores ------------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_CONVERSION_FSMTOGPU_EXCHANGE_MMA_H
#define FSM_CONVERSION_FSMTOGPU_EXCHANGE_MMA_H

#include "../Program/DeviceProgram.h"

#include "fsm/Machine/MmaCatalogue.h"

namespace fsm::gpu {

/// The slots in which factors are; null for memory without.
struct FactorSlots {
  Value left, right;
};

/// Adds the product of two matrices in shared memory to the sums that the thread has, by an
/// instruction of all lanes of a warp; `held` is what the thread has of a left factor that is not
/// in memory. Null, behind an error at the op, where its blocks are not laid out for it.
Value multiplyByMma(DeviceProgram &program, SharedDotOp op, const MmaInstruction &mma, Value held,
                    Value acc, const FactorSlots &slots);

/// The same by an instruction of groups of four warps.
Value multiplyByWgmma(DeviceProgram &program, SharedDotOp op, const MmaInstruction &mma, Value held,
                      Value acc, const FactorSlots &slots);

/// Elements of up to 32 bits as words of 32, those of neighbouring registers in one.
llvm::SmallVector<Value> wordsOfElements(DeviceProgram &program, llvm::ArrayRef<Value> elements);

/// What the sums of products in flight are when these have ended.
Value waitForProducts(DeviceProgram &program, Value sums);

/// Waits until no more than the last products go on.
void limitProducts(DeviceProgram &program, uint32_t pending);

/// Whether sums begin with an instruction's fragment, and the rest are such fragments.
bool areFragments(const LinearLayout &layout, const MmaInstruction &mma);

} // namespace fsm::gpu

#endif // FSM_CONVERSION_FSMTOGPU_EXCHANGE_MMA_H
