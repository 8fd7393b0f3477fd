//===- ToLLVM.h - Functions to the llvm dialect -----------------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_LIB_CONVERSION_TOLLVM_H
#define FSM_LIB_CONVERSION_TOLLVM_H

#include "mlir/Conversion/LLVMCommon/ConversionTarget.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"

namespace fsm {
/// Where a counted loop asks whether it goes on: in front of its body, as upstream's patterns write
/// it, or behind it.
enum class LoopForm { AsUpstream, Rotated };

/// Takes all inside `root` to the llvm dialect that is not legal for `target`: loops and choices of
/// scf, then, by upstream's patterns and those that a machine adds, arith, cf, math and vector.
mlir::LogicalResult convertToLLVM(
    mlir::Operation *root, LoopForm form, mlir::DialectConversionFoldingMode folding,
    mlir::LLVMConversionTarget &target,
    llvm::function_ref<void(mlir::LLVMTypeConverter &, mlir::RewritePatternSet &)> addPatterns);
} // namespace fsm

#endif // FSM_LIB_CONVERSION_TOLLVM_H
