// Reductions, as they are printed and parsed again.

// RUN: %fsm_opt %s | %fsm_opt | FileCheck %s
// RUN: %fsm_opt %s --mlir-print-op-generic --mlir-print-debuginfo | %fsm_opt | FileCheck %s
// RUN: %fsm_opt %s --mlir-print-op-generic | FileCheck %s --check-prefix=GENERIC

// CHECK-LABEL: fsm.kernel @floats
// CHECK:         fsm.reduce <sum> %{{.*}} axis 0 : tensor<64xf32> -> f32
// CHECK:         fsm.reduce <prod> %{{.*}} axis 0 : tensor<64xf32> -> f32
// CHECK:         fsm.reduce <max> %{{.*}} axis 0 : tensor<64xf32> -> f32
// CHECK:         fsm.reduce <min> %{{.*}} axis 0 propagate_nan : tensor<64xf32> -> f32
// GENERIC:       "fsm.reduce"(%{{.*}}) <{axis = 0 : i32, kind = #fsm.reduce_kind<min>, propagate_nan}>
fsm.kernel @floats(%x: f32) {
  %b = fsm.splat %x : tensor<64xf32>
  %0 = fsm.reduce <sum> %b axis 0 : tensor<64xf32> -> f32
  %1 = fsm.reduce <prod> %b axis 0 : tensor<64xf32> -> f32
  %2 = fsm.reduce <max> %b axis 0 : tensor<64xf32> -> f32
  %3 = fsm.reduce <min> %b axis 0 propagate_nan : tensor<64xf32> -> f32
  fsm.return
}

// CHECK-LABEL: fsm.kernel @integers
// CHECK:         fsm.reduce <umax> %{{.*}} axis 0 : tensor<4x8x2xi8> -> tensor<8x2xi8>
// CHECK:         fsm.reduce <umin> %{{.*}} axis 1 : tensor<4x8x2xi8> -> tensor<4x2xi8>
// CHECK:         fsm.reduce <and> %{{.*}} axis 2 {note} : tensor<4x8x2xi8> -> tensor<4x8xi8>
// CHECK:         fsm.reduce <or> %{{.*}} axis 2 : tensor<4x8x2xi8> -> tensor<4x8xi8>
// CHECK:         fsm.reduce <xor> %{{.*}} axis 2 : tensor<4x8x2xi8> -> tensor<4x8xi8>
fsm.kernel @integers(%n: i8) {
  %b = fsm.splat %n : tensor<4x8x2xi8>
  %0 = fsm.reduce <umax> %b axis 0 : tensor<4x8x2xi8> -> tensor<8x2xi8>
  %1 = fsm.reduce <umin> %b axis 1 : tensor<4x8x2xi8> -> tensor<4x2xi8>
  %2 = fsm.reduce <and> %b axis 2 {note} : tensor<4x8x2xi8> -> tensor<4x8xi8>
  %3 = fsm.reduce <or> %b axis 2 : tensor<4x8x2xi8> -> tensor<4x8xi8>
  %4 = fsm.reduce <xor> %b axis 2 : tensor<4x8x2xi8> -> tensor<4x8xi8>
  fsm.return
}
