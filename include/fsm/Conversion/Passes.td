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
    is masked, and reductions keep their partial results in vector registers. Behind
    the last vector that a row's mask leaves whole, a loop with `fsm.host_ends` goes
    on in an `scf.while`, until a vector changes no partial result.
    Math functions become polynomials over vectors.

    Before: kernels with the attributes of `fsm-plan-host-loops`. After: no op of
    the fsm dialect and no tensor is left.

    Example: test/Conversion/FSMToCPU/convert-fsm-to-cpu.mlir
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

    Example: test/Conversion/FSMToCPU/convert-host-to-llvm.mlir
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect", "::mlir::cf::ControlFlowDialect"];
}

def ConvertDeviceToNVVMPass : Pass<"convert-device-to-nvvm", "::mlir::ModuleOp"> {
  let summary = "Lowers device functions to the llvm and nvvm dialects";
  let description = [{
    In each `gpu.module`, `gpu.func` becomes `llvm.func`, and `scf`, `arith`, `math`
    and `vector` become LLVM's instructions, in one conversion. A kernel's launch
    bound is 32 * `fsm.num_warps` * `fsm.programs_per_cta` threads, and its register
    limit is `fsm.max_registers`, where it has one. An `scf.for` with the unit
    attribute `fsm.no_unroll` is unrolled neither by LLVM nor by ptxas.

    Before: the output of `convert-fsm-to-gpu`. After: only the llvm and nvvm
    dialects in the `gpu.module`.

    Example: test/Conversion/DeviceToNVVM/convert-device-to-nvvm.mlir
  }];
  let dependentDialects = [
    "::mlir::LLVM::LLVMDialect", "::mlir::NVVM::NVVMDialect", "::mlir::cf::ControlFlowDialect"];
}

def ConvertDeviceModuleToLLVMPass
    : Pass<"convert-device-module-to-llvm", "::mlir::ModuleOp"> {
  let summary = "Makes the one gpu.module the module that is translated";
  let description = [{
    The functions of the `gpu.module` move into the builtin module around it, which
    gets the triple and the data layout of the NVPTX code generator.

    Before: the output of `convert-device-to-nvvm`. After: a module of the llvm and
    nvvm dialects that translates to LLVM IR.

    Example: test/Conversion/DeviceToNVVM/convert-device-module-to-llvm.mlir
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def ConvertFSMToGPUPass : Pass<"convert-fsm-to-gpu", "::mlir::ModuleOp"> {
  let summary = "Turns kernels into functions that one GPU thread executes";
  let description = [{
    Each kernel becomes a `gpu.func` of the module `@kernels`. A block with a layout is
    a vector of the elements the thread holds; `arith` and `math` act on these;
    loads and stores are a few masked accesses of up to 16 bytes; reductions and
    layout conversions exchange elements by shuffles and shared memory. `scf` stays.
    A mask that ends in a row compares what is left of it behind the thread's own part with constants
    of the registers, where several blocks are loaded.

    The function carries what a launch must know: `fsm.num_warps`,
    `fsm.programs_per_cta`, `fsm.shared_bytes` and `fsm.hidden_arguments`, what it takes behind the
    author's arguments: the grid's extent along x when programs share a cta, and the records of
    prints and asserts.

    Before: kernels whose blocks have layouts and whose scratch memory has
    offsets. After: no op of the fsm dialect and no tensor is left.

    Example: test/Conversion/FSMToGPU/convert-fsm-to-gpu.mlir
  }];
  let options = [Option<"target", "target", "std::string", "\"\"",
      "the GPU, sm_89 and the like; without one instructions that only some have are left out">];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::gpu::GPUDialect", "::mlir::LLVM::LLVMDialect",
    "::mlir::math::MathDialect", "::mlir::NVVM::NVVMDialect", "::mlir::scf::SCFDialect",
    "::mlir::vector::VectorDialect"];
}

def ReadAheadPass : Pass<"fsm-read-ahead", "::mlir::ModuleOp"> {
  let summary = "Reads the first numbers of a product's iteration in the last one";
  let description = [{
    A loop whose iterations wait for asynchronous copies, meet, begin others and read what they multiply from shared
    memory does so one after the other, and multiplies nothing in the meantime. Here the wait, the barrier and the
    reads of an iteration's first step stand in front of the multiply-adds of the last step of the iteration before, behind all else
    that accesses memory, and copies begin in its middle. The same numbers are multiplied in the same order.

    A loop has `fsm.read_ahead`, one wait, one barrier and one group of copies, reads of shared memory with `math.fma`
    behind them, and nothing else with effects.

    Before: the output of `convert-fsm-to-gpu`. After: the same ops, and such loops carry what they read.

    Example: test/Conversion/DeviceToNVVM/read-ahead.mlir
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::LLVM::LLVMDialect", "::mlir::scf::SCFDialect"];
  let statistics = [
    Statistic<"advanced", "advanced", "loops that read ahead">,
  ];
}

#endif // FSM_CONVERSION_PASSES_TD
