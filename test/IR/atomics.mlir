// Atomics and addresses, as they are printed and parsed again. The order and the scope
// that an atomic has if nothing is said are not printed.

// RUN: %fsm_opt %s | %fsm_opt | FileCheck %s
// RUN: %fsm_opt %s --mlir-print-op-generic --mlir-print-debuginfo | %fsm_opt | FileCheck %s

// CHECK-LABEL: fsm.kernel @scalars
// CHECK:         fsm.atomic_rmw <add> %{{[a-z]+}}, %{{[a-z]+}} : i32, !fsm.ptr<i32>
// CHECK:         fsm.atomic_rmw <max> %{{[a-z]+}}, %{{[a-z]+}}, %{{[a-z]+}} : f32, !fsm.ptr<f32>
// CHECK:         fsm.atomic_rmw <add> %{{[a-z]+}}, %{{[a-z]+}} sem = relaxed scope = sys : f16, !fsm.ptr<f16>
// CHECK:         fsm.atomic_rmw <exch> %{{[a-z]+}}, %{{[a-z]+}} sem = release : i32, !fsm.ptr<i32>
// CHECK:         fsm.atomic_rmw <add> %{{[a-z]+}}, %{{[a-z]+}} scope = cta {note} : i32, !fsm.ptr<i32>
// CHECK:         fsm.atomic_cas %{{[a-z]+}}, %{{[a-z]+}}, %{{[a-z]+}} sem = acquire : i32, !fsm.ptr<i32>
// CHECK:         fsm.atomic_cas %{{[a-z]+}}, %{{[a-z]+}}, %{{[a-z]+}}, %{{[a-z]+}} : f32, !fsm.ptr<f32>
fsm.kernel @scalars(%p: !fsm.ptr<i32>, %q: !fsm.ptr<f32>, %h: !fsm.ptr<f16>, %i: i32, %x: f32, %y: f16, %c: i1) {
  %a = fsm.atomic_rmw <add> %i, %p sem = acq_rel scope = gpu : i32, !fsm.ptr<i32>
  %b = fsm.atomic_rmw <max> %x, %q, %c : f32, !fsm.ptr<f32>
  %d = fsm.atomic_rmw <add> %y, %h sem = relaxed scope = sys : f16, !fsm.ptr<f16>
  %e = fsm.atomic_rmw <exch> %i, %p sem = release : i32, !fsm.ptr<i32>
  %f = fsm.atomic_rmw <add> %i, %p scope = cta {note} : i32, !fsm.ptr<i32>
  %g = fsm.atomic_cas %i, %i, %p sem = acquire : i32, !fsm.ptr<i32>
  %j = fsm.atomic_cas %x, %x, %q, %c : f32, !fsm.ptr<f32>
  fsm.return
}

// CHECK-LABEL: fsm.kernel @blocks
// CHECK:         fsm.atomic_rmw <umin> %[[V:.*]], %{{[a-z]+}}[%[[O:.*]]] : tensor<8xi64>, !fsm.ptr<i64>, tensor<8xi32>
// CHECK:         fsm.atomic_rmw <xor> %[[V]], %{{[a-z]+}}[%[[O]]], %{{.*}} sem = relaxed : tensor<8xi64>, !fsm.ptr<i64>, tensor<8xi32>
// CHECK:         fsm.atomic_rmw <umax> %[[V]], %{{[a-z]+}}[%[[O]]], %{{.*}} : tensor<8xi64>, !fsm.ptr<i64>, tensor<8xi32>, mask i1
// CHECK:         fsm.atomic_cas %[[V]], %[[V]], %{{[a-z]+}}[%[[O]]], %{{.*}} : tensor<8xi64>, !fsm.ptr<i64>, tensor<8xi32>
fsm.kernel @blocks(%p: !fsm.ptr<i64>, %i: i64, %n: i32, %c: i1) {
  %o = fsm.range 0, 8 : tensor<8xi32>
  %v = fsm.splat %i : tensor<8xi64>
  %ns = fsm.splat %n : tensor<8xi32>
  %m = arith.cmpi slt, %o, %ns : tensor<8xi32>
  %a = fsm.atomic_rmw <umin> %v, %p[%o] : tensor<8xi64>, !fsm.ptr<i64>, tensor<8xi32>
  %b = fsm.atomic_rmw <xor> %v, %p[%o], %m sem = relaxed : tensor<8xi64>, !fsm.ptr<i64>, tensor<8xi32>
  %d = fsm.atomic_rmw <umax> %v, %p[%o], %c : tensor<8xi64>, !fsm.ptr<i64>, tensor<8xi32>, mask i1
  %e = fsm.atomic_cas %v, %v, %p[%o], %m : tensor<8xi64>, !fsm.ptr<i64>, tensor<8xi32>
  fsm.return
}

// CHECK-LABEL: fsm.kernel @addresses
// CHECK:         fsm.ptr_to_int %{{[a-z]+}} : !fsm.ptr<f32> -> i64
// CHECK:         fsm.int_to_ptr %{{.*}} : i64 -> !fsm.ptr<!fsm.ptr<i8>>
fsm.kernel @addresses(%p: !fsm.ptr<f32>) {
  %a = fsm.ptr_to_int %p : !fsm.ptr<f32> -> i64
  %q = fsm.int_to_ptr %a : i64 -> !fsm.ptr<!fsm.ptr<i8>>
  fsm.return
}
