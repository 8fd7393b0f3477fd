//===- Precompiled.h - The headers every MLIR file shares ------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_IR_PRECOMPILED_H
#define FSM_IR_PRECOMPILED_H

// Without NDEBUG, which our own assertions ask for, LLVM's statistics have members
// that the packaged libraries, built with it, do not initialise.
#pragma push_macro("NDEBUG")
#undef NDEBUG
#define NDEBUG
#include "llvm/ADT/Statistic.h"
#pragma pop_macro("NDEBUG")

// Parsed once for the whole build: a lowering file takes 20 s without this
// header and 1.5 s with it.
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/DialectConversion.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "mlir/Transforms/InliningUtils.h"

// Nearly every file speaks of the dialect; its ops cost a file 1 to 2 s.
#include "fsm/IR/FSMDialect.h"

#endif // FSM_IR_PRECOMPILED_H
