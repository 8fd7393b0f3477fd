// What fsm-insert-barriers makes of a kernel is right, and stays right when a
// barrier more is there.

// RUN: %fsm_opt %s --fsm-verify-shared | FileCheck %s
// RUN: %fsm_opt %S/../Shared/insert-barriers.mlir --fsm-stage-exchanges --fsm-allocate-shared --fsm-insert-barriers --fsm-verify-shared

#w4 = #fsm.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = [[32], [64]], cta = []>
#v4 = #fsm.layout<register = [], lane = [[4], [8], [16], [32], [64]], warp = [[1], [2]], cta = []>

// CHECK-LABEL: fsm.kernel @loop
// CHECK-COUNT-2: fsm.barrier
fsm.kernel @loop(%n: i32) attributes {num_warps = 4 : i32, fsm.shared_bytes = 512 : i32} {
  %x = fsm.range 0, 128 : tensor<128xi32, #w4>
  scf.for %i = %n to %n step %n : i32 {
    fsm.barrier
    %a = fsm.shared_alloc {fsm.shared_offset = 0 : i32} : !fsm.shared<128xi32>
    fsm.shared_store %x, %a : tensor<128xi32, #w4>, !fsm.shared<128xi32>
    fsm.shared_barrier <program>
    %a1 = fsm.shared_load %a : !fsm.shared<128xi32> -> tensor<128xi32, #v4>
    fsm.barrier
  }
  fsm.return
}

// CHECK-LABEL: fsm.kernel @alternate
fsm.kernel @alternate(%n: i32) attributes {num_warps = 4 : i32, fsm.shared_bytes = 1024 : i32} {
  %x = fsm.range 0, 128 : tensor<128xi32, #w4>
  scf.for %i = %n to %n step %n : i32 {
    %a = fsm.shared_alloc {fsm.shared_offset = 0 : i32} : !fsm.shared<128xi32>
    fsm.shared_store %x, %a : tensor<128xi32, #w4>, !fsm.shared<128xi32>
    fsm.shared_barrier <program>
    %a1 = fsm.shared_load %a : !fsm.shared<128xi32> -> tensor<128xi32, #v4>
    %b = fsm.shared_alloc {fsm.shared_offset = 512 : i32} : !fsm.shared<128xi32>
    fsm.shared_store %x, %b : tensor<128xi32, #w4>, !fsm.shared<128xi32>
    fsm.shared_barrier <program>
    %b1 = fsm.shared_load %b : !fsm.shared<128xi32> -> tensor<128xi32, #v4>
  }
  fsm.return
}
