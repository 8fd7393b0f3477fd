//===- LayoutOps.td - Which thread holds which element ------*- tablegen -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_IR_LAYOUTOPS_TD
#define FSM_IR_LAYOUTOPS_TD

include "fsm/IR/FSMEnums.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/TensorEncoding.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def FSM_LayoutAttr : AttrDef<FSM_Dialect, "Layout", [
    DeclareAttrInterfaceMethods<VerifiableTensorEncoding, ["verifyEncoding"]>]> {
  let mnemonic = "layout";
  let summary = "which thread holds which element of a block, or which place in shared memory";
  let description = [{
    A linear map over bits (docs/layouts.md) as the encoding of a block: for each
    bit of the register's, lane's, warp's and cta's number, the coordinates by
    which it moves. The element at register r, lane l, warp w and cta c is the
    exclusive or of the coordinates of the bits that are set. A coordinate of zeros
    says that two threads hold the same element.

    A block of 1024 numbers over one warp, four neighbours a lane at a time:

    ```mlir
    #rows = #fsm.layout<register = [[1], [2], [128], [256], [512]],
                        lane = [[4], [8], [16], [32], [64]], warp = [], cta = []>
    ```

    `fsm-assign-layouts` writes it; kernels are written without.

    A layout of `!fsm.shared` has the bits of an offset instead, counted in elements.
    Four rows of four, each exclusive-ored with its number:

    ```mlir
    #swizzled = #fsm.layout<offset = [[0, 1], [0, 2], [1, 1], [2, 2]]>
    ```
  }];
  let parameters = (ins
      "unsigned":$rank,
      ArrayRefParameter<"int64_t", "bases of the register bits">:$registers,
      ArrayRefParameter<"int64_t">:$lanes,
      ArrayRefParameter<"int64_t">:$warps,
      ArrayRefParameter<"int64_t">:$ctas,
      ArrayRefParameter<"int64_t", "bases of an offset in shared memory; then there are no others">:$offsets);
  let hasCustomAssemblyFormat = 1;
  let extraClassDeclaration = [{
    /// The attribute for a layout of threads or of shared memory, and the layout for a
    /// block of these extents.
    static LayoutAttr get(::mlir::MLIRContext *context, const ::fsm::LinearLayout &layout);
    ::fsm::LinearLayout toLinear(::llvm::ArrayRef<int64_t> shape) const;
    /// Whether it says where elements are in shared memory, and not in which threads.
    bool isOfShared() const { return !getOffsets().empty(); }
    /// Why it goes beyond these extents, as an error, whoever holds it.
    ::llvm::LogicalResult verifyInside(
        ::llvm::ArrayRef<int64_t> shape,
        ::llvm::function_ref<::mlir::InFlightDiagnostic()> emitError) const;
    /// The same, or why it does not hold every element of a block of these extents.
    ::llvm::LogicalResult verifyExtents(
        ::llvm::ArrayRef<int64_t> shape,
        ::llvm::function_ref<::mlir::InFlightDiagnostic()> emitError) const;
  }];
}

def FSM_ConvertLayoutOp : FSM_PlanOp<"convert_layout", [Pure]> {
  let summary = "Moves the elements of a block to other threads";
  let description = [{
    The result has the elements of `source`; which thread holds which element is
    what the result's `#fsm.layout` says. Costs nothing, register moves, shuffles
    or a trip through shared memory, as docs/layouts.md explains; the last
    `fsm-stage-exchanges` writes out.

    ```mlir
    #a = #fsm.layout<register = [[32]], lane = [[1], [2], [4], [8], [16]], warp = [], cta = []>
    #b = #fsm.layout<register = [[1]], lane = [[2], [4], [8], [16], [32]], warp = [], cta = []>
    %y = fsm.convert_layout %x : tensor<64xf32, #a> -> tensor<64xf32, #b>
    ```
  }];
  let arguments = (ins Arg<FSM_Block, "the block, in the threads that hold it now">:$source);
  let results = (outs
      Res<FSM_Block, "the same elements, in the threads that the result's layout names">:$result);
  let assemblyFormat = "$source attr-dict `:` type($source) `->` type($result)";
  let hasFolder = 1;
  let hasVerifier = 1;
}

#endif // FSM_IR_LAYOUTOPS_TD
