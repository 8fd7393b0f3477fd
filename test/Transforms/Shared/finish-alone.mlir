// Where all warps have met for the last time, and what follows is for one of them, the others end.

// DEFINE: %{to_barriers} = %fsm_opt %s --fsm-assign-layouts --fsm-stage-exchanges --fsm-allocate-shared=target=sm_90a --fsm-insert-barriers --fsm-verify-shared
// RUN: %{to_barriers} --fsm-finish-alone | FileCheck %s

// The maximum is for all, the logarithm of the sum for who stores it.
// CHECK-LABEL: fsm.kernel @log_sum
// CHECK:         fsm.reduce <max>
// CHECK:           fsm.shared_barrier <program>{{$}}
// CHECK:         fsm.reduce <sum>
// CHECK:           fsm.shared_barrier <program> {fsm.first_warp}
// CHECK:         math.log
fsm.kernel @log_sum(%out: !fsm.ptr<f32> {fsm.noalias}, %in: !fsm.ptr<f32> {fsm.noalias}) attributes {num_warps = 4 : i32} {
  %places = fsm.range 0, 1024 : tensor<1024xi32>
  %x = fsm.load %in[%places] : !fsm.ptr<f32>, tensor<1024xi32> -> tensor<1024xf32>
  %max = fsm.reduce <max> %x axis 0 : tensor<1024xf32> -> f32
  %maxes = fsm.splat %max : tensor<1024xf32>
  %shifted = arith.subf %x, %maxes : tensor<1024xf32>
  %powers = math.exp %shifted : tensor<1024xf32>
  %sum = fsm.reduce <sum> %powers axis 0 : tensor<1024xf32> -> f32
  %log = math.log %sum : f32
  %behind = fsm.load %in : !fsm.ptr<f32> -> f32
  %loss = arith.subf %log, %behind : f32
  fsm.store %loss, %out : f32, !fsm.ptr<f32>
  fsm.return
}

// So are the sums of columns, of which every warp has all.
// CHECK-LABEL: fsm.kernel @columns
// CHECK:           fsm.shared_barrier <program> {fsm.first_warp}
// CHECK:         fsm.store
fsm.kernel @columns(%out: !fsm.ptr<f32>, %in: !fsm.ptr<f32>) attributes {num_warps = 4 : i32} {
  %flat = fsm.range 0, 2048 : tensor<2048xi32>
  %line = fsm.load %in[%flat] : !fsm.ptr<f32>, tensor<2048xi32> -> tensor<2048xf32>
  %x = fsm.reshape %line : tensor<2048xf32> -> tensor<64x32xf32>
  %sums = fsm.reduce <sum> %x axis 0 : tensor<64x32xf32> -> tensor<32xf32>
  %places = fsm.range 0, 32 : tensor<32xi32>
  fsm.store %sums, %out[%places] : tensor<32xf32>, !fsm.ptr<f32>, tensor<32xi32>
  fsm.return
}

// Each warp stores a part of this row; a print and the barrier in front of the store are for all; two ctas have two first warps.
// CHECK-LABEL: fsm.kernel @row
// CHECK-NOT:     fsm.first_warp
// CHECK:         fsm.return
fsm.kernel @row(%out: !fsm.ptr<f32>, %in: !fsm.ptr<f32>) attributes {num_warps = 4 : i32} {
  %places = fsm.range 0, 1024 : tensor<1024xi32>
  %x = fsm.load %in[%places] : !fsm.ptr<f32>, tensor<1024xi32> -> tensor<1024xf32>
  %max = fsm.reduce <max> %x axis 0 : tensor<1024xf32> -> f32
  %maxes = fsm.splat %max : tensor<1024xf32>
  fsm.store %maxes, %out[%places] : tensor<1024xf32>, !fsm.ptr<f32>, tensor<1024xi32>
  fsm.return
}

// CHECK-LABEL: fsm.kernel @prints
// CHECK-NOT:     fsm.first_warp
// CHECK:         fsm.return
fsm.kernel @prints(%out: !fsm.ptr<f32>, %in: !fsm.ptr<f32>) attributes {num_warps = 4 : i32} {
  %places = fsm.range 0, 1024 : tensor<1024xi32>
  %x = fsm.load %in[%places] : !fsm.ptr<f32>, tensor<1024xi32> -> tensor<1024xf32>
  %max = fsm.reduce <max> %x axis 0 : tensor<1024xf32> -> f32
  fsm.print "max" %max : f32
  fsm.return
}

// CHECK-LABEL: fsm.kernel @meets
// CHECK-NOT:     fsm.first_warp
// CHECK:         fsm.barrier
fsm.kernel @meets(%out: !fsm.ptr<f32>, %in: !fsm.ptr<f32>) attributes {num_warps = 4 : i32} {
  %places = fsm.range 0, 1024 : tensor<1024xi32>
  %x = fsm.load %in[%places] : !fsm.ptr<f32>, tensor<1024xi32> -> tensor<1024xf32>
  %max = fsm.reduce <max> %x axis 0 : tensor<1024xf32> -> f32
  %first = fsm.load %in : !fsm.ptr<f32> -> f32
  %both = arith.addf %max, %first : f32
  fsm.store %both, %out : f32, !fsm.ptr<f32>
  fsm.return
}

// CHECK-LABEL: fsm.kernel @cluster
// CHECK-NOT:     fsm.first_warp
// CHECK:         fsm.return
fsm.kernel @cluster(%out: !fsm.ptr<f32>, %in: !fsm.ptr<f32>) attributes {num_warps = 4 : i32, num_ctas = 2 : i32} {
  %places = fsm.range 0, 1024 : tensor<1024xi32>
  %x = fsm.load %in[%places] : !fsm.ptr<f32>, tensor<1024xi32> -> tensor<1024xf32>
  %max = fsm.reduce <max> %x axis 0 : tensor<1024xf32> -> f32
  fsm.store %max, %out : f32, !fsm.ptr<f32>
  fsm.return
}
