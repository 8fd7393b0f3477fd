// A placeholder in a comment or a string is no placeholder; the place of an error is that of the file.

// RUN: %fsm_run %s --device=interp --grid=1 --arg=i32[1] 2>&1 | FileCheck %s
// RUN: %fsm_run %s --device=cpu --grid=1 --arg=i32[1] -D N=8 2>&1 | FileCheck %s --check-prefix=EIGHT
// RUN: not %fsm_run %s --device=cpu --grid=1 --arg=i32[1] -D 'N=12345678?' 2>&1 | FileCheck %s --check-prefix=WRONG
// RUN: not %fsm_run %s --device=cpu --grid=1 --arg=i32[1] -D 'N=$' 2>&1 | FileCheck %s --check-prefix=DOLLAR
// CHECK: parameters.mlir:16:3: program (0, 0, 0): ${UNKNOWN} ${N} = 7
// EIGHT: parameters.mlir:16:3: program (0, 0, 0): ${UNKNOWN} ${N} = 8
// WRONG: parameters.mlir:15:
// DOLLAR: the value of parameter 'N' must be 1 to 256 characters

// param N = 7
// ${N and ${UNKNOWN}
fsm.kernel @k(%p: !fsm.ptr<i32>) {
  %a = arith.constant ${N} : i32 // ${UNKNOWN}
  fsm.print "${UNKNOWN} ${N}" %a : i32
  fsm.return
}
