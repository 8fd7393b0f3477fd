// A launch begins before the one before it has ended, and waits for that before it accesses global memory; what it does with
// shared memory is done by then.

// RUN: %fsm_opt %s --fsm-overlap-launches="target=sm_90a" | FileCheck %s
// RUN: %fsm_opt %s --fsm-overlap-launches="target=sm_90a overlap-launches=never" | FileCheck %s --check-prefix=NEVER
// RUN: %fsm_opt %s --fsm-overlap-launches="target=sm_80" | FileCheck %s --check-prefix=NEVER
// RUN: not %fsm_opt %s --fsm-overlap-launches="target=sm_90a overlap-launches=always" 2>&1 | FileCheck %s --check-prefix=WORD
// RUN: not %fsm_opt %s --fsm-overlap-launches="target=sm_91" 2>&1 | FileCheck %s --check-prefix=TARGET

// NEVER-NOT: launch_dependents
// NEVER-NOT: wait_prerequisites
// TARGET: error: unknown GPU target 'sm_91'

#line = #fsm.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = [], cta = []>

// Tables that are made in shared memory, and what is promised, come before.
// CHECK-LABEL: @table
// CHECK-NEXT:    fsm.range
// CHECK:         fsm.shared_store
// CHECK-NEXT:    fsm.shared_barrier
// CHECK:         fsm.assume
// CHECK-NEXT:    fsm.wait_prerequisites
// CHECK-NEXT:    fsm.load
// CHECK-NOT:     fsm.wait_prerequisites
// CHECK:         fsm.return
// WORD: overlap-launches.mlir:[[#@LINE+1]]:1: error: expected overlap-launches 'auto' or 'never', got 'always'
fsm.kernel @table(%out: !fsm.ptr<i32>, %in: !fsm.ptr<i32>, %n: i32) attributes {num_warps = 1 : i32} {
  %i = fsm.range 0, 32 : tensor<32xi32, #line>
  %memory = fsm.shared_alloc : !fsm.shared<32xi32>
  fsm.shared_store %i, %memory : tensor<32xi32, #line>, !fsm.shared<32xi32>
  fsm.shared_barrier <program>
  %zero = arith.constant 0 : i32
  %some = arith.cmpi sgt, %n, %zero : i32
  fsm.assume %some
  %x = fsm.load %in : !fsm.ptr<i32> -> i32
  fsm.store %x, %out : i32, !fsm.ptr<i32>
  fsm.return
}

// So do slots that are cleared behind the end of a short tensor.
// CHECK-LABEL: @cleared
// CHECK:         fsm.clear_lines
// CHECK-NEXT:    fsm.wait_prerequisites
// CHECK-NEXT:    fsm.load
#tile = #fsm.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0]]>
fsm.kernel @cleared(%in: !fsm.ptr<f16>, %m: i32, %ld: i32) attributes {num_warps = 1 : i32} {
  %ring = fsm.shared_alloc : !fsm.shared<16x64xf16 slots 3, #tile>
  %map = fsm.tensor_map %in sizes [%m, %ld] strides [%ld] box_ends : (!fsm.ptr<f16>, i32, i32, i32) -> !fsm.tensor_map<16x64xf16 swizzle 128>
  fsm.clear_lines %ring by %map : !fsm.shared<16x64xf16 slots 3, #tile>, !fsm.tensor_map<16x64xf16 swizzle 128>
  %x = fsm.load %in : !fsm.ptr<f16> -> f16
  fsm.return
}

// A CTA that leaves room for no second one lets those of the next launch begin beside the last of its own, but not before
// launches in front of it have ended.
// CHECK-LABEL: @large
// CHECK-NEXT:    fsm.wait_prerequisites
// CHECK-NEXT:    fsm.launch_dependents
// CHECK-NEXT:    fsm.load
// CHECK-LABEL: @half
// CHECK-NOT:     fsm.launch_dependents
// CHECK:         fsm.return
fsm.kernel @large(%in: !fsm.ptr<i32>) attributes {num_warps = 1 : i32, fsm.shared_bytes = 116737 : i32} {
  %x = fsm.load %in : !fsm.ptr<i32> -> i32
  fsm.return
}
fsm.kernel @half(%in: !fsm.ptr<i32>) attributes {num_warps = 1 : i32, fsm.shared_bytes = 116736 : i32} {
  %x = fsm.load %in : !fsm.ptr<i32> -> i32
  fsm.return
}

// A loop that accesses memory is waited in front of, once.
// CHECK-LABEL: @loop
// CHECK:         fsm.wait_prerequisites
// CHECK-NEXT:    scf.for
// CHECK-NOT:     fsm.wait_prerequisites
// CHECK:         fsm.return
fsm.kernel @loop(%out: !fsm.ptr<i32>, %n: i32) attributes {num_warps = 1 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  scf.for %i = %zero to %n step %one : i32 {
    fsm.store %i, %out : i32, !fsm.ptr<i32>
  }
  fsm.return
}

// A launch that accesses nothing ends behind the ones before it as well: the next one waits for it alone.
// CHECK-LABEL: @nothing
// CHECK-NEXT:    fsm.wait_prerequisites
// CHECK-NEXT:    fsm.return
fsm.kernel @nothing() attributes {num_warps = 1 : i32} {
  fsm.return
}
