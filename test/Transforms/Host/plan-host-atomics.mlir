// Atomics of blocks have loops of their own on the host: each element is updated once,
// what was there is kept, and no access moves to the other side.

// RUN: %fsm_opt %s --pass-pipeline='builtin.module(fsm.kernel(fsm-plan-host-loops))' | FileCheck %s

// The stores could share a loop but for what stands between them; what the atomic gives is
// read twice and computed once.
// CHECK-LABEL: @between
// CHECK:         fsm.store {{.*}}fsm.host_loop = 0
// CHECK:         fsm.atomic_rmw {{.*}}fsm.host_buffer = array<i64: {{[0-9]+}}>, fsm.host_loop = 1
// CHECK:         fsm.store {{.*}}fsm.host_loop = 2
// CHECK:         fsm.store {{.*}}fsm.host_loop = 2
fsm.kernel @between(%a: !fsm.ptr<i32> {fsm.noalias}, %b: !fsm.ptr<i32> {fsm.noalias}, %c: !fsm.ptr<i32> {fsm.noalias}) {
  %o = fsm.range 0, 64 : tensor<64xi32>
  fsm.store %o, %a[%o] : tensor<64xi32>, !fsm.ptr<i32>, tensor<64xi32>
  %x = fsm.atomic_rmw <add> %o, %b[%o] sem = relaxed : tensor<64xi32>, !fsm.ptr<i32>, tensor<64xi32>
  fsm.store %x, %a[%o] : tensor<64xi32>, !fsm.ptr<i32>, tensor<64xi32>
  fsm.store %x, %c[%o] : tensor<64xi32>, !fsm.ptr<i32>, tensor<64xi32>
  fsm.return
}

// Behind a release another program may write what was loaded: the block is read before it,
// also from a buffer that nothing else reaches.
// CHECK-LABEL: @released
// CHECK:         fsm.load {{.*}}fsm.host_buffer
// CHECK:         fsm.atomic_rmw
// CHECK-NOT:     fsm.host_loop = 0
// CHECK:         fsm.store
fsm.kernel @released(%a: !fsm.ptr<i32> {fsm.noalias}, %b: !fsm.ptr<i32> {fsm.noalias}, %lock: !fsm.ptr<i32> {fsm.noalias}, %zero: i32) {
  %o = fsm.range 0, 64 : tensor<64xi32>
  %x = fsm.load %a[%o] : !fsm.ptr<i32>, tensor<64xi32> -> tensor<64xi32>
  %was = fsm.atomic_rmw <exch> %zero, %lock sem = release : i32, !fsm.ptr<i32>
  fsm.store %x, %b[%o] : tensor<64xi32>, !fsm.ptr<i32>, tensor<64xi32>
  fsm.return
}

// A relaxed one leaves other buffers alone.
// CHECK-LABEL: @relaxed
// CHECK:         fsm.load
// CHECK-NOT:     fsm.host_buffer
// CHECK:         fsm.return
fsm.kernel @relaxed(%a: !fsm.ptr<i32> {fsm.noalias}, %b: !fsm.ptr<i32> {fsm.noalias}, %count: !fsm.ptr<i32> {fsm.noalias}, %one: i32) {
  %o = fsm.range 0, 64 : tensor<64xi32>
  %x = fsm.load %a[%o] : !fsm.ptr<i32>, tensor<64xi32> -> tensor<64xi32>
  %was = fsm.atomic_rmw <add> %one, %count sem = relaxed : i32, !fsm.ptr<i32>
  fsm.store %x, %b[%o] : tensor<64xi32>, !fsm.ptr<i32>, tensor<64xi32>
  fsm.return
}

// A store behind a scalar atomic does not join one before it.
// CHECK-LABEL: @apart
// CHECK:         fsm.store {{.*}}fsm.host_loop = 0
// CHECK-NEXT:    fsm.atomic_cas
// CHECK-NEXT:    fsm.store {{.*}}fsm.host_loop = 1
fsm.kernel @apart(%a: !fsm.ptr<i32> {fsm.noalias}, %b: !fsm.ptr<i32> {fsm.noalias}, %lock: !fsm.ptr<i32> {fsm.noalias}, %zero: i32) {
  %o = fsm.range 0, 64 : tensor<64xi32>
  fsm.store %o, %a[%o] : tensor<64xi32>, !fsm.ptr<i32>, tensor<64xi32>
  %was = fsm.atomic_cas %zero, %zero, %lock : i32, !fsm.ptr<i32>
  fsm.store %o, %b[%o] : tensor<64xi32>, !fsm.ptr<i32>, tensor<64xi32>
  fsm.return
}
