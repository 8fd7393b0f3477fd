// `num-stages` is of loops with a hint; a kernel that has none is told, on the way to every device.

// RUN: %fsm_opt %s --pass-pipeline='builtin.module(fsm-specialize{kernel=unhinted num-stages=3})' 2>&1 | FileCheck %s
// RUN: %fsm_opt %s --pass-pipeline='builtin.module(fsm-specialize{kernel=hinted num-stages=3})' 2>&1 | FileCheck %s --check-prefix=HINTED
// RUN: %fsm_run %s --kernel=unhinted --num-stages=3 --device=cpu --grid=1 --arg=1 2>&1 | FileCheck %s --check-prefix=SAYS
// RUN: %fsm_run %s --kernel=unhinted --num-stages=3 --emit=ptx --target=sm_80 2>&1 | FileCheck %s --check-prefix=SAYS

// HINTED-NOT: remark
// CHECK: num-stages.mlir:[[#]]:1: remark: 'num-stages' changes nothing: no loop of the kernel has 'fsm.num_stages'
// CHECK-NOT: fsm.forced_stages
// HINTED: fsm.forced_stages
// SAYS: num-stages.mlir:[[#]]:1: remark: 'num-stages' changes nothing: no loop of the kernel has 'fsm.num_stages'

fsm.kernel @unhinted(%n: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  scf.for %i = %zero to %n step %one : i32 {
  }
  fsm.return
}

fsm.kernel @hinted(%n: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  scf.for %i = %zero to %n step %one : i32 {
  } {fsm.num_stages = 2 : i32}
  fsm.return
}
