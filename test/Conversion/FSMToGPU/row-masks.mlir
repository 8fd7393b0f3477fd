// A mask that ends somewhere in a row and has fsm.counts_left: one number of the thread is compared with constants of its registers.

// RUN: %fsm_opt %s --convert-fsm-to-gpu | FileCheck %s

#four = #fsm.layout<register = [[32], [64]], lane = [[1], [2], [4], [8], [16]], warp = [], cta = []>

// No index is less than a negative number, how far down it may be.
// CHECK-LABEL: gpu.func @row
// CHECK:         %[[ENDS:.*]] = arith.maxsi %{{.*}}, %{{.*}} : i32
// CHECK:         %[[LEFT:.*]] = arith.subi %[[ENDS]], %{{.*}} : i32
// CHECK:         %[[PARTS:.*]] = arith.constant dense<[0, 32, 64, 96]> : vector<4xi32>
// CHECK:         %[[ALL:.*]] = vector.broadcast %[[LEFT]] : i32 to vector<4xi32>
// CHECK:         arith.cmpi sgt, %[[ALL]], %[[PARTS]] : vector<4xi32>
fsm.kernel @row(%out: !fsm.ptr<f32>, %a: !fsm.ptr<f32>, %b: !fsm.ptr<f32>, %n: i32) attributes {num_warps = 1 : i32} {
  %o = fsm.range 0, 128 : tensor<128xi32, #four>
  %ns = fsm.splat %n : tensor<128xi32, #four>
  %mask = arith.cmpi slt, %o, %ns {fsm.counts_left} : tensor<128xi32, #four>
  %x = fsm.load %a[%o], %mask : !fsm.ptr<f32>, tensor<128xi32, #four> -> tensor<128xf32, #four>
  %y = fsm.load %b[%o], %mask : !fsm.ptr<f32>, tensor<128xi32, #four> -> tensor<128xf32, #four>
  %z = arith.addf %x, %y : tensor<128xf32, #four>
  fsm.store %z, %out[%o], %mask : tensor<128xf32, #four>, !fsm.ptr<f32>, tensor<128xi32, #four>
  fsm.return
}

// What is in front of the row, and where it begins, is taken off in 64 bits.
// CHECK-LABEL: gpu.func @further
// CHECK:         arith.subi %{{.*}}, %{{.*}} : i64
// CHECK:         arith.subi %{{.*}}, %{{.*}} : i64
// CHECK:         arith.maxsi %{{.*}}, %{{.*}} : i64
// CHECK:         arith.minsi %{{.*}}, %{{.*}} : i64
// CHECK:         arith.trunci %{{.*}} : i64 to i32
// CHECK:         arith.cmpi sgt, %{{.*}}, %{{.*}} : vector<4xi32>
fsm.kernel @further(%out: !fsm.ptr<f32>, %a: !fsm.ptr<f32>, %b: !fsm.ptr<f32>, %n: i32, %first: i32) attributes {num_warps = 1 : i32} {
  %o = fsm.range 0, 128 : tensor<128xi32, #four>
  %begin = fsm.splat %first : tensor<128xi32, #four>
  %five = arith.constant dense<5> : tensor<128xi32, #four>
  %from = arith.addi %begin, %o overflow<nsw> : tensor<128xi32, #four>
  %at = arith.addi %from, %five overflow<nsw> : tensor<128xi32, #four>
  %ns = fsm.splat %n : tensor<128xi32, #four>
  %mask = arith.cmpi sgt, %ns, %at {fsm.counts_left} : tensor<128xi32, #four>
  %x = fsm.load %a[%o], %mask : !fsm.ptr<f32>, tensor<128xi32, #four> -> tensor<128xf32, #four>
  %y = fsm.load %b[%o], %mask : !fsm.ptr<f32>, tensor<128xi32, #four> -> tensor<128xf32, #four>
  %z = arith.addf %x, %y : tensor<128xf32, #four>
  fsm.store %z, %out[%o], %mask : tensor<128xf32, #four>, !fsm.ptr<f32>, tensor<128xi32, #four>
  fsm.return
}

// Without it each register's index is compared.
// CHECK-LABEL: gpu.func @indices
// CHECK:         arith.cmpi slt, %{{.*}}, %{{.*}} : vector<4xi32>
fsm.kernel @indices(%out: !fsm.ptr<f32>, %a: !fsm.ptr<f32>, %n: i32) attributes {num_warps = 1 : i32} {
  %o = fsm.range 0, 128 : tensor<128xi32, #four>
  %ns = fsm.splat %n : tensor<128xi32, #four>
  %mask = arith.cmpi slt, %o, %ns : tensor<128xi32, #four>
  %x = fsm.load %a[%o], %mask : !fsm.ptr<f32>, tensor<128xi32, #four> -> tensor<128xf32, #four>
  fsm.store %x, %out[%o], %mask : tensor<128xf32, #four>, !fsm.ptr<f32>, tensor<128xi32, #four>
  fsm.return
}

// Numbers that were extended to 64 bits: what is left, at most the block's extent, is one of 32.
// CHECK-LABEL: gpu.func @extended
// CHECK:         %[[APART:.*]] = arith.subi %{{.*}}, %{{.*}} : i64
// CHECK:         %[[LEAST:.*]] = arith.maxsi %{{.*}}, %{{.*}} : i64
// CHECK:         %[[MOST:.*]] = arith.minsi %[[LEAST]], %{{.*}} : i64
// CHECK:         %[[ENDS:.*]] = arith.trunci %[[MOST]] : i64 to i32
// CHECK:         %[[LEFT:.*]] = arith.subi %[[ENDS]], %{{.*}} : i32
// CHECK:         %[[PARTS:.*]] = arith.constant dense<[0, 32, 64, 96]> : vector<4xi32>
// CHECK:         %[[ALL:.*]] = vector.broadcast %[[LEFT]] : i32 to vector<4xi32>
// CHECK:         arith.cmpi sgt, %[[ALL]], %[[PARTS]] : vector<4xi32>
fsm.kernel @extended(%out: !fsm.ptr<f32>, %a: !fsm.ptr<f32>, %b: !fsm.ptr<f32>, %n: i32, %first: i32) attributes {num_warps = 1 : i32} {
  %r = fsm.range 0, 128 : tensor<128xi32, #four>
  %wide = arith.extsi %r : tensor<128xi32, #four> to tensor<128xi64, #four>
  %begin = arith.extsi %first : i32 to i64
  %begins = fsm.splat %begin : tensor<128xi64, #four>
  %o = arith.addi %begins, %wide overflow<nsw> : tensor<128xi64, #four>
  %end = arith.extsi %n : i32 to i64
  %ns = fsm.splat %end : tensor<128xi64, #four>
  %mask = arith.cmpi slt, %o, %ns {fsm.counts_left} : tensor<128xi64, #four>
  %x = fsm.load %a[%o], %mask : !fsm.ptr<f32>, tensor<128xi64, #four> -> tensor<128xf32, #four>
  %y = fsm.load %b[%o], %mask : !fsm.ptr<f32>, tensor<128xi64, #four> -> tensor<128xf32, #four>
  %z = arith.addf %x, %y : tensor<128xf32, #four>
  fsm.store %z, %out[%o], %mask : tensor<128xf32, #four>, !fsm.ptr<f32>, tensor<128xi64, #four>
  fsm.return
}
