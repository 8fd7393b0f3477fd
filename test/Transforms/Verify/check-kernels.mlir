// A module whose kernels are free of calls is left as it is; helpers may stay.

// RUN: %fsm_opt %s --fsm-check-kernels | FileCheck %s

// CHECK: func.func private @external
func.func private @external(i32) -> i32

// CHECK: func.func private @recursive
func.func private @recursive(%n: i32) -> i32 {
  %a = func.call @recursive(%n) : (i32) -> i32
  return %a : i32
}

// CHECK: fsm.kernel @k
fsm.kernel @k() {
  fsm.return
}
