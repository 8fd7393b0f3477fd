//===- Passes.td - The passes that leave the fsm dialect ---*- tablegen -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_CONVERSION_PASSES_TD
#define FSM_CONVERSION_PASSES_TD

include "mlir/Pass/PassBase.td"

def ConvertFSMToCPUPass : Pass<"convert-fsm-to-cpu", "::mlir::ModuleOp"> {
  let summary = "Turns kernels into host functions over vectors";
  let description = [{
    Each kernel becomes an `llvm.func` of the type `HostKernelFunction`
    (include/fsm/Artifact/CompiledKernel.h) that runs one program. Every loop of
    the plan becomes an `scf.for` over vectors of `vector-bytes`, a partial vector
    is masked, and reductions keep their partial results in vector registers.
    Math functions become polynomials over vectors.

    Before: kernels with the attributes of `fsm-plan-host-loops`. After: no op of
    the fsm dialect and no tensor is left.

    Example: test/Conversion/convert-fsm-to-cpu.mlir
  }];
  let options = [
    Option<"vectorBytes", "vector-bytes", "unsigned", /*default=*/"64",
           "bytes of the host's vector registers">,
  ];
  let dependentDialects = [
    "::mlir::LLVM::LLVMDialect", "::mlir::math::MathDialect", "::mlir::scf::SCFDialect",
    "::mlir::vector::VectorDialect"];
}

def ConvertHostToLLVMPass : Pass<"convert-host-to-llvm", "::mlir::ModuleOp"> {
  let summary = "Lowers host functions to the llvm dialect";
  let description = [{
    Structured control flow becomes branches, and `arith`, `math` and `vector`
    become LLVM's instructions, in one conversion with upstream's patterns.

    Before: the output of `convert-fsm-to-cpu`. After: only the llvm dialect.

    Example: test/Conversion/convert-host-to-llvm.mlir
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect", "::mlir::cf::ControlFlowDialect"];
}

#endif // FSM_CONVERSION_PASSES_TD
