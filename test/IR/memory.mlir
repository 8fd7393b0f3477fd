// Addresses, loads and stores, as they are printed and parsed again. A type that
// follows from the others is not printed.

// RUN: %fsm_opt %s | %fsm_opt | FileCheck %s
// RUN: %fsm_opt %s --mlir-print-op-generic --mlir-print-debuginfo | %fsm_opt | FileCheck %s

// CHECK-LABEL: fsm.kernel @offsets
// CHECK:         fsm.offset %{{.*}}, %{{.*}} : !fsm.ptr<f32>, i32
// CHECK:         fsm.offset %{{.*}}, %{{.*}} {note} : !fsm.ptr<!fsm.ptr<i8>>, i64
fsm.kernel @offsets(%p: !fsm.ptr<f32>, %pp: !fsm.ptr<!fsm.ptr<i8>>, %i: i32, %j: i64) {
  %a = fsm.offset %p, %i : !fsm.ptr<f32>, i32
  %b = fsm.offset %pp, %j {note} : !fsm.ptr<!fsm.ptr<i8>>, i64
  fsm.return
}

// CHECK-LABEL: fsm.kernel @scalar_loads
// CHECK:         fsm.load %{{[a-z]+}} : !fsm.ptr<f32> -> f32
// CHECK:         fsm.load %{{[a-z]+}}, %{{[a-z]+}} : !fsm.ptr<f32> -> f32
// CHECK:         fsm.load %{{[a-z]+}}, %{{[a-z]+}}, %{{[a-z]+}} : !fsm.ptr<f32> -> f32
// CHECK:         fsm.load %{{[a-z]+}} : !fsm.ptr<!fsm.ptr<f32>> -> !fsm.ptr<f32>
fsm.kernel @scalar_loads(%p: !fsm.ptr<f32>, %pp: !fsm.ptr<!fsm.ptr<f32>>, %c: i1, %x: f32) {
  %a = fsm.load %p : !fsm.ptr<f32> -> f32
  %b = fsm.load %p, %c : !fsm.ptr<f32> -> f32
  %d = fsm.load %p, %c, %x : !fsm.ptr<f32> -> f32
  %q = fsm.load %pp : !fsm.ptr<!fsm.ptr<f32>> -> !fsm.ptr<f32>
  fsm.return
}

// CHECK-LABEL: fsm.kernel @block_loads
// CHECK:         fsm.load %p[%[[O:.*]]] : !fsm.ptr<f32>, tensor<64xi32> -> tensor<64xf32>
// CHECK:         fsm.load %p[%[[O]]], %[[M:.*]] : !fsm.ptr<f32>, tensor<64xi32> -> tensor<64xf32>
// CHECK:         fsm.load %p[%[[O]]], %[[M]], %x : !fsm.ptr<f32>, tensor<64xi32> -> tensor<64xf32>
// CHECK:         fsm.load %p[%[[O]]], %c : !fsm.ptr<f32>, tensor<64xi32>, mask i1 -> tensor<64xf32>
// CHECK:         fsm.load %p[%[[O]]], %c, %{{.*}} : !fsm.ptr<f32>, tensor<64xi32>, mask i1, other tensor<64xf32> -> tensor<64xf32>
fsm.kernel @block_loads(%p: !fsm.ptr<f32>, %c: i1, %x: f32) {
  %o = fsm.range 0, 64 : tensor<64xi32>
  %m = arith.cmpi sge, %o, %o : tensor<64xi32>
  %a = fsm.load %p[%o] : !fsm.ptr<f32>, tensor<64xi32> -> tensor<64xf32>
  %b = fsm.load %p[%o], %m : !fsm.ptr<f32>, tensor<64xi32> -> tensor<64xf32>
  %d = fsm.load %p[%o], %m, %x : !fsm.ptr<f32>, tensor<64xi32> -> tensor<64xf32>
  %e = fsm.load %p[%o], %c : !fsm.ptr<f32>, tensor<64xi32>, mask i1 -> tensor<64xf32>
  %f = fsm.load %p[%o], %c, %a : !fsm.ptr<f32>, tensor<64xi32>, mask i1, other tensor<64xf32> -> tensor<64xf32>
  fsm.return
}

