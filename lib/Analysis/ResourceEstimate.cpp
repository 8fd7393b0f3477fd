//===- ResourceEstimate.cpp - What a kernel asks of a GPU -----------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Analysis/ResourceEstimate.h"

#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace fsm;

static uint64_t registersFor(uint64_t elements, Type type) {
  uint64_t bits = type.getIntOrFloatBitWidth();
  // Bytes are held in 16 bits, conditions in predicates.
  bits = bits == 1 ? 1 : std::max<uint64_t>(16, bits);
  return llvm::divideCeil(elements * bits, 32);
}

int64_t fsm::largestBlockIn(Operation *root) {
  int64_t most = 1;
  root->walk([&](Operation *op) {
    for (Type type : op->getResultTypes())
      if (auto block = dyn_cast<RankedTensorType>(type))
        most = std::max(most, block.getNumElements());
  });
  return most;
}

uint64_t fsm::registersOf(RankedTensorType block) {
  return registersFor(linearLayoutOf(block).liveRegisters().size(), block.getElementType());
}

uint64_t fsm::registersOver(KernelOp kernel, uint64_t threads) {
  auto registers = [threads](RankedTensorType block) {
    uint64_t elements = llvm::divideCeil(static_cast<uint64_t>(block.getNumElements()), threads);
    return registersFor(elements, block.getElementType());
  };
  return blockRegisters(kernel, registers).held.registers;
}

uint64_t fsm::registersAllowed(KernelOp kernel, const GpuTarget &target, uint64_t warps) {
  uint64_t available = registersPerThread(target, warps);
  return std::min<uint64_t>(available, kernel.getMaxRegisters().value_or(available));
}

bool fsm::isReduced(Value value) {
  llvm::SetVector<Operation *> users(value.user_begin(), value.user_end());
  for (size_t i = 0; i < users.size(); ++i) {
    if (isa<AlongAxis>(users[i]))
      return true;
    for (Operation *user : users[i]->getUsers())
      users.insert(user);
  }
  return false;
}

bool fsm::storesBlocks(KernelOp kernel) {
  return kernel.walk([](StoreOp op) {
    return isa<RankedTensorType>(op.getValue().getType()) ? WalkResult::interrupt() : WalkResult::advance();
  }).wasInterrupted();
}

unsigned fsm::groupsOfWarps(KernelOp kernel) {
  return kernel->hasAttr(kPartsInCtaAttr)
             ? static_cast<unsigned>(integerAttrOr(kernel, kPartsAttr, 1))
             : 1;
}

unsigned fsm::programsWithRoom(KernelOp kernel, uint64_t needed, uint64_t available) {
  unsigned programs = std::max<int64_t>(1, integerAttrOr(kernel, kProgramsPerCtaAttr, 1));
  while (programs > 1 && needed > available / programs)
    programs /= 2;
  return programs;
}

ResourceEstimate fsm::estimateResources(KernelOp kernel) {
  ResourceEstimate needs;
  needs.warps = kernel.getNumWarps().value_or(1);
  needs.programsPerCta = integerAttrOr(kernel, kProgramsPerCtaAttr, 1) * groupsOfWarps(kernel);
  needs.threads = uint64_t(32) * needs.warps * needs.programsPerCta;
  needs.sharedBytes = uint64_t(integerAttrOr(kernel, kSharedBytesAttr, 0)) * needs.programsPerCta;
  needs.blocks = blockRegisters(kernel, [](RankedTensorType block) -> uint64_t {
    return isa_and_present<LayoutAttr>(block.getEncoding()) ? registersOf(block) : 0;
  });
  return needs;
}
