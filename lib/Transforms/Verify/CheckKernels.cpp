//===- CheckKernels.cpp - Reports what no device can run -----------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Transforms/Passes.h"

#include "fsm/IR/Module.h"
#include "fsm/IR/Origins.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringSet.h"

namespace fsm {
#define GEN_PASS_DEF_CHECKKERNELSPASS
#include "fsm/Transforms/Passes.h.inc"
} // namespace fsm

using namespace mlir;
using namespace fsm;

/// Says why the inliner left a call. The call's verifier knows that there is such
/// a helper.
static LogicalResult reportCall(func::CallOp call) {
  auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(call, call.getCalleeAttr());
  InFlightDiagnostic error = call.emitError()
                             << "the call of '@" << call.getCallee() << "' cannot be inlined: ";
  if (callee.isExternal())
    error << "the helper has no body";
  else if (!callee.getBody().hasOneBlock())
    error << "the helper has several blocks; use scf control flow";
  else
    error << "the helper is recursive";
  return failBeside(std::move(error), callee, "the helper is here");
}

/// Plans are not taken from a text: nothing would hold them to what the kernel says.
static LogicalResult checkUnplanned(Operation *op) {
  if (op->hasTrait<WrittenByPasses>())
    return op->emitError() << "'" << op->getName()
                           << "' is written by passes for GPUs; kernels are written without";
  for (NamedAttribute attribute : op->getDiscardableAttrs()) {
    const PlanAttribute *plan = findPlanAttribute(attribute.getName().getValue());
    if (!plan || plan->source == PlanSource::InText)
      continue;
    InFlightDiagnostic error = op->emitError()
                               << "'" << plan->name << "' is written by " << plan->writer << "; ";
    if (plan->source == PlanSource::ByNumStages)
      return error << "give a loop '" << kNumStagesAttr << "' instead";
    return error << "kernels are written without";
  }
  return success();
}

namespace {
struct CheckKernels : fsm::impl::CheckKernelsPassBase<CheckKernels> {
  void runOnOperation() override {
    markAllAnalysesPreserved();
    ModuleOp module = getOperation();
    if (module.getOps<KernelOp>().empty()) {
      emitError(startOf(module), "expected at least one 'fsm.kernel' in the module");
      return signalPassFailure();
    }
    bool failedAny = failed(verifyModule(module));
    // The inliner leaves several calls of a recursive helper: it is named once.
    llvm::StringSet<> reported;
    for (KernelOp kernel : module.getOps<KernelOp>())
      kernel.walk([&](Operation *op) {
        auto call = dyn_cast<func::CallOp>(op);
        if (!call)
          failedAny |= failed(checkUnplanned(op));
        else if (reported.insert(call.getCallee()).second)
          failedAny |= failed(reportCall(call));
      });
    if (failedAny)
      signalPassFailure();
  }
};
} // namespace
