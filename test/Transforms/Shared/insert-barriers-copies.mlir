// What asynchronous copies read, and what runs ahead of a loop, against the stores behind.

// RUN: %fsm_opt %s --fsm-stage-exchanges --fsm-allocate-shared --fsm-insert-barriers --fsm-verify-shared | FileCheck %s
// RUN: %fsm_opt %s --fsm-stage-exchanges --fsm-allocate-shared --fsm-insert-barriers=remarks=true 2>&1 >/dev/null | FileCheck %s --check-prefix=REMARK

#w4 = #fsm.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = [[32], [64]], cta = []>
#own = #fsm.layout<offset = [[1], [2], [4], [8], [16], [32], [64]]>

// The other end of the block is another thread's, which may not have waited for it yet.
// CHECK-LABEL: fsm.kernel @reversed
// CHECK:         fsm.shared_load
// CHECK-NOT:     fsm.barrier
// CHECK:         fsm.copy_async
// CHECK:         fsm.barrier
// CHECK-NEXT:    fsm.store
// CHECK-NOT:     fsm.barrier
// CHECK:         fsm.return
// REMARK: remark: inserts a barrier: WAR hazard of 'fsm.store' with an earlier 'fsm.shared_load'
fsm.kernel @reversed(%p: !fsm.ptr<f32>, %n: i32) attributes {num_warps = 4 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %block = arith.constant 128 : i32
  %o = fsm.range 0, 128 : tensor<128xi32, #w4>
  %last = arith.constant dense<127> : tensor<128xi32, #w4>
  %back = arith.subi %last, %o : tensor<128xi32, #w4>
  %slots = fsm.shared_alloc : !fsm.shared<128xf32 slots 1, #own>
  fsm.copy_async %p[%o] into %slots[%zero] : !fsm.ptr<f32>, tensor<128xi32, #w4>, !fsm.shared<128xf32 slots 1, #own>
  fsm.copy_commit
  scf.for %i = %zero to %n step %one : i32 {
    fsm.copy_wait 0
    %x = fsm.shared_load %slots[%zero] : !fsm.shared<128xf32 slots 1, #own> -> tensor<128xf32, #w4>
    %here = arith.muli %i, %block overflow<nsw> : i32
    %there = arith.addi %here, %block overflow<nsw> : i32
    %next = fsm.offset %p, %there : !fsm.ptr<f32>, i32
    fsm.copy_async %next[%o] into %slots[%zero] : !fsm.ptr<f32>, tensor<128xi32, #w4>, !fsm.shared<128xf32 slots 1, #own>
    fsm.copy_commit
    %q = fsm.offset %p, %here : !fsm.ptr<f32>, i32
    fsm.store %x, %q[%back] : tensor<128xf32, #w4>, !fsm.ptr<f32>, tensor<128xi32, #w4>
  } {fsm.num_stages = 2 : i32}
  fsm.return
}

// A barrier between the read and the store is enough, copies behind it or not.
// CHECK-LABEL: fsm.kernel @reduced
// CHECK:         fsm.shared_load
// CHECK:         fsm.reduce
// CHECK:           fsm.barrier
// CHECK-NEXT:      fsm.shared_store
// CHECK-NOT:     fsm.barrier
// CHECK:         fsm.return
fsm.kernel @reduced(%p: !fsm.ptr<f32>, %n: i32) attributes {num_warps = 4 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %block = arith.constant 128 : i32
  %o = fsm.range 0, 128 : tensor<128xi32, #w4>
  %last = arith.constant dense<127> : tensor<128xi32, #w4>
  %back = arith.subi %last, %o : tensor<128xi32, #w4>
  %slots = fsm.shared_alloc : !fsm.shared<128xf32 slots 1, #own>
  fsm.copy_async %p[%o] into %slots[%zero] : !fsm.ptr<f32>, tensor<128xi32, #w4>, !fsm.shared<128xf32 slots 1, #own>
  fsm.copy_commit
  scf.for %i = %zero to %n step %one : i32 {
    fsm.copy_wait 0
    %x = fsm.shared_load %slots[%zero] : !fsm.shared<128xf32 slots 1, #own> -> tensor<128xf32, #w4>
    %m = fsm.reduce <max> %x axis 0 : tensor<128xf32, #w4> -> f32
    %here = arith.muli %i, %block overflow<nsw> : i32
    %there = arith.addi %here, %block overflow<nsw> : i32
    %next = fsm.offset %p, %there : !fsm.ptr<f32>, i32
    fsm.copy_async %next[%o] into %slots[%zero] : !fsm.ptr<f32>, tensor<128xi32, #w4>, !fsm.shared<128xf32 slots 1, #own>
    fsm.copy_commit
    %q = fsm.offset %p, %here : !fsm.ptr<f32>, i32
    fsm.store %x, %q[%back] : tensor<128xf32, #w4>, !fsm.ptr<f32>, tensor<128xi32, #w4>
  } {fsm.num_stages = 2 : i32}
  fsm.return
}

