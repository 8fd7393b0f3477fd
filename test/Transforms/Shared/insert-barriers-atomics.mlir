// What the threads of a program have accessed is released by all of them, and what one
// thread acquires, all of them wait for.

// RUN: %fsm_opt %s --fsm-stage-exchanges --fsm-allocate-shared --fsm-insert-barriers --fsm-verify-shared | FileCheck %s

#w4 = #fsm.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = [[32], [64]], cta = []>
#few = #fsm.layout<register = [], lane = [[1], [2], [4], [0], [0]], warp = [[0], [0]], cta = []>

// A lock: nothing is read before all threads know of it, nothing is written behind the
// release. The acquire's result is handed on through shared memory, behind whose barrier the
// block is loaded; the next turn waits before it writes there again.
// CHECK-LABEL: fsm.kernel @lock
// CHECK:         scf.while
// CHECK-NEXT:      fsm.atomic_cas {{.*}} sem = acquire
// CHECK-NEXT:      fsm.shared_alloc {fsm.shared_offset = 0 : i32}
// CHECK-NEXT:      fsm.barrier
// CHECK-NEXT:      fsm.shared_store
// CHECK-NEXT:      fsm.shared_barrier <program>
// CHECK-NEXT:      fsm.shared_load
// CHECK:           scf.yield
// CHECK-NEXT:    }
// CHECK-NEXT:    fsm.load
// CHECK-NEXT:    fsm.store
// CHECK-NEXT:    fsm.barrier
// CHECK-NEXT:    fsm.atomic_rmw <exch> {{.*}} sem = release
// CHECK-NEXT:    fsm.return
fsm.kernel @lock(%p: !fsm.ptr<f32>, %lock: !fsm.ptr<i32> {fsm.noalias}, %o: i32) attributes {num_warps = 4 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %at = fsm.range 0, 128 : tensor<128xi32, #w4>
  scf.while : () -> () {
    %seen = fsm.atomic_cas %zero, %one, %lock sem = acquire : i32, !fsm.ptr<i32>
    %waits = arith.cmpi ne, %seen, %zero : i32
    scf.condition(%waits)
  } do {
    scf.yield
  }
  %x = fsm.load %p[%at] : !fsm.ptr<f32>, tensor<128xi32, #w4> -> tensor<128xf32, #w4>
  fsm.store %x, %p[%at] : tensor<128xf32, #w4>, !fsm.ptr<f32>, tensor<128xi32, #w4>
  %was = fsm.atomic_rmw <exch> %zero, %lock sem = release : i32, !fsm.ptr<i32>
  fsm.return
}

// An acquire of which nobody wants the result has no barrier inside.
// CHECK-LABEL: fsm.kernel @acquire
// CHECK:         fsm.atomic_rmw
// CHECK-NEXT:    fsm.barrier
// CHECK-NEXT:    fsm.load
fsm.kernel @acquire(%p: !fsm.ptr<f32>, %flag: !fsm.ptr<i32> {fsm.noalias}) attributes {num_warps = 4 : i32} {
  %zero = arith.constant 0 : i32
  %at = fsm.range 0, 128 : tensor<128xi32, #w4>
  %seen = fsm.atomic_rmw <or> %zero, %flag sem = acquire : i32, !fsm.ptr<i32>
  %x = fsm.load %p[%at] : !fsm.ptr<f32>, tensor<128xi32, #w4> -> tensor<128xf32, #w4>
  fsm.store %x, %p[%at] : tensor<128xf32, #w4>, !fsm.ptr<f32>, tensor<128xi32, #w4>
  fsm.return
}

// One that is relaxed orders nothing; where it may touch the same bytes it waits as a
// store does. Of scalars all updates and stores are the first thread's.
// CHECK-LABEL: fsm.kernel @relaxed
// CHECK:         fsm.load
// CHECK-NEXT:    fsm.atomic_rmw <add> %{{.*}}, %flag sem = relaxed
// CHECK-NEXT:    fsm.store %{{.*}}, %flag
// CHECK-NEXT:    fsm.atomic_rmw <add> %{{.*}}, %flag sem = relaxed
// CHECK-NEXT:    fsm.barrier
// CHECK-NEXT:    fsm.atomic_rmw <add> %{{.*}}, %p
// CHECK-NEXT:    fsm.return
fsm.kernel @relaxed(%p: !fsm.ptr<i32>, %flag: !fsm.ptr<i32> {fsm.noalias}, %o: i32) attributes {num_warps = 4 : i32} {
  %at = fsm.range 0, 128 : tensor<128xi32, #w4>
  %x = fsm.load %p[%at] : !fsm.ptr<i32>, tensor<128xi32, #w4> -> tensor<128xi32, #w4>
  %a = fsm.atomic_rmw <add> %o, %flag sem = relaxed : i32, !fsm.ptr<i32>
  fsm.store %o, %flag : i32, !fsm.ptr<i32>
  %b = fsm.atomic_rmw <add> %o, %flag sem = relaxed : i32, !fsm.ptr<i32>
  %c = fsm.atomic_rmw <add> %x, %p[%x] sem = relaxed : tensor<128xi32, #w4>, !fsm.ptr<i32>, tensor<128xi32, #w4>
  fsm.return
}

// A volatile load is made by one thread and hands its value on, each turn anew.
// CHECK-LABEL: fsm.kernel @poll
// CHECK:         scf.while
// CHECK-NEXT:      fsm.load %{{.*}} volatile
// CHECK-NEXT:      fsm.shared_alloc {fsm.shared_offset = 0 : i32}
// CHECK-NEXT:      fsm.barrier
// CHECK-NEXT:      fsm.shared_store
// CHECK-NEXT:      fsm.shared_barrier <program>
// CHECK-NEXT:      fsm.shared_load
// CHECK-NOT:     fsm.barrier
// CHECK:         fsm.return
fsm.kernel @poll(%p: !fsm.ptr<i32>, %o: i32) attributes {num_warps = 4 : i32} {
  scf.while : () -> () {
    %seen = fsm.load %p volatile : !fsm.ptr<i32> -> i32
    %waits = arith.cmpi ne, %seen, %o : i32
    scf.condition(%waits)
  } do {
    scf.yield
  }
  fsm.return
}

// Eight elements of which each thread of 128 holds one: shared memory has a place for each.
// CHECK-LABEL: fsm.kernel @replicas
// CHECK-SAME:    fsm.shared_bytes = 32
// CHECK:         %[[OLD:.*]] = fsm.atomic_rmw
// CHECK-NEXT:    fsm.shared_alloc {fsm.shared_offset = 0 : i32} : !fsm.shared<8xi32, #
// CHECK-NEXT:    fsm.shared_store %[[OLD]]
// CHECK-NEXT:    fsm.shared_barrier <program>
// CHECK-NEXT:    %[[HANDED:.*]] = fsm.shared_load
// CHECK-NEXT:    fsm.store %[[HANDED]]
fsm.kernel @replicas(%p: !fsm.ptr<i32> {fsm.noalias}, %q: !fsm.ptr<i32>, %o: i32) attributes {num_warps = 4 : i32} {
  %at = fsm.range 0, 8 : tensor<8xi32, #few>
  %a = fsm.atomic_rmw <add> %at, %p[%at] : tensor<8xi32, #few>, !fsm.ptr<i32>, tensor<8xi32, #few>
  fsm.store %a, %q[%at] : tensor<8xi32, #few>, !fsm.ptr<i32>, tensor<8xi32, #few>
  fsm.return
}
