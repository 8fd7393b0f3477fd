// The first iteration of a loop over the blocks of a row stands in front of it, under a condition.

// RUN: %fsm_opt %s --fsm-peel-loops | FileCheck %s

// CHECK-LABEL: fsm.kernel @sum
// CHECK:         %[[RUNS:.*]] = arith.cmpi slt, %c0_i32, %n
// CHECK:         %[[FIRST:.*]] = scf.if %[[RUNS]] -> (tensor<256xf32>) {
// CHECK:           %[[AT:.*]] = fsm.splat %c0_i32
// CHECK:           %[[X:.*]] = fsm.load
// CHECK:           %[[SUM:.*]] = arith.addf %cst, %[[X]]
// CHECK:           scf.yield %[[SUM]]
// CHECK:         } else {
// CHECK:           scf.yield %cst
// CHECK:         }
// CHECK:         %[[SECOND:.*]] = arith.constant 256 : i32
// CHECK:         scf.for {{.*}} = %[[SECOND]] to %n step {{.*}} iter_args({{.*}} = %[[FIRST]])
// CHECK:         } {fsm.peeled}
fsm.kernel @sum(%out: !fsm.ptr<f32>, %in: !fsm.ptr<f32>, %n: i32) attributes {num_warps = 2 : i32} {
  %zero = arith.constant 0 : i32
  %step = arith.constant 256 : i32
  %none = arith.constant dense<0.0> : tensor<256xf32>
  %range = fsm.range 0, 256 : tensor<256xi32>
  %sum = scf.for %i = %zero to %n step %step iter_args(%before = %none) -> (tensor<256xf32>) : i32 {
    %first = fsm.splat %i : tensor<256xi32>
    %at = arith.addi %first, %range : tensor<256xi32>
    %x = fsm.load %in[%at] : !fsm.ptr<f32>, tensor<256xi32> -> tensor<256xf32>
    %after = arith.addf %before, %x : tensor<256xf32>
    scf.yield %after : tensor<256xf32>
  }
  %total = fsm.reduce <sum> %sum axis 0 : tensor<256xf32> -> f32
  fsm.store %total, %out : f32, !fsm.ptr<f32>
  fsm.return
}

// Not one that counts rows or runs a known number of times, has stages or waits, or ends at a number that the type does not hold twice.
// CHECK-LABEL: fsm.kernel @others
// CHECK-NOT:     scf.if
// CHECK:         fsm.return
fsm.kernel @others(%out: !fsm.ptr<f32>, %in: !fsm.ptr<f32>, %n: i32) attributes {num_warps = 2 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %step = arith.constant 256 : i32
  %large = arith.constant 2147483600 : i32
  %known = arith.constant 1024 : i32
  %range = fsm.range 0, 256 : tensor<256xi32>
  scf.for %i = %zero to %n step %one : i32 {
    %x = fsm.load %in[%range] : !fsm.ptr<f32>, tensor<256xi32> -> tensor<256xf32>
    fsm.store %x, %out[%range] : tensor<256xf32>, !fsm.ptr<f32>, tensor<256xi32>
  }
  scf.for %i = %zero to %known step %step : i32 {
    %x = fsm.load %in[%range] : !fsm.ptr<f32>, tensor<256xi32> -> tensor<256xf32>
    fsm.store %x, %out[%range] : tensor<256xf32>, !fsm.ptr<f32>, tensor<256xi32>
  }
  scf.for %i = %zero to %n step %step : i32 {
    %x = fsm.load %in[%range] : !fsm.ptr<f32>, tensor<256xi32> -> tensor<256xf32>
    fsm.store %x, %out[%range] : tensor<256xf32>, !fsm.ptr<f32>, tensor<256xi32>
  } {fsm.num_stages = 2 : i32}
  scf.for %i = %zero to %n step %step : i32 {
    %x = fsm.load %in[%range] : !fsm.ptr<f32>, tensor<256xi32> -> tensor<256xf32>
    fsm.barrier
    fsm.store %x, %out[%range] : tensor<256xf32>, !fsm.ptr<f32>, tensor<256xi32>
  }
  scf.for %i = %large to %n step %step : i32 {
    %x = fsm.load %in[%range] : !fsm.ptr<f32>, tensor<256xi32> -> tensor<256xf32>
    fsm.store %x, %out[%range] : tensor<256xf32>, !fsm.ptr<f32>, tensor<256xi32>
  }
  fsm.return
}

// Nor one of blocks that are small for so many threads.
// CHECK-LABEL: fsm.kernel @many_threads
// CHECK-NOT:     scf.if
// CHECK:         fsm.return
fsm.kernel @many_threads(%out: !fsm.ptr<f32>, %in: !fsm.ptr<f32>, %n: i32) attributes {num_warps = 4 : i32} {
  %zero = arith.constant 0 : i32
  %step = arith.constant 256 : i32
  %range = fsm.range 0, 256 : tensor<256xi32>
  scf.for %i = %zero to %n step %step : i32 {
    %x = fsm.load %in[%range] : !fsm.ptr<f32>, tensor<256xi32> -> tensor<256xf32>
    fsm.store %x, %out[%range] : tensor<256xf32>, !fsm.ptr<f32>, tensor<256xi32>
  }
  fsm.return
}