// A type that is the default may still be written.
// CHECK-LABEL: fsm.kernel @written_defaults
// CHECK:         fsm.load %{{.*}}[%{{.*}}], %{{.*}}, %{{.*}} : !fsm.ptr<f32>, tensor<64xi64> -> tensor<64xf32>
fsm.kernel @written_defaults(%p: !fsm.ptr<f32>, %x: f32, %n: i64) {
  %o = fsm.splat %n : tensor<64xi64>
  %m = arith.cmpi sge, %o, %o : tensor<64xi64>
  %a = fsm.load %p[%o], %m, %x : !fsm.ptr<f32>, tensor<64xi64>, other f32, mask tensor<64xi1> -> tensor<64xf32>
  fsm.return
}

// CHECK-LABEL: fsm.kernel @load_hints
// CHECK:         fsm.load %p cache = ca : !fsm.ptr<i8> -> i8
// CHECK:         fsm.load %p cache = cg evict = first : !fsm.ptr<i8> -> i8
// CHECK:         fsm.load %p, %c cache = cs evict = last volatile {note} : !fsm.ptr<i8> -> i8
// CHECK:         fsm.load %p cache = cv volatile : !fsm.ptr<i8> -> i8
// CHECK:         fsm.load %p evict = unkept : !fsm.ptr<i8> -> i8
fsm.kernel @load_hints(%p: !fsm.ptr<i8>, %c: i1) {
  %a = fsm.load %p cache = ca : !fsm.ptr<i8> -> i8
  %b = fsm.load %p cache = cg evict = first : !fsm.ptr<i8> -> i8
  %d = fsm.load %p, %c cache = cs evict = last volatile {note} : !fsm.ptr<i8> -> i8
  %e = fsm.load %p cache = cv volatile : !fsm.ptr<i8> -> i8
  %f = fsm.load %p evict = unkept : !fsm.ptr<i8> -> i8
  fsm.return
}

// CHECK-LABEL: fsm.kernel @stores
// CHECK:         fsm.store %x, %p : f32, !fsm.ptr<f32>
// CHECK:         fsm.store %x, %p, %c cache = wb : f32, !fsm.ptr<f32>
// CHECK:         fsm.store %[[B:.*]], %p[%[[O:.*]]] cache = cs evict = first volatile : tensor<4x8xf32>, !fsm.ptr<f32>, tensor<4x8xi32>
// CHECK:         fsm.store %[[B]], %p[%[[O]]], %{{.*}} cache = cg : tensor<4x8xf32>, !fsm.ptr<f32>, tensor<4x8xi32>
// CHECK:         fsm.store %[[B]], %p[%[[O]]], %c cache = wt : tensor<4x8xf32>, !fsm.ptr<f32>, tensor<4x8xi32>, mask i1
// CHECK:         fsm.store %p, %pp : !fsm.ptr<f32>, !fsm.ptr<!fsm.ptr<f32>>
fsm.kernel @stores(%p: !fsm.ptr<f32>, %pp: !fsm.ptr<!fsm.ptr<f32>>, %x: f32, %n: i32, %c: i1) {
  %o = fsm.splat %n : tensor<4x8xi32>
  %m = arith.cmpi sge, %o, %o : tensor<4x8xi32>
  %b = fsm.splat %x : tensor<4x8xf32>
  fsm.store %x, %p : f32, !fsm.ptr<f32>
  fsm.store %x, %p, %c cache = wb : f32, !fsm.ptr<f32>
  fsm.store %b, %p[%o] cache = cs evict = first volatile : tensor<4x8xf32>, !fsm.ptr<f32>, tensor<4x8xi32>
  fsm.store %b, %p[%o], %m cache = cg : tensor<4x8xf32>, !fsm.ptr<f32>, tensor<4x8xi32>
  fsm.store %b, %p[%o], %c cache = wt : tensor<4x8xf32>, !fsm.ptr<f32>, tensor<4x8xi32>, mask i1
  fsm.store %p, %pp : !fsm.ptr<f32>, !fsm.ptr<!fsm.ptr<f32>>
  fsm.return
}

// CHECK-LABEL: fsm.kernel @barrier
// CHECK:         fsm.barrier{{$}}
// CHECK:         fsm.barrier {note}
fsm.kernel @barrier() {
  fsm.barrier
  fsm.barrier {note}
  fsm.return
}
