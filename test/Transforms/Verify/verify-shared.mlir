// What fsm-insert-barriers makes of a kernel is right, and stays right when a
// barrier more is there.

// RUN: %fsm_opt %s --fsm-verify-shared | FileCheck %s
// RUN: %fsm_opt %S/../Shared/insert-barriers.mlir --fsm-allocate-shared --fsm-insert-barriers --fsm-verify-shared

#w4 = #fsm.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = [[32], [64]], cta = []>

// CHECK-LABEL: fsm.kernel @loop
// CHECK-COUNT-2: fsm.barrier
fsm.kernel @loop(%n: i32) attributes {num_warps = 4 : i32, fsm.shared_bytes = 16 : i32} {
  %x = fsm.range 0, 128 : tensor<128xi32, #w4>
  scf.for %i = %n to %n step %n : i32 {
    fsm.barrier
    %m = fsm.reduce <max> %x axis 0 {fsm.shared_offset = 0 : i32} : tensor<128xi32, #w4> -> i32
    fsm.barrier
  }
  fsm.return
}

// CHECK-LABEL: fsm.kernel @alternate
fsm.kernel @alternate(%n: i32) attributes {num_warps = 4 : i32, fsm.shared_bytes = 32 : i32} {
  %x = fsm.range 0, 128 : tensor<128xi32, #w4>
  scf.for %i = %n to %n step %n : i32 {
    %m = fsm.reduce <max> %x axis 0 {fsm.shared_offset = 0 : i32} : tensor<128xi32, #w4> -> i32
    %s = fsm.reduce <sum> %x axis 0 {fsm.shared_offset = 16 : i32} : tensor<128xi32, #w4> -> i32
  }
  fsm.return
}
