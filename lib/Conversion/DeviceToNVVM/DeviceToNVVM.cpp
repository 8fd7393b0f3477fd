//===- DeviceToNVVM.cpp - Device functions to llvm and nvvm --------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// One conversion takes everything down: upstream's patterns for scf, cf, arith,
// math and vector, and our own for functions. Upstream's conversion from gpu to
// nvvm is not used, for it turns math into calls of a device library that
// nobody links.

#include "../ToLLVM.h"

#include "fsm/Conversion/Passes.h"

#include "fsm/IR/FSMDialect.h"
#include "fsm/Machine/GpuTarget.h"

#include "mlir/Conversion/LLVMCommon/Pattern.h"
#include "mlir/Conversion/NVVMToLLVM/NVVMToLLVM.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/Transforms/VectorRewritePatterns.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Transforms/DialectConversion.h"

namespace fsm {
#define GEN_PASS_DEF_CONVERTDEVICETONVVMPASS
#include "fsm/Conversion/Passes.h.inc"
} // namespace fsm

using namespace mlir;
using namespace fsm;

/// Refuses what has no launch on a GPU, before anything is rewritten.
static WalkResult checkFunction(gpu::GPUFuncOp function) {
  if (!function.getWorkgroupAttributions().empty() || !function.getPrivateAttributions().empty())
    return function.emitOpError("needs shared memory as a global, not as attributions");
  int64_t warps = integerAttrOr(function, kNumWarpsAttr, 0);
  int64_t programs = integerAttrOr(function, kProgramsPerCtaAttr, 1);
  constexpr int64_t maxWarps = 32, maxCtas = 16;
  if (warps < 1 || programs < 1 || warps > maxWarps || programs > maxWarps / warps)
    return function.emitOpError() << "needs 'fsm.num_warps' times 'fsm.programs_per_cta' "
                                     "between 1 and 32, got "
                                  << warps << " times " << programs;
  if (int64_t ctas = integerAttrOr(function, kNumCtasAttr, 1);
      ctas > maxCtas || (ctas > 1 && programs > 1))
    return function.emitOpError() << "needs 'fsm.num_ctas' up to " << maxCtas
                                  << ", and 1 where programs share a cta, got " << ctas;
  if (int64_t cluster = integerAttrOr(function, kClusterAttr, 1);
      cluster > 1 && (programs > 1 || integerAttrOr(function, kNumCtasAttr, 1) > 1))
    return function.emitOpError("needs programs of one cta each where 'fsm.cluster' is given");
  return WalkResult::advance();
}

/// How many ctas have registers on a multiprocessor whose warps hand these on: a group of four gives
/// back what the others get. None where nothing is handed on.
static int32_t ctasThatHandOn(gpu::GPUFuncOp kernel, int32_t threads) {
  constexpr int32_t threadsOfGroup = 128;
  int32_t kept = 0, given = 0;
  kernel.walk([&](NVVM::SetMaxRegisterOp op) {
    bool isKept = op.getAction() == NVVM::SetMaxRegisterAction::decrease;
    (isKept ? kept : given) = static_cast<int32_t>(op.getRegCount());
  });
  int32_t all = kept * threadsOfGroup + given * (threads - threadsOfGroup);
  return all > 0 ? std::max(1, static_cast<int32_t>(kRegistersOfMultiprocessor) / all) : 0;
}

/// What the code generator has to know of a kernel's launch.
static void setLaunchBounds(gpu::GPUFuncOp kernel, LLVM::LLVMFuncOp function) {
  OpBuilder builder(function);
  function->setAttr(NVVM::NVVMDialect::getKernelFuncAttrName(), builder.getUnitAttr());
  int64_t warps = integerAttrOr(kernel, kNumWarpsAttr, 1);
  int64_t programs = integerAttrOr(kernel, kProgramsPerCtaAttr, 1);
  int32_t threads = static_cast<int32_t>(32 * warps * programs);
  // Warps that hand registers to one another are those of a launch that ptxas knows.
  int32_t ctas = ctasThatHandOn(kernel, threads);
  function->setAttr(ctas ? NVVM::NVVMDialect::getReqntidAttrName()
                         : NVVM::NVVMDialect::getMaxntidAttrName(),
                    builder.getDenseI32ArrayAttr({threads}));
  if (auto resident = static_cast<int32_t>(integerAttrOr(kernel, kResidentCtasAttr, ctas)))
    function->setAttr(NVVM::NVVMDialect::getMinctasmAttrName(), builder.getI32IntegerAttr(resident));
  // Of one program, or of one each.
  int64_t inCluster = integerAttrOr(kernel, kNumCtasAttr, 1) * integerAttrOr(kernel, kClusterAttr, 1);
  if (inCluster > 1)
    function->setAttr(NVVM::NVVMDialect::getClusterDimAttrName(),
                      builder.getDenseI32ArrayAttr({static_cast<int32_t>(inCluster), 1, 1}));
  // With .maxnreg ptxas forgets how many threads a CTA has; where these leave no more, it is to
  // remember.
  int64_t registers = integerAttrOr(kernel, kMaxRegistersAttr, 0);
  if (registers && registers * threads < int64_t(kRegistersOfMultiprocessor))
    function->setAttr(NVVM::NVVMDialect::getMaxnregAttrName(),
                      builder.getI32IntegerAttr(static_cast<int32_t>(registers)));
  // Tensor maps stay where the launch has put them: the hardware reads them by their addresses.
  for (unsigned i = 0; i < function.getNumArguments(); ++i)
    if (function.getArgAttr(i, LLVM::LLVMDialect::getByValAttrName()))
      function.setArgAttr(i, NVVM::NVVMDialect::getGridConstantAttrName(), builder.getUnitAttr());
}

