// Rows of a tile of a product, and vectors of each: numbers of 64 bits take two registers a vector.

// RUN: %fsm_opt %s --pass-pipeline='builtin.module(fsm.kernel(fsm-plan-host-loops))' | FileCheck %s

// CHECK-LABEL: @products
// CHECK:         fsm.dot {{.*}}fsm.host_tile = array<i64: 4, 2>, {{.*}} : tensor<16x16xf32>
// CHECK:         fsm.dot {{.*}}fsm.host_tile = array<i64: 4, 1>, {{.*}} : tensor<16x16xf64>
fsm.kernel @products(%p: !fsm.ptr<f32>, %q: !fsm.ptr<f64>) {
  %n = fsm.range 0, 256 : tensor<256xi32>
  %o = fsm.reshape %n : tensor<256xi32> -> tensor<16x16xi32>
  %x = fsm.load %p[%o] : !fsm.ptr<f32>, tensor<16x16xi32> -> tensor<16x16xf32>
  %d = fsm.dot %x, %x, %x precision = ieee : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32>
  fsm.store %d, %p[%o] : tensor<16x16xf32>, !fsm.ptr<f32>, tensor<16x16xi32>
  %y = fsm.load %q[%o] : !fsm.ptr<f64>, tensor<16x16xi32> -> tensor<16x16xf64>
  %e = fsm.dot %y, %y, %y : tensor<16x16xf64>, tensor<16x16xf64> -> tensor<16x16xf64>
  fsm.store %e, %q[%o] : tensor<16x16xf64>, !fsm.ptr<f64>, tensor<16x16xi32>
  fsm.return
}
