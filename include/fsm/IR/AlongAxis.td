//===- AlongAxis.td - Reductions and scans as one thing ----*- tablegen -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_IR_ALONGAXIS_TD
#define FSM_IR_ALONGAXIS_TD

include "mlir/IR/OpBase.td"

def FSM_AlongAxisInterface : OpInterface<"AlongAxis"> {
  let cppNamespace = "::fsm";
  let description = [{
    Combines elements, or tuples of them, along one dimension of its operands: a
    reduction, or a scan.
  }];
  let methods = [
    InterfaceMethod<"The dimension.", "uint32_t", "getAxis">,
    InterfaceMethod<"Whether each element is combined with those before it, instead of all to one.",
                    "bool", "isScan", (ins), "", "return false;">,
    InterfaceMethod<"Whether a scan goes from the end to the beginning.",
                    "bool", "getReverse", (ins), "", "return false;">,
    InterfaceMethod<"How two elements are combined; nothing where a region says it.",
                    "std::optional<::fsm::ReduceKind>", "knownKind", (ins), "", "return std::nullopt;">,
    InterfaceMethod<"Whether max and min of a NaN are NaN.",
                    "bool", "getPropagateNan", (ins), "", "return false;">,
    InterfaceMethod<"How warps exchange what each has of a line; none, or one region.",
                    "::mlir::MutableArrayRef<::mlir::Region>", "getExchange">,
  ];
}

#endif // FSM_IR_ALONGAXIS_TD