namespace {
struct LowerFunction : ConvertOpToLLVMPattern<gpu::GPUFuncOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult matchAndRewrite(gpu::GPUFuncOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    TypeConverter::SignatureConversion signature(op.getNumArguments());
    auto type =
        dyn_cast_or_null<LLVM::LLVMFunctionType>(getTypeConverter()->convertFunctionSignature(
            op.getFunctionType(), /*isVariadic=*/false, /*useBarePtrCallConv=*/false, signature));
    if (!type)
      return rewriter.notifyMatchFailure(op, "an argument has no llvm type");
    auto function = LLVM::LLVMFuncOp::create(rewriter, op.getLoc(), op.getName(), type);
    for (NamedAttribute attribute : op->getDiscardableAttrs())
      if (attribute.getName().strref().starts_with("fsm."))
        function->setAttr(attribute.getName(), attribute.getValue());
    if (ArrayAttr arguments = op.getArgAttrsAttr())
      function.setArgAttrsAttr(arguments);
    if (op.isKernel())
      setLaunchBounds(op, function);
    rewriter.inlineRegionBefore(op.getBody(), function.getBody(), function.end());
    if (failed(rewriter.convertRegionTypes(&function.getBody(), *getTypeConverter(), &signature)))
      return failure();
    rewriter.eraseOp(op);
    return success();
  }
};

struct LowerReturn : ConvertOpToLLVMPattern<gpu::ReturnOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult matchAndRewrite(gpu::ReturnOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<LLVM::ReturnOp>(op, adaptor.getOperands());
    return success();
  }
};

struct ConvertDeviceToNVVM : fsm::impl::ConvertDeviceToNVVMPassBase<ConvertDeviceToNVVM> {
  void runOnOperation() override {
    if (getOperation().walk(checkFunction).wasInterrupted())
      return signalPassFailure();
    keepLoopsRolled();
    LLVMConversionTarget target(getContext());
    target.addLegalOp<gpu::GPUModuleOp>();
    target.addDynamicallyLegalDialect<NVVM::NVVMDialect>([](Operation *op) {
      // What LLVM has no intrinsic for becomes inline PTX here.
      auto ptx = dyn_cast<NVVM::BasicPtxBuilderInterface>(op);
      return !ptx || ptx.hasIntrinsic();
    });
    auto addPatterns = [](LLVMTypeConverter &converter, RewritePatternSet &patterns) {
      patterns.add<LowerFunction, LowerReturn>(converter);
      vector::populateVectorInsertExtractStridedSliceTransforms(patterns);
      populateNVVMToLLVMConversionPatterns(patterns);
    };
    if (failed(convertToLLVM(getOperation(), LoopForm::AsUpstream,
                             DialectConversionFoldingMode::Never, target, addPatterns)))
      signalPassFailure();
  }

private:
  /// Says to LLVM and to ptxas which loops are to stay as they are; the branch
  /// that closes a loop inherits its attributes of the llvm dialect.
  void keepLoopsRolled() {
    MLIRContext *context = &getContext();
    auto unroll =
        LLVM::LoopUnrollAttr::get(context, BoolAttr::get(context, true), {}, {}, {}, {}, {}, {});
    auto annotation = LLVM::LoopAnnotationAttr::get(context, {}, {}, {}, unroll, {}, {}, {}, {}, {},
                                                    {}, {}, {}, {}, {}, {});
    getOperation().walk([&](scf::ForOp loop) {
      if (loop->removeAttr(kNoUnrollAttr))
        loop->setAttr("loop_annotation", annotation);
    });
  }
};
} // namespace
