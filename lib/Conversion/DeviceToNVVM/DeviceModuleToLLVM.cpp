//===- DeviceModuleToLLVM.cpp - The module that is translated ------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Conversion/Passes.h"

#include "fsm/IR/Origins.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/Transforms/Passes.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/TargetParser/Triple.h"

namespace fsm {
#define GEN_PASS_DEF_CONVERTDEVICEMODULETOLLVMPASS
#include "fsm/Conversion/Passes.h.inc"
} // namespace fsm

using namespace mlir;
using namespace fsm;

/// A constant that stands for several of a helper has no place there any more; inlined, it
/// would be at no line of the call. It is where the call is.
static Location inSomeFile(Location loc) {
  auto call = dyn_cast<CallSiteLoc>(loc);
  if (!call)
    return loc;
  Location caller = inSomeFile(call.getCaller());
  if (!call.getCallee()->findInstanceOf<FileLineColLoc>())
    return caller;
  return CallSiteLoc::get(inSomeFile(call.getCallee()), caller);
}

namespace {
struct ConvertDeviceModuleToLLVM
    : fsm::impl::ConvertDeviceModuleToLLVMPassBase<ConvertDeviceModuleToLLVM> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    auto devices = llvm::to_vector(module.getOps<gpu::GPUModuleOp>());
    if (devices.size() != 1) {
      InFlightDiagnostic error = module.emitOpError("needs one gpu.module, has ") << devices.size();
      for (gpu::GPUModuleOp device : devices)
        error.attachNote(device.getLoc()) << "one is here";
      return signalPassFailure();
    }
    gpu::GPUModuleOp device = devices.front();
    if (failed(checkContents(module, device)))
      return signalPassFailure();
    module.getBody()->getOperations().splice(device->getIterator(),
                                             device.getBody()->getOperations());
    device.erase();
    module->walk([](Operation *op) { op->setLoc(inSomeFile(op->getLoc())); });
    nameTarget(module);
  }

private:
  /// Whether all may stand in the module itself.
  static LogicalResult checkContents(ModuleOp module, gpu::GPUModuleOp device) {
    for (Operation &op : *device.getBody()) {
      if (!isa_and_present<LLVM::LLVMDialect>(op.getDialect()))
        return op.emitOpError("is no op of the llvm dialect; run convert-device-to-nvvm first");
      auto symbol = dyn_cast<SymbolOpInterface>(op);
      Operation *other =
          symbol ? SymbolTable::lookupSymbolIn(module, symbol.getNameAttr()) : nullptr;
      if (!other || other == device)
        continue;
      return failBeside(
          op.emitOpError("has the name of something outside the gpu.module; rename one"), other,
          "the other one is here");
    }
    return success();
  }

  void nameTarget(ModuleOp module) {
    static const std::string triple = "nvptx64-nvidia-cuda";
    // Without it, LLVM would split 64-bit accesses, for it would think them
    // aligned to 4 bytes.
    static const std::string layout = llvm::Triple(triple).computeDataLayout();
    Builder builder(&getContext());
    module->setAttr(LLVM::LLVMDialect::getTargetTripleAttrName(), builder.getStringAttr(triple));
    module->setAttr(LLVM::LLVMDialect::getDataLayoutAttrName(), builder.getStringAttr(layout));
  }
};
} // namespace

void fsm::addDeviceLoweringPasses(OpPassManager &manager) {
  manager.addPass(createConvertDeviceToNVVMPass());
  addDeviceModulePasses(manager);
}

void fsm::addDeviceModulePasses(OpPassManager &manager) {
  manager.addPass(createConvertDeviceModuleToLLVMPass());
  // Lines in the PTX, but nothing that makes ptxas compile for a debugger.
  LLVM::DIScopeForLLVMFuncOpPassOptions lines;
  lines.emissionKind = LLVM::DIEmissionKind::DebugDirectivesOnly;
  manager.addPass(LLVM::createDIScopeForLLVMFuncOpPass(lines));
}
