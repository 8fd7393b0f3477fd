//===- OutputArguments.cpp - What a kernel writes and never reads --------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Analysis/OutputArguments.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace fsm;

/// The body of the helper that a call runs, or null.
static Region *bodyOf(func::CallOp call) {
  auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(call, call.getCalleeAttr());
  return callee && !callee.isExternal() ? &callee.getBody() : nullptr;
}

namespace {
/// Goes to all uses of a pointer.
struct PointerUses {
  llvm::SmallDenseSet<Value> seen;
  bool isWritten = false;

  /// False if something may be read, or nobody knows.
  bool follow(Value pointer) {
    if (!seen.insert(pointer).second)
      return true;
    return llvm::all_of(pointer.getUses(), [&](OpOperand &use) { return follow(use); });
  }

private:
  bool follow(OpOperand &use) {
    Operation *user = use.getOwner();
    // Who has called a helper goes on with what it returns.
    if (isa<func::ReturnOp>(user))
      return false;
    if (isMemoryEffectFree(user) && user->getNumRegions() == 0)
      return llvm::all_of(user->getResults(), [&](Value moved) {
        return isa<PointerType, DescriptorType>(moved.getType()) && follow(moved);
      });
    if (auto access = dyn_cast<GlobalAccess>(user); access && access.onlyWrites()) {
      isWritten = true;
      return access.getPointer() == use.get();
    }
    auto call = dyn_cast<func::CallOp>(user);
    Region *body = call ? bodyOf(call) : nullptr;
    return body && follow(body->getArgument(use.getOperandNumber()));
  }
};
} // namespace

llvm::SmallDenseSet<Value> fsm::outputArguments(KernelOp kernel) {
  llvm::SmallDenseSet<Value> outputs;
  for (BlockArgument argument : kernel.getBody().getArguments()) {
    PointerUses uses;
    if (isa<PointerType>(argument.getType()) && uses.follow(argument) && uses.isWritten)
      outputs.insert(argument);
  }
  return outputs;
}
