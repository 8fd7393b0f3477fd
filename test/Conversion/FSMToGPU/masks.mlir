// A mask that ends at a multiple of four is compared once for four neighbours of a thread; one of which that is not known, for each. An
// offset takes the counter as the loop has it, not as it was narrowed for the language.

// RUN: %fsm_opt %s --convert-fsm-to-gpu | FileCheck %s

#row = #fsm.layout<register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = [], cta = []>

// CHECK-LABEL: gpu.func @fours
// CHECK:         %[[ALL:.*]] = arith.cmpi slt, %{{.*}}, %{{.*}} : vector<4xi32>
// CHECK:         %[[ONCE:.*]] = vector.shuffle %[[ALL]], %[[ALL]] [0, 0, 0, 0] : vector<4xi1>, vector<4xi1>
// CHECK:         arith.select %[[ONCE]],
fsm.kernel @fours(%out: !fsm.ptr<f32>, %n: i32 {fsm.divisible = 4 : i32}) attributes {num_warps = 1 : i32} {
  %o = fsm.range 0, 128 : tensor<128xi32, #row>
  %ns = fsm.splat %n : tensor<128xi32, #row>
  %mask = arith.cmpi slt, %o, %ns : tensor<128xi32, #row>
  %zeros = arith.constant dense<0.0> : tensor<128xf32, #row>
  %ones = arith.constant dense<1.0> : tensor<128xf32, #row>
  %x = arith.select %mask, %ones, %zeros : tensor<128xi1, #row>, tensor<128xf32, #row>
  fsm.store %x, %out[%o] : tensor<128xf32, #row>, !fsm.ptr<f32>, tensor<128xi32, #row>
  fsm.return
}

// CHECK-LABEL: gpu.func @any
// CHECK-NOT:     vector.shuffle {{.*}}vector<4xi1>
// CHECK:         gpu.return
fsm.kernel @any(%out: !fsm.ptr<f32>, %n: i32) attributes {num_warps = 1 : i32} {
  %o = fsm.range 0, 128 : tensor<128xi32, #row>
  %ns = fsm.splat %n : tensor<128xi32, #row>
  %mask = arith.cmpi slt, %o, %ns : tensor<128xi32, #row>
  %zeros = arith.constant dense<0.0> : tensor<128xf32, #row>
  %ones = arith.constant dense<1.0> : tensor<128xf32, #row>
  %x = arith.select %mask, %ones, %zeros : tensor<128xi1, #row>, tensor<128xf32, #row>
  fsm.store %x, %out[%o] : tensor<128xf32, #row>, !fsm.ptr<f32>, tensor<128xi32, #row>
  fsm.return
}

// CHECK-LABEL: gpu.func @counted
// CHECK:         scf.for %[[I:.*]] = %{{.*}} : i64 {
// CHECK:           llvm.getelementptr %{{.*}}[%[[I]]] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
fsm.kernel @counted(%out: !fsm.ptr<f32>, %n: i64) attributes {num_warps = 1 : i32} {
  %zero = arith.constant 0 : i64
  %step = arith.constant 128 : i64
  %o = fsm.range 0, 128 : tensor<128xi32, #row>
  %x = arith.constant dense<1.0> : tensor<128xf32, #row>
  scf.for %i = %zero to %n step %step : i64 {
    %narrow = arith.trunci %i overflow<nsw> : i64 to i32
    %starts = fsm.splat %narrow : tensor<128xi32, #row>
    %offs = arith.addi %o, %starts overflow<nsw> : tensor<128xi32, #row>
    fsm.store %x, %out[%offs] : tensor<128xf32, #row>, !fsm.ptr<f32>, tensor<128xi32, #row>
  }
  fsm.return
}
