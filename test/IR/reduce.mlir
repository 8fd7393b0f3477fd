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

// CHECK-LABEL: fsm.kernel @scans
// CHECK:         fsm.scan <sum> %{{.*}} axis 0 : tensor<64xf16>
// CHECK:         fsm.scan <max> %{{.*}} axis 0 reverse propagate_nan : tensor<64xf16>
// CHECK:         fsm.scan <xor> %{{.*}} axis 1 reverse {note} : tensor<4x8xi1>
fsm.kernel @scans(%x: f16, %b: i1) {
  %xs = fsm.splat %x : tensor<64xf16>
  %bs = fsm.splat %b : tensor<4x8xi1>
  %0 = fsm.scan <sum> %xs axis 0 : tensor<64xf16>
  %1 = fsm.scan <max> %xs axis 0 reverse propagate_nan : tensor<64xf16>
  %2 = fsm.scan <xor> %bs axis 1 reverse {note} : tensor<4x8xi1>
  fsm.return
}

// One element is its own scan.
// CHECK-LABEL: fsm.kernel @scan_of_one
// CHECK:         fsm.scan
fsm.kernel @scan_of_one(%x: i32) {
  %xs = fsm.splat %x : tensor<4x1xi32>
  %0 = fsm.scan <sum> %xs axis 1 : tensor<4x1xi32>
  fsm.return
}

// A region with one block of f8 numbers, which are chosen and not computed on.
// CHECK-LABEL: fsm.kernel @reduce_with
// CHECK:         %[[R:.*]]:2 = fsm.reduce_with %{{.*}}, %{{.*}} axis 1 : tensor<4x8xi32>, tensor<4x8xf8E5M2> -> tensor<4xi32>, tensor<4xf8E5M2> {
// CHECK-NEXT:    ^bb0(%[[K0:.*]]: i32, %[[V0:.*]]: f8E5M2, %[[K1:.*]]: i32, %[[V1:.*]]: f8E5M2):
// CHECK-NEXT:      %[[C:.*]] = arith.cmpi sgt, %[[K0]], %[[K1]] : i32
// CHECK-NEXT:      %[[K:.*]] = arith.select %[[C]], %[[K0]], %[[K1]] : i32
// CHECK-NEXT:      %[[V:.*]] = arith.select %[[C]], %[[V0]], %[[V1]] : f8E5M2
// CHECK-NEXT:      fsm.yield %[[K]], %[[V]] : i32, f8E5M2
// CHECK-NEXT:    }
fsm.kernel @reduce_with(%k: i32, %v: f8E5M2) {
  %ks = fsm.splat %k : tensor<4x8xi32>
  %vs = fsm.splat %v : tensor<4x8xf8E5M2>
  %r:2 = fsm.reduce_with %ks, %vs axis 1 : tensor<4x8xi32>, tensor<4x8xf8E5M2> -> tensor<4xi32>, tensor<4xf8E5M2> {
  ^bb0(%k0: i32, %v0: f8E5M2, %k1: i32, %v1: f8E5M2):
    %first = arith.cmpi sgt, %k0, %k1 : i32
    %key = arith.select %first, %k0, %k1 : i32
    %value = arith.select %first, %v0, %v1 : f8E5M2
    fsm.yield %key, %value : i32, f8E5M2
  }
  fsm.return
}

// CHECK-LABEL: fsm.kernel @scan_with
// CHECK:         fsm.scan_with %{{.*}} axis 0 : tensor<8xf32> {
// CHECK-NEXT:    ^bb0(%{{.*}}: f32, %{{.*}}: f32):
// CHECK-NEXT:      arith.constant
// CHECK:           fsm.yield %{{.*}} : f32
// CHECK:         fsm.scan_with %{{.*}} axis 0 reverse {note} : tensor<8xf32> {
fsm.kernel @scan_with(%x: f32) {
  %xs = fsm.splat %x : tensor<8xf32>
  %0 = fsm.scan_with %xs axis 0 : tensor<8xf32> {
  ^bb0(%a: f32, %b: f32):
    %half = arith.constant 0.5 : f32
    %sum = arith.addf %a, %b : f32
    %mean = arith.mulf %sum, %half : f32
    fsm.yield %mean : f32
  }
  %1 = fsm.scan_with %xs axis 0 reverse {note} : tensor<8xf32> {
  ^bb0(%a: f32, %b: f32):
    fsm.yield %b : f32
  }
  fsm.return
}

// Two warps have a half of each of four rows: a block of four rows and two warps is what they exchange.
#halves = #fsm.layout<register = [], lane = [[1, 0], [2, 0], [0, 1], [0, 2], [0, 4]], warp = [[0, 8]], cta = []>
#own = #fsm.layout<register = [], lane = [[1, 0], [2, 0], [0, 0], [0, 0], [0, 0]], warp = [[0, 1]], cta = []>
#all = #fsm.layout<register = [[0, 1]], lane = [[1, 0], [2, 0], [0, 0], [0, 0], [0, 0]], warp = [[0, 0]], cta = []>
#rows = #fsm.layout<register = [], lane = [[1], [2], [0], [0], [0]], warp = [[0]], cta = []>

// CHECK-LABEL: fsm.kernel @exchange
// CHECK:         fsm.reduce <sum> %{{.*}} axis 1 : tensor<4x16xf16, #{{.*}}> -> tensor<4xf16, #{{.*}}> exchange {
// CHECK-NEXT:    ^bb0(%[[PART:.*]]: tensor<4x2xf32, #{{.*}}>):
// CHECK-NEXT:      fsm.shared_alloc
// CHECK-NEXT:      fsm.shared_store %[[PART]]
// CHECK-NEXT:      fsm.shared_barrier <program>
// CHECK-NEXT:      %[[PARTS:.*]] = fsm.shared_load
// CHECK-NEXT:      fsm.yield %[[PARTS]] : tensor<4x2xf32, #
// CHECK:         fsm.scan_with %{{.*}} axis 1 reverse : tensor<4x16xf16, #{{.*}}> {
// CHECK:         } exchange {
// CHECK-NEXT:    ^bb0(%{{.*}}: tensor<4x2xf16, #{{.*}}>, %{{.*}}: tensor<4x2xi1, #{{.*}}>):
fsm.kernel @exchange(%x: f16) attributes {num_warps = 2 : i32} {
  %v = fsm.splat %x : tensor<4x16xf16, #halves>
  %sum = fsm.reduce <sum> %v axis 1 : tensor<4x16xf16, #halves> -> tensor<4xf16, #rows> exchange {
  ^bb0(%part: tensor<4x2xf32, #own>):
    %a = fsm.shared_alloc : !fsm.shared<4x2xf32>
    fsm.shared_store %part, %a : tensor<4x2xf32, #own>, !fsm.shared<4x2xf32>
    fsm.shared_barrier <program>
    %parts = fsm.shared_load %a : !fsm.shared<4x2xf32> -> tensor<4x2xf32, #all>
    fsm.yield %parts : tensor<4x2xf32, #all>
  }
  %scanned = fsm.scan_with %v axis 1 reverse : tensor<4x16xf16, #halves> {
  ^bb0(%first: f16, %second: f16):
    fsm.yield %second : f16
  } exchange {
  ^bb0(%part: tensor<4x2xf16, #own>, %there: tensor<4x2xi1, #own>):
    fsm.yield %part, %there : tensor<4x2xf16, #own>, tensor<4x2xi1, #own>
  }
  fsm.return
}