// What was copied is not what is stored.
// CHECK-LABEL: fsm.kernel @elsewhere
// CHECK-NOT:     fsm.barrier
// CHECK:         fsm.return
fsm.kernel @elsewhere(%p: !fsm.ptr<f32> {fsm.noalias}, %q: !fsm.ptr<f32>) attributes {num_warps = 4 : i32} {
  %zero = arith.constant 0 : i32
  %o = fsm.range 0, 128 : tensor<128xi32, #w4>
  %last = arith.constant dense<127> : tensor<128xi32, #w4>
  %back = arith.subi %last, %o : tensor<128xi32, #w4>
  %slots = fsm.shared_alloc : !fsm.shared<128xf32 slots 1, #own>
  fsm.copy_async %p[%o] into %slots[%zero] : !fsm.ptr<f32>, tensor<128xi32, #w4>, !fsm.shared<128xf32 slots 1, #own>
  fsm.copy_commit
  fsm.copy_wait 0
  %x = fsm.shared_load %slots[%zero] : !fsm.shared<128xf32 slots 1, #own> -> tensor<128xf32, #w4>
  fsm.store %x, %q[%back] : tensor<128xf32, #w4>, !fsm.ptr<f32>, tensor<128xi32, #w4>
  fsm.return
}

// A release hands on what has been read, too, wherever it is itself.
// CHECK-LABEL: fsm.kernel @released
// CHECK:         fsm.shared_load
// CHECK-NEXT:    fsm.barrier
// CHECK-NEXT:    fsm.atomic_rmw
// CHECK:         fsm.return
fsm.kernel @released(%p: !fsm.ptr<f32> {fsm.noalias}, %lock: !fsm.ptr<i32> {fsm.noalias}) attributes {num_warps = 4 : i32} {
  %zero = arith.constant 0 : i32
  %o = fsm.range 0, 128 : tensor<128xi32, #w4>
  %slots = fsm.shared_alloc : !fsm.shared<128xf32 slots 1, #own>
  fsm.copy_async %p[%o] into %slots[%zero] : !fsm.ptr<f32>, tensor<128xi32, #w4>, !fsm.shared<128xf32 slots 1, #own>
  fsm.copy_commit
  fsm.copy_wait 0
  %x = fsm.shared_load %slots[%zero] : !fsm.shared<128xf32 slots 1, #own> -> tensor<128xf32, #w4>
  %old = fsm.atomic_rmw <exch> %zero, %lock sem = release : i32, !fsm.ptr<i32>
  fsm.return
}

// All threads wait for the whole of a bulk copy, and the barrier is the slot's.
// CHECK-LABEL: fsm.kernel @bulk
// CHECK:         fsm.mbarrier_wait
// CHECK-NEXT:    fsm.shared_load
// CHECK-NEXT:    fsm.offset
// CHECK-NEXT:    fsm.store
// CHECK:         fsm.return
fsm.kernel @bulk(%p: !fsm.ptr<f32>) attributes {num_warps = 4 : i32} {
  %zero = arith.constant 0 : i32
  %o = fsm.range 0, 128 : tensor<128xi32, #w4>
  %one = arith.constant 1 : i32
  %slots = fsm.shared_alloc : !fsm.shared<128xf32 slots 1>
  %full = fsm.shared_alloc : !fsm.shared<1x!fsm.mbarrier>
  fsm.mbarrier_init %full : !fsm.shared<1x!fsm.mbarrier>
  fsm.copy_async %p[%o] into %slots[%zero] mbarrier %full : !fsm.ptr<f32>, tensor<128xi32, #w4>, !fsm.shared<128xf32 slots 1> mbarrier !fsm.shared<1x!fsm.mbarrier>
  fsm.mbarrier_wait %full[%zero] phase %zero : !fsm.shared<1x!fsm.mbarrier>
  %x = fsm.shared_load %slots[%zero] : !fsm.shared<128xf32 slots 1> -> tensor<128xf32, #w4>
  %q = fsm.offset %p, %one : !fsm.ptr<f32>, i32
  fsm.store %x, %q[%o] : tensor<128xf32, #w4>, !fsm.ptr<f32>, tensor<128xi32, #w4>
  fsm.return
}

