// Atomics on the host: one instruction, or a loop around a compare-and-swap.

// RUN: %fsm_opt %s --pass-pipeline='builtin.module(fsm.kernel(fsm-plan-host-loops),convert-fsm-to-cpu)' | FileCheck %s

// CHECK-LABEL: llvm.func @scalars
// CHECK:         llvm.atomicrmw add %{{.*}}, %{{.*}} acq_rel : !llvm.ptr, i32
// CHECK:         llvm.atomicrmw xchg %{{.*}}, %{{.*}} monotonic : !llvm.ptr, i64
// CHECK:         llvm.cmpxchg %{{.*}}, %{{.*}}, %{{.*}} release monotonic : !llvm.ptr, i32
// CHECK:         llvm.cmpxchg %{{.*}}, %{{.*}}, %{{.*}} acquire acquire : !llvm.ptr, i32
fsm.kernel @scalars(%p: !fsm.ptr<i32>, %d: !fsm.ptr<f64>, %x: i32, %y: f64) {
  %a = fsm.atomic_rmw <add> %x, %p : i32, !fsm.ptr<i32>
  %b = fsm.atomic_rmw <exch> %y, %d sem = relaxed : f64, !fsm.ptr<f64>
  %c = fsm.atomic_cas %x, %x, %p sem = release : i32, !fsm.ptr<i32>
  %e = fsm.atomic_cas %x, %x, %p sem = acquire : i32, !fsm.ptr<i32>
  fsm.return
}

// CHECK-LABEL: llvm.func @half
// CHECK:         llvm.load %{{.*}} atomic monotonic {{.*}} -> i16
// CHECK:         scf.while
// CHECK:           arith.addf %{{.*}}, %{{.*}} : f32
// CHECK:           llvm.cmpxchg {{.*}} : !llvm.ptr, i16
// CHECK:           scf.condition
fsm.kernel @half(%p: !fsm.ptr<bf16>, %x: bf16) {
  %a = fsm.atomic_rmw <add> %x, %p : bf16, !fsm.ptr<bf16>
  fsm.return
}

// One element after the other, under its mask; what was there goes to the buffer.
// CHECK-LABEL: llvm.func @block
// CHECK:         scf.for
// CHECK:           %[[OLD:.*]] = scf.if
// CHECK:             llvm.atomicrmw umax %{{.*}}, %{{.*}} acq_rel : !llvm.ptr, i32
// CHECK:           } else {
// CHECK:             arith.constant 0 : i32
// CHECK:           }
// CHECK:           llvm.store %[[OLD]]
// CHECK-NOT:     llvm.atomicrmw
// CHECK:         llvm.return
fsm.kernel @block(%p: !fsm.ptr<i32>, %q: !fsm.ptr<i32>, %n: i32) {
  %o = fsm.range 0, 40 : tensor<40xi32>
  %ns = fsm.splat %n : tensor<40xi32>
  %m = arith.cmpi slt, %o, %ns : tensor<40xi32>
  %x = fsm.atomic_rmw <umax> %o, %p[%o], %m : tensor<40xi32>, !fsm.ptr<i32>, tensor<40xi32>
  fsm.store %x, %q[%o] : tensor<40xi32>, !fsm.ptr<i32>, tensor<40xi32>
  fsm.return
}

// CHECK-LABEL: llvm.func @addresses
// CHECK:         llvm.ptrtoint
// CHECK:         llvm.inttoptr
fsm.kernel @addresses(%p: !fsm.ptr<i32>, %i: i64, %x: i32) {
  %a = fsm.ptr_to_int %p : !fsm.ptr<i32> -> i64
  %b = arith.addi %a, %i : i64
  %q = fsm.int_to_ptr %b : i64 -> !fsm.ptr<i32>
  fsm.store %x, %q : i32, !fsm.ptr<i32>
  fsm.return
}

// A volatile load stays one under a mask.
// CHECK-LABEL: llvm.func @volatile
// CHECK:         scf.if
// CHECK:           llvm.load volatile
fsm.kernel @volatile(%p: !fsm.ptr<i32>, %q: !fsm.ptr<i32>, %c: i1) {
  %x = fsm.load %p, %c volatile : !fsm.ptr<i32> -> i32
  fsm.store %x, %q : i32, !fsm.ptr<i32>
  fsm.return
}
