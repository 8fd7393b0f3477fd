//===- TargetOption.td - The GPU that a pass works for ------*- tablegen -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_TRANSFORMS_TARGETOPTION_TD
#define FSM_TRANSFORMS_TARGETOPTION_TD

include "mlir/Pass/PassBase.td"

def TargetOption : Option<"target", "target", "std::string", /*default=*/"\"sm_90a\"",
                          "the GPU, such as sm_80">;

#endif // FSM_TRANSFORMS_TARGETOPTION_TD
