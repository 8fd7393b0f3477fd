// A loop that waits for a lock is gone round by the thread that performs the atomic; the others are told once.

// DEFINE: %{to_barriers} = %fsm_opt %s --fsm-assign-layouts --fsm-stage-exchanges --fsm-allocate-shared=target=sm_90a --fsm-insert-barriers --fsm-verify-shared
// RUN: %{to_barriers} --fsm-wait-alone | FileCheck %s

// CHECK-LABEL: fsm.kernel @lock
// CHECK:         fsm.barrier
// CHECK-NEXT:    scf.while
// CHECK-NEXT:      %[[OLD:.*]] = fsm.atomic_cas
// CHECK-NOT:       fsm.shared
// CHECK-NOT:       fsm.barrier
// CHECK:           %[[TAKEN:.*]] = arith.cmpi eq, %[[OLD]],
// CHECK-NEXT:      scf.condition(%[[TAKEN]])
// CHECK:         } attributes {fsm.first_thread}
// CHECK-NEXT:    fsm.shared_barrier <program>
// CHECK:         fsm.load
fsm.kernel @lock(%sum: !fsm.ptr<f32>, %lock: !fsm.ptr<i32>, %x: !fsm.ptr<f32>) attributes {num_warps = 4 : i32} {
  %none = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %places = fsm.range 0, 512 : tensor<512xi32>
  %own = fsm.load %x[%places] : !fsm.ptr<f32>, tensor<512xi32> -> tensor<512xf32>
  scf.while : () -> () {
    %old = fsm.atomic_cas %none, %one, %lock : i32, !fsm.ptr<i32>
    %taken = arith.cmpi eq, %old, %one : i32
    scf.condition(%taken)
  } do {
    scf.yield
  }
  %before = fsm.load %sum[%places] : !fsm.ptr<f32>, tensor<512xi32> -> tensor<512xf32>
  %after = arith.addf %before, %own : tensor<512xf32>
  fsm.store %after, %sum[%places] : tensor<512xf32>, !fsm.ptr<f32>, tensor<512xi32>
  fsm.barrier
  %freed = fsm.atomic_rmw <exch> %none, %lock : i32, !fsm.ptr<i32>
  fsm.return
}

// What the atomic has found, others need as well.
// CHECK-LABEL: fsm.kernel @counts
// CHECK:         scf.while
// CHECK:           fsm.shared_load
// CHECK:           scf.condition
// CHECK-NOT:     fsm.first_thread
// CHECK:         fsm.return
fsm.kernel @counts(%last: !fsm.ptr<i32>, %count: !fsm.ptr<i32>) attributes {num_warps = 4 : i32} {
  %one = arith.constant 1 : i32
  %most = arith.constant 100 : i32
  %found = scf.while : () -> i32 {
    %old = fsm.atomic_rmw <add> %one, %count : i32, !fsm.ptr<i32>
    %few = arith.cmpi slt, %old, %most : i32
    scf.condition(%few) %old : i32
  } do {
  ^bb0(%old: i32):
    scf.yield
  }
  fsm.store %found, %last : i32, !fsm.ptr<i32>
  fsm.return
}

// Nor may anything else be done meanwhile.
// CHECK-LABEL: fsm.kernel @stores
// CHECK:         scf.while
// CHECK:           fsm.store
// CHECK:           scf.condition
// CHECK-NOT:     fsm.first_thread
// CHECK:         fsm.return
fsm.kernel @stores(%place: !fsm.ptr<i32>, %lock: !fsm.ptr<i32>) attributes {num_warps = 4 : i32} {
  %none = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  scf.while : () -> () {
    %old = fsm.atomic_cas %none, %one, %lock : i32, !fsm.ptr<i32>
    fsm.store %none, %place : i32, !fsm.ptr<i32>
    %taken = arith.cmpi eq, %old, %one : i32
    scf.condition(%taken)
  } do {
    scf.yield
  }
  fsm.return
}

// Nor what all threads have to take part in.
// CHECK-LABEL: fsm.kernel @reduces
// CHECK:         scf.while
// CHECK:           fsm.reduce
// CHECK:           scf.condition
// CHECK-NOT:     fsm.first_thread
// CHECK:         fsm.return
fsm.kernel @reduces(%lock: !fsm.ptr<i32>, %x: !fsm.ptr<i32>) attributes {num_warps = 4 : i32} {
  %none = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %places = fsm.range 0, 32 : tensor<32xi32>
  %own = fsm.load %x[%places] : !fsm.ptr<i32>, tensor<32xi32> -> tensor<32xi32>
  scf.while : () -> () {
    %most = fsm.reduce <sum> %own axis 0 : tensor<32xi32> -> i32
    %old = fsm.atomic_cas %none, %one, %lock : i32, !fsm.ptr<i32>
    %taken = arith.cmpi sgt, %old, %most : i32
    scf.condition(%taken)
  } do {
    scf.yield
  }
  fsm.store %own, %x[%places] : tensor<32xi32>, !fsm.ptr<i32>, tensor<32xi32>
  fsm.return
}
