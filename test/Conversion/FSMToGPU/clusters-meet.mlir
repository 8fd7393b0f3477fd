// A cta says at its beginning that it is there, and waits for the others in front of what is first, a store to another cta or a
// barrier: it may not come to a barrier twice. A barrier that is first is that meeting.

// RUN: %fsm_opt %s --fsm-gpu-pipeline='stage=gpu kernel=barrier_first' | FileCheck %s --check-prefix=FIRST
// RUN: %fsm_opt %s --fsm-gpu-pipeline='stage=gpu kernel=barrier_in_loop' | FileCheck %s --check-prefix=LOOP

// FIRST:       gpu.func @barrier_first
// FIRST-NOT:   nvvm.cluster.arrive.relaxed
// FIRST:       llvm.load
// FIRST:       nvvm.cluster.arrive {aligned}
// FIRST-NEXT:  nvvm.cluster.wait {aligned}
// FIRST:       llvm.store
// FIRST:       nvvm.cluster.arrive {aligned}
// FIRST-NEXT:  nvvm.cluster.wait {aligned}
// FIRST:       llvm.load
// FIRST-NOT:   nvvm.cluster
// FIRST:       nvvm.mapa
fsm.kernel @barrier_first(%p: !fsm.ptr<i32>) attributes {num_warps = 2 : i32, num_ctas = 4 : i32} {
  %offs = fsm.range 0, 256 : tensor<256xi32>
  %last = arith.constant dense<255> : tensor<256xi32>
  %back = arith.subi %last, %offs : tensor<256xi32>
  %x = fsm.load %p[%offs] : !fsm.ptr<i32>, tensor<256xi32> -> tensor<256xi32>
  fsm.store %x, %p[%back] : tensor<256xi32>, !fsm.ptr<i32>, tensor<256xi32>
  %y = fsm.load %p[%offs] : !fsm.ptr<i32>, tensor<256xi32> -> tensor<256xi32>
  %sum = fsm.reduce <sum> %y axis 0 : tensor<256xi32> -> i32
  fsm.store %sum, %p : i32, !fsm.ptr<i32>
  fsm.return
}

// LOOP:       gpu.func @barrier_in_loop
// LOOP:       nvvm.cluster.arrive.relaxed {aligned}
// LOOP-NOT:   nvvm.cluster.arrive
// LOOP:       nvvm.cluster.wait {aligned}
// LOOP-NOT:   nvvm.cluster
// LOOP:       scf.for
// LOOP:       nvvm.cluster.arrive {aligned}
// LOOP-NEXT:  nvvm.cluster.wait {aligned}
fsm.kernel @barrier_in_loop(%p: !fsm.ptr<i32>, %n: i32) attributes {num_warps = 2 : i32, num_ctas = 4 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %offs = fsm.range 0, 256 : tensor<256xi32>
  %last = arith.constant dense<255> : tensor<256xi32>
  %back = arith.subi %last, %offs : tensor<256xi32>
  scf.for %i = %zero to %n step %one : i32 {
    %x = fsm.load %p[%offs] : !fsm.ptr<i32>, tensor<256xi32> -> tensor<256xi32>
    fsm.store %x, %p[%back] : tensor<256xi32>, !fsm.ptr<i32>, tensor<256xi32>
  }
  %y = fsm.load %p[%offs] : !fsm.ptr<i32>, tensor<256xi32> -> tensor<256xi32>
  %sum = fsm.reduce <sum> %y axis 0 : tensor<256xi32> -> i32
  fsm.store %sum, %p : i32, !fsm.ptr<i32>
  fsm.return
}
