//===- Module.cpp - What a module of the language holds ------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/IR/Module.h"

#include "fsm/IR/FSMDialect.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace fsm;

LogicalResult fsm::verifyModule(ModuleOp module) {
  bool failed = false;
  for (Operation &op : module.getBodyRegion().getOps())
    if (!isa<KernelOp, func::FuncOp>(op)) {
      op.emitError() << "expected kernels and helpers in the module, got '" << op.getName()
                     << "'; write it inside one of them";
      failed = true;
    }
  return failure(failed);
}
