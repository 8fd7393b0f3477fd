//===- Passes.td - Passes that read other languages --------*- tablegen -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_IMPORT_PASSES_TD
#define FSM_IMPORT_PASSES_TD

include "mlir/Pass/PassBase.td"

def ImportTritonPass : Pass<"fsm-import-triton", "::mlir::ModuleOp"> {
  let summary = "Makes kernels of what Triton's front end makes";
  let description = [{
    Each public `tt.func` becomes an `fsm.kernel`, each other one a helper. Blocks of pointers, which
    the `fsm` dialect does not have, become a base and a block of offsets where they are known to have
    one base, and addresses elsewhere; branches become `scf`. The page docs/triton.md has a table of
    the ops. What has no counterpart is an error at the op.

    Arithmetic on offsets is taken not to wrap, of 64 bits where nothing else is made of it, unless
    `exact-offsets` is given, and products may be
    fused with sums, unless `fp-fusion=false` is.

    What an option does not say, the module may: `tt.num_warps`, `tt.maxnreg`, `tt.num_stages`,
    `tt.no_fp_fusion`, which is 1 to leave fusion out, and `tt.assert_addresses`, which is 1 to have asserted what is
    otherwise taken for granted of addresses: that elements begin at multiples of their size.

    Before: a module of the `tt` dialect. After: a module in FSM's language.

    Example: test/Import/Triton/import-triton.mlir
  }];
  let options = [
    Option<"numWarps", "num-warps", "unsigned", /*default=*/"0",
           "warps that run one program; 0 leaves it to fsm-choose-warps">,
    Option<"maxRegisters", "max-registers", "unsigned", /*default=*/"0",
           "registers a thread may take; 0 leaves it to the compiler">,
    Option<"numStages", "num-stages", "unsigned", /*default=*/"0",
           "stages of loops that hold a product of matrices and do not say theirs; 0 for none">,
    Option<"fpFusion", "fp-fusion", "bool", /*default=*/"true",
           "allow a product to be fused with a sum">,
    Option<"exactOffsets", "exact-offsets", "bool", /*default=*/"false",
           "let arithmetic on offsets wrap">,
    Option<"assertAddresses", "assert-addresses", "bool", /*default=*/"false",
           "assert that addresses are multiples of the size of what they point to">,
    Option<"printForms", "print-forms", "bool", /*default=*/"false",
           "print the plan of the blocks of pointers">,
  ];
  let dependentDialects = ["::fsm::FSMDialect", "::mlir::func::FuncDialect", "::mlir::scf::SCFDialect",
                           "::mlir::ub::UBDialect"];
}

#endif // FSM_IMPORT_PASSES_TD
