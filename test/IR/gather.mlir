// RUN: %fsm_opt %s | %fsm_opt | FileCheck %s

// CHECK-LABEL: @places
fsm.kernel @places(%r: i32, %c: i32, %ld: i32, %m: i32) {
  // CHECK: fsm.places origin [%r, -3] strides [%ld, 1] bounds [%m, 17] : tensor<16x8xi32>
  %a, %in = fsm.places origin [%r, -3] strides [%ld, 1] bounds [%m, 17] : tensor<16x8xi32>
  // CHECK: fsm.places origin [%c] : tensor<8xi32>
  %b = fsm.places origin [%c] : tensor<8xi32>
  // CHECK: fsm.places strides [2, %ld] {note} : tensor<4x8xi32>
  %d = fsm.places strides [2, %ld] {note} : tensor<4x8xi32>
  // CHECK: fsm.places bounds [%m] : tensor<8xi32>
  %e, %f = fsm.places bounds [%m] : tensor<8xi32>
  // CHECK: fsm.places : tensor<8xi32>
  %g = fsm.places : tensor<8xi32>
  // CHECK: arith.andi %{{.*}}, %{{.*}} : tensor<8xi1>
  %h = arith.andi %f, %f : tensor<8xi1>
  fsm.return
}

// CHECK-LABEL: @parts
fsm.kernel @parts(%i: i32) {
  %x = ub.poison : tensor<16x64xf32>
  %v = fsm.range 0, 64 : tensor<64xi32>
  %ids = ub.poison : tensor<16x3xi64>
  // CHECK: fsm.broadcast %{{.*}} dims [1] : tensor<64xi32> -> tensor<16x64xi32>
  %a = fsm.broadcast %v dims [1] : tensor<64xi32> -> tensor<16x64xi32>
  // CHECK: fsm.gather %{{.*}}[%{{.*}}] axis 1 : tensor<16x64xf32>, tensor<16x3xi64> -> tensor<16x3xf32>
  %b = fsm.gather %x[%ids] axis 1 : tensor<16x64xf32>, tensor<16x3xi64> -> tensor<16x3xf32>
  // CHECK: fsm.slice %{{.*}}[%i, 32] : tensor<16x64xf32> -> tensor<4x32xf32>
  %c = fsm.slice %x[%i, 32] : tensor<16x64xf32> -> tensor<4x32xf32>
  // CHECK: fsm.extract %{{.*}}[15, %i] : tensor<16x64xf32>
  %d = fsm.extract %x[15, %i] : tensor<16x64xf32>
  // CHECK: fsm.cat %{{.*}}, %{{.*}} axis 0 : tensor<16x64xf32>, tensor<4x64xf32> -> tensor<20x64xf32>
  %more = ub.poison : tensor<4x64xf32>
  %e = fsm.cat %x, %more axis 0 : tensor<16x64xf32>, tensor<4x64xf32> -> tensor<20x64xf32>
  fsm.return
}

// CHECK-LABEL: @orders
fsm.kernel @orders() {
  %x = ub.poison : tensor<16x64xf32>
  // CHECK: fsm.sort %{{.*}} axis 1 descending : tensor<16x64xf32>
  %a = fsm.sort %x axis 1 descending : tensor<16x64xf32>
  // CHECK: fsm.sort %{{.*}} axis 0 : tensor<16x64xf32>
  %b = fsm.sort %x axis 0 : tensor<16x64xf32>
  // CHECK: fsm.topk %{{.*}} axis 1 smallest : tensor<16x64xf32> -> tensor<16x8xf32>
  %v, %i = fsm.topk %x axis 1 smallest : tensor<16x64xf32> -> tensor<16x8xf32>
  // CHECK: fsm.histogram %{{.*}} : tensor<16x8xi32> -> tensor<64xi32>
  %h = fsm.histogram %i : tensor<16x8xi32> -> tensor<64xi32>
  fsm.return
}

// CHECK-LABEL: @unrolled
fsm.kernel @unrolled(%n: i32) {
  %zero = arith.constant 0 : i32
  // CHECK: } {fsm.unroll}
  scf.for %i = %zero to %n step %n : i32 {
  } {fsm.unroll}
  fsm.return
}
