// A loop over a row is written out where the constant that it ends at, or what is promised of the row's length, says how often it runs.

// RUN: %fsm_opt %s --pass-pipeline='builtin.module(fsm.kernel(fsm-count-trips))' | FileCheck %s

// CHECK-LABEL: fsm.kernel @three
// CHECK:         %[[END:.*]] = arith.constant 768 : i32
// CHECK:         scf.for {{.*}} to %[[END]] step
// CHECK:         } {fsm.unroll}
fsm.kernel @three(%out: !fsm.ptr<f32>, %in: !fsm.ptr<f32>, %n: i32 {fsm.at_least = 513 : i32, fsm.at_most = 768 : i32}) attributes {num_warps = 2 : i32} {
  %zero = arith.constant 0 : i32
  %step = arith.constant 256 : i32
  %range = fsm.range 0, 256 : tensor<256xi32>
  scf.for %i = %zero to %n step %step : i32 {
    %first = fsm.splat %i : tensor<256xi32>
    %at = arith.addi %first, %range : tensor<256xi32>
    %x = fsm.load %in[%at] : !fsm.ptr<f32>, tensor<256xi32> -> tensor<256xf32>
    fsm.store %x, %out[%at] : tensor<256xf32>, !fsm.ptr<f32>, tensor<256xi32>
  }
  fsm.return
}

// A row of 600 elements takes three blocks of 256, also where an iteration branches; ten of 64 are too many.
// CHECK-LABEL: fsm.kernel @constant
// CHECK:         %[[END:.*]] = arith.constant 768 : i32
// CHECK:         scf.for {{.*}} to %[[END]] step
// CHECK:           scf.if
// CHECK:         } {fsm.unroll}
// CHECK-NOT:     fsm.unroll
// CHECK:         fsm.return
fsm.kernel @constant(%out: !fsm.ptr<f32>, %in: !fsm.ptr<f32>) attributes {num_warps = 2 : i32} {
  %zero = arith.constant 0 : i32
  %step = arith.constant 256 : i32
  %end = arith.constant 600 : i32
  %few = arith.constant 64 : i32
  %none = arith.constant dense<0.0> : tensor<256xf32>
  %short = fsm.range 0, 64 : tensor<64xi32>
  %range = fsm.range 0, 256 : tensor<256xi32>
  %sum = scf.for %i = %zero to %end step %step iter_args(%sum = %none) -> tensor<256xf32> : i32 {
    %x = fsm.load %in[%range] : !fsm.ptr<f32>, tensor<256xi32> -> tensor<256xf32>
    %first = arith.cmpi eq, %i, %zero : i32
    %next = scf.if %first -> tensor<256xf32> {
      scf.yield %x : tensor<256xf32>
    } else {
      %more = arith.addf %sum, %x : tensor<256xf32>
      scf.yield %more : tensor<256xf32>
    }
    scf.yield %next : tensor<256xf32>
  }
  fsm.store %sum, %out[%range] : tensor<256xf32>, !fsm.ptr<f32>, tensor<256xi32>
  scf.for %i = %zero to %end step %few : i32 {
    %x = fsm.load %in[%short] : !fsm.ptr<f32>, tensor<64xi32> -> tensor<64xf32>
    fsm.store %x, %out[%short] : tensor<64xf32>, !fsm.ptr<f32>, tensor<64xi32>
  }
  fsm.return
}

// Not where the lengths differ in that, one of them is not known, it is nine times, a thread of one warp would hold 160 elements, the loop counts
// something else or has stages, or the number behind its last one is none of the type.
// CHECK-LABEL: fsm.kernel @others
// CHECK-NOT:     fsm.unroll
// CHECK:         fsm.return
fsm.kernel @others(%out: !fsm.ptr<f32>, %in: !fsm.ptr<f32>, %n: i32 {fsm.at_least = 512 : i32, fsm.at_most = 768 : i32},
                   %m: i32 {fsm.at_least = 513 : i32}, %l: i32 {fsm.at_least = 2049 : i32, fsm.at_most = 2304 : i32},
                   %k: i32 {fsm.at_least = 513 : i32, fsm.at_most = 768 : i32}, %j: i8 {fsm.at_least = 97 : i32, fsm.at_most = 127 : i32},
                   %h: i32 {fsm.at_least = 4097 : i32, fsm.at_most = 5120 : i32})
    attributes {num_warps = 1 : i32} {
  %zero = arith.constant 0 : i32
  %step = arith.constant 256 : i32
  %other = arith.constant 128 : i32
  %large = arith.constant 1024 : i32
  %long = fsm.range 0, 1024 : tensor<1024xi32>
  %none = arith.constant 0 : i8
  %few = arith.constant 32 : i8
  %range = fsm.range 0, 256 : tensor<256xi32>
  %short = fsm.range 0, 32 : tensor<32xi32>
  scf.for %i = %zero to %n step %step : i32 {
    %x = fsm.load %in[%range] : !fsm.ptr<f32>, tensor<256xi32> -> tensor<256xf32>
    fsm.store %x, %out[%range] : tensor<256xf32>, !fsm.ptr<f32>, tensor<256xi32>
  }
  scf.for %i = %zero to %m step %step : i32 {
    %x = fsm.load %in[%range] : !fsm.ptr<f32>, tensor<256xi32> -> tensor<256xf32>
    fsm.store %x, %out[%range] : tensor<256xf32>, !fsm.ptr<f32>, tensor<256xi32>
  }
  scf.for %i = %zero to %l step %step : i32 {
    %x = fsm.load %in[%range] : !fsm.ptr<f32>, tensor<256xi32> -> tensor<256xf32>
    fsm.store %x, %out[%range] : tensor<256xf32>, !fsm.ptr<f32>, tensor<256xi32>
  }
  scf.for %i = %zero to %h step %large : i32 {
    %x = fsm.load %in[%long] : !fsm.ptr<f32>, tensor<1024xi32> -> tensor<1024xf32>
    fsm.store %x, %out[%long] : tensor<1024xf32>, !fsm.ptr<f32>, tensor<1024xi32>
  }
  scf.for %i = %zero to %k step %other : i32 {
    %x = fsm.load %in[%range] : !fsm.ptr<f32>, tensor<256xi32> -> tensor<256xf32>
    fsm.store %x, %out[%range] : tensor<256xf32>, !fsm.ptr<f32>, tensor<256xi32>
  }
  scf.for %i = %zero to %k step %step : i32 {
    %x = fsm.load %in[%range] : !fsm.ptr<f32>, tensor<256xi32> -> tensor<256xf32>
    fsm.store %x, %out[%range] : tensor<256xf32>, !fsm.ptr<f32>, tensor<256xi32>
  } {fsm.num_stages = 2 : i32}
  scf.for %i = %none to %j step %few : i8 {
    %x = fsm.load %in[%short] : !fsm.ptr<f32>, tensor<32xi32> -> tensor<32xf32>
    fsm.store %x, %out[%short] : tensor<32xf32>, !fsm.ptr<f32>, tensor<32xi32>
  }
  fsm.return
}
