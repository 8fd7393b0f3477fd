//===- DebugOps.td - What a program says of itself -----*- tablegen -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_IR_DEBUGOPS_TD
#define FSM_IR_DEBUGOPS_TD

include "fsm/IR/FSMEnums.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def FSM_PrintOp : FSM_Op<"print", [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "Prints values";
  let description = [{
    One line for each element of each value: the kernel's source line, the program,
    the label, the coordinates in the block, and the value. Integers are printed as
    signed numbers, or as hexadecimal ones with `hex`. All values have one shape or
    are scalars. Lines of different programs come in any order; those of one program
    in that of the ops, and of one op in row-major order.

    ```mlir
    fsm.print "row maximum" %max, %row : f32, i32
    fsm.print "offsets" hex %offsets : tensor<64xi32>
    ```
  }];
  let arguments = (ins
      Arg<StrAttr, "what stands in front of each value">:$label,
      Arg<UnitAttr, "if given, integers are printed in hexadecimal">:$hex,
      Arg<Variadic<FSM_MemoryValue>,
          "what is printed, one line an element; all scalars, or all of one shape">:$values);
  let assemblyFormat = "$label (`hex` $hex^)? ($values^ `:` type($values))? attr-dict";
  let hasVerifier = 1;
}

def FSM_AssertOp : FSM_Op<"assert", [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "Stops the launch with an error if a condition does not hold";
  let description = [{
    When an element of `condition` is false, the launch fails with `message`, the
    source line, the program and the element's coordinates. What the program and
    others do until the launch ends is unspecified, but nothing behind the op runs in
    that program. Unlike `fsm.assume` it promises nothing.

    ```mlir
    fsm.assert %inside, "row index out of range" : tensor<64xi1>
    ```
  }];
  let arguments = (ins
      Arg<FSM_MaskValue, "what must be true, for every element">:$condition,
      Arg<StrAttr, "what the error of a launch says">:$message);
  let assemblyFormat = "$condition `,` $message attr-dict `:` type($condition)";
}

#endif // FSM_IR_DEBUGOPS_TD