// What is loaded for the first iterations is not, if there are none; else the barrier inside orders it.
// CHECK-LABEL: fsm.kernel @for_the_loop
// CHECK:         fsm.load
// CHECK:         scf.for
// CHECK-NEXT:      fsm.barrier
// CHECK-NEXT:    }
// CHECK-NOT:     fsm.barrier
// CHECK:         fsm.return
fsm.kernel @for_the_loop(%p: !fsm.ptr<f32>, %n: i32) attributes {num_warps = 4 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %o = fsm.range 0, 128 : tensor<128xi32, #w4>
  %second = arith.cmpi slt, %one, %n : i32
  %x = fsm.load %p[%o], %second {fsm.prologue} : !fsm.ptr<f32>, tensor<128xi32, #w4>, mask i1 -> tensor<128xf32, #w4>
  scf.for %i = %zero to %n step %one : i32 {
    fsm.barrier
  }
  %last = arith.constant dense<127> : tensor<128xi32, #w4>
  %back = arith.subi %last, %o : tensor<128xi32, #w4>
  fsm.store %x, %p[%back] : tensor<128xf32, #w4>, !fsm.ptr<f32>, tensor<128xi32, #w4>
  fsm.return
}

// Other loads may have read something where the loop does not run: one whose mask nobody says anything of, and one for
// another loop.
// CHECK-LABEL: fsm.kernel @not_for_the_loop
// CHECK:         scf.for
// CHECK:         }
// CHECK:         fsm.barrier
// CHECK-NEXT:    fsm.store
// CHECK:         scf.for
// CHECK:         scf.for
// CHECK:         }
// CHECK:         fsm.barrier
// CHECK-NEXT:    fsm.store
// CHECK:         fsm.return
fsm.kernel @not_for_the_loop(%p: !fsm.ptr<f32>, %n: i32, %m: i32) attributes {num_warps = 4 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %o = fsm.range 0, 128 : tensor<128xi32, #w4>
  %last = arith.constant dense<127> : tensor<128xi32, #w4>
  %back = arith.subi %last, %o : tensor<128xi32, #w4>
  %runs = arith.cmpi slt, %zero, %n : i32
  %x = fsm.load %p[%o], %runs : !fsm.ptr<f32>, tensor<128xi32, #w4>, mask i1 -> tensor<128xf32, #w4>
  scf.for %i = %zero to %n step %one : i32 {
    fsm.barrier
  }
  fsm.store %x, %p[%back] : tensor<128xf32, #w4>, !fsm.ptr<f32>, tensor<128xi32, #w4>
  fsm.barrier
  %y = fsm.load %p[%o], %runs {fsm.prologue} : !fsm.ptr<f32>, tensor<128xi32, #w4>, mask i1 -> tensor<128xf32, #w4>
  scf.for %i = %zero to %n step %one : i32 {
  }
  scf.for %i = %zero to %m step %one : i32 {
    fsm.barrier
  }
  fsm.store %y, %p[%back] : tensor<128xf32, #w4>, !fsm.ptr<f32>, tensor<128xi32, #w4>
  fsm.return
}

// Around a loop the condition is another iteration's.
// CHECK-LABEL: fsm.kernel @around
// CHECK:         scf.for
// CHECK:         scf.for
// CHECK:         }
// CHECK-NEXT:    fsm.barrier
// CHECK-NEXT:    fsm.store
// CHECK:         fsm.return
fsm.kernel @around(%p: !fsm.ptr<f32>, %n: i32) attributes {num_warps = 4 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %o = fsm.range 0, 128 : tensor<128xi32, #w4>
  %last = arith.constant dense<127> : tensor<128xi32, #w4>
  %back = arith.subi %last, %o : tensor<128xi32, #w4>
  %ones = arith.constant dense<1.0> : tensor<128xf32, #w4>
  scf.for %j = %zero to %n step %one : i32 {
    %bound = arith.subi %n, %j : i32
    scf.for %i = %zero to %bound step %one : i32 {
      fsm.barrier
    }
    fsm.store %ones, %p[%back] : tensor<128xf32, #w4>, !fsm.ptr<f32>, tensor<128xi32, #w4>
    %runs = arith.cmpi slt, %zero, %bound : i32
    %x = fsm.load %p[%o], %runs {fsm.prologue} : !fsm.ptr<f32>, tensor<128xi32, #w4>, mask i1 -> tensor<128xf32, #w4>
  }
  fsm.return
}
